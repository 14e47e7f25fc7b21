// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Graphs that are deep, and have cycles. Each runs in a process of its own: where the stack overflows, only that
/// process ends.
@Suite(.inTurn) struct `A deep graph with cycles` {
    private static let smallStack = 512 << 10
    private static let mainStack = 8 << 20

    final class Node: Codable {
        var next: Node?
        @WeakReference var previous: Node?
        var others: [Node] = []

        init() {}
    }

    final class Link: Codable {
        var next: Link?
        weak var previous: Link?
    }

    @Test func `of 200 000 instances is an error with a path on a small stack`() async {
        await #expect(processExitsWith: .success) {
            let count = 200_000
            let links = (0..<count).map { _ in Link() }
            for index in 0..<count { links[index].next = links[(index + 1) % count] }
            for index in 0..<count { links[(index + 1) % count].previous = links[index] }
            let data = try ArchiveEncoder().encode(links[0])
            for link in links { link.next = nil }
            for nesting in [DecodingLimits().nesting, Int.max] {
                let error = try onThread(stackSize: Self.smallStack) {
                    var decoder = ArchiveDecoder()
                    decoder.limits.nesting = nesting
                    return try failure { try decoder.decode(Link.self, from: data) }
                }
                #expect(error.kind == .dataCorrupted)
                #expect(error.says("nested"))
                #expect(error.path.hasPrefix("next.next.next"))
            }
        }
    }

    /// Nodes and the references from one to the next in turn: the second cannot be created without the first.
    final class Parent: Codable {
        var children: [Child] = []
    }

    final class Child: Codable {
        unowned let parent: Parent
        var next: Parent?
        init(_ parent: Parent) { self.parent = parent }
    }

    @Test func `whose instances are each finished inside the one before is an error or comes back`() async {
        await #expect(processExitsWith: .success) {
            // Every parent's children wait for it, and are decoded when it is complete, with the next parent in them.
            for (count, isShort) in [(5, true), (20_000, false)] {
                let parents = (0..<count).map { _ in Parent() }
                for index in parents.indices {
                    let child = Child(parents[index])
                    child.next = index + 1 < count ? parents[index + 1] : nil
                    parents[index].children = [child]
                }
                let data = try ArchiveEncoder().encode(parents[0])
                for parent in parents { parent.children[0].next = nil }
                for stackSize in [Self.smallStack, Self.mainStack] {
                    try onThread(stackSize: stackSize) {
                        guard isShort else {
                            let error = try failure(decoding: Parent.self, from: data)
                            #expect(error.kind == .dataCorrupted)
                            #expect(error.says("nested"))
                            #expect(error.path.hasPrefix("children[0].next"), "\(error.path.prefix(100))")
                            return
                        }
                        var parent = try ArchiveDecoder().decode(Parent.self, from: data)
                        for _ in 1..<count {
                            #expect(parent.children[0].parent === parent)
                            parent = try #require(parent.children[0].next)
                        }
                        #expect(parent.children.count == 1 && parent.children[0].next == nil)
                    }
                }
            }
        }
    }

    @Test func `is only as deep as the longest way to an instance that is not there yet`() async {
        await #expect(processExitsWith: .success) {
            try onThread(stackSize: Self.smallStack) {
                // The last of the list comes first: none is decoded inside another.
                let nodes = (0..<20_000).map { _ in Node() }
                for index in 1..<nodes.count { nodes[index].next = nodes[index - 1] }
                for node in nodes { (node.previous, node.others) = (node, [node]) }
                func open(_ nodes: [Node]) {
                    for node in nodes { (node.next, node.others) = (nil, []) }
                }
                defer { open(nodes) }
                let copy = try roundTrip(nodes)
                defer { open(copy) }
                #expect(copy.count == nodes.count)
                #expect((1..<copy.count).allSatisfy { copy[$0].next === copy[$0 - 1] })
                #expect(copy.allSatisfy { $0.previous === $0 && $0.others.count == 1 && $0.others[0] === $0 })
            }
        }
    }

    @Test func `where everything waits for the root comes back`() async {
        await #expect(processExitsWith: .success) {
            try onThread(stackSize: Self.smallStack) {
                let root = Node()
                root.others = (0..<10_000).map { _ in Node() }
                for node in root.others { (node.next, node.previous, node.others) = (root, root, [root]) }
                defer { for node in root.others { (node.next, node.others) = (nil, []) } }
                let copy = try roundTrip(root)
                defer { for node in copy.others { (node.next, node.others) = (nil, []) } }
                #expect(copy.others.count == 10_000)
                #expect(
                    copy.others.allSatisfy {
                        $0.next === copy && $0.previous === copy && $0.others.count == 1 && $0.others[0] === copy
                    })
            }
        }
    }
}
