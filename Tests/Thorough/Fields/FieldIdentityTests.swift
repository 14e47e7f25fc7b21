// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An instance that refers to others in every way.
private final class Item: ArchivedFields, ArchiveDescribing, Hashable {
    static let archiveName = "Item"

    var name = ""
    var next: Item?
    var children: [Item] = []
    var perhaps: [Item?] = []
    var grid: [[Item]] = []
    var byName: [String: Item] = [:]
    var listsByNumber: [Int: [Item]] = [:]
    var part = Part()
    var parts: [Part] = []
    var plainPart = PlainPart()
    var plainParts: [String: PlainPart]?
    var payload = Payload.nothing
    var unique: Set<Item> = []
    var members: Set<Member> = []
    var keyed: [Item: Int] = [:]
    @Reference var reference: Item?
    @References var references: [Item]
    weak var owner: Item?
    weak var parent: Item?
    /// A field after the references.
    var last = ""

    init() { references = [] }

    convenience init(_ name: String) {
        self.init()
        (self.name, last) = (name, name)
    }

    static func == (left: Item, right: Item) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    static let fields = FieldList<Item> {
        Field("next", \.next)
        Field("children", \.children)
        Field("perhaps", \.perhaps)
        Field("grid", \.grid)
        Field("byName", \.byName)
        Field("listsByNumber", \.listsByNumber)
        Field("part", \.part)
        Field("parts", \.parts)
        Field("plainPart", \.plainPart)
        Field("plainParts", \.plainParts)
        Field("payload", \.payload)
        Field("unique", \.unique)
        Field("members", \.members)
        Field("keyed", \.keyed)
        Field("reference", \._reference)
        Field("references", \._references)
        Field("owner", \.owner)
        Field("name", \.name)
        Field("parent", \.parent, .conditional)
        Field("last", \.last)
    }

    func clear() {
        (next, children, perhaps, grid, byName, listsByNumber) = (nil, [], [], [], [:], [:])
        (part, parts, plainPart, plainParts, payload) = (Part(), [], PlainPart(), nil, .nothing)
        (unique, members, keyed, reference, references) = ([], [], [:], nil, [])
    }
}

/// A struct with declared fields.
private struct Part: ArchivedFields {
    var label = ""
    var item: Item?
    var items: [Item] = []

    init() {}
    init(_ label: String, _ item: Item?, _ items: [Item]) { (self.label, self.item, self.items) = (label, item, items) }

    static let fields = FieldList<Part> {
        Field("item", \.item)
        Field("items", \.items)
        Field("label", \.label)
    }
}

/// A Codable struct.
private struct PlainPart: Codable {
    var item: Item?
    var items: [Item] = []
}

private enum Payload: Codable {
    case nothing
    case item(Item)
    case list([Item], note: String)
}

/// An element that is hashed by an instance with declared fields.
private struct Member: ArchivedFields, Hashable {
    var item = Item()
    init() {}
    init(_ item: Item) { self.item = item }
    static let fields = FieldList<Member> { Field("item", \.item) }
}

/// A way from an item to another one.
private enum Way: String, CaseIterable, CustomTestStringConvertible {
    case next, children, perhaps, grid, byName, listsByNumber, partItem, partItems, parts, plainItem, plainItems,
        plainParts, payloadItem, payloadList, unique, members, keyed, reference, references

    var testDescription: String { rawValue }

    func connect(_ item: Item, to other: Item) {
        switch self {
        case .next: item.next = other
        case .children: item.children.append(other)
        case .perhaps: item.perhaps = [nil, other, nil]
        case .grid: item.grid = [[], [other]]
        case .byName: item.byName["key"] = other
        case .listsByNumber: item.listsByNumber = [1: [], 7: [other]]
        case .partItem: item.part = Part("part", other, [])
        case .partItems: item.part = Part("part", nil, [other])
        case .parts: item.parts = [Part("first", nil, []), Part("second", other, [other])]
        case .plainItem: item.plainPart.item = other
        case .plainItems: item.plainPart.items = [other]
        case .plainParts: item.plainParts = ["key": PlainPart(item: other)]
        case .payloadItem: item.payload = .item(other)
        case .payloadList: item.payload = .list([other], note: "note")
        case .unique: item.unique = [other]
        case .members: item.members = [Member(other)]
        case .keyed: item.keyed = [other: 7]
        case .reference: item.reference = other
        case .references: item.references = [other]
        }
    }

