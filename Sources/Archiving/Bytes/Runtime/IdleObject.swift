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

/// Whether nothing else refers to an object, not even weakly: the program may hold a coder weakly, and expects that it is gone
/// when the call returns.
///
/// What is relied on: the standard library's functions for debuggers that give the counts of weak and unowned references. Before
/// they are used for the first time, they count those of an object that is known. If they do not, nothing is used again.
enum SoleReference {
    private final class Probe {}

    /// The counts of an object that nothing refers to weakly; nil if they do not tell.
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

    /// Whether `object` is the only reference to its object.
    static func isSole<Object: AnyObject>(_ object: inout Object) -> Bool {
        isKnownUniquelyReferenced(&object) && hasNoOther(object)
    }

    /// Whether `object` is the only reference to its object, or nil.
    static func isSole<Object: AnyObject>(_ object: inout Object?) -> Bool {
        object == nil || isKnownUniquelyReferenced(&object) && object.map(hasNoOther) ?? true
    }

    private static func hasNoOther(_ object: AnyObject) -> Bool {
        guard let counts else { return false }
        return _getWeakRetainCount(object) == counts.weak && _getUnownedRetainCount(object) == counts.unowned
    }
}
