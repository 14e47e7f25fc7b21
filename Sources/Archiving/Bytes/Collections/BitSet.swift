// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A set of numbers below a limit, with a bit for each. Memory and time are in proportion to the numbers in it.
package struct BitSet: ~Copyable {
    private var words: SparseNumbers<UInt64>
    package let limit: Int

    /// Creates an empty set for numbers below `count`.
    package init(count: Int) {
        limit = count
        words = SparseNumbers(limit: count / 64 + 1)
    }

    /// Returns whether the set contains `number`, which is below the limit.
    package func contains(_ number: Int) -> Bool {
        words[number >> 6] & 1 << UInt64(number & 63) != 0
    }

    /// Adds `number`, which is below the limit.
    ///
    /// - Returns: Whether it is new.
    package mutating func insert(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(number & 63)
        let word = words[number >> 6]
        guard word & bit == 0 else { return false }
        words[number >> 6] = word | bit
        return true
    }

    /// Removes `number`, which is below the limit.
    package mutating func remove(_ number: Int) {
        words[number >> 6] &= ~(1 << UInt64(number & 63))
    }

    /// The numbers, in ascending order.
    package var elements: [Int] {
        var elements: [Int] = []
        words.visit { index, word in
            var word = word
            while word != 0 {
                elements.append(index * 64 + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
        return elements
    }
}
