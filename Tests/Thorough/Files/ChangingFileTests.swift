// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

/// Other programs may make a file shorter, or write into it, while it is read.
@Suite(.inTurn) struct `A file that changes while it is read` {
    /// An archive of some 1.1 MB, of which little is read when it is opened.
    private static let archive = Result { try ArchiveEncoder().encode(Catalogue(count: 5000)) }

    /// What may happen to a file.
    enum Change: String, CaseIterable, Sendable {
        case emptied, shortened, shortenedByOne, zeroed, randomised, grown, removed, replaced, endReplaced

        func make(_ file: URL, _ numbers: inout SeededGenerator) throws {
            let handle = try FileHandle(forUpdating: file)
            defer { try? handle.close() }
            let size = try handle.seekToEnd()
            switch self {
            case .emptied: try handle.truncate(atOffset: 0)
            case .shortened: try handle.truncate(atOffset: UInt64.random(in: 0...size, using: &numbers))
            case .shortenedByOne: try handle.truncate(atOffset: size > 0 ? size - 1 : 0)
            case .zeroed: try overwrite(handle, size, with: Data(count: 65_536), &numbers)
            case .randomised: try overwrite(handle, size, with: Self.noise(65_536, &numbers), &numbers)
            case .grown:
                try handle.seekToEnd()
                try handle.write(contentsOf: Self.noise(100_000, &numbers))
            case .removed: try FileManager.default.removeItem(at: file)
            case .replaced: try Data("another".utf8).write(to: file, options: .atomic)
            case .endReplaced:
                // Offsets and trailer of another archive: those that the open one has are the old ones.
                try handle.seek(toOffset: size > 40_000 ? size - 40_000 : 0)
                try handle.write(contentsOf: Self.noise(40_000, &numbers))
            }
        }

        private func overwrite(
            _ handle: FileHandle, _ size: UInt64, with data: Data, _ numbers: inout SeededGenerator
        ) throws {
            for _ in 0..<4 {
                try handle.seek(toOffset: UInt64.random(in: 0...size, using: &numbers))
                try handle.write(contentsOf: data)
            }
        }

        private static func noise(_ count: Int, _ numbers: inout SeededGenerator) -> Data {
            let words = (0..<count / 8).map { _ in numbers.next() }
            return words.withUnsafeBytes { Data($0) }
        }

        /// What becomes of an archive that was opened before. It has the file itself, not its name, and as much of it as
        /// there was.
        var outcome: Outcome {
            switch self {
            case .removed, .replaced: .whole
            // The end is read when an archive is opened, and with it the page that it is in.
            case .shortenedByOne: .wholeOrDamaged
            case .emptied, .shortened, .zeroed, .randomised, .grown, .endReplaced: .damaged
            }
        }
    }

    enum Outcome {
        case whole, wholeOrDamaged, damaged
    }

    // MARK: - One change

