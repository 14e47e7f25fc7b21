// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import SequentialArchiving
import TestSupport
import Testing

@testable import archivetool

/// The objects that only one object retains.
@Suite(.inTurn) struct `Retained sizes` {
    /// The nodes that are reachable from node 0 by the references without those of `removed`.
    private func reachable(_ references: [[Int]], without removed: Int? = nil) -> Set<Int> {
        var found: Set<Int> = removed == 0 ? [] : [0]
        var open = Array(found)
        while let node = open.popLast() {
            for target in references[node] where target != removed && found.insert(target).inserted {
                open.append(target)
            }
        }
        return found
    }

    private func tree(_ references: [[Int]]) -> DominatorTree {
        DominatorTree(references)
    }

    @Test(
        arguments: [
            ([[]], [0]), ([[1], [0]], [0, 0]),
            // A rhombus, and a chain behind it.
            ([[1, 2], [3], [3], [4], []], [0, 0, 0, 0, 3]),
            // A chain of which each object refers to both neighbours.
            ([[1], [0, 2], [1, 3], [2]], [0, 0, 1, 2]),
            // An object that nothing refers to.
            ([[1], [], [1]], [0, 0, nil]),
            // A cycle with two entrances.
            ([[1, 2], [2], [1]], [0, 0, 0]),
        ] as [([[Int]], [Int?])])
    func `have the nearest object on every path`(references: [[Int]], dominators: [Int?]) {
        #expect(tree(references).dominators == dominators)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `are the objects that no path reaches without it, in any graph`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let count = Int.random(in: 1...30, using: &random)
        let references = (0..<count).map { _ in
            (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
        }
        let all = reachable(references)
        let sums = tree(references).sums(of: Array(repeating: 1, count: count))
        for node in all { #expect(sums[node] == all.count - reachable(references, without: node).count) }
    }

    @Test func `of an archive count objects, and bytes with the descriptions of their classes`() throws {
        let archive = try KeyedArchive(HandMade.farm.data())
        let graph = try ContentGraph(archive.root, byteCount: 1000, detail: .texts)
        let sizes = RetainedSizes(graph, .value(archive.root))
        let nodes = Dictionary(
            uniqueKeysWithValues: graph.nodes.indices.compactMap { node in
                graph.nodes[node].number.map { ($0, node) }
            })
        // The farm has all but the string that was left behind; the owner also belongs to the cow; the array has the cow.
        for (uid, count) in [1: 7, 2: 1, 3: 2, 4: 1, 5: 3, 6: 2, 7: 1] as [UInt32: Int] {
            #expect(sizes.counts[try #require(nodes[uid])] == count)
        }
        let bytes = try archive.sizes()
        for (uid, retained) in [3: [3, 4, 9], 5: [5, 6, 7, 10, 11]] as [UInt32: [Int]] {
            let sum = retained.reduce(0) { $0 + bytes.byteCount(of: archive.objects[$1]) }
            #expect(sizes.byteCounts[try #require(nodes[uid])] == sum)
        }
    }

    @Test func `of an archive whose root does not exist are nothing`() throws {
        let archive = try KeyedArchive(HandMade.archive(["$null"], top: ["root": .uid(.max)]).data())
        let graph = try ContentGraph(archive.root, byteCount: 1000, detail: .texts)
        let sizes = RetainedSizes(graph, .value(archive.root))
        #expect(sizes.counts.allSatisfy { $0 <= 1 } && sizes.byteCounts.isEmpty)
    }

    @Test func `of a typedstream count its objects`() throws {
        let stream = try TypedStream(HandMade.typedStream)
        let graph = try ContentGraph(stream, byteCount: 1000)
        #expect(RetainedSizes(graph, .stream(stream, object: nil)).counts.max() == 1)
    }

    @Test func `of a long chain need no recursion`() {
        let count = 200_000
        let chain = (0..<count).map { [max(0, $0 - 1), min(count - 1, $0 + 1)] }
        #expect(tree(chain).sums(of: Array(repeating: 1, count: count))[1] == count - 1)
    }
}
