// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Who may read and write a file that was replaced.
@Suite(.inTurn, .needs(.program("file-writer"))) struct `The permissions of a file` {
    private static let modes: [mode_t] = [0o600, 0o640, 0o644, 0o666, 0o755, 0o444, 0o400]

    @Test(arguments: modes)
    func `stay as they were when it is replaced`(mode: mode_t) throws {
        try TemporaryFolder.withArchive { _, file throws in
            try file.setMode(mode)
            let owner = try FileFacts(file)
            try file.write(version: 2)
            #expect(try file.version == 2)
            #expect(try FileFacts(file) == owner)
            #expect(owner.mode == mode)
        }
    }

    /// A umask holds for a whole process.
    @Test(arguments: modes, ["000", "022", "077", "777"])
    func `stay as they were whatever new files have`(mode: mode_t, umask: String) throws {
        try TemporaryFolder.withArchive { _, file throws in
            try file.setMode(mode)
            #expect(try FileWriter.run("once", file.path, "version=2", "umask=\(umask)").ending == .exit(0))
            #expect(try FileFacts(file).mode == mode)
        }
    }

    @Test(arguments: [("000", 0o666), ("022", 0o644), ("027", 0o640), ("077", 0o600), ("222", 0o444), ("777", 0)])
    func `are those of any other new file where there was none`(umask: String, mode: mode_t) throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            #expect(try FileWriter.run("once", file.path, "version=1", "umask=\(umask)").ending == .exit(0))
            #expect(try FileFacts(file).mode == mode)
        }
    }

    // MARK: - Owners

    private static let stranger = FileWriter.stranger

    @Test(.needs(.superuser), arguments: [0o640, 0o4755, 0o2755, 0o6755] as [mode_t])
    func `and the owner stay as they were when the superuser replaces it, with those to run as the owner or the group`(
        mode: mode_t
    ) throws {
        try TemporaryFolder.withArchive { _, file throws in
            try #require(chown(file.path, Self.stranger, Self.stranger) == 0)
            try file.setMode(mode)
            try file.write(version: 2)
            let facts = try FileFacts(file)
            #expect(facts.user == Self.stranger && facts.group == Self.stranger && facts.mode == mode)
        }
    }

    /// Only the superuser may give files away.
    @Test(
        .needs(.superuser),
        arguments: [
            (0o644, 0o644), (0o666, 0o666), (0o600, 0o600), (0o640, 0o600), (0o664, 0o644), (0o4755, 0o755),
            (0o2755, 0o755),
            (0o6775, 0o755),
        ] as [(mode_t, mode_t)])
    func `of another user's give this one's group nothing that was not for all, and run as an unprivileged user`(
        old: mode_t, new: mode_t
    ) throws {
        try TemporaryFolder.withArchive { folder, file throws in
            try file.setMode(old)
            try folder.url.setMode(0o777)
            let run = try FileWriter.run("once", file.path, "version=2", "user=\(Self.stranger)")
            #expect(run.ending == .exit(0), "\(run.lines)")
            let facts = try FileFacts(file)
            #expect(facts.user == Self.stranger)
            #expect(facts.mode == new)
            #expect(try file.version == 2)
        }
    }

    // MARK: - What is not permitted

    /// Lets a process without rights write to "archive", which has version 1, in a folder that `prepare` has changed; and
    /// checks that it gets `code`, and that nothing has changed.
    private func checkRefusal(
        _ code: CocoaError.Code, _ number: CInt, sourceLocation: SourceLocation = #_sourceLocation,
        _ prepare: (TemporaryFolder) throws -> Void
    ) throws {
        try TemporaryFolder.withArchive { folder, file throws in
            try prepare(folder)
            let before = try FileFacts(file)
            let run = try FileWriter.run("once", file.path, "version=2", options: FileWriter.withoutRights)
            #expect(
                run.lines == ["begin 2", "encoded 2", "error cocoa \(code.rawValue) posix \(number)"],
                sourceLocation: sourceLocation)
            #expect(run.ending == .exit(1), sourceLocation: sourceLocation)
            try folder.url.setMode(0o755)
            #expect(try FileFacts(file) == before, sourceLocation: sourceLocation)
            #expect(try file.version == 1, sourceLocation: sourceLocation)
            #expect(try folder.names() == ["archive"], sourceLocation: sourceLocation)
        }
    }

    @Test func `do not help in a folder in which nothing may be made`() throws {
        try checkRefusal(.fileWriteNoPermission, EACCES) { folder in
            try folder["archive"].setMode(0o666)
            try folder.url.setMode(0o555)
        }
    }

    @Test(.needs(.superuser)) func `do not help in a folder where everyone may only remove what is their own`() throws {
        try checkRefusal(.fileWriteNoPermission, EPERM) { folder in
            try folder["archive"].setMode(0o666)
            try folder.url.setMode(0o1777)
        }
    }

    /// As in a sandbox of Apple's systems. The folder may be listed, or not even that.
    @Test(arguments: [0o555, 0o111] as [mode_t])
    func `of the file are enough if the system offers another folder for the new one`(mode: mode_t) throws {
        try TemporaryFolder.withArchive { folder, file throws in
            let (chosen, system) = (folder["chosen"], folder["system"])
            for url in [chosen, system] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            }
            let moved = chosen.appendingPathComponent("archive")
            try FileManager.default.moveItem(at: file, to: moved)
            try moved.setMode(0o666)
            try chosen.setMode(mode)
            try system.setMode(0o777)
            defer { try? chosen.setMode(0o755) }
            let run = try FileWriter.run(
                "once", moved.path, "version=2", "replacement=\(system.path)", options: FileWriter.withoutRights)
            #expect(run.lines == ["begin 2", "encoded 2", "done 2"])
            #expect(try moved.version == 2)
            #expect(try FileFacts(moved).mode == 0o666)
            try chosen.setMode(0o755)
            #expect(try folder.names(in: "chosen") == ["archive"])
            #expect(try folder.names(in: "system") == [])
        }
    }

    @Test func `do not help where the file cannot be seen`() throws {
        try TemporaryFolder.with { folder throws in
            let inner = folder["inner"]
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            let file = inner.appendingPathComponent("archive")
            try file.write(version: 1)
            try inner.setMode(0)
            defer { try? inner.setMode(0o755) }
            for (job, lines) in [
                ("once", ["begin 2", "encoded 2", "error cocoa 513 posix 13"]), ("read", ["error cocoa 257 posix 13"]),
            ] {
                let run = try FileWriter.run(job, file.path, "version=2", options: FileWriter.withoutRights)
                #expect(run.lines == lines)
                #expect(run.ending == .exit(1))
            }
            try inner.setMode(0o755)
            #expect(try file.version == 1)
        }
    }

    @Test func `that forbid its owner to write do not keep it from being replaced: the folder's do`() throws {
        try TemporaryFolder.withArchive { folder, file throws in
            try file.setMode(0o444)
            if getuid() == 0 {
                try #require(chown(file.path, Self.stranger, Self.stranger) == 0)
                try #require(chown(folder.url.path, Self.stranger, Self.stranger) == 0)
            }
            let run = try FileWriter.run("once", file.path, "version=2", options: FileWriter.withoutRights)
            #expect(run.lines == ["begin 2", "encoded 2", "done 2"])
            #expect(try FileFacts(file).mode == 0o444)
            #expect(try file.version == 2)
        }
    }
}
