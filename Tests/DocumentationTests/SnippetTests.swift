import Foundation
import Testing

/// Whether all code that documents show is compiled, and run, by tests.
struct SnippetTests {
    private static let catalog = "Sources/Archiving/Archiving.docc"

    /// The sources of tests with the code of each document.
    private static let tests: [String: [String]] = [
        "README.md": ["DocumentationTests/ReadmeTests.swift"],
        "docs/coding.md": [
            "DocumentationTests/CodingGuideTests.swift", "ArchivingTests/Keyed/CodingDocumentTests.swift",
            "ArchivingTests/Keyed/CodingDocumentTests+Graphs.swift",
            "ArchivingTests/Keyed/CodingDocumentTests+Names.swift",
            "ArchivingTests/Keyed/CodingDocumentTests+Secure.swift",
        ],
        "docs/cycles.md": [
            "DocumentationTests/CyclesGuideTests.swift", "ArchivingTests/Codable/CyclesDocumentTests.swift",
            "ArchivingTests/Codable/CyclesDocumentTests+References.swift",
        ],
        "docs/editing-archives.md": [
            "DocumentationTests/EditingGuideTests.swift", "ArchivingTests/Graph/EditingDocumentTests.swift",
        ],
        "docs/looking-into-archives.md": ["DocumentationTests/LookingGuideTests.swift"],
        "docs/packed-arrays.md": ["DocumentationTests/PackedArraysGuideTests.swift"],
        "docs/polymorphism-and-names.md": ["DocumentationTests/NamesGuideTests.swift"],
        "docs/sequential-archives.md": [
            "DocumentationTests/SequentialGuideTests.swift", "ArchivingTests/Sequential/SequentialDocumentTests.swift",
        ],
        "docs/typedstream-format.md": ["DocumentationTests/SequentialGuideTests.swift"],
        "docs/unknown-classes.md": ["DocumentationTests/UnknownClassesGuideTests.swift"],
        "docs/versions.md": [
            "DocumentationTests/VersionsGuideTests.swift", "ArchivingTests/Codable/VersionsDocumentTests.swift",
        ],
        "\(catalog)/Archiving.md": ["DocumentationTests/GettingStartedTests.swift"],
        "\(catalog)/GettingStarted.md": ["DocumentationTests/GettingStartedTests.swift"],
        "\(catalog)/IdentityAndCycles.md": ["DocumentationTests/IdentityAndCyclesTests.swift"],
        "\(catalog)/CodingClasses.md": ["DocumentationTests/CodingClassesTests.swift"],
        "\(catalog)/SecureDecoding.md": ["DocumentationTests/SecureDecodingTests.swift"],
        "\(catalog)/MigratingFromNSCoding.md": [
            "DocumentationTests/MigratingFromNSCodingTests.swift", "DocumentationTests/CocoaItems.swift",
        ],
        "\(catalog)/MigratingFromJSONEncoder.md": ["DocumentationTests/MigratingFromJSONEncoderTests.swift"],
        "\(catalog)/ReadingAppleArchives.md": ["DocumentationTests/ReadingAppleArchivesTests.swift"],
        "\(catalog)/Performance.md": ["DocumentationTests/PerformanceTests.swift"],
    ]

    /// The sources of tests with the examples of documentation comments, whatever they are in.
    private static let testsOfComments = [
        "DocumentationTests/CommentTests+Codable.swift", "DocumentationTests/CommentTests+Keyed.swift",
        "DocumentationTests/CommentTests+Archives.swift", "DocumentationTests/CommentTests+Sequential.swift",
    ]

    private static func sources(_ paths: [String]) throws -> [[String]] {
        try paths.map { Snippet.lines(of: try Repository.text(of: "Tests/\($0)")) }
    }

    /// Lines of a package manifest, which no test can compile. `manifest()` looks at them.
    private static func isManifest(_ snippet: Snippet) -> Bool { snippet.lines.first == "dependencies: [" }

