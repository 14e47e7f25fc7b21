// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// A document whose root, and all of its parts, declare their fields.
@Suite(.inTurn) struct `A document with declared fields` {
    final class Book: ArchivedFields {
        var title = ""
        var author: Author?
        /// Refers to an instance that may not be loaded.
        @WeakReference var shelf: Shelf?

        init() {}

        init(_ title: String, _ author: Author) { (self.title, self.author) = (title, author) }

        static let fields = FieldList<Book> {
            Field("title", \.title)
            Field("author", \.author)
            Field("shelf", \._shelf)
        }
    }

    final class Author: ArchivedFields {
        var name = ""
        var books: [Book] = []

        init() {}

        init(_ name: String) { self.name = name }

        static let fields = FieldList<Author> {
            Field("name", \.name)
            Field("books", \.books)
        }
    }

    final class Shelf: ArchivedFields {
        var name = ""
        @Deferred var books: [Book]
        private(set) var finished = 0

        init() { books = [] }

        static let fields = FieldList<Shelf> {
            Field("name", \.name)
            Field("books", \._books)
        }

        func didFinishDecoding() { finished += 1 }
    }

    final class Bookcase: ArchivedFields {
        var name = ""
        var size = Size()
        var shelves: [Shelf] = []
        var newest: Book?
        @Deferred var authors: [Author]

        init() { authors = [] }

        static let fields = FieldList<Bookcase> {
            Field("name", \.name)
            Field("size", \.size)
            Field("shelves", \.shelves)
            Field("newest", \.newest)
            Field("authors", \._authors)
        }

        /// Two shelves with books by one author, who refers to all of them.
        static func example() -> Bookcase {
            let (bookcase, author) = (Bookcase(), Author("Jane"))
            bookcase.name = "Town"
            bookcase.shelves = ["upper", "lower"].map { name in
                let shelf = Shelf()
                shelf.name = name
                shelf.books = ["Emma", "Persuasion"].map { Book("\($0) \(name)", author) }
                for book in shelf.books { book.shelf = shelf }
                return shelf
            }
            author.books = bookcase.shelves.flatMap(\.books)
            (bookcase.newest, bookcase.authors) = (author.books[1], [author])
            return bookcase
        }
    }

    struct Size: ArchivedFields, Equatable {
        var width = 0.0
        var height = 0.0

        static let fields = FieldList<Size> {
            Field("width", \.width)
            Field("height", \.height, .omitIfDefault)
        }
    }

    /// In a function, since the macro takes `try` from what it takes apart.
    private func hasChanges<Root>(_ document: ArchiveDocument<Root>) throws -> Bool { try document.hasChanges() }

    private func withDocument(_ body: (ArchiveDocument<Bookcase>, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let url = folder["bookcase"]
            let bookcase = Bookcase.example()
            try ArchiveEncoder().encode(bookcase, to: url)
            bookcase.authors[0].books = []
            let document = try ArchiveDocument<Bookcase>(contentsOf: url)
            try body(document, url)
            for author in document.root.authors { author.books = [] }
        }
    }

    /// Expects that every instance is there once, from whichever side it is reached.
    private func check(_ bookcase: Bookcase, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let author = try #require(bookcase.authors.first, sourceLocation: sourceLocation)
        let books = bookcase.shelves.flatMap(\.books)
        #expect(books.allSatisfy { $0.author === author }, sourceLocation: sourceLocation)
        #expect(author.books.elementsEqual(books) { $0 === $1 }, sourceLocation: sourceLocation)
        for shelf in bookcase.shelves {
            #expect(shelf.books.allSatisfy { $0.shelf === shelf }, sourceLocation: sourceLocation)
            #expect(shelf.finished == 1, sourceLocation: sourceLocation)
        }
        #expect(bookcase.newest === books[1], sourceLocation: sourceLocation)
    }

    @Test func `has no changes after it is opened, read, loaded and unloaded`() throws {
        try withDocument { document, url in
            let before = try Data(contentsOf: url)
            #expect(try !hasChanges(document))
            // The newest book loads its author, and all books of the author, but no list.
            #expect(document.root.newest?.author?.books.count == 4)
            #expect(document.root.shelves.allSatisfy { !$0.$books.isLoaded } && !document.root.$authors.isLoaded)
            #expect(try !hasChanges(document))
            try check(document.root)
            #expect(try !hasChanges(document))
            try document.root.shelves[0].$books.unload()
            #expect(!document.root.shelves[0].$books.isLoaded)
            #expect(try !hasChanges(document))
            #expect(try document.save().objectsWritten == 0)
            #expect(try Data(contentsOf: url) == before)
            try check(document.root)
        }
    }

