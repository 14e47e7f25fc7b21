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

// MARK: - Ambiguous matches

extension SequenceMatches {
    /// Returns the parts of two sequences without a match. If elements were added or removed, a part contains its neighbours that are
    /// equal to elements in it, because any of these may be the added or removed ones.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
    static func regions(_ old: [Int], _ new: [Int]) -> [Region] {
        var result: [(region: Region, elements: Set<Int>)] = []
        let regions = SequenceMatches(of: old, new).regions
        for (place, next) in regions.enumerated() {
            var (region, elements) = (next, Set(old[next.old]).union(new[next.new]))
            let end = place + 1 < regions.count ? regions[place + 1].old.lowerBound : old.count
            while true {
                if let last = result.last, last.region.old.upperBound >= region.old.lowerBound {
                    // Parts that touch each other are one.
                    region = Region(
                        old: last.region.old.lowerBound..<region.old.upperBound,
                        new: last.region.new.lowerBound..<region.new.upperBound)
                    elements =
                        elements.count < last.elements.count
                        ? last.elements.union(elements) : elements.union(last.elements)
                    result.removeLast()
                } else if region.old.count == region.new.count {
                    break
                } else if region.old.lowerBound > 0, elements.contains(old[region.old.lowerBound - 1]) {
                    region = Region(
                        old: region.old.lowerBound - 1..<region.old.upperBound,
                        new: region.new.lowerBound - 1..<region.new.upperBound)
                } else if region.old.upperBound < end, elements.contains(old[region.old.upperBound]) {
                    region = Region(
                        old: region.old.lowerBound..<region.old.upperBound + 1,
                        new: region.new.lowerBound..<region.new.upperBound + 1)
                } else {
                    break
                }
            }
            result.append((region, elements))
        }
        return result.map(\.region)
    }

    /// A part of a sequence that one or both of two versions have changed, and that no other changed part touches.
    struct Change {
        let base: Range<Int>
        let mine: Range<Int>
        let theirs: Range<Int>
        let isMine: Bool
        let isTheirs: Bool
    }

    /// Returns the changed parts of two versions of a sequence, from the parts of each without a match.
    static func changes(_ mine: [Region], _ theirs: [Region]) -> [Change] {
        var changes: [Change] = []
        var (mineNext, theirsNext) = (0, 0)
        // The numbers of elements that the versions have more than the base before the next part.
        var (mineSurplus, theirsSurplus) = (0, 0)
        func start(_ regions: [Region], _ next: Int) -> Int? {
            next < regions.count ? regions[next].old.lowerBound : nil
        }
        while let start = [start(mine, mineNext), start(theirs, theirsNext)].compactMap({ $0 }).min() {
            var end = start
            let (mineStart, theirsStart) = (start + mineSurplus, start + theirsSurplus)
            let first = (mineNext, theirsNext)
            func take(_ regions: [Region], _ next: inout Int, _ surplus: inout Int) -> Bool {
                guard next < regions.count, regions[next].old.lowerBound <= end else { return false }
                end = max(end, regions[next].old.upperBound)
                surplus += regions[next].new.count - regions[next].old.count
                next += 1
                return true
            }
            while take(mine, &mineNext, &mineSurplus) || take(theirs, &theirsNext, &theirsSurplus) {}
            changes.append(
                Change(
                    base: start..<end, mine: mineStart..<end + mineSurplus, theirs: theirsStart..<end + theirsSurplus,
                    isMine: mineNext > first.0, isTheirs: theirsNext > first.1))
        }
        return changes
    }
}
