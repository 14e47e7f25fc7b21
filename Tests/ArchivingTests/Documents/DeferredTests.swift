// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct `Deferred properties` {
    final class Author: Codable {
        var name: String
        @Deferred var books: [Book]

        init(_ name: String, books: [Book] = []) {
            self.name = name
            self.books = books
        }
    }

    final class Book: Codable {
        var title: String
        @WeakReference var author: Author?

        init(_ title: String, by author: Author? = nil) {
            self.title = title
            self.author = author
        }
    }

    final class Library: Codable {
        var name: String
        @Deferred var books: [Book]
        @Deferred var favourites: Set<String>
        @Deferred var byTitle: [String: Book]
        @Deferred var cover: Data
        @Deferred var motto: String
        @Deferred var author: Author?
        @Deferred var missing: Author?

        init(_ name: String) {
            self.name = name
            let author = Author("Austen")
            let books = [Book("Emma", by: author), Book("Persuasion", by: author)]
            author.books = books
            self.books = books
            favourites = ["Emma"]
            byTitle = ["Emma": books[0]]
            cover = Data([1, 2, 3])
            motto = "Lege"
            self.author = author
            missing = nil
        }
    }

    private func decoded(_ library: Library = Library("Town")) throws -> Library {
        try ArchiveDecoder().decode(Library.self, from: ArchiveEncoder().encode(library))
    }

    // MARK: - Reading

    @Test func `are decoded when they are read`() throws {
        let library = try decoded()
        #expect(library.name == "Town")
        #expect(!library.$books.isLoaded && !library.$cover.isLoaded && !library.$author.isLoaded)
        #expect(library.books.map(\.title) == ["Emma", "Persuasion"])
        #expect(library.$books.isLoaded && !library.$cover.isLoaded && !library.$author.isLoaded)
        #expect(library.cover == Data([1, 2, 3]))
        #expect(library.motto == "Lege")
        #expect(library.favourites == ["Emma"])
        #expect(library.author?.name == "Austen")
        #expect(library.missing == nil)
        #expect(library.$missing.isLoaded)
        try library.$byTitle.load()
        #expect(library.$byTitle.isLoaded)
        #expect(library.byTitle.keys.sorted() == ["Emma"])
    }

    @Test func `refer to the instances that the program has`() throws {
        let library = try decoded()
        let author = try #require(library.author)
        #expect(library.books[0].author === author)
        #expect(library.byTitle["Emma"] === library.books[0])
        // A cycle through a deferred property.
        #expect(author.books[1] === library.books[1])
        #expect(author.books[1].author === author)
    }

    @Test func `give an instance again that the program has kept, and a new one otherwise`() throws {
        let library = try decoded()
        let emma = library.books[0]
        weak let persuasion = library.books[1]
        try library.$books.unload()
        #expect(!library.$books.isLoaded)
        #expect(persuasion == nil)
        #expect(library.books[0] === emma)
        #expect(library.books[1].title == "Persuasion")
    }

    @Test func `have weak references to what is decoded later, and keep them`() throws {
        let library = try decoded()
        let emma = library.books[0]
        #expect(emma.author == nil)
        // The reference is not lost while there is nothing at its other end.
        let again = try decoded(library)
        #expect(again.books[0].author == nil)
        #expect(again.author?.name == "Austen")
        #expect(again.books[0].author === again.author)
        #expect(emma.author == nil)
        weak let author = library.author
        #expect(author != nil && emma.author === author)
        try library.$author.unload()
        #expect(author == nil)
        #expect(emma.author == nil)
        #expect(library.author?.books[0] === emma)
        #expect(emma.author === library.author)
        // What nothing archives is nil.
        library.author = nil
        try library.$byTitle.load()
        #expect(try decoded(library).books[0].author == nil)
    }

    @Test func `are in an archive what plain properties are`() throws {
        final class Plain: Codable, ArchiveDescribing {
            static let archiveName = "Shelf"
            var name = "Town"
            var books = ["Emma"]
            var author: String? = "Austen"
            var missing: String?
        }
        final class Lazy: Codable, ArchiveDescribing {
            static let archiveName = "Shelf"
            var name = "Town"
            @Deferred var books = ["Emma"]
            @Deferred var author: String? = "Austen"
            @Deferred var missing: String? = nil
        }
        let plain = try ArchiveEncoder().encode(Plain())
        #expect(try ArchiveEncoder().encode(Lazy()) == plain)
        let lazy = try ArchiveDecoder().decode(Lazy.self, from: plain)
        #expect(lazy.missing == nil)
        #expect(lazy.author == "Austen")
        #expect(lazy.books == ["Emma"])
    }

    @Test func `are plain properties for other coders`() throws {
        let library = try decoded()
        let json = try JSONEncoder().encode(library.$favourites)
        #expect(String(decoding: json, as: UTF8.self) == #"["Emma"]"#)
        #expect(library.$favourites.isLoaded)
        struct Note: Codable, Equatable {
            var text = "a"
            @Deferred var tags: [String] = []
            @Deferred var place: String? = nil
        }
        let note = try JSONDecoder().decode(Note.self, from: Data(#"{"text": "b", "tags": ["c"]}"#.utf8))
        #expect(note == Note(text: "b", tags: ["c"]))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Note.self, from: Data(#"{"text": "b"}"#.utf8))
        }
        let list = try PropertyListEncoder().encode(note)
        #expect(try PropertyListDecoder().decode(Note.self, from: list) == note)
    }

    // MARK: - Encoding

    @Test(arguments: [PropertyListFormat.binary, .xml]) func `are copied without being decoded`(
        format: PropertyListFormat
    ) throws {
        let library = try decoded()
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.outputFormatting = .sortedKeys
        let copy = try encoder.encode(library)
        #expect(!library.$books.isLoaded && !library.$author.isLoaded && !library.$cover.isLoaded)
        #expect(try copy == encoder.encode(Library("Town")))
    }

    @Test func `are copied with the instances that the program has changed`() throws {
        let library = try decoded()
        library.books[0].title = "Emma, again"
        #expect(!library.$byTitle.isLoaded && !library.$author.isLoaded)
        let again = try decoded(library)
        #expect(again.byTitle["Emma"]?.title == "Emma, again")
        #expect(again.author?.books.map(\.title) == ["Emma, again", "Persuasion"])
        #expect(again.author?.books[0] === again.books[0])
    }

    @Test func `can be set, and changed in place`() throws {
        let library = try decoded()
        library.books.append(Book("Sanditon"))
        library.favourites = ["Sanditon"]
        library.author = nil
        let again = try decoded(library)
        #expect(again.books.map(\.title) == ["Emma", "Persuasion", "Sanditon"])
        #expect(again.favourites == ["Sanditon"])
        #expect(again.author == nil)
    }

    @Test func `of structs are values`() throws {
        struct Shelf: Codable {
            @Deferred var titles: [String]
        }
        let shelf = try ArchiveDecoder().decode(
            Shelf.self, from: ArchiveEncoder().encode(Shelf(titles: ["Emma"])))
        var other = shelf
        other.titles.append("Persuasion")
        #expect(shelf.titles == ["Emma"])
        #expect(other.titles == ["Emma", "Persuasion"])
    }

    // MARK: - Letting go

    @Test func `are not let go of if anything was changed`() throws {
        let library = try decoded()
        library.books[1].title = "Changed"
        #expect(throws: ArchiveDocumentError.self) { try library.$books.unload() }
        #expect(library.books[1].title == "Changed")
        library.motto = "Scribe"
        #expect(throws: ArchiveDocumentError.self) { try library.$motto.unload() }
        #expect(library.cover.count == 3)
        try library.$cover.unload()
        try library.$cover.unload()
        #expect(!library.$cover.isLoaded)
    }

    // MARK: - Damage

    private struct Wrong: Codable, ArchiveDescribing {
        static let archiveName = "Shelf"
        var name = "Town"
        var titles = [1, 2]
    }
    private struct Right: Codable, ArchiveDescribing {
        static let archiveName = "Shelf"
        var name: String
        @Deferred var titles: [String]
    }

    @Test func `are empty if they cannot be decoded, and nothing is lost`() throws {
        let messages = Mutex<[String]>([])
        let handler: @Sendable (any Error) -> Void = { error in messages.withLock { $0.append("\(type(of: error))") } }
        var value = try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(Wrong(), to: folder["shelf"])
            return try ArchiveDocument<Right>(contentsOf: folder["shelf"], deferredErrorHandler: handler).root
        }
        #expect(value.$titles.error == nil)
        #expect(value.titles == [])
        #expect(value.titles == [])
        #expect(messages.withLock { $0 } == ["DecodingError"])
        #expect(!value.$titles.isLoaded)
        let error = #expect(throws: DecodingError.self) { try value.$titles.load() }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["root", "titles", "Index 0"])
        #expect(value.$titles.error is DecodingError)
        #expect(try ArchiveDecoder().decode(Wrong.self, from: ArchiveEncoder().encode(value)).titles == [1, 2])
        // A modification in place neither replaces what could not be read nor vanishes.
        let copy = value
        value.titles.append("a")
        value.titles.append("b")
        #expect(value.titles == ["a", "b"] && !value.$titles.isLoaded && copy.titles == [])
        let modified = #expect(throws: ArchiveDocumentError.self) { try ArchiveEncoder().encode(value) }
        #expect(modified?.code == .unreadablePartModified)
        #expect(modified?.part == ["titles"])
        #expect(throws: ArchiveDocumentError.self) { try JSONEncoder().encode(value) }
        #expect(throws: ArchiveDocumentError.self) { try deepCopy(of: value) }
        #expect(throws: ArchiveDocumentError.self) { try value.$titles.load() }
        #expect(throws: ArchiveDocumentError.self) { try value.$titles.unload() }
        #expect(try ArchiveDecoder().decode(Wrong.self, from: ArchiveEncoder().encode(copy)).titles == [1, 2])
        // Nor does the empty value that a modification leaves.
        value.titles.removeAll()
        #expect(throws: ArchiveDocumentError.self) { try ArchiveEncoder().encode(value) }
        value.titles = ["b"]
        #expect(value.$titles.error == nil)
        #expect(value.titles == ["b"])
        #expect(try ArchiveDecoder().decode(Right.self, from: ArchiveEncoder().encode(value)).titles == ["b"])
    }

    @Test func `are decoded under the limits and the names of their decoder`() throws {
        class Animal: Codable {}
        final class Dog: Animal, ArchiveDescribing {
            static let archiveName = "Dog"
        }
        struct Farm: Codable {
            @Deferred var animals: [Animal]
            @Deferred var numbers: [[Int]]
        }
        let data = try ArchiveEncoder().encode(Farm(animals: [Dog()], numbers: (0..<1000).map { [$0] }))
        #expect(throws: DecodingError.self) {
            try ArchiveDecoder().decode(Farm.self, from: data).$animals.load()
        }
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self, name: "Dog")
        #expect(try decoder.decode(Farm.self, from: data).animals[0] is Dog)
        decoder.limits.work = 1000
        let farm = try decoder.decode(Farm.self, from: data)
        #expect(throws: DecodingError.self) { try farm.$numbers.load() }
    }

    @Test func `leave out objects of unknown classes if the decoder does`() throws {
        struct Old: Codable, ArchiveDescribing {
            static let archiveName = "Shelf"
            class Thing: Codable, ArchiveDescribing {
                class var archiveName: String { "Thing" }
            }
            final class Gone: Thing {
                override class var archiveName: String { "Gone" }
            }
            var thing: Thing? = Gone()
            var things: [Thing] = [Gone()]
        }
        struct New: Codable, ArchiveDescribing {
            static let archiveName = "Shelf"
            final class Thing: Codable, ArchiveDescribing {
                static let archiveName = "Thing"
            }
            @Deferred var thing: Thing?
            @Deferred var things: [Thing]
        }
        let data = try ArchiveEncoder().encode(Old())
        var decoder = ArchiveDecoder()
        #expect(throws: DecodingError.self) { try decoder.decode(New.self, from: data).$thing.load() }
        decoder.classes.unknownClasses = .skip
        let new = try decoder.decode(New.self, from: data)
        #expect(new.thing == nil && new.$thing.isLoaded)
        #expect(new.things.isEmpty && new.$things.isLoaded)
    }

    // MARK: - While the archive is decoded

    final class Eager: Codable {
        @Deferred var titles: [String]
        var early: [String] = []
        var wasTooEarly = false

        init(_ titles: [String]) { self.titles = titles }

        enum CodingKeys: CodingKey { case titles }

        init(from decoder: any Decoder) throws {
            _titles = try decoder.container(keyedBy: CodingKeys.self).decode(Deferred<[String]>.self, forKey: .titles)
            early = titles
            do { try $titles.load() } catch let error as ArchiveDocumentError { wasTooEarly = error.code == .tooEarly }
        }
    }

    @Test func `are empty until the decoder returns`() throws {
        let eager = try ArchiveDecoder().decode(Eager.self, from: ArchiveEncoder().encode(Eager(["a"])))
        #expect(eager.early == [])
        #expect(eager.wasTooEarly)
        #expect(eager.titles == ["a"])
    }

    // MARK: - As the value

    @Test func `are compared, hashed and described as their values`() throws {
        let first = try decoded()
        let second = try decoded()
        #expect("\(first.$motto)" == "not loaded")
        #expect(first.$motto == second.$motto)
        #expect(first.$motto.hashValue == Deferred(wrappedValue: "Lege").hashValue)
        #expect("\(first.$motto)" == "Lege")
        let copy = try deepCopy(of: first)
        #expect(copy.books[0] !== first.books[0])
        #expect(copy.author?.books[0] === copy.books[0])
    }

    @Test func `are decoded once, whichever task asks first`() async throws {
        struct Shelf: Codable, Sendable {
            @Deferred var objects: [Item]
            @Deferred var others: [Item]
        }
        final class Item: Codable, Sendable {
            let name: String
            init(_ name: String) { self.name = name }
        }
        let items = (0..<100).map { Item("\($0)") }
        let shelf = try ArchiveDecoder().decode(
            Shelf.self, from: ArchiveEncoder().encode(Shelf(objects: items, others: items.reversed())))
        let found = await withTaskGroup(of: [ObjectIdentifier].self) { group in
            for number in 0..<16 {
                group.addTask {
                    number % 2 == 0
                        ? shelf.objects.map { ObjectIdentifier($0) }
                        : shelf.others.reversed().map { ObjectIdentifier($0) }
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(found.count == 1)
    }
}
