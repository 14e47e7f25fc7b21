// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A decimal number and a real one` {
    static let reals = [
        1.2, 0.1, -3.133, 123_456_789.123, 1e22, 0x1p-30, 0, -0.0, 1e-100, 1e127, 18_446_744_073_709_551_616, 1e-5, 0.5,
    ]

    @Test(arguments: reals)
    func `are what Foundation makes of them`(real: Double) throws {
        #expect(try transcode(real, as: Decimal.self) == Decimal(real))
        #expect(try transcode([real], as: [Decimal].self) == [Decimal(real)])
        #expect(try transcode(["x": real], as: [String: Decimal].self) == ["x": Decimal(real)])
        #expect(try transcode(["x": real], as: [String: Decimal?].self) == ["x": Decimal(real)])
        let narrow = Float(real)
        if narrow.isFinite {
            #expect(try transcode([narrow], as: [Decimal].self) == [Decimal(Double(narrow))])
        }
    }

    @Test func `beyond the range of Decimal is an error`() throws {
        for real in [1e300, -1e300, 1e-300, .leastNonzeroMagnitude, .infinity, -.infinity, 1e160] {
            let error = try failure(decoding: [Decimal].self, fromArchiveOf: [real])
            #expect(error.kind == .dataCorrupted && error.path == "[0]" && error.says("\(real)", "Decimal"), "\(error)")
        }
        #expect(try transcode(Double.nan, as: Decimal.self).isNaN)
        #expect(try failure(decoding: Decimal.self, fromArchiveOf: true).kind == .typeMismatch)
        #expect(try failure(decoding: Decimal.self, fromArchiveOf: "1").kind == .typeMismatch)
    }

    struct Sample: CustomTestStringConvertible, Sendable {
        let text: String
        let double: Double
        let float: Float?
        let integer: Int?

        init(_ text: String, _ double: Double, _ float: Float?, _ integer: Int? = nil) {
            (self.text, self.double, self.float, self.integer) = (text, double, float, integer)
        }

        var testDescription: String { text }
        var decimal: Decimal { Decimal(text: text) }
    }

    /// The reals were found with arbitrary precision.
    static let samples = [
        Sample("1.2", 1.2, 1.2), Sample("0", 0, 0, 0), Sample("-7", -7, -7, -7), Sample("0.1", 0.1, 0.1),
        Sample("19.99", 19.99, 19.99), Sample("-3.132999999999999488", -3.132999999999999488, -3.133),
        Sample("12345678901234567890.12345", 12_345_678_901_234_567_890.12345, 12_345_678_901_234_567_890.12345),
        // Halfway between two reals: to the even one, unless a last digit follows.
        Sample("9007199254740993", 9_007_199_254_740_992, 9_007_199_254_740_992, 9_007_199_254_740_993),
        Sample("9007199254740993.0000000001", 9_007_199_254_740_994, 9_007_199_254_740_992),
        // Twice rounded it would be 16777216.
        Sample("16777217.00000000000000001", 16_777_217, 16_777_218),
        Sample("1E-128", 1e-128, 0), Sample("1E127", 1e127, nil), Sample("3E2", 300, 300, 300),
        Sample("340282366920938463463374607431768211455E100", 0x1p128 * 1e100, nil),
    ]

    @Test(arguments: samples)
    func `convert to the nearest real`(sample: Sample) throws {
        let decimal = sample.decimal
        if sample.text.hasSuffix("E100") {
            #expect(try transcode(decimal, as: Double.self) == Double("340282366920938463463374607431768211455E100"))
        } else {
            #expect(try transcode(decimal, as: Double.self) == sample.double)
        }
        #expect(try transcode(["x": [decimal]], as: [String: [Double]].self)["x"]?.count == 1)
        #expect(try transcode(["x": decimal], as: [String: Double].self)["x"] == transcode(decimal, as: Double.self))
        if let float = sample.float {
            #expect(try transcode(decimal, as: Float.self) == float)
        } else {
            #expect(try failure(decoding: Float.self, fromArchiveOf: decimal).kind == .dataCorrupted)
        }
        if let integer = sample.integer {
            #expect(try transcode(decimal, as: Int.self) == integer)
            #expect(try transcode([decimal], as: [Int].self) == [integer])
        } else {
            let error = try failure(decoding: [Int].self, fromArchiveOf: [decimal])
            #expect(error.kind == .dataCorrupted && error.path == "[0]" && error.says("Int"), "\(error)")
        }
        #expect(try failure(decoding: Bool.self, fromArchiveOf: decimal).kind == .typeMismatch)
        #expect(try failure(decoding: String.self, fromArchiveOf: decimal).kind == .typeMismatch)
    }

    @Test func `convert as integers of every width`() throws {
        func check<Integer: FixedWidthInteger & Codable>(_ type: Integer.Type) throws {
            #expect(try transcode([Decimal(3), Decimal(127)], as: [Integer].self) == [3, 127])
            let large = try failure(decoding: Integer.self, fromArchiveOf: Decimal(text: "1E127"))
            #expect(large.kind == .dataCorrupted && large.says("\(Integer.self)"))
        }
        for type in integerTypes { try check(type) }
        #expect(try transcode(Decimal(text: "-9223372036854775808"), as: Int64.self) == .min)
        #expect(try transcode(Decimal(text: "18446744073709551615"), as: UInt64.self) == .max)
        #expect(try failure(decoding: UInt.self, fromArchiveOf: Decimal(-1)).kind == .dataCorrupted)
        #expect(try transcode(Decimal.nan, as: Double.self).isNaN)
        #expect(try transcode(Decimal.nan, as: Float.self).isNaN)
        #expect(try failure(decoding: Int.self, fromArchiveOf: Decimal.nan).kind == .dataCorrupted)
    }

    private struct Price: Codable, Equatable { var amount: Double, tax: Float }
    private struct ExactPrice: Codable, Equatable { var amount: Decimal, tax: Decimal }

    @Test func `replace each other as the type of a property`() throws {
        let price = Price(amount: 1.2, tax: 0.5)
        let exact = try transcode(price, as: ExactPrice.self)
        #expect(exact == ExactPrice(amount: Decimal(1.2), tax: Decimal(0.5)))
        #expect(try transcode(exact, as: Price.self) == price)
    }

    @Test func `convert in the keyed coders by the same rule`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Decimal(text: "19.99"), forKey: "decimal")
        try archiver.encode(Decimal(7), forKey: "seven")
        archiver.encode(1.2, forKey: "real")
        archiver.encode(UInt64.max, forKey: "large")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try unarchiver.decodeDouble(forKey: "decimal") == 19.99)
        #expect(try unarchiver.decodeFloat(forKey: "decimal") == 19.99)
        #expect(try unarchiver.decode(Double.self, forKey: "decimal") == 19.99)
        #expect(try unarchiver.decodeIfPresent(Double.self, forKey: "decimal") == 19.99)
        #expect(try unarchiver.decodeInteger(forKey: "seven") == 7)
        #expect(try unarchiver.decode(UInt8.self, forKey: "seven") == 7)
        #expect(try unarchiver.decode(Decimal.self, forKey: "real") == Decimal(1.2))
        #expect(try unarchiver.decodeDouble(forKey: "large") == 18_446_744_073_709_551_616)
        #expect(throws: ArchivingError.self) { try unarchiver.decodeInteger(forKey: "decimal") }
        #expect(throws: ArchivingError.self) { try unarchiver.decodeBool(forKey: "seven") }
        unarchiver.finishDecoding()
    }

    @Test func `that is an integer is the nearest real, as in JSON`() throws {
        for integer in [.max, 9_007_199_254_740_993, 9_223_372_036_854_775_809] as [UInt64] {
            let json = try JSONDecoder().decode([Double].self, from: JSONEncoder().encode([integer]))
            #expect(try transcode([integer], as: [Double].self) == json)
            #expect(json[0] == NSNumber(value: integer).doubleValue)
        }
    }

    @Test func `in GNUstep's form convert as well`() throws {
        let data = try handmadeArchive(
            ["$0": .uid(3), "$class": .uid(2)], classEntry("NSDecimalNumber", "NSNumber", "NSValue"), "19.99")
        #expect(try ArchiveDecoder().decode(Double.self, from: data) == 19.99)
        // An object of another class with a text is no number.
        let other = try handmadeArchive(["$0": .uid(3), "$class": .uid(2)], classEntry("Price"), "19.99")
        #expect(try failure(decoding: Double.self, from: other).kind == .typeMismatch)
    }
}

extension Decimal {
    fileprivate init(text: String) {
        self = Decimal(string: text, locale: nil) ?? .nan
    }
}
