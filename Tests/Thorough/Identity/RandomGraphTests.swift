// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

// MARK: - Annotated classes

/// Every kind of reference that has an annotation, and plain properties beside them. Plain single references lead to earlier items.
private struct AnnotatedGraph: RandomGraph {
    var entry: Item?
    var items: [Item]
    @WeakReference var favourite: Item?

    var roots: [Item?] { [entry] + items }

    static var classes: [any Any.Type] { [Item.self, Folder.self, Note.self] }

    static func random(_ count: Int, using generator: inout SeededGenerator) -> AnnotatedGraph {
        let items = (0..<count).map { number -> Item in
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: Folder(number)
            case 1: Note(number)
            default: Item(number)
            }
        }
        for item in items { item.fill(from: items, using: &generator) }
        return AnnotatedGraph(
            entry: generator.perhaps(items), items: generator.few(items),
            favourite: WeakReference(wrappedValue: generator.perhaps(items)))
    }
}

private struct Part: Codable {
    var label: String
    @Reference var target: Item?
    @WeakReference var source: Item?
    @References var members: [Item]

    init(_ label: String, from items: [Item], using generator: inout SeededGenerator) {
        self.label = label
        members = generator.few(items)
        target = generator.perhaps(items)
        source = generator.perhaps(items)
    }

    init() {
        label = ""
        members = []
    }

    func fields(_ name: String) -> [GraphField] {
        [
            .value("\(name) \(label)"), .strong("\(name).target", target), .weak("\(name).source", source),
            .strong("\(name).members", members),
        ]
    }
}

private struct Mark: Codable, Hashable {
    var id: Int
    var item: Item
    @Reference var other: Item?

    init(_ id: Int, _ item: Item, _ other: Item?) {
        (self.id, self.item) = (id, item)
        self.other = other
    }

    static func == (left: Mark, right: Mark) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private enum Payload: Codable {
    case number(Int)
    case item(Item)
    case items(first: Item, [Item?])
    case part(Part)

    static func random(
        from items: [Item], earlier: ArraySlice<Item>, using generator: inout SeededGenerator
    ) -> Payload {
        guard let first = earlier.randomElement(using: &generator) else { return .number(-1) }
        return switch Int.random(in: 0..<4, using: &generator) {
        case 0: .number(Int.random(in: 0..<10, using: &generator))
        case 1: .item(first)
        case 2: .items(first: first, [nil, generator.perhaps(items)])
        default: .part(Part("p", from: items, using: &generator))
        }
    }

    var fields: [GraphField] {
        switch self {
        case .number(let number): [.value("number \(number)")]
        case .item(let item): [.strong("item", item)]
        case .items(let first, let rest): [.strong("items", [first] + rest)]
        case .part(let part): part.fields("payload")
        }
    }
}

private class Item: Codable, GraphNode {
    var number: Int
    @Reference var next: Item?
    @WeakReference var back: Item?
    @References var others: [Item]
    @References var named: [String: Item]
    var plain: Item?
    var list: [Item?] = []
    var part = Part()
    var parts: [Part] = []
    var payload: Payload?
    var table: [String: [Item]] = [:]
    var marks: Set<Mark> = []

    init(_ number: Int) {
        self.number = number
        others = []
        named = [:]
    }

    func fill(from items: [Item], using generator: inout SeededGenerator) {
        next = generator.perhaps(items)
        back = generator.perhaps(items)
        others = generator.few(items)
        for item in generator.few(items) { named["n\(item.number)"] = item }
        plain = generator.perhaps(Array(items[..<number]))
        list = generator.few(items) + [nil]
        part = Part("q", from: items, using: &generator)
        parts = generator.few([Part("r", from: items, using: &generator)])
        payload =
            generator.once(in: 3) ? Payload.random(from: items, earlier: items[..<number], using: &generator) : nil
        table = generator.once(in: 3) ? ["a": generator.few(items), "b": []] : [:]
        for item in generator.few(items) { marks.insert(Mark(item.number, item, generator.perhaps(items))) }
    }

    var fields: [GraphField] {
        var fields: [GraphField] = [
            .value("\(number)"), .strong("next", next), .weak("back", back), .strong("others", others),
            .strong("plain", plain), .strong("list", list),
        ]
        fields += GraphField.strong("named", named.mapValues { [$0] }) + part.fields("part")
        fields += parts.flatMap { $0.fields("parts") } + (payload?.fields ?? []) + GraphField.strong("table", table)
        for mark in marks.sorted(by: { $0.id < $1.id }) {
            fields += [.strong("mark \(mark.id)", [marks.contains(mark) ? mark.item : nil, mark.other])]
        }
        return fields
    }

    func clear() {
        (next, back, others, named, plain, list) = (nil, nil, [], [:], nil, [])
        (part, parts, payload, table, marks) = (Part(), [], nil, [:], [])
    }
}

private final class Folder: Item {
    @References var contents: [Item]
    @Reference var peer: Folder?
    private enum CodingKeys: CodingKey { case contents, peer }

    override init(_ number: Int) {
        contents = []
        super.init(number)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        _contents = try container.decode(References<[Item]>.self, forKey: .contents)
        _peer = try container.decode(Reference<Folder>.self, forKey: .peer)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(_contents, forKey: .contents)
        try container.encode(_peer, forKey: .peer)
        try super.encode(to: container.superEncoder())
    }

    override func fill(from items: [Item], using generator: inout SeededGenerator) {
        super.fill(from: items, using: &generator)
        contents = generator.few(items)
        peer = generator.perhaps(items.compactMap { $0 as? Folder })
    }

    override var fields: [GraphField] { super.fields + [.strong("contents", contents), .strong("peer", peer)] }

    override func clear() {
        super.clear()
        (contents, peer) = ([], nil)
    }
}

private final class Note: Item {
    var text: String
    var link: Item?
    private enum CodingKeys: String, CodingKey {
        case text
        case link = "to"
    }

    override init(_ number: Int) {
        text = "note \(number)"
        super.init(number)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        link = try container.decodeIfPresent(Item.self, forKey: .link)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
        try container.encodeIfPresent(link, forKey: .link)
    }

    override func fill(from items: [Item], using generator: inout SeededGenerator) {
        super.fill(from: items, using: &generator)
        link = generator.perhaps(Array(items[..<number]))
    }

    override var fields: [GraphField] { super.fields + [.value(text), .strong("link", link)] }

    override func clear() {
        super.clear()
        link = nil
    }
}

// MARK: - Tests

@Suite(.inTurn) struct `A random graph of annotated references` {
    @Test(arguments: Extent.cases(of: [0, 1000, 2000] as [UInt64], every: 3))
    func `comes back as it was`(firstSeed: UInt64) throws {
        try onThread(stackSize: 64 << 20) { try AnnotatedGraph.comeBack(firstSeed..<firstSeed + 400, largest: 10) }
    }

    @Test func `of many instances comes back as it was`() throws {
        try onThread(stackSize: 64 << 20) { try AnnotatedGraph.comeBack(100_000..<100_004, largest: 120) }
    }
}
