// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `Text from files` {
    @Test(arguments: [
        ("plain", "plain"), ("\u{1B}[31m", "\\u{1B}[31m"), ("a\nb\tc\rd\0", "a\\nb\\tc\\rd\\0"),
        ("\u{9B}1m", "\\u{9B}1m"),
        ("\u{7F}\u{8}", "\\u{7F}\\u{08}"), ("a\u{202E}b", "a\\u{202E}b"), ("\u{301}x", "\\u{301}x"),
        ("e\u{301}", "e\u{301}"),
        ("🐄", "🐄"), ("\u{E0041}", "\\u{E0041}"), ("“a”", "“a”"),
    ])
    func `is visible`(text: String, visible: String) {
        #expect(VisibleText.escaped(text).unicodeScalars.elementsEqual(visible.unicodeScalars))
    }

    @Test(arguments: [
        ("Farm.Cow", "Farm.Cow"), ("Box<Int, [String]>", "Box<Int, [String]>"), ("_Hidden", "_Hidden"), ("Kuh", "Kuh"),
        ("Küche", "Küche"), ("a\"b", "\"a\\\"b\""), ("a\\b", "\"a\\\\b\""), ("", "\"\""), ("1st", "\"1st\""),
        ("a\nb", "\"a\\nb\""), ("a;b", "\"a;b\""),
    ])
    func `is a name only if it cannot be mistaken for something else`(text: String, name: String) {
        #expect(VisibleText.name(text) == name)
    }

    @Test func `is cut between characters`() {
        #expect(VisibleText.literal("🐄🐄🐄", limit: 2) == "\"🐄🐄\"…")
        #expect(VisibleText.literal("🐄🐄", limit: 2) == "\"🐄🐄\"")
        #expect(
            VisibleText.name(String(repeating: "a", count: 201)) == "\"" + String(repeating: "a", count: 200) + "\"…")
    }
}

@Suite(.inTurn) struct `The line of a long command` {
    @Test(
        arguments: [
            (0, 0, 0, "| reading"), (5, 0, 1, "/ reading"), (0, 200, 2, "- reading, 0 %"),
            (199, 200, 3, "\\ reading, 99 %"),
            (200, 200, 4, "| reading, 100 %"), (300, 200, 5, "/ reading, 100 %"),
        ])
    func `has the phase and its share`(done: Int, total: Int, frame: Int, line: String) {
        #expect(Progress.line("reading", done, of: total, frame: frame) == line)
    }

    @Test(arguments: [("abc", 2, "ab"), ("牛牛", 3, "牛"), ("e\u{301}a", 1, "e\u{301}"), ("🐄", 1, ""), ("abc", 9, "abc")])
    func `is cut by the columns of its characters`(text: String, columns: Int, start: String) {
        #expect(TextWidth.prefix(of: text, columns: columns) == start)
    }

    @Test func `has no invisible characters of a file name, and fits the terminal`() async throws {
        let written = LockedText()
        let progress = Progress(columns: 20) { written.append($0) }
        progress.begin("reading “\u{1B}[31m" + String(repeating: "a", count: 100) + "”")
        progress.start(after: .zero)
        while written.text.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        progress.end()
        #expect(written.text.hasPrefix("\r\u{1B}[K| reading “\\u{1B}[3"))
        #expect(written.text.hasSuffix("\r\u{1B}[K"))
        let lines = written.text.components(separatedBy: "\r\u{1B}[K")
        #expect(lines.allSatisfy { $0.count <= 19 })
        // It stays away.
        let end = written.text
        progress.begin("writing")
        try await Task.sleep(for: .milliseconds(250))
        #expect(written.text == end)
    }
}

