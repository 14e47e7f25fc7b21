// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The numbers, texts and data that a Foundation type encodes, in order and with their keys.
///
/// Some types offer no other access to their parts: Decimal hides some of them, and naming IndexSet, Measurement and others would
/// load the full Foundation. Their Codable form is complete, and decodes to an equal value.
struct EncodedParts {
    enum Part {
        case integer(Int)
        case real(Double)
        case text(String)
        case data(Data)
    }

    /// The parts. The key is empty in an unkeyed container.
    var list: [(key: String, part: Part)] = []

    /// Collects the parts that `value` encodes.
    init(of value: some Encodable) throws {
        let encoder = PartEncoder()
        try value.encode(to: encoder)
        self = encoder.parts
    }

    init(_ list: [(key: String, part: Part)] = []) { self.list = list }

    /// Decodes a value from the parts.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value { try Value(from: PartDecoder(self)) }

    mutating func append(_ key: String, _ number: Int) { list.append((key, .integer(number))) }

    func text(_ key: String) -> String? {
        for (name, part) in list where name == key {
            if case .text(let text) = part { return text }
        }
        return nil
    }

    var reals: [Double] { list.compactMap { if case .real(let real) = $0.part { real } else { nil } } }
}

extension UnwritableValue {
    /// A Foundation value encoded other parts than its known type has.
    static func unknownParts(_ value: Any) -> UnwritableValue {
        let text = "\(value)"
        return UnwritableValue { _ in "Found a Foundation value with unexpected parts: \(text)" }
    }
}

// MARK: - Encoding

/// An encoder that collects numbers, texts and data from all kinds of containers.
private final class PartEncoder: Encoder {
    var parts = EncodedParts()

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Container(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Container<ArchiveKey>(encoder: self) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Container<ArchiveKey>(encoder: self) }

    func append<Value: Encodable>(_ value: Value, _ key: String) throws {
        let part: EncodedParts.Part
        switch value {
        case let value as Bool: part = .integer(value ? 1 : 0)
        case let value as Int: part = .integer(value)
        case let value as Int32: part = .integer(Int(value))
        case let value as UInt32: part = .integer(Int(value))
        case let value as UInt16: part = .integer(Int(value))
        case let value as Double: part = .real(value)
        case let value as String: part = .text(value)
        case let value as Data: part = .data(value)
        default: throw UnwritableValue.unknownParts(value)
        }
        parts.list.append((key, part))
    }

    struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol, UnkeyedEncodingContainer,
        SingleValueEncodingContainer
    {
        let encoder: PartEncoder

        var codingPath: [any CodingKey] { [] }
        var count: Int { encoder.parts.list.count }

        @inline(__always)
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try encoder.append(value, key.stringValue)
        }
        @inline(__always)
        func encode<Value: Encodable>(_ value: Value) throws { try encoder.append(value, "") }
        func encodeNil(forKey key: Key) throws { throw UnwritableValue.unknownParts(key) }
        func encodeNil() throws { throw UnwritableValue.unknownParts("nil") }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedEncodingContainer<Nested>
        { encoder.container(keyedBy: type) }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            encoder.container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }
}

// MARK: - Decoding

/// A decoder that returns the parts in order for all kinds of containers.
private final class PartDecoder: Decoder {
    private var parts: EncodedParts
    private var next = 0

    init(_ parts: EncodedParts) { self.parts = parts }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Container(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Container<ArchiveKey>(decoder: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Container<ArchiveKey>(decoder: self) }

    /// Returns the next part with the key. It is nearly always the next one of all.
    func take<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
        if let position = parts.list[next...].firstIndex(where: { $0.key == key }) {
            parts.list.swapAt(position, next)
            next += 1
            if let value = value(of: parts.list[next - 1].part, as: type) { return value }
        }
        throw KeyedArchiveError.invalid(nil, "A Foundation type requested the part \"\(key)\", which it does not encode")
    }

    private func value<Value>(of part: EncodedParts.Part, as type: Value.Type) -> Value? {
        switch part {
        case .real(let real): return real as? Value
        case .text(let text): return text as? Value
        case .data(let data): return data as? Value
        case .integer(let number):
            switch type {
            case is Bool.Type: return (number != 0) as? Value
            case is Int.Type: return number as? Value
            case is Int32.Type: return Int32(exactly: number) as? Value
            case is UInt32.Type: return UInt32(exactly: number) as? Value
            case is UInt16.Type: return UInt16(exactly: number) as? Value
            default: return nil
            }
        }
    }

    struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol, UnkeyedDecodingContainer,
        SingleValueDecodingContainer
    {
        let decoder: PartDecoder

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }
        var count: Int? { nil }
        var isAtEnd: Bool { decoder.next >= decoder.parts.list.count }
        var currentIndex: Int { decoder.next }

        func contains(_ key: Key) -> Bool { decoder.parts.list[decoder.next...].contains { $0.key == key.stringValue } }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decodeNil() -> Bool { false }
        @inline(__always)
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder.take(type, key.stringValue)
        }
        @inline(__always)
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.take(type, "") }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedDecodingContainer<Nested>
        { decoder.container(keyedBy: type) }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
            decoder.container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
        func superDecoder() -> any Decoder { decoder }
        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }
}
