// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Both `Coding` and `Codable`, with different contents: the archive shows which one has written it.
private class Dual: Coding, Codable, Hashable {
    let name: String
    /// Which initializer has made it.
    let maker: String

    init(_ name: String) {
        self.name = name
        maker = "init"
    }

    required init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "coding")
        maker = "coder"
    }

    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "coding") }

    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: AnyKey.self).decode(String.self, forKey: "codable")
        maker = "decoder"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(name, forKey: "codable")
    }

    static func == (left: Dual, right: Dual) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// By key only.
private class Labelled: Coding {
    let name: String
    init(_ name: String) { self.name = name }
    required init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
    func encode(with coder: KeyedArchiver) throws {
        coder.encode(0, forKey: "value")
        coder.encode(name, forKey: "name")
    }
}

/// `Codable` besides, while its superclass is not.
private final class Tagged: Labelled, Codable {
    override init(_ name: String) { super.init(name) }
    required init(coder: KeyedUnarchiver) throws { try super.init(coder: coder) }
    init(from decoder: any Decoder) throws { super.init(try decoder.singleValueContainer().decode(String.self)) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

private protocol Named: Codable {
    var name: String { get }
}

extension Dual: Named {}

private struct InPlainFields: Codable {
    var plain: Dual
    var optional: Dual?
    var nested: [[Dual?]]
    var byName: [String: Dual]
    var asKey: [Dual: Int]
    var unique: Set<Dual>
    var tuple: Pair

    enum Pair: Codable {
        case of(Dual, second: Dual)
    }

    init(_ dual: Dual) {
        (plain, optional, nested, byName) = (dual, dual, [[nil, dual]], ["d": dual])
        (asKey, unique, tuple) = ([dual: 1], [dual], .of(dual, second: dual))
    }

    var all: [Dual?] {
        guard case .of(let first, let second) = tuple else { return [] }
        return [plain, optional, nested[0][1], byName["d"], asKey.keys.first, unique.first, first, second]
    }
}

private final class InWrappers: Codable {
    @Reference var reference: Dual?
    @References var list: [Dual]
    @References var unique: Set<Dual>
    @References var byName: [String: Dual]
    @WeakReference var weakly: Dual?
    @Polymorphic var named: any Named
    @Polymorphic var nameds: [any Named]
    @Coded var coded: Dual
    @Coded var coding: (any Coding)?

    init(_ dual: Dual) {
        (named, nameds, coded, coding) = (dual, [dual], dual, dual)
        (list, unique, byName) = ([dual], [dual], ["d": dual])
        (reference, weakly) = (dual, dual)
    }

    var all: [Dual?] {
        [
            reference, list.first, unique.first, byName["d"], weakly, named as? Dual, nameds.first as? Dual, coded,
            coding as? Dual,
        ]
    }
}

@Suite(.inTurn) struct `A class that is both Coding and Codable` {
    /// That the archive in `data` has the instance by key, `count` of them.
    private func expectCoding(
        _ data: Data, count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let archive = try InspectedArchive(data)
        let duals = archive.objects.filter { archive.className(of: $0)?.hasSuffix("Dual") == true }
        #expect(duals.count == count, sourceLocation: sourceLocation)
        for dual in duals {
            #expect(dual["coding"] != nil && dual["codable"] == nil, sourceLocation: sourceLocation)
        }
    }

    private var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dual.self)
        return decoder
    }

    @Test func `is archived by key in fields of every kind`() throws {
        let data = try ArchiveEncoder().encode(InPlainFields(Dual("d")))
        try expectCoding(data)
        let copy = try decoder.decode(InPlainFields.self, from: data)
        #expect(copy.all.count == 8 && copy.all.allSatisfy { $0 === copy.plain })
        #expect(copy.plain.name == "d" && copy.plain.maker == "coder")
    }

