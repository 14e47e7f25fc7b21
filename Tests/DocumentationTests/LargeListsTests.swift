// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on large lists, and of the comments of their types.
@Suite(.inTurn)
struct `The article on large lists`: DocumentedOutput {
    @Test func `reads, changes and saves a few elements`() throws {
        final class Note: ArchivedFields, Emptiable {
            var text = ""

            init() {}
            convenience init(_ text: String) {
                self.init()
                self.text = text
            }

            static let fields = FieldList<Note> { Field("text", \.text) }
        }

        final class Diary: Codable {
            @Deferred var notes: ArchivedList<Note>

            init(_ notes: [Note]) { self.notes = ArchivedList(notes) }
        }

        try TemporaryFolder.with { folder in
            let url = folder["diary"]
            try ArchiveEncoder().encode(Diary((0..<20_000).map { Note("Note \($0)") }), to: url)

            let document = try ArchiveDocument<Diary>(contentsOf: url)
            print(document.root.notes.count)  // 20000
            print(document.root.notes[19_999].text)  // Note 19999
            document.root.notes[7].text = "Changed"
            document.root.notes.append(Note("New"))
            document.root.notes.remove(at: 0)
            let report = try document.save()
            print(report.objectsWritten)  // 3
        }
    }

    private final class Note: Codable, Emptiable {
        var text = ""

        init() {}
        init(_ text: String) { self.text = text }
    }

    @Test func `appends to a list of which it reads the last element`() throws {
        final class Diary: Codable {
            var title: String
            @Deferred var notes: ArchivedList<Note>

            init(_ title: String, _ notes: [Note]) {
                self.title = title
                self.notes = ArchivedList(notes)
            }
        }

        try TemporaryFolder.with { folder in
            let url = folder["diary"]
            try ArchiveEncoder().encode(Diary("Farm", [Note("First"), Note("Second")]), to: url)

            let document = try ArchiveDocument<Diary>(contentsOf: url)
            let last = document.root.notes.last
            document.root.notes.append(Note("Bought a cow"))
            try document.save()
            #expect(last?.text == "Second")
            let saved = try ArchiveDecoder().decode(Diary.self, from: url)
            #expect(saved.notes.map(\.text) == ["First", "Second", "Bought a cow"])
        }
    }

    private struct Book: Codable { var year: Int }

    @Test func `reads a value of a dictionary`() throws {
        final class Library: Codable {
            @Deferred var books: ArchivedDictionary<String, Book>

            init(_ books: [String: Book]) { self.books = ArchivedDictionary(books) }
        }

        try TemporaryFolder.with { folder in
            let url = folder["library"]
            try ArchiveEncoder().encode(Library(["Emma": Book(year: 1815), "Persuasion": Book(year: 1817)]), to: url)

            let document = try ArchiveDocument<Library>(contentsOf: url)
            let emma = document.root.books["Emma"]
            #expect(emma?.year == 1815)
        }
    }
}
