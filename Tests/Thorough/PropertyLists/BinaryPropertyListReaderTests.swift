// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `A binary property list that is read` {
    @Test(
        arguments: [
            ("00", .null), ("08", false), ("09", true),
            // 1, 2 and 4 bytes are unsigned.
            ("1000", 0), ("10ff", 255), ("110001", 1), ("11ffff", 65_535), ("1200000001", 1),
            ("12ffffffff", 4_294_967_295),
            // 8 bytes are signed.
            ("130000000000000001", 1), ("137fffffffffffffff", .integer(Int128(Int64.max))), ("13ffffffffffffffff", -1),
            ("138000000000000000", .integer(Int128(Int64.min))),
            // So are 16.
            ("1400000000000000000000000000000007", 7),
            ("140000000000000000ffffffffffffffff", .integer(Int128(UInt64.max))),
            ("1400000000000000010000000000000000", .integer(Int128(1) << 64)),
            ("14ffffffffffffffffffffffffffffffff", -1),
            ("14ffffffffffffffff7fffffffffffffff", .integer(Int128(Int64.min) - 1)),
            ("147fffffffffffffffffffffffffffffff", .integer(.max)),
            ("1480000000000000000000000000000000", .integer(.min)),
            ("223fc00000", .real32(1.5)), ("2280000000", .real32(-0.0)), ("227f800000", .real32(.infinity)),
            ("227fc00001", .real32(Float(bitPattern: 0x7FC0_0001))), ("233ff8000000000000", 1.5),
            ("238000000000000000", .real(-0.0)), ("23fff0000000000000", .real(-.infinity)),
            ("237ff8000000000123", .real(Double(bitPattern: 0x7FF8_0000_0000_0123))),
            ("3341c062d3c8000000", .date(Date(timeIntervalSinceReferenceDate: 549_824_400))),
            ("33bfe0000000000000", .date(Date(timeIntervalSinceReferenceDate: -0.5))),
            ("337ff8000000000000", .date(Date(timeIntervalSinceReferenceDate: .nan))),
            ("337ff0000000000000", .date(Date(timeIntervalSinceReferenceDate: .infinity))),
            ("33fff0000000000000", .date(Date(timeIntervalSinceReferenceDate: -.infinity))),
            ("40", .data(Data())), ("4300ff10", .data(Data([0, 255, 16]))), ("50", ""),
            ("5541004220ff", "A\0B \u{FFFD}"),
            ("52c3a9", "é"), ("60", ""), ("610041", "A"), ("6265e5672c", "日本"), ("62d834dd1e", "𝄞"),
            ("61d800", "\u{FFFD}"), ("61dc00", "\u{FFFD}"), ("62d8000041", "\u{FFFD}A"),
            ("62dd1ed834", "\u{FFFD}\u{FFFD}"),
            ("63d834d834dd1e", "\u{FFFD}𝄞"), ("a0", []), ("c0", .set([])), ("d0", [:]),
        ] as [(String, PropertyList)])
    func `says what its object says`(object: String, expected: PropertyList) throws {
        #expect(try propertyList(BinaryFile(hex(object)).bytes) == expected)
    }

    @Test(arguments: 1...16)
    func `has uids of any width`(width: Int) throws {
        var object = [0x80 | UInt8(width - 1)] + [UInt8](repeating: 0, count: width)
        object[width] = 0x2A
        #expect(try propertyList(BinaryFile(object).bytes) == .uid(42))
        for index in max(1, width - 3)...width { object[index] = 0xFF }
        let largest = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(8 * min(width, 4))) - 1)
        #expect(try propertyList(BinaryFile(object).bytes) == .uid(largest))
        guard width > 4 else { return }
        for index in 1...(width - 4) {
            object[index] = 1
            #expect(propertyListError(reading: BinaryFile(object).bytes) == PropertyListError(.uidOutOfRange, at: 8))
            object[index] = 0
        }
    }

    /// A dictionary with all that has references, in the given widths.
    private func nested(offsetSize: Int, referenceSize: Int) -> BinaryFile {
        func references(_ numbers: UInt64...) -> [UInt8] {
            numbers.flatMap { BinaryFile.number($0, size: referenceSize) }
        }
        return BinaryFile(
            [0xD2] + references(1, 2, 3, 4), hex("5161"), hex("5162"), [0xA3] + references(5, 6, 5),
            [0xC1] + references(1), hex("1007"), [0xD1] + references(2, 1), offsetSize: offsetSize,
            referenceSize: referenceSize)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 16], [1, 2, 3, 4, 5, 7, 8, 9, 16])
    func `has offsets and references of any width`(offsetSize: Int, referenceSize: Int) throws {
        let expected: PropertyList = ["a": [7, ["b": "a"], 7], "b": .set(["a"])]
        #expect(try propertyList(nested(offsetSize: offsetSize, referenceSize: referenceSize).bytes) == expected)
    }

    @Test(arguments: [1, 2, 4, 8, 16, 32, 64])
    func `has counts of any width`(width: Int) throws {
        let logarithm = UInt8(width.trailingZeroBitCount)
        let count = [0x10 | logarithm] + [UInt8](repeating: 0, count: width - 1) + [3]
        #expect(try propertyList(BinaryFile([0x4F] + count + [1, 2, 3]).bytes) == .data(Data([1, 2, 3])))
        #expect(try propertyList(BinaryFile([0x5F] + count + Array("abc".utf8)).bytes) == "abc")
        #expect(try propertyList(BinaryFile([0x6F] + count + hex("00610062d800")).bytes) == "ab\u{FFFD}")
        #expect(try propertyList(BinaryFile([0xAF] + count + [1, 1, 1], [0x09]).bytes) == [true, true, true])
        #expect(try propertyList(BinaryFile([0xCF] + count + [1, 1, 1], [0x09]).bytes) == .set([true, true, true]))
        let dictionary = BinaryFile([0xDF] + count + [1, 2, 1, 0x02, 0x01, 0x02], hex("5161"), hex("5162"))
        #expect(
            try propertyList(dictionary.bytes)
                == .dictionary(.init([(key: "a", value: "b"), (key: "b", value: "a"), (key: "a", value: "b")])))
    }

    @Test func `may have one object under several numbers, and objects within objects`() throws {
        // The second object is the fifth too, and the sixth starts within the second: its "E" is no marker, its 0x10 is.
        var file = BinaryFile(hex("a401020304"), hex("541005 1006"))
        file.offsets = [8, 13, 13, 14, 16]
        #expect(try propertyList(file.bytes) == ["\u{10}\u{5}\u{10}\u{6}", "\u{10}\u{5}\u{10}\u{6}", 5, 6])
    }

    @Test func `may have objects that nothing refers to, in any order`() throws {
        var file = BinaryFile(hex("5161"), hex("09"), hex("a100"))
        file.top = 2
        #expect(try propertyList(file.bytes) == ["a"])
    }

    @Test func `may have any second digit of version 0`() throws {
        var file = BinaryFile(hex("09"))
        file.header = Array("bplist01".utf8)
        #expect(try propertyList(file.bytes) == true)
        file.header = Array("bplist0?".utf8)
        #expect(try propertyList(file.bytes) == true)
    }

    @Test func `keeps entries with the same key, in the order of the file`() throws {
        let file = BinaryFile(hex("d3 010201 030403"), hex("5162"), hex("5161"), hex("1001"), hex("1002"))
        let list = try propertyList(file.bytes)
        guard case .dictionary(let dictionary) = list else {
            Issue.record("no dictionary")
            return
        }
        #expect(dictionary.keys == ["b", "a", "b"])
        #expect(dictionary["b"] == 1)
        #expect(try propertyList(Array(list.data())) == list)
    }

    @Test func `distinguishes ASCII strings without creating them`() throws {
        let file = BinaryFile(hex("5542656c6c61")).bytes
        let reader = try BinaryPropertyListReader(StoredBytes(Data(file)))
        let node = try reader.node(reader.top)
        #expect(reader.objects.isString(node, "Bella"))
        #expect(!reader.objects.isString(node, "Bell"))
        #expect(!reader.objects.isString(node, "Stella"))
    }
}