#if os(Linux)
    /// With a terminal that the test makes.
    @Suite(.inTurn, .needs(.program("archivetool")))
    struct `On a terminal` {
        /// Runs the tool with its output on a terminal of `columns` columns.
        ///
        /// - Parameter shell: A command line of the shell, for which `$1` is the tool and `$2` a file with the input.
        private func onTerminal(
            _ arguments: [String], columns: UInt16 = 100, input: Data? = nil, environment: [String: String?] = [:],
            shell: String? = nil
        ) throws -> (status: CInt, text: String) {
            try TemporaryFolder.with { folder in
                let (terminal, otherEnd) = try makeTerminal(columns: columns)
                defer { close(terminal) }
                var stream = Program.Stream.descriptor(terminal)
                var (program, arguments) = (try Tool.program, arguments)
                if let input {
                    let file = try folder.write(input)
                    stream = .file(URL(filePath: file))
                    if let shell { (program, arguments) = (.shell, ["-c", shell, "sh", program.path, file]) }
                }
                let variables: [String: String?] = Tool.environment.merging(["TERM": "xterm"]) { $1 }
                let process = try program.start(
                    arguments, environment: variables.merging(environment) { $1 }, input: stream,
                    output: .descriptor(terminal), errors: .descriptor(terminal), otherEnd: otherEnd)
                // The terminal has room for a few thousand bytes only: they are read while the tool writes.
                let run = try process.rest()
                return (run.status, run.output.replacingOccurrences(of: "\r\n", with: "\n"))
            }
        }

        /// A terminal for a program, and the end of it where what the program writes can be read.
        private func makeTerminal(columns: UInt16) throws -> (terminal: CInt, otherEnd: CInt) {
            // What posix_openpt does, which Swift's module of the C library leaves out. No program may inherit these: the
            // end would not be seen before that one ends as well.
            let otherEnd = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var lock: CInt = 0
            var number: CUnsignedInt = 0
            let isMade = ioctl(otherEnd, 0x4004_5431, &lock) == 0 && ioctl(otherEnd, 0x8004_5430, &number) == 0
            let terminal = isMade ? open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC) : -1
            try #require(terminal >= 0, "No terminal can be made")
            var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
            return (terminal, otherEnd)
        }

        @Test func `there are colours, unless NO_COLOR is set`() throws {
            let data = try HandMade.farm.data()
            let colored = try onTerminal(["show"], input: data)
            #expect(colored.status == 0)
            #expect(colored.text.contains("\u{1B}[36mroot\u{1B}[0m: \u{1B}[1;34mFarm\u{1B}[0m \u{1B}[35m#1\u{1B}[0m\n"))
            let plain = try onTerminal(["show"], input: data, environment: ["NO_COLOR": "1"])
            #expect(plain.text == colored.text.withoutColors)
            #expect(try onTerminal(["show"], input: data, environment: ["TERM": "dumb"]).text == plain.text)
        }

        @Test func `bars are as wide as it is`() throws {
            let data = try HandMade.farm.data()
            for columns in [UInt16(70), 120] {
                let text = try onTerminal(["stats", "--color=never"], columns: columns, input: data).text
                let widest = text.split(separator: "\n").drop { !$0.contains("  Contents") }.map(\.count).max()
                #expect(widest.map { $0 > Int(columns) - 6 && $0 <= Int(columns) } == true, "\(text)")
            }
        }

        @Test func `a command that takes longer says how far it is, and removes the line`() throws {
            let data = try HandMade.farm.data()
            let shell = "(sleep 1.6; cat \"$2\") | \"$1\" show - --color never"
            let text = try onTerminal([], input: data, shell: shell).text
            #expect(text.contains("\r\u{1B}[K| reading standard input"), "\(text)")
            let output = try Tool.inProcess("show", on: data).output
            #expect(text.hasSuffix("\r\u{1B}[K" + output))
            #expect(try onTerminal(["show", "--color", "never"], input: data).text == output)
        }

        @Test func `no command waits for input that was not announced`() throws {
            let run = try onTerminal(["show"])
            #expect(run.status == 2)
            #expect(run.text.contains("No FILE was given, and standard input is a terminal"))
        }

        @Test func `binary data is not written`() throws {
            let run = try onTerminal(["convert", "--to", "binary"], input: HandMade.farm.data())
            #expect(run.status == 2)
            #expect(run.text.contains("Binary data is not written to a terminal"))
        }
    }
#endif
