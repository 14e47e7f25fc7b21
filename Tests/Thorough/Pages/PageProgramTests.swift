// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What is wrong with a page is found: a test of `PageProgram` itself.
@Suite(.inTurn, .needs(.tool("swiftc"))) struct `The program of a page` {
    private static let pages: [(name: String, text: String, setup: String, faults: [String])] = [
        ("Right", "let a = 1\nprint(a)  // 1\nprint(a)  // 1: still\nprint(\"one\\ntwo\")  // one … two", "", []),
        ("Output", "let a = 1\nprint(a)  // 2", "", ["Output.md:3: This is printed: 1"]),
        ("Loop", "for a in 1...2 { print(a) }  // 1", "", ["Loop.md:2: This is printed: 2"]),
        ("Silent", "if 1 > 2 { print(1) }  // 1", "", ["Silent.md:2: Nothing is printed"]),
        ("Block", "print(1)\nprint(2)\n```\n\n```\n1\n3", "", ["Block.md:7: This is printed:\n1\n2"]),
        ("Name", "print(1)  // 1\nprint(b)", "", ["Name.md:3: cannot find 'b' in scope"]),
        ("Import", "print(Data())", "", ["Import.md:2: cannot find 'Data' in scope"]),
        ("Scopes", "let a = 1\n```\n```swift\nlet a = a + 1\nprint(a)  // 2\n```\n```swift\nprint(a)  // 2", "", []),
        ("Setup", "print(a)  // 1", "let a = 1\n", []),
        ("Fragment", "let c = 2", "func two() -> Int {\n    // block\n    return c\n}\nexpect(two() == 2)\n", []),
        ("Waits", "await Task.yield()\nprint(1)  // 1", "", []),
        ("Error", "struct E: Error {}\nthrow E()", "", ["Error.md:1: The program fails from here on: It throws E()"]),
        ("False", "let a = 1", "// block\nexpect(a == 2)\n", ["Setups:11: An expectation is false"]),
    ]

    @Test(.timeLimit(.minutes(5))) func `shows what is wrong, and where`() throws {
        let setups = Self.pages.filter { !$0.setup.isEmpty }.map { "// MARK: - \($0.name).md\n\($0.setup)" }.joined()
        let programs = try Self.pages.map { page in
            let text = "```swift\n\(page.text)\n```"
            return try #require(
                try PageProgram(
                    page: MarkdownPage(text: text), path: "\(page.name).md", imports: [], setups: ("Setups", setups)))
        }
        let found = try PageProgram.faults(in: programs).map(\.description)
        #expect(found.count == Self.pages.flatMap(\.faults).count, "\(found)")
        for fault in Self.pages.flatMap(\.faults) {
            #expect(found.contains { $0.hasPrefix(fault) }, "\(fault): \(found)")
        }
    }

    @Test func `is nil for a page without code, and has no place for a block that does not exist`() throws {
        let page = MarkdownPage(text: "```sh\nls\n```")
        #expect(try PageProgram(page: page, path: "A.md", imports: [], setups: ("", "")) == nil)
        #expect(throws: PageFault.self) {
            try PageProgram(
                page: MarkdownPage(text: "```swift\n```"), path: "A.md", imports: [],
                setups: ("Setups", "// MARK: - A.md\n// block\n// block\n"))
        }
    }
}
