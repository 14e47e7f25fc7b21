// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private enum Suite {}

/// A number that is not negative: its initializer throws, as the initializers of a program do.
private struct CheckedNumber: Codable {
    var value: Int

    init(_ value: Int) { self.value = value }

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int.self)
        if value < 0 { throw NegativeNumber() }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

private struct NegativeNumber: Error, Equatable {}
private struct Unfinished: Error, Equatable {}

private final class Node: ArchivedFields, ArchiveDescribing, Hashable {
    static let archiveName = "Node"

    var name = ""
    var count = 0
    var number = CheckedNumber(0)
    var next: Node?
    var children: [Node] = []
    var byName: [String: Node] = [:]
    var part = Part()
    var plain = PlainPart()
    var unique: Set<Node> = []
    var holder: Holder?
    weak var parent: Node?
    var isFinished = false
    private let token = LifeToken<Suite>()

    init() {}

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }

    static func == (left: Node, right: Node) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    static let fields = FieldList<Node> {
        Field("next", \.next)
        Field("children", \.children)
        Field("byName", \.byName)
        Field("part", \.part)
        Field("plain", \.plain)
        Field("unique", \.unique)
        Field("holder", \.holder)
        Field("parent", \.parent, .conditional)
        Field("name", \.name)
        Field("count", \.count)
        Field("number", \.number)
    }

    func didFinishDecoding() throws {
        isFinished = true
        if count == -1 { throw Unfinished() }
    }

    func clear() {
        (next, children, byName, part, plain, unique, holder) = (nil, [], [:], Part(), PlainPart(), [], nil)
    }

    /// A graph in which every node refers to others in all ways.
    static func graph(_ count: Int) -> [Node] {
        let nodes = (0..<count).map { Node("node \($0)") }
        for index in 0..<count {
            let (node, next, other) = (nodes[index], nodes[(index + 1) % count], nodes[(index * 3 + 2) % count])
            (node.next, node.children, node.byName) = (next, [node, other], ["a": other, "b": next])
            (node.part.node, node.plain.nodes, node.parent) = (other, [next], other)
            node.unique = [other]
            // The holder is a Codable class: its node does not refer back.
            if index % 3 == 0 { node.holder = Holder(Node("held \(index)")) }
        }
        return nodes
    }
}

private struct Part: ArchivedFields {
    var node: Node?
    init() {}
    static let fields = FieldList<Part> { Field("node", \.node) }
}

private struct PlainPart: Codable {
    var nodes: [Node] = []
}

private final class Holder: Codable {
    var node: Node
    private var token: LifeToken<Suite>? = LifeToken<Suite>()
    private enum CodingKeys: CodingKey { case node }
    init(_ node: Node) { self.node = node }
}

@Suite(.inTurn) struct `A failed decoding of declared fields` {
    /// The archive of a graph of `count` nodes, and the positions of the nodes in `$objects`.
    private func archive(_ count: Int = 12) throws -> (
        root: PropertyList.Dictionary, objects: [PropertyList], nodes: [Int]
    ) {
        let nodes = Node.graph(count)
        defer { for node in nodes { node.clear() } }
        guard case .dictionary(let root) = try PropertyList(ArchiveEncoder().encode(nodes[0])),
            case .array(let objects)? = root["$objects"]
        else { throw CocoaError(.coderReadCorrupt) }
        return (root, objects, objects.indices.filter { objects[$0]["children"] != nil })
    }

