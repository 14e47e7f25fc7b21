// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

// MARK: - Calls

/// A call, with a text that its result or its error has.
///
/// The whole result, bytes or a description of a value, is that of the first time.
struct Call: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let known: String
    private let body: @Sendable () throws -> Data

    /// A call that gives an archive.
    static func archive(
        _ description: String, _ known: String, _ body: @escaping @Sendable () throws -> Data
    ) -> Call {
        Call(testDescription: description, known: known, body: body)
    }

    /// A call that gives a value, of which `body` gives a description.
    static func value(
        _ description: String, _ known: String, _ body: @escaping @Sendable () throws -> String
    ) -> Call {
        Call(testDescription: description, known: known) { Data(try body().utf8) }
    }

    /// The result, or the description of the error.
    func result() -> Data {
        do { return try body() } catch { return Data("\(error)".utf8) }
    }

    private static let firstResults = Dictionary(uniqueKeysWithValues: all.map { ($0.testDescription, $0.result()) })

    func check(after earlier: String...) {
        let result = result()
        #expect(result.contains(known.utf8), "\(testDescription) after \(earlier)")
        #expect(result == Self.firstResults[testDescription], "\(testDescription) after \(earlier)")
    }
}

extension Call {
    static let all = principal + configured

    /// Each kind of call, with values that have a part of every kind.
    static let principal: [Call] = [
        .archive("an encoding", "shared text") { try ArchiveEncoder().encode(Animal()) },
        .value("a decoding", Animal.text) {
            try ArchiveDecoder().decode(Animal.self, from: ArchiveEncoder().encode(Animal())).description
        },
        .value("a decoding of keys in another order, and others", Animal.text) {
            let keys = ["legs", "extra", "weight", "kind", "tags", "twin", "name", "table", "owner", "numbers"]
            return try ArchiveDecoder().decode(Animal.self, from: ArchiveEncoder().encode(Animal.with(keys)))
                .description
        },
        .value("an encoding and a decoding of values in values of their types", "m100001110001-0name 1 2 name 1 2") {
            let (tree, derived) = (Tree("m", depth: 2), Derived("name", first: 1, second: 2))
            let forest = try roundTrip(Forest(tree: tree, derived: [derived, derived]))
            return "\(forest.tree.description)-0\(forest.derived.map(\.description).joined(separator: " "))"
        },
        .archive("an archiving", "Person") { try Person.archive() },
        .value("an archiving by an archiver of the program's own", "true") {
            try Person.withIda { ida in
                let archiver = KeyedArchiver()
                try archiver.encode(ida, forKey: "root")
                return try "\(archiver.finishEncoding() == KeyedArchiver.archivedData(withRootObject: ida))"
            }
        },
        .value("an unarchiving", "Ida 41 hen: Ole 7 duck, itself") {
            let ida = try KeyedUnarchiver.unarchivedObject(of: Person.self, from: Person.archive())
            defer { ida.friends = [] }
            return "\(ida.text): \(ida.friends[0].text), \(ida.friends[1] === ida ? "itself" : "another")"
        },
        .value("a deep copy", "Wheel w") { try deepCopy(of: Box(part: Wheel("w"))).part.description },
    ]

    private static let insecure = "does not support secure coding"

