// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The description of an API, with the structure of OpenAPI documents: most values may be references instead, and many types
/// have one container for each group of their keys.
struct APIDocument: Codable, Equatable {
    var openapi = "3.1.0"
    var title: String
    var paths: [String: PathItem]
    var schemas: [String: Either<Link, Schema>]
    var responses: [String: Either<Link, Response>]
    var securitySchemes: [String: SecurityScheme]
    /// Values of variables; nil for those without a default.
    var variables: [String: String?]
    var tags: [String]?
}

/// One of two types, which are tried one after the other.
enum Either<First, Second> {
    case first(First)
    case second(Second)
}

extension Either: Equatable where First: Equatable, Second: Equatable {}

extension Either: Encodable where First: Encodable, Second: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .first(let value): try container.encode(value)
        case .second(let value): try container.encode(value)
        }
    }
}

extension Either: Decodable where First: Decodable, Second: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(First.self) {
            self = .first(value)
        } else {
            self = .second(try container.decode(Second.self))
        }
    }
}

/// A reference to a component of the document.
struct Link: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case target = "$ref"
    }

    var target: String
}

/// A key that is known only when a document is read.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Entries whose keys begin with `x-`, for what programs add to the format.
struct Extensions: Codable, Equatable {
    var values: [String: JSONValue]

    init(_ values: [String: JSONValue]) { self.values = values }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        values = [:]
        for key in container.allKeys where key.stringValue.hasPrefix("x-") {
            values[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for (key, value) in values { try container.encode(value, forKey: AnyKey(stringValue: key)) }
    }
}

// MARK: - Operations

struct PathItem: Codable, Equatable {
    var summary: String?
    var parameters: [Either<Link, Parameter>]?
    var get: Operation?
    var put: Operation?
    var post: Operation?
    var delete: Operation?
}

struct Operation: Equatable {
    var operationID: String
    var summary: String?
    var tags: [String]
    var parameters: [Either<Link, Parameter>]
    var body: Either<Link, Content>?
    var responses: [String: Either<Link, Response>]
    var isDeprecated = false
    var extensions: Extensions
}

extension Operation: Codable {
    enum CodingKeys: String, CodingKey {
        case operationID = "operationId"
        case summary, tags, parameters
        case body = "requestBody"
        case responses, deprecated
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        operationID = try container.decode(String.self, forKey: .operationID)
        summary = try container.decodeIfPresent(String.self, forKey: .summary)
        tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
        parameters = try container.decodeIfPresent([Either<Link, Parameter>].self, forKey: .parameters) ?? []
        body = try container.decodeIfPresent(Either<Link, Content>.self, forKey: .body)
        responses = try container.decode([String: Either<Link, Response>].self, forKey: .responses)
        isDeprecated = try container.decodeIfPresent(Bool.self, forKey: .deprecated) ?? false
        extensions = try Extensions(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(operationID, forKey: .operationID)
        try container.encodeIfPresent(summary, forKey: .summary)
        if !tags.isEmpty { try container.encode(tags, forKey: .tags) }
        if !parameters.isEmpty { try container.encode(parameters, forKey: .parameters) }
        try container.encodeIfPresent(body, forKey: .body)
        try container.encode(responses, forKey: .responses)
        if isDeprecated { try container.encode(true, forKey: .deprecated) }
        try extensions.encode(to: encoder)
    }
}

struct Parameter: Codable, Equatable {
    enum Location: String, Codable {
        case query, header, path
    }

