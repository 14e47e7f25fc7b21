// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The number of processors. Only a second object needs it: the first request of it in a process takes longer than a small call.
private let processorCount = ProcessInfo.processInfo.activeProcessorCount

/// Objects that calls leave for the next ones, at most as many as the machine has processors.
///
/// An object that refers to itself is not released by the thread that leaves it.
struct IdleObjects<Object: AnyObject>: ~Copyable, Sendable {
    /// Can be sent to another thread: the call that leaves an object does not use it any more.
    private struct Left: @unchecked Sendable {
        var object: Object?
    }

    private let left = Mutex<[Left]>([])
    private let wasNeeded = Atomic(false)

    /// Returns whether a call needs an object for the first time in the process. Such a call is not inside another one.
    func isFirstNeed() -> Bool { !wasNeeded.exchange(true, ordering: .relaxed) }

    /// Takes an object, which no other call has; nil if there is none.
    func take() -> Object? { left.withLock { $0.popLast() }?.object }

    /// Leaves `object` for another call.
    ///
    /// - Returns: Whether it was left. Otherwise there are enough objects.
    func leave(_ object: Object) -> Bool {
        let new = Left(object: object)
        return left.withLock { left in
            if !left.isEmpty, left.count >= processorCount { return false }
            left.append(new)
            return true
        }
    }
}
