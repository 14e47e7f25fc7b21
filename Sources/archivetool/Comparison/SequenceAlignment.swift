/// Finds equal elements of two sequences, so that an inserted element is one difference.
enum SequenceAlignment {
    /// Pairs of positions of equal elements, in order: equal beginnings and ends, and between them as many as possible of the
    /// elements that occur once in both sequences.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
    static func matches(_ left: [Int], _ right: [Int]) -> [Sides<Int>] {
        let limit = min(left.count, right.count)
        var start = 0
        while start < limit, left[start] == right[start] { start += 1 }
        var end = 0
        while end < limit - start, left[left.count - 1 - end] == right[right.count - 1 - end] { end += 1 }
        let rightPlaces = places(in: right[start..<(right.count - end)])
        var candidates: [Sides<Int>] = []
        for (element, place) in places(in: left[start..<(left.count - end)]) {
            if let other = rightPlaces[element] { candidates.append(Sides(place, other)) }
        }
        candidates.sort { $0.left < $1.left }
        return (0..<start).map { Sides($0, $0) } + longestIncrease(in: candidates)
            + (0..<end).reversed().map { Sides(left.count - 1 - $0, right.count - 1 - $0) }
    }

    /// The positions of elements that occur once.
    private static func places(in elements: ArraySlice<Int>) -> [Int: Int] {
        var places: [Int: Int?] = [:]
        for (position, element) in zip(elements.indices, elements) {
            places[element] = .some(places.keys.contains(element) ? nil : position)
        }
        return places.compactMapValues { $0 }
    }

    /// A longest subsequence of `pairs` whose right positions increase, by patience sorting.
    private static func longestIncrease(in pairs: [Sides<Int>]) -> [Sides<Int>] {
        // For each length the pair that ends such a subsequence with the least position, and the pair before each pair.
        var ends: [Int] = []
        var before: [Int?] = []
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].right < pair.right { low = middle + 1 } else { high = middle }
            }
            before.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Sides<Int>] = []
        var next = ends.last
        while let index = next {
            result.append(pairs[index])
            next = before[index]
        }
        return result.reversed()
    }
}
