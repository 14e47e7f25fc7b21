// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Lists and dictionaries in the forms of other writers than NSKeyedArchiver.
@Suite(.inTurn) struct `An archive of another writer that is edited` {
    private static let classes: [PropertyList] = [
        classEntry("NSOrderedSet"), classEntry("NSMutableDictionary", "NSDictionary"),
        classEntry("_NSKeyedCoderOldStyleArray"), classEntry("NSCountedSet", "NSMutableSet", "NSSet"),
        classEntry("List"),
    ]

    /// An archive whose root is `object`, of the class `number` of those above; uid 1 is the root.
    private func editor(_ object: PropertyList) throws -> KeyedArchiveEditor {
        try KeyedArchiveEditor(KeyedArchive(handmadeArchive(objects: [object] + Self.classes)))
    }

    private func check(
        _ editor: KeyedArchiveEditor, _ object: PropertyList, adding new: [PropertyList] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(editor[uid: 1]?.isExactly(object) == true, "\(editor[uid: 1] ?? .null)", sourceLocation: sourceLocation)
        let list = try PropertyList(handmadeArchive(objects: [object] + Self.classes + new))
        #expect(editor.propertyList == list, sourceLocation: sourceLocation)
    }

    @Test func `has elements that are numbered anew`() throws {
        let start = try editor([
            "NS.object.0": .uid(2), "NS.object.1": .uid(3), "NS.object.2": .uid(4), "$class": .uid(2),
        ])
        var editor = start
        try editor.remove(at: ["root", 0])
        try check(editor, ["NS.object.0": .uid(3), "NS.object.1": .uid(4), "$class": .uid(2)])
        try editor.insert("x", at: ["root", 1])
        try check(
            editor, ["NS.object.0": .uid(3), "NS.object.1": .uid(7), "NS.object.2": .uid(4), "$class": .uid(2)],
            adding: ["x"])
        try editor.insert(.uid(6), at: ["root", 3])
        try editor.set(.null, at: ["root", 0])
        try check(
            editor,
            [
                "NS.object.0": .uid(0), "NS.object.1": .uid(7), "NS.object.2": .uid(4), "NS.object.3": .uid(6),
                "$class": .uid(2),
            ], adding: ["x"])
        for _ in 0..<4 { try editor.remove(at: ["root", 0]) }
        try check(editor, ["$class": .uid(2)], adding: ["x"])
        try editor.insert(.uid(3), at: ["root", 0])
        try check(editor, ["NS.object.0": .uid(3), "$class": .uid(2)], adding: ["x"])
        try check(start, ["NS.object.0": .uid(2), "NS.object.1": .uid(3), "NS.object.2": .uid(4), "$class": .uid(2)])
    }

    @Test func `has ten elements and more in their order`() throws {
        func list(_ uids: [UInt32]) -> PropertyList {
            var fields = PropertyList.Dictionary()
            for (position, uid) in uids.enumerated() { fields["NS.object.\(position)"] = .uid(uid) }
            fields["$class"] = .uid(2)
            return .dictionary(fields)
        }
        var editor = try editor(list([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]))
        try editor.remove(at: ["root", 2])
        try check(editor, list([0, 1, 3, 4, 5, 0, 1, 2, 3, 4, 5]))
        #expect(editor.uid(at: ["root", 10]) == 5)
    }

    @Test func `has keys and values in step`() throws {
        var editor = try editor([
            "NS.key.0": .uid(7), "NS.object.0": .uid(2), "NS.key.1": .uid(8), "NS.object.1": .uid(4), "$class": .uid(3),
        ])
        _ = try editor.addObject("a")
        _ = try editor.addObject("b")
        let strings: [PropertyList] = ["a", "b"]
        try editor.set(.uid(6), at: ["root", "b"])
        try editor.insert(true, at: ["root", "c"])
        try check(
            editor,
            [
                "NS.key.0": .uid(7), "NS.object.0": .uid(2), "NS.key.1": .uid(8), "NS.key.2": .uid(9),
                "NS.object.1": .uid(6), "NS.object.2": .uid(10), "$class": .uid(3),
            ], adding: strings + ["c", true])
        try editor.remove(at: ["root", "b"])
        try check(
            editor,
            [
                "NS.key.0": .uid(7), "NS.object.0": .uid(2), "NS.key.1": .uid(9), "NS.object.1": .uid(10),
                "$class": .uid(3),
            ], adding: strings + ["c", true])
        try editor.remove(at: ["root", 0])
        try editor.remove(at: ["root", 0])
        try check(editor, ["$class": .uid(3)], adding: strings + ["c", true])
        try editor.set(1, at: ["root", "d"])
        try check(
            editor, ["NS.key.0": .uid(11), "NS.object.0": .uid(12), "$class": .uid(3)],
            adding: strings + ["c", true, "d", 1])
    }

    /// "d" is 100: `double`.
    @Test func `has numbers in C arrays`() throws {
        var editor = try editor([
            "NS.count": 2, "NS.size": 8, "NS.type": 100, "$0": 1.5, "$1": 2.5, "$class": .uid(4),
        ])
        try editor.set(3.5, at: ["root", 0])
        try editor.insert(4.5, at: ["root", 1])
        try check(
            editor,
            ["NS.count": 3, "NS.size": 8, "NS.type": 100, "$0": 3.5, "$1": 4.5, "$2": 2.5, "$class": .uid(4)])
        try editor.remove(at: ["root", 0])
        try check(editor, ["NS.count": 2, "NS.size": 8, "NS.type": 100, "$0": 4.5, "$1": 2.5, "$class": .uid(4)])
        for key in ["NS.count", "$0", "$1"] {
            #expect(try failure { try editor.remove(at: ["root", .key(key)]) }.code == .wrongKind)
        }
        #expect(try failure { try editor.set(7, at: ["root", "NS.count"]) }.code == .wrongKind)
        #expect(try failure { try editor.set(7, at: ["root", "$2"]) }.code == .wrongKind)
        #expect(editor.value(at: ["root", 1]) == 2.5)
    }

