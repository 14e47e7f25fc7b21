/// A property that refers back to an instance in progress, and is set when that is complete.
///
/// The property has an optional class type, and its place in the owner is known. So nothing has to be decoded again,
/// and no error is thrown through the owner's initializer.
struct BackReference: BitwiseCopyable {
    /// From 1 up. 0 for none.
    typealias Number = UInt32

    /// The instance with the property.
    let owner: InstanceTable.Index
    /// The uid of the owner, from which it is decoded again if it has failed.
    let ownerUID: UInt32
    /// The instance that the property refers to.
    let target: InstanceTable.Index
    /// The uid of the target, likewise.
    let targetUID: UInt32
    /// Lives as long as the process.
    let place: Unmanaged<ReferencePlace>
    /// The next reference of the same owner.
    var nextOwned: Number
    /// The next reference that waits for the same target.
    var nextWaiting: Number
}

/// The place of the value of a class's key: a property with an optional class type.
final class ReferencePlace: Sendable {
    /// The class with the property.
    private let owner: UInt
    /// The decoded class.
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

    /// Returns whether this is the place for values of `type` in instances of `owner`, two metatypes.
    @inline(__always)
    func isPlace(of type: UnsafeRawPointer, in owner: UnsafeRawPointer) -> Bool {
        self.type == UInt(bitPattern: type) && self.owner == UInt(bitPattern: owner)
    }

    /// Returns whether the property of `owner` is nil.
    func isEmpty(in owner: UnsafeRawPointer) -> Bool { property.object(in: owner) == nil }

    /// Sets the property of `owner` to the instance at `object`, unless the program has set it.
    func fill(_ owner: UnsafeRawPointer, with object: UnsafeRawPointer) {
        if isEmpty(in: owner) { property.set(object, in: owner) }
    }
}
