// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

/// The table of the article on trees and Foundation's values: the cases that it names are those of the enumeration.
@Suite(.inTurn) struct `The table of Foundation's values` {
    private static let article = "Sources/ArchiveInspection/ArchiveInspection.docc/TreesAndFoundationValues.md"

    /// The case of `value` as the table has it, with the labels of its values. The compiler checks the patterns, and that no case
    /// is missing.
    private static func spelling(_ value: FoundationValue) -> String {
        switch value {
        case .string(_): ".string(_)"
        case .boolean(_): ".boolean(_)"
        case .integer(_): ".integer(_)"
        case .real(_): ".real(_)"
        case .data(_): ".data(_)"
        case .date(_): ".date(_)"
        case .url(_): ".url(_)"
        case .uuid(_): ".uuid(_)"
        case .null: ".null"
        case .array(_): ".array(_)"
        case .dictionary(_): ".dictionary(_)"
        case .set(_): ".set(_)"
        case .countedSet(_): ".countedSet(_)"
        case .orderedSet(_): ".orderedSet(_)"
        case .cArray(type: _, elements: _): ".cArray(type:elements:)"
        case .decimal(_): ".decimal(_)"
        case .indexSet(_): ".indexSet(_)"
        case .indexPath(_): ".indexPath(_)"
        case .range(location: _, length: _): ".range(location:length:)"
        case .point(x: _, y: _): ".point(x:y:)"
        case .size(width: _, height: _): ".size(width:height:)"
        case .rect(x: _, y: _, width: _, height: _): ".rect(x:y:width:height:)"
        case .edgeInsets(top: _, left: _, bottom: _, right: _): ".edgeInsets(top:left:bottom:right:)"
        case .objectiveCValue(type: _, archived: _, numbers: _): ".objectiveCValue(type:archived:numbers:)"
        case .attributedString(_, runs: _): ".attributedString(_:runs:)"
        case .characterSet(builtIn: _, range: _, string: _, bitmap: _, isInverted: _):
            ".characterSet(builtIn:range:string:bitmap:isInverted:)"
        case .dateComponents(_, calendar: _, timeZone: _): ".dateComponents(_:calendar:timeZone:)"
        case .dateInterval(_): ".dateInterval(_)"
        case .color(_): ".color(_)"
        case .customColor(components: _, space: _): ".customColor(components:space:)"
        case .font(_): ".font(_)"
        case .record(_): ".record(_)"
        case .choice(_, number: _): ".choice(_:number:)"
        case .flags(_, number: _): ".flags(_:number:)"
        }
    }

    /// `.name`, or `.name(a:b:)` with "_" for values without a label, of a pattern or of a cell such as `.cArray(type: "i",
    /// elements: _)` or `.point(x:y:)`.
    private static func normalized(_ text: Substring) -> String {
        guard let start = text.firstIndex(of: "("), text.last == ")" else { return String(text) }
        var labels: [String] = []
        var depth = 0
        var argument = ""
        for character in text[text.index(after: start)...] {
            if depth == 0, character == "," || character == ")" {
                let trimmed = argument.trimmingCharacters(in: .whitespaces)
                if trimmed.wholeMatch(of: #/(\w+:)+/#) != nil {
                    labels += trimmed.split(separator: ":").map(String.init)
                } else if let label = trimmed.prefixMatch(of: #/(\w+): /#) {
                    labels.append(String(label.1))
                } else {
                    labels.append("_")
                }
                argument = ""
                continue
            }
            if "([".contains(character) { depth += 1 }
            if ")]".contains(character) { depth -= 1 }
            argument.append(character)
        }
        return text[..<start] + (labels == ["_"] ? "(_)" : "(" + labels.map { $0 + ":" }.joined() + ")")
    }

    /// The spellings in the source of `spelling(_:)`, which are those of the patterns before them.
    private static func cases() throws -> Set<String> {
        var cases: Set<String> = []
        let source = try Repository.text(of: "Tests/Thorough/Pages/ValueTableTests.swift")
        for match in source.matches(of: #/\n +case (\..+):\s+"(.+)"/#) {
            #expect(normalized(match.1) == match.2)
            cases.insert(String(match.2))
        }
        return cases
    }

    @Test func `has all cases by their names, and no other`() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 33 && cases.contains(Self.spelling(.null)))
        var found: Set<String> = []
        for line in try Repository.text(of: Self.article).split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|")
            guard cells.count == 2 else { continue }
            for match in cells[1].matches(of: #/`(\.[a-z]\w*(\(.*?\))?)`/#) {
                let name = Self.normalized(match.1)
                found.insert(name)
                #expect(cases.contains(name), "\(match.1) is no case: \(line)")
            }
        }
        #expect(cases.subtracting(found) == [])
    }
}
