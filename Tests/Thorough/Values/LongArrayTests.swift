// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Long arrays of numbers and strings, which have loops of their own in both directions.
@Suite(.inTurn)
struct `Long arrays` {
    /// The same numbers in every run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }
    }

    // MARK: Numbers

    /// As many small ones as large ones, so that some are met again and most are not, at every width.
    private static func integers<Integer: FixedWidthInteger>(_ type: Integer.Type, count: Int) -> [Integer] {
        var generator = Generator(state: 7)
        return (0..<count).map { _ in
            let bits = Int.random(in: 0..<Integer.bitWidth, using: &generator)
            return Integer(truncatingIfNeeded: generator.next() >> UInt64(64 - 1 - bits)) &- (bits == 3 ? 9 : 0)
        }
    }

    /// The number of elements from which the decoder looks them up in blocks, and that of a block.
    private static let (few, block) = (DecodingFrame.fewElements, LeafOffsets.blockSize)
    /// Numbers on both sides of these, and of the elements between two samples that the encoder looks up.
    private static let counts = [
        few - 1, few, block - 1, block, block + 1, ArchiveGraph.sample + ArchiveGraph.leap, 5_000, 60_000,
    ]

    @Test(arguments: counts)
    func `of integers of all widths come back`(count: Int) throws {
        func check<Integer: FixedWidthInteger & Codable>(_ type: Integer.Type) throws {
            let numbers = Self.integers(type, count: count)
            #expect(try roundTrip(numbers) == numbers)
        }
        try check(Int.self)
        try check(Int16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        try check(Int8.self)
    }

    @Test(arguments: [few, block, block + 1, 30_000])
    func `of reals come back, bit for bit`(count: Int) throws {
        var generator = Generator(state: 8)
        let numbers = (0..<count).map { (index: Int) -> Double in
            index % 5 == 0 ? Double(index % 3) : Double(bitPattern: generator.next())
        }
        #expect(try roundTrip(numbers).map(\.bitPattern) == numbers.map(\.bitPattern))
        let floats = (0..<count).map { Float($0) / 3 }
        #expect(try roundTrip(floats) == floats)
    }

    /// `$objects`, by Foundation's reader.
    private func objects(_ data: Data) throws -> [Any] {
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        return try #require(list?["$objects"] as? [Any])
    }

    /// The numbers that are objects of their own.
    private func leaves(_ data: Data) throws -> [NSNumber] { try objects(data).compactMap { $0 as? NSNumber } }

    /// The strings that are.
    private func strings(_ data: Data) throws -> [String] { try objects(data).compactMap { $0 as? String } }

    @Test func `have each small whole number once, however long they are`() throws {
        // 40 000 different large numbers are between any two equal small ones: more than a table of all numbers has.
        #expect(40_000 > NumberTable.limit && 80_000 >= NumberTable.worthwhile && 2_000 <= NumberTable.countLimit)
        let numbers = (0..<80_000).map { $0 % 2 == 0 ? $0 / 2 % 2_000 : 1_000_000_000 + $0 }
        let data = try ArchiveEncoder().encode(numbers)
        let small = try leaves(data).map(\.intValue).filter { $0 < 2_000 }
        #expect(small.count == 2_000)
        #expect(Set(small).count == 2_000)
        #expect(try ArchiveDecoder().decode([Int].self, from: data) == numbers)
    }

    @Test func `share small numbers with the arrays and fields before them`() throws {
        struct Table: Codable, Equatable {
            var width: Int
            var first: [Int]
            var second: [Int]
            var third: [UInt16]
        }
        let large = (0..<40_000).map { 70_000 + $0 }
        let table = Table(
            width: 12, first: large + [12, 13], second: large.map { $0 * 5 } + [13, 12, 14], third: [14, 12])
        let data = try ArchiveEncoder().encode(table)
        #expect(try leaves(data).map(\.intValue).filter { $0 < 15 }.sorted() == [12, 13, 14])
        #expect(try ArchiveDecoder().decode(Table.self, from: data) == table)
    }

    // MARK: Elements in other forms

    /// An archive of an NSArray of `elements`, or of what `uids` refer to: the first element has uid 3.
    private static func array(_ elements: [PropertyList], uids: [PropertyList]? = nil) throws -> Data {
        let uids = uids ?? elements.indices.map { PropertyList.uid(UInt32($0 + 3)) }
        let list: PropertyList = ["NS.objects": .array(uids), "$class": .uid(2)]
        return try handmadeArchive(objects: [list, classEntry("NSArray")] + elements)
    }

    @Test(arguments: [0, 1, few - 1, block - 2, block - 1, block, block + 1, 2 * block - 1, 2 * block, 199])
    func `bear elements in other forms at every place`(place: Int) throws {
        var elements = (0..<200).map { PropertyList.real(Double($0) / 4) }
        elements[place] = .integer(1 << 40)
        var expected = (0..<200).map { Double($0) / 4 }
        expected[place] = 1_099_511_627_776
        #expect(try ArchiveDecoder().decode([Double].self, from: Self.array(elements)) == expected)
    }

    @Test(arguments: [0, few - 2, few - 1, few, block - 1, block, 2 * block + 2])
    func `name the element that is none, at every place`(place: Int) throws {
        var elements = (0..<2 * Self.block + 3).map { PropertyList.integer(Int128($0)) }
        elements[place] = "twelve"
        let text = try failure(decoding: [Int].self, from: Self.array(elements))
        #expect(text.kind == .typeMismatch && text.path == "[\(place)]")
        elements[place] = .integer(1 << 70)
        let large = try failure(decoding: [Int].self, from: Self.array(elements))
        #expect(large.kind == .dataCorrupted && large.path == "[\(place)]")
    }

    @Test(arguments: [0, 1, block, 99])
    func `name the reference to a missing object or to nil`(place: Int) throws {
        let elements = (0..<100).map { PropertyList.integer(Int128($0)) }
        for uid: UInt32 in [0, 103, 60_000] {
            var uids = (0..<100).map { PropertyList.uid(UInt32($0 + 3)) }
            uids[place] = .uid(uid)
            let error = try failure(decoding: [Int].self, from: Self.array(elements, uids: uids))
            #expect([.valueNotFound, .dataCorrupted].contains(error.kind) && error.path == "[\(place)]")
        }
    }

    @Test func `Short ones count the bytes of each string once, also where an element has another form`() throws {
        let (first, second) = (String(repeating: "a", count: 3_200), String(repeating: "b", count: 1_600))
        let data = try handmadeArchive(
            ["NS.objects": [.uid(3), .uid(4)], "$class": .uid(2)], classEntry("NSArray"), .string(first),
            ["NS.string": .string(second), "$class": .uid(5)], classEntry("NSMutableString", "NSString"))
        // 300 steps for 4800 bytes, and few for the array, its elements, and their keys and classes.
        var decoder = ArchiveDecoder()
        decoder.limits.work = 320
        #expect(try decoder.decode([String].self, from: data) == [first, second])
        decoder.limits.work = 302
        #expect(throws: DecodingError.self) { try decoder.decode([String].self, from: data) }
    }

    // MARK: Strings

    @Test func `of strings come back, repeated ones and those of every length and script`() throws {
        var generator = Generator(state: 9)
        let scalars = ["a", "é", "東", "🐓", "Z", "\u{0}"]
        let common = (0..<3_000).map { "a string that many have, number \($0 % 1_500)" + ($0 % 7 == 0 ? " ö" : "") }
        var strings = common
        for index in 0..<20_000 {
            if index % 3 == 0 {
                strings.append(common[Int.random(in: 0..<common.count, using: &generator)])
            } else {
                let length = Int.random(in: 0..<48, using: &generator)
                let kinds = index % 5 == 0 ? 6 : 1
                strings.append(
                    (0..<length).map { _ in scalars[Int.random(in: 0..<kinds, using: &generator)] }.joined())
            }
        }
        strings += ["$null", "", "$null", String(repeating: "x", count: 255), String(repeating: "x", count: 256)]
        #expect(try roundTrip(strings) == strings)
    }

    @Test func `of strings of every length are what Foundation reads, and have each once`() throws {
        var different: [String] = []
        for count in 1..<80 {
            different.append(String(repeating: "x", count: count) + "-")
            different.append(String(repeating: "y", count: count) + "+")
            different.append(String(repeating: "ä", count: count) + "-")
            different.append(String(repeating: "z", count: count) + "東")
            different.append("𝄞" + String(repeating: "w", count: count))
            different.append(String(repeating: "ß𝄞c", count: count) + "é")
        }
        let data = try ArchiveEncoder().encode(different + different.reversed())
        #expect(try self.strings(data).filter { $0 != "$null" } == different)
        #expect(try ArchiveDecoder().decode([String].self, from: data) == different + different.reversed())
        // With more strings in front than the table is exact for, those that follow each other are still found.
        let many = (0..<6_000).map { "\($0) of many" }
        let archive = try ArchiveEncoder().encode(many + different + different)
        #expect(try self.strings(archive).filter { $0 != "$null" } == many + different)
    }

    @Test func `of strings have each of a few once`() throws {
        let names = ["a name that is longer than fifteen bytes", "short", "ein längerer Name mit einem Umlaut"]
        let strings = (0..<30_000).map { names[$0 % 3] }
        let data = try ArchiveEncoder().encode(strings)
        #expect(try self.strings(data).sorted() == (["$null"] + names).sorted())
        #expect(try ArchiveDecoder().decode([String].self, from: data) == strings)
    }
}

