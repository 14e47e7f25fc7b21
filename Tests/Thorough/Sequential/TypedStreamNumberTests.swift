// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

/// Integers and numbers with a fraction, byte by byte.
@Suite(.inTurn) struct `Numbers in a typedstream` {
    /// A type, the number, and the bytes in a little-endian file: a byte that says what follows, and the number.
    struct Row: CustomTestStringConvertible, Sendable {
        let type: String
        let value: TypedStream.Value
        let bytes: String

        var testDescription: String { "\(type) \(value)" }

        /// The file in which a group has this number alone. What is behind the first byte is turned around in a big-endian
        /// one.
        func file(_ byteOrder: TypedStream.ByteOrder) -> Data {
            let bytes = hex(bytes)
            let number = byteOrder == .littleEndian ? Array(bytes.dropFirst()) : bytes.dropFirst().reversed()
            return streamFile([0x84, 1, type.utf8.first ?? 0, bytes[0]] + number, byteOrder)
        }
    }

    private static func signed(_ type: String, _ rows: [(Int64, String)]) -> [Row] {
        rows.map { Row(type: type, value: .integer($0.0), bytes: $0.1) }
    }

    private static func unsigned(_ type: String, _ rows: [(UInt64, String)]) -> [Row] {
        rows.map { Row(type: type, value: .unsigned($0.0), bytes: $0.1) }
    }

    private static let small: [(Int64, String)] = [
        (0, "00"), (1, "01"), (-1, "FF"), (127, "7F"), (128, "81 8000"), (255, "81 FF00"), (256, "81 0001"),
        (-110, "92"), (-111, "81 91FF"), (-112, "81 90FF"), (-127, "81 81FF"), (-128, "81 80FF"), (-129, "81 7FFF"),
        (32767, "81 FF7F"), (-32768, "81 0080"),
    ]
    private static let medium: [(Int64, String)] = [
        (32768, "82 00800000"), (-32769, "82 FF7FFFFF"), (65535, "82 FFFF0000"), (100_000, "82 A0860100"),
        (2_147_483_647, "82 FFFFFF7F"), (-2_147_483_648, "82 00000080"),
    ]
    private static let large: [(Int64, String)] = [
        (2_147_483_648, "87 0000008000000000"), (-2_147_483_649, "87 FFFFFF7FFFFFFFFF"),
        (4_294_967_295, "87 FFFFFFFF00000000"), (-9_000_000_000, "87 00E68EE7FDFFFFFF"),
        (.max, "87 FFFFFFFFFFFFFF7F"), (.min, "87 0000000000000080"),
    ]

    static let integers: [Row] =
        signed("s", small) + signed("i", small + medium) + signed("l", small + medium + large)
        + signed("q", small + medium + large)
        // These are single bytes, whatever they are.
        + signed("c", [(0, "00"), (127, "7F"), (-1, "FF"), (-110, "92"), (-111, "91"), (-124, "84"), (-128, "80")])
        + unsigned("C", [(0, "00"), (127, "7F"), (128, "80"), (132, "84"), (145, "91"), (255, "FF")])
        + unsigned("B", [(0, "00"), (1, "01")])
        // Without a sign, numbers are stored as if they had one.
        + unsigned(
            "S",
            [
                (0, "00"), (127, "7F"), (128, "81 8000"), (253, "81 FD00"), (255, "81 FF00"), (32767, "81 FF7F"),
                (32768, "81 0080"), (65425, "81 91FF"), (65426, "92"), (65533, "FD"), (65535, "FF"),
            ])
        + unsigned(
            "I",
            [
                (0, "00"), (127, "7F"), (128, "81 8000"), (253, "81 FD00"), (32768, "82 00800000"),
                (65535, "82 FFFF0000"), (2_147_483_647, "82 FFFFFF7F"), (2_147_483_648, "82 00000080"),
                (4_294_934_528, "81 0080"), (4_294_967_185, "81 91FF"), (4_294_967_186, "92"), (4_294_967_295, "FF"),
            ])
        + unsigned(
            "L",
            [
                (0, "00"), (253, "81 FD00"), (2_147_483_648, "82 00000080"), (4_294_967_295, "FF"),
                (4_294_967_296, "87 0000000001000000"), (1 << 63, "87 0000000000000080"),
            ])
        + unsigned(
            "Q",
            [
                (0, "00"), (253, "81 FD00"), (2_147_483_647, "82 FFFFFF7F"), (2_147_483_648, "87 0000008000000000"),
                (4_294_967_295, "87 FFFFFFFF00000000"), (1 << 63, "87 0000000000000080"),
                (18_446_744_073_709_518_848, "81 0080"), (18_446_744_073_709_551_506, "92"),
                (18_446_744_073_709_551_613, "FD"), (.max, "FF"),
            ])

