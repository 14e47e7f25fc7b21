// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The README as a reader copies it: its blocks, in order, as one program.
@Suite(.inTurn, .needs(.tool("swiftc"))) struct `The README as a program` {
    /// The code of the blocks with these numbers, from 1 on; the manifest is the second block of Swift.
    private func code(ofBlocks numbers: [Int]) throws -> String {
        let blocks = try MarkdownPage(path: "README.md").blocks.filter { $0.language == "swift" }
        try #require(blocks.count == 5)
        #expect(blocks[1].lines.first?.hasPrefix("// swift-tools-version") == true)
        return numbers.flatMap { blocks[$0 - 1].lines }.joined(separator: "\n")
    }

    @Test(.timeLimit(.minutes(5)), .needs(.collectionStorage)) func `runs, and prints what it says`() throws {
        let program = try #require(try PageProgram(page: "README.md", of: "README"))
        for fault in try PageProgram.faults(in: [program]) { Issue.record("\(fault)") }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [[1], [1, 3], [1, 3, 4, 5]])
    func `compiles as it is printed`(blocks: [Int]) throws {
        let errors = try compile(code(ofBlocks: blocks))
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["import Archiving\n", "import Foundation\n"])
    func `would not compile without an import`(line: String) throws {
        let program = try code(ofBlocks: [1, 3, 4])
        #expect(program.contains(line))
        #expect(try compile(program.replacing(line, with: "")).contains("error: cannot find"))
    }

    /// Returns the errors of the compiler, which are none if the program compiles. It does everything but generate code.
    private func compile(_ text: String) throws -> String {
        let compiler = try #require(Program.installed("swiftc"))
        let modules = try #require(Program.modules, "There are no modules beside the tests")
        return try TemporaryFolder.with { folder in
            let file = try folder.write(Data(text.utf8), to: "main.swift")
            let run = try compiler.run([
                "-emit-sil", "-o", folder["main.sil"].path, "-swift-version", "6", "-warnings-as-errors", "-I", modules,
                file,
            ])
            #expect((run.status == 0) == run.errors.isEmpty)
            return run.errors
        }
    }
}
