// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Instances

extension KeyedUnarchiver {
    func decodeInstance<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> Object {
        let instance = try nextInstance(type, name) ?? requiredInstance(session.type(coding: type), name)
        return Reinterpretation.instance(instance, as: type)
    }

    func decodeInstanceIfPresent<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> Object? {
        if let known = nextInstance(type, name) { return Reinterpretation.instance(known, as: type) }
        guard let instance = try instanceIfPresent(session.type(coding: type), name) else { return nil }
        return Reinterpretation.instance(instance, as: type)
    }

    /// Returns the instance of the class `type` in the field `name`, if an `init(coder:)` requests it, it is in the next field, and it
    /// was decoded before.
    @inline(__always)
    private func nextInstance(_ type: any Any.Type, _ name: String?) -> AnyObject? {
        guard let name, let (reference, position) = nextReference(name), let uid = archive.shortUID(reference),
            let known = frame.knownInstance(type, uid)
        else { return nil }
        frame.fields.next = position &+ 1
        return known
    }

    /// Returns the reference in the field `name`, if an `init(coder:)` requests it and it is the next field, and the position of the
    /// field.
    @inline(__always)
    private func nextReference(_ name: String) -> (reference: Int, position: Int)? {
        guard frame.ownType != nil, !isFinished, let position = nextPosition(ifNamed: name) else { return nil }
        return (reference(at: position), position)
    }

    @inline(never)
    private func requiredInstance(_ requested: DecodingType, _ name: String?) throws -> AnyObject {
        try readRequired(name) { try $0.instance(requested, $1, at: $2) }
    }

    @inline(never)
    private func instanceIfPresent(_ requested: DecodingType, _ name: String?) throws -> AnyObject? {
        try readIfPresent(name) {
            try $0.isSkipped(requested, $1, at: $2) ? nil : $0.instance(requested, $1, at: $2)
        }
    }

    /// Decodes the array of instances for the key `name`, or the next value without a key if `name` is nil. An array that refers back
    /// to an incomplete instance waits for it.
    func decodeArray<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> [Object] {
        if let name, takeEmptyArray(name) { return [] }
        return try readRequired(name) {
            let instances = try $0.instances(type, $1, at: $2)
            // Not if they are empty, which generic code would look up the type for: an array that waits is, too.
            archive.noteEmpty($1, reference(at: frame.fields.next &- 1))
            return instances
        }
    }

    func decodeArrayIfPresent<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> [Object]? {
        try readIfPresent(name) { try $0.instances(type, $1, at: $2) }
    }

    func decodeDictionary<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> [String: Object] {
        try readRequired(name) { try $0.instancesByKey(type, $1, at: $2) }
    }

    func decodeDictionaryIfPresent<Object: Coding>(
        _ type: Object.Type, forKey name: String?
    ) throws -> [String: Object]? {
        try readIfPresent(name) { try $0.instancesByKey(type, $1, at: $2) }
    }

    /// Returns whether an `init(coder:)` requests the field `name`, it is the next one, and it holds an empty array that was
    /// decoded before. The field is then decoded.
    @inline(never)
    private func takeEmptyArray(_ name: String) -> Bool {
        guard let (reference, position) = nextReference(name), archive.isKnownEmptyArray(reference) else {
            return false
        }
        frame.fields.next = position &+ 1
        return true
    }
}

extension DecodingFrame {
    /// Returns the array of instances for `value`, which the next request of the program gets; an empty array if it has to wait.
    fileprivate func instances<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> [Object] {
        do {
            return try allInstances(type, value, at: step)
        } catch {
            guard !session.openCycles.isEmpty, let cycle = CycleReference(in: error),
                session.mayWait(for: cycle.target),
                let empty = try emptyCollection(
                    [Object].self, waitingFor: cycle, for: value, at: step,
                    decode: { try $0.allInstances(type, value, at: .root) })
            else { throw error }
            return empty
        }
    }

    /// Returns the dictionary of instances for `value`. An object with fields is none.
    fileprivate func instancesByKey<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> [String: Object] {
        guard !value.isNull, try dictionary(value, at: step) != nil else {
            throw mismatch([String: Object].self, value, step)
        }
        return try decode(Coded<[String: Object]>.self, from: value, at: step).wrappedValue
    }

    private func allInstances<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> [Object] {
        if value.isNull { throw mismatch([Object].self, value, step) }
        let instances = try instances(session.type(coding: type), in: value, at: step) ?? []
        return Reinterpretation.instances(instances, of: type)
    }
}

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
            return try decodeRequired(type, name)
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
        try decodeRequired(type, nil)
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

    func decodeRequired<Value: Decodable>(_ type: Value.Type, _ name: String?) throws -> Value {
        try readRequired(name) { try $0.decode(type, from: $1, at: $2) }
    }

    func decodableIfPresent<Value: Decodable>(_ type: Value.Type, _ name: String?) throws -> Value? {
        try readIfPresent(name) {
            let known = session.type(type)
            return try $0.archive.isNil($1) || $0.isSkipped(known, $1, at: $2)
                ? nil : $0.decode(type, known, from: $1, at: $2)
        }
    }

    /// The `userInfo` of the decoders that `init(from:)` receives. Empty by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { session.settings.userInfo }
        set { session.settings.userInfo = newValue }
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
        try coder.decodeRequired(Coded<Self>.self, key).wrappedValue
    }

    /// Decodes a set of instances, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.decodableIfPresent(Coded<Self>.self, key)?.wrappedValue
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
        try coder.reference(to: Target.self, key) { frame, type, value, step in
            guard value.uid != 0 else {
                let instance = try frame.instance(type, value, at: step)
                return Reference(wrappedValue: Reinterpretation.instance(instance, as: Target.self))
            }
            return Reference(try frame.awaitedInstance(type, value, at: step))
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
        try coder.reference(to: Target.self, key) { frame, type, value, step in
            // No strong reference can share an instance that has no uid.
            guard value.uid != 0 else { return nil }
            let (object, awaited) = try frame.awaitedWeakInstance(type, value, at: step)
            return WeakReference(object, awaited)
        }
    }
}

extension KeyedUnarchiver {
    fileprivate func reference<Target: Coding, Result>(
        to type: Target.Type, _ name: String?,
        _ read: (DecodingFrame, DecodingType, ArchivedValue, CodingPathStep) throws -> Result?
    ) throws -> Result? {
        try readIfPresent(name) {
            let known = session.type(coding: type)
            return try $0.isSkipped(known, $1, at: $2) ? nil : read($0, known, $1, $2)
        }
    }
}
