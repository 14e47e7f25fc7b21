// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Editing a whole archive: values, copies, what is left behind, and how much it costs.
@Suite(.inTurn) struct `An editor of an archive` {
    @Test(
        arguments: [
            ["root"], ["root", "name"], ["root", "age"], ["root", "share"], ["root", "huge"], ["root", "animals"],
            ["root", "animals", 2], ["root", "animals", 2, "name"], ["root", "animals", 1, "mother"],
            ["root", "animals", 0, "mother", "weight"], ["root", "facts"], ["root", "facts", "first"],
            ["root", "facts", 1],
            ["root", "plain"], ["root", "plain", "list", 1], ["root", "plain", 1], ["root", "plain", "ref"],
            ["root", "$price"], ["root", "$0"], ["root", "$class"], ["root", "animals", 0, "$class", "$classes", 1],
            ["$dollar"], ["count"], ["old", "twice"], ["old", 1], ["old", 2], [], ["none"], ["root", "none"], [0],
            ["root", 0], ["root", "animals", 3], ["root", "animals", -1], ["root", "name", "x"], ["root", "$$price"],
            ["root", "facts", "NS.keys"], ["root", "animals", "NS.objects", 1], ["root", "animals", 0, "$class", 0],
            ["root", "animals", 1, "mother", "name"], ["root", "plain", "$price"],
        ] as [KeyedArchive.Path])
    func `finds by path what the archive finds`(path: KeyedArchive.Path) throws {
        let archive = try KeyedArchive(EditedFarm.list)
        let editor = try KeyedArchiveEditor(archive)
        let value = archive[path]
        #expect(try editor.value(at: path) == value?.propertyList())
        #expect(editor.uid(at: path) == value?.uid)
    }

