// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation

/// The measured tasks with large documents, each in a separate process.
///
/// A folder contains the files: `archive`, which `encode` writes, `edited`, a copy of it for each task that saves, and
/// `database`, which `tableCreate` writes.
enum DocumentTask: String, CaseIterable, Codable {
    case encode, decode, copy
    case openName, openBook, changeOne, changeOneJournaled, changeTogether, changeApart
    case changeOneOfAll, changeApartOfAll, changeOneOfAllMarked, changeOneOfAllJournaled
    case listName, listBook, listBooks, listAppend
    case tableCreate, tableName, tableBook, tableChangeOne, tableChangeTogether, tableChangeApart

    var title: String {
        switch self {
        case .encode: "encode all to a file"
        case .decode: "decode all from a file"
        case .copy: "copy the file, flush"
        case .openName: "open, read the name"
        case .openBook: "open, read a book"
        case .changeOne: "open, change a book, save"
        case .changeOneJournaled: "open, change and mark a book, save to a journal"
        case .changeTogether: "open, change 1 % of the shelves, save"
        case .changeApart: "open, change 1 % on all shelves, save"
        case .changeOneOfAll: "all is loaded, a book changed: save"
        case .changeApartOfAll: "all is loaded, 1 % on all shelves: save"
        case .changeOneOfAllMarked: "all is loaded, a book changed and marked: save"
        case .changeOneOfAllJournaled: "all is loaded, a book marked: save to a journal"
        case .listName: "lists: open, read the name"
        case .listBook: "lists: open, read a book"
        case .listBooks: "lists: open, read 20 books in a row"
        case .listAppend: "lists: append to a list of all books"
        case .tableCreate: "SQLite: write all"
        case .tableName: "SQLite: open, read the name"
        case .tableBook: "SQLite: open, read a book"
        case .tableChangeOne: "SQLite: open, change a book, commit"
        case .tableChangeTogether: "SQLite: open, change 1 % of the shelves, commit"
        case .tableChangeApart: "SQLite: open, change 1 % on all shelves, commit"
        }
    }

    /// Whether the task changes the file.
    var edits: Bool {
        switch self {
        case .changeOne, .changeOneJournaled, .changeTogether, .changeApart: true
        case .changeOneOfAll, .changeApartOfAll, .changeOneOfAllMarked, .changeOneOfAllJournaled: true
        case .tableChangeOne, .tableChangeTogether, .tableChangeApart: true
        default: false
        }
    }

    /// Whether the task only reads.
    var reads: Bool {
        switch self {
        case .decode, .openName, .openBook, .listName, .listBook, .listBooks, .listAppend, .tableName, .tableBook: true
        default: false
        }
    }

    /// Whether the script for SQLite performs the task.
    var isOfTables: Bool { rawValue.hasPrefix("table") }

    /// The shelf and the position of the book that is read and changed.
    static func chosen(of count: Int) -> (shelf: Int, position: Int) {
        let number = count / 2 + 450
        return (number / HoldingsRows.shelfSize, number % HoldingsRows.shelfSize)
    }
}

/// The figures of a process.
struct DocumentFigures {
    /// Wall time and processor time, in nanoseconds.
    var time: Double
    var processor: Double
    /// The bytes that the process read from files and wrote to files; nil if the system does not count them.
    var read: Double?
    var written: Double?
    /// The growth of the peak memory, in bytes.
    var memory: Double

    static let count = 5

    init(_ figures: [Double]) {
        (time, processor, memory) = (figures[0], figures[1], figures[4])
        (read, written) = (figures[2].isNaN ? nil : figures[2], figures[3].isNaN ? nil : figures[3])
    }

    /// Measures `body`. Its result stays alive during the measurement.
    static func of<Result>(_ body: () throws -> Result) rethrows -> (figures: [Double], result: Result) {
        releaseFreeMemory()
        resetPeakMemory()
        let memory = peakMemory()
        let before = transferredBytes()
        let (start, processorStart) = (monotonicTime(), processorTime())
        let result = try body()
        let (end, processorEnd) = (monotonicTime(), processorTime())
        let after = transferredBytes()
        return (
            [
                Double(end - start), Double(processorEnd - processorStart),
                after.read - before.read, after.written - before.written, Double(peakMemory() - memory),
            ], result
        )
    }
}

