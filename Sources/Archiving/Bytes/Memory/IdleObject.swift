// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Optional where Wrapped: ~Copyable {
    /// Replaces the value, and returns the old one.
    ///
    /// An assignment to a property would release the old value during the access to the property. The compiler then checks
    /// all accesses to it at run time.
    @inline(__always)
    mutating func replace(with value: consuming Wrapped) -> Self {
        var other: Self = consume value
        swap(&self, &other)
        return other
    }
}

/// A place for an empty object that one call leaves for the next, since creating it costs more than coding one small
/// value with it.
///
/// A call has the only reference to the object that it takes, and gives up that reference when it leaves the object. A
/// thread that kept one for a moment longer would release what another thread has given to the object.
struct IdleObject<Object: AnyObject>: ~Copyable, Sendable {
    /// Can be sent to another thread, since there is no other reference to the object.
    private struct Left: ~Copyable, @unchecked Sendable {
        var object: Object?
    }

    private let left = Mutex(Left())

    /// Takes the object, which the caller then owns alone; nil if there is none.
    func take() -> Object? { exchange(Left()).object }

    /// Leaves `object`, which has no other reference, for the next call.
    func leave(_ object: consuming Object) {
        // Consumed: the conversion to an optional would copy the reference. The other object is released outside of the lock.
        _ = exchange(Left(object: consume object))
    }

    private func exchange(_ new: consuming Left) -> Left {
        var other = new
        left.withLock { swap(&$0, &other) }
        return other
    }
}

/// Objects that calls leave for the next ones, at most as many as the machine has processors.
///
/// An object that refers to itself is not released by the thread that leaves it.
struct IdleObjects<Object: AnyObject>: ~Copyable, Sendable {
    /// Can be sent to another thread: the call that leaves an object does not use it any more.
    private struct Left: @unchecked Sendable {
        var object: Object?
    }

    private let left = Mutex<[Left]>([])
    private let limit = ProcessInfo.processInfo.activeProcessorCount

    /// Takes an object, which no other call has; nil if there is none.
    func take() -> Object? { left.withLock { $0.popLast() }?.object }

    /// Leaves `object` for another call.
    ///
    /// - Returns: Whether it was left. Otherwise there are enough objects.
    func leave(_ object: Object) -> Bool {
        let new = Left(object: object)
        return left.withLock { left in
            if left.count >= limit { return false }
            left.append(new)
            return true
        }
    }
}
