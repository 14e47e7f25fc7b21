// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The storage of a collection that an initializer has received empty, and that gets its elements where the program has stored it.
///
/// A native array, set or dictionary is one reference to its storage (`RuntimeLayout.Assumption.collections`). The program's
/// copy of that reference is found by the reference count alone: if there is exactly one besides the one here, the
/// storage is changed in place, as the program itself could through its only reference.
final class LentStorage<Elements: Collection> {
    /// The bits of the collection: the address of its storage.
    private var bits: UInt
    private var isRetained = true
    /// The storage, after the reference was given up.
    private weak var observed: AnyObject?

    enum Holders {
        case none, one, several
    }

    /// Lends the storage of `elements`, a collection that has a storage of its own. Creates nil if the runtime has another layout of
    /// collections.
    init?(of elements: Elements) {
        guard let storage = Reinterpretation.storage(of: elements) else { return nil }
        // Safe because the pointer is only converted, and the reference is balanced by `release`.
        bits = unsafe UInt(bitPattern: Unmanaged.passRetained(storage).toOpaque())
    }

    deinit { release() }

    /// Gives up the reference to the storage, which the program alone retains from now on.
    func observe() {
        guard isRetained else { return }
        // Safe because this object still has its reference.
        if let storage = unsafe storage { observed = unsafe storage.takeUnretainedValue() }
        release()
    }

    /// Calls `body` with the collection in the storage if exactly one reference besides the one here has it.
    ///
    /// No initializer that has seen the collection may be running, and `body` must not need more than the reserved capacity.
    ///
    /// - Returns: The other references that there are.
    func change(_ body: (inout Elements) -> Void) -> Holders {
        guard retain() else { return .none }
        if isUnique {
            release()
            return .none
        }
        // Safe because another reference retains the storage: this one is not unique.
        if let storage = unsafe storage { unsafe storage.release() }
        // Safe because the reference that was released is taken again.
        defer { if let storage = unsafe storage { _ = unsafe storage.retain() } }
        guard isUnique else { return .several }
        let before = bits
        // Safe because the bits are those of a collection of this type, whose storage has one reference: the program's.
        unsafe withUnsafeMutableBytes(of: &bits) { bytes in
            unsafe bytes.withMemoryRebound(to: Elements.self) { unsafe body(&$0[0]) }
        }
        precondition(bits == before, "A collection was filled beyond its capacity")
        return .one
    }

    var isHeld: Bool {
        guard isRetained else { return observed != nil }
        return !isUnique
    }

    func read<Result>(_ body: (Elements) -> Result) -> Result? {
        guard retain() else { return nil }
        // Safe because the bits are those of a collection of this type, whose storage is retained.
        return unsafe withUnsafeMutableBytes(of: &bits) { bytes in
            unsafe bytes.withMemoryRebound(to: Elements.self) { unsafe body($0[0]) }
        }
    }

    /// The storage, which is alive if this object, or the program, retains it.
    private var storage: Unmanaged<AnyObject>? {
        // Safe because the caller uses it only while it is retained.
        unsafe UnsafeRawPointer(bitPattern: bits).map { unsafe Unmanaged.fromOpaque($0) }
    }

    /// Takes a reference to the storage, and returns whether it still exists.
    @inline(never)
    private func retain() -> Bool {
        if isRetained { return true }
        guard let object = observed else { return false }
        // Safe because `release` balances it.
        _ = unsafe Unmanaged.passRetained(object)
        isRetained = true
        return true
    }

    private func release() {
        guard isRetained else { return }
        isRetained = false
        // Safe because this object had a reference.
        if let storage = unsafe storage { unsafe storage.release() }
    }

    private var isUnique: Bool {
        // Safe because the bits are a reference to an object that is retained.
        unsafe withUnsafeMutableBytes(of: &bits) { bytes in
            unsafe bytes.withMemoryRebound(to: AnyObject.self) { unsafe isKnownUniquelyReferenced(&$0[0]) }
        }
    }
}

/// A keyed container of the standard library that a coder keeps for the next value.
///
/// Creating a container costs an allocation and several type lookups in Swift's runtime, more than the coding of most
/// values. A container that the program has released can be used for the next value. It is one reference
/// (`RuntimeLayout.Assumption.keyedContainers`), whose count shows that.
class ReusedContainer {
    fileprivate enum Direction {
        case encoding, decoding
    }

    private final let direction: Direction
    private final let keyType: any Any.Type
    fileprivate final var object: ContainerObject

    fileprivate init(_ direction: Direction, _ keyType: any Any.Type, _ object: ContainerObject) {
        self.direction = direction
        self.keyType = keyType
        self.object = object
    }

    /// Keeps `container`; nil if containers are not references.
    static func keeping<Key>(_ container: KeyedDecodingContainer<Key>) -> ReusedContainer? {
        guard RuntimeLayout.holds(.keyedContainers) else { return nil }
        // Safe because the container is a reference to an object.
        let object = unsafe unsafeBitCast(container, to: ContainerObject.self)
        return TypedContainer<KeyedDecodingContainer<Key>>(.decoding, Key.self, object)
    }

    static func keeping<Key>(_ container: KeyedEncodingContainer<Key>) -> ReusedContainer? {
        guard RuntimeLayout.holds(.keyedContainers) else { return nil }
        // Safe because the container is a reference to an object.
        let object = unsafe unsafeBitCast(container, to: ContainerObject.self)
        return TypedContainer<KeyedEncodingContainer<Key>>(.encoding, Key.self, object)
    }

    final func isDecodingContainer(keyedBy type: any Any.Type) -> Bool { keyType == type && direction == .decoding }

    @inline(__always)
    final func decodingContainer<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        // An optional result would need its type, which Swift's runtime would look up at each call.
        precondition(isDecodingContainer(keyedBy: type), "A container has keys of another type")
        // Safe because the type of the keys and the direction determine the type of the container.
        return unsafe unsafeDowncast(self, to: TypedContainer<KeyedDecodingContainer<Key>>.self).container()
    }

    final func isEncodingContainer(keyedBy type: any Any.Type) -> Bool { keyType == type && direction == .encoding }

    @inline(__always)
    final func encodingContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // An optional result would need its type, which Swift's runtime would look up at each call.
        precondition(isEncodingContainer(keyedBy: type), "A container has keys of another type")
        // Safe because the type of the keys and the direction determine the type of the container.
        return unsafe unsafeDowncast(self, to: TypedContainer<KeyedEncodingContainer<Key>>.self).container()
    }

    @inline(__always)
    final var isReturned: Bool { isKnownUniquelyReferenced(&object) }
}

/// A substitute for the standard library's class of a container, for reference counting only. `AnyObject` does not
/// work: its reference counting is not known in every build.
private final class ContainerObject {}

/// A container with a static type, so that returning it needs no type lookup.
private final class TypedContainer<Container>: ReusedContainer {
    @inline(never)
    func container() -> Container {
        // Safe because the object was a container of this type.
        unsafe unsafeBitCast(object, to: Container.self)
    }
}
