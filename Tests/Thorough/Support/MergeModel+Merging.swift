// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport

// MARK: - Merging

extension MergeModel {
    /// What a merge has to give.
    package struct Expectation {
        /// The merged graph, in which mine has won all conflicts, and removed objects stay removed.
        package var merged = MergeModel()
        /// The conflicts by the names of the objects and their keys.
        package var conflicts: Set<String> = []
        /// The objects that belong to the conflicts of removed objects and values.
        package var removed: [String: Int] = [:]
        /// Whether both sides have removed different references to an object that one of them has changed. A merge restores it.
        package var restores = false
    }

    /// Merges two changed versions of this model.
    ///
    /// - Parameters:
    ///   - actual: The merged graph to check, for the lists of which several merges are right.
    ///   - reported: The conflicts to check.
    package func merging(
        _ mine: MergeModel, _ theirs: MergeModel, actual: MergeModel, reported: Set<String>
    ) -> Expectation {
        var result = Expectation()
        result.merged.nodes = [:]
        var known: Set<Int> = [0]
        var remaining = [0]
        while let id = remaining.popLast() {
            let merged: Node
            if let base = nodes[id], let left = mine.nodes[id], let right = theirs.nodes[id] {
                merged = merge(id, base, left, right, actual.nodes[id], reported, &result)
            } else {
                merged = mine.nodes[id] ?? theirs.nodes[id] ?? nodes[id] ?? Node(name: "none")
            }
            result.merged.nodes[id] = merged
            for other in merged.references where known.insert(other).inserted { remaining.append(other) }
        }
        findRemovals(mine, theirs, &result)
        return result
    }

    private func merge(
        _ id: Int, _ base: Node, _ mine: Node, _ theirs: Node, _ actual: Node?, _ reported: Set<String>,
        _ result: inout Expectation
    ) -> Node {
        func choose<Value: Equatable>(_ base: Value, _ mine: Value, _ theirs: Value, _ name: String) -> Value {
            if let value = PlainMerge.choose(base, mine, theirs) { return value }
            result.conflicts.insert(name)
            return mine
        }
        var node = mine
        node.name = choose(base.name, mine.name, theirs.name, "node \(id) name")
        node.count = choose(base.count, mine.count, theirs.count, "node \(id) count")
        node.next = choose(base.next, mine.next, theirs.next, "node \(id) next")
        for key in Set(base.entries.keys).union(mine.entries.keys).union(theirs.entries.keys) {
            node.entries[key] = choose(
                base.entries[key], mine.entries[key], theirs.entries[key], "entries \(id) \(key)")
        }
        node.words = mine.words.intersection(theirs.words).union(mine.words.subtracting(base.words))
            .union(theirs.words.subtracting(base.words))
        if let old = base.point, let left = mine.point, let right = theirs.point {
            node.point = Point(
                x: choose(old.x, left.x, right.x, "point \(id) x"), y: choose(old.y, left.y, right.y, "point \(id) y"))
        } else {
            node.point = choose(base.point, mine.point, theirs.point, "node \(id) point")
        }
        node.list = mergedList(id, base.list, mine.list, theirs.list, actual?.list, reported, &result)
        return node
    }

    private func mergedList(
        _ id: Int, _ base: [Int], _ mine: [Int], _ theirs: [Int], _ actual: [Int]?, _ reported: Set<String>,
        _ result: inout Expectation
    ) -> [Int] {
        if let list = PlainMerge.choose(base, mine, theirs) { return list }
        let name = "list \(id) NS.objects"
        /// Whether the common elements have the same order.
        func moves(_ list: [Int]) -> Bool { list.filter(base.contains) != base.filter(list.contains) }
        if !moves(mine), !moves(theirs) {
            let merged = PlainMerge.mergedList(base, mine, theirs) { PlainMerge.choose($0, $1, $2) }
            let isOnce = Set(merged.elements).count == merged.elements.count
            if merged.isConflict || !isOnce { result.conflicts.insert(name) }
            return isOnce ? merged.elements : mine
        }
        // Where a moved element belongs is not determined: the merge has the elements that both changes say. In a conflict, it has those
        // of mine, or both changes beside the conflict.
        let elements = Set(mine).intersection(theirs).union(Set(mine).subtracting(base))
            .union(Set(theirs).subtracting(base))
        let isConflict = reported.contains(name)
        if isConflict { result.conflicts.insert(name) }
        let (least, most) = isConflict ? (elements.intersection(mine), elements.union(mine)) : (elements, elements)
        guard let actual, Set(actual).count == actual.count, least.isSubset(of: actual), most.isSuperset(of: actual)
        else { return [] }
        return actual
    }

    /// Finds the objects that one version has changed, and that the merged graph does not have.
    private func findRemovals(_ mine: MergeModel, _ theirs: MergeModel, _ result: inout Expectation) {
        for (id, base) in nodes where result.merged.nodes[id] == nil {
            let versions = [mine.nodes[id], theirs.nodes[id]].compactMap { $0 }
            guard versions.contains(where: { $0 != base }) else { continue }
            result.conflicts.insert("removal node \(id)")
            result.removed["removal node \(id)"] = id
            if versions.count == 2 { result.restores = true }
        }
    }
}
