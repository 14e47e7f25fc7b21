// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An unkeyed container: each call passes an element to the encoder. Elements are objects, so scalars become leaves.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    /// The encoder, whose reference count shows that the program has the container.
    private let encoder: ValueEncoder

    init(_ encoder: ValueEncoder) {
        self.encoder = encoder
    }

    private var encoding: EncodingFrame { encoder.encoding }

    var codingPath: [any CodingKey] { encoding.codingPath }
    var count: Int { encoding.isOpen ? encoding.entries.references.count : 0 }

    @inline(__always)
    private func append(_ value: (ArchiveGraph) -> ArchiveGraph.Reference) throws {
        try encoding.checkAccess()
        encoding.entries.append(value(encoding.graph))
    }
}

// MARK: - Elements

extension UnkeyedEncoding {
    func encodeNil() throws { try append { _ in ArchiveGraph.null } }
    func encode(_ value: Bool) throws { try append { $0.boolean(value, inline: false) } }
    func encode(_ value: String) throws { try append { $0.string(value) } }
    func encode(_ value: Double) throws { try append { $0.real(value, inline: false) } }
    func encode(_ value: Float) throws { try append { $0.real(value, inline: false) } }
    func encode(_ value: Int) throws { try append { $0.integer(Int64(value), inline: false) } }
    func encode(_ value: Int8) throws { try append { $0.integer(Int64(value), inline: false) } }
    func encode(_ value: Int16) throws { try append { $0.integer(Int64(value), inline: false) } }
    func encode(_ value: Int32) throws { try append { $0.integer(Int64(value), inline: false) } }
    func encode(_ value: Int64) throws { try append { $0.integer(value, inline: false) } }
    func encode(_ value: Int128) throws { try append { $0.integer(value, inline: false) } }
    func encode(_ value: UInt) throws { try append { $0.integer(UInt64(value), inline: false) } }
    func encode(_ value: UInt8) throws { try append { $0.integer(Int64(value), inline: false) } }
    func encode(_ value: UInt16) throws { try append { $0.integer(Int64(value), inline: false) } }
    func encode(_ value: UInt32) throws { try append { $0.integer(Int64(value), inline: false) } }
    func encode(_ value: UInt64) throws { try append { $0.integer(value, inline: false) } }
    func encode(_ value: UInt128) throws { try append { $0.integer(value, inline: false) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoding.checkAccess()
        let index = count
        try encoding.session.countElement(at: index)
        encoding.entries.append(try encoding.reference(to: value, at: .index(index), inline: false))
    }
}

// MARK: - Conditional objects

extension UnkeyedEncoding {
    func encodeConditional<Object: AnyObject & Encodable>(_ object: Object) throws {
        try encoding.checkAccess()
        encoding.entries.append(try encoding.conditionalReference(to: object, at: .index(count)))
    }
}

// MARK: - Nested containers

extension UnkeyedEncoding {
    private func nested(_ form: EncodingFrame.Form) -> EncodingFrame {
        encoding.checkOpen()
        return encoding.nestedEncoding(form, forKey: nil, at: .index(count))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        nested(.keyed).keyedContainer(keyType, holder: nil)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueEncoder(nested(.unkeyed)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoding.checkOpen()
        return ValueEncoder(encoding.superEncoding(forKey: nil, at: .index(count)))
    }
}
