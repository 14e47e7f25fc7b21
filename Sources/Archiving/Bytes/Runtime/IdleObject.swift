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

/// Checks that an object has no other reference, including weak ones: a program may have a weak reference to a coder,
/// and expects that the coder is deallocated when the call returns.
///
/// It relies on the standard library's debugging functions for the counts of weak and unowned references. Before the
/// first use, they are tested with known objects. If the counts are wrong, no object is reused.
enum SoleReference {
    private final class Probe {}

    /// The counts of an object without weak references; nil if the functions do not report them.
    private static let counts: (weak: UInt, unowned: UInt)? = {
        guard RuntimeLayout.countsReferences else { return nil }
        let (plain, weakly, unowned) = (Probe(), Probe(), Probe())
        weak let weakReference = weakly
        unowned let unownedReference = unowned
        return withExtendedLifetime((plain, weakReference, unownedReference)) {
            let weak = _getWeakRetainCount(plain)
            let none = _getUnownedRetainCount(plain)
            return _getWeakRetainCount(weakly) > weak && _getUnownedRetainCount(unowned) > none ? (weak, none) : nil
        }
    }()

    /// Returns whether `object` is the only reference to its object.
    static func isSole<Object: AnyObject>(_ object: inout Object) -> Bool {
        isKnownUniquelyReferenced(&object) && hasNoOther(object)
    }

    /// Returns whether `object` is the only reference to its object, or nil.
    static func isSole<Object: AnyObject>(_ object: inout Object?) -> Bool {
        object == nil || isKnownUniquelyReferenced(&object) && object.map(hasNoOther) ?? true
    }

    private static func hasNoOther(_ object: AnyObject) -> Bool {
        guard let counts else { return false }
        return _getWeakRetainCount(object) == counts.weak && _getUnownedRetainCount(object) == counts.unowned
    }
}
