#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Values

extension KeyedUnarchiver {
    /// Decodes the value for a key, as `ArchiveDecoder` does. It shares its instances with the other objects that
    /// reference them.
    ///
    /// - Throws: `UnarchivingError`, and errors of `init(from:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    @_disfavoredOverload
    public func decode<Value: Decodable>(_ type: Value.Type, forKey name: String) throws -> Value {
        do {
            return try perform { try decodable(type, required(name) { value, _ in value }) }
        } catch {
            return try placeholder(after: error, type, name) { try $0.decode(type, forKey: name) }
        }
    }

    /// Decodes the value for a key. Returns `nil` if the key is absent or holds nil.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey name: String) throws -> Value? {
        try optional {
            guard let value = try field(name), !archive.isNil(value) else { return nil }
            do {
                return try decodableIfKnown(type, value)
            } catch {
                return try placeholder(ifPresent: type, after: error, name) {
                    try $0.decodeIfPresent(type, forKey: name)
                }
            }
        }
    }

    /// Decodes the next value without a key.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try perform { try decodable(type, nextRequired { value, _ in value }) }
    }

    /// Decodes the next value without a key. Returns `nil` if there is none or it is nil.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try optional {
            guard let value = try nextField().value, !archive.isNil(value) else { return nil }
            return try decodableIfKnown(type, value)
        }
    }

    /// The `userInfo` of the decoders that `init(from:)` receives. Empty by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { topDecoder.session.userInfo }
        set { topDecoder.session.userInfo = newValue }
    }

    /// Decodes `value`, the value that was found last, as `type`.
    private func decodable<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value {
        try decoding(at: pathIndex()) { try $0.decode(type, from: value, at: .root) }
    }

    /// Decodes `value`, the value that was found last, as `type`. Returns nil if it is skipped.
    private func decodableIfKnown<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value? {
        try decoding(at: pathIndex()) { decoder in
            let known = decoder.core.pointee.type(type)
            if try decoder.isSkipped(known, value, at: .root) { return nil }
            return try decoder.decode(type, known, from: value, at: .root)
        }
    }

    /// Calls `body` with the decoder for the values at `path`.
    func decoding<Result>(at path: CodingPathTable.Index, _ body: (ArchiveDecoding) throws -> Result) throws -> Result {
        do {
            return try topDecoder.with(nil, .null, at: path, body)
        } catch {
            throw UnarchivingError.converted(error)
        }
    }
}

// MARK: - Sets

/// Sets of instances. Everything that the hash of an instance depends on, including its references, is decoded before
/// the set is created.
extension KeyedUnarchiver {
    /// Decodes the set of instances for a key.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding & Hashable>(_ type: Set<Object>.Type, forKey name: String) throws -> Set<Object> {
        do {
            return try perform { try decodable(Coded<Set<Object>>.self, required(name) { value, _ in value }) }
                .wrappedValue
        } catch {
            return try placeholder(after: error, type, name) { try $0.decode(type, forKey: name) }
        }
    }

    /// Decodes the set of instances for a key. Returns `nil` if the key is absent or holds nil.
    ///
    /// - Throws: As for an instance.
    public func decodeIfPresent<Object: Coding & Hashable>(
        _ type: Set<Object>.Type, forKey name: String
    ) throws -> Set<Object>? {
        try optional {
            guard let value = try field(name), !archive.isNil(value) else { return nil }
            do {
                return try decodableIfKnown(Coded<Set<Object>>.self, value)?.wrappedValue
            } catch {
                return try placeholder(ifPresent: type, after: error, name) {
                    try $0.decodeIfPresent(type, forKey: name)
                }
            }
        }
    }

    /// Decodes the next value without a key as a set of instances.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding & Hashable>(_ type: Set<Object>.Type) throws -> Set<Object> {
        try decode(Coded<Set<Object>>.self).wrappedValue
    }
}

// MARK: - References

extension KeyedUnarchiver {
    /// Returns a reference to the instance for a key. The unarchiver decodes the instance from a list of pending work.
    /// The instance may therefore reference the object that is being decoded, and a chain of any length takes no stack.
    ///
    /// ```swift
    /// final class Node: Coding {
    ///     @Reference var next: Node?
    ///
    ///     init(coder: KeyedUnarchiver) throws {
    ///         _next = try coder.decodeReference(Node.self, forKey: "next")
    ///     }
    ///
    ///     func encode(with coder: KeyedArchiver) throws {
    ///         try coder.encode(next, forKey: "next")
    ///     }
    /// }
    /// ```
    ///
    /// - Returns: The reference. It is empty if the key is absent or holds nil. Otherwise it has its instance when the
    ///   program's outermost decoding call returns.
    /// - Throws: `UnarchivingError` if the value is not an object of the class. The outermost call throws later errors.
    public func decodeReference<Target: Coding>(
        _ type: Target.Type, forKey name: String
    ) throws -> Reference<Target> {
        let reference = try optional { () -> Reference<Target>? in
            guard let value = try field(name), !value.isNull,
                try !isSkipped(type, value, path: { pathIndex() })
            else { return nil }
            guard value.uid != 0 else { return Reference(wrappedValue: try object(type, value) { pathIndex() }) }
            switch try awaitedInstance(record(type), value, path: { pathIndex() }) {
            case .complete(let object):
                return Reference(wrappedValue: Unmanaged<Target>.fromOpaque(object).takeUnretainedValue())
            case .awaited(let awaited): return Reference(awaiting: awaited)
            }
        }
        return reference ?? Reference()
    }

    /// Returns a weak reference to the instance for a key. The reference does not request the instance. It receives the
    /// instance if another reference decodes it, earlier or later.
    ///
    /// - Returns: The reference. It is empty if the key is absent or holds nil. Otherwise it has its instance when the
    ///   outermost decoding call that requested the instance returns.
    /// - Throws: `UnarchivingError` if the value is not an object of the class.
    public func decodeWeakReference<Target: Coding>(
        _ type: Target.Type, forKey name: String
    ) throws -> WeakReference<Target> {
        let reference = try optional { () -> WeakReference<Target>? in
            guard let value = try field(name), !value.isNull, value.uid != 0,
                try !isSkipped(type, value, path: { pathIndex() })
            else { return nil }
            let (object, awaited) = try awaitedWeakInstance(record(type), value) { pathIndex() }
            if let awaited { return WeakReference(awaiting: awaited) }
            return WeakReference(
                wrappedValue: object.map { Unmanaged<Target>.fromOpaque($0).takeUnretainedValue() })
        }
        return reference ?? WeakReference()
    }

    /// Returns a reference to the instance for a key, of a `Decodable` class.
    ///
    /// - Throws: As for a `Coding` class.
    @_disfavoredOverload
    public func decodeReference<Target: AnyObject & Decodable>(
        _ type: Target.Type, forKey name: String
    ) throws -> Reference<Target> {
        try decodeIfPresent(Reference<Target>.self, forKey: name) ?? Reference()
    }

    /// Returns a weak reference to the instance for a key, of a `Decodable` class.
    ///
    /// - Throws: As for a `Coding` class.
    @_disfavoredOverload
    public func decodeWeakReference<Target: AnyObject & Decodable>(
        _ type: Target.Type, forKey name: String
    ) throws -> WeakReference<Target> {
        try decodeIfPresent(WeakReference<Target>.self, forKey: name) ?? WeakReference()
    }
}
