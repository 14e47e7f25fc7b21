// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A set of numbers below a limit, with a bit for each. Memory and time are in proportion to the numbers in it.
package struct BitSet: ~Copyable {
    private var words: SparseNumbers<UInt64>
    package let limit: Int

    package init(count: Int) {
        limit = count
        words = SparseNumbers(limit: count / 64 + 1)
    }

    package func contains(_ number: Int) -> Bool {
        words[number >> 6] & 1 << UInt64(number & 63) != 0
    }

    /// Adds `number`, which is below the limit, and returns whether it is new.
    package mutating func insert(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(number & 63)
        let word = words[number >> 6]
        guard word & bit == 0 else { return false }
        words[number >> 6] = word | bit
        return true
    }

    package mutating func remove(_ number: Int) {
        words[number >> 6] &= ~(1 << UInt64(number & 63))
    }

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

/// A set of numbers below a limit, with a bit for each, that several threads share. A number is never removed.
@safe
final class SharedBits: @unchecked Sendable {
    private let words: UnsafeMutableBufferPointer<Atomic<UInt64>>

    init(count: Int) {
        // Safe because every word is initialised, and only this object has the address.
        unsafe words = .allocate(capacity: count / 64 + 1)
        for index in unsafe words.indices { unsafe words.initializeElement(at: index, to: Atomic(0)) }
    }

    deinit {
        // Safe because nothing else has the address.
        unsafe words.deinitialize().deallocate()
    }

    private func checked(_ number: Int) -> Int {
        // Safe because only the count of the words is read.
        precondition(unsafe number >= 0 && number >> 6 < words.count, "\(number) is not below the limit of the set")
        return number
    }

    /// Whether the set contains `number`. The earlier work of the thread that inserted it is then visible.
    func contains(_ number: Int) -> Bool {
        // Safe because the number was compared with the limit.
        unsafe words[checked(number) >> 6].load(ordering: .acquiring) & 1 << UInt64(number & 63) != 0
    }

    func insert(_ number: Int) {
        // Safe because the number was compared with the limit.
        unsafe words[checked(number) >> 6].bitwiseOr(1 << UInt64(number & 63), ordering: .releasing)
    }
}

/// A number for each index below a limit, 0 until it is set.
///
/// Memory and time are in proportion to the numbers that are set, so that a reader of a part of an archive can have an index for
/// each object of the whole: as long as few are set, they are in a dictionary. They move to a table as soon as that is in
/// proportion to them.
package struct SparseNumbers<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>: ~Copyable {
    package let limit: Int
    private var few: [Int: Number] = [:]
    private var all: [Number] = []

    /// The indices in a table for each number that is set, at most.
    static var sparseness: Int { 64 }
    /// The indices for which a table is always in proportion: it is not larger than a page.
    static var fewIndices: Int { 512 }

    package init(limit: Int) { self.limit = limit }

    var isDense: Bool { !all.isEmpty }

    @inline(__always)
    package subscript(index: Int) -> Number {
        get { isDense ? all[index] : few.isEmpty ? 0 : few[index] ?? 0 }
        set {
            if isDense { all[index] = newValue } else { setSparse(index, newValue) }
        }
    }

    @inline(never)
    private mutating func setSparse(_ index: Int, _ number: Number) {
        guard number != 0 else {
            few[index] = nil
            return
        }
        few[index] = number
        guard limit - Self.fewIndices <= Self.sparseness * few.count else { return }
        all = Array(repeating: 0, count: max(limit, 1))
        let byteCount = all.count * MemoryLayout<Number>.stride
        if byteCount > ClearedMemory.floor { ClearedMemory.note(byteCount) }
        for (index, number) in few { all[index] = number }
        few = [:]
    }

    /// Calls `body` with each index whose number is not 0, in ascending order, and the number.
    package func visit(_ body: (Int, Number) -> Void) {
        if isDense {
            for index in 0..<limit where all[index] != 0 { body(index, all[index]) }
        } else {
            for (index, number) in few.sorted(by: { $0.key < $1.key }) { body(index, number) }
        }
    }
}