    @Test func `is archived by key in wrappers of every kind`() throws {
        let data = try ArchiveEncoder().encode(InWrappers(Dual("d")))
        try expectCoding(data)
        let copy = try decoder.decode(InWrappers.self, from: data)
        #expect(copy.all.count == 9 && copy.all.allSatisfy { $0 === copy.coded })
        #expect(copy.coded.name == "d" && copy.coded.maker == "coder")
    }

    @Test func `is archived by key as the root object, or in containers that are`() throws {
        let dual = Dual("d")
        for data in try [ArchiveEncoder().encode(dual), KeyedArchiver.archivedData(withRootObject: dual)] {
            try expectCoding(data)
            #expect(try ArchiveDecoder().decode(Dual.self, from: data).maker == "coder")
            #expect(try KeyedUnarchiver.unarchivedObject(of: Dual.self, from: data).maker == "coder")
        }
        let list = try ArchiveEncoder().encode([dual, Dual("e"), dual])
        try expectCoding(list, count: 2)
        #expect(try ArchiveDecoder().decode([Dual].self, from: list).map(\.name) == ["d", "e", "d"])
        let unkeyed = try ArchiveEncoder().encode(
            Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encodeConditional(dual)
                try container.encode(dual)
                var nested = container.nestedContainer(keyedBy: AnyKey.self)
                try nested.encode(dual, forKey: "n")
                var single = container.superEncoder().singleValueContainer()
                try single.encode(dual)
            })
        try expectCoding(unkeyed)
    }

    @Test func `is archived by key wherever an archiver is given it`() throws {
        let dual = Dual("d")
        let encodable: any Encodable = dual
        let data = try keyedArchive {
            try $0.encodeConditional(dual, forKey: "conditional")
            try $0.encode(dual, forKey: "one")
            try $0.encode([dual, dual], forKey: "list")
            try $0.encode([dual] as Set, forKey: "unique")
            try $0.encode(["d": dual], forKey: "byName")
            try $0.encode([[dual]], forKey: "nested")
            try $0.encodeObject([dual, "s"] as [Any], forKey: "anything")
            try $0.encode(InPlainFields(dual), forKey: "fields")
            try $0.encode(encodable, forKey: "encodable")
        }
        try expectCoding(data)
        let unarchiver = try keyedUnarchiver(data)
        let one = try unarchiver.decode(Dual.self, forKey: "one")
        #expect(one.maker == "coder")
        #expect(try unarchiver.decodeIfPresent(Dual.self, forKey: "conditional") === one)
        #expect(try unarchiver.decode([Dual].self, forKey: "list").allSatisfy { $0 === one })
        #expect(try unarchiver.decode(Set<Dual>.self, forKey: "unique").first === one)
        #expect(try unarchiver.decode([String: Dual].self, forKey: "byName")["d"] === one)
        #expect(try unarchiver.decode([[Dual]].self, forKey: "nested")[0][0] === one)
        #expect(try unarchiver.decodeArray(of: [Dual.self, String.self], forKey: "anything")?[0] as? Dual === one)
        #expect(try unarchiver.decode(InPlainFields.self, forKey: "fields").all.allSatisfy { $0 === one })
        #expect(try unarchiver.decode(Dual.self, forKey: "encodable") === one)
        #expect(try unarchiver.decode(Reference<Dual>.self, forKey: "one").wrappedValue === one)
        #expect(try unarchiver.decode(WeakReference<Dual>.self, forKey: "one").wrappedValue === one)
    }

    @Test func `may be Codable from a subclass on`() throws {
        let data = try ArchiveEncoder().encode([Tagged("t")])
        #expect(try archiveText([Tagged("t")]) == "NSArray[Tagged{value: 0, name: @\"t\"}]")
        #expect(try ArchiveDecoder().decode([Tagged].self, from: data)[0].name == "t")
        let unarchiver = try keyedUnarchiver(data, registering: [Tagged.self])
        #expect(try unarchiver.decode([Labelled].self, forKey: "root")[0] is Tagged)
    }
}

