// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private enum Style: String, Codable { case plain, bold }

/// A type that only declares its fields. The keys are not the names of the properties.
private struct Item: ArchivedFields, Equatable {
    var title = ""
    var count = 7
    var price = 0.5
    var isNew = false
    var style = Style.plain
    var styles: [Style] = []
    var note: String?
    var parts: [Part] = []
    var table: [String: Part] = [:]
    var always: Int? = 3

    init() {}

    static let fields = FieldList<Item> {
        Field("t", \.title, aliases: ["name"])
        Field("c", \.count, .default(7), .omitIfDefault)
        Field("p", \.price, .default)
        Field("n", \.isNew)
        Field("s", \.style, .rawValue)
        Field("ss", \.styles, .rawValues())
        Field("note", \.note)
        Field("parts", \.parts)
        Field("table", \.table, .default)
        Field("always", \.always, .default)
    }
}

private struct Part: ArchivedFields, Equatable {
    var x = 0
    init() {}
    init(_ x: Int) { self.x = x }
    static let fields = FieldList<Part> { Field("x", \.x) }
}

private struct ItemTwin: Codable, Equatable {
    struct Part: Codable, Equatable { var x: Int }
    var t: String
    var c: Int?
    var p: Double
    var n: Bool
    var s: String
    var ss: [String]
    var note: String?
    var parts: [Part]
    var table: [String: Part]
    var always: Int?
}

private class Tree: ArchivedFields {
    var name = ""
    var children: [Tree] = []
    weak var parent: Tree?
    required init() {}
    class var fields: FieldList<Tree> {
        FieldList {
            Field("name", \.name)
            Field("children", \.children)
            Field("parent", \.parent, .conditional)
        }
    }
}

private final class Bush: Tree {
    var berries = 0
    override class var fields: FieldList<Tree> {
        super.fields.extended(by: Bush.self) { Field("berries", \.berries) }
    }
}

/// Its own `encode(to:)` and `init(from:)` are for other coders.
private struct OwnCoding: ArchivedFields, ArchiveDescribing, Equatable {
    static let archiveName = "OwnCoding"
    var x = 0
    init() {}
    static let fields = FieldList<OwnCoding> { Field("x", \.x) }

    init(from decoder: any Decoder) throws {
        self.init()
        x = try -decoder.singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(-x)
    }
}

private final class OwnCodingInstance: ArchivedFields {
    var x = 0
    var next: OwnCodingInstance?
    init() {}
    static let fields = FieldList<OwnCodingInstance> {
        Field("x", \.x)
        Field("next", \.next)
    }

    init(from decoder: any Decoder) throws { throw CocoaError(.coderInvalidValue) }
    func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
}

@Suite(.inTurn) struct `Other coders and types with declared fields` {
    private func items() -> (item: Item, twin: ItemTwin) {
        var item = Item()
        (item.title, item.count, item.price, item.isNew, item.style) = ("a", 8, 2.5, true, .bold)
        (item.styles, item.note, item.parts) = ([.bold, .plain], "n", [Part(1), Part(2)])
        (item.table, item.always) = (["k": Part(3)], 4)
        let twin = ItemTwin(
            t: "a", c: 8, p: 2.5, n: true, s: "bold", ss: ["bold", "plain"], note: "n",
            parts: [.init(x: 1), .init(x: 2)],
            table: ["k": .init(x: 3)], always: 4)
        return (item, twin)
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `have the form of a Codable type in JSON`() throws {
        let (item, twin) = items()
        #expect(try json(item) == json(twin))
        #expect(try JSONDecoder().decode(Item.self, from: JSONEncoder().encode(twin)) == item)
        #expect(try JSONDecoder().decode(ItemTwin.self, from: JSONEncoder().encode(item)) == twin)
        #expect(
            try json(item)
                == #"{"always":4,"c":8,"n":true,"note":"n","p":2.5,"parts":[{"x":1},{"x":2}],"s":"bold","ss":["bold","plain"],"t":"a","table":{"k":{"x":3}}}"#
        )
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func `have the form of a Codable type in property lists`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let (item, twin) = items()
        let encoder = Foundation.PropertyListEncoder()
        encoder.outputFormat = format
        let decoder = Foundation.PropertyListDecoder()
        #expect(try decoder.decode(Item.self, from: encoder.encode(twin)) == item)
        #expect(try decoder.decode(ItemTwin.self, from: encoder.encode(item)) == twin)
        #expect(try decoder.decode([Item].self, from: encoder.encode([item, Item()])) == [item, Item()])
    }

