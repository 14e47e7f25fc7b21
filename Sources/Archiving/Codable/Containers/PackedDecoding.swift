// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An unkeyed container of packed numbers, for types that decode an array element by element.
struct PackedDecoding: UnkeyedDecodingContainer {
    /// The decoder of the data, which is not reused as long as the program has the container.
    private let owner: ProgramDecoder
    private let numbers: PackedNumbers
    private(set) var currentIndex = 0

    init(_ owner: ProgramDecoder, _ numbers: PackedNumbers) {
        self.owner = owner
        self.numbers = numbers
    }

    private var decoder: ArchiveDecoding { owner.decoding }

    var codingPath: [any CodingKey] { decoder.path() }
    var count: Int? { numbers.count }
    var isAtEnd: Bool { currentIndex >= numbers.count }

    /// Returns the decoder of the next number.
    @inline(never)
    private func next(_ type: any Any.Type) throws -> PackedNumberDecoding {
        guard !isAtEnd else {
            throw CodableErrors.atEnd(type, count: numbers.count, path: decoder.path(.index(currentIndex)))
        }
        return PackedNumberDecoding(owner: owner, numbers: numbers, index: currentIndex)
    }

    mutating func decodeNil() throws -> Bool {
        if isAtEnd { _ = try next(Never?.self) }
        return false
    }

    /// Returns the next number. The container does not advance if the number does not fit the type.
    private mutating func number<Number: PackableNumber>() throws -> Number {
        let result: Number = try next(Number.self).number()
        currentIndex += 1
        return result
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type).decode(type) }
    mutating func decode(_ type: String.Type) throws -> String { try next(type).decode(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try number() }
    mutating func decode(_ type: Float.Type) throws -> Float { try number() }
    mutating func decode(_ type: Int.Type) throws -> Int { try number() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try number() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try number() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try number() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try number() }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try number() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try number() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try number() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try number() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try number() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try number() }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try number() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let result = try next(type).decode(type)
        currentIndex += 1
        return result
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(KeyedDecodingContainer<NestedKey>.self).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let result = try next((any Decoder).self)
        currentIndex += 1
        return result
    }
}

// MARK: - One number

/// The decoder of one packed number, for types that decode themselves from a number.
struct PackedNumberDecoding: Decoder {
    /// The decoder of the data.
    fileprivate let owner: ProgramDecoder
    fileprivate let numbers: PackedNumbers
    fileprivate let index: Int

    private var decoder: ArchiveDecoding { owner.decoding }

    var codingPath: [any CodingKey] { decoder.path(.index(index)) }
    var userInfo: [CodingUserInfoKey: Any] { owner.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch([Any].self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Returns the error of a number if a `type` is requested.
    private func mismatch(_ type: any Any.Type) -> DecodingError {
        DecodingError(.mismatch(type, found: numbers.describe(index), path: codingPath))
    }

    /// Returns the number, converted as `NumberConversion` does.
    @inline(__always)
    fileprivate func number<Number: PackableNumber>() throws -> Number {
        guard let number = Number(numbers, at: index) else { throw inexact(Number.self) }
        return number
    }

    @inline(never)
    private func inexact(_ type: any Any.Type) -> DecodingError { decoder.inexact(type, numbers, index) }
}

extension PackedNumberDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool { false }

    func decode(_ type: Bool.Type) throws -> Bool { throw mismatch(type) }
    func decode(_ type: String.Type) throws -> String { throw mismatch(type) }
    func decode(_ type: Double.Type) throws -> Double { try number() }
    func decode(_ type: Float.Type) throws -> Float { try number() }
    func decode(_ type: Int.Type) throws -> Int { try number() }
    func decode(_ type: Int8.Type) throws -> Int8 { try number() }
    func decode(_ type: Int16.Type) throws -> Int16 { try number() }
    func decode(_ type: Int32.Type) throws -> Int32 { try number() }
    func decode(_ type: Int64.Type) throws -> Int64 { try number() }
    func decode(_ type: Int128.Type) throws -> Int128 { try number() }
    func decode(_ type: UInt.Type) throws -> UInt { try number() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number() }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try number() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Each type may request another type, or itself.
        try decoder.checkStack()
        if let number = PackedNumbers.packable(type) { return try value(of: number) }
        if type == Decimal.self {
            guard let decimal = numbers.decimal(at: index) else { throw inexact(type) }
            return Reinterpretation.same(decimal)
        }
        let known = decoder.session.type(type)
        switch known.kind {
        case .value: return try Value(from: self)
        // Types that decode themselves from a number with any coder.
        case .native where known.isLeaf || known.isOptional: return try Value(from: self)
        // A number is not an object.
        case .native, .once, .instance, .coding: throw mismatch(type)
        }
    }

    /// Returns the number as a `Number`, which is `Value`.
    private func value<Number: PackableNumber, Value>(of type: Number.Type) throws -> Value {
        let number: Number = try number()
        return Reinterpretation.same(number)
    }
}
