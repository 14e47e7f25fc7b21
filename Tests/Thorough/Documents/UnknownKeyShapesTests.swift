// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// For each kind of type, a newer and an older version with the same name in the file.
@Suite(.inTurn) struct `Unknown keys in every kind of type` {
    private func hasChanges<Root>(_ document: ArchiveDocument<Root>) throws -> Bool { try document.hasChanges() }

    /// Returns the value that the newer program reads after the older one has changed its file.
    private func edited<New: Codable, Old: Codable>(
        _ value: New, as type: Old.Type, encoder: ArchiveEncoder = ArchiveEncoder(),
        decoder: ArchiveDecoder = ArchiveDecoder(), newerDecoder: ArchiveDecoder = ArchiveDecoder(),
        isUnchanged: Bool = true, check: (KeyedArchive) throws -> Void = { _ in },
        _ edit: (ArchiveDocument<Old>) throws -> Void
    ) throws -> New {
        try TemporaryFolder.with { folder in
            try encoder.encode(value, to: folder["file"])
            let document = try ArchiveDocument<Old>(contentsOf: folder["file"], decoder: decoder)
            let isChanged = try hasChanges(document)
            #expect(isChanged == !isUnchanged)
            try edit(document)
            try document.save()
            #expect(try !hasChanges(document))
            let archive = try KeyedArchive(Data(contentsOf: folder["file"]))
            try archive.validate()
            try check(archive)
            return try newerDecoder.decode(New.self, from: folder["file"])
        }
    }

    // MARK: Subclasses

    class Shape: Codable, ArchiveDescribing {
        class var archiveName: String { "Shape" }
        class var archiveFallbacks: [String] { [] }
        var name = "shape"
    }

