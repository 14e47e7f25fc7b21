// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private protocol Pet: Codable {}

private class Animal: Codable, Hashable {
    var name: String

    init(_ name: String) { self.name = name }

    static func == (left: Animal, right: Animal) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The version that wrote the archive knows it, the one that reads it does not.
private final class Yak: Animal {}

private final class Cat: Pet {
    var lives = 9
}

private final class Ferret: Pet {
    var weight = 1.5
}

private final class Tool: Coding {
    let size: Int

    init(size: Int) { self.size = size }
    init(coder: KeyedUnarchiver) throws { size = try coder.decodeInteger(forKey: "size") }
    func encode(with coder: KeyedArchiver) throws { coder.encode(size, forKey: "size") }
}

private final class Gadget: Coding {
    let size: Int

    init(size: Int) { self.size = size }
    init(coder: KeyedUnarchiver) throws { size = try coder.decodeInteger(forKey: "size") }
    func encode(with coder: KeyedArchiver) throws { coder.encode(size, forKey: "size") }
}

/// The same property twice: the value that the writer encodes, and the type that the reader requests.
private struct Field<Written: Encodable>: Encodable {
    var value: Written
}

private struct Asked<Value: Decodable>: Decodable {
    var value: Value
}

@Suite(.inTurn) struct `An object that is skipped` {
    private func archive(_ value: some Encodable) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Animal.self, name: "Animal")
        encoder.classes.register(Yak.self, name: "Yak")
        encoder.classes.register(Cat.self, name: "Cat")
        encoder.classes.register(Ferret.self, name: "Ferret")
        encoder.classes.register(Tool.self, name: "Tool")
        encoder.classes.register(Gadget.self, name: "Gadget")
        return try encoder.encode(Field(value: value))
    }

    private func read<Value: Decodable>(
        _ type: Value.Type, _ written: some Encodable, _ policy: ClassRegistry.UnknownClassPolicy = .skip
    ) throws -> Value {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Animal.self, name: "Animal")
        decoder.classes.register(Cat.self, name: "Cat")
        decoder.classes.register(Tool.self, name: "Tool")
        decoder.classes.unknownClasses = policy
        return try decoder.decode(Asked<Value>.self, from: archive(written)).value
    }

    @Test func `is nil where the value is optional`() throws {
        #expect(try read(Animal?.self, Animal("Bella"))?.name == "Bella")
        #expect(try read(Animal?.self, Yak("Ida") as Animal) == nil)
        #expect(
            try read(Polymorphic<(any Pet)?>.self, Polymorphic<any Pet>(wrappedValue: Ferret())).wrappedValue == nil)
        #expect(try read(Polymorphic<(any Pet)?>.self, Polymorphic<any Pet>(wrappedValue: Cat())).wrappedValue is Cat)
        #expect(try read(Reference<Animal>.self, Yak("Ida") as Animal).wrappedValue == nil)
        #expect(try read(WeakReference<Animal>.self, Yak("Ida") as Animal).wrappedValue == nil)
        #expect(try read(Coded<Tool?>.self, Coded(wrappedValue: Gadget(size: 3))).wrappedValue == nil)
        #expect(try read(Coded<Tool?>.self, Coded(wrappedValue: Tool(size: 3))).wrappedValue?.size == 3)
        #expect(try read(Coded<(any Coding)?>.self, Coded(wrappedValue: Gadget(size: 3))).wrappedValue == nil)
    }

    @Test func `is nil among optional elements, and not there among others`() throws {
        let herd = [Animal("a"), Yak("b"), Animal("c"), Yak("d")]
        #expect(try read([Animal].self, herd).map(\.name) == ["a", "c"])
        #expect(try read([Animal?].self, herd).map { $0?.name } == ["a", nil, "c", nil])
        #expect(try read(ContiguousArray<Animal>.self, herd).map(\.name) == ["a", "c"])
        #expect(Set(try read(Set<Animal>.self, Set(herd)).map(\.name)) == ["a", "c"])
        #expect(try read(References<[Animal]>.self, herd).wrappedValue.map(\.name) == ["a", "c"])
        let byName = ["a": Animal("a"), "b": Yak("b")]
        #expect(try read([String: Animal].self, byName).keys.sorted() == ["a"])
        #expect(try read([String: Animal?].self, byName)["b"] == .some(nil))
        #expect(try read(References<[String: Animal]>.self, byName).wrappedValue.keys.sorted() == ["a"])
        let pets = Polymorphic<[any Pet]>(wrappedValue: [Ferret(), Cat(), Ferret()])
        #expect(try read(Polymorphic<[any Pet]>.self, pets).wrappedValue.map { $0 is Cat } == [true])
        #expect(try read(Polymorphic<[(any Pet)?]>.self, pets).wrappedValue.map { $0 is Cat } == [false, true, false])
        let coded = Coded<[any Coding]>(wrappedValue: [Gadget(size: 1), Tool(size: 2), Tool(size: 3)])
        #expect(try read(Coded<[Tool]>.self, coded).wrappedValue.map(\.size) == [2, 3])
    }

    @Test func `is an error where a value is needed`() {
        for policy in [ClassRegistry.UnknownClassPolicy.skip, .fail] {
            #expect(throws: DecodingError.self) { try read(Animal.self, Yak("Ida") as Animal, policy) }
            #expect(throws: DecodingError.self) {
                try read(Polymorphic<any Pet>.self, Polymorphic<any Pet>(wrappedValue: Ferret()), policy)
            }
            #expect(throws: DecodingError.self) {
                try read(Coded<Tool>.self, Coded(wrappedValue: Gadget(size: 3)), policy)
            }
        }
        #expect(throws: DecodingError.self) { try read(Animal?.self, Yak("Ida") as Animal, .fail) }
        #expect(throws: DecodingError.self) { try read([Animal].self, [Yak("Ida")] as [Animal], .fail) }
        // The optional is around what needs the value: that is no optional value of an unknown class.
        #expect(throws: DecodingError.self) {
            try read(Asked<Animal>?.self, Field(value: Yak("Ida") as Animal))
        }
    }

    @Test func `is one of an unknown class, not of an unexpected one`() {
        // Cat is registered, and no Animal.
        #expect(throws: DecodingError.self) { try read(Animal?.self, Cat()) }
        #expect(throws: DecodingError.self) { try read([Animal].self, [Cat()]) }
        #expect(throws: DecodingError.self) { try read(Animal?.self, "text") }
    }
}

