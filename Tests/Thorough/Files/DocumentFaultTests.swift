// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

/// What others do to the file of a document, and what the system refuses.
@Suite(.inTurn) struct `A document whose file fails` {
    typealias Change = `A file that changes while it is read`.Change

    /// Gives `body` a document of version 2, which it is since it was opened, in a file that is loaded page by page.
    private func withDocument(
        _ body: (ArchiveDocument<VersionedDocument>, _ url: URL, _ folder: TemporaryFolder) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let url = folder["document"]
            try ArchiveEncoder().encode(VersionedDocument(version: 1), to: url)
            #expect(try KeyedArchive(contentsOf: url).isLoadedByPage)
            let document = try ArchiveDocument<VersionedDocument>(contentsOf: url)
            document.root.advance()
            try body(document, url, folder)
        }
    }

    private func read(_ url: URL) throws -> Int {
        let root = try ArchiveDecoder().decode(VersionedDocument.self, from: url)
        return try root.isWhole() ? root.version : -1
    }

    // MARK: - Changed by others

    @Test(arguments: Change.allCases)
    func `is not saved over the changes of others, and gives values or errors`(change: Change) throws {
        try withDocument { document, url, folder in
            var numbers = SeededGenerator(state: 3)
            try change.make(url, &numbers)
            let changed = try? Data(contentsOf: url)
            let error = #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(error?.code == (change == .removed ? .fileMissing : .fileChanged))
            #expect(throws: ArchiveDocumentError.self) { try document.compact() }
            #expect((try? Data(contentsOf: url)) == changed)
            // Nothing of these was read before.
            do {
                try document.root.$records.load()
                #expect(try change.outcome == .damaged || document.root.isWhole())
            } catch {
                #expect(error is DecodingError, "\(error)")
                #expect(change.outcome != .whole)
                #expect(document.root.records.isEmpty && !document.root.$records.isLoaded)
            }
            let other = folder["other"]
            do {
                try document.save(to: other)
                #expect(try change.outcome == .damaged || read(other) == 2)
                try KeyedArchive(contentsOf: other).validate()
                _ = try ArchiveDocument<VersionedDocument>(contentsOf: other)
            } catch {
                // What cannot be read cannot be saved.
                #expect((error as? ArchiveDocumentError)?.code == .fileChanged, "\(error)")
                #expect(change.outcome != .whole)
                #expect(!document.root.$records.isLoaded)
                #expect(try folder.names().filter { $0 != "document" }.isEmpty)
            }
            #expect(document.root.version == 2)
        }
    }

    @Test(arguments: Change.allCases)
    func `is saved to another file, if everything is loaded, and goes on there`(change: Change) throws {
        try withDocument { document, url, folder in
            #expect(try document.root.isWhole())
            var numbers = SeededGenerator(state: 4)
            try change.make(url, &numbers)
            let other = folder["other"]
            try document.save(to: other)
            #expect(try read(other) == 2)
            document.root.advance()
            try document.save()
            #expect(try read(other) == 3)
            try document.compact()
            #expect(try read(other) == 3)
            #expect(try !hasChanges(document))
        }
    }

    @Test(arguments: [Change.emptied, .shortened, .zeroed, .randomised])
    func `can be closed, and saved without what cannot be read any more`(change: Change) throws {
        try withDocument { document, url, folder in
            var numbers = SeededGenerator(state: 5)
            try change.make(url, &numbers)
            document.close()
            document.root.records = VersionedDocument(version: 2).records
            let other = folder["other"]
            try document.save(to: other)
            #expect(try read(other) == 2)
        }
    }

    /// In a function, since the macro takes `try` from what it takes apart.
    private func hasChanges(_ document: ArchiveDocument<VersionedDocument>) throws -> Bool { try document.hasChanges() }

    /// A save that is under way when the file is written to has copied a part of it, or has not.
    @Test(arguments: [Change.emptied, .shortened, .zeroed, .randomised, .grown])
    func `is not replaced by a mixture if others write into it while it is copied`(change: Change) async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["document"]
            try ArchiveEncoder().encode(VersionedDocument(version: 1), to: url)
            #expect(try KeyedArchive(contentsOf: url).isLoadedByPage)
            let document = try ArchiveDocument<VersionedDocument>(contentsOf: url)
            document.root.advance()
            await #expect(throws: (any Error).self) {
                try await document.save { progress in
                    guard progress.completedCount < progress.totalCount ?? 0 else { return }
                    var numbers = SeededGenerator(state: 6)
                    try? change.make(url, &numbers)
                }
            }
            #expect(try folder.names() == ["document"])
            document.root.records = VersionedDocument(version: 2).records
            try document.save(to: folder["other"])
            #expect(try read(folder["other"]) == 2)
        }
    }

    // MARK: - Saved, and not compacted

    final class Shelf: Codable {
        var name = ""
        @Deferred var parts: [String] = ["here", "lost"]
    }

    /// What is damaged would be lost if the file were written without what nothing refers to.
    @Test func `is saved if nothing can be cleared away`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["shelf"]
            var encoder = ArchiveEncoder()
            encoder.outputFormatting = .sortedKeys
            var data = try encoder.encode(Shelf())
            // The marker of the string "lost" is one that no object has.
            let place = try #require(data.range(of: Data("\u{54}lost".utf8)))
            data[place.lowerBound] = 0x70
            try data.write(to: url)
            let document = try ArchiveDocument<Shelf>(contentsOf: url)
            document.compaction = 0.01
            for number in 1...20 {
                document.root.name = "\(number)"
                try document.save()
                #expect(try ArchiveDecoder().decode(Shelf.self, from: url).name == "\(number)")
            }
            document.root.name = "21"
            #expect(throws: DecodingError.self) { try document.compact() }
            #expect(try ArchiveDecoder().decode(Shelf.self, from: url).name == "21")
            document.root.name = "22"
            try document.save()
            document.root.parts = ["found"]
            try document.compact()
            #expect(try ArchiveDecoder().decode(Shelf.self, from: url).parts == ["found"])
        }
    }

    // MARK: - No rights

    @Test(.needs(.program("file-writer"))) func `is saved elsewhere where its folder may not be written to`() throws {
        try TemporaryFolder.withArchive { folder, file throws in
            let elsewhere = folder["elsewhere"]
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
            try elsewhere.setMode(0o777)
            try folder.url.setMode(0o555)
            let other = elsewhere.appendingPathComponent("other")
            let run = try FileWriter.run(
                "document-once", file.path, "version=2", "elsewhere=\(other.path)", options: FileWriter.withoutRights)
            try folder.url.setMode(0o755)
            #expect(run.lines == ["begin 2", "error cocoa 513 posix 13", "elsewhere 2"])
            #expect(run.ending == .exit(0))
            #expect(try file.version == 1)
            #expect(try other.version == 2)
            #expect(try folder.names() == ["archive", "elsewhere"])
        }
    }

    @Test(.needs(.program("file-writer"))) func `keeps its permissions`() throws {
        for mode: mode_t in [0o600, 0o640, 0o444] {
            try TemporaryFolder.withArchive { _, file throws in
                try file.setMode(mode)
                #expect(try FileWriter.run("document-once", file.path, "version=2", "umask=000").ending == .exit(0))
                #expect(try FileFacts(file).mode == mode)
                #expect(try file.version == 2)
            }
        }
    }
}
