import ArchiveDocuments
import Archiving

/// A large document. Decoding it decodes the shelves without their books. The books of a shelf are decoded when they are read.
final class Bookcase: Codable, ArchiveDescribing {
    static let archiveName = "Bookcase"

    var shelves: [Shelf]
    /// All authors of the books.
    @Deferred var authors: [Author]

    init(shelves: [Shelf], authors: [Author]) {
        self.shelves = shelves
        self.authors = authors
    }

    /// Returns the author of that name, and adds one if necessary.
    func author(named name: String) -> Author {
        if let author = authors.first(where: { $0.name == name }) { return author }
        let author = Author(name: name)
        authors.append(author)
        return author
    }
}

/// Books, and facts about them that are available without decoding them. It declares its fields, of which the second one is the
/// wrapper of the books. The other classes are Codable.
final class Shelf: ArchivedFields, ArchiveDescribing {
    static let archiveName = "Shelf"

    private(set) var count = 0
    @Deferred private(set) var books: [Book]

    static let fields = FieldList<Shelf> {
        Field("count", \.count)
        Field("books", \._books)
    }

    init() { books = [] }

    init(books: [Book]) {
        count = books.count
        self.books = books
    }

    func add(_ book: Book) {
        books.append(book)
        count = books.count
    }

    /// Releases the books. They remain in the file.
    func putAway() throws { try $books.unload() }

    /// Decodes the books.
    ///
    /// - Throws: The error in the books. In contrast, reading `books` returns an empty array after an error.
    func takeOut() throws { try $books.load() }
}

final class Book: Codable, ArchiveDescribing {
    static let archiveName = "Book"

    var title: String
    /// All books of an author share one instance, also in the file.
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
