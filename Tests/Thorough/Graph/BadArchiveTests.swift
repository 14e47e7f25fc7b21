// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A bad archive` {
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let list: PropertyList
        /// What the error has to mention.
        let mentions: [String]
        /// Where a decoder meets what is wrong, and the uid that `KeyedArchive` names.
        let path: String
        let uid: UInt32?

        init(_ name: String, _ list: PropertyList, _ mentions: String..., at path: String = "", uid: UInt32? = nil) {
            self.name = name
            self.list = list
            self.mentions = mentions
            self.path = path
            self.uid = uid
        }

        var testDescription: String { name }
    }

    private static func root(
        version: PropertyList? = 100_000, objects: PropertyList? = ["$null", 7],
        top: PropertyList? = ["root": .uid(1)]
    ) -> PropertyList {
        var root: PropertyList.Dictionary = ["$archiver": "NSKeyedArchiver"]
        root["$version"] = version
        root["$objects"] = objects
        root["$top"] = top
        return .dictionary(root)
    }

    /// Lists that are no archives.
    static let containers: [Sample] = [
        Sample("no dictionary", ["$version"], "archive"),
        Sample("an empty dictionary", [:], "archive", "$version"),
        Sample("a string", "NSKeyedArchiver", "archive"),
        Sample("no version", root(version: nil), "$version"),
        Sample("an older version", root(version: 99_999), "version", "99999", "100000"),
        Sample("a newer version", root(version: 100_001), "version", "100001"),
        Sample("a version of 128 bits", root(version: .integer(.max)), "version"),
        Sample("a version that is text", root(version: "100000"), "$version"),
        Sample("a version that is a real", root(version: 100_000.0), "$version"),
        Sample("no objects", root(objects: nil), "$objects"),
        Sample("objects that are a dictionary", root(objects: ["$null": 7]), "$objects"),
        Sample("objects that are a uid", root(objects: .uid(1)), "$objects"),
        Sample("no top", root(top: nil), "$top"),
        Sample("a top that is an array", root(top: [.uid(1)]), "$top"),
        Sample("a top that is a uid", root(top: .uid(1)), "$top"),
    ]

    @Test(arguments: containers, PropertyListFormat.allCases)
    func `is refused whatever is requested, with a description of the fault`(
        sample: Sample, format: PropertyListFormat
    ) throws {
        let data = try sample.list.data(format: format)
        for error in [
            try failure(decoding: Int.self, from: data), try failure(decoding: Int?.self, from: data),
            try failure(decoding: [String].self, from: data), try failure(decoding: [String: Int].self, from: data),
        ] {
            #expect(error.kind == .dataCorrupted)
            #expect(error.path == "")
            for word in sample.mentions { #expect(error.says(word), "\(error.text)") }
        }
    }

    @Test(
        arguments: [
            [:], ["other": .uid(1)], ["Root": .uid(1), "window": 3, "$root": .uid(1), "": 2],
        ] as [PropertyList])
    func `without root names the keys that are there`(top: PropertyList) throws {
        let error = try failure(decoding: Int.self, from: handmadeArchive(top: top, 7))
        #expect(error.kind == .keyNotFound)
        #expect(error.key == "root")
        #expect(error.says("root"))
        guard case .dictionary(let entries) = top else { return }
        for key in entries.keys where !key.hasPrefix("$") { #expect(error.says("\"\(key)\"")) }
    }

    /// The same with the objects from uid 1 on.
    private static func root(_ objects: PropertyList...) -> PropertyList { root(objects: .array(["$null"] + objects)) }

    /// An empty dictionary whose class is uid 2.
    private static let dictionary: PropertyList = ["NS.keys": [], "NS.objects": [], "$class": .uid(2)]

    /// Archives with something wrong inside, of which a `[String: [Int]]` is asked.
    static let contents: [Sample] = [
        Sample("root out of range", root(top: ["root": .uid(2)]), "uid 2", "2 objects", uid: 2),
        Sample("root far out of range", root(top: ["root": .uid(.max)]), "uid 4294967295", uid: .max),
        Sample("no objects at all", root(objects: []), "uid 1", "0 objects", uid: 1),
        Sample("a uid behind a uid", root(.uid(1)), "object 1 is itself a uid", uid: 1),
        Sample("a uid behind a uid, to nil", root(.uid(0)), "object 1 is itself a uid", uid: 1),
        Sample("a value out of range", root(["a": .uid(9)]), "uid 9", "2 objects", at: "a", uid: 9),
        Sample(
            "an element out of range", root(["a": .uid(2)], ["NS.objects": [1, .uid(9)]]), "uid 9", "3 objects",
            at: "a[1]", uid: 9),
        Sample(
            "an element that leads to a uid", root(["a": .uid(2)], ["NS.objects": [1, .uid(3)]], .uid(2)),
            "object 3 is itself a uid", at: "a[1]", uid: 3),
        Sample(
            "a class out of range", root(["NS.keys": [], "NS.objects": [], "$class": .uid(7)]), "uid 7", "2 objects",
            uid: 7),
        Sample("a class that is text", root(dictionary, "NSDictionary"), "class", "uid 2", uid: 1),
        Sample("a class without a name", root(dictionary, ["$classes": ["NSDictionary"]]), "class", "uid 2", uid: 1),
        Sample("a class whose name is a number", root(dictionary, ["$classname": 3]), "class", "uid 2", uid: 1),
        Sample(
            "more keys than values",
            root(
                ["NS.keys": ["a", "b"], "NS.objects": [["NS.objects": []]], "$class": .uid(2)],
                ["$classname": "NSDictionary"]), "2 keys", "1 values", uid: 1),
        Sample(
            "more values than keys",
            root(["NS.keys": [], "NS.objects": [["NS.objects": []]], "$class": .uid(2)], classEntry("NSDictionary")),
            "0 keys", "1 values", uid: 1),
        Sample(
            "keys without values in the form of foreign coders",
            root(
                ["NS.key.0": "a", "NS.key.1": "b", "NS.object.0": [], "$class": .uid(2)],
                ["$classname": "NSDictionary"]), "2 keys", "1 values", uid: 1),
    ]

    @Test(arguments: contents, PropertyListFormat.allCases)
    func `with something wrong inside is refused where it is met`(sample: Sample, format: PropertyListFormat) throws {
        let data = try sample.list.data(format: format)
        let error = try failure(decoding: [String: [Int]].self, from: data)
        #expect(error.kind == .dataCorrupted && error.path == sample.path)
        for word in sample.mentions { #expect(error.says(word), "\(error.text)") }
        try `Damage in an archive`.check(KeyedArchive(data), sample.uid, sample.mentions)
    }

    /// Objects of the wrong kind under keys of the format.
    static let wrongKinds: [PropertyList] = [
        ["NS.objects": "text"], ["NS.objects": .uid(1)], ["NS.objects": ["a": 1]], ["NS.objects": 3], "text", 3, true,
        .data(Data([1, 2])), .date(Date(timeIntervalSinceReferenceDate: 0)), 2.5,
        ["NS.keys": 1, "NS.objects": 2, "$class": .uid(2)], ["NS.keys": [], "$class": .uid(2)],
    ]

    @Test(arguments: wrongKinds)
    func `with another kind of value is a mismatch or damage, never a value`(stored: PropertyList) throws {
        let data = try handmadeArchive(stored, classEntry("NSDictionary"))
        let error = try failure(decoding: [[Int]].self, from: data)
        #expect([.typeMismatch, .dataCorrupted].contains(error.kind))
        let nested = try failure(decoding: [String: [Double]].self, from: handmadeArchive(["a": .uid(2)], stored))
        #expect([.typeMismatch, .dataCorrupted].contains(nested.kind))
        #expect(nested.path == "a")
    }

    @Test func `is not one that another program wrote under its own name`() throws {
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "NRKeyedArchiver", "$top": ["root": .uid(1)], "$objects": ["$null", 7],
        ]
        #expect(try ArchiveDecoder().decode(Int.self, from: list.data()) == 7)
    }

    @Test func `is not one whose entries come in another order, or are more`() throws {
        let list: PropertyList = [
            "$objects": ["$null", 7, "unused"], "extra": [1, 2], "$top": ["other": 1, "root": .uid(1)],
            "$version": 100_000, "$archiver": "NSKeyedArchiver",
        ]
        #expect(try ArchiveDecoder().decode(Int.self, from: list.data()) == 7)
    }

    @Test func `is not one whose root is inline`() throws {
        #expect(try ArchiveDecoder().decode(Int.self, from: handmadeArchive(top: ["root": 7])) == 7)
        #expect(try ArchiveDecoder().decode(String.self, from: handmadeArchive(top: ["root": "x"])) == "x")
        #expect(
            try ArchiveDecoder().decode([Int].self, from: handmadeArchive(top: ["root": ["NS.objects": [.uid(1)]]], 3))
                == [3])
    }
}
