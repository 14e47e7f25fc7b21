// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The code of all documents but the README, and of all documentation comments.
@Suite(.inTurn, .needs(.tool("swiftc")), .needs(.collectionStorage)) struct `The code of pages` {
    private static let parts = ["docs"] + ((try? Repository.libraries()) ?? [])

    private static func pages(of part: String) -> [String] {
        let folder = part == "docs" ? part : "Sources/\(part)"
        return ["md", "swift"].flatMap { Repository.files(withExtension: $0, in: folder) }
    }

    @Test(.timeLimit(.minutes(10)), arguments: parts)
    func `compiles, runs, and prints what the pages say`(part: String) throws {
        let programs = try Self.pages(of: part).compactMap { try PageProgram(page: $0, of: part) }
        #expect(programs.count > (part == "AttributedTexts" ? 0 : 5))
        for fault in try PageProgram.faults(in: programs) { Issue.record("\(fault)") }
    }

    @Test(arguments: parts) func `is there for all sections with its setup`(part: String) throws {
        let names = Self.pages(of: part).map { URL(filePath: $0).lastPathComponent }
        for section in try PageProgram.sections(of: part) {
            #expect(names.count { $0 == section } == 1, "\(section)")
        }
    }

    @Test func `is in pages of these parts`() throws {
        let pages = Self.parts.flatMap(Self.pages) + ["README.md"]
        for path in Repository.files(withExtension: "md") where !pages.contains(path) {
            let languages = try MarkdownPage(path: path).blocks.map(\.language)
            #expect(!languages.contains("swift"), "\(path)")
        }
    }
}