    var name: String
    var location: Location
    var required: Bool?
    var schema: Either<Link, Schema>
}

struct Content: Codable, Equatable {
    var mediaType: String
    var schema: Either<Link, Schema>?
    /// Examples by name; nil for a name whose example is yet to be written.
    var examples: [String: Example?]?
}

struct Response: Codable, Equatable {
    var description: String
    var headers: [String: Either<Link, Schema>]?
    var content: [Content]?
}

/// A value, or the address of one. The only key says which.
enum Example: Equatable {
    case value(JSONValue)
    case external(String)
}

extension Example: Codable {
    enum CodingKeys: String, CodingKey {
        case value, externalValue
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is no example")
            throw DecodingError.dataCorrupted(context)
        }
        switch key {
        case .value: self = .value(try container.decode(JSONValue.self, forKey: .value))
        case .externalValue: self = .external(try container.decode(String.self, forKey: .externalValue))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .value(let value): try container.encode(value, forKey: .value)
        case .external(let address): try container.encode(address, forKey: .externalValue)
        }
    }
}

/// The compiler makes the coding of this enumeration.
enum SecurityScheme: Codable, Equatable {
    case apiKey(name: String, location: Parameter.Location)
    case http(scheme: String, bearerFormat: String?)
    case openID(address: String)
}

// MARK: - Schemas

/// A type of values. The key `type`, or that of a combination, says which case it is.
indirect enum Schema: Equatable {
    case boolean(SchemaCore)
    case number(SchemaCore, NumberBounds)
    case string(SchemaCore, TextBounds)
    case array(SchemaCore, items: Either<Link, Schema>?)
    case object(SchemaCore, properties: [String: Either<Link, Schema>], required: [String])
    case oneOf([Either<Link, Schema>], SchemaCore)
    case allOf([Either<Link, Schema>], SchemaCore)
}

struct SchemaCore: Equatable {
    var title: String?
    var description: String?
    var isNullable = false
    var isReadOnly = false
    var example: JSONValue?
}

struct NumberBounds: Codable, Equatable {
    var minimum: Double?
    var maximum: Double?
    var multipleOf: Double?
}

struct TextBounds: Codable, Equatable {
    var minLength: Int?
    var maxLength: Int?
    var pattern: String?
    var format: String?
}

extension SchemaCore: Codable {
    enum CodingKeys: String, CodingKey {
        case title, description, nullable, readOnly, example
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        description = try container.decodeIfPresent(String.self, forKey: .description)
        isNullable = try container.decodeIfPresent(Bool.self, forKey: .nullable) ?? false
        isReadOnly = try container.decodeIfPresent(Bool.self, forKey: .readOnly) ?? false
        if container.contains(.example) { example = try container.decode(JSONValue.self, forKey: .example) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encodeIfPresent(description, forKey: .description)
        if isNullable { try container.encode(true, forKey: .nullable) }
        if isReadOnly { try container.encode(true, forKey: .readOnly) }
        try container.encodeIfPresent(example, forKey: .example)
    }
}

extension Schema: Codable {
    private enum Kind: String, Codable {
        case boolean, number, string, array, object
    }

