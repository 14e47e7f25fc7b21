// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A piece of code that a document shows, and the way to find it in the sources of tests.
///
/// The test must contain all of it, line for line, in one piece. The comparison ignores indentation, empty lines, comments,
/// imports, and the additions that the compiler requires only in a test: `_ = ` in front of an unused value, and `private` in
/// front of a type. The test may contain lines that begin with `#expect` within the piece. The piece may have a gap between types
/// and their use: types that many tests need are in the suite, and their use is in a test, or in the suite's `init` right after
/// them.
struct Snippet: Sendable, CustomStringConvertible {
    /// The file, by its path from the root of the repository.
    let path: String
    /// The number of its first line there, from 1 on.
    let line: Int
    let lines: [String]

    init(path: String, line: Int, lines: [String]) {
        (self.path, self.line) = (path, line)
        self.lines = lines.compactMap { Self.essence(of: $0[...]) }
    }

    var description: String { "\(path):\(line): \(lines.first ?? "")" }

    /// Whether the lines of a source, as `essence(of:)` has them, hold all of it in one piece.
    func isContained(in source: [String]) -> Bool {
        guard !lines.isEmpty, lines.count <= source.count else { return false }
        return (0...source.count - lines.count).contains { start in
            zip(lines, source[start...]).allSatisfy(Self.isSame)
        }
    }

    private static func isSame(_ shown: String, compiled: String) -> Bool {
        shown == compiled || compiled == "_ = \(shown)" || compiled == "private \(shown)"
            || compiled == "private \(shown)".replacing("private @", with: "@")
    }

    // MARK: Lines

    /// A line without what is not compared; nil where nothing is left. A comment behind `print` says what is printed, and stays.
    static func essence(of line: Substring) -> String? {
        let line = trimmed(line)
        if line.isEmpty || line.hasPrefix("//") || line.hasPrefix("import ") { return nil }
        guard line.utf8.contains(UInt8(ascii: "/")), let comment = line.range(of: " // ") else { return String(line) }
        let code = trimmed(line[..<comment.lowerBound])
        return code.hasPrefix("print(") ? "\(code)  // \(line[comment.upperBound...])" : String(code)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0 == " " }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The lines of a source of tests that are compared.
    static func lines(of source: String) -> [String] {
        source.split(separator: "\n").compactMap(essence).filter {
            !$0.hasPrefix("#expect(") && !$0.hasPrefix("@Test") && $0 != "init() throws {"
        }
    }

    // MARK: Where they are

    /// The Swift blocks of a Markdown file.
    static func snippets(ofDocument path: String) throws -> [Snippet] {
        try MarkdownPage(path: path).blocks.filter { $0.language == "swift" }
            .map { Snippet(path: path, line: $0.line, lines: $0.lines) }
    }

    /// The Swift blocks in the documentation comments of a source.
    static func snippets(inCommentsOf path: String) throws -> [Snippet] {
        let source = try Repository.text(of: path)
        guard source.contains("/// ```swift") else { return [] }
        // The comments as a page of Markdown with the same lines.
        let text = source.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("/// ") ? line.dropFirst(4) : ""
        }
        let page = MarkdownPage(text: text.joined(separator: "\n"))
        return page.blocks.filter { $0.language == "swift" }
            .map { Snippet(path: path, line: $0.line, lines: $0.lines) }
    }
}
