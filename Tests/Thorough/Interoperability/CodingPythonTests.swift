// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What plistlib finds in archives of `Coding` objects: what is in them, entry by entry, and so what any reader finds.
@Suite(.inTurn, .needs(.tool("python3")))
struct `Python's plistlib finds of Coding objects` {
    /// What the expression says of an archive, the same for both formats.
    private func evaluate(_ expression: String, _ write: (KeyedArchiver) throws -> Void) throws -> String {
        let archives = try PropertyListFormat.allCases.map { format in
            let archiver = KeyedArchiver()
            archiver.outputFormat = format
            try write(archiver)
            return try archiver.finishEncoding()
        }
        return try Plistlib.evaluate(expression, in: archives)
    }

    @Test func `circles`() throws {
        let nodes = [Node("a"), Node("b"), Node("c")]
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % 3] }
        let names = "[o(o(uid)['name']) for uid in (first, second, third)]"
        let walk = """
            (lambda first: (lambda second: (lambda third: (\(names), o(third)['next'] == first))(o(second)['next']))
            (o(first)['next']))(top['root'])
            """
        let text = try evaluate(walk.replacing("\n", with: "")) { try $0.encode(nodes[0], forKey: "root") }
        #expect(text == "(['a', 'b', 'c'], True)")
        let alone = Node("alone")
        alone.next = alone
        #expect(
            try evaluate("o(top['root'])['next'] == top['root']") { try $0.encode(alone, forKey: "root") } == "True")
        for node in nodes + [alone] { node.next = nil }
    }

    @Test func `a list that no stack could hold`() throws {
        var head: Node?
        for index in 0..<100_000 {
            let node = Node("\(index % 10)")
            node.next = head
            head = node
        }
        let archiver = KeyedArchiver()
        try archiver.encode(head, forKey: "root")
        let expression = "sum(1 for each in objects if isinstance(each, dict) and 'next' in each)"
        #expect(try Plistlib.evaluate(expression, in: [archiver.finishEncoding()]) == "100000")
        // Released one by one, since a deinitialiser that goes from one to the next takes stack for each.
        while let node = head { head = node.next.take() }
    }

    @Test func `equal objects in slots of their own, and one instance in one`() throws {
        let leaf = Leaf("a")
        let expression = "[top['a'] == top['b'], top['a'] == top['c'], c(top['a']), o(o(top['c'])['name'])]"
        let text = try evaluate(expression) { archiver in
            try archiver.encode(leaf, forKey: "a")
            try archiver.encode(leaf, forKey: "b")
            try archiver.encode(Leaf("a"), forKey: "c")
        }
        #expect(text == "[True, False, ['Leaf', 'NSObject'], 'a']")
    }

    @Test func `numbers with the types that they had`() throws {
        let expression = "[type(top[key]).__name__ for key in sorted(top)]"
        let text = try evaluate(expression) { archiver in
            archiver.encode(1, forKey: "a")
            archiver.encode(true, forKey: "b")
            archiver.encode(1.0, forKey: "c")
            archiver.encode(Float(1), forKey: "d")
            archiver.encode(UInt64.max, forKey: "e")
        }
        #expect(text == "['int', 'bool', 'float', 'float', 'int']")
        let objects = "[o(uid) for uid in o(top['numbers'])['NS.objects']]"
        let mixed = try evaluate(objects) { try $0.encodeObject([1, true, 1.0, 1] as [Any], forKey: "numbers") }
        #expect(mixed == "[1, True, 1.0, 1]")
    }

    @Test func `the names of classes, superclasses and fallbacks`() throws {
        let leaf = LastLeaf("a", number: 1)
        #expect(
            try evaluate("c(top['leaf'])") { try $0.encode(leaf, forKey: "leaf") }
                == "['LastLeaf', 'NumberedLeaf', 'Leaf', 'NSObject']")
        let expression = "o(o(top['object'])['$class'])"
        let text = try evaluate("\(expression)['$classhints'], \(expression)['$classname']") {
            try $0.encode(Fallen(), forKey: "object")
        }
        #expect(text == "(['Angel', 'NSObject'], 'Fallen')")
    }

    @Test func `one entry for each class, behind the first object of it`() throws {
        let leaves = (0..<5).map { Leaf("\($0)") }
        let expression = "sum(1 for each in objects if isinstance(each, dict) and each.get('$classname') == 'Leaf')"
        #expect(try evaluate(expression) { try $0.encode(leaves, forKey: "leaves") } == "1")
    }

    @Test func `nil, and conditional references to nothing`() throws {
        let leaf = Leaf("a")
        let expression = "[top['nil'], o(top['absent']), top['absent'] == top['again'], 'missing' in top]"
        let archiver = KeyedArchiver()
        try archiver.encode(nil as Leaf?, forKey: "nil")
        try archiver.encodeConditional(leaf, forKey: "absent")
        try archiver.encodeConditional(leaf, forKey: "again")
        #expect(
            try Plistlib.evaluate(expression, in: [archiver.finishEncoding()]) == "[UID(0), '$null', True, False]")
    }

    @Test func `keys and values as they are in Cocoa`() throws {
        let text = try evaluate("sorted(top)") { archiver in
            archiver.encode(1, forKey: "$a")
            archiver.encode(2, forKey: "$$")
            archiver.encode(3, forKey: "a")
            archiver.encodeNext(4)
            archiver.encodeNext("text")
        }
        #expect(text == "['$$$', '$$a', '$0', '$1', 'a']")
        let geometry = try evaluate("[o(top[key]) for key in ('point', 'size', 'rect')]") { archiver in
            archiver.encodePoint(x: 1.5, y: -2, forKey: "point")
            archiver.encodeSize(width: 0, height: 0.1, forKey: "size")
            archiver.encodeRect(x: 400, y: 300, width: 200, height: 1e21, forKey: "rect")
        }
        #expect(geometry.hasPrefix("['{1.5, -2}', '{0, 0.1}', '{{400, 300}, {200, 1"), "\(geometry)")
        let bytes = try evaluate("top['bytes'], o(top['data'])") { archiver in
            archiver.encodeBytes([1, 2], forKey: "bytes")
            archiver.encode(Data([3]), forKey: "data")
        }
        #expect(bytes == #"(b'\x01\x02', b'\x03')"#)
    }
}

// MARK: - Classes

/// One after the other, in a line or in a circle.
private final class Node: Coding, ArchiveDescribing {
    static let archiveName = "Node"

    let name: String
    var next: Node?

    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(next, forKey: "next")
    }
}

private final class Fallen: Coding, ArchiveDescribing {
    static let archiveName = "Fallen"
    static let archiveFallbacks = ["Angel", "NSObject"]

    init() {}
    init(coder: KeyedUnarchiver) throws {}

    func encode(with coder: KeyedArchiver) throws {}
}
