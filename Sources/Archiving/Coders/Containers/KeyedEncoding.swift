// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A keyed container: each call passes a key object and a value object to the encoder.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoding: EncodingFrame
    private let keys: EncodingKeyTable
    /// An object whose reference count shows that the program has the container; nil if the encoding keeps the container.
    private let holder: AnyObject?

    init(_ encoding: EncodingFrame, _ keys: EncodingKeyTable, holder: AnyObject?) {
        self.encoding = encoding
        self.keys = keys
        self.holder = holder
    }

    var codingPath: [any CodingKey] { encoding.codingPath }

    @inline(__always)
    private func set(_ key: Key, _ value: (ArchiveGraph) -> ArchiveGraph.Reference) throws {
        try encoding.checkAccess()
        let reference = keys.reference(key, in: encoding.graph)
        encoding.set(reference, to: value(encoding.graph))
    }
}

// MARK: - Values

extension KeyedEncoding {
    func encodeNil(forKey key: Key) throws { try set(key) { _ in ArchiveGraph.null } }
    func encode(_ value: Bool, forKey key: Key) throws { try set(key) { $0.boolean(value, inline: true) } }
    func encode(_ value: String, forKey key: Key) throws { try set(key) { $0.stringWithoutCall(value) } }
    func encode(_ value: Double, forKey key: Key) throws { try set(key) { $0.real(value, inline: true) } }
    func encode(_ value: Float, forKey key: Key) throws { try set(key) { $0.real(value, inline: true) } }
    func encode(_ value: Int, forKey key: Key) throws {
        try set(key) { $0.integerWithoutCall(Int64(value), inline: true) }
    }
    func encode(_ value: Int8, forKey key: Key) throws { try set(key) { $0.integer(Int64(value), inline: true) } }
    func encode(_ value: Int16, forKey key: Key) throws { try set(key) { $0.integer(Int64(value), inline: true) } }
    func encode(_ value: Int32, forKey key: Key) throws { try set(key) { $0.integer(Int64(value), inline: true) } }
    func encode(_ value: Int64, forKey key: Key) throws { try set(key) { $0.integerWithoutCall(value, inline: true) } }
    func encode(_ value: Int128, forKey key: Key) throws { try set(key) { $0.integer(value, inline: true) } }
    func encode(_ value: UInt, forKey key: Key) throws { try set(key) { $0.integer(UInt64(value), inline: true) } }
    func encode(_ value: UInt8, forKey key: Key) throws { try set(key) { $0.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt16, forKey key: Key) throws { try set(key) { $0.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt32, forKey key: Key) throws { try set(key) { $0.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt64, forKey key: Key) throws { try set(key) { $0.integer(value, inline: true) } }
    func encode(_ value: UInt128, forKey key: Key) throws { try set(key) { $0.integer(value, inline: true) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoding.checkAccess()
        guard let (reference, step) = keys.place(ifArchived: key, in: encoding.graph) else { return }
        encoding.set(reference, to: try encoding.reference(to: value, at: step, inline: true))
    }
}

// MARK: - Values that may be absent

/// A nil value writes no field.
extension KeyedEncoding {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { if let value { try encode(value, forKey: key) } }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try withPresent(value) { value in try encode(value, forKey: key) }
    }
}

// MARK: - Conditional objects

extension KeyedEncoding {
    func encodeConditional<Object: AnyObject & Encodable>(_ object: Object, forKey key: Key) throws {
        try encoding.checkAccess()
        let reference = keys.reference(key, in: encoding.graph)
        encoding.set(reference, to: try encoding.conditionalReference(to: object, at: keys.step(key, reference)))
    }
}

// MARK: - Nested containers

extension KeyedEncoding {
    private func reference(_ key: Key) -> ArchiveGraph.Reference {
        encoding.checkOpen()
        return keys.reference(key, in: encoding.graph)
    }

    private func nested(_ form: EncodingFrame.Form, _ key: Key) -> EncodingFrame {
        let reference = reference(key)
        return encoding.nestedEncoding(form, forKey: reference, at: keys.step(key, reference))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(.keyed, key).keyedContainer(keyType, holder: nil)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ValueEncoder(nested(.unkeyed, key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoding.checkOpen()
        let key = encoding.graph.userKey(ArchiveKey.super.stringValue)
        return ValueEncoder(encoding.superEncoding(forKey: key, at: .key(key)))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        let reference = reference(key)
        return ValueEncoder(encoding.superEncoding(forKey: reference, at: keys.step(key, reference)))
    }
}