/// The assumptions of the loops over strings.
@Suite(.inTurn) struct `The bytes of strings` {
    @Test(arguments: 0..<20)
    func `The UTF-16 of a string is as long as Swift says, wherever its scalars lie`(offset: Int) {
        for scalar in ["é", "߿", "ࠀ", "東", "\u{FFFF}", "🐓", "\u{10FFFF}"] {
            for count in 1...9 {
                var text = String(repeating: "x", count: offset) + String(repeating: scalar, count: count)
                text += String(repeating: "y", count: offset % 5)
                let expected = text.utf16.count
                let found = text.withUTF8Span { UTF16Transcoder.unitCount(ofValidUTF8: $0) }
                #expect(found == expected, "\(text)")
            }
        }
    }

    @Test(arguments: 1...49)
    func `A byte above 0x7F is seen at every place of strings of every length`(count: Int) {
        let plain = [UInt8](repeating: 0x7F, count: count)
        let isASCII = plain.withBytes { ByteHash.digest($0, seed: 1).isASCII }
        #expect(isASCII)
        for place in 0..<count {
            var bytes = plain
            bytes[place] = 0x80
            let isASCII = bytes.withBytes { ByteHash.digest($0, seed: 1).isASCII }
            #expect(!isASCII)
        }
    }

    @Test(arguments: 1...49)
    func `Each byte counts for the hash, and for whether two strings are equal`(count: Int) {
        let plain = (0..<count).map { UInt8($0) }
        let hash = plain.withBytes { ByteHash.digest($0, seed: 3).hash }
        let written = ByteWriter(capacity: count)
        plain.withBytes { written.append(contentsOf: $0) }
        let isEqual = plain.withBytes { written.has($0, at: 0) }
        #expect(isEqual)
        for place in 0..<count {
            var bytes = plain
            bytes[place] ^= 1
            let changed = bytes.withBytes { ByteHash.digest($0, seed: 3).hash }
            #expect(changed != hash)
            let isEqual = bytes.withBytes { written.has($0, at: 0) }
            #expect(!isEqual)
        }
    }

