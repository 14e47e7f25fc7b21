// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The file of a journal` {
    final class Note: Codable {
        var text = "old"
        var count = 0
    }

    typealias Document = ArchiveDocument<Note>

    /// Gives `body` a folder with the archive "note", and its journal with one save if that is asked for.
    private func withFile(hasJournal: Bool = true, _ body: (URL, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let url = folder["note"]
            try ArchiveEncoder().encode(Note(), to: url)
            if hasJournal { try save(url) }
            try body(url, folder)
        }
    }

    private func save(_ url: URL) throws {
        let document = try Document(contentsOf: url, journal: .enabled)
        document.root.count += 1
        try document.save()
    }

    private func code(_ body: () throws -> Void) throws -> ArchiveDocumentError.Code? {
        do { try body() } catch let error as ArchiveDocumentError { return error.code }
        return nil
    }

    private func openingCode(_ url: URL, _ journal: ArchiveJournal = .enabled) throws -> ArchiveDocumentError.Code? {
        try code { _ = try Document(contentsOf: url, journal: journal) }
    }

    // MARK: - Archives

    @Test func `is that of a copy of its archive, whatever its time`() throws {
        try withFile { url, folder in
            for name in ["note", "note.journal"] {
                try Data(contentsOf: folder[name]).write(to: folder["copy" + name.dropFirst(4)])
            }
            for journal in [ArchiveJournal.disabled, .enabled] {
                #expect(try Document(contentsOf: folder["copy"], journal: journal).root.count == 1)
            }
            try save(folder["copy"])
            #expect(try Document(contentsOf: folder["copy"]).root.count == 2)
            #expect(try Document(contentsOf: url).root.count == 1)
        }
    }

    @Test func `is never that of an archive with another value of equal length`() throws {
        try withFile { url, folder in
            let time = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate]
            var data = try Data(contentsOf: url)
            let place = try #require(data.range(of: Data("old".utf8)))
            data.replaceSubrange(place, with: Data("new".utf8))
            try data.write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.modificationDate: time as Any], ofItemAtPath: url.path)
            for journal in [ArchiveJournal.disabled, .enabled] {
                let error = #expect(throws: ArchiveDocumentError.self) {
                    _ = try Document(contentsOf: url, journal: journal)
                }
                #expect(error?.code == .journalOfAnotherFile)
                #expect(error?.description.contains("journal: .ignored") == true)
            }
            #expect(try Document(contentsOf: url, journal: .ignored).root.text == "new")
            #expect(try code { try Document(root: Note()).save(to: url) } == .unreadJournal)
            #expect(try folder.names() == ["note", "note.journal"])
        }
    }

    @Test func `is obsolete beside a copy of the checkpoint, if the program ended before it was removed`() throws {
        try withFile { url, folder in
            try FileManager.default.linkItem(at: folder["note.journal"], to: folder["kept"])
            let document = try Document(contentsOf: url, journal: .enabled)
            try document.checkpoint()
            document.close()
            for name in ["first", "second", "third"] {
                try Data(contentsOf: url).write(to: folder[name])
                try Data(contentsOf: folder["kept"]).write(to: folder[name + ".journal"])
            }
            #expect(try Document(contentsOf: folder["first"]).root.count == 1)
            #expect(try Document(contentsOf: folder["second"], journal: .enabled).root.count == 1)
            try Document(root: Note()).save(to: folder["third"])
            #expect(try folder.names() == ["first", "first.journal", "kept", "note", "second", "third"])
        }
    }

    @Test func `of an earlier version is an error that names the remedy`() throws {
        try withFile(hasJournal: false) { url, folder in
            var journal = Data("archivejournal1\n".utf8)
            journal.append(Data(count: 200))
            try journal.write(to: folder["note.journal"])
            for mode in [ArchiveJournal.disabled, .enabled] {
                #expect(try openingCode(url, mode) == .journalOfEarlierVersion)
            }
            let document = try Document(contentsOf: url, journal: .ignored)
            document.root.count = 2
            #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(try Data(contentsOf: folder["note.journal"]) == journal)
        }
    }

    // MARK: - Other files

    /// What has the name of a journal.
    enum Other: CaseIterable {
        case text, empty, link, folder, pipe

        func make(_ folder: TemporaryFolder) throws {
            let place = folder["note.journal"]
            switch self {
            case .text: try Data("Dear diary…".utf8).write(to: place)
            case .empty:
                try Data().write(to: folder["other"])
                try FileManager.default.linkItem(at: folder["other"], to: place)
            case .link:
                try Data("secret".utf8).write(to: folder["other"])
                try FileManager.default.createSymbolicLink(at: place, withDestinationURL: folder["other"])
            case .folder: try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            case .pipe: #expect(mkfifo(place.path, 0o600) == 0)
            }
        }
    }

    @Test(arguments: Other.allCases) func `is no other file of its name, which stays`(other: Other) throws {
        try withFile(hasJournal: false) { url, folder in
            try other.make(folder)
            let names = try folder.names()
            let facts = try FileManager.default.attributesOfItem(atPath: folder["note.journal"].path)
            #expect(try openingCode(url) == .foreignJournal)
            let document = try Document(contentsOf: url)
            document.root.count = 1
            try document.save()
            #expect(try ArchiveDecoder().decode(Note.self, from: url).count == 1)
            try Document(root: Note()).save(to: url)
            #expect(try ArchiveDecoder().decode(Note.self, from: url).count == 0)
            #expect(try folder.names() == names)
            let after = try FileManager.default.attributesOfItem(atPath: folder["note.journal"].path)
            #expect(facts[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
            #expect(facts[.size] as? Int == after[.size] as? Int)
        }
    }

    @Test func `is not created over a file that got its name later`() throws {
        try withFile(hasJournal: false) { url, folder in
            let document = try Document(contentsOf: url, journal: .enabled)
            try Data("Dear diary…".utf8).write(to: folder["note.journal"])
            document.root.count = 1
            try document.save()
            #expect(try ArchiveDecoder().decode(Note.self, from: url).count == 1)
            #expect(try Data(contentsOf: folder["note.journal"]) == Data("Dear diary…".utf8))
        }
    }

    @Test func `is read as it was found, also after another one has got its name, or it was cut`() throws {
        try withFile { url, folder in
            let title = Array("archivejournal".utf8)
            func find() throws -> CompanionFile {
                guard
                    case .file(let file) = try CompanionFile.find(
                        ".journal", of: url.path, beginningWith: title, toWrite: false)
                else { throw CocoaError(.fileNoSuchFile) }
                return file
            }
            let contents = try Data(contentsOf: folder["note.journal"])
            let first = try find()
            try Data(contents.prefix(100)).write(to: folder["note.journal"], options: .atomic)
            let second = try find()
            #expect(truncate(folder["note.journal"].path, 90) == 0)
            try FileManager.default.removeItem(at: folder["note.journal"])
            #expect(try first.contents().elementsEqual(contents))
            #expect(try second.contents().elementsEqual(contents.prefix(90)))
        }
    }

    // MARK: - Access

    private func mode(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    @Test(arguments: [0o600, 0o640, 0o644, 0o4755, 0o6711, 0o444])
    func `may be read by those who may read the archive, also after that changes`(permissions: Int) throws {
        try withFile(hasJournal: false) { url, folder in
            chmod(url.path, mode_t(permissions))
            let document = try Document(contentsOf: url, journal: .enabled)
            document.root.count = 1
            try document.save()
            // The owner can write to it.
            #expect(try mode(folder["note.journal"]) == permissions & 0o777 | 0o200)
            chmod(url.path, 0o600)
            document.root.count = 2
            try document.save()
            #expect(try mode(folder["note.journal"]) == 0o600)
            chmod(url.path, 0o664)
            document.root.count = 3
            try document.save()
            #expect(try mode(folder["note.journal"]) == 0o664)
        }
    }

    // MARK: - Hostile journals

    /// Records that begin as such and overlap: each extends to the end of the file. None has its checksum.
    @Test(arguments: [true, false]) func `takes time in proportion to its size`(isOfArchive: Bool) throws {
        try withFile { url, folder in
            var bytes = [UInt8](try Data(contentsOf: folder["note.journal"]).prefix(88))
            if !isOfArchive {
                // The size of the archive.
                bytes[23] ^= 1
                var sum = Checksum()
                sum.add(StoredBytes(bytes), 0..<80)
                bytes.replaceSubrange(80..<88, with: bigEndian(sum.value))
            }
            let header = bytes[80..<88].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let size = 1 << 20
            var number: UInt64 = 0
            while bytes.count < size - 25 {
                bytes += bigEndian(header &+ number) + bigEndian(UInt64(size - bytes.count - 25)) + [1]
                number += 1
            }
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
            try Data(bytes).write(to: folder["note.journal"])
            #expect(try openingCode(url) == (isOfArchive ? .damagedJournal : .journalOfAnotherFile))
        }
    }

    private func bigEndian(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}
