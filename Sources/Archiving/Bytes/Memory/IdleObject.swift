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
/// The call that takes the object is its only user.
struct IdleObject<Object: AnyObject>: ~Copyable, Sendable {
    /// Can be sent to another thread, since the thread that leaves the object has the only reference to it.
    private struct Left: @unchecked Sendable {
        var object: Object?
    }

    private let left = Mutex(Left())

    /// Takes the object, which the caller then owns alone; nil if there is none.
    func take() -> Object? { replace(with: Left()).object }

    /// Whether an object is left for the next call, for tests.
    var isFilled: Bool { left.withLock { $0.object != nil } }

    /// Leaves `object`, which has no other reference, for the next call.
    func leave(_ object: Object) {
        // Outside of the lock, the other object is released.
        _ = replace(with: Left(object: object))
    }

    private func replace(with new: Left) -> Left {
        left.withLock { left in
            let old = left
            left = new
            return old
        }
    }
}
