// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// The output of `diff` for archives that differ in one thing, worked out by hand.
@Suite(.inTurn) struct `diff` {
    /// A farm: an owner who is the tenant as well, three cows one of which is the favourite, a set, a dictionary, a date,
    /// and a cow's owner.
    static let farm = HandMade.archive([
        "$null",
        [
            "$class": .uid(20), "name": .uid(2), "owner": .uid(3), "tenant": .uid(3), "animals": .uid(5),
            "favourite": .uid(6), "tags": .uid(9), "prices": .uid(12), "founded": .uid(16), "size": 12,
            "debts": .uid(0), "photo": .data(Data([1, 2, 3])),
        ],
        "Green Hill",
        ["$class": .uid(21), "name": .uid(4), "farm": .uid(1)],
        "Ann",
        ["$class": .uid(22), "NS.objects": [.uid(6), .uid(7), .uid(8)]],
        ["$class": .uid(23), "name": .uid(17), "weight": 500],
        ["$class": .uid(23), "name": .uid(18), "weight": 510],
        ["$class": .uid(23), "name": .uid(19), "weight": 520, "owner": .uid(3)],
        ["$class": .uid(24), "NS.objects": [.uid(10), .uid(11)]],
        "old",
        "small",
        ["$class": .uid(25), "NS.keys": [.uid(13), .uid(14)], "NS.objects": [.uid(15), .uid(15)]],
        "milk",
        "eggs",
        1.5,
        ["$class": .uid(26), "NS.time": 86400.0],
        "Bella",
        "Daisy",
        "Star",
        HandMade.classEntry("Farm", "NSObject"),
        HandMade.classEntry("Owner", "NSObject"),
        HandMade.classEntry("NSArray", "NSObject"),
        HandMade.classEntry("Cow", "Animal", "NSObject"),
        HandMade.classEntry("NSSet", "NSObject"),
        HandMade.classEntry("NSDictionary", "NSObject"),
        HandMade.classEntry("NSDate", "NSObject"),
    ])

    /// A change, and the one line that reports it.
    struct Edit: CustomTestStringConvertible, Sendable {
        let name: String
        let line: String
        let edit: @Sendable (inout KeyedArchiveEditor) throws -> Void

        init(_ name: String, _ line: String, _ edit: @escaping @Sendable (inout KeyedArchiveEditor) throws -> Void) {
            self.name = name
            self.line = line
            self.edit = edit
        }

        var testDescription: String { name }
    }

