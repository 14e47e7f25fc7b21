// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The answer of a service for directions. Its types read some objects twice: once for the keys that they know and once for
/// all others, or one object for two values. Addresses are text.
struct RouteResponse: Codable, Equatable {
    var code: String
    var identifier: UUID
    var routes: [Route]
    var waypoints: [Waypoint?]
}

/// The entries of an object that its type does not know.
struct ForeignMembers: Equatable {
    var values: [String: JSONValue]

    init(_ values: [String: JSONValue]) { self.values = values }

    /// Reads the entries of the value of `decoder` whose keys are none of `Known`.
    init<Known: CodingKey>(otherThan known: Known.Type, from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        values = [:]
        for key in container.allKeys where Known(stringValue: key.stringValue) == nil {
            values[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for (key, value) in values { try container.encode(value, forKey: AnyKey(stringValue: key)) }
    }
}

struct Waypoint: Equatable {
    var name: String?
    var location: Position
    var address: URL?
    var foreign: ForeignMembers
}

extension Waypoint: Codable {
    enum CodingKeys: String, CodingKey {
        case name, location, address
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        location = try container.decode(Position.self, forKey: .location)
        address = try container.decodeIfPresent(String.self, forKey: .address).flatMap { URL(string: $0) }
        foreign = try ForeignMembers(otherThan: CodingKeys.self, from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(location, forKey: .location)
        try container.encodeIfPresent(address?.absoluteString, forKey: .address)
        try foreign.encode(to: encoder)
    }
}

// MARK: - Routes

struct Route: Equatable {
    var distance: Double
    var duration: Double
    var geometry: String
    var legs: [Leg]
    var attribution: URL
    var foreign: ForeignMembers
}

extension Route: Codable {
    enum CodingKeys: String, CodingKey {
        case distance, duration, geometry, legs, attribution
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        distance = try container.decode(Double.self, forKey: .distance)
        duration = try container.decode(Double.self, forKey: .duration)
        geometry = try container.decode(String.self, forKey: .geometry)
        legs = try container.decode([Leg].self, forKey: .legs)
        attribution = try container.decode(URL.self, forKey: .attribution)
        foreign = try ForeignMembers(otherThan: CodingKeys.self, from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(distance, forKey: .distance)
        try container.encode(duration, forKey: .duration)
        try container.encode(geometry, forKey: .geometry)
        try container.encode(legs, forKey: .legs)
        try container.encode(attribution, forKey: .attribution)
        try foreign.encode(to: encoder)
    }
}

struct Leg: Equatable {
    var summary: String
    var steps: [Step]
    var speeds: Speeds
    var congestion: Congestion

    struct Speeds: Codable, Equatable {
        var distance: [Double]
        var speed: [Double]
    }

    struct Congestion: Codable, Equatable {
        enum Level: String, Codable {
            case unknown, low, moderate, heavy, severe
        }

        var congestion: [Level]
        var limits: [Int?]
    }
}

/// The values of `annotation` are of two types here.
extension Leg: Codable {
    enum CodingKeys: String, CodingKey {
        case summary, steps, annotation
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        summary = try container.decode(String.self, forKey: .summary)
        steps = try container.decode([Step].self, forKey: .steps)
        speeds = try container.decode(Speeds.self, forKey: .annotation)
        congestion = try container.decode(Congestion.self, forKey: .annotation)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary, forKey: .summary)
        try container.encode(steps, forKey: .steps)
        let annotation = container.superEncoder(forKey: .annotation)
        try speeds.encode(to: annotation)
        try congestion.encode(to: annotation)
    }
}

// MARK: - Steps

/// The names of a road, which the objects of steps have beside the keys of the step.
struct Road: Codable, Equatable {
    var name: String?
    var ref: String?
    var destinations: String?
}

struct Step: Equatable {
    enum Mode: String, Codable {
        case driving, walking, ferry
    }

    var distance: Double
    var duration: Double
    var geometry: String
    var mode: Mode
    var road: Road
    var maneuver: Maneuver
    var intersections: [Intersection]
    var signs: [Sign]?
    var foreign: ForeignMembers

    struct Maneuver: Codable, Equatable {
        var type: String
        var modifier: String?
        var instruction: String
        var bearingBefore: Int
        var bearingAfter: Int
        var location: Position
    }

    struct Intersection: Codable, Equatable {
        var location: Position
        var bearings: [Int]
        var entry: [Bool]
        var out: Int?
        var lanes: [Lane]?
    }

    struct Lane: Codable, Equatable {
        var valid: Bool
        var indications: [String]
    }
}

extension Step: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case distance, duration, geometry, mode, maneuver, intersections, signs
        case name, ref, destinations
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        distance = try container.decode(Double.self, forKey: .distance)
        duration = try container.decode(Double.self, forKey: .duration)
        geometry = try container.decode(String.self, forKey: .geometry)
        mode = (try? container.decode(Mode.self, forKey: .mode)) ?? .driving
        road = try Road(from: decoder)
        maneuver = try container.decode(Maneuver.self, forKey: .maneuver)
        intersections = try container.decode([Intersection].self, forKey: .intersections)
        signs = try container.decodeIfPresent([Sign].self, forKey: .signs)
        foreign = try ForeignMembers(otherThan: CodingKeys.self, from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(distance, forKey: .distance)
        try container.encode(duration, forKey: .duration)
        try container.encode(geometry, forKey: .geometry)
        if mode != .driving { try container.encode(mode, forKey: .mode) }
        try road.encode(to: encoder)
        try container.encode(maneuver, forKey: .maneuver)
        try container.encode(intersections, forKey: .intersections)
        try container.encodeIfPresent(signs, forKey: .signs)
        try foreign.encode(to: encoder)
    }
}

/// A part of an instruction: a text, or a picture at an address. `type` says which; the object is read again for the part.
enum Sign: Equatable {
    case text(Text)
    case picture(Picture)

    struct Text: Codable, Equatable {
        var text: String
        var abbreviation: String?
        var priority: Int?
    }

    struct Picture: Codable, Equatable {
        var text: String
        var baseURL: URL

        enum CodingKeys: String, CodingKey {
            case text
            case baseURL = "imageBaseURL"
        }

        init(text: String, baseURL: URL) { (self.text, self.baseURL) = (text, baseURL) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            text = try container.decode(String.self, forKey: .text)
            let address = try container.decode(String.self, forKey: .baseURL)
            guard let url = URL(string: address) else {
                throw DecodingError.dataCorruptedError(forKey: .baseURL, in: container, debugDescription: "no URL")
            }
            baseURL = url
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(text, forKey: .text)
            try container.encode(baseURL.absoluteString, forKey: .baseURL)
        }
    }
}

extension Sign: Codable {
    private enum Kind: String, Codable {
        case text, icon
    }

    private enum CodingKeys: String, CodingKey {
        case type
    }

    init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .type) {
        case .text: self = .text(try Text(from: decoder))
        case .icon: self = .picture(try Picture(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text):
            try container.encode(Kind.text, forKey: .type)
            try text.encode(to: encoder)
        case .picture(let picture):
            try container.encode(Kind.icon, forKey: .type)
            try picture.encode(to: encoder)
        }
    }
}

// MARK: - Example

extension RouteResponse {
    static func example(stepCount: Int, seed: UInt64) -> RouteResponse {
        var generator = Generator(random: SplitMix64(seed: seed))
        return RouteResponse(
            code: "Ok", identifier: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
            routes: (0..<2).map { _ in generator.route(stepCount: stepCount / 2) },
            waypoints: [generator.waypoint(), nil, generator.waypoint()])
    }

