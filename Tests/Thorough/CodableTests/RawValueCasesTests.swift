import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Cases by their raw values` {
    enum Integers: Int, Codable, CaseIterable {
        case low = -3
        case zero = 0
        case high = 1
    }
    enum Texts: String, Codable, CaseIterable {
        case empty = ""
        case short = "a"
        case longest = "fifteen bytes!!"
    }
    enum LongTexts: String, Codable, CaseIterable {
        case long = "sixteen bytes!!!"
        case umlaut = "ä"
        case null = "$null"
    }

    enum Own: Int, Codable {
        case only

        init(from decoder: any Decoder) throws {
            self = Own(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .only
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }

    /// Returns `values` repeated until their type is looked at.
    private func many<Value>(_ values: [Value]) -> [Value] {
        (0..<200).map { values[$0 % values.count] }
    }

    private func cases<Value: RawRepresentable>(of type: Value.Type) throws -> RawValueCases {
        try #require(RawValueCases.cases(of: type)).takeUnretainedValue()
    }

    @Test func `are known after some values if the type leaves coding to the standard library`() throws {
        for _ in 0..<12 {
            #expect(try roundTrip(many(Integers.allCases)) == many(Integers.allCases))
            #expect(try roundTrip(many(Texts.allCases)) == many(Texts.allCases))
            #expect(try roundTrip(many(LongTexts.allCases)) == many(LongTexts.allCases))
        }
        // If the C library does not inform callers, nothing is known, and the usual path applies.
        for cases in [try cases(of: Integers.self), try cases(of: Texts.self)] {
            #expect(cases.decoding.isStandard == RuntimeLayout.tracesCallers)
            #expect(cases.encoding.isStandard == RuntimeLayout.tracesCallers)
        }
        // Texts that are too long or not ASCII are not looked at.
        #expect(try !cases(of: LongTexts.self).decoding.isStandard)
    }

    @Test func `are not used if the type codes itself`() throws {
        for _ in 0..<12 { #expect(try roundTrip(many([Own.only])) == many([.only])) }
        let cases = try cases(of: Own.self)
        #expect(!cases.decoding.isStandard)
        #expect(!cases.encoding.isStandard)
    }

    @Test func `are decoded from the raw value, and from no other`() throws {
        let integers = try cases(of: Integers.self)
        for value in Integers.allCases {
            let key = RawValueCases.Key(value.rawValue)
            let byte = try #require(integers.byte(of: key))
            #expect(integers.key(of: byte) == key)
        }
        #expect(integers.byte(of: RawValueCases.Key(2)) == nil)
        let texts = try cases(of: Texts.self)
        for value in Texts.allCases {
            let key = try #require(RawValueCases.Key(value.rawValue))
            #expect(key.text == value.rawValue)
            let byte = try #require(texts.byte(of: key))
            #expect(texts.key(of: byte) == key)
        }
        #expect(texts.byte(of: try #require(RawValueCases.Key("b"))) == nil)
        #expect(RawValueCases.Key("sixteen bytes!!!") == nil)
        #expect(RawValueCases.Key("ä") == nil)
    }

    @Test func `are more than the table has places for`() throws {
        struct Small: RawRepresentable, Codable, Equatable {
            private let byte: UInt8

            init?(rawValue: Int) {
                guard let byte = UInt8(exactly: rawValue) else { return nil }
                self.byte = byte
            }

            var rawValue: Int { Int(byte) }
        }
        let values = (0...255).compactMap { Small(rawValue: $0) }
        for _ in 0..<12 { #expect(try roundTrip(values + values.reversed()) == values + values.reversed()) }
    }

    /// A type of one byte without a raw value. Each value is encoded as the next number.
    struct Numbered: Encodable {
        static let count = Mutex(0)
        private var byte: UInt8 = 0

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(
                Self.count.withLock {
                    $0 += 1
                    return $0
                })
        }
    }

    /// A type of one byte without a raw value. Each value is decoded as the next number.
    struct Numbering: Decodable, Equatable {
        static let count = Mutex(UInt8(0))
        var byte: UInt8

        init(_ byte: UInt8) { self.byte = byte }

        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(Int.self)
            byte = Self.count.withLock {
                $0 &+= 1
                return $0
            }
        }
    }

    @Test func `do not exist for other types of one byte, whose values are coded one by one`() throws {
        let archive = try ArchiveEncoder().encode(many([Numbered()]))
        #expect(try ArchiveDecoder().decode([Int].self, from: archive) == Array(1...200))
        let same = try ArchiveEncoder().encode(many([7]))
        #expect(try ArchiveDecoder().decode([Numbering].self, from: same) == (1...200).map { Numbering($0) })
    }
}
