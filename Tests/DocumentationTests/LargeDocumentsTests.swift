// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on large documents, unchanged.
@Suite(.inTurn)
struct `The article on large documents`: DocumentedOutput {
    private struct Book: Codable { var title: String }

    private struct Shelf: Codable {
        var name: String
        @Deferred var books: [Book]

        init(_ name: String, _ books: [Book]) {
            self.name = name
            self.books = books
        }

        private enum CodingKeys: CodingKey { case name, books }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            _books = try container.decode(Deferred<[Book]>.self, forKey: .books)
        }
    }

    @Test func `decodes the wrapper in an initializer`() throws {
        let data = try ArchiveEncoder().encode(Shelf("new", [Book(title: "Emma")]))
        let shelf = try ArchiveDecoder().decode(Shelf.self, from: data)
        #expect(shelf.name == "new" && !shelf.$books.isLoaded)
        #expect(shelf.books.map(\.title) == ["Emma"])
    }

    @Test func `reads on demand, saves what changed, and keeps what it cannot read`() throws {
        final class Book: Codable {
            var title: String
            @WeakReference var library: Library?
            init(_ title: String) { self.title = title }
        }

        final class Library: Codable {
            var name: String
            @Deferred var books: [Book]
            @Deferred var wishes: [Book]

            init(_ name: String, books: [Book]) {
                self.name = name
                self.books = books
                wishes = books.filter { $0.title.isEmpty }
                for book in books { book.library = self }
            }
        }

        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "library")
            try ArchiveEncoder().encode(Library("Town", books: [Book("Persuasion"), Book("Emma"), Book("")]), to: url)
            do {
                let library = try ArchiveDecoder().decode(Library.self, from: url)
                print(library.name)  // Town
                print(library.$books.isLoaded)  // false
                print(library.books[1].title)  // Emma
                print(library.books[1].library === library)  // true

                try library.$books.load()
                try library.$books.unload()
                #expect(!library.$books.isLoaded)
            }
            let document = try ArchiveDocument<Library>(contentsOf: url)
            document.root.books[0].title = "Sanditon"
            let report = try document.save()
            print(report.objectsWritten)  // 1
            print(document.root.$wishes.isLoaded)  // false

            document.root.books[0].title = "Persuasion"
            document.markChanged(document.root.books[0])
            try document.save(changes: .marked)
            #expect(try ArchiveDecoder().decode(Library.self, from: url).books[0].title == "Persuasion")
            do {
                let document = try ArchiveDocument<Library>(contentsOf: url, journal: .enabled)
                document.root.books[0].title = "Evelina"
                try document.save()
                try document.checkpoint()
            }
            #expect(try ArchiveDecoder().decode(Library.self, from: url).books[0].title == "Evelina")
        }
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "damaged")
            var data = try ArchiveEncoder().encode(Library("Town", books: [Book("Emma")]))
            // The marker of the string becomes one that no object has.
            let place = try #require(data.range(of: Data("\u{54}Emma".utf8)))
            data[place.lowerBound] = 0x70
            try data.write(to: url)

            let document = try ArchiveDocument<Library>(contentsOf: url)
            print(document.root.books.count)  // 0
            for part in document.unreadableParts {
                print(part.path, part.error is DecodingError)  // root.books true
            }
            document.root.books.append(Book("Sanditon"))
            do {
                try document.save()
            } catch let error as ArchiveDocumentError {
                print(error.code)  // unreadablePartModified
            }
            document.root.books = [Book("Sanditon")]
            try document.save()
            #expect(try ArchiveDecoder().decode(Library.self, from: url).books.map(\.title) == ["Sanditon"])
        }
    }

    @Test func `reports its progress`() async throws {
        struct Catalog: Codable { var numbers: [[Int]] }
        try await TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "catalog")
            try ArchiveEncoder().encode(Catalog(numbers: (0..<2_000).map { Array(0...$0 % 50) }), to: url)

            let progress = Progress(totalUnitCount: 1000)
            let catalog = try await ArchiveDecoder().decode(Catalog.self, from: url) { state in
                progress.completedUnitCount = Int64(1000 * (state.fraction ?? 0))
            }
            print(progress.fractionCompleted)  // 1.0
            try await ArchiveEncoder().encode(catalog, to: url) { state in
                progress.totalUnitCount = Int64(state.totalCount ?? -1)
                progress.completedUnitCount = Int64(state.completedCount)
            }
            print(progress.isFinished)  // true
        }
    }
}
