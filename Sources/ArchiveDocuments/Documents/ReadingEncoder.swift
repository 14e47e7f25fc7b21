// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An encoder that drops what it is given: the encoding of a value only reads its properties. It encodes no value inside.
struct ReadingEncoder: Encoder, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed<Key>(encoder: self))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(encoder: self, count: 0) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    func encodeNil() {}
    func encode(_ value: some Encodable) {}

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ReadingEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}
        func encode(_ value: some Encodable, forKey key: Key) {}
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: ReadingEncoder
        var codingPath: [any CodingKey] { [] }
        private(set) var count: Int

        mutating func encodeNil() { count += 1 }
        mutating func encode(_ value: some Encodable) { count += 1 }
        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            count += 1
            return encoder.container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            count += 1
            return encoder.unkeyedContainer()
        }
        mutating func superEncoder() -> any Encoder {
            count += 1
            return encoder
        }
    }
}
