// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// A sandboxed program of Apple's systems has access to the file that the user chose, not to its folder. Here the test
/// takes the place of the system, and refuses the folder.
@MainActor @Suite(.inTurn) struct `A file in a folder that the program may not use` {
    final class Note: Codable {
        var text: String
        @Deferred var others: [Note]

        init(_ text: String, _ others: [Note] = []) {
            self.text = text
            self.others = others
        }
    }

    /// What the system does, and a record of it.
    private final class System: Sendable {
        /// The folder in which the replacement folders are.
        let place: URL
        private let madeCount = Atomic(0)
        private let replacedCount = Atomic(0)

        struct Refusal: Error {}

        init(_ place: URL) { self.place = place }

        /// The number of folders that were made.
        var made: Int { madeCount.load(ordering: .relaxed) }
        /// The number of files that could not be renamed.
        var replaced: Int { replacedCount.load(ordering: .relaxed) }
        /// The number of folders that are still there.
        var left: Int { get throws { try FileManager.default.contentsOfDirectory(atPath: place.path).count } }

        /// The folders of this system, in which a file that cannot be renamed is copied, or refused with `error`.
        func folders(refusing error: (any Error)? = nil) -> ReplacementFolders {
            ReplacementFolders(isOwnFolderRefused: true) { path in
                let folder = self.place.appending(path: UUID().uuidString)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                self.madeCount.add(1, ordering: .relaxed)
                return folder.path
            } replaceFile: { path, new in
                if let error { throw error }
                self.replacedCount.add(1, ordering: .relaxed)
                try Data(contentsOf: URL(fileURLWithPath: new)).write(to: URL(fileURLWithPath: path))
            }
        }
    }

