import Archiving
import Foundation
import TestSupport
import Testing

/// Keyed containers of one key type are lent to one value after the other. A container that a value received must remain its own
/// as long as it is retained.
@Suite(.inTurn) struct `A container that is lent` {
    private enum Key: String, CodingKey { case name, number, other }

    // MARK: - Decoding

    private struct Plain: Codable, Equatable {
        var name: String
        var number: Int
    }

    /// Keeps the container that it was decoded from.
    private struct Keeper: Decodable {
        let container: KeyedDecodingContainer<Key>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
    }

    /// Requests a container again for each field, and retains the first one meanwhile.
    private struct Repeater: Codable, Equatable {
        var name: String
        var number: Int

        init(name: String, number: Int) {
            self.name = name
            self.number = number
        }

        init(from decoder: any Decoder) throws {
            let first = try decoder.container(keyedBy: Key.self)
            number = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .number)
            for _ in 0..<5 { _ = try decoder.container(keyedBy: OtherKey.self).contains(.name) }
            name = try first.decode(String.self, forKey: .name)
        }

        func encode(to encoder: any Encoder) throws {
            var first = encoder.container(keyedBy: Key.self)
            var second = encoder.container(keyedBy: OtherKey.self)
            try second.encode(name, forKey: .name)
            for _ in 0..<5 { _ = encoder.container(keyedBy: Key.self) }
            try first.encode(number, forKey: .number)
        }

        private enum OtherKey: String, CodingKey { case name }
    }

    @Test func `may be requested again and again`() throws {
        let values = (0..<20).map { Repeater(name: "name \($0)", number: $0) }
        let data = try ArchiveEncoder().encode(values)
        #expect(try ArchiveDecoder().decode([Repeater].self, from: data) == values)
        #expect(
            try ArchiveDecoder().decode([Plain].self, from: data)
                == values.map { Plain(name: $0.name, number: $0.number) })
    }

    private final class Token: Sendable {}

    @Test func `is released with its decoder some time after its last reference`() throws {
        let data = try ArchiveEncoder().encode(Plain(name: "kept", number: 7))
        weak var token: Token?
        func keep() throws -> Keeper {
            let made = Token()
            token = made
            var decoder = ArchiveDecoder()
            decoder.userInfo[.named("token")] = made
            return try decoder.decode(Keeper.self, from: data)
        }
        var keeper: Keeper? = try keep()
        _ = try ArchiveDecoder().decode(Plain.self, from: data)
        #expect(try keeper?.container.decode(Int.self, forKey: .number) == 7)
        #expect(token != nil)
        keeper = nil
        // Each decoding looks at a few of those that are kept, of this test and of others.
        for _ in 0..<10_000 where token != nil { _ = try ArchiveDecoder().decode(Plain.self, from: data) }
        #expect(token == nil)
    }

    /// Holds a hundred containers at a time, and lets go of them one by one.
    @Test func `that is kept has the fields of its own value, whatever happens to others`() throws {
        let values = (0..<100).map { Plain(name: "name \($0)", number: $0) }
        let data = try ArchiveEncoder().encode(values)
        var kept = Array(try ArchiveDecoder().decode([Keeper].self, from: data).enumerated())
        for round in 0..<20 {
            kept.removeAll { $0.offset % 20 == round }
            _ = try ArchiveDecoder().decode([Keeper].self, from: data)
            for (index, keeper) in kept {
                #expect(try keeper.container.decode(String.self, forKey: .name) == "name \(index)")
                #expect(try keeper.container.decode(Int.self, forKey: .number) == index)
                #expect(!keeper.container.contains(.other))
            }
        }
        #expect(kept.isEmpty)
    }

    // MARK: - Encoding

    /// Leaves its container with the list, and encodes nothing.
    private struct Late: Encodable {
        final class List {
            var containers: [KeyedEncodingContainer<Key>] = []
        }

        let list: List
        var fillsAll = false

        func encode(to encoder: any Encoder) throws {
            list.containers.append(encoder.container(keyedBy: Key.self))
            guard fillsAll else { return }
            for index in list.containers.indices {
                try list.containers[index].encode("name \(index)", forKey: .name)
                try list.containers[index].encode(index, forKey: .number)
            }
        }
    }

    @Test func `that is filled when its value is long complete writes into its own object`() throws {
        let list = Late.List()
        let values = (0..<20).map { Late(list: list, fillsAll: $0 == 19) }
        let data = try ArchiveEncoder().encode(values)
        let expected = (0..<20).map { Plain(name: "name \($0)", number: $0) }
        #expect(try ArchiveDecoder().decode([Plain].self, from: data) == expected)
    }

    // MARK: - Both in use at once

    private class Base: Codable {
        var name: String

        init(name: String) { self.name = name }
    }

    private final class Derived: Base {
        var number: Int

        init(name: String, number: Int) {
            self.number = number
            super.init(name: name)
        }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            number = try container.decode(Int.self, forKey: .number)
            try super.init(from: decoder)
            #expect(try container.decode(Int.self, forKey: .number) == number)
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: encoder)
            try container.encode(number, forKey: .number)
        }
    }

    @Test func `of a class is not that of its superclass`() throws {
        let objects = (0..<50).map { Derived(name: "name \($0)", number: $0) }
        let again = try ArchiveDecoder().decode([Derived].self, from: ArchiveEncoder().encode(objects))
        #expect(again.map(\.name) == objects.map(\.name))
        #expect(again.map(\.number) == objects.map(\.number))
    }

    private struct Tree: Codable, Equatable {
        var name: String
        var children: [Tree] = []

        init(depth: Int, name: String) {
            self.name = name
            if depth > 0 { children = (0..<3).map { Tree(depth: depth - 1, name: "\(name)\($0)") } }
        }

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

    @Test func `of a value is not that of a value of the same type inside it`() throws {
        let tree = Tree(depth: 4, name: "t")
        #expect(try ArchiveDecoder().decode(Tree.self, from: ArchiveEncoder().encode(tree)) == tree)
    }

    // MARK: - Errors

    private struct Failing: Codable {
        let fails: Bool

        init(fails: Bool) { self.fails = fails }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            fails = try container.decode(Bool.self, forKey: .other)
            if fails { throw CocoaError(.coderReadCorrupt) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(fails, forKey: .other)
            if fails { throw CocoaError(.coderInvalidValue) }
        }
    }

    /// Catches what its parts throw, and encodes what did not fail.
    private struct Tolerant: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for _ in 0..<3 { try? container.encode(Failing(fails: true), forKey: .other) }
            try container.encode("a name", forKey: .name)
            try container.encode(7, forKey: .number)
        }
    }

    @Test func `is lent again after a value that failed`() throws {
        let data = try ArchiveEncoder().encode((0..<5).map { _ in Tolerant() })
        let plain = try ArchiveDecoder().decode([Plain].self, from: data)
        #expect(plain == Array(repeating: Plain(name: "a name", number: 7), count: 5))
        #expect(throws: (any Error).self) { try ArchiveEncoder().encode([Failing(fails: true)]) }
        #expect(try ArchiveDecoder().decode([Plain].self, from: data) == plain)
    }
}
