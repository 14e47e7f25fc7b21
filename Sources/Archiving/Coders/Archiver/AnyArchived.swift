// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
        try setReference(name) { try reference(toEncodable: AnyArchived(value), at: $0) }
    }

    /// Encodes a value of a dynamic type as the object's next one without a key.
    ///
    /// - Throws: The errors of `encodeObject(_:forKey:)`.
    public func encodeNextObject(_ value: Any?) throws {
        try setReference(nil) { try reference(toEncodable: AnyArchived(value), at: $0) }
    }
}

extension EncodingFrame {
    /// Returns the reference to the object for a value of a dynamic type, as `encodeObject(_:forKey:)` writes it.
    package func reference(toAny value: Any?, at step: CodingPathStep) throws -> Reference {
        try reference(to: AnyArchived(value), at: step, inline: false)
    }
}

struct AnyArchived: Encodable {
    fileprivate let value: Any?

    init(_ value: Any?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        preconditionFailure("Only KeyedArchiver encodes an AnyArchived")
    }
}

extension AnyArchived: NativelyEncodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard let value = unwrapped(value.value) else { return ArchiveGraph.null }
        if let object = codingObject(value) { return try encoding.reference(toCoding: object, at: step) }
        // Numbers get their own entries: a reader expects an object for an encoded object.
        if let leaf = value as? any EncodableLeaf { return leaf.reference(in: encoding.graph, inline: false) }
        if let encodable = value as? any NativelyEncodable & Encodable {
            return try encoding.reference(to: encodable, at: step, inline: false)
        }
        if let encodable = value as? any Encodable { return try reference(to: encodable, in: encoding, at: step) }
        if let collection = value as? any AnyArchivedCollection { return try collection.write(in: encoding, at: step) }
        switch BridgedObject(value) {
        case .null: return encoding.graph.nullObject()
        case .value(let bridged): return try encoding.reference(to: AnyArchived(bridged), at: step, inline: false)
        case nil: throw EncodingError.notEncodable(value, path: encoding.keys(step))
        }
    }

    /// Encodes a value such that the archive names its type: in Cocoa's form, or as an object of its class.
    private static func reference<Value: Encodable>(
        to value: Value, in encoding: EncodingFrame, at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        let type = encoding.session.type(Value.self)
        return type.kind == .native
            ? try encoding.reference(to: value, type: type, at: step, inline: false)
            : try encoding.objectReference(to: value, at: step)
    }

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
            for (index, (key, value)) in enumerated() {
                let key = try encoding.reference(to: AnyArchived(key), at: .key(inEntry: index), inline: false)
                encoding.entries.append(key)
                let step = encoding.session.step(toValueOf: key, at: index)
                encoding.entries.append(try encoding.reference(to: AnyArchived(value), at: step, inline: false))
            }
        }
    }
}
