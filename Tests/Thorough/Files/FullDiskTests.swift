// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.program("file-writer"))) struct `A file for which there is no room` {
    /// What a writer that tried all sizes says of one version.
    private struct Attempt {
        let version: Int
        var isDone = false
        /// The codes of Cocoa and of the system.
        var error: (cocoa: Int, posix: Int)?
        /// What was there then.
        var found: Int?
        var fileCount: Int?

        static func all(in lines: [String]) throws -> [Attempt] {
            var attempts: [Attempt] = []
            for line in lines {
                let words = line.split(separator: " ")
                if words[0] == "begin" {
                    attempts.append(Attempt(version: try #require(Int(words[1]))))
                    continue
                }
                let last = attempts.indices.last
                guard let last else { throw Unexpected(line: line) }
                switch (words[0], words.count) {
                case ("encoded", 2): break
                case ("done", 2): attempts[last].isDone = true
                case ("error", 5) where words[1] == "cocoa" && attempts[last].error == nil:
                    attempts[last].error = (try #require(Int(words[2])), try #require(Int(words[4])))
                case ("version", 2): attempts[last].found = Int(words[1])
                case ("files", 2): attempts[last].fileCount = Int(words[1])
                default: throw Unexpected(line: line)
                }
            }
            return attempts
        }

        struct Unexpected: Error {
            let line: String
        }
    }

    /// Checks that each version was written, or left the one before, and nothing else, with the error `number` of the system.
    private func check(_ lines: [String], _ code: CocoaError.Code, _ number: CInt) throws {
        let attempts = try Attempt.all(in: lines)
        #expect(attempts.map(\.version) == Array(1...20))
        var last = attempts[0].version
        for attempt in attempts {
            if attempt.isDone {
                #expect(attempt.error == nil)
                last = attempt.version
            } else {
                #expect(attempt.error?.posix == Int(number), "\(attempt)")
                #expect(attempt.error?.cocoa == code.rawValue, "\(attempt)")
            }
            #expect(attempt.found == last)
            #expect(attempt.fileCount == 1)
        }
        // Several fit, also after others that did not, and several did not.
        #expect(attempts.filter(\.isDone).count > 3)
        #expect(attempts.filter { !$0.isDone }.count > 3)
        #expect(attempts.lastIndex(where: \.isDone) ?? 0 > attempts.firstIndex { !$0.isDone } ?? 0)
    }

    @Test func `stays as it was where files may only have a certain size`() throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            // The first version has to fit.
            let run = try FileWriter.run("fill", file.path, "limit=100000")
            #expect(run.ending == .exit(0))
            try check(run.lines, .fileWriteOutOfSpace, EFBIG)
            #expect(try folder.names() == ["archive"])
        }
    }

    @Test func `is a document that can be saved once there is room again`() throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            let run = try FileWriter.run("document-fill", file.path, "limit=100000")
            #expect(run.ending == .exit(0))
            try check(run.lines, .fileWriteOutOfSpace, EFBIG)
            #expect(try folder.names() == ["archive"])
        }
    }

    @Test func `stays as it was where the system ends a process whose file becomes too large`() throws {
        try TemporaryFolder.withArchive { _, file throws in
            let size = try ArchiveEncoder().encode(VersionedContent(version: 3)).count
            let run = try FileWriter.run("once", file.path, "version=3", "signal=yes", "limit=\(size - 1)")
            #expect(run.lines == ["begin 3", "encoded 3"])
            #expect(run.ending == .signal(SIGXFSZ))
            #expect(try file.version == 1)
            // It was the limit.
            let other = try FileWriter.run("once", file.path, "version=3", "signal=yes", "limit=\(size)")
            #expect(other.lines == ["begin 3", "encoded 3", "done 3"])
            #expect(try file.version == 3)
        }
    }
}

