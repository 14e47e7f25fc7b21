// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Graphs of objects with random references of every kind, written by one side and read by the other.
///
/// References go from lower numbers to higher ones only, since Foundation on Linux does not support cycles.
@Suite(.inTurn) struct `Graphs at random are the same on both sides` {
    private static let alias = "InteroperabilityTests.VertexObject"

    @Test(arguments: 0..<12)
    func `that Coding writes and Foundation reads`(seed: UInt64) throws {
        let vertices = Vertex.graph(seed: seed, count: 40)
        for format in PropertyListFormat.allCases {
            for formatting in [ArchiveEncoder.OutputFormatting(), .sortedKeys] {
                let archiver = KeyedArchiver()
                archiver.outputFormat = format
                archiver.outputFormatting = formatting
                archiver.classes.register(Vertex.self, name: Self.alias)
                try archiver.encode(vertices[0], forKey: NSKeyedArchiveRootObjectKey)
                let root = try NSKeyedUnarchiver.unarchivedObject(
                    ofClass: VertexObject.self, from: archiver.finishEncoding())
                // What is archived nowhere is nil on the other side.
                let expected = description(of: vertices[0], where: reachable(from: vertices[0]))
                #expect(description(of: try #require(root)) == expected, "\(format)")
            }
        }
    }

    @Test(arguments: 0..<12)
    func `that Foundation writes and Coding reads`(seed: UInt64) throws {
        let vertices = Vertex.graph(seed: seed, count: 40)
        // Foundation on Linux keeps no conditional reference to what comes later, so there are none.
        for vertex in vertices { vertex.conditional = nil }
        var twins: [ObjectIdentifier: VertexObject] = [:]
        for vertex in vertices.reversed() { twins[ObjectIdentifier(vertex)] = VertexObject(vertex, twins) }
        let twin = try #require(twins[ObjectIdentifier(vertices[0])])
        try withFoundationArchive(of: twin, classes: [Self.alias: Vertex.self]) { coder in
            let root = try coder.decode(Vertex.self, forKey: "object")
            #expect(description(of: root) == description(of: vertices[0]))
        }
    }
}

// MARK: - Vertices

/// What both sides have in common.
private protocol AnyVertex: AnyObject {
    var number: Int { get }
    var next: Self? { get }
    var conditional: Self? { get }
    var list: [Self] { get }
    var named: [String: Self] { get }
}

private final class Vertex: AnyVertex, Coding {
    let number: Int
    var next: Vertex?
    var conditional: Vertex?
    var list: [Vertex] = []
    var named: [String: Vertex] = [:]

    init(number: Int) { self.number = number }

    init(coder: KeyedUnarchiver) throws {
        number = try coder.decodeInteger(forKey: "number")
        next = try coder.decodeIfPresent(Vertex.self, forKey: "next")
        conditional = try coder.decodeIfPresent(Vertex.self, forKey: "conditional")
        list = try coder.decode([Vertex].self, forKey: "list")
        named = try coder.decode([String: Vertex].self, forKey: "named")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(number, forKey: "number")
        try coder.encode(next, forKey: "next")
        try coder.encodeConditional(conditional, forKey: "conditional")
        try coder.encode(list, forKey: "list")
        try coder.encode(named, forKey: "named")
    }

    /// `count` vertices; everything else follows from `seed`.
    static func graph(seed: UInt64, count: Int) -> [Vertex] {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let vertices = (0..<count).map { Vertex(number: $0) }
        for (index, vertex) in vertices.enumerated().dropLast() {
            func later() -> Vertex { vertices[index + 1 + random(min(8, count - index - 1))] }
            if random(3) > 0 { vertex.next = later() }
            if random(2) > 0 { vertex.conditional = later() }
            for _ in 0..<random(4) { vertex.list.append(later()) }
            for _ in 0..<random(3) { vertex.named["\(random(100))"] = later() }
        }
        return vertices
    }
}

/// What Foundation makes of a vertex. Foundation archives no private class.
final class VertexObject: NSObject, NSSecureCoding, AnyVertex {
    static var supportsSecureCoding: Bool { true }

    let number: Int
    let next: VertexObject?
    let conditional: VertexObject?
    let list: [VertexObject]
    let named: [String: VertexObject]

    fileprivate init(_ vertex: Vertex, _ twins: [ObjectIdentifier: VertexObject]) {
        func twin(_ vertex: Vertex) -> VertexObject? { twins[ObjectIdentifier(vertex)] }
        number = vertex.number
        next = vertex.next.flatMap(twin)
        conditional = vertex.conditional.flatMap(twin)
        list = vertex.list.compactMap(twin)
        named = vertex.named.compactMapValues(twin)
    }

    init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
        next = coder.decodeObject(of: VertexObject.self, forKey: "next")
        conditional = coder.decodeObject(of: VertexObject.self, forKey: "conditional")
        let list = coder.decodeObject(of: [NSArray.self, VertexObject.self], forKey: "list")
        let named = coder.decodeObject(of: [NSDictionary.self, NSString.self, VertexObject.self], forKey: "named")
        guard let list = list as? [VertexObject], let named = named as? [String: VertexObject] else { return nil }
        self.list = list
        self.named = named
    }

    func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
        coder.encode(next, forKey: "next")
        coder.encode(conditional, forKey: "conditional")
        coder.encode(list as NSArray, forKey: "list")
        coder.encode(named as NSDictionary, forKey: "named")
    }
}

// MARK: - Descriptions

/// The vertices with an unconditional reference from `root` on.
private func reachable(from root: Vertex) -> Set<ObjectIdentifier> {
    var met: Set<ObjectIdentifier> = []
    var open = [root]
    while let vertex = open.popLast() {
        guard met.insert(ObjectIdentifier(vertex)).inserted else { continue }
        open += [vertex.next].compactMap { $0 } + vertex.list + vertex.named.values
    }
    return met
}

/// Every vertex with its references, in the order of the first visit: two graphs of the same shape have the same description.
/// Conditional references count if they refer to `archived` ones.
private func description<Some: AnyVertex>(of root: Some, where archived: Set<ObjectIdentifier>? = nil) -> [String] {
    var labels: [ObjectIdentifier: Int] = [:]
    var open = [root]
    var lines: [String] = []
    func label(_ vertex: Some) -> String {
        let identifier = ObjectIdentifier(vertex)
        if labels[identifier] == nil {
            labels[identifier] = labels.count
            open.append(vertex)
        }
        return "\(labels[identifier, default: -1])"
    }
    labels[ObjectIdentifier(root)] = 0
    while !open.isEmpty {
        let vertex = open.removeFirst()
        let conditional = vertex.conditional.flatMap { target in
            archived?.contains(ObjectIdentifier(target)) == false ? nil : target
        }
        let named = vertex.named.sorted { $0.key < $1.key }.map { "\($0.key): \(label($0.value))" }
        lines.append(
            "\(vertex.number) next \(vertex.next.map(label) ?? "nil") conditional \(conditional.map(label) ?? "nil")"
                + " list \(vertex.list.map(label)) named \(named)")
    }
    return lines
}
