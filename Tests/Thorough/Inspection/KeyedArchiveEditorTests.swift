// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

private typealias Farm = EditedFarm

/// What edits make of an archive, worked out by hand.
@Suite(.inTurn) struct `An archive that is edited` {
    struct Edit: Sendable, CustomTestStringConvertible {
        let name: String
        let body: @Sendable (inout KeyedArchiveEditor) throws -> Void
        let expected: PropertyList

        init(
            _ name: String, _ changes: [UInt32: PropertyList] = [:], adding new: [PropertyList] = [],
            top: PropertyList = EditedFarm.top, _ body: @escaping @Sendable (inout KeyedArchiveEditor) throws -> Void
        ) {
            self.name = name
            self.body = body
            expected = EditedFarm.list(changes, adding: new, top: top)
        }

        var testDescription: String { name }
    }

    private static let new = Farm.next

    private static let all: [Edit] = [nothing, fields, lists, dictionaries, plain, top, raw].flatMap(\.self)

    @Test(arguments: all)
    func `has what the edit says and everything else`(edit: Edit) throws {
        var editor = try Farm.editor()
        try edit.body(&editor)
        #expect(editor.propertyList.isExactly(edit.expected), "\(editor.propertyList)")
        #expect(try editor.archive().propertyList().isExactly(edit.expected))
        #expect(try PropertyList(editor.propertyList.data()).isExactly(edit.expected))
        let xml = try PropertyList(edit.expected.data(format: .xml))
        #expect(try PropertyList(editor.propertyList.data(format: .xml)).isExactly(xml))
        try editor.archive().validate()
    }

    static let nothing = [
        Edit("nothing") { _ in },
        Edit("a key that is added and removed") {
            try $0.set(1, at: ["root", "new"])
            try $0.remove(at: ["root", "new"])
            try $0.set(1, at: ["new"])
            try $0.remove(at: ["new"])
        },
        Edit("a class renamed and renamed back") {
            try $0.renameClass("Farm.Cow", to: "Cow")
            try $0.renameClass("Cow", to: "Farm.Cow")
        },
    ]

