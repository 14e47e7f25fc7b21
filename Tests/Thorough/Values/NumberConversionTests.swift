// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A number` {
    /// A value in an archive, which is read as every type of number.
    struct Sample: CustomTestStringConvertible, Sendable {
        let stored: PropertyList
        /// The types of number that the value becomes: integers exactly, reals as the nearest number.
        let fits: Set<String>

        init(_ stored: PropertyList, _ fits: String) {
            self.stored = stored
            self.fits = Set(fits.split(separator: " ").map(String.init))
        }

        var testDescription: String { "\(stored)" }
    }

    /// Types a whole number may fit, by their widths. `D` and `F` are Double and Float.
    private static let all =
        "Int8 Int16 Int32 Int64 Int128 Int UInt8 UInt16 UInt32 UInt64 UInt128 UInt Double Float"

    static let samples: [Sample] = [
        Sample(0, all), Sample(3, all), Sample(127, all),
        Sample(-1, "Int8 Int16 Int32 Int64 Int128 Int Double Float"),
        Sample(-128, "Int8 Int16 Int32 Int64 Int128 Int Double Float"),
        Sample(-129, "Int16 Int32 Int64 Int128 Int Double Float"),
        Sample(128, "Int16 Int32 Int64 Int128 Int UInt8 UInt16 UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(255, "Int16 Int32 Int64 Int128 Int UInt8 UInt16 UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(300, "Int16 Int32 Int64 Int128 Int UInt16 UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(32_768, "Int32 Int64 Int128 Int UInt16 UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(65_536, "Int32 Int64 Int128 Int UInt32 UInt64 UInt128 UInt Double Float"),
        // 2^24 + 1 is the first whole number that Float rounds, 2^53 + 1 the first that Double rounds.
        Sample(16_777_216, "Int32 Int64 Int128 Int UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(16_777_217, "Int32 Int64 Int128 Int UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(-16_777_217, "Int32 Int64 Int128 Int Double Float"),
        Sample(2_147_483_648, "Int64 Int128 Int UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(-2_147_483_649, "Int64 Int128 Int Double Float"),
        Sample(4_294_967_296, "Int64 Int128 Int UInt64 UInt128 UInt Double Float"),
        Sample(9_007_199_254_740_992, "Int64 Int128 Int UInt64 UInt128 UInt Double Float"),
        Sample(9_007_199_254_740_993, "Int64 Int128 Int UInt64 UInt128 UInt Double Float"),
        Sample(.integer(Int128(Int64.max)), "Int64 Int128 Int UInt64 UInt128 UInt Double Float"),
        Sample(.integer(Int128(Int64.min)), "Int64 Int128 Int Double Float"),
        Sample(.integer(Int128(Int64.max) + 1), "Int128 UInt64 UInt128 UInt Double Float"),
        Sample(.integer(Int128(UInt64.max)), "Int128 UInt64 UInt128 UInt Double Float"),
        Sample(.integer(Int128(UInt64.max) + 1), "Int128 UInt128 Double Float"),
        Sample(.integer(Int128(Int64.min) - 1), "Int128 Double Float"),
        Sample(.integer(.max), "Int128 UInt128 Double Float"),
        Sample(.integer(.min), "Int128 Double Float"),
        Sample(3.0, all), Sample(-3.0, "Int8 Int16 Int32 Int64 Int128 Int Double Float"),
        Sample(1.5, "Double Float"), Sample(0.1, "Double Float"),
        Sample(255.0, "Int16 Int32 Int64 Int128 Int UInt8 UInt16 UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(256.0, "Int16 Int32 Int64 Int128 Int UInt16 UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(16_777_217.0, "Int32 Int64 Int128 Int UInt32 UInt64 UInt128 UInt Double Float"),
        // 2^63, 2^64, 2^127 and 2^128 as reals.
        Sample(9_223_372_036_854_775_808.0, "Int128 UInt64 UInt128 UInt Double Float"),
        Sample(-9_223_372_036_854_775_808.0, "Int64 Int128 Int Double Float"),
        Sample(18_446_744_073_709_551_616.0, "Int128 UInt128 Double Float"),
        Sample(.real(0x1p127), "UInt128 Double Float"), Sample(.real(0x1p128), "Double"),
        Sample(.real(-0x1p127), "Int128 Double Float"),
        Sample(.real(.infinity), "Double Float"), Sample(.real(-.infinity), "Double Float"),
        Sample(.real(.nan), "Double Float"), Sample(.real(.greatestFiniteMagnitude), "Double"),
        Sample(.real(.leastNonzeroMagnitude), "Double Float"),
        Sample(.real32(3), all), Sample(.real32(1.5), "Double Float"), Sample(.real32(0.1), "Double Float"),
        Sample(.real32(.infinity), "Double Float"), Sample(.real32(.nan), "Double Float"),
        Sample(.real32(16_777_216), "Int32 Int64 Int128 Int UInt32 UInt64 UInt128 UInt Double Float"),
        Sample(true, ""), Sample(false, ""), Sample("3", ""), Sample("", ""), Sample(.data(Data([3])), ""),
        Sample(["NS.objects": [], "$class": .uid(2)], ""), Sample([], ""), Sample([:], ""),
    ]

    @Test(arguments: samples)
    func `becomes another type of number by one rule, whichever coder reads it`(sample: Sample) throws {
        let entry = classEntry("NSArray")
        func check<Number: Decodable & Equatable>(_ type: Number.Type, _ expected: Number?) throws {
            // As a leaf, as an element, and inline as a field.
            let leaf = try handmadeArchive(sample.stored, entry)
            let element = try handmadeArchive(["NS.objects": [.uid(3)], "$class": .uid(2)], entry, sample.stored)
            let field = try handmadeArchive(["x": sample.stored, "$class": .uid(3)], entry, ["$classname": "A"])
            if sample.fits.contains("\(type)") {
                func isExpected(_ value: Number?) -> Bool {
                    value == expected || sample.isNaN && value != value && expected != expected
                }
                #expect(isExpected(try ArchiveDecoder().decode(type, from: leaf)))
                #expect(isExpected(try ArchiveDecoder().decode([Number].self, from: element).first))
                #expect(isExpected(try ArchiveDecoder().decode([String: Number].self, from: field)["x"]))
                let inField = try decoding(field) { try $0.container(keyedBy: AnyKey.self).decode(type, forKey: "x") }
                #expect(isExpected(inField))
                #expect(isExpected(try unarchived(type, sample.stored)))
            } else {
                let kind: CodingFailure.Kind = sample.isNumber ? .dataCorrupted : .typeMismatch
                for error in [
                    try failure(decoding: type, from: leaf), try failure(decoding: [Number].self, from: element),
                    try failure(decoding: [String: Number].self, from: field),
                ] {
                    #expect(error.kind == kind)
                    #expect(error.says("\(type)"))
                }
                do {
                    _ = try unarchived(type, sample.stored)
                    Issue.record("\(sample.stored) is no \(type)")
                } catch let error as ArchivingError {
                    #expect(error.code == (sample.isNumber ? .numberOutOfRange : .typeMismatch))
                }
            }
        }
        func checkInteger<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
            let expected = sample.value.flatMap { Number(exactly: $0) }
            try check(type, expected ?? sample.large.flatMap { Number(exactly: $0) })
        }
        for type in integerTypes { try checkInteger(type) }
        try check(Double.self, sample.real)
        try check(Float.self, sample.value.map { Float($0) } ?? Float(sample.real))
    }

    /// The number that `KeyedUnarchiver` reads, by the method for its type.
    private func unarchived<Number>(_ type: Number.Type, _ stored: PropertyList) throws -> Number? {
        let unarchiver = try KeyedUnarchiver(
            forReadingFrom: handmadeArchive(top: ["x": stored, "y": .uid(1)], stored))
        func read<Leaf: ArchivableLeaf>(_ type: Leaf.Type) throws -> Number? {
            let inline = try unarchiver.decode(type, forKey: "x")
            let present = try unarchiver.decodeIfPresent(type, forKey: "y")
            let leaf = try #require(present)
            #expect("\(leaf)" == "\(inline)")
            return inline as? Number
        }
        let leaf = try #require(type as? any ArchivableLeaf.Type)
        return try read(leaf)
    }

    @Test(
        arguments: [
            (true, true), (false, false), (1, nil), (0, nil), (1.0, nil), (.real32(0), nil), ("true", nil),
            ("YES", nil),
            ("1", nil), ([], nil), (.data(Data([1])), nil),
        ] as [(PropertyList, Bool?)])
    func `is never a Bool`(stored: PropertyList, expected: Bool?) throws {
        let leaf = try handmadeArchive(stored)
        let field = try handmadeArchive(["x": stored, "y": .uid(2)], stored)
        if let expected {
            #expect(try ArchiveDecoder().decode(Bool.self, from: leaf) == expected)
            #expect(
                try ArchiveDecoder().decode([String: Bool].self, from: field) == ["x": expected, "y": expected])
        } else {
            let error = try failure(decoding: Bool.self, from: leaf)
            #expect(error.kind == .typeMismatch)
            #expect(error.type == Bool.self)
            #expect(try failure(decoding: [String: Bool].self, from: field).kind == .typeMismatch)
        }
    }

    @Test func `that does not fit is described with its value, the type and the place`() throws {
        let narrow = try failure(decoding: [String: [UInt8]].self, fromArchiveOf: ["ages": [3, 300]])
        #expect(narrow.kind == .dataCorrupted)
        #expect(narrow.path == "ages[1]")
        #expect(narrow.says("300", "UInt8", "ages[1]"))
        let fraction = try failure(decoding: [String: Int].self, fromArchiveOf: ["x": 1.5])
        #expect(fraction.says("1.5", "Int", "x"))
        let flag = try failure(decoding: [String: Int].self, fromArchiveOf: ["x": true])
        #expect(flag.kind == .typeMismatch)
        #expect(flag.type == Int.self)
        #expect(flag.says("true", "Int", "x"))
        let number = try failure(decoding: [String: Bool].self, fromArchiveOf: ["x": 1])
        #expect(number.says("1", "Bool", "x"))
        let large = try failure(decoding: [Int].self, fromArchiveOf: [UInt64.max])
        #expect(large.says("18446744073709551615", "Int"))
        let wide = try failure(decoding: [UInt64].self, fromArchiveOf: [Int128.max])
        #expect(wide.says("170141183460469231731687303715884105727", "UInt64"))
    }
}

extension `A number`.Sample {
    fileprivate var isNumber: Bool {
        switch stored {
        case .integer, .real, .real32: true
        default: false
        }
    }

    fileprivate var isNaN: Bool { real.isNaN }

    /// The whole number, where it is one that Int128 holds.
    fileprivate var value: Int128? {
        switch stored {
        case .integer(let value): value
        case .real(let value): Int128(exactly: value)
        case .real32(let value): Int128(exactly: value)
        default: nil
        }
    }

    /// The whole number that only UInt128 holds.
    fileprivate var large: UInt128? {
        if case .real(let value) = stored { UInt128(exactly: value) } else { nil }
    }

    fileprivate var real: Double {
        switch stored {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .real32(let value): Double(value)
        default: 0
        }
    }
}
