// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The example of the README, under names that other programs know.
package struct SampleFarm: Codable, Equatable, Sendable {
    package var name: String
    package var location: FarmLocation
    package var animals: [FarmAnimal]

    package init(name: String, location: FarmLocation, animals: [FarmAnimal]) {
        self.name = name
        self.location = location
        self.animals = animals
    }

    package static let example = SampleFarm(
        name: "Old MacDonald’s Farm", location: FarmLocation(latitude: 51.621648, longitude: 0.269273),
        animals: [.chicken, .dog, .cow, .turkey, .dog, .chicken, .cow, .turkey, .dog])
}

package struct FarmLocation: Codable, Equatable, Sendable {
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

package enum FarmAnimal: Int, Codable, Sendable {
    case chicken = 1
    case dog = 2
    case turkey = 3
    case cow = 4
}

/// The same farm, with declared fields.
package struct DeclaredFarm: ArchivedFields, ArchiveDescribing, Equatable, Sendable {
    package static let archiveName = "Farm"

    package var name = ""
    package var location = Location()
    package var animals: [FarmAnimal] = []

    package init() {}

    package static let fields = FieldList<DeclaredFarm> {
        Field("name", \.name)
        Field("location", \.location)
        Field("animals", \.animals, .rawValues())
    }

    package struct Location: ArchivedFields, ArchiveDescribing, Equatable, Sendable {
        package static let archiveName = "Location"

        package var latitude = 0.0
        package var longitude = 0.0

        package init() {}

        package static let fields = FieldList<Location> {
            Field("latitude", \.latitude)
            Field("longitude", \.longitude)
        }
    }

    package static let example: DeclaredFarm = {
        var farm = DeclaredFarm()
        (farm.name, farm.animals) = (SampleFarm.example.name, SampleFarm.example.animals)
        farm.location.latitude = SampleFarm.example.location.latitude
        farm.location.longitude = SampleFarm.example.location.longitude
        return farm
    }()
}

extension ClassRegistry {
    /// "Farm" and "Location", without the name of a module.
    package static let sampleFarm: ClassRegistry = {
        var classes = ClassRegistry()
        classes.register(SampleFarm.self, name: "Farm")
        classes.register(FarmLocation.self, name: "Location")
        return classes
    }()
}

extension ArchiveEncoder {
    /// An encoder with the names of `ClassRegistry.sampleFarm`.
    package static func sampleFarm(_ format: PropertyListFormat = .binary) -> ArchiveEncoder {
        var encoder = ArchiveEncoder()
        encoder.classes = .sampleFarm
        encoder.outputFormat = format
        return encoder
    }
}
