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

    private func cases<Value>(of type: Value.Type) throws -> RawValueCases {
        try #require(RawValueCases.cases(of: type)).takeUnretainedValue()
    }

    @Test func `are known after some values if the type leaves coding to the standard library`() throws {
        for _ in 0..<4 {
            #expect(try roundTrip(Integers.allCases) == Integers.allCases)
            #expect(try roundTrip(Texts.allCases) == Texts.allCases)
            #expect(try roundTrip(LongTexts.allCases) == LongTexts.allCases)
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
        for _ in 0..<12 { #expect(try roundTrip([Own.only]) == [.only]) }
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
}