// MARK: - Superclasses

private class Animal: Codable {
    let name: String
    /// Which initializer has made it.
    private(set) var maker = "init"

    private enum CodingKeys: CodingKey { case name }

    init(_ name: String) { self.name = name }

    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        maker = "decoder"
    }

    init(_ name: String, maker: String) { (self.name, self.maker) = (name, maker) }
}

/// By key, while its superclass is `Codable` only.
private class Dog: Animal, Coding {
    override init(_ name: String) { super.init(name) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    required init(coder: KeyedUnarchiver) throws {
        super.init(try coder.decode(String.self, forKey: "barksAs"), maker: "coder")
    }

    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "barksAs") }
}

private final class Puppy: Dog {}

private final class Cat: Animal {}

@Suite(.inTurn) struct `A Codable class with a subclass that is Coding` {
    private struct Kennel: Codable {
        var animals: [Animal]
        var star: Animal?
        @Reference var reference: Animal? = nil
        @WeakReference var weakly: Animal? = nil
        var dog: Dog?
    }

    @Test func `archives each instance as its own class does`() throws {
        let (dog, puppy, cat, animal) = (Dog("D"), Puppy("P"), Cat("C"), Animal("A"))
        let kennel = Kennel(
            animals: [animal, dog, puppy, cat, dog], star: puppy, reference: dog, weakly: puppy, dog: dog)
        let data = try ArchiveEncoder().encode(kennel)
        let archive = try InspectedArchive(data)
        let names = archive.objects.filter { $0["name"] != nil }.map { archive.className(of: $0) ?? "" }
        let barks = archive.objects.filter { $0["barksAs"] != nil }.map { archive.className(of: $0) ?? "" }
        #expect(names.map(InspectedArchive.lastPart) == ["Animal", "Cat"])
        #expect(barks.map(InspectedArchive.lastPart) == ["Dog", "Puppy"])

        var decoder = ArchiveDecoder()
        decoder.classes = classRegistry(Dog.self, Puppy.self, Cat.self)
        let copy = try decoder.decode(Kennel.self, from: data)
        #expect(copy.animals.map(\.name) == ["A", "D", "P", "C", "D"])
        #expect(copy.animals.map(\.maker) == ["decoder", "coder", "coder", "decoder", "coder"])
        #expect(copy.animals.map { "\(type(of: $0))" } == ["Animal", "Dog", "Puppy", "Cat", "Dog"])
        #expect(copy.animals[1] === copy.animals[4] && copy.animals[1] === copy.dog && copy.reference === copy.dog)
        #expect(copy.star === copy.animals[2] && copy.weakly === copy.star)
    }

    @Test func `reads it through a keyed archive as well`() throws {
        let dog = Dog("D")
        let data = try keyedArchive {
            try $0.encodeConditional(dog as Animal, forKey: "conditional")
            try $0.encode([dog, Animal("A")] as [Animal], forKey: "animals")
            try $0.encode(dog, forKey: "dog")
        }
        let archive = try InspectedArchive(data)
        #expect(archive.objects.filter { $0["barksAs"] != nil }.count == 1)
        let unarchiver = try keyedUnarchiver(data, registering: [Dog.self])
        let animals = try unarchiver.decode([Animal].self, forKey: "animals")
        #expect(animals.map(\.maker) == ["coder", "decoder"])
        #expect(try unarchiver.decode(Dog.self, forKey: "dog") === animals[0])
        #expect(try unarchiver.decodeIfPresent(Animal.self, forKey: "conditional") === animals[0])
    }

    @Test func `does not make one that is not registered`() throws {
        let data = try ArchiveEncoder().encode([Dog("D")] as [Animal])
        let error = try failure(decoding: [Animal].self, from: data)
        #expect(error.kind == .typeMismatch && error.path == "[0]" && error.says("Dog", "not registered"))
    }
}
