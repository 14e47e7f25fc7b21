#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Values

extension KeyedArchiver {
    /// Encodes a value, with every instance that it leads to, into the same graph: an instance that other objects refer to
    /// as well is archived once.
    ///
    /// Numbers, strings and Foundation's values stand in Cocoa's form, other types as `ArchiveEncoder` writes them.
    ///
    /// - Throws: What `encode(to:)` throws; `ArchivingError` where values are nested deeper than the stack allows, or an
    ///   instance in them cannot be archived. Nothing is encoded under the key then.
    /// - Complexity: O(*n*), where *n* is the number of values that are encoded.
    @_disfavoredOverload
    public func encode<Value: Encodable>(_ value: Value, forKey name: String) throws {
        try set(key(name)) { try reference(toEncodable: value, at: $0) }
    }

    /// Encodes a value as the object's next value without a key.
    ///
    /// - Throws: As `encode(_:forKey:)`.
    @_disfavoredOverload
    public func encode<Value: Encodable>(_ value: Value) throws {
        try setNext { try reference(toEncodable: value, at: $0) }
    }

    /// Encodes a reference that does not archive `object`, an instance of a class that is `Encodable`.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    @_disfavoredOverload
    public func encodeConditional<Object: AnyObject & Encodable>(_ object: Object?, forKey name: String) throws {
        try set(key(name)) { key in
            guard let object else { return ArchiveGraph.null }
            return try encodingSession.conditionalReference(to: object, at: .key(key))
        }
    }

    /// What `encode(to:)` finds in its encoder's `userInfo`. Empty, unless set.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { encodingSession.userInfo }
        set { encodingSession.userInfo = newValue }
    }

    private func reference<Value: Encodable>(
        toEncodable value: Value, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        // The program may be on another thread than before.
        if !isWriting { shared.pointee.stack = StackGuard() }
        do {
            return try encodingSession.reference(to: value, at: .key(key), in: state.pointee.path)
        } catch {
            throw ArchivingError.converted(error)
        }
    }
}

// MARK: - Whatever it is

extension KeyedArchiver {
    /// Encodes a value whose type is known when the program runs: an instance of a `Coding` class, anything `Encodable`,
    /// nil, or an array, a set or a dictionary of such values.
    ///
    /// A struct or an enum is an object of its type, so that `decodeObject(of:forKey:)` finds it by its name.
    ///
    /// Where the program loads the full Foundation, objects of these of its classes are encoded as the values that they
    /// are: NSString, NSNumber, NSDecimalNumber, NSNull, NSArray, NSDictionary, NSSet, NSData, NSDate, NSURL and NSUUID. So what
    /// `JSONSerialization.jsonObject(with:)` returns can be encoded as it is.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` where it is something else, and as the methods for those values.
    public func encodeObject(_ value: Any?, forKey name: String) throws {
        try set(key(name)) { try reference(toAny: value, at: $0) }
    }

    /// Encodes a value whose type is known when the program runs as the object's next value without a key.
    ///
    /// - Throws: As `encodeObject(_:forKey:)`.
    public func encodeObject(_ value: Any?) throws {
        try setNext { try reference(toAny: value, at: $0) }
    }

    private func reference(toAny value: Any?, at key: ArchiveGraph.Reference) throws -> ArchiveGraph.Reference {
        try reference(toEncodable: AnyArchived(value), at: key)
    }
}

/// A value whose type is known when the program runs, as one that is encoded.
private struct AnyArchived: Encodable {
    let value: Any?

    init(_ value: Any?) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        preconditionFailure("It is only encoded by archivers, which know it")
    }
}

extension AnyArchived: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard let value = unwrapped(address.assumingMemoryBound(to: Self.self).pointee.value) else {
            return ArchiveGraph.null
        }
        if let object = codingObject(value) { return try encoder.reference(toCoding: object, at: step) }
        // Numbers have entries of their own: a reader finds an object where one was encoded.
        if let leaf = value as? any EncodableLeaf { return leaf.reference(in: encoder.graph, inline: false) }
        if let encodable = value as? any NativelyEncodable & Encodable {
            return try encoder.reference(to: encodable, at: step, inline: false)
        }
        if let encodable = value as? any Encodable { return try encoder.anyReference(to: encodable, at: step) }
        if let collection = value as? any AnyArchivedCollection { return try collection.write(in: encoder, at: step) }
        switch BridgedObject(value) {
        case .null: return encoder.graph.pointee.nullObject()
        case .value(let bridged): return try encoder.reference(to: AnyArchived(bridged), at: step, inline: false)
        case nil: throw CodableErrors.notEncodable(value, path: encoder.keys(step))
        }
    }

    /// What is inside the optionals that `value` may consist of; nil where nothing is.
    private static func unwrapped(_ value: Any?) -> Any? {
        var value = value
        while let inner = value {
            guard let optional = inner as? any AnyOptional else { return inner }
            value = optional.wrapped
        }
        return nil
    }
}

private protocol AnyOptional {
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var wrapped: Any? { self }
}

/// A collection whose elements may be anything.
private protocol AnyArchivedCollection {
    func write(in encoder: ArchiveEncoding, at step: CodingPathStep) throws -> ArchiveGraph.Reference
}

extension Array: AnyArchivedCollection {
    fileprivate func write(in encoder: ArchiveEncoding, at step: CodingPathStep) throws -> ArchiveGraph.Reference {
        try encoder.reference(to: map { AnyArchived($0) }, at: step, inline: false)
    }
}

extension Set: AnyArchivedCollection {
    fileprivate func write(in encoder: ArchiveEncoding, at step: CodingPathStep) throws -> ArchiveGraph.Reference {
        if isEmpty { return encoder.graph.pointee.emptySet() }
        return try encoder.encodeElements(of: .set, at: step) { encoder in
            for (index, element) in enumerated() {
                encoder.frame.pointee.entries.append(
                    try encoder.reference(to: AnyArchived(element), at: .index(index), inline: false))
            }
        }
    }
}

extension Dictionary: AnyArchivedCollection {
    fileprivate func write(in encoder: ArchiveEncoding, at step: CodingPathStep) throws -> ArchiveGraph.Reference {
        if isEmpty { return encoder.graph.pointee.emptyDictionary() }
        return try encoder.encodeElements(of: .dictionary, at: step) { encoder in
            for (key, value) in self {
                let key = try encoder.reference(to: AnyArchived(key), at: .root, inline: false)
                encoder.frame.pointee.entries.append(key)
                encoder.frame.pointee.entries.append(
                    try encoder.reference(to: AnyArchived(value), at: .dictionaryKey(key), inline: false))
            }
        }
    }
}

extension ArchiveEncoding {
    /// What stands for a value that tells a reader its type: in Cocoa's form, or as an object of its class.
    fileprivate func anyReference<Value: Encodable>(to value: Value, at step: CodingPathStep) throws -> Reference {
        let type = core.pointee.type(Value.self)
        return type.pointee.kind == .native
            ? try reference(to: value, type: type, at: step, inline: false) : try objectReference(to: value, at: step)
    }

    /// What stands for an instance of a `Coding` class.
    func reference(toCoding object: any Coding, at step: CodingPathStep) throws -> Reference {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object as AnyObject).toOpaque())
        let writer = core.pointee.codingWriter(of: type(of: object) as any Coding.Type)
        return try writer._withUnsafeGuaranteedRef { try $0.reference(to: address) { pathIndex(step) } }
    }
}
