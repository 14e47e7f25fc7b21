// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A fetch from a document` {
    final class Book: ArchivedFields, ArchiveIndexed {
        var title = ""
        var year = 0
        var rating: Int?

        init() {}

        init(_ title: String, _ year: Int, rating: Int?) {
            (self.title, self.year, self.rating) = (title, year, rating)
        }

        static let fields = FieldList<Book> {
            Field("title", \.title)
            Field("year", \.year)
            Field("rating", \.rating)
        }
        static let indexes = [ArchiveIndex<Book>(\.year)]
    }

    final class Library: ArchivedFields {
        @Deferred var books: [Book] = []

        init() {}

        static let fields = FieldList<Library> { Field("books", \._books) }
    }

    private static let books = (0..<60).map { ("Book \($0 % 7)", 1950 + $0 * 31 % 60, $0 % 3 == 0 ? nil : $0 % 5) }

    private static func withDocument(_ body: (ArchiveDocument<Library>, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let library = Library()
            library.books = books.map { Book($0.0, $0.1, rating: $0.2) }
            try ArchiveDocument(root: library).save(to: folder["library"])
            try body(ArchiveDocument(contentsOf: folder["library"]), folder["library"])
        }
    }

    static let predicates: [(Predicate<Book>, @Sendable ((String, Int, Int?)) -> Bool)] = [
        (#Predicate { $0.year > 1990 }, { $0.1 > 1990 }),
        (#Predicate { $0.year == 1981 }, { $0.1 == 1981 }),
        (#Predicate { $0.title == "Book 3" && $0.year < 1980 }, { $0.0 == "Book 3" && $0.1 < 1980 }),
        (#Predicate { $0.rating == nil || $0.title.contains("6") }, { $0.2 == nil || $0.0.contains("6") }),
        (#Predicate { ($0.rating ?? 0) * 2 > 4 }, { ($0.2 ?? 0) * 2 > 4 }),
    ]

    @Test(arguments: predicates.indices) func `returns what a filter of everything returns`(number: Int) throws {
        let (predicate, filter) = Self.predicates[number]
        try Self.withDocument { document, _ in
            let found = try document.fetch(Book.self, where: predicate, sortedBy: .ascending(\.year))
            #expect(!document.root.$books.isLoaded)
            #expect(found.map(\.year) == Self.books.filter(filter).map(\.1).sorted())
            let newest = try document.fetch(Book.self, where: predicate, sortedBy: .descending(\.year), limit: 2)
            #expect(newest.map(\.year) == Array(found.map(\.year).reversed().prefix(2)))
        }
    }

    @Test func `finds what has changed, and the instances of the document`() throws {
        try Self.withDocument { document, url in
            let old = try document.fetch(Book.self, where: #Predicate { $0.year == 1981 })
            old[0].year = 2020
            document.root.books.append(Book("New", 2021, rating: nil))
            let recent = #Predicate<Book> { $0.year > 2015 }
            #expect(
                try document.fetch(Book.self, where: recent, sortedBy: .ascending(\.year)).map(\.year) == [2020, 2021])
            #expect(try document.fetch(Book.self, where: recent, sortedBy: .ascending(\.year))[0] === old[0])
            try document.save()
            let again = try ArchiveDocument<Library>(contentsOf: url)
            #expect(try again.fetch(Book.self, where: recent).count == 2)
            #expect(try again.explain(Book.self, where: recent).index != nil)
        }
    }

    @Test func `counts, returns a page, and returns values without decoding`() throws {
        try Self.withDocument { document, url in
            let late = Self.books.filter { $0.1 > 1990 }.map(\.1).sorted()
            let isLate = #Predicate<Book> { $0.year > 1990 }
            #expect(try document.count(Book.self, where: isLate) == late.count)
            #expect(try document.count(Book.self) == 60)
            let years = try document.fetch(
                Book.self, \.year, where: isLate, sortedBy: .ascending(\.year), offset: 2, limit: 3)
            #expect(years == Array(late[2..<5]))
            #expect(!document.root.$books.isLoaded)
            let page = try document.fetch(Book.self, where: isLate, sortedBy: .ascending(\.year), offset: 2, limit: 3)
            #expect(page.map(\.year) == years)
            // An archive is read on any thread.
            let archive = try #require(document.archive)
            #expect(try archive.count(Book.self, where: isLate) == late.count)
            #expect(
                try archive.fetch(Book.self, \.rating, sortedBy: .ascending(\.year), .ascending(\.title), offset: 59)
                    == [Self.books.max { ($0.1, $0.0) < ($1.1, $1.0) }?.2])
        }
    }
}
