// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct `A file that is open with a journal` {
    final class Note: Codable {
        var text = "old"
        var count = 0
        @Deferred var attachment = Data(count: 2 << 20)
    }

    typealias Document = ArchiveDocument<Note>

    private func withFile(_ body: (URL, TemporaryFolder) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["note"]
            try ArchiveEncoder().encode(Note(), to: url)
            try await body(url, folder)
        }
    }

    private func code(_ body: () throws -> Void) throws -> ArchiveDocumentError.Code? {
        do { try body() } catch let error as ArchiveDocumentError { return error.code }
        return nil
    }

    /// What the next document reads.
    private func read(_ url: URL, _ journal: ArchiveJournal = .enabled) throws -> [String] {
        let root = try Document(contentsOf: url, journal: journal).root
        return [root.text, "\(root.count)"]
    }

    @Test func `has one writer until that is closed`() async throws {
        try await withFile { url, _ in
            let document = try Document(contentsOf: url, journal: .enabled)
            let plain = try Document(contentsOf: url)
            #expect(try code { _ = try Document(contentsOf: url, journal: .enabled) } == .documentInUse)
            plain.root.text = "plain"
            #expect(try code { try plain.save() } == .documentInUse)
            #expect(try code { try Document(root: Note()).save(to: url) } == .documentInUse)
            document.root.count = 1
            try document.save()
            document.close()
            #expect(try read(url) == ["old", "1"])
            #expect(try code { try plain.save() } == .fileChanged)
            try plain.revert()
            plain.root.text = "plain"
            try plain.save()
            #expect(try read(url) == ["plain", "1"])
        }
    }

    @Test func `stays locked when it is written as a whole`() async throws {
        try await withFile { url, _ in
            let document = try Document(contentsOf: url, journal: .enabled)
            let saves: [() throws -> Void] = [
                { try document.compact() },
                {
                    document.root.text = String(repeating: "long ", count: 100_000)
                    try document.save()
                },
                {
                    document.root.count = 2
                    try document.save()
                    try document.checkpoint()
                },
                { try document.revert() },
            ]
            for save in saves {
                try save()
                let file = open(url.path, O_RDONLY | O_CLOEXEC)
                #expect(flock(file, LOCK_EX | LOCK_NB) != 0)
                close(file)
            }
        }
    }

    @Test func `is read with the journal by a document without one, whose save replaces both`() async throws {
        try await withFile { url, folder in
            do {
                let early: Document
                do {
                    let document = try Document(contentsOf: url, journal: .enabled)
                    document.root.count = 1
                    try document.save()
                    // Appended meanwhile.
                    early = try Document(contentsOf: url)
                    #expect(early.root.count == 1)
                    document.root.count = 2
                    try document.save()
                    early.root.text = "early"
                    #expect(try withExtendedLifetime(document) { try code { try early.save() } } == .documentInUse)
                }
                #expect(try code { try early.save() } == .unreadJournal)
            }
            let reader = try Document(contentsOf: url)
            #expect(reader.root.count == 2)
            #expect(try !reader.hasChanges())
            reader.root.text = "new"
            try reader.save()
            #expect(try folder.names() == ["note"])
            #expect(try ArchiveDecoder().decode(Note.self, from: url).count == 2)
            #expect(try read(url) == ["new", "2"])
        }
    }

    @Test func `is not replaced by a save that began before the journal had saves`() async throws {
        try await withFile { url, _ in
            let document = try Document(contentsOf: url)
            document.root.text = "new"
            let isDone = Atomic(false)
            let error = await #expect(throws: ArchiveDocumentError.self) {
                try await document.save { _ in
                    guard !isDone.exchange(true, ordering: .relaxed) else { return }
                    let other = try? Document(contentsOf: url, journal: .enabled)
                    other?.root.count = 42
                    _ = try? other?.save()
                }
            }
            #expect(error?.code == .unreadJournal)
            #expect(try read(url) == ["old", "42"])
            try document.revert()
            #expect(document.root.count == 42)
            document.root.text = "new"
            try document.save()
            #expect(try read(url) == ["new", "42"])
        }
    }

    @Test func `is opened without the journal, which stays`() async throws {
        try await withFile { url, folder in
            do {
                let document = try Document(contentsOf: url, journal: .enabled)
                document.root.count = 1
                try document.save()
            }
            let document = try Document(contentsOf: url, journal: .ignored)
            #expect(document.root.count == 0)
            document.root.text = "new"
            #expect(try code { try document.save() } == .unreadJournal)
            #expect(try code { try Document(root: Note()).save(to: url) } == .unreadJournal)
            try document.save(to: folder["other"])
            #expect(try folder.names() == ["note", "note.journal", "other"])
            #expect(try read(url) == ["old", "1"])
            #expect(try read(folder["other"]) == ["new", "0"])
        }
    }

    @Test func `is read again by revert, also after a snapshot that was not adopted`() async throws {
        try await withFile { url, _ in
            let document = try Document(contentsOf: url, journal: .enabled)
            for round in 1...3 {
                document.root.count = round
                try document.snapshot().write()
                document.root.count = 10 + round
                #expect(try code { try document.save() } == .fileChanged)
                try document.revert()
                #expect(document.root.count == round)
                document.root.text = "\(round)"
                try document.save()
            }
            // One that is written as a whole.
            document.root.text = String(repeating: "long ", count: 100_000)
            try document.snapshot().write()
            #expect(try code { try document.save() } == .fileChanged)
            try document.revert()
            document.root.text = "end"
            try document.save()
            document.close()
            #expect(try read(url) == ["end", "3"])
        }
    }

    @Test func `is reverted to what another program has written, and is locked again`() async throws {
        try await withFile { url, _ in
            let document = try Document(contentsOf: url, journal: .enabled)
            let other = Note()
            other.text = "other"
            try ArchiveEncoder().encode(other, to: url)
            document.root.count = 1
            #expect(try code { try document.save() } == .fileChanged)
            try document.revert()
            document.root.count = 2
            try document.save()
            #expect(try code { _ = try Document(contentsOf: url, journal: .enabled) } == .documentInUse)
            document.close()
            #expect(try read(url) == ["other", "2"])
        }
    }

    @Test func `is written by a snapshot after its document was closed`() async throws {
        try await withFile { url, folder in
            let document = try Document(contentsOf: url, journal: .enabled)
            document.root.count = 1
            let snapshot = try document.snapshot()
            document.close()
            try snapshot.write()
            #expect(try folder.names() == ["note"])
            // The snapshot holds no lock.
            #expect(try withExtendedLifetime(snapshot) { try read(url) } == ["old", "1"])
        }
    }

    @Test func `has the saves of a journal that another program has removed`() async throws {
        try await withFile { url, folder in
            let document = try Document(contentsOf: url, journal: .enabled)
            document.root.count = 1
            try document.save()
            try FileManager.default.removeItem(at: folder["note.journal"])
            document.root.text = "new"
            try document.save()
            #expect(try read(url, .ignored) == ["new", "1"])
        }
    }

    @Test func `is the same under other spellings of its path`() async throws {
        try await withFile { url, folder in
            try FileManager.default.createDirectory(at: folder["sub"], withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: url)
            let spelled = URL(fileURLWithPath: folder.url.path + "/sub/../note")
            let document = try Document(contentsOf: url, journal: .enabled)
            for (number, place) in [folder["link"], spelled, url].enumerated() {
                document.root.count = number + 1
                #expect(try document.save(to: place).bytesWritten < 1000)
                document.root.text = "\(number)"
                try document.save()
            }
            #expect(try folder.names() == ["link", "note", "note.journal", "sub"])
            document.close()
            #expect(try read(folder["link"]) == ["2", "3"])
            // A hard link is another file.
            let plain = try Document(contentsOf: url)
            try FileManager.default.linkItem(at: url, to: folder["hard"])
            plain.root.text = "hard"
            try plain.save(to: folder["hard"])
            #expect(try read(url) == ["2", "3"])
        }
    }

    @Test(arguments: [ArchiveJournal.disabled, .enabled])
    func `is missing if it was deleted or renamed, and can be saved again`(journal: ArchiveJournal) async throws {
        try await withFile { url, folder in
            let document = try Document(contentsOf: url, journal: journal)
            document.root.count = 1
            try document.save()
            try FileManager.default.moveItem(at: url, to: folder["renamed"])
            document.root.text = "new"
            #expect(try code { try document.save() } == .fileMissing)
            #expect(try code { try document.compact() } == .fileMissing)
            #expect(try code { try document.merge() } == .fileMissing)
            #expect(try code { _ = try document.changesOfOthers() } == .fileMissing)
            #expect(try code { try document.revert() } == .fileMissing)
            if journal == .enabled { #expect(try code { try document.checkpoint() } == .fileMissing) }
            #expect(document.root.text == "new")
            try document.save(to: url)
            document.root.count = 2
            try document.save()
            document.close()
            #expect(try read(url) == ["new", "2"])
            #expect(try folder.names() == ["note", "renamed"])
        }
    }
}
