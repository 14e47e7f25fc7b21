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

    func clear() { (next, children, reader, readers, note, notes, coded, unique) = (nil, [], nil, [], nil, [:], nil, []) }
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
