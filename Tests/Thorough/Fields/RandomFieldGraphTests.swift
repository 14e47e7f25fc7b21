// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// A graph as numbers, from which instances of two types are made.
private struct GraphPlan {
    struct Node {
        var style: Style
        var values: [Int]
        var tags: Set<String>
        var note: String?
        var partner: Int?
        var children: [Int]
        var byName: [String: Int]
        var parent: Int?
        var partNode: Int?
        var partNodes: [Int]
    }

    var nodes: [Node]

    init(_ count: Int, using generator: inout SeededGenerator) {
        func perhaps() -> Int? {
            Bool.random(using: &generator) ? Int.random(in: 0..<count, using: &generator) : nil
        }
        func few() -> [Int] {
            (0..<Int.random(in: 0...2, using: &generator)).map { _ in Int.random(in: 0..<count, using: &generator) }
        }
        nodes = (0..<count).map { _ in
            let named = few()
            return Node(
                style: Style.allCases.randomElement(using: &generator) ?? .plain, values: few(),
                tags: Set(few().map { "tag \($0)" }), note: perhaps().map { "note \($0)" }, partner: perhaps(),
                children: few(),
                byName: Dictionary(named.map { ("name \($0)", $0) }, uniquingKeysWith: { $1 }), parent: perhaps(),
                partNode: perhaps(), partNodes: few())
        }
    }

    /// The shape of the graph from the first node on, worked out from the numbers.
    var form: [String] {
        var order = [0]
        var numbers = [0: 0]
        var next = 0
        func visit(_ targets: [Int]) {
            for target in targets where numbers[target] == nil {
                numbers[target] = order.count
                order.append(target)
            }
        }
        while next < order.count {
            let node = nodes[order[next]]
            visit([node.partner].compactMap { $0 } + node.children)
            visit(node.byName.sorted { $0.key < $1.key }.map(\.value))
            visit([node.partNode].compactMap { $0 } + node.partNodes)
            next += 1
        }
        return order.map { number in
            let node = nodes[number]
            func text(_ target: Int?) -> String { target.flatMap { numbers[$0] }.map { "#\($0)" } ?? "nil" }
            return line(
                number, node.style, node.values, node.tags, node.note, text(node.partner), node.children.map(text),
                node.byName.mapValues(text), text(node.parent), text(node.partNode), node.partNodes.map(text))
        }
    }
}

private func line(
    _ number: Int, _ style: Style, _ values: [Int], _ tags: Set<String>, _ note: String?, _ partner: String,
    _ children: [String], _ byName: [String: String], _ parent: String, _ partNode: String, _ partNodes: [String]
) -> String {
    """
    \(number) \(style) \(values) \(tags.sorted()) \(note ?? "nil") partner \(partner) children \(children) \
    named \(byName.sorted { $0.key < $1.key }.map { $0.key + $0.value }) parent \(parent) part \(partNode) \(partNodes)
    """
}

private enum Style: String, Codable, CaseIterable { case plain, bold, italic }

private protocol GraphNode: AnyObject, Codable {
    init()
    var number: Int { get set }
    var style: Style { get set }
    var values: [Int] { get set }
    var tags: Set<String> { get set }
    var note: String? { get set }
    var partner: Self? { get set }
    var children: [Self] { get set }
    var byName: [String: Self] { get set }
    var parent: Self? { get set }
    var partNode: Self? { get set }
    var partNodes: [Self] { get set }
}

extension GraphNode {
    static func make(_ plan: GraphPlan) -> [Self] {
        let nodes = plan.nodes.map { _ in Self() }
        for (number, entry) in plan.nodes.enumerated() {
            let node = nodes[number]
            (node.number, node.style, node.values, node.tags) = (number, entry.style, entry.values, entry.tags)
            (node.note, node.partner, node.parent) = (
                entry.note, entry.partner.map { nodes[$0] }, entry.parent.map { nodes[$0] }
            )
            (node.children, node.byName) = (entry.children.map { nodes[$0] }, entry.byName.mapValues { nodes[$0] })
            (node.partNode, node.partNodes) = (entry.partNode.map { nodes[$0] }, entry.partNodes.map { nodes[$0] })
        }
        return nodes
    }

    /// The nodes that keep each other, breadth first, beginning with this one.
    var all: [Self] {
        var nodes = [self]
        var known: Set = [ObjectIdentifier(self)]
        var next = 0
        while next < nodes.count {
            let node = nodes[next]
            let targets =
                [node.partner].compactMap { $0 } + node.children + node.byName.sorted { $0.key < $1.key }.map(\.value)
                + [node.partNode].compactMap { $0 } + node.partNodes
            for target in targets where known.insert(ObjectIdentifier(target)).inserted { nodes.append(target) }
            next += 1
        }
        return nodes
    }

