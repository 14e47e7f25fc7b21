// Edits a document of 100 MB without reading all of it, and saves it without encoding all of it, with `@Deferred` properties and
// `ArchiveDocument`. `swift run -c release bookcase --help` lists the commands.

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
      show [SHELF]                           how many shelves and books there are, or the books of a shelf
      rename SHELF BOOK TITLE                changes the title of a book
      add SHELF TITLE --author NAME [--year YEAR]
      search TEXT                            the books with TEXT in the title or in the author's name

    SHELF and BOOK are numbers from 1. The file is \(usualFile.path), unless --file names another one.

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
        try arguments.finish()
        try show(file, shelf)
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

/// `show`: decodes the shelves, and at most the books of one shelf.
func show(_ file: URL, _ number: Int?) throws {
    let bookcase = try ArchiveDecoder().decode(Bookcase.self, from: file)
    guard let number else {
        return print("\(bookcase.shelves.count) shelves, \(bookcase.shelves.map(\.count).reduce(0, +)) books")
    }
    for (position, book) in try books(bookcase, number).enumerated() { print("\(position + 1)  \(book.line)") }
}

/// `rename`: decodes one shelf and writes one book.
func rename(_ file: URL, _ shelf: Int, _ number: Int, _ title: String) async throws {
    let document = try ArchiveDocument<Bookcase>(contentsOf: file)
    let books = try books(document.root, shelf)
    guard books.indices.contains(number - 1) else {
        throw BookcaseError(description: "There is no book \(number) on shelf \(shelf), which has \(books.count)")
    }
    let book = books[number - 1]
    book.title = title
    try await save(document)
    print("\(number)  \(book.line)")
}

/// `add`: decodes a shelf and the authors. It writes the book, the shelf's list of books, and the author if it is new.
func add(_ file: URL, _ shelf: Int, _ title: String, author: String, year: Int) async throws {
    let document = try ArchiveDocument<Bookcase>(contentsOf: file)
    _ = try books(document.root, shelf)
    try document.root.$authors.load()
    let book = Book(title: title, author: document.root.author(named: author), year: year)
    document.root.shelves[shelf - 1].add(book)
    try await save(document)
    print("\(document.root.shelves[shelf - 1].count)  \(book.line)")
}

/// `search`: decodes one shelf after another and releases it, so that memory contains the books of one shelf at a time.
func search(_ file: URL, _ text: String) throws {
    let bookcase = try ArchiveDecoder().decode(Bookcase.self, from: file)
    let line = ProgressLine("searching")
    var count = 0
    for (number, shelf) in bookcase.shelves.enumerated() {
        try shelf.takeOut()
        for (position, book) in shelf.books.enumerated()
        where book.title.contains(text) || book.author.name.contains(text) {
            line.clear()
            print("shelf \(number + 1), book \(position + 1): \(book.line)")
            count += 1
        }
        try shelf.putAway()
        line.show(Double(number + 1) / Double(bookcase.shelves.count))
    }
    line.clear()
    print("\(count) of \(bookcase.shelves.map(\.count).reduce(0, +)) books")
}

// MARK: - Parts of commands

/// Saves a document to its file or to another one, and prints the amount that was written.
func save(_ document: ArchiveDocument<Bookcase>, to file: URL? = nil) async throws {
    let line = ProgressLine("saving")
    defer { line.clear() }
    let report: ArchiveSaveReport
    if let file {
        report = try await document.save(to: file) { line.show($0.fraction ?? 0) }
    } else {
        report = try await document.save { line.show($0.fraction ?? 0) }
    }
    line.clear()
    print("\(report.objectsWritten) new or changed objects, \(report.bytesWritten) bytes written")
}

/// Returns the books on the shelf with that number.
func books(_ bookcase: Bookcase, _ number: Int) throws -> [Book] {
    guard bookcase.shelves.indices.contains(number - 1) else {
        throw BookcaseError(description: "There is no shelf \(number), only \(bookcase.shelves.count) shelves")
    }
    let shelf = bookcase.shelves[number - 1]
    try shelf.takeOut()
    return shelf.books
}

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
