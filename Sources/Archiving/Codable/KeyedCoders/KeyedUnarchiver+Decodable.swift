#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Values

extension KeyedUnarchiver {
    /// The value under the key, as `ArchiveDecoder` reads it. Instances in it are those that other objects refer to.
    ///
    /// - Throws: `UnarchivingError`, and what `init(from:)` throws.
    /// - Complexity: O(*n*), where *n* is the number of values that are decoded.
    @_disfavoredOverload
    public func decode<Value: Decodable>(_ type: Value.Type, forKey name: String) throws -> Value {
        do {
            return try perform { try decodable(type, required(name) { value, _ in value }) }
        } catch {
            return try placeholder(after: error, type, name) { try self.decode(type, forKey: name) }
        }
    }

    /// The value under the key; nil where nothing or nil is there.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey name: String) throws -> Value? {
        try optional {
            guard let value = try field(name), !shared.pointee.archive.isNil(value) else { return nil }
            do {
                return try decodableIfKnown(type, value)
            } catch {
                return try placeholder(ifPresent: type, after: error, name) {
                    try self.decodeIfPresent(type, forKey: name)
                }
            }
        }
    }

    /// The next value without a key.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try perform { try decodable(type, nextRequired { value, _ in value }) }
    }

    /// The next value without a key; nil where nothing or nil is there.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    @_disfavoredOverload
    public func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try optional {
            guard let value = try nextField().value, !shared.pointee.archive.isNil(value) else { return nil }
            return try decodableIfKnown(type, value)
        }
    }

    /// What `init(from:)` finds in its decoder's `userInfo`. Empty, unless set.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { topDecoder.session.userInfo }
        set { topDecoder.session.userInfo = newValue }
    }

    /// The value of `type` that `value`, which was found last, is.
    private func decodable<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value {
        try decoding(at: pathIndex()) { try $0.decode(type, from: value, at: .root) }
    }

    /// The value of `type` that `value`, which was found last, is; nil where it is left out.
    private func decodableIfKnown<Value: Decodable>(_ type: Value.Type, _ value: ArchivedValue) throws -> Value? {
        try decoding(at: pathIndex()) { decoder in
            let known = decoder.core.pointee.type(type)
            if try decoder.isSkipped(known, value, at: .root) { return nil }
            return try decoder.decode(type, known, from: value, at: .root)
        }
    }

    /// Lets `body` decode what stands at `path`.
    func decoding<Result>(at path: CodingPathTable.Index, _ body: (ArchiveDecoding) throws -> Result) throws -> Result {
        do {
            return try topDecoder.with(nil, .null, at: path, body)
        } catch {
            throw UnarchivingError.converted(error)
        }
    }
}

// MARK: - Sets

/// Sets of instances. What the hash of an instance goes by, its references included, is there before the set is made.
extension KeyedUnarchiver {
    /// The set of instances under the key.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding & Hashable>(_ type: Set<Object>.Type, forKey name: String) throws -> Set<Object> {
        do {
            return try perform { try decodable(Coded<Set<Object>>.self, required(name) { value, _ in value }) }
                .wrappedValue
        } catch {
            return try placeholder(after: error, type, name) { try self.decode(type, forKey: name) }
        }
    }

    /// The set of instances under the key; nil where nothing or nil is there.
    ///
    /// - Throws: As for an instance.
    public func decodeIfPresent<Object: Coding & Hashable>(
        _ type: Set<Object>.Type, forKey name: String
    ) throws -> Set<Object>? {
        try optional {
            guard let value = try field(name), !shared.pointee.archive.isNil(value) else { return nil }
            do {
                return try decodableIfKnown(Coded<Set<Object>>.self, value)?.wrappedValue
            } catch {
                return try placeholder(ifPresent: type, after: error, name) {
                    try self.decodeIfPresent(type, forKey: name)
                }
            }
        }
    }

    /// The next value without a key, as a set of instances.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding & Hashable>(_ type: Set<Object>.Type) throws -> Set<Object> {
        try decode(Coded<Set<Object>>.self).wrappedValue
    }
}

// MARK: - References

extension KeyedUnarchiver {
    /// A reference to the instance under the key, which is made when there is nothing else to do: it may lead back to
    /// what is being decoded, and takes no stack however long the chain.
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
    /// - Returns: A reference to nothing where nothing or nil is there. Otherwise it has its instance when the program's
    ///   own call returns.
    /// - Throws: `UnarchivingError` where something else than an object of the class is there. What goes wrong later is
    ///   thrown by the program's own call.
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

    /// A weak reference to the instance under the key, which does not ask for the instance: it leads to it where something
    /// else decodes it, earlier or later.
    ///
    /// - Returns: A reference to nothing where nothing or nil is there. Otherwise it has its instance, if anything asks
    ///   for that, when the program's own call returns that did so.
    /// - Throws: `UnarchivingError` where something else than an object of the class is there.
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

    /// A reference to the instance under the key, of a class that is `Decodable`.
    ///
    /// - Throws: As for a `Coding` class.
    @_disfavoredOverload
    public func decodeReference<Target: AnyObject & Decodable>(
        _ type: Target.Type, forKey name: String
    ) throws -> Reference<Target> {
        try decodeIfPresent(Reference<Target>.self, forKey: name) ?? Reference()
    }

    /// A weak reference to the instance under the key, of a class that is `Decodable`.
    ///
    /// - Throws: As for a `Coding` class.
    @_disfavoredOverload
    public func decodeWeakReference<Target: AnyObject & Decodable>(
        _ type: Target.Type, forKey name: String
    ) throws -> WeakReference<Target> {
        try decodeIfPresent(WeakReference<Target>.self, forKey: name) ?? WeakReference()
    }
}
