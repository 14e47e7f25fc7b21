// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type with an empty value. A property of the type has the empty value until its own value is decoded.
protocol PlaceholderValue {
    /// Whether the type has an empty value. A wrapper has one if the wrapped type does.
    static var canWait: Bool { get }
    /// Returns the empty value, and its storage, which no other value has; nil if the value has no storage.
    ///
    /// Call it only if `canWait` is true.
    static func placeholder() -> (value: Self, storage: AnyObject?)
    /// Whether the value is empty.
    var isPlaceholder: Bool { get }
}

extension PlaceholderValue {
    static var canWait: Bool { true }
}

extension Optional: PlaceholderValue {
    static func placeholder() -> (value: Self, storage: AnyObject?) {
        guard Wrapped.self is any PlaceholderCollection.Type, let placeholder = Placeholder(Wrapped.self) else {
            return (nil, nil)
        }
        return placeholder.make()
    }

    var isPlaceholder: Bool {
        guard let self else { return true }
        return (self as? any PlaceholderCollection)?.isEmpty ?? false
    }
}

/// A collection of the standard library. An empty collection with its own storage can be distinguished from every
/// other.
protocol PlaceholderCollection: PlaceholderValue, Collection {
    /// An empty collection with capacity for one element.
    static func withStorage() -> Self
}

extension PlaceholderCollection {
    static func placeholder() -> (value: Self, storage: AnyObject?) {
        let value = withStorage()
        return (value, Reinterpretation.storage(of: value))
    }

    var isPlaceholder: Bool { isEmpty }
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
struct Placeholder<Value> {
    /// Returns the value, and its own storage, if any.
    let make: () -> (value: Value, storage: AnyObject?)
    /// Returns whether a value is empty.
    let isEmpty: (Value) -> Bool

    /// The value without its storage.
    var value: Value { make().value }

    /// Creates the empty value of `type`: `nil`, or a collection without elements. Returns nil if the type has no such
    /// value, or is a class.
    init?(_ type: Value.Type) {
        if let type = type as? any PlaceholderValue.Type {
            guard type.canWait else { return nil }
            self.init(of: type)
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

    /// Returns whether `type` has an empty value.
    static func exists(for type: any Any.Type) -> Bool where Value == Any {
        func exists<Other>(_ type: Other.Type) -> Bool { Placeholder<Other>(type) != nil }
        return _openExistential(type, do: exists)
    }

    /// Creates the empty value of `type`, which is `Value`.
    init<Empty: PlaceholderValue>(of type: Empty.Type) {
        make = {
            let (value, storage) = Empty.placeholder()
            return (Reinterpretation.same(value), storage)
        }
        isEmpty = { Reinterpretation.same($0, as: Empty.self).isPlaceholder }
    }

    /// The empty value `empty` of a type which is `Value`.
    private init<Empty>(_ empty: @escaping @autoclosure () -> Empty, _ isEmpty: @escaping (Empty) -> Bool) {
        make = { (Reinterpretation.same(empty()), nil) }
        self.isEmpty = { isEmpty(Reinterpretation.same($0)) }
    }

    private static func empty<Empty: RangeReplaceableCollection>(_ type: Empty.Type) -> Self {
        Self(Empty(), \.isEmpty)
    }

    private static func empty<Empty: SetAlgebra>(_ type: Empty.Type) -> Self { Self(Empty(), \.isEmpty) }

    private static func empty<Empty: Sequence & ExpressibleByArrayLiteral>(_ type: Empty.Type) -> Self {
        Self([] as Empty) { value in !value.contains { _ in true } }
    }

    private static func empty<Empty: Sequence & ExpressibleByDictionaryLiteral>(_ type: Empty.Type) -> Self {
        Self([:] as Empty) { value in !value.contains { _ in true } }
    }
}
