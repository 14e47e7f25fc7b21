// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Merges of archives that are written by hand.
@Suite(.inTurn) struct `A merge of archives` {
    private static func entry(_ name: String) -> PropertyList {
        ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
    }

    private static func list(
        _ objects: [PropertyList], top: PropertyList = ["root": .uid(1)], _ others: PropertyList.Dictionary = [:]
    ) -> PropertyList {
        var root: PropertyList.Dictionary = ["$version": 100_000, "$archiver": "NSKeyedArchiver"]
        for entry in others { root.append(key: entry.key, value: entry.value) }
        root.append(key: "$top", value: top)
        root.append(key: "$objects", value: .array(objects))
        return .dictionary(root)
    }

    private static func archive(_ objects: [PropertyList], top: PropertyList = ["root": .uid(1)]) throws -> KeyedArchive
    {
        try KeyedArchive(list(objects, top: top))
    }

    /// An edited copy.
    private static func edited(_ objects: [PropertyList], _ edit: (inout [PropertyList]) -> Void) throws -> KeyedArchive
    {
        var objects = objects
        edit(&objects)
        return try archive(objects)
    }

    private static func merge(
        _ objects: [PropertyList], _ mine: (inout [PropertyList]) -> Void, _ theirs: (inout [PropertyList]) -> Void
    ) throws -> ArchiveMerge {
        try ArchiveMerge(base: archive(objects), mine: edited(objects, mine), theirs: edited(objects, theirs))
    }

    /// A root with a list of four objects, and a reference to the first one.
    private static let four: [PropertyList] = [
        "$null", ["list": .uid(2), "first": .uid(4), "$class": .uid(8)],
        ["NS.objects": [.uid(4), .uid(5), .uid(6), .uid(7)], "$class": .uid(3)], entry("NSArray"),
        ["n": 1, "$class": .uid(8)], ["n": 2, "$class": .uid(8)], ["n": 3, "$class": .uid(8)],
        ["n": 4, "$class": .uid(8)],
        entry("Item"),
    ]

    private static func reference(_ uids: [UInt32]) -> PropertyList {
        ["NS.objects": .array(uids.map { .uid($0) }), "$class": .uid(3)]
    }

    private func numbers(_ data: Data) throws -> [Int] {
        try #require(try KeyedArchive(data).root["list"]).elements.compactMap { $0["n"]?.integer }
    }

    // MARK: Lists

    @Test func `takes a moved element, and reports one that both have moved or removed`() throws {
        func merged(_ mine: [UInt32], _ theirs: [UInt32]) throws -> ArchiveMerge {
            try Self.merge(Self.four, { $0[2] = Self.reference(mine) }, { $0[2] = Self.reference(theirs) })
        }
        #expect(try numbers(merged([5, 6, 7, 4], [4, 5, 6, 7]).data()) == [2, 3, 4, 1])
        #expect(try numbers(merged([5, 6, 7, 4], [5, 6, 7, 4]).data()) == [2, 3, 4, 1])
        #expect(try numbers(merged([4, 6, 7], [4, 5, 6]).data()) == [1, 3])
        for (mine, theirs) in [
            ([5, 6, 7, 4], [5, 4, 6, 7]), ([5, 6, 7, 4], [5, 6, 7]), ([4, 6, 7], [4, 5, 7]),
            ([4, 5, 6, 7, 4], [4, 4, 5, 6, 7]), ([6, 7], [5, 6, 7, 4]), ([5, 6, 7, 4], [6, 7]),
        ] as [([UInt32], [UInt32])] {
            let merge = try merged(mine, theirs)
            #expect(merge.conflicts.map(\.kind) == [.list], "\(mine) and \(theirs)")
            #expect(merge.conflicts.first?.path == ["root", "list"] && merge.conflicts.first?.key == "NS.objects")
            #expect(try numbers(merge.data { _ in .mine }) == mine.map { Int($0) - 3 })
            #expect(try numbers(merge.data { _ in .theirs }) == theirs.map { Int($0) - 3 })
            #expect(try numbers(merge.data { _ in .base }) == [1, 2, 3, 4])
            #expect(throws: ArchiveMergeError.self) { try merge.data() }
        }
    }

