import Archiving
import Foundation

/// Three ways to archive one graph of class instances: by hand, under Codable, and with Foundation's own archiver.
///
/// Foundation's archiver on Linux takes time with the square of the number of objects, so the graphs are small.
enum ArchiverComparison {
    static let name = "archivers"

    private static let nodeCounts = [250, 1_000, 4_000]

    /// The table, one row for each size.
    ///
    /// - Throws: `UnfaithfulRoundTrip` if a graph came back changed, or what a coder throws.
    static func table(rounds: Int) throws -> String {
        let header = """

            One class graph by `Coding`; how many times longer `ArchiveEncoder` and `ArchiveDecoder`, and Foundation's
            NSKeyedArchiver and NSKeyedUnarchiver take, best over best.

            |   nodes |   encode | codable ÷ | foundation ÷ |   decode | codable ÷ | foundation ÷ |
            | ------: | -------: | --------: | -----------: | -------: | --------: | -----------: |
            """
        return try ([header] + nodeCounts.map { try row(nodeCount: $0, rounds: rounds) }).joined(separator: "\n")
    }

    private static func row(nodeCount: Int, rounds: Int) throws -> String {
        let coding = CodingNode.graph(count: nodeCount, seed: 9)
        let codable = Node.graph(count: nodeCount, seed: 9)
        let foundation = FoundationNode.graph(count: nodeCount, seed: 9)
        let ways = [
            try Way(
                coding, "Coding", encode: { try KeyedArchiver.archivedData(withRootObject: $0) },
                decode: { try KeyedUnarchiver.unarchivedObject(of: CodingNode.self, from: $0) }
            ).run,
            try Way(
                codable, "Codable", encode: { try ArchiveEncoder().encode($0) },
                decode: { try ArchiveDecoder().decode(Node.self, from: $0) }
            ).run,
            try Way(foundation, "Foundation", encode: FoundationNode.archived, decode: FoundationNode.unarchived).run,
        ]
        var encoding = Array(repeating: Samples(), count: ways.count)
        var decoding = encoding
        for _ in 0..<rounds {
            for (index, run) in ways.enumerated() { try run(&encoding[index], &decoding[index]) }
        }
        let cells = [String(nodeCount)] + cells(encoding) + cells(decoding)
        let padded = zip(cells, [7, 8, 9, 12, 8, 9, 12]).map { cell, width in
            String(repeating: " ", count: max(0, width - cell.count)) + cell
        }
        return "| " + padded.joined(separator: " | ") + " |"
    }

    private static func cells(_ samples: [Samples]) -> [String] {
        [Table.duration(samples[0].minimum)] + samples.dropFirst().map { Table.ratio($0.minimum, samples[0].minimum) }
    }

    /// One way, which was found to bring a graph back.
    private struct Way<Node: GraphNode> {
        let graph: Node
        let archive: Data
        let encode: (Node) throws -> Data
        let decode: (Data) throws -> Node

        init(
            _ graph: Node, _ name: String, encode: @escaping (Node) throws -> Data,
            decode: @escaping (Data) throws -> Node
        ) throws {
            self.graph = graph
            self.encode = encode
            self.decode = decode
            archive = try encode(graph)
            guard Node.isFaithful(original: graph, decoded: try decode(archive), sharing: true) else {
                throw UnfaithfulRoundTrip(contender: .archive, workload: "\(ArchiverComparison.name), \(name)")
            }
        }

        func run(_ encoding: inout Samples, _ decoding: inout Samples) throws {
            encoding.add(try timePerCall(calls: 1) { try encode(graph) })
            decoding.add(try timePerCall(calls: 1) { try decode(archive) })
        }
    }
}

/// The node of a class graph as Foundation's archiver takes it, which on Linux does not know private classes.
final class FoundationNode: NSObject, GraphNode, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let name: String
    let weight: Int
    var children: [FoundationNode] = []

    init(name: String, weight: Int) {
        self.name = name
        self.weight = weight
    }

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
        weight = coder.decodeInteger(forKey: "weight")
        let children = coder.decodeObject(of: [NSArray.self, FoundationNode.self], forKey: "children")
        self.children = children as? [FoundationNode] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(weight, forKey: "weight")
        coder.encode(children as NSArray, forKey: "children")
    }

    static func archived(_ node: FoundationNode) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: node, requiringSecureCoding: true)
    }

    static func unarchived(_ data: Data) throws -> FoundationNode {
        let classes = [FoundationNode.self, NSArray.self, NSString.self]
        guard let node = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? FoundationNode
        else {
            throw CocoaError(.coderReadCorrupt)
        }
        return node
    }
}
