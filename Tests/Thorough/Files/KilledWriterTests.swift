// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn, .needs(.program("file-writer"))) struct `A file whose writer is killed` {
    /// What writers were doing when they were killed, and what they left.
    struct Census {
        /// Between two versions.
        var idle = 0
        /// While it was encoded, so that nothing of it can be in a file.
        var encoding = 0
        /// After that, and before it was said to be done.
        var writing = 0
        /// Of those that were writing: after the file was replaced.
        var replaced = 0
        /// Files that are no longer needed.
        var leftovers = 0
        /// What was wrong, a sentence each.
        var complaints: [String] = []

        static func + (left: Census, right: Census) -> Census {
            Census(
                idle: left.idle + right.idle, encoding: left.encoding + right.encoding,
                writing: left.writing + right.writing, replaced: left.replaced + right.replaced,
                leftovers: left.leftovers + right.leftovers, complaints: left.complaints + right.complaints)
        }
    }

    /// What a writer has said up to its end.
    private struct Progress {
        var done: Int?
        var begun: Int?
        var encoded: Int?

        init(_ lines: [String]) {
            for line in lines {
                let words = line.split(separator: " ")
                guard words.count == 2, let version = Int(words[1]) else { continue }
                switch words[0] {
                case "begin": begun = version
                case "encoded": encoded = version
                case "done": done = version
                default: break
                }
            }
        }
    }

    /// Starts `count` writers, one after the other, and kills each.
    ///
    /// - Parameters:
    ///   - job: What they do.
    ///   - delay: The microseconds after which one is killed at the latest that has encoded what it writes.
    ///   - write: Writes a version to the file.
    ///   - read: The version in the file, all of it.
    static func kill(
        _ count: Int, seed: UInt64, _ job: String = "loop", options: [String] = [],
        delay: UInt32 = 3000, write: (URL, Int) throws -> Void = { try $0.write(version: $1) },
        read: (URL) throws -> Int = { try $0.version }
    ) throws -> Census {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            var census = Census()
            var delays = SeededGenerator(state: seed)
            var last = Int(seed) * 1_000_000
            try write(file, last)
            for round in 0..<count {
                let child = try FileWriter.start(job, file.path, "from=\(last + 1)", options: options)
                // A program takes its time to begin. In every other round it gets as far as the file.
                let reachesFile = round % 2 == 1
                let expected = ["ready", "begin \(last + 1)"] + (reachesFile ? ["encoded \(last + 1)"] : [])
                let lines = try expected.compactMap { _ in try child.line() }
                if lines != expected { census.complaints.append("round \(round): begins with \(lines)") }
                usleep(UInt32.random(in: 0..<(reachesFile ? delay : 15_000), using: &delays))
                if child.kill() != .signal(SIGKILL) { census.complaints.append("round \(round): ended by itself") }
                let progress = Progress(try lines + child.rest().lines)
                let isWriting = progress.begun != progress.done
                // The version that was complete last, or the one that was being written, and only if all of it was encoded.
                let old = progress.done ?? last
                let new = isWriting && progress.encoded == progress.begun ? progress.encoded : nil
                let version = try read(file)
                if version != old && version != new {
                    census.complaints.append("round \(round): \(version), not \(old) or \(String(describing: new))")
                }
                if new != nil {
                    census.writing += 1
                    census.replaced += version == new ? 1 : 0
                } else if isWriting {
                    census.encoding += 1
                } else {
                    census.idle += 1
                }
                last = max(version, progress.begun ?? last)
                if last != version { try write(file, last) }
            }
            census.leftovers = try folder.names().count - 1
            return census
        }
    }

    @Test func `is the old one or the new one, each time`() async throws {
        // Writers mostly wait, for the disk and to be killed, so several lanes do not get in each other's way.
        let (lanes, kills) = (5, Extent.count(250, of: 1000))
        let census = try await withThrowingTaskGroup(of: Census.self) { group in
            for lane in 1...lanes {
                group.addTask { try await onThread { try Self.kill(kills / lanes, seed: UInt64(lane)) } }
            }
            return try await group.reduce(Census(), +)
        }
        #expect(census.complaints.isEmpty)
        #expect(census.idle + census.encoding + census.writing == kills)
        // Otherwise little was tried: most have to be killed in the middle, many of them while the file was written, and
        // of those some before and some after the file was replaced.
        #expect(census.encoding + census.writing >= kills * 3 / 5, "\(census)")
        #expect(census.writing >= kills / 4, "\(census)")
        #expect(census.replaced < census.writing, "\(census)")
        print(
            "Killed \(kills) times: \(census.writing) while the file was written, \(census.replaced) of them after it was",
            "replaced, \(census.encoding) while encoding, \(census.idle) in between; \(census.leftovers) temporary files left"
        )
    }

    @Test func `was whole for everyone who read it meanwhile, and never became older`() throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            try file.write(version: 0)
            let child = try FileWriter.start("loop", file.path, "from=1")
            #expect(try child.line() == "ready")
            var last = 0
            var changes = 0
            for _ in 0..<400 {
                let version = try file.version
                guard version >= last else {
                    Issue.record("\(version) after \(last)")
                    break
                }
                if version > last { changes += 1 }
                last = version
            }
            #expect(child.kill() == .signal(SIGKILL))
            // It did change while it was read.
            #expect(changes > 3)
        }
    }

    @Test func `may have several writers, each of whom writes a whole one`() throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["archive"]
            try file.write(version: 0)
            let children = try (1...3).map { try FileWriter.start("loop", file.path, "from=\($0 * 1_000_000)") }
            for child in children { #expect(try child.line() == "ready") }
            var seen: Set<Int> = []
            for _ in 0..<300 { seen.insert(try file.version / 1_000_000) }
            for child in children { #expect(child.kill() == .signal(SIGKILL)) }
            #expect(seen.subtracting([0]) == [1, 2, 3])
            #expect(try file.version > 0)
        }
    }
}

/// What `body` gives on a thread of its own, which may wait without keeping tasks from running.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}
