/// A type with an empty value. A property of the type has the empty value until its own value is decoded.
protocol PlaceholderValue {
    /// Whether the type has an empty value. A wrapper has one if the wrapped type does.
    static var canWait: Bool { get }
    /// Initializes the memory at `address` with the empty value.
    ///
    /// - Returns: The storage of the value, which no other value has; nil if the value has no storage.
    static func initializePlaceholder(at address: UnsafeMutableRawPointer) -> AnyObject?
    /// Returns whether the value at `address` is empty.
    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool
}

extension PlaceholderValue {
    static var canWait: Bool { true }
}

extension Optional: PlaceholderValue {
    static func initializePlaceholder(at address: UnsafeMutableRawPointer) -> AnyObject? {
        guard let type = Wrapped.self as? any PlaceholderCollection.Type else {
            address.initializeMemory(as: Self.self, to: nil)
            return nil
        }
        let value = UnsafeMutablePointer<Wrapped>.allocate(capacity: 1)
        defer { value.deallocate() }
        let storage = type.initializePlaceholder(at: value)
        address.initializeMemory(as: Self.self, to: value.move())
        return storage
    }

    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool {
        guard let value = address.assumingMemoryBound(to: Self.self).pointee else { return true }
        guard let type = Wrapped.self as? any PlaceholderCollection.Type else { return false }
        return withUnsafePointer(to: value) { type.isPlaceholder(at: $0) }
    }
}

/// A collection of the standard library. An empty collection with its own storage can be distinguished from every
/// other.
protocol PlaceholderCollection: PlaceholderValue, Collection {
    /// An empty collection with capacity for one element.
    static func withStorage() -> Self
}

extension PlaceholderCollection {
    static func initializePlaceholder(at address: UnsafeMutableRawPointer) -> AnyObject? {
        address.initializeMemory(as: Self.self, to: withStorage())
        // The collection is a reference to its storage.
        return address.load(as: UnsafeRawPointer?.self).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    static func isPlaceholder(at address: UnsafeRawPointer) -> Bool {
        address.assumingMemoryBound(to: Self.self).pointee.isEmpty
    }
}

extension Array: PlaceholderCollection {
    static func withStorage() -> Self {
        var array: Self = []
        array.reserveCapacity(1)
        return array
    }
}

extension ContiguousArray: PlaceholderCollection {
    static func withStorage() -> Self {
        var array: Self = []
        array.reserveCapacity(1)
        return array
    }
}

extension Set: PlaceholderCollection {
    static func withStorage() -> Self { Set(minimumCapacity: 1) }
}

extension Dictionary: PlaceholderCollection {
    static func withStorage() -> Self { Dictionary(minimumCapacity: 1) }
}

/// The empty value of a type.
struct Placeholder {
    /// Initializes memory with the value. Returns the value's own storage, if any.
    let initialize: (UnsafeMutableRawPointer) -> AnyObject?
    /// Returns whether a value is empty.
    let isEmpty: (UnsafeRawPointer) -> Bool

    /// Creates the empty value of `type`: `nil`, or a collection without elements. Returns nil if the type has no such
    /// value, or is a class.
    init?(_ type: any Any.Type) {
        if let type = type as? any PlaceholderValue.Type {
            guard type.canWait else { return nil }
            (initialize, isEmpty) = (type.initializePlaceholder, type.isPlaceholder)
            return
        }
        guard !(type is AnyClass) else { return nil }
        switch type {
        case let type as any RangeReplaceableCollection.Type: self = Self.empty(type)
        case let type as any SetAlgebra.Type: self = Self.empty(type)
        case let type as any (Sequence & ExpressibleByArrayLiteral).Type: self = Self.empty(type)
        case let type as any (Sequence & ExpressibleByDictionaryLiteral).Type: self = Self.empty(type)
        default: return nil
        }
    }

    /// Returns the value, which has the type `type`.
    func value<Value>(of type: Value.Type) -> Value {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { memory.deallocate() }
        _ = initialize(memory)
        return memory.move()
    }

    private init<Value>(_ empty: @escaping @autoclosure () -> Value, _ isEmpty: @escaping (Value) -> Bool) {
        initialize = {
            $0.initializeMemory(as: Value.self, to: empty())
            return nil
        }
        self.isEmpty = { isEmpty($0.assumingMemoryBound(to: Value.self).pointee) }
    }

    private static func empty<Value: RangeReplaceableCollection>(_ type: Value.Type) -> Self {
        Self(Value(), \.isEmpty)
    }

    private static func empty<Value: SetAlgebra>(_ type: Value.Type) -> Self { Self(Value(), \.isEmpty) }

    private static func empty<Value: Sequence & ExpressibleByArrayLiteral>(_ type: Value.Type) -> Self {
        Self([] as Value) { value in !value.contains { _ in true } }
    }

    private static func empty<Value: Sequence & ExpressibleByDictionaryLiteral>(_ type: Value.Type) -> Self {
        Self([:] as Value) { value in !value.contains { _ in true } }
    }
}
