/// An unkeyed container: each call passes an element to the encoder. Elements are objects, so scalars become leaves.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    private let encoder: ArchiveEncoding

    init(encoder: ArchiveEncoding) {
        self.encoder = encoder
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.isOpen ? encoder.frame.pointee.entries.references.count : 0 }

    @inline(__always)
    private func append(_ value: (UnsafeMutablePointer<ArchiveGraph>) -> ArchiveGraph.Reference) {
        let graph = encoder.graph
        encoder.frame.pointee.entries.append(value(graph))
    }
}

// MARK: - Elements

extension UnkeyedEncoding {
    func encodeNil() { append { _ in ArchiveGraph.null } }
    func encode(_ value: Bool) { append { $0.pointee.boolean(value, inline: false) } }
    func encode(_ value: String) { append { $0.pointee.string(value) } }
    func encode(_ value: Double) { append { $0.pointee.real(value, inline: false) } }
    func encode(_ value: Float) { append { $0.pointee.real(value, inline: false) } }
    func encode(_ value: Int) { append { $0.pointee.integer(Int64(value), inline: false) } }
    func encode(_ value: Int8) { append { $0.pointee.integer(Int64(value), inline: false) } }
    func encode(_ value: Int16) { append { $0.pointee.integer(Int64(value), inline: false) } }
    func encode(_ value: Int32) { append { $0.pointee.integer(Int64(value), inline: false) } }
    func encode(_ value: Int64) { append { $0.pointee.integer(value, inline: false) } }
    func encode(_ value: Int128) { append { $0.pointee.integer(value, inline: false) } }
    func encode(_ value: UInt) { append { $0.pointee.integer(UInt64(value), inline: false) } }
    func encode(_ value: UInt8) { append { $0.pointee.integer(Int64(value), inline: false) } }
    func encode(_ value: UInt16) { append { $0.pointee.integer(Int64(value), inline: false) } }
    func encode(_ value: UInt32) { append { $0.pointee.integer(Int64(value), inline: false) } }
    func encode(_ value: UInt64) { append { $0.pointee.integer(value, inline: false) } }
    func encode(_ value: UInt128) { append { $0.pointee.integer(value, inline: false) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.checkOpen()
        let index = encoder.frame.pointee.entries.references.count
        try encoder.core.pointee.countElement(at: index)
        encoder.frame.pointee.entries.append(try encoder.reference(to: value, at: .index(index), inline: false))
    }
}

// MARK: - Conditional objects

extension UnkeyedEncoding {
    func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
        encoder.checkOpen()
        encoder.frame.pointee.entries.append(try encoder.conditionalReference(to: object, at: .index(count)))
    }
}

// MARK: - Nested containers

extension UnkeyedEncoding {
    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.checkOpen()
        return encoder.nestedEncoder(.keyed, forKey: nil, at: .index(count)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.checkOpen()
        return encoder.nestedEncoder(.unkeyed, forKey: nil, at: .index(count)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.checkOpen()
        return encoder.superEncoder(forKey: nil, at: .index(count))
    }
}
