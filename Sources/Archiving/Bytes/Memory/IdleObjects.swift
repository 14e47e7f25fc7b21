// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Objects that calls leave for the next ones, at most `limit`.
///
/// Each thread begins its search at a place of its own, so that threads seldom use the same memory. An object that refers to
/// itself is not released by the thread that leaves it.
struct IdleObjects<Object: AnyObject>: ~Copyable, Sendable {
    /// Can be sent to another thread: the call that leaves an object does not use it any more.
    private struct Left: @unchecked Sendable {
        var object: Object?
    }

    private final class Place: Sendable {
        let left = Mutex(Left())
        /// The rest of the cache line, and the next one, which processors load as well.
        private let unused = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    static var limit: Int { 1 << limitBits }
    private static var limitBits: Int { 4 }

    private let places = (0..<limit).map { _ in Place() }
    private let wasNeeded = Atomic(false)

    /// Returns whether a call needs an object for the first time in the process. Such a call is not inside another one.
    func isFirstNeed() -> Bool { !wasNeeded.exchange(true, ordering: .relaxed) }

    func take() -> Object? {
        for number in 0..<Self.limit {
            if let object = place(number).left.withLock({ $0.object.take() }) { return object }
        }
        return nil
    }

    /// Leaves `object` for another call, and returns true, unless there are enough objects.
    func leave(_ object: Object) -> Bool {
        let new = Left(object: object)
        for number in 0..<Self.limit {
            let isLeft = place(number).left.withLock { left in
                guard left.object == nil else { return false }
                left = new
                return true
            }
            if isLeft { return true }
        }
        return false
    }

    private func place(_ number: Int) -> Place {
        let hash = UInt64(Platform.currentThread) &* 0x9E37_79B9_7F4A_7C15
        return places[(Int(truncatingIfNeeded: hash >> 32) &+ number) & (Self.limit - 1)]
    }
}
