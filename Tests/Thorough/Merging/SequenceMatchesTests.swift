// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ArchiveDocuments

@Suite(.inTurn) struct `matches of sequences` {
    @Test(
        arguments: [
            ([], [], []), ([1], [], []), ([], [1], []), ([1], [1], [[0, 0]]), ([1], [2], []),
            ([1, 2, 3], [1, 3], [[0, 0], [2, 1]]), ([1, 3], [1, 2, 3], [[0, 0], [1, 2]]),
            ([1, 2, 3, 4], [4, 2, 3, 1], [[1, 1], [2, 2]]), ([5, 1, 2], [1, 2, 6], [[1, 0], [2, 1]]),
            // What occurs twice is aligned at the beginning and at the end.
            ([1, 1, 2, 1], [1, 3, 2, 1, 1], [[0, 0], [2, 2], [3, 4]]),
        ] as [([Int], [Int], [[Int]])])
    func `finds what both have`(left: [Int], right: [Int], expected: [[Int]]) {
        #expect(SequenceMatches(of: left, right).pairs.map { [$0.old, $0.new] } == expected)
    }

    @Test(
        arguments: [
            ([1, 2, 3], [1, 3], [0, nil, 1]),
            // Each of the equal elements may be the removed or the added one.
            ([1, 1, 1, 5, 6], [1, 1, 5, 6], [nil, nil, nil, 2, 3]), ([1, 2, 1], [1, 1, 2, 1], [nil, 2, 3]),
            ([9, 1, 2, 8], [9, 1, 1, 2, 8], [0, nil, 3, 4]),
            // Between elements that occur once.
            ([4, 7, 1, 1, 8, 5], [6, 7, 1, 8, 3], [nil, 1, nil, nil, 3, nil]),
            ([4, 7, 1, 2, 1, 8, 5], [6, 7, 1, 1, 8, 3], [nil, 1, 2, nil, 3, 4, nil]),
        ] as [([Int], [Int], [Int?])])
    func `leaves out what could be matched differently`(left: [Int], right: [Int], expected: [Int?]) {
        #expect(SequenceMatches.places(of: left, in: right) == expected)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `finds as much as there is of elements that occur once`(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let count = Int.random(in: 0...60, using: &generator)
        let left = Array(0..<count).shuffled(using: &generator).prefix(50)
        let right = Array(0..<count).shuffled(using: &generator).dropFirst(5)
        let matches = SequenceMatches(of: Array(left), Array(right)).pairs
        #expect(matches.count == Self.commonCount(Array(left), Array(right)))
        for (match, next) in zip(matches, matches.dropFirst()) {
            #expect(match.old < next.old && match.new < next.new)
        }
        #expect(matches.allSatisfy { left[$0.old] == right[$0.new + right.startIndex] })
    }

    /// The length of a longest common subsequence, by the usual table.
    private static func commonCount(_ left: [Int], _ right: [Int]) -> Int {
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

    @Test func `takes little time for any order`() {
        var generator = SeededGenerator(state: 1)
        let numbers = Array(0..<100_000)
        // A longest increasing sequence in a random order has about 2√n elements.
        let count = SequenceMatches(of: numbers, numbers.shuffled(using: &generator)).pairs.count
        #expect((500...700).contains(count))
    }
}
