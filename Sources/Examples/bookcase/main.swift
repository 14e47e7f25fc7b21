// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Edits a document of 100 MB without reading all of it, and saves a change with a write of some hundred bytes: with
// `ArchivedList`, `ArchiveDocument` and its journal. `swift run -c release bookcase --help` lists the commands.

import ArchiveDocuments
import Archiving
import ExampleCommandLine

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The default file.
let usualFile = URL.homeDirectory.appending(path: "bookcase.archive")

/// The text of `--help`.
let usage = """
    A large bookcase in one file.

    usage: bookcase [--file FILE] COMMAND

      create [--shelves NUMBER] [--books NUMBER]
                                             a new file with made-up books: 900 shelves with 1000 books each, some
                                             100 MB, unless said otherwise
      show [SHELF [BOOK]]                    how many shelves and books there are, or twenty books of a shelf from BOOK
      rename SHELF BOOK TITLE                changes the title of a book
      add SHELF TITLE --author NAME [--year YEAR]
      year YEAR                              the first twenty books of a year in the order of their titles
      search TEXT                            the books with TEXT in the title or in the author's name
      checkpoint                             writes the changes from the journal to the file, for other programs

    SHELF and BOOK are numbers from 1. The file is \(usualFile.path), unless --file names another one. Changes are in
    a journal beside it.

    Exit codes: 0, 1 where something failed, 64 for a command line that makes no sense.
    """

do {
    try await run(CommandLine.arguments.dropFirst())
} catch let error as UsageError {
    end("bookcase: \(error)\nTry “bookcase --help”.", status: 64)
} catch {
    end("bookcase: \(sentence(for: error))", status: 1)
}

/// Runs a command line.
func run(_ words: some Sequence<String>) async throws {
    var arguments = try Arguments(
        words, options: ["--file", "--shelves", "--books", "--author", "--year"], flags: ["--help"])
    if arguments.has("--help") { return print(usage) }
    let command = try arguments.word("The command")
    let file = arguments.value(of: "--file").map { URL(filePath: $0) } ?? usualFile

    switch command {
    case "create":
        let shelfCount = try number(arguments.value(of: "--shelves") ?? "900", "--shelves")
        let booksPerShelf = try number(arguments.value(of: "--books") ?? "1000", "--books")
        try arguments.finish()
        try await create(file, shelfCount: shelfCount, booksPerShelf: booksPerShelf)
    case "show":
        let shelf = try arguments.words.isEmpty ? nil : number(arguments.word("The shelf"), "The shelf")
        let book = try arguments.words.isEmpty ? 1 : number(arguments.word("The book"), "The book")
        try arguments.finish()
        try show(file, shelf, from: book)
    case "rename":
        let shelf = try number(arguments.word("The shelf"), "The shelf")
        let book = try number(arguments.word("The book"), "The book")
        let title = try text(arguments.word("The title"), "The title")
        try arguments.finish()
        try await rename(file, shelf, book, title)
    case "add":
        let shelf = try number(arguments.word("The shelf"), "The shelf")
        let title = try text(arguments.word("The title"), "The title")
        guard let author = arguments.value(of: "--author") else { throw UsageError("--author NAME is missing") }
        let year = try number(arguments.value(of: "--year") ?? "2000", "--year")
        try arguments.finish()
        try await add(file, shelf, title, author: text(author, "The author"), year: year)
    case "search":
        let text = try text(arguments.word("The text"), "The text")
        try arguments.finish()
        try search(file, text)
    case "year":
        let year = try number(arguments.word("The year"), "The year")
        try arguments.finish()
        try show(file, year: year)
    case "checkpoint":
        try arguments.finish()
        try open(file).checkpoint()
    default: throw UsageError("There is no command “\(command)”")
    }
}

// MARK: - Commands

/// `create`: writes a new document.
func create(_ file: URL, shelfCount: Int, booksPerShelf: Int) async throws {
    guard !FileManager.default.fileExists(atPath: file.path) else {
        throw BookcaseError(description: "\(file.path) exists already")
    }
    let line = ProgressLine("making books")
    let bookcase = Bookcase.sample(shelfCount: shelfCount, booksPerShelf: booksPerShelf) { line.show($0) }
    line.clear()
    try await save(ArchiveDocument(root: bookcase), to: file)
    print("\(shelfCount) shelves, \(shelfCount * booksPerShelf) books")
}

