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
