// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// Saves that compare many instances with those of the file. A shortcut of the comparison must not hide a change.
@Suite(.inTurn) struct `A document whose instances are all loaded` {
    struct Stamp: Codable, Hashable {
        var place: String
        var years: [Int]
    }

    final class Writer: Codable {
        var name: String

        init(_ name: String) { self.name = name }
    }

    final class Book: Codable {
        var title: String
        var weight: Double
        var stamp: Stamp
        var tags: Set<String>
        var writer: Writer
        var next: Book?

        init(_ title: String, by writer: Writer) {
            self.title = title
            self.writer = writer
            weight = 1.5
            stamp = Stamp(place: "Hall", years: [1999, 2001])
            tags = ["old", "thin", "blue"]
        }
    }

    final class Shelf: Codable {
        var first: Book?
        @Deferred var books: [Book]

        init(_ books: [Book]) {
            self.books = books
            first = books.first
        }
    }

    private func example(_ count: Int, title: String = "Same") -> Shelf {
        let writers = (0..<3).map { Writer("Writer \($0)") }
        return Shelf((0..<count).map { Book(title, by: writers[$0 % 3]) })
    }

    /// Changes a document that `shelf` was written for, and returns the report of the save and the saved shelf.
    private func save(
        _ shelf: Shelf, times: Int = 1, _ change: (Shelf) throws -> Void
    ) throws -> (report: ArchiveSaveReport, shelf: Shelf) {
        try TemporaryFolder.with { folder in
            let url = folder["shelf"]
            try ArchiveEncoder().encode(shelf, to: url)
            let document = try ArchiveDocument<Shelf>(contentsOf: url)
            _ = document.root.books.map(\.writer.name)
            for number in 1..<times {
                document.root.books[0].title = "Save \(number)"
                try document.save()
            }
            try change(document.root)
            let report = try document.save()
            let hasChanges = try document.hasChanges()
            #expect(!hasChanges)
            let saved = try ArchiveDecoder().decode(Shelf.self, from: url)
            #expect(saved.books.map(\.title) == document.root.books.map(\.title))
            return (report, saved)
        }
    }

    @Test func `saves two exchanged instances with the same contents`() throws {
        let (report, saved) = try save(example(6)) { $0.books.swapAt(0, 3) }
        #expect(report.objectsWritten == 1)
        #expect(saved.first === saved.books[3])
        #expect(saved.first !== saved.books[0])
    }

    @Test func `saves a new instance with the contents of the old one`() throws {
        let (report, saved) = try save(example(6)) { $0.books[0] = Book("Same", by: $0.books[0].writer) }
        #expect(report.objectsWritten == 2)
        #expect(saved.first !== saved.books[0])
        #expect(saved.first?.writer === saved.books[0].writer)
    }

    @Test func `saves only the list if all instances are in another order`() throws {
        let shelf = example(60)
        for (number, book) in shelf.books.enumerated() { book.title = "\(number)" }
        let (report, saved) = try save(shelf) { $0.books.reverse() }
        #expect(report.objectsWritten == 1)
        #expect(report.objectsKept == 63)
        #expect(saved.books.last === saved.first)
        #expect(saved.books.map(\.title) == (0..<60).reversed().map { "\($0)" })
    }

    @Test func `saves a reference to another instance with the same contents`() throws {
        let (report, saved) = try save(example(6)) { $0.books[4].writer = $0.books[5].writer }
        #expect(report.objectsWritten == 1)
        #expect(saved.books[4].writer === saved.books[5].writer)
        #expect(saved.books[1].writer !== saved.books[5].writer)
    }

    @Test(arguments: [1, 3]) func `saves changes that keep the sizes of all values`(saves: Int) throws {
        let (report, saved) = try save(example(6), times: saves) { shelf in
            shelf.books[1].title = "Emas"
            shelf.books[2].stamp.years.swapAt(0, 1)
            shelf.books[3].tags = ["old", "thin", "grey"]
            shelf.books[4].weight = 2.5
        }
        #expect(report.objectsWritten == 4)
        #expect(saved.books[1].title == "Emas")
        #expect(saved.books[2].stamp.years == [2001, 1999])
        #expect(saved.books[3].tags == ["old", "thin", "grey"])
        #expect(saved.books[4].weight == 2.5)
        #expect(saved.books[5].stamp == Stamp(place: "Hall", years: [1999, 2001]))
    }

    @Test func `distinguishes the zeros and the values that are not numbers`() throws {
        let shelf = example(4)
        shelf.books[0].weight = 0
        shelf.books[1].weight = .nan
        shelf.books[2].weight = .nan
        let payload = Double(nan: 5, signaling: false)
        let (report, saved) = try save(shelf) {
            $0.books[0].weight = -0.0
            $0.books[2].weight = payload
        }
        #expect(report.objectsWritten == 2)
        #expect(saved.books[0].weight.sign == .minus)
        #expect(saved.books[1].weight.isNaN)
        #expect(saved.books[2].weight.bitPattern == payload.bitPattern)
    }

    /// The file is large enough to be read page by page, also the one that the document has written itself.
    @Test func `saves single changes to a large file again and again`() throws {
        let shelf = example(1_200)
        let long = String(repeating: "long ", count: 200)
        for (number, book) in shelf.books.enumerated() { book.title = "A \(long) title with the number \(number)" }
        let (report, saved) = try save(shelf, times: 3) { $0.books.swapAt(700, 701) }
        #expect(report.objectsWritten == 1)
        #expect(report.objectsKept == 1_203)
        #expect(saved.books[0].title == "Save 2")
        #expect(saved.books[700].title.hasSuffix(" 701"))
    }

    @Test func `finds its instances after a part of them was removed from the file`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["shelf"]
            try ArchiveEncoder().encode(example(40), to: url)
            let document = try ArchiveDocument<Shelf>(contentsOf: url)
            document.root.books.removeSubrange(10..<30)
            try document.save()
            try document.compact()
            document.root.books[15].title = "Changed"
            let report = try document.save()
            #expect(report.objectsWritten == 1)
            #expect(report.objectsKept == 23)
            document.root.books.append(Book("New", by: document.root.books[0].writer))
            #expect(try document.save().objectsWritten == 2)
            let saved = try ArchiveDecoder().decode(Shelf.self, from: url)
            #expect(saved.books.map(\.title) == document.root.books.map(\.title))
        }
    }
}
