// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Archiving

/// A table with an index for each object of an archive, of which a part may need few.
@Suite(.inTurn) struct `A table of sparse numbers` {
    @Test(arguments: [1] + TableSizes.upTo(1024) + [70_000, 1 << 40])
    func `is a set of numbers`(limit: Int) {
        var generator = SeededGenerator(state: UInt64(limit))
        var set = BitSet(count: limit)
        var model: Set<Int> = []
        for _ in 0..<3_000 {
            let number = Int.random(in: 0..<limit, using: &generator)
            if Bool.random(using: &generator) {
                let isNew = set.insert(number)
                #expect(isNew == model.insert(number).inserted)
            } else {
                set.remove(number)
                model.remove(number)
            }
            let isContained = set.contains(number)
            #expect(isContained == model.contains(number))
        }
        let elements = set.elements
        #expect(elements == model.sorted())
    }

    @Test func `takes memory for all when it is in proportion to the numbers that are set`() {
        typealias Numbers = SparseNumbers<UInt32>
        let limit = 100 * Numbers.sparseness
        var numbers = Numbers(limit: Numbers.fewIndices + limit)
        var isDense: [Bool] = []
        for index in 0..<99 {
            numbers[index] = UInt32(index + 1)
            isDense.append(numbers.isDense)
        }
        // A number that is 0 again takes no memory, so that the next one is the 99th again.
        numbers[7] = 0
        numbers[99] = 100
        isDense.append(numbers.isDense)
        #expect(!isDense.contains(true))
        numbers[limit] = 101
        let isDenseAtLast = numbers.isDense
        #expect(isDenseAtLast)
        var found: [Int: UInt32] = [:]
        numbers.visit { found[$0] = $1 }
        var expected = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, UInt32($0 + 1)) })
        expected[7] = nil
        expected[limit] = 101
        #expect(found == expected)
        for index in 0..<limit {
            let number = numbers[index]
            #expect(number == expected[index] ?? 0)
        }
    }

    @Test(arguments: [1, SparseNumbers<UInt32>.fewIndices])
    func `takes memory for all at once if they are few`(limit: Int) {
        var numbers = SparseNumbers<UInt32>(limit: limit)
        let (before, first) = (numbers.isDense, numbers[0])
        numbers[limit - 1] = 5
        let (after, last) = (numbers.isDense, numbers[limit - 1])
        #expect(!before && first == 0 && after && last == 5)
    }
}
