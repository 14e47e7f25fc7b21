// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Edits that cannot be made. They say why, and change nothing.
@Suite(.inTurn) struct `An edit that cannot be made` {
    typealias Body = @Sendable (inout KeyedArchiveEditor) throws -> Void

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: KeyedArchiveError.Code
        let uid: UInt32?
        /// What the sentence says.
        let parts: [String]
        let body: Body

        init(_ name: String, _ code: KeyedArchiveError.Code, _ uid: UInt32?, _ parts: String..., body: @escaping Body) {
            testDescription = name
            self.code = code
            self.uid = uid
            self.parts = parts
            self.body = body
        }
    }

    @Test(arguments: paths + values + structure)
    func `says what was found and changes nothing`(example: Case) throws {
        var editor = try EditedFarm.editor()
        let error = try editingFailure { try example.body(&editor) }
        #expect(error.code == example.code, "\(error)")
        #expect(error.uid == example.uid, "\(error)")
        for part in example.parts { #expect(error.description.contains(part), "\(error)") }
        #expect(editor.propertyList.isExactly(EditedFarm.list))
    }

    static let paths = [
        Case("no steps", .wrongKind, nil, "top of the archive") { e in try e.set(1, at: []) },
        Case("removing the top", .wrongKind, nil) { e in try e.remove(at: []) },
        Case("a key on the way", .notFound, 1, "root.barn", "root is an object of the class Farm at uid 1") {
            e in try e.set(1, at: ["root", "barn", "size"])
        },
        Case("a position on the way", .notFound, 3, "root.animals[3]", "class NSArray at uid 3 with 3 elements") {
            e in try e.set(1, at: ["root", "animals", 3, "weight"])
        },
        Case("a position", .notFound, 3, "root.animals[3]", "with 3 elements") {
            e in try e.set(1, at: ["root", "animals", 3])
        },
        Case("a position below 0", .notFound, 3, "root.animals[-1]") {
            e in try e.set(1, at: ["root", "animals", -1])
        },
        Case("a position behind the end", .notFound, 3, "root.animals[4]") {
            e in try e.insert(1, at: ["root", "animals", 4])
        },
        Case("a position of a plain list", .notFound, 1, "root.plain.list[2]", "an array of 2") {
            e in try e.set(1, at: ["root", "plain", "list", 2])
        },
        Case("removing what is not there", .notFound, 1, "root.barn") {
            e in try e.remove(at: ["root", "barn"])
        },
        Case("removing a key of a dictionary", .notFound, 9, "root.facts.none", "NSDictionary") {
            e in try e.remove(at: ["root", "facts", "none"])
        },
        Case("in a string", .wrongKind, 2, "root.name.first", "root.name is a string at uid 2") {
            e in try e.set(1, at: ["root", "name", "first"])
        },
        Case("further in a string", .wrongKind, 2, "root.name.first", "a string at uid 2") {
            e in try e.set(1, at: ["root", "name", "first", 2])
        },
        Case("a position of a number", .wrongKind, 1, "root.age[0]", "an integer") {
            e in try e.insert(1, at: ["root", "age", 0])
        },
        Case("in nil", .wrongKind, 5, "root.animals[1].mother is nil") {
            e in try e.set(1, at: ["root", "animals", 1, "mother", "weight"])
        },
        Case("a position of an object", .notFound, 1, "root[0]", "class Farm") {
            e in try e.set(1, at: ["root", 0])
        },
        Case("a position at the top", .notFound, nil, "[0]", "top of the archive") {
            e in try e.set(1, at: [0])
        },
        Case("inserting at a position of an object", .wrongKind, 1, "root[0]", "not a list") {
            e in try e.insert(1, at: ["root", 0])
        },
        Case("inserting at a position of a dictionary", .wrongKind, 9, "root.facts[0]", "not a list") {
            e in try e.insert(1, at: ["root", "facts", 0])
        },
    ]

    static let values = [
        Case("a uid that is not there", .notFound, 19, "uid 19", "root.barn", "only 19 objects") {
            e in try e.set(.uid(19), at: ["root", "barn"])
        },
        Case("the largest uid", .notFound, .max, "only 19") {
            e in try e.insert(.uid(.max), at: ["root", "animals", 0])
        },
        Case("a uid in a container", .notFound, 20, "uid 20") {
            e in try e.set([1, ["a": .uid(20)]], at: ["root", "name"])
        },
        Case("a uid in a new object", .notFound, 19) {
            e in _ = try e.addObject(["a": .set([.uid(19)])])
        },
        Case("a uid in an array", .notFound, 19) {
            e in _ = try e.addArray(["x", .uid(19)])
        },
        Case("a uid in a field", .notFound, 19, "Barn") {
            e in _ = try e.addObject(ofClass: "Barn", fields: ["x": "x", "a": .uid(19)])
        },
        Case("a uid in a dictionary", .notFound, 19) {
            e in _ = try e.addDictionary(["x": "x", "a": .uid(19)])
        },
        Case("an object that is a uid", .wrongKind, nil) { e in _ = try e.addObject(.uid(1))
        },
        Case("an object replaced by a uid", .wrongKind, nil) {
            e in try e.replaceObject(2, with: .uid(1))
        },
        Case("nil replaced", .wrongKind, 0, "nil") { e in try e.replaceObject(0, with: 1) },
        Case("an object replaced that is not there", .notFound, 19, "Object 19", "only 19 objects") {
            e in try e.replaceObject(19, with: 1)
        },
        Case("what is nested too deep", .limit, nil, "root.name", "510 levels") {
            e in try e.set(nested(510), at: ["root", "name"])
        },
    ]

    static let structure = [
        Case("inserting what is there", .wrongKind, 1, "root.age exists already") {
            e in try e.insert(1, at: ["root", "age"])
        },
        Case("inserting a key that is there", .wrongKind, 9, "root.facts.first exists already") {
            e in try e.insert(1, at: ["root", "facts", "first"])
        },
        Case("removing a class", .wrongKind, 1, "needs its class") {
            e in try e.remove(at: ["root", "$class"])
        },
        Case("a class that is a string", .wrongKind, 1, "class entry") {
            e in try e.set("Cow", at: ["root", "$class"])
        },
        Case("a class that is none", .wrongKind, 1, "class entry") {
            e in try e.set(.uid(2), at: ["root", "$class"])
        },
        Case("removing the elements of an array", .wrongKind, 3, "root.animals", "NSArray") {
            e in try e.remove(at: ["root", "animals", "NS.objects"])
        },
        Case("renaming what is not there", .notFound, nil, "Farm.Pig") {
            e in try e.renameClass("Farm.Pig", to: "Pig")
        },
    ]

    /// Containers in containers, so many levels.
    private static func nested(_ levels: Int) -> PropertyList { (1..<levels).reduce([1]) { list, _ in ["a": list] } }

    @Test func `is one too deep by a level`() throws {
        var editor = try EditedFarm.editor()
        // The root and $objects, the object, and this.
        try editor.set(Self.nested(509), at: ["root", "name"])
        #expect(try editor.archive()["root", "name", "a", "a"] != nil)
        let path = KeyedArchive.Path(["root", "name"] + Array(repeating: .key("a"), count: 508))
        try editor.set(["deepest"], at: path)
        #expect(editor.value(at: path.appending(index: 0)) == "deepest")
        #expect(try editingFailure { try editor.set([[1]], at: path) }.code == .limit)
        #expect(try KeyedArchive(editor.propertyList.data())[path.appending(index: 0)]?.string == "deepest")
    }

    @Test func `follows a path through an invalid reference`() throws {
        let data = try handmadeArchive(["a": .uid(9), "b": .uid(3), "$class": .uid(2)], ["$classname": "A"], .uid(1))
        var editor = try KeyedArchiveEditor(KeyedArchive(data))
        let error = try editingFailure { try editor.set(1, at: ["root", "a", "x"]) }
        #expect(error.code == .notFound && error.uid == 9 && error.description.contains("root.a is uid 9"))
        #expect(editor.value(at: ["root", "a"]) == nil && editor.uid(at: ["root", "a"]) == nil)
        #expect(throws: KeyedArchiveError.self) { try editor.set(1, at: ["root", "b", "x"]) }
        // It can be repaired, and is not touched before.
        #expect(try PropertyList(editor.propertyList.data()) == PropertyList(data))
        try editor.set(1, at: ["root", "a"])
        try editor.replaceObject(3, with: "b")
        try editor.archive().validate()
    }
}
