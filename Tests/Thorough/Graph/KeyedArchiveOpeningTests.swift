// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An archive that is opened` {
    @Test(arguments: PropertyListFormat.allCases)
    func `has what was encoded by key at the top`(format: PropertyListFormat) throws {
        let archive = try openArchive(
            top: ["window": .uid(1), "count": 3, "isOpen": true, "scale": 0.5, "nothing": .uid(0), "$0": .uid(1)],
            "door",
            format: format)
        #expect(archive.top.kind == .dictionary)
        #expect(archive.top.keys == ["window", "count", "isOpen", "scale", "nothing", "$0"])
        #expect(archive.top.count == 6)
        #expect(archive.top.fields.map(\.key) == archive.top.keys)
        #expect(archive.top["window"]?.string == "door")
        #expect(archive.top["count"]?.integer == 3)
        #expect(archive.top["isOpen"]?.boolean == true)
        #expect(archive.top["scale"]?.double == 0.5)
        #expect(archive.top["nothing"]?.isNull == true)
        #expect(archive.top["$0"] == archive.top["window"])
        #expect(archive.top["Window"] == nil)
        #expect(archive.top[""] == nil)
        #expect(archive.top.uid == nil && archive.top.className == nil && archive.top.class == nil)
        #expect(archive.top.class == nil && archive.top.damage == nil && !archive.top.isNull)
        #expect(archive.top.elements.isEmpty && archive.top.entries.isEmpty)
    }

    @Test func `takes the top for the root where there is no root`() throws {
        let without = try openArchive(top: ["window": .uid(1)], "door")
        #expect(without.root == without.top)
        let with = try openArchive(top: ["window": .uid(1), "root": .uid(2)], "door", "roof")
        #expect(with.root.string == "roof" && with.root.uid == 2)
        let null = try openArchive(top: ["root": .uid(0), "window": .uid(1)], "door")
        #expect(null.root.isNull && null.root.uid == 0 && null.root != null.top)
        let inline = try openArchive(top: ["root": 7])
        #expect(inline.root.integer == 7 && inline.root.uid == nil)
        let empty = try openArchive(top: [:])
        #expect(empty.root == empty.top && empty.top.count == 0 && empty.top.keys == [])
    }

    @Test func `does not take a class at the top for one of its own`() throws {
        // A reserved key, which a foreign writer has used nevertheless.
        let archive = try openArchive(top: ["root": .uid(1), "$class": .uid(2)], "text", classEntry("Thing"))
        #expect(archive.top.kind == .dictionary && archive.top.className == nil)
        #expect(archive.top.count == 2)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `has its objects by their uids`(format: PropertyListFormat) throws {
        let archive = try openArchive("one", 2, ["three": 3], format: format)
        #expect(archive.objects.count == 4)
        #expect(archive.objects.map(\.kind) == [.null, .string, .integer, .dictionary])
        #expect(archive.objects.map(\.uid) == [0, 1, 2, 3])
        #expect(archive.objects[2].integer == 2 && archive[uid: 2] == archive.objects[2])
        #expect(archive[uid: 3]["three"]?.integer == 3)
        #expect(archive.objects.last?.count == 1)
        #expect(archive.objects.dropFirst(2).first?.uid == 2)
    }

    @Test func `has damage where it has no object`() throws {
        let archive = try openArchive("one")
        for uid in [2, 3, 255, 65536, .max] as [UInt32] {
            let value = archive[uid: uid]
            #expect(value.kind == .damaged && value.uid == uid)
            #expect(value.damage?.code == .damaged && value.damage?.uid == uid)
            #expect(value.damage?.description.contains("uid \(uid) ") == true)
            #expect(value.damage?.description.contains("2 objects") == true)
            #expect(value == archive[uid: uid] && value != archive[uid: 1])
            #expect(value.reachableObjects.isEmpty && value.reachableByteCount == 0)
            #expect(try archive.references().count(of: value) == 0)
            #expect(try archive.references().owners(of: value).isEmpty)
            #expect(archive.path(to: value) == nil)
        }
    }

    @Test(arguments: ["NSKeyedArchiver", "MSArchiver", "SCNKeyedArchiver", "", "アーカイバ", "Farm.Archiver"])
    func `says which archiver wrote it, and is read whichever did`(name: String) throws {
        for format in PropertyListFormat.allCases {
            let list: PropertyList = [
                "$version": 100_000, "$archiver": .string(name), "$top": ["root": .uid(1)], "$objects": ["$null", 7],
            ]
            let archive = try KeyedArchive(list.data(format: format))
            #expect(archive.archiver == name)
            #expect(archive.root.integer == 7)
            #expect(archive.format == format)
            #expect(archive.problems().isEmpty)
        }
    }

    @Test(arguments: [nil, 5, ["NSKeyedArchiver"], true] as [PropertyList?])
    func `has no archiver where it names none`(stored: PropertyList?) throws {
        var list: PropertyList.Dictionary = [
            "$version": 100_000, "$top": ["root": .uid(1)], "$objects": ["$null", 7], "other": "entry",
        ]
        list["$archiver"] = stored
        let archive = try KeyedArchive(PropertyList.dictionary(list).data())
        #expect(archive.archiver == nil)
        #expect(archive.root.integer == 7)
    }

    @Test func `is one that ArchiveEncoder and KeyedArchiver wrote`() throws {
        for format in PropertyListFormat.allCases {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = format
            let encoded = try KeyedArchive(encoder.encode(["a": [1, 2], "b": []]))
            #expect(encoded.archiver == "NSKeyedArchiver" && encoded.format == format)
            #expect(encoded.root["a"]?.elements.map(\.integer) == [1, 2])
            #expect(encoded.root["b"]?.count == 0 && encoded.root["b"]?.className == "NSArray")
            let data = try keyedArchive { archiver in
                archiver.outputFormat = format
                archiver.encode(2, forKey: "two")
                archiver.encode("text", forKey: "text")
            }
            let archived = try KeyedArchive(data)
            #expect(Set(archived.top.keys) == ["two", "text"])
            #expect(archived.top["two"]?.integer == 2 && archived.top["text"]?.string == "text")
        }
    }
}

