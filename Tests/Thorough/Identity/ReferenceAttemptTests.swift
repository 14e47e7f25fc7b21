// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An initializer may catch the error of one of its parts and continue. References of that part must not let the rest fail, and
/// must not get lost if other objects have them.
@Suite(.inTurn) struct `A reference in an attempt to decode` {
    final class Node: Codable {
        var name: String
        @Reference var next: Node?

        init(_ name: String) { self.name = name }
    }

    /// Slots 1 and up; 10 is a good node, 11 one that is broken, 12 and 13 are the class entries of Node and NSArray.
    private static func archive(_ objects: PropertyList...) throws -> Data {
        try handmadeArchive(
            objects, from10: ["name": "good", "$class": .uid(12)], ["name": 7, "$class": .uid(12)], classEntry("Node"),
            classEntry("NSArray"))
    }

    // MARK: - Structs

    /// A struct with a reference to a broken node, requested in an attempt that fails or succeeds depending on `number`.
    struct Attempt: Decodable {
        struct Holder: Decodable {
            @Reference var node: Node?
            @References var nodes: [Node]
            @WeakReference var weak: Node?
            var number: Int
        }

        var holder: Holder?
        @Reference var node: Node?
        var good: Node

        private enum Key: CodingKey {
            case holder, node, good
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            holder = try? container.decode(Holder.self, forKey: .holder)
            _node = try container.decode(Reference<Node>.self, forKey: .node)
            good = try container.decode(Node.self, forKey: .good)
        }

        /// - Parameter target: The uid that the references of the holder have.
        static func archive(target: UInt32, node: UInt32, number: PropertyList) throws -> Data {
            try `A reference in an attempt to decode`.archive(
                ["holder": .uid(2), "node": .uid(node), "good": .uid(10)],
                ["node": .uid(target), "nodes": .uid(3), "weak": .uid(target), "number": number],
                ["NS.objects": [.uid(target), .uid(target)], "$class": .uid(13)])
        }
    }

    @Test func `that no object has any more is not followed`() throws {
        let data = try Attempt.archive(target: 11, node: 0, number: "no number")
        let attempt = try ArchiveDecoder().decode(Attempt.self, from: data)
        #expect(attempt.holder == nil)
        #expect(attempt.node == nil)
        #expect(attempt.good.name == "good")
    }

    @Test func `that an object has is followed, and its error is that of the whole`() throws {
        let error = try failure(
            decoding: Attempt.self, from: Attempt.archive(target: 11, node: 0, number: 1))
        #expect(error.kind == .typeMismatch)
        #expect(["holder.node.name", "holder.nodes[0].name"].contains(error.path), "\(error)")
    }

    @Test func `that another object has is followed after the attempt`() throws {
        let error = try failure(
            decoding: Attempt.self, from: Attempt.archive(target: 11, node: 11, number: "no number"))
        #expect(error.kind == .typeMismatch)
        #expect(error.path.hasSuffix("node.name"), "\(error)")
        let data = try Attempt.archive(target: 10, node: 10, number: "no number")
        let attempt = try ArchiveDecoder().decode(Attempt.self, from: data)
        #expect(attempt.holder == nil)
        #expect(attempt.node === attempt.good)
        let whole = try ArchiveDecoder().decode(Attempt.self, from: Attempt.archive(target: 10, node: 10, number: 1))
        #expect(whole.holder?.node === whole.good)
        #expect(whole.holder?.weak === whole.good)
        #expect(whole.holder?.nodes.map(\.name) == ["good", "good"])
    }

    @Test func `is to be followed again after an attempt at its instance`() throws {
        final class Careful: Decodable {
            var node: Node?
            @Reference var reference: Node?
            @WeakReference var weak: Node?

            private enum Key: CodingKey {
                case node, reference, weak
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                _reference = try container.decode(Reference<Node>.self, forKey: .reference)
                _weak = try container.decode(WeakReference<Node>.self, forKey: .weak)
                node = try? container.decode(Node.self, forKey: .node)
                if node == nil { reference = nil }
            }
        }
        let broken = try Self.archive(["node": .uid(11), "reference": .uid(11), "weak": .uid(11)])
        let careful = try ArchiveDecoder().decode(Careful.self, from: broken)
        #expect(careful.node == nil && careful.reference == nil && careful.weak == nil)
        let whole = try Self.archive(["node": .uid(10), "reference": .uid(10), "weak": .uid(10)])
        let good = try ArchiveDecoder().decode(Careful.self, from: whole)
        #expect(good.node?.name == "good")
        #expect(good.reference === good.node)
        #expect(good.weak === good.node)
    }

