// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program from the Swift blocks of a page, in their order, and what the page says that they print.
///
/// The page is a document, or the documentation comments of a source file. Each declaration of a block is a declaration of the
/// program. The statements of each block are in a scope inside that of the block before, so that a block can use the names of
/// others, and can use a name for something else.
package struct PageProgram: Sendable {
    /// What a line prints, as the page says.
    struct Expectation: Sendable {
        let line: Int
        let text: String
    }

    /// The name of its module.
    package let name: String
    /// The page, by its path from the root of the repository.
    package let path: String
    package private(set) var source = ""
    /// The outputs that are comments behind `print`.
    private(set) var comments: [Expectation] = []
    /// The outputs that are blocks of their own, with the lines of the `print`s.
    private(set) var outputs: [(lines: [Int], output: Expectation)] = []

    /// Lines of a program that follow each other in a file.
    private struct Part {
        let file: String
        var lines: [(number: Int, text: String)] = []
        /// Whether a reader sees it.
        var isShown = false
        /// The block without a language that follows it.
        var output: MarkdownPage.Block?
    }
}

// MARK: - Pages

extension PageProgram {
    /// The program of a document, or of the documentation comments of a source file; nil if it has no code.
    ///
    /// - Parameter part: The library that the page belongs to, or "docs" or "README": the name of its file in `Tests/Setups`.
    package init?(page path: String, of part: String) throws {
        let isSource = path.hasSuffix(".swift")
        let page = try isSource ? MarkdownPage(commentsOf: path) : MarkdownPage(path: path)
        let imports = part == "README" ? [] : ["Archiving", "Foundation"] + (part == "docs" ? [] : [part])
        let setups = "Tests/Setups/\(part).swift"
        try self.init(
            page: page, path: path, imports: imports,
            setups: (setups, Repository.exists(setups) ? Repository.text(of: setups) : ""))
    }

    /// - Parameters:
    ///   - imports: The modules that the page need not import.
    ///   - setups: The file with the code that the page does not have. The section of the page begins with `// MARK: - NAME`. In
    ///     it, a line `// block` is the place of the next block of the page. Further blocks follow the section. All pages have
    ///     what is before the sections.
    package init?(page: MarkdownPage, path: String, imports: [String], setups: (path: String, text: String)) throws {
        var blocks = page.blocks[...]
        func nextBlock() -> Part? {
            while let block = blocks.popFirst() {
                guard block.language == "swift", !Self.isManifest(block) else { continue }
                let output = blocks.first.flatMap { $0.language.isEmpty ? $0 : nil }
                return Part(file: path, lines: Array(zip(block.line..., block.lines)), isShown: true, output: output)
            }
            return nil
        }
        guard page.blocks.contains(where: { $0.language == "swift" }) else { return nil }
        let url = URL(filePath: path)
        var parts: [Part] = []
        var setup = Part(file: setups.path)
        var isSetup = true
        for (index, line) in setups.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix(Self.section) {
                isSetup = line.dropFirst(Self.section.count) == url.lastPathComponent
            } else if isSetup, line.trimmingCharacters(in: .whitespaces) == "// block" {
                guard let block = nextBlock() else {
                    throw PageFault(setups.path, index + 1, "\(path) has no further block")
                }
                parts += [setup, block]
                setup.lines = []
            } else if isSetup {
                setup.lines.append((index + 1, String(line)))
            }
        }
        parts.append(setup)
        while let block = nextBlock() { parts.append(block) }
        let name = url.deletingPathExtension().lastPathComponent.filter { $0.isLetter || $0.isNumber }
        self.init(name: name + (path.hasSuffix(".swift") ? "Comments" : "Page"), path: path, imports, parts)
    }

    private static let section = "// MARK: - "

    /// The names of the pages that a file in `Tests/Setups` has sections for.
    package static func sections(of part: String) throws -> [String] {
        try Repository.text(of: "Tests/Setups/\(part).swift").split(separator: "\n")
            .filter { $0.hasPrefix(section) }.map { String($0.dropFirst(section.count)) }
    }

    /// The manifest of a program, which `scripts/check-dependencies` builds.
    private static func isManifest(_ block: MarkdownPage.Block) -> Bool {
        block.lines.first?.hasPrefix("// swift-tools-version") == true
    }
}

// MARK: - Source

