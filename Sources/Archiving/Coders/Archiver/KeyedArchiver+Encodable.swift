// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Values

extension KeyedArchiver {
    /// Encodes a value and all instances that it references into the same graph. An instance that other objects
    /// reference as well is archived once.
    ///
    /// Numbers, strings and Foundation's values are written in Cocoa's form, and other types as `ArchiveEncoder` writes
    /// them.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The key.
    /// - Throws: Errors of `encode(to:)`, and `ArchivingError` if values are nested deeper than the stack allows, or if
    ///   an instance cannot be archived. After an error nothing is encoded for the key.
    /// - Complexity: O(*n*), where *n* is the number of encoded values.
    @_disfavoredOverload
    public func encode<Value: Encodable>(_ value: Value, forKey name: String) throws {
        try set(name) { try reference(toEncodable: value, at: $0) }
    }

    /// Encodes a value, as the object's next one without a key, and all instances that it references.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    @_disfavoredOverload
    public func encodeNext<Value: Encodable>(_ value: Value) throws {
        try set(nil) { try reference(toEncodable: value, at: $0) }
    }

    /// Encodes a conditional reference to `object`, an instance of an `Encodable` class, for a key.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    @_disfavoredOverload
    public func encodeConditional<Object: AnyObject & Encodable>(_ object: Object?, forKey name: String) throws {
        try setConditional(name, object)
    }

    /// Encodes a conditional reference to `object`, an instance of an `Encodable` class, as the next value without a key.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    @_disfavoredOverload
    public func encodeNextConditional<Object: AnyObject & Encodable>(_ object: Object?) throws {
        try setConditional(nil, object)
    }

    @_disfavoredOverload
    private func setConditional<Object: AnyObject & Encodable>(_ name: String?, _ object: Object?) throws {
        try set(name) { key in
            guard let object else { return ArchiveGraph.null }
            return try frame.conditionalReference(to: object, at: .key(key))
        }
    }

    /// The `userInfo` of the encoders that `encode(to:)` receives. Empty by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { session.userInfo }
        set { session.userInfo = newValue }
    }

    /// Encodes `value`, which is at `step` of an object with the coding path `path`, and returns the reference to it.
    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, in path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let outer = frame.path
        frame.path = path
        defer { frame.path = outer }
        return try frame.reference(to: value, at: step, inline: true)
    }

    private func reference<Value: Encodable>(
        toEncodable value: Value, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        // The program may have changed threads.
        if !isWriting { session.resetStack() }
        do {
            return try reference(to: value, at: .key(key), in: frame.path)
        } catch {
            throw ArchivingError.converted(error)
        }
    }
}

// MARK: - Values of dynamic types

extension KeyedArchiver {
    /// Encodes a value of a dynamic type for a key. The value is an instance of a `Coding` class, any `Encodable` value,
    /// nil, or an array, a set or a dictionary of such values.
    ///
    /// A struct or an enum is written as an object of its type, so that `decodeObject(of:forKey:)` finds it by its
    /// name.
    ///
    /// If the program loads the full Foundation, objects of these classes are encoded as their values: NSString,
    /// NSNumber, NSDecimalNumber, NSNull, NSArray, NSDictionary, NSSet, NSData, NSDate, NSURL and NSUUID. The result of
    /// `JSONSerialization.jsonObject(with:)` can therefore be encoded directly.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` for any other value, and the errors of the methods for those
    ///   values.
    public func encodeObject(_ value: Any?, forKey name: String) throws {
        try set(name) { try reference(toEncodable: AnyArchived(value), at: $0) }
    }

    /// Encodes a value of a dynamic type as the object's next one without a key.
    ///
    /// - Throws: The errors of `encodeObject(_:forKey:)`.
    public func encodeNextObject(_ value: Any?) throws {
        try set(nil) { try reference(toEncodable: AnyArchived(value), at: $0) }
    }
}

/// An encodable value of a dynamic type.
struct AnyArchived: Encodable {
    fileprivate let value: Any?

    init(_ value: Any?) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        preconditionFailure("Only KeyedArchiver encodes an AnyArchived")
    }
}

extension AnyArchived: NativelyEncodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard let value = unwrapped(value.value) else {
            return ArchiveGraph.null
        }
        if let object = codingObject(value) { return try encoding.reference(toCoding: object, at: step) }
        // Numbers get their own entries: a reader expects an object for an encoded object.
        if let leaf = value as? any EncodableLeaf { return leaf.reference(in: encoding.graph, inline: false) }
        if let encodable = value as? any NativelyEncodable & Encodable {
            return try encoding.reference(to: encodable, at: step, inline: false)
        }
        if let encodable = value as? any Encodable { return try encoding.anyReference(to: encodable, at: step) }
        if let collection = value as? any AnyArchivedCollection { return try collection.write(in: encoding, at: step) }
        switch BridgedObject(value) {
        case .null: return encoding.graph.nullObject()
        case .value(let bridged): return try encoding.reference(to: AnyArchived(bridged), at: step, inline: false)
        case nil: throw EncodingError.notEncodable(value, path: encoding.keys(step))
        }
    }

    /// Returns the value inside nested optionals, or nil if there is none.
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

/// A collection of elements of dynamic types.
private protocol AnyArchivedCollection {
    func write(in encoding: EncodingFrame, at step: CodingPathStep) throws -> ArchiveGraph.Reference
}

extension Array: AnyArchivedCollection {
    fileprivate func write(in encoding: EncodingFrame, at step: CodingPathStep) throws -> ArchiveGraph.Reference {
        try encoding.reference(to: map { AnyArchived($0) }, at: step, inline: false)
    }
}

extension Set: AnyArchivedCollection {
    fileprivate func write(in encoding: EncodingFrame, at step: CodingPathStep) throws -> ArchiveGraph.Reference {
        if isEmpty { return encoding.graph.emptySet() }
        return try encoding.encodeElements(of: .set, at: step) { encoding in
            for (index, element) in enumerated() {
                encoding.entries.append(
                    try encoding.reference(to: AnyArchived(element), at: .index(index), inline: false))
            }
        }
    }
}

extension Dictionary: AnyArchivedCollection {
    fileprivate func write(in encoding: EncodingFrame, at step: CodingPathStep) throws -> ArchiveGraph.Reference {
        if isEmpty { return encoding.graph.emptyDictionary() }
        return try encoding.encodeElements(of: .dictionary, at: step) { encoding in
            for (key, value) in self {
                let key = try encoding.reference(to: AnyArchived(key), at: .root, inline: false)
                encoding.entries.append(key)
                encoding.entries.append(
                    try encoding.reference(to: AnyArchived(value), at: .dictionaryKey(key), inline: false))
            }
        }
    }
}

extension EncodingFrame {
    /// Encodes a value such that the archive names its type: in Cocoa's form, or as an object of its class.
    fileprivate func anyReference<Value: Encodable>(to value: Value, at step: CodingPathStep) throws -> Reference {
        let type = session.type(Value.self)
        return type.kind == .native
            ? try reference(to: value, type: type, at: step, inline: false) : try objectReference(to: value, at: step)
    }
}
