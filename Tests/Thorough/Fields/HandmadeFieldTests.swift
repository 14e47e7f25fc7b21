// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private final class Node: ArchivedFields {
    var name = ""
    var count = 0
    var next: Node?
    var children: [Node] = []
    init() {}
    static let fields = FieldList<Node> {
        Field("name", \.name)
        Field("count", \.count, .default)
        Field("next", \.next)
        Field("children", \.children, .default)
    }
}

private struct Empty: ArchivedFields, ArchiveDescribing, Equatable {
    static let archiveName = "Empty"
    static let fields = FieldList<Empty> {}
}

private struct EmptyTwin: Codable, ArchiveDescribing, Equatable {
    static let archiveName = "Empty"
}

private final class EmptyInstance: ArchivedFields {
    init() {}
    static let fields = FieldList<EmptyInstance> {}
}

/// Keys that the format changes, and keys of other alphabets.
private struct OddKeys: ArchivedFields, ArchiveDescribing, Equatable {
    static let archiveName = "OddKeys"
    var a = 1
    var b = "b"
    var c = [1]
    var d = 0.5
    var e = true
    var f = "f"
    var g = 7
    init() {}
    static let fields = FieldList<OddKeys> {
        Field("$class", \.a)
        Field("$$x", \.b)
        Field("$", \.c)
        Field("größe", \.d)
        Field("鍵🗝", \.e)
        Field("", \.f)
        Field("NS.objects", \.g)
    }
}

private struct OddTwin: Codable, ArchiveDescribing, Equatable {
    static let archiveName = "OddKeys"
    var a = 1
    var b = "b"
    var c = [1]
    var d = 0.5
    var e = true
    var f = "f"
    var g = 7
    enum CodingKeys: String, CodingKey {
        case a = "$class"
        case b = "$$x"
        case c = "$"
        case d = "größe"
        case e = "鍵🗝"
        case f = ""
        case g = "NS.objects"
    }
}

/// A type with more fields than a word has bits.
private struct Wide<Count: FieldCount>: ArchivedFields, ArchiveDescribing, Equatable {
    static var archiveName: String { "Wide" }
    var values = [Int](repeating: 0, count: Count.count)
    var missing: Int?
    init() {}

    static var fields: FieldList<Wide> {
        FieldList {
            for number in 0..<Count.count {
                Field(Self.key(number), \.[number], aliases: ["old \(number)"], .default(-number))
            }
        }
    }

    static func key(_ number: Int) -> String { "key \(number)" }

    subscript(number: Int) -> Int {
        get { values[number] }
        set { values[number] = newValue }
    }
}

private protocol FieldCount: SendableMetatype { static var count: Int { get } }
private enum Count1: FieldCount { static let count = 1 }
private enum Count63: FieldCount { static let count = 63 }
private enum Count64: FieldCount { static let count = 64 }
private enum Count65: FieldCount { static let count = 65 }
private enum Count300: FieldCount { static let count = 300 }

@Suite(.inTurn) struct `A handmade archive of declared fields` {
    /// Decodes a node whose entries are `entries`, in their order.
    private func node(_ entries: (String, PropertyList)...) throws -> Node {
        try ArchiveDecoder().decode(Node.self, from: archive(entries))
    }

    /// The strings are uid 3 to 5, and uid 6 is another node.
    private func archive(_ entries: [(String, PropertyList)]) throws -> Data {
        try handmadeArchive(
            .dictionary(PropertyList.Dictionary(entries)), classEntry("Node"), "first", "second",
            "third", ["name": .uid(4), "next": .uid(1), "$class": .uid(2)],
            ["NS.objects": [.uid(6), .uid(1)], "$class": .uid(8)], classEntry("NSArray"))
    }

    @Test func `has its keys in any order, and others among them`() throws {
        let entries: [(String, PropertyList)] = [
            ("name", .uid(3)), ("count", 5), ("next", .uid(6)), ("children", .uid(7)), ("$class", .uid(2)),
            ("unknown", .uid(5)), ("$new", 7), ("names", .uid(7)),
        ]
        var generator = SeededGenerator(state: 1)
        for _ in 0..<200 {
            let node = try ArchiveDecoder().decode(Node.self, from: archive(entries.shuffled(using: &generator)))
            defer { node.next = nil }
            #expect(node.name == "first" && node.count == 5 && node.next?.name == "second")
            #expect(node.next?.next === node && node.children.count == 2 && node.children[1] === node)
            #expect(node.children[0] === node.next && node.next?.count == 0)
            node.children = []
        }
    }

