// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// An empty array is a value, and one object for all places where there is one, as Cocoa's `@[]` is.
@Suite(.inTurn) struct `Empty collections` {
    struct Shelf: Codable, Equatable {
        var numbers: [Int] = []
        var words: [String] = []
        var labels: Set<String> = []
        var prices: [String: Int] = [:]
        var shelves: [Shelf] = []
        var places: Set<Int> = []
        var byNumber: [Int: [Int]] = [:]
        var flags: ContiguousArray<Bool> = []
    }

    @Test func `are one object for all arrays, one for all sets and one for all dictionaries`() throws {
        let archive = try InspectedArchive(of: Shelf())
        let expected: [PropertyList] = [
            "$null",
            [
                "numbers": .uid(2), "words": .uid(2), "labels": .uid(4), "prices": .uid(6), "shelves": .uid(2),
                "places": .uid(4), "byNumber": .uid(6), "flags": .uid(2), "$class": .uid(8),
            ],
            ["NS.objects": [], "$class": .uid(3)],
            ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
            ["NS.objects": [], "$class": .uid(5)],
            ["$classname": "NSSet", "$classes": ["NSSet", "NSObject"]],
            ["NS.keys": [], "NS.objects": [], "$class": .uid(7)],
            ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]],
        ]
        #expect(Array(archive.objects.prefix(8)) == expected)
        #expect(archive.objects.count == 9)
    }

    /// An array that has elements is written where it is met, with its class; the empty one follows in a slot of its own.
    @Test func `are stored inside each other and beside others`() throws {
        let archive = try InspectedArchive(of: [[[7]], [], [[]], [[]]])
        #expect(archive.text == "NSArray[NSArray[NSArray[@7]], NSArray[], NSArray[NSArray[]], NSArray[NSArray[]]]")
        // The outermost, [[7]], [7] and twice [[]]; and the empty one.
        #expect(archive.count(ofClass: "NSArray") == 6)
        #expect(archive.objects.filter { $0["NS.objects"] == [] }.count == 1)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `come back as what they were`(format: PropertyListFormat) throws {
        let shelf = Shelf(words: ["a"], shelves: [Shelf(), Shelf(numbers: [1])], byNumber: [1: [], 2: [], 3: [4]])
        #expect(try roundTrip(shelf, format: format) == shelf)
        #expect(try roundTrip([[]] as [[Shelf]], format: format) == [[]])
        #expect(try roundTrip([[], []] as Set<[Int]>, format: format) == [[]])
        #expect(try roundTrip([[:]: [:]] as [[Int: Int]: [Int: Int]], format: format) == [[:]: [:]])
        #expect(try roundTrip([[], nil, []] as [Set<Int>?], format: format) == [[], nil, []])
    }

    /// One that is changed after it was decoded is a value of its own, as any array is.
    @Test func `are independent values again`() throws {
        var shelf = try roundTrip(Shelf())
        shelf.numbers.append(1)
        #expect(shelf == Shelf(numbers: [1]))
    }

    @Test func `are in the same place whatever order they are met in, with sorted keys`() throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        let words = (0..<40).map { "word \($0)" }
        let archives = try (0..<4).map { shift in
            try encoder.encode(
                Dictionary(uniqueKeysWithValues: (words[shift...] + words[..<shift]).map { ($0, Set<Int>()) }))
        }
        #expect(Set(archives).count == 1)
    }
}

// MARK: - What has an identity

extension `Empty collections` {
    private struct OwnList: Encodable {
        func encode(to encoder: any Encoder) throws { _ = encoder.unkeyedContainer() }
    }

    private struct NoFields: Encodable {}

    private final class Instance: Encodable {}

