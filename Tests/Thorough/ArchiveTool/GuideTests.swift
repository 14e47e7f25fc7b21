// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// The guide, docs/archivetool.md: what it shows is what the tool writes.
@Suite(.inTurn, .needs(.program("archivetool")))
struct `The guide` {
    /// A command line and what it writes.
    private struct Step {
        let line: String
        var output = ""
    }

    /// The blocks marked `console`: command lines that begin with "$ ", each with what it writes.
    private static func blocks() throws -> [[Step]] {
        var blocks: [[Step]] = []
        var isInside = false
        for line in try Repository.text(of: "docs/archivetool.md").components(separatedBy: "\n") {
            if line == "```console" {
                isInside = true
                blocks.append([])
            } else if line == "```" {
                isInside = false
            } else if isInside, line.hasPrefix("$ ") {
                blocks[blocks.count - 1].append(Step(line: String(line.dropFirst(2))))
            } else if isInside, !blocks[blocks.count - 1].isEmpty {
                blocks[blocks.count - 1][blocks[blocks.count - 1].count - 1].output += line + "\n"
            }
        }
        return blocks
    }

    /// The files that the guide describes.
    private static func makeFiles(in folder: TemporaryFolder) throws {
        _ = try folder.write(HandMade.farm, to: "farm.plist")
        try HandMade.farm.data().dropLast(40).write(to: folder["cut.plist"])
        let inner = HandMade.archive(["$null", "A letter from Ann"])
        _ = try folder.write(HandMade.archive(holding: inner.data()), to: "holder.plist")
        _ = try folder.write(
            HandMade.archive([
                "$null", ["$class": .uid(2), "owner": .uid(99), "founded": .uid(3)],
                HandMade.classEntry("Farm", "NSObject"),
                ["$class": .uid(4)], HandMade.classEntry("NSDate", "NSObject"),
            ]), to: "broken.plist")
        var later = try KeyedArchiveEditor(KeyedArchive(HandMade.farm))
        try later.set("Blue Hill", at: ["root", "name"])
        try later.remove(at: ["root", "size"])
        let calf = try later.addObject(ofClass: "Farm.Cow", fields: ["name": "Daisy", "owner": .uid(3)])
        try later.insert(.uid(calf), at: ["root", "animals", 0])
        let owner = try later.addObject(ofClass: "Owner", fields: ["name": "Ann", "farm": .uid(1)])
        try later.set(.uid(owner), at: ["root", "animals", 1, "owner"])
        _ = try folder.write(later.propertyList, format: .xml, to: "later.plist")
        let list: PropertyList = ["name": "Bella", "weight": 612.5, "milk": [18, 19], "isCow": true]
        _ = try folder.write(list, to: "list.plist")
        _ = try folder.write(Tool.run("convert", "--to", "json-lossless", input: list.data()).bytes, to: "list.json")
    }

    @Test func `shows what the tool writes`() throws {
        let blocks = try Self.blocks()
        #expect(blocks.count >= 8)
        try TemporaryFolder.with { folder in
            try Self.makeFiles(in: folder)
            for step in blocks.joined() {
                let output = try Self.output(of: step.line, in: folder)
                #expect(output == step.output, "$ \(step.line)")
            }
        }
    }

    /// What a command line of the shell writes, to standard output and error.
    private static func output(of line: String, in folder: TemporaryFolder) throws -> String {
        let tool = try URL(filePath: Tool.program.path).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
        let environment: [String: String?] = Tool.environment.merging(["PATH": "\(tool):\(path)"]) { $1 }
        return try Program.shell.run(["-c", "exec 2>&1\n\(line)"], in: folder.url, environment: environment).output
    }
}
