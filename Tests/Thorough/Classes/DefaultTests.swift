// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An encoder and a decoder, for types that are the same to both.
private struct Coders: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let encode: @Sendable (any Encodable) throws -> Data
    let decode: @Sendable (any Decodable.Type, Data) throws -> any Decodable

    func decode<Value: Decodable>(_ type: Value.Type, ofEncoded value: some Encodable) throws -> Value {
        try #require(try decode(type, encode(value)) as? Value)
    }

    static let all = [
        Coders(testDescription: "archives") {
            try ArchiveEncoder().encode($0)
        } decode: {
            try ArchiveDecoder().decode($0, from: $1)
        },
        Coders(testDescription: "XML archives") {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = .xml
            return try encoder.encode($0)
        } decode: {
            try ArchiveDecoder().decode($0, from: $1)
        },
        Coders(testDescription: "JSON") {
            try JSONEncoder().encode($0)
        } decode: {
            try JSONDecoder().decode($0, from: $1)
        },
        Coders(testDescription: "property lists") {
            try PropertyListEncoder().encode($0)
        } decode: {
            try PropertyListDecoder().decode($0, from: $1)
        },
    ]
}

private enum Volume: DefaultProvider {
    static var defaultValue: Double { 0.5 }
}

private enum Theme: String, Codable, DefaultProvider {
    case light, dark
    static var defaultValue: Theme { .light }
}

private enum Owner: DefaultProvider {
    static var defaultValue: String? { "nobody" }
}

private struct Old: Codable {
    var text = "Milk"
}

private struct Note: Codable, Hashable, Sendable {
    var text: String
    @DefaultEmpty var tags: [String] = []
    @DefaultEmpty var scores: [String: Int] = [:]
    @DefaultEmpty var title: String = ""
    @DefaultEmpty var picture: Data = Data()
    @DefaultZero var count: Int = 0
    @DefaultFalse var isPinned: Bool = false
    @DefaultTrue var isShown: Bool = true
    @Default<Volume> var volume: Double = 0.5
    @Default<Theme> var theme: Theme = .light
    @Default<Owner> var owner: String? = "nobody"

    static let other = Note(
        text: "Eggs", tags: ["a", "b"], scores: ["x": 1], title: "Shop", picture: Data([1, 2]), count: 7,
        isPinned: true, isShown: false, volume: 0.25, theme: .dark, owner: nil)
}

/// The same without wrappers.
private struct PlainNote: Codable {
    var text: String
    var tags: [String]
    var scores: [String: Int]
    var title: String
    var picture: Data
    var count: Int
    var isPinned: Bool
    var isShown: Bool
    var volume: Double
    var theme: Theme
    var owner: String

    init(_ note: Note) {
        (text, tags, scores, title, picture) = (note.text, note.tags, note.scores, note.title, note.picture)
        (count, isPinned, isShown) = (note.count, note.isPinned, note.isShown)
        (volume, theme, owner) = (note.volume, note.theme, note.owner ?? "")
    }
}

@Suite(.inTurn) struct `A property with a default` {
    @Test(arguments: Coders.all)
    fileprivate func `has it where the key is absent`(coders: Coders) throws {
        let note = try coders.decode(Note.self, ofEncoded: Old())
        #expect(note.text == "Milk")
        #expect(note.tags == [] && note.scores == [:] && note.title == "" && note.picture == Data())
        #expect(note.count == 0 && !note.isPinned && note.isShown)
        #expect(note.volume == 0.5 && note.theme == .light && note.owner == "nobody")
        #expect(note == Note(text: "Milk"))
    }

    @Test(arguments: Coders.all)
    fileprivate func `comes back with its value otherwise, also where that is nil`(coders: Coders) throws {
        #expect(try coders.decode(Note.self, ofEncoded: Note.other) == .other)
        #expect(try coders.decode(Note.self, ofEncoded: Note.other).owner == nil)
    }

    @Test(arguments: Coders.all)
    fileprivate func `is read from what was written without the wrapper, and the other way round`(
        coders: Coders
    ) throws {
        var note = Note.other
        note.owner = "Ada"
        #expect(try coders.decode(Note.self, ofEncoded: PlainNote(note)) == note)
        #expect(try Note(plain: coders.decode(PlainNote.self, ofEncoded: note)) == note)
    }

