// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Numbers in the file` {
    /// A field of each type of number.
    struct Extremes: Codable, Equatable {
        var a = Int8.min, b = Int8.max, c = Int16.min, d = Int16.max, e = Int32.min, f = Int32.max
        var g = Int64.min, h = Int64.max, i = Int128.min, j = Int128.max, k = Int.min, l = Int.max
        var m = UInt8.max, n = UInt16.max, o = UInt32.max, p = UInt64.max, q = UInt.max
        var r = UInt128(Int128.max), s = UInt128.max
        var t = Int128(Int64.min) - 1, u = Int128(UInt64.max) + 1, v = Int128(UInt64.max)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `come back at their extremes`(format: PropertyListFormat) throws {
        #expect(try roundTrip(Extremes(), format: format) == Extremes())
    }

    @Test func `are stored as integers of their value`() throws {
        let fields = try InspectedArchive(of: Extremes()).objects[1]
        #expect(fields["a"] == -128)
        #expect(fields["g"] == .integer(Int128(Int64.min)))
        #expect(fields["i"] == .integer(.min))
        #expect(fields["j"] == .integer(.max))
        #expect(fields["p"] == .integer(Int128(UInt64.max)))
        #expect(fields["r"] == .integer(.max))
        #expect(fields["u"] == .integer(18_446_744_073_709_551_616))
        #expect(fields["v"] == .integer(18_446_744_073_709_551_615))
    }

    @Test func `beyond the integers of the format are stored as their digits`() throws {
        let archive = try InspectedArchive(of: Extremes())
        #expect(archive.follow(archive.objects[1]["s"]) == "340282366920938463463374607431768211455")
        let values = [UInt128.max, UInt128(Int128.max) + 1, 0, UInt128(Int128.max), UInt128(UInt64.max)]
        #expect(try roundTrip(values) == values)
        #expect(try failure(decoding: [UInt128].self, fromArchiveOf: ["17"]).kind == .typeMismatch)
        #expect(try failure(decoding: [UInt64].self, fromArchiveOf: [UInt128.max]).kind != .other)
        #expect(
            try failure(decoding: [UInt128].self, fromArchiveOf: ["340282366920938463463374607431768211456"]).kind
                == .typeMismatch)
    }

    @Test func `take as few bytes as Foundation gives them`() throws {
        // 1, 2, 4 bytes unsigned, 8 signed, 16 for what is above Int64.max.
        for (value, bytes) in [
            (0, "10 00"), (255, "10 ff"), (256, "11 01 00"), (65_536, "12 00 01 00 00"),
            (-1, "13 ff ff ff ff ff ff ff ff"), (4_294_967_296, "13 00 00 00 01 00 00 00 00"),
        ] as [(Int, String)] {
            let data = try ArchiveEncoder().encode(["key": value])
            #expect(data.range(of: Data(hex(bytes))) != nil, "\(value)")
        }
        let large = try ArchiveEncoder().encode(UInt64.max)
        #expect(large.range(of: Data(hex("14 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff"))) != nil)
    }

    struct Reals: Codable {
        var zero = 0.0, negativeZero = -0.0, infinity = Double.infinity, negativeInfinity = -Double.infinity
        var nan = Double.nan, least = Double.leastNonzeroMagnitude, greatest = Double.greatestFiniteMagnitude
        var tenth = 0.1, floatTenth: Float = 0.1, floatNan = Float.nan, floatNegativeZero: Float = -0.0
        var floatInfinity = Float.infinity
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `that are real come back to the last bit`(format: PropertyListFormat) throws {
        let again = try roundTrip(Reals(), format: format)
        #expect(again.zero.bitPattern == 0)
        #expect(again.negativeZero.bitPattern == 1 << 63)
        #expect(again.infinity == .infinity)
        #expect(again.negativeInfinity == -.infinity)
        #expect(again.nan.isNaN)
        #expect(again.least.bitPattern == 1)
        #expect(again.greatest == 1.7976931348623157e308)
        #expect(again.tenth == 0.1)
        #expect(again.floatTenth == 0.1)
        #expect(again.floatNan.isNaN)
        #expect(again.floatNegativeZero.bitPattern == 1 << 31)
        #expect(again.floatInfinity == .infinity)
        let elements = [0.0, -0.0, .nan, 1.5, .signalingNaN]
        let elementsAgain = try roundTrip(elements, format: format)
        #expect(elementsAgain[1].sign == .minus)
        #expect(elementsAgain[0].sign == .plus)
        #expect(elementsAgain[2].isNaN && elementsAgain[4].isNaN)
    }

    @Test func `of NaN keep their payload in the binary format`() throws {
        let value = Double(bitPattern: 0x7FF8_0000_0000_0123)
        #expect(try roundTrip([value])[0].bitPattern == value.bitPattern)
        #expect(try roundTrip(["x": value])["x"]?.bitPattern == value.bitPattern)
    }

    @Test func `keep their width: Double is 64 bits, Float 32`() throws {
        let fields = try InspectedArchive(of: Reals()).objects[1]
        #expect(fields["tenth"] == 0.1)
        #expect(fields["floatTenth"] == .real32(0.1))
        #expect(fields["negativeZero"] == -0.0)
        #expect(fields["zero"] == 0.0)
    }

    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        @Test(arguments: PropertyListFormat.allCases)
        func `of 16 bits are reals of 32`(format: PropertyListFormat) throws {
            struct Fields: Codable, Equatable {
                var half: Float16 = 0.5, tenth: Float16 = 0.1, list: [Float16] = [.infinity, -0.0, 1, 65504]
            }
            #expect(try roundTrip(Fields(), format: format) == Fields())
            let fields = try InspectedArchive(of: Fields()).objects[1]
            #expect(fields["half"] == .real32(0.5))
            #expect(try roundTrip([Float16.nan], format: format)[0].isNaN)
            #expect(try roundTrip([Float16(-0.0)], format: format)[0].sign == .minus)
            let error = try failure(decoding: Float16.self, fromArchiveOf: Float(100_000))
            #expect(error.kind == .dataCorrupted)
        }
    #endif

    @Test func `come back from unkeyed containers, one by one`() throws {
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Int8.min)
            try container.encode(Int16.min)
            try container.encode(Int32.min)
            try container.encode(Int64.min)
            try container.encode(Int128.min)
            try container.encode(UInt8.max)
            try container.encode(UInt16.max)
            try container.encode(UInt32.max)
            try container.encode(UInt64.max)
            try container.encode(UInt.max)
            try container.encode(UInt128.max)
        }
        try decoding(archiveOf: value) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try container.decode(Int8.self) == .min)
            #expect(try container.decode(Int16.self) == .min)
            #expect(try container.decode(Int32.self) == .min)
            #expect(try container.decode(Int64.self) == .min)
            #expect(try container.decode(Int128.self) == .min)
            #expect(try container.decode(UInt8.self) == .max)
            #expect(try container.decode(UInt16.self) == .max)
            #expect(try container.decode(UInt32.self) == .max)
            #expect(try container.decode(UInt64.self) == .max)
            #expect(try container.decode(UInt.self) == .max)
            #expect(try container.decode(UInt128.self) == .max)
            #expect(container.isAtEnd)
        }
    }
}
