// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of Markdown, as far as tests look at it: its blocks of code, its headings and its links.
package struct MarkdownPage {
    /// A block between two fences.
    package struct Block: Sendable {
        /// The text after the opening fence: "swift", "sh", or nothing.
        package let language: String
        /// The number of its first line in the file, from 1 on.
        package let line: Int
        package let lines: [String]
    }

    /// A link to another place.
    package struct Link: Sendable, Equatable {
        package let target: String
        /// The number of the line in the file, from 1 on.
        package let line: Int

        package init(target: String, line: Int) { (self.target, self.line) = (target, line) }
    }

    package private(set) var blocks: [Block] = []
    /// The lines that are no code, with their numbers from 1 on.
    private var prose: [(number: Int, text: Substring)] = []

    /// Reads a file, by its path from the root of the repository.
    package init(path: String) throws {
        self.init(text: try Repository.text(of: path))
    }

    /// Reads the documentation comments of a source as a page with the same lines.
    package init(commentsOf path: String) throws {
        let source = try Repository.text(of: path)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("/// ") ? line.dropFirst(4) : ""
        }
        self.init(text: lines.joined(separator: "\n"))
    }

    package init(text: String) {
        var open: (fence: Substring, language: String, line: Int, lines: [String])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.drop { $0 == " " }
            if let block = open {
                if trimmed.hasPrefix(block.fence), trimmed.allSatisfy({ $0 == "`" }) {
                    blocks.append(Block(language: block.language, line: block.line, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if trimmed.hasPrefix("```") {
                let fence = trimmed.prefix { $0 == "`" }
                open = (fence, trimmed.dropFirst(fence.count).trimmingCharacters(in: .whitespaces), index + 2, [])
            } else {
                prose.append((index + 1, line))
            }
        }
    }
}

// MARK: - Headings

extension MarkdownPage {
    /// What a link behind "#" may name, in the order of the headings.
    package var anchors: [String] {
        var anchors: [String] = []
        for (_, line) in prose {
            for match in line.matches(of: /<a (?:id|name)="([^"]+)"/) { anchors.append(String(match.1)) }
            guard line.hasPrefix("#"), let heading = line.wholeMatch(of: /#{1,6} +(.*)/)?.1 else { continue }
            let anchor = Self.anchor(of: String(heading))
            // The second heading with the same text is "text-1".
            let before = anchors.count { $0 == anchor || $0.wholeMatch(of: /(.*)-\d+/)?.1 == anchor[...] }
            anchors.append(before == 0 ? anchor : "\(anchor)-\(before)")
        }
        return anchors
    }

    /// What GitHub and others make of the text of a heading: lower case, without punctuation, hyphens for spaces.
    package static func anchor(of heading: String) -> String {
        let text = heading.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
        return String(
            text.lowercased().compactMap { character in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" || character == "_"
                    ? character : nil
            })
    }
}

// MARK: - Links

extension MarkdownPage {
    /// Targets of `[text](target)`, `[name]: target`, `<doc:Name>`, and of attributes of HTML. The text of a link may be on the
    /// line before; its target never is. Text between backticks is code.
    package var links: [Link] {
        prose.flatMap { number, line -> [Link] in
            let text = String(line).replacing(/`[^`]*`/, with: "")
            var targets = text.matches(of: /\]\(<?([^)\s>]+)[^)]*\)/).map(\.1)
            if let match = text.wholeMatch(of: /\s*\[[^\]]+\]:\s+(\S+).*/) { targets.append(match.1) }
            targets += text.matches(of: /<(doc:[^>]+)>/).map(\.1)
            targets += text.matches(of: /(?:src|href|srcset)="([^"]+)"/).map(\.1)
            return targets.map { Link(target: String($0), line: number) }
        }
    }
}
