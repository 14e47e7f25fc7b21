// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

// MARK: - Elements

extension UnkeyedDecoding {
    /// Returns the next element without advancing: an element that cannot be decoded stays the next one.
    @inline(never)
    private func next(_ type: any Any.Type) throws -> ArchivedValue {
        guard currentIndex < elements.count else {
            throw DecodingError.atEnd(type, count: elements.count, path: decoder.path(step))
        }
        return try decoder.resolve(elements.reference(currentIndex, in: decoder.archive), at: step)
    }

    /// Returns the result of `read` for the next element, and advances.
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
}

// MARK: - Values that may be nil

extension UnkeyedDecoding {
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

// MARK: - Nested containers

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
