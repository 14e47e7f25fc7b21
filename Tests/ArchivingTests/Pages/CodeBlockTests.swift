// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The blocks of code in documents. What is in them is run by `ReadmeProgramTests` and by `PageTests`.
@Suite(.inTurn)
struct `Code in documents` {
    @Test func `is marked as Swift, or as something else`() throws {
        for path in Repository.files(withExtension: "md") {
            for block in try MarkdownPage(path: path).blocks {
                #expect(
                    ["", "swift", "objc", "sh", "console", "xml", "json", "python", "dot", "mermaid"].contains(
                        block.language),
                    "\(path):\(block.line): \(block.language)")
            }
        }
    }

    @Test func `is one manifest in all documents, with this package and a version of the changelog`() throws {
        let paths = ["README.md", "Sources/Archiving/Archiving.docc/GettingStarted.md"]
        let manifests = try Repository.files(withExtension: "md").flatMap { path in
            try MarkdownPage(path: path).blocks.filter { $0.lines.contains("let package = Package(") }
                .map { (path, $0.lines.joined(separator: "\n")) }
        }
        #expect(manifests.map(\.0) == paths)
        #expect(Set(manifests.map(\.1)).count == 1)

        let text = try #require(manifests.first).1
        let product = try #require(text.firstMatch(of: /\.product\(name: "(\w+)", package: "([\w-]+)"\)/))
        let package = try Repository.text(of: "Package.swift")
        #expect(package.contains(".library(name: \"\(product.1)\""))
        #expect(package.contains("name: \"\(product.2)\""))
        let source = try #require(text.firstMatch(of: /url: ".*\/([\w-]+)\.git", from: "([\d.]+)"/))
        #expect(source.1 == product.2, "A package has the name at the end of its URL")

        let sections = try Repository.text(of: "CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## [") }
        let section = try #require(sections.first { $0.hasPrefix("## [\(source.2)] - ") })
        for path in paths {
            let says = try Repository.text(of: path).contains("Version \(source.2) is not released")
            #expect(says == section.hasSuffix(" - Unreleased"), "\(path)")
        }
        let says = try Repository.text(of: "SECURITY.md").contains("No version is released")
        #expect(says == sections.allSatisfy { $0.hasSuffix(" - Unreleased") }, "SECURITY.md")
    }

    @Test func `is short in recipes`() throws {
        let pages = Repository.files(withExtension: "md", in: "docs/recipes")
        #expect(pages.count == 6)
        for page in pages {
            let words = try Repository.text(of: page).split(whereSeparator: \.isWhitespace).count
            #expect(words <= 250, "\(page)")
        }
    }
}