    @Test func `leaves the bytes as they are without the wrapper`() throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.classes.register(Note.self, name: "Note")
        var plain = encoder
        plain.classes = ClassRegistry()
        plain.classes.register(PlainNote.self, name: "Note")
        var note = Note.other
        note.owner = "Ada"
        #expect(try encoder.encode(note) == plain.encode(PlainNote(note)))
        let json = JSONEncoder()
        json.outputFormatting = .sortedKeys
        #expect(try json.encode(note) == json.encode(PlainNote(note)))
    }

    @Test func `has the default where there is null and nil is no value of its type`() throws {
        let json = Data(
            #"{ "text": "a", "tags": null, "count": null, "isShown": null, "theme": null, "owner": null }"#.utf8)
        var expected = Note(text: "a")
        expected.owner = nil
        #expect(try JSONDecoder().decode(Note.self, from: json) == expected)

        struct Nulls: Encodable {
            var text = "a"
            var tags: String?
            var count: Int?
            var isShown: Bool?
            var theme: Theme?
            var owner: String?

            private enum CodingKeys: CodingKey { case text, tags, count, isShown, theme, owner }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(text, forKey: .text)
                for key in [CodingKeys.tags, .count, .isShown, .theme, .owner] { try container.encodeNil(forKey: key) }
            }
        }
        for coders in Coders.all { #expect(try coders.decode(Note.self, ofEncoded: Nulls()) == expected) }
    }

    @Test(arguments: Coders.all)
    fileprivate func `is an error where there is another type`(coders: Coders) throws {
        struct Wrong: Codable {
            var text = "a"
            var count = "many"
        }
        let error = try #require(throws: DecodingError.self) { try coders.decode(Note.self, ofEncoded: Wrong()) }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["count"])
    }

    @Test func `is found wherever it is among the fields`() throws {
        struct Reversed: Encodable {
            var isShown = false
            var count = 3
            var tags = ["x"]
            var text = "a"
        }
        let data = try ArchiveEncoder().encode([Reversed(), Reversed()])
        let expected = Note(text: "a", tags: ["x"], count: 3, isShown: false)
        #expect(try ArchiveDecoder().decode([Note].self, from: data) == [expected, expected])
    }

    @Test func `needs no value in a class, nor in a struct`() throws {
        final class Shelf: Codable {
            @DefaultEmpty var books: [String]
            @Default<Volume> var volume: Double
            init() {}
        }
        struct Holder: Codable {
            @DefaultZero var count: Int
        }
        #expect(Shelf().volume == 0.5)
        #expect(try roundTrip(Shelf()).books == [])
        #expect(Holder().count == 0)
    }

    @Test func `has a default of its own for each instance`() throws {
        final class Counter: Codable {
            var count = 0
        }
        enum Fresh: DefaultProvider {
            static var defaultValue: Counter { Counter() }
        }
        struct Part: Codable {
            @Default<Fresh> var counter: Counter
        }
        struct Bare: Codable {}
        let data = try ArchiveEncoder().encode([Bare(), Bare()])
        let parts = try ArchiveDecoder().decode([Part].self, from: data)
        #expect(parts[0].counter !== parts[1].counter)
    }

    @Test func `has the default where its object is left out`() throws {
        struct Holder: Codable {
            @Default<NoAnimal> var animal: Animal?
        }
        struct OldHolder: Codable {
            var animal: Animal
        }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Animal.self, name: "Animal")
        encoder.classes.register(Unicorn.self, name: "Unicorn")
        let data = try encoder.encode(OldHolder(animal: Unicorn()))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Animal.self, name: "Animal")
        #expect(throws: DecodingError.self) { try decoder.decode(Holder.self, from: data) }
        decoder.classes.unknownClasses = .skip
        #expect(try decoder.decode(Holder.self, from: data).animal == nil)
    }
}

private class Animal: Codable {
    var name = "?"
}

/// The version that wrote the archive knows it, the one that reads it does not.
private final class Unicorn: Animal {}

private enum NoAnimal: DefaultProvider {
    static var defaultValue: Animal? { nil }
}

extension Note {
    fileprivate init(plain: PlainNote) {
        self.init(
            text: plain.text, tags: plain.tags, scores: plain.scores, title: plain.title, picture: plain.picture,
            count: plain.count, isPinned: plain.isPinned, isShown: plain.isShown, volume: plain.volume,
            theme: plain.theme, owner: plain.owner)
    }
}

// MARK: - Cycles

private enum Nothing: DefaultProvider {
    static var defaultValue: Node? { nil }
}

private enum Somebody: DefaultProvider {
    static var defaultValue: Node? { Node("default") }
}

private enum Strangers: DefaultProvider {
    static var defaultValue: [Node] { [Node("default")] }
}

private final class Node: Codable, Hashable {
    var name: String
    @DefaultEmpty var children: [Node]
    @DefaultEmpty var byName: [String: Node]
    @DefaultEmpty var friends: Set<Node>
    @Default<Nothing> var parent: Node?
    @Default<Somebody> var guardian: Node? = nil
    @Default<Strangers> var others: [Node] = []

    init(_ name: String) { self.name = name }

    static func == (left: Node, right: Node) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite(.inTurn) struct `A cycle through a property with a default` {
    @Test func `comes back from a collection`() throws {
        let root = Node("root")
        let child = Node("child")
        root.children = [child, root]
        child.children = [root]
        child.byName = ["root": root]
        child.friends = [root, child]
        let again = try roundTrip(root)
        let back = try #require(again.children.first)
        #expect(again.children.map(\.name) == ["child", "root"])
        #expect(again.children[1] === again)
        #expect(back.children.count == 1 && back.children[0] === again)
        #expect(back.byName["root"] === again)
        #expect(back.friends.count == 2 && back.friends.contains(again))
        #expect(back.friends.contains { $0 === again } && back.friends.contains { $0 === back })
    }

    @Test func `comes back from an optional, and from one whose default is something`() throws {
        let root = Node("root")
        let child = Node("child")
        root.children = [child]
        child.parent = root
        child.guardian = root
        child.others = [root, child]
        let again = try roundTrip(root)
        let back = try #require(again.children.first)
        #expect(back.parent === again)
        #expect(back.guardian === again)
        #expect(back.others.count == 2 && back.others[0] === again && back.others[1] === back)
        #expect(again.guardian == nil && again.others.isEmpty)

        let fromChild = try roundTrip(child)
        #expect(fromChild.parent?.children.first === fromChild)
        #expect(fromChild.parent === fromChild.guardian)
    }

    @Test func `is an error if it has only single references`() throws {
        final class Owner: Codable {
            var item: Item
            init(_ item: Item) { self.item = item }
        }
        struct Place: Codable {
            var owner: Owner?
        }
        enum Nowhere: DefaultProvider {
            static var defaultValue: Place { Place() }
        }
        final class Item: Codable {
            @Default<Nowhere> var place: Place
            init() {}
        }
        let item = Item()
        item.place.owner = Owner(item)
        let error = try failure { try roundTrip(item) }
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "place.owner.item" && error.says("leads back to the Item"), "\(error)")
    }
}
