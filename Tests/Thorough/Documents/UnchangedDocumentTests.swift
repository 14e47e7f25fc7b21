// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A document that was saved` {
    struct Point: Codable, Hashable {
        var x: Int
        var label: String?
    }

    final class Node: Codable {
        var name: String
        var children: [Node] = []
        var points: Set<Point> = []
        var groups: Set<Set<Point>> = []
        var weights: [Point: [String: Int]] = [:]
        var pieces: Set<Data> = []
        var near: Set<Pair> = []
        @WeakReference var friend: Node?
        @Deferred var hidden: [Node]

        init(_ name: String) {
            self.name = name
            hidden = []
        }
    }

    /// An element that refers to an instance.
    struct Pair: Codable, Hashable {
        var name: String
        var node: Node

        static func == (left: Pair, right: Pair) -> Bool { left.name == right.name && left.node === right.node }

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// In a function, since the macro takes `try` from what it takes apart.
    private func hasChanges(_ document: ArchiveDocument<Node>) throws -> Bool { try document.hasChanges() }

    private func withDocument(_ body: (ArchiveDocument<Node>, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: Node("root"))
            try document.save(to: folder["document"])
            try body(document, folder["document"])
        }
    }

    /// With more than 255 objects, references take two bytes, and a save writes the file anew before it appends.
    @Test func `has no changes if an instance was put back together with many new ones`() throws {
        try withDocument { document, url in
            let child = Node("child")
            document.root.children = [child]
            try document.save()
            document.root.children = []
            try document.save()
            document.root.children = [child] + (0..<300).map { Node("new \($0)") }
            try document.save()
            #expect(try !hasChanges(document))
            #expect(try ArchiveDecoder().decode(Node.self, from: url).children.first?.name == "child")
        }
    }

    /// A value keeps its object although its owner has lost or gained another key, or an entry of it has changed.
    @Test(arguments: [0, 1, 2])
    func `has the objects of unchanged values in their places`(change: Int) throws {
        final class Drawing: Codable {
            var note: String?
            var label: String?
            var corner = Point(x: 1, label: "corner")
            var path = [Point(x: 2), Point(x: 3, label: "third")]
            @Deferred var layers: [String: [Drawing]] = [:]

            init() {}
        }
        try TemporaryFolder.with { folder in
            let url = folder["drawing"]
            let drawing = Drawing()
            drawing.note = "draft"
            drawing.layers = ["top": [drawing, Drawing()]]
            try ArchiveEncoder().encode(drawing, to: url)
            let document = try ArchiveDocument<Drawing>(contentsOf: url)
            let before = try uidsOfValues(at: url)
            #expect(document.root.layers["top"]?.count == 2)
            switch change {
            case 0: document.root.note = nil
            case 1: (document.root.note, document.root.label) = (nil, "new")
            default: document.root.path = [Point(x: 5), Point(x: 3, label: "third"), Point(x: 4)]
            }
            try document.save()
            #expect(try uidsOfValues(at: url) == before)
            // An unloaded part is a reference to its object.
            try document.root.$layers.unload()
            let hasChanges = try document.hasChanges()
            #expect(!hasChanges)
            #expect(try ArchiveDecoder().decode(Drawing.self, from: url).layers["top"]?.count == 2)
        }
    }

    private func uidsOfValues(at url: URL) throws -> [UInt32?] {
        let root = try KeyedArchive(contentsOf: url).root
        return [root["corner"]?.uid, root["layers"]?.uid, root["path"]?[1].uid]
    }

    /// Only the document keeps the instance until it is saved.
    @Test func `has no changes if a weak reference refers to what nothing else refers to`() throws {
        try withDocument { document, url in
            document.root.children = [Node("child")]
            document.root.children[0].friend = Node("gone")
            document.root.friend = document.root.children[0]
            document.root.children[0].children = [Node("grandchild")]
            document.root.children[0].friend = document.root.children[0].children[0]
            try document.save()
            #expect(try !hasChanges(document))
            document.root.friend?.children = []
            document.root.children = []
            try document.save()
            #expect(try !hasChanges(document))
            // The references remain, and keep what they refer to in the document.
            #expect(document.root.friend?.friend?.name == "grandchild")
            document.root.friend?.friend?.name = "renamed"
            #expect(try hasChanges(document))
            #expect(try document.save().objectsWritten == 1)
            weak let child = document.root.friend
            document.root.friend = nil
            try document.save()
            #expect(try !hasChanges(document))
            #expect(child == nil)
            #expect(try ArchiveDecoder().decode(Node.self, from: url).friend == nil)
        }
    }

    /// A part that is not loaded refers to the instance.
    @Test func `has its weak references to what is not loaded`() throws {
        try withDocument { document, url in
            document.root.hidden = [Node("hidden")]
            try document.save()
            let opened = try ArchiveDocument<Node>(contentsOf: url)
            opened.root.friend = opened.root.hidden[0]
            try opened.save()
            try opened.root.$hidden.unload()
            for number in 1...3 {
                opened.root.name = "\(number)"
                try opened.save()
                #expect(try !hasChanges(opened))
            }
            #expect(opened.root.friend?.name == "hidden")
            let again = try ArchiveDecoder().decode(Node.self, from: url)
            #expect(again.hidden[0] === again.friend)
        }
    }

    /// The program has changed an instance to which only a part that is not loaded refers.
    @Test func `has its changes after it is closed, and saved to another file`() throws {
        try withDocument { document, url in
            document.root.hidden = [Node("hidden")]
            document.root.children = document.root.hidden
            try document.save()
            let opened = try ArchiveDocument<Node>(contentsOf: url)
            opened.root.children[0].name = "renamed"
            opened.root.children = []
            opened.close()
            let other = url.deletingLastPathComponent().appending(path: "other")
            for number in 1...3 {
                try opened.save(to: other)
                #expect(!opened.root.$hidden.isLoaded)
                #expect(try ArchiveDecoder().decode(Node.self, from: other).hidden[0].name == "renamed")
                opened.root.name = "\(number)"
            }
            #expect(opened.root.hidden[0].name == "renamed")
            #expect(try ArchiveDecoder().decode(Node.self, from: url).hidden[0].name == "hidden")
        }
    }

    @Test func `has no changes after a compaction that removes new instances`() throws {
        try withDocument { document, _ in
            let child = Node("child")
            document.root.children = [child]
            try document.save()
            document.root.children = []
            child.children = [Node("new")]
            try document.compact()
            #expect(try !hasChanges(document))
            document.root.children = [child]
            #expect(try document.save().objectsWritten == 3)
        }
    }

    @Test func `has no changes in sets and dictionaries of structs, whatever their order`() throws {
        try withDocument { document, url in
            func points(_ range: Range<Int>) -> Set<Point> {
                Set(range.map { Point(x: $0, label: $0 % 3 == 0 ? nil : "p\($0 % 7)") })
            }
            let root = document.root
            root.points = points(0..<100)
            root.groups = Set((0..<20).map { points($0..<$0 + 5) })
            root.weights = Dictionary(uniqueKeysWithValues: points(0..<50).map { ($0, ["a": $0.x, "b": 2, "c": 3]) })
            root.pieces = Set((0..<50).map { Data("piece \($0) \(String(repeating: "x", count: $0))".utf8) })
            root.children = (0..<20).map { Node("child \($0)") }
            root.near = Set(root.children.map { Pair(name: "to", node: $0) })
            try document.save()
            #expect(try !hasChanges(document))
            // Decoded sets have other orders, and a set with more room has another one again.
            for capacity in [0, 1000, 5000] {
                let opened = try ArchiveDocument<Node>(contentsOf: url)
                func moved<Element>(_ set: Set<Element>) -> Set<Element> {
                    var moved = Set<Element>(minimumCapacity: capacity)
                    for element in Array(set).reversed() { moved.insert(element) }
                    return moved
                }
                #expect(try !hasChanges(opened))
                opened.root.points = moved(opened.root.points)
                opened.root.groups = moved(Set(opened.root.groups.map(moved)))
                opened.root.pieces = moved(opened.root.pieces)
                opened.root.near = moved(opened.root.near)
                #expect(try !hasChanges(opened))
                opened.root.points.remove(Point(x: 1, label: "p1"))
                opened.root.points.insert(Point(x: 1, label: "other"))
                #expect(try hasChanges(opened))
                opened.root.points = root.points
                #expect(try !hasChanges(opened))
                opened.root.near.insert(Pair(name: "to", node: Node("new")))
                #expect(try hasChanges(opened))
            }
            // What has changed is written, and the rest is found.
            root.weights[Point(x: 1, label: "p1")] = ["a": 0]
            root.children[3].name = "renamed"
            #expect(try document.save().objectsWritten == 2)
            let again = try ArchiveDecoder().decode(Node.self, from: url)
            #expect(again.points == root.points && again.groups == root.groups && again.weights == root.weights)
            #expect(again.pieces == root.pieces)
            #expect(Set(again.near.map(\.node.name)) == Set(root.children.map(\.name)))
        }
    }
}

