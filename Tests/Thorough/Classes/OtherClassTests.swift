// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private class Animal: Decodable {
    let name: String
    required init(from decoder: any Decoder) throws {
        CreationLog.note(Self.self, decoder.userInfo)
        name = try decoder.container(keyedBy: AnyKey.self).decodeIfPresent(String.self, forKey: "name") ?? ""
    }
}

private class Dog: Animal {}
private final class Puppy: Dog {}

/// What no farm should make.
private final class Rocket: Decodable {
    let name: String
    init(from decoder: any Decoder) throws {
        CreationLog.note(Rocket.self, decoder.userInfo)
        name = try decoder.container(keyedBy: AnyKey.self).decode(String.self, forKey: "name")
    }
}

private struct Stone: Decodable {
    init(from decoder: any Decoder) throws { CreationLog.note(Stone.self, decoder.userInfo) }
}

/// A class that cannot be decoded.
private final class Statue {}

private struct Farm: Decodable {
    var animals: [Animal] = []
    var rockets: [Rocket] = []
}

@Suite(.inTurn) struct `An object of another class` {
    /// An array of two objects: "a", of the class `first`, and "b", of the class `second`.
    private func pair(_ first: PropertyList, _ second: PropertyList) throws -> Data {
        try handmadeArchive(
            ["NS.objects": [.uid(2), .uid(3)], "$class": .uid(6)], ["name": "a", "$class": .uid(4)],
            ["name": "b", "$class": .uid(5)], first, second, classEntry("NSArray"))
    }