    static let fields = [
        Edit("an integer for another", [1: Farm.object(1, ("age", 13))]) { try $0.set(13, at: ["root", "age"]) },
        Edit("a real for an integer", [1: Farm.object(1, ("age", 12.5))]) { try $0.set(12.5, at: ["root", "age"]) },
        Edit("a Boolean for a 32-bit real", [1: Farm.object(1, ("share", true))]) {
            try $0.set(true, at: ["root", "share"])
        },
        Edit("a string for a string", [1: Farm.object(1, ("name", .uid(new)))], adding: ["New Farm"]) {
            try $0.set("New Farm", at: ["root", "name"])
        },
        Edit("a string for one that others refer to", [4: Farm.object(4, ("name", .uid(new)))], adding: ["Berta"]) {
            try $0.set("Berta", at: ["root", "animals", 2, "name"])
        },
        Edit("a number for a string", [1: Farm.object(1, ("name", 7))]) { try $0.set(7, at: ["root", "name"]) },
        Edit("a string for a number", [1: Farm.object(1, ("age", .uid(new)))], adding: ["old"]) {
            try $0.set("old", at: ["root", "age"])
        },
        Edit("data under a new key", [1: Farm.object(1, ("photo", .uid(new)))], adding: [.data(Data([1]))]) {
            try $0.set(.data(Data([1])), at: ["root", "photo"])
        },
        Edit("nil", [4: Farm.object(4, ("mother", .uid(0)))]) {
            try $0.set(.null, at: ["root", "animals", 0, "mother"])
        },
        Edit("a reference for nil", [5: Farm.object(5, ("mother", .uid(4)))]) {
            try $0.set(.uid(4), at: ["root", "animals", 1, "mother"])
        },
        Edit(
            "a date, which is an object", [4: Farm.object(4, ("born", .uid(new)))],
            adding: [["NS.time": 200.5, "$class": .uid(13)]]
        ) {
            try $0.set(.date(Date(timeIntervalSinceReferenceDate: 200.5)), at: ["root", "animals", 0, "born"])
        },
        Edit("what stands inline in a date", [7: Farm.object(7, ("NS.time", 300.0))]) {
            try $0.set(300.0, at: ["root", "animals", 0, "born", "NS.time"])
        },
        Edit(
            "through a cycle of references",
            [4: Farm.object(4, ("weight", 1.0)), 5: Farm.object(5, ("mother", .uid(4)))]
        ) {
            try $0.set(.uid(4), at: ["root", "animals", 1, "mother"])
            try $0.set(1.0, at: ["root", "animals", 1, "mother", "mother", "mother", "weight"])
        },
        Edit("a field removed", [4: Farm.object(4, ("born", nil))]) {
            try $0.remove(at: ["root", "animals", 0, "born"])
        },
        Edit("a key with a dollar sign", [1: Farm.object(1, ("$$price", 6), ("$$new", true))]) {
            try $0.set(6, at: ["root", "$price"])
            try $0.insert(true, at: ["root", "$new"])
        },
        Edit("values without keys", [1: Farm.object(1, ("$0", .uid(new)), ("$1", 2))], adding: ["zero"]) {
            try $0.set("zero", at: ["root", "$0"])
            try $0.insert(2, at: ["root", "$1"])
        },
        Edit("a key with a dollar sign removed", [1: Farm.object(1, ("$$price", nil), ("$0", nil))]) {
            try $0.remove(at: ["root", "$price"])
            try $0.remove(at: ["root", "$0"])
        },
        Edit(
            "the string that would be nil", [1: Farm.object(1, ("name", .uid(new + 1)))],
            adding: [
                ["$classname": "NSString", "$classes": ["NSString", "NSObject"]],
                ["NS.string": "$null", "$class": .uid(new)],
            ]
        ) { try $0.set("$null", at: ["root", "name"]) },
        Edit("a plain list", [1: Farm.object(1, ("name", [1, ["a": .uid(6)]]))]) {
            try $0.set([1, ["a": .uid(6)]], at: ["root", "name"])
        },
        Edit("another class", [4: Farm.object(4, ("$class", .uid(10)))]) {
            try $0.set(.uid(10), at: ["root", "animals", 0, "$class"])
        },
        Edit("the name in a class entry", [12: Farm.object(12, ("$classname", "Cow"))]) {
            try $0.set("Cow", at: ["root", "animals", 0, "$class", "$classname"])
        },
    ]

    static let lists = [
        Edit("an element for another", [3: Farm.object(3, ("NS.objects", [.uid(4), .uid(new), .uid(4)]))], adding: [7])
        {
            try $0.set(7, at: ["root", "animals", 1])
        },
        Edit("an element in front", [3: Farm.object(3, ("NS.objects", [.uid(5), .uid(4), .uid(5), .uid(4)]))]) {
            try $0.insert(.uid(5), at: ["root", "animals", 0])
        },
        Edit(
            "an element at the end", [3: Farm.object(3, ("NS.objects", [.uid(4), .uid(5), .uid(4), .uid(new)]))],
            adding: [.real32(0.1)]
        ) { try $0.insert(.real32(0.1), at: ["root", "animals", 3]) },
        Edit("an element removed", [3: Farm.object(3, ("NS.objects", [.uid(4), .uid(4)]))]) {
            try $0.remove(at: ["root", "animals", 1])
        },
        Edit("all elements removed", [3: Farm.object(3, ("NS.objects", []))]) {
            for _ in 0..<3 { try $0.remove(at: ["root", "animals", 0]) }
        },
        Edit("nil in a list", [3: Farm.object(3, ("NS.objects", [.uid(0), .uid(5), .uid(4)]))]) {
            try $0.set(.null, at: ["root", "animals", 0])
        },
        Edit("the list by its own key", [3: Farm.object(3, ("NS.objects", [.uid(5)]))]) {
            try $0.set([.uid(5)], at: ["root", "animals", "NS.objects"])
        },
        Edit(
            "an element by the key of the list",
            [3: Farm.object(3, ("NS.objects", [.uid(new), .uid(4), .uid(5), .uid(4)]))], adding: ["x"]
        ) {
            try $0.insert("x", at: ["root", "animals", "NS.objects", 0])
        },
    ]