// MARK: - Measuring

extension DocumentTask {
    private typealias Document = ArchiveDocument<Holdings<DeferredShelf>>

    /// Measures in a process that was started with `ChildTask.document`.
    ///
    /// - Returns: Its figures: `DocumentFigures`.
    static func measure(_ arguments: [String]) throws -> [Double] {
        guard arguments.count == 3, let task = DocumentTask(rawValue: arguments[0]), !task.isOfTables,
            let count = Int(arguments[2]), count >= HoldingsRows.shelfSize
        else { throw ChildTask.document.misuse(arguments) }
        let folder = URL(filePath: arguments[1])
        // The figures are those of the large document, without the code of the libraries, which is read from disk on first use.
        // The small document is large enough to be read page by page as well.
        try withTemporaryFolder { small in
            _ = try DocumentTask.encode.perform(in: small, count: 12_000)
            try FileManager.default.copyItem(at: small.appending(path: "archive"), to: small.appending(path: "edited"))
            _ = try task.perform(in: small, count: 12_000)
        }
        return try task.perform(in: folder, count: count)
    }

    private func perform(in folder: URL, count: Int) throws -> [Double] {
        let archive = folder.appending(path: "archive")
        let edited = folder.appending(path: "edited")
        switch self {
        case .encode:
            let holdings = Holdings<PlainShelf>.example(count: count)
            return try DocumentFigures.of { try ArchiveEncoder().encode(holdings, to: archive) }.figures
        case .decode:
            let (figures, holdings) = try DocumentFigures.of {
                try ArchiveDecoder().decode(Holdings<PlainShelf>.self, from: archive)
            }
            guard holdings.shelves.reduce(0, { $0 + $1.books.count }) == count else { throw unfaithful }
            return figures
        case .copy:
            let copy = folder.appending(path: "copy")
            defer { try? FileManager.default.removeItem(at: copy) }
            return try DocumentFigures.of { try copyFile(archive, to: copy) }.figures
        case .openName:
            let (figures, document) = try DocumentFigures.of {
                let document = try Document(contentsOf: archive)
                guard document.root.name == HoldingsRows.name else { throw unfaithful }
                return document
            }
            guard document.root.shelves.count == HoldingsRows(count: count).shelfCount else { throw unfaithful }
            return figures
        case .openBook:
            let (figures, document) = try DocumentFigures.of {
                let document = try Document(contentsOf: archive)
                guard document.chosenBook(count).title.hasSuffix(" \(count / 2 + 450)") else { throw unfaithful }
                return document
            }
            return withExtendedLifetime(document) { figures }
        case .changeOne: return try save(edited, count, changing: 1) { [$0.chosenBook(count)] }
        case .changeOneJournaled:
            return try save(edited, count, changing: 1, journal: .enabled) { [$0.chosenBook(count)] }
        case .changeTogether:
            let changed = HoldingsRows(count: count).shelfCount / 100
            return try save(edited, count, changing: changed * HoldingsRows.shelfSize) {
                $0.root.shelves.prefix(changed).flatMap(\.books)
            }
        case .changeApart:
            return try save(edited, count, changing: HoldingsRows(count: count).shelfCount * 10) {
                $0.root.shelves.flatMap { shelf in stride(from: 0, to: 1_000, by: 100).map { shelf.books[$0] } }
            }
        case .changeOneOfAll: return try saveLoaded(edited, count, .compared, .disabled)
        case .changeApartOfAll: return try saveLoaded(edited, count, .compared, .disabled, isApart: true)
        case .changeOneOfAllMarked: return try saveLoaded(edited, count, .marked, .disabled)
        case .changeOneOfAllJournaled: return try saveLoaded(edited, count, .marked, .enabled)
        case .listName, .listBook, .listBooks: return try readLists(archive, count)
        case .listAppend: return try appendToList(folder, count)
        default: preconditionFailure("\(rawValue) is a task of the script")
        }
    }