    /// Gives `body` a file with the archive, and the archive that was opened from it.
    private func withArchive(_ body: (URL, KeyedArchive) throws -> Void) throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            try Self.archive.get().write(to: file)
            let archive = try KeyedArchive(contentsOf: file)
            #expect(archive.isLoadedByPage)
            try body(file, archive)
        }
    }

    @Test(arguments: Change.allCases)
    func `is damaged where it was not read before, and whole where nothing of it changed`(change: Change) throws {
        try withArchive { file, archive throws in
            let first = try #require(archive["root", "items", 0])
            #expect(first["name"]?.string == "the item with the number 0")
            var numbers = SeededGenerator(state: 1)
            try change.make(file, &numbers)
            let catalogue = Result { try archive.root.decode(Catalogue.self) }
            switch (change.outcome, catalogue) {
            case (.whole, .success(let catalogue)):
                #expect(catalogue.isWhole)
                try archive.validate()
                #expect(try archive.data(format: .binary) == Self.archive.get())
            case (.wholeOrDamaged, .success(let catalogue)): #expect(catalogue.isWhole)
            case (.damaged, .failure(let error)), (.wholeOrDamaged, .failure(let error)):
                #expect(error is DecodingError, "\(error)")
            case (.whole, .failure(let error)): Issue.record(error)
            case (.damaged, .success): Issue.record("It could be decoded")
            }
            // What was read stays as it was.
            #expect(first["name"]?.string == "the item with the number 0")
        }
    }

    /// Nothing of the file but what opening reads is there any more.
    @Test(arguments: [0, 4096, 1 << 20])
    func `says that it is damaged wherever it is looked at after it was cut`(size: UInt64) throws {
        try withArchive { file, archive throws in
            let handle = try FileHandle(forUpdating: file)
            try handle.truncate(atOffset: size)
            #expect(throws: KeyedArchiveError.self) { try archive.validate() }
            #expect(!archive.problems().isEmpty)
            #expect(archive.objects.contains { $0.kind == .damaged })
            #expect(throws: DecodingError.self) { _ = try archive.root.decode(Catalogue.self) }
            #expect(throws: (any Error).self) { _ = try archive.data(format: .xml) }
            #expect(throws: (any Error).self) { _ = try KeyedArchiveEditor(archive).propertyList.data() }
            var text = ""
            archive.dump(to: &text)
            #expect(text.contains("damaged"))
            // Nothing is invented for what is gone, and nothing comes back.
            try handle.truncate(atOffset: UInt64(Self.archive.get().count))
            #expect(throws: KeyedArchiveError.self) { try archive.validate() }
        }
    }

    /// The archive is the one of the old contents, which no part of other contents may be mixed with.
    @Test func `gives nothing of its new contents, even if they are an archive of the same kind`() throws {
        try TemporaryFolder.with { folder throws in
            let url = folder["document"]
            try ArchiveEncoder().encode(VersionedDocument(version: 1), to: url)
            let document = try ArchiveDecoder().decode(VersionedDocument.self, from: url)
            let archive = try KeyedArchive(contentsOf: url)
            try ArchiveEncoder().encode(VersionedDocument(version: 9)).write(to: url)
            #expect(throws: DecodingError.self) { try document.$records.load() }
            #expect(throws: (any Error).self) { try archive.validate() }
            #expect(archive.root["version"]?.integer ?? 1 == 1)
        }
    }

    // MARK: - Changes all the time

    /// Changes the file in `folder` again and again, and makes it whole again between two changes, until `child` has ended,
    /// which it may after 40 of them. Gives what the child has said.
    private static func disturb(
        _ folder: TemporaryFolder, while child: ProgramProcess, _ changes: [Change], seed: UInt64
    ) throws -> Program.Run {
        let whole = try archive.get()
        let file = folder["archive"]
        var numbers = SeededGenerator(state: seed)
        var count = 0
        let end = ContinuousClock.now + .seconds(300)
        while child.isRunning {
            try #require(.now < end, "It does not end")
            usleep(UInt32.random(in: 0..<20_000, using: &numbers))
            try changes.randomElement(using: &numbers)?.make(file, &numbers)
            usleep(UInt32.random(in: 0..<20_000, using: &numbers))
            // In place: those who have it open are to see this as well.
            try whole.write(to: file)
            count += 1
            if count == 40 { try Data().write(to: folder["enough"]) }
        }
        #expect(count >= 40)
        return try child.rest()
    }

    private static let mixtures: [[Change]] = [
        [.emptied, .shortened, .shortenedByOne], [.zeroed, .randomised, .endReplaced],
        [.grown, .removed, .replaced, .shortened, .emptied],
    ]

    @Test(.needs(.program("file-writer")), arguments: mixtures.indices)
    func `gives values and errors to a program that looks at all of it, and never ends it`(index: Int) throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            try Self.archive.get().write(to: file)
            let child = try FileWriter.start("walk", file.path, "passes=8", "until=\(folder["enough"].path)")
            #expect(try child.line() == "ready")
            let run = try Self.disturb(folder, while: child, Self.mixtures[index], seed: UInt64(index))
            #expect(run.ending == .exit(0))
            #expect(run.lines.count >= 8)
            // "pass 3 values 100 errors 2"
            let numbers = run.lines.map { $0.split(separator: " ").compactMap { Int($0) } }
            #expect(numbers.reduce(0) { $0 + $1[1] } > 1000)
            #expect(numbers.reduce(0) { $0 + $1[2] } > 0)
        }
    }

    @Test(.needs(.program("file-writer"))) func `without changes has no errors, unlike the others`() throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            try Self.archive.get().write(to: file)
            let run = try FileWriter.run("walk", file.path, "passes=8")
            #expect(run.ending == .exit(0))
            #expect(run.lines.last?.hasSuffix(" errors 0") == true, "\(run.lines)")
        }
    }
}
