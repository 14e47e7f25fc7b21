// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation

/// The measured searches in a large document, each in a separate process.
///
/// A folder contains the files `archive`, which `DocumentTask.encode` writes, `database`, which `DocumentTask.tableCreate` writes,
/// and `indexed archive`, which `writeIndex(in:)` writes.
enum QueryTask: String, CaseIterable, Codable {
    case decode, fetch, fetchAgain, fetchText, fetchAuthor, fetchFirst
    case fetchLatest, fetchLatestByIndex, fetchLatestAgain
    case tableFetch, tableFetchText, tableFetchAuthor, tableFetchFirst, tableFetchLatest
    case indexedFetch, indexedFetchText, indexedFetchAuthor, indexedFetchFirst, indexedFetchLatest

    var title: String {
        switch self {
        case .decode: "decode all, filter by pages and title"
        case .fetch: "fetch by pages and title"
        case .fetchAgain: "fetch by pages and title, for the second time"
        case .fetchText: "fetch by title"
        case .fetchAuthor: "fetch by pages and the author's country"
        case .fetchFirst: "fetch the 20 latest with many pages"
        case .fetchLatest: "fetch the 20 latest with 500 pages"
        case .fetchLatestByIndex: "fetch the 20 latest with 500 pages, index"
        case .fetchLatestAgain: "fetch the 20 latest with 500 pages, index, for the second time"
        case .tableFetch: "SQLite: select by pages and title"
        case .tableFetchText: "SQLite: select by title"
        case .tableFetchAuthor: "SQLite: select by pages and the author's country"
        case .tableFetchFirst: "SQLite: select the 20 latest with many pages"
        case .tableFetchLatest: "SQLite: select the 20 latest with 500 pages"
        case .indexedFetch: "SQLite, index of pages: select by pages and title"
        case .indexedFetchText: "SQLite, index of pages: select by title"
        case .indexedFetchAuthor: "SQLite, index of pages: select by pages and the author's country"
        case .indexedFetchFirst: "SQLite, index of pages: select the 20 latest with many pages"
        case .indexedFetchLatest: "SQLite, index of pages: select the 20 latest with 500 pages"
        }
    }

    /// The file that a task of this library searches.
    private var file: String {
        self == .fetchLatestByIndex || self == .fetchLatestAgain ? "indexed archive" : "archive"
    }

    /// Whether the script for SQLite performs the task.
    var isOfTables: Bool { rawValue.hasPrefix("table") || isIndexed }
    /// Whether the database has an index of the pages.
    var isIndexed: Bool { rawValue.hasPrefix("indexed") }

    /// The search that the task performs.
    var query: String {
        switch self {
        case .decode, .fetch, .fetchAgain, .tableFetch, .indexedFetch: "pages"
        case .fetchText, .tableFetchText, .indexedFetchText: "text"
        case .fetchAuthor, .tableFetchAuthor, .indexedFetchAuthor: "author"
        case .fetchFirst, .tableFetchFirst, .indexedFetchFirst: "first"
        case .fetchLatest, .fetchLatestByIndex, .fetchLatestAgain, .tableFetchLatest, .indexedFetchLatest: "latest"
        }
    }
}

extension QueryTask {
    private typealias Document = ArchiveDocument<QueriedHoldings>

    /// Measures in a process that was started with `ChildTask.query`.
    ///
    /// - Returns: Its figures: `DocumentFigures`, and the number of found books.
    static func measure(_ arguments: [String]) throws -> [Double] {
        guard arguments.count == 3, let task = QueryTask(rawValue: arguments[0]), !task.isOfTables,
            let count = Int(arguments[2]), count >= HoldingsRows.shelfSize
        else { throw ChildTask.query.misuse(arguments) }
        // As for documents: the figures are those without the code of the libraries.
        try withTemporaryFolder { small in
            let holdings = Holdings<PlainShelf>.example(count: 12_000)
            try ArchiveEncoder().encode(holdings, to: small.appending(path: "archive"))
            try writeIndex(in: small)
            _ = try task.perform(in: small)
        }
        let (figures, books) = try task.perform(in: URL(filePath: arguments[1]))
        guard books.map(\.title) == task.expected(count: count) else { throw UnfaithfulPart(task: task.title) }
        return figures + [Double(books.count)]
    }

    /// Writes a copy of the archive with an index.
    static func writeIndex(in folder: URL) throws {
        let document = try Document(contentsOf: folder.appending(path: "archive"))
        _ = try QueryTask.fetchLatest.found(in: document)
        try document.save(to: folder.appending(path: "indexed archive"))
    }

    private func perform(in folder: URL) throws -> (figures: [Double], result: [QueriedBook]) {
        let archive = folder.appending(path: file)
        if self == .decode {
            return try DocumentFigures.of {
                try ArchiveDecoder().decode(QueriedHoldings.self, from: archive).shelves.flatMap(\.books)
                    .filter { $0.pages >= 790 && $0.title.contains("maps, 12") }
            }
        }
        if self == .fetchAgain || self == .fetchLatestAgain {
            let document = try Document(contentsOf: archive)
            _ = try found(in: document)
            return try DocumentFigures.of { try found(in: document) }
        }
        let (figures, (document, books)) = try DocumentFigures.of {
            let document = try Document(contentsOf: archive)
            return (document, try found(in: document))
        }
        return withExtendedLifetime(document) { (figures, books) }
    }

    private func found(in document: Document) throws -> [QueriedBook] {
        switch query {
        case "pages":
            try document.fetch(
                QueriedBook.self, where: #Predicate { $0.pages >= 790 && $0.title.contains("maps, 12") })
        case "text": try document.fetch(QueriedBook.self, where: #Predicate { $0.title.contains("maps, 123") })
        case "author":
            try document.fetch(
                QueriedBook.self, where: #Predicate { $0.pages >= 790 && $0.author?.country == "Country 7" })
        case "latest":
            try document.fetch(
                QueriedBook.self, where: #Predicate { $0.pages == 500 }, sortedBy: .descending(\.added), limit: 20)
        default:
            try document.fetch(
                QueriedBook.self, where: #Predicate { $0.pages >= 790 }, sortedBy: .descending(\.added), limit: 20)
        }
    }

    /// The titles of the books to be found.
    private func expected(count: Int) -> [String] {
        var rows = HoldingsRows(count: count)
        let books = (0..<rows.shelfCount).flatMap { rows.shelf($0) }
        switch query {
        case "pages": return books.filter { $0.pages >= 790 && $0.title.contains("maps, 12") }.map(\.title)
        case "text": return books.filter { $0.title.contains("maps, 123") }.map(\.title)
        case "author":
            return books.filter { $0.pages >= 790 && rows.author($0.author).country == "Country 7" }.map(\.title)
        default:
            let isLong: (HoldingsRows.Row) -> Bool = query == "latest" ? { $0.pages == 500 } : { $0.pages >= 790 }
            let long = books.enumerated().filter { isLong($0.element) }
            let latest = long.sorted { ($1.element.day, $0.offset) < ($0.element.day, $1.offset) }
            return latest.prefix(20).map(\.element.title)
        }
    }
}