    /// The decoder with the class names that `encoded(_:)` registers.
    private static var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Wheel.self, name: "Rad")
        return decoder
    }

    private static func encoded(_ part: Part, _ name: String = "Rad") throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Wheel.self, name: name)
        return try encoder.encode(Box(part: part))
    }

    private static func draft() throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: Box(part: Draft("d")), requiringSecureCoding: false)
    }

    /// Calls with settings that a later call does not have, and calls that fail.
    private static let configured: [Call] = [
        .value("a decoding of a part", "Part p") {
            try ArchiveDecoder().decode(Box.self, from: encoded(Part("p"))).part.description
        },
        .value("a decoding with a registered name", "Wheel w") {
            try decoder.decode(Box.self, from: encoded(Wheel("w"))).part.description
        },
        .value("a decoding without the name", "object of Rad") {
            try ArchiveDecoder().decode(Box.self, from: encoded(Wheel("w"))).part.description
        },
        .value("a decoding as the requested class", "Part w") {
            var decoder = ArchiveDecoder()
            decoder.classes.unknownClasses = .decodeAsRequested
            return try decoder.decode(Box.self, from: encoded(Wheel("w"))).part.description
        },
        .value("a decoding of an insecure class", insecure) {
            var decoder = ArchiveDecoder()
            decoder.classes.register(Draft.self)
            return try decoder.decode(Box.self, from: draft()).part.description
        },
        .value("a decoding with limits", "objects") {
            var decoder = ArchiveDecoder()
            decoder.limits.objects = 2
            return try decoder.decode([Int].self, from: ArchiveEncoder().encode([1, 2, 3])).description
        },
        .value("a decoding without limits", "[1, 2, 3]") {
            try ArchiveDecoder().decode([Int].self, from: ArchiveEncoder().encode([1, 2, 3])).description
        },
        .value("a decoding with user info", "42") {
            var decoder = ArchiveDecoder()
            decoder.userInfo = [Answer.key: 42]
            return try decoder.decode(Answer.self, from: ArchiveEncoder().encode(Answer())).text
        },
        .value("a decoding without user info", "none") {
            try ArchiveDecoder().decode(Answer.self, from: ArchiveEncoder().encode(Answer())).text
        },
        .value("an encoding with user info", "42") {
            var encoder = ArchiveEncoder()
            encoder.userInfo = [Answer.key: 42]
            return try ArchiveDecoder().decode(String.self, from: encoder.encode(Answer()))
        },
        .value("an encoding without user info", "none") {
            try ArchiveDecoder().decode(String.self, from: ArchiveEncoder().encode(Answer()))
        },
        .archive("an encoding with a registered name", "Rad") { try encoded(Wheel("w")) },
        .archive("an encoding with another name", "Rueda") { try encoded(Wheel("w"), "Rueda") },
        .archive("an encoding of an insecure class", insecure) { try ArchiveEncoder().encode(Box(part: Draft("d"))) },
        .archive("an encoding that fails", "Failure") { try ArchiveEncoder().encode([Failing(form: 1)]) },
        .archive("an encoding of numbers", "NSArray") { try ArchiveEncoder().encode([1.5, 2.5]) },
        .archive("an encoding as XML", "<?xml") {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = .xml
            return try encoder.encode("text")
        },
        .value("a damaged archive", "trailer") {
            try ArchiveDecoder().decode(Box.self, from: encoded(Part("p")).dropLast(20)).part.description
        },
        .value("a cycle through a set", "a b a") {
            let (a, b) = (Friend("a"), Friend("b"))
            (a.friends, b.friends) = ([b], [a])
            defer { a.friends = [] }
            let copy = try ArchiveDecoder().decode(Friend.self, from: ArchiveEncoder().encode(a))
            defer { copy.friends = [] }
            let friend = try #require(copy.friends.first)
            return "\(copy.name) \(friend.name) \(friend.friends.first === copy ? "a" : "another")"
        },
        .value("a part that is decoded later", "[4, 5]") {
            let pages = try ArchiveDecoder().decode(Pages.self, from: ArchiveEncoder().encode(Pages(numbers: [4, 5])))
            try pages.$numbers.load()
            return "\(pages.numbers)"
        },
        .value("a deep copy of an insecure instance", "Draft d") {
            try deepCopy(of: Box(part: Draft("d"))).part.description
        },
        .value("a deep copy without Codable", "Draft d") { try deepCopy(of: Draft("d")).description },
        .value("an unarchiving of an insecure class", insecure) {
            let data = try KeyedArchiver.archivedData(withRootObject: Draft("d"), requiringSecureCoding: false)
            return try KeyedUnarchiver.unarchivedObject(of: Draft.self, from: data).description
        },
        .value("an unarchiving without secure coding", "Draft d") {
            let unarchiver = try KeyedUnarchiver(forReadingFrom: draft(), requiringSecureCoding: false)
            unarchiver.classes.register(Draft.self)
            return try unarchiver.decode(Box.self, forKey: "root").part.description
        },
        .archive("an archiving of an insecure class", insecure) {
            try KeyedArchiver.archivedData(withRootObject: Draft("d"))
        },
        .archive("an archiving of a key twice", "twice") {
            try KeyedArchiver.archivedData(
                withRootObject: Scribe {
                    $0.encode(1, forKey: "twice")
                    $0.encode(2, forKey: "twice")
                })
        },
        .value("an archiving without user info", "none") {
            try KeyedUnarchiver.unarchivedObject(
                of: Answer.self, from: KeyedArchiver.archivedData(withRootObject: Answer())
            ).text
        },
        .value("an encoding of empty collections", #"NSDictionary[@"a": NSArray[], @"b": NSArray[]]"#) {
            var encoder = ArchiveEncoder()
            encoder.outputFormatting = .sortedKeys
            return try archiveText(["a": [Int](), "b": []], by: encoder)
        },
        .value("an encoding of one empty collection", "NSDictionary[]") { try archiveText([String: Int]()) },
    ]

    private typealias Failing = `A value whose encode(to:) throws`.Failing
}

// MARK: - Values

extension Call {
    enum Kind: String, Codable {
        case cow, duck, hen
    }

    final class Owner: Codable {
        var name = "owner"
        var next: Owner?
    }

    struct Animal: Codable, CustomStringConvertible {
        var kind = Kind.hen
        var name = "shared text"
        var weight = 1.5
        var owner = Owner()
        var tags = ["shared text", "duck", "$null"]
        var numbers = [1, 2, 1]
        var table = ["k": [true]]
        var legs: Int? = 2
        var twin: [Owner]

        init() { twin = [owner] }

        static let text = #"hen shared text 1.5 owner ["shared text", "duck", "$null"] [1, 2, 1] ["k": [true]] 2 true"#

        var description: String {
            "\(kind) \(name) \(weight) \(owner.name) \(tags) \(numbers) \(table) \(legs ?? -1) "
                + "\(twin.first === owner)"
        }

