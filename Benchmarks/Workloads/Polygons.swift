/// Outlines on a map, shaped like the well-known `canada.json`: nearly nothing but doubles in small nested arrays.
struct FeatureCollection: Codable, Equatable {
    var type = "FeatureCollection"
    var features: [Feature]
}

struct Feature: Codable, Equatable {
    struct Properties: Codable, Equatable {
        var name: String
    }

    struct Geometry: Codable, Equatable {
        var type = "Polygon"
        /// Rings of points of two coordinates, longitude first.
        var coordinates: [[[Double]]]
    }

    var type = "Feature"
    var properties: Properties
    var geometry: Geometry
}

extension FeatureCollection {
    /// 20 features of 24 rings with about 115 points each: some 110 000 doubles.
    static func example(seed: UInt64) -> FeatureCollection {
        var random = SplitMix64(seed: seed)
        let features = (1...20).map { number in
            let rings = (0..<24).map { _ in ring(pointCount: random.integer(in: 20..<203), &random) }
            return Feature(
                properties: Feature.Properties(name: "Territory \(number)"),
                geometry: Feature.Geometry(coordinates: rings)
            )
        }
        return FeatureCollection(features: features)
    }

    /// A coast: every point is a short step from the one before, and the last is the first.
    private static func ring(pointCount: Int, _ random: inout SplitMix64) -> [[Double]] {
        // Divided by three, so that they have all the digits that projected coordinates have.
        var longitude = random.decimal(in: -423.0..<(-159.0)) / 3
        var latitude = random.decimal(in: 126.0..<249.0) / 3
        var points = (1..<pointCount).map { _ in
            longitude = longitude + random.decimal(in: -0.05..<0.05)
            latitude = latitude + random.decimal(in: -0.05..<0.05)
            return [longitude, latitude]
        }
        points.append(points[0])
        return points
    }
}
