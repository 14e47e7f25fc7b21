// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A set of numbers below a limit, with a bit for each, that several threads share. A number is never removed.
@safe
final class SharedBits: @unchecked Sendable {
    private let words: UnsafeMutableBufferPointer<Atomic<UInt64>>

    /// Creates an empty set for numbers below `count`.
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
