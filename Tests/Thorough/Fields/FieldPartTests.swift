// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

private final class Node: ArchivedFields, ArchiveDescribing {
    static let archiveName = "Node"

    var name = ""
    var next: Node?
    var children: [Node] = []
    weak var parent: Node?
    var part = Part()
    @Deferred var notes: [String]

    init() { notes = [] }

    convenience init(_ name: String) {
        self.init()
        (self.name, notes) = (name, ["note of \(name)"])
    }

    static let fields = FieldList<Node> {
        Field("name", \.name)
        Field("next", \.next)
        Field("children", \.children)
        Field("parent", \.parent, .conditional)
        Field("part", \.part)
        Field("notes", \._notes)
    }

    func clear() { (next, children, part) = (nil, [], Part()) }
}

private struct Part: ArchivedFields {
    var node: Node?
    var label = ""
    init() {}
    init(_ node: Node?, _ label: String) { (self.node, self.label) = (node, label) }
    static let fields = FieldList<Part> {
        Field("node", \.node)
        Field("label", \.label)
    }
}

private final class Window: Coding {
    static var supportsSecureCoding: Bool { true }
    let node: Node
    let title: String

    init(_ node: Node, _ title: String) { (self.node, self.title) = (node, title) }

    init(coder: KeyedUnarchiver) throws {
        node = try coder.decode(Node.self, forKey: "node")
        title = try coder.decode(String.self, forKey: "title") + " of " + node.name
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(node, forKey: "node")
        coder.encode(title, forKey: "title")
    }
}

@Suite(.inTurn) struct `Parts of archives of declared fields` {
    /// A ring of three nodes, each a child of the one before.
    private func ring() -> [Node] {
        let nodes = ["a", "b", "c"].map { Node($0) }
        for index in 0..<3 {
            let next = nodes[(index + 1) % 3]
            (nodes[index].next, nodes[index].children, next.parent) = (next, [next, nodes[index]], nodes[index])
            nodes[index].part = Part(next, "to \(next.name)")
        }
        return nodes
    }

    private func clear(_ nodes: [Node]) {
        for node in nodes { node.clear() }
    }

    private func expectRing(
        _ node: Node, _ names: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Node] {
        let second = try #require(node.next, sourceLocation: sourceLocation)
        let nodes = [node, second, try #require(second.next, sourceLocation: sourceLocation)]
        #expect(nodes.map(\.name) == names && nodes[2].next === node, sourceLocation: sourceLocation)
        for (index, node) in nodes.enumerated() {
            let next = nodes[(index + 1) % 3]
            #expect(node.children.elementsEqual([next, node]) { $0 === $1 }, sourceLocation: sourceLocation)
            #expect(next.parent === node && node.part.node === next, sourceLocation: sourceLocation)
            #expect(
                node.part.label == "to \(next.name)" && node.notes == ["note of \(node.name)"],
                sourceLocation: sourceLocation)
        }
        return nodes
    }

