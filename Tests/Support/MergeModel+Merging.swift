// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
        /// The lists in which both sides have moved or added the same elements, so that several merges are right.
        package var openLists: Set<Int> = []
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

    /// Returns the value to take, and nil if there is a conflict.
    private func choose<Value: Equatable>(_ base: Value, _ mine: Value, _ theirs: Value) -> Value? {
        mine == base ? theirs : theirs == base || theirs == mine ? mine : nil
    }

    private func merge(
        _ id: Int, _ base: Node, _ mine: Node, _ theirs: Node, _ actual: Node?, _ reported: Set<String>,
        _ result: inout Expectation
    ) -> Node {
        func choose<Value: Equatable>(_ base: Value, _ mine: Value, _ theirs: Value, _ name: String) -> Value {
            if let value = self.choose(base, mine, theirs) { return value }
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
        switch (base.point, mine.point, theirs.point) {
        case (let old?, let left?, let right?):
            node.point = Point(
                x: choose(old.x, left.x, right.x, "point \(id) x"), y: choose(old.y, left.y, right.y, "point \(id) y"))
        case (nil, _?, _?): result.conflicts.insert("node \(id) point")
        case (nil, let left, let right): node.point = left ?? right
        case (_?, _, _): node.point = nil
        }
        node.list = mergedList(id, base.list, mine.list, theirs.list, actual?.list, reported, &result)
        return node
    }

    private func mergedList(
        _ id: Int, _ base: [Int], _ mine: [Int], _ theirs: [Int], _ actual: [Int]?, _ reported: Set<String>,
        _ result: inout Expectation
    ) -> [Int] {
        if let list = choose(base, mine, theirs) { return list }
        let name = "list \(id) NS.objects"
        /// Whether the common elements have the same order.
        func moves(_ list: [Int]) -> Bool { list.filter(base.contains) != base.filter(list.contains) }
        if !moves(mine), !moves(theirs) {
            let merged = interleaved(base, mine, theirs)
            if let merged, Set(merged).count == merged.count { return merged }
            result.conflicts.insert(name)
            return mine
        }
        // Where a moved element belongs is not determined: the merge is a conflict, or has the elements that both changes say.
        result.openLists.insert(id)
        if reported.contains(name) {
            result.conflicts.insert(name)
            return mine
        }
        let elements = Set(mine).intersection(theirs).union(Set(mine).subtracting(base))
            .union(Set(theirs).subtracting(base))
        guard let actual, actual.count == elements.count, Set(actual) == elements else { return [] }
        return actual
    }

    /// Merges lists in which nothing was moved; nil if changed parts of both touch each other.
    private func interleaved(_ base: [Int], _ mine: [Int], _ theirs: [Int]) -> [Int]? {
        // Each list as the elements before each element of the base, and at the end; and the kept elements of the base.
        func parts(_ list: [Int]) -> (gaps: [[Int]], kept: [Bool]) {
            var gaps: [[Int]] = [[]]
            var kept: [Bool] = []
            var rest = list[...]
            for element in base {
                if list.contains(element) {
                    while let next = rest.popFirst(), next != element { gaps[gaps.count - 1].append(next) }
                }
                kept.append(list.contains(element))
                gaps.append([])
            }
            gaps[gaps.count - 1] += rest
            return (gaps, kept)
        }
        // A changed part: the range of the base that it replaces, and the new elements.
        func changes(_ list: [Int]) -> [(range: Range<Int>, new: [Int])] {
            let (gaps, kept) = parts(list)
            var result: [(range: Range<Int>, new: [Int])] = []
            var start = 0
            var new: [Int] = []
            for place in 0...base.count {
                new += gaps[place]
                if place < base.count, !kept[place] { continue }
                if start < place || !new.isEmpty { result.append((start..<place, new)) }
                (start, new) = (place + 1, [])
            }
            return result
        }
        let (left, right) = (changes(mine), changes(theirs))
        var all = left
        for change in right {
            let touched = left.filter {
                $0.range.lowerBound <= change.range.upperBound && change.range.lowerBound <= $0.range.upperBound
            }
            if touched.isEmpty {
                all.append(change)
            } else if touched.count > 1 || touched[0].range != change.range || touched[0].new != change.new {
                return nil
            }
        }
        all.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        var merged: [Int] = []
        var place = 0
        for change in all {
            merged += base[place..<change.range.lowerBound] + change.new
            place = change.range.upperBound
        }
        return merged + base[place...]
    }

    /// Finds the objects and values that one version has changed, and that the merged graph does not have.
    private func findRemovals(_ mine: MergeModel, _ theirs: MergeModel, _ result: inout Expectation) {
        for (id, base) in nodes {
            let (left, right) = (mine.nodes[id], theirs.nodes[id])
            func check<Value: Equatable>(_ name: String, _ part: (Node) -> Value?) {
                guard let old = part(base) else { return }
                let values = [left.flatMap(part), right.flatMap(part)].compactMap { $0 }
                guard values.contains(where: { $0 != old }) else { return }
                result.conflicts.insert("removal \(name) \(id)")
                result.removed["removal \(name) \(id)"] = id
                if values.count == 2 { result.restores = true }
            }
            if let merged = result.merged.nodes[id] {
                if merged.point == nil || base.point == nil { check("point", \.point) }
                continue
            }
            check("node") { node in
                Own(name: node.name, count: node.count, next: node.next, hasPoint: node.point != nil)
            }
            check("list", \.list)
            check("entries", \.entries)
            check("words", \.words)
            check("point", \.point)
        }
    }

    /// What an object has itself.
    private struct Own: Equatable {
        let name: String
        let count: Int
        let next: Int?
        let hasPoint: Bool
    }
}
