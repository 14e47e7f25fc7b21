/// A property that refers back to an instance which is still being decoded, and gets it when that is complete.
///
/// The property is an optional class, and its place in the owner is known. So nothing has to be decoded again, and nothing
/// is thrown through the owner's initializer.
struct BackReference: BitwiseCopyable {
    /// From 1 up. 0 for none.
    typealias Number = UInt32

    /// The instance that has the property.
    let owner: InstanceTable.Index
    /// Its uid, from which one that failed is made again.
    let ownerUID: UInt32
    /// The instance that the property refers to.
    let target: InstanceTable.Index
    /// Its uid, likewise.
    let targetUID: UInt32
    /// Lives as long as the process.
    let place: Unmanaged<ReferencePlace>
    /// The next of the same owner.
    var nextOwned: Number
    /// The next that waits for the same target.
    var nextWaiting: Number
}

/// Where the value of a key of a class is stored: in a property that is an optional class.
final class ReferencePlace: Sendable {
    /// The class that has the property.
    private let owner: UInt
    /// The class that is decoded.
    private let type: UInt
    let property: StoredProperty
    /// The key's name.
    let key: String

    init(owner: UnsafeRawPointer, type: UnsafeRawPointer, property: StoredProperty, key: String) {
        self.key = key
        self.owner = UInt(bitPattern: owner)
        self.type = UInt(bitPattern: type)
        self.property = property
    }

    /// Whether this is the place for values of `type` in instances of `owner`, two metatypes.
    @inline(__always)
    func isPlace(of type: UnsafeRawPointer, in owner: UnsafeRawPointer) -> Bool {
        self.type == UInt(bitPattern: type) && self.owner == UInt(bitPattern: owner)
    }

    /// Whether nothing is in the property of `owner`.
    func isEmpty(in owner: UnsafeRawPointer) -> Bool { property.object(in: owner) == nil }

    /// Puts the instance at `object` into the property of `owner`, unless the program has put something there.
    func fill(_ owner: UnsafeRawPointer, with object: UnsafeRawPointer) {
        if isEmpty(in: owner) { property.set(object, in: owner) }
    }
}
