// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Leaves of an archive` {
    /// What a leaf is by every accessor; nil where nothing is said.
    struct Sample: CustomTestStringConvertible, Sendable {
        let list: PropertyList
        let kind: KeyedArchive.Value.Kind
        var boolean: Bool?
        var integer: Int?
        var int128: Int128?
        var double: Double?
        var float: Float?
        var string: String?
        var data: Data?
        var date: Date?

        var testDescription: String { "\(list)" }

        static func integer(_ value: Int, _ double: Double? = nil, _ float: Float? = nil) -> Sample {
            Sample(
                list: .integer(Int128(value)), kind: .integer, integer: value, int128: Int128(value),
                double: double ?? Double(value), float: float)
        }
    }

    static let samples: [Sample] = [
        Sample(list: true, kind: .boolean, boolean: true), Sample(list: false, kind: .boolean, boolean: false),
        .integer(0, 0, 0), .integer(1, 1, 1), .integer(-1, -1, -1), .integer(255, 255, 255),
        .integer(65536, 65536, 65536),
        // 2^24 + 1 has one bit too many for a Float, 2^53 + 1 for a Double.
        .integer(16_777_217, 16_777_217, nil),
        Sample(
            list: 9_007_199_254_740_993, kind: .integer, integer: 9_007_199_254_740_993,
            int128: 9_007_199_254_740_993),
        Sample(list: .integer(Int128(Int.max)), kind: .integer, integer: .max, int128: Int128(Int.max)),
        Sample(
            list: .integer(Int128(Int.min)), kind: .integer, integer: .min, int128: Int128(Int.min),
            double: -0x1p63, float: -0x1p63),
        Sample(
            list: .integer(Int128(Int.max) + 1), kind: .integer, int128: Int128(Int.max) + 1, double: 0x1p63,
            float: 0x1p63),
        Sample(list: .integer(Int128(UInt64.max)), kind: .integer, int128: Int128(UInt64.max)),
        Sample(list: .integer(.max), kind: .integer, int128: .max),
        Sample(list: .integer(.min), kind: .integer, int128: .min, double: -0x1p127, float: -0x1p127),
        Sample(list: 2.5, kind: .real, double: 2.5, float: 2.5), Sample(list: 3.0, kind: .real, double: 3, float: 3),
        Sample(list: 0.1, kind: .real, double: 0.1), Sample(list: -0.0, kind: .real, double: -0.0, float: -0.0),
        Sample(list: .real(1e300), kind: .real, double: 1e300),
        Sample(list: .real(.infinity), kind: .real, double: .infinity, float: .infinity),
        Sample(list: .real(0x1p-1074), kind: .real, double: 0x1p-1074),
        Sample(list: .real32(0.1), kind: .real, double: 0.10000000149011612, float: 0.1),
        Sample(list: .real32(.greatestFiniteMagnitude), kind: .real, double: 0x1.fffffep127, float: 0x1.fffffep127),
        Sample(list: .real32(0x1p-149), kind: .real, double: 0x1p-149, float: 0x1p-149),
        Sample(list: "", kind: .string, string: ""), Sample(list: "text", kind: .string, string: "text"),
        Sample(list: "1", kind: .string, string: "1"),
        Sample(list: "Größe 🐄\n\"", kind: .string, string: "Größe 🐄\n\""),
        Sample(list: .data(Data()), kind: .data, data: Data()),
        Sample(list: .data(Data([0, 255, 7])), kind: .data, data: Data([0, 255, 7])),
        Sample(
            list: .date(Date(timeIntervalSinceReferenceDate: 12345)), kind: .date,
            date: Date(timeIntervalSinceReferenceDate: 12345)),
        Sample(list: ["a"], kind: .array), Sample(list: ["a": 1], kind: .dictionary), Sample(list: [], kind: .array),
        Sample(list: [:], kind: .dictionary),
    ]

    private func check(_ value: KeyedArchive.Value, _ sample: Sample) {
        #expect(value.kind == sample.kind)
        #expect(value.boolean == sample.boolean && value.integer == sample.integer)
        #expect(value.int128 == sample.int128)
        #expect(value.double?.bitPattern == sample.double?.bitPattern, "\(value.double as Any)")
        #expect(value.float?.bitPattern == sample.float?.bitPattern, "\(value.float as Any)")
        #expect(value.string == sample.string && value.data == sample.data && value.date == sample.date)
        #expect(!value.isNull && value.damage == nil)
        if case .array = sample.kind {} else if case .dictionary = sample.kind {} else { #expect(value.count == 0) }
        #expect(!value.looksLikeArchive)
    }

    @Test(arguments: samples)
    func `are the same inline and as objects, and nothing else than they are`(sample: Sample) throws {
        let archive = try openArchive(
            top: ["inline": sample.list, "leaf": .uid(1)], sample.list, ["a": sample.list, "$class": .uid(3)],
            classEntry("Thing"), ["NS.objects": [sample.list, .uid(1)], "$class": .uid(3)])
        for value in [
            archive.top["inline"], archive.top["leaf"], archive[uid: 2]["a"], archive[uid: 4][0], archive[uid: 4][1],
        ] { check(try #require(value), sample) }
        #expect(archive[uid: 4][1] == archive.top["leaf"])
    }

    @Test(arguments: samples)
    func `are the same in XML, but for 32-bit reals`(sample: Sample) throws {
        if case .real32 = sample.list { return }
        let archive = try openArchive(top: ["inline": sample.list, "leaf": .uid(1)], sample.list, format: .xml)
        for value in [archive.top["inline"], archive.top["leaf"]] { check(try #require(value), sample) }
    }

    @Test func `keep the bits of numbers that are none`() throws {
        let quiet = Float(bitPattern: 0x7FC0_1234)
        let archive = try openArchive(top: [
            "a": .real(.nan), "b": .real32(quiet), "c": .real(Double(bitPattern: 0xFFF8_0000_0000_0001)),
        ])
        #expect(archive.top["a"]?.double?.isNaN == true && archive.top["a"]?.float?.isNaN == true)
        #expect(archive.top["b"]?.float?.bitPattern == 0x7FC0_1234 && archive.top["b"]?.double?.isNaN == true)
        #expect(archive.top["c"]?.double?.bitPattern == 0xFFF8_0000_0000_0001)
        #expect(archive.top["a"]?.integer == nil && archive.top["b"]?.kind == .real)
    }

    /// Integers as they may be written, wider than they need be.
    static let integers: [(bytes: String, value: Int128)] = [
        ("10 FF", 255), ("11 FFFF", 65535), ("12 FFFFFFFF", 4_294_967_295), ("13 FFFFFFFFFFFFFFFF", -1),
        ("13 0000000000000005", 5), ("14 0000000000000000 0000000000000005", 5),
        ("14 0000000000000000 FFFFFFFFFFFFFFFF", 18_446_744_073_709_551_615),
        ("14 FFFFFFFFFFFFFFFF FFFFFFFFFFFFFFFF", -1),
        ("14 0000000000000001 0000000000000000", 18_446_744_073_709_551_616),
        ("14 FFFFFFFFFFFFFFFF 7FFFFFFFFFFFFFFF", -9_223_372_036_854_775_809),
        ("14 7FFFFFFFFFFFFFFF FFFFFFFFFFFFFFFF", .max), ("14 8000000000000000 0000000000000000", .min),
    ]

    @Test(arguments: integers.indices)
    func `are integers of every width`(index: Int) throws {
        let (bytes, value) = Self.integers[index]
        let root = try ByteArchive(slots: [12], hex(bytes)).open().root
        #expect(root.int128 == value && root.kind == .integer)
        #expect(root.integer == Int(exactly: value))
    }

    @Test func `are reals of 32 bits and uids of any width, exactly`() throws {
        #expect(try ByteArchive(slots: [12], hex("22 3DCCCCCD")).open().root.float == 0.1)
        #expect(try ByteArchive(slots: [12], hex("22 3DCCCCCD")).open().root.double == 0x1.99999ap-4)
        for uid in [
            "80 02", "81 0002", "82 000002", "83 00000002", "87 0000000000000002",
            "8F 00000000000000000000000000000002",
        ] {
            let archive = try ByteArchive(slots: [12, 13], hex("A1 0E"), ascii("found"), hex(uid)).open()
            #expect(archive.root[0].string == "found", "\(uid)")
        }
    }
}

// MARK: - Leaves that are objects

extension `Leaves of an archive` {
    private func value(_ fields: PropertyList.Dictionary, _ name: String, _ more: PropertyList...) throws
        -> KeyedArchive.Value
    {
        var fields = fields
        fields["$class"] = .uid(2)
        return try KeyedArchive(handmadeArchive(objects: [.dictionary(fields), classEntry(name)] + more)).root
    }

    @Test func `are strings that a class has written`() throws {
        #expect(try value(["NS.string": "text"], "NSMutableString").string == "text")
        #expect(try value(["NS.string": .uid(3)], "NSString", "leaf").string == "leaf")
        #expect(try value(["NS.bytes": .data(Data("é".utf8))], "NSString").string == "é")
        // It is written so because it is not nil.
        #expect(try value(["NS.string": "$null"], "NSString").string == "$null")
        #expect(try value(["NS.string": .uid(3)], "NSString", "$null").string == "$null")
        #expect(try value(["NS.string": 3], "NSString").string == nil)
        #expect(try value(["NS.string": .uid(9)], "NSString").string == nil)
        #expect(try value(["NS.string": "text"], "NSString").kind == .object)
        #expect(try value(["other": "text"], "NSString").string == nil)
    }

    @Test func `are data and dates that a class has written`() throws {
        let bytes = Data([1, 2])
        #expect(try value(["NS.data": .data(bytes)], "NSMutableData").data == bytes)
        #expect(try value(["NS.bytes": .data(bytes)], "NSData").data == bytes)
        #expect(try value(["NS.data": .uid(3)], "NSData", .data(bytes)).data == bytes)
        #expect(try value(["NS.data": "text"], "NSData").data == nil)
        #expect(try value(["NS.data": .uid(9)], "NSData").data == nil)
        let date = Date(timeIntervalSinceReferenceDate: -0.5)
        #expect(try value(["NS.time": -0.5], "NSDate").date == date)
        #expect(try value(["NS.time": 3], "NSDate").date == Date(timeIntervalSinceReferenceDate: 3))
        #expect(try value(["NS.time": .uid(3)], "NSCalendarDate", -0.5).date == date)
        #expect(try value(["NS.time": "noon"], "NSDate").date == nil)
        #expect(try value(["NS.time": -0.5], "NSDate").double == nil)
    }

    @Test func `are numbers that a class has written`() throws {
        #expect(try value(["NS.number": 3], "NSNumber").integer == 3)
        #expect(try value(["NS.intval": -3], "NSNumber").integer == -3)
        #expect(try value(["NS.dblval": 2.5], "NSNumber").double == 2.5)
        #expect(try value(["NS.boolval": true], "NSNumber").boolean == true)
        #expect(try value(["NS.number": .uid(3)], "NSNumber", 0.25).double == 0.25)
        #expect(try value(["NS.number": "three"], "NSNumber").integer == nil)
        #expect(try value(["NS.number": .uid(9)], "NSNumber").integer == nil)
        #expect(try value(["NS.number": 3], "NSNumber").string == nil)
    }
}