@Suite(.inTurn) struct `An object that is skipped by key` {
    private func unarchiver(_ policy: ClassRegistry.UnknownClassPolicy) throws -> KeyedUnarchiver {
        let archiver = KeyedArchiver()
        archiver.classes.register(Tool.self, name: "Tool")
        archiver.classes.register(Gadget.self, name: "Gadget")
        let (tool, gadget) = (Tool(size: 1), Gadget(size: 2))
        try archiver.encode(tool, forKey: "tool")
        try archiver.encode(gadget, forKey: "gadget")
        try archiver.encodeObject([tool, gadget] as [any Coding], forKey: "array")
        try archiver.encodeObject(["tool": tool, "gadget": gadget] as [String: any Coding], forKey: "dictionary")
        try archiver.encodeObject([gadget, [gadget], "text"] as [Any], forKey: "any")
        try archiver.encodeObject(["gadget": gadget, "text": "text"] as [AnyHashable: Any], forKey: "anys")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.classes.register(Tool.self, name: "Tool")
        unarchiver.classes.unknownClasses = policy
        return unarchiver
    }

    @Test func `is nil, and not among the elements`() throws {
        let unarchiver = try unarchiver(.skip)
        #expect(try unarchiver.decodeIfPresent(Tool.self, forKey: "tool")?.size == 1)
        #expect(try unarchiver.decodeIfPresent(Tool.self, forKey: "gadget") == nil)
        #expect(throws: ArchivingError.self) { try unarchiver.decode(Tool.self, forKey: "gadget") }
        #expect(try unarchiver.decode([Tool].self, forKey: "array").map(\.size) == [1])
        #expect(try unarchiver.decode([String: Tool].self, forKey: "dictionary").keys.sorted() == ["tool"])
        #expect(try unarchiver.decode(Reference<Tool>.self, forKey: "gadget").wrappedValue == nil)
        #expect(try unarchiver.decode(WeakReference<Tool>.self, forKey: "gadget").wrappedValue == nil)
        #expect(try unarchiver.decodeObject(of: [Tool.self], forKey: "gadget") == nil)
        #expect(try unarchiver.decodeObject(of: [Tool.self], forKey: "tool") is Tool)
    }

    @Test func `is nil in what may be anything`() throws {
        let unarchiver = try unarchiver(.skip)
        let types: [any Any.Type] = [[Any].self, [AnyHashable: Any].self, String.self, Tool.self]
        let list = try #require(try unarchiver.decodeObject(of: types, forKey: "any") as? [Any?])
        #expect(list.count == 3)
        #expect(list[0] == nil)
        #expect((list[1] as? [Any?])?.count == 1)
        #expect((list[1] as? [Any?])?.first.map { $0 == nil } == true)
        #expect(list[2] as? String == "text")
        let dictionary = try #require(try unarchiver.decodeObject(of: types, forKey: "anys") as? [AnyHashable: Any?])
        #expect(dictionary["text"] as? String == "text")
        #expect(dictionary.keys.contains("gadget"))
        #expect((dictionary["gadget"] ?? nil) == nil)
    }

    @Test func `is kept where that is the policy`() throws {
        let unarchiver = try unarchiver(.placeholder)
        let types: [any Any.Type] = [[Any].self, String.self, Tool.self]
        let list = try #require(try unarchiver.decodeObject(of: types, forKey: "any") as? [Any])
        let unknown = try #require(list[0] as? UnknownObject)
        #expect(unknown.value.className == "Gadget")
        #expect(unknown.value["size"]?.integer == 2)
        #expect((list[1] as? [Any])?[0] as? UnknownObject === unknown)
        #expect(try unarchiver.decodeObject(of: [Tool.self], forKey: "gadget") as? UnknownObject === unknown)
        #expect(throws: ArchivingError.self) { try unarchiver.decodeIfPresent(Tool.self, forKey: "gadget") }
        #expect(throws: ArchivingError.self) { try unarchiver.decode([Tool].self, forKey: "array") }
        // What is known and not in the list is not allowed, whatever the policy.
        let error = #expect(throws: ArchivingError.self) {
            try unarchiver.decodeObject(of: [String.self], forKey: "tool")
        }
        #expect(error?.code == .classNotAllowed)
    }

    @Test func `is an error, unless a list has UnknownObject`() throws {
        let unarchiver = try unarchiver(.fail)
        #expect(throws: ArchivingError.self) { try unarchiver.decodeObject(of: [Tool.self], forKey: "gadget") }
        let unknown = try unarchiver.decodeObject(of: [Tool.self, UnknownObject.self], forKey: "gadget")
        #expect((unknown as? UnknownObject)?.value.className == "Gadget")
        #expect(try unarchiver.decode(UnknownObject.self, forKey: "tool").value.className == "Tool")
        #expect(
            try unarchiver.decode([UnknownObject].self, forKey: "array").map(\.value.className) == ["Tool", "Gadget"])
    }
}