    static let dictionaries = [
        Edit("a value for another", [9: Farm.object(9, ("NS.objects", [.uid(2), .uid(new)]))], adding: [1991]) {
            try $0.set(1991, at: ["root", "facts", "since"])
        },
        Edit("a value by its position", [9: Farm.object(9, ("NS.objects", [.uid(6), .uid(16)]))]) {
            try $0.set(.uid(6), at: ["root", "facts", 0])
        },
        Edit(
            "a new key",
            [
                9: Farm.object(
                    9, ("NS.keys", [.uid(14), .uid(15), .uid(new)]), ("NS.objects", [.uid(2), .uid(16), .uid(new + 1)]))
            ],
            adding: ["$price", true]
        ) { try $0.set(true, at: ["root", "facts", "$price"]) },
        Edit("a key removed", [9: Farm.object(9, ("NS.keys", [.uid(15)]), ("NS.objects", [.uid(16)]))]) {
            try $0.remove(at: ["root", "facts", "first"])
        },
        Edit("a position removed", [9: Farm.object(9, ("NS.keys", [.uid(14)]), ("NS.objects", [.uid(2)]))]) {
            try $0.remove(at: ["root", "facts", 1])
        },
    ]

    static let plain = [
        Edit("an element of a plain list", [1: Farm.object(1, ("plain", ["list": [1, "2"], "ref": .uid(6)]))]) {
            try $0.set("2", at: ["root", "plain", "list", 1])
        },
        Edit("elements added and removed", [1: Farm.object(1, ("plain", ["list": ["two", 3], "ref": .uid(6)]))]) {
            try $0.insert(3, at: ["root", "plain", "list", 2])
            try $0.remove(at: ["root", "plain", "list", 0])
        },
        Edit(
            "a reference in plain data", [1: Farm.object(1, ("plain", ["list": [1, "two"], "ref": .uid(new)]))],
            adding: ["B"]
        ) {
            try $0.set("B", at: ["root", "plain", "ref"])
        },
        Edit(
            "keys of plain data",
            [
                1: Farm.object(
                    1,
                    (
                        "plain",
                        [
                            "list": [1, "two"], "ref": .uid(6), "$new": "x",
                            "date": .date(Date(timeIntervalSinceReferenceDate: 5)),
                        ]
                    ))
            ]
        ) {
            try $0.set("x", at: ["root", "plain", "$new"])
            try $0.insert(.date(Date(timeIntervalSinceReferenceDate: 5)), at: ["root", "plain", "date"])
        },
        Edit("a position of plain data removed", [1: Farm.object(1, ("plain", ["ref": .uid(6)]))]) {
            try $0.remove(at: ["root", "plain", 0])
        },
        Edit(
            "the first of two equal keys",
            [
                18: .dictionary(
                    .init([(key: "twice", value: 7), (key: "twice", value: 2), (key: "once", value: .uid(6))]))
            ]
        ) { try $0.set(7, at: ["old", "twice"]) },
        Edit("both of two equal keys", [18: ["once": .uid(6)]]) { try $0.remove(at: ["old", "twice"]) },
    ]