    private func decoder(_ log: CreationLog = CreationLog()) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.userInfo[CreationLog.key] = log
        decoder.classes.register(Animal.self, name: "Animal")
        decoder.classes.register(Dog.self, name: "Dog", aliases: ["Hound"])
        decoder.classes.register(Rocket.self, name: "Rocket")
        decoder.classes.register(Stone.self, name: "Stone")
        decoder.classes.register(Statue.self, name: "Statue")
        return decoder
    }

    @Test func `is made where it is a registered subclass`() throws {
        let log = CreationLog()
        let data = try pair(classEntry("Dog", "Animal"), classEntry("Hound"))
        let animals = try decoder(log).decode([Animal].self, from: data)
        #expect(animals.map { "\(type(of: $0)) \($0.name)" } == ["Dog a", "Dog b"])
        #expect(log.all == ["Dog", "Dog"])
    }

    @Test(
        arguments: [
            // Registered, and something else, whatever the archive says that it inherits from.
            ("Rocket", []), ("Rocket", ["Animal"]), ("Rocket", ["Dog", "Animal"]), ("Stone", ["Animal"]),
            ("Statue", ["Animal"]), ("Statue", []),
            // Not registered, and said to be a subclass.
            ("Puppy", ["Dog", "Animal"]), ("Wolf", ["Animal"]), ("Archiving.Rocket", ["Animal"]),
            ("Swift.String", ["Animal"]), (" ", ["Animal"]),
        ] as [(String, [String])])
    func `is an error that names it, and nothing is made of it`(name: String, superclasses: [String]) throws {
        let log = CreationLog()
        let data = try pair(classEntry("Animal"), classEntry([name] + superclasses))
        let decoder = decoder(log)
        let error = try failure { try decoder.decode([Animal].self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[1]")
        #expect(error.says(name, "Animal", "uid 3"))
        #expect(log.all == ["Animal"])
    }

    @Test func `is an error behind references, too`() throws {
        struct Referring: Decodable {
            @Reference var animal: Animal?
            @WeakReference var weakly: Animal?
            @References var animals: [Animal]
        }
        for key in ["animal", "weakly", "animals"] {
            let log = CreationLog()
            let data = try handmadeArchive(
                [key: key == "animals" ? .uid(3) : .uid(2), "$class": .uid(5)], ["name": "a", "$class": .uid(4)],
                ["NS.objects": [.uid(2)], "$class": .uid(6)], classEntry("Rocket", "Animal"), classEntry("Referring"),
                classEntry("NSArray"))
            let decoder = decoder(log)
            let error = try failure { try decoder.decode(Referring.self, from: data) }
            #expect(error.kind == .typeMismatch)
            #expect(error.path.hasPrefix(key))
            #expect(error.says("Rocket", "Animal"))
            #expect(log.all.isEmpty)
        }
    }

    @Test func `that the archive has elsewhere, as it should be, is an error`() throws {
        // The animal's uid refers to the rocket.
        let data = try handmadeArchive(
            ["rockets": .uid(2), "animals": .uid(3), "$class": .uid(8)], ["NS.objects": [.uid(4)], "$class": .uid(9)],
            ["NS.objects": [.uid(5), .uid(4)], "$class": .uid(9)], ["name": "r", "$class": .uid(6)],
            ["name": "a", "$class": .uid(7)], classEntry("Rocket"), classEntry("Animal"), classEntry("Farm"),
            classEntry("NSArray"))
        let log = CreationLog()
        let decoder = decoder(log)
        let error = try failure { try decoder.decode(Farm.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "animals[1]")
        #expect(error.says("Rocket", "Animal"))
        #expect(log.all == ["Animal"])
        // Without a registry, nobody knows that it is a rocket. It has the keys of an animal.
        let farm = try ArchiveDecoder().decode(Farm.self, from: data)
        #expect(farm.animals.map(\.name) == ["a", "r"] && farm.rockets.map(\.name) == ["r"])
    }

    @Test func `is read by its keys where two classes have the same last name, unless they are registered`() throws {
        enum Old { class Item: Codable { var x = 1 } }
        enum New { final class Item: Codable { var x = 2 } }
        struct Both: Encodable {
            var old = [Old.Item()]
            var new = [New.Item()]
        }
        struct Swapped: Decodable {
            var old: [New.Item]
            var new: [Old.Item]
        }
        let data = try ArchiveEncoder().encode(Both())
        let swapped = try ArchiveDecoder().decode(Swapped.self, from: data)
        #expect(swapped.old[0].x == 1 && swapped.new[0].x == 2)
        var decoder = ArchiveDecoder()
        decoder.classes.register(Old.Item.self)
        let error = try failure { try decoder.decode(Swapped.self, from: data) }
        #expect(error.kind == .typeMismatch && error.path == "old[0]")
    }

    @Test func `is an error where a subclass has its superclass's last name`() throws {
        enum Old { class Item: Codable { var x = 1 } }
        enum New { final class Item: Old.Item {} }
        let error = try failure(decoding: [Old.Item].self, fromArchiveOf: [Old.Item(), New.Item()])
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[1]")
        #expect(error.says(ClassRegistry().name(for: New.Item.self)))
        var decoder = ArchiveDecoder()
        decoder.classes.register(New.Item.self)
        let again = try decoder.decode([Old.Item].self, from: ArchiveEncoder().encode([Old.Item(), New.Item()]))
        #expect(again.map { $0 is New.Item } == [false, true])
    }

    // MARK: Unknown names

    @Test func `with an unknown name is decoded as the requested class`() throws {
        let data = try pair(classEntry("CowObject", "FarmObject"), classEntry("CowObject", "FarmObject"))
        #expect(try ArchiveDecoder().decode([Animal].self, from: data).map(\.name) == ["a", "b"])
    }

    @Test(arguments: [("CowObject", "DogObject"), ("CowObject", "Animal"), ("Animal", "CowObject")])
    func `with an unknown name is decoded as the requested class beside one of another name`(
        first: String, second: String
    ) throws {
        let data = try pair(classEntry(first), classEntry(second))
        for decoder in [decoder(), ArchiveDecoder()] {
            #expect(try decoder.decode([Animal].self, from: data).map(\.name) == ["a", "b"])
        }
    }

    @Test func `with an unknown name may be one class here and another there`() throws {
        let data = try handmadeArchive(
            ["rockets": .uid(2), "animals": .uid(3), "$class": .uid(8)], ["NS.objects": [.uid(4)], "$class": .uid(9)],
            ["NS.objects": [.uid(5)], "$class": .uid(9)], ["name": "r", "$class": .uid(6)],
            ["name": "a", "$class": .uid(7)], classEntry("R1"), classEntry("A1"), classEntry("Farm"),
            classEntry("NSArray"))
        let farm = try ArchiveDecoder().decode(Farm.self, from: data)
        #expect(farm.animals.map(\.name) == ["a"] && farm.rockets.map(\.name) == ["r"])
    }

    @Test func `is decoded as the requested class, if the policy for unknown classes says so`() throws {
        var decoder = decoder()
        decoder.classes.unknownClasses = .decodeAsRequested
        for (first, second) in [("CowObject", "DogObject"), ("Animal", "Wolf"), ("Wolf", "Animal")] {
            let data = try pair(classEntry(first), classEntry(second, "Animal"))
            #expect(try decoder.decode([Animal].self, from: data).map(\.name) == ["a", "b"])
        }
        let rocket = try pair(classEntry("Animal"), classEntry("Rocket"))
        let error = try failure { try decoder.decode([Animal].self, from: rocket) }
        #expect(error.path == "[1]")
    }

    @Test func `instantiates only requested or registered classes, whatever its name`() throws {
        let names = ["Animal", "Dog", "Hound", "Rocket", "Stone", "Statue", "Puppy", "Nobody", "NSObject", "NSNull"]
        for first in names {
            for second in names {
                let log = CreationLog()
                _ = try? decoder(log).decode([Animal].self, from: pair(classEntry(first), classEntry(second, "Animal")))
                #expect(Set(log.all).isSubset(of: ["Animal", "Dog"]), "\(first), \(second)")
            }
        }
    }

    // MARK: Class entries

    @Test(
        arguments: [
            "Animal", 5, [], [:], ["$classes": ["Animal", "NSObject"]], ["$classname": 5, "$classes": ["Animal"]],
            ["$classname": .uid(0)], "$null",
        ] as [PropertyList])
    func `is damage where the class entry is none`(entry: PropertyList) throws {
        let log = CreationLog()
        let decoder = decoder(log)
        let error = try failure { try decoder.decode([Animal].self, from: pair(classEntry("Animal"), entry)) }
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "[1]")
        #expect(log.all == ["Animal"])
    }

    @Test(arguments: [.uid(0), .uid(42), .uid(.max)] as [PropertyList])
    func `is damage where there is no class entry`(reference: PropertyList) throws {
        let error = try failure { try decoder().decode(Animal.self, from: handmadeArchive(["$class": reference])) }
        #expect(error.kind == .dataCorrupted)
    }

    @Test func `is none where it has no class at all`() throws {
        for object in [["name": "a"], ["name": "a", "$class": "Rocket"]] as [PropertyList] {
            #expect(try decoder().decode(Animal.self, from: handmadeArchive(object)).name == "a")
        }
    }

    @Test(arguments: [nil, "Animal", [], [5, .uid(1), ["Animal"]]] as [PropertyList?])
    func `is known by its name alone, whatever its chain looks like`(chain: PropertyList?) throws {
        var dog: PropertyList.Dictionary = ["$classname": "Dog"]
        if let chain { dog["$classes"] = chain }
        let animals = try decoder().decode([Animal].self, from: pair(classEntry("Animal"), .dictionary(dog)))
        #expect(animals[1] is Dog && !(animals[0] is Dog))
    }
}
