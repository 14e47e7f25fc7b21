// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// A value of a seed.
protocol GeneratedValue: Codable, Equatable {
    static func make(_ random: inout SeededGenerator) -> Self
}

/// A type of `scripts/generated-types`.
protocol GeneratedType: GeneratedValue, SendableMetatype {
    /// The type in another version of its program.
    associatedtype Changed: Codable & Equatable
}

extension GeneratedType {
    static func make(_ random: inout SeededGenerator) -> Self {
        let source = ValueSource(random)
        defer { random = source.random }
        do {
            return try Self(from: source)
        } catch {
            preconditionFailure("\(Self.self): \(error)")
        }
    }
}

/// Gives the properties of a type values of a seed.
private final class ValueSource: Decoder {
    var random: SeededGenerator
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ random: SeededGenerator) { self.random = random }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> { .init(Properties(source: self)) }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { preconditionFailure("not a generated type") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        preconditionFailure("not a generated type")
    }

    private struct Properties<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let source: ValueSource
        var codingPath: [any CodingKey] { [] }
        /// The case of an enumeration.
        var allKeys: [Key] {
            let cases = ["case0", "case1", "case2"].compactMap(Key.init(stringValue:))
            return [cases[Int(source.random.next() % UInt64(cases.count))]]
        }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { source.random.next() % 3 == 0 }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            guard let type = type as? any GeneratedValue.Type, let value = type.make(&source.random) as? Value else {
                preconditionFailure("\(type) is not a type of a generated property")
            }
            return value
        }

        func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<Nested> {
            source.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try source.unkeyedContainer()
        }

        func superDecoder() -> any Decoder { source }
        func superDecoder(forKey key: Key) -> any Decoder { source }
    }
}

extension GeneratedValue where Self: FixedWidthInteger {
    /// Mostly small numbers, which other types have too.
    static func make(_ random: inout SeededGenerator) -> Self {
        switch random.next() % 8 {
        case 0: Self(truncatingIfNeeded: random.next() % (1 << 40))
        case 1: 0
        default: Self(truncatingIfNeeded: Int(random.next() % 300) - 100)
        }
    }
}

extension Int: GeneratedValue {}
extension Int8: GeneratedValue {}
extension UInt16: GeneratedValue {}
extension Int64: GeneratedValue {}

/// Numbers that JSON's text and 32 bits represent exactly.
extension Double: GeneratedValue {
    static func make(_ random: inout SeededGenerator) -> Double { Double(Int(random.next() % 4_000) - 2_000) / 4 }
}

extension Float: GeneratedValue {
    static func make(_ random: inout SeededGenerator) -> Float { Float(Double.make(&random)) }
}

extension Bool: GeneratedValue {
    static func make(_ random: inout SeededGenerator) -> Bool { random.next() % 2 == 0 }
}

extension String: GeneratedValue {
    static func make(_ random: inout SeededGenerator) -> String {
        ["", "a", "$null", "null", "1", "true", "größer", "\u{1F404}", "a text of more than sixteen bytes"][
            Int(random.next() % 9)]
    }
}

extension Optional: GeneratedValue where Wrapped: GeneratedValue {
    static func make(_ random: inout SeededGenerator) -> Self { random.next() % 3 == 0 ? nil : Wrapped.make(&random) }
}

extension Array: GeneratedValue where Element: GeneratedValue {
    static func make(_ random: inout SeededGenerator) -> Self {
        (0..<Int(random.next() % 4)).map { _ in Element.make(&random) }
    }
}

extension Dictionary: GeneratedValue where Key == String, Value: GeneratedValue {
    static func make(_ random: inout SeededGenerator) -> Self {
        var made: Self = [:]
        for number in 0..<random.next() % 4 { made["key \(number)"] = Value.make(&random) }
        return made
    }
}

@Suite(.inTurn) struct `300 generated types` {
    /// How many values of each type there are.
    private static let valueCount = Extent.count(4, of: 12)

    /// The decoded value; nil if the decoder throws.
    private static func value<Value: Decodable>(_ type: Value.Type, _ body: (Value.Type) throws -> Value) -> Value? {
        do {
            return try body(type)
        } catch {
            #expect(error is DecodingError, "\(type): \(error)")
            return nil
        }
    }

    private static func check<Type: GeneratedType>(_ type: Type.Type, _ random: inout SeededGenerator) throws -> Int {
        var failureCount = 0
        var decoder = ArchiveDecoder()
        // JSON has no names of types.
        decoder.classes.unknownClasses = .decodeAsRequested
        for _ in 0..<valueCount {
            let value = Type.make(&random)
            let archive = try ArchiveEncoder().encode(value)
            let json = try JSONEncoder().encode(value)
            #expect(try ArchiveDecoder().decode(Type.self, from: archive) == value)
            let expected = Self.value(Type.Changed.self) { try JSONDecoder().decode($0, from: json) }
            let changed = Self.value(Type.Changed.self) { try decoder.decode($0, from: archive) }
            #expect(changed == expected, "\(type), from \(String(decoding: json, as: UTF8.self).prefix(500))")
            if expected == nil { failureCount += 1 }
        }
        return failureCount
    }

    @Test func `come back, and their changed versions have the values and the failures of JSON`() throws {
        var random = SeededGenerator(state: 56)
        var (failureCount, count) = (0, 0)
        for type in generatedTypes {
            failureCount += try Self.check(type, &random)
            count += Self.valueCount
        }
        #expect(generatedTypes.count == 300)
        // Both outcomes are frequent.
        #expect(failureCount > count / 10 && failureCount < count * 9 / 10)
    }
}
