// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Links between the documents of the repository.
@Suite(.inTurn)
struct `Links between documents` {
    /// Describes the fault of an invalid link on a page; nil if it is valid or refers to something outside the repository.
    private static func fault(of target: String, on path: String) throws -> String? {
        if target.hasPrefix("doc:") {
            let article = article(String(target.dropFirst(4)), from: path)
            return Repository.exists(article) ? nil : "there is no \(article)"
        }
        if target.contains(/^[a-z]+:/) { return nil }
        // The rendered documentation contains no files of the repository, except pictures (`scripts/documentation`).
        if path.contains(".docc/") {
            if target.contains(/^[a-z-]+\.svg$/), Repository.exists("docs/\(target)") { return nil }
            return "an article can link to articles and sites only; name the file in the text"
        }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? path : self.path(parts[0], from: path)
        guard let file, Repository.exists(file) else { return "there is no \(file ?? "such place in the repository")" }
        guard parts.count > 1 else { return nil }
        guard file.hasSuffix(".md") else { return "\(file) has no headings" }
        return try MarkdownPage(path: file).anchors.contains(parts[1]) ? nil : "\(file) has no heading \"\(parts[1])\""
    }

    /// The path of an article: of the same module, or, as in `/ArchiveDocuments/Queries`, of another one.
    private static func article(_ name: String, from path: String) -> String {
        let parts = name.split(separator: "/")
        guard name.hasPrefix("/"), parts.count == 2 else { return "\(folder(of: path))/\(name).md" }
        return "Sources/\(parts[0])/\(parts[0]).docc/\(parts[1]).md"
    }

    private static func folder(of path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The path from the root of a relative path on a page; nil if it is outside the repository.
    private static func path(_ relative: String, from page: String) -> String? {
        if relative.hasPrefix("/") { return nil }
        var parts = folder(of: page).split(separator: "/").map(String.init)
        for step in relative.split(separator: "/").map({ $0.removingPercentEncoding ?? String($0) }) where step != "." {
            if step != ".." {
                parts.append(step)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }

    @Test(arguments: Repository.files(withExtension: "md"))
    func `refer to files and headings that exist`(path: String) throws {
        for link in try MarkdownPage(path: path).links {
            let fault = try Self.fault(of: link.target, on: path)
            #expect(fault == nil, "\(path):\(link.line): \(link.target)")
        }
    }

    @Test func `are there, and so are documents`() throws {
        let paths = Repository.files(withExtension: "md")
        #expect(
            Set(paths).isSuperset(
                of: ["README.md", "docs/security.md", "Sources/Archiving/Archiving.docc/Archiving.md"]))
        #expect(try MarkdownPage(path: "README.md").links.count > 10)
    }

    @Test(arguments: [
        ("docs/nothing.md", "README.md", "there is no docs/nothing.md"),
        ("../../nothing.md", "docs/security.md", "there is no such place in the repository"),
        ("security.md#nothing", "docs/performance.md", "docs/security.md has no heading \"nothing\""),
        ("#nothing", "docs/security.md", "docs/security.md has no heading \"nothing\""),
        (
            "../../../docs/security.md", "Sources/Archiving/Archiving.docc/SecureDecoding.md",
            "an article can link to articles and sites only; name the file in the text"
        ),
        (
            "doc:Nothing", "Sources/Archiving/Archiving.docc/Archiving.md",
            "there is no Sources/Archiving/Archiving.docc/Nothing.md"
        ),
        (
            "doc:/Archiving/Queries", "Sources/Archiving/Archiving.docc/Archiving.md",
            "there is no Sources/Archiving/Archiving.docc/Queries.md"
        ),
        (
            "nothing.svg", "Sources/Archiving/Archiving.docc/Archiving.md",
            "an article can link to articles and sites only; name the file in the text"
        ),
        ("performance.svg#x", "docs/performance.md", "docs/performance.svg has no headings"),
    ])
    func `are reported if their target does not exist`(target: String, path: String, fault: String) throws {
        #expect(try Self.fault(of: target, on: path) == fault)
    }

    @Test(arguments: [
        ("docs/security.md#limits", "README.md"), ("../README.md", "docs/security.md"),
        ("#limits", "docs/security.md"), ("https://example.com/nothing", "README.md"),
        ("https://example.com/nothing", "Sources/Archiving/Archiving.docc/SecureDecoding.md"),
        ("doc:/ArchiveDocuments/Queries", "Sources/Archiving/Archiving.docc/Archiving.md"),
        ("identity.svg", "docs/swift-archiving.docc/swift-archiving.md"),
    ])
    func `are valid if their target exists`(target: String, path: String) throws {
        #expect(try Self.fault(of: target, on: path) == nil)
    }

    @Test func `refer to the anchors that GitHub creates for headings`() {
        let page = MarkdownPage(
            text: "# What's `new`?\n## 9. One class, two\n```\n# none\n```\n## See [here](x.md)\n# A\n# A\n#none\n")
        #expect(page.anchors == ["whats-new", "9-one-class-two", "see-here", "a", "a-1"])
    }

    @Test func `are found in all their forms, and not in code`() {
        let page = MarkdownPage(
            text: """
                [a](b.md) and ![c](d.svg "title") `[e](f)` <doc:G>
                [long
                text](h.md#i)
                [j]: k.md
                <img src="l.svg" alt="">
                ```swift
                let x = [m](n)
                ```
                """)
        #expect(
            page.links == [
                .init(target: "b.md", line: 1), .init(target: "d.svg", line: 1), .init(target: "doc:G", line: 1),
                .init(target: "h.md#i", line: 3), .init(target: "k.md", line: 4), .init(target: "l.svg", line: 5),
            ])
    }
}