    static let edits = [
        Edit("another number", "~ size: 12 → 13") { try $0.set(13, at: ["root", "size"]) },
        Edit("another kind of number", "~ size: 12 → 12.0") { try $0.set(12.0, at: ["root", "size"]) },
        Edit("true instead of 1", "~ favourite/weight: 500 → true") {
            try $0.set(true, at: ["root", "animals", 0, "weight"])
        },
        Edit("another string", #"~ name: "Green Hill" → "Blue Hill""#) {
            try $0.set("Blue Hill", at: ["root", "name"])
        },
        Edit("nil", #"~ name: "Green Hill" → nil"#) { try $0.set(.null, at: ["root", "name"]) },
        Edit("a value in place of nil", "~ debts: nil → 3") { try $0.set(3, at: ["root", "debts"]) },
        Edit("other bytes", "~ photo: 3 bytes <010203> → 2 bytes <0104>") {
            try $0.set(.data(Data([1, 4])), at: ["root", "photo"])
        },
        Edit("another date", "~ founded: 2001-01-02T00:00:00Z → 2001-01-01T00:00:00Z") {
            try $0.set(0.0, at: ["root", "founded", "NS.time"])
        },
        Edit("a key more", "+ open: true") { try $0.set(true, at: ["root", "open"]) },
        Edit("a key less", "- size: 12") { try $0.remove(at: ["root", "size"]) },
        Edit("an element in front", #"+ animals/0: Cow #28 {name: "New", weight: 1}"#) {
            try $0.addObject("New")
            let cow = try $0.addObject(["$class": .uid(23), "name": .uid(27), "weight": 1])
            try $0.insert(.uid(cow), at: ["root", "animals", 0])
        },
        Edit("an element at the end", #"+ animals/3: Cow #27 {weight: 1}"#) {
            let cow = try $0.addObject(ofClass: "Cow", fields: ["weight": 1])
            try $0.insert(.uid(cow), at: ["root", "animals", 3])
        },
        Edit("the same element twice", #"+ animals/1: Cow #6 {name: "Bella", weight: 500}, the one at favourite"#) {
            try $0.insert(.uid(6), at: ["root", "animals", 0])
        },
        Edit("an element less", #"- animals/1: Cow #7 {name: "Daisy", weight: 510}"#) {
            try $0.remove(at: ["root", "animals", 1])
        },
        Edit("a value in an element", #"~ animals/2/weight: 520 → 521"#) {
            try $0.set(521, at: ["root", "animals", 2, "weight"])
        },
        Edit("an element more in a set", #"+ tags/0: "new""#) { try $0.insert("new", at: ["root", "tags", 0]) },
        Edit("an element less in a set", #"- tags/0: "old""#) { try $0.remove(at: ["root", "tags", 0]) },
        Edit("a value in a dictionary", "~ prices/milk: 1.5 → 2.0") {
            try $0.set(2.0, at: ["root", "prices", "milk"])
        },
        Edit("an entry more", "+ prices/ham: 9.0") { try $0.set(9.0, at: ["root", "prices", "ham"]) },
        Edit("an entry less", "- prices/eggs: 1.5") { try $0.remove(at: ["root", "prices", "eggs"]) },
        Edit("a key at the top", "+ /version: 2") { try $0.set(2, at: ["version"]) },
        Edit("another object", #"~ favourite: Cow #6, the one at animals/0 → Cow #7, the one at animals/1"#) {
            try $0.set(.uid(7), at: ["root", "favourite"])
        },
        Edit("two objects in place of one", "~ tenant: Owner #3, the one at owner → Owner #27, an object of its own") {
            let owner = try $0.addObject(["$class": .uid(21), "name": .uid(4), "farm": .uid(1)])
            try $0.set(.uid(owner), at: ["root", "tenant"])
        },
        Edit("an object of another kind", #"~ tenant: Owner #3 {name: "Ann", …} → "Ann""#) {
            try $0.set(.uid(4), at: ["root", "tenant"])
        },
        Edit("another class", "~ owner: class Owner → class Keeper") { try $0.renameClass("Owner", to: "Keeper") },
        Edit("another superclass", "~ superclasses of Cow: Animal, NSObject → Beast, NSObject") {
            try $0.renameClass("Animal", to: "Beast")
        },
        Edit("another version", "~ versions of Farm: none → 3, 0") {
            try $0.replaceObject(
                20, with: ["$classname": "Farm", "$classes": ["Farm", "NSObject"], "$classversions": [3, 0]])
        },
    ]

    private func run(_ left: PropertyList, _ right: PropertyList, _ options: String...) throws -> Program.Run {
        try Tool.differences(left.data(), right.data(), options)
    }

    @Test(arguments: edits)
    func `reports one change as one difference`(edit: Edit) throws {
        var editor = try KeyedArchiveEditor(KeyedArchive(Self.farm))
        try edit.edit(&editor)
        let result = try run(Self.farm, editor.propertyList)
        #expect(result.output == edit.line + "\n1 difference\n")
        #expect(result.errors == "")
        #expect(result.status == 1)
    }

    @Test(arguments: edits)
    func `reports the reverse difference as well`(edit: Edit) throws {
        var editor = try KeyedArchiveEditor(KeyedArchive(Self.farm))
        try edit.edit(&editor)
        let result = try run(editor.propertyList, Self.farm)
        let mark: Character =
            switch edit.line.first {
            case "+": "-"
            case "-": "+"
            default: "~"
            }
        #expect(result.output.first == mark)
        #expect(result.output.hasSuffix("\n1 difference\n"), "\(result.output)")
    }

    @Test func `says nothing with --quiet but by its status`() throws {
        var editor = try KeyedArchiveEditor(KeyedArchive(Self.farm))
        try editor.set(13, at: ["root", "size"])
        for (list, status) in [(Self.farm, Int32(0)), (editor.propertyList, 1)] {
            let result = try run(Self.farm, list, "--quiet")
            #expect(result.output == "" && result.errors == "" && result.status == status)
        }
    }

    @Test func `writes JSON that others read`() throws {
        var editor = try KeyedArchiveEditor(KeyedArchive(Self.farm))
        try editor.remove(at: ["root", "animals", 0])
        try editor.set(521, at: ["root", "animals", 1, "weight"])
        try editor.set("\"\u{1}\n", at: ["root", "name"])
        let result = try run(Self.farm, editor.propertyList, "--json")
        let json = try #require(
            try JSONSerialization.jsonObject(with: result.bytes) as? [String: [[String: String]]?])
        let differences = try #require(json["differences"] ?? nil)
        #expect(
            differences == [
                ["change": "changed", "path": "name", "old": "\"Green Hill\"", "new": "\"\\\"\\u{01}\\n\""],
                [
                    "change": "removed", "path": "animals/0",
                    "old": "Cow #6 {name: \"Bella\", weight: 500}, the one at favourite",
                ],
                [
                    "change": "changed", "path": "animals/2/weight", "newPath": "animals/1/weight", "old": "520",
                    "new": "521",
                ],
            ])
    }
}
