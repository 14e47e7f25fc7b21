// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Names of types` {
    class Animal: Codable {
        var name = "a"
    }

    class Dog: Animal {}
    final class Cat: Animal {}

    struct Cage<Content: Codable>: Codable {
        var content: Content

        final class Door: Animal {}
    }

    class Base: Codable, ArchiveDescribing {
        class var archiveName: String { "Base" }
        class var archiveAliases: [String] { ["OldBase", "OlderBase"] }
        var x = 1
    }

    /// Has a conformance, and no name of its own.
    final class Heir: Base {}

    final class Renamed: Base {
        override class var archiveName: String { "Renamed" }
        override class var archiveAliases: [String] { ["OldRenamed"] }
    }

    /// An array of one object under the name `name`.
    private func array(_ name: String, chain: String...) throws -> Data {
        let classes = ([name] + chain + ["NSObject"]).map { PropertyList.string($0) }
        return try handmadeArchive(
            ["NS.objects": [.uid(2)], "$class": .uid(4)], ["name": "x", "x": 7, "$class": .uid(3)],
            ["$classname": .string(name), "$classes": .array(classes)],
            ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]])
    }

    // MARK: Registering

    @Test func `are the type's own where none is given`() {
        var classes = ClassRegistry()
        classes.register(Dog.self)
        classes.register(Base.self)
        classes.register(Int.self)
        #expect(classes.type(named: "ArchivingTests.Names of types.Dog") == nil)
        #expect(classes.type(named: ClassRegistry().name(for: Dog.self)) == Dog.self)
        #expect(classes.type(named: "Swift.Int") == Int.self)
        for name in ["Base", "OldBase", "OlderBase"] { #expect(classes.type(named: name) == Base.self) }
        #expect(classes.type(named: String(reflecting: Base.self)) == nil)
    }

    @Test func `of several types are registered in one call, or in a list`() throws {
        var classes = ClassRegistry()
        classes.register(Dog.self, Base.self)
        let listed: ClassRegistry = [Dog.self, Base.self]
        for registry in [classes, listed] {
            for name in ["Base", "OldBase", "OlderBase"] { #expect(registry.type(named: name) == Base.self) }
            #expect(registry.type(named: ClassRegistry().name(for: Dog.self)) == Dog.self)
            #expect(registry.type(named: ClassRegistry().name(for: Cat.self)) == nil)
        }
        let data = try ArchiveEncoder(classes: [Renamed.self]).encode([Animal(), Dog()])
        let animals = try ArchiveDecoder(classes: [Dog.self]).decode([Animal].self, from: data)
        #expect(animals.map { $0 is Dog } == [false, true])
    }

    @Test func `stay what they are where more aliases are given`() {
        var classes = ClassRegistry()
        classes.register(Dog.self, name: "Hund")
        classes.register(Dog.self, aliases: ["Chien", "Hund"])
        classes.register(Dog.self)
        #expect(classes.name(for: Dog.self) == "Hund")
        for name in ["Hund", "Chien"] { #expect(classes.type(named: name) == Dog.self) }
        #expect(classes.type(named: ClassRegistry().name(for: Dog.self)) == nil)
    }

    @Test func `that a type says itself are not those of its subclasses`() {
        var classes = ClassRegistry()
        for type in [Base.self, Heir.self, Renamed.self] as [Base.Type] { classes.register(type) }
        #expect(classes.name(for: Heir.self) == ClassRegistry().name(for: Heir.self))
        #expect(classes.name(for: Heir.self).hasSuffix("Heir"))
        let found = ["Base", "OldBase", "OlderBase", "Renamed", "OldRenamed"].map { classes.type(named: $0) }
        #expect(found.map { "\($0.map { "\($0)" } ?? "none")" } == ["Base", "Base", "Base", "Renamed", "Renamed"])
    }

    #if compiler(>=6.3)  // an exit test captures values
        @Test(arguments: [
            "local types", "own names", "own aliases", "own name of another", "own, then another", "aliases",
        ])
        func `that contradict each other stop the program`(kind: String) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
                func first() -> any Any.Type {
                    final class Local: Animal {}
                    return Local.self
                }
                func second() -> any Any.Type {
                    final class Local: Animal {}
                    return Local.self
                }
                struct Same: Codable, ArchiveDescribing { static let archiveName = "Base" }
                struct Old: Codable, ArchiveDescribing {
                    static let archiveName = "Old"
                    static let archiveAliases = ["OldBase"]
                }
                var classes = ClassRegistry()
                switch kind {
                case "local types":
                    classes.register(first())
                    classes.register(second())
                case "own names":
                    classes.register(Base.self)
                    classes.register(Same.self)
                case "own aliases":
                    classes.register(Old.self)
                    classes.register(Base.self)
                case "own name of another":
                    classes.register(Dog.self)
                    classes.register(Cat.self, name: ClassRegistry().name(for: Dog.self))
                case "own, then another":
                    classes.register(Dog.self)
                    classes.register(Dog.self, name: "Dog")
                default:
                    classes.register(Dog.self, aliases: ["X"])
                    classes.register(Cat.self, aliases: ["X"])
                }
            }
            #expect(result.said("registered"))
        }
    #endif

    @Test func `are those of the registry that an encoder was given, whatever is registered later`() throws {
        var classes = ClassRegistry()
        classes.register(Dog.self, name: "Hund")
        var encoder = ArchiveEncoder()
        encoder.classes = classes
        classes.register(Cat.self, name: "Katze")
        classes.register(Animal.self, name: "Tier")
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Dog())
            try container.encode(Cat())
        }
        let cat = ClassRegistry().name(for: Cat.self)
        #expect(try Set(InspectedArchive(of: value, by: encoder).classNames).isSuperset(of: ["Hund", cat]))
        #expect(encoder.classes.type(named: "Tier") == nil)
    }

    // MARK: Reading

    @Test(arguments: ["Dog", "OldModule.Dog", "OldModule.Outer.Dog", "ArchivingTests.Dog"])
    func `may have another module than in the file, if the type itself is requested`(name: String) throws {
        #expect(try ArchiveDecoder().decode([Dog].self, from: array(name)).map(\.name) == ["x"])
    }

    @Test func `of other modules are aliases if a superclass is requested`() throws {
        let data = try array("OldModule.Dog", chain: ClassRegistry().name(for: Animal.self))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let error = try failure { try decoder.decode([Animal].self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.says("OldModule.Dog", "not registered"))
        decoder.classes.register(Dog.self, aliases: ["OldModule.Dog"])
        #expect(try decoder.decode([Animal].self, from: data)[0] is Dog)
    }

    @Test func `that were changed twice are all read`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self, name: "Dog", aliases: ["Module.Dog", "Module.Hound"])
        for name in ["Dog", "Module.Dog", "Module.Hound"] {
            #expect(try decoder.decode([Animal].self, from: array(name))[0] is Dog)
            #expect(try decoder.decode([Dog].self, from: array(name))[0].name == "x")
        }
        for name in ["Base", "OldBase", "OlderBase"] {
            #expect(try ArchiveDecoder().decode([Base].self, from: array(name))[0].x == 7)
        }
        var renamed = ArchiveDecoder()
        renamed.classes.register(Renamed.self)
        for name in ["Renamed", "OldRenamed"] {
            #expect(try renamed.decode([Base].self, from: array(name))[0] is Renamed)
        }
    }

    @Test func `that are registered for another type are that type's, whatever they say`() throws {
        let data = try ArchiveEncoder().encode([Cat()])
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self, name: ClassRegistry().name(for: Cat.self))
        #expect(try decoder.decode([Dog].self, from: data).count == 1)
        #expect(try decoder.decode([Animal].self, from: data)[0] is Dog)
        let error = try failure { try decoder.decode([Cat].self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[0]")
        #expect(error.says("Cat", "Dog"))
    }

    @Test(
        arguments: [
            "Tier", "\u{436}\u{438}\u{432}\u{43e}\u{442}\u{43d}\u{43e}\u{435}", "a b", "$x", "\u{1F404}", "null",
        ])
    func `may be any text`(name: String) throws {
        var classes = ClassRegistry()
        classes.register(Dog.self, name: name)
        for format in PropertyListFormat.allCases {
            var encoder = ArchiveEncoder()
            encoder.classes = classes
            encoder.outputFormat = format
            var decoder = ArchiveDecoder()
            decoder.classes = classes
            let data = try encoder.encode([Dog()] as [Animal])
            #expect(try InspectedArchive(data).classNames.contains(name))
            #expect(try decoder.decode([Animal].self, from: data)[0] is Dog)
        }
    }

    // MARK: Swift's names

    @Test func `of generic types have their arguments`() throws {
        let own = ClassRegistry()
        #expect(own.name(for: [Int].self) == "Swift.Array<Swift.Int>")
        #expect(own.name(for: Cage<Int>.self).hasSuffix(".Cage<Swift.Int>"))
        #expect(
            own.name(for: Cage<[String: Int?]>.self).hasSuffix(
                ".Cage<Swift.Dictionary<Swift.String, Swift.Optional<Swift.Int>>>"))
        #expect(own.name(for: Cage<Int>.Door.self).hasSuffix(".Cage<Swift.Int>.Door"))
        #expect(own.name(for: Cage<Int>.Door.self) != own.name(for: Cage<String>.Door.self))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Cage<Int>.Door.self)
        decoder.classes.register(Cage<String>.Door.self)
        let animals = [Cage<Int>.Door(), Cage<String>.Door(), Animal()]
        let again = try decoder.decode([Animal].self, from: ArchiveEncoder().encode(animals))
        #expect(again.map { $0 is Cage<Int>.Door } == [true, false, false])
        #expect(again.map { $0 is Cage<String>.Door } == [false, true, false])
    }

    private final class Hidden: Animal {}

    @Test func `of private and local types name no place, and can be registered`() throws {
        final class Local: Animal {}
        func other() -> Animal.Type {
            final class Other: Animal {}
            return Other.self
        }
        var decoder = ArchiveDecoder()
        for type in [Hidden.self, Local.self, other()] {
            decoder.classes.register(type)
            let name = decoder.classes.name(for: type)
            #expect(name.hasSuffix("\(type)") && !name.contains("0x") && !name.contains("("), "\(name)")
        }
        #expect(decoder.classes.name(for: Cage<Local>.self).contains("$") == false)
        let data = try ArchiveEncoder().encode([Hidden(), Local()])
        let again = try decoder.decode([Animal].self, from: data)
        #expect(again[0] is Hidden && again[1] is Local)
    }
}
