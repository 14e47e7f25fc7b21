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

    init(of value: some Encodable) throws {
        let encoder = PartEncoder<ArchiveKey>()
        try value.encode(to: encoder)
        list = encoder.parts.list
    }

    init(_ list: [(key: String, part: Part)] = []) { self.list = list }

    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        try Value(from: PartDecoder<ArchiveKey>(PartQueue(list)))
    }

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
    static func unknownParts(_ value: Any) -> UnwritableValue {
        let text = "\(value)"
        return UnwritableValue { _ in "Found a Foundation value with unexpected parts: \(text)" }
    }
}

// MARK: - Encoding

private final class PartList {
    var list: [(key: String, part: EncodedParts.Part)] = []

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
        list.append((key, part))
    }
}

/// An encoder, and each of its containers, that collects numbers, texts and data.
private struct PartEncoder<Key: CodingKey>: Encoder, KeyedEncodingContainerProtocol, UnkeyedEncodingContainer,
    SingleValueEncodingContainer
{
    var parts = PartList()

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int { parts.list.count }

    func container<Other: CodingKey>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> {
        KeyedEncodingContainer(PartEncoder<Other>(parts: parts))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try parts.append(value, key.stringValue) }
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value) throws { try parts.append(value, "") }
    func encodeNil(forKey key: Key) throws { throw UnwritableValue.unknownParts(key) }
    func encodeNil() throws { throw UnwritableValue.unknownParts("nil") }

    func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
        container(keyedBy: type)
    }
    func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> {
        container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { self }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { self }
    func superEncoder(forKey key: Key) -> any Encoder { self }
}

// MARK: - Decoding

private final class PartQueue {
    var list: [(key: String, part: EncodedParts.Part)]
    var next = 0

    init(_ list: [(key: String, part: EncodedParts.Part)]) { self.list = list }

    /// Returns the next part with the key. It is nearly always the next one of all.
    func take<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value {
        if let position = list[next...].firstIndex(where: { $0.key == key }) {
            list.swapAt(position, next)
            next += 1
            if let value = value(of: list[next - 1].part, as: type) { return value }
        }
        throw KeyedArchiveError.invalid(
            nil, "A Foundation type requested the part \"\(key)\", which it does not encode")
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
}

/// A decoder, and each of its containers, that returns the parts in order.
private struct PartDecoder<Key: CodingKey>: Decoder, KeyedDecodingContainerProtocol, UnkeyedDecodingContainer,
    SingleValueDecodingContainer
{
    let parts: PartQueue

    init(_ parts: PartQueue) { self.parts = parts }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var allKeys: [Key] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { parts.next >= parts.list.count }
    var currentIndex: Int { parts.next }

    func container<Other: CodingKey>(keyedBy type: Other.Type) -> KeyedDecodingContainer<Other> {
        KeyedDecodingContainer(PartDecoder<Other>(parts))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { self }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func contains(_ key: Key) -> Bool { parts.list[parts.next...].contains { $0.key == key.stringValue } }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decodeNil() -> Bool { false }
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try parts.take(type, key.stringValue)
    }
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try parts.take(type, "") }

    func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type, forKey key: Key) -> KeyedDecodingContainer<Other> {
        container(keyedBy: type)
    }
    func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type) -> KeyedDecodingContainer<Other> {
        container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { self }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
    func superDecoder() -> any Decoder { self }
    func superDecoder(forKey key: Key) -> any Decoder { self }
}