    @Test func `of types of one's own are objects of their own`() throws {
        let archive = try InspectedArchive(of: [OwnList(), OwnList()])
        #expect(archive.text == "NSArray[OwnList[], OwnList[]]" && archive.count(ofClass: "OwnList") == 2)
        #expect(try InspectedArchive(of: [NoFields(), NoFields()]).count(ofClass: "NoFields") == 2)
        #expect(try InspectedArchive(of: [Instance(), Instance()]).count(ofClass: "Instance") == 2)
    }

    private struct Containers: Encodable {
        enum Keys: CodingKey { case first, second }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            _ = container.nestedUnkeyedContainer(forKey: .first)
            _ = container.nestedUnkeyedContainer(forKey: .second)
        }
    }

    /// The contents of a requested container are unknown when it gets its place.
    @Test func `that were requested as containers are objects of their own`() throws {
        let archive = try InspectedArchive(of: Containers())
        #expect(archive.text == "Containers{first: NSArray[], second: NSArray[]}")
        #expect(archive.count(ofClass: "NSArray") == 2)
    }

    /// A polymorphic array is an object that says which array it is. What is in it is the one empty array.
    @Test func `behind a protocol are in an object for each`() throws {
        let any: [any Codable & Sendable] = [[Int](), [Int](), [String]()]
        let archive = try InspectedArchive(of: Polymorphic(wrappedValue: any))
        #expect(archive.count(ofClass: "NSArray") == 2)
        let wrapped = archive.objects.compactMap { $0["$0"] }
        #expect(wrapped.count == 3 && Set(wrapped).count == 1)
    }
}

// MARK: - By key

extension `Empty collections` {
    private final class Drawer: Coding {
        var drawers: [Drawer] = []
        var byName: [String: Drawer] = [:]

        init() {}

        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(drawers, forKey: "drawers")
            try coder.encodeObject(drawers as [any Coding], forKey: "any")
            try coder.encode(byName, forKey: "byName")
            try coder.encodeObject(byName as [String: any Coding], forKey: "anyByName")
            try coder.encode([Int](), forKey: "numbers")
            try coder.encode(Set<String>(), forKey: "words")
            try coder.encodeObject([] as [Any], forKey: "anything")
            try coder.encodeObject([:] as [AnyHashable: Any], forKey: "anyEntries")
            try coder.encodeObject([] as Set<AnyHashable>, forKey: "anySet")
        }

        init(coder: KeyedUnarchiver) throws {
            drawers = try coder.decode([Drawer].self, forKey: "drawers")
            byName = try coder.decode([String: Drawer].self, forKey: "byName")
        }
    }

    @Test func `that classes encode by key are the same objects`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Drawer(), forKey: "first")
        try archiver.encode(Drawer(), forKey: "second")
        let data = try archiver.finishEncoding()
        let archive = try InspectedArchive(data)
        for key in ["first", "second"] {
            let drawer = try #require(archive.follow(archive.list["$top"]?[key]))
            let arrays = ["drawers", "any", "numbers", "anything"].map { drawer[$0] }
            let dictionaries = ["byName", "anyByName", "anyEntries"].map { drawer[$0] }
            let sets = ["words", "anySet"].map { drawer[$0] }
            #expect(Set(arrays).count == 1 && archive.className(of: archive.follow(arrays[0]) ?? .null) == "NSArray")
            #expect(
                Set(dictionaries).count == 1
                    && archive.className(of: archive.follow(dictionaries[0]) ?? .null) == "NSDictionary")
            #expect(Set(sets).count == 1 && archive.className(of: archive.follow(sets[0]) ?? .null) == "NSSet")
        }
        #expect(archive.count(ofClass: "NSArray") == 1)
        #expect(archive.count(ofClass: "NSSet") == 1)
        #expect(archive.count(ofClass: "NSDictionary") == 1)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let drawer = try unarchiver.decode(Drawer.self, forKey: "second")
        #expect(drawer.drawers.isEmpty && drawer.byName.isEmpty)
    }
}

// MARK: - Looking and editing

