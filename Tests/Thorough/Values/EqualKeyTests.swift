// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// Keys that are equal by Unicode's rules, and have other bytes.
@Suite(.inTurn) struct `Keys in two spellings` {
    static let composed = "\u{E9}"
    static let decomposed = "e\u{301}"

    /// An object with any keys.
    struct Fields: Codable, Equatable {
        var entries: [(key: String, value: Int)]

        init(_ entries: [(String, Int)]) { self.entries = entries.map { ($0, $1) } }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            entries = try container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            for (key, value) in entries { try container.encode(value, forKey: AnyKey(key)) }
        }

        static func == (left: Fields, right: Fields) -> Bool {
            left.entries.map { Array($0.key.utf8) } == right.entries.map { Array($0.key.utf8) }
                && left.entries.map(\.value) == right.entries.map(\.value)
        }
    }

    static let values: [[Fields]] = [
        [Fields([(composed, 1)]), Fields([(decomposed, 2)]), Fields([(composed, 3)])],
        [Fields([(composed, 1), (decomposed, 2)]), Fields([(decomposed, 3), (composed, 4)])],
        // The sign of Kelvin is equal to a letter of ASCII.
        [Fields([("K", 1)]), Fields([("\u{212A}", 2)]), Fields([("\u{212A}", 3), ("K", 4)])],
        [Fields((0..<100).map { ("k\($0)", $0) } + [(composed, -1), (decomposed, -2)])],
    ]

    @Test(arguments: values, [PropertyListFormat.binary, .xml])
    func `keep their bytes`(value: [Fields], format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        for formatting in [[], .sortedKeys] as [ArchiveEncoder.OutputFormatting] {
            (encoder.outputFormat, encoder.outputFormatting) = (format, formatting)
            let again = try ArchiveDecoder().decode([Fields].self, from: encoder.encode(value))
            let sorted = formatting == [] ? value : value.map { Fields($0.entries.sorted { $0.value < $1.value }) }
            let found = formatting == [] ? again : again.map { Fields($0.entries.sorted { $0.value < $1.value }) }
            #expect(found == sorted)
        }
    }

    /// The keys are those of an enumeration, whose places in the archive a decoder remembers.
    private struct Composed: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case first
            case value = "\u{E9}"
        }
        var first = 0
        var value: Int
    }

    @Test func `are found by their bytes, and otherwise by Unicode's rules, as in JSON`() throws {
        let objects = [
            Fields([("first", 0), (Self.decomposed, 1)]),
            Fields([("first", 0), (Self.decomposed, 2), (Self.composed, 3)]),
            Fields([("first", 0), (Self.composed, 4), (Self.decomposed, 5)]),
            Fields([("first", 0), (Self.decomposed, 6)]),
            Fields((0..<100).map { ("k\($0)", $0) } + [("first", 0), (Self.decomposed, 7)]),
            Fields((0..<100).map { ("k\($0)", $0) } + [("first", 0), (Self.decomposed, 7), (Self.composed, 8)]),
        ]
        let found = try transcode(objects, as: [Composed].self).map(\.value)
        #expect(found == [1, 3, 4, 6, 7, 8])
        let json = #"[{"first":0,"e\u0301":1},{"first":0,"\u00E9":4}]"#
        #expect(try JSONDecoder().decode([Composed].self, from: Data(json.utf8)).map(\.value) == [1, 4])
        try decoding(try ArchiveEncoder().encode(objects[0])) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.contains(AnyKey(Self.composed)) && container.contains(AnyKey(Self.decomposed)))
            #expect(!container.contains(AnyKey("\u{E8}")))
        }
    }

    private struct Declared: ArchivedFields {
        var first = 0
        var value = 0
        static let fields = FieldList<Declared> {
            Field("first", \.first)
            Field("\u{E9}", \.value)
        }
    }

    /// A program may declare both.
    private struct Both: ArchivedFields {
        var one = 0
        var other = 0
        static let fields = FieldList<Both> {
            Field("\u{E9}", \.one)
            Field("e\u{301}", \.other)
        }
    }

    @Test func `are those of declared fields`() throws {
        let objects = [
            Fields([("first", 0), (Self.decomposed, 1)]),
            Fields([("first", 0), (Self.decomposed, 2), (Self.composed, 3)]),
            Fields([("first", 0), (Self.composed, 4), (Self.decomposed, 5)]),
        ]
        #expect(try transcode(objects, as: [Declared].self).map(\.value) == [1, 3, 4])
        var both = Both()
        (both.one, both.other) = (1, 2)
        let again = try roundTrip(both)
        #expect(again.one == 1 && again.other == 2)
        #expect(try transcode(both, as: Fields.self) == Fields([(Self.composed, 1), (Self.decomposed, 2)]))
    }

    private final class Item: Coding {
        var values: [Int?] = []
        init() {}

        init(coder: KeyedUnarchiver) throws {
            for key in ["\u{E9}", "e\u{301}", "\u{212A}", "K"] {
                values.append(try coder.decodeIfPresent(Int.self, forKey: key))
            }
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(1, forKey: "e\u{301}")
            coder.encode(2, forKey: "\u{E9}")
            coder.encode(3, forKey: "K")
        }
    }

    @Test func `are those of Coding classes`() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Item())
        #expect(try KeyedUnarchiver.unarchivedObject(of: Item.self, from: data).values == [2, 1, 3, 3])
        let root = try KeyedArchive(data).root
        #expect(root["e\u{301}"]?.integer == 1 && root["\u{E9}"]?.integer == 2 && root["\u{212A}"]?.integer == 3)
    }

    @Test func `are those of dictionaries and of property lists`() throws {
        let texts = [[Self.composed: 1], [Self.decomposed: 2]]
        #expect(
            try roundTrip(texts).map { $0.keys.map { Array($0.utf8) } } == texts.map { $0.keys.map { Array($0.utf8) } })
        let list: PropertyList.Dictionary = [Self.decomposed: 1, Self.composed: 2, "K": 3]
        for list in [list, PropertyList.Dictionary(list.map { $0 } + (0..<30).map { ("k\($0)", 4) })] {
            #expect(list[Self.composed] == 2 && list[Self.decomposed] == 1 && list["\u{212A}"] == 3)
            let again = try PropertyList(try PropertyList.dictionary(list).data())
            #expect(again.dictionary.map { $0.map { Array($0.key.utf8) } } == list.map { Array($0.key.utf8) })
            #expect(try roundTrip(PropertyList.dictionary(list)) == .dictionary(list))
            var changed = list
            changed[Self.composed] = nil
            #expect(changed[Self.composed] == 1 && changed.count == list.count - 1)
            changed[Self.composed] = 5
            #expect(changed[Self.decomposed] == 5 && changed.count == list.count - 1)
        }
    }

    @Test func `stay in the documents of programs that know one of them`() throws {
        final class Root: Codable {
            enum CodingKeys: String, CodingKey {
                case first
                case value = "\u{E9}"
            }
            var first = 0
            var value: Int
        }
        try TemporaryFolder.with { folder in
            let url = folder["document"]
            try ArchiveEncoder().encode(Fields([("first", 0), (Self.composed, 1), (Self.decomposed, 2)]), to: url)
            let document = try ArchiveDocument<Root>(contentsOf: url)
            document.root.value = 3
            try document.save()
            #expect(
                try ArchiveDecoder().decode(Fields.self, from: url).entries.map(\.value).sorted() == [0, 2, 3])
        }
    }
}