    /// "@" is 64: objects.
    @Test func `has references in C arrays of objects`() throws {
        var editor = try editor(["NS.count": 1, "NS.size": 8, "NS.type": 64, "$0": .uid(2), "$class": .uid(4)])
        try editor.insert(5, at: ["root", 1])
        try check(
            editor, ["NS.count": 2, "NS.size": 8, "NS.type": 64, "$0": .uid(2), "$1": .uid(7), "$class": .uid(4)],
            adding: [5])
    }

    @Test func `has counted sets, which only change value by value`() throws {
        let object: PropertyList = ["NS.count": 1, "NS.object0": .uid(2), "NS.count0": 3, "$class": .uid(5)]
        var editor = try editor(object)
        try editor.set(4, at: ["root", "NS.count0"])
        try editor.set(.uid(6), at: ["root", "NS.object0"])
        let changed: PropertyList = ["NS.count": 1, "NS.object0": .uid(6), "NS.count0": 4, "$class": .uid(5)]
        try check(editor, changed)
        let edits: [(inout KeyedArchiveEditor) throws -> Void] = [
            { editor in try editor.remove(at: ["root", "NS.object0"]) },
            { editor in try editor.insert(.uid(2), at: ["root", "NS.object1"]) },
            { editor in try editor.insert(.uid(2), at: ["root", 0]) },
            { editor in try editor.set(2, at: ["root", "NS.count"]) },
            { editor in try editor.remove(at: ["root", "NS.count0"]) },
        ]
        for edit in edits {
            let error = try editingFailure { try edit(&editor) }
            #expect(error.code == .wrongKind && error.description.contains("NSCountedSet"), "\(error)")
            try check(editor, changed)
        }
    }

    @Test func `has lists in objects of other classes`() throws {
        var editor = try editor(["title": .uid(2), "NS.objects": [.uid(2)], "$class": .uid(6)])
        try editor.insert(true, at: ["root", 1])
        try editor.set(1, at: ["root", "size"])
        try check(
            editor, ["title": .uid(2), "NS.objects": [.uid(2), .uid(7)], "size": 1, "$class": .uid(6)], adding: [true])
    }

    @Test func `has numbers inline in a list, as Foundation does not write them`() throws {
        var editor = try editor(["NS.objects": [1, .uid(2)], "$class": .uid(6)])
        try editor.set(5, at: ["root", 0])
        try editor.set(6, at: ["root", 1])
        try check(editor, ["NS.objects": [5, .uid(7)], "$class": .uid(6)], adding: [6])
    }

    @Test func `has sets of the property list, strings in objects, and dates as leaves`() throws {
        let date = PropertyList.date(Date(timeIntervalSinceReferenceDate: 1))
        var editor = try editor([
            "set": .set([1, 2]), "text": .uid(7), "date": .uid(8), "bytes": .data(Data([1])), "$class": .uid(6),
        ])
        _ = try editor.addObject(["NS.string": "old", "$class": .uid(6)])
        _ = try editor.addObject(date)
        try editor.insert(3, at: ["root", "set", 0])
        try editor.set("new", at: ["root", "text", "NS.string"])
        try editor.set(date, at: ["root", "date"])
        try editor.set(.data(Data([2])), at: ["root", "bytes"])
        try check(
            editor,
            ["set": .set([3, 1, 2]), "text": .uid(7), "date": .uid(9), "bytes": .data(Data([2])), "$class": .uid(6)],
            adding: [["NS.string": "new", "$class": .uid(6)], date, date])
    }

    @Test func `has lists that are not in sequence, and are left alone`() throws {
        let object: PropertyList = [
            "NS.object.0": .uid(2), "NS.object.1": .uid(3), "NS.object.3": .uid(4), "$class": .uid(2),
        ]
        var editor = try editor(object)
        #expect(try failure { try editor.remove(at: ["root", 0]) }.code == .wrongKind)
        #expect(try failure { try editor.insert(1, at: ["root", 2]) }.code == .wrongKind)
        try check(editor, object)
        try editor.set(.uid(6), at: ["root", 1])
        #expect(editor[uid: 1]?["NS.object.1"] == .uid(6))
    }

    @Test func `has dictionaries that can be repaired`() throws {
        var editor = try editor(["NS.keys": [.uid(7)], "NS.objects": [.uid(2), .uid(3)], "$class": .uid(3)])
        _ = try editor.addObject("key")
        #expect(editor.value(at: ["root", "key"]) == nil)
        try editor.set([.uid(2)], at: ["root", "NS.objects"])
        #expect(editor.uid(at: ["root", "key"]) == 2)
        try check(editor, ["NS.keys": [.uid(7)], "NS.objects": [.uid(2)], "$class": .uid(3)], adding: ["key"])
    }

    private func failure(_ body: () throws -> Void) throws -> KeyedArchiveError {
        try editingFailure(body)
    }
}
