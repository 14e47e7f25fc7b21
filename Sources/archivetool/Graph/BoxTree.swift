// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The boxes of a graph, as a tree of shortest paths.
///
/// The parent of a box is the last box on the shortest path to it. Elements of a short list are near; elements of a long one are
/// far, since it is often a register and no owner. References to neighbours and parents are long.
struct BoxTree {
    /// The nodes of the boxes, the nearest first. A box comes after its parent.
    private(set) var nodes: [Int] = []
    /// The parent of each box; of the first one itself.
    private(set) var parents: [Int] = []
    private(set) var layers: [Int] = []
    private(set) var sizes: [Int] = []
    private var entries: [Int] = []
    private var boxes: [Int?]
    private var isRow: [Bool]

    static let containers: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSCountedSet", "NSOrderedSet", "NSMutableOrderedSet",
        "NSDictionary", "NSMutableDictionary",
    ]
    /// Parts of keys of references to neighbours and parents.
    private static let roundKeys = [
        "nextkey", "nextresponder", "previous", "parent", "super", "delegate", "datasource",
    ]
    private static let (fieldDistance, roundDistance) = (2, 8)
    /// The number of elements of values and of containers that are written in a row.
    private static let (valueLimit, containerLimit) = (64, 8)

    init(_ graph: ContentGraph, from start: Int, showsLeaves: Bool) {
        boxes = Array(repeating: nil, count: graph.nodes.count)
        isRow = Self.rows(graph, showsLeaves: showsLeaves)
        isRow[start] = false
        hang(start, graph)
        sizes = Array(repeating: 1, count: nodes.count)
        for box in nodes.indices.dropFirst().reversed() { sizes[parents[box]] += sizes[box] }
        entries = Array(repeating: 0, count: nodes.count)
        var next = entries
        for box in nodes.indices {
            entries[box] = box == 0 ? 0 : next[parents[box]]
            if box > 0 { next[parents[box]] += sizes[box] }
            next[box] = entries[box] + 1
        }
    }

    func isAncestor(_ ancestor: Int, of box: Int) -> Bool {
        (entries[ancestor]..<entries[ancestor] + sizes[ancestor]).contains(entries[box])
    }

    func box(of node: Int) -> Int? { boxes[node] }

    /// Whether `node` is never a box.
    func isRow(_ node: Int) -> Bool { isRow[node] }

    func children() -> [[Int]] {
        var children = Array(repeating: [Int](), count: nodes.count)
        for box in nodes.indices.dropFirst() { children[parents[box]].append(box) }
        return children
    }

    // MARK: What is a box

    private static func rows(_ graph: ContentGraph, showsLeaves: Bool) -> [Bool] {
        var referenceCounts = Array(repeating: 0, count: graph.nodes.count)
        for node in graph.nodes.indices {
            for edge in graph.edges(of: node) { referenceCounts[edge.target] += 1 }
        }
        let isLeaf = graph.nodes.map { node in
            node.shape == .leaf && !(showsLeaves && (node.number ?? 0) != 0)
        }
        return graph.nodes.indices.map { node in
            let description = graph.nodes[node]
            guard description.shape != .leaf else { return isLeaf[node] }
            let count = description.edges.count
            if description.hasIdentity {
                let isContainer = graph.className(of: node).map(containers.contains) ?? false
                guard isContainer, count == 0 || referenceCounts[node] < 2, count <= containerLimit else {
                    return false
                }
            }
            return count <= valueLimit
                && graph.edges(of: node).allSatisfy { $0.keyNode == nil && isLeaf[$0.target] }
        }
    }

    // MARK: The tree

    /// Finds the shortest paths with Dijkstra's algorithm: `waiting` has a list of nodes for each distance.
    private mutating func hang(_ start: Int, _ graph: ContentGraph) {
        let goesRound = graph.keys.map { key in
            let key = key.lowercased()
            return Self.roundKeys.contains { key.contains($0) }
        }
        var distances = Array(repeating: Int.max, count: graph.nodes.count)
        var origins = Array(repeating: 0, count: graph.nodes.count)
        distances[start] = 0
        var waiting = [[start]]
        var distance = 0
        while distance < waiting.count {
            for node in waiting[distance] where boxes[node] == nil && distances[node] == distance {
                boxes[node] = nodes.count
                nodes.append(node)
                parents.append(origins[node])
                layers.append(node == start ? 0 : layers[origins[node]] + 1)
                let isCollection = graph.nodes[node].shape != .fields
                let count = graph.nodes[node].edges.count
                let elementDistance = 1 + 2 * (count.bitWidth - 1 - count.leadingZeroBitCount)
                for edge in graph.edges(of: node) {
                    let isRound = !isCollection && edge.key.map { goesRound[$0] } == true
                    let step = isCollection ? elementDistance : isRound ? Self.roundDistance : Self.fieldDistance
                    for target in [edge.keyNode, edge.target] {
                        guard let target, !isRow[target], distance + step < distances[target] else { continue }
                        distances[target] = distance + step
                        origins[target] = boxes[node] ?? 0
                        while waiting.count <= distance + step { waiting.append([]) }
                        waiting[distance + step].append(target)
                    }
                }
            }
            waiting[distance] = []
            distance += 1
        }
    }
}

// MARK: - Siblings that are alike

extension BoxTree {
    enum Likeness {
        case none
        /// The same contents, up to a few references away.
        case equal
        case kind
    }

    /// For each box the first similar sibling in the same collection, which may be itself. Fewer than `leastCount` siblings
    /// stay separate.
    func firstsAlike(_ graph: ContentGraph, by likeness: Likeness, from leastCount: Int = 3) -> [Int] {
        var firsts = Array(nodes.indices)
        guard likeness != .none else { return firsts }
        let contents = likeness == .equal ? ContentHash(graph) : nil
        var crowds: [Int: [Int]] = [:]
        for box in nodes.indices.dropFirst() where graph.nodes[nodes[parents[box]]].shape != .fields {
            let node = nodes[box]
            var hasher = Hasher()
            hasher.combine(parents[box])
            hasher.combine(graph.nodes[node].shape)
            hasher.combine(graph.nodes[node].classIndex)
            if let contents {
                hasher.combine(contents[node, ContentHash.deep])
            } else if graph.nodes[node].shape == .fields {
                for edge in graph.edges(of: node) { hasher.combine(edge.key) }
            }
            crowds[hasher.finalize(), default: []].append(box)
        }
        for crowd in crowds.values where crowd.count >= leastCount {
            for box in crowd { firsts[box] = crowd[0] }
        }
        return firsts
    }
}