    private struct Generator {
        var random: SplitMix64

        mutating func route(stepCount: Int) -> Route {
            let steps = (0..<stepCount).map { _ in step() }
            let parts = [Array(steps[..<(stepCount / 2)]), Array(steps[(stepCount / 2)...])]
            return Route(
                distance: random.decimal(in: 1_000..<100_000), duration: random.decimal(in: 100..<10_000),
                geometry: polyline(400), legs: parts.map { leg($0) },
                attribution: address("about/maps"),
                foreign: foreign(50))
        }

        mutating func leg(_ steps: [Step]) -> Leg {
            let count = 4 * steps.count
            return Leg(
                summary: road().name ?? "", steps: steps,
                speeds: Leg.Speeds(
                    distance: (0..<count).map { _ in random.decimal(in: 1..<100) },
                    speed: (0..<count).map { _ in random.decimal(in: 1..<30) }),
                congestion: Leg.Congestion(
                    congestion: (0..<count).map { _ in random.choice([.unknown, .low, .low, .moderate, .heavy]) },
                    limits: (0..<count).map { _ in
                        random.chance(percent: 40) ? nil : 10 * random.integer(in: 3..<13)
                    }))
        }

        mutating func step() -> Step {
            Step(
                distance: random.decimal(in: 5..<3_000), duration: random.decimal(in: 1..<400),
                geometry: polyline(random.integer(in: 20..<80)), mode: random.chance(percent: 80) ? .driving : .walking,
                road: road(),
                maneuver: Step.Maneuver(
                    type: random.choice(["turn", "depart", "continue", "roundabout", "merge"]),
                    modifier: random.chance(percent: 70) ? random.choice(["left", "right", "slight left"]) : nil,
                    instruction: "Turn onto \(Vocabulary.text(in: "de", length: 1..<4, &random))",
                    bearingBefore: random.integer(in: 0..<360), bearingAfter: random.integer(in: 0..<360),
                    location: position()),
                intersections: (0..<random.integer(in: 1..<4)).map { _ in intersection() },
                signs: random.chance(percent: 60) ? (0..<random.integer(in: 1..<4)).map { _ in sign() } : nil,
                foreign: foreign(30))
        }