    private enum CodingKeys: String, CodingKey {
        case type, items, properties, required, oneOf, allOf
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let core = try SchemaCore(from: decoder)
        if container.contains(.oneOf) {
            self = .oneOf(try container.decode([Either<Link, Schema>].self, forKey: .oneOf), core)
            return
        }
        if container.contains(.allOf) {
            self = .allOf(try container.decode([Either<Link, Schema>].self, forKey: .allOf), core)
            return
        }
        switch try container.decode(Kind.self, forKey: .type) {
        case .boolean: self = .boolean(core)
        case .number: self = .number(core, try NumberBounds(from: decoder))
        case .string: self = .string(core, try TextBounds(from: decoder))
        case .array:
            self = .array(core, items: try container.decodeIfPresent(Either<Link, Schema>.self, forKey: .items))
        case .object:
            self = .object(
                core,
                properties: try container.decodeIfPresent([String: Either<Link, Schema>].self, forKey: .properties)
                    ?? [:],
                required: try container.decodeIfPresent([String].self, forKey: .required) ?? [])
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .boolean(let core):
            try container.encode(Kind.boolean, forKey: .type)
            try core.encode(to: encoder)
        case .number(let core, let bounds):
            try container.encode(Kind.number, forKey: .type)
            try core.encode(to: encoder)
            try bounds.encode(to: encoder)
        case .string(let core, let bounds):
            try container.encode(Kind.string, forKey: .type)
            try core.encode(to: encoder)
            try bounds.encode(to: encoder)
        case .array(let core, let items):
            try container.encode(Kind.array, forKey: .type)
            try container.encodeIfPresent(items, forKey: .items)
            try core.encode(to: encoder)
        case .object(let core, let properties, let required):
            try container.encode(Kind.object, forKey: .type)
            if !properties.isEmpty { try container.encode(properties, forKey: .properties) }
            if !required.isEmpty { try container.encode(required, forKey: .required) }
            try core.encode(to: encoder)
        case .oneOf(let schemas, let core):
            try container.encode(schemas, forKey: .oneOf)
            try core.encode(to: encoder)
        case .allOf(let schemas, let core):
            try container.encode(schemas, forKey: .allOf)
            try core.encode(to: encoder)
        }
    }
}

// MARK: - Example

extension APIDocument {
    static func example(pathCount: Int, schemaCount: Int, seed: UInt64) -> APIDocument {
        var generator = Generator(random: SplitMix64(seed: seed), schemaCount: schemaCount)
        return generator.document(pathCount: pathCount)
    }

    private struct Generator {
        var random: SplitMix64
        let schemaCount: Int

        mutating func document(pathCount: Int) -> APIDocument {
            var document = APIDocument(
                title: "Shop", paths: [:], schemas: [:], responses: [:],
                securitySchemes: [
                    "key": .apiKey(name: "X-Key", location: .header),
                    "token": .http(scheme: "bearer", bearerFormat: "JWT"),
                    "basic": .http(scheme: "basic", bearerFormat: nil),
                    "open": .openID(address: "https://example.com/.well-known/openid-configuration"),
                ],
                variables: ["host": "api.example.com", "port": "443", "stage": nil, "tenant": nil],
                tags: Self.nouns)
            for number in 0..<schemaCount {
                document.schemas[schemaName(number)] = .second(object(depth: 2))
            }
            for status in ["400", "401", "404", "409", "500"] {
                document.responses["Error\(status)"] = .second(response())
            }
            for number in 0..<pathCount {
                let noun = random.choice(Self.nouns)
                let path = "/v\(number % 3)/\(noun)s\(number)" + (random.chance(percent: 60) ? "/{id}" : "")
                document.paths[path] = PathItem(
                    summary: sentence(40),
                    parameters: random.chance(percent: 60) ? [parameter(), link("parameters", "Page")] : nil,
                    get: operation("get\(noun)\(number)", body: false),
                    put: random.chance(percent: 40) ? operation("put\(noun)\(number)", body: true) : nil,
                    post: random.chance(percent: 50) ? operation("post\(noun)\(number)", body: true) : nil,
                    delete: random.chance(percent: 30) ? operation("delete\(noun)\(number)", body: false) : nil)
            }
            return document
        }

        mutating func operation(_ name: String, body: Bool) -> Operation {
            var responses: [String: Either<Link, Response>] = ["200": .second(response())]
            for status in ["400", "404", "500"] where random.chance(percent: 70) {
                responses[status] = link("responses", "Error\(status)")
            }
            var extensions: [String: JSONValue] = [:]
            if random.chance(percent: 40) { extensions["x-internal"] = .bool(true) }
            if random.chance(percent: 30) { extensions["x-limits"] = JSONValue.properties(&random) }
            return Operation(
                operationID: name, summary: sentence(80), tags: [random.choice(Self.nouns)],
                parameters: (0..<random.integer(in: 0..<4)).map { _ in
                    random.chance(percent: 30) ? link("parameters", "Limit") : parameter()
                },
                body: body ? .second(content()) : nil, responses: responses, isDeprecated: random.chance(percent: 10),
                extensions: Extensions(extensions))
        }

