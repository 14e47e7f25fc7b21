// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

    /// Keeps `container`; nil if containers are not references.
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

    /// Whether the program has released the container.
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
