// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Hashes of the contents of nodes up to some levels deep, which find corresponding nodes of two graphs.
struct ContentHash {
    /// The hashes by level. Level 0 is the class or the value of a node; each further level adds a level of contents.
    private var levels: [[Int]]
    /// For each node the hash of its class and of the leaves in it, without objects.
    private(set) var leaves: [Int]

    /// The level of values that are almost certainly equal.
    static let deep = 3
    /// The level of a value and its own fields.
    static let near = 1
    /// The level of a class, or of the value of a leaf.
    static let own = 0

    init(_ graph: ContentGraph) {
        let keys = graph.keys.map { $0.hashValue }
        let own = graph.nodes.map { Self.own($0, graph) }
        leaves = own
        for node in graph.nodes.indices where graph.nodes[node].shape != .leaf {
            for edge in graph.edges(of: node) where graph.nodes[edge.target].shape == .leaf {
                var hasher = Hasher()
                hasher.combine(edge.key.map { keys[$0] } ?? 0)
                hasher.combine(own[edge.target])
                leaves[node] &+= hasher.finalize()
            }
        }
        levels = [own]
        for level in 1...Self.deep {
            let below = levels[level - 1]
            var hashes = below
            for node in graph.nodes.indices where graph.nodes[node].shape != .leaf {
                var hasher = Hasher()
                hasher.combine(levels[0][node])
                let isOrdered = graph.nodes[node].shape == .list
                // A sum does not depend on the order.
                var sum = 0
                for edge in graph.edges(of: node) {
                    var inner = Hasher()
                    inner.combine(edge.key.map { keys[$0] } ?? edge.keyNode.map { below[$0] } ?? 0)
                    inner.combine(below[edge.target])
                    let hash = inner.finalize()
                    if isOrdered { hasher.combine(hash) } else { sum &+= hash }
                }
                hasher.combine(sum)
                hashes[node] = hasher.finalize()
            }
            levels.append(hashes)
        }
    }

    subscript(node: Int, level: Int) -> Int { levels[level][node] }

    private static func own(_ node: ContentGraph.Node, _ graph: ContentGraph) -> Int {
        var hasher = Hasher()
        hasher.combine(node.shape)
        if let classIndex = node.classIndex { hasher.combine(graph.classes[classIndex].name) }
        if node.shape == .leaf { node.leaf.hash(into: &hasher) }
        return hasher.finalize()
    }
}

extension Hasher {
    fileprivate mutating func combine(bytesOf text: String) {
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count & 7 == 0 { combine(word) }
        }
        combine(word)
        combine(count)
    }
}

extension ContentGraph.Leaf: Hashable {
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null, .nullObject: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value, _): hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
        // By bytes, since canonically equivalent texts are not equal here.
        case .string(let value), .damage(let value): hasher.combine(bytesOf: value)
        case .data(let value): hasher.combine(value)
        // Whole seconds, as in XML.
        case .date(let value): hasher.combine(value.rounded(.down))
        case .uid(let value): hasher.combine(value)
        case .named(let name, let value):
            hasher.combine(name)
            for byte in value.utf8 { hasher.combine(byte) }
        case .bytes(_, let value): hasher.combine(value)
        }
    }
}
