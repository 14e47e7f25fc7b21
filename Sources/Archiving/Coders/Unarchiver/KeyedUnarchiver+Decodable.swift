// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Values

extension KeyedUnarchiver {
    /// Decodes the value for a key, as `ArchiveDecoder` does. It shares its instances with the other objects that
    /// reference them. If the key is absent, a `@Reference` or `@WeakReference` is empty, a `@Coded` or `@Polymorphic` optional is
    /// nil, and a `@Default` has its default.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The key.
    /// - Throws: `ArchivingError`, and errors of `init(from:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    @_disfavoredOverload
    public func decode<Value: Decodable>(_ type: Value.Type, forKey name: String) throws -> Value {
        do {
            return try perform { try decodable(type, requiredField(name)) }
        } catch {
            // A call that succeeds does not look up the type of an optional.
            if let empty = absent(type, after: error, name) { return empty }
            throw error
        }
    }

    /// Decodes the object's next value without a key.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decodeNext<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try perform { try decodable(type, requiredField(nil)) }
    }

    /// Decodes the value for a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey name: String) throws -> Value? {
        try decodableIfPresent(type, name)
    }

    /// Decodes the object's next value without a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decodeNextIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try decodableIfPresent(type, nil)
    }

    @inline(__always)
    private func decodableIfPresent<Value: Decodable>(_ type: Value.Type, _ name: String?) throws -> Value? {
        try perform {
            guard let value = try found(name).value, !archive.isNil(value) else {
                return nil
            }
            return try decodableIfKnown(type, value)
        }
    }

    /// The `userInfo` of the decoders that `init(from:)` receives. Empty by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { session.settings.userInfo }
        set { session.settings.userInfo = newValue }
    }

    /// Decodes `value`, the value that was found last, as `type`.
    @inline(__always)
    fileprivate func decodable<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value {
        try decoding(at: pathIndex()) { try $0.decode(type, from: value, at: .root) }
    }

    /// Decodes `value`, the value that was found last, as `type`. Returns nil if it is skipped.
    fileprivate func decodableIfKnown<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value? {
        try decoding(at: pathIndex()) { decoder in
            let known = decoder.session.type(type)
            if try decoder.isSkipped(known, value, at: .root) { return nil }
            return try decoder.decode(type, known, from: value, at: .root)
        }
    }

    /// Returns the value of `type` for an absent key, if it has one and `error` says that the key is absent.
    @inline(never)
    private func absent<Value>(_ type: Value.Type, after error: any Error, _ name: String) -> Value? {
        // An absent optional is an error, as in the containers of Codable.
        guard let wrapper = absentValueType(type), !(type is any ExpressibleByNilLiteral.Type),
            (error as? ArchivingError)?.code == .valueNotFound, !containsValue(forKey: name)
        else { return nil }
        return absentValue(of: wrapper)
    }

    /// Calls `body` with the decoder for the values at `path`.
    @inline(__always)
    func decoding<Result>(at path: CodingPathTable.Index, _ body: (DecodingFrame) throws -> Result) throws -> Result {
        do {
            return try session.topForValues.with(nil, .null, at: path, body)
        } catch {
            throw ArchivingError.converted(error)
        }
    }
}

// MARK: - Sets

/// Everything that the hash of an instance depends on, including its references, is decoded before the set is created.
extension Set: ArchivableValue where Element: Coding {
    /// Encodes the instances as an NSSet.
    public func encode(with coder: KeyedArchiver, forKey key: String?) throws {
        try coder.setReference(key) { try coder.reference(toSet: self, at: $0) }
    }

    /// Decodes a set of instances.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try coder.decodeCollection(self, forKey: key)
    }

    /// Decodes a set of instances, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.decodeCollectionIfPresent(self, forKey: key)
    }
}

extension Set: InstanceCollection where Element: Coding {
    static func read(_ value: ArchivedValue, with coder: KeyedUnarchiver) throws -> Self {
        try coder.decodable(Coded<Self>.self, value).wrappedValue
    }
}

// MARK: - References

/// A reference to an instance of a `Coding` class. The unarchiver decodes the instance from a list of waiting work. The
/// instance may therefore reference the object that is being decoded, and a chain of any length takes no stack.
///
/// ```swift
/// final class Node: Coding {
///     @Reference var next: Node?
///
///     init(coder: KeyedUnarchiver) throws {
///         _next = try coder.decode(Reference.self, forKey: "next")
///     }
///
///     func encode(with coder: KeyedArchiver) throws {
///         try coder.encode(next, forKey: "next")
///     }
/// }
/// ```
///
/// A decoded reference is empty if there is no value or it is nil. Otherwise it has its instance when the program's
/// outermost decoding call returns, which throws later errors.
extension Reference: ArchivableValue where Target: Coding {
    /// Encodes the instance.
    public func encode(with coder: KeyedArchiver, forKey key: String?) throws {
        try wrappedValue.encode(with: coder, forKey: key)
    }

    /// Decodes a reference, which may be empty.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try decodeIfPresent(with: coder, forKey: key) ?? Reference()
    }

    /// Decodes a reference, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.reference(to: Target.self, key) { value in
            guard value.uid != 0 else {
                return Reference(wrappedValue: try coder.object(Target.self, value, at: .field))
            }
            return Reference(try coder.awaitedInstance(coder.record(Target.self), value, at: .field))
        }
    }
}

/// A weak reference to an instance of a `Coding` class. A decoded reference does not request the instance. It receives the
/// instance if another reference decodes it, earlier or later.
///
/// A decoded reference is empty if there is no value or it is nil. Otherwise it has its instance when the outermost
/// decoding call that requested the instance returns.
extension WeakReference: ArchivableValue where Target: Coding {
    /// Encodes a reference that does not archive the instance.
    public func encode(with coder: KeyedArchiver, forKey key: String?) throws {
        try coder.setConditional(key, wrappedValue)
    }

    /// Decodes a reference, which may be empty.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try decodeIfPresent(with: coder, forKey: key) ?? WeakReference()
    }

    /// Decodes a reference, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.reference(to: Target.self, key) { value in
            // No strong reference can share an instance that has no uid.
            guard value.uid != 0 else { return nil }
            let (object, awaited) = try coder.awaitedWeakInstance(coder.record(Target.self), value, at: .field)
            return WeakReference(object, awaited)
        }
    }
}

extension KeyedUnarchiver {
    /// Returns the result of `read` for the value for the key `name`; nil if it is absent, nil or skipped.
    fileprivate func reference<Target: Coding, Result>(
        to type: Target.Type, _ name: String?, _ read: (ArchivedValue) throws -> Result?
    ) throws -> Result? {
        try perform {
            guard let value = try present(name), try !isSkipped(type, value, at: .field) else { return nil }
            return try read(value)
        }
    }
}
