// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The example of the Codable proposal (SE-0166), alone and in an array of thousands.
struct Farm: Codable, Equatable {
    var name: String
    var location: Location
    var animals: [Animal]
}

struct Location: Codable, Equatable {
    var latitude: Double
    var longitude: Double
}

enum Animal: Int, Codable, CaseIterable {
    case chicken = 1
    case dog
    case turkey
    case cow
}

extension Farm {
    static var oldMacDonalds: Farm {
        Farm(
            name: "Old MacDonald's Farm",
            location: Location(latitude: 51.621648, longitude: 0.269273),
            animals: [.chicken, .dog, .cow, .turkey, .dog, .chicken, .cow, .turkey, .dog]
        )
    }

    /// Farms with nine animals each. They have about a thousand different names, a few of them not ASCII.
    static func many(count: Int, seed: UInt64) -> [Farm] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            Farm(
                name: random.choice(owners) + " " + random.choice(kinds),
                location: Location(
                    latitude: random.decimal(in: 49.0..<59.0), longitude: random.decimal(in: -6.0..<2.0)),
                animals: random.choices(Animal.allCases, count: 9..<10)
            )
        }
    }

    private static let owners = [
        "Old MacDonald's", "Greenfield", "Willow", "Hollow Oak", "Ashcombe", "Bramble", "Saint Cuthbert's", "Long Acre",
        "Fox", "Upper Tarn", "Lower Tarn", "Kestrel", "Holly", "Thistle", "Beck", "Hazel", "Rook", "Marsh", "Old Mill",
        "Blàr", "Tŷ Gwyn", "Barley", "Stony", "Clover", "Heron", "Larkrise", "Juniper", "Quarry", "Sorrel", "Meadow",
    ]

    private static let kinds = [
        "Farm", "Farm", "Farm", "Dairy", "Croft", "Grange", "Orchard", "Stables", "Homestead", "Pastures", "Barn",
        "Hill Farm", "Home Farm", "Organic Farm", "Poultry", "Fields", "House Farm", "Ranch", "Estate", "Acres",
    ]
}