    @Test func `has instances whose keys are in different orders`() throws {
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2), .uid(3), .uid(4), .uid(5)], "$class": .uid(7)],
            ["name": .uid(8), "count": 1, "$class": .uid(6)], ["count": 2, "name": .uid(9), "$class": .uid(6)],
            ["$class": .uid(6), "x": 0, "name": .uid(10), "count": 3], ["name": .uid(8), "$class": .uid(6)],
            classEntry("Node"), classEntry("NSArray"), "a", "b", "c")
        let nodes = try ArchiveDecoder().decode([Node].self, from: data)
        #expect(nodes.map(\.name) == ["a", "b", "c", "a"] && nodes.map(\.count) == [1, 2, 3, 0])
    }

    /// The first of several equal keys counts, as in containers.
    @Test(arguments: [false, true])
    func `has a key twice, of which the first counts`(isOneObject: Bool) throws {
        // {"name": uid 3, "name": uid 4, "$class": uid 2}, with two objects for the key or one.
        let archive = ByteArchive(
            slots: [14, 19, 24, 25],
            objects: [
                ascii("name"), ascii("name"), [0xD3, 12, isOneObject ? 12 : 13, 15, 16, 17, 18], ascii("$class"),
                hex("80 03"), hex("80 04"), hex("80 02"), [0xD2, 20, 21, 22, 23], ascii("$classname"),
                ascii("$classes"), ascii("Node"), [0xA1, 22], ascii("first"), ascii("second"),
            ])
        struct Codable: Decodable { var name: String }
        #expect(try ArchiveDecoder().decode(Codable.self, from: archive.data).name == "first")
        let node = try ArchiveDecoder().decode(Node.self, from: archive.data)
        #expect(node.name == "first" && node.next == nil)
    }

    // MARK: Types

    @Test func `has objects without fields`() throws {
        try expectSameArchive(Empty(), EmptyTwin())
        #expect(try roundTrip([Empty(), Empty()]).count == 2)
        let instance = EmptyInstance()
        let copy = try roundTrip([instance, instance, EmptyInstance()])
        #expect(copy[0] === copy[1] && copy[0] !== copy[2])
    }

    @Test func `has keys that begin with $, and others that are not ASCII`() throws {
        var (value, twin) = (OddKeys(), OddTwin())
        try expectSameArchive(value, twin)
        (value.a, value.b, value.c, value.d, value.e, value.f, value.g) = (-1, "$null", [], 2, false, "", 0)
        (twin.a, twin.b, twin.c, twin.d, twin.e, twin.f, twin.g) = (-1, "$null", [], 2, false, "", 0)
        try expectSameArchive(value, twin)
        #expect(try JSONDecoder().decode(OddTwin.self, from: JSONEncoder().encode(value)) == twin)
    }

    @Test func `is a dictionary that is decoded as a type with fields`() throws {
        struct Item: ArchivedFields, Equatable {
            var name = ""
            var count = 0
            var list: [Int] = []
            var note: String?
            init() {}
            static let fields = FieldList<Item> {
                Field("name", \.name)
                Field("$count", \.count, aliases: ["$number"])
                Field("list", \.list, .default)
                Field("note", \.note)
            }
        }
        let object: NSDictionary = ["name": "a", "$count": 3, "list": [1, 2], "other": NSNull()]
        let item = try ArchiveDecoder().decode(Item.self, from: foundationArchive(of: object))
        #expect(item.name == "a" && item.count == 3 && item.list == [1, 2] && item.note == nil)
        let second: NSDictionary = ["name": "b", "$number": 4, "note": "n"]
        let items = try ArchiveDecoder().decode([Item].self, from: foundationArchive(of: [object, second, object]))
        #expect(items.map(\.count) == [3, 4, 3] && items[1].note == "n" && items[0] == item)
        let node: NSDictionary = ["name": "n", "next": ["name": "m", "count": 2] as NSDictionary]
        let nodes = try ArchiveDecoder().decode([Node].self, from: foundationArchive(of: [node, node]))
        #expect(nodes[0] === nodes[1] && nodes[0].next?.name == "m" && nodes[0].next?.count == 2)
        let error = try failure(decoding: Item.self, from: foundationArchive(of: ["name": "a"] as NSDictionary))
        #expect(error.kind == .keyNotFound && error.key == "$count")
    }

    // MARK: Many fields

    @Test func `has objects with more fields than a word has bits`() throws {
        func check<Count: FieldCount>(_ type: Count.Type) throws {
            let count = Count.count
            var value = Wide<Count>()
            for number in 0..<count { value[number] = number * number }
            #expect(try roundTrip([value, value]) == [value, value])
            let table = Dictionary(uniqueKeysWithValues: (0..<count).map { (Wide<Count>.key($0), value[$0]) })
            #expect(try transcode(table, as: Wide<Count>.self) == value)
            let partial = table.filter { $0.value % 3 == 0 }
            let copy = try transcode(partial.merging(["x": 1]) { $1 }, as: Wide<Count>.self)
            for number in 0..<count {
                let expected = (number * number) % 3 == 0 ? number * number : -number
                #expect(copy[number] == expected, "\(number) of \(count)")
            }
            let old = Dictionary(uniqueKeysWithValues: (0..<count).map { ("old \($0)", $0 + 1) })
            #expect(try transcode(old, as: Wide<Count>.self).values == Array(1...count))
        }
        try check(Count1.self)
        try check(Count63.self)
        try check(Count64.self)
        try check(Count65.self)
        try check(Count300.self)
    }

    // MARK: Values of other types

    @Test func `has values of other types, whose errors have the path`() throws {
        let cases: [((String, PropertyList), String, CodingFailure.Kind)] = [
            (("name", 7), "name", .typeMismatch), (("name", .uid(6)), "name", .typeMismatch),
            (("count", .uid(3)), "count", .typeMismatch), (("count", 1.5), "count", .dataCorrupted),
            (("next", .uid(3)), "next", .typeMismatch), (("next", 5), "next", .typeMismatch),
            (("next", .uid(7)), "next", .typeMismatch), (("children", .uid(6)), "children", .typeMismatch),
            (("children", .uid(99)), "children", .dataCorrupted), (("next", .uid(99)), "next", .dataCorrupted),
            (("name", .uid(99)), "name", .dataCorrupted),
        ]
        for (entry, path, kind) in cases {
            var entries: [(String, PropertyList)] = [entry, ("$class", .uid(2))]
            if entry.0 != "name" { entries.append(("name", .uid(3))) }
            let error = try failure(decoding: Node.self, from: archive(entries))
            #expect(error.path == path, "\(entry): \(error)")
            #expect(error.kind == kind, "\(entry): \(error)")
        }
    }
}