    func follow(_ item: Item) -> Item? {
        switch self {
        case .next: item.next
        case .children: item.children.first
        case .perhaps: item.perhaps.count == 3 ? item.perhaps[1] : nil
        case .grid: item.grid.last?.first
        case .byName: item.byName["key"]
        case .listsByNumber: item.listsByNumber[7]?.first
        case .partItem: item.part.label == "part" ? item.part.item : nil
        case .partItems: item.part.label == "part" ? item.part.items.first : nil
        case .parts: item.parts.last?.item === item.parts.last?.items.first ? item.parts.last?.item : nil
        case .plainItem: item.plainPart.item
        case .plainItems: item.plainPart.items.first
        case .plainParts: item.plainParts?["key"]?.item
        case .payloadItem: if case .item(let other) = item.payload { other } else { nil }
        case .payloadList: if case .list(let list, note: "note") = item.payload { list.first } else { nil }
        // The set and the table find the element by its hash.
        case .unique: item.unique.first.flatMap { item.unique.contains(Item($0.name)) ? $0 : nil }
        case .members: item.members.first.flatMap { item.members.contains(Member(Item($0.item.name))) ? $0.item : nil }
        case .keyed: item.keyed.first.flatMap { item.keyed[Item($0.key.name)] == 7 ? $0.key : nil }
        case .reference: item.reference
        case .references: item.references.first
        }
    }
}

/// Items that form a ring, each by one way to the next.
private func ring(_ count: Int, _ way: (Int) -> Way) -> [Item] {
    let items = (0..<count).map { Item("item \($0)") }
    for index in 0..<count { way(index).connect(items[index], to: items[(index + 1) % count]) }
    return items
}

/// Expects that `copy` is the first item of a ring of new items, and takes it apart.
private func expectRing(
    _ copy: Item, _ count: Int, _ way: (Int) -> Way, sourceLocation: SourceLocation = #_sourceLocation
) {
    var found: [Item] = []
    var item: Item? = copy
    while let known = item, found.count <= count, !found.contains(where: { $0 === known }) {
        found.append(known)
        item = way(found.count - 1).follow(known)
    }
    #expect(found.map(\.name) == (0..<count).map { "item \($0)" }, sourceLocation: sourceLocation)
    #expect(found.map(\.last) == found.map(\.name), sourceLocation: sourceLocation)
    #expect(item === copy, "The ring is not closed", sourceLocation: sourceLocation)
    for known in found { known.clear() }
}

@Suite(.inTurn) struct `Instances with declared fields` {
    @Test(arguments: Way.allCases, [1, 2, 3, 10])
    private func `come back as rings, by each way`(way: Way, count: Int) throws {
        for format in PropertyListFormat.allCases {
            let items = ring(count) { _ in way }
            defer { for item in items { item.clear() } }
            expectRing(try roundTrip(items[0], format: format), count) { _ in way }
        }
    }

    @Test(arguments: Way.allCases)
    private func `come back as rings, by this way and every other one`(way: Way) throws {
        for other in Way.allCases {
            for count in [2, 3, 5] {
                let ways = { $0 % 2 == 0 ? way : other }
                let items = ring(count, ways)
                defer { for item in items { item.clear() } }
                expectRing(try roundTrip(items[0]), count, ways)
            }
        }
    }

    @Test func `come back as rings, by all ways in turn`() throws {
        for start in Way.allCases.indices {
            let ways = { Way.allCases[(start + $0) % Way.allCases.count] }
            let items = ring(Way.allCases.count, ways)
            defer { for item in items { item.clear() } }
            expectRing(try roundTrip(items[0]), items.count, ways)
        }
    }

    @Test func `come back as rings within an array, a dictionary and a struct`() throws {
        struct Root: Codable { var items: [Item] }
        let items = ring(4) { _ in .next }
        defer { for item in items { item.clear() } }
        let lists = [
            try roundTrip(items), try roundTrip(Root(items: items)).items, try roundTrip(["k": items])["k"] ?? [],
        ]
        for list in lists {
            try #require(list.count == 4)
            for index in 0..<4 { #expect(list[index].next === list[(index + 1) % 4]) }
            expectRing(list[0], 4) { _ in .next }
        }
    }

    // MARK: Sharing

    @Test func `that are shared come back as one`() throws {
        let (root, shared) = (Item("root"), Item("shared"))
        for way in Way.allCases { way.connect(root, to: shared) }
        root.parts = [Part("a", shared, [shared, shared]), Part("second", shared, [shared])]
        let data = try ArchiveEncoder().encode(root)
        #expect(try InspectedArchive(data).count(ofClass: "Item") == 2)
        let copy = try ArchiveDecoder().decode(Item.self, from: data)
        let copies = Way.allCases.map { $0 == .partItem ? copy.part.items.first : $0.follow(copy) }
        // The last one of two ways that set the same property remains.
        let expected = Way.allCases.filter { ![.plainItem, .payloadItem].contains($0) }
        for (way, other) in zip(Way.allCases, copies) where expected.contains(way) {
            #expect(other === copies[0] && other?.name == "shared", "\(way)")
        }
        #expect(copy.parts[0].items.allSatisfy { $0 === copies[0] } && copy.parts[0].items.count == 2)
        #expect(copy !== root && copies[0] !== shared)
    }

    @Test func `that are equal stay apart`() throws {
        let copy = try roundTrip([Item("a"), Item("a")])
        #expect(copy[0] !== copy[1] && copy[0] == copy[1])
    }

    // MARK: Weak properties

    @Test func `that a weak property archives come back if something keeps them`() throws {
        let (root, kept, lost) = (Item("root"), Item("kept"), Item("lost"))
        root.owner = kept
        root.children = [kept]
        kept.owner = lost
        let data = try ArchiveEncoder().encode(root)
        // The field is not conditional: the archive has the instance.
        #expect(try InspectedArchive(data).count(ofClass: "Item") == 3)
        let copy = try ArchiveDecoder().decode(Item.self, from: data)
        #expect(copy.children.count == 1 && copy.owner === copy.children[0])
        #expect(copy.owner?.name == "kept" && copy.owner?.owner == nil)
    }

    @Test func `that a conditional field refers to are archived by others or not at all`() throws {
        let (alone, root) = (Item("alone"), Item("root"))
        root.parent = alone
        let data = try ArchiveEncoder().encode(root)
        #expect(try InspectedArchive(data).count(ofClass: "Item") == 1)
        #expect(try ArchiveDecoder().decode(Item.self, from: data).parent == nil)
        #expect(
            try !KeyedArchive(data).root.keys.contains("parent") || KeyedArchive(data).root["parent"]?.isNull == true)
    }

