// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `A damaged binary property list` {
    /// A file with every kind of object in it.
    private static let sample: PropertyList = [
        "null": .null, "flags": [true, false], "numbers": [1, -1, 70_000, .integer(.max), 1.5, .real32(2.5)],
        "text": ["ASCII, longer than fifteen characters", "ěščř"],
        "date": .date(Date(timeIntervalSinceReferenceDate: 1)),
        "data": .data(Data(0..<40)), "uid": .uid(300), "set": .set(["a"]), "empty": [[], [:]],
    ]

    @Test func `is refused wherever it is cut off`() throws {
        let file = Array(try Self.sample.data())
        for count in 0..<file.count {
            let error = propertyListError(reading: Array(file[..<count]))
            #expect(error != nil, "\(count) bytes")
        }
    }

    @Test func `is refused or read, but never traps, whatever byte is changed to whatever`() throws {
        let file = Array(try Self.sample.data())
        for position in file.indices {
            for byte in [0x00, 0x01, 0x0F, 0x10, 0x1F, 0x4F, 0x5F, 0x6F, 0x7F, 0x80, 0xAF, 0xD0, 0xDF, 0xFF] as [UInt8]
            {
                var damaged = file
                damaged[position] = byte
                _ = propertyListError(reading: damaged)
                damaged[position] = file[position] ^ byte
                _ = propertyListError(reading: damaged)
            }
        }
    }

    @Test(arguments: [
        "", "b", "bplist", "bplist00", "bplist1009", "bplist15", "hello, world, hello, world, hello, world",
    ])
    func `says so where it is none`(text: String) {
        let expected: PropertyListError.Defect = text == "bplist00" ? .truncated : .notAPropertyList
        #expect(propertyListError(reading: Array(text.utf8))?.defect == expected)
    }

    @Test(arguments: [0, 17, 255] as [UInt8])
    func `says so where widths are out of range`(size: UInt8) {
        // The trailer starts behind the object at 8 and its offset at 9.
        var file = BinaryFile(hex("09"))
        file.trailerOffsetSize = size
        #expect(propertyListError(reading: file.bytes) == PropertyListError(.badTrailer, at: 16, found: Int(size)))
        file.trailerOffsetSize = nil
        file.trailerReferenceSize = size
        #expect(propertyListError(reading: file.bytes) == PropertyListError(.badTrailer, at: 17, found: Int(size)))
    }

    @Test(arguments: [0, 2, 1 << 61, 1 << 63, .max] as [UInt64])
    func `says so where the number of objects is out of range`(count: UInt64) {
        var file = BinaryFile(hex("09"))
        file.objectCount = count
        #expect(
            propertyListError(reading: file.bytes)
                == PropertyListError(.badTrailer, at: 18, found: Int(clamping: count)))
    }

    @Test(arguments: [1, 2, 1 << 63, .max] as [UInt64])
    func `says so where the top object is out of range`(top: UInt64) {
        var file = BinaryFile(hex("09"))
        file.top = top
        #expect(
            propertyListError(reading: file.bytes) == PropertyListError(.badTrailer, at: 26, found: Int(clamping: top)))
    }

    @Test(arguments: [0, 7, 8, 10, 41, 42, 1 << 63, .max] as [UInt64])
    func `says so where the offset table is out of range`(offset: UInt64) {
        var file = BinaryFile(hex("09"))
        file.tableOffset = offset
        #expect(
            propertyListError(reading: file.bytes)
                == PropertyListError(.badTrailer, at: 34, found: Int(clamping: offset)))
    }

    @Test(arguments: [0, 7, 9, 10, 255, 1 << 31, 1 << 63, .max] as [UInt64])
    func `says so where an offset points outside of the objects`(offset: UInt64) {
        var file = BinaryFile(hex("09"), offsetSize: 8)
        file.offsets = [offset]
        #expect(
            propertyListError(reading: file.bytes)
                == PropertyListError(.offsetOutOfRange, at: 9, found: Int(clamping: offset)))
    }

    @Test(arguments: [1, 2, 3, 4, 8, 9], ["a1", "c1", "d1"])
    func `says so where a reference names no object`(size: Int, marker: String) {
        let references = BinaryFile.number(.max, size: size)
        let object = hex(marker) + references + (marker == "d1" ? references : [])
        let found = size >= 8 ? Int.max : (1 << (8 * size)) - 1
        let error = propertyListError(reading: BinaryFile(object, referenceSize: size).bytes)
        #expect(error?.defect == .referenceOutOfRange)
        #expect(error?.found == found)
    }

    @Test(
        arguments: [
            0x01, 0x07, 0x0A, 0x0C, 0x0F, 0x15, 0x1F, 0x20, 0x21, 0x24, 0x2F, 0x30, 0x32, 0x34, 0x70, 0x71, 0x90, 0xB0,
            0xB1,
            0xE0, 0xF0, 0xFF,
        ] as [UInt8])
    func `says so where a marker is unknown`(marker: UInt8) {
        let object = [marker] + [UInt8](repeating: 0, count: 40)
        #expect(
            propertyListError(reading: BinaryFile(object).bytes)
                == PropertyListError(.unknownMarker, at: 8, found: Int(marker)))
    }

    @Test(arguments: [
        "10", "11ff", "1200", "1300000000000000", "140000", "22000000", "2300", "3300000000000000", "41", "4eff", "4f",
        "4f10", "4f1100", "51", "61", "6100", "624141", "80", "8200", "8f00", "a1", "a30000", "c1", "d1", "d100", "af",
        "df10",
    ])
    func `says so where an object ends with the objects`(object: String) {
        let error = propertyListError(reading: BinaryFile(hex(object)).bytes)
        #expect(error == PropertyListError(.truncated, at: 8))
    }

    @Test(arguments: [
        "10ff", "11ffff", "127fffffff", "12ffffffff", "137fffffffffffffff", "137ffffffffffffffe", "131fffffffffffffff",
        "134000000000000000", "138000000000000000", "13ffffffffffffffff", "14ffffffffffffffffffffffffffffffff",
    ])
    func `says so where a count is more than there is`(count: String) {
        for marker in [0x4F, 0x5F, 0x6F, 0xAF, 0xCF, 0xDF] as [UInt8] {
            for referenceSize in [1, 2, 3, 8, 16] {
                let object = [marker] + hex(count) + [0, 0, 0, 0]
                let error = propertyListError(reading: BinaryFile(object, referenceSize: referenceSize).bytes)
                #expect(error?.defect == .countOutOfRange)
                #expect(error?.byteOffset == 8)
            }
        }
    }

    @Test func `says so where a count is no integer`() {
        #expect(
            propertyListError(reading: BinaryFile(hex("4f0900")).bytes)
                == PropertyListError(.unknownMarker, at: 9, found: 0x09))
        #expect(
            propertyListError(reading: BinaryFile(hex("af2300")).bytes)
                == PropertyListError(.unknownMarker, at: 9, found: 0x23))
        #expect(propertyListError(reading: BinaryFile(hex("af1f00")).bytes) == PropertyListError(.truncated, at: 8))
    }

    @Test(arguments: ["09", "1001", "223fc00000", "8001", "a0", "d0", "4161", "00"])
    func `says so where a key is no string`(key: String) {
        let file = BinaryFile(hex("d10102"), hex(key), hex("09"))
        #expect(propertyListError(reading: file.bytes) == PropertyListError(.nonStringKey, at: 8))
    }

    @Test(arguments: ["a100", "a20100", "c100", "d10100", "a102"])
    func `says so where a container is in itself`(container: String) {
        let file = BinaryFile(hex(container), hex("5161"), hex("a100"))
        let error = propertyListError(reading: file.bytes)
        #expect(error?.defect == .nestedTooDeep)
        #expect(error?.found == 512)
    }
}