    @Test func `omit nil, but no default`() throws {
        var item = Item()
        item.always = nil
        let list = #"{"always":null,"c":7,"n":false,"p":0.5,"parts":[],"s":"plain","ss":[],"t":"","table":{}}"#
        #expect(try json(Item()).replacing("\"always\":3", with: "\"always\":null") == list)
        #expect(try json(item) == list)
        #expect(try JSONDecoder().decode(Item.self, from: Data(list.utf8)) == item)
    }

    @Test func `have defaults, former keys and errors`() throws {
        func item(_ text: String) throws -> Item { try JSONDecoder().decode(Item.self, from: Data(text.utf8)) }
        let short = try item(#"{"name":"n","t":"t","n":true,"s":"bold","ss":[],"parts":[],"other":1}"#)
        #expect(short.title == "t" && short.count == 7 && short.price == 0.5 && short.always == 3 && short.isNew)
        #expect(try item(#"{"name":"n","n":true,"s":"bold","ss":[],"parts":[]}"#).title == "n")
        let absent = try failure { try item(#"{"t":"t","n":true,"s":"bold","ss":[]}"#) }
        #expect(absent.kind == .keyNotFound && absent.key == "parts")
        let inside = try failure { try item(#"{"t":"t","n":true,"s":"bold","ss":[],"parts":[{"x":1},{}]}"#) }
        #expect(inside.kind == .keyNotFound && inside.key == "x" && inside.path == "parts[1]")
        let wrong = try failure { try item(#"{"t":5,"n":true,"s":"bold","ss":[],"parts":[]}"#) }
        #expect(wrong.kind == .typeMismatch && wrong.path == "t")
    }

    @Test func `write trees without references to parents`() throws {
        let (tree, bush) = (Tree(), Bush())
        (tree.name, bush.name, bush.berries, tree.children, bush.parent) = ("tree", "bush", 5, [bush, Tree()], tree)
        let text = #"{"children":[{"berries":5,"children":[],"name":"bush"},{"children":[],"name":""}],"name":"tree"}"#
        #expect(try json(tree) == text)
        let copy = try JSONDecoder().decode(Tree.self, from: Data(text.utf8))
        #expect(copy.name == "tree" && copy.children.map(\.name) == ["bush", ""] && copy.children[0].parent == nil)
        let copiedBush = try JSONDecoder().decode(Bush.self, from: JSONEncoder().encode(bush))
        #expect(copiedBush.berries == 5 && copiedBush.name == "bush")
    }

    @Test func `call the methods that a type has for them, and the coders of archives do not`() throws {
        var value = OwnCoding()
        value.x = 5
        #expect(try json([value]) == "[-5]")
        #expect(try JSONDecoder().decode([OwnCoding].self, from: Data("[-5]".utf8)) == [value])
        #expect(try archiveText(value) == "OwnCoding{x: 5}")
        #expect(try roundTrip(value) == value && roundTrip([value, value]) == [value, value])
        let instance = OwnCodingInstance()
        (instance.x, instance.next) = (3, instance)
        defer { instance.next = nil }
        let copy = try roundTrip([instance, OwnCodingInstance()])
        defer { copy[0].next = nil }
        #expect(copy[0].x == 3 && copy[0].next === copy[0] && copy[1].x == 0)
        #expect(throws: CocoaError.self) { try json(instance) }
    }
}
