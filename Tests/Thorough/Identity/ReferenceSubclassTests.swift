// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A reference to a superclass` {
    class Animal: Codable {
        var name: String
        @WeakReference var mother: Animal?
        @Reference var friend: Animal?

        init(_ name: String) { self.name = name }
    }

    final class Dog: Animal {
        var tricks: [String] = []

        private enum Key: CodingKey {
            case tricks
        }

        override init(_ name: String) { super.init(name) }

        required init(from decoder: any Decoder) throws {
            tricks = try decoder.container(keyedBy: Key.self).decode([String].self, forKey: .tricks)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(tricks, forKey: .tricks)
        }
    }

    struct Kennel: Codable {
        @Reference var reference: Animal?
        @WeakReference var weak: Animal?
        @References var references: [Animal]
        @References var named: [String: Animal]
        var dog: Dog?
        var animal: Animal?

        init(_ animal: Animal, dog: Dog? = nil) {
            reference = animal
            weak = animal
            references = [animal, Animal("plain")]
            named = ["k": animal]
            self.dog = dog
            self.animal = animal
        }

        var animals: [Animal?] { [reference, weak, references.first, named["k"], animal] }
    }

    private static func dog() -> Dog {
        let dog = Dog("Rex")
        dog.tricks = ["sit"]
        return dog
    }

    @Test(arguments: [true, false])
    func `refers to one instance of a registered subclass, even if no property has that type`(
        asks: Bool
    ) throws {
        let dog = Self.dog()
        let again = try roundTrip(Kennel(dog, dog: asks ? dog : nil), registering: [Dog.self])
        let found = try #require(again.reference as? Dog)
        #expect(found.tricks == ["sit"])
        #expect(found.name == "Rex")
        #expect(again.dog === (asks ? found : nil))
        for animal in again.animals { #expect(animal === found) }
        #expect(type(of: again.references[1]) == Animal.self)
    }

    @Test func `closes cycles of both classes`() throws {
        let (dog, cat) = (Self.dog(), Animal("Tom"))
        dog.friend = cat
        cat.friend = dog
        cat.mother = dog
        dog.mother = dog
        defer { dog.friend = nil }
        let again = try roundTrip([dog, cat], registering: [Dog.self])
        defer { again[0].friend = nil }
        #expect(again[0] is Dog)
        #expect(type(of: again[1]) == Animal.self)
        #expect(again[0].friend === again[1])
        #expect(again[1].friend === again[0])
        #expect(again[1].mother === again[0])
        #expect(again[0].mother === again[0])
    }

    @Test func `is an error where the subclass is not registered, with the path of the reference`() throws {
        struct Root: Codable {
            var list: [Kennel]
        }
        struct Single: Codable {
            @Reference var pet: Animal? = nil
        }
        let single = try failure(decoding: Single.self, fromArchiveOf: Single(pet: Self.dog()))
        #expect(single.path == "pet")
        #expect(single.says("Dog", "Animal", "register"))
        let error = try failure(decoding: Root.self, fromArchiveOf: Root(list: [Kennel(Self.dog())]))
        #expect(error.path == "list[0].reference")
        let friend = Animal("a")
        friend.friend = Self.dog()
        let deep = try failure(decoding: Single.self, fromArchiveOf: Single(pet: friend))
        #expect(deep.path == "pet.friend")
        #expect(deep.says("Dog", "Animal"))
    }

    @Test func `refers to an instance of the superclass if the decoder allows unregistered subclasses`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .decodeAsRequested
        let again = try decoder.decode(Kennel.self, from: ArchiveEncoder().encode(Kennel(Self.dog())))
        let found = try #require(again.reference)
        #expect(type(of: found) == Animal.self)
        #expect(found.name == "Rex")
        for animal in again.animals { #expect(animal === found) }
    }

    @Test func `that is a subclass never refers to an instance of the superclass`() throws {
        struct Wide: Codable {
            @Reference var pet: Animal? = nil
        }
        struct Narrow: Codable {
            @Reference var pet: Dog? = nil
        }
        let data = try ArchiveEncoder().encode(Wide(pet: Animal("Tom")))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        decoder.classes.register(Animal.self)
        let error = try failure { try decoder.decode(Narrow.self, from: data) }
        #expect(error.path == "pet")
        #expect(error.says("Animal", "Dog"))
        let dog = try ArchiveEncoder().encode(Wide(pet: Self.dog()))
        #expect(try decoder.decode(Narrow.self, from: dog).pet?.tricks == ["sit"])
    }

    @Test func `is copied deeply with its class`() throws {
        let dog = Self.dog()
        dog.friend = dog
        dog.mother = dog
        defer { dog.friend = nil }
        let twin = try deepCopy(of: Kennel(dog))
        let found = try #require(twin.reference as? Dog)
        defer { found.friend = nil }
        #expect(found !== dog)
        #expect(found.tricks == ["sit"])
        #expect(found.friend === found)
        #expect(found.mother === found)
        for animal in twin.animals { #expect(animal === found) }
    }

    // MARK: - In the superclass's part

    class Part: Codable {
        @Reference var peer: Part?
        @WeakReference var owner: Part?
        init() {}
    }

    final class Engine: Part {
        @References var parts: [Part]

        private enum Key: CodingKey {
            case parts
        }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            _parts = try container.decode(References<[Part]>.self, forKey: .parts)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(_parts, forKey: .parts)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `may be in the part that a superclass encodes itself`() throws {
        let engine = Engine()
        let part = Part()
        engine.parts = [part, engine]
        engine.peer = engine
        engine.owner = part
        part.peer = engine
        part.owner = engine
        defer { (engine.parts, engine.peer) = ([], nil) }
        let again = try roundTrip(engine, registering: [Engine.self])
        defer { (again.parts, again.peer) = ([], nil) }
        let found = try #require(again.parts.first)
        #expect(again.parts.count == 2)
        #expect(again.parts[1] === again)
        #expect(again.peer === again)
        #expect(again.owner === found)
        #expect(found.peer === again)
        #expect(found.owner === again)
        #expect(type(of: found) == Part.self)
    }
}
