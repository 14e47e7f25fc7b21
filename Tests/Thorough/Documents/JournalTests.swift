// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A journal of a document` {
    final class Note: Codable {
        var text: String
        var next: Note?

        init(_ text: String) { self.text = text }
    }

    final class Folder: Codable {
        var name: String
        var notes: [Note]
        @Deferred var old: [Note]
        @Deferred var attachment: Data

        init(_ count: Int, attachment: Int = 0) {
            name = "Folder"
            notes = (0..<count).map { Note("Note \($0)") }
            old = (0..<count).map { Note("Old \($0)") }
            self.attachment = Data((0..<attachment).map { UInt8(truncatingIfNeeded: $0 * $0 >> 4) })
        }

        /// Everything in it but the attachment.
        var texts: [String] {
            [name] + (notes + old).map { "\($0.text) \($0.next?.text ?? "")" }
        }
    }

    typealias Document = ArchiveDocument<Folder>

    /// A file with a document, and its journal.
    private struct Place {
        let url: URL
        var journal: URL { URL(fileURLWithPath: url.path + ".journal") }

        /// The document with the journal.
        func document() throws -> Document { try Document(contentsOf: url, journal: .enabled) }

        /// What the archive has, without the journal. It is valid.
        func texts() throws -> [String] {
            try KeyedArchive(contentsOf: url).validate()
            return try ArchiveDecoder().decode(Folder.self, from: url).texts
        }

        /// What the document has.
        func journaledTexts() throws -> [String] { try document().root.texts }

        /// The code of the error of opening the document, or nil.
        func openingError() throws -> ArchiveDocumentError.Code? {
            do { _ = try document() } catch let error as ArchiveDocumentError { return error.code }
            return nil
        }

        var hasJournal: Bool { FileManager.default.fileExists(atPath: journal.path) }
    }

    private func withPlace(_ count: Int = 10, attachment: Int = 0, _ body: (Place) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let url = folder["folder"]
            try ArchiveEncoder().encode(Folder(count, attachment: attachment), to: url)
            try body(Place(url: url))
            let names = try folder.names().filter { !$0.hasPrefix("folder") && !$0.hasPrefix("copy") }
            #expect(names.isEmpty)
        }
    }

    @Test func `gets the changes, and the archive stays as it is`() throws {
        try withPlace(attachment: 2 << 20) { place in
            let before = try Data(contentsOf: place.url)
            let document = try place.document()
            #expect(try document.save().bytesWritten == 0)
            #expect(!place.hasJournal)
            document.root.notes[3].text = "Changed"
            let report = try document.save()
            #expect(report.objectsWritten == 1)
            #expect(report.bytesWritten < 1000)
            #expect(try Data(contentsOf: place.url) == before)
            #expect(try Data(contentsOf: place.journal).count == report.bytesWritten)
            document.root.old[2].next = Note("New")
            document.markChanged(document.root.old[2])
            #expect(try document.save(changes: .marked).objectsWritten == 2)
            #expect(try document.save().bytesWritten == 0)
            #expect(!document.root.$attachment.isLoaded)
            #expect(document.root.attachment.count == 2 << 20)
            #expect(try Data(contentsOf: place.url) == before)
        }
    }

    @Test(arguments: [0, 2 << 20]) func `is read with the archive`(attachment: Int) throws {
        try withPlace(100, attachment: attachment) { place in
            var document: Document? = try place.document()
            for round in 0..<5 {
                document?.root.notes[round].text = "Changed \(round)"
                document?.root.notes.append(Note("New \(round)"))
                if round == 3 { document?.root.old = [Note("Only")] }
                try document?.save()
            }
            let texts = document?.root.texts
            #expect(try place.texts() == Folder(100).texts)
            document = nil
            let next = try place.document()
            #expect(next.root.texts == texts)
            #expect(next.root.attachment == Folder(0, attachment: attachment).attachment)
            let hasChanges = try next.hasChanges()
            #expect(!hasChanges)
            // It goes on where it was.
            next.root.name = "Renamed"
            #expect(try next.save().objectsWritten == 1)
            try next.revert()
            #expect(next.root.name == "Renamed")
            next.root.name = "Unsaved"
            try next.revert()
            #expect(next.root.name == "Renamed")
        }
    }

    @Test func `becomes the archive that the saves would have written without it`() throws {
        try withPlace { place in
            let copy = place.url.deletingLastPathComponent().appending(path: "copy")
            try FileManager.default.copyItem(at: place.url, to: copy)
            let (plain, journaled) = (try Document(contentsOf: copy), try place.document())
            for round in 0..<6 {
                for document in [plain, journaled] {
                    document.root.notes[round].text = "Changed \(round)"
                    document.root.notes.append(Note("New \(round)"))
                    try document.save()
                }
            }
            try journaled.checkpoint()
            #expect(!place.hasJournal)
            #expect(try Data(contentsOf: place.url) == Data(contentsOf: copy))
            // Saves go on with a new journal.
            journaled.root.name = "Renamed"
            try journaled.save()
            #expect(place.hasJournal)
            #expect(try Data(contentsOf: place.url) == Data(contentsOf: copy))
        }
    }

    @Test func `has the last complete save, wherever it ends`() throws {
        try withPlace(3) { place in
            var document: Document? = try place.document()
            var states = [(size: 0, texts: Folder(3).texts)]
            for round in 0..<2 {
                document?.root.notes[round].text = "Changed \(round)"
                if round == 1 { document?.root.notes.append(Note("New")) }
                try document?.save()
                states.append((try Data(contentsOf: place.journal).count, try #require(document).root.texts))
            }
            document = nil
            let journal = try Data(contentsOf: place.journal)
            #expect(states.last?.size == journal.count)
            for size in 0...journal.count {
                try journal.prefix(size).write(to: place.journal)
                if size < 16 {
                    // It gets its name with a complete header.
                    #expect(try place.openingError() == (size < 14 ? .foreignJournal : .journalOfEarlierVersion))
                    continue
                }
                let expected = states.last { $0.size <= size }?.texts
                #expect(try place.journaledTexts() == expected, "\(size) bytes")
            }
        }
    }

    @Test func `is incomplete, and the next save replaces what is there`() throws {
        for cut in [1, 8, 30, 90] {
            try withPlace(3) { place in
                var document: Document? = try place.document()
                document?.root.name = "First"
                try document?.save()
                let first = document?.root.texts
                document?.root.notes[0].text = "Second"
                try document?.save()
                document = nil
                let journal = try Data(contentsOf: place.journal)
                try journal.dropLast(cut).write(to: place.journal)
                let next = try place.document()
                #expect(next.root.texts == first)
                next.root.notes[1].text = "Third"
                try next.save()
                let third = next.root.texts
                next.close()
                #expect(try place.texts() == third)
            }
        }
    }

    @Test func `with any changed byte is an error, or lacks only its last save`() throws {
        try withPlace(3) { place in
            var document: Document? = try place.document()
            document?.root.name = "First"
            try document?.save()
            let first = document?.root.texts
            let last = try Data(contentsOf: place.journal).count
            document?.root.notes[0].text = "Second"
            try document?.save()
            document = nil
            let journal = try Data(contentsOf: place.journal)
            for index in journal.indices {
                var changed = journal
                changed[index] ^= 1 << UInt8(index % 8)
                try changed.write(to: place.journal)
                let code = try place.openingError()
                if index < 16 {
                    #expect(code == (index < 14 ? .foreignJournal : .journalOfEarlierVersion), "byte \(index)")
                } else if index < last {
                    #expect(code == .damagedJournal, "byte \(index)")
                } else {
                    #expect(code == nil)
                    #expect(try place.journaledTexts() == first, "byte \(index)")
                }
            }
        }
    }

    @Test func `of another file is never applied`() throws {
        try withPlace { place in
            var document: Document? = try place.document()
            document?.root.name = "Changed"
            try document?.save()
            document = nil
            // Another program that knows no journals writes an archive of the same size.
            let other = Folder(10)
            other.name = "Eastern"
            #expect(other.name.count == Folder(0).name.count + 1)
            other.name = "Filler"
            try ArchiveEncoder().encode(other, to: place.url)
            #expect(try place.openingError() == .journalOfAnotherFile)
            #expect(try place.texts() == other.texts)
            #expect(place.hasJournal)
            try FileManager.default.removeItem(at: place.journal)
            #expect(try place.journaledTexts() == other.texts)
        }
    }

    @Test func `is removed with the archive that has its changes, at whatever moment the program ends`() throws {
        try withPlace { place in
            let kept = place.url.deletingLastPathComponent().appending(path: "copy.journal")
            let old = place.url.deletingLastPathComponent().appending(path: "copy")
            try FileManager.default.linkItem(at: place.url, to: old)
            var document: Document? = try place.document()
            document?.root.name = "Changed"
            try document?.save()
            let texts = document?.root.texts
            try FileManager.default.linkItem(at: place.journal, to: kept)
            try document?.checkpoint()
            document = nil
            #expect(!place.hasJournal)
            #expect(try place.texts() == texts)
            // The program ended before the journal was removed.
            try FileManager.default.linkItem(at: kept, to: place.journal)
            let next = try place.document()
            #expect(next.root.texts == texts)
            #expect(!place.hasJournal)
            next.root.name = "Changed again"
            try next.save()
            next.close()
            #expect(try place.texts().first == "Changed again")
            // The program ended before the archive was replaced.
            try FileManager.default.removeItem(at: place.url)
            try FileManager.default.linkItem(at: old, to: place.url)
            try FileManager.default.linkItem(at: kept, to: place.journal)
            #expect(try place.journaledTexts() == texts)
        }
    }

    @Test func `is removed by a save to another file, by compaction, and when the document is closed`() throws {
        try withPlace { place in
            let copy = place.url.deletingLastPathComponent().appending(path: "copy")
            let document = try place.document()
            document.root.name = "First"
            try document.save()
            document.root.name = "Second"
            try document.save(to: copy)
            #expect(!place.hasJournal)
            #expect(try place.texts().first == "First")
            let other = Place(url: copy)
            #expect(try other.texts().first == "Second")
            document.root.name = "Third"
            try document.save()
            #expect(other.hasJournal)
            try document.compact()
            #expect(!other.hasJournal)
            #expect(try other.texts().first == "Third")
            document.root.name = "Fourth"
            try document.save()
            document.root.name = "Unsaved"
            document.close()
            #expect(!other.hasJournal)
            #expect(try other.texts().first == "Fourth")
        }
    }

    @Test func `above a tenth of the archive becomes the archive`() throws {
        try withPlace(3, attachment: 1 << 20) { place in
            let document = try place.document()
            var journaled = 0
            for round in 0..<60 {
                document.root.notes[0].text = String(repeating: "\(round % 10)", count: 5000)
                let report = try document.save()
                if report.bytesWritten < 10_000 { journaled += 1 }
                let size = place.hasJournal ? try Data(contentsOf: place.journal).count : 0
                #expect(size <= max(1 << 16, (1 << 20) / 8))
                if round % 7 == 0 { #expect(try Place(url: place.url).texts().count == 7) }
            }
            #expect(journaled > 50 && journaled < 60)
            document.close()
            #expect(try place.texts()[1] == String(repeating: "9", count: 5000) + " ")
        }
    }

    @Test func `of a new document begins after its first save`() async throws {
        try await TemporaryFolder.with { folder in
            let place = Place(url: folder["folder"])
            let document = ArchiveDocument(root: Folder(5), journal: .enabled)
            try document.save(to: place.url)
            #expect(!place.hasJournal)
            document.root.name = "Changed"
            try await document.save(progress: nil)
            #expect(place.hasJournal)
            #expect(try place.texts().first == "Folder")
            document.root.notes[0].text = "Changed, too"
            document.markChanged(document.root.notes[0])
            let report = try await document.save(changes: .marked, progress: nil)
            #expect(report.objectsWritten == 1)
            document.close()
            #expect(try place.texts().prefix(2) == ["Changed", "Changed, too "])
        }
    }

    @Test func `follows a file that is renamed with it`() throws {
        try withPlace { place in
            var document: Document? = try place.document()
            document?.root.name = "Changed"
            try document?.save()
            document = nil
            let other = Place(url: place.url.deletingLastPathComponent().appending(path: "copy"))
            try FileManager.default.moveItem(at: place.url, to: other.url)
            try FileManager.default.moveItem(at: place.journal, to: other.journal)
            #expect(try other.journaledTexts().first == "Changed")
        }
    }

    @Test func `of an XML archive begins after the first save`() throws {
        try withPlace { place in
            var encoder = ArchiveEncoder()
            encoder.outputFormat = .xml
            try encoder.encode(Folder(10), to: place.url)
            let document = try place.document()
            document.root.name = "First"
            try document.save()
            #expect(!place.hasJournal)
            document.root.name = "Second"
            try document.save()
            #expect(place.hasJournal)
            #expect(try place.texts().first == "First")
        }
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `has what the program saved, after random edits`(seed: UInt64) throws {
        try withPlace(20, attachment: seed == 1 ? 0 : 2 << 20) { place in
            var generator = SeededGenerator(state: seed)
            var document = try place.document()
            var saved = document.root.texts
            for round in 0..<80 {
                let root = document.root
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = Int.random(in: 0..<root.notes.count, using: &generator)
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0: root.notes.append(Note("New \(round)"))
                    case 1: root.notes.swapAt(0, place)
                    case 2: root.old.append(root.notes[place])
                    case 3: root.notes[place].next = root.notes.randomElement(using: &generator)
                    case 4: root.old.removeLast(min(root.old.count, 1))
                    default: root.notes[place].text = "Round \(round)"
                    }
                    document.markChanged(root)
                    document.markChanged(root.notes[place])
                }
                switch Int.random(in: 0..<12, using: &generator) {
                case 0: try document.revert()
                case 1:
                    try document.compact()
                    saved = root.texts
                case 2: try document.checkpoint()
                case 3...6:
                    try document.save(changes: .marked)
                    saved = root.texts
                default:
                    try document.save()
                    saved = root.texts
                }
                if Int.random(in: 0..<6, using: &generator) == 0 {
                    if Bool.random(using: &generator) { document.close() }
                    document = Document(root: Folder(0))
                    document = try place.document()
                    #expect(document.root.texts == saved, "round \(round)")
                }
            }
            document.close()
        }
    }
}
