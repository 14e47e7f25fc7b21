// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Work that a few bytes could cause because they are referenced many times, or compared slowly.
@Suite(.inTurn) struct `A reader stays in proportion to the archive` {
    /// 1 KB of zeros instead of a value of a few bytes.
    struct Kilobyte: Decodable {
        typealias Sixteen = (
            Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int
        )
        static let zero: Sixteen = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        var a = zero, b = zero, c = zero, d = zero, e = zero, f = zero, g = zero, h = zero
        var number: Int

        enum CodingKeys: CodingKey { case number }

        init(from decoder: any Decoder) throws {
            number = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
        }
    }

    /// `count` references to one object, then one to `last`.
    private func repeated(_ count: Int, last: PropertyList) throws -> Data {
        try handmadeArchive(
            objects: [
                ["NS.objects": .array(Array(repeating: .uid(2), count: count) + [.uid(3)]), "$class": .uid(4)],
                ["number": 7], last, ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
            ])
    }

    @Test func `when values are much larger than their archived form`() throws {
        let data = try repeated(3_000, last: ["number": 8])
        // More than is set aside at once: 16 bytes for each of the archive's, and 1 MiB.
        #expect(3_001 * MemoryLayout<Kilobyte>.stride > 16 * data.count + 1 << 20)
        let values = try ArchiveDecoder().decode([Kilobyte].self, from: data)
        #expect(values.map(\.number) == Array(repeating: 7, count: 3_000) + [8])
        let error = try failure(decoding: [Kilobyte].self, from: repeated(3_000, last: ["number": "eight"]))
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "[3000].number")
    }

    @Test func `when it says in an error what is there`() throws {
        let long = String(repeating: "k", count: 100_000)
        let keys = (0..<50).map { (key: "\(long)\($0)", value: 1 as PropertyList) }
        let data = try handmadeArchive(.dictionary(PropertyList.Dictionary(keys)))
        struct Needy: Decodable { var needed: Int }
        #expect(try ArchiveDecoder().decode([String: Int].self, from: data).count == 50)
        let missing = try failure(decoding: Needy.self, from: data)
        #expect(missing.kind == .keyNotFound)
        // 20 keys of 100 characters and the sentence around them.
        #expect(missing.text.utf8.count < 4_000)
        #expect(missing.text.contains("\"\(long.prefix(100))…\", "))
        let other = try failure(decoding: Int.self, from: handmadeArchive(.string(long)))
        #expect(other.kind == .typeMismatch)
        #expect(other.text.utf8.count < 1_000 && other.text.contains("the string \"\(long.prefix(40))…\""))
    }

    /// A file without its table in which `$top` and 100,000 other dictionaries have one key of 1 MB: as texts, these keys would be 100 GB.
    @Test func `when it salvages very many dictionaries with one long key`() throws {
        let keyLength = 1 << 20
        func name(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }
        func references(_ numbers: [Int]) -> [UInt8] {
            numbers.flatMap { BinaryFile.number(UInt64($0), size: 3) }
        }
        let (key, value) = (9, 10)
        let long =
            [0x5F, 0x12] + BinaryFile.number(UInt64(keyLength), size: 4) + [UInt8](repeating: 0x6B, count: keyLength)
        let dictionary = [0xD1] + references([key, value])
        var file = BinaryFile(
            [0xD3] + references([1, 2, 3]) + references([4, 5, 8]), name("$version"), name("$objects"), name("$top"),
            [0x12, 0, 1, 0x86, 0xA0], [0xA2] + references([6, 7]), name("$null"), name("inside"), dictionary, long,
            [0x80, 1],
            offsetSize: 4, referenceSize: 3)
        file.objects += Array(repeating: dictionary, count: 100_000)
        let whole = Data(file.bytes)
        let table = whole.count - 32 - 4 * file.objects.count
        #expect(try KeyedArchive(whole).top.fields.first?.value.string == "inside")
        let archive = try KeyedArchive(salvaging: whole.prefix(table))
        #expect(archive.top.fields.first?.value.string == "inside")
    }

    private static let shortRun = "e" + String(repeating: "\u{301}\u{323}", count: HashedText.markLimit / 2)
    private static let longRun = shortRun + "\u{301}"

    @Test func `when keys have combining marks that take long to sort`() throws {
        func data(_ text: String, _ repetitions: Int = 3) throws -> Data {
            let key = String(repeating: text, count: repetitions)
            return try handmadeArchive(
                ["NS.keys": [.uid(2)], "NS.objects": [.uid(3)], "$class": .uid(4)], .string(key), 1,
                ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]])
        }
        #expect(try ArchiveDecoder().decode([String: Int].self, from: data(Self.shortRun)).count == 1)
        let refused = try failure(decoding: [String: Int].self, from: data(Self.longRun))
        #expect(refused.kind == .dataCorrupted && refused.says("combining marks", "\(HashedText.markLimit)"))
        // Texts that are not compared may have what they like.
        let text = try ArchiveEncoder().encode(Self.longRun)
        #expect(try ArchiveDecoder().decode(String.self, from: text) == Self.longRun)
        let set = try ArchiveEncoder().encode([Self.longRun])
        #expect(try failure(decoding: Set<String>.self, from: set).says("combining marks", "\(HashedText.markLimit)"))
        let field = try handmadeArchive(.dictionary([Self.longRun: 1, "a": 2]))
        struct Field: Decodable { var b: Int? }
        #expect(try failure(decoding: Field.self, from: field).says("combining marks", "\(HashedText.markLimit)"))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `when keys of a property list do`(format: PropertyListFormat) throws {
        let sound = try PropertyList.dictionary([Self.shortRun: 1]).data(format: format)
        #expect(try PropertyList(sound) == [Self.shortRun: 1])
        let data = try PropertyList.dictionary([Self.longRun: 1]).data(format: format)
        let error = #expect(throws: PropertyListError.self) { try PropertyList(data) }
        #expect(error?.defect == .unsafeKey)
        #expect(try PropertyList(PropertyList.string(Self.longRun).data(format: format)) == .string(Self.longRun))
    }

    private static let superclassLimit = KeyedArchiveFormat.superclassLimit

    @Test(arguments: [
        ("$classes", superclassLimit, true), ("$classes", superclassLimit + 1, false),
        ("$classhints", superclassLimit + 1, false),
    ])
    func `when a class claims to inherit from very many`(key: String, count: Int, isSound: Bool) throws {
        let chain = PropertyList.array(["Thing"] + (1..<count).map { .string("Super\($0)") })
        let data = try handmadeArchive(["a": 1, "$class": .uid(2)], .dictionary(["$classname": "Thing", key: chain]))
        struct Thing: Decodable { var a: Int }
        let archive = try KeyedArchive(data)
        if isSound {
            #expect(try ArchiveDecoder().decode(Thing.self, from: data).a == 1)
            #expect(archive.root.class?.chain.count == count)
        } else {
            #expect(archive.root.class?.chain == ["Thing"])
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            #expect(throws: ArchivingError.self) {
                _ = try unarchiver.decodeObject(of: [[Any].self], forKey: "root")
            }
        }
        #expect(archive.root["a"]?.integer == 1)
    }

    @Test(arguments: [(KeyedArchiveFormat.classNameLimit, true), (KeyedArchiveFormat.classNameLimit + 1, false)])
    func `when a class has a very long name`(length: Int, isSound: Bool) throws {
        let name = String(repeating: "N", count: length)
        let archive = try KeyedArchive(
            handmadeArchive(["a": 1, "$class": .uid(2)], ["$classname": .string(name)]))
        #expect((archive.root.className == name) == isSound)
        #expect((archive.root.className == nil) == !isSound)
    }

    @Test func `when it hashes values that differ only deep inside`() throws {
        let lists = (0..<1_000).map { number -> PropertyList in
            ["children": [.uid(UInt32(number)), .uid(1)], "b": ["c": 1]]
        }
        #expect(Set(lists.map(\.hashValue)).count > 990)
        let large = (0..<1_000).map { number -> PropertyList in
            .data(Data(repeating: 1, count: 100) + withUnsafeBytes(of: number) { Data($0) })
        }
        #expect(Set(large.map(\.hashValue)).count > 990)
        #expect(
            (["a": 1, "b": ["c": 1, "d": 2]] as PropertyList).hashValue
                == (["b": ["d": 2, "c": 1], "a": 1] as PropertyList).hashValue)
    }
}
