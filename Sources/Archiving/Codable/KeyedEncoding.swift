/// A keyed container: each call hands a key object and a value object to the encoder.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ArchiveEncoding
    /// Owned by the session, which is alive as long as the encoder's graph is open; `encoder.graph` checks that first.
    private let keys: UnsafeMutablePointer<EncodingKeyTable>

    init(encoder: ArchiveEncoding) {
        self.encoder = encoder
        keys = encoder.core.pointee.keyTable(Key.self)
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    @inline(__always)
    private func reference(_ key: Key) -> ArchiveGraph.Reference {
        keys.pointee.reference(key, in: encoder.graph)
    }

    @inline(__always)
    private func set(_ key: Key, _ value: (UnsafeMutablePointer<ArchiveGraph>) -> ArchiveGraph.Reference) {
        let graph = encoder.graph
        encoder.frame.pointee.set(keys.pointee.reference(key, in: graph), to: value(graph))
    }
}

// MARK: - Values

extension KeyedEncoding {
    func encodeNil(forKey key: Key) { set(key) { _ in ArchiveGraph.null } }
    func encode(_ value: Bool, forKey key: Key) { set(key) { $0.pointee.boolean(value, inline: true) } }
    func encode(_ value: String, forKey key: Key) { set(key) { $0.pointee.string(value) } }
    func encode(_ value: Double, forKey key: Key) { set(key) { $0.pointee.real(value, inline: true) } }
    func encode(_ value: Float, forKey key: Key) { set(key) { $0.pointee.real(value, inline: true) } }
    func encode(_ value: Int, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: Int8, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: Int16, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: Int32, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: Int64, forKey key: Key) { set(key) { $0.pointee.integer(value, inline: true) } }
    func encode(_ value: Int128, forKey key: Key) { set(key) { $0.pointee.integer(value, inline: true) } }
    func encode(_ value: UInt, forKey key: Key) { set(key) { $0.pointee.integer(UInt64(value), inline: true) } }
    func encode(_ value: UInt8, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt16, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt32, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt64, forKey key: Key) { set(key) { $0.pointee.integer(value, inline: true) } }
    func encode(_ value: UInt128, forKey key: Key) { set(key) { $0.pointee.integer(value, inline: true) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let key = reference(key)
        encoder.frame.pointee.set(key, to: try encoder.reference(to: value, at: .key(key), inline: true))
    }
}

// MARK: - Conditional objects

extension KeyedEncoding {
    func encodeConditional<Object: AnyObject & Encodable>(_ object: Object, forKey key: Key) throws {
        let key = reference(key)
        encoder.frame.pointee.set(key, to: try encoder.conditionalReference(to: object, at: .key(key)))
    }
}

// MARK: - Containers inside

extension KeyedEncoding {
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let key = reference(key)
        return encoder.nestedEncoder(.keyed, forKey: key, at: .key(key)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let key = reference(key)
        return encoder.nestedEncoder(.unkeyed, forKey: key, at: .key(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let key = encoder.graph.pointee.userKey(ArchiveKey.super.stringValue)
        return encoder.superEncoder(forKey: key, at: .key(key))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        let key = reference(key)
        return encoder.superEncoder(forKey: key, at: .key(key))
    }
}