    @Test func `gives new objects of theirs other uids than those of mine`() throws {
        let merge = try Self.merge(
            Self.four,
            {
                $0.append(["n": 8, "$class": .uid(8)])
                $0.append(Self.reference([9, 4, 5, 6, 7]))
                $0[1] = ["list": .uid(10), "first": .uid(4), "$class": .uid(8)]
            },
            {
                $0.append(["n": 9, "twin": .uid(10), "$class": .uid(8)])
                $0.append(["n": 10, "twin": .uid(9), "$class": .uid(8)])
                $0.append(Self.reference([4, 5, 6, 7, 9, 10]))
                $0[1] = ["list": .uid(11), "first": .uid(4), "$class": .uid(8)]
            })
        let archive = try KeyedArchive(merge.data())
        #expect(try numbers(merge.data()) == [8, 1, 2, 3, 4, 9, 10])
        let elements = try #require(archive.root["list"]).elements
        #expect(elements[0].uid == 9 && elements[1].uid == 4 && archive.root["first"] == elements[1])
        #expect(elements[5]["twin"] == elements[6] && elements[6]["twin"] == elements[5])
        try archive.validate()
    }

    // MARK: Objects

    @Test func `restores an object of which both have removed one reference`() throws {
        let merge = try Self.merge(
            Self.four,
            {
                $0[2] = Self.reference([5, 6, 7])
                $0[4] = ["n": 100, "$class": .uid(8)]
            }, { $0[1] = ["list": .uid(2), "first": .uid(5), "$class": .uid(8)] })
        #expect(merge.conflicts.map(\.kind) == [.removal])
        #expect(try KeyedArchive(merge.data { _ in .mine }).root["first"]?["n"]?.integer == 100)
        #expect(try numbers(merge.data { _ in .theirs }) == [100, 2, 3, 4])
        #expect(
            merge.conflicts.first?.description.hasSuffix(
                "is removed by both in different places, and changed by one of them") == true)
    }

    @Test func `merges the keys of new objects of one place, and reports those of several`() throws {
        var objects: [PropertyList] = [
            "$null", ["size": .uid(2), "$class": .uid(4)], ["w": 1, "h": 2, "$class": .uid(3)], Self.entry("Size"),
            Self.entry("Item"),
        ]
        func replaced(_ width: PropertyList, _ height: PropertyList) throws -> KeyedArchive {
            try Self.edited(objects) {
                $0[1] = ["size": .uid(5), "$class": .uid(4)]
                $0.append(["w": width, "h": height, "$class": .uid(3)])
            }
        }
        let merge = try ArchiveMerge(base: Self.archive(objects), mine: replaced(10, 2), theirs: replaced(1, 20))
        let merged = try KeyedArchive(merge.data())
        #expect(merged["root", "size", "w"]?.integer == 10 && merged["root", "size", "h"]?.integer == 20)
        objects[1] = ["size": .uid(2), "other": .uid(2), "$class": .uid(4)]
        let instances = try ArchiveMerge(base: Self.archive(objects), mine: replaced(10, 2), theirs: replaced(1, 20))
        #expect(instances.conflicts.map(\.path) == [["root"]] && instances.conflicts.map(\.key) == ["size"])
        let chosen = try KeyedArchive(instances.data { _ in .theirs })
        #expect(chosen["root", "size", "w"]?.integer == 1 && chosen["root", "size", "h"]?.integer == 20)
    }

    @Test(arguments: [true, false]) func `restores all changed objects of a removed owner`(isDictionary: Bool) throws {
        // The root has an owner with twenty references under keys; mine has cleared it, theirs has changed each object.
        let uids = (0..<20).map { UInt32(25 + $0) }
        let keys = (0..<20).map { PropertyList.uid(UInt32(5 + $0)) }
        func owner(_ places: [Int]) -> PropertyList {
            guard isDictionary else {
                var fields: PropertyList.Dictionary = [:]
                for place in places { fields.append(key: "key\(place)", value: .uid(uids[place])) }
                fields.append(key: "$class", value: .uid(4))
                return .dictionary(fields)
            }
            return [
                "NS.keys": .array(places.map { keys[$0] }), "NS.objects": .array(places.map { .uid(uids[$0]) }),
                "$class": .uid(3),
            ]
        }
        var objects: [PropertyList] = [
            "$null", ["owner": .uid(2), "$class": .uid(4)], owner(Array(0..<20)), Self.entry("NSDictionary"),
            Self.entry("Item"),
        ]
        objects += (0..<20).map { .string("key\($0)") }
        objects += uids.map { ["n": .integer(Int128($0)), "$class": .uid(4)] }
        let merge = try Self.merge(
            objects, { $0[2] = owner([3]) },
            { for uid in uids { $0[Int(uid)] = ["n": .integer(Int128(uid) + 100), "$class": .uid(4)] } })
        #expect(merge.conflicts.count == 19 && merge.conflicts.allSatisfy { $0.kind == .removal })
        let merged = try KeyedArchive(merge.data { _ in .theirs })
        let restored = try #require(merged["root", "owner"])
        for (place, uid) in uids.enumerated() {
            #expect(restored["key\(place)"]?["n"]?.integer == Int(uid) + 100, "\(place)")
        }
        guard case .dictionary(let fields)? = try merged.propertyList()["$objects"]?.array?[2] else {
            Issue.record("The owner is not a dictionary")
            return
        }
        #expect(fields.last?.key == "$class" && fields.count == (isDictionary ? 3 : 21))
        let removed = try KeyedArchive(merge.data { _ in .mine })
        #expect(removed["root", "owner", "key3", "n"]?.integer == 128 && removed["root", "owner", "key4"] == nil)
    }

    @Test func `restores the owners of a changed object`() throws {
        let objects: [PropertyList] = [
            "$null", ["a": .uid(2), "$class": .uid(5)], ["b": .uid(3), "$class": .uid(5)],
            ["c": .uid(4), "n": 1, "$class": .uid(5)], ["n": 2, "$class": .uid(5)], Self.entry("Item"),
        ]
        let merge = try Self.merge(
            objects, { $0[1] = ["a": .uid(0), "$class": .uid(5)] }, { $0[4] = ["n": 3, "$class": .uid(5)] })
        #expect(merge.conflicts.map(\.path) == [["root", "a", "b", "c"]])
        #expect(try KeyedArchive(merge.data { _ in .theirs })["root", "a", "b", "c", "n"]?.integer == 3)
        let removed = try KeyedArchive(merge.data { _ in .mine })
        #expect(removed.root["a"]?.isNull == true && removed.objects.count == 6)
        #expect(removed[uid: 2].isNull && removed[uid: 4].isNull)
    }

    @Test func `reports new values of both only if they differ`() throws {
        func adding(_ elements: PropertyList...) -> (inout [PropertyList]) -> Void {
            {
                $0[1] = ["list": .uid(2), "first": .uid(4), "new": .uid(9), "$class": .uid(8)]
                $0.append(["NS.objects": .array(elements.indices.map { .uid(UInt32(10 + $0)) }), "$class": .uid(3)])
                $0 += elements
            }
        }
        #expect(try Self.merge(Self.four, adding("a", "b"), adding("a", "b")).conflicts.isEmpty)
        let merge = try Self.merge(Self.four, adding("a", "b"), adding("a", "c"))
        #expect(merge.conflicts.map(\.key) == ["new"] && merge.conflicts.first?.base == nil)
        let merged = try KeyedArchive(merge.data { _ in .theirs })
        #expect(merged.root["new"]?.elements.compactMap(\.string) == ["a", "c"])
    }

    @Test func `reports fields of two versions of a class in one object`() throws {
        let objects: [PropertyList] = ["$null", ["a": 1, "b": 1, "$class": .uid(2)], Self.entry("Item")]
        let version: PropertyList = ["$classname": "Item", "$classes": ["Item", "NSObject"], "$version": 2]
        let merge = try Self.merge(
            objects, { $0[1] = ["a": 2, "b": 1, "$class": .uid(2)] },
            {
                $0.append(version)
                $0[1] = ["a": 1, "b": 2, "$class": .uid(3)]
            })
        #expect(merge.conflicts.map(\.key) == ["$class"])
        let merged = try KeyedArchive(merge.data { _ in .theirs })
        #expect(try merged.root.propertyList()["$class"].map { merged[uid: $0.uid ?? 0]["$version"]?.integer } == 2)
        let other = try Self.merge(
            objects, { _ in },
            {
                $0.append(version)
                $0[1] = ["a": 1, "b": 2, "$class": .uid(3)]
            })
        #expect(other.conflicts.isEmpty)
    }

    @Test func `takes a value of a Foundation class as a whole`() throws {
        let objects: [PropertyList] = [
            "$null", ["text": .uid(2), "$class": .uid(6)],
            ["NSString": .uid(3), "NSAttributes": .uid(4), "$class": .uid(5)],
            "abc", ["NS.keys": [], "NS.objects": [], "$class": .uid(7)], Self.entry("NSAttributedString"),
            Self.entry("Item"), Self.entry("NSDictionary"),
        ]
        func text(_ text: String) -> (inout [PropertyList]) -> Void {
            {
                $0.append(["NSString": .uid(9), "NSAttributes": .uid(4), "$class": .uid(5)])
                $0.append(.string(text))
                $0[1] = ["text": .uid(8), "$class": .uid(6)]
            }
        }
        let conflict = try Self.merge(objects, text("mine"), text("theirs"))
        #expect(conflict.conflicts.map(\.path) == [["root"]] && conflict.conflicts.map(\.key) == ["text"])
        #expect(try Self.merge(objects, text("same"), text("same")).conflicts.isEmpty)
        let single = try KeyedArchive(Self.merge(objects, { _ in }, text("theirs")).data())
        #expect(single.root["text"]?["NSString"]?.string == "theirs")
    }

    @Test func `merges objects of Foundation classes that refer to each other`() throws {
        let objects: [PropertyList] = [
            "$null", ["NSSubview": .uid(2), "size": 1, "$class": .uid(3)],
            ["NSSuperview": .uid(1), "size": 1, "$class": .uid(3)], Self.entry("NSView"),
        ]
        let merge = try Self.merge(
            objects, { $0[1] = ["NSSubview": .uid(2), "size": 5, "$class": .uid(3)] },
            { $0[2] = ["NSSuperview": .uid(1), "size": 7, "$class": .uid(3)] })
        let merged = try KeyedArchive(merge.data())
        #expect(merged.root["size"]?.integer == 5 && merged.root["NSSubview"]?["size"]?.integer == 7)
        #expect(merged.root["NSSubview"]?["NSSuperview"] == merged.root)
    }

    // MARK: Archives

    @Test func `merges the values of the top by key, but for the checksum`() throws {
        let objects: [PropertyList] = ["$null", "a", "b", "c"]
        let merge = try ArchiveMerge(
            base: Self.archive(objects, top: ["x": .uid(1), "y": .uid(2), "n": 1, "$crc64": .data(Data([1]))]),
            mine: Self.archive(objects, top: ["x": .uid(3), "y": .uid(2), "n": 2, "$crc64": .data(Data([2]))]),
            theirs: Self.archive(objects, top: ["x": .uid(1), "n": 3, "z": .uid(2), "$crc64": .data(Data([3]))]))
        #expect(merge.conflicts.map(\.key) == ["n"] && merge.conflicts.map(\.path) == [[]])
        #expect(merge.conflicts.first?.mine?.integer == 2 && merge.conflicts.first?.className == nil)
        let top = try KeyedArchive(merge.data { _ in .theirs }).top
        #expect(top["x"]?.string == "c" && top["y"] == nil && top["z"]?.string == "b" && top["n"]?.integer == 3)
        // A new one takes its place.
        #expect(top["$crc64"]?.data?.count == 8)
    }

    @Test func `names the entries of dictionaries`() throws {
        func dictionary(_ value: PropertyList) -> [PropertyList] {
            [
                "$null", ["NS.keys": [.uid(2), .uid(3)], "NS.objects": [.uid(4), .uid(4)], "$class": .uid(5)], 17,
                "text", value,
                Self.entry("NSDictionary"),
            ]
        }
        let merge = try ArchiveMerge(
            base: Self.archive(dictionary("a")), mine: Self.archive(dictionary("b")),
            theirs: Self.archive(dictionary("c")))
        #expect(
            merge.conflicts.map(\.description) == [
                "root[\"17\"]: base \"a\", mine \"b\", theirs \"c\"", "root.text: base \"a\", mine \"b\", theirs \"c\"",
            ])
        #expect("\(merge)" == "Merge with 2 conflicts")
    }

    @Test func `reports what each version has changed`() throws {
        let merge = try Self.merge(
            Self.four, { $0[5] = ["n": 20, "$class": .uid(8)] },
            {
                $0[2] = Self.reference([4, 5])
                $0[1] = ["list": .uid(2), "$class": .uid(8)]
            })
        #expect(merge.changesOfMine.map(\.description) == ["root.list[1].n: 2 → 20"])
        #expect(
            merge.changesOfTheirs.map(\.description) == [
                "root.first: Item #4 (1 field) → none", "root.list: NSArray #2 (4 elements) → NSArray #2 (2 elements)",
            ])
    }

    @Test func `refuses other archives and damage`() throws {
        let other: [PropertyList] = ["$null", "a", "b", "c", "d", "e", "f", "g", "h"]
        for (mine, theirs, name) in [(other, Self.four, "Mine"), (Self.four, other, "Theirs")] {
            let error = #expect(throws: ArchiveMergeError.self) {
                try ArchiveMerge(base: Self.archive(Self.four), mine: Self.archive(mine), theirs: Self.archive(theirs))
            }
            #expect(error?.code == .unrelated && error?.description.hasPrefix(name) == true)
        }
        #expect(throws: KeyedArchiveError.self) {
            try Self.merge(Self.four, { $0[1] = ["list": .uid(99), "$class": .uid(8)] }, { _ in })
        }
        #expect(throws: KeyedArchiveError.self) { try Self.merge(Self.four, { _ in }, { $0[4] = .uid(5) }) }
    }

    // MARK: Proportion

    @Test func `takes time and stack in proportion to long chains and lists`() throws {
        let count = 4_000
        func chain(_ first: Int, _ last: Int) throws -> KeyedArchive {
            var objects: [PropertyList] = ["$null"]
            var elements: [PropertyList] = []
            for uid in 1...count {
                let number = uid == 1 ? first : uid == count ? last : uid
                objects.append([
                    "n": .integer(Int128(number)), "next": .uid(uid == count ? 0 : UInt32(uid + 1)),
                    "$class": .uid(UInt32(count + 1)),
                ])
                elements.append(.uid(UInt32(uid)))
            }
            objects.append(Self.entry("Item"))
            objects.append(["NS.objects": .array(elements.reversed()), "$class": .uid(UInt32(count + 3))])
            objects.append(Self.entry("NSArray"))
            return try Self.archive(objects, top: ["root": .uid(1), "all": .uid(UInt32(count + 2))])
        }
        let merge = try ArchiveMerge(base: chain(0, 0), mine: chain(-1, -2), theirs: chain(0, -3))
        #expect(merge.conflicts.map(\.key) == ["n"])
        let merged = try KeyedArchive(merge.data { _ in .theirs })
        #expect(merged.root["n"]?.integer == -1 && merged["all", 0, "n"]?.integer == -3)
    }
}
