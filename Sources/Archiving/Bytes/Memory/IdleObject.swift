// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

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
    private let wasNeeded = Atomic(false)

    /// Takes the object, which the caller then owns alone; nil if there is none.
    func take() -> Object? { exchange(Left()).object }

    /// Returns whether a call needs an object for the first time in the process. Such a call is not inside another one.
    func isFirstNeed() -> Bool { !wasNeeded.exchange(true, ordering: .relaxed) }

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