    /// Expects that the decoding of each archive, in which the node's object was changed, fails, and leaves no instance.
    private func expectFailures(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation,
        changing change: (inout PropertyList.Dictionary) -> Void
    ) throws {
        let (root, objects, nodes) = try archive()
        #expect(nodes.count == 16, sourceLocation: sourceLocation)
        let count = LifeToken<Suite>.count
        for position in nodes {
            guard case .dictionary(var object) = objects[position] else { continue }
            change(&object)
            var (root, objects) = (root, objects)
            objects[position] = .dictionary(object)
            root["$objects"] = .array(objects)
            let data = try PropertyList.dictionary(root).data(format: .binary)
            #expect(throws: (any Error).self, "\(name) \(position)", sourceLocation: sourceLocation) {
                try ArchiveDecoder().decode(Node.self, from: data)
            }
            #expect(LifeToken<Suite>.count == count, "\(name) \(position)", sourceLocation: sourceLocation)
            #expect(throws: (any Error).self, "\(name) \(position)", sourceLocation: sourceLocation) {
                try ArchiveDecoder().decode([String: Node].self, from: data)
            }
            #expect(LifeToken<Suite>.count == count, "\(name) \(position)", sourceLocation: sourceLocation)
        }
    }

    @Test func `leaves no instance, where a value has another type`() throws {
        for key in ["next", "children", "byName", "part", "plain", "unique", "count", "number", "name"] {
            try expectFailures(key) { $0[key] = 1.5 }
            try expectFailures(key) { $0[key] = .uid(9999) }
        }
        try expectFailures("holder") { $0["holder"] = "text" }
        try expectFailures("parent") { $0["parent"] = .uid(9999) }
    }

    @Test func `leaves no instance, where a key is absent`() throws {
        for key in ["children", "byName", "part", "plain", "unique", "count", "number", "name"] {
            try expectFailures(key) { $0[key] = nil }
        }
    }

    @Test func `leaves no instance, where code of the program throws`() throws {
        try expectFailures("number") { $0["number"] = -1 }
        try expectFailures("count") { $0["count"] = -1 }
    }

    @Test func `has the error of the program`() throws {
        let nodes = Node.graph(5)
        defer { for node in nodes { node.clear() } }
        nodes[3].count = -1
        #expect(throws: Unfinished()) { try roundTrip(nodes[0]) }
        nodes[2].number = CheckedNumber(-1)
        #expect(throws: NegativeNumber()) { try roundTrip(nodes[0]) }
    }

    @Test func `leaves no instance, at any limit`() throws {
        let nodes = Node.graph(12)
        let data = try ArchiveEncoder().encode(nodes[0])
        for node in nodes { node.clear() }
        let count = LifeToken<Suite>.count
        var (work, failures) = (1, 0)
        while true {
            var decoder = ArchiveDecoder()
            decoder.limits.work = work
            do {
                var pending = [try decoder.decode(Node.self, from: data)]
                while let node = pending.popLast() {
                    pending += node.children + [node.next, node.holder?.node].compactMap { $0 }
                    node.clear()
                }
                break
            } catch {
                failures += 1
                #expect(LifeToken<Suite>.count == count)
            }
            work += 1 + work / 16
        }
        #expect(failures > 20 && LifeToken<Suite>.count == count)
    }

    @Test func `leaves no instance, where its task is cancelled`() async throws {
        // Elements of sets are complete before they are hashed: a chain of sets is nested.
        let nodes = Node.graph(5000)
        for node in nodes { node.unique = [] }
        let data = try ArchiveEncoder().encode(nodes[0])
        for node in nodes { node.clear() }
        let count = LifeToken<Suite>.count
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try ArchiveDecoder().decode(Node.self, from: data)
            }.value
        }
        #expect(LifeToken<Suite>.count == count)
    }

    // MARK: Errors that the program catches

    /// Catches the error of its node.
    private final class Catching: Codable {
        var node: Node?
        var before: Node?
        private enum CodingKeys: CodingKey { case before, node }

        init(_ node: Node?, before: Node?) { (self.node, self.before) = (node, before) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            before = try container.decodeIfPresent(Node.self, forKey: .before)
            node = try? container.decodeIfPresent(Node.self, forKey: .node)
        }
    }

    private struct CatchingStruct: Codable {
        var nodes: [Node]

        init(_ nodes: [Node]) { self.nodes = nodes }

        init(from decoder: any Decoder) throws {
            nodes = (try? decoder.singleValueContainer().decode([Node].self)) ?? []
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(nodes)
        }
    }

    @Test func `is not caught by the program`() throws {
        let nodes = Node.graph(6)
        nodes[4].number = CheckedNumber(-1)
        let alone = Node("alone")
        let archives = [
            try ArchiveEncoder().encode(Catching(nodes[0], before: nil)),
            try ArchiveEncoder().encode([Catching(nodes[0], before: alone)]),
            try ArchiveEncoder().encode(Catching(alone, before: nodes[0])),
        ]
        let lists = [
            try ArchiveEncoder().encode(CatchingStruct(nodes)),
            try ArchiveEncoder().encode(CatchingStruct([alone, nodes[1]])),
        ]
        for node in nodes { node.clear() }
        let count = LifeToken<Suite>.count
        for (index, data) in archives.enumerated() {
            #expect(throws: NegativeNumber(), "\(index)") {
                if index == 1 {
                    _ = try ArchiveDecoder().decode([Catching].self, from: data)
                } else {
                    _ = try ArchiveDecoder().decode(Catching.self, from: data)
                }
            }
            #expect(LifeToken<Suite>.count == count, "\(index)")
        }
        for data in lists {
            #expect(throws: NegativeNumber()) { try ArchiveDecoder().decode(CatchingStruct.self, from: data) }
            #expect(LifeToken<Suite>.count == count)
        }
    }

    @Test func `says what it says where nothing catches it`() throws {
        let nodes = Node.graph(6)
        defer { for node in nodes { node.clear() } }
        nodes[4].count = -1
        #expect(throws: Unfinished()) { try roundTrip(nodes[0]) }
        #expect(throws: Unfinished()) { try roundTrip(Catching(nodes[0], before: nil)) }
    }

    /// A decoder can be used again.
    @Test func `has no effect on the next one`() throws {
        let nodes = Node.graph(6)
        defer { for node in nodes { node.clear() } }
        let good = try ArchiveEncoder().encode(nodes[0])
        nodes[4].number = CheckedNumber(-1)
        let bad = try ArchiveEncoder().encode(nodes[0])
        let decoder = ArchiveDecoder()
        for _ in 0..<20 {
            #expect(throws: NegativeNumber()) { try decoder.decode(Node.self, from: bad) }
            let copy = try decoder.decode(Node.self, from: good)
            var (node, names) = (copy, [copy.name])
            while let next = node.next, next !== copy {
                names.append(next.name)
                #expect(next.isFinished && next.children.first === next && next.number.value == 0)
                node = next
            }
            #expect(names == (0..<6).map { "node \($0)" })
            var pending = [copy]
            while let node = pending.popLast() {
                pending += [node.next].compactMap { $0 }
                node.clear()
            }
        }
    }
}
