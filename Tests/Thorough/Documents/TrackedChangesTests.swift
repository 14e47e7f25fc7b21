// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NoLeadingUnderscores

import ArchiveDocuments
import Archiving
import Foundation
import Observation
import TestSupport
import Testing

@Suite(.inTurn) struct `Tracked changes of a document` {
    @Observable final class Note: ArchivedFields {
        var text = ""
        var next: Note?
        @ObservationIgnored var color = ""

        init() {}

        static let fields = FieldList<Note> {
            Field("text", \.text)
            Field("next", \.next)
            Field("color", \.color)
        }
    }

    final class Folder: ArchivedFields {
        var notes: [Note] = []

        init() {}

        static let fields = FieldList<Folder> { Field("notes", \.notes) }
    }

    @Observable final class Page: Codable {
        var title = "Page"

        private enum CodingKeys: String, CodingKey { case _title = "title" }
    }

    @Observable final class Chapter: Codable {
        var title: String

        init(_ title: String) { self.title = title }

        private enum Key: CodingKey { case title }

        init(from decoder: any Decoder) throws {
            title = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .title)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(title, forKey: .title)
        }
    }

    private func withDocument(_ body: (ArchiveDocument<Folder>, [Note], URL) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "folder")
            let root = Folder()
            root.notes = (0..<10).map { index in
                let note = Note()
                note.text = "Note \(index)"
                return note
            }
            try ArchiveEncoder().encode(root, to: url)
            let document = try ArchiveDocument<Folder>(contentsOf: url)
            for note in document.root.notes { try document.trackChanges(of: note) }
            try await body(document, document.root.notes, url)
        }
    }

    private func texts(_ url: URL) throws -> [String] {
        try ArchiveDecoder().decode(Folder.self, from: url).notes.map(\.text)
    }

    @Test func `are saved without marks, after each save again`() async throws {
        try await withDocument { document, notes, url in
            #expect(!document.isEdited)
            for round in 0..<3 {
                notes[round].text = "Round \(round)"
                notes[9].text = "Last \(round)"
                #expect(document.isEdited)
                let forgotten = try document.verifyMarks()
                #expect(forgotten.isEmpty)
                #expect(try document.save(changes: .marked).objectsWritten == 2)
                #expect(!document.isEdited)
                #expect(try texts(url)[9] == "Last \(round)")
            }
            try document.save()
            notes[5].text = "After a comparison"
            try document.save(changes: .marked)
            #expect(try texts(url)[5] == "After a comparison")
        }
    }

    @Test func `include a new instance that is set in a tracked one`() async throws {
        try await withDocument { document, notes, url in
            notes[0].next = Note()
            notes[0].next?.text = "New"
            let report = try document.save(changes: .marked)
            #expect(report.objectsWritten == 2)
            let folder = try ArchiveDecoder().decode(Folder.self, from: url)
            #expect(folder.notes[0].next?.text == "New")
        }
    }

    @Test func `during the write of a snapshot belong to the next save`() async throws {
        try await withDocument { document, notes, url in
            notes[0].text = "First"
            notes[1].text = "Before"
            let snapshot = try document.snapshot(changes: .marked)
            notes[1].text = "After"
            try snapshot.write()
            try document.didSave(snapshot)
            #expect(document.isEdited)
            #expect(try texts(url).prefix(2) == ["First", "Before"])
            #expect(try document.save(changes: .marked).objectsWritten == 1)
            #expect(try texts(url).prefix(2) == ["First", "After"])
            notes[1].text = "Last"
            let report = try await document.save(changes: .marked, progress: nil)
            #expect(report.objectsWritten == 1)
        }
    }

    @Test func `are found after a save that fails, and after a revert`() async throws {
        try await withDocument { document, notes, url in
            notes[0].text = "Changed"
            let old = try Data(contentsOf: url)
            try ArchiveEncoder().encode(Folder(), to: url)
            #expect(throws: ArchiveDocumentError.self) { try document.save(changes: .marked) }
            #expect(document.isEdited)
            try old.write(to: url)
            try document.revert()
            #expect(!document.isEdited)
            #expect(document.root.notes[0] === notes[0])
            #expect(notes[0].text == "Note 0")
            notes[0].text = "Changed again"
            #expect(document.isEdited)
            try document.save(changes: .marked)
            #expect(try texts(url)[0] == "Changed again")
        }
    }

    @Test func `of a property that is not observed are found by the check of marks`() async throws {
        try await withDocument { document, notes, _ in
            notes[3].color = "red"
            #expect(!document.isEdited)
            let forgotten = try document.verifyMarks().map(\.description)
            #expect(forgotten == ["root.notes[3]"])
        }
    }

    @Test func `retain neither the instance nor the document`() throws {
        let note = Note()
        weak var gone: ArchiveDocument<Note>?
        weak var goneNote: Note?
        do {
            let document = ArchiveDocument(root: note)
            try document.trackChanges(of: note)
            gone = document
            let other = Note()
            try document.trackChanges(of: other)
            goneNote = other
        }
        #expect(gone == nil)
        #expect(goneNote == nil)
        note.text = "Changed"
    }

    @Test func `may come from several threads`() async throws {
        try await withDocument { document, notes, url in
            nonisolated(unsafe) let notes = notes
            await withTaskGroup(of: Void.self) { group in
                for index in notes.indices { group.addTask { notes[index].text = "Task \(index)" } }
            }
            let report = try document.save(changes: .marked)
            #expect(report.objectsWritten == 10)
            let saved = try texts(url)
            #expect(saved == (0..<10).map { "Task \($0)" })
        }
    }

    @Test func `need an encoding that reads the properties`() throws {
        let document = ArchiveDocument(root: [Page()])
        let error = #expect(throws: ArchiveDocumentError.self) { try document.trackChanges(of: document.root[0]) }
        #expect(error?.code == .notObserved)
        let chapter = Chapter("1")
        let book = ArchiveDocument(root: [chapter])
        try book.trackChanges(of: chapter)
        #expect(!book.isEdited)
        chapter.title = "2"
        #expect(book.isEdited)
    }
}