#if os(Linux)
    extension `A file for which there is no room` {
        /// The command prefix for commands that mount file systems: the superuser may mount, and others in a namespace of their
        /// own, if the system allows it. Other processes do not see these mounts. Nil if mounting is impossible.
        private static let unshare: String? = [
            "unshare --mount", "unshare --map-root-user --mount",
        ].first { command in
            let script = "\(command) mount -t tmpfs tmpfs \"$1\""
            let folder = FileManager.default.temporaryDirectory.path
            return (try? Program.shell.run(["-c", script, "sh", folder]).ending) == .exit(0)
        }

        private static let mounting = Need("mounting", "run the tests if a process may mount file systems") {
            unshare != nil
        }

        /// Runs `script` in a namespace where `$1` is a folder in memory, mounted with `options`, and `$2` is `file-writer`.
        private func run(mounting options: String, _ script: String) throws -> Program.Run {
            try TemporaryFolder.with { folder throws in
                let unshare = try #require(Self.unshare)
                let mount = "mount -t tmpfs -o \(options) tmpfs \"$1\""
                let command = "\(unshare) sh -c '\(mount) && { \(script)\n }' sh \"$@\""
                return try Program.shell.run(["-c", command, "sh", folder.url.path, FileWriter.program.path])
            }
        }

        @Test(.needs(mounting))
        func `stays as it was where the disk is full`() throws {
            let run = try run(mounting: "size=256k", #""$2" fill "$1/archive""#)
            #expect(run.ending == .exit(0))
            try check(run.lines, .fileWriteOutOfSpace, ENOSPC)
        }

        /// The document is larger than the disk, and is saved to another one.
        @Test(.needs(mounting))
        func `is a document that is saved elsewhere where the disk is full`() throws {
            let run = try run(
                mounting: "size=256k",
                #"mkdir /tmp/$$; "$2" document-fill "$1/archive" elsewhere=/tmp/$$/other; rm -r /tmp/$$"#)
            #expect(run.ending == .exit(0))
            #expect(run.lines.last == "elsewhere 20")
            try check(run.lines.dropLast(), .fileWriteOutOfSpace, ENOSPC)
        }

        @Test(.needs(mounting))
        func `stays as it was where the disk has no room for one more file`() throws {
            // One for the folder, one for the archive.
            let run = try run(
                mounting: "nr_inodes=2,size=4m",
                #""$2" once "$1/archive" version=1; "$2" once "$1/other" version=2; "$2" read "$1/archive"; ls -A "$1""#
            )
            #expect(run.ending == .exit(0))
            #expect(
                run.lines == [
                    "begin 1", "encoded 1", "done 1", "begin 2", "encoded 2", "error cocoa 640 posix 28", "version 1",
                    "archive",
                ])
        }

        @Test(.needs(mounting))
        func `stays as it was on a disk that can only be read`() throws {
            let run = try run(
                mounting: "size=4m",
                #"""
                "$2" once "$1/archive" version=1; mount -o remount,bind,ro "$1"; "$2" once "$1/archive" version=2
                "$2" read "$1/archive"; ls -A "$1"
                """#)
            #expect(run.ending == .exit(0))
            #expect(
                run.lines == [
                    "begin 1", "encoded 1", "done 1", "begin 2", "encoded 2", "error cocoa 642 posix 30", "version 1",
                    "archive",
                ])
        }

        @Test(.needs(mounting))
        func `is opened only without a journal on a disk that can only be read`() throws {
            let run = try run(
                mounting: "size=4m",
                #"""
                "$2" open-journal "$1/document" >"$1/first"; mount -o remount,bind,ro "$1"; "$2" open-journal "$1/document"
                tail -n 1 "$1/first"; ls -A "$1"
                """#)
            #expect(run.ending == .exit(0))
            #expect(run.lines == ["journalUnsupported", "opened", "document", "first"])
        }

        /// A sandbox may have no `/proc`, over which files without a name get one.
        @Test(.needs(mounting))
        func `is replaced where there are no files about processes`() throws {
            let run = try run(
                mounting: "size=4m",
                #"""
                "$2" once "$1/archive" version=1; "$2" once "$1/archive" version=2 proc=no; umount /proc
                "$2" read "$1/archive"; ls -A "$1"
                """#)
            #expect(run.ending == .exit(0))
            #expect(
                run.lines == [
                    "begin 1", "encoded 1", "done 1", "begin 2", "encoded 2", "done 2", "version 2", "archive",
                ])
        }
    }
#endif
