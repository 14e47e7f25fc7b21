// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// References back to an instance that fails or has been changed.
@Suite(.inTurn) struct `An instance in a cycle` {
    /// Keeps what initializers met, beyond the decoding.
    final class Witness: @unchecked Sendable {
        static let key = CodingUserInfoKey.named("witness")
        var nodes: [Node] = []
        var failures = 0
    }

    /// A node whose initializer does what its name says.
    final class Node: Codable {
        var name: String
        var next: Node?
        var others: [Node]
        var last: Node?

        init(_ name: String, next: Node? = nil, others: [Node] = [], last: Node? = nil) {
            (self.name, self.next, self.others, self.last) = (name, next, others, last)
        }

        private enum CodingKeys: CodingKey { case name, next, others, last }
        struct Failure: Error {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let witness = decoder.userInfo[Witness.key] as? Witness
            name = try container.decode(String.self, forKey: .name)
            if name.contains("careless") {
                next = try? container.decodeIfPresent(Node.self, forKey: .next)
                others = (try? container.decode([Node].self, forKey: .others)) ?? []
            } else {
                next = try container.decodeIfPresent(Node.self, forKey: .next)
                others = try container.decode([Node].self, forKey: .others)
            }
            if name.contains("failing once"), witness?.failures == 0 {
                witness?.failures += 1
                throw Failure()
            }
            if name.contains("failing always") { throw Failure() }
            last = try container.decodeIfPresent(Node.self, forKey: .last)
            witness?.nodes.append(self)
        }

        func take() {
            var open = [self]
            while let node = open.popLast() {
                open += [node.next, node.last].compactMap { $0 } + node.others
                (node.next, node.last, node.others) = (nil, nil, [])
            }
        }
    }

    private func decode(_ node: Node, _ witness: Witness? = nil) throws -> Node {
        var decoder = ArchiveDecoder()
        decoder.userInfo[Witness.key] = witness
        return try decoder.decode(Node.self, from: ArchiveEncoder().encode(node))
    }

    // MARK: Failing

    @Test func `that fails without anybody who catches it fails the decoding`() throws {
        let failing = Node("failing always")
        let root = Node("root", next: failing)
        failing.others = [root]
        defer { root.take() }
        let error = try failure { try decode(root) }
        #expect(error.says("empty collection", "Failure()", "@References"), "\(error)")
    }

    @Test func `that fails and is dropped takes all references back to it with it`() throws {
        let failing = Node("failing always", next: Node("inside"))
        let root = Node("careless", next: failing)
        failing.next?.others = [root, failing]
        defer { root.take() }
        let copy = try decode(root)
        defer { copy.take() }
        #expect(copy.next == nil)
        #expect(copy.others.isEmpty)
    }

    @Test func `that fails always is an error if an object with a reference back to it still exists`() throws {
        let inside = Node("inside")
        let failing = Node("failing always", next: inside)
        inside.others = [failing]
        let root = Node("careless", next: failing, last: inside)
        defer { root.take() }
        #expect(throws: Node.Failure.self) { try decode(root) }
    }

    @Test func `that fails always is an error even if only the initializer's surroundings have a reference back to it`()
        throws
    {
        let inside = Node("inside")
        let failing = Node("failing always", next: inside)
        inside.others = [failing]
        let root = Node("careless", next: failing)
        defer { root.take() }
        let witness = Witness()
        #expect(throws: Node.Failure.self) { try decode(root, witness) }
        // A half-set instance, and the error that says so.
        #expect(witness.nodes.map(\.name) == ["inside", "careless"])
    }

    @Test func `that fails once is decoded again for references back to it`() throws {
        let inside = Node("inside")
        let failing = Node("failing once", next: inside)
        inside.others = [failing, failing]
        let root = Node("careless", next: failing, last: inside)
        defer { root.take() }
        let witness = Witness()
        let copy = try decode(root, witness)
        defer { copy.take() }
        #expect(witness.failures == 1)
        #expect(copy.next == nil)
        let insideCopy = try #require(copy.last)
        #expect(insideCopy.others.count == 2 && insideCopy.others[0] === insideCopy.others[1])
        #expect(insideCopy.others.first?.name == "failing once" && insideCopy.others.first?.next === insideCopy)
    }

