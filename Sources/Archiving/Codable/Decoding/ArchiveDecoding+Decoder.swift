extension ArchiveDecoding: Decoder {
    var codingPath: [any CodingKey] { path() }

    var userInfo: [CodingUserInfoKey: Any] { core.pointee.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try loadFields()
        let keys = core.pointee.keyTable(Key.self)
        if frame.pointee.lendsContainers {
            if let lent = keys.pointee.containers.lend(to: self, &frame.pointee.lent) { return lent.container() }
            if RuntimeLayout.holds(.keyedContainers) {
                return keys.pointee.containers.lendNew(to: self, &frame.pointee.lent) {
                    KeyedDecodingContainer(KeyedDecoding($0, keys))
                }
            }
        }
        return KeyedDecodingContainer(KeptKeyedDecoding(self, keys))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = try elementsUnlessPacked() else { return try packedContainer() }
        return UnkeyedDecoding(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        self
    }
}

/// A single value container. Its value is the decoder's value, or the single value of a class.
extension ArchiveDecoding: SingleValueDecodingContainer {
    private func single() throws -> ArchivedValue {
        try singleValue(of: value, at: .root)
    }

    func decodeNil() -> Bool {
        (try? isNil(single())) ?? false
    }

    func decode(_ type: Bool.Type) throws -> Bool { try boolean(single(), at: .root) }
    func decode(_ type: String.Type) throws -> String { try string(single(), at: .root) }
    func decode(_ type: Double.Type) throws -> Double { try double(single(), at: .root) }
    func decode(_ type: Float.Type) throws -> Float { try float(single(), at: .root) }
    func decode(_ type: Int.Type) throws -> Int { try integer(single(), at: .root) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(single(), at: .root) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(single(), at: .root) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(single(), at: .root) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(single(), at: .root) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(single(), at: .root) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(single(), at: .root) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(single(), at: .root) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(single(), at: .root) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(single(), at: .root) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(single(), at: .root) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(single(), at: .root) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decode(type, from: single(), at: .root)
    }
}
