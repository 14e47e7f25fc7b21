#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the nodes of a graph hold, as numbers that are equal where it is: of a node itself, and of what is in it up to some
/// levels deep. They find what belongs together in two graphs; what they say is checked afterwards.
struct ContentHash {
    /// By levels: 0 is a node itself, its class or its value; each further one is what is in it, one level deeper.
    private var levels: [[Int]]
    /// Of each node the class and the leaves directly in it, but not the objects that it refers to.
    private(set) var leaves: [Int]

    /// Levels that tell whether two values are the same, as far as one needs to know to put them side by side.
    static let deep = 3
    /// The value itself, and its own fields.
    static let near = 1
    /// The class, or the value of a leaf.
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

    /// The number of a node, with what is in it up to `level` levels deep.
    subscript(node: Int, level: Int) -> Int { levels[level][node] }

    private static func own(_ node: ContentGraph.Node, _ graph: ContentGraph) -> Int {
        var hasher = Hasher()
        hasher.combine(node.shape)
        if let classIndex = node.classIndex { hasher.combine(graph.classes[classIndex].name) }
        if node.shape == .leaf { node.leaf.hash(into: &hasher) }
        return hasher.finalize()
    }
}

extension ContentGraph.Leaf: Hashable {
    /// Feeds what `==` compares into `hasher`.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null, .nullObject: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value, _): hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
        // By its bytes: texts that are canonically equivalent are not the same.
        case .string(let value), .damage(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .data(let value): hasher.combine(value)
        // Whole seconds, since XML has no others.
        case .date(let value): hasher.combine(value.rounded(.down))
        case .uid(let value): hasher.combine(value)
        case .named(let name, let value):
            hasher.combine(name)
            hasher.combine(value)
        case .bytes(_, let value): hasher.combine(value)
        }
    }
}
