// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The nesting of an archive` {
    final class Node: Codable {
        var next: Node?
        init(_ next: Node? = nil) { self.next = next }
    }

    private func nesting(_ value: some Encodable) throws -> (depth: Int, path: KeyedArchive.Path) {
        try KeyedArchive(ArchiveEncoder().encode(value)).nesting()
    }

    @Test func `counts the objects inside each other, with a path to the innermost one`() throws {
        #expect(try nesting(Node()).depth == 1)
        let chain = (0..<9).reduce(Node()) { node, _ in Node(node) }
        let (depth, path) = try nesting([Node(), chain])
        #expect(depth == 11)
        #expect(path.steps == [.key("root"), .index(1)] + Array(repeating: .key("next"), count: 9))
        #expect(try nesting(["a": [Node()]]).path == [.key("root"), .key("a"), .index(0)])
    }

    struct Layout: Codable {
        var children: [Layout] = []
    }

    @Test func `counts structures and their arrays, at any depth`() throws {
        // A value that is never destroyed, which would take stack for each level.
        let layout = UnsafeMutablePointer<Layout>.allocate(capacity: 1)
        layout.initialize(to: (1..<1_500).reduce(Layout()) { inner, _ in Layout(children: [inner]) })
        nonisolated(unsafe) let value = layout
        let (depth, steps) = try onThread(stackSize: 64 << 20) {
            let found = try nesting(value.pointee)
            return (found.depth, found.path.steps.count)
        }
        // 1500 structures, each with an array; a step to the root, and two for each structure but the first one, and its array.
        #expect(depth == 3_000 && steps == 3_000)
    }

    @Test func `follows a cycle once, and an instance at the first reference to it`() throws {
        let first = Node()
        first.next = Node(first)
        #expect(try nesting(first).depth == 2)
        let nodes = (0..<100).map { _ in Node() }
        for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
        #expect(try nesting(nodes).depth == 101)
        #expect(try nesting(Array(nodes.reversed())).depth == 2)
    }

    @Test func `takes no stack, and time in proportion`() throws {
        let count: UInt32 = 100_000
        // Each refers to the next one, and the last one is the class.
        let objects = (1...count).map { ["next": .uid($0 + 1), "$class": .uid(count + 1)] as PropertyList }
        let list: PropertyList = [
            "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)],
            "$objects": .array(["$null"] + objects + [classEntry("Node")]),
        ]
        #expect(try KeyedArchive(list.data()).nesting().depth == Int(count))
    }

    @Test func `is found in damaged archives too`() throws {
        // A missing object, a list that contains itself by its uid, and a value that is no reference.
        let data = try handmadeArchive(
            ["list": .uid(2), "gone": .uid(99), "self": .uid(1), "$class": .uid(3)], [.uid(2), .uid(1), 5],
            classEntry("Node"))
        #expect(try KeyedArchive(data).nesting().depth == 2)
        #expect(try KeyedArchive(handmadeArchive("text")).nesting().depth == 0)
    }
}
