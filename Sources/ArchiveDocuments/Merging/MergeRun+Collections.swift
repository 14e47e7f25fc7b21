// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Lists

extension MergeRun {
    mutating func mergedList(_ value: Value) throws -> [Chosen] {
        let list = MergeLists(graph, value.versions)
        var resolution: ArchiveMerge.Resolution?
        var conflicts: [SequenceMatches.Change] = []
        var merged: [Chosen] = []
        var end = 0
        for change in list.changes {
            merged += (end..<change.base.lowerBound).map { .from(.base, list.elements.base[$0]) }
            end = change.base.upperBound
            if !change.isMine || !change.isTheirs {
                merged += changedElements(change, list, value)
            } else if change.base.count == change.mine.count, change.base.count == change.theirs.count {
                for place in 0..<change.base.count {
                    let element = change.element(place)
                    if let choice = choose(list.versions(of: element), value, .index(change.base.lowerBound + place)) {
                        if let choice { merged.append(choice) }
                    } else {
                        let decided = try resolution ?? self.resolution(of: value)
                        resolution = decided
                        conflicts.append(element)
                        merged += list.elements(of: element, decided)
                    }
                }
            } else if !isComparison, list.isEqual(change) {
                merged += change.mine.map { .from(.mine, list.elements.mine[$0]) }
            } else {
                let decided = try resolution ?? self.resolution(of: value)
                resolution = decided
                conflicts.append(change)
                merged += list.elements(of: change, decided)
            }
        }
        merged += (end..<list.elements.base.count).map { .from(.base, list.elements.base[$0]) }
        let isExpected = list.hasExpectedObjects(merged, conflicts, resolution, graph) {
            requires($0, .mine) || requires($0, .theirs)
        }
        if isComparison || isExpected { return merged }
        return list.elements(of: list.all, try resolution ?? self.resolution(of: value))
    }

    private mutating func resolution(of list: Value) throws -> ArchiveMerge.Resolution {
        var row = MergeRow()
        row.values = list.versions
        return try decided(.list, list, row, "NS.objects")
    }

