// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// At the top of the file and not private, so that its Swift name is plain.
struct RegistrySample: Codable {
    var x = 1

    struct Inner: Codable {
        var y = 2
    }
}

private struct PrivateSample: Codable {
    var x = 1
}

@Suite(.inTurn) struct `A class registry` {
    class Animal: Codable {
        var name = "Bella"
    }

    class Cow: Animal {}

    final class Calf: Cow {}

    struct Named: Codable, ArchiveDescribing {
        static let archiveName = "LONamed"
        static let archiveAliases = ["OldModule.Named"]
        var x = 1
    }

    class NamedBase: Codable, ArchiveDescribing {
        class var archiveName: String { "LOBase" }
        var x = 1
    }

    class Unnamed: NamedBase {}

    final class Renamed: Unnamed {
        override class var archiveName: String { "LORenamed" }
    }

    private func chain(_ value: some Encodable, _ classes: ClassRegistry = ClassRegistry()) throws -> [String] {
        var encoder = ArchiveEncoder()
        encoder.classes = classes
        let archive = try InspectedArchive(of: value, by: encoder)
        let object = archive.objects[1]
        #expect(archive.className(of: object) == archive.classChain(of: object).first)
        return archive.classChain(of: object)
    }

    @Test func `that is empty gives every type its Swift name`() throws {
        let classes = ClassRegistry()
        #expect(classes.name(for: RegistrySample.self) == "ClassesTests.RegistrySample")
        #expect(classes.name(for: RegistrySample.Inner.self) == "ClassesTests.RegistrySample.Inner")
        #expect(classes.type(named: "ClassesTests.RegistrySample") == nil)
        #expect(try chain(RegistrySample()) == ["ClassesTests.RegistrySample", "NSObject"])
        #expect(try chain(RegistrySample.Inner()) == ["ClassesTests.RegistrySample.Inner", "NSObject"])
    }

    @Test func `gives registered types their names, in the chain of their subclasses too`() throws {
        var classes = ClassRegistry()
        classes.register(RegistrySample.self, name: "LOSample")
        classes.register(Animal.self, name: "LOAnimal")
        classes.register(Calf.self, name: "LOCalf")
        #expect(try chain(RegistrySample(), classes) == ["LOSample", "NSObject"])
        #expect(try chain(Animal(), classes) == ["LOAnimal", "NSObject"])
        #expect(try chain(Calf(), classes) == ["LOCalf", ClassRegistry().name(for: Cow.self), "LOAnimal", "NSObject"])
        #expect(try chain(Calf() as Animal, classes).first == "LOCalf")
    }

