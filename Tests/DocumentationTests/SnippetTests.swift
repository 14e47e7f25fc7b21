// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Whether all code that documents show is compiled, and run, by tests.
@Suite(.inTurn)
struct `Code in documents` {
    private static let catalog = "Sources/Archiving/Archiving.docc"
    private static let documentsCatalog = "Sources/ArchiveDocuments/ArchiveDocuments.docc"
    private static let inspectionCatalog = "Sources/ArchiveInspection/ArchiveInspection.docc"
    private static let sequentialCatalog = "Sources/SequentialArchiving/SequentialArchiving.docc"

    /// The sources of tests with the code of each document. Where two documents have the same code, one test will do.
    private static let tests: [String: [String]] = [
        "README.md": ["ReadmeTests"],
        "docs/recipes/favorites.md": ["RecipeTests"],
        "docs/recipes/messages.md": ["RecipeTests"],
        "docs/recipes/state-files.md": ["RecipeTests"],
        "docs/recipes/terminal-colors.md": ["RecipeTests"],
        "docs/recipes/user-defaults.md": ["RecipeTests"],
        "docs/sequential-archives.md": ["SequentialGuideTests"],
        "docs/swift-archiving.docc/swift-archiving.md": ["ReadmeTests"],
        "docs/typedstream-format.md": ["TypedStreamGuideTests"],
        "\(catalog)/Archiving.md": ["ReadmeTests"],
        "\(inspectionCatalog)/ArchiveInspection.md": ["ReadmeTests"],
        "\(catalog)/CodingClasses.md": [
            "CodingClassesTests", "CodingGuideTests", "CodingGuideTests+Values", "CodingGuideTests+Graphs",
            "CodingGuideTests+Names", "CodingGuideTests+Secure",
        ],
        "\(catalog)/DeclaredFields.md": ["DeclaredFieldsTests", "DeclaredFieldsTests+Instances"],
        "\(documentsCatalog)/ArchiveDocuments.md": ["LargeDocumentsTests"],
        "\(documentsCatalog)/DocumentApps.md": ["DocumentAppsTests", "DocumentAppsTests+SwiftUI"],
        "\(catalog)/GettingStarted.md": ["GettingStartedTests", "ReadmeTests"],
        "\(catalog)/IdentityAndCycles.md": [
            "IdentityAndCyclesTests", "PolymorphismGuideTests", "CyclesGuideTests", "CyclesGuideTests+References",
        ],
        "\(documentsCatalog)/LargeDocuments.md": ["LargeDocumentsTests"],
        "\(documentsCatalog)/LargeLists.md": ["LargeListsTests"],
        "\(documentsCatalog)/Merging.md": ["MergingTests"],
        "\(documentsCatalog)/Queries.md": ["QueriesTests"],
        "\(documentsCatalog)/Indexes.md": ["IndexesTests"],
        "\(catalog)/LookingIntoArchives.md": ["LookingGuideTests"],
        "\(catalog)/MainActorModels.md": ["MainActorModelsTests"],
        "\(catalog)/MigratingFromJSONEncoder.md": ["MigratingFromJSONEncoderTests"],
        "\(catalog)/MigratingFromNSCoding.md": ["MigratingFromNSCodingTests", "CocoaItems"],
        "\(catalog)/NamesAndSubclasses.md": ["PolymorphismGuideTests"],
        "\(catalog)/ObservableModels.md": ["ObservableModelsTests"],
        "\(catalog)/Performance.md": ["PerformanceTests", "PackedArraysGuideTests"],
        "\(catalog)/ReadingAppleArchives.md": ["ReadingAppleArchivesTests"],
        "\(catalog)/SecureDecoding.md": ["SecureDecodingTests"],
        "\(catalog)/TypeErasure.md": ["TypeErasureTests"],
        "\(catalog)/UnknownClasses.md": ["UnknownClassesGuideTests"],
        "\(catalog)/WhenTypesChange.md": ["WhenTypesChangeTests"],
        "\(inspectionCatalog)/EditingArchives.md": ["EditingGuideTests"],
        "\(inspectionCatalog)/TreesAndFoundationValues.md": ["LookingGuideTests"],
        "\(sequentialCatalog)/SequentialArchiving.md": ["SequentialGuideTests"],
    ]

    /// The sources of tests with the examples of documentation comments, whatever they are in. Some are those of documents.
    private static let testsOfComments = [
        "CommentTests+Codable", "CommentTests+Keyed", "CommentTests+Archives", "CommentTests+Sequential", "ReadmeTests",
        "PackedArraysGuideTests", "CommentTests+Fields", "LargeListsTests", "MergingTests", "QueriesTests",
        "IndexesTests",
    ]

