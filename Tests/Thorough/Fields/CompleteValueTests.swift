// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An instance with declared fields. Its last field follows all references.
private final class Item: ArchivedFields {
    var next: Item?
    var children: [Item] = []
    var reader: Reader?
    var readers: [Reader] = []
    var note: Note?
    var notes: [String: Note] = [:]
    @Coded var coded: CodedReader?
    var unique: Set<Reader> = []
    var name = ""

    init() { coded = nil }

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }

    static let fields = FieldList<Item> {
        Field("next", \.next)
        Field("children", \.children)
        Field("reader", \.reader)
        Field("readers", \.readers)
        Field("note", \.note)
        Field("notes", \.notes)
        Field("coded", \._coded)
        Field("unique", \.unique)
        Field("name", \.name)
    }

    /// The names of the item, and of the items that it refers to.
    var names: String { ([name] + [next?.name].compactMap { $0 } + children.map(\.name)).joined(separator: " ") }

    func clear() {
        (next, children, reader, readers, note, notes, coded, unique) = (nil, [], nil, [], nil, [:], nil, [])
    }
}

/// A Codable class whose initializer reads properties of an item.
private final class Reader: Codable, Hashable {
    let item: Item
    let names: String

    init(_ item: Item) { (self.item, names) = (item, "") }

    private enum CodingKeys: CodingKey { case item }

    init(from decoder: any Decoder) throws {
        item = try decoder.container(keyedBy: CodingKeys.self).decode(Item.self, forKey: .item)
        names = item.names
    }

    static func == (left: Reader, right: Reader) -> Bool { left.item.name == right.item.name }
    func hash(into hasher: inout Hasher) { hasher.combine(item.name) }
}

/// A struct that does the same.
private struct Note: Codable {
    var items: [Item]
    var names = ""

    init(_ items: Item...) { self.items = items }

    init(from decoder: any Decoder) throws {
        items = try decoder.singleValueContainer().decode([Item].self)
        names = items.map(\.names).joined(separator: ", ")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(items)
    }
}

/// A class with `init(coder:)` that does the same.
private final class CodedReader: Coding {
    let item: Item?
    let names: String

    init(_ item: Item) { (self.item, names) = (item, "") }

    init(coder: KeyedUnarchiver) throws {
        item = try coder.decode(Item.self, forKey: "item")
        names = item?.names ?? ""
    }

    func encode(with coder: KeyedArchiver) throws { try coder.encode(item, forKey: "item") }
}

/// Where the code is that reads an item.
private enum Place: CaseIterable {
    case reader, readers, note, notes, coded, unique

    func put(_ item: Item, into other: Item) {
        switch self {
        case .reader: other.reader = Reader(item)
        case .readers: other.readers = [Reader(item), Reader(item)]
        case .note: other.note = Note(item, item)
        case .notes: other.notes = ["a": Note(item)]
        case .coded: other.coded = CodedReader(item)
        case .unique: other.unique = [Reader(item)]
        }
    }

