// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Any value of JSON. Like most such types, it tries its six cases one after the other.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no value of JSON")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    /// The events that the visitors of a shop have caused, each with its own properties.
    static func events(count: Int, seed: UInt64) -> JSONValue {
        var random = SplitMix64(seed: seed)
        return .array((0..<count).map { event($0, &random) })
    }

    /// An object of a few properties, for what a format does not describe.
    static func properties(_ random: inout SplitMix64) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        for _ in 0..<random.integer(in: 1..<5) {
            properties[random.choice(propertyNames)] = property(&random, depth: 1)
        }
        return .object(properties)
    }

    private static func event(_ number: Int, _ random: inout SplitMix64) -> JSONValue {
        let items = (0..<random.integer(in: 0..<4)).map { _ in
            JSONValue.object([
                "sku": .string("A-\(random.integer(in: 0..<10_000))"),
                "price": .number(random.decimal(in: 1..<200)),
                "quantity": .number(Double(random.integer(in: 1..<6))),
                "discounted": .bool(random.chance(percent: 20)),
                "coupon": random.chance(percent: 80) ? .null : .string("SUMMER"),
            ])
        }
        return .object([
            "id": .number(Double(number)),
            "name": .string(random.choice(["page viewed", "item added", "item removed", "order placed", "search"])),
            "time": .number(1_700_000_000 + random.decimal(in: 0..<1_000_000)),
            "anonymous": .bool(random.chance(percent: 60)),
            "referrer": random.chance(percent: 50) ? .null : .string("https://\(random.choice(Vocabulary.hosts))/"),
            "position": .array([
                .number(random.decimal(in: -180..<180)), .number(random.decimal(in: -90..<90)),
            ]),
            "language": .string(random.choice(Vocabulary.languages)),
            "items": .array(items),
            "context": properties(&random),
        ])
    }

    private static func property(_ random: inout SplitMix64, depth: Int) -> JSONValue {
        switch random.integer(in: 0..<(depth > 0 ? 10 : 7)) {
        case 0: .null
        case 1: .bool(random.chance(percent: 50))
        case 2, 3: .number(Double(random.integer(in: 0..<100_000)))
        case 4...6: .string(Vocabulary.text(in: "en", length: 1..<5, &random))
        case 7, 8: .array((0..<random.integer(in: 0..<5)).map { _ in property(&random, depth: depth - 1) })
        default: properties(&random)
        }
    }

    private static let propertyNames = [
        "version", "screen", "campaign", "variant", "duration", "tags", "source", "build", "memory", "locale",
        "network",
    ]
}
