// A farm goes to a file and comes back: the example of the README. Run it with `swift run farm`, or
// `swift run farm FILE` to choose the file.

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - The farm

final class Farm: Codable {
    var name: String
    var location: Location
    var owner: Owner
    var barns: [Barn]
    var animals: [Animal]

    init(name: String, location: Location, owner: Owner, barns: [Barn], animals: [Animal]) {
        self.name = name
        self.location = location
        self.owner = owner
        self.barns = barns
        self.animals = animals
        owner.farm = self
    }
}

struct Location: Codable {
    var latitude: Double
    var longitude: Double
}

final class Owner: Codable {
    var name: String
    // The farm has its owner, and the owner knows the farm.
    @WeakReference var farm: Farm?

    init(name: String) { self.name = name }
}

final class Barn: Codable {
    var builtIn: Int

    init(builtIn: Int) { self.builtIn = builtIn }
}

final class Animal: Codable {
    enum Kind: String, Codable {
        case cow, horse, hen
    }

    var name: String
    var kind: Kind
    var barn: Barn

    init(name: String, kind: Kind, barn: Barn) {
        self.name = name
        self.kind = kind
        self.barn = barn
    }
}

let oldBarn = Barn(builtIn: 1823)
let newBarn = Barn(builtIn: 1998)
let farm = Farm(
    name: "Green Hill",
    location: Location(latitude: 51.621648, longitude: 0.269273),
    owner: Owner(name: "Ann"),
    barns: [oldBarn, newBarn],
    animals: [
        Animal(name: "Daisy", kind: .cow, barn: oldBarn),
        Animal(name: "Bella", kind: .cow, barn: oldBarn),
        Animal(name: "Star", kind: .horse, barn: newBarn),
        Animal(name: "Dotty", kind: .hen, barn: oldBarn),
    ])

// MARK: - To a file, and back

// Without registered names, the file would say "farm.Farm", after the module.
var classes = ClassRegistry()
classes.register(Farm.self, name: "Farm")
classes.register(Location.self, name: "Location")
classes.register(Owner.self, name: "Owner")
classes.register(Barn.self, name: "Barn")
classes.register(Animal.self, name: "Animal")

var encoder = ArchiveEncoder()
var decoder = ArchiveDecoder()
encoder.classes = classes
decoder.classes = classes
// The same farm gives the same bytes, so that they can be compared below.
encoder.outputFormatting = .sortedKeys

let file =
    CommandLine.arguments.count > 1
    ? URL(filePath: CommandLine.arguments[1])
    : FileManager.default.temporaryDirectory.appendingPathComponent("farm.archive")
try encoder.encode(farm, to: file)
let farmAgain = try decoder.decode(Farm.self, from: file)

let archive = try Data(contentsOf: file)
let isEqual = try encoder.encode(farmAgain) == archive

print("\(farm.name) is archived in \(file.path)\n")
print(try objectGraph(of: archive))
print("\(archive.count) bytes; JSON would have the old barn four times, and no end where the owner knows the farm")
print("decoded == original: \(isEqual)")

// MARK: - Identity

let isOneBarn = farmAgain.animals[0].barn === farmAgain.barns[0] && farmAgain.animals[1].barn === farmAgain.barns[0]
let isSameFarm = farmAgain.owner.farm === farmAgain

print("decoded animals[0].barn === animals[1].barn === barns[0]: \(isOneBarn)")
print("decoded owner.farm === the farm: \(isSameFarm)")

precondition(isEqual && isOneBarn && isSameFarm, "the archive changed what went in")