// MARK: - Bytes

extension `An archive that is opened` {
    @Test func `gives its bytes back to the last where the format is the same`() throws {
        let data = try handmadeArchive(["a": 1, "$class": .uid(2)], classEntry("Thing"))
        #expect(try KeyedArchive(data).data() == data)
        // Objects that nothing else writes that way: references of three bytes, an unused object.
        var file = ByteArchive(slots: [12], hex("14 00000000 00000000 00000000 00000007"), ascii("unused")).file
        file.offsetSize = 3
        let odd = Data(file.bytes)
        #expect(try KeyedArchive(odd).data(format: .binary) == odd)
        #expect(try KeyedArchive(odd).root.integer == 7)
    }

    @Test func `becomes XML and binary again without loss`() throws {
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "MSArchiver", "$top": ["root": .uid(1), "$0": 2],
            "$objects": [
                "$null", ["a": .uid(2), "$$b": [1, 2.5, true, .data(Data([0, 255]))], "$class": .uid(3)], "é\n", [:],
            ],
        ]
        let binary = try KeyedArchive(list.data())
        let xml = try KeyedArchive(binary.data(format: .xml))
        #expect(xml.format == .xml && binary.format == .binary)
        #expect(try PropertyList(xml.data(format: .binary)) == list)
        #expect(try PropertyList(xml.data(format: .xml)) == list)
        #expect(xml.root["$b"]?.elements[3].data == Data([0, 255]))
    }

    @Test func `refuses to be XML where that cannot hold it`() throws {
        let archive = try openArchive(.set([1]))
        #expect(archive.root.kind == .set && archive.root.elements.map(\.integer) == [1])
        let error = #expect(throws: PropertyListError.self) { try archive.data(format: .xml) }
        #expect(error?.code == .unrepresentableInXML)
    }

    @Test func `may lie anywhere in a larger piece of data, which may change`() throws {
        let data = try handmadeArchive(["name": "Bella", "$class": .uid(2)], classEntry("Cow"))
        var padded = Data(repeating: 0xAB, count: 1000) + data
        let slice = padded[1000...]
        let archive = try KeyedArchive(slice)
        #expect(archive.root["name"]?.string == "Bella")
        for position in padded.indices { padded[position] = 0 }
        #expect(archive.root["name"]?.string == "Bella" && archive.root.className == "Cow")
        #expect(try archive.data() == data)
    }

    @Test func `is read from a file, and from none`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        #expect(throws: (any Error).self) { try KeyedArchive(contentsOf: url) }
        for format in PropertyListFormat.allCases {
            try handmadeArchive(["name": "Bella"], format: format).write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            let archive = try KeyedArchive(contentsOf: url)
            #expect(archive.root["name"]?.string == "Bella" && archive.format == format)
            // What is open stays open.
            try FileManager.default.removeItem(at: url)
            #expect(archive.root["name"]?.string == "Bella")
        }
        try Data("no archive".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let error = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(contentsOf: url) }
        #expect(error?.code == .notAnArchive)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is read from a large file, also when that is gone`(format: PropertyListFormat) throws {
        // Larger than what is read at once: 100 000 strings of 20 characters and more.
        let texts = (0..<100_000).map { "the text of number \($0)" }
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let url = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        try encoder.encode(texts, to: url)
        let data = try Data(contentsOf: url)
        #expect(data.count > 2 << 20)

        let archive = try KeyedArchive(contentsOf: url)
        let unarchiver = try KeyedUnarchiver(contentsOf: url)
        #expect(try ArchiveDecoder().decode([String].self, from: url) == texts)
        #expect(try KeyedUnarchiver.unarchivedObject(of: [String].self, from: Data(contentsOf: url)) == texts)
        try FileManager.default.removeItem(at: url)

        #expect(archive.format == format)
        #expect(archive.root.count == 100_000)
        #expect(archive.root[99_999].string == "the text of number 99999")
        #expect(try archive.root.decode([String].self) == texts)
        #expect(archive.problems().isEmpty)
        #expect(try unarchiver.decode([String].self, forKey: "root") == texts)
        let copy = try archive.data(format: format)
        if format == .binary { #expect(copy == data) }
        let value = archive.root[5]
        #expect(try KeyedArchive(copy).root[5].string == value.string)
    }

    @Test func `is kept by its values`() throws {
        let values = try { () throws -> [KeyedArchive.Value] in
            let archive = try KeyedArchive(handmadeArchive(["NS.objects": ["a", .uid(2)], "$class": .uid(3)], "b"))
            return Array(archive.root.elements)
        }()
        #expect(values.map(\.string) == ["a", "b"])
        #expect(values[0].archive.objects.count == 3)
    }
}