/// Documents whose encoding makes instances that the program does not keep.
@Suite(.inTurn) struct `A document with boxes that only its encoding makes` {
    final class Box: Codable {
        let value: Int
        init(_ value: Int) { self.value = value }
    }

    final class Root: Codable {
        var counts = [1, 2, 2]
        var kept: Box?

        init() {}

        enum CodingKeys: CodingKey { case counts, kept }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            counts = try container.decode([Box].self, forKey: .counts).map(\.value)
            kept = try container.decodeIfPresent(Box.self, forKey: .kept)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(counts.map { Box($0) }, forKey: .counts)
            try container.encodeIfPresent(kept, forKey: .kept)
        }
    }

    private func hasChanges(_ document: ArchiveDocument<Root>) throws -> Bool { try document.hasChanges() }

    @Test func `has changes if the contents of a box are others`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["boxes"]
            try ArchiveEncoder().encode(Root(), to: url)
            let document = try ArchiveDocument<Root>(contentsOf: url)
            #expect(try !hasChanges(document))
            document.root.counts[1] = 5
            #expect(try hasChanges(document))
            try document.save()
            #expect(try !hasChanges(document))
            document.root.counts.append(6)
            try document.save()
            #expect(try !hasChanges(document))
            #expect(try ArchiveDocument<Root>(contentsOf: url).root.counts == [1, 5, 2, 6])
            #expect(try KeyedArchive(contentsOf: url).root["counts"]?.elements.count == 4)
        }
    }

    /// A box that may have another one, or one that the program has.
    final class Nest: Codable {
        let value: Int
        let inner: Nest?
        let kept: Box?

        init(_ value: Int, _ inner: Nest?, _ kept: Box? = nil) {
            (self.value, self.inner, self.kept) = (value, inner, kept)
        }

        /// Returns boxes inside each other.
        static func of(_ values: [Int], _ kept: Box?) -> Nest? {
            values.reversed().reduce(nil) { Nest($1, $0, kept) }
        }

        var values: [Int] { [value] + (inner?.values ?? []) }
    }

    /// Which boxes the encoding lists: the outermost one, all from the outside, or all from the inside.
    enum Order: Codable, CaseIterable { case outermost, outside, inside }

    final class NestedRoot: Codable {
        var values: [Int]
        var kept: Box?
        let order: Order

        init(_ values: [Int], _ order: Order) { (self.values, self.order) = (values, order) }

        enum CodingKeys: CodingKey { case boxes, kept, order }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            order = try container.decode(Order.self, forKey: .order)
            let boxes = try container.decode([Nest].self, forKey: .boxes)
            values = (order == .inside ? boxes.last : boxes.first)?.values ?? []
            kept = try container.decodeIfPresent(Box.self, forKey: .kept)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(order, forKey: .order)
            let boxes = Array(
                sequence(first: Nest.of(values, kept)) { $0?.inner }.prefix { $0 != nil }.compactMap(\.self))
            switch order {
            case .outermost: try container.encode(Array(boxes.prefix(1)), forKey: .boxes)
            case .outside: try container.encode(boxes, forKey: .boxes)
            case .inside: try container.encode(Array(boxes.reversed()), forKey: .boxes)
            }
            try container.encodeIfPresent(kept, forKey: .kept)
        }
    }

    @Test(arguments: Order.allCases, [2, 3, 12])
    func `has changes only if the contents of a box in a box are others`(order: Order, depth: Int) throws {
        try TemporaryFolder.with { folder in
            let url = folder["boxes"]
            let root = NestedRoot(Array(1...depth), order)
            root.kept = Box(7)
            try ArchiveEncoder().encode(root, to: url)
            let document = try ArchiveDocument<NestedRoot>(contentsOf: url)
            #expect(try !document.hasChanges())
            document.root.values[depth - 1] = 5
            #expect(try document.hasChanges())
            try document.save()
            #expect(try !document.hasChanges())
            document.root.values.append(6)
            try document.save()
            #expect(try !document.hasChanges())
            let again = try ArchiveDocument<NestedRoot>(contentsOf: url)
            #expect(again.root.values == Array(1..<depth) + [5, 6])
            document.root.kept = Box(7)
            #expect(try document.hasChanges())
        }
    }

    @Test(arguments: Order.allCases)
    func `has long chains of boxes, which take no stack`(order: Order) throws {
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: NestedRoot(Array(1...2_000), order))
            try document.save(to: folder["boxes"])
            #expect(try !document.hasChanges())
            document.root.values[1_999] = 0
            #expect(try document.hasChanges())
            let report = try document.save()
            #expect(report.objectsWritten > 0)
            #expect(try !document.hasChanges())
        }
    }

    /// A box that has another one twice.
    final class Twin: Codable {
        let value: Int
        let left: Twin?
        let right: Twin?

        init(_ value: Int, _ inner: Twin?) { (self.value, left, right) = (value, inner, inner) }
    }

    final class TwinRoot: Codable {
        var depth: Int
        var value = 1
        let kept: [Box]

        init(_ depth: Int) { (self.depth, kept) = (depth, (0..<500).map { Box($0) }) }

        enum CodingKeys: CodingKey { case depth, value, kept, twins }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            depth = try container.decode(Int.self, forKey: .depth)
            kept = try container.decode([Box].self, forKey: .kept)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(depth, forKey: .depth)
            try container.encode(kept, forKey: .kept)
            try container.encode((0..<depth).reduce(Twin(value, nil)) { Twin($1, $0) }, forKey: .twins)
        }
    }

    /// Each way through them would be 2 to the power of the depth steps.
    @Test(arguments: [1, 40, 200]) func `compares a box that is in others twice once`(depth: Int) throws {
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: TwinRoot(depth))
            try document.save(to: folder["boxes"])
            #expect(try !document.hasChanges())
            document.root.value = 2
            #expect(try document.hasChanges())
            // The 500 instances that the program has stay in the file.
            #expect(try document.save().objectsWritten < 2 * depth + 50)
            #expect(try !document.hasChanges())
        }
    }

    /// A box that is in itself is encoded as a new one each time.
    final class Ring: Codable {
        var next: Ring?
        init(count: Int) {
            var last = self
            for _ in 1..<count {
                let next = Ring()
                last.next = next
                last = next
            }
            last.next = self
        }
        private init() {}
    }

    final class RingRoot: Codable {
        let count: Int
        init(_ count: Int) { self.count = count }
        enum CodingKeys: CodingKey { case count, ring }
        init(from decoder: any Decoder) throws {
            count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(count, forKey: .count)
            let ring = Ring(count: count)
            try container.encode(ring, forKey: .ring)
            Self.rings.append(ring)
        }
        nonisolated(unsafe) static var rings: [Ring] = []
    }

    @Test(arguments: [1, 2, 100])
    func `ends the comparison of boxes that contain themselves`(count: Int) throws {
        defer {
            for ring in RingRoot.rings { ring.next = nil }
            RingRoot.rings = []
        }
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: RingRoot(count))
            try document.save(to: folder["boxes"])
            #expect(try document.hasChanges())
        }
    }

    @Test func `has changes if the program keeps a new instance with the same contents`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["boxes"]
            let root = Root()
            root.kept = Box(7)
            try ArchiveEncoder().encode(root, to: url)
            let document = try ArchiveDocument<Root>(contentsOf: url)
            #expect(try !hasChanges(document))
            document.root.kept = Box(7)
            #expect(try hasChanges(document))
            try document.save()
            #expect(try !hasChanges(document))
        }
    }
}