extension `Empty collections` {
    private static func archive() throws -> KeyedArchive {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Shelf.self, name: "Shelf")
        return try KeyedArchive(encoder.encode(Shelf()))
    }

    @Test func `are one object in an archive`() throws {
        let archive = try Self.archive()
        #expect(archive[["root", "numbers"]]?.uid == 2)
        #expect(archive[["root", "flags"]]?.uid == 2)
        #expect(archive[["root", "places"]]?.uid == 4)
        try archive.validate()
        #expect(
            archive.tree == """
                Keyed archive by NSKeyedArchiver, binary, 9 objects
                root: Shelf #1
                    numbers: NSArray #2, 0 elements
                    words: NSArray #2, 0 elements
                    labels: NSSet #4, 0 elements
                    prices: NSDictionary #6, 0 entries
                    shelves: NSArray #2, 0 elements
                    places: NSSet #4, 0 elements
                    byNumber: NSDictionary #6, 0 entries
                    flags: NSArray #2, 0 elements
                """)
    }

    /// An edited collection becomes an object of its own; other references to it are unknown.
    @Test func `are edited one by one`() throws {
        var editor = try KeyedArchiveEditor(Self.archive())
        try editor.insert("a", at: ["root", "words", 0])
        try editor.insert("b", at: ["root", "words", 1])
        try editor.set(3, at: ["root", "prices", "pear"])
        try editor.insert(5, at: ["root", "places", "NS.objects", 0])
        #expect(editor[uid: 2] == ["NS.objects": [], "$class": .uid(3)])
        #expect(editor[uid: 4] == ["NS.objects": [], "$class": .uid(5)])
        #expect(editor[uid: 6] == ["NS.keys": [], "NS.objects": [], "$class": .uid(7)])
        let edited = try KeyedArchive(editor.propertyList.data())
        try edited.validate()
        var decoder = ArchiveDecoder()
        decoder.classes.register(Shelf.self, name: "Shelf")
        #expect(
            try decoder.decode(Shelf.self, from: editor.propertyList.data())
                == Shelf(words: ["a", "b"], prices: ["pear": 3], places: [5]))
    }

    @Test func `stay one where an edit fails`() throws {
        var editor = try KeyedArchiveEditor(Self.archive())
        let before = editor.propertyList
        #expect(throws: KeyedArchiveError.self) { try editor.insert("a", at: ["root", "words", 1]) }
        #expect(throws: KeyedArchiveError.self) { try editor.insert(.uid(99), at: ["root", "words", 0]) }
        #expect(throws: KeyedArchiveError.self) { try editor.set("a", at: ["root", "words", "NS.count"]) }
        #expect(editor.propertyList == before)
    }

    /// Two references to a mutable array are references to one thing: what is put into it both see.
    @Test func `that are mutable are edited where they are`() throws {
        let data = try handmadeArchive(
            ["a": .uid(2), "b": .uid(2), "$class": .uid(4)], ["NS.objects": [], "$class": .uid(3)],
            ["$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]],
            ["$classname": "Pair", "$classes": ["Pair", "NSObject"]])
        var editor = try KeyedArchiveEditor(KeyedArchive(data))
        try editor.insert("x", at: ["root", "a", 0])
        #expect(editor.uid(at: ["root", "b"]) == 2 && editor.value(at: ["root", "b", 0]) == "x")
    }

    /// An instance that several places refer to has one array: it is one place to edit.
    @Test func `of an instance are edited for all that refer to it`() throws {
        final class Box: Encodable { var items: [Int] = [] }
        struct Pair: Encodable { var first: Box, second: Box, other: [Int] = [] }
        let box = Box()
        var editor = try KeyedArchiveEditor(KeyedArchive(ArchiveEncoder().encode(Pair(first: box, second: box))))
        try editor.insert(1, at: ["root", "first", "items", 0])
        #expect(editor.value(at: ["root", "second", "items", 0]) == 1)
        #expect(editor.value(at: ["root", "other"])?["NS.objects"] == [])
    }
}
