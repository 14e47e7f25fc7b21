// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A packed array of numbers` {
    // MARK: - Bytes

    struct Form: Sendable, CustomTestStringConvertible {
        let value: any Encodable & Sendable
        let element: String
        let bytes: String

        init(_ value: some Encodable & Sendable, _ element: String, _ bytes: String) {
            self.value = value
            self.element = element
            self.bytes = bytes
        }

        var testDescription: String { "\(type(of: value)) \(value)" }
    }

    static let forms: [Form] = {
        var all: [Form] = []
        all.append(Form([1, -2], "i8", "0100000000000000 feffffffffffffff"))
        all.append(Form([0x0102_0304_0506_0708, Int64.min], "i8", "0807060504030201 0000000000000080"))
        all.append(Form([1, -1, -128, 127] as [Int8], "i1", "01ff807f"))
        all.append(Form([258, -2] as [Int16], "i2", "0201 feff"))
        all.append(Form([0x0102_0304, .min] as [Int32], "i4", "04030201 00000080"))
        all.append(Form([1, .max] as [UInt], "u8", "0100000000000000 ffffffffffffffff"))
        all.append(Form([0x0102_0304_0506_0708] as [UInt64], "u8", "0807060504030201"))
        all.append(Form([0, 255, 16] as [UInt8], "u1", "00ff10"))
        all.append(Form([0x0102, .max] as [UInt16], "u2", "0201 ffff"))
        all.append(Form([0x0102_0304, .max] as [UInt32], "u4", "04030201 ffffffff"))
        all.append(Form([1, -0.0, .infinity, 1.5] as [Float], "f4", "0000803f 00000080 0000807f 0000c03f"))
        all.append(Form([1, -2.5], "f8", "000000000000f03f 00000000000004c0"))
        all.append(Form(ContiguousArray<Int16>([258, -2]), "i2", "0201 feff"))
        all.append(Form(ContiguousArray<Double>([1]), "f8", "000000000000f03f"))
        all.append(Form([Int](), "i8", ""))
        all.append(Form([Float](), "f4", ""))
        all.append(Form(ContiguousArray<UInt64>(), "u8", ""))
        return all
    }()

    @Test(arguments: forms)
    func `is a header and the numbers, the lowest byte first`(form: Form) throws {
        let archive = try InspectedArchive(packing: form.value)
        #expect(archive.root == .uid(1))
        #expect(archive.objects == ["$null", .data(packedData(form.element, hex(form.bytes)))])
    }

    @Test(arguments: forms)
    func `is the same in an archive that encodes by key`(form: Form) throws {
        let archiver = KeyedArchiver()
        archiver.numericArrays = .packed
        try archiver.encode(form.value, forKey: "list")
        let archive = try InspectedArchive(archiver.finishEncoding())
        #expect(archive.top("list") == .uid(1))
        #expect(archive.objects == ["$null", .data(packedData(form.element, hex(form.bytes)))])
    }

    @Test func `is base64 in XML`() throws {
        var encoder = ArchiveEncoder.packing
        encoder.outputFormat = .xml
        let data = try encoder.encode([255] as [UInt8])
        // What Python's base64 makes of b'packedu1\xff'.
        #expect(String(decoding: data, as: UTF8.self).contains("cGFja2VkdTH/"))
        #expect(try ArchiveDecoder().decode([UInt8].self, from: data) == [255])
    }

    // MARK: - Round trips

    typealias IntegerType = any (FixedWidthInteger & Codable & Sendable).Type

    @Test(arguments: integerTypes, PropertyListFormat.allCases)
    func `of integers comes back`(type: IntegerType, format: PropertyListFormat) throws {
        func check<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
            var encoder = ArchiveEncoder.packing
            encoder.outputFormat = format
            let numbers: [Number] = [.min, 0, 1, 100, .max] + (0..<300).map { Number(truncatingIfNeeded: $0 * 77) }
            for numbers in [numbers, [], [.max]] {
                #expect(try ArchiveDecoder().decode([Number].self, from: encoder.encode(numbers)) == numbers)
                let contiguous = ContiguousArray(numbers)
                #expect(
                    try ArchiveDecoder().decode(ContiguousArray<Number>.self, from: encoder.encode(contiguous))
                        == contiguous)
            }
        }
        try check(type)
    }

    @Test func `of reals comes back bit by bit`() throws {
        let doubles: [UInt64] = [
            0, 1 << 63, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8_0000_0000_0000, 0x7FF0_0000_0000_0001,
            0xFFF8_DEAD_BEEF_0001, 1, 0x000F_FFFF_FFFF_FFFF, 0x7FEF_FFFF_FFFF_FFFF, 0x3FB9_9999_9999_999A,
        ]
        let floats: [UInt32] = [
            0, 1 << 31, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7F80_0001, 0xFFC0_BEEF, 1, 0x7F7F_FFFF, 0x3DCC_CCCD,
        ]
        let encoder = ArchiveEncoder.packing
        let reals = try ArchiveDecoder().decode(
            [Double].self, from: encoder.encode(doubles.map { Double(bitPattern: $0) }))
        #expect(reals.map(\.bitPattern) == doubles)
        let narrow = try ArchiveDecoder().decode(
            [Float].self, from: encoder.encode(floats.map { Float(bitPattern: $0) }))
        #expect(narrow.map(\.bitPattern) == floats)
        let contiguous = try ArchiveDecoder().decode(
            ContiguousArray<Double>.self, from: encoder.encode(ContiguousArray(doubles.map { Double(bitPattern: $0) })))
        #expect(contiguous.map(\.bitPattern) == doubles)
    }

    @Test func `of a million numbers takes the room of the numbers`() throws {
        let numbers = (0..<1_000_000).map { Double($0) / 3 }
        let data = try ArchiveEncoder.packing.encode(numbers)
        #expect(data.count < 8_000_000 + 300)
        #expect(try ArchiveDecoder().decode([Double].self, from: data) == numbers)
        let url = FileManager.default.temporaryDirectory.appending(path: "packed-\(UUID())")
        defer { try? FileManager.default.removeItem(at: url) }
        try data.write(to: url)
        let archive = try KeyedArchive(contentsOf: url)
        #expect(archive.isLoadedByPage)
        #expect(try archive.root.decode([Double].self) == numbers)
        #expect(try ArchiveDecoder().decode([Double].self, from: url) == numbers)
    }

    // MARK: - Places of arrays

    final class Track: Codable {
        var title = "title"
        var samples: [Float] = [0.5]
        var beats: ContiguousArray<UInt32>? = [7]
        var none: [Int]?
    }

    struct Album: Codable {
        var tracks: [Track]
        var rows = [[1, 2], [], [3]]
        var byName: [String: [Int8]] = ["a": [1]]
        var chapters: [Int16: [[Double]]] = [1: [[1], []]]
        var maybe: [[UInt8]?] = [nil, [9]]
    }

    @Test func `is stored wherever arrays are`() throws {
        let track = Track()
        let archive = try InspectedArchive(packing: Album(tracks: [track, track]))
        let expected = [
            packedData("f4", hex("0000003f")), packedData("u4", hex("07000000")),
            packedData("i8", hex("0100000000000000 0200000000000000")), packedData("i8"),
            packedData("i8", hex("0300000000000000")), packedData("i1", [1]), packedData("f8", hex("000000000000f03f")),
            packedData("f8"), packedData("u1", [9]),
        ]
        #expect(Set(archive.dataObjects) == Set(expected))
        #expect(archive.dataObjects.count == expected.count)
        let again = try ArchiveDecoder().decode(Album.self, from: archive.list.data(format: .binary))
        #expect(again.tracks[0] === again.tracks[1])
        #expect(again.tracks[0].samples == [0.5] && again.tracks[0].beats == [7] && again.tracks[0].none == nil)
        #expect(again.rows == [[1, 2], [], [3]])
        #expect(again.byName == ["a": [1]])
        #expect(again.chapters == [1: [[1], []]])
        #expect(again.maybe == [nil, [9]])
    }

    @Test func `is stored under a key by its uid`() throws {
        struct Holder: Codable { var numbers = [1], data = Data([1]) }
        let archive = try InspectedArchive(packing: Holder())
        let holder = try #require(archive.follow(archive.root))
        guard case .uid? = holder["numbers"] else {
            Issue.record("No uid: \(holder)")
            return
        }
        #expect(archive.follow(holder["numbers"]) == .data(packedData("i8", hex("0100000000000000"))))
    }

    struct Vector: Codable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            try container.encode(contentsOf: [2, 3])
            var nested = container.nestedUnkeyedContainer()
            try nested.encode(4)
        }
        init() {}
        init(from decoder: any Decoder) throws {}
    }

    static let others: [Form] = {
        var all: [Form] = []
        all.append(Form(Set([1]), "", "NSSet[@1]"))
        all.append(Form([1, nil], "", "NSArray[@1, NSNull{}]"))
        all.append(Form([true, false], "", "NSArray[@true, @false]"))
        all.append(Form(["a"], "", #"NSArray[@"a"]"#))
        all.append(Form([1] as [Int128], "", "NSArray[@1]"))
        all.append(Form([1] as [UInt128], "", "NSArray[@1]"))
        all.append(Form([3: 4], "", "NSDictionary[@3: @4]"))
        all.append(Form([String](), "", "NSArray[]"))
        all.append(Form(5, "", "@5"))
        all.append(Form(Vector(), "", "Vector[@1, @2, @3, NSArray[@4]]"))
        return all
    }()

    @Test(arguments: others)
    func `is none of other values`(form: Form) throws {
        #expect(try archiveText(form.value, by: .packing) == form.bytes)
    }

    @Test func `of a Coding class is packed as its archiver says`() throws {
        final class Chart: Coding {
            let points: [Double]
            let ticks: [[Int16]]

            init(_ points: [Double], _ ticks: [[Int16]]) { (self.points, self.ticks) = (points, ticks) }
            init(coder: KeyedUnarchiver) throws {
                points = try coder.decode([Double].self, forKey: "points")
                ticks = try coder.decodeIfPresent([[Int16]].self, forKey: "ticks") ?? []
            }
            func encode(with coder: KeyedArchiver) throws {
                try coder.encode(points, forKey: "points")
                try coder.encode(ticks, forKey: "ticks")
            }
        }
        for setting in [KeyedArchiver.NumericArrays.packed, .objects] {
            let archiver = KeyedArchiver()
            archiver.numericArrays = setting
            try archiver.encode(Chart([1], [[2], []]), forKey: "root")
            let data = try archiver.finishEncoding()
            let expected = [packedData("f8", hex("000000000000f03f")), packedData("i2", [2, 0]), packedData("i2")]
            #expect(try InspectedArchive(data).dataObjects == (setting == .packed ? expected : []))
            let again = try KeyedUnarchiver(forReadingFrom: data).decode(Chart.self, forKey: "root")
            #expect(again.points == [1] && again.ticks == [[2], []])
        }
    }

    // MARK: - The setting

    @Test func `is not written by default`() throws {
        let values: [(any Encodable, String)] = [
            ([1, -2], "NSArray[@1, @-2]"), ([1.5] as [Float], "NSArray[@1.5f]"), ([2.5], "NSArray[@2.5]"),
            ([UInt.max], "NSArray[@18446744073709551615]"), (ContiguousArray([3]), "NSArray[@3]"),
            ([[UInt8(1)], []], "NSArray[NSArray[@1], NSArray[]]"),
        ]
        #expect(ArchiveEncoder().numericArrays == .objects)
        #expect(KeyedArchiver().numericArrays == .objects)
        for (value, text) in values { #expect(try archiveText(value) == text) }
    }

    @Test func `is written once an archiver is configured to`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode([1], forKey: "a")
        archiver.numericArrays = .packed
        #expect(archiver.numericArrays == .packed)
        try archiver.encode([1], forKey: "b")
        archiver.numericArrays = .objects
        try archiver.encode([1], forKey: "c")
        let data = try archiver.finishEncoding()
        let archive = try InspectedArchive(data)
        #expect(archive.top("a").map { archive.text(of: $0) } == "NSArray[@1]")
        #expect(archive.follow(archive.top("b")) == .data(packedData("i8", hex("0100000000000000"))))
        #expect(archive.top("c").map { archive.text(of: $0) } == "NSArray[@1]")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        for key in ["a", "b", "c"] { #expect(try unarchiver.decode([Int].self, forKey: key) == [1]) }
    }

    @Test func `is in the same place whatever the order of a set`() throws {
        var encoder = ArchiveEncoder.packing
        encoder.outputFormatting = .sortedKeys
        let arrays: [[Int32]] = (0..<40).map { [$0 % 7, $0] } + [[], [1]]
        let expected = try encoder.encode(Set(arrays))
        for capacity in [50, 100, 200, 400, 800] {
            var set = Set<[Int32]>(minimumCapacity: capacity)
            for array in arrays.reversed() { set.insert(array) }
            #expect(try encoder.encode(set) == expected)
        }
        #expect(try ArchiveDecoder().decode(Set<[Int32]>.self, from: expected) == Set(arrays))
        #expect(try InspectedArchive(expected).dataObjects.count == 42)
    }

    @Test func `is data if data is requested`() throws {
        let data = try ArchiveEncoder.packing.encode([258] as [UInt16])
        #expect(try ArchiveDecoder().decode(Data.self, from: data) == packedData("u2", [2, 1]))
        let archive = try KeyedArchive(data)
        #expect(archive.root.kind == .data)
        #expect(archive.root.data == packedData("u2", [2, 1]))
        #expect(try archive.root.decode([Int].self) == [258])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decodeIfPresent(Data.self, forKey: "root") == packedData("u2", [2, 1]))
        #expect(try unarchiver.decodeObject(of: [Data.self], forKey: "root") as? Data == packedData("u2", [2, 1]))
    }
}