/// `show`: decodes the shelves, and the books that it prints.
func show(_ file: URL, _ number: Int?, from first: Int) throws {
    let bookcase = try open(file).root
    guard let number else { return print("\(bookcase.shelves.count) shelves, \(bookCount(bookcase)) books") }
    let books = try shelf(bookcase, number).books
    for position in books.indices.dropFirst(first - 1).prefix(20) {
        print("\(position + 1)  \(try books.element(at: position).line)")
    }
}

/// `rename`: decodes and writes one book.
func rename(_ file: URL, _ number: Int, _ bookNumber: Int, _ title: String) async throws {
    let document = try open(file)
    let books = try shelf(document.root, number).books
    guard books.indices.contains(bookNumber - 1) else {
        throw BookcaseError(
            description: "There is no book \(bookNumber) on shelf \(number), which has \(books.count)")
    }
    let book = try books.element(at: bookNumber - 1)
    book.title = title
    document.markChanged(book)
    try await save(document)
    print("\(bookNumber)  \(book.line)")
}

/// `add`: decodes the authors. It writes the book, the shelf's list of books, and the author if it is new.
func add(_ file: URL, _ number: Int, _ title: String, author name: String, year: Int) async throws {
    let document = try open(file)
    let shelf = try shelf(document.root, number)
    try document.root.$authors.load()
    let author: Author
    if let known = document.root.author(named: name) {
        author = known
    } else {
        author = Author(name: name)
        document.root.authors.append(author)
        document.markChanged(document.root)
    }
    let book = Book(title: title, author: author, year: year)
    shelf.books.append(book)
    document.markChanged(shelf)
    try await save(document)
    print("\(shelf.books.count)  \(book.line)")
}

/// `search`: decodes a hundred books at a time, so that memory contains few.
func search(_ file: URL, _ text: String) throws {
    let bookcase = try open(file).root
    let line = ProgressLine("searching")
    var count = 0
    for number in bookcase.shelves.indices {
        let books = try shelf(bookcase, number + 1).books
        for first in stride(from: 0, to: books.count, by: 100) {
            let range = first..<min(first + 100, books.count)
            for (position, book) in zip(range, try books.elements(in: range))
            where book.title.contains(text) || book.author.name.contains(text) {
                line.clear()
                print("shelf \(number + 1), book \(position + 1): \(book.line)")
                count += 1
            }
        }
        line.show(Double(number + 1) / Double(bookcase.shelves.count))
    }
    line.clear()
    print("\(count) of \(bookCount(bookcase)) books")
}

/// `year`: reads some pages of the index, and decodes the books that it prints.
func show(_ file: URL, year: Int) throws {
    let document = try open(file)
    let books = try document.fetch(
        Book.self, where: #Predicate { $0.year == year }, sortedBy: .ascending(\.title), limit: 20)
    for book in books { print(book.line) }
    if books.isEmpty { print("There is no book of \(year)") }
}

// MARK: - Parts of commands

/// Opens a document with the changes in its journal.
func open(_ file: URL) throws -> ArchiveDocument<Bookcase> { try ArchiveDocument(contentsOf: file, journal: .enabled) }

/// Saves the marked changes of a document, or the document to another file, and prints the amount that was written.
func save(_ document: ArchiveDocument<Bookcase>, to file: URL? = nil) async throws {
    let line = ProgressLine("saving")
    defer { line.clear() }
    let report: ArchiveSaveReport
    if let file {
        report = try await document.save(to: file) { line.show($0.fraction ?? 0) }
    } else {
        report = try await document.save(changes: .marked) { line.show($0.fraction ?? 0) }
    }
    line.clear()
    print("\(report.objectsWritten) new or changed objects, \(report.bytesWritten) bytes written")
}

/// Returns the shelf with that number, whose list of books can be read.
func shelf(_ bookcase: Bookcase, _ number: Int) throws -> Shelf {
    guard bookcase.shelves.indices.contains(number - 1) else {
        throw BookcaseError(description: "There is no shelf \(number), only \(bookcase.shelves.count) shelves")
    }
    let shelf = bookcase.shelves[number - 1]
    try shelf.$books.load()
    return shelf
}

func bookCount(_ bookcase: Bookcase) -> Int { bookcase.shelves.map(\.books.count).reduce(0, +) }

/// Parses a number from 1 up.
func number(_ text: String, _ name: String) throws -> Int {
    guard let number = Int(text), (1...1_000_000).contains(number) else {
        throw UsageError("\(name) is a number from 1 up, not “\(text)”")
    }
    return number
}

/// Checks that a text is not empty.
func text(_ text: String, _ name: String) throws -> String {
    guard !text.isEmpty else { throw UsageError("\(name) is empty") }
    return text
}

/// An error in running a command.
struct BookcaseError: Error, CustomStringConvertible {
    let description: String
}