extension PageProgram {
    private init(name: String, path: String, _ imports: [String], _ parts: [Part]) {
        (self.name, self.path) = (name, path)
        var (declarations, statements) = (Text(), Text())
        var (depth, scopes) = (0, 0)
        // A declaration that has begun, with its attributes.
        var (isDeclaration, hasBody, isNewScope) = (false, false, true)
        for part in parts {
            noteOutputs(of: part)
            for (number, text) in part.lines {
                let code = Self.code(of: text)
                if code.isEmpty, !isDeclaration { continue }
                if depth == 0, !isDeclaration {
                    isDeclaration = code.firstMatch(of: Self.declaration) != nil
                    hasBody = code.firstMatch(of: /^(#|import |typealias )/) == nil
                }
                if isDeclaration {
                    declarations.append(text, part.file, number)
                } else {
                    if isNewScope {
                        statements.append("do {")
                        scopes += 1
                        isNewScope = false
                    }
                    statements.append(text, part.file, number)
                }
                for character in code {
                    if "{([".contains(character) { depth += 1 } else if "})]".contains(character) { depth -= 1 }
                }
                if isDeclaration, depth == 0, code.contains("}") || !hasBody { isDeclaration = false }
            }
            if depth == 0 { isNewScope = true }
        }
        let isAsync = statements.text.contains("await ")
        source = """
            \(imports.map { "import \($0)\n" }.joined())\(declarations.text)
            #sourceLocation()
            @MainActor func program() \(isAsync ? "async " : "")throws {
            \(statements.text)
            #sourceLocation()
            \(String(repeating: "} ", count: scopes))
            }
            func print(line: Int, _ items: Any..., separator: String = " ") {
                print("\\u{1}\\(line)\\u{2}\\(items.map { "\\($0)" }.joined(separator: separator))\\u{3}")
            }
            func expect(_ isTrue: Bool, file: StaticString = #filePath, line: UInt = #line) {
                precondition(isTrue, "An expectation is false", file: file, line: line)
            }
            @_silgen_name("run_\(name)") public func run() async throws { try await program() }

            """
    }

    /// The beginning of a declaration, an attribute in a line of its own, an import or a condition of the compiler.
    private static var declaration: Regex<Substring> {
        /^(?:@\w+(?:\([^)]*\))? *)*(?:$|(?:(?:public|private|fileprivate|final|nonisolated|indirect) +)*(?:struct|class|enum|protocol|extension|actor|func|typealias|import)\b|#(?:if|else|elseif|endif)\b)/
    }

    /// A line without its comment.
    private static func code(of line: String) -> String {
        let code = line.hasPrefix("//") ? "" : line.range(of: " // ").map { String(line[..<$0.lowerBound]) } ?? line
        return code.trimmingCharacters(in: .whitespaces)
    }

    /// Notes what the page says that a block prints.
    private mutating func noteOutputs(of part: Part) {
        guard part.isShown else { return }
        var others: [Int] = []
        for (number, text) in part.lines where text.contains(/\bprint\(/) {
            if let comment = text.range(of: "  // ") {
                let text = text[comment.upperBound...].trimmingCharacters(in: .whitespaces)
                comments.append(Expectation(line: number, text: text))
            } else {
                others.append(number)
            }
        }
        if let output = part.output, !others.isEmpty {
            let text = output.lines.joined(separator: "\n")
            outputs.append((others, Expectation(line: output.line, text: text)))
        }
    }

    /// A part of the source, with directives by which the compiler names the place of each line in its file.
    private struct Text {
        private(set) var text = "#sourceLocation(file: \"none\", line: 1)\n"
        private var next: (file: String, line: Int)?

        mutating func append(_ line: String) {
            text += line + "\n"
            next = nil
        }

        mutating func append(_ line: String, _ file: String, _ number: Int) {
            if next?.file != file || next?.line != number {
                text += "#sourceLocation(file: \"\(file)\", line: \(number))\n"
            }
            // A function of the program prints the line as well.
            text += line.replacing(/\bprint\((?=.)/, with: "print(line: #line, ") + "\n"
            next = (file, number + 1)
        }
    }
}

// MARK: - Comparison

extension PageProgram {
    /// The differences between what the page says and what the program wrote.
    func faults(in run: Program.Run) -> [PageFault] {
        let printed = run.output.matches(of: /\x{1}(\d+)\x{2}([^\x{3}]*)\x{3}/).map { (Int($0.1) ?? 0, String($0.2)) }
        var faults: [PageFault] = []
        if run.status != 0 {
            let trap = run.errors.firstMatch(of: /(?m)^(\S+):(\d+): (?:Fatal error|Precondition failed): (.*)$/)
            let end = run.output.split(separator: "\u{3}").last.map { $0.hasPrefix("\n\u{1}") ? "" : $0 } ?? ""
            faults.append(
                trap.map { PageFault(String($0.1), Int($0.2) ?? 0, String($0.3)) }
                    ?? PageFault(path, printed.last?.0 ?? 1, "The program fails from here on: \(end)\(run.errors)"))
        }
        for expected in comments {
            let texts = printed.filter { $0.0 == expected.line }.map(\.1)
            if texts.isEmpty, run.status == 0 { faults.append(PageFault(path, expected.line, "Nothing is printed")) }
            for text in texts where !Self.isSame(text, expected.text) && !expected.text.hasPrefix("\(text): ") {
                faults.append(PageFault(path, expected.line, "This is printed: \(text)"))
            }
        }
        for (lines, expected) in outputs {
            let text = printed.filter { lines.contains($0.0) }.map(\.1).joined(separator: "\n")
            if !Self.isSame(text, expected.text) {
                faults.append(PageFault(path, expected.line, "This is printed:\n\(text)"))
            }
        }
        return faults
    }

    /// Whether a text is what the page shows, where "…" stands for any text.
    private static func isSame(_ text: String, _ shown: String) -> Bool {
        let pieces = shown.components(separatedBy: "…").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        guard pieces.count > 1 else { return text == shown }
        var rest = text[...]
        for piece in pieces where !piece.isEmpty {
            guard let found = rest.range(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return text.hasPrefix(pieces[0]) && text.hasSuffix(pieces[pieces.count - 1])
    }
}

/// What is wrong with a page.
package struct PageFault: Error, CustomStringConvertible {
    /// The page, by its path from the root of the repository.
    package let path: String
    package let line: Int
    package let text: String

    init(_ path: String, _ line: Int, _ text: String) {
        (self.path, self.line, self.text) = (path, line, text)
    }

    package var description: String { "\(path):\(line): \(text)" }
}
