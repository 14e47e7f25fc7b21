// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

private final class Calls: Sendable {
    private let names = Mutex<[String]>([])
    func note(_ name: String) { names.withLock { $0.append(name) } }
    func take() -> [String] {
        names.withLock {
            let all = $0
            $0 = []
            return all
        }
    }
}

private let calls = Calls()

private final class Node: ArchivedFields {
    var name = ""
    var next: Node?
    var children: [Node] = []
    weak var parent: Node?
    @Reference var reference: Node?
    @WeakReference var weakReference: Node?
    @References var references: [Node]
    var part = Part()
    var unique: Set<Key> = []
    /// Computed when the decoding is complete, from everything that the node refers to.
    var summary = ""

    init() { references = [] }

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }

    static let fields = FieldList<Node> {
        Field("next", \.next)
        Field("children", \.children)
        Field("parent", \.parent, .conditional)
        Field("reference", \._reference)
        Field("weakReference", \._weakReference)
        Field("references", \._references)
        Field("part", \.part)
        Field("unique", \.unique)
        Field("name", \.name)
    }

    func didFinishDecoding() throws {
        calls.note(name)
        summary = text
    }

    var text: String {
        let single = [next, parent, reference, weakReference, part.node, next?.next, parent?.next]
        return
            (single.map { $0?.name ?? "-" } + children.map(\.name) + references.map(\.name)
            + unique.map(\.node.name)).joined(separator: " ")
    }

    func clear() { (next, children, reference, references, part, unique) = (nil, [], nil, [], Part(), []) }
}

private struct Part: ArchivedFields {
    var label = "new"
    var node: Node?
    /// Not a field.
    var length = -1
    init() {}
    static let fields = FieldList<Part> {
        Field("node", \.node)
        Field("label", \.label)
    }

    mutating func didFinishDecoding() throws {
        length = label.count
        if label == "bad" { throw CocoaError(.coderInvalidValue) }
    }
}

private struct Key: ArchivedFields, Hashable {
    var node = Node()
    init() {}
    init(_ node: Node) { self.node = node }
    static let fields = FieldList<Key> { Field("node", \.node) }
    static func == (left: Key, right: Key) -> Bool { left.node === right.node }
    func hash(into hasher: inout Hasher) { hasher.combine(node.name) }
}

@Suite(.inTurn) struct `The end of the decoding of declared fields` {
    private func graph() -> [Node] {
        let nodes = (0..<4).map { Node("\($0)") }
        for (index, node) in nodes.enumerated() {
            (node.next, node.parent) = (nodes[(index + 1) % 4], nodes[(index + 3) % 4])
            (node.reference, node.weakReference) = (nodes[(index + 2) % 4], nodes[(index + 1) % 4])
            (node.references, node.children) = ([nodes[3], nodes[0]], [nodes[(index + 3) % 4]])
            (node.part.node, node.part.label) = (nodes[(index + 3) % 4], "part")
            node.unique = [Key(nodes[(index + 2) % 4])]
        }
        return nodes
    }

    private func nodes(of first: Node) -> [Node] {
        var nodes = [first]
        while let next = nodes[nodes.count - 1].next, next !== first, nodes.count < 10 { nodes.append(next) }
        return nodes
    }

    @Test func `is told to every instance once, when all references are set`() throws {
        let originals = graph()
        defer { for node in originals { node.clear() } }
        _ = calls.take()
        let copy = try roundTrip(originals[0])
        let copies = nodes(of: copy)
        defer { for node in copies { node.clear() } }
        #expect(calls.take().sorted() == ["0", "1", "2", "3"])
        for (copy, original) in zip(copies, originals) {
            #expect(copy.summary == original.text)
            #expect(!copy.summary.contains("-") && copy.part.length == 4)
        }
    }

    @Test func `is told first to the instance that was made last`() throws {
        let nodes = ["root", "next", "child", "last"].map { Node($0) }
        (nodes[0].next, nodes[0].children, nodes[1].next) = (nodes[1], [nodes[2], nodes[1]], nodes[3])
        _ = calls.take()
        let copy = try roundTrip(nodes[0])
        #expect(calls.take() == ["last", "child", "next", "root"])
        #expect(copy.summary == "next - - - - last - child next")
    }

    @Test func `is told to instances in Codable values, and in those of registered classes`() throws {
        struct Holder: Codable { var nodes: [String: [Node]] }
        let (first, second) = (Node("first"), Node("second"))
        first.next = second
        _ = calls.take()
        let copy = try roundTrip(Holder(nodes: ["a": [first, first]]))
        #expect(calls.take() == ["second", "first"])
        #expect(copy.nodes["a"]?[0].summary.hasPrefix("second") == true)
    }

    @Test func `is told to structs when their fields are set`() throws {
        var part = Part()
        part.label = "label"
        #expect(try roundTrip(part).length == 5 && roundTrip([part, Part()]).map(\.length) == [5, 3])
        #expect(try roundTrip(["p": part])["p"]?.length == 5)
        let absent = try failure { try transcode(["node": nil] as [String: Node?], as: Part.self) }
        #expect(absent.kind == .keyNotFound)
        part.label = "bad"
        #expect(throws: CocoaError.self) { try roundTrip(part) }
        let node = Node("node")
        node.part = part
        #expect(throws: CocoaError.self) { try roundTrip(node) }
        #expect(throws: CocoaError.self) { try JSONDecoder().decode(Part.self, from: JSONEncoder().encode(part)) }
    }

    @Test func `is told by other decoders`() throws {
        let (node, next) = (Node("node"), Node("next"))
        node.next = next
        _ = calls.take()
        let copy = try JSONDecoder().decode(Node.self, from: JSONEncoder().encode(node))
        #expect(calls.take() == ["next", "node"] && copy.summary == "next - - - - - -")
    }

    @Test func `is not told again by later parts of an archive`() throws {
        let node = Node("node")
        node.children = [Node("child")]
        let archive = try KeyedArchive(ArchiveEncoder().encode(node))
        _ = calls.take()
        let part = try #require(archive.root["children"]?[0]).decode(Node.self)
        #expect(calls.take() == ["child"] && part.name == "child")
        let whole = try archive.root.decode(Node.self)
        #expect(calls.take().sorted() == ["child", "node"] && whole.children[0].name == "child")
    }
}
