// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation

/// A large document: shelves with lists of books that can be read on demand. Many books share an author.
final class Holdings<Shelf: HoldingsShelf>: Codable, ArchiveDescribing {
    static var archiveName: String { "Holdings" }

    var name: String
    var shelves: [Shelf]

    init(name: String, shelves: [Shelf]) {
        self.name = name
        self.shelves = shelves
    }
}

/// A shelf. Both conforming types have the same archived form.
protocol HoldingsShelf: AnyObject, Codable, ArchiveDescribing {
    var books: [Book] { get set }

    init(room: String, books: [Book])
}

extension HoldingsShelf {
    static var archiveName: String { "Shelf" }
}

/// A shelf that is decoded with its books.
final class PlainShelf: HoldingsShelf {
    let room: String
    var books: [Book]

    init(room: String, books: [Book]) {
        self.room = room
        self.books = books
    }
}

/// A shelf whose books are decoded when they are read.
final class DeferredShelf: HoldingsShelf {
    let room: String
    @Deferred var books: [Book]

    init(room: String, books: [Book]) {
        self.room = room
        self.books = books
    }
}

/// Holdings whose shelves and books are decoded one by one. The archived form is that of `Holdings`.
final class ListedHoldings: Codable, ArchiveDescribing {
    static var archiveName: String { "Holdings" }

    var name: String
    @Deferred var shelves: ArchivedList<ListedShelf>
}

/// A shelf whose books are decoded one by one.
final class ListedShelf: Codable, Emptiable, ArchiveDescribing {
    static var archiveName: String { "Shelf" }

    var room = ""
    @Deferred var books: ArchivedList<Book>

    init() { books = [] }

    init(room: String, books: some Sequence<Book>) {
        self.room = room
        self.books = ArchivedList(books)
    }
}

final class Book: Codable, ArchiveDescribing {
    static var archiveName: String { "Book" }

    var title: String
    let author: Author
    let pages: Int
    let price: Double
    let added: Date

    init(_ row: HoldingsRows.Row, author: Author) {
        title = row.title
        self.author = author
        pages = row.pages
        price = row.price
        added = Date(timeIntervalSinceReferenceDate: Double(row.day) * 86_400)
    }
}

extension Book: Emptiable {
    convenience init() {
        self.init(
            HoldingsRows.Row(title: "", author: 0, pages: 0, price: 0, day: 0), author: Author(name: "", country: ""))
    }
}

final class Author: Codable, ArchiveDescribing {
    static var archiveName: String { "Author" }

    let name: String
    let country: String

    init(name: String, country: String) {
        self.name = name
        self.country = country
    }
}

// MARK: - Creation

extension Holdings {
    /// Creates holdings with `count` books, a thousand on each shelf.
    static func example(count: Int) -> Holdings {
        var rows = HoldingsRows(count: count)
        let authors = (0..<rows.authorCount).map { number in
            let author = rows.author(number)
            return Author(name: author.name, country: author.country)
        }
        let shelves = (0..<rows.shelfCount).map { shelf in
            let books = rows.shelf(shelf).map { Book($0, author: authors[$0.author]) }
            return Shelf(room: HoldingsRows.room(of: shelf), books: books)
        }
        return Holdings(name: HoldingsRows.name, shelves: shelves)
    }
}

/// The contents of the holdings as rows of a table, in the order of the shelves.
struct HoldingsRows {
    struct Row {
        var title: String
        /// The number of the author.
        var author: Int
        var pages: Int
        var price: Double
        var day: Int
    }

    static let name = "Town library"
    static let shelfSize = 1_000

    let count: Int
    private var random = SplitMix64(seed: 16)

    init(count: Int) {
        self.count = count
    }

    var shelfCount: Int { (count + Self.shelfSize - 1) / Self.shelfSize }
    var authorCount: Int { max(1, count / 100) }

    static func room(of shelf: Int) -> String { "Room \(shelf / 50)" }

    func author(_ number: Int) -> (name: String, country: String) {
        ("Author \(number)", "Country \(number % 80)")
    }

    /// Returns the books of the next shelf.
    mutating func shelf(_ number: Int) -> [Row] {
        let first = number * Self.shelfSize
        return (first..<min(first + Self.shelfSize, count)).map { number in
            Row(
                title: "\(random.choice(Self.kinds)) \(random.choice(Self.subjects)), \(number)",
                author: random.integer(in: 0..<authorCount), pages: random.integer(in: 40..<900),
                price: Double(random.integer(in: 300..<12_000)) / 100, day: random.integer(in: 0..<9_000))
        }
    }

    private static let kinds = ["A history of", "Notes on", "The art of", "Letters about", "An introduction to", "On"]
    private static let subjects = [
        "gardens", "the sea", "numbers", "old machines", "trees", "music", "maps", "weather",
    ]

    /// Writes the rows as text for programs with tables: the files `authors` and `books` in `folder`, with columns separated by
    /// tabs.
    mutating func write(to folder: URL) throws {
        let authors = (0..<authorCount).map { number in
            let author = author(number)
            return "\(number)\t\(author.name)\t\(author.country)\n"
        }
        try Data(authors.joined().utf8).write(to: folder.appending(path: "authors"))
        let url = folder.appending(path: "books")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        for shelf in 0..<shelfCount {
            let lines = self.shelf(shelf).enumerated().map { position, row in
                "\(shelf)\t\(position)\t\(row.title)\t\(row.author)\t\(row.pages)\t\(row.price)\t\(row.day)\n"
            }
            try file.write(contentsOf: Data(lines.joined().utf8))
        }
        try file.close()
    }
}
