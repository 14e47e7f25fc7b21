// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `Completions` {
    /// The words that bash offers after `line`.
    private func bash(_ line: String) throws -> [String] {
        let script =
            Tool.inProcess(["completions", "bash"]).output + """
                COMP_WORDS=(\(line)) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _archivetool 2>/dev/null
                printf '%s\\n' "${COMPREPLY[@]}"
                """
        let run = try #require(Program.installed("bash")).run(["-c", script])
        #expect(run.errors == "")
        return run.output.split(separator: "\n").map { String($0) }
    }

    @Test(
        .needs(.tool("bash")),
        arguments: [
            ("archivetool co", ["convert", "compact", "completions"]), ("archivetool help st", ["stats"]),
            ("archivetool stats --so", ["--sort"]), ("archivetool stats --sort ''", ["bytes", "count", "name"]),
            ("archivetool stats --sort = n", ["name"]), ("archivetool convert -t js", ["json", "json-lossless"]),
            ("archivetool completions ''", ["bash", "zsh", "fish"]), ("archivetool show --depth ''", []),
            ("archivetool --v", ["--version"]),
        ] as [(String, [String])])
    func `of bash are commands, options and values`(line: String, words: [String]) throws {
        #expect(try bash(line) == words)
    }

    @Test(
        .needs(.tool("fish")),
        arguments: [
            ("archivetool co", ["compact", "completions", "convert"]), ("archivetool stats --so", ["--sort"]),
            ("archivetool stats --sort ", ["bytes", "count", "name"]),
            ("archivetool completions ", ["bash", "fish", "zsh"]),
            ("archivetool merge --prefer m", ["mine"]),
        ] as [(String, [String])])
    func `of fish are commands, options and values`(line: String, words: [String]) throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write(
                Data(Tool.inProcess(["completions", "fish"]).output.utf8), to: "archivetool.fish")
            let run = try #require(Program.installed("fish"))
                .run(["--no-config", "-c", "source '\(file)'; complete -C '\(line)'"])
            #expect(
                run.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map { String($0) } }
                    == words)
        }
    }

    @Test(.needs(.tool("zsh"))) func `of zsh are specifications that it accepts`() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write(Data(Tool.inProcess(["completions", "zsh"]).output.utf8), to: "_archivetool")
            // Each call of _arguments is replaced by a check that every specification has its parts.
            let script = """
                _describe() { : }
                _arguments() {
                    [[ $1 == -C ]] && { state=arguments; return }
                    print -r -- $words[1] $#
                }
                for command in \(ArchiveTool.commands.map(\.name).joined(separator: " ")); do
                    words=($command) state=
                    source '\(file)'
                done
                """
            let run = try #require(Program.installed("zsh")).run(["-f", "-c", script])
            #expect(run.errors == "")
            let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(lines.map { String($0[0]) } == ArchiveTool.commands.map(\.name))
            for (line, command) in zip(lines, ArchiveTool.commands) {
                // -s, an option with a letter twice, and the operands.
                let count = command.allOptions.reduce(1) { $0 + ($1.letter == nil ? 1 : 2) } + command.operands.count
                #expect(line[1] == "\(count)")
            }
        }
    }

    @Test func `name the shells that have some`() {
        let run = Tool.inProcess(["completions", "tcsh"])
        #expect(run.status == 2 && run.errors.contains("“bash”, “zsh” and “fish”"))
    }
}

@Suite(.inTurn) struct `The manual page` {
    @Test(.needs(.tool("man"))) func `is accepted by man, and has every command and option`() throws {
        try TemporaryFolder.with { folder in
            let page = Tool.inProcess(["manual"])
            let file = try folder.write(page.bytes, to: "archivetool.1")
            let run = try #require(Program.installed("man")).run(
                ["--warnings", "-E", "UTF-8", "-l", file], environment: ["MANWIDTH": "200", "MAN_KEEP_FORMATTING": nil])
            #expect(run.status == 0 && run.errors == "")
            for command in ArchiveTool.commands {
                #expect(run.output.contains(command.usage))
                for option in command.allOptions { #expect(run.output.contains(option.spelling)) }
                for example in command.examples { #expect(run.output.contains(example.line)) }
            }
        }
    }
}