    // MARK: Tests

    @Test("All code of a document is compiled by its tests", arguments: Repository.files(withExtension: "md"))
    func documents(path: String) throws {
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

    @Test("All documents of the table exist, and so do their tests")
    func table() {
        let documents = Set(Repository.files(withExtension: "md"))
        #expect(Set(Self.tests.keys).subtracting(documents) == [])
        for path in Self.tests.values.flatMap(\.self) + Self.testsOfComments {
            #expect(Repository.exists("Tests/\(path)"), "\(path)")
        }
    }

    @Test("All code in documentation comments is compiled by tests")
    func comments() throws {
        let sources = try Self.sources(Self.testsOfComments)
        var count = 0
        for path in Repository.files(withExtension: "swift", in: "Sources/Archiving") {
            for snippet in try Snippet.snippets(inCommentsOf: path) {
                count += 1
                let isCompiled = sources.contains { snippet.isContained(in: $0) }
                #expect(isCompiled, "\(snippet) … is in none of \(Self.testsOfComments.joined(separator: ", "))")
            }
        }
        #expect(count > 50)
    }

    @Test("Code in documents is marked as Swift, or as something else")
    func languages() throws {
        for path in Repository.files(withExtension: "md") {
            for block in try MarkdownPage(path: path).blocks {
                #expect(
                    ["", "swift", "objc", "sh", "console", "xml", "json", "python", "dot", "mermaid"].contains(
                        block.language),
                    "\(path):\(block.line): \(block.language)")
            }
        }
    }

    @Test("The lines for a manifest name this package and its product")
    func manifest() throws {
        let manifest = try Repository.text(of: "Package.swift")
        var count = 0
        for path in Self.tests.keys.sorted() {
            for snippet in try Snippet.snippets(ofDocument: path) where Self.isManifest(snippet) {
                count += 1
                let text = snippet.lines.joined(separator: "\n")
                let match = try #require(text.firstMatch(of: /\.product\(name: "(\w+)", package: "([\w-]+)"\)/))
                #expect(manifest.contains(".library(name: \"\(match.1)\""))
                #expect(manifest.contains("name: \"\(match.2)\""))
                #expect(text.contains("\(match.2)\")"), "The path ends with the name of the package")
            }
        }
        #expect(count > 0)
    }

    // MARK: The comparison itself

    private static let shown = [
        "final class A {", "    let b = 1  // one", "", "    // why", "}", "print(A().b)  // 1",
    ]

    @Test(
        "Code is found in one piece, however it is indented, with expectations in the midst of it",
        arguments: [
            "final class A {\nlet b = 1\n}\nprint(A().b)  // 1",
            "    private final class A {\n        let b = 1\n\n    }\n#expect(true)\n    print(A().b) // 1\n",
            "import B\nlet c = 2\nfinal class A {\n    let b = 1  // eins\n}\nprint(A().b)  // 1\nlet d = 3",
        ])
    func found(source: String) {
        let snippet = Snippet(path: "", line: 1, lines: Self.shown)
        #expect(snippet.isContained(in: Snippet.lines(of: source)))
    }

    @Test(
        "Code is not found where a line is missing, other, in another place, or another line in between",
        arguments: [
            "final class A {\n}\nprint(A().b)  // 1", "final class A {\nlet b = 2\n}\nprint(A().b)  // 1",
            "print(A().b)  // 1\nfinal class A {\nlet b = 1\n}", "final class A {\nlet b = 1\n}\nprint(A().b)  // 2",
            "final class A {\nlet b = 1\nlet c = 2\n}\nprint(A().b)  // 1", "final class A {\nlet b = 1\n}", "",
        ])
    func notFound(source: String) {
        let snippet = Snippet(path: "", line: 1, lines: Self.shown)
        #expect(!snippet.isContained(in: Snippet.lines(of: source)))
    }
}
