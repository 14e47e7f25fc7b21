// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Equal elements of two sequences, in order, so that an inserted element is one difference.
package struct SequenceMatches {
    /// A part of both sequences without a match.
    struct Region {
        let old: Range<Int>
        let new: Range<Int>
    }

    /// The positions of equal elements: equal beginnings and ends, and between them as many as possible of the elements that occur
    /// once in both sequences, with the equal elements beside them.
    package private(set) var pairs: [(old: Int, new: Int)] = []
    /// The parts between the matches, without empty ones.
    private(set) var regions: [Region] = []

    /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
    package init(of old: [Int], _ new: [Int]) {
        let limit = min(old.count, new.count)
        var start = 0
        while start < limit, old[start] == new[start] { start += 1 }
        var end = 0
        while end < limit - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        for place in 0..<start { pairs.append((place, place)) }
        let newPlaces = Self.places(in: new[start..<(new.count - end)])
        var candidates: [(old: Int, new: Int)] = []
        for (element, place) in Self.places(in: old[start..<(old.count - end)]) {
            if let other = newPlaces[element] { candidates.append((place, other)) }
        }
        candidates.sort { $0.old < $1.old }
        for anchor in Self.longestIncrease(in: candidates) {
            append(anchor, old, new)
        }
        for place in (0..<end).reversed() { pairs.append((old.count - 1 - place, new.count - 1 - place)) }
        var (oldEnd, newEnd) = (0, 0)
        for pair in pairs + [(old.count, new.count)] {
            if oldEnd < pair.old || newEnd < pair.new {
                regions.append(Region(old: oldEnd..<pair.old, new: newEnd..<pair.new))
            }
            (oldEnd, newEnd) = (pair.old + 1, pair.new + 1)
        }
    }

    /// Appends a match, after the equal elements before it.
    private mutating func append(_ anchor: (old: Int, new: Int), _ old: [Int], _ new: [Int]) {
        let oldStart = (pairs.last?.old ?? -1) + 1
        let newStart = (pairs.last?.new ?? -1) + 1
        var count = 0
        while anchor.old - count > oldStart, anchor.new - count > newStart,
            old[anchor.old - count - 1] == new[anchor.new - count - 1]
        {
            count += 1
        }
        for distance in (0...count).reversed() { pairs.append((anchor.old - distance, anchor.new - distance)) }
    }

    /// The positions of elements that occur once.
    private static func places(in elements: ArraySlice<Int>) -> [Int: Int] {
        var places: [Int: Int?] = [:]
        for (position, element) in zip(elements.indices, elements) {
            places[element] = .some(places.keys.contains(element) ? nil : position)
        }
        return places.compactMapValues { $0 }
    }

    /// A longest subsequence of `pairs` whose new positions increase, by patience sorting.
    private static func longestIncrease(in pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        // For each length the pair that ends such a subsequence with the least position, and the pair before each pair.
        var ends: [Int] = []
        var before: [Int?] = []
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [(old: Int, new: Int)] = []
        var next = ends.last
        while let index = next {
            result.append(pairs[index])
            next = before[index]
        }
        return result.reversed()
    }
}

// MARK: - Merging

extension SequenceMatches {
    /// A place of a merged sequence: a position in one of the sequences.
    struct Element {
        let origin: MergeOrigin
        let position: Int
    }

    /// Merges two changed versions of a sequence.
    ///
    /// - Returns: The merged sequence; nil if changed parts of both touch each other, and are not equal, or if an element with an
    ///   identity, which is a negative number, was moved or removed in both.
    /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
    static func merge(_ atoms: Triple<[Int]>) -> [Element]? {
        let mine = SequenceMatches(of: atoms.base, atoms.mine).regions
        let theirs = SequenceMatches(of: atoms.base, atoms.theirs).regions
        var result: [Element] = []
        var (baseEnd, mineNext, theirsNext) = (0, 0, 0)
        func append(_ region: Region, _ origin: MergeOrigin) {
            for position in baseEnd..<region.old.lowerBound {
                result.append(Element(origin: .base, position: position))
            }
            for position in region.new { result.append(Element(origin: origin, position: position)) }
            baseEnd = region.old.upperBound
        }
        while mineNext < mine.count || theirsNext < theirs.count {
            guard theirsNext < theirs.count else {
                append(mine[mineNext], .mine)
                mineNext += 1
                continue
            }
            guard mineNext < mine.count else {
                append(theirs[theirsNext], .theirs)
                theirsNext += 1
                continue
            }
            let (left, right) = (mine[mineNext], theirs[theirsNext])
            if left.old.upperBound < right.old.lowerBound {
                append(left, .mine)
                mineNext += 1
            } else if right.old.upperBound < left.old.lowerBound {
                append(right, .theirs)
                theirsNext += 1
            } else {
                guard left.old == right.old, atoms.mine[left.new].elementsEqual(atoms.theirs[right.new]) else {
                    return nil
                }
                append(left, .mine)
                mineNext += 1
                theirsNext += 1
            }
        }
        for position in baseEnd..<atoms.base.count { result.append(Element(origin: .base, position: position)) }
        return isUnambiguous(result, atoms) ? result : nil
    }

    /// Whether each element with an identity occurs as often as both changes say, and not more often than in one of them.
    private static func isUnambiguous(_ result: [Element], _ atoms: Triple<[Int]>) -> Bool {
        func counts(_ atoms: [Int]) -> [Int: Int] {
            var counts: [Int: Int] = [:]
            for atom in atoms where atom < 0 { counts[atom, default: 0] += 1 }
            return counts
        }
        let merged = counts(result.map { atoms[$0.origin][$0.position] })
        let (base, mine, theirs) = (counts(atoms.base), counts(atoms.mine), counts(atoms.theirs))
        func isExpected(_ atom: Int) -> Bool {
            let (left, right) = (mine[atom] ?? 0, theirs[atom] ?? 0)
            let count = max(0, left + right - (base[atom] ?? 0))
            return merged[atom] ?? 0 == count && count <= max(left, right)
        }
        return mine.keys.allSatisfy(isExpected) && theirs.keys.allSatisfy(isExpected)
            && base.keys.allSatisfy(isExpected)
    }

    /// Returns mine with the elements that theirs added, each after the element that it follows there.
    static func union(_ atoms: Triple<[Int]>) -> [Element] {
        var surplus: [Int: Int] = [:]
        for atom in atoms.theirs { surplus[atom, default: 0] += 1 }
        for atom in atoms.base { surplus[atom, default: 0] -= 1 }
        var added = surplus
        for atom in atoms.mine { added[atom, default: 0] -= 1 }
        // The added elements after each element of mine; before the first one under -1.
        var places: [Int: Int] = [:]
        for (position, atom) in atoms.mine.enumerated() where places[atom] == nil { places[atom] = position }
        var followers: [Int: [Element]] = [:]
        var place = -1
        for (position, atom) in atoms.theirs.enumerated() {
            if surplus[atom, default: 0] > 0, places[atom] == nil || added[atom, default: 0] > 0 {
                surplus[atom, default: 0] -= 1
                added[atom, default: 0] -= 1
                followers[place, default: []].append(Element(origin: .theirs, position: position))
            } else if let known = places[atom] {
                place = known
            }
        }
        var result = followers[-1] ?? []
        for position in atoms.mine.indices {
            result.append(Element(origin: .mine, position: position))
            result += followers[position] ?? []
        }
        return result
    }
}
