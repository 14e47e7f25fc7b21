// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private final class Node: Codable {
    var name: String
    var next: Node?
    var children: [Node] = []
    @Reference var reference: Node?
    weak var plainlyWeak: Node?

    init(_ name: String) { self.name = name }

    func untie() {
        next = nil
        children = []
        reference = nil
    }
}

@Suite(.inTurn) struct `A deep copy` {
    struct Animal: Codable {
        var name: String
        var owner: Owner
    }

    // MARK: Identity

    @Test func `has the same shape, with new instances`() throws {
        let (first, second) = (Owner("a"), Owner("a"))
        let animals = [
            Animal(name: "x", owner: first), Animal(name: "y", owner: second), Animal(name: "z", owner: first),
        ]
        let copy = try deepCopy(of: animals)
        #expect(copy.map(\.name) == ["x", "y", "z"])
        #expect(copy.map(\.owner.name) == ["a", "a", "a"])
        #expect(copy[0].owner === copy[2].owner)
        #expect(copy[0].owner !== copy[1].owner)
        #expect(copy.allSatisfy { $0.owner !== first && $0.owner !== second })
    }

    @Test func `shares nothing that changes`() throws {
        let owner = Owner("before")
        var original = ["a": [Animal(name: "x", owner: owner)]]
        let copy = try deepCopy(of: original)
        owner.name = "after"
        original["a"]?[0].name = "y"
        #expect(copy["a"]?[0].owner.name == "before")
        #expect(copy["a"]?[0].name == "x")
        copy["a"]?[0].owner.name = "copy"
        #expect(owner.name == "after")
    }

    @Test func `is made of instances in every kind of collection`() throws {
        struct Hashed: Codable, Hashable {
            var id: Int
            var owner: Owner
            static func == (left: Self, right: Self) -> Bool { left.id == right.id }
            func hash(into hasher: inout Hasher) { hasher.combine(id) }
        }
        enum Payload: Codable {
            case one(Owner)
            case named(owner: Owner, [Owner?])
        }
        struct Everything: Codable {
            var array: [Owner]
            var nested: [[Owner?]]
            var byName: [String: Owner]
            var set: Set<Hashed>
            var keys: [Hashed: Int]
            var payloads: [Payload]
            var optional: Owner??
        }
        let owner = Owner("o")
        let copy = try deepCopy(
            of: Everything(
                array: [owner], nested: [[nil, owner]], byName: ["a": owner], set: [Hashed(id: 1, owner: owner)],
                keys: [Hashed(id: 2, owner: owner): 3],
                payloads: [.one(owner), .named(owner: owner, [owner, nil])], optional: owner))
        let twin = copy.array[0]
        #expect(twin !== owner && twin.name == "o")
        #expect(copy.nested[0][0] == nil && copy.nested[0][1] === twin)
        #expect(copy.byName["a"] === twin)
        #expect(copy.set.first?.owner === twin && copy.keys.first?.key.owner === twin && copy.keys.first?.value == 3)
        guard case .one(let one) = copy.payloads[0], case .named(let named, let others) = copy.payloads[1] else {
            throw CocoaError(.coderReadCorrupt)
        }
        #expect(one === twin && named === twin && others.count == 2 && others[0] === twin && others[1] == nil)
        #expect(copy.optional.flatMap { $0 } === twin)
    }

    @Test func `of an instance is another one`() throws {
        let owner = Owner("o")
        let copy = try deepCopy(of: owner)
        #expect(copy !== owner && copy.name == "o")
        let optional: Owner? = owner
        #expect(try deepCopy(of: optional) !== owner)
        #expect(try deepCopy(of: optional)?.name == "o")
        #expect(try deepCopy(of: Owner?.none) == nil)
    }

    // MARK: Cycles and weak references

    @Test func `of cycles has cycles`() throws {
        let (left, right) = (Node("l"), Node("r"))
        left.next = right
        right.children = [left]
        left.children = [right, left]
        let copy = try deepCopy(of: left)
        defer { for node in [left, right, copy, copy.next].compactMap({ $0 }) { node.untie() } }
        #expect(copy.name == "l" && copy.next?.name == "r")
        #expect(copy.next?.children.count == 1 && copy.next?.children[0] === copy)
        #expect(copy.children.count == 2 && copy.children[0] === copy.next && copy.children[1] === copy)
        #expect(copy !== left && copy.next !== right)
    }

    @Test func `finds the properties that no archive of could be decoded`() throws {
        let (left, right) = (Node("l"), Node("r"))
        (left.next, right.next) = (right, left)
        defer { left.untie() }
        let error = try failure { try deepCopy(of: left) }
        #expect(error.path == "next.next" && error.says("Node.next", "`@Reference var next: Node?`"), "\(error)")
    }

    @Test func `of cycles of references has cycles, however long`() throws {
        let nodes = (0..<100_000).map { Node("\($0 % 10)") }
        for index in nodes.indices { nodes[index].reference = nodes[(index + 1) % nodes.count] }
        let copy = try onThread(stackSize: 512 * 1024) { [nodes = UncheckedSendable(nodes)] in
            try UncheckedSendable(deepCopy(of: nodes.value[0]))
        }.value
        var node = copy
        var count = 1
        while let next = node.reference, next !== copy {
            node.reference = nil
            node = next
            count += 1
        }
        for node in nodes { node.reference = nil }
        node.reference = nil
        #expect(count == 100_000)
    }