        private mutating func intersection() -> Step.Intersection {
            let count = random.integer(in: 2..<5)
            return Step.Intersection(
                location: position(), bearings: (0..<count).map { _ in random.integer(in: 0..<360) },
                entry: (0..<count).map { _ in random.chance(percent: 70) },
                out: random.chance(percent: 80) ? random.integer(in: 0..<count) : nil,
                lanes: random.chance(percent: 25)
                    ? (0..<count).map { _ in
                        Step.Lane(
                            valid: random.chance(percent: 50),
                            indications: [random.choice(["left", "straight", "right"])])
                    } : nil)
        }

        private mutating func sign() -> Sign {
            if random.chance(percent: 30) {
                return .picture(
                    Sign.Picture(
                        text: "A \(random.integer(in: 1..<100))",
                        baseURL: address("shields/\(random.integer(in: 1..<100))")))
            }
            return .text(
                Sign.Text(
                    text: Vocabulary.text(in: "de", length: 1..<4, &random),
                    abbreviation: random.chance(percent: 20) ? "Str." : nil,
                    priority: random.chance(percent: 20) ? 1 : nil))
        }

        mutating func waypoint() -> Waypoint {
            Waypoint(
                name: road().name, location: position(),
                address: address("places/\(random.integer(in: 0..<1_000))"),
                foreign: foreign(100))
        }

        private mutating func address(_ path: String) -> URL {
            guard let url = URL(string: "https://\(random.choice(Vocabulary.hosts))/\(path)") else {
                preconditionFailure("The hosts and paths are those of addresses")
            }
            return url
        }

        private mutating func road() -> Road {
            Road(
                name: random.chance(percent: 80) ? Vocabulary.text(in: "de", length: 1..<3, &random) : nil,
                ref: random.chance(percent: 40) ? "B \(random.integer(in: 1..<500))" : nil,
                destinations: random.chance(percent: 15) ? random.choice(Vocabulary.places).name : nil)
        }

        private mutating func foreign(_ percent: Int) -> ForeignMembers {
            var members: [String: JSONValue] = [:]
            if random.chance(percent: percent) { members["weight"] = .number(random.decimal(in: 1..<1_000)) }
            if random.chance(percent: percent) { members["driving_side"] = .string("right") }
            if random.chance(percent: percent / 2) { members["admins"] = JSONValue.properties(&random) }
            return ForeignMembers(members)
        }

        private mutating func position() -> Position {
            Position(longitude: random.decimal(in: 5..<15), latitude: random.decimal(in: 45..<55))
        }

        /// A line in letters and signs.
        private mutating func polyline(_ count: Int) -> String {
            String(decoding: (0..<count).map { _ in UInt8(random.integer(in: 63..<127)) }, as: UTF8.self)
        }
    }
}
