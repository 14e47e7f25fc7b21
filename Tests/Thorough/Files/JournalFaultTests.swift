// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.program("file-writer"))) struct `A document with a journal` {
    /// How many saves are acknowledged in each test: 2000 with `ARCHIVING_SAVES=2000`.
    private static let count = ProcessInfo.processInfo.environment["ARCHIVING_SAVES"].flatMap { Int($0) } ?? 150

    /// What the programs have said of their tokens.
    private struct Tokens {
        var saved: Set<String> = []
        var refused: Set<String> = []
        var wrong: [String] = []

        mutating func add(_ lines: [String]) {
            for line in lines {
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                guard words.count == 2 else { continue }
                switch words[0] {
                case "saved": saved.insert(words[1])
                case "refused": refused.insert(words[1])
                case "wrong", "error": wrong.append(line)
                default: break
                }
            }
        }
    }

    @Test(arguments: [2, 3], [["journal=yes"], ["journal=no"], []])
    func `has every save of several programs that are killed at random`(programs: Int, options: [String]) async throws {
        try await TemporaryFolder.with(isInMemory: true) { folder in
            let url = folder["document"]
            try ArchiveEncoder().encode(TokenDocument(byteCount: 0), to: url)
            var random = SeededGenerator(state: UInt64(programs * 10 + options.count))
            var tokens = Tokens()
            var kills = 0
            func start() throws -> ProgramProcess {
                kills += 1
                return try FileWriter.start("share-journal", url.path, "name=\(kills)", options: options)
            }
            var running = try (0..<programs).map { _ in try start() }
            while tokens.saved.count < Self.count {
                usleep(UInt32.random(in: 20_000..<120_000, using: &random))
                let place = Int.random(in: 0..<programs, using: &random)
                #expect(running[place].kill() == .signal(SIGKILL))
                tokens.add(try running[place].rest().lines)
                running[place] = try start()
            }
            for program in running {
                program.kill()
                tokens.add(try program.rest().lines)
            }
            #expect(tokens.wrong.isEmpty)
            let document = try ArchiveDocument<TokenDocument>(contentsOf: url, journal: .enabled)
            let found = Set(document.root.tokens)
            #expect(document.root.tokens.count == found.count)
            #expect(tokens.saved.subtracting(found).isEmpty)
            #expect(tokens.refused.intersection(found).isEmpty)
            try KeyedArchive(contentsOf: url).validate()
            document.close()
            #expect(try ArchiveDecoder().decode(TokenDocument.self, from: url).tokens == document.root.tokens)
            print(
                "\(tokens.saved.count) saves of \(programs) programs \(options), killed \(kills) times;",
                "\(tokens.refused.count) refused")
        }
    }

    #if os(Linux)
        @Test func `is opened only if its file can be locked`() throws {
            try TemporaryFolder.with { folder in
                let run = try FileWriter.run("open-journal", folder["document"].path)
                #expect(run.ending == .exit(0))
                // One call locks the file. After the others have failed, it is not locked either.
                #expect(run.lines.count > 1 && run.lines.last == "opened", "\(run.lines)")
                #expect(run.lines.dropLast().allSatisfy { $0 == "journalUnsupported" }, "\(run.lines)")
                #expect(try folder.names() == ["document"])
            }
        }

        @Test func `loses no save whichever call of the system fails`() async throws {
            try await TemporaryFolder.with(isInMemory: true) { folder in
                let run = try FileWriter.start("fail", folder["document"].path).rest(seconds: 300)
                #expect(run.ending == .exit(0))
                let wrong = run.lines.filter { $0.contains("wrong") || $0.hasPrefix("error") }
                #expect(wrong.isEmpty, "\(wrong.prefix(20))")
                let counts = run.lines.compactMap { line -> Int? in
                    let words = line.split(separator: " ")
                    return words.firstIndex(of: "calls").flatMap { Int(words[$0 + 1]) }
                }
                // Seven steps, with two errors and short writes, once and lasting.
                #expect(counts.count == 7 * 3 * 2)
                #expect(counts.allSatisfy { $0 >= 3 }, "\(run.lines)")
                print(run.lines.joined(separator: "\n"))
            }
        }
    #endif
}