    @Test func `have the whole graph that they refer to`() throws {
        let nodes = ring()
        defer { clear(nodes) }
        let archive = try KeyedArchive(ArchiveEncoder().encode(nodes[0]))
        #expect(archive.problems().isEmpty)
        for (path, names) in [
            (archive.root, ["a", "b", "c"]), (try #require(archive.root["next"]), ["b", "c", "a"]),
            (try #require(archive.root["children"]?[0]["next"]), ["c", "a", "b"]),
        ] {
            clear(try expectRing(path.decode(Node.self), names))
        }
        let part = try #require(archive.root["part"]).decode(Part.self)
        #expect(part.label == "to b")
        clear(try expectRing(#require(part.node), ["b", "c", "a"]))
        #expect(try #require(archive.root["children"]).decode([Node].self).count == 2)
    }

    @Test func `are copied deeply`() throws {
        let nodes = ring()
        defer { clear(nodes) }
        let copies = try expectRing(deepCopy(of: nodes[1]), ["b", "c", "a"])
        #expect(copies.allSatisfy { copy in !nodes.contains { $0 === copy } })
        clear(copies)
        let list = try deepCopy(of: [Part(nodes[0], "one"), Part(nodes[0], "two")])
        #expect(list.map(\.label) == ["one", "two"] && list[0].node === list[1].node)
        clear(try expectRing(#require(list[0].node), ["a", "b", "c"]))
    }

    // MARK: Keyed coders

    @Test func `are coded by key, and stay one graph`() throws {
        let nodes = ring()
        defer { clear(nodes) }
        let data = try keyedArchive { archiver in
            try archiver.encode(nodes[0], forKey: "first")
            try archiver.encode(nodes[2], forKey: "third")
            try archiver.encode(Part(nodes[1], "part"), forKey: "part")
            try archiver.encode(Window(nodes[1], "window"), forKey: "window")
            try archiver.encodeConditional(nodes[1], forKey: "conditional")
        }
        #expect(try InspectedArchive(data).count(ofClass: "Node") == 3)
        let unarchiver = try keyedUnarchiver(data, registering: [Node.self, Window.self])
        let window = try unarchiver.decode(Window.self, forKey: "window")
        let first = try unarchiver.decode(Node.self, forKey: "first")
        let copies = try expectRing(first, ["a", "b", "c"])
        #expect(window.title == "window of b" && window.node === copies[1])
        #expect(try unarchiver.decode(Node.self, forKey: "third") === copies[2])
        #expect(try unarchiver.decode(Part.self, forKey: "part").node === copies[1])
        #expect(try unarchiver.decodeIfPresent(Node.self, forKey: "conditional") === copies[1])
        #expect(try unarchiver.decodeIfPresent(Node.self, forKey: "absent") == nil)
        unarchiver.finishDecoding()
        clear(copies)
    }

    /// Other values may have the instances that are not complete.
    @Test func `that fail end the decoding, and leave what was decoded before`() throws {
        let (good, other) = (Node("good"), Node("other"))
        (good.next, other.next) = (good, other)
        let data = try keyedArchive { archiver in
            try archiver.encode(good, forKey: "good")
            try archiver.encode(other, forKey: "other")
            try archiver.encode(["name": "bad"], forKey: "bad")
        }
        (good.next, other.next) = (nil, nil)
        let unarchiver = try keyedUnarchiver(data, registering: [Node.self])
        let copy = try unarchiver.decode(Node.self, forKey: "good")
        for key in ["bad", "bad", "other"] {
            let error = try archivingError { try unarchiver.decode(Node.self, forKey: key) }
            #expect(error.debugDescription.contains("\"children\" at \"bad\""))
        }
        unarchiver.finishDecoding()
        #expect(copy.name == "good" && copy.next === copy && copy.part.label == "" && copy.children.isEmpty)
        copy.next = nil
    }

    // MARK: Documents

    private final class Library: ArchivedFields {
        var nodes: [Node] = []
        @Deferred var cover: Node?
        @Deferred var first: Part?
        init() { (cover, first) = (nil, nil) }
        static let fields = FieldList<Library> {
            Field("nodes", \.nodes)
            Field("cover", \._cover)
            Field("first", \._first)
        }
    }

    @Test func `that are deferred are the instances of the document`() throws {
        let nodes = ring()
        let library = Library()
        (library.nodes, library.cover, library.first) = ([nodes[1]], nodes[0], Part(nodes[2], "first"))
        let data = try ArchiveEncoder().encode(library)
        clear(nodes)
        let copy = try ArchiveDecoder().decode(Library.self, from: data)
        let copies = try expectRing(copy.nodes[0], ["b", "c", "a"])
        defer { clear(copies) }
        #expect(copy.cover === copies[2])
        #expect(copy.first?.node === copies[1] && copy.first?.label == "first")
    }

    @Test func `of documents are saved and read again`() throws {
        try TemporaryFolder.with { folder in
            let nodes = ring()
            let library = Library()
            (library.nodes, library.cover, library.first) = ([nodes[1]], Node("cover"), Part(nodes[2], "first"))
            try ArchiveEncoder().encode(library).write(to: folder["document"])
            clear(nodes)
            do {
                let document = try ArchiveDocument<Library>(contentsOf: folder["document"])
                let copies = try expectRing(document.root.nodes[0], ["b", "c", "a"])
                defer { clear(copies) }
                copies[0].name = "changed"
                copies[1].parent?.part.label = "to c"
                let added = Node("added")
                added.next = copies[1]
                document.root.nodes.append(added)
                try document.save()
                #expect(document.root.first?.node === copies[1])
            }
            let again = try ArchiveDocument<Library>(contentsOf: folder["document"])
            let (ring, added) = (again.root.nodes[0], again.root.nodes[1])
            defer {
                ring.next?.next?.clear()
                ring.next?.clear()
                clear([ring, added])
            }
            #expect(ring.name == "changed" && ring.next?.next?.next === ring && added.next === ring.next)
            #expect(added.name == "added" && added.notes == ["note of added"])
            #expect(again.root.cover?.name == "cover" && again.root.first?.node === ring.next)
        }
    }
}
