// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Where the collection or the reference that closes a cycle is declared, and under which key it is archived.
@Suite(.inTurn) struct `A cycle closes in a property` {
    // MARK: Inheritance

    class Animal: Codable {
        var name: String
        @Reference var friend: Animal?

        init(_ name: String) { self.name = name }
    }

    /// Has nothing of its own, and inherits `init(from:)`.
    final class Fish: Animal {}

    class Pet: Animal {
        var owner: Owner?
        private enum CodingKeys: CodingKey { case owner }

        override init(_ name: String) { super.init(name) }
        required init(from decoder: any Decoder) throws {
            owner = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Owner.self, forKey: .owner)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(owner, forKey: .owner)
        }
    }

    final class Dog: Pet {
        let enemies: [Animal]
        private enum CodingKeys: String, CodingKey { case enemies = "foes" }

        init(_ name: String, enemies: [Animal]) {
            self.enemies = enemies
            super.init(name)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            enemies = try container.decode([Animal].self, forKey: .enemies)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(enemies, forKey: .enemies)
            try super.encode(to: container.superEncoder())
        }
    }

    final class Owner: Codable {
        @WeakReference var pet: Pet?
        init(_ pet: Pet) { self.pet = pet }
    }

    /// What comes back of `animal`, where all animals are registered.
    private func animalRoundTrip<Kind: Animal>(_ animal: Kind) throws -> Kind {
        try roundTrip(animal, registering: [Fish.self, Pet.self, Dog.self])
    }

    @Test func `of a superclass, whose initializer is inherited`() throws {
        let fish = Fish("A")
        fish.friend = fish
        defer { fish.friend = nil }
        let copy = try animalRoundTrip(fish)
        defer { copy.friend = nil }
        #expect(copy.friend === copy)
        #expect(copy.name == "A")
    }

    @Test func `of a superclass, which decodes itself from the same container`() throws {
        let pet = Pet("A")
        pet.friend = Fish("B")
        pet.friend?.friend = pet
        pet.owner = Owner(pet)
        defer { pet.friend = nil }
        let copy = try animalRoundTrip(pet as Animal)
        defer { copy.friend = nil }
        #expect(copy.friend is Fish)
        #expect(copy.friend?.friend === copy)
        #expect((copy as? Pet)?.owner?.pet === copy)
    }

    @Test func `of each class of a chain, which decode themselves from parts of their own`() throws {
        let fish = Fish("F")
        let dog = Dog("D", enemies: [fish])
        fish.friend = dog
        dog.friend = dog
        dog.owner = Owner(dog)
        defer { (fish.friend, dog.friend) = (nil, nil) }
        let copy = try animalRoundTrip(dog)
        defer { (copy.friend, copy.enemies[0].friend) = (nil, nil) }
        #expect(copy.name == "D")
        #expect(copy.enemies.count == 1)
        #expect(copy.enemies.first?.name == "F")
        #expect(copy.enemies.first?.friend === copy)
        #expect(copy.friend === copy)
        #expect(copy.owner?.pet === copy)
        // The other way round the array of the subclass is what has to wait.
        let other = try #require(try animalRoundTrip(fish).friend as? Dog)
        defer { (other.friend, other.enemies[0].friend) = (nil, nil) }
        #expect(other.enemies.first?.friend === other)
        #expect(other.owner?.pet === other)
    }

    final class Document: NSObject, Codable {
        let title: String
        var related: [Document] = []
        @WeakReference var original: Document?

        init(_ title: String) { self.title = title }
    }

    @Test func `of a class that inherits from one without properties that Swift reports`() throws {
        let document = Document("A")
        document.related = [Document("B"), document]
        document.related[0].original = document
        defer { document.related = [] }
        let copy = try roundTrip(document)
        defer { copy.related = [] }
        #expect(copy.related.map(\.title) == ["B", "A"])
        #expect(copy.related[1] === copy)
        #expect(copy.related[0].original === copy)
    }

    // MARK: Keys

    final class Renamed: Codable {
        enum CodingKeys: String, CodingKey {
            case next = "previous"
            case previous = "next"
            case `class` = "the class"
        }
        var next: Renamed?
        @WeakReference var previous: Renamed?
        var `class`: [Renamed] = []
    }

    @Test func `whose key has another name, even that of another property`() throws {
        let first = Renamed()
        let second = Renamed()
        first.next = second
        second.previous = first
        second.class = [second, first]
        defer { second.class = [] }
        let copy = try roundTrip(first)
        defer { copy.next?.class = [] }
        #expect(copy.previous == nil)
        #expect(copy.class.isEmpty)
        #expect(copy.next?.next == nil)
        #expect(copy.next?.previous === copy)
        #expect(copy.next?.class.map { $0 === copy } == [false, true])
        #expect(copy.next?.class.first === copy.next)
    }

    final class IntegerKeys: Codable {
        enum CodingKeys: Int, CodingKey {
            case other = 1
            case others = 2
        }
        @Reference var other: IntegerKeys?
        var others: [IntegerKeys] = []
    }

    @Test func `whose key is a number`() throws {
        let value = IntegerKeys()
        value.other = value
        value.others = [value]
        defer { (value.other, value.others) = (nil, []) }
        let copy = try roundTrip(value)
        defer { (copy.other, copy.others) = (nil, []) }
        #expect(copy.other === copy)
        #expect(copy.others.first === copy)
    }

    // MARK: Generic and private classes

    class Box<Content: Codable>: Codable {
        var tag: UInt8 = 1
        let content: Content
        @Reference var next: Box?
        @WeakReference var back: Box<Content>?

        init(_ content: Content) { self.content = content }
    }

    final class IntegerBox: Box<Int> {}

    @Test func `of a generic class, wherever its argument lets the property lie`() throws {
        func check<Content: Codable & Equatable>(_ content: Content) throws {
            let box = Box(content)
            box.next = Box(content)
            box.next?.next = box
            box.next?.back = box
            defer { box.next = nil }
            let copy = try roundTrip(box)
            defer { copy.next = nil }
            #expect(copy.content == content)
            #expect(copy.next?.content == content)
            #expect(copy.next?.next === copy)
            #expect(copy.next?.back === copy)
        }
        try check(1 as Int8)
        try check("text")
        try check([1.5, 2.5])
        try check(nil as Int?)
        try check(SIMD4<Float>(1, 2, 3, 4))
        try check(Date(timeIntervalSince1970: 1))
    }

    @Test func `of a generic superclass`() throws {
        let box = IntegerBox(7)
        box.next = box
        defer { box.next = nil }
        let copy = try roundTrip(box, registering: [IntegerBox.self])
        defer { copy.next = nil }
        #expect(copy.next === copy)
        #expect(copy.content == 7)
    }

    private final class Secret: Codable {
        private enum CodingKeys: String, CodingKey { case next = "n" }
        private(set) var next: [Secret] = []
        func close() { next = [self] }
        func open() { next = [] }
    }

    @Test func `of a private class with private keys`() throws {
        let secret = Secret()
        secret.close()
        defer { secret.open() }
        let copy = try roundTrip(secret)
        defer { copy.open() }
        #expect(copy.next.count == 1 && copy.next[0] === copy)
    }

    // MARK: Neighbours

    final class Crowded: Codable {
        struct Empty: Codable {}
        var flag = true
        var empty = [Empty()]
        var byte: UInt8 = 2
        @WeakReference var before: Crowded?
        var wide: Int64 = -3
        var small: Int8? = 4
        @Reference var middle: Crowded?
        var uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        var list: [Crowded] = []
        var name = "a name that is longer than the 15 bytes of a small string"
        @Reference var last: Crowded?
        var end: UInt16 = 5
    }

    @Test func `without touching the properties beside it`() throws {
        let value = Crowded()
        (value.before, value.middle, value.list, value.last) = (value, value, [value, value], value)
        defer { (value.list, value.middle, value.last) = ([], nil, nil) }
        let copy = try roundTrip(value)
        defer { (copy.list, copy.middle, copy.last) = ([], nil, nil) }
        #expect(copy.before === copy)
        #expect(copy.middle === copy)
        #expect(copy.last === copy)
        #expect(copy.list.count == 2 && copy.list.allSatisfy { $0 === copy })
        #expect(copy.flag && copy.byte == 2 && copy.wide == -3 && copy.small == 4 && copy.end == 5)
        #expect(copy.empty.count == 1 && copy.uuid == value.uuid && copy.name == value.name)
    }
}
