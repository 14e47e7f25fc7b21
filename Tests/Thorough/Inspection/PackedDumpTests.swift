// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Packed numbers in a tree` {
    private func text(_ data: Data, byteLimit: Int = 16) throws -> String {
        let archive = try openArchive(top: ["a": .uid(1)], .data(data))
        return archive.text(KeyedArchive.DumpOptions(byteLimit: byteLimit))
    }

    @Test(arguments: [
        ("i8", "0100000000000000 feffffffffffffff", "packed 2 × Int64 [1, -2]"),
        ("i1", "ff7f80", "packed 3 × Int8 [-1, 127, -128]"), ("i2", "feff 0201", "packed 2 × Int16 [-2, 258]"),
        ("i4", "00000080", "packed 1 × Int32 [-2147483648]"),
        ("u8", "ffffffffffffffff", "packed 1 × UInt64 [18446744073709551615]"),
        ("u1", "ff", "packed 1 × UInt8 [255]"), ("u2", "ffff", "packed 1 × UInt16 [65535]"),
        ("u4", "ffffffff", "packed 1 × UInt32 [4294967295]"),
        ("f4", "0000003f cdcccc3d 0000807f", "packed 3 × Float [0.5, 0.1, inf]"),
        ("f8", "000000000000f83f 0000000000000040", "packed 2 × Double [1.5, 2.0]"), ("f8", "", "packed 0 × Double []"),
    ])
    func `are shown as what they are`(element: String, bytes: String, expected: String) throws {
        #expect(try text(packedData(element, hex(bytes))) == "a: \(expected)")
    }

    @Test(arguments: [
        (16, "packed 3 × Double [0.0, 0.0, …]"), (23, "packed 3 × Double [0.0, 0.0, …]"),
        (24, "packed 3 × Double [0.0, 0.0, 0.0]"), (1, "packed 3 × Double [0.0, …]"), (0, "packed 3 × Double"),
        (-1, "packed 3 × Double"), (.max, "packed 3 × Double [0.0, 0.0, 0.0]"),
    ])
    func `are shown as far as their bytes would be`(limit: Int, expected: String) throws {
        #expect(try text(packedData("f8", Array(repeating: 0, count: 24)), byteLimit: limit) == "a: \(expected)")
    }

    @Test func `are data where they are damaged`() throws {
        #expect(try text(packedData("f8", [1])) == "a: 9 bytes <7061636b 65646638 01>")
        #expect(try text(packedData("f2")) == "a: 8 bytes \"packedf2\"")
    }

    @Test func `are shown in objects of a class of data`() throws {
        let archive = try openArchive(
            ["NS.data": .data(packedData("u1", [7])), "$class": .uid(2)], classEntry("NSMutableData", "NSData"))
        #expect(archive.text() == "root: NSMutableData #1 packed 1 × UInt8 [7]")
    }
}
