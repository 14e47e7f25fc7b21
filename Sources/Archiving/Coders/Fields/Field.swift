// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A property of a type with declared fields, and its key.
///
/// ```swift
/// Field("title", \.title, aliases: ["name"])
/// Field("count", \.count, .default(1), .omitIfDefault)
/// Field("parent", \.parent, .conditional)
/// ```
///
/// The value of a field is of a `Codable` type, a class instance, an array of class instances, or an optional of these.
/// A field of an optional type is omitted if it is nil, and nil if it is absent.
///
/// The key path has to be writable. It may be computed; the coders then call the property's accessors. The wrapper of a
/// wrapped property is a value as well: `Field("part", \._part)`.
public struct Field<Root: SendableMetatype>: Sendable {
    let declaration: FieldDeclaration

    /// The key.
    public var key: String { declaration.key }

    /// The former keys of the field, which are read if the key is absent.
    public var aliases: [String] { declaration.aliases }

    /// The property.
    public var keyPath: AnyKeyPath { declaration.keyPath() }

    @usableFromInline
    init(_ declaration: FieldDeclaration) { self.declaration = declaration }
}

/// A property and its keys, with the type of its values.
///
/// The compiler replaces the key path in each of the closures by the access to the property: a coder calls them without
/// looking up any type. They receive the address of a value of the type `root`.
@usableFromInline
struct FieldProperty<Value>: Sendable {
    let key: String
    let aliases: [String]
    let root: any Any.Type
    let keyPath: @Sendable () -> AnyKeyPath
    let get: @Sendable (ValueAddress) -> Value
    let set: @Sendable (ValueAddress, consuming Value) -> Void

    @usableFromInline
    init(
        _ key: String, _ aliases: [String], root: any Any.Type, keyPath: @escaping @Sendable () -> AnyKeyPath,
        get: @escaping @Sendable (ValueAddress) -> Value,
        set: @escaping @Sendable (ValueAddress, consuming Value) -> Void
    ) {
        (self.key, self.aliases, self.root) = (key, aliases, root)
        (self.keyPath, self.get, self.set) = (keyPath, get, set)
    }

    @inlinable
    @inline(__always)
    init<Root: SendableMetatype>(
        _ key: String, _ aliases: [String],
        _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Value>
    ) {
        self.init(
            key, aliases, root: Root.self, keyPath: { keyPath() },
            get: { $0[as: Root.self][keyPath: keyPath()] },
            set: { address, value in address[as: Root.self][keyPath: keyPath()] = Self.moved(consume value) })
    }

    /// Returns `value`. A parameter that is assigned without it is copied first.
    @inlinable
    @inline(__always)
    static func moved(_ value: consuming Value) -> Value { value }
}

// MARK: - Values

extension Field {
    /// Creates a field of a value.
    ///
    /// - Parameters:
    ///   - key: The key in the archive. It is unique among the fields of the type.
    ///   - keyPath: The property.
    ///   - aliases: Former keys, which are read if the key is absent.
    ///   - options: Options: see ``FieldOption``.
    @inlinable
    @inline(__always)
    @_disfavoredOverload
    public init<Value: Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Value>,
        aliases: [String] = [], _ options: FieldOption<Value>...
    ) {
        self.init(.value(FieldProperty(key, aliases, keyPath()), options))
    }

    /// Creates a field of a value, or nil. The field is omitted if it is nil, and nil if it is absent.
    @inlinable
    @inline(__always)
    @_disfavoredOverload
    public init<Value: Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Value?>,
        aliases: [String] = [], _ options: FieldOption<Value?>...
    ) {
        self.init(.optional(FieldProperty(key, aliases, keyPath()), options))
    }
}

// MARK: - Class instances

extension Field {
    /// Creates a field of a class instance.
    @inlinable
    @inline(__always)
    public init<Object: AnyObject & Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Object>,
        aliases: [String] = [], _ options: FieldOption<Object>...
    ) {
        self.init(.instance(FieldProperty(key, aliases, keyPath()), options))
    }

    /// Creates a field of a class instance, or nil.
    ///
    /// - Parameters:
    ///   - key: The key in the archive.
    ///   - keyPath: The property, which may be weak.
    ///   - aliases: Former keys.
    ///   - option: An option of the reference: see ``ReferenceOption``.
    @inlinable
    @inline(__always)
    public init<Object: AnyObject & Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Object?>,
        aliases: [String] = [], _ option: ReferenceOption = .strong
    ) {
        self.init(.reference(FieldProperty(key, aliases, keyPath()), option))
    }

    /// Creates a field of an array of class instances.
    @inlinable
    @inline(__always)
    public init<Object: AnyObject & Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, [Object]>,
        aliases: [String] = [], _ options: FieldOption<[Object]>...
    ) {
        self.init(.instances(FieldProperty(key, aliases, keyPath()), options))
    }
}
