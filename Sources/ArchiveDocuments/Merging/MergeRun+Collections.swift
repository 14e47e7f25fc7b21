// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Lists

extension MergeRun {
    mutating func mergedList(_ value: Value) throws -> [Int] {
        let list = MergeList(graph, value.versions)
        var conflicts: [SequenceMatches.Change] = []
        var merged: [Int] = []
        var end = 0
        for change in list.changes {
            merged += numbers(of: list.elements.base[end..<change.base.lowerBound], .base)
            end = change.base.upperBound
            let single = change.changedVersion
            // What a version has kept of a part that the other one has changed.
            let kept = single.map { list.elements[$0.other][change[$0.other]] } ?? []
            let hasKeptObject = single.map { single in kept.contains { isKept($0, single.other) } } ?? false
            if change.hasSameCounts, !hasKeptObject {
                for place in 0..<change.base.count {
                    let element = change.element(place)
                    let versions = Triple<Int?> { list.elements[$0][element[$0].lowerBound] }
                    switch choose(versions, value, .index(element.base.lowerBound)) {
                    case .value(let number): merged += number.map { [$0] } ?? []
                    case .conflict:
                        conflicts.append(element)
                        merged += try decidedElements(of: element, list, value)
                    }
                }
            } else if let single {
                for element in kept where requires(element, single.other) {
                    merged.append(number(of: element, single.other))
                }
                merged += numbers(of: list.elements[single][change[single]], single)
            } else if !isComparison, list.isEqual(change) {
                merged += numbers(of: list.elements.mine[change.mine], .mine)
            } else {
                conflicts.append(change)
                merged += try decidedElements(of: change, list, value)
            }
        }
        merged += numbers(of: list.elements.base[end...], .base)
        if try isComparison || hasExpectedObjects(merged, list, conflicts, value) { return merged }
        return try decidedElements(of: list.all, list, value)
    }

    mutating func resolution(of value: Value) throws -> ArchiveMerge.Resolution {
        try decided(.list, value, MergeRow(values: value.versions), "NS.objects")
    }

    private mutating func decidedElements(
        of part: SequenceMatches.Change, _ list: MergeList, _ value: Value
    ) throws -> [Int] {
        let resolution = try resolution(of: value)
        let own = numbers(of: list.elements[resolution.origin][part[resolution.origin]], resolution.origin)
        return resolution == .both ? numbers(of: list.added(in: part), .theirs) + own : own
    }

    /// Whether each object of the base occurs as often as both changes say, and not more often than in one of them: otherwise both have
    /// moved or removed it. Of an object in a conflict, the list has as many as the version that was chosen.
    ///
    /// - Parameter conflicts: The parts of which one version was chosen.
    private mutating func hasExpectedObjects(
        _ merged: [Int], _ list: MergeList, _ conflicts: [SequenceMatches.Change], _ value: Value
    ) throws -> Bool {
        guard list.changes.contains(where: \.isMine), list.changes.contains(where: \.isTheirs) else { return true }
        let found = merged.compactMap { identity(ofMerged: $0) }.counts
        let graph = graph
        let counts = Triple { origin in list.elements[origin].filter { graph.isIdentity($0, origin) }.counts }
        let chosen = try conflicts.isEmpty ? [:] : counts[resolution(of: value).origin]
        let decided = Set(
            conflicts.flatMap { part in MergeOrigin.allCases.flatMap { list.elements[$0][part[$0]] } })
        let numbers = Triple { Set(list.numbers[$0]) }
        return Set(counts.base.keys).union(counts.mine.keys).union(counts.theirs.keys).allSatisfy { uid in
            let (mine, theirs, count) = (counts.mine[uid] ?? 0, counts.theirs[uid] ?? 0, found[uid] ?? 0)
            let isExpected = count == max(0, mine + theirs - (counts.base[uid] ?? 0)) && count <= max(mine, theirs)
            return isExpected || decided.contains(uid) && count == chosen[uid] ?? 0
                || requires(uid, .mine) || requires(uid, .theirs)
                // A version has an equal value under another uid.
                || [MergeOrigin.mine, .theirs].contains { origin in
                    !graph.isIdentity(uid, origin)
                        && graph.baseNumber(uid, for: origin).map(numbers[origin].contains) == true
                }
        }
    }
}

extension SequenceMatches.Change {
    subscript(origin: MergeOrigin) -> Range<Int> {
        switch origin {
        case .base: base
        case .mine: mine
        case .theirs: theirs
        }
    }

    /// The version that has changed the part; nil if both have.
    var changedVersion: MergeOrigin? { isMine && isTheirs ? nil : isMine ? .mine : .theirs }

    var hasSameCounts: Bool { base.count == mine.count && base.count == theirs.count }

    func element(_ place: Int) -> Self {
        func range(_ part: Range<Int>) -> Range<Int> { part.lowerBound + place..<part.lowerBound + place + 1 }
        return Self(base: range(base), mine: range(mine), theirs: range(theirs), isMine: isMine, isTheirs: isTheirs)
    }
}

/// The versions of a list.
private struct MergeList {
    let elements: Triple<[Int]>
    let numbers: Triple<[Int]>
    let changes: [SequenceMatches.Change]
    private let graph: MergeGraph

    init(_ graph: MergeGraph, _ versions: Triple<Int?>) {
        self.graph = graph
        let elements = graph.elements(versions)
        let numbers = Triple { origin in
            origin == .base ? [] : elements[origin].compactMap { graph.number($0, origin) }
        }
        (self.elements, self.numbers) = (elements, numbers)
        let places = Triple { origin in
            origin == .base
                ? []
                : SequenceMatches.places(
                    of: elements.base.compactMap { graph.baseNumber($0, for: origin) }, in: numbers[origin])
        }
        changes = SequenceMatches.changes(places.mine, numbers.mine.count, places.theirs, numbers.theirs.count)
    }

    var all: SequenceMatches.Change {
        SequenceMatches.Change(
            base: elements.base.indices, mine: elements.mine.indices, theirs: elements.theirs.indices, isMine: true,
            isTheirs: true)
    }

    func isEqual(_ part: SequenceMatches.Change) -> Bool {
        numbers.mine[part.mine].elementsEqual(numbers.theirs[part.theirs])
    }

    func added(in part: SequenceMatches.Change) -> [Int] {
        let base = elements.base[part.base].compactMap { graph.baseNumber($0, for: .theirs) }
        var known = numbers.mine[part.mine].counts.merging(base.counts, uniquingKeysWith: max)
        return part.theirs.filter { place in
            known[numbers.theirs[place], default: 0] -= 1
            return known[numbers.theirs[place], default: 0] < 0
        }.map { elements.theirs[$0] }
    }
}

extension Sequence<Int> {
    fileprivate var counts: [Int: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