    @Test func `gives objects by their uids`() throws {
        let editor = try EditedFarm.editor()
        #expect(editor.objectCount == 19)
        for (uid, object) in EditedFarm.objects.enumerated() { #expect(editor[uid: UInt32(uid)] == object) }
        #expect(editor[uid: 19] == nil && editor[uid: .max] == nil)
        #expect(PropertyList.dictionary(editor.top).isExactly(EditedFarm.top))
    }

    @Test func `is a value`() throws {
        let first = try EditedFarm.editor()
        var second = first
        try second.set(1, at: ["root", "age"])
        var third = second
        try third.remove(at: ["root", "animals", 0])
        try third.renameClass("Farm", to: "Estate")
        #expect(first.propertyList.isExactly(EditedFarm.list))
        #expect(second.propertyList.isExactly(EditedFarm.list([1: EditedFarm.object(1, ("age", 1))])))
        #expect(third[uid: 10] == ["$classname": "Estate", "$classes": ["Estate", "NSObject"]])
    }

    @Test func `makes archives that are decoded`() throws {
        struct Cow: Decodable, Equatable {
            var name: String
            var weight: Double
            var born: Date?
        }
        struct Farm: Decodable, Equatable {
            var name: String
            var age: Int
            var share: Float
            var animals: [Cow]
            var facts: [String: String]
        }
        var editor = try EditedFarm.editor()
        try editor.set("1990", at: ["root", "facts", "since"])
        try editor.insert("yes", at: ["root", "facts", "open"])
        try editor.set("Berta", at: ["root", "animals", 1, "name"])
        try editor.set(.date(Date(timeIntervalSinceReferenceDate: 7)), at: ["root", "animals", 1, "born"])
        let calf = try editor.addObject(ofClass: "Farm.Cow", fields: ["name": "Calf", "weight": 50.5])
        try editor.insert(.uid(calf), at: ["root", "animals", 0])
        try editor.set(.real32(0.25), at: ["root", "share"])
        let bella = Cow(name: "Bella", weight: 512.5, born: Date(timeIntervalSinceReferenceDate: 100))
        let farm = Farm(
            name: "Old Farm", age: 12, share: 0.25,
            animals: [
                Cow(name: "Calf", weight: 50.5, born: nil), bella,
                Cow(name: "Berta", weight: 480, born: Date(timeIntervalSinceReferenceDate: 7)), bella,
            ], facts: ["first": "Old Farm", "since": "1990", "open": "yes"])
        for format in PropertyListFormat.allCases {
            #expect(try ArchiveDecoder().decode(Farm.self, from: editor.propertyList.data(format: format)) == farm)
        }
        #expect(try editor.archive()["root", "animals", 0]?.class?.chain == ["Farm.Cow", "Farm.Animal", "NSObject"])
    }

    @Test func `makes an archive of nothing`() throws {
        var editor = KeyedArchiveEditor()
        let empty: PropertyList = [
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": [:], "$objects": ["$null"],
        ]
        #expect(editor.propertyList.isExactly(empty))
        let names = try editor.addArray(["Ann", "Bob", "$null"])
        try editor.set(.uid(names), at: ["root"])
        try editor.set(2, at: ["version"])
        #expect(
            try ArchiveDecoder().decode([String].self, from: editor.propertyList.data()) == ["Ann", "Bob", "$null"])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: editor.propertyList.data(format: .xml))
        #expect(try unarchiver.decodeInteger(forKey: "version") == 2)
        try editor.archive().validate()
    }

    @Test func `has a slot for nil where the archive had none`() throws {
        var editor = try KeyedArchiveEditor(KeyedArchive(["$version": 100_000, "$top": [:], "$objects": []]))
        try editor.set("text", at: ["root"])
        #expect(
            editor.propertyList == ["$version": 100_000, "$top": ["root": .uid(1)], "$objects": ["$null", "text"]])
    }

    // MARK: What is left behind

    @Test func `removes unreachable objects`() throws {
        var editor = try EditedFarm.editor()
        #expect(editor.removeUnreachableObjects() == [8])
        #expect(editor.propertyList.isExactly(EditedFarm.list([8: "$null"])))
        #expect(editor.removeUnreachableObjects() == [])
        try editor.remove(at: ["old"])
        try editor.remove(at: ["root", "facts"])
        // The dictionary, its keys, a number and its class, and what was at the end.
        #expect(editor.removeUnreachableObjects() == [9, 14, 15, 16, 17, 18])
        #expect(editor.objectCount == 14)
        #expect(editor[uid: 9] == "$null" && editor[uid: 13] == EditedFarm.objects[13])
        try editor.archive().validate()
        #expect(try editor.archive().unreachableObjects.map(\.uid) == [8, 9])
    }

    @Test func `removes unreachable cycles`() throws {
        var editor = try EditedFarm.editor()
        try editor.set(.uid(4), at: ["root", "animals", 1, "mother"])
        for _ in 0..<3 { try editor.remove(at: ["root", "animals", 0]) }
        #expect(editor.removeUnreachableObjects() == [4, 5, 7, 8, 12, 13])
        // "Bella" is at the top and in plain data as well.
        #expect(editor[uid: 6] == "Bella")
        try editor.remove(at: ["root"])
        try editor.remove(at: ["old"])
        try editor.remove(at: ["$dollar"])
        editor.removeUnreachableObjects()
        #expect(editor.propertyList == EditedFarmRemains.list)
    }

    private enum EditedFarmRemains {
        static let list: PropertyList = [
            "$version": 100_000, "$objects": ["$null"], "$note": ["kept": [.real32(1.5), false]],
            "$archiver": "MSArchiver", "$top": ["count": 3],
        ]
    }

    @Test func `finds classes again after they were edited`() throws {
        var editor = try EditedFarm.editor()
        #expect(editor.addClass(named: "Farm.Cow") == 12)
        try editor.renameClass("Farm.Cow", to: "Cow")
        #expect(editor.addClass(named: "Cow") == 12)
        try editor.set("Calf", at: ["root", "animals", 0, "$class", "$classname"])
        #expect(editor.addClass(named: "Calf") == 12)
        let added = try editor.addObject(["$classname": "Pig", "$classes": ["Pig", "NSObject"]])
        #expect(editor.addClass(named: "Pig") == added)
        try editor.replaceObject(added, with: "no class")
        #expect(editor.addClass(named: "Pig") == added + 1)
        editor.removeUnreachableObjects()
        #expect(editor.objectCount == 19)
        #expect(editor.addClass(named: "Pig") == 19)
    }

    @Test func `renames in entries that share names`() throws {
        let data = try handmadeArchive(
            ["$class": .uid(2)], ["$classname": "B", "$classes": ["B", "A", "NSObject"], "$classhints": ["A"]],
            ["$classname": "A", "$classes": ["A", "NSObject"]], ["$classname": "A"],
            // No class entry: it has a class.
            ["$classname": "A", "$class": .uid(2)], "A")
        var editor = try KeyedArchiveEditor(KeyedArchive(data))
        try editor.renameClass("A", to: "Z.A")
        let expected = try handmadeArchive(
            ["$class": .uid(2)], ["$classname": "B", "$classes": ["B", "Z.A", "NSObject"], "$classhints": ["A"]],
            ["$classname": "Z.A", "$classes": ["Z.A", "NSObject"]], ["$classname": "Z.A"],
            ["$classname": "A", "$class": .uid(2)], "A")
        #expect(try editor.propertyList.isExactly(PropertyList(expected)))
    }

    @Test func `renames in no list of very many classes, which entries share`() throws {
        let chain = PropertyList.array(Array(repeating: "A", count: 129))
        var editor = KeyedArchiveEditor()
        let list = try editor.addObject(chain)
        let entry = try editor.addObject(["$classname": "A", "$classes": .uid(list)])
        try editor.renameClass("A", to: "B")
        #expect(editor[uid: entry] == ["$classname": "B", "$classes": .uid(list)] && editor[uid: list] == chain)
        #expect(editor.addClass(named: "B") == entry)
    }

    // MARK: Size

    /// Longer than any stack would follow.
    @Test func `follows chains of any length`() throws {
        let count: UInt32 = 50_000
        var objects = (1...count).map { PropertyList.dictionary(["next": .uid($0 + 1), "$class": .uid(count + 1)]) }
        objects[objects.count - 1] = ["$class": .uid(count + 1)]
        objects.append(["$classname": "Link"])
        var editor = try KeyedArchiveEditor(KeyedArchive(handmadeArchive(objects: objects)))
        let end = KeyedArchive.Path(["root"] + Array(repeating: "next", count: Int(count) - 1))
        try editor.set(7, at: end.appending(key: "value"))
        #expect(editor[uid: count] == ["value": 7, "$class": .uid(count + 1)])
        #expect(editor.removeUnreachableObjects() == [])
        try editor.remove(at: ["root", "next", "next"])
        #expect(editor.removeUnreachableObjects().count == Int(count) - 2)
    }

    /// It would take hours if each edit went through the archive.
    @Test func `edits one value without going through the others`() throws {
        let count = 20_000
        var editor = try KeyedArchiveEditor(KeyedArchive(PropertyList(ArchiveEncoder().encode(Array(0..<count)))))
        for position in 0..<count {
            try editor.set(.integer(Int128(count - position)), at: ["root", .index(position)])
        }
        for number in 0..<count {
            try editor.insert(.date(Date(timeIntervalSinceReferenceDate: 0)), at: [.key("n\(number)")])
        }
        let archive = try editor.archive()
        #expect(archive.root[0].integer == count && archive.root[count - 1].integer == 1)
        #expect(archive.top.count == count + 1)
    }
}