    @Test(arguments: [true, false])
    func `that a conditional field refers to come back, archived earlier or later`(isEarlier: Bool) throws {
        let (child, parent) = (Item("child"), Item("parent"))
        child.parent = parent
        let list = isEarlier ? [parent, child] : [child, parent]
        for format in PropertyListFormat.allCases {
            let copy = try roundTrip(list, format: format)
            let (copiedChild, copiedParent) = isEarlier ? (copy[1], copy[0]) : (copy[0], copy[1])
            #expect(copiedChild.parent === copiedParent && copiedParent.name == "parent")
            #expect(copiedChild.name == "child" && copiedParent.parent == nil)
        }
    }

    @Test func `with conditional references to parents form trees`() throws {
        let root = Item("0")
        func grow(_ item: Item, _ depth: Int) {
            guard depth > 0 else { return }
            item.children = (0..<3).map { Item(item.name + "\($0)") }
            for child in item.children {
                child.parent = item
                grow(child, depth - 1)
            }
        }
        grow(root, 5)
        func names(_ item: Item) -> [String] { [item.name] + item.children.flatMap(names) }
        func isTree(_ item: Item) -> Bool { item.children.allSatisfy { $0.parent === item && isTree($0) } }
        let copy = try roundTrip(root)
        #expect(names(copy) == names(root) && names(copy).count == 364)
        #expect(isTree(copy) && copy.parent == nil)
        // A part has no parent.
        let part = try roundTrip(root.children[1].children[2])
        #expect(names(part) == names(root.children[1].children[2]) && isTree(part) && part.parent == nil)
    }

    @Test func `with conditional references to themselves and to each other come back`() throws {
        let items = [Item("a"), Item("b"), Item("c")]
        (items[0].parent, items[1].parent, items[2].parent) = (items[0], items[2], items[1])
        let copy = try roundTrip(items)
        #expect(copy[0].parent === copy[0] && copy[1].parent === copy[2] && copy[2].parent === copy[1])
        let alone = try roundTrip(items[1])
        #expect(alone.name == "b" && alone.parent == nil)
    }

    @Test func `with a conditional reference in a value whose errors are caught keep the reference`() throws {
        let root = Catching()
        root.target = Item("target")
        root.caught.outer = Outer(inner: Inner(target: root.target))
        let copy = try roundTrip(root)
        #expect(copy.caught.outer?.inner.target?.name == "target")
        #expect(copy.caught.outer?.inner.target === copy.target)
    }
}

/// A value that is decoded before the instance to which it refers conditionally, by code that catches errors.
private final class Catching: ArchivedFields {
    var caught = Caught()
    var target: Item?

    init() {}

    static let fields = FieldList<Catching> {
        Field("caught", \.caught)
        Field("target", \.target)
    }
}

private struct Caught: Codable {
    enum CodingKeys: CodingKey { case outer }

    var outer: Outer?

    init() {}

    init(from decoder: any Decoder) throws {
        outer = try? decoder.container(keyedBy: CodingKeys.self).decode(Outer.self, forKey: .outer)
    }
}

private struct Outer: ArchivedFields {
    var inner = Inner()

    static let fields = FieldList<Outer> { Field("inner", \.inner) }
}

private struct Inner: ArchivedFields {
    weak var target: Item?

    static let fields = FieldList<Inner> { Field("target", \.target, .conditional) }
}