    private struct UncheckedSendable<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    @Test func `follows plain weak properties, and keeps nothing for them`() throws {
        let (parent, child) = (Node("parent"), Node("child"))
        parent.children = [child]
        child.plainlyWeak = parent
        let copy = try deepCopy(of: parent)
        #expect(copy.children[0].plainlyWeak === copy)
        // A property that is weak and the only one to refer to an instance does not keep the copy.
        let lonely = Node("lonely")
        lonely.plainlyWeak = parent
        #expect(try deepCopy(of: lonely).plainlyWeak == nil)
    }

    @Test func `keeps nothing alive but itself`() throws {
        weak var leaked: Owner?
        do {
            let copy = try deepCopy(of: [Animal(name: "x", owner: Owner("o"))])
            leaked = copy[0].owner
            withExtendedLifetime(copy) { #expect(leaked?.name == "o") }
        }
        #expect(leaked == nil)
    }

    // MARK: Settings and errors

    @Test func `passes user info to both sides`() throws {
        struct Asking: Codable {
            var seen: [String] = []
            init() {}
            init(from decoder: any Decoder) throws {
                seen = try decoder.container(keyedBy: AnyKey.self).decode([String].self, forKey: "seen")
                seen.append(Self.answer(decoder.userInfo))
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode([Self.answer(encoder.userInfo)], forKey: "seen")
            }
            static func answer(_ userInfo: [CodingUserInfoKey: Any]) -> String {
                CodingUserInfoKey(rawValue: "answer").flatMap { userInfo[$0] as? String } ?? "none"
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "answer"))
        #expect(try deepCopy(of: [Asking()], userInfo: [key: "42"])[0].seen == ["42", "42"])
        #expect(try deepCopy(of: [Asking()])[0].seen == ["none", "none"])
    }

    private struct Failure: Error, Equatable {
        var place: String
    }

    private final class Failing: Codable {
        let encodes: Bool
        init(encodes: Bool) { self.encodes = encodes }
        init(from decoder: any Decoder) throws { throw Failure(place: "decoding") }
        func encode(to encoder: any Encoder) throws {
            guard encodes else { throw Failure(place: "encoding") }
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(encodes, forKey: "encodes")
        }
    }

    @Test func `throws what encode(to:) and init(from:) throw`() throws {
        #expect(throws: Failure(place: "encoding")) { try deepCopy(of: ["a": [Failing(encodes: false)]]) }
        #expect(throws: Failure(place: "decoding")) { try deepCopy(of: ["a": [Failing(encodes: true)]]) }
        // The next one is none the worse for it.
        #expect(try deepCopy(of: [Owner("o")])[0].name == "o")
    }

    @Test func `throws the errors of encoding and decoding, with their paths`() throws {
        struct Loss: Codable {
            var kept = 1
            func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: AnyKey.self) }
        }
        let error = try failure { try deepCopy(of: [["x": Loss()]]) }
        // A type of plain numbers is copied as it is, and loses nothing.
        #expect(try deepCopy(of: Loss()).kept == 1)
        #expect(error.kind == .keyNotFound)
        #expect(error.key == "kept")
        #expect(error.path == "[0].x")
    }

    // MARK: Where it is made

    /// Holds a copy of its own that it makes anew each time.
    private struct Copying: Codable {
        var owner: Owner
        var copy: Owner?

        init(_ owner: Owner) { self.owner = owner }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            owner = try container.decode(Owner.self, forKey: "owner")
            copy = try deepCopy(of: [owner])[0]
            #expect(try container.decode(Owner.self, forKey: "copy").name == owner.name)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(owner, forKey: "owner")
            let copy = try deepCopy(of: ["x": owner])
            try container.encode(copy["x"], forKey: "copy")
        }
    }

    @Test func `may be made while another one is, or an archive`() throws {
        let owner = Owner("o")
        let copies = try deepCopy(of: [Copying(owner), Copying(owner)])
        #expect(copies[0].owner === copies[1].owner && copies[0].owner !== owner)
        #expect(copies.allSatisfy { $0.copy !== $0.owner && $0.copy?.name == "o" })
        let again = try roundTrip([Copying(owner)])
        #expect(again[0].copy !== again[0].owner && again[0].copy?.name == "o")
    }

    @Test func `may be made by many tasks at once`() async throws {
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for seed in 0..<200 {
                group.addTask {
                    let owner = Owner("\(seed)")
                    let animals = (0..<20).map { Animal(name: "\(seed + $0)", owner: owner) }
                    let copy = try deepCopy(of: animals)
                    guard copy.allSatisfy({ $0.owner === copy[0].owner && $0.owner !== owner }) else { return -1 }
                    guard copy.map(\.name) == animals.map(\.name) else { return -2 }
                    return Int(copy[0].owner.name) ?? -3
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums.sorted() == Array(0..<200))
    }
}
