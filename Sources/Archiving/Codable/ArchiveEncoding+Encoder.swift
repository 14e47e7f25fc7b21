extension ArchiveEncoding: Encoder {
    var codingPath: [any CodingKey] { isOpen ? session.keys(steps()) : [] }

    var userInfo: [CodingUserInfoKey: Any] {
        guard isOpen else { return [:] }
        return session.userInfo
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        begin(.keyed)
        return KeyedEncodingContainer(KeyedEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        begin(.unkeyed)
        return UnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        begin(.single)
        return self
    }
}

/// A single value container: the value stands wherever the encoder's own value would.
extension ArchiveEncoding: SingleValueEncodingContainer {
    func encodeNil() { setSingle(ArchiveGraph.null, isLeaf: false) }
    func encode(_ value: Bool) { setSingle(graph.pointee.boolean(value, inline: inline), isLeaf: true) }
    func encode(_ value: String) { setSingle(graph.pointee.string(value), isLeaf: true) }
    func encode(_ value: Double) { setSingle(graph.pointee.real(value, inline: inline), isLeaf: true) }
    func encode(_ value: Float) { setSingle(graph.pointee.real(value, inline: inline), isLeaf: true) }
    func encode(_ value: Int) { setSingle(graph.pointee.integer(Int64(value), inline: inline), isLeaf: true) }
    func encode(_ value: Int8) { setSingle(graph.pointee.integer(Int64(value), inline: inline), isLeaf: true) }
    func encode(_ value: Int16) { setSingle(graph.pointee.integer(Int64(value), inline: inline), isLeaf: true) }
    func encode(_ value: Int32) { setSingle(graph.pointee.integer(Int64(value), inline: inline), isLeaf: true) }
    func encode(_ value: Int64) { setSingle(graph.pointee.integer(value, inline: inline), isLeaf: true) }
    func encode(_ value: Int128) { setSingle(graph.pointee.integer(value, inline: inline), isLeaf: true) }
    func encode(_ value: UInt) { setSingle(graph.pointee.integer(UInt64(value), inline: inline), isLeaf: true) }
    func encode(_ value: UInt8) { setSingle(graph.pointee.integer(Int64(value), inline: inline), isLeaf: true) }
    func encode(_ value: UInt16) { setSingle(graph.pointee.integer(Int64(value), inline: inline), isLeaf: true) }
    func encode(_ value: UInt32) { setSingle(graph.pointee.integer(Int64(value), inline: inline), isLeaf: true) }
    func encode(_ value: UInt64) { setSingle(graph.pointee.integer(value, inline: inline), isLeaf: true) }
    func encode(_ value: UInt128) { setSingle(graph.pointee.integer(value, inline: inline), isLeaf: true) }

    func encode<Value: Encodable>(_ value: Value) throws {
        // The value's encoder stands at the same place as this one: a step of its own it has not.
        setSingle(try reference(to: value, at: .root, inline: inline), isLeaf: false)
    }
}
