import Foundation
import TestSupport
import Testing

/// The README as a reader copies it: all of its blocks, in order, as one program.
@Suite(.inTurn, .needs(.tool("swiftc"))) struct `The README as a program` {
    @Test(.timeLimit(.minutes(5))) func `compiles as it is printed`() throws {
        let blocks = try MarkdownPage(path: "README.md").blocks.filter {
            // The manifest is no code of a program.
            $0.language == "swift" && $0.lines.first?.hasPrefix("// swift-tools-version") == false
        }
        #expect(blocks.count == 7)
        let text = blocks.flatMap(\.lines).joined(separator: "\n")
        let errors = try typeCheck(text)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `would not compile without a line`() throws {
        #expect(try typeCheck("import Archiving\nlet encoder = ArchiveEncoder()").isEmpty)
        #expect(try typeCheck("let encoder = ArchiveEncoder()").contains("ArchiveEncoder"))
    }

    /// What the compiler says of a program; nothing if it compiles.
    private func typeCheck(_ text: String) throws -> String {
        let compiler = try #require(Program.installed("swiftc"))
        let modules = try #require(Program.modules, "There are no modules beside the tests")
        return try TemporaryFolder.with { folder in
            let file = try folder.write(Data(text.utf8), to: "main.swift")
            let run = try compiler.run([
                "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", modules, file,
            ])
            #expect((run.status == 0) == run.errors.isEmpty)
            return run.errors
        }
    }
}