    /// Opens, changes and saves a document. With a journal, changed books are marked.
    private func save(
        _ url: URL, _ count: Int, changing changedCount: Int, journal: ArchiveJournal = .disabled,
        _ books: (Document) -> [Book]
    ) throws -> [Double] {
        let (figures, report) = try {
            let (figures, (document, report)) = try DocumentFigures.of {
                let document = try Document(contentsOf: url, journal: journal)
                for book in books(document) {
                    book.title = changedTitle
                    if journal == .enabled { document.markChanged(book) }
                }
                return (document, try document.save(changes: journal == .enabled ? .marked : .compared))
            }
            document.close()
            return (figures, report)
        }()
        guard report.objectsWritten == changedCount,
            try books(Document(contentsOf: url)).allSatisfy({ $0.title == changedTitle })
        else { throw unfaithful }
        return figures
    }

    /// Opens holdings whose shelves and books are decoded one by one, and reads a few.
    private func readLists(_ archive: URL, _ count: Int) throws -> [Double] {
        let chosen = Self.chosen(of: count)
        let (figures, _) = try DocumentFigures.of {
            let document = try ArchiveDocument<ListedHoldings>(contentsOf: archive)
            guard document.root.name == HoldingsRows.name else { throw unfaithful }
            if self == .listName { return document }
            let books = document.root.shelves[chosen.shelf].books
            let read = self == .listBook ? 1 : 20
            for place in chosen.position..<chosen.position + read {
                guard books[place].title.hasSuffix(" \(chosen.shelf * HoldingsRows.shelfSize + place)") else {
                    throw unfaithful
                }
            }
            return document
        }
        return figures
    }

    /// Appends a book to a list of all books.
    private func appendToList(_ folder: URL, _ count: Int) throws -> [Double] {
        let url = folder.appending(path: "list")
        let holdings = Holdings<PlainShelf>.example(count: count)
        try ArchiveEncoder().encode(
            ListedShelf(room: "All", books: holdings.shelves.lazy.flatMap(\.books)), to: url)
        let document = try ArchiveDocument<ListedShelf>(contentsOf: url)
        let figures = DocumentFigures.of { document.root.books.append(Book()) }.figures
        guard document.root.books.count == count + 1, document.root.books[count / 2].title.hasSuffix(" \(count / 2)")
        else { throw unfaithful }
        return figures
    }

    /// Saves a document that is loaded, with one changed book, or ten on each shelf.
    private func saveLoaded(
        _ url: URL, _ count: Int, _ changes: ArchiveChanges, _ journal: ArchiveJournal, isApart: Bool = false
    ) throws -> [Double] {
        let document = try Document(contentsOf: url, journal: journal)
        let books = document.root.shelves.flatMap(\.books)
        let changed = isApart ? stride(from: 0, to: count, by: 100).map { books[$0] } : [document.chosenBook(count)]
        for book in changed {
            book.title = changedTitle
            if changes == .marked { document.markChanged(book) }
        }
        let (figures, report) = try DocumentFigures.of { try document.save(changes: changes) }
        guard books.count == count, report.objectsWritten == changed.count else { throw unfaithful }
        document.close()
        return figures
    }

    private var changedTitle: String { "Changed" }
    private var unfaithful: UnfaithfulPart { UnfaithfulPart(task: title) }
}

extension ArchiveDocument where Root == Holdings<DeferredShelf> {
    /// The book that tasks read and change. No part of its shelf is loaded before.
    fileprivate func chosenBook(_ count: Int) -> Book {
        let chosen = DocumentTask.chosen(of: count)
        return root.shelves[chosen.shelf].books[chosen.position]
    }
}

/// Copies a file and waits until the copy is on disk.
func copyFile(_ file: URL, to copy: URL) throws {
    try FileManager.default.copyItem(at: file, to: copy)
    let handle = try FileHandle(forUpdating: copy)
    try handle.synchronize()
    try handle.close()
}
