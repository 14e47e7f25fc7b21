import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `Alignment of sequences` {
    /// The length of a longest common subsequence, by the usual table.
    private func commonCount(_ left: [Int], _ right: [Int]) -> Int {
        var last = Array(repeating: 0, count: right.count + 1)
        for element in left {
            var next = [0]
            for (column, other) in right.enumerated() {
                next.append(element == other ? last[column] + 1 : max(last[column + 1], next[column]))
            }
            last = next
        }
        return last[right.count]
    }

    @Test(
        arguments: [
            ([], [], []), ([1], [], []), ([], [1], []), ([1], [1], [[0, 0]]), ([1], [2], []),
            ([1, 2, 3], [1, 3], [[0, 0], [2, 1]]), ([1, 3], [1, 2, 3], [[0, 0], [1, 2]]),
            ([1, 2, 3, 4], [4, 2, 3, 1], [[1, 1], [2, 2]]), ([5, 1, 2], [1, 2, 6], [[1, 0], [2, 1]]),
        ] as [([Int], [Int], [[Int]])])
    func `finds what both have`(left: [Int], right: [Int], expected: [[Int]]) {
        #expect(SequenceAlignment.matches(left, right)?.map { [$0.left, $0.right] } == expected)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `finds as much as there is`(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let kinds = Int.random(in: 1...12, using: &generator)
        let left = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            Int.random(in: 0...kinds, using: &generator)
        }
        let right = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            Int.random(in: 0...kinds, using: &generator)
        }
        let matches = try #require(SequenceAlignment.matches(left, right))
        #expect(matches.count == commonCount(left, right))
        #expect(matches.allSatisfy { left[$0.left] == right[$0.right] })
        for (match, next) in zip(matches, matches.dropFirst()) {
            #expect(match.left < next.left && match.right < next.right)
        }
    }

    @Test func `gives up where there is too much to try`() {
        // Two orders of the same 3000 numbers have little in common, and each number is in both.
        var generator = SeededGenerator(state: 1)
        let numbers = Array(0..<3000)
        #expect(SequenceAlignment.matches(numbers, numbers.shuffled(using: &generator)) == nil)
        // Where all are different, nothing has to be tried.
        #expect(SequenceAlignment.matches(numbers, numbers.map { $0 + 5000 })?.count == 0)
    }
}
