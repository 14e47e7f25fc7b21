// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Writes a farm to a file and reads it back: the example of the README. Run it with `swift run farm`, or with `swift run farm
// FILE` to choose the file.

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
    // The farm refers to its owner, and the owner refers to the farm.
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

// MARK: - Writing and reading

// Without registered names, the archive would contain "farm.Farm", with the module.
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
// Sorted keys give equal farms equal bytes, which are compared below.
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
print("\(archive.count) bytes; JSON would contain the old barn four times, and could not encode the owner's farm")
print("decoded == original: \(isEqual)")

// MARK: - Identity

let isOneBarn = farmAgain.animals[0].barn === farmAgain.barns[0] && farmAgain.animals[1].barn === farmAgain.barns[0]
let isSameFarm = farmAgain.owner.farm === farmAgain

print("decoded animals[0].barn === animals[1].barn === barns[0]: \(isOneBarn)")
print("decoded owner.farm === the farm: \(isSameFarm)")

precondition(isEqual && isOneBarn && isSameFarm, "the archive changed the farm")