    private static func floats(_ rows: [(UInt32, String)]) -> [Row] {
        rows.map { Row(type: "f", value: .float(Float(bitPattern: $0.0)), bytes: $0.1) }
    }

    private static func doubles(_ rows: [(UInt64, String)]) -> [Row] {
        rows.map { Row(type: "d", value: .double(Double(bitPattern: $0.0)), bytes: $0.1) }
    }

    static let reals: [Row] =
        // 0, 1, -1, 100, 128, 2^24, -2^31: numbers without a fraction are stored as integers.
        floats([
            (0, "00"), (0x3F80_0000, "01"), (0xBF80_0000, "FF"), (0x42C8_0000, "64"), (0x4300_0000, "81 8000"),
            (0x4B80_0000, "82 00000001"), (0xCF00_0000, "82 00000080"),
        ])
        // 2^31, 0.5, -0, infinities, the usual NaN, two with something in them, the smallest.
        + floats([
            (0x4F00_0000, "83 0000004F"), (0x3F00_0000, "83 0000003F"), (0x8000_0000, "83 00000080"),
            (0x7F80_0000, "83 0000807F"), (0xFF80_0000, "83 000080FF"), (0x7FC0_0000, "83 0000C07F"),
            (0x7FC0_0001, "83 0100C07F"), (0xFFC0_1234, "83 3412C0FF"), (1, "83 01000000"),
        ])
        // 0, 1, -1, 1e9, 2^31 - 1, -2^31.
        + doubles([
            (0, "00"), (0x3FF0_0000_0000_0000, "01"), (0xBFF0_0000_0000_0000, "FF"),
            (0x41CD_CD65_0000_0000, "82 00CA9A3B"), (0x41DF_FFFF_FFC0_0000, "82 FFFFFF7F"),
            (0xC1E0_0000_0000_0000, "82 00000080"),
        ])
        // 2^31, -2^31 - 1, 1.5, 0.1, -0, infinities, NaNs.
        + doubles([
            (0x41E0_0000_0000_0000, "83 000000000000E041"), (0xC1E0_0000_0020_0000, "83 000020000000E0C1"),
            (0x3FF8_0000_0000_0000, "83 000000000000F83F"), (0x3FB9_9999_9999_999A, "83 9A9999999999B93F"),
            (0x8000_0000_0000_0000, "83 0000000000000080"), (0x7FF0_0000_0000_0000, "83 000000000000F07F"),
            (0xFFF0_0000_0000_0000, "83 000000000000F0FF"), (0x7FF8_0000_0000_0000, "83 000000000000F87F"),
            (0x7FF8_0000_0000_0123, "83 230100000000F87F"), (0x7FF0_0000_0000_0001, "83 010000000000F07F"),
        ])

    @Test(arguments: integers + reals)
    func `are stored in the fewest bytes, in both byte orders`(row: Row) throws {
        let group = try typedGroup(row.type, row.value)
        try expect(row.file(.littleEndian), is: handmadeStream([group]))
        try expect(row.file(.bigEndian), is: handmadeStream([group], byteOrder: .bigEndian))
    }