    private static func path(_ test: String) -> String { "Tests/DocumentationTests/\(test).swift" }

    private static func sources(_ tests: [String]) throws -> [[String]] {
        try tests.map { Snippet.lines(of: try Repository.text(of: path($0))) }
    }

    /// The manifest of a program, which no test compiles: `scripts/check-dependencies` builds a program with it.
    private static func isManifest(_ snippet: Snippet) -> Bool { snippet.lines.first == "let package = Package(" }

    // MARK: Tests

    @Test(arguments: Repository.files(withExtension: "md"))
    func `is compiled by the tests of the document`(path: String) throws {
        let snippets = try Snippet.snippets(ofDocument: path)
        guard let tests = Self.tests[path] else {
            for snippet in snippets {
                Issue.record("\(snippet) … is in a document that the table of tests does not have")
            }
            return
        }
        #expect(!snippets.isEmpty, "\(path) has no Swift code, and needs no line in the table")
        let sources = try Self.sources(tests)
        for snippet in snippets where !Self.isManifest(snippet) {
            let isCompiled = sources.contains { snippet.isContained(in: $0) }
            #expect(isCompiled, "\(snippet) … is not in \(tests.joined(separator: ", "))")
        }
    }

    @Test func `is in documents and tests that exist`() {
        let documents = Set(Repository.files(withExtension: "md"))
        #expect(Set(Self.tests.keys).subtracting(documents) == [])
        for test in Self.tests.values.flatMap(\.self) + Self.testsOfComments {
            #expect(Repository.exists(Self.path(test)), "\(test)")
        }
    }

    @Test func `is compiled by tests where it is in documentation comments`() throws {
        let sources = try Self.sources(Self.testsOfComments)
        var count = 0
        let libraries = try Repository.libraries().map { "Sources/\($0)" }
        for path in libraries.flatMap({ Repository.files(withExtension: "swift", in: $0) }) {
            for snippet in try Snippet.snippets(inCommentsOf: path) {
                count += 1
                let isCompiled = sources.contains { snippet.isContained(in: $0) }
                #expect(isCompiled, "\(snippet) … is in none of \(Self.testsOfComments.joined(separator: ", "))")
            }
        }
        #expect(count > 50)
    }

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
        let manifests = try Self.tests.keys.sorted().flatMap(Snippet.snippets(ofDocument:)).filter(Self.isManifest)
        #expect(manifests.map(\.path) == paths)
        #expect(Set(manifests.map(\.lines)).count == 1)

        let text = try #require(manifests.first).lines.joined(separator: "\n")
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

    // MARK: The comparison itself

    private static let shown = [
        "final class A {", "    let b = 1  // one", "", "    // why", "}", "print(A().b)  // 1",
    ]

    @Test(arguments: [
        "final class A {\nlet b = 1\n}\nprint(A().b)  // 1",
        "    private final class A {\n        let b = 1\n\n    }\n#expect(true)\n    print(A().b) // 1\n",
        "import B\nlet c = 2\nfinal class A {\n    let b = 1  // eins\n}\nprint(A().b)  // 1\nlet d = 3",
        "final class A {\n  let b = 1\n}\n\n@Test func `prints`() {\n    print(A().b)  // 1\n}",
        "final class A {\nlet b = 1\n}\ninit() throws {\nprint(A().b)  // 1\n}",
    ])
    func `is found in one piece, with expectations or the head of a test in the midst of it`(source: String) {
        let snippet = Snippet(path: "", line: 1, lines: Self.shown)
        #expect(snippet.isContained(in: Snippet.lines(of: source)))
    }

    @Test(arguments: [
        "final class A {\n}\nprint(A().b)  // 1", "final class A {\nlet b = 2\n}\nprint(A().b)  // 1",
        "print(A().b)  // 1\nfinal class A {\nlet b = 1\n}", "final class A {\nlet b = 1\n}\nprint(A().b)  // 2",
        "final class A {\nlet b = 1\nlet c = 2\n}\nprint(A().b)  // 1", "final class A {\nlet b = 1\n}", "",
        "final class A {\nlet b = 1\n}\n@Test func `is`() {\n}\n@Test func `prints`() {\nprint(A().b)  // 1",
    ])
    func `is not found where a line is missing, another one, elsewhere, or too many`(source: String) {
        let snippet = Snippet(path: "", line: 1, lines: Self.shown)
        #expect(!snippet.isContained(in: Snippet.lines(of: source)))
    }
}
