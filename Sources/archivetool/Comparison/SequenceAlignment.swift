/// Finds what two sequences have in common, so that one element more is one difference, and not as many as come behind it.
///
/// The algorithm is that of Myers. What it may cost has a bound: sequences that differ in more places are not aligned.
enum SequenceAlignment {
    /// Elements that may be only in one of the sequences.
    private static let differenceLimit = 1000

    /// The pairs of positions at which a longest common subsequence of both has its elements, in order; nil where they differ
    /// in too many places.
    static func matches(_ left: [Int], _ right: [Int]) -> [(left: Int, right: Int)]? {
        var start = 0
        while start < left.count, start < right.count, left[start] == right[start] { start += 1 }
        var end = 0
        while end < left.count - start, end < right.count - start,
            left[left.count - 1 - end] == right[right.count - 1 - end]
        {
            end += 1
        }
        // What is in one of them only matches nothing.
        let leftNames = Set(left[start..<(left.count - end)])
        let rightNames = Set(right[start..<(right.count - end)])
        let leftPlaces = (start..<(left.count - end)).filter { rightNames.contains(left[$0]) }
        let rightPlaces = (start..<(right.count - end)).filter { leftNames.contains(right[$0]) }
        guard let inner = common(leftPlaces.map { left[$0] }, rightPlaces.map { right[$0] }) else { return nil }
        return (0..<start).map { ($0, $0) } + inner.map { (leftPlaces[$0.left], rightPlaces[$0.right]) }
            + (0..<end).reversed().map { (left.count - 1 - $0, right.count - 1 - $0) }
    }

    private static func common(_ left: [Int], _ right: [Int]) -> [(left: Int, right: Int)]? {
        let limit = min(left.count + right.count, differenceLimit)
        // For each diagonal, how far on the left one gets; kept for each number of differences.
        var reached = Array(repeating: 0, count: 2 * limit + 3)
        var steps: [[Int]] = []
        for differences in 0...limit {
            steps.append(Array(reached[(limit + 1 - differences)...(limit + 1 + differences)]))
            for diagonal in stride(from: -differences, through: differences, by: 2) {
                let middle = limit + 1 + diagonal
                var x: Int
                if diagonal == -differences || diagonal != differences && reached[middle - 1] < reached[middle + 1] {
                    x = reached[middle + 1]
                } else {
                    x = reached[middle - 1] + 1
                }
                while x < left.count, x - diagonal < right.count, left[x] == right[x - diagonal] { x += 1 }
                reached[middle] = x
                if diagonal == left.count - right.count, x >= left.count {
                    return path(to: left.count, right.count, steps)
                }
            }
        }
        return nil
    }

    /// Goes back from the ends to where both begin.
    private static func path(to left: Int, _ right: Int, _ steps: [[Int]]) -> [(left: Int, right: Int)] {
        var matches: [(left: Int, right: Int)] = []
        var (x, y) = (left, right)
        for differences in steps.indices.reversed() {
            // What was reached with one difference less, from the diagonal -differences on.
            let before = steps[differences]
            let place = x - y + differences
            let isDown =
                place == 0 || place != 2 * differences && before[place - 1] < before[place + 1]
            let start = differences == 0 ? 0 : isDown ? before[place + 1] : before[place - 1] + 1
            while x > start {
                x -= 1
                y -= 1
                matches.append((x, y))
            }
            if isDown { y -= 1 } else { x -= 1 }
        }
        return matches.reversed()
    }
}
