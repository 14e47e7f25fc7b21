import Archiving

/// A large document. Decoding it decodes the shelves, and no books: those are decoded shelf by shelf when they are read.
final class Bookcase: Codable, ArchiveDescribing {
    static let archiveName = "Bookcase"

    var shelves: [Shelf]
    /// All authors of the books.
    @Deferred var authors: [Author]

    init(shelves: [Shelf], authors: [Author]) {
        self.shelves = shelves
        self.authors = authors
    }

    /// The author of that name, who is a new one if there is none yet.
    func author(named name: String) -> Author {
        if let author = authors.first(where: { $0.name == name }) { return author }
        let author = Author(name: name)
        authors.append(author)
        return author
    }
}

/// Books, and what is known of them without decoding them.
final class Shelf: Codable, ArchiveDescribing {
    static let archiveName = "Shelf"

    private(set) var count: Int
    @Deferred private(set) var books: [Book]

    init(books: [Book]) {
        count = books.count
        self.books = books
    }

    func add(_ book: Book) {
        books.append(book)
        count = books.count
    }

    /// Lets go of the books, as they are in the file anyway.
    func putAway() throws { try $books.unload() }

    /// Decodes the books.
    ///
    /// - Throws: What is wrong with them. A plain read of `books` gives none then.
    func takeOut() throws { try $books.load() }
}

final class Book: Codable, ArchiveDescribing {
    static let archiveName = "Book"

    var title: String
    /// An instance that all books of the author share: in the file, too.
    let author: Author
    let year: Int

    init(title: String, author: Author, year: Int) {
        self.title = title
        self.author = author
        self.year = year
    }

    var line: String { "\(title), \(author.name), \(year)" }
}

final class Author: Codable, ArchiveDescribing {
    static let archiveName = "Author"

    let name: String

    init(name: String) { self.name = name }
}