    final class Circle: Shape {
        override class var archiveName: String { "Circle" }
        override class var archiveFallbacks: [String] { ["Shape"] }
        var radius = 5

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            radius = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .radius)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(radius, forKey: .radius)
            try super.encode(to: encoder)
        }

        enum CodingKeys: CodingKey { case radius }
    }

    /// A class with no keys of its own.
    final class Square: Shape {
        override class var archiveName: String { "Square" }
        override class var archiveFallbacks: [String] { ["Shape"] }
    }

    struct Drawing: Codable, ArchiveDescribing {
        static let archiveName = "Drawing"
        var shapes: [Shape]
    }

    @Test func `of an object that is read as its superclass stay, and its class does`() throws {
        var newer = ArchiveDecoder()
        newer.classes.register(Circle.self)
        newer.classes.register(Square.self)
        let drawing = Drawing(shapes: [Circle(), Circle(), Square(), Square(), Shape()])
        let saved = try edited(drawing, as: Drawing.self, newerDecoder: newer) { document in
            let shapes = document.root.shapes
            #expect(shapes.allSatisfy { type(of: $0) == Shape.self })
            for index in [1, 3, 4] { shapes[index].name = "changed" }
            let written = try document.save().objectsWritten
            #expect(written == 3)
        }
        #expect(
            saved.shapes.map { "\(type(of: $0)) \($0.name)" } == [
                "Circle shape", "Circle changed", "Square shape", "Square changed", "Shape changed",
            ])
        #expect(saved.shapes.compactMap { ($0 as? Circle)?.radius } == [5, 5])
    }

    // MARK: Parts of superclasses

    class Animal: Codable, ArchiveDescribing {
        class var archiveName: String { "Animal" }
        var name = "cat"
        var age: Int? = 3

        enum CodingKeys: CodingKey { case name, age }
        enum OlderKeys: CodingKey { case name }

        /// Whether the older program runs, which does not know the age.
        class var isOlder: Bool { false }

        init() {}

        required init(from decoder: any Decoder) throws {
            if Self.isOlder {
                name = try decoder.container(keyedBy: OlderKeys.self).decode(String.self, forKey: .name)
                age = nil
            } else {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                name = try container.decode(String.self, forKey: .name)
                age = try container.decodeIfPresent(Int.self, forKey: .age)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(age, forKey: .age)
        }
    }

    final class Dog: Animal {
        override class var archiveName: String { "Dog" }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            try super.init(from: decoder.container(keyedBy: CodingKeys.self).superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: container.superEncoder())
        }
    }

    final class OlderDog: Animal {
        override class var archiveName: String { "Dog" }
        override class var isOlder: Bool { true }

        required init(from decoder: any Decoder) throws {
            try super.init(from: decoder.container(keyedBy: CodingKeys.self).superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `of the part of a superclass stay`() throws {
        let saved = try edited(Dog(), as: OlderDog.self) { $0.root.name = "dog" }
        #expect(saved.name == "dog" && saved.age == 3)
    }

    // MARK: Coding classes

    enum NewerCoding {
        final class Page: Coding, ArchiveDescribing {
            static let archiveName = "Page"
            static var supportsSecureCoding: Bool { true }
            var text: String
            var notes: [String] = ["n"]
            var price = 3
            var next: Page?

            init(_ text: String, next: Page? = nil) {
                self.text = text
                self.next = next
            }

            init(coder: KeyedUnarchiver) throws {
                next = try coder.decodeIfPresent(Page.self, forKey: "next")
                notes = try coder.decode([String].self, forKey: "notes")
                text = try coder.decode(String.self, forKey: "text")
                price = try coder.decode(Int.self, forKey: "$price")
                let number = try coder.decodeNext(Int.self)
                #expect(number == 17)
            }

            func encode(with coder: KeyedArchiver) throws {
                try coder.encode(next, forKey: "next")
                try coder.encode(notes, forKey: "notes")
                coder.encode(text, forKey: "text")
                coder.encode(price, forKey: "$price")
                coder.encodeNext(17)
            }
        }

        final class Book: Codable, ArchiveDescribing {
            static let archiveName = "Book"
            @Coded var first: Page?
            init(_ first: Page) { self.first = first }
        }
    }

    enum OlderCoding {
        final class Page: Coding, ArchiveDescribing {
            static let archiveName = "Page"
            static var supportsSecureCoding: Bool { true }
            var text: String
            init(coder: KeyedUnarchiver) throws { text = try coder.decode(String.self, forKey: "text") }
            func encode(with coder: KeyedArchiver) throws { coder.encode(text, forKey: "text") }
        }

        final class Book: Codable, ArchiveDescribing {
            static let archiveName = "Book"
            @Coded var first: Page?
        }
    }

    @Test func `of a Coding class stay`() throws {
        let book = NewerCoding.Book(.init("a", next: .init("b")))
        let saved = try edited(book, as: OlderCoding.Book.self) { $0.root.first?.text = "c" }
        let page = try #require(saved.first)
        #expect(page.text == "c" && page.notes == ["n"] && page.price == 3 && page.next?.text == "b")
    }

    // MARK: Declared fields

    enum NewerFields {
        struct Point: ArchivedFields, ArchiveDescribing {
            static let archiveName = "Point"
            var x = 0
            var z: Int?
            static let fields = FieldList<Self> {
                Field("x", \.x)
                Field("z", \.z)
            }
        }

        final class Node: ArchivedFields, ArchiveDescribing {
            static let archiveName = "Node"
            var weight: Int?
            var name = ""
            var point = Point()
            var link: Node?
            var links: [Node] = []
            init() {}
            static let fields = FieldList<Node> {
                Field("weight", \.weight)
                Field("name", \.name)
                Field("point", \.point)
                Field("link", \.link)
                Field("links", \.links)
            }
        }
    }

    enum OlderFields {
        struct Point: ArchivedFields, ArchiveDescribing {
            static let archiveName = "Point"
            var x = 0
            static let fields = FieldList<Self> { Field("x", \.x) }
        }

        final class Node: ArchivedFields, ArchiveDescribing {
            static let archiveName = "Node"
            var name = ""
            var point = Point()
            var links: [Node] = []
            init() {}
            static let fields = FieldList<Node> {
                Field("name", \.name)
                Field("point", \.point)
                Field("links", \.links)
            }
        }
    }

    @Test func `of declared fields stay`() throws {
        let node = NewerFields.Node()
        node.point.z = 4
        node.weight = 5
        node.link = node
        let other = NewerFields.Node()
        other.weight = 6
        node.links = [other]
        let saved = try edited(node, as: OlderFields.Node.self) { document in
            document.root.point.x = 1
            document.root.name = "changed"
        }
        #expect(saved.name == "changed" && saved.point.x == 1 && saved.point.z == 4 && saved.weight == 5)
        #expect(saved.link === saved && saved.links[0].weight == 6)
    }

    // MARK: Migrations

    struct FormerVisit: Codable, ArchiveDescribing {
        static let archiveName = "Visit"
        static let archiveVersion = 1
        var hours: Double
        var town: String
        var guide: String
    }

    struct Visit: Codable, ArchiveMigrating {
        static let archiveName = "Visit"
        static let archiveVersion = 2
        static let archiveMigrations: [ArchiveMigration] = [
            .from(1) { fields in
                let hours = try fields.decode(Double.self, forKey: "hours")
                fields.remove("hours")
                fields.set(Int(hours * 60), forKey: "minutes")
                fields.rename("town", to: "place")
            }
        ]
        var minutes: Int
        var place: String
    }

    final class Diary<Entry: Codable>: Codable, ArchiveDescribing {
        static var archiveName: String { "Diary" }
        var visits: [Entry]
        init(_ visits: [Entry]) { self.visits = visits }
    }

    @Test func `of a former version stay, and migrated ones go`() throws {
        try TemporaryFolder.with { folder in
            let visits = Diary([FormerVisit(hours: 2, town: "Bath", guide: "Jane")])
            try ArchiveEncoder().encode(visits, to: folder["file"])
            let document = try ArchiveDocument<Diary<Visit>>(contentsOf: folder["file"])
            #expect(document.root.visits.map(\.minutes) == [120])
            document.root.visits[0].minutes = 150
            try document.save()
            let visit = try KeyedArchive(Data(contentsOf: folder["file"])).root["visits"]?.elements[0]
            #expect(visit?["minutes"]?.integer == 150 && visit?["place"]?.string == "Bath")
            #expect(visit?["guide"]?.string == "Jane" && visit?["hours"] == nil && visit?["town"] == nil)
        }
    }
}