    /// The elements of a part that only one archive has changed, with those of the other one that are kept.
    private mutating func changedElements(
        _ change: SequenceMatches.Change, _ list: MergeLists, _ value: Value
    ) -> [Chosen] {
        let origin: MergeOrigin = change.isMine ? .mine : .theirs
        let other = origin.other
        let kept = change[other].filter { requires(list.elements[other][$0], other) }
        let own: [Chosen] = change[origin].map { .from(origin, list.elements[origin][$0]) }
        guard !kept.isEmpty else { return own }
        guard change.mine.count == change.theirs.count,
            !kept.contains(where: { isKept(list.elements[other][$0], other) })
        else {
            return kept.map { .from(other, list.elements[other][$0]) } + own
        }
        return (0..<change.base.count).compactMap { place in
            let versions = list.versions(of: change.element(place))
            return choose(versions, value, .index(change.base.lowerBound + place)) ?? nil
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

    /// The element at a place, if all versions have as many.
    func element(_ place: Int) -> Self {
        func range(_ part: Range<Int>) -> Range<Int> { part.lowerBound + place..<part.lowerBound + place + 1 }
        return Self(base: range(base), mine: range(mine), theirs: range(theirs), isMine: isMine, isTheirs: isTheirs)
    }
}

/// The versions of a list.
struct MergeLists {
    let elements: Triple<[Int]>
    let changes: [SequenceMatches.Change]
    /// The numbers of the elements, and those of the base for the comparison with each version.
    private let numbers: Triple<[Int?]>
    private let baseNumbers: Triple<[Int?]>

    init(_ graph: MergeGraph, _ versions: Triple<Int?>) {
        let elements = Triple(
            graph.elements(versions.base, .base), graph.elements(versions.mine, .mine),
            graph.elements(versions.theirs, .theirs))
        self.elements = elements
        changes = SequenceMatches.changes(
            graph.regions(elements.base, elements.mine, .mine), graph.regions(elements.base, elements.theirs, .theirs))
        func numbers(_ origin: MergeOrigin) -> [Int?] { elements[origin].map { graph.number($0, origin) } }
        func baseNumbers(_ origin: MergeOrigin) -> [Int?] {
            elements.base.map { graph.baseNumber($0, for: origin) }
        }
        self.numbers = Triple([], numbers(.mine), numbers(.theirs))
        self.baseNumbers = Triple([], baseNumbers(.mine), baseNumbers(.theirs))
    }

    /// The whole list.
    var all: SequenceMatches.Change {
        SequenceMatches.Change(
            base: elements.base.indices, mine: elements.mine.indices, theirs: elements.theirs.indices, isMine: true,
            isTheirs: true)
    }

    /// The values of a part with one element.
    func versions(of part: SequenceMatches.Change) -> Triple<Int?> {
        Triple(
            elements.base[part.base.lowerBound], elements.mine[part.mine.lowerBound],
            elements.theirs[part.theirs.lowerBound])
    }

    /// Whether both versions have equal elements in a part.
    func isEqual(_ part: SequenceMatches.Change) -> Bool {
        numbers.mine[part.mine].elementsEqual(numbers.theirs[part.theirs])
    }

    /// The elements of a part that both have changed.
    func elements(of part: SequenceMatches.Change, _ resolution: ArchiveMerge.Resolution) -> [MergeRun.Chosen] {
        func from(_ origin: MergeOrigin, _ places: some Sequence<Int>) -> [MergeRun.Chosen] {
            places.map { .from(origin, elements[origin][$0]) }
        }
        let origin = resolution.origin
        guard resolution == .both else { return from(origin, part[origin]) }
        // The elements that theirs has added, and mine has not.
        var added = surplus(of: .theirs, in: part)
        for (number, count) in surplus(of: .mine, in: part) where count > 0 { added[number, default: 0] -= count }
        let others = part.theirs.filter { place in
            guard added[numbers.theirs[place], default: 0] > 0 else { return false }
            added[numbers.theirs[place], default: 0] -= 1
            return true
        }
        return from(.theirs, others) + from(.mine, part.mine)
    }

    /// How often each element of a part occurs more often than in the base.
    private func surplus(of origin: MergeOrigin, in part: SequenceMatches.Change) -> [Int?: Int] {
        var surplus: [Int?: Int] = [:]
        for number in numbers[origin][part[origin]] { surplus[number, default: 0] += 1 }
        for number in baseNumbers[origin][part.base] { surplus[number, default: 0] -= 1 }
        return surplus
    }

    /// Whether each object of the base occurs as often as both changes say, and not more often than in one of them: otherwise both have
    /// moved or removed it. Of an object in a conflict, the list has as many as the version that was chosen.
    ///
    /// - Parameters:
    ///   - conflicts: The parts of which the version of `resolution` was chosen.
    ///   - isKept: Whether an object is in the list although one version has removed it.
    func hasExpectedObjects(
        _ merged: [MergeRun.Chosen], _ conflicts: [SequenceMatches.Change],
        _ resolution: ArchiveMerge.Resolution?, _ graph: MergeGraph,
        besides isKept: (Int) -> Bool
    ) -> Bool {
        guard changes.contains(where: \.isMine), changes.contains(where: \.isTheirs) else { return true }
        func counts(_ elements: some Sequence<(MergeOrigin, Int)>) -> [Int: Int] {
            var counts: [Int: Int] = [:]
            for (origin, value) in elements where graph.isIdentity(value, origin) { counts[value, default: 0] += 1 }
            return counts
        }
        let found = counts(
            merged.lazy.compactMap { chosen in
                guard case .from(let origin, let value) = chosen else { return nil }
                return (origin, value)
            })
        let base = counts(elements.base.lazy.map { (.base, $0) })
        let mine = counts(elements.mine.lazy.map { (.mine, $0) })
        let theirs = counts(elements.theirs.lazy.map { (.theirs, $0) })
        let chosen = resolution.map { [base, mine, theirs][$0.origin.rawValue] } ?? [:]
        let values = Triple<Set<Int?>>([], Set(numbers.mine), Set(numbers.theirs))
        /// Whether a version has an equal value under another uid.
        func isReplaced(_ uid: Int) -> Bool {
            [MergeOrigin.mine, .theirs].contains { origin in
                !graph.isIdentity(uid, origin) && values[origin].contains(graph.baseNumber(uid, for: origin))
            }
        }
        var decided: Set<Int> = []
        for part in conflicts {
            for origin in MergeOrigin.allCases { decided.formUnion(elements[origin][part[origin]]) }
        }
        return Set(base.keys).union(mine.keys).union(theirs.keys).allSatisfy { uid in
            let (left, right, count) = (mine[uid] ?? 0, theirs[uid] ?? 0, found[uid] ?? 0)
            let isExpected = count == max(0, left + right - (base[uid] ?? 0)) && count <= max(left, right)
            let isDecided = decided.contains(uid) && count == chosen[uid] ?? 0
            return isExpected || isDecided || isKept(uid) || isReplaced(uid)
        }
    }
}

// MARK: - Sets

extension MergeRun {
    /// The elements of the base that both have kept, and those that one of them has added.
    mutating func mergedSet(_ value: Value) throws -> [Chosen] {
        var places = Triple<[Int: Int]>([:], [:], [:])
        for origin in [MergeOrigin.mine, .theirs] {
            for element in graph.elements(value.versions[origin], origin) {
                if let number = graph.number(element, origin) { places[origin][number] = element }
            }
        }
        var result: [Chosen] = []
        var known: Set<Int> = []
        var added = Triple<Set<Int>>([], Set(places.mine.keys), Set(places.theirs.keys))
        for element in graph.elements(value.versions.base, .base) {
            func place(_ origin: MergeOrigin) -> Int? {
                guard let number = graph.baseNumber(element, for: origin) else { return nil }
                added[origin].remove(number)
                return places[origin][number]
            }
            let (mine, theirs) = (place(.mine), place(.theirs))
            if mine != nil, theirs != nil {
                if let number = graph.number(mine, .mine), known.insert(number).inserted {
                    result.append(.from(.base, element))
                }
            } else if let mine, requires(mine, .mine) {
                result.append(.from(.mine, mine))
            } else if let theirs, requires(theirs, .theirs) {
                result.append(.from(.theirs, theirs))
            }
        }
        let isChanged = !added.mine.isEmpty || result.count < graph.elements(value.versions.base, .base).count
        if isComparison, isChanged { _ = try resolution(of: value) }
        for origin in [MergeOrigin.mine, .theirs] {
            for element in graph.elements(value.versions[origin], origin) {
                guard let number = graph.number(element, origin), added[origin].contains(number),
                    known.insert(number).inserted
                else { continue }
                result.append(.from(origin, element))
            }
        }
        return result
    }
}
