/// A set of numbers below a limit, with a bit for each. Untouched memory costs nothing.
package struct BitSet: ~Copyable {
    private let words: UnsafeMutablePointer<UInt64>
    let limit: Int

    /// Creates an empty set for numbers below `count`.
    package init(count: Int) {
        limit = count
        let wordCount = count / 64 + 1
        words = Platform.allocateZeroed(byteCount: wordCount * MemoryLayout<UInt64>.stride)
            .bindMemory(to: UInt64.self, capacity: wordCount)
    }

    deinit {
        Platform.release(UnsafeMutableRawPointer(words))
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
        guard words[number >> 6] & bit == 0 else { return false }
        words[number >> 6] |= bit
        return true
    }

    /// Removes `number`, which is below the limit.
    package mutating func remove(_ number: Int) {
        words[number >> 6] &= ~(1 << UInt64(number & 63))
    }

    /// The numbers, in ascending order.
    package var elements: [Int] {
        var elements: [Int] = []
        for index in 0...(limit / 64) {
            var word = words[index]
            while word != 0 {
                elements.append(index * 64 + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
        return elements
    }
}