    @Test func `that fails once leaves no two instances of one object`() throws {
        // Both elements refer to the failing one; the second attempt succeeds.
        let failing = Node("failing once")
        let first = Node("first", next: failing)
        failing.others = [first]
        let root = Node(
            "root", others: [Node("careless", next: first), Node("careless too", next: first), first, failing])
        defer { root.take() }
        let copy = try decode(root, Witness())
        defer { copy.take() }
        #expect(copy.others.count == 4)
        let firstCopy = copy.others[2]
        let failingCopy = copy.others[3]
        #expect(copy.others[0].next == nil || copy.others[0].next === firstCopy)
        #expect(copy.others[1].next === firstCopy)
        #expect(firstCopy.next === failingCopy)
        #expect(failingCopy.others.count == 1 && failingCopy.others[0] === firstCopy)
    }

    @Test func `that fails is released with everything in it`() throws {
        weak var leaked: Node?
        do {
            let inside = Node("inside")
            let failing = Node("failing always", next: inside)
            inside.others = [failing]
            let root = Node("careless", next: failing)
            failing.last = root
            defer { root.take() }
            let witness = Witness()
            _ = try? decode(root, witness)
            leaked = witness.nodes.first
            #expect(leaked?.name == "inside")
        }
        #expect(leaked == nil)
    }

    final class Owner: Codable {
        var parts: [Part] = []
        var next: Owner?
    }

    final class Part: Codable {
        unowned let owner: Owner
        init(_ owner: Owner) { self.owner = owner }

        private enum CodingKeys: CodingKey { case owner }
        init(from decoder: any Decoder) throws {
            owner = try decoder.container(keyedBy: CodingKeys.self).decode(Owner.self, forKey: .owner)
            throw Node.Failure()
        }
    }

    @Test(arguments: 0..<4)
    func `that fails when what it waited for is there fails the decoding`(depth: Int) async {
        await #expect(processExitsWith: .success) { [depth] in
            let owners = (0...depth).map { _ in Owner() }
            for index in 0..<depth { owners[index].next = owners[index + 1] }
            owners[depth].parts = [Part(owners[depth])]
            let data = try ArchiveEncoder().encode(owners)
            #expect(throws: Node.Failure.self) { try ArchiveDecoder().decode([Owner].self, from: data) }
            #expect(throws: Node.Failure.self) { try ArchiveDecoder().decode([Owner].self, from: data)[0].parts.count }
        }
    }

    // MARK: Releasing

    @Test func `is released when its cycle is opened`() throws {
        weak var leaked: Node?
        weak var alsoLeaked: Node?
        do {
            let root = Node("root", next: Node("inside"))
            root.next?.others = [root]
            defer { root.take() }
            let copy = try decode(root)
            (leaked, alsoLeaked) = (copy, copy.next)
            #expect(leaked?.next === alsoLeaked && alsoLeaked?.others.first === leaked && leaked != nil)
            copy.take()
        }
        #expect(leaked == nil)
        #expect(alsoLeaked == nil)
    }

    final class Child: Codable {
        weak var parent: Parent?
        unowned let owner: Parent?
        init(_ parent: Parent) { (self.parent, owner) = (parent, parent) }
    }

    final class Parent: Codable {
        var children: [Child] = []
    }

    @Test func `is not kept by properties that do not keep it`() throws {
        weak var leaked: Parent?
        let child: Child
        do {
            let parent = Parent()
            parent.children = [Child(parent), Child(parent)]
            let copy = try roundTrip(parent)
            leaked = copy
            child = copy.children[1]
            #expect(child.parent === copy && child.owner === copy)
        }
        #expect(leaked == nil)
        #expect(child.parent == nil)
    }
}