// MARK: - What is none

@Suite(.inTurn) struct `What is no archive` {
    private func code(_ list: PropertyList, _ format: PropertyListFormat) throws -> KeyedArchiveError? {
        let data = try list.data(format: format)
        return #expect(throws: KeyedArchiveError.self) { try KeyedArchive(data) }
    }

    @Test(arguments: `A bad archive`.containers, PropertyListFormat.allCases)
    func `is refused with a word on what is wrong`(sample: `A bad archive`.Sample, format: PropertyListFormat) throws {
        let error = try code(sample.list, format)
        #expect(error?.code == .notAnArchive)
        for word in sample.mentions { #expect(error?.description.contains(word) == true, "\(error as Any)") }
        #expect(error?.uid == nil)
        let made = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(sample.list) }
        #expect(made?.code == error?.code)
    }

    static let bytes: [(name: String, data: Data)] = [
        ("nothing", Data()), ("one byte", Data([0x62])), ("text", Data("Hello, world".utf8)),
        ("the header alone", Data("bplist00".utf8)), ("zeros", Data(count: 1000)),
        ("another version", Data("bplist15".utf8) + Data(count: 100)),
        ("a typedstream", Data("\u{4}\u{b}streamtyped".utf8)),
        ("JSON", Data(#"{"$version": 100000}"#.utf8)), ("XML of another kind", Data("<html></html>".utf8)),
    ]

    @Test(arguments: bytes.indices)
    func `is refused where it is no property list`(index: Int) throws {
        let error = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(Self.bytes[index].data) }
        #expect([.notAnArchive, .damaged].contains(try #require(error).code), "\(Self.bytes[index].name)")
    }
}
