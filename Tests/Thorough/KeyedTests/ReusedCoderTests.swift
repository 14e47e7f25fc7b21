import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Coders of one call leave memory for those of the next. Nothing of what a call did may show in another one.
@Suite(.inTurn) struct `An archive by one call after another` {
    final class Person: Coding {
        var name: String
        var age: Int
        var kind: Kind
        var friends: [Person] = []
        /// The shared text under a key that is too long to be kept.
        fileprivate static let longKey = String(repeating: "key", count: 40)

        init(_ name: String, age: Int, kind: Kind = .adult) {
            (self.name, self.age, self.kind) = (name, age, kind)
        }

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

    enum Kind: String, Codable { case child, adult }

    struct Holder: Codable {
        @Coded var people: [Person]
    }

    /// What a call may have done before.
    enum Disturbance: CaseIterable {
        case same, names, failure, failureInside, codableFailure, keptCoder, delegate, userInfo, settings, manyObjects,
            damaged
        case otherClass, nested, inCodable

        struct Failure: Error {}

        final class Disturbing: Coding {
            let body: (KeyedArchiver) throws -> Void

            init(_ body: @escaping (KeyedArchiver) throws -> Void) { self.body = body }
            init(coder: KeyedUnarchiver) throws {
                body = { _ in }
                if coder.containsValue(forKey: "fails") { throw Failure() }
                if coder.containsValue(forKey: "policy") { coder.decodingFailurePolicy = .setErrorAndReturn }
            }

            func encode(with coder: KeyedArchiver) throws { try body(coder) }
        }

        final class Delegate: KeyedArchiverDelegate {
            func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? { nil }
        }

        @discardableResult
        private func archive(_ body: @escaping (KeyedArchiver) throws -> Void) throws -> Data {
            try KeyedArchiver.archivedData(withRootObject: Disturbing(body))
        }

        func disturb() throws {
            switch self {
            case .same: _ = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
            case .names:
                var classes = ClassRegistry()
                classes.register(Person.self, name: "Human")
                let data = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1), classes: classes)
                _ = try KeyedUnarchiver.unarchivedObject(of: Person.self, from: data, classes: classes)
            case .failure: #expect(throws: Failure.self) { try archive { _ in throw Failure() } }
            case .failureInside:
                #expect(throws: Failure.self) {
                    try archive { coder in
                        coder.encode(1, forKey: "one")
                        try coder.encode([Person("Ida", age: 1)], forKey: "people")
                        try coder.encode(Disturbing { _ in throw Failure() }, forKey: "fails")
                    }
                }
            case .codableFailure:
                struct Failing: Codable {
                    init() {}
                    init(from decoder: any Decoder) throws { throw Failure() }
                    func encode(to encoder: any Encoder) throws {}
                }
                let data = try archive { try $0.encode(Failing(), forKey: "fails") }
                #expect(throws: (any Error).self) {
                    try KeyedUnarchiver.unarchivedObject(of: Disturbing.self, from: data)
                }
            case .keptCoder:
                nonisolated(unsafe) var kept: KeyedArchiver?
                try archive {
                    $0.encode("kept", forKey: "kept")
                    kept = $0
                }
                _ = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
                withExtendedLifetime(kept) {}
            case .delegate:
                let delegate = Delegate()
                try withExtendedLifetime(delegate) { _ = try archive { $0.delegate = delegate } }
            case .userInfo:
                let key = try #require(CodingUserInfoKey(rawValue: "secret"))
                try archive {
                    $0.userInfo = [key: "value"]
                    try $0.encode(Kind.child, forKey: "kind")
                }
            case .settings:
                try archive {
                    $0.outputFormat = .xml
                    $0.outputFormatting = .sortedKeys
                    $0.numericArrays = .packed
                    try $0.encode([1.5, 2.5], forKey: "numbers")
                }
                let data = try archive { $0.encode(true, forKey: "policy") }
                _ = try KeyedUnarchiver.unarchivedObject(of: Disturbing.self, from: data)
            case .manyObjects:
                let person = Person("Ida", age: 1)
                person.friends = (0..<3_000).map { Person("Friend \($0)", age: $0) }
                let data = try KeyedArchiver.archivedData(withRootObject: person)
                #expect(try KeyedUnarchiver.unarchivedObject(of: Person.self, from: data).friends.count == 3_000)
            case .damaged:
                let data = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
                #expect(throws: (any Error).self) {
                    try KeyedUnarchiver.unarchivedObject(of: Person.self, from: data.dropLast(20))
                }
                #expect(throws: (any Error).self) {
                    try KeyedUnarchiver.unarchivedObject(of: Person.self, from: Data("bplist00".utf8))
                }
            case .otherClass:
                let data = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
                #expect(throws: (any Error).self) {
                    try KeyedUnarchiver.unarchivedObject(of: Disturbing.self, from: data)
                }
                let failing = try archive { $0.encode(true, forKey: "fails") }
                #expect(throws: Failure.self) {
                    try KeyedUnarchiver.unarchivedObject(of: Disturbing.self, from: failing)
                }
            case .nested:
                try archive { coder in
                    let inner = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 1))
                    coder.encode(inner, forKey: "inner")
                    coder.encode(
                        try KeyedUnarchiver.unarchivedObject(of: Person.self, from: inner).name, forKey: "name")
                }
            case .inCodable:
                let data = try ArchiveEncoder().encode(Holder(people: [Person("Ida", age: 1), Person("Ole", age: 2)]))
                #expect(try ArchiveDecoder().decode(Holder.self, from: data).people.map(\.age) == [1, 2])
            }
        }
    }

    @Test(arguments: Disturbance.allCases)
    func `has the bytes and the objects that it had before`(_ disturbance: Disturbance) throws {
        #expect(Person.longKey.utf8.count > KeyCache<UInt32>.nameLimit)
        let ida = Person("Ida", age: 41)
        let ole = Person("Ole", age: 7, kind: .child)
        ida.friends = [ole, ida]
        let expected = try KeyedArchiver.archivedData(withRootObject: ida)
        let archiver = KeyedArchiver()
        try archiver.encode(ida, forKey: "root")
        // An archiver of the program's own is a new one.
        #expect(try archiver.finishEncoding() == expected)
        for _ in 0..<3 {
            try disturbance.disturb()
            #expect(try KeyedArchiver.archivedData(withRootObject: ida) == expected)
            let again = try KeyedUnarchiver.unarchivedObject(of: Person.self, from: expected)
            #expect(again.name == "Ida" && again.age == 41 && again.kind == .adult)
            #expect(again.friends.map(\.name) == ["Ole", "Ida"])
            #expect(again.friends[1] === again)
            #expect(again.friends[0].kind == .child)
        }
    }

    @Test func `is the same from many tasks at once`() async throws {
        let expected = try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 41))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<50 {
                        let other = try KeyedArchiver.archivedData(withRootObject: Person("\(task)", age: round))
                        let person = try KeyedUnarchiver.unarchivedObject(of: Person.self, from: other)
                        #expect(person.name == "\(task)" && person.age == round)
                        #expect(try KeyedArchiver.archivedData(withRootObject: Person("Ida", age: 41)) == expected)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
