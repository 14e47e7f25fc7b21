// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A coder that replaces a text by another one in the single value container of `base`.
struct ReplacingCoder<Base> {
    var base: Base
    var from: String
    var to: String

    func replaced(_ text: String) -> String { text == from ? to : text }
}

extension ReplacingCoder: Encoder where Base == any Encoder {
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { base.container(keyedBy: type) }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { base.unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        EncodingContainer(coder: self, base: base.singleValueContainer())
    }

    struct EncodingContainer: SingleValueEncodingContainer {
        var coder: ReplacingCoder
        var base: any SingleValueEncodingContainer
        var codingPath: [any CodingKey] { base.codingPath }

        mutating func encodeNil() throws { try base.encodeNil() }
        mutating func encode(_ value: String) throws { try base.encode(coder.replaced(value)) }
        mutating func encode<Value: Encodable>(_ value: Value) throws { try base.encode(value) }
    }
}

extension ReplacingCoder: Decoder where Base == any Decoder {
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try base.container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        DecodingContainer(coder: self, base: try base.singleValueContainer())
    }

    struct DecodingContainer: SingleValueDecodingContainer {
        var coder: ReplacingCoder
        var base: any SingleValueDecodingContainer
        var codingPath: [any CodingKey] { base.codingPath }

        func decodeNil() -> Bool { base.decodeNil() }
        func decode(_ type: String.Type) throws -> String { coder.replaced(try base.decode(type)) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try base.decode(type) }
    }
}
