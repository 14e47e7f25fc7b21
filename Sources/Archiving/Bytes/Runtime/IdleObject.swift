import Synchronization

/// A place for an empty object that one call leaves for the next, since creating it costs more than coding one small
/// value with it.
///
/// The call that takes the object is its only user.
struct IdleObject<Object: AnyObject>: ~Copyable, Sendable {
    private let place = Mutex<Object?>(nil)

    /// Takes the object, which the caller then owns alone; nil if there is none.
    func take() -> Object? {
        place.withLock { $0.take() }
    }

    /// Whether an object is left for the next call, for tests.
    var isFilled: Bool { place.withLock { $0 != nil } }

    /// Leaves `object`, which has no other reference, for the next call.
    func leave(_ object: sending Object) {
        let other = place.withLock { place in
            let other = place.take()
            place = object
            return other
        }
        withExtendedLifetime(other) {}
    }
}