    @Test func `reads what was written under any name`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(RegistrySample.self, name: "LOSample")
        encoder.classes.register(Animal.self, name: "LOAnimal")
        var decoder = ArchiveDecoder()
        decoder.classes.register(RegistrySample.self, name: "Other", aliases: ["LOSample"])
        let data = try encoder.encode(RegistrySample(x: 7))
        #expect(try decoder.decode(RegistrySample.self, from: data).x == 7)
        let animal = Animal()
        let animals = try decoder.decode([Animal].self, from: encoder.encode([animal, animal]))
        #expect(animals[0] === animals[1])
    }

    @Test func `finds types by name and by alias`() {
        var classes = ClassRegistry()
        classes.register(Animal.self, name: "A", aliases: ["B", "C"])
        classes.register(Cow.self, name: "D")
        for name in ["A", "B", "C"] { #expect(classes.type(named: name) == Animal.self) }
        #expect(classes.type(named: "D") == Cow.self)
        #expect(classes.type(named: "E") == nil)
        #expect(classes.name(for: Animal.self) == "A")
    }

    @Test func `takes the same name again, and adds its aliases`() {
        var classes = ClassRegistry()
        classes.register(Animal.self, name: "A", aliases: ["B"])
        classes.register(Animal.self, name: "A", aliases: ["C", "A"])
        for name in ["A", "B", "C"] { #expect(classes.type(named: name) == Animal.self) }
    }

    #if compiler(>=6.3)  // an exit test captures values
        @Test(arguments: ["two types", "two names", "an alias of another", "empty name", "empty alias"])
        func `stops the program at contradictions`(kind: String) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
                var classes = ClassRegistry()
                classes.register(Animal.self, name: "A", aliases: ["B"])
                switch kind {
                case "two types": classes.register(Cow.self, name: "A")
                case "two names": classes.register(Animal.self, name: "C")
                case "an alias of another": classes.register(Cow.self, name: "C", aliases: ["B"])
                case "empty name": classes.register(Cow.self, name: "")
                default: classes.register(Cow.self, name: "C", aliases: [""])
                }
            }
            #expect(result.said("registered"))
        }
    #endif

    @Test func `knows the name that a type says itself`() throws {
        #expect(ClassRegistry().name(for: Named.self) == "LONamed")
        #expect(try chain(Named()) == ["LONamed", "NSObject"])
        var classes = ClassRegistry()
        classes.register(Named.self, name: "Registered")
        #expect(try chain(Named(), classes) == ["Registered", "NSObject"])
    }

    @Test func `does not take a superclass's own name for the subclass's`() throws {
        #expect(try chain(NamedBase()) == ["LOBase", "NSObject"])
        #expect(try chain(Unnamed()) == [String(reflecting: Unnamed.self), "LOBase", "NSObject"])
        #expect(try chain(Renamed()) == ["LORenamed", String(reflecting: Unnamed.self), "LOBase", "NSObject"])
    }

    @Test func `reads at most one entry of a class in an archive`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Animal.self, name: "\u{436}\u{438}\u{432}\u{43e}\u{442}\u{43d}\u{43e}\u{435}")
        encoder.classes.register(RegistrySample.self, name: "Muster \u{e4}")
        struct Fields: Encodable {
            var animals = [Animal(), Cow(), Calf(), Cow(), Animal()], samples = [RegistrySample(), RegistrySample()]
            var more: [String: Animal] = ["a": Calf(), "b": Animal()]
        }
        let names = try InspectedArchive(of: Fields(), by: encoder).classNames
        #expect(names.count == Set(names).count)
        #expect(names.contains("Muster \u{e4}"))
        #expect(names.count == 7)
    }

    @Test func `names generic types with their arguments`() throws {
        struct Box<Content: Codable>: Codable { var content: Content }
        let names = try InspectedArchive(of: [Box(content: 1), Box(content: 2)]).classNames
        #expect(names.contains { $0.hasSuffix("Box<Swift.Int>") })
        let both = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Box(content: 1))
            try container.encode(Box(content: "x"))
        }
        #expect(
            try Set(InspectedArchive(of: both).classNames.map(InspectedArchive.lastPart)).isSuperset(
                of: ["Box<Swift.Int>", "Box<Swift.String>"]))
    }

    @Test func `names private and local types without an address, which would be another in the next process`() throws {
        struct Local: Codable { var x = 1 }
        for name in [
            try chain(PrivateSample())[0], try chain(Local())[0], ClassRegistry().name(for: PrivateSample.self),
            ClassRegistry().name(for: Local.self),
        ] {
            #expect(!name.contains("0x") && !name.contains("$"), "\(name)")
            #expect(name.contains("PrivateSample") || name.contains("Local"))
        }
        #expect(try roundTrip(PrivateSample(x: 4)).x == 4)
    }

    @Test func `ends every chain in one NSObject`() throws {
        final class Object: NSObject, Codable {
            var x = 1
        }
        #expect(try chain(Object()).dropFirst() == ["NSObject"])
        #expect(try chain(Calf()).filter { $0.hasSuffix("NSObject") } == ["NSObject"])
        #expect(try roundTrip(Object()).x == 1)
    }
}