    static func form(_ nodes: [Self]) -> [String] {
        let numbers = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { (ObjectIdentifier($1), $0) })
        func text(_ target: Self?) -> String {
            target.flatMap { numbers[ObjectIdentifier($0)] }.map { "#\($0)" } ?? "nil"
        }
        return nodes.map {
            line(
                $0.number, $0.style, $0.values, $0.tags, $0.note, text($0.partner), $0.children.map(text),
                $0.byName.mapValues(text), text($0.parent), text($0.partNode), $0.partNodes.map(text))
        }
    }

    static func clear(_ nodes: [Self]) {
        for node in nodes {
            (node.partner, node.children, node.byName, node.partNode, node.partNodes) = (nil, [], [:], nil, [])
        }
    }
}

// MARK: - Both types

private final class DeclaredNode: ArchivedFields, ArchiveDescribing, GraphNode {
    static let archiveName = "Random.Node"

    var number = 0
    var style = Style.plain
    var values: [Int] = []
    var tags: Set<String> = []
    var note: String?
    var partner: DeclaredNode?
    var children: [DeclaredNode] = []
    var byName: [String: DeclaredNode] = [:]
    weak var parent: DeclaredNode?
    private var part = DeclaredPart()

    init() {}

    static let fields = FieldList<DeclaredNode> {
        Field("number", \.number)
        Field("style", \.style, .rawValue)
        Field("values", \.values)
        Field("tags", \.tags)
        Field("note", \.note)
        Field("partner", \.partner)
        Field("children", \.children)
        Field("byName", \.byName)
        Field("parent", \.parent, .conditional)
        Field("part", \.part)
    }

    var partNode: DeclaredNode? {
        get { part.node }
        set { part.node = newValue }
    }
    var partNodes: [DeclaredNode] {
        get { part.nodes }
        set { part.nodes = newValue }
    }
}

private struct DeclaredPart: ArchivedFields, ArchiveDescribing {
    static let archiveName = "Random.Part"
    var node: DeclaredNode?
    var nodes: [DeclaredNode] = []
    init() {}
    static let fields = FieldList<DeclaredPart> {
        Field("node", \.node)
        Field("nodes", \.nodes)
    }
}

private final class ReferenceNode: Codable, ArchiveDescribing, GraphNode {
    static let archiveName = "Random.Node"

    var number = 0
    var style = Style.plain
    var values: [Int] = []
    var tags: Set<String> = []
    var note: String?
    @Reference var partner: ReferenceNode?
    @References var children: [ReferenceNode]
    @References var byName: [String: ReferenceNode]
    @WeakReference var parent: ReferenceNode?
    private var part = ReferencePart()

    init() { (children, byName) = ([], [:]) }

    var partNode: ReferenceNode? {
        get { part.node }
        set { part.node = newValue }
    }
    var partNodes: [ReferenceNode] {
        get { part.nodes }
        set { part.nodes = newValue }
    }
}

private struct ReferencePart: Codable, ArchiveDescribing {
    static let archiveName = "Random.Part"
    @Reference var node: ReferenceNode?
    @References var nodes: [ReferenceNode]
    init() { nodes = [] }
}

@Suite(.inTurn) struct `A random graph of instances with declared fields` {
    /// Decodes the graph of `data` as `type`, and expects its form to be `form`.
    private func expect<Node: GraphNode>(
        _ type: Node.Type, _ form: [String], from data: Data, _ seed: UInt64, _ name: String
    ) throws {
        let nodes = try ArchiveDecoder().decode(type, from: data).all
        defer { Node.clear(nodes) }
        let copyForm = Node.form(nodes)
        try #require(copyForm == form, "seed \(seed), \(name)")
    }

    private func check(_ seed: UInt64, _ count: Int) throws {
        var generator = SeededGenerator(state: seed)
        let plan = GraphPlan(count, using: &generator)
        let (declared, references) = (DeclaredNode.make(plan), ReferenceNode.make(plan))
        defer {
            DeclaredNode.clear(declared)
            ReferenceNode.clear(references)
        }
        let form = plan.form
        var encoder = ArchiveEncoder()
        encoder.outputFormat = seed % 8 == 1 ? .xml : .binary
        let archive = try encoder.encode(declared[0])
        let twin = try encoder.encode(references[0])
        try expect(DeclaredNode.self, form, from: archive, seed, "declared from declared")
        try expect(DeclaredNode.self, form, from: twin, seed, "declared from references")
        try expect(ReferenceNode.self, form, from: archive, seed, "references from declared")
        // The archives are the same but for the order of the objects and keys.
        if seed % 4 == 0 {
            encoder.outputFormatting = .sortedKeys
            let (canonical, twinCanonical) = (try encoder.encode(declared[0]), try encoder.encode(references[0]))
            try #require(canonical == twinCanonical, "seed \(seed)")
        }
    }

    @Test func `has the archive of a Codable type with references, and both read it`() throws {
        for seed in 0..<UInt64(Extent.count(2_500, of: 10_000)) { try check(seed, 1 + Int(seed % 11)) }
    }

    @Test func `that is large comes back as well`() throws {
        for (seed, count) in [(1, 100), (2, 300), (3, 1000), (4, 3000)] { try check(UInt64(seed), count) }
    }
}