    static let top = [
        Edit("a number at the top", top: ["root": .uid(1), "count": 4, "$$dollar": .uid(6), "old": .uid(18)]) {
            try $0.set(4, at: ["count"])
        },
        Edit(
            "new keys at the top", adding: ["text"],
            top: [
                "root": .uid(1), "count": 3, "$$dollar": .uid(6), "old": .uid(18), "$$class": .uid(new), "no": .uid(0),
            ]
        ) {
            try $0.set("text", at: ["$class"])
            try $0.set(.null, at: ["no"])
        },
        Edit("keys at the top removed", top: ["count": 3, "old": .uid(18)]) {
            try $0.remove(at: ["root"])
            try $0.remove(at: ["$dollar"])
        },
    ]

    static let raw = [
        Edit("an object replaced for all", [6: "Berta"]) { try $0.replaceObject(6, with: "Berta") },
        Edit("an object replaced by nil", [7: "$null"]) { try $0.replaceObject(7, with: .null) },
        Edit("an object added", adding: [["a": .uid(1)]]) {
            let uid = try $0.addObject(["a": .uid(1)])
            #expect(uid == new)
        },
        Edit(
            "an object of a class",
            adding: [
                "North", ["$classname": "Barn", "$classes": ["Barn", "House", "NSObject"]],
                [
                    "name": .uid(new), "stalls": 12, "$$a": true, "cow": .uid(4), "no": .uid(0),
                    "$class": .uid(new + 1),
                ],
            ]
        ) {
            let fields: PropertyList.Dictionary = [
                "name": "North", "stalls": 12, "$a": true, "cow": .uid(4), "no": .null,
            ]
            let uid = try $0.addObject(ofClass: "Barn", superclasses: ["House"], fields: fields)
            #expect(uid == new + 2)
        },
        Edit("an object of a class that is there", adding: [["weight": 1.5, "$class": .uid(12)]]) {
            try $0.addObject(ofClass: "Farm.Cow", fields: ["weight": 1.5])
        },
        Edit(
            "an array",
            adding: [1, "x", ["NS.objects": [.uid(new), .uid(4), .uid(new + 1), .uid(0)], "$class": .uid(11)]]
        ) {
            let uid = try $0.addArray([1, .uid(4), "x", .null])
            #expect(uid == new + 2)
        },
        Edit(
            "a set",
            adding: [
                "x", ["$classname": "NSSet", "$classes": ["NSSet", "NSObject"]],
                [
                    "NS.objects": [.uid(new)], "$class": .uid(new + 1),
                ],
            ]
        ) {
            let uid = try $0.addSet(["x"])
            #expect(uid == new + 2)
        },
        Edit(
            "a dictionary",
            adding: [
                "a", "b", 1,
                ["NS.keys": [.uid(new), .uid(new + 1)], "NS.objects": [.uid(new + 2), .uid(4)], "$class": .uid(17)],
            ]
        ) {
            let uid = try $0.addDictionary(["a": 1, "b": .uid(4)])
            #expect(uid == new + 3)
        },
        Edit(
            "classes",
            adding: [
                ["$classname": "Pig", "$classes": ["Pig", "Farm.Animal", "NSObject"]],
                ["$classname": "NSObject", "$classes": ["NSObject"]],
            ]
        ) {
            var uids: [UInt32] = []
            uids.append($0.addClass(named: "Farm.Cow"))
            uids.append($0.addClass(named: "Pig", superclasses: ["Farm.Animal"]))
            uids.append($0.addClass(named: "Pig"))
            uids.append($0.addClass(named: "NSObject"))
            #expect(uids == [12, new, new, new + 1])
        },
        Edit(
            "a class renamed",
            [12: ["$classname": "Cow", "$classes": ["Cow", "Farm.Animal", "NSObject"]]]
        ) { try $0.renameClass("Farm.Cow", to: "Cow") },
        Edit("a superclass renamed", [12: ["$classname": "Farm.Cow", "$classes": ["Farm.Cow", "Animal", "NSObject"]]]) {
            try $0.renameClass("Farm.Animal", to: "Animal")
        },
    ]
}
