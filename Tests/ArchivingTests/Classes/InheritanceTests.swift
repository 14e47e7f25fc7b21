// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Inheritance` {
    // MARK: Flat: the subclass writes into its superclass's container

    class FlatAnimal: Codable {
        var name = "Bella"
        private enum Keys: CodingKey { case name }

        init() {}
        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(name, forKey: .name)
        }
    }

    final class FlatCow: FlatAnimal {
        var litres = 20.5
        private enum Keys: CodingKey { case litres }

        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            litres = try decoder.container(keyedBy: Keys.self).decode(Double.self, forKey: .litres)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(litres, forKey: .litres)
        }
    }

    // MARK: Nested: the superclass's part is stored under "super"

    class Animal: Codable {
        var name = "Bella"

        init() {}
    }

    class Mammal: Animal {
        var legs = 4
        private enum Keys: CodingKey { case legs }

        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            legs = try container.decode(Int.self, forKey: .legs)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(legs, forKey: .legs)
            try super.encode(to: container.superEncoder())
        }
    }

    final class Cow: Mammal {
        var litres = 20.5
        var calf: Cow?
        private enum Keys: CodingKey { case litres, calf, parent }

        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            litres = try container.decode(Double.self, forKey: .litres)
            calf = try container.decodeIfPresent(Cow.self, forKey: .calf)
            try super.init(from: container.superDecoder(forKey: .parent))
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try super.encode(to: container.superEncoder(forKey: .parent))
            try container.encode(litres, forKey: .litres)
            try container.encodeIfPresent(calf, forKey: .calf)
        }
    }

    @Test func `flat gives one object with the fields of both`() throws {
        let cow = FlatCow()
        cow.name = "Rosa"
        let archive = try InspectedArchive(of: cow)
        #expect(archive.text == #"FlatCow{name: @"Rosa", litres: 20.5}"#)
        #expect(
            archive.classChain(of: archive.objects[1]).map(InspectedArchive.lastPart) == [
                "FlatCow", "FlatAnimal", "NSObject",
            ])
        let again = try roundTrip(cow)
        #expect(again.name == "Rosa")
        #expect(again.litres == 20.5)
    }

    @Test func `through super gives an object of the superclass for each level`() throws {
        let archive = try InspectedArchive(of: Cow())
        #expect(
            archive.text == #"Cow{parent: Mammal{legs: 4, super: Animal{name: @"Bella"}}, litres: 20.5}"#)
        let mammal = try #require(archive.follow(archive.objects[1]["parent"]))
        let animal = try #require(archive.follow(mammal["super"]))
        let names = ["Cow", "Mammal", "Animal", "NSObject"]
        #expect(archive.classChain(of: archive.objects[1]).map(InspectedArchive.lastPart) == names)
        #expect(archive.classChain(of: mammal).map(InspectedArchive.lastPart) == Array(names[1...]))
        #expect(archive.classChain(of: animal).map(InspectedArchive.lastPart) == Array(names[2...]))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `through super comes back`(format: PropertyListFormat) throws {
        let cow = Cow()
        cow.name = "Rosa"
        cow.legs = 3
        cow.calf = Cow()
        let again = try roundTrip(cow, format: format)
        #expect(again.name == "Rosa")
        #expect(again.legs == 3)
        #expect(again.litres == 20.5)
        #expect(again.calf?.name == "Bella")
        #expect(again.calf?.calf == nil)
    }

    @Test func `leaves an instance one uid`() throws {
        let cow = Cow()
        let archive = try InspectedArchive(of: [cow, cow])
        #expect(archive.count(ofClass: "Cow") == 1)
        #expect(archive.count(ofClass: "Mammal") == 1)
        let again = try roundTrip([cow, cow])
        #expect(again[0] === again[1])
    }

    @Test func `writes an instance under its own class, whatever it is encoded as`() throws {
        let animals: [Animal] = [Cow(), Animal(), Mammal()]
        let archive = try InspectedArchive(of: animals)
        #expect(
            archive.text
                == #"NSArray[Cow{parent: Mammal{legs: 4, super: Animal{name: @"Bella"}}, litres: 20.5}, "#
                + #"Animal{name: @"Bella"}, Mammal{legs: 4, super: Animal{name: @"Bella"}}]"#)
    }

    @Test func `writes an instance once though it is encoded as its class and as its superclass`() throws {
        let cow = Cow()
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(cow)
            try container.encode(cow as Animal)
            try container.encode(cow as Mammal)
        }
        #expect(try InspectedArchive(of: value).count(ofClass: "Cow") == 1)
        #expect(try archiveText(value).hasSuffix(", #1, #1]"))
    }

    @Test
    func `decodes an instance of an unregistered subclass as the requested class, if the registry allows that`()
        throws
    {
        let cow = FlatCow()
        cow.name = "Rosa"
        let data = try ArchiveEncoder().encode(cow)
        let error = try failure(decoding: FlatAnimal.self, from: data)
        #expect(error.kind == .typeMismatch)
        #expect(error.says("FlatCow", "FlatAnimal", "not registered", "classes"))
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .decodeAsRequested
        let animal = try decoder.decode(FlatAnimal.self, from: data)
        #expect(type(of: animal) == FlatAnimal.self)
        #expect(animal.name == "Rosa")
    }

    @Test func `through super, in unkeyed containers, takes an element`() throws {
        final class List: Animal {
            var count = 2
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                let superDecoder = try container.superDecoder()
                count = try container.decode(Int.self)
                #expect(container.isAtEnd)
                try super.init(from: superDecoder)
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                let superEncoder = container.superEncoder()
                try container.encode(count)
                try super.encode(to: superEncoder)
            }
        }
        let list = List()
        list.name = "Rosa"
        list.count = 9
        #expect(try archiveText(list) == #"List[Animal{name: @"Rosa"}, @9]"#)
        let again = try roundTrip(list)
        #expect(again.name == "Rosa")
        #expect(again.count == 9)
    }

    @Test func `through super, of a superclass with another kind of container`() throws {
        class Base: Codable {
            var number = 1
            init() {}
            required init(from decoder: any Decoder) throws {
                number = try decoder.singleValueContainer().decode(Int.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(number)
            }
        }
        final class Derived: Base {
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                try super.init(from: decoder.container(keyedBy: AnyKey.self).superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try super.encode(to: container.superEncoder())
            }
        }
        let derived = Derived()
        derived.number = 5
        #expect(try roundTrip(derived).number == 5)
    }

    @Test func `through super, where the superclass's part is missing, fails at the key`() throws {
        struct Fields: Encodable { var legs = 4 }
        let error = try failure(decoding: Mammal.self, fromArchiveOf: Fields())
        #expect(error.kind == .valueNotFound || error.kind == .keyNotFound)
        #expect(error.path == "super")
    }

    @Test func `in structs, super is an object of the struct's own name`() throws {
        struct Outer: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                let superEncoder = container.superEncoder()
                var inner = superEncoder.container(keyedBy: AnyKey.self)
                try inner.encode(1, forKey: "x")
            }
        }
        #expect(try archiveText(Outer()) == "Outer{super: Outer{x: 1}}")
    }
}
