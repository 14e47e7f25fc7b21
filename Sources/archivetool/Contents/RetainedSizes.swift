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
        var starts = [0]
        var targets: [Int] = []
        for node in graph.nodes.indices {
            for edge in graph.edges(of: node) {
                if let keyNode = edge.keyNode { targets.append(keyNode) }
                targets.append(edge.target)
            }
            starts.append(targets.count)
        }
        let sums = DominatorTree(starts: starts, targets: targets).sums(
            of: graph.nodes.map { $0.number == nil ? 0 : 1 })
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
        var pairs: [(source: Int, target: Int)] = start.uid.map { [(0, Int($0) + 1)] } ?? []
        for (uid, object) in archive.objects.enumerated().dropFirst() {
            for owner in references.owners(of: object) {
                if let source = owner.uid { pairs.append((Int(source) + 1, uid + 1)) }
                if owner.uid == nil, start.uid == nil { pairs.append((0, uid + 1)) }
            }
        }
        var starts = Array(repeating: 0, count: archive.objects.count + 2)
        for pair in pairs { starts[pair.source + 1] += 1 }
        for node in starts.indices.dropFirst() { starts[node] += starts[node - 1] }
        var next = starts
        var targets = Array(repeating: 0, count: pairs.count)
        for pair in pairs {
            targets[next[pair.source]] = pair.target
            next[pair.source] += 1
        }
        let tree = DominatorTree(starts: starts, targets: targets)
        let ones = archive.objects.map { $0.kind == .classEntry || $0.kind == .null ? 0 : 1 }
        counts = Array(tree.sums(of: [0] + ones).dropFirst())
        byteCounts = Array(tree.sums(of: [0] + archive.objects.map { sizes.byteCount(of: $0) }).dropFirst())
    }
}
