// A farm goes to a file and comes back: the example of the README. Run it with `swift run farm`.

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Plain values

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
    case dog
    case turkey
    case cow
}

let farm = Farm(
    name: "Old MacDonald's Farm",
    location: Location(latitude: 51.621648, longitude: 0.269273),
    animals: [.chicken, .dog, .cow, .turkey, .dog, .chicken, .cow, .turkey, .dog]
)

// Without a registered name, the file would say "farm.Farm", after the module.
var classes = ClassRegistry()
classes.register(Farm.self, name: "Farm")
classes.register(Location.self, name: "Location")
classes.register(Barn.self, name: "Barn")
classes.register(Village.self, name: "Village")

var encoder = ArchiveEncoder()
var decoder = ArchiveDecoder()
encoder.classes = classes
decoder.classes = classes

let file = FileManager.default.temporaryDirectory.appendingPathComponent("farm.archive")
try encoder.encode(farm, to: file)
let farmAgain = try decoder.decode(Farm.self, from: file)

let archive = try Data(contentsOf: file)
let json = try JSONEncoder().encode(farm)

print("\(farm.name) is archived in \(file.path)\n")
print(try objectGraph(of: archive))
print("\(archive.count) bytes, and \(json.count) as JSON")
print("decoded == original: \(farmAgain == farm)\n")

// MARK: - Shared instances

final class Barn: Codable {
    var builtIn: Int

    init(builtIn: Int) {
        self.builtIn = builtIn
    }
}

struct Village: Codable {
    var barns: [Barn]
    var oldest: Barn
}

let barn = Barn(builtIn: 1823)
let village = Village(barns: [barn, Barn(builtIn: 1998)], oldest: barn)
let villageArchive = try encoder.encode(village)
let villageAgain = try decoder.decode(Village.self, from: villageArchive)

print("A barn that is referenced twice is archived once, under one uid\n")
print(try objectGraph(of: villageArchive))
print("decoded barns[0] === oldest: \(villageAgain.barns[0] === villageAgain.oldest)")

precondition(farmAgain == farm && villageAgain.barns[0] === villageAgain.oldest, "the archive changed what went in")
