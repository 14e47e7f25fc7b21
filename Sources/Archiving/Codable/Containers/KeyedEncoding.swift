/// A keyed container: each call passes a key object and a value object to the encoder.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let container: ReusableContainer
    /// The session owns it, and lives as long as the encoder's graph is open; `encoder.graph` checks that first.
    private let keys: UnsafeMutablePointer<EncodingKeyTable>

    init(_ container: ReusableContainer, _ keys: UnsafeMutablePointer<EncodingKeyTable>) {
        self.container = container
        self.keys = keys
    }

    @inline(__always)
    private func withEncoder<Result>(_ body: (ArchiveEncoding) throws -> Result) rethrows -> Result {
        guard let coder = container.coder else {
            misuse("A container was used after the archive it belongs to was finished")
        }
        return try Unmanaged<ArchiveEncoding>.fromOpaque(coder)._withUnsafeGuaranteedRef(body)
    }

    var codingPath: [any CodingKey] { withEncoder { $0.codingPath } }

    @inline(__always)
    private func reference(_ key: Key, _ encoder: ArchiveEncoding) -> ArchiveGraph.Reference {
        keys.pointee.reference(key, in: encoder.graph)
    }

    @inline(__always)
    private func set(_ key: Key, _ value: (UnsafeMutablePointer<ArchiveGraph>) -> ArchiveGraph.Reference) {
        withEncoder { encoder in
            let graph = encoder.graph
            encoder.frame.pointee.set(keys.pointee.reference(key, in: graph), to: value(graph))
        }
    }
}

// MARK: - Values

extension KeyedEncoding {
    func encodeNil(forKey key: Key) { set(key) { _ in ArchiveGraph.null } }
    func encode(_ value: Bool, forKey key: Key) { set(key) { $0.pointee.boolean(value, inline: true) } }
    func encode(_ value: String, forKey key: Key) { set(key) { $0.pointee.stringInLine(value) } }
    func encode(_ value: Double, forKey key: Key) { set(key) { $0.pointee.real(value, inline: true) } }
    func encode(_ value: Float, forKey key: Key) { set(key) { $0.pointee.real(value, inline: true) } }
    func encode(_ value: Int, forKey key: Key) { set(key) { $0.pointee.integerInLine(Int64(value), inline: true) } }
    func encode(_ value: Int8, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: Int16, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: Int32, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: Int64, forKey key: Key) { set(key) { $0.pointee.integerInLine(value, inline: true) } }
    func encode(_ value: Int128, forKey key: Key) { set(key) { $0.pointee.integer(value, inline: true) } }
    func encode(_ value: UInt, forKey key: Key) { set(key) { $0.pointee.integer(UInt64(value), inline: true) } }
    func encode(_ value: UInt8, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt16, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt32, forKey key: Key) { set(key) { $0.pointee.integer(Int64(value), inline: true) } }
    func encode(_ value: UInt64, forKey key: Key) { set(key) { $0.pointee.integer(value, inline: true) } }
    func encode(_ value: UInt128, forKey key: Key) { set(key) { $0.pointee.integer(value, inline: true) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try withEncoder { encoder in
            guard let reference = keys.pointee.reference(ifArchived: key, in: encoder.graph) else { return }
            let step = keys.pointee.step(key, reference)
            encoder.frame.pointee.set(reference, to: try encoder.reference(to: value, at: step, inline: true))
        }
    }
}

// MARK: - Values that may be absent

/// A nil value writes no field.
extension KeyedEncoding {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { if let value { encode(value, forKey: key) } }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) { if let value { encode(value, forKey: key) } }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try withPresent(value) { address in
            try withEncoder { encoder in
                let reference = reference(key, encoder)
                let step = keys.pointee.step(key, reference)
                let type = encoder.core.pointee.type(Value.self)
                let value = try encoder.reference(toValueAt: address, type: type, at: step, inline: true)
                encoder.frame.pointee.set(reference, to: value)
            }
        }
    }
}

// MARK: - Conditional objects

extension KeyedEncoding {
    func encodeConditional<Object: AnyObject & Encodable>(_ object: Object, forKey key: Key) throws {
        try withEncoder { encoder in
            let reference = reference(key, encoder)
            let step = keys.pointee.step(key, reference)
            encoder.frame.pointee.set(reference, to: try encoder.conditionalReference(to: object, at: step))
        }
    }
}

// MARK: - Nested containers

extension KeyedEncoding {
    private func nested(_ form: EncodingFrame.Form, _ key: Key) -> ArchiveEncoding {
        withEncoder { encoder in
            let reference = reference(key, encoder)
            return encoder.nestedEncoder(form, forKey: reference, at: keys.pointee.step(key, reference))
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(.keyed, key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(.unkeyed, key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        withEncoder { encoder in
            let key = encoder.graph.pointee.userKey(ArchiveKey.super.stringValue)
            return encoder.superEncoder(forKey: key, at: .key(key))
        }
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        withEncoder { encoder in
            let reference = reference(key, encoder)
            return encoder.superEncoder(forKey: reference, at: keys.pointee.step(key, reference))
        }
    }
}
