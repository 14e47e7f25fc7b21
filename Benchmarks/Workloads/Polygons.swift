// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Outlines on a map, with the structure of the well-known `canada.json`: mostly doubles in small nested arrays.
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
    /// 20 features of 24 rings with about 115 points each: about 110 000 doubles.
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

    /// A coast: every point is a short step from the previous one, and the last point is the first.
    private static func ring(pointCount: Int, _ random: inout SplitMix64) -> [[Double]] {
        // The division by three gives them all the digits of projected coordinates.
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
