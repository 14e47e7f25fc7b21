/// A keyed container that owns its decoder, because no other object keeps it: the container of a nested container, of
/// the superclass's part, or of `$top`.
struct KeptKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// Retains the decoder.
    private let container: ReusableContainer
    private let fields: KeyedDecoding<Key>

    init(_ decoder: ArchiveDecoding, _ keys: UnsafeMutablePointer<DecodingKeyTable>) {
        container = ReusableContainer(givingAway: decoder)
        fields = KeyedDecoding(container, keys)
    }

    /// Calls `body` with the fields while the decoder is retained.
    @inline(__always)
    private func withFields<Result>(_ body: (KeyedDecoding<Key>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(container) { try body(fields) }
    }

    var codingPath: [any CodingKey] { withFields { $0.codingPath } }
    var allKeys: [Key] { withFields { $0.allKeys } }

    func contains(_ key: Key) -> Bool { withFields { $0.contains(key) } }
    func decodeNil(forKey key: Key) throws -> Bool { try withFields { try $0.decodeNil(forKey: key) } }
}

// MARK: - Values

extension KeptKeyedDecoding {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try withFields { try $0.decode(type, forKey: key) }
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try withFields { try $0.decode(type, forKey: key) }
    }
}

// MARK: - Values that may be absent

extension KeptKeyedDecoding {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try withFields { try $0.decodeIfPresent(type, forKey: key) }
    }
}

// MARK: - Nested containers

extension KeptKeyedDecoding {
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try withFields { try $0.nestedContainer(keyedBy: type, forKey: key) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try withFields { try $0.nestedUnkeyedContainer(forKey: key) }
    }

    func superDecoder() throws -> any Decoder { try withFields { try $0.superDecoder() } }

    func superDecoder(forKey key: Key) throws -> any Decoder { try withFields { try $0.superDecoder(forKey: key) } }
}