    @Test func `saves what has changed, and keeps identity`() throws {
        try withDocument { document, url in
            document.root.shelves[1].books[0].title = "Sanditon"
            #expect(try hasChanges(document))
            #expect(try document.save().objectsWritten == 1)
            #expect(try !hasChanges(document))
            // The struct is an object of its own, which is a part of the root.
            document.root.size = Size(width: 2, height: 3)
            #expect(try hasChanges(document))
            try document.save()
            let (shelf, author) = (document.root.shelves[0], document.root.authors[0])
            let book = Book("Lady Susan", author)
            book.shelf = shelf
            shelf.books.append(book)
            author.books.insert(book, at: 2)
            // The book, its author and its shelf.
            #expect(try document.save().objectsWritten == 3)
            #expect(try !hasChanges(document))
            try check(document.root)

            let again = try ArchiveDocument<Bookcase>(contentsOf: url)
            defer { again.root.authors[0].books = [] }
            #expect(try !hasChanges(again))
            try check(again.root)
            #expect(try !hasChanges(again))
            #expect(again.root.size == Size(width: 2, height: 3))
            let titles = ["Emma upper", "Persuasion upper", "Lady Susan", "Sanditon", "Persuasion lower"]
            #expect(again.root.authors[0].books.map(\.title) == titles)
            try KeyedArchive(contentsOf: url).validate()
        }
    }

    @Test func `loads no part to save another one, and keeps weak references to it`() throws {
        final class Town: ArchivedFields {
            var name = ""
            @WeakReference var favorite: Shelf?
            @Deferred var shelves: [Shelf]
            init() { shelves = [] }
            static let fields = FieldList<Town> {
                Field("name", \.name)
                Field("favorite", \._favorite)
                Field("shelves", \._shelves)
            }
        }
        try TemporaryFolder.with { folder in
            let town = Town()
            town.shelves = [Shelf(), Shelf()]
            town.shelves[1].name = "favorite"
            town.favorite = town.shelves[1]
            try ArchiveEncoder().encode(town, to: folder["town"])
            let document = try ArchiveDocument<Town>(contentsOf: folder["town"])
            #expect(document.root.favorite == nil)
            #expect(try !hasChanges(document))
            document.root.name = "Bath"
            #expect(try document.save().objectsWritten == 1)
            #expect(!document.root.$shelves.isLoaded)
            let again = try ArchiveDocument<Town>(contentsOf: folder["town"])
            #expect(again.root.name == "Bath" && again.root.shelves.count == 2)
            #expect(again.root.favorite === again.root.shelves[1] && again.root.favorite?.name == "favorite")
            #expect(try !hasChanges(again))
        }
    }

    @Test func `decodes the instance of a conditional reference in a part that is not loaded`() throws {
        final class Town: ArchivedFields {
            weak var favorite: Shelf?
            @Deferred var shelves: [Shelf]
            init() { shelves = [] }
            static let fields = FieldList<Town> {
                Field("favorite", \.favorite, .conditional)
                Field("shelves", \._shelves)
            }
        }
        try TemporaryFolder.with { folder in
            let town = Town()
            town.shelves = [Shelf()]
            town.favorite = town.shelves[0]
            try ArchiveEncoder().encode(town, to: folder["town"])
            let document = try ArchiveDocument<Town>(contentsOf: folder["town"])
            #expect(document.root.favorite?.name == town.shelves[0].name)
            #expect(!document.root.$shelves.isLoaded)
            #expect(try !hasChanges(document))
            #expect(document.root.favorite === document.root.shelves[0])
        }
    }

    @Test func `has the file of a document of Codable types with the same keys`() throws {
        final class Note: Codable, ArchiveDescribing {
            static let archiveName = "Note"
            var text = "a"
            @Deferred var pages: [String]
            init() { pages = ["p", "q"] }
        }
        final class DeclaredNote: ArchivedFields, ArchiveDescribing {
            static let archiveName = "Note"
            var text = ""
            @Deferred var pages: [String]
            init() { pages = [] }
            static let fields = FieldList<DeclaredNote> {
                Field("text", \.text)
                Field("pages", \._pages)
            }
        }
        try TemporaryFolder.with { folder in
            try ArchiveDocument(root: Note()).save(to: folder["note"])
            let document = try ArchiveDocument<DeclaredNote>(contentsOf: folder["note"])
            #expect(try !hasChanges(document))
            #expect(document.root.pages == ["p", "q"])
            document.root.text = "b"
            #expect(try document.save().objectsWritten == 1)
            let again = try ArchiveDocument<Note>(contentsOf: folder["note"])
            #expect(again.root.text == "b" && again.root.pages == ["p", "q"])
            #expect(try !hasChanges(again))
        }
    }
}
