// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// Three ways to archive one graph of class instances: by `Coding`, by Codable, and with Foundation's own archiver.
///
/// The graphs are small because the time of Foundation's archiver on Linux is quadratic in the number of objects.
struct ArchiverComparison: ResultRow {
    enum Way: String, CaseIterable, Codable, CodingKeyRepresentable {
        case coding, codable, foundation
    }

    /// The number of instances in the graph.
    var count: Int
    var encoding: [Way: Timing]
    var decoding: [Way: Timing]

    // MARK: - The table

    static var tableName: String { "archivers" }
    static var rows: WritableKeyPath<Results, [ArchiverComparison]> { \.archivers }

    static var layout: TableLayout {
        TableLayout(
            firstIsText: false,
            [
                ("instances", 9), ("encode", 8), ("codable ÷", 9), ("foundation ÷", 12), ("decode", 8),
                ("codable ÷", 9),
                ("foundation ÷", 12),
            ])
    }

    static func introduction(to rows: [ArchiverComparison], rounds: Int) -> String {
        """
        One class graph by `Coding`, and the factors by which `ArchiveEncoder` and `ArchiveDecoder`, and Foundation's
        NSKeyedArchiver and NSKeyedUnarchiver, take longer, best over best.
        """
    }

    static func measure(_ options: Options, report: (ArchiverComparison) throws -> Void) throws {
        for count in [250, 1_000, 4_000] {
            try report(ArchiverComparison(count: count, rounds: options.rounds))
        }
    }

    var cells: [String] {
        func cells(_ timings: [Way: Timing]) -> [String] {
            let ours = timings[.coding]?.minimum
            return [Figure.duration(ours)]
                + [Way.codable, .foundation].map { Figure.ratio(timings[$0]?.minimum, ours) }
        }
        return [Figure.grouped(count)] + cells(encoding) + cells(decoding)
    }

    // MARK: - Measuring

    private init(count: Int, rounds: Int) throws {
        let coding = CodingNode.graph(count: count, seed: 9)
        let codable = Node.graph(count: count, seed: 9)
        let foundation = FoundationNode.graph(count: count, seed: 9)
        let ways: [Way: Run] = [
            .coding: try run(
                coding, encode: { try KeyedArchiver.archivedData(withRootObject: $0) },
                decode: { try KeyedUnarchiver.unarchivedObject(of: CodingNode.self, from: $0) }),
            .codable: try run(
                codable, encode: { try ArchiveEncoder().encode($0) },
                decode: { try ArchiveDecoder().decode(Node.self, from: $0) }),
            .foundation: try run(foundation, encode: FoundationNode.archived, decode: FoundationNode.unarchived),
        ]
        var encoding: [Way: Samples] = [:]
        var decoding: [Way: Samples] = [:]
        for _ in 0..<rounds {
            for way in Way.allCases {
                guard let (encodingTime, decodingTime) = try ways[way]?() else { continue }
                encoding[way, default: Samples()].add(encodingTime)
                decoding[way, default: Samples()].add(decodingTime)
            }
        }
        self.count = count
        self.encoding = encoding.mapValues(Timing.init)
        self.decoding = decoding.mapValues(Timing.init)
    }
}

/// One round: the times for encoding and decoding.
private typealias Run = () throws -> (encoding: Double, decoding: Double)

/// Returns the rounds of one way, after a check that it preserves the graph.
private func run<Node: GraphNode>(
    _ graph: Node, encode: @escaping (Node) throws -> Data, decode: @escaping (Data) throws -> Node
) throws -> Run {
    let archive = try encode(graph)
    guard Node.isFaithful(original: graph, decoded: try decode(archive), sharing: true) else {
        throw UnfaithfulRoundTrip(contender: .archive, workload: "\(ArchiverComparison.tableName), \(Node.self)")
    }
    return {
        (try timePerCall(calls: 1) { try encode(graph) }, try timePerCall(calls: 1) { try decode(archive) })
    }
}

// MARK: - For Foundation's archiver

/// The node of the class graph for Foundation's archiver, which does not support private classes on Linux.
final class FoundationNode: NSObject, GraphNode, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let name: String
    let weight: Int
    let style: FoundationStyle?
    var children: [FoundationNode] = []

    init(name: String, weight: Int, style: FoundationStyle) {
        self.name = name
        self.weight = weight
        self.style = style
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
        weight = coder.decodeInteger(forKey: "weight")
        style = coder.decodeObject(of: FoundationStyle.self, forKey: "style")
        let children = coder.decodeObject(of: [NSArray.self, FoundationNode.self], forKey: "children")
        self.children = children as? [FoundationNode] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(weight, forKey: "weight")
        coder.encode(style, forKey: "style")
        coder.encode(children as NSArray, forKey: "children")
    }

    static func archived(_ node: FoundationNode) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: node, requiringSecureCoding: true)
    }

    static func unarchived(_ data: Data) throws -> FoundationNode {
        let classes = [FoundationNode.self, FoundationStyle.self, NSArray.self, NSString.self]
        guard let node = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? FoundationNode
        else {
            throw CocoaError(.coderReadCorrupt)
        }
        return node
    }
}

/// The style of a `FoundationNode`.
final class FoundationStyle: NSObject, GraphStyle, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let name: String
    let red: Double
    let green: Double
    let blue: Double
    let width: Int

    init(name: String, red: Double, green: Double, blue: Double, width: Int) {
        self.name = name
        self.red = red
        self.green = green
        self.blue = blue
        self.width = width
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
        red = coder.decodeDouble(forKey: "red")
        green = coder.decodeDouble(forKey: "green")
        blue = coder.decodeDouble(forKey: "blue")
        width = coder.decodeInteger(forKey: "width")
    }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(red, forKey: "red")
        coder.encode(green, forKey: "green")
        coder.encode(blue, forKey: "blue")
        coder.encode(width, forKey: "width")
    }
}