        /// An animal that is encoded with these keys only, in this order. Keys that animals do not have have themselves as values.
        static func with(_ keys: [String]) -> Encoding {
            Encoding { encoder in
                let animal = Animal()
                var container = encoder.container(keyedBy: AnyKey.self)
                for key in keys {
                    switch key {
                    case "kind": try container.encode(animal.kind, forKey: "kind")
                    case "name": try container.encode(animal.name, forKey: "name")
                    case "weight": try container.encode(animal.weight, forKey: "weight")
                    case "owner": try container.encode(animal.owner, forKey: "owner")
                    case "tags": try container.encode(animal.tags, forKey: "tags")
                    case "numbers": try container.encode(animal.numbers, forKey: "numbers")
                    case "table": try container.encode(animal.table, forKey: "table")
                    case "legs": try container.encode(animal.legs, forKey: "legs")
                    case "twin": try container.encode(animal.twin, forKey: "twin")
                    default: try container.encode(key, forKey: AnyKey(key))
                    }
                }
            }
        }
    }

    private struct Forest: Codable {
        var tree: Tree
        var derived: [Derived]
    }

    /// Its parts are coded by its container before its name.
    private struct Tree: Codable, CustomStringConvertible {
        var name: String
        var children: [Tree] = []

        init(_ name: String, depth: Int) {
            self.name = name
            if depth > 0 { children = (0..<2).map { Tree("\(depth - 1)\($0)", depth: depth - 1) } }
        }

        var description: String { name + children.map(\.description).joined() }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            children = try container.decode([Tree].self, forKey: .children)
            name = try container.decode(String.self, forKey: .name)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(children, forKey: .children)
            try container.encode(name, forKey: .name)
        }

        private enum CodingKeys: CodingKey { case name, children }
    }

    private class Base: Codable, CustomStringConvertible {
        let name: String

        init(_ name: String) { self.name = name }

        var description: String { name }
    }

    /// Uses its container before and after its superclass has its own.
    private final class Derived: Base {
        let first: Int
        let second: Int

        init(_ name: String, first: Int, second: Int) {
            (self.first, self.second) = (first, second)
            super.init(name)
        }

        override var description: String { "\(name) \(first) \(second)" }

        private enum Key: CodingKey { case first, second }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            first = try container.decode(Int.self, forKey: .first)
            second = try container.decode(Int.self, forKey: .second)
            try super.init(from: decoder)
            #expect(try container.decode(Int.self, forKey: .first) == first)
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(first, forKey: .first)
            try super.encode(to: encoder)
            try container.encode(second, forKey: .second)
        }
    }

    final class Person: Coding {
        let name: String
        let age: Int
        let kind: Kind
        var friends: [Person] = []
        private static let longKey = String(repeating: "key", count: 100)

        init(_ name: String, age: Int, kind: Kind = .hen) { (self.name, self.age, self.kind) = (name, age, kind) }

        /// Calls `body` with Ida, who is a friend of herself.
        static func withIda<Result>(_ body: (Person) throws -> Result) rethrows -> Result {
            let ida = Person("Ida", age: 41)
            ida.friends = [Person("Ole", age: 7, kind: .duck), ida]
            defer { ida.friends = [] }
            return try body(ida)
        }

        static func archive() throws -> Data { try withIda { try KeyedArchiver.archivedData(withRootObject: $0) } }

        var text: String { "\(name) \(age) \(kind)" }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            age = try coder.decodeInteger(forKey: "age")
            kind = try coder.decode(Kind.self, forKey: "kind")
            #expect(try coder.decode(String.self, forKey: Self.longKey) == "shared")
            coder.publish(self)
            friends = try coder.decode([Person].self, forKey: "friends")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            coder.encode(age, forKey: "age")
            try coder.encode(kind, forKey: "kind")
            coder.encode("shared", forKey: Self.longKey)
            try coder.encode(friends, forKey: "friends")
        }
    }

    private class Part: Coding {
        class var supportsSecureCoding: Bool { true }
        let name: String

        init(_ name: String) { self.name = name }
        required init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
        func encode(with coder: KeyedArchiver) { coder.encode(name, forKey: "name") }
        var description: String { "\(type(of: self)) \(name)" }
    }

    private final class Wheel: Part {}

    private final class Draft: Part {
        override class var supportsSecureCoding: Bool { false }
    }

    private struct Box: Codable {
        @Coded var part: Part
    }

    private struct Answer: Codable {
        static let key = CodingUserInfoKey.named("answer")
        let text: String

        init() { text = "" }
        init(from decoder: any Decoder) throws { text = "\(decoder.userInfo[Self.key] ?? "none")" }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("\(encoder.userInfo[Self.key] ?? "none")")
        }
    }

    private struct Pages: Codable {
        @Deferred var numbers: [Int]
    }

    private final class Friend: Codable, Hashable {
        let name: String
        var friends: Set<Friend> = []

        init(_ name: String) { self.name = name }
        static func == (left: Friend, right: Friend) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
