// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Keyed containers

/// A keyed container: each call finds the field of a key and passes its value to the decoder.
///
/// The standard library copies a container for each requested field, so this type is a class: its copy is one reference.
final class KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoder: DecodingFrame
    private let keys: DecodingKeys.KeyType

    init(_ decoder: DecodingFrame, _ keys: DecodingKeys.KeyType) {
        self.decoder = decoder
        self.keys = keys
    }

    var codingPath: [any CodingKey] { decoder.path() }
}

extension KeyedDecoding {
    @inline(__always)
    private func position(of key: Key) throws -> Int? {
        guard keys.isIndexed else { return try decoder.field(key, nil) }
        let place = decoder.keys.place(of: key, keys)
        if let position = decoder.nextField(ifKey: decoder.keys[place].referencePlusOne &- 1) { return position }
        return try keys.isObserved ? decoder.observedField(key, place) : decoder.field(key, place)
    }

    @inline(__always)
    private func step(_ key: Key, _ position: Int) -> CodingPathStep {
        keys.step(key) ?? decoder.step(key, position)
    }

    @inline(__always)
    private func requiredPosition(of key: Key) throws -> Int {
        guard let position = try position(of: key) else { throw decoder.notFound(key) }
        return position
    }

    private func required(_ key: Key) throws -> (value: ArchivedValue, position: Int) {
        let position = try requiredPosition(of: key)
        return (try decoder.fieldValue(position), position)
    }

    /// Returns the leaf in the field of `key`. One in its usual form is read directly.
    @inline(__always)
    private func leaf<Leaf: DecodableLeaf>(_ key: Key) throws -> Leaf {
        let position = try requiredPosition(of: key)
        if let leaf: Leaf = decoder.leaf(position) { return leaf }
        return try Leaf.leaf(decoder.fieldValue(position), in: decoder, at: step(key, position))
    }

    @inline(__always)
    private func leafIfPresent<Leaf: DecodableLeaf>(_ key: Key) throws -> Leaf? {
        guard let position = try position(of: key) else { return nil }
        if let leaf: Leaf = decoder.leaf(position) { return leaf }
        let value = try decoder.fieldValue(position)
        return decoder.isNil(value) ? nil : try Leaf.leaf(value, in: decoder, at: step(key, position))
    }

    // Out of line for types that are rare in programs.
    @inline(never)
    private func rareLeaf<Leaf: DecodableLeaf>(_ key: Key) throws -> Leaf { try leaf(key) }

    @inline(never)
    private func rareLeafIfPresent<Leaf: DecodableLeaf>(_ key: Key) throws -> Leaf? { try leafIfPresent(key) }

    var allKeys: [Key] {
        decoder.keyNames().compactMap { Key(stringValue: $0) ?? ObservedKeys.key($0) }
    }

    func contains(_ key: Key) -> Bool {
        guard let position = try? position(of: key) else { return false }
        // Usually the next call decodes this key.
        decoder.fields.next = position
        decoder.noteRequested(position)
        return true
    }
}

extension KeyedDecoding {
    func decodeNil(forKey key: Key) throws -> Bool { decoder.isNil(try required(key).value) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try leaf(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try leaf(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try leaf(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try leaf(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try leaf(key) }
    // The standard library's own functions for these throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try rareLeaf(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try rareLeaf(key) }

    func decode<Leaf: DecodableLeaf & Decodable>(_ type: Leaf.Type, forKey key: Key) throws -> Leaf {
        try rareLeaf(key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let position = try requiredPosition(of: key)
        let isRead = decoder.archive.list.isPresent || !(type is any DeferredDecodable.Type)
        let value = try isRead ? decoder.fieldValue(position) : decoder.fieldValueWithoutLongContents(position)
        return try decoder.decode(type, from: value, at: step(key, position))
    }
}

/// An absent key and a nil are both nil, also if the type itself has a nil value, as with other decoders.
extension KeyedDecoding {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try rareLeafIfPresent(key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try rareLeafIfPresent(key) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = try position(of: key) else { return nil }
        let value = try decoder.fieldValue(position)
        if decoder.isNil(value) { return nil }
        let known = decoder.session.type(type)
        let step = step(key, position)
        if try decoder.isSkipped(known, value, at: step) { return nil }
        return try decoder.decode(type, known, from: value, at: step)
    }
}

extension KeyedDecoding {
    private func nested<Container>(_ key: Key, _ body: (ProgramDecoder) throws -> Container) throws -> Container {
        let (value, position) = try required(key)
        return try decoder.nested(value, step(key, position), body)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(key) { try $0.container(keyedBy: type) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key) { try $0.unkeyedContainer() }
    }

    func superDecoder() throws -> any Decoder { try decoder.superDecoder(forKey: ArchiveKey.super, at: nil) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder.superDecoder(forKey: key, at: keys.step(key))
    }
}

// MARK: - Unkeyed containers

/// An unkeyed container: the elements of an array or a set, in order.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
    /// The decoder that has created the container, which is not reused as long as the program has it.
    private let owner: ProgramDecoder
    private let elements: ArchivedElements
    private(set) var currentIndex = 0

    init(_ owner: ProgramDecoder, _ elements: ArchivedElements) {
        self.owner = owner
        self.elements = elements
    }

    private var decoder: DecodingFrame { owner.decoding }

    var codingPath: [any CodingKey] { decoder.path() }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private var step: CodingPathStep { .index(currentIndex) }
}

extension UnkeyedDecoding {
    /// Returns the next element without advancing: an element that cannot be decoded stays the next one.
    @inline(never)
    private func next(_ type: any Any.Type) throws -> ArchivedValue {
        guard currentIndex < elements.count else {
            throw DecodingError.atEnd(type, count: elements.count, path: decoder.path(step))
        }
        return try decoder.resolve(elements.reference(currentIndex, in: decoder.archive), at: step)
    }

    @inline(__always)
    private mutating func take<Result>(
        _ type: any Any.Type, _ read: (DecodingFrame, ArchivedValue, CodingPathStep) throws -> Result
    ) throws -> Result {
        let result = try read(decoder, next(type), step)
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard decoder.isNil(try next(Never?.self)) else { return false }
        currentIndex += 1
        return true
    }

    private mutating func leaf<Leaf: DecodableLeaf>() throws -> Leaf {
        try take(Leaf.self) { try Leaf.leaf($1, in: $0, at: $2) }
    }

    mutating func decode<Leaf: DecodableLeaf & Decodable>(_ type: Leaf.Type) throws -> Leaf { try leaf() }

    // The standard library's own functions for these throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try leaf() }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try leaf() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take(type) { try $0.decode(type, from: $1, at: $2) }
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        if isAtEnd { return nil }
        let value = try next(type)
        let known = decoder.session.type(type)
        let isNil = try decoder.isNil(value) || decoder.isSkipped(known, value, at: step)
        let result = isNil ? nil : try decoder.decode(type, known, from: value, at: step)
        currentIndex += 1
        return result
    }
}

extension UnkeyedDecoding {
    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take(KeyedDecodingContainer<NestedKey>.self) {
            try $0.nested($1, $2) { try $0.container(keyedBy: type) }
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take((any UnkeyedDecodingContainer).self) {
            try $0.nested($1, $2) { try $0.unkeyedContainer() }
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try take((any Decoder).self) { try $0.superDecoder(for: $1, at: $2) }
    }
}
