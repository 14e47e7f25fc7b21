extension ArchiveEncoding: Encoder {
    var codingPath: [any CodingKey] {
        guard isOpen else { return [] }
        return core.pointee.keys(frame.steps(graph.pointee.paths))
    }

    var userInfo: [CodingUserInfoKey: Any] {
        guard isOpen else { return [:] }
        return core.pointee.userInfo
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        checkOpen()
        begin(.keyed)
        let keys = core.pointee.keyTable(Key.self)
        if frame.pointee.lendsContainers {
            if let lent = keys.pointee.containers.lend(to: self, &frame.pointee.lent) { return lent.container() }
            if RuntimeLayout.holds(.keyedContainers) {
                return keys.pointee.containers.lendNew(to: self, &frame.pointee.lent) {
                    KeyedEncodingContainer(KeyedEncoding($0, keys))
                }
            }
        }
        return KeyedEncodingContainer(KeyedEncoding(ReusableContainer(givingAway: self), keys))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        checkOpen()
        begin(.unkeyed)
        return UnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        // The kind is still undecided: a value may request this container and then let another value encode itself in
        // its place.
        checkOpen()
        return self
    }
}

/// A single value container. Its value replaces the encoder's own value.
extension ArchiveEncoding: SingleValueEncodingContainer {
    @inline(__always)
    private func set(_ value: (UnsafeMutablePointer<ArchiveGraph>, Bool) -> ArchiveGraph.Reference) throws {
        let graph = graph
        try setSingle(value(graph, frame.pointee.inline))
    }

    func encodeNil() throws {
        checkOpen()
        try setSingle(ArchiveGraph.null)
    }

    func encode(_ value: Bool) throws { try set { $0.pointee.boolean(value, inline: $1) } }
    func encode(_ value: String) throws { try set { graph, _ in graph.pointee.string(value) } }
    func encode(_ value: Double) throws { try set { $0.pointee.real(value, inline: $1) } }
    func encode(_ value: Float) throws { try set { $0.pointee.real(value, inline: $1) } }
    func encode(_ value: Int) throws { try set { $0.pointee.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int8) throws { try set { $0.pointee.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int16) throws { try set { $0.pointee.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int32) throws { try set { $0.pointee.integer(Int64(value), inline: $1) } }
    func encode(_ value: Int64) throws { try set { $0.pointee.integer(value, inline: $1) } }
    func encode(_ value: Int128) throws { try set { $0.pointee.integer(value, inline: $1) } }
    func encode(_ value: UInt) throws { try set { $0.pointee.integer(UInt64(value), inline: $1) } }
    func encode(_ value: UInt8) throws { try set { $0.pointee.integer(Int64(value), inline: $1) } }
    func encode(_ value: UInt16) throws { try set { $0.pointee.integer(Int64(value), inline: $1) } }
    func encode(_ value: UInt32) throws { try set { $0.pointee.integer(Int64(value), inline: $1) } }
    func encode(_ value: UInt64) throws { try set { $0.pointee.integer(value, inline: $1) } }
    func encode(_ value: UInt128) throws { try set { $0.pointee.integer(value, inline: $1) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        // The value's encoder has the same path as this one, without a step of its own.
        checkOpen()
        let value = try reference(to: value, at: .root, inline: frame.pointee.inline)
        try setSingle(value)
    }
}
