// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Collections in an archive` {
    private func value(
        _ fields: PropertyList.Dictionary, _ entry: PropertyList, _ more: PropertyList...,
        format: PropertyListFormat = .binary
    ) throws -> KeyedArchive.Value {
        var fields = fields
        fields["$class"] = .uid(2)
        return try KeyedArchive(
            handmadeArchive(objects: [.dictionary(fields), entry] + more, format: format)
        ).root
    }

    static let lists = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSCountedSet", "NSOrderedSet", "NSMutableOrderedSet",
        "Farm.List",
    ]

    @Test(arguments: lists, PropertyListFormat.allCases)
    func `have elements`(name: String, format: PropertyListFormat) throws {
        let list = try value(
            ["NS.objects": [.uid(3), 2, .uid(0), .uid(3), "inline"]], classEntry(name), "a", format: format)
        #expect(list.count == 5 && list.elements.count == 5 && list.className == name && list.kind == .object)
        #expect(list[0].string == "a" && list[1].integer == 2 && list[2].isNull && list[4].string == "inline")
        #expect(list[0] == list[3] && list[0] != list[4])
        #expect(list.elements.map(\.uid) == [3, nil, 0, 3, nil])
        #expect(list.elements.first == list[0] && list.elements.last?.string == "inline")
        #expect(list.elements[1...2].map(\.kind) == [.integer, .null])
        #expect(list.keys == ["NS.objects"] && list.fields.map(\.key) == ["NS.objects"])
        #expect(list["NS.objects"]?.kind == .array && list.entries.isEmpty)
    }

    @Test(arguments: lists)
    func `have elements that were written with a key for each`(name: String) throws {
        var fields: PropertyList.Dictionary = [:]
        for position in (0..<12).reversed() { fields["NS.object.\(position)"] = .integer(Int128(position)) }
        let list = try value(fields, classEntry(name))
        #expect(list.elements.map(\.integer) == Array(0..<12) && list.count == 12)
        #expect(list[11].integer == 11 && list.fields.count == 12)
        // Those behind a gap are fields, and no elements.
        fields["NS.object.5"] = nil
        #expect(try value(fields, classEntry(name)).elements.map(\.integer) == Array(0..<5))
    }

    @Test func `are empty where only the class was written`() throws {
        for name in ["NSArray", "NSSet", "NSMutableOrderedSet"] {
            let list = try value([:], classEntry(name))
            #expect(list.count == 0 && list.elements.isEmpty && list.kind == .object)
        }
        #expect(try value([:], classEntry("NSMutableDictionary", "NSDictionary")).entries.isEmpty)
        #expect(try value(["NS.objects": []], classEntry("NSArray")).count == 0)
        #expect(try value(["NS.keys": [], "NS.objects": []], classEntry("NSDictionary")).count == 0)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `have keys of any kind and values`(format: PropertyListFormat) throws {
        let dictionary = try value(
            [
                "NS.keys": [.uid(3), .uid(4), .uid(5), .uid(6), .uid(0), "inline", .uid(8)],
                "NS.objects": [1, 2, 3, .uid(3), 5, 6, 7],
            ], classEntry("NSMutableDictionary", "NSDictionary"), "name", 4, ["x": 1, "$class": .uid(7)],
            ["NS.string": "mutable", "$class": .uid(7)], classEntry("Point"), "größe", format: format)
        #expect(dictionary.count == 7 && dictionary.entries.count == 7 && dictionary.kind == .object)
        #expect(dictionary["name"]?.integer == 1 && dictionary["inline"]?.integer == 6)
        #expect(dictionary["mutable"]?.string == "name" && dictionary["größe"]?.integer == 7)
        #expect(dictionary["4"] == nil && dictionary["x"] == nil && dictionary["$null"] == nil)
        #expect(dictionary["NS.keys"] == nil && dictionary["$class"] == nil)
        #expect(dictionary.keys == ["name", "mutable", "inline", "größe"])
        #expect(dictionary.entries[1].key.integer == 4 && dictionary.entries[1].value.integer == 2)
        #expect(dictionary.entries[2].key["x"]?.integer == 1)
        #expect(dictionary.entries.map(\.value.integer) == [1, 2, 3, nil, 5, 6, 7])
        #expect(dictionary.entries[0].key == dictionary["mutable"])
        #expect(dictionary.entries[4].key.isNull)
        #expect(dictionary.elements.isEmpty)
        #expect(dictionary.fields.map(\.key) == ["NS.keys", "NS.objects"])
        #expect(dictionary.fields[0].value.elements.count == 7)
    }

    @Test func `have keys and values that were written with a key for each`() throws {
        let dictionary = try value(
            ["NS.key.0": "a", "NS.object.0": 1, "NS.object.1": .uid(3), "NS.key.1": .uid(3)],
            classEntry("NSDictionary"), "b")
        #expect(dictionary.keys == ["a", "b"] && dictionary.count == 2)
        #expect(dictionary["a"]?.integer == 1 && dictionary["b"]?.string == "b")
        #expect(dictionary.elements.isEmpty && dictionary.entries[1].value == dictionary.entries[1].key)
    }

    @Test func `know a dictionary by what its class inherits from`() throws {
        let fields: PropertyList.Dictionary = ["NS.keys": ["a"], "NS.objects": [1]]
        #expect(try value(fields, classEntry("Farm.Table", "NSMutableDictionary", "NSDictionary"))["a"]?.integer == 1)
        #expect(try value(fields, ["$classname": "NSDictionary"])["a"]?.integer == 1)
        // Another class with such fields is no dictionary: only its fields are known.
        let other = try value(fields, classEntry("Farm.Table"))
        #expect(other.entries.isEmpty && other.keys == ["NS.keys", "NS.objects"] && other.elements.isEmpty)
        #expect(other["NS.keys"]?.elements.map(\.string) == ["a"])
    }

    /// As Foundation's readers.
    @Test func `find the last of two equal keys`() throws {
        let dictionary = try value(["NS.keys": ["a", "a"], "NS.objects": [1, 2]], classEntry("NSDictionary"))
        #expect(dictionary["a"]?.integer == 2 && dictionary.count == 2 && dictionary.keys == ["a", "a"])
        #expect(dictionary.entries.map(\.value.integer) == [1, 2])
    }

    @Test(
        arguments: [
            ["NS.keys": ["a", "b"], "NS.objects": [1]], ["NS.keys": ["a"], "NS.objects": [1, 2]],
            ["NS.key.0": "a", "NS.key.1": "b", "NS.object.0": 1],
            ["NS.key.0": "a", "NS.object.0": 1, "NS.object.1": 1],
        ] as [PropertyList.Dictionary])
    func `have fields and nothing else where keys and values differ in number`(fields: PropertyList.Dictionary) throws {
        let dictionary = try value(fields, classEntry("NSDictionary"))
        #expect(dictionary.entries.isEmpty && dictionary["a"] == nil)
        #expect(dictionary.fields.count == fields.count && dictionary.kind == .object)
        let problem = try #require(dictionary.archive.problems().first)
        #expect(problem.code == .damaged && problem.description.contains("keys"))
        #expect(dictionary.archive.problems().count == 1)
    }

    @Test func `are C arrays`() throws {
        let entry = classEntry("_NSKeyedCoderOldStyleArray")
        let array = try value(["NS.count": 3, "NS.size": 4, "NS.type": 105, "$0": 7, "$1": 8, "$2": 9], entry)
        #expect(array.elements.map(\.integer) == [7, 8, 9] && array.count == 3)
        #expect(array["$1"]?.integer == 8 && array["NS.type"]?.integer == 105)
        let empty = try value(["NS.count": 0, "NS.size": 4, "NS.type": 105], entry)
        #expect(empty.elements.isEmpty)
        for count in [2, 4, 1_000_000_000, -1] as [PropertyList] {
            let damaged = try value(
                ["NS.count": count, "NS.size": 4, "NS.type": 105, "$0": 7, "$1": 8, "$2": 9], entry)
            #expect(damaged.elements.isEmpty && damaged.fields.count == 6)
            let problem = try #require(damaged.archive.problems().first)
            #expect(problem.code == .damaged && problem.uid == 1 && problem.description.contains("NS.count"))
        }
    }

    @Test func `are plain ones as well`() throws {
        let archive = try openArchive(
            top: ["list": [1, [2, .uid(1)], ["a": .uid(1)]], "set": .set(["x", .uid(1)])], "object")
        let list = try #require(archive.top["list"])
        #expect(list.kind == .array && list.count == 3 && list.uid == nil && list.className == nil)
        #expect(list[1].kind == .array && list[1][1].string == "object" && list[2]["a"] == list[1][1])
        #expect(list[0].elements.isEmpty && list.keys == [] && list.fields.isEmpty && list.entries.isEmpty)
        #expect(archive.top["set"]?.kind == .set && archive.top["set"]?.elements.map(\.string) == ["x", "object"])
        #expect(archive.top["set"]?.count == 2)
    }

    @Test func `of other classes may have elements and fields`() throws {
        let mixed = try value(["name": "list", "NS.objects": [1, 2]], classEntry("Farm.List"))
        #expect(mixed.elements.map(\.integer) == [1, 2] && mixed.count == 2)
        #expect(mixed["name"]?.string == "list" && mixed.fields.count == 2)
        let subclass = try value(
            ["NS.keys": ["a"], "NS.objects": [1], "owner": "Anna"],
            classEntry("Farm.Table", "NSDictionary"))
        #expect(subclass["a"]?.integer == 1 && subclass.fields.map(\.key) == ["NS.keys", "NS.objects", "owner"])
    }

    @Test func `that inherit from NSDictionary are dictionaries at any position of their own fields`() throws {
        let subclass = try value(
            ["owner": "Anna", "since": 1999, "NS.keys": ["a"], "NS.objects": [1]],
            classEntry("Farm.Table", "NSDictionary"))
        #expect(subclass["a"]?.integer == 1 && subclass.entries.count == 1)
        let numbered = try value(
            ["owner": "Anna", "since": 1999, "NS.key.0": "a", "NS.object.0": 1],
            classEntry("Farm.Table", "NSDictionary"))
        #expect(numbered.entries.count == 1 && numbered.elements.isEmpty)
    }
}