    @Test func `UTF-16 becomes a string, of every length, with a mark in place of half a pair`() {
        let pieces: [[UInt16]] = [
            [0x41], [0x7F], [0x80], [0x7FF], [0x800], [0xFFFF], [0xD834, 0xDD1E], [0xD834], [0xDD1E],
            [0x61, 0x62, 0x63, 0x64],
        ]
        var generator = SeededGenerator(state: 16)
        for length in Array(0...40) + [255, 256, 257, 600] {
            var units: [UInt16] = []
            while units.count < length { units += pieces[Int.random(in: 0..<pieces.count, using: &generator)] }
            units = Array(units[..<length])
            let bytes = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            let found = bytes.withBytes { UTF16Transcoder.string(bigEndian: $0) }
            #expect(found == String(decoding: units, as: UTF16.self), "\(units)")
            let writer = ByteWriter(capacity: 16)
            found.withUTF8Span { UTF16Transcoder.append(validUTF8: $0, unitCount: length, to: writer) }
            let stored = Array(writer.takeBytes())
            let expected = found.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
            #expect(stored == expected)
        }
    }

    @Test func `A string that is remembered is that of its place in the archive, however many there are`() {
        let recent = RecentStrings()
        var made = 0
        func string(at offset: Int, _ text: String) -> String {
            if let known = recent.known(at: offset) { return known }
            made += 1
            recent.note(text, at: offset)
            return text
        }
        // Twice forwards, and twice backwards, with more strings than there are places.
        for offsets in [Array(1...9_000), Array(1...9_000), (1...9_000).reversed(), (1...9_000).reversed()] {
            for offset in offsets {
                let text = string(at: offset, "the string at \(offset)")
                guard text == "the string at \(offset)" else {
                    Issue.record("\(text) at \(offset)")
                    return
                }
            }
        }
        // The last of one round are the first of the next.
        #expect(made < 4 * 9_000)
        recent.removeAll()
        #expect(string(at: 9_000, "another archive's") == "another archive's")
    }
}
