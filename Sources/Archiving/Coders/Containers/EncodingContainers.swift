// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The encoder that `encode(to:)` receives from `ArchiveEncoder`.
///
/// It is an object of its own: if a value keeps it, its reference count shows that the value can still be changed.
final class ValueEncoder {
    let encoding: EncodingFrame
    /// The graph of the encoding. A reference that is two constants away is retained for each call.
    private let graph: ArchiveGraph

    init(_ encoding: EncodingFrame) {
        self.encoding = encoding
        graph = encoding.graph
    }
}

extension ValueEncoder: Encoder {
    var codingPath: [any CodingKey] { encoding.codingPath }

    var userInfo: [CodingUserInfoKey: Any] {
        guard encoding.isOpen else { return [:] }
        return encoding.session.extras.userInfo
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        encoding.keyedContainer(type, holder: self)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        encoding.checkOpen()
        encoding.begin(.unkeyed)
        return UnkeyedEncoding(self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        // The kind is still undecided: a value may request this container and then let another value encode itself in
        // its place.
        encoding.checkOpen()
        return self
    }
}

/// A single value container. Its value replaces the encoder's own value.
extension ValueEncoder: SingleValueEncodingContainer {
    @inline(__always)
    private func set(_ value: (ArchiveGraph, Bool) -> ArchiveGraph.Reference) throws {
        try encoding.checkAccess()
        try encoding.setSingle(value(graph, encoding.object.holdsScalarsInline))
    }

    func encodeNil() throws { try set { _, _ in ArchiveGraph.null } }
    func encode(_ value: Bool) throws { try set { $0.boolean(value, inline: $1) } }
    func encode(_ value: String) throws { try set { graph, _ in graph.string(value) } }
    func encode(_ value: Double) throws { try set { $0.real(value, inline: $1) } }
    func encode(_ value: Float) throws { try set { $0.real(value, inline: $1) } }
    // The raw value of most enumerations.
    func encode(_ value: Int) throws { try set { $0.usualInteger(Int64(value), inline: $1) } }

    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) throws {
        try set { $0.integer(value, inline: $1) }
    }

    // The standard library's own functions for these throw.
    func encode(_ value: Int128) throws { try set { $0.integer(value, inline: $1) } }
    func encode(_ value: UInt128) throws { try set { $0.integer(value, inline: $1) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        // The value's encoder has the same path as this one, without a step of its own.
        try encoding.checkAccess()
        try encoding.setSingle(encoding.reference(to: value, at: .root, inline: encoding.object.holdsScalarsInline))
    }
}

// MARK: - Keyed containers

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

/// The standard library's functions for optional numbers and strings call these if there is a value.
extension KeyedEncoding {
    func encodeNil(forKey key: Key) throws { try set(key) { _ in ArchiveGraph.null } }
    func encode(_ value: Bool, forKey key: Key) throws { try set(key) { $0.boolean(value, inline: true) } }
    func encode(_ value: String, forKey key: Key) throws { try set(key) { $0.string(value) } }
    func encode(_ value: Double, forKey key: Key) throws { try set(key) { $0.usualReal(value, inline: true) } }
    func encode(_ value: Float, forKey key: Key) throws { try set(key) { $0.real(value, inline: true) } }

    func encode(_ value: Int, forKey key: Key) throws {
        try set(key) { $0.usualInteger(Int64(value), inline: true) }
    }

    func encode(_ value: Int64, forKey key: Key) throws { try set(key) { $0.usualInteger(value, inline: true) } }

    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer, forKey key: Key) throws {
        try set(key) { $0.integer(value, inline: true) }
    }

    func encode(_ value: Int128, forKey key: Key) throws { try set(key) { $0.integer(value, inline: true) } }
    func encode(_ value: UInt128, forKey key: Key) throws { try set(key) { $0.integer(value, inline: true) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoding.checkAccess()
        guard let (reference, step) = keys.place(ifArchived: key, in: encoding.session, encoding.graph) else { return }
        encoding.set(reference, to: try encoding.reference(to: value, at: step, inline: true))
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try withPresent(value) { value in try encode(value, forKey: key) }
    }
}

extension KeyedEncoding {
    private func place(of key: Key) -> (reference: ArchiveGraph.Reference, step: CodingPathStep) {
        encoding.checkOpen()
        let reference = keys.reference(key, in: encoding.graph)
        return (reference, keys.step(key, reference, in: encoding.session))
    }

    func encodeConditional<Object: AnyObject & Encodable>(_ object: Object, forKey key: Key) throws {
        try encoding.checkAccess()
        let (reference, step) = place(of: key)
        encoding.set(reference, to: try encoding.conditionalReference(to: object, at: step))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let (reference, step) = place(of: key)
        return encoding.nestedFrame(.keyed, forKey: reference, at: step).keyedContainer(keyType, holder: nil)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let (reference, step) = place(of: key)
        return ValueEncoder(encoding.nestedFrame(.unkeyed, forKey: reference, at: step)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoding.checkOpen()
        let key = encoding.graph.userKey(ArchiveKey.super.stringValue)
        return ValueEncoder(encoding.superFrame(forKey: key, at: .key(key)))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        let (reference, step) = place(of: key)
        return ValueEncoder(encoding.superFrame(forKey: reference, at: step))
    }
}

// MARK: - Unkeyed containers

/// An unkeyed container: each call passes an element to the encoder. Elements are objects, so scalars become leaves.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    /// The encoder, whose reference count shows that the program has the container.
    private let encoder: ValueEncoder

    init(_ encoder: ValueEncoder) { self.encoder = encoder }

    private var encoding: EncodingFrame { encoder.encoding }

    var codingPath: [any CodingKey] { encoding.codingPath }
    var count: Int { encoding.isOpen ? encoding.entries.references.count : 0 }

    @inline(__always)
    private func append(_ value: (ArchiveGraph) -> ArchiveGraph.Reference) throws {
        try encoding.checkAccess()
        encoding.entries.append(value(encoding.graph))
    }
}

extension UnkeyedEncoding {
    func encodeNil() throws { try append { _ in ArchiveGraph.null } }
    func encode(_ value: Bool) throws { try append { $0.boolean(value, inline: false) } }
    func encode(_ value: String) throws { try append { $0.string(value) } }
    func encode(_ value: Double) throws { try append { $0.real(value, inline: false) } }
    func encode(_ value: Float) throws { try append { $0.real(value, inline: false) } }

    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) throws {
        try append { $0.integer(value, inline: false) }
    }

    func encode(_ value: Int128) throws { try append { $0.integer(value, inline: false) } }
    func encode(_ value: UInt128) throws { try append { $0.integer(value, inline: false) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoding.checkAccess()
        let index = count
        try encoding.session.countElement(at: index)
        encoding.entries.append(try encoding.reference(to: value, at: .index(index), inline: false))
    }
}

extension UnkeyedEncoding {
    func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
        try encoding.checkAccess()
        encoding.entries.append(try encoding.conditionalReference(to: object, at: .index(count)))
    }

    private func nested(_ form: EncodedObject.Form) -> EncodingFrame {
        encoding.checkOpen()
        return encoding.nestedFrame(form, forKey: nil, at: .index(count))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        nested(.keyed).keyedContainer(keyType, holder: nil)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { ValueEncoder(nested(.unkeyed)).unkeyedContainer() }

    func superEncoder() -> any Encoder {
        encoding.checkOpen()
        return ValueEncoder(encoding.superFrame(forKey: nil, at: .index(count)))
    }
}
