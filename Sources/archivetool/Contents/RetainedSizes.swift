// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

/// For each object the objects that no path reaches without it, itself included.
struct RetainedSizes {
    /// The number of objects, by node; 0 for nodes that are no objects. Class descriptions and nil are not counted.
    private(set) var counts: [Int] = []
    /// The number of bytes, class descriptions included, by node; empty if it is unknown.
    private(set) var byteCounts: [Int] = []

    init(_ graph: ContentGraph, _ part: Part) {
        if case .value(let value) = part, let archived = ArchivedSizes(value) {
            func size(_ node: ContentGraph.Node, _ sizes: [Int]) -> Int {
                node.number.flatMap { sizes.indices.contains(Int($0)) ? sizes[Int($0)] : nil } ?? 0
            }
            counts = graph.nodes.map { size($0, archived.counts) }
            byteCounts = graph.nodes.map { size($0, archived.byteCounts) }
            return
        }
        let targets = graph.nodes.indices.map { node in
            graph.edges(of: node).flatMap { edge in [edge.keyNode, edge.target].compactMap { $0 } }
        }
        let sums = DominatorTree(targets).sums(of: graph.nodes.map { $0.number == nil ? 0 : 1 })
        counts = zip(graph.nodes, sums).map { $0.number == nil ? 0 : $1 }
    }
}

/// The sizes of all objects of an archive by uid. A graph has only some of the objects, since short values are leaves of it.
private struct ArchivedSizes {
    let counts: [Int]
    let byteCounts: [Int]

    /// The sizes of the objects that can be reached from `start`, an object or the top; nil for other values, and for archives
    /// with too many references for their size.
    init?(_ start: KeyedArchive.Value) {
        let archive = start.archive
        let isObject = start.uid.map { archive.objects.indices.contains(Int($0)) } ?? (start == archive.top)
        guard isObject, let references = try? archive.references(), let sizes = try? archive.sizes() else { return nil }
        // Node 0 is the start, and the node after a uid the object.
        var targets = Array(repeating: [Int](), count: archive.objects.count + 1)
        if let uid = start.uid { targets[0].append(Int(uid) + 1) }
        for (uid, object) in archive.objects.enumerated().dropFirst() {
            for owner in references.owners(of: object) {
                if let source = owner.uid { targets[Int(source) + 1].append(uid + 1) }
                if owner.uid == nil, start.uid == nil { targets[0].append(uid + 1) }
            }
        }
        let tree = DominatorTree(targets)
        let ones = archive.objects.map { $0.kind == .classEntry || $0.kind == .null ? 0 : 1 }
        counts = Array(tree.sums(of: [0] + ones).dropFirst())
        byteCounts = Array(tree.sums(of: [0] + archive.objects.map { sizes.byteCount(of: $0) }).dropFirst())
    }
}

/// For each node of a graph the nearest other node that is on every path to it from the first one, 0.
///
/// It uses the algorithm of Lengauer and Tarjan with path compression, without recursion.
///
/// - Complexity: O(*m* log *n*) time, where *n* is the number of nodes and *m* that of references.
struct DominatorTree {
    /// The dominator of each node that a path reaches; of node 0 itself; nil for other nodes.
    private(set) var dominators: [Int?]
    /// The reachable nodes in the order of a search in depth. A node comes after its dominator.
    private(set) var order: [Int] = []

    /// The tree of a graph whose node `n` refers to `targets[n]`.
    init(_ targets: [[Int]]) {
        dominators = Array(repeating: nil, count: targets.count)
        guard !targets.isEmpty else { return }
        let search = DepthFirstSearch(targets)
        order = search.order
        var forest = Forest(order.count)
        // All numbers from here on are positions in `order`.
        var (results, waiting) = (
            Array(repeating: 0, count: order.count), Array(repeating: [Int](), count: order.count)
        )
        for position in order.indices.dropFirst().reversed() {
            for source in search.sources[position] {
                let least = forest.least(of: source)
                forest.keys[position] = min(forest.keys[position], forest.keys[least])
            }
            waiting[forest.keys[position]].append(position)
            let parent = search.parents[position]
            forest.ancestors[position] = parent
            for node in waiting[parent] {
                let least = forest.least(of: node)
                results[node] = forest.keys[least] < forest.keys[node] ? least : parent
            }
            waiting[parent] = []
        }
        dominators[0] = 0
        for position in order.indices.dropFirst() {
            if results[position] != forest.keys[position] { results[position] = results[results[position]] }
            dominators[order[position]] = order[results[position]]
        }
    }

    func sums(of values: [Int]) -> [Int] {
        var sums = values
        for node in order.dropFirst().reversed() { sums[dominators[node] ?? 0] += sums[node] }
        return sums
    }
}

// MARK: - Steps of the algorithm

private struct DepthFirstSearch {
    private(set) var order = [0]
    private(set) var parents = [0]
    /// For each position in `order`, those of the nodes that refer to it.
    private(set) var sources: [[Int]]

    init(_ targets: [[Int]]) {
        var positions = Array(repeating: -1, count: targets.count)
        positions[0] = 0
        var next = Array(repeating: 0, count: targets.count)
        var open = [0]
        while let node = open.last {
            guard next[node] < targets[node].count else {
                open.removeLast()
                continue
            }
            let target = targets[node][next[node]]
            next[node] += 1
            guard positions[target] < 0 else { continue }
            positions[target] = order.count
            order.append(target)
            parents.append(positions[node])
            open.append(target)
        }
        sources = Array(repeating: [], count: order.count)
        for (position, node) in order.enumerated() {
            for target in targets[node] { sources[positions[target]].append(position) }
        }
    }
}

/// The nodes whose semidominators are known, as trees with compressed paths.
private struct Forest {
    /// The semidominator of each node; before it is known, the node itself.
    var keys: [Int]
    var ancestors: [Int?]
    /// The node with the least key on the path to the ancestor.
    private var labels: [Int]

    init(_ count: Int) {
        keys = Array(0..<count)
        labels = keys
        ancestors = Array(repeating: nil, count: count)
    }

    /// The node with the least key on the path from the root of the tree to `node`, without the root.
    mutating func least(of node: Int) -> Int {
        guard ancestors[node] != nil else { return node }
        var path: [Int] = []
        var top = node
        while let above = ancestors[top], ancestors[above] != nil {
            path.append(top)
            top = above
        }
        for node in path.reversed() {
            guard let above = ancestors[node] else { continue }
            if keys[labels[above]] < keys[labels[node]] { labels[node] = labels[above] }
            ancestors[node] = ancestors[above]
        }
        return labels[node]
    }
}
