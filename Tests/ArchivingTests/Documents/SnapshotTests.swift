// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A snapshot of a document` {
    final class Note: Codable {
        var text: String

        init(_ text: String) { self.text = text }
    }

    final class Folder: Codable {
        var notes: [Note]
        @Deferred var old: [Note]

        init(_ count: Int) {
            notes = (0..<count).map { Note("Note \($0)") }
            old = (0..<count).map { Note("Old \($0)") }
        }
    }

    typealias Document = ArchiveDocument<Folder>

    private func withDocument(
        _ journal: ArchiveJournal = .disabled, _ body: (Document, URL) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["folder"]
            try ArchiveEncoder().encode(Folder(200), to: url)
            try await body(try Document(contentsOf: url, journal: journal), url)
        }
    }

    /// The texts in the file and its journal.
    private func texts(_ url: URL, _ journal: ArchiveJournal = .disabled) throws -> [String] {
        try Document(contentsOf: url, journal: journal).root.notes.map(\.text)
    }

    @Test(arguments: [ArchiveJournal.disabled, .enabled])
    func `has the state of one moment, and is written anywhere`(journal: ArchiveJournal) async throws {
        try await withDocument(journal) { document, url in
            let note = document.root.notes[1]
            note.text = "First"
            let snapshot = try document.snapshot()
            note.text = "Second"
            let report = try await Task.detached { try snapshot.write() }.value
            #expect(report.objectsWritten == 1)
            try document.didSave(snapshot)
            let hasChanges = try document.hasChanges()
            #expect(hasChanges)
            try document.revert()
            #expect(document.root.notes[1].text == "First")
            document.root.notes.append(Note("New"))
            #expect(try document.save().objectsWritten == 2)
            document.close()
            #expect(try texts(url)[1] == "First")
            #expect(try texts(url).last == "New")
        }
    }

    @Test func `is saved to another file`() async throws {
        try await withDocument { document, url in
            let other = url.deletingLastPathComponent().appending(path: "other")
            document.root.notes[0].text = "Changed"
            let snapshot = try document.snapshot()
            try snapshot.write(to: other)
            #expect(try texts(url)[0] == "Note 0")
            #expect(try texts(other)[0] == "Changed")
            #expect(document.url == url)
            try document.didSave(snapshot)
            #expect(document.url == other)
            #expect(document.root.old.count == 200)
            #expect(try document.save().bytesWritten == 0)
        }
    }

    @Test(arguments: [ArchiveJournal.disabled, .enabled])
    func `is saved to a file that is moved afterwards`(journal: ArchiveJournal) async throws {
        try await withDocument(journal) { document, url in
            let temporary = url.deletingLastPathComponent().appending(path: "temporary")
            for number in 1...3 {
                document.root.notes[number].text = "Changed"
                let snapshot = try document.snapshot()
                try snapshot.write(to: temporary)
                try #require(rename(temporary.path, url.path) == 0)
                try document.didSave(snapshot, at: url)
                #expect(document.url == url)
                #expect(try !document.hasChanges())
            }
            document.root.notes[0].text = "First"
            #expect(try document.save().objectsWritten == 1)
            document.close()
            #expect(try texts(url, journal).prefix(5) == ["First", "Changed", "Changed", "Changed", "Note 4"])
        }
    }

    @Test func `is not adopted where another file is`() async throws {
        try await withDocument { document, url in
            let temporary = url.deletingLastPathComponent().appending(path: "temporary")
            let note = document.root.notes[1]
            note.text = "Changed"
            document.markChanged(note)
            let snapshot = try document.snapshot(changes: .marked)
            try snapshot.write(to: temporary)
            let error = #expect(throws: ArchiveDocumentError.self) { try document.didSave(snapshot, at: url) }
            #expect(error?.code == .fileChanged)
            #expect(document.url == url)
            #expect(document.isEdited)
            // The file arrives later.
            try #require(rename(temporary.path, url.path) == 0)
            try document.didSave(snapshot, at: url)
            #expect(!document.isEdited)
            #expect(try document.changesOfOthers() == nil)
        }
    }

    @Test func `keeps marks until it is saved`() async throws {
        try await withDocument(.enabled) { document, url in
            let (first, second) = (document.root.notes[0], document.root.notes[1])
            first.text = "First"
            document.markChanged(first)
            let snapshot = try document.snapshot(changes: .marked)
            second.text = "Second"
            document.markChanged(second)
            try snapshot.write()
            #expect(document.isEdited)
            try document.didSave(snapshot)
            #expect(document.isEdited)
            #expect(try document.save(changes: .marked).objectsWritten == 1)
            #expect(!document.isEdited)
            document.close()
            #expect(try texts(url).prefix(2) == ["First", "Second"])
        }
    }

    @Test(arguments: [ArchiveJournal.disabled, .enabled])
    func `that is older than the last save is refused`(journal: ArchiveJournal) async throws {
        try await withDocument(journal) { document, url in
            document.root.notes[0].text = "Older"
            let snapshot = try document.snapshot()
            let written = try document.snapshot()
            document.root.notes[0].text = "Newer"
            try document.save()
            #expect(throws: ArchiveDocumentError.self) { try snapshot.write() }
            let other = url.deletingLastPathComponent().appending(path: "other")
            try written.write(to: other)
            let error = #expect(throws: ArchiveDocumentError.self) { try document.didSave(written) }
            #expect(error?.code == .outdatedSnapshot)
            #expect(document.url == url)
            #expect(try texts(other)[0] == "Older")
            document.close()
            #expect(try texts(url)[0] == "Newer")
        }
    }

    @Test func `without a file needs the location of one`() throws {
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: Folder(3))
            let snapshot = try document.snapshot()
            let error = #expect(throws: ArchiveDocumentError.self) { try snapshot.write() }
            #expect(error?.code == .noFile)
            try snapshot.write(to: folder["folder"])
            try document.didSave(snapshot)
            #expect(document.url == folder["folder"])
            #expect(try texts(folder["folder"]).count == 3)
        }
    }

    @Test func `that is not saved loses no change of an instance that only the document has`() async throws {
        try await withDocument { document, url in
            // Only the unloaded part references the instance.
            document.root.old[5].text = "Changed"
            try document.root.$old.load()
            document.root.old = []
            _ = try document.snapshot()
            try document.save()
            #expect(try Document(contentsOf: url).root.old.isEmpty)
        }
    }
}
