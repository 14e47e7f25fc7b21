import Synchronization

/// A place for an empty object that one call leaves for the next, since creating it costs more than coding one small
/// value with it.
///
/// The call that takes the object is its only user.
struct IdleObject<Object: AnyObject>: ~Copyable, Sendable {
    /// The address of the object; 0 if there is none.
    private let address = Atomic<UInt>(0)

    /// Takes the object, which the caller then owns alone; nil if there is none.
    func take() -> Object? {
        guard let object = UnsafeRawPointer(bitPattern: address.exchange(0, ordering: .acquiring)) else { return nil }
        return Unmanaged<Object>.fromOpaque(object).takeRetainedValue()
    }

    /// Whether an object is left for the next call, for tests.
    var isFilled: Bool { address.load(ordering: .relaxed) != 0 }

    /// Leaves `object`, which has no other reference, for the next call.
    func leave(_ object: Object) {
        let new = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
        let other = UnsafeRawPointer(bitPattern: address.exchange(new, ordering: .acquiringAndReleasing))
        other.map { Unmanaged<Object>.fromOpaque($0).release() }
    }
}
