// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Features of a map with geometries of all kinds: coordinates are nested to the depth that the kind of the geometry says.
struct GeoDocument: Codable, Equatable {
    var type = "FeatureCollection"
    var bbox: [Double]?
    var features: [GeoFeature]
}

struct GeoFeature: Codable, Equatable {
    var type = "Feature"
    var id: Identifier?
    var geometry: Geometry?
    var properties: [String: JSONValue?]

    /// A text or a number.
    enum Identifier: Equatable {
        case text(String)
        case number(Int)
    }

    indirect enum Geometry: Equatable {
        case point(Position)
        case multiPoint([Position])
        case lineString([Position])
        case multiLineString([[Position]])
        case polygon([[Position]])
        case multiPolygon([[[Position]]])
        case collection([Geometry])
    }
}

/// A longitude, a latitude and perhaps an altitude, in an array.
struct Position: Equatable {
    var longitude: Double
    var latitude: Double
    var altitude: Double?
}

// MARK: - Coding

extension GeoFeature.Identifier: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}

extension Position: Codable {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        longitude = try container.decode(Double.self)
        latitude = try container.decode(Double.self)
        altitude = try container.decodeIfPresent(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(longitude)
        try container.encode(latitude)
        if let altitude { try container.encode(altitude) }
    }
}

extension GeoFeature.Geometry: Codable {
    private enum Kind: String, Codable {
        case point = "Point"
        case multiPoint = "MultiPoint"
        case lineString = "LineString"
        case multiLineString = "MultiLineString"
        case polygon = "Polygon"
        case multiPolygon = "MultiPolygon"
        case collection = "GeometryCollection"
    }

    private enum CodingKeys: String, CodingKey {
        case type, coordinates, geometries
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .point: self = .point(try container.decode(Position.self, forKey: .coordinates))
        case .multiPoint: self = .multiPoint(try container.decode([Position].self, forKey: .coordinates))
        case .lineString: self = .lineString(try container.decode([Position].self, forKey: .coordinates))
        case .multiLineString: self = .multiLineString(try container.decode([[Position]].self, forKey: .coordinates))
        case .polygon: self = .polygon(try container.decode([[Position]].self, forKey: .coordinates))
        case .multiPolygon: self = .multiPolygon(try container.decode([[[Position]]].self, forKey: .coordinates))
        case .collection: self = .collection(try container.decode([Self].self, forKey: .geometries))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ kind: Kind, _ coordinates: some Encodable) throws {
            try container.encode(kind, forKey: .type)
            try container.encode(coordinates, forKey: kind == .collection ? .geometries : .coordinates)
        }
        switch self {
        case .point(let position): try encode(.point, position)
        case .multiPoint(let positions): try encode(.multiPoint, positions)
        case .lineString(let positions): try encode(.lineString, positions)
        case .multiLineString(let lines): try encode(.multiLineString, lines)
        case .polygon(let rings): try encode(.polygon, rings)
        case .multiPolygon(let polygons): try encode(.multiPolygon, polygons)
        case .collection(let geometries): try encode(.collection, geometries)
        }
    }
}

// MARK: - Example

extension GeoDocument {
    static func example(count: Int, seed: UInt64) -> GeoDocument {
        var random = SplitMix64(seed: seed)
        return GeoDocument(bbox: [-180, -90, 180, 90], features: (0..<count).map { GeoFeature.example($0, &random) })
    }
}

extension GeoFeature {
    fileprivate static func example(_ number: Int, _ random: inout SplitMix64) -> GeoFeature {
        GeoFeature(
            id: random.chance(percent: 50) ? .number(number) : .text("way/\(random.integer(in: 0..<1_000_000))"),
            geometry: random.chance(percent: 4) ? nil : geometry(&random),
            properties: [
                "name": .string(Vocabulary.text(in: random.choice(Vocabulary.languages), length: 1..<4, &random)),
                "population": random.chance(percent: 30) ? nil : .number(Double(random.integer(in: 0..<5_000_000))),
                "capital": .bool(random.chance(percent: 10)),
            ])
    }

    private static func geometry(_ random: inout SplitMix64) -> Geometry {
        switch random.integer(in: 0..<10) {
        case 0...2: .point(line(1, &random)[0])
        case 3: .multiPoint(line(6, &random))
        case 4, 5: .lineString(line(random.integer(in: 5..<40), &random))
        case 6: .multiLineString([line(12, &random), line(8, &random)])
        case 7: .polygon([line(random.integer(in: 10..<60), &random), line(6, &random)])
        case 8: .multiPolygon([[line(30, &random), line(5, &random)], [line(12, &random)]])
        default: .collection([.point(line(1, &random)[0]), .lineString(line(7, &random))])
        }
    }

    private static func line(_ count: Int, _ random: inout SplitMix64) -> [Position] {
        var position = Position(
            longitude: random.decimal(in: -170..<170), latitude: random.decimal(in: -80..<80),
            altitude: random.chance(percent: 30) ? random.decimal(in: 0..<3_000) : nil)
        return (0..<count).map { _ in
            position.longitude += random.decimal(in: -0.05..<0.05)
            position.latitude += random.decimal(in: -0.05..<0.05)
            return position
        }
    }
}