    @Test func `have the highest byte first in a big-endian file`() throws {
        let file = streamFile("84 04 'sifd' 81 0100  82 00010000  83 3FC00000  83 3FF8000000000000", .bigEndian)
        let group = try typedGroup("sifd", .integer(256), .integer(65536), .float(1.5), .double(1.5))
        try expect(file, is: handmadeStream([group], byteOrder: .bigEndian))
        let eight = try TypedStream(streamFile("84 01 'q' 87 0000000218711A00", .bigEndian))
        #expect(eight.groups[0].values == [.integer(9_000_000_000)])
    }

    static let wide: [(type: String, bytes: String, value: TypedStream.Value, shortest: String)] = [
        ("i", "81 0100", .integer(1), "01"), ("i", "82 01000000", .integer(1), "01"),
        ("i", "87 FFFFFFFFFFFFFFFF", .integer(-1), "FF"), ("s", "87 0100000000000000", .integer(1), "01"),
        ("q", "82 FFFF0000", .integer(65535), "82 FFFF0000"), ("q", "81 6400", .integer(100), "64"),
        ("S", "82 FFFF0000", .unsigned(65535), "FF"), ("I", "87 FFFFFFFF00000000", .unsigned(4_294_967_295), "FF"),
        ("I", "82 FFFFFFFF", .unsigned(4_294_967_295), "FF"), ("L", "87 00000000 01000000", .unsigned(1 << 32), ""),
        ("f", "83 0000803F", .float(1), "01"), ("f", "87 0000000000010000", .float(1_099_511_627_776), "83 0000 8053"),
        ("d", "83 000000000000F03F", .double(1), "01"),
        ("d", "87 0000000000010000", .double(1_099_511_627_776), "83 0000000000007042"),
    ]

    @Test(arguments: wide)
    func `in more bytes than they need are read`(
        type: String, bytes: String, value: TypedStream.Value, shortest: String
    ) throws {
        let read = try TypedStream(streamFile("84 01 '\(type)' \(bytes)"))
        #expect(read.groups == [try typedGroup(type, value)])
        let written = shortest.isEmpty ? bytes : shortest
        #expect(try read.data() == streamFile("84 01 '\(type)' \(written)"))
    }

    static let refused: [(type: String, bytes: String)] = [
        ("s", "82 00800000"), ("s", "82 FF7FFFFF"), ("s", "87 0000000001000000"), ("i", "87 0000008000000000"),
        ("i", "87 FFFFFF7FFFFFFFFF"), ("S", "82 00000100"), ("S", "82 FF7FFFFF"), ("I", "87 0000000001000000"),
        ("I", "87 FFFFFF7FFFFFFFFF"),
        // 2^24 + 1 and 2^63 - 1, which the types do not hold.
        ("f", "82 01000001"), ("d", "87 FFFFFFFFFFFFFF7F"),
        // Bytes that announce something else, or nothing that is known.
        ("i", "83 00000000"), ("i", "84"), ("i", "85"), ("i", "86"), ("i", "80"), ("i", "88"), ("i", "91"), ("d", "84"),
        ("f", "85"), ("q", "83 0000000000000000"),
    ]

    @Test(arguments: refused)
    func `that a type does not hold are refused`(type: String, bytes: String) {
        expectRefusal(streamFile("84 01 '\(type)' \(bytes)"), .badValue, at: 19)
    }

    @Test(arguments: ["i 81", "i 81 00", "q 82 000000", "q 87 00000000000000", "f 83 000000", "d 83 00000000000000"])
    func `that end too early are refused`(row: String) {
        let bytes = row.dropFirst(2)
        expectRefusal(streamFile("84 01 '\(row.prefix(1))' \(bytes)"), .truncated, at: 20)
    }

    @Test func `are equal if all their bits are`() {
        #expect(TypedStream.Value.double(0) != .double(-0.0))
        #expect(TypedStream.Value.float(.nan) == .float(.nan))
        #expect(TypedStream.Value.double(Double(nan: 1, signaling: false)) != .double(.nan))
        #expect(TypedStream.Value.integer(1) != .unsigned(1))
        #expect(TypedStream.Value.float(1) != .double(1))
    }
}
