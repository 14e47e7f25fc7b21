/// A keyed container: each call finds the field of a key and hands its value to the decoder.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: ArchiveDecoding
    /// Owned by the decoder's session.
    private let keys: UnsafeMutablePointer<DecodingKeyTable>

    init(decoder: ArchiveDecoding) {
        self.decoder = decoder
        keys = decoder.core.pointee.keyTable(Key.self)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
}

// MARK: - Fields

extension KeyedDecoding {
    /// The position of the field of `key`; nil where there is none.
    @inline(__always)
    private func position(of key: Key) throws -> Int? {
        if keys.pointee.isIndexed {
            let entry = keys.pointee.entry(key)
            if let position = decoder.nextField(ifKey: entry.pointee.referencePlusOne &- 1) { return position }
            return try decoder.field(key, entry)
        }
        return try decoder.field(key, nil)
    }

    @inline(__always)
    private func required(_ key: Key) throws -> Int {
        guard let position = try position(of: key) else {
            throw CodableErrors.keyNotFound(key, present: decoder.firstKeyNames(), path: decoder.path())
        }
        return position
    }

    @inline(__always)
    private func value(_ position: Int) throws -> ArchivedValue {
        try decoder.fieldValue(position)
    }

    var allKeys: [Key] { decoder.keyNames().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool {
        (try? position(of: key)) != nil
    }
}

// MARK: - Values

extension KeyedDecoding {
    func decodeNil(forKey key: Key) throws -> Bool {
        decoder.isNil(try value(required(key)))
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let position = try required(key)
        return try decoder.boolean(value(position), at: decoder.step(position))
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let position = try required(key)
        return try decoder.string(value(position), at: decoder.step(position))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        let position = try required(key)
        return try decoder.double(value(position), at: decoder.step(position))
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        let position = try required(key)
        return try decoder.float(value(position), at: decoder.step(position))
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer {
        let position = try required(key)
        return try decoder.integer(value(position), at: decoder.step(position))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let position = try required(key)
        let value = try value(position)
        do {
            return try decoder.decode(type, from: value, at: decoder.step(position))
        } catch {
            return try decoder.placeholder(type, key, value, at: decoder.step(position), after: error)
        }
    }
}

// MARK: - Values that may be absent

/// An absent key and a nil are both nil. Where nil is a value of the type itself, a nil that is there is that value, so
/// that `.some(nil)` and nil are told apart.
extension KeyedDecoding {
    @inline(__always)
    private func present(_ key: Key) throws -> (position: Int, value: ArchivedValue)? {
        guard let position = try position(of: key) else { return nil }
        let value = try value(position)
        return decoder.isNil(value) ? nil : (position, value)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let (position, value) = try present(key) else { return nil }
        return try decoder.boolean(value, at: decoder.step(position))
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let (position, value) = try present(key) else { return nil }
        return try decoder.string(value, at: decoder.step(position))
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let (position, value) = try present(key) else { return nil }
        return try decoder.double(value, at: decoder.step(position))
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let (position, value) = try present(key) else { return nil }
        return try decoder.float(value, at: decoder.step(position))
    }

    @inline(__always)
    private func presentInteger<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer? {
        guard let (position, value) = try present(key) else { return nil }
        return try decoder.integer(value, at: decoder.step(position)) as Integer
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try presentInteger(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try presentInteger(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try presentInteger(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try presentInteger(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try presentInteger(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try presentInteger(key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try presentInteger(key) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = try position(of: key) else { return nil }
        let value = try value(position)
        let known = decoder.core.pointee.type(type)
        if decoder.isNil(value), !known.pointee.isOptional { return nil }
        if try decoder.isSkipped(known, value, at: decoder.step(position)) { return nil }
        do {
            return try decoder.decode(type, known, from: value, at: decoder.step(position))
        } catch {
            return try decoder.placeholder(ifPresent: type, key, value, at: decoder.step(position), after: error)
        }
    }
}

// MARK: - Containers inside

extension KeyedDecoding {
    private func nested(_ key: Key) throws -> ArchiveDecoding {
        let position = try required(key)
        return try decoder.nestedDecoder(for: value(position), at: decoder.step(position))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try decoder.superDecoder(forKey: ArchiveKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder.superDecoder(forKey: key)
    }
}
