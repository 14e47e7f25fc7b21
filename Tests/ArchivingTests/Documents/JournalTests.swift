// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A document with a journal` {
    final class Note: Codable {
        var text: String
        init(_ text: String) { self.text = text }
    }

    final class Folder: Codable {
        var notes: [Note]
        var attachment = Data(repeating: 1, count: 100_000)
        init(_ texts: [String]) { notes = texts.map { Note($0) } }
    }

    private func withFile(_ body: (URL, _ journal: URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(Folder((0..<20).map { "\($0)" }), to: folder["notes"])
            try body(folder["notes"], folder["notes.journal"])
        }
    }

    private func document(_ url: URL) throws -> ArchiveDocument<Folder> {
        try ArchiveDocument(contentsOf: url, journal: .enabled)
    }

    @Test func `saves to the journal, from which another opening reads the changes`() throws {
        try withFile { url, journal in
            let before = try Data(contentsOf: url)
            let first = try document(url)
            first.root.notes[3].text = "changed"
            try first.save()
            first.root.notes.append(Note("new"))
            try first.save()
            #expect(try Data(contentsOf: url) == before)
            first.close()
            let second = try document(url)
            #expect(second.root.notes.map(\.text) == ["0", "1", "2", "changed"] + (4..<20).map { "\($0)" } + ["new"])
            try second.compact()
            #expect(!FileManager.default.fileExists(atPath: journal.path))
            #expect(try ArchiveDecoder().decode(Folder.self, from: url).notes.count == 21)
            second.close()
        }
    }

    @Test func `has one writer until it is closed`() throws {
        try withFile { url, _ in
            let first = try document(url)
            let error = #expect(throws: ArchiveDocumentError.self) { try document(url) }
            #expect(error?.code == .documentInUse)
            first.close()
            try document(url).close()
        }
    }

    @Test func `has the last complete save of a journal that ends early`() throws {
        try withFile { url, journal in
            let first = try document(url)
            var sizes: [Int] = []
            for round in 0..<2 {
                first.root.notes[round].text = "changed"
                try first.save()
                sizes.append(try Data(contentsOf: journal).count)
            }
            let (archive, data) = (try Data(contentsOf: url), try Data(contentsOf: journal))
            first.close()
            for size in [sizes[0], sizes[0] + 1, sizes[1] - 1, sizes[1]] {
                try archive.write(to: url)
                try data.prefix(size).write(to: journal)
                let opened = try document(url)
                #expect(opened.root.notes.count { $0.text == "changed" } == (size == sizes[1] ? 2 : 1))
                opened.close()
            }
        }
    }

    @Test func `never applies a journal to another file`() throws {
        try withFile { url, journal in
            let first = try document(url)
            first.root.notes[0].text = "changed"
            try first.save()
            let before = try Data(contentsOf: journal)
            first.close()
            try before.write(to: journal)
            try ArchiveEncoder().encode(Folder((0..<20).map { "other \($0)" }), to: url)
            let error = #expect(throws: ArchiveDocumentError.self) { try document(url) }
            #expect(error?.code == .journalOfAnotherFile)
            #expect(try Data(contentsOf: journal) == before)
        }
    }
}
