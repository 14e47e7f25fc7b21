// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Marked changes of a document` {
    final class Note: Codable {
        var text: String
        @Reference var next: Note?
        @WeakReference var owner: Folder?

        init(_ text: String) { self.text = text }
    }

    final class Folder: Codable {
        var name: String
        var notes: [Note]
        @Deferred var old: [Note]

        init(_ count: Int) {
            name = "Folder"
            notes = (0..<count).map { Note("Note \($0)") }
            old = [Note("Old 0"), Note("Old 1")]
            for note in notes { note.owner = self }
        }
    }

    struct Sheet: Codable {
        var title: String
        var notes: [Note]
    }

    private func hasChanges(_ document: ArchiveDocument<Folder>) throws -> Bool { try document.hasChanges() }

    private func unmarked(_ document: ArchiveDocument<Folder>) throws -> [String] {
        try document.verifyMarks().map(\.description).sorted()
    }

    private func withDocument(
        _ count: Int = 100, _ body: (ArchiveDocument<Folder>, URL) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "folder")
            try ArchiveEncoder().encode(Folder(count), to: url)
            try body(try ArchiveDocument<Folder>(contentsOf: url), url)
        }
    }

    /// The texts in the file, which is a valid archive.
    private func texts(_ url: URL) throws -> [String] {
        try KeyedArchive(contentsOf: url).validate()
        let folder = try ArchiveDecoder().decode(Folder.self, from: url)
        return folder.notes.map(\.text) + folder.old.map(\.text)
    }

    @Test func `are saved without a look at the others`() throws {
        try withDocument { document, url in
            #expect(!document.isEdited)
            document.root.notes[7].text = "Changed"
            document.root.notes[8].text = "Forgotten"
            document.markChanged(document.root.notes[7])
            #expect(document.isEdited)
            let report = try document.save(changes: .marked)
            #expect(report.objectsWritten == 1)
            #expect(report.objectsKept == 0)
            #expect(!document.isEdited)
            let folder = try ArchiveDecoder().decode(Folder.self, from: url)
            #expect(folder.notes[7].text == "Changed")
            #expect(folder.notes[7].owner === folder)
            #expect(folder.notes[8].text == "Note 8")
            #expect(try document.save().objectsWritten == 1)
            #expect(try texts(url)[8] == "Forgotten")
        }
    }

    @Test func `include new instances that marked ones reference`() throws {
        try withDocument { document, url in
            let note = Note("New")
            note.next = Note("Newer")
            note.next?.next = document.root.notes[3]
            note.owner = document.root
            document.root.notes.append(note)
            document.markChanged(document.root)
            #expect(try document.save(changes: .marked).objectsWritten == 3)
            let folder = try ArchiveDecoder().decode(Folder.self, from: url)
            #expect(folder.notes[100].next?.next === folder.notes[3])
            #expect(folder.notes[100].owner === folder)
            #expect(try texts(url).suffix(3) == ["New", "Old 0", "Old 1"])
            // They have their objects in the file.
            note.next?.text = "Changed"
            if let next = note.next { document.markChanged(next) }
            #expect(try document.save(changes: .marked).objectsWritten == 1)
            try document.save()
            #expect(try document.save(changes: .marked).bytesWritten == 0)
            #expect(try ArchiveDecoder().decode(Folder.self, from: url).notes[100].next?.text == "Changed")
        }
    }

    @Test func `write no class again`() throws {
        try withDocument { document, url in
            for index in 0..<5 {
                document.root.notes.append(Note("New \(index)"))
                document.markChanged(document.root)
                try document.save(changes: .marked)
            }
            let names = try KeyedArchive(contentsOf: url).objects.compactMap { $0["$classname"]?.description }
            #expect(names.count == Set(names).count, "\(names)")
        }
    }

    /// With more than 255 objects, references take two bytes, and a save writes the file anew before it appends.
    @Test func `can put an instance back together with many new ones`() throws {
        try withDocument(10) { document, url in
            let note = document.root.notes.removeFirst()
            document.markChanged(document.root)
            try document.save(changes: .marked)
            document.root.notes = [note] + (0..<300).map { Note("New \($0)") }
            document.markChanged(document.root)
            try document.save(changes: .marked)
            #expect(try texts(url).prefix(2) == ["Note 0", "New 0"])
            #expect(try !hasChanges(document))
        }
    }

    @Test func `that were taken back write nothing`() throws {
        try withDocument { document, url in
            let before = try Data(contentsOf: url)
            document.root.notes[0].text = "Changed"
            document.markChanged(document.root.notes[0])
            document.root.notes[0].text = "Note 0"
            let report = try document.save(changes: .marked)
            #expect(report.bytesWritten == 0)
            #expect(try Data(contentsOf: url) == before)
            #expect(!document.isEdited)
        }
    }

    @Test func `of a deferred part are saved`() throws {
        try withDocument { document, url in
            document.root.old[1].text = "Newer"
            document.markChanged(document.root.old[1])
            let report = try document.save(changes: .marked)
            #expect(report.objectsWritten == 1)
            document.root.old.append(Note("Added"))
            document.markChanged(document.root)
            #expect(try document.save(changes: .marked).objectsWritten == 2)
            #expect(try texts(url).suffix(3) == ["Old 0", "Newer", "Added"])
        }
    }

    @Test func `are found without marks`() throws {
        try withDocument { document, _ in
            #expect(try unmarked(document).isEmpty)
            document.root.notes[4].text = "Changed"
            document.root.notes[5].text = "Changed"
            document.root.name = "Renamed"
            document.markChanged(document.root.notes[4])
            #expect(try unmarked(document) == ["root", "root.notes[5]"])
            document.markChanged(document.root.notes[5])
            document.markChanged(document.root)
            let paths = try unmarked(document)
            #expect(paths.isEmpty)
            #expect(try document.save(changes: .marked).objectsWritten == 3)
        }
    }

    @Test func `of a root that is a struct need no mark of it`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "sheet")
            try ArchiveEncoder().encode(Sheet(title: "A", notes: [Note("0"), Note("1")]), to: url)
            let document = try ArchiveDocument<Sheet>(contentsOf: url)
            #expect(!document.isEdited)
            document.root.title = "B"
            #expect(document.isEdited)
            document.root.notes.swapAt(0, 1)
            try document.save(changes: .marked)
            #expect(!document.isEdited)
            let sheet = try ArchiveDecoder().decode(Sheet.self, from: url)
            #expect(sheet.title == "B")
            #expect(sheet.notes.map(\.text) == ["1", "0"])
        }
    }

    @Test func `are still marked after a save that fails`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "folder")
            try ArchiveEncoder().encode(Folder(10), to: url)
            let document = try ArchiveDocument<Folder>(contentsOf: url)
            document.root.notes[0].text = "Changed"
            document.markChanged(document.root.notes[0])
            try ArchiveEncoder().encode(Folder(11), to: url)
            #expect(throws: ArchiveDocumentError.self) { try document.save(changes: .marked) }
            #expect(document.isEdited)
            await #expect(throws: ArchiveDocumentError.self) {
                try await document.save(changes: .marked, progress: nil)
            }
            #expect(document.isEdited)
            try document.save(to: url)
            #expect(!document.isEdited)
            #expect(try texts(url)[0] == "Changed")
            document.root.notes[1].text = "Changed, too"
            document.markChanged(document.root.notes[1])
            let report = try await document.save(changes: .marked, progress: nil)
            #expect(report.objectsWritten == 1)
            #expect(try texts(url)[1] == "Changed, too")
        }
    }

    @Test func `in random order leave the file as a comparison would`() throws {
        var generator = SeededGenerator(state: 20)
        try withDocument(30) { document, url in
            let root = document.root
            for round in 0..<60 {
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<root.notes.count, using: &generator)
                    let note = root.notes[place]
                    switch Int.random(in: 0..<5, using: &generator) {
                    case 0: note.text = "Round \(round)"
                    case 1:
                        note.next = Note("Next \(round)")
                        note.next?.next = root.notes.randomElement(using: &generator)
                    case 2:
                        root.notes.append(Note("New \(round)"))
                        document.markChanged(root)
                    case 3:
                        root.notes.remove(at: place)
                        root.notes.append(note)
                        document.markChanged(root)
                    default: note.next = nil
                    }
                    document.markChanged(note)
                }
                #expect(try unmarked(document).isEmpty)
                try document.save(changes: .marked)
                let hasChanges = try document.hasChanges()
                #expect(!hasChanges)
                #expect(try texts(url) == root.notes.map(\.text) + ["Old 0", "Old 1"])
            }
        }
    }
}
