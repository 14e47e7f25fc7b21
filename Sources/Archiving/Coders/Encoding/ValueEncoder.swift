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
        return encoding.session.userInfo
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
        try encoding.setSingle(value(graph, encoding.inline))
    }

    func encodeNil() throws { try set { _, _ in ArchiveGraph.null } }
    func encode(_ value: Bool) throws { try set { $0.boolean(value, inline: $1) } }
    func encode(_ value: String) throws { try set { graph, _ in graph.string(value) } }
    func encode(_ value: Double) throws { try set { $0.real(value, inline: $1) } }
    func encode(_ value: Float) throws { try set { $0.real(value, inline: $1) } }
    func encode(_ value: Int) throws { try set { $0.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int8) throws { try set { $0.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int16) throws { try set { $0.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int32) throws { try set { $0.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int64) throws { try set { $0.integer(value, inline: $1) } }
    func encode(_ value: Int128) throws { try set { $0.integer(value, inline: $1) } }
    func encode(_ value: UInt) throws { try set { $0.integer(UInt64(value), inline: $1) } }
    func encode(_ value: UInt8) throws { try set { $0.integer(Int64(value), inline: $1) } }
    func encode(_ value: UInt16) throws { try set { $0.integer(Int64(value), inline: $1) } }
    func encode(_ value: UInt32) throws { try set { $0.integer(Int64(value), inline: $1) } }
    func encode(_ value: UInt64) throws { try set { $0.integer(value, inline: $1) } }
    func encode(_ value: UInt128) throws { try set { $0.integer(value, inline: $1) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        // The value's encoder has the same path as this one, without a step of its own.
        try encoding.checkAccess()
        try encoding.setSingle(encoding.reference(to: value, at: .root, inline: encoding.inline))
    }
}
