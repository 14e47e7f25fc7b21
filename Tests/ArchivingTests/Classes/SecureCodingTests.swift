// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Counts itself.
private class Animal: Coding, Hashable {
    let name: String
    /// Stored under the key "content", requested without a type.
    private(set) var content: Any?
    let allowed: [any Any.Type]?

    init(_ name: String, content: Any? = nil) {
        (self.name, self.content) = (name, content)
        allowed = nil
    }

    required init(coder: KeyedUnarchiver) throws {
        CreationLog.note(Self.self, coder.userInfo)
        allowed = coder.allowedClasses
        name = try coder.decode(String.self, forKey: "name")
        if name.hasPrefix("narrow") {
            content = try coder.decodeObject(of: [Dog.self], forKey: "content")
        } else if name.hasPrefix("wide") {
            content = try coder.decodeObject(of: [Animal.self, Rocket.self, [Any].self], forKey: "content")
        } else {
            content = try coder.decodeObject(forKey: "content")
        }
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encodeObject(content, forKey: "content")
    }

    static func == (left: Animal, right: Animal) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private class Dog: Animal {}
private final class Puppy: Dog {}

/// What no farm should make.
private final class Rocket: Coding, Hashable {
    init() {}
    init(coder: KeyedUnarchiver) throws { CreationLog.note(Rocket.self, coder.userInfo) }
    func encode(with coder: KeyedArchiver) throws {}

    static func == (left: Rocket, right: Rocket) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The same, Codable.
private final class Missile: Codable {
    init() {}
    init(from decoder: any Decoder) throws { CreationLog.note(Missile.self, decoder.userInfo) }
    func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: AnyKey.self) }
}

@Suite(.inTurn) struct `Secure coding` {
    /// An unarchiver, and what it makes.
    private func open(
        _ data: Data, requiringSecureCoding: Bool = true, _ types: any Any.Type...
    ) throws -> (KeyedUnarchiver, CreationLog) {
        let unarchiver = try keyedUnarchiver(
            data, requiringSecureCoding: requiringSecureCoding, registering: types)
        let log = CreationLog()
        unarchiver.userInfo[CreationLog.key] = log
        return (unarchiver, log)
    }

    // MARK: - Every way to ask

    /// A call that requests animals, and the value that has a rocket, or a subclass, instead.
    private typealias Call = (KeyedUnarchiver) throws -> Any?

    private static var calls: [(name: String, call: Call)] {
        [
            ("decode", { try $0.decode(Animal.self, forKey: "one") }),
            ("decodeIfPresent", { try $0.decodeIfPresent(Animal.self, forKey: "one") }),
            ("decodeReference", { try $0.decode(Reference<Animal>.self, forKey: "one").wrappedValue }),
            ("decodeWeakReference", { try $0.decode(WeakReference<Animal>.self, forKey: "one").wrappedValue }),
            ("list", { try $0.decodeObject(of: [Animal.self, [Any].self, String.self], forKey: "one") }),
            ("Coded", { try $0.decode(Coded<Animal>.self, forKey: "one").wrappedValue }),
            ("array", { try $0.decode([Animal].self, forKey: "list") }),
            ("Coded array", { try $0.decode(Coded<[Animal]>.self, forKey: "list").wrappedValue }),
            ("decodeArray", { try $0.decodeArray(of: [Animal.self], forKey: "list") }),
            ("list of lists", { try $0.decodeObject(of: [[Any].self, Animal.self], forKey: "list") }),
            ("set", { try $0.decode(Set<Animal>.self, forKey: "unique") }),
            (
                "list of sets", { try $0.decodeObject(of: [Set<AnyHashable>.self, Animal.self], forKey: "unique") }
            ),
            ("dictionary", { try $0.decode([String: Animal].self, forKey: "byName") }),
            (
                "decodeDictionary",
                { try $0.decodeDictionary(keysOf: [String.self], valuesOf: [Animal.self], forKey: "byName") }
            ),
            (
                "list of dictionaries",
                {
                    try $0.decodeObject(of: [[AnyHashable: Any].self, String.self, Animal.self], forKey: "byName")
                }
            ),
            ("unkeyed decode", { try $0.decodeNext(Animal.self) }),
            ("unkeyed list", { try $0.decodeNextObject(of: [Animal.self]) }),
        ]
    }

    private func archive(of object: some Coding & Hashable) throws -> Data {
        try keyedArchive {
            try $0.encode(object, forKey: "one")
            try $0.encode([object], forKey: "list")
            try $0.encode([object] as Set, forKey: "unique")
            try $0.encode(["k": object], forKey: "byName")
            try $0.encodeNext(object)
        }
    }

