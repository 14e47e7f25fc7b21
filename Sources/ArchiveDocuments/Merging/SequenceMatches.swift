// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Equal elements of two sequences, in order, so that an inserted element is one difference.
package struct SequenceMatches {
    /// The positions of equal elements: equal beginnings and ends, and between them as many as possible of the elements that occur
    /// once in both sequences, with the equal elements beside them.
    package private(set) var pairs: [(old: Int, new: Int)] = []

    /// - Parameter isFromEnd: Whether elements that can be matched from both sides are matched from the end.
    /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
    package init(of old: [Int], _ new: [Int], isFromEnd: Bool = false) {
        func equalCount(_ left: some Sequence<Int>, _ right: some Sequence<Int>) -> Int {
            var count = 0
            for (one, other) in zip(left, right) {
                guard old[one] == new[other] else { break }
                count += 1
            }
            return count
        }
        /// Matches the equal beginnings and ends of two parts, around the matches that `middle` finds in the rest.
        func match(_ left: Range<Int>, _ right: Range<Int>, _ middle: (Range<Int>, Range<Int>) -> Void = { _, _ in }) {
            var end = isFromEnd ? equalCount(left.reversed(), right.reversed()) : 0
            let start = equalCount(left.dropLast(end), right.dropLast(end))
            if !isFromEnd { end = equalCount(left.dropFirst(start).reversed(), right.dropFirst(start).reversed()) }
            for place in 0..<start { pairs.append((left.lowerBound + place, right.lowerBound + place)) }
            middle(left.dropFirst(start).dropLast(end), right.dropFirst(start).dropLast(end))
            for place in (0..<end).reversed() {
                pairs.append((left.upperBound - 1 - place, right.upperBound - 1 - place))
            }
        }
        match(old.indices, new.indices) { left, right in
            let newPlaces = Self.places(in: new[right])
            var candidates: [(old: Int, new: Int)] = []
            for (element, place) in Self.places(in: old[left]) {
                if let other = newPlaces[element] { candidates.append((place, other)) }
            }
            candidates.sort { $0.old < $1.old }
            var (oldStart, newStart) = (left.lowerBound, right.lowerBound)
            for anchor in Self.longestIncrease(in: candidates) {
                match(oldStart..<anchor.old, newStart..<anchor.new)
                pairs.append(anchor)
                (oldStart, newStart) = (anchor.old + 1, anchor.new + 1)
            }
            match(oldStart..<left.upperBound, newStart..<right.upperBound)
        }
    }

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

// MARK: - Changed parts

extension SequenceMatches {
    struct Change {
        let base: Range<Int>
        let mine: Range<Int>
        let theirs: Range<Int>
        let isMine: Bool
        let isTheirs: Bool
    }

    /// The position of each old element in the new sequence; nil without a match, and for an element that could be matched with
    /// different ones, because equal elements beside it were added or removed.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
    static func places(of old: [Int], in new: [Int]) -> [Int?] {
        var places = [Int?](repeating: nil, count: old.count)
        for pair in SequenceMatches(of: old, new).pairs { places[pair.old] = pair.new }
        var result = [Int?](repeating: nil, count: old.count)
        for pair in SequenceMatches(of: old, new, isFromEnd: true).pairs where places[pair.old] == pair.new {
            result[pair.old] = pair.new
        }
        return result
    }

    static func changes(_ mine: [Int?], _ mineCount: Int, _ theirs: [Int?], _ theirsCount: Int) -> [Change] {
        var changes: [Change] = []
        var start = (base: 0, mine: 0, theirs: 0)
        for place in 0...mine.count {
            let isEnd = place == mine.count
            guard let left = isEnd ? mineCount : mine[place], let right = isEnd ? theirsCount : theirs[place] else {
                continue
            }
            let (base, mineRange, theirsRange) = (start.base..<place, start.mine..<left, start.theirs..<right)
            start = (place + 1, left + 1, right + 1)
            guard !base.isEmpty || !mineRange.isEmpty || !theirsRange.isEmpty else { continue }
            changes.append(
                Change(
                    base: base, mine: mineRange, theirs: theirsRange,
                    isMine: base.count != mineRange.count || base.contains { mine[$0] == nil },
                    isTheirs: base.count != theirsRange.count || base.contains { theirs[$0] == nil }))
        }
        return changes
    }
}
