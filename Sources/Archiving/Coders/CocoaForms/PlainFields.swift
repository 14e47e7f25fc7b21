// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The numbers, texts and data that a Foundation type encodes, in order and with their keys.
///
/// Some types offer no other access to their parts: Decimal hides some of them (see `Decimals+Codable.swift`), and
/// naming IndexSet, Measurement and others would load the full Foundation. Their Codable form is complete, and decodes
/// to an equal value.
struct PlainFields {
    struct Field {
        /// Empty in an unkeyed container.
        var key: String
        /// The integer; for other types, the index in `reals`, `texts` or `blobs`.
        var value: Int
    }

    var list: [Field]
    var reals: [Double] = []
    var texts: [String] = []
    var blobs: [Data] = []

    /// Collects the fields that `value` encodes.
    init(of value: some Encodable) throws {
        let encoder = PlainFieldEncoder()
        try value.encode(to: encoder)
        self = encoder.fields
    }

    init() {
        list = []
        list.reserveCapacity(4 + DecimalNumber.wordLimit)
    }

    var count: Int { list.count }

    /// Decodes a value from the fields.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        try Value(from: PlainFieldDecoder(self))
    }

    mutating func append(_ key: String, _ value: Int) {
        list.append(Field(key: key, value: value))
    }

    mutating func append(_ key: String, _ real: Double) {
        list.append(Field(key: key, value: reals.count))
        reals.append(real)
    }

    mutating func append(_ key: String, _ text: String) {
        list.append(Field(key: key, value: texts.count))
        texts.append(text)
    }

    mutating func append(_ key: String, _ data: Data) {
        list.append(Field(key: key, value: blobs.count))
        blobs.append(data)
    }

    func text(_ key: String) -> String? {
        list.first { $0.key == key }.flatMap { texts.indices.contains($0.value) ? texts[$0.value] : nil }
    }
}

// MARK: - Encoding

extension EncodingError {
    /// A Foundation value encoded other parts than its known type has.
    static func unknownParts(_ value: Any) -> EncodingError {
        invalid(value, path: []) { _, _ in "Found a Foundation value with unexpected parts: \(value)" }
    }
}

/// An encoder that collects numbers and texts from all kinds of containers.
private final class PlainFieldEncoder: Encoder {
    var fields = PlainFields()

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(encoder: self) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: PlainFieldEncoder

        var codingPath: [any CodingKey] { [] }

        func encode(_ value: Bool, forKey key: Key) { encoder.fields.append(key.stringValue, value ? 1 : 0) }
        func encode(_ value: Int, forKey key: Key) { encoder.fields.append(key.stringValue, value) }
        func encode(_ value: Int32, forKey key: Key) { encoder.fields.append(key.stringValue, Int(value)) }
        func encode(_ value: UInt32, forKey key: Key) { encoder.fields.append(key.stringValue, Int(value)) }
        func encode(_ value: Double, forKey key: Key) { encoder.fields.append(key.stringValue, value) }
        func encode(_ value: String, forKey key: Key) { encoder.fields.append(key.stringValue, value) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            guard let data = value as? Data else { throw EncodingError.unknownParts(value) }
            encoder.fields.append(key.stringValue, data)
        }
        func encodeNil(forKey key: Key) throws { throw EncodingError.unknownParts(key) }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: PlainFieldEncoder

        var codingPath: [any CodingKey] { [] }
        var count: Int { encoder.fields.count }

        func encode(_ value: UInt16) { encoder.fields.append("", Int(value)) }
        func encode<Value: Encodable>(_ value: Value) throws { throw EncodingError.unknownParts(value) }
        func encodeNil() throws { throw EncodingError.unknownParts(Int?.none as Any) }

        func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey>
        {
            encoder.container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
        func superEncoder() -> any Encoder { encoder }
    }

    struct Single: SingleValueEncodingContainer {
        let encoder: PlainFieldEncoder

        var codingPath: [any CodingKey] { [] }

        func encode<Value: Encodable>(_ value: Value) throws { throw EncodingError.unknownParts(value) }
        func encodeNil() throws { throw EncodingError.unknownParts(Int?.none as Any) }
    }
}

// MARK: - Decoding

/// A decoder that returns numbers and texts in order for all kinds of containers.
private final class PlainFieldDecoder: Decoder {
    private var fields: PlainFields
    private var next = 0

    init(_ fields: PlainFields) {
        self.fields = fields
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var isAtEnd: Bool { next >= fields.count }

    func contains(_ key: String) -> Bool { fields.list[next...].contains { $0.key == key } }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(decoder: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single() }

    /// Returns the next field with the key. It is nearly always the next field of all.
    func take<Integer: FixedWidthInteger>(_ key: String, as type: Integer.Type) throws -> Integer {
        guard let position = fields.list[next...].firstIndex(where: { $0.key == key }) else {
            throw DecodingError.noField(key)
        }
        fields.list.swapAt(position, next)
        next += 1
        guard let integer = Integer(exactly: fields.list[next - 1].value) else { throw DecodingError.noField(key) }
        return integer
    }

    /// Returns the element that the next field with the key refers to.
    func take<Element>(_ key: String, of elements: [Element]) throws -> Element {
        let place = try take(key, as: Int.self)
        guard elements.indices.contains(place) else { throw DecodingError.noField(key) }
        return elements[place]
    }

    struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: PlainFieldDecoder

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { decoder.contains(key.stringValue) }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
            try decoder.take(key.stringValue, as: Int.self) != 0
        }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder.take(key.stringValue, as: type) }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder.take(key.stringValue, as: type) }
        func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
            try decoder.take(key.stringValue, as: type)
        }
        func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
            try decoder.take(key.stringValue, of: decoder.fields.reals)
        }
        func decode(_ type: String.Type, forKey key: Key) throws -> String {
            try decoder.take(key.stringValue, of: decoder.fields.texts)
        }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            guard let data = try decoder.take(key.stringValue, of: decoder.fields.blobs) as? Value else {
                throw DecodingError.noField(key.stringValue)
            }
            return data
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) -> KeyedDecodingContainer<NestedKey> {
            decoder.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
        func superDecoder() -> any Decoder { decoder }
        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }

    struct Unkeyed: UnkeyedDecodingContainer {
        let decoder: PlainFieldDecoder

        var codingPath: [any CodingKey] { [] }
        var count: Int? { nil }
        var isAtEnd: Bool { decoder.isAtEnd }
        var currentIndex: Int { decoder.next }

        func decodeNil() -> Bool { false }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.take("", as: type) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw DecodingError.noField("") }

        func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedDecodingContainer<NestedKey> {
            decoder.container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
        func superDecoder() -> any Decoder { decoder }
    }

    struct Single: SingleValueDecodingContainer {
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw DecodingError.noField("") }
    }
}
