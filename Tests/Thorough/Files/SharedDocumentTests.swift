// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

/// A document that several programs have open, and save.
@Suite(.inTurn) struct `The file of a document that other programs write too` {
    /// The tokens of which a program has said `word`.
    private func tokens(_ lines: [String], _ word: String) -> [String] {
        lines.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
    }

    /// Small files are read whole, others page by page.
    @Test(.needs(.program("file-writer")), arguments: [(0, 500), (2 << 20, 60)])
    func `has everything that was saved, and nothing for which an error was thrown`(
        byteCount: Int, count: Int
    ) throws {
        try TemporaryFolder.with { folder in
            let url = folder["document"]
            try ArchiveEncoder().encode(TokenDocument(byteCount: byteCount), to: url)
            let names = ["a", "b", "c"]
            let writers = try names.map { name in
                try FileWriter.start("share", url.path, "name=\(name)", "count=\(count / names.count + 1)")
            }
            let runs = try writers.map { try $0.rest() }
            #expect(runs.allSatisfy { $0.ending == .exit(0) }, "\(runs.compactMap(\.lines.last))")
            let saved = runs.flatMap { tokens($0.lines, "saved") }
            let refused = runs.flatMap { tokens($0.lines, "refused") }
            let found = try ArchiveDecoder().decode(TokenDocument.self, from: url).tokens
            #expect(saved.count >= count)
            // Otherwise the programs have not met.
            #expect(refused.count > count / 10)
            #expect(Set(saved).subtracting(found).isEmpty)
            #expect(Set(refused).intersection(found).isEmpty)
            #expect(found.count == saved.count)
            try KeyedArchive(contentsOf: url).validate()
            #expect(try folder.names() == ["document"])
            print("\(saved.count) tokens saved by \(names.count) programs, \(refused.count) refused")
        }
    }

    /// Gives `body` a document of version 2 whose file has the version 1, and the records of that version are not read.
    private func withDocument(
        _ body: (ArchiveDocument<VersionedDocument>, _ url: URL, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["document"]
            try ArchiveEncoder().encode(VersionedDocument(version: 1), to: url)
            let document = try ArchiveDocument<VersionedDocument>(contentsOf: url)
            document.root.advance()
            try await body(document, url, folder)
        }
    }

    /// Other contents of the same size in the same file, all of them a good archive.
    private func overwrite(_ url: URL) throws {
        var other = try Data(contentsOf: url)
        // The bytes of the first record, which become those of the last one.
        let place = try #require(other.firstRange(of: Data(repeating: 1, count: 150_000)))
        other.replaceSubrange(place, with: Data(repeating: 7, count: 150_000))
        // Longer than the resolution of file times.
        usleep(20_000)
        let file = try FileHandle(forWritingTo: url)
        try file.write(contentsOf: other)
        try file.close()
    }

    private func expectFileChanged(_ body: () throws -> ArchiveSaveReport) throws {
        let error = #expect(throws: ArchiveDocumentError.self) { try body() }
        #expect(error?.code == .fileChanged)
    }

    @Test func `is not mixed with another one if it is overwritten before all of it is read`() async throws {
        try await withDocument { document, url, folder in
            try overwrite(url)
            let overwritten = try Data(contentsOf: url)
            for _ in 1...2 {
                try expectFileChanged { try document.save(to: folder["other"]) }
                try expectFileChanged { try document.save() }
                try expectFileChanged { try document.compact() }
                #expect(throws: DecodingError.self) { try document.root.$records.load() }
            }
            let error = await #expect(throws: ArchiveDocumentError.self) {
                try await document.save(to: folder["other"], progress: nil)
            }
            #expect(error?.code == .fileChanged)
            #expect(try folder.names() == ["document"])
            #expect(try Data(contentsOf: url) == overwritten)
            #expect(document.unreadableParts.map(\.path) == [["root", "records"]])
            document.root.records = VersionedDocument(version: 2).records
            try document.save(to: folder["other"])
            let other = try ArchiveDecoder().decode(VersionedDocument.self, from: folder["other"])
            #expect(try other.isWhole() && other.version == 2)
        }
    }

    /// What another program does to the file.
    enum Change: CaseIterable {
        case replaced, overwritten, removed, touched
    }

    @Test(arguments: Change.allCases)
    func `is not replaced if it changes during the save`(change: Change) async throws {
        try await withDocument { document, url, folder in
            let theirs = try ArchiveEncoder().encode(VersionedDocument(version: 9))
            let error = await #expect(throws: ArchiveDocumentError.self) {
                try await document.save { progress in
                    guard progress.completedCount < progress.totalCount ?? 0 else { return }
                    switch change {
                    case .replaced: try? theirs.write(to: url, options: .atomic)
                    case .overwritten: try? theirs.write(to: url)
                    case .removed: try? FileManager.default.removeItem(at: url)
                    case .touched:
                        let time = Date.now.addingTimeInterval(10)
                        try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: url.path)
                    }
                }
            }
            #expect(error?.code == (change == .removed ? .fileMissing : .fileChanged))
            switch change {
            case .replaced, .overwritten: #expect(try Data(contentsOf: url) == theirs)
            case .removed: #expect(try folder.names().isEmpty)
            case .touched: #expect(try ArchiveDecoder().decode(VersionedDocument.self, from: url).version == 1)
            }
            #expect(try folder.names().count == (change == .removed ? 0 : 1))
            #expect(document.root.version == 2)
        }
    }

    @Test func `is not replaced while another program holds its lock`() async throws {
        try await withDocument { document, url, folder in
            let file = open(url.path, O_RDONLY | O_CLOEXEC)
            #expect(file >= 0 && flock(file, LOCK_EX) == 0)
            let error = #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(error?.code == .documentInUse)
            #expect(try folder.names() == ["document"])
            #expect(try ArchiveDecoder().decode(VersionedDocument.self, from: url).version == 1)
            flock(file, LOCK_UN)
            close(file)
            try document.save()
            #expect(try ArchiveDecoder().decode(VersionedDocument.self, from: url).version == 2)
            // No lock is left behind.
            let other = open(url.path, O_RDONLY | O_CLOEXEC)
            #expect(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0)
            close(other)
        }
    }
}
