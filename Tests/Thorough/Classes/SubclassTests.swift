// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Subclasses` {
    /// Synthesised.
    class Animal: Codable {
        var name: String
        init(_ name: String) { self.name = name }
    }

    /// With nothing of its own: it inherits `init(from:)`.
    class Fish: Animal {}

    /// With a container of its own for its fields, in the same object.
    class Dog: Animal {
        var tricks: [String]
        private enum Keys: CodingKey { case tricks }

        init(_ name: String, tricks: [String]) {
            self.tricks = tricks
            super.init(name)
        }
        required init(from decoder: any Decoder) throws {
            tricks = try decoder.container(keyedBy: Keys.self).decode([String].self, forKey: .tricks)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(tricks, forKey: .tricks)
            try super.encode(to: encoder)
        }
    }

    /// With its superclass's part under "super".
    class Cow: Animal {
        var litres: Double
        private enum Keys: CodingKey { case litres }

        init(_ name: String, litres: Double) {
            self.litres = litres
            super.init(name)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            litres = try container.decode(Double.self, forKey: .litres)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(litres, forKey: .litres)
            try super.encode(to: container.superEncoder())
        }
    }

    final class Calf: Cow {
        var mother: Cow?
        private enum Keys: CodingKey { case mother }

        init(_ name: String, of mother: Cow) {
            self.mother = mother
            super.init(name, litres: 0)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            mother = try container.decodeIfPresent(Cow.self, forKey: .mother)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encodeIfPresent(mother, forKey: .mother)
            try super.encode(to: container.superEncoder())
        }
    }

    private static let classes: ClassRegistry = {
        var classes = ClassRegistry()
        for type in [Fish.self, Dog.self, Cow.self, Calf.self] as [Animal.Type] { classes.register(type) }
        return classes
    }()

    private func animalsRoundTrip<Value: Codable>(
        _ value: Value, format: PropertyListFormat = .binary, _ classes: ClassRegistry = Self.classes
    ) throws -> Value {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        var decoder = ArchiveDecoder()
        decoder.classes = classes
        return try decoder.decode(Value.self, from: encoder.encode(value))
    }

    private func names(_ animals: [Animal]) -> [String] { animals.map { "\(type(of: $0)) \($0.name)" } }

    @Test(arguments: PropertyListFormat.allCases)
    func `are decoded as what they are if their superclass is requested`(format: PropertyListFormat) throws {
        let cow = Cow("Rosa", litres: 20.5)
        let animals = [
            Animal("?"), Fish("Wanda"), Dog("Rex", tricks: ["sit", "run"]), cow, Calf("Resi", of: cow),
        ]
        let again = try animalsRoundTrip(animals, format: format)
        #expect(names(again) == ["Animal ?", "Fish Wanda", "Dog Rex", "Cow Rosa", "Calf Resi"])
        #expect((again[2] as? Dog)?.tricks == ["sit", "run"])
        #expect((again[3] as? Cow)?.litres == 20.5)
        let calf = try #require(again[4] as? Calf)
        #expect(calf.litres == 0)
        #expect(calf.mother === again[3])
    }

    @Test func `are decoded wherever references to their superclass are stored`() throws {
        enum Stall: Codable {
            case empty
            case taken(by: Animal)
        }
        struct Pair: Codable {
            var left: Animal
            var right: Animal?
        }
        struct Farm: Codable {
            var one: Animal
            var maybe: Animal?
            var byName: [String: Animal]
            var rows: [[Animal?]]
            var stalls: [Stall]
            var pair: Pair
            @Reference var reference: Animal?
            @References var references: [Animal]
            @WeakReference var weakly: Animal?

            init(_ dog: Dog) {
                one = dog
                maybe = dog
                byName = ["d": dog]
                rows = [[nil, dog]]
                stalls = [.empty, .taken(by: dog)]
                pair = Pair(left: dog, right: dog)
                references = [dog, dog]
                reference = dog
                weakly = dog
            }
        }
        let dog = Dog("Rex", tricks: [])
        let again = try animalsRoundTrip(Farm(dog))
        let copy = try #require(again.one as? Dog)
        #expect(copy.name == "Rex")
        #expect(again.maybe === copy && again.byName["d"] === copy && again.rows[0][1] === copy)
        guard case .taken(let guest) = again.stalls[1] else { throw CocoaError(.coderReadCorrupt) }
        #expect(guest === copy)
        #expect(again.pair.left === copy && again.pair.right === copy)
        #expect(again.reference === copy && again.weakly === copy)
        #expect(again.references.count == 2 && again.references.allSatisfy { $0 === copy })
    }

    @Test func `are one instance, whichever of their classes is requested first`() throws {
        struct Herd: Codable {
            var animal: Animal
            var cow: Cow
            var calf: Calf
            var animals: [Animal]
        }
        struct Reversed: Codable {
            var calf: Calf
            var cow: Cow
            var animal: Animal
        }
        let calf = Calf("Resi", of: Cow("Rosa", litres: 1))
        calf.mother = nil
        let herd = try animalsRoundTrip(Herd(animal: calf, cow: calf, calf: calf, animals: [calf]))
        #expect(herd.animal === herd.calf && herd.cow === herd.calf && herd.animals[0] === herd.calf)
        let reversed = try animalsRoundTrip(Reversed(calf: calf, cow: calf, animal: calf))
        #expect(reversed.animal === reversed.calf && reversed.cow === reversed.calf)
    }

    @Test func `may be the root object`() throws {
        let root: Animal = Dog("Rex", tricks: ["sit"])
        let again = try animalsRoundTrip(root)
        #expect((again as? Dog)?.tricks == ["sit"])
    }

    @Test func `that are not registered are an error that names them, at their place`() throws {
        var classes = ClassRegistry()
        classes.register(Cow.self)
        let animals = [Animal("a"), Cow("Rosa", litres: 1), Dog("Rex", tricks: [])]
        let error = try failure { try animalsRoundTrip(["x": animals], classes) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "x[2]")
        #expect(error.type == Animal.self)
        #expect(error.says(ClassRegistry().name(for: Dog.self), "Animal", "subclass", "not registered"))
    }

    @Test func `of registered classes have to be registered themselves`() throws {
        var classes = ClassRegistry()
        classes.register(Cow.self)
        let cow = Cow("Rosa", litres: 1)
        for animals in [[cow, Calf("Resi", of: cow)], [Calf("Resi", of: cow)]] {
            let error = try failure { try animalsRoundTrip(animals as [Animal], classes) }
            #expect(error.kind == .typeMismatch)
            #expect(error.says(ClassRegistry().name(for: Calf.self)))
        }
    }

    @Test func `that are not registered are decoded as the requested class, if the registry allows that`() throws {
        var classes = ClassRegistry()
        classes.register(Cow.self)
        classes.unknownClasses = .decodeAsRequested
        let dog = Dog("Rex", tricks: [])
        let again = try animalsRoundTrip([dog, Cow("Rosa", litres: 1), Fish("Wanda"), dog], classes)
        #expect(names(again) == ["Animal Rex", "Cow Rosa", "Animal Wanda", "Animal Rex"])
        #expect(again[0] === again[3])
    }

    @Test func `are never made of an object of their superclass`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes = Self.classes
        decoder.classes.register(Animal.self)
        let animal = try ArchiveEncoder().encode(Animal("a"))
        let error = try failure { try decoder.decode(Fish.self, from: animal) }
        #expect(error.kind == .typeMismatch)
        #expect(error.says(ClassRegistry().name(for: Animal.self), "Fish"))
        let cow = try ArchiveEncoder().encode(Cow("c", litres: 1))
        #expect(try failure { try decoder.decode(Calf.self, from: cow) }.kind == .typeMismatch)
    }

    @Test func `may be registered for several generic classes`() throws {
        class Shelf<Content: Codable>: Codable {
            var content: Content
            init(_ content: Content) { self.content = content }
        }
        final class Locked<Content: Codable>: Shelf<Content> {}
        var encoder = ArchiveEncoder()
        var decoder = ArchiveDecoder()
        for register in [{ $0.register(Locked<Int>.self, name: "I") }, { $0.register(Locked<String>.self, name: "S") }]
            as [(inout ClassRegistry) -> Void]
        {
            register(&encoder.classes)
            register(&decoder.classes)
        }
        struct Room: Codable {
            var numbers: [Shelf<Int>]
            var texts: [Shelf<String>]
        }
        let room = Room(numbers: [Locked(1), Shelf(2)], texts: [Shelf("a"), Locked("b")])
        let again = try decoder.decode(Room.self, from: encoder.encode(room))
        #expect(again.numbers.map { $0 is Locked<Int> } == [true, false])
        #expect(again.texts.map { $0 is Locked<String> } == [false, true])
        #expect(again.numbers.map(\.content) == [1, 2] && again.texts.map(\.content) == ["a", "b"])
    }

    @Test func `may close cycles`() throws {
        class Node: Codable {
            var next: Node?
            @Reference var reference: Node?
        }
        final class Leaf: Node {}
        let (node, leaf) = (Node(), Leaf())
        node.next = leaf
        leaf.reference = node
        node.reference = node
        var decoder = ArchiveDecoder()
        decoder.classes.register(Leaf.self)
        let again = try decoder.decode([Node].self, from: ArchiveEncoder().encode([node, leaf]))
        defer {
            for node in [node, leaf] + again {
                node.next = nil
                node.reference = nil
            }
        }
        #expect(again[0].next === again[1] && again[1].next == nil)
        #expect(again[0].reference === again[0] && again[1].reference === again[0])
        #expect(again[1] is Leaf && !(again[0] is Leaf))
    }
}