        mutating func parameter() -> Either<Link, Parameter> {
            .second(
                Parameter(
                    name: random.choice(Self.properties), location: random.choice([.query, .header, .path]),
                    required: random.chance(percent: 50) ? true : nil, schema: schema(depth: 0)))
        }

        mutating func response() -> Response {
            Response(
                description: sentence(100) ?? "OK",
                headers: random.chance(percent: 40) ? ["X-Rate-Limit": schema(depth: 0)] : nil, content: [content()])
        }

        mutating func content() -> Content {
            Content(
                mediaType: "application/json", schema: schema(depth: 1),
                examples: random.chance(percent: 40)
                    ? [
                        "short": .value(JSONValue.properties(&random)), "later": nil,
                        "long": .external("https://example.com/examples/\(random.integer(in: 0..<1_000)).json"),
                    ] : nil)
        }

        mutating func schema(depth: Int) -> Either<Link, Schema> {
            if depth > 0, random.chance(percent: 50) {
                return link("schemas", schemaName(random.integer(in: 0..<schemaCount)))
            }
            let core = core()
            switch random.integer(in: 0..<(depth > 0 ? 10 : 6)) {
            case 0: return .second(.boolean(core))
            case 1, 2:
                let bounds = NumberBounds(
                    minimum: random.chance(percent: 50) ? 0 : nil,
                    maximum: random.chance(percent: 50) ? random.decimal(in: 1..<1_000) : nil, multipleOf: nil)
                return .second(.number(core, bounds))
            case 3...5:
                let bounds = TextBounds(
                    minLength: random.chance(percent: 30) ? 1 : nil,
                    maxLength: random.chance(percent: 50) ? random.integer(in: 10..<200) : nil,
                    pattern: random.chance(percent: 10) ? "^[a-z0-9-]+$" : nil,
                    format: random.chance(percent: 30) ? random.choice(["date-time", "uuid", "uri", "email"]) : nil)
                return .second(.string(core, bounds))
            case 6, 7: return .second(.array(core, items: schema(depth: depth - 1)))
            case 8: return .second(.oneOf([schema(depth: depth - 1), schema(depth: depth - 1)], core))
            default: return .second(object(depth: depth - 1))
            }
        }

        mutating func object(depth: Int) -> Schema {
            var properties: [String: Either<Link, Schema>] = [:]
            for _ in 0..<random.integer(in: 3..<9) { properties[random.choice(Self.properties)] = schema(depth: depth) }
            let object = Schema.object(
                core(), properties: properties, required: properties.keys.sorted().filter { $0.count < 6 })
            guard depth > 1, random.chance(percent: 20) else { return object }
            return .allOf([schema(depth: 1), .second(object)], core())
        }

        mutating func core() -> SchemaCore {
            SchemaCore(
                title: random.chance(percent: 20) ? random.choice(Self.nouns) : nil, description: sentence(70),
                isNullable: random.chance(percent: 10), isReadOnly: random.chance(percent: 10),
                example: random.chance(percent: 25) ? .string(random.choice(Vocabulary.names)) : nil)
        }

        mutating func sentence(_ percent: Int) -> String? {
            random.chance(percent: percent) ? Vocabulary.text(in: "en", length: 3..<12, &random) : nil
        }

        func link<Target>(_ kind: String, _ name: String) -> Either<Link, Target> {
            .first(Link(target: "#/components/\(kind)/\(name)"))
        }

        func schemaName(_ number: Int) -> String { "\(Self.nouns[number % Self.nouns.count])Type\(number)" }

        private static let nouns = [
            "order", "customer", "article", "invoice", "payment", "address", "shipment", "coupon", "review", "category",
        ]
        private static let properties = [
            "id", "name", "email", "price", "currency", "status", "created", "updated", "owner", "items", "total",
            "count",
            "notes", "city", "country", "code", "weight", "tags",
        ]
    }
}
