import Archiving

/// The example of the README, under names that other programs know.
struct Farm: Codable, Equatable {
    var name: String
    var location: Location
    var animals: [Animal]
}

struct Location: Codable, Equatable {
    var latitude: Double
    var longitude: Double
}

enum Animal: Int, Codable {
    case chicken = 1
    case dog = 2
    case turkey = 3
    case cow = 4
}

extension Farm {
    static let example = Farm(
        name: "Old MacDonald’s Farm", location: Location(latitude: 51.621648, longitude: 0.269273),
        animals: [.chicken, .dog, .cow, .turkey, .dog, .chicken, .cow, .turkey, .dog])
}

extension ClassRegistry {
    /// "Farm" and "Location", without the name of a module.
    static let farm: ClassRegistry = {
        var classes = ClassRegistry()
        classes.register(Farm.self, name: "Farm")
        classes.register(Location.self, name: "Location")
        return classes
    }()
}

extension ArchiveEncoder {
    /// An encoder with the names of `ClassRegistry.farm`.
    static func farm(_ format: PropertyListFormat = .binary) -> ArchiveEncoder {
        var encoder = ArchiveEncoder()
        encoder.classes = .farm
        encoder.outputFormat = format
        return encoder
    }
}
