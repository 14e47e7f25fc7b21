// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A value that `KeyedArchiver` and `KeyedUnarchiver` code by key: an instance of a `Coding` class, a number, a string,
/// data or a date, and optionals and collections of these.
///
/// Arrays, sets and string-keyed dictionaries of instances conform. Values of `Codable` types do not need to: the coders
/// have methods with the same names for them.
///
/// A type of the program can conform, if it has the form of a value that conforms:
///
/// ```swift
/// struct Angle: ArchivableValue {
///     var degrees = 0.0
///
///     func encode(with coder: KeyedArchiver, forKey key: String?) {
///         degrees.encode(with: coder, forKey: key)
///     }
///
///     static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Angle {
///         Angle(degrees: try Double.decode(with: coder, forKey: key))
///     }
///
///     static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Angle? {
///         try Double.decodeIfPresent(with: coder, forKey: key).map { Angle(degrees: $0) }
///     }
/// }
/// ```
public protocol ArchivableValue {
    /// Encodes the value for a key, or as the object's next value without a key if `key` is nil.
    ///
    /// - Throws: `ArchivingError`.
    func encode(with coder: KeyedArchiver, forKey key: String?) throws

    /// Decodes the value for a key, or the next value without a key if `key` is nil.
    ///
    /// - Throws: `ArchivingError` with the code `valueNotFound` if there is no value, or another code if it is not of
    ///   this type.
    static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self

    /// Decodes the value for a key, or the next value without a key if `key` is nil. Returns `nil` if there is none, or
    /// if it is nil.
    ///
    /// - Throws: `ArchivingError` if the value is not of this type.
    static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self?
}

// MARK: - Coders

extension KeyedArchiver {
    /// Encodes a value for a key.
    ///
    /// ```swift
    /// try coder.encode(owner, forKey: "owner")
    /// try coder.encode(windows, forKey: "windows")
    /// ```
    ///
    /// An instance is archived once, regardless of the number of references to it, and is decoded as one instance. Within
    /// `encode(with:)` the archiver only stores the reference: it writes the contents of an instance after the
    /// referencing object is complete. If the program itself calls the method, all objects that `value` references are
    /// written when it returns.
    ///
    /// - Parameters:
    ///   - value: An instance of a `Coding` class, an optional or a collection of instances, or another `ArchivableValue`.
    ///   - name: The key.
    /// - Throws: `ArchivingError.Code.notSecure`. If the program itself calls the method, also errors from
    ///   `encode(with:)`.
    /// - Complexity: O(1) for an instance within `encode(with:)`, otherwise O(*n*), where *n* is the number of new
    ///   objects.
    @inlinable
    public func encode<Archivable: ArchivableValue>(_ value: Archivable, forKey name: String) throws {
        try value.encode(with: self, forKey: name)
    }

    /// Encodes a value as the object's next one without a key. `decodeNext(_:)` decodes such values in their order.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    @inlinable
    public func encodeNext<Archivable: ArchivableValue>(_ value: Archivable) throws {
        try value.encode(with: self, forKey: nil)
    }
}

extension KeyedUnarchiver {
    /// Decodes the value for a key.
    ///
    /// ```swift
    /// let owner = try coder.decode(Owner.self, forKey: "owner")
    /// let windows = try coder.decode([Window].self, forKey: "windows")
    /// ```
    ///
    /// An instance is of the class `type`, or of a class that inherits from it and is registered in `classes`. A class
    /// that is not allowed is never instantiated.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The key.
    /// - Returns: The value.
    /// - Throws: `ArchivingError` with the code `valueNotFound` if there is no value or it is nil, `typeMismatch` if it
    ///   has another type, `numberOutOfRange` if the type cannot represent the number, `classNotAllowed` if it is an
    ///   object of another class. Other codes are `notSecure`, `cycle`, `limit` and `damaged`. Errors from
    ///   `init(coder:)` are passed on.
    /// - Complexity: O(*n*), where *n* is the number of decoded objects; O(1) for an object that was decoded before.
    @inlinable
    public func decode<Archivable: ArchivableValue>(_ type: Archivable.Type, forKey name: String) throws -> Archivable {
        try type.decode(with: self, forKey: name)
    }

    /// Decodes the object's next value without a key.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    @inlinable
    public func decodeNext<Archivable: ArchivableValue>(_ type: Archivable.Type) throws -> Archivable {
        try type.decode(with: self, forKey: nil)
    }

    /// Decodes the value for a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The key.
    /// - Returns: The value, or nil.
    /// - Throws: The errors of `decode(_:forKey:)`, except `valueNotFound`.
    @inlinable
    public func decodeIfPresent<Archivable: ArchivableValue>(
        _ type: Archivable.Type, forKey name: String
    ) throws -> Archivable? {
        try type.decodeIfPresent(with: self, forKey: name)
    }

    /// Decodes the object's next value without a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeIfPresent(_:forKey:)`.
    @inlinable
    public func decodeNextIfPresent<Archivable: ArchivableValue>(_ type: Archivable.Type) throws -> Archivable? {
        try type.decodeIfPresent(with: self, forKey: nil)
    }
}

// MARK: - Instances

extension Coding {
    /// Encodes a reference to the instance.
    public func encode(with coder: KeyedArchiver, forKey key: String?) throws {
        // Without a closure, which would be a function of its own.
        let reference = coder.key(key)
        try coder.set(key, reference, to: try coder.reference(to: self) { coder.pathIndex(reference) })
    }

    /// Decodes an instance of the class.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try coder.decodeInstance(self, forKey: key)
    }

    /// Decodes an instance of the class, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.decodeInstanceIfPresent(self, forKey: key)
    }
}

// MARK: - Optionals

extension Optional: ArchivableValue where Wrapped: ArchivableValue {
    /// Encodes the value, or nil.
    public func encode(with coder: KeyedArchiver, forKey key: String?) throws {
        guard let self else { return coder.setLeaf(key) { _ in ArchiveGraph.null } }
        try self.encode(with: coder, forKey: key)
    }

    /// Decodes the value, which may be nil. An absent value is an error.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try coder.requireField(key)
        return try Wrapped.decodeIfPresent(with: coder, forKey: key)
    }

    /// Decodes the value, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try Wrapped.decodeIfPresent(with: coder, forKey: key).map { .some($0) }
    }
}

// MARK: - Collections of instances

extension Array: ArchivableValue where Element: Coding {
    /// Encodes the instances as an NSArray.
    public func encode(with coder: KeyedArchiver, forKey key: String?) throws {
        let reference = coder.key(key)
        try coder.set(key, reference, to: try coder.reference(toArray: self, at: reference))
    }

    /// Decodes an array of instances.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try coder.decodeArray(Element.self, forKey: key)
    }

    /// Decodes an array of instances, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.decodeArrayIfPresent(Element.self, forKey: key)
    }
}

extension Dictionary: ArchivableValue where Key == String, Value: Coding {
    /// Encodes the instances as an NSDictionary.
    public func encode(with coder: KeyedArchiver, forKey key: String?) throws {
        try coder.setReference(key) { try coder.reference(toDictionary: self, at: $0) }
    }

    /// Decodes a dictionary of instances.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try coder.decodeDictionary(Value.self, forKey: key)
    }

    /// Decodes a dictionary of instances, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.decodeDictionaryIfPresent(Value.self, forKey: key)
    }
}
