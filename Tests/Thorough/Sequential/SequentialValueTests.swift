// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `Values in a sequential archive` {
    // MARK: - Bytes, worked out by hand

    @Test func `are groups of their types`() throws {
        let data = try sequentialArchive {
            try $0.encode(Int32(5))
            try $0.encode(true)
            try $0.encode(UInt8(200))
            try $0.encode(-111, as: .short)
            try $0.encode(UInt32.max)
            try $0.encode(Int64.min)
            try $0.encode(2.0)
            try $0.encode(Float(0.5))
            try $0.encode("title", as: .cString)
            try $0.encode("title", as: .cString)
            try $0.encode("draw:", as: .selector)
            try $0.encode(nil as String?, as: .cString)
            try $0.encodeBytes([1, 2])
            try $0.encodeValues("iI", 1, 6)
            try $0.encodeArray([Int32(1), 300])
            try $0.encodeArray([1, -1] as [Int8])
            try $0.encode(SequentialPoint(x: 1, y: 1.5))
            try $0.encodeClass(SequentialItem.self)
            try $0.encodeClass(nil)
        }
        #expect(
            data
                == streamFile(
                    """
                    84 01 'i' 05   84 01 'c' 01   84 01 'C' C8   84 01 's' 81 91 FF   84 01 'I' FF
                    84 01 'q' 87 00 00 00 00 00 00 00 80   84 01 'd' 02   84 01 'f' 83 00 00 00 3F
                    84 01 '*' 84 84 05 'title'   9A 92   84 01 ':' 84 05 'draw:'   9A 85
                    84 01 '+' 02 01 02   84 02 'iI' 01 06   84 04 '[2i]' 01 81 2C 01   84 04 '[2c]' 01 FF
                    84 0D '{_NSPoint=ff}' 01 83 00 00 C0 3F
                    84 01 '#' 84 84 04 'Item' 01 84 84 08 'NSObject' 00 85   A3 85
                    """))
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decode(Int32.self) == 5)
        #expect(try unarchiver.decode(Bool.self))
        #expect(try unarchiver.decode(UInt8.self) == 200)
        #expect(try unarchiver.decode(Int.self, as: .short) == -111)
        #expect(try unarchiver.decode(UInt32.self) == .max)
        #expect(try unarchiver.decode(Int64.self) == .min)
        #expect(try unarchiver.decode(Double.self) == 2)
        #expect(try unarchiver.decode(Float.self) == 0.5)
        #expect(try unarchiver.decode(String.self) == "title")
        #expect(try unarchiver.decode(String?.self, as: .cString) == "title")
        #expect(unarchiver.nextTypes == [.selector])
        #expect(try unarchiver.decode(String.self) == "draw:")
        #expect(try unarchiver.decode(String?.self) == nil)
        #expect(try unarchiver.decodeBytes() == [1, 2])
        let run = try unarchiver.decodeValues("iI", as: Int.self, Int.self)
        #expect(run == (1, 6))
        #expect(try unarchiver.decodeArray(of: Int.self, count: 2) == [1, 300])
        #expect(try unarchiver.decodeArray(of: Int8.self) == [1, -1])
        #expect(try unarchiver.decode(SequentialPoint.self) == SequentialPoint(x: 1, y: 1.5))
        #expect(try unarchiver.decodeClassName() == "Item")
        #expect(!unarchiver.isAtEnd)
        #expect(try unarchiver.decodeClassName() == nil)
        #expect(unarchiver.isAtEnd && unarchiver.nextTypes == nil && unarchiver.stream.systemVersion == 1000)
    }

    @Test func `keep all bits of numbers with a fraction`() throws {
        let doubles = [
            0, -0.0, .nan, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e15, 2_147_483_648, 0.1,
        ]
        let floats: [Float] = [0, -0.0, .nan, .infinity, .leastNonzeroMagnitude, 16_777_216, 1e20, 0.1]
        let unarchiver = try sequentialUnarchiver {
            try $0.encodeArray(doubles)
            try $0.encodeArray(floats)
        }
        #expect(try unarchiver.decodeArray(of: Double.self).map(\.bitPattern) == doubles.map(\.bitPattern))
        #expect(try unarchiver.decodeArray(of: Float.self).map(\.bitPattern) == floats.map(\.bitPattern))
    }

    // MARK: - Other widths

    @Test(
        arguments: [
            ("c", -128), ("c", 127), ("C", 255), ("s", -32768), ("S", 65535), ("i", -1), ("I", 4_294_967_295), ("l", 7),
            ("L", 7),
            ("q", 1 << 40), ("Q", 1 << 40), ("B", 1),
        ] as [(String, Int)])
    func `are read as any type that holds the number`(type: String, number: Int) throws {
        let unarchiver = try sequentialUnarchiver {
            for _ in 0..<9 { try $0.encode(number, as: TypeEncoding(parsing: type)) }
        }
        func check<Integer: FixedWidthInteger & SequentialValue>(_: Integer.Type) throws {
            if let exact = Integer(exactly: number) {
                #expect(try unarchiver.decode(Integer.self) == exact)
            } else {
                let error = try sequentialError { try unarchiver.decode(Integer.self) }
                #expect(error.code == .numberOutOfRange && error.description.contains("\(number)"))
                // What could not be read as one type can be read as another.
                #expect(try unarchiver.decode(Int.self) == number)
            }
        }
        try check(Int8.self)
        try check(UInt8.self)
        try check(Int16.self)
        try check(UInt16.self)
        try check(Int32.self)
        try check(UInt32.self)
        try check(Int64.self)
        try check(UInt64.self)
        #expect(try unarchiver.decode(Int.self) == number)
    }

    @Test(arguments: [
        ("c", 128), ("C", -1), ("C", 256), ("s", 40_000), ("S", -1), ("i", 1 << 31), ("I", -1), ("B", 2), ("f", 1),
        ("@@", 0),
    ])
    func `that do not fit the type are an error when they are encoded`(type: String, number: Int) throws {
        let archiver = SequentialArchiver()
        if type == "@@" {
            #expect(throws: TypedStreamError.self) { try archiver.encode(number, as: TypeEncoding(parsing: type)) }
            return
        }
        let encoding = try TypeEncoding(parsing: type)
        let error = try #require(
            #expect(throws: ArchivingError.self) { try archiver.encode(number, as: encoding) })
        #expect(error.code == .notEncodable && error.description.contains("\(number)"))
        // Nothing of it is in the archive, which goes on.
        try archiver.encode(1)
        #expect(try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding()).decode(Int.self) == 1)
    }

    @Test func `with a fraction are read as the other type where that holds them`() throws {
        let unarchiver = try sequentialUnarchiver {
            try $0.encode(Float(0.5))
            try $0.encode(0.5)
            try $0.encode(0.1)
            try $0.encode(1)
        }
        #expect(try unarchiver.decode(Double.self) == 0.5)
        #expect(try unarchiver.decode(Float.self) == 0.5)
        #expect(try sequentialError { try unarchiver.decode(Float.self) }.code == .numberOutOfRange)
        #expect(try unarchiver.decode(Double.self) == 0.1)
        #expect(try sequentialError { try unarchiver.decode(Double.self) }.code == .typeMismatch)
    }

    // MARK: - Order

    @Test func `have to be decoded in the order in which they were encoded`() throws {
        let data = try sequentialArchive {
            try $0.encode("name")
            try $0.encodeValues("iI", 1, 2)
            try $0.encode(Int32(3))
            try $0.encodeArray([Int32(1)])
        }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        let first = try sequentialError { try unarchiver.decode(Int.self) }
        #expect(first.code == .typeMismatch && first.codingPath.map(\.stringValue) == ["group 0"])
        #expect(first.description.contains("(byte 16)"))
        #expect(first.description.contains("object 0 of the class NSString") && first.description.contains("Int"))
        #expect(try unarchiver.decode(String.self) == "name")
        let second = try sequentialError { try unarchiver.decode(Int.self) }
        #expect(second.code == .typeMismatch && second.codingPath.map(\.stringValue) == ["group 1"])
        #expect(second.description.contains("\"iI\""))
        #expect(try sequentialError { try unarchiver.decodeValues("ii", as: Int.self, Int.self) }.code == .typeMismatch)
        #expect(try sequentialError { try unarchiver.decodeArray(of: Int.self) }.code == .typeMismatch)
        #expect(try unarchiver.decodeValues("iI", as: Int.self, Int.self) == (1, 2))
        #expect(try sequentialError { try unarchiver.decode(Int.self, as: .short) }.code == .typeMismatch)
        #expect(try sequentialError { try unarchiver.decodeObject() }.code == .typeMismatch)
        #expect(
            try sequentialError { try unarchiver.decodeReference(SequentialNode.self) { _ in } }.code == .typeMismatch)
        #expect(try sequentialError { try unarchiver.decodeClassName() }.code == .typeMismatch)
        #expect(try sequentialError { try unarchiver.decodeBytes() }.code == .typeMismatch)
        #expect(try unarchiver.decode(Int.self, as: .int) == 3)
        #expect(try sequentialError { try unarchiver.decodeArray(of: Int.self, count: 2) }.code == .typeMismatch)
        #expect(try unarchiver.decodeArray(of: Int.self, count: 1) == [1])
        let last = try sequentialError { try unarchiver.decode(Int.self) }
        #expect(last.code == .valueNotFound)
    }

    final class Hasty: SequentialCoding, ArchiveDescribing {
        static let archiveName = "Item"
        let skips: Bool

        init(coder: SequentialUnarchiver) throws {
            skips = try coder.decode(String.self) == "skip"
            if skips { coder.skipRemainingValues() }
        }

        func encode(with coder: SequentialArchiver) throws {}
    }

    @Test func `that an object leaves over are an error, unless it says so`() throws {
        let unarchiver = try sequentialUnarchiver {
            try $0.encode(SequentialItem(name: "keep", count: 1))
            try $0.encode(SequentialItem(name: "skip", count: 1))
        }
        let error = try sequentialError { try unarchiver.decode(Hasty.self) }
        #expect(error.code == .typeMismatch && error.codingPath.last?.stringValue == "Item (object 0), group 0")
        unarchiver.skipRemainingValues()
        #expect(unarchiver.isAtEnd)
        let other = try sequentialUnarchiver { try $0.encode(SequentialItem(name: "skip", count: 1)) }
        #expect(try other.decode(Hasty.self).skips)
    }

    @Test func `are nil only where an optional is decoded`() throws {
        let unarchiver = try sequentialUnarchiver {
            try $0.encode(nil as SequentialItem?)
            try $0.encode(nil as String?)
            try $0.encodeConditional(SequentialItem(name: "", count: 0))
        }
        #expect(try sequentialError { try unarchiver.decode(SequentialItem.self) }.code == .valueNotFound)
        #expect(try unarchiver.decode(SequentialItem?.self) == nil)
        #expect(try sequentialError { try unarchiver.decode(String.self) }.code == .valueNotFound)
        #expect(try unarchiver.decode(String?.self) == nil)
        #expect(try unarchiver.decodeObject() == nil)
    }

    // MARK: - Errors of encode(with:)

    final class Failing: SequentialCoding {
        struct Refusal: Error {}
        init() {}
        init(coder: SequentialUnarchiver) throws {}
        func encode(with coder: SequentialArchiver) throws { throw Refusal() }
    }

    @Test func `of an object that fails to encode end the archive with its error`() throws {
        let archiver = SequentialArchiver()
        #expect(throws: Failing.Refusal.self) { try archiver.encode([Failing()]) }
        #expect(throws: Failing.Refusal.self) { try archiver.encode(1) }
        #expect(throws: Failing.Refusal.self) { try archiver.finishEncoding() }
    }
}