    // MARK: - Instances without references

    /// Decodes what is under "attempt", which may fail, and a node.
    struct Root<Part: Decodable>: Decodable {
        var part: Part?
        var error: String?
        var good: Node

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            do {
                part = try container.decode(Part.self, forKey: "attempt")
            } catch {
                self.error = CodingFailure(error).path
            }
            good = try container.decode(Node.self, forKey: "good")
        }
    }

    struct Part: Decodable {
        var node: Node
        var number: Int
    }

    @Test func `of an instance that only the failed part had is not followed`() throws {
        // The node in the part is complete, and its reference waits for one that is broken.
        let data = try Self.archive(
            ["attempt": .uid(2), "good": .uid(10)], ["node": .uid(3), "number": "no number"],
            ["name": "whole", "next": .uid(11), "$class": .uid(12)])
        let root = try ArchiveDecoder().decode(Root<Part>.self, from: data)
        #expect(root.part == nil)
        #expect(root.error == "attempt.number")
        #expect(root.good.name == "good")
    }

    @Test func `of an instance that others have, too, is followed`() throws {
        struct Both: Decodable {
            var root: Root<Part>
            var node: Node
        }
        func archive(_ next: UInt32) throws -> Data {
            try Self.archive(
                ["root": .uid(2), "node": .uid(4)], ["attempt": .uid(3), "good": .uid(10)],
                ["node": .uid(4), "number": "no number"], ["name": "whole", "next": .uid(next), "$class": .uid(12)])
        }
        let both = try ArchiveDecoder().decode(Both.self, from: archive(10))
        #expect(both.root.part == nil)
        #expect(both.node.name == "whole")
        #expect(both.node.next === both.root.good)
        let error = try failure(decoding: Both.self, from: archive(11))
        #expect(error.kind == .typeMismatch)
        #expect(error.path.hasSuffix("node.next.name"), "\(error)")
    }

    final class Parent: Decodable {
        var children: [Child]
        var number: Int
    }

    final class Child: Decodable {
        @Reference var parent: Parent?
        @WeakReference var weak: Parent?
    }

    final class ReferringParent: Decodable {
        @References var children: [Node]
        @Reference var first: ReferringParent?
        var number: Int
    }

    @Test func `back to an instance that fails is not followed where only that had it`() throws {
        let data = try Self.archive(
            ["attempt": .uid(2), "good": .uid(10)], ["children": .uid(3), "number": "no number", "$class": .uid(5)],
            ["NS.objects": [.uid(4)], "$class": .uid(13)], ["parent": .uid(2), "weak": .uid(2), "$class": .uid(6)],
            classEntry("Parent"), classEntry("Child"))
        let root = try ArchiveDecoder().decode(Root<Parent>.self, from: data)
        #expect(root.part == nil)
        #expect(root.error == "attempt.number")
        #expect(root.good.name == "good")
    }

    @Test func `to itself, of an instance that fails, is not followed`() throws {
        let data = try Self.archive(
            ["attempt": .uid(2), "good": .uid(10)],
            ["children": .uid(3), "first": .uid(2), "number": "no number", "$class": .uid(4)],
            ["NS.objects": [.uid(11)], "$class": .uid(13)],
            classEntry("ReferringParent"))
        let root = try ArchiveDecoder().decode(Root<ReferringParent>.self, from: data)
        #expect(root.part == nil)
        #expect(root.error == "attempt.number")
        #expect(root.good.name == "good")
    }

    @Test func `back to an instance that fails lets all fail if an object has it`() throws {
        struct Both: Decodable {
            var root: Root<Parent>
            var child: Child
        }
        let data = try Self.archive(
            ["root": .uid(7), "child": .uid(4)], ["children": .uid(3), "number": "no number", "$class": .uid(5)],
            ["NS.objects": [.uid(4)], "$class": .uid(13)], ["parent": .uid(2), "$class": .uid(6)],
            classEntry("Parent"), classEntry("Child"), ["attempt": .uid(2), "good": .uid(10)])
        let error = try failure(decoding: Both.self, from: data)
        #expect(error.kind == .typeMismatch)
        #expect(error.path.hasSuffix("number"), "\(error)")
    }
}
