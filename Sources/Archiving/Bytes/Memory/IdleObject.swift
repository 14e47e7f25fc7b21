import Synchronization

/// A place for an object that one call leaves for the next, empty: to create it anew costs more than to code one small value
/// with it.
///
/// The call that takes the object is its only user.
struct IdleObject<Object: AnyObject>: ~Copyable, Sendable {
    /// The address of the object; 0 if there is none.
    private let address = Atomic<UInt>(0)

    /// The object, which the caller has alone from then on; nil if there is none.
    func take() -> Object? {
        guard let object = UnsafeRawPointer(bitPattern: address.exchange(0, ordering: .acquiring)) else { return nil }
        return Unmanaged<Object>.fromOpaque(object).takeRetainedValue()
    }

    /// Leaves `object`, which nothing else refers to, for the next call.
    func leave(_ object: Object) {
        let new = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
        let other = UnsafeRawPointer(bitPattern: address.exchange(new, ordering: .acquiringAndReleasing))
        other.map { Unmanaged<Object>.fromOpaque($0).release() }
    }
}
