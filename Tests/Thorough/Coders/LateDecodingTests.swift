// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Decoders and containers that outlive the `init(from:)` they were made for, or are used from inside another one.
@Suite(.inTurn) struct `What is kept beyond init(from:)` {
    struct Captured: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) { self.decoder = decoder }
    }

    @Test func `a decoder still reads its value, at its path`() throws {
        let data = try ArchiveEncoder().encode(["a": [["x": 1], ["x": 2]], "b": [["x": 3]]])
        let captured = try ArchiveDecoder().decode([String: [Captured]].self, from: data)
        let first = try #require(captured["a"]?[0].decoder)
        let second = try #require(captured["a"]?[1].decoder)
        let third = try #require(captured["b"]?[0].decoder)
        #expect(try first.container(keyedBy: AnyKey.self).decode(Int.self, forKey: "x") == 1)
        #expect(try third.container(keyedBy: AnyKey.self).decode(Int.self, forKey: "x") == 3)
        #expect(try [String: Int](from: second) == ["x": 2])
        #expect(first.codingPath.text == "a[0]")
        #expect(second.codingPath.text == "a[1]")
        #expect(third.codingPath.text == "b[0]")
    }

    @Test func `containers go on where they were`() throws {
        struct Lazy: Decodable {
            var container: any UnkeyedDecodingContainer
            var first: Int
            init(from decoder: any Decoder) throws {
                container = try decoder.unkeyedContainer()
                first = try container.decode(Int.self)
            }
        }
        var lists = try transcode([[1, 2, 3], [4, 5, 6]], as: [Lazy].self)
        #expect(lists.map(\.first) == [1, 4])
        #expect(try lists[0].container.decode(Int.self) == 2)
        #expect(try lists[1].container.decode(Int.self) == 5)
        #expect(try failure { try lists[0].container.decode([Int].self) }.path == "[0][2]")
        #expect(try lists[0].container.decode(Int.self) == 3)
        #expect(lists[0].container.isAtEnd)
    }

    @Test func `a nested container still reads its elements after other archives were decoded`() throws {
        let data = try ArchiveEncoder().encode(["outer": ["list": ["a", "b", "c"]], "other": ["list": ["d"]]])
        var lists: [any UnkeyedDecodingContainer] = []
        try decoding(data) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in ["outer", "other"] as [AnyKey] {
                let inner = try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                lists.append(try inner.nestedUnkeyedContainer(forKey: "list"))
            }
        }
        #expect(try lists[0].decode(String.self) == "a")
        for count in 1...20 {
            let texts = (0..<count).map { "text \($0)" }
            #expect(try roundTrip(["list": texts])["list"] == texts)
        }
        #expect(try lists[0].decode(String.self) == "b")
        #expect(try lists[1].decode(String.self) == "d")
        #expect(lists[1].codingPath.text == "other.list")
        #expect(try lists[0].decode(String.self) == "c")
        #expect(lists[0].isAtEnd)
    }

    /// A child that reads from its parent's container while it is being decoded itself.
    final class Shelf: @unchecked Sendable {
        var container: KeyedDecodingContainer<AnyKey>?
    }

    struct Child: Decodable, Equatable {
        var before: Int
        var borrowed: [String: [Int]]
        var after: Int
        var path: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            before = try container.decode(Int.self, forKey: "before")
            let shelf = decoder.userInfo[.named("shelf")] as? Shelf
            borrowed = try shelf?.container?.decode([String: [Int]].self, forKey: "shared") ?? [:]
            after = try container.decode(Int.self, forKey: "after")
            path = decoder.codingPath.text
        }
    }

    struct Parent: Decodable {
        var child: Child

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            (decoder.userInfo[.named("shelf")] as? Shelf)?.container = container
            child = try container.decode(Child.self, forKey: "child")
            (decoder.userInfo[.named("shelf")] as? Shelf)?.container = nil
        }
    }

    @Test func `a parent's container is read by the value inside it`() async {
        await #expect(processExitsWith: .success) {
            struct Source: Encodable {
                var child = ["before": 1, "after": 2]
                var shared = ["x": [3]]
            }
            var decoder = ArchiveDecoder()
            decoder.userInfo[.named("shelf")] = Shelf()
            let parent = try decoder.decode(Parent.self, from: ArchiveEncoder().encode(Source()))
            #expect(parent.child.before == 1)
            #expect(parent.child.borrowed == ["x": [3]])
            #expect(parent.child.after == 2)
            #expect(parent.child.path == "child")
        }
    }

    @Test func `instances decoded late are those that were decoded before`() throws {
        final class Node: Codable { var name = "x" }
        let node = Node()
        let data = try ArchiveEncoder().encode([["n": node], ["n": node]])
        let captured = try ArchiveDecoder().decode([Captured].self, from: data)
        let first = try captured[0].decoder.container(keyedBy: AnyKey.self).decode(Node.self, forKey: "n")
        let second = try captured[1].decoder.container(keyedBy: AnyKey.self).decode(Node.self, forKey: "n")
        #expect(first === second)
    }

    // MARK: - Many at once

    private enum Key: String, CodingKey { case name, number, other }

    private struct Plain: Codable, Equatable {
        var name: String
        var number: Int

        init(_ number: Int) { (name, self.number) = ("name \(number)", number) }
    }

    /// Keeps the container that it was decoded from.
    private struct Keeper: Decodable {
        let container: KeyedDecodingContainer<Key>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
    }

    /// Holds a hundred containers at a time, and lets go of them one by one.
    @Test func `each container has the fields of its own value, whatever happens to others`() throws {
        let data = try ArchiveEncoder().encode((0..<100).map(Plain.init))
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

    private final class Token: Sendable {}

    @Test func `a container is released after its last reference, with what its decoder holds`() throws {
        let data = try ArchiveEncoder().encode(Plain(7))
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
        // At the latest when others have been decoded.
        for _ in 0..<10_000 where token != nil { _ = try ArchiveDecoder().decode(Plain.self, from: data) }
        #expect(token == nil)
    }

    /// Requests a container again for each field, and retains the first one meanwhile.
    private struct Repeater: Codable {
        private enum OtherKey: String, CodingKey { case name }

        let plain: Plain

        init(_ plain: Plain) { self.plain = plain }

        init(from decoder: any Decoder) throws {
            let first = try decoder.container(keyedBy: Key.self)
            let number = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .number)
            for _ in 0..<5 { #expect(try decoder.container(keyedBy: OtherKey.self).contains(.name)) }
            plain = Plain(number)
            #expect(try first.decode(String.self, forKey: .name) == plain.name)
        }

        func encode(to encoder: any Encoder) throws {
            var first = encoder.container(keyedBy: Key.self)
            var second = encoder.container(keyedBy: OtherKey.self)
            try second.encode(plain.name, forKey: .name)
            for _ in 0..<5 { _ = encoder.container(keyedBy: Key.self) }
            try first.encode(plain.number, forKey: .number)
        }
    }

    @Test func `a container is that of its value also if others are requested meanwhile`() throws {
        let values = (0..<20).map(Plain.init)
        let data = try ArchiveEncoder().encode(values.map(Repeater.init))
        #expect(try ArchiveDecoder().decode([Repeater].self, from: data).map(\.plain) == values)
        #expect(try ArchiveDecoder().decode([Plain].self, from: data) == values)
    }
}
