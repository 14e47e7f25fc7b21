// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An encoder that walks a value without any output: the cost of Codable before a format does any work.
///
/// Its only state is the count of an unkeyed container. It therefore fits inline in `any Encoder`, and its coding path is always
/// empty.
struct EmptyEncoder: Encoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(EmptyKeyedContainer())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        EmptyUnkeyedContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        EmptySingleValueContainer()
    }
}

// MARK: - Containers

// The overloads for scalars are explicit, so that a scalar costs one call, as in a real encoder. The generic method would also
// cost a container.

private struct EmptyKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {}
    func encode(_ value: Bool, forKey key: Key) {}
    func encode(_ value: String, forKey key: Key) {}
    func encode(_ value: Double, forKey key: Key) {}
    func encode(_ value: Float, forKey key: Key) {}
    func encode(_ value: Int, forKey key: Key) {}
    func encode(_ value: Int8, forKey key: Key) {}
    func encode(_ value: Int16, forKey key: Key) {}
    func encode(_ value: Int32, forKey key: Key) {}
    func encode(_ value: Int64, forKey key: Key) {}
    func encode(_ value: UInt, forKey key: Key) {}
    func encode(_ value: UInt8, forKey key: Key) {}
    func encode(_ value: UInt16, forKey key: Key) {}
    func encode(_ value: UInt32, forKey key: Key) {}
    func encode(_ value: UInt64, forKey key: Key) {}

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try value.encode(to: EmptyEncoder())
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(EmptyKeyedContainer<NestedKey>())
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        EmptyUnkeyedContainer()
    }

    func superEncoder() -> any Encoder { EmptyEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { EmptyEncoder() }
}

private struct EmptyUnkeyedContainer: UnkeyedEncodingContainer {
    var count = 0
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { count += 1 }
    mutating func encode(_ value: Bool) { count += 1 }
    mutating func encode(_ value: String) { count += 1 }
    mutating func encode(_ value: Double) { count += 1 }
    mutating func encode(_ value: Float) { count += 1 }
    mutating func encode(_ value: Int) { count += 1 }
    mutating func encode(_ value: Int8) { count += 1 }
    mutating func encode(_ value: Int16) { count += 1 }
    mutating func encode(_ value: Int32) { count += 1 }
    mutating func encode(_ value: Int64) { count += 1 }
    mutating func encode(_ value: UInt) { count += 1 }
    mutating func encode(_ value: UInt8) { count += 1 }
    mutating func encode(_ value: UInt16) { count += 1 }
    mutating func encode(_ value: UInt32) { count += 1 }
    mutating func encode(_ value: UInt64) { count += 1 }

    mutating func encode(_ value: some Encodable) throws {
        count += 1
        try value.encode(to: EmptyEncoder())
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        count += 1
        return KeyedEncodingContainer(EmptyKeyedContainer<NestedKey>())
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        count += 1
        return EmptyUnkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        count += 1
        return EmptyEncoder()
    }
}

private struct EmptySingleValueContainer: SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}
    func encode(_ value: Bool) {}
    func encode(_ value: String) {}
    func encode(_ value: Double) {}
    func encode(_ value: Float) {}
    func encode(_ value: Int) {}
    func encode(_ value: Int8) {}
    func encode(_ value: Int16) {}
    func encode(_ value: Int32) {}
    func encode(_ value: Int64) {}
    func encode(_ value: UInt) {}
    func encode(_ value: UInt8) {}
    func encode(_ value: UInt16) {}
    func encode(_ value: UInt32) {}
    func encode(_ value: UInt64) {}

    func encode(_ value: some Encodable) throws {
        try value.encode(to: EmptyEncoder())
    }
}
