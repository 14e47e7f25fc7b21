// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// `archivetool` as the program with which git compares archives.
@Suite(.inTurn, .needs(.tool("git")), .needs(.program("archivetool")))
struct `git` {
    /// Runs `body` in a repository with the farm as `farm.plist`, and the same farm with a new animal and other uids in the
    /// working tree.
    private func withRepository(_ body: (_ git: ([String]) throws -> Program.Run, TemporaryFolder) throws -> Void)
        throws
    {
        try TemporaryFolder.with { folder in
            func git(_ arguments: [String]) throws -> Program.Run {
                try #require(Program.installed("git")).run(
                    ["-C", folder.url.path, "-c", "user.name=A", "-c", "user.email=a@example.com"] + arguments,
                    environment: [
                        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_PAGER": "cat",
                    ])
            }
            let file = try folder.write(HandMade.farm.data(), to: "farm.plist")
            _ = try folder.write(Data("*.plist diff=archive\n".utf8), to: ".gitattributes")
            for arguments in [["init", "-q"], ["add", "."], ["commit", "-qm", "farm"]] {
                try #require(git(arguments).status == 0)
            }
            let json = #"{"$class": "Goat", "owner": {"$ref": 3}}"#
            try #require(Tool.inProcess(["insert", file, "animals/0", "-json", json, "-i", "--compact"]).status == 0)
            try body(git, folder)
        }
    }

    @Test func `shows differences with an external diff`() throws {
        try withRepository { git, folder in
            let program = try Tool.program.path
            let run = try git(["-c", "diff.archive.command='\(program)' diff", "diff"])
            #expect(run.errors == "")
            let lines = run.output.split(separator: "\n").map { String($0) }
            #expect(lines.count == 3 && lines.first == "diff farm.plist" && lines.last == "1 difference")
            #expect(lines[1].hasPrefix("+ animals/0: Goat #"))
        }
    }

    @Test func `shows new, deleted and unreadable files with an external diff`() throws {
        try withRepository { git, folder in
            let program = try Tool.program.path
            let external = ["-c", "diff.archive.command='\(program)' diff", "diff", "--no-renames", "HEAD"]
            _ = try folder.write(HandMade.everyKind.data(), to: "new.plist")
            try #require(git(["add", "new.plist"]).status == 0)
            try #require(git(["rm", "-qf", "farm.plist"]).status == 0)
            let run = try git(external)
            #expect(run.output == "diff farm.plist\n- deleted file\ndiff new.plist\n+ new file\n", "\(run.errors)")
            try #require(git(["commit", "-qm", "new"]).status == 0)
            _ = try folder.write(Data("nothing".utf8), to: "new.plist")
            let unreadable = try git(external)
            #expect(unreadable.status == 0 && unreadable.output == "diff new.plist\n")
            #expect(unreadable.errors.contains("new.plist”"))
        }
    }

    @Test func `shows lines with textconv, in which no uid is shifted`() throws {
        try withRepository { git, folder in
            let program = try Tool.program.path
            let run = try git(["-c", "diff.archive.textconv='\(program)' show --json --no-uids", "diff", "-U0"])
            let changed = run.output.split(separator: "\n").filter {
                $0.hasPrefix("+") && !$0.hasPrefix("+++") || $0.hasPrefix("-") && !$0.hasPrefix("---")
            }
            #expect(!changed.isEmpty && changed.allSatisfy { $0.hasPrefix("+") }, "\(run.output)\(run.errors)")
            #expect(changed.contains { $0.contains("Goat") })
        }
    }

    @Test func `shows differences with difftool`() throws {
        try withRepository { git, folder in
            let program = try Tool.program.path
            let run = try git([
                "-c", "difftool.archive.cmd='\(program)' diff \"$LOCAL\" \"$REMOTE\"", "difftool", "-y", "-t",
                "archive",
            ])
            #expect(
                run.output.hasPrefix("+ animals/0: Goat #") && run.output.hasSuffix("1 difference\n"), "\(run.errors)")
        }
    }

    @Test(arguments: [3, 4, 5, 6, 8, 10])
    func `another number of arguments is an error`(count: Int) {
        let run = Tool.inProcess(["diff"] + Array(repeating: "a", count: count))
        #expect(run.status == 2 && run.errors.contains("one more than “diff” takes"))
    }
}