    @Test func `never creates another class than the requested one, whatever the call`() throws {
        for (name, call) in Self.calls {
            // Not even where the class is registered.
            for types in [[], [Rocket.self]] as [[any Any.Type]] {
                let unarchiver = try keyedUnarchiver(archive(of: Rocket()), registering: types)
                let log = CreationLog()
                unarchiver.userInfo[CreationLog.key] = log
                let error = try archivingError { try call(unarchiver) }
                #expect(error.code == .classNotAllowed, "\(name): \(error)")
                #expect(log.all.isEmpty, "\(name)")
            }
        }
    }

    @Test func `makes a subclass only where it is registered`() throws {
        let data = try archive(of: Puppy("p"))
        for (name, call) in Self.calls {
            let (unarchiver, log) = try open(data, Dog.self)
            let error = try archivingError { try call(unarchiver) }
            #expect(error.code == .classNotAllowed && log.all.isEmpty, "\(name): \(error)")
            let (knowing, made) = try open(data, Puppy.self)
            _ = try call(knowing)
            // A weak reference requests nothing.
            #expect(made.all == (name == "decodeWeakReference" ? [] : ["Puppy"]), "\(name)")
        }
    }

    @Test func `makes nothing that is no object of a class`() throws {
        let data = try keyedArchive {
            $0.encode("text", forKey: "string")
            try $0.encodeObject(["text"], forKey: "array")
            try $0.encodeObject(3, forKey: "number")
        }
        for key in ["string", "array", "number"] {
            let (unarchiver, _) = try open(data)
            let typed = try archivingError { try unarchiver.decode(Animal.self, forKey: key) }
            #expect(typed.code == (key == "array" ? .classNotAllowed : .typeMismatch), "\(key): \(typed)")
            let listed = try archivingError { try unarchiver.decodeObject(of: [Animal.self], forKey: key) }
            #expect(listed.code == .classNotAllowed, "\(key): \(listed)")
        }
        let (unarchiver, _) = try open(data)
        #expect(try unarchiver.decodeObject(of: [[Any].self, String.self], forKey: "array") as? [String] == ["text"])
        #expect(
            try archivingError { try unarchiver.decodeObject(of: [[Any].self], forKey: "array") }.code
                == .classNotAllowed)
    }

    @Test func `does not make Codable types that are not listed`() throws {
        let data = try keyedArchive { try $0.encodeObject([Missile()], forKey: "m") }
        let (unarchiver, log) = try open(data, Missile.self)
        for types in [[[Any].self], [[Any].self, Animal.self, Rocket.self]] as [[any Any.Type]] {
            let error = try archivingError { try unarchiver.decodeObject(of: types, forKey: "m") }
            #expect(error.code == .classNotAllowed && error.codingPath.text == "m[0]")
        }
        #expect(log.all.isEmpty)
        #expect(try unarchiver.decodeArray(of: [Missile.self], forKey: "m")?.first is Missile)
        #expect(log.all == ["Missile"])
    }

    // MARK: - What is there already

    @Test func `checks at every access, also what is there already`() throws {
        let (unarchiver, log) = try open(try keyedArchive { try $0.encode(Rocket(), forKey: "r") }, Rocket.self)
        let rocket = try unarchiver.decodeObject(of: [Animal.self, Rocket.self], forKey: "r") as? Rocket
        #expect(rocket != nil)
        #expect(
            try archivingError { try unarchiver.decodeObject(of: [Animal.self], forKey: "r") }.code
                == .classNotAllowed)
        #expect(try archivingError { try unarchiver.decode(Animal.self, forKey: "r") }.code == .classNotAllowed)
        #expect(
            try archivingError { try unarchiver.decode(Reference<Animal>.self, forKey: "r") }.code == .classNotAllowed
        )
        #expect(try unarchiver.decode(Rocket.self, forKey: "r") === rocket)
        #expect(log.all == ["Rocket"])

        let dog = try open(try keyedArchive { try $0.encode(Dog("d"), forKey: "d") }, Dog.self).0
        #expect(try dog.decode(Animal.self, forKey: "d") is Dog)
        #expect(
            try archivingError { try dog.decodeObject(of: [Puppy.self, Rocket.self], forKey: "d") }.code
                == .classNotAllowed)
        #expect(try archivingError { try dog.decode(Puppy.self, forKey: "d") }.code == .classNotAllowed)
    }

    // MARK: - Lists that are inherited

    /// Whom a call lets in, and what an animal has in it.
    private struct Row {
        var root: Animal
        var types: [any Any.Type]
        /// nil for an error.
        var made: [String]?
        var path = "root.content"
    }

    private static var rows: [Row] {
        [
            Row(root: Animal("a", content: Dog("d")), types: [Animal.self], made: ["Animal", "Dog"]),
            Row(root: Animal("a", content: Dog("d")), types: [Animal.self, Dog.self], made: ["Animal", "Dog"]),
            Row(root: Animal("a", content: Rocket()), types: [Animal.self], made: nil),
            Row(root: Animal("a", content: Rocket()), types: [Animal.self, Rocket.self], made: ["Animal", "Rocket"]),
            // A container has to be in the list, and what is in it.
            Row(root: Animal("a", content: [Dog("d")]), types: [Animal.self], made: nil),
            Row(root: Animal("a", content: [Dog("d")]), types: [Animal.self, [Any].self], made: ["Animal", "Dog"]),
            Row(
                root: Animal("a", content: [Rocket()]), types: [Animal.self, [Any].self], made: nil,
                path: "root.content[0]"),
            Row(root: Animal("a", content: 3), types: [Animal.self], made: nil),
            Row(root: Animal("a", content: 3), types: [Animal.self, Int.self], made: ["Animal"]),
            // Over several levels.
            Row(
                root: Animal("a", content: Animal("b", content: Rocket())), types: [Animal.self], made: nil,
                path: "root.content.content"),
            Row(
                root: Animal("a", content: Animal("b", content: Rocket())), types: [Animal.self, Rocket.self],
                made: ["Animal", "Animal", "Rocket"]),
            // What a call inside says takes the list's place, wider or narrower.
            Row(root: Animal("wide", content: Rocket()), types: [Animal.self], made: ["Animal", "Rocket"]),
            Row(
                root: Animal("wide", content: Animal("b", content: Rocket())), types: [Animal.self],
                made: ["Animal", "Animal", "Rocket"]),
            Row(root: Animal("narrow", content: Rocket()), types: [Animal.self, Rocket.self], made: nil),
            Row(
                root: Animal("narrow", content: Dog("d", content: Rocket())), types: [Animal.self, Rocket.self],
                made: nil,
                path: "root.content.content"),
            Row(
                root: Animal("narrow", content: Dog("d", content: Dog("e"))), types: [Animal.self],
                made: ["Animal", "Dog", "Dog"]),
        ]
    }

    @Test func `lets an init(coder:) that says nothing have what the call around it allows`() throws {
        for row in Self.rows {
            let data = try KeyedArchiver.archivedData(withRootObject: row.root)
            let (unarchiver, log) = try open(data, Dog.self, Puppy.self, Rocket.self)
            let label = "\(row.root.name): \(row.types) for \(row.path)"
            if let made = row.made {
                #expect(try unarchiver.decodeObject(of: row.types, forKey: "root") != nil, "\(label)")
                #expect(log.all == made, "\(label)")
            } else {
                let error = try archivingError { try unarchiver.decodeObject(of: row.types, forKey: "root") }
                #expect(error.code == .classNotAllowed && error.codingPath.text == row.path, "\(label): \(error)")
                #expect(!log.all.contains("Rocket"), "\(label)")
            }
        }
    }

    @Test func `says what is allowed, which is the class where a call names one`() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Animal("a", content: Dog("d")))
        let (unarchiver, _) = try open(data, Dog.self)
        #expect(unarchiver.allowedClasses == nil)
        let animal = try unarchiver.decode(Animal.self, forKey: "root")
        #expect(animal.allowed?.map { "\($0)" } == ["Animal"])
        #expect((animal.content as? Dog)?.allowed?.map { "\($0)" } == ["Animal"])
        let (listed, _) = try open(data, Dog.self)
        let again = try listed.decodeObject(of: [Rocket.self, Animal.self], forKey: "root") as? Animal
        #expect(again?.allowed?.map { "\($0)" } == ["Rocket", "Animal"])
        let (trusting, _) = try open(data, requiringSecureCoding: false, Dog.self)
        #expect(try trusting.decode(Animal.self, forKey: "root").allowed == nil)
    }

    @Test func `is an error if no class is allowed`() throws {
        let (unarchiver, log) = try open(archive(of: Animal("a")), Animal.self)
        let error = try archivingError { try unarchiver.decodeObject(forKey: "one") }
        #expect(error.code == .classNotAllowed && error.codingPath.text == "one")
        #expect(try archivingError { try unarchiver.decodeNextObject() }.code == .classNotAllowed)
        #expect(log.all.isEmpty)
    }

    @Test func `that is not required makes what is registered, and nothing else`() throws {
        let data = try keyedArchive {
            try $0.encode(Animal("a", content: [Rocket(), 3, "s", Dog("d")] as [Any]), forKey: "known")
            try $0.encodeObject([Missile()], forKey: "unknown")
        }
        let (unarchiver, log) = try open(data, requiringSecureCoding: false, Animal.self, Dog.self, Rocket.self)
        let animal = try #require(try unarchiver.decodeObject(forKey: "known") as? Animal)
        let content = try #require(animal.content as? [Any])
        #expect(content.count == 4 && content[0] is Rocket && content[1] as? Int == 3 && content[3] is Dog)
        let error = try archivingError { try unarchiver.decodeObject(forKey: "unknown") }
        #expect(error.code == .classNotAllowed && error.codingPath.text == "unknown[0]")
        #expect(log.all == ["Animal", "Rocket", "Dog"])
        // The other methods check as ever.
        #expect(try archivingError { try unarchiver.decode(Rocket.self, forKey: "known") }.code == .classNotAllowed)
    }
}