    /// Passes `body` a system, and the folder "chosen", in which the program may use only the file that the user chose.
    private func withSystem(_ body: (System, TemporaryFolder, URL) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            for name in ["chosen", "system"] {
                try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: false)
            }
            try await body(System(folder["system"]), folder, folder["chosen/note"])
        }
    }

    private func texts(_ url: URL) throws -> [String] {
        let note = try ArchiveDecoder().decode(Note.self, from: url)
        return [note.text] + note.others.map(\.text)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is created and replaced, and the new one is written elsewhere`(format: PropertyListFormat) async throws {
        try await withSystem { system, folder, url in
            var encoder = ArchiveEncoder()
            encoder.outputFormat = format
            for text in ["first", "second"] {
                try system.folders().use { try encoder.encode(text, to: url) }
                #expect(try Data(contentsOf: url) == encoder.encode(text))
            }
            #expect(system.made == 2)
            #expect(try system.left == 0)
            #expect(system.replaced == 0)
            #expect(try folder.names(in: "chosen") == ["note"])
        }
    }

    @Test func `keeps its permissions, and the links that lead to it`() async throws {
        try await withSystem { system, folder, url in
            try ArchiveEncoder().encode("first", to: url)
            chmod(url.path, 0o640)
            let link = folder["chosen/link"]
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "note")
            try system.folders().use { try ArchiveEncoder().encode("second", to: link) }
            #expect(try ArchiveDecoder().decode(String.self, from: url) == "second")
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "note")
            #expect(system.made == 1)
        }
    }

    @Test func `of a document is saved again and again`() async throws {
        try await withSystem { system, folder, url in
            try ArchiveEncoder().encode(Note("a", [Note("b"), Note("c")]), to: url)
            try await system.folders().use {
                let document = try ArchiveDocument<Note>(contentsOf: url)
                document.root.text = "A"
                try document.save()
                document.root.others[1].text = "C"
                try await document.save { _ in
                    // The new file is elsewhere.
                    let names = try? folder.names(in: "chosen")
                    #expect(names == ["note"])
                }
                #expect(try texts(url) == ["A", "b", "C"])
                try document.compact()
                #expect(try texts(url) == ["A", "b", "C"])
                try document.save(to: folder["chosen/other"])
                #expect(try texts(folder["chosen/other"]) == ["A", "b", "C"])
            }
            #expect(system.made >= 4)
            #expect(try system.left == 0)
        }
    }

    @Test func `is not replaced if another program has changed it`() async throws {
        try await withSystem { system, _, url in
            try ArchiveEncoder().encode(Note("a"), to: url)
            let theirs = try ArchiveEncoder().encode(Note("theirs"))
            let error = await #expect(throws: ArchiveDocumentError.self) {
                try await system.folders().use {
                    let document = try ArchiveDocument<Note>(contentsOf: url)
                    document.root.text = "b"
                    try await document.save { _ in try? theirs.write(to: url) }
                }
            }
            #expect(error?.code == .fileChanged)
            #expect(try Data(contentsOf: url) == theirs)
            #expect(system.made == 1)
            #expect(try system.left == 0)
        }
    }

    @Test func `stays as it is if the new one is not finished`() async throws {
        try await withSystem { system, folder, url in
            try ArchiveEncoder().encode("old", to: url)
            let old = try Data(contentsOf: url)
            #expect(throws: System.Refusal.self) {
                try system.folders().use {
                    _ = try ArchiveDraft(for: url) { output in
                        try output.writeHeader()
                        throw System.Refusal()
                    }
                }
            }
            // A draft that is complete, but replaces nothing.
            _ = try system.folders().use { try ArchiveDraft(for: url) { try $0.writeHeader() } }
            #expect(system.made == 2)
            #expect(try system.left == 0)
            #expect(try Data(contentsOf: url) == old)
            #expect(try folder.names(in: "chosen") == ["note"])
        }
    }

    @Test func `cannot be written if the system offers no other folder`() async throws {
        try await withSystem { system, folder, url in
            try ArchiveEncoder().encode("old", to: url)
            let folders = ReplacementFolders(isOwnFolderRefused: true) { _ in
                throw System.Refusal()
            } replaceFile: { _, _ in
            }
            let error = #expect(throws: CocoaError.self) {
                try folders.use { try ArchiveEncoder().encode("new", to: url) }
            }
            #expect(error?.code == .fileWriteNoPermission)
            #expect(try ArchiveDecoder().decode(String.self, from: url) == "old")
            #expect(try folder.names(in: "chosen") == ["note"])
        }
    }

    // MARK: - Files that cannot be renamed

    /// A folder in memory, where there is one.
    nonisolated private static let otherVolume = URL(fileURLWithPath: "/dev/shm")
    nonisolated private static let needsOtherVolume = Need("second volume", "mount /dev/shm") {
        func device(_ url: URL) -> Int? {
            (try? FileManager.default.attributesOfItem(atPath: url.path))?[.systemNumber] as? Int
        }
        return device(otherVolume) != nil && device(otherVolume) != device(FileManager.default.temporaryDirectory)
    }

    /// Passes `body` a system whose folders are on another volume, so that it has to replace the file itself.
    private func withOtherVolume(_ body: (System, TemporaryFolder, URL) throws -> Void) async throws {
        try await withSystem { _, folder, url in
            let place = Self.otherVolume.appending(path: "archiving-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: place) }
            try ArchiveEncoder().encode("old", to: url)
            try body(System(place), folder, url)
        }
    }

    @Test(.needs(needsOtherVolume)) func `is replaced by the system if it cannot be renamed`() async throws {
        try await withOtherVolume { system, folder, url in
            try system.folders().use { try ArchiveEncoder().encode("new", to: url) }
            #expect(try ArchiveDecoder().decode(String.self, from: url) == "new")
            #expect(system.replaced == 1)
            #expect(try system.left == 0)
            #expect(try folder.names(in: "chosen") == ["note"])
        }
    }

    @Test(
        .needs(needsOtherVolume),
        arguments: [
            (CocoaError(.fileWriteOutOfSpace), .fileWriteOutOfSpace),
            (CocoaError(.fileWriteNoPermission), .fileWriteNoPermission),
            (CocoaError(.fileNoSuchFile), .fileNoSuchFile),
            (CocoaError(.fileWriteVolumeReadOnly), .fileWriteVolumeReadOnly),
            (POSIXError(.EACCES), .fileWriteNoPermission),
            (CocoaError(.fileWriteUnknown, userInfo: ["NSUnderlyingError": POSIXError(.ENOSPC)]), .fileWriteOutOfSpace),
            (System.Refusal(), .fileWriteUnknown),
        ] as [(any Error, CocoaError.Code)])
    func `stays as it is if the system cannot replace it, for the reason of the system`(
        error: any Error, code: CocoaError.Code
    ) async throws {
        try await withOtherVolume { system, folder, url throws in
            let thrown = #expect(throws: CocoaError.self) {
                try system.folders(refusing: error).use { try ArchiveEncoder().encode("new", to: url) }
            }
            #expect(thrown?.code == code)
            #expect(try ArchiveDecoder().decode(String.self, from: url) == "old")
            #expect(system.made == 1)
            #expect(try system.left == 0)
            #expect(try folder.names(in: "chosen") == ["note"])
        }
    }
}