    /// The item there, and what the code has read of it.
    func get(_ item: Item) throws -> (item: Item, names: [String]) {
        switch self {
        case .reader: return (try #require(item.reader).item, [try #require(item.reader).names])
        case .readers: return (try #require(item.readers.first).item, item.readers.map(\.names))
        case .note:
            let note = try #require(item.note)
            return (note.items[0], note.names.split(separator: ", ").map { String($0) })
        case .notes: return (try #require(item.notes["a"]).items[0], [try #require(item.notes["a"]).names])
        case .coded: return (try #require(item.coded?.item), [try #require(item.coded).names])
        case .unique: return (try #require(item.unique.first).item, item.unique.map(\.names))
        }
    }
}

@Suite(.inTurn) struct `Code of a program that gets an instance with declared fields` {
    /// A new item with an item that refers to others in it.
    private func graph(_ place: Place, _ connect: (_ outer: Item, _ inner: Item) -> Void) -> [Item] {
        let items = [Item("outer"), Item("inner"), Item("next"), Item("child")]
        (items[1].next, items[1].children) = (items[2], [items[3], items[2]])
        connect(items[0], items[1])
        place.put(items[1], into: items[0])
        return items
    }

    @Test(arguments: Place.allCases)
    private func `finds all of its fields, and those of the instances behind it`(place: Place) throws {
        let items = graph(place) { _, _ in }
        let copy = try roundTrip(items[0])
        let (inner, names) = try place.get(copy)
        #expect(inner.name == "inner" && copy.name == "outer")
        #expect(Set(names) == ["inner next child next"])
        #expect(inner.next === inner.children[1] && inner.children[0].name == "child")
    }

    @Test(arguments: Place.allCases)
    private func `finds all of its fields, where others refer to it earlier`(place: Place) throws {
        let items = graph(place) { outer, inner in (outer.next, outer.children) = (inner, [inner]) }
        let copy = try roundTrip(items[0])
        let (inner, names) = try place.get(copy)
        #expect(inner === copy.next && inner === copy.children[0])
        #expect(Set(names) == ["inner next child next"])
    }

    /// The instance in the code refers back to the one that has it.
    @Test(arguments: Place.allCases)
    private func `finds all of its fields or fails, where that refers back`(place: Place) throws {
        for connect: (Item, Item) -> Void in [
            { $1.next = $0 }, { $1.children.append($0) }, { $1.children[0].next = $0 },
        ] {
            let items = graph(place, connect)
            defer { for item in items { item.clear() } }
            try check(items, place)
        }
    }

    /// The code gets the instance whose field it is.
    @Test(arguments: Place.allCases)
    private func `finds all of its fields or fails, where it is a field of that`(place: Place) throws {
        let item = Item("item")
        (item.next, item.children) = (Item("next"), [item])
        place.put(item, into: item)
        defer { item.clear() }
        try check([item], place)
    }

    private func check(_ items: [Item], _ place: Place, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let data = try ArchiveEncoder().encode(items[0])
        do {
            let copy = try ArchiveDecoder().decode(Item.self, from: data)
            let (inner, names) = try place.get(copy)
            #expect(Set(names) == [inner.names], sourceLocation: sourceLocation)
            #expect(!inner.names.hasPrefix(" ") && !inner.names.contains("  "), sourceLocation: sourceLocation)
            for item in [copy, inner] + inner.children { item.clear() }
        } catch let error as DecodingError {
            Issue.record("\(CodingFailure(error))", sourceLocation: sourceLocation)
        }
    }
}

// MARK: - Elements to be hashed

/// An instance with a field whose elements are hashed.
private final class Box: ArchivedFields {
    var next: Box?
    var counter: Counter?
    var tags: Set<Tag> = []
    var name = ""

    init() {}

    static let fields = FieldList<Box> {
        Field("next", \.next)
        Field("counter", \.counter)
        Field("tags", \.tags)
        Field("name", \.name)
    }

    convenience init(_ name: String, tags: String...) {
        self.init()
        self.name = name
        self.tags = Set(tags.map { Tag($0, of: self) })
    }
}

/// An element whose hash depends on the name of its owner.
private final class Tag: ArchivedFields, Hashable {
    var name = ""
    weak var owner: Box?

    init() {}

    convenience init(_ name: String, of owner: Box) {
        self.init()
        (self.name, self.owner) = (name, owner)
    }

    static let fields = FieldList<Tag> {
        Field("owner", \.owner, .conditional)
        Field("name", \.name)
    }

    var text: String { "\(owner?.name ?? "nobody").\(name)" }
    static func == (left: Tag, right: Tag) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A Codable class whose initializer reads the elements of a box and of the next one.
private final class Counter: Codable {
    let box: Box
    let texts: String

    init(_ box: Box) { (self.box, texts) = (box, "") }

    private enum CodingKeys: CodingKey { case box }

    init(from decoder: any Decoder) throws {
        box = try decoder.container(keyedBy: CodingKeys.self).decode(Box.self, forKey: .box)
        texts = Self.texts(box)
    }

    static func texts(_ box: Box) -> String {
        [box, box.next].map { $0?.tags.map(\.text).sorted().joined(separator: " ") ?? "none" }.joined(separator: ", ")
    }
}

extension `Code of a program that gets an instance with declared fields` {
    @Test func `finds sets of it and of the next one, in a value that it decodes`() throws {
        let box = Box("a", tags: "x", "y")
        box.next = Box("b", tags: "z")
        let copy = try roundTrip(Counter(box))
        #expect(copy.texts == "a.x a.y, b.z")
        #expect(copy.box.tags.contains(Tag("y", of: copy.box)))
    }

    @Test func `finds no sets yet, as a part of a third one, and all afterwards`() throws {
        let root = Box("root", tags: "r")
        let (first, second) = (Box("a", tags: "x", "y"), Box("b", tags: "z"))
        first.next = second
        root.counter = Counter(first)
        let copy = try roundTrip(root)
        #expect(copy.counter?.texts == ", ")
        #expect(copy.counter.map { Counter.texts($0.box) } == "a.x a.y, b.z")
        #expect(copy.tags.contains(Tag("r", of: copy)))
    }

    @Test func `finds no sets yet of the instance that has it as a part, and all afterwards`() throws {
        let (root, box) = (Box("root", tags: "r", "s"), Box("a", tags: "x"))
        (box.next, root.next) = (root, box)
        root.counter = Counter(box)
        box.counter = Counter(root)
        defer { (root.next, root.counter, box.next, box.counter) = (nil, nil, nil, nil) }
        let copy = try roundTrip(root)
        let next = try #require(copy.next)
        defer { (copy.next, copy.counter, next.next, next.counter) = (nil, nil, nil, nil) }
        #expect(copy.counter?.texts == ", " && next.counter?.texts == ", ")
        #expect(copy.counter.map { Counter.texts($0.box) } == "a.x, root.r root.s")
        #expect(next.counter.map { Counter.texts($0.box) } == "root.r root.s, a.x")
        #expect(copy.tags.contains(Tag("s", of: copy)))
    }
}
