// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

/// A large document. Decoding it decodes the shelves without their books. A book is decoded when it is read.
final class Bookcase: Codable, ArchiveDescribing {
    static let archiveName = "Bookcase"

    var shelves: [Shelf]
    /// All authors of the books.
    @Deferred var authors: [Author]

    init(shelves: [Shelf], authors: [Author]) {
        self.shelves = shelves
        self.authors = authors
    }

    /// Returns the author of that name, if there is one.
    func author(named name: String) -> Author? { authors.first { $0.name == name } }
}

/// Books. Opening the document decodes none of them.
final class Shelf: ArchivedFields, ArchiveDescribing {
    static let archiveName = "Shelf"

    @Deferred var books: ArchivedList<Book>

    static let fields = FieldList<Shelf> { Field("books", \._books) }

    init() { books = [] }

    init(books: [Book]) { self.books = ArchivedList(books) }
}

/// A book. An element of a list has an empty value, the result of `init()`.
final class Book: ArchivedFields, ArchiveDescribing, ArchiveIndexed, Emptiable {
    static let archiveName = "Book"

    var title = ""
    /// All books of an author share one instance, also in the file.
    private(set) var author = Author()
    private(set) var year = 0

    static let fields = FieldList<Book> {
        Field("title", \.title)
        Field("author", \.author)
        Field("year", \.year)
    }
    /// The books of a year in the order of their titles are found without reading the others.
    static let indexes = [ArchiveIndex<Book>(\.year, \.title)]

    init() {}

    init(title: String, author: Author, year: Int) {
        self.title = title
        self.author = author
        self.year = year
    }

    var line: String { "\(title), \(author.name), \(year)" }
}

final class Author: ArchivedFields, ArchiveDescribing {
    static let archiveName = "Author"

    private(set) var name = ""

    static let fields = FieldList<Author> { Field("name", \.name) }

    init() {}

    init(name: String) { self.name = name }
}
