// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A text with attributes of its parts: an NSAttributedString.
///
/// Keyed archives and typedstreams hold it in the forms of Apple's frameworks, so that a server can write a text that AppKit
/// opens. The page of the module ``AttributedTexts`` has the names and the values of attributes.
public struct AttributedText {
    /// The text.
    public let string: String
    /// The parts of the text with the same attributes, in order. They cover the whole string, and none is empty. Runs are counted
    /// in UTF-16, so a boundary can be inside a character.
    public let runs: [(range: Range<String.Index>, attributes: [String: Any])]
    /// The error of the runs in the archive from which the text was read, if they end before the text; `nil` otherwise. The rest
    /// of the text is then one run without attributes.
    public private(set) var runsError: (any Error)?

    /// Creates a text with attributes.
    ///
    /// Runs that overlap, or that do not cover the whole string, are a programming error and trap.
    ///
    /// - Parameters:
    ///   - string: The text.
    ///   - runs: Its parts, in order. Empty for a text without attributes.
    public init(_ string: String, runs: [(range: Range<String.Index>, attributes: [String: Any])] = []) {
        var end = string.startIndex
        for run in runs {
            require(run.range.lowerBound == end && !run.range.isEmpty, "The runs of a text must follow each other")
            end = run.range.upperBound
        }
        require(runs.isEmpty || end == string.endIndex, "The runs of a text must reach its end")
        self.string = string
        self.runs =
            runs.isEmpty && !string.isEmpty ? [(string.startIndex..<string.endIndex, [:])] : runs
    }

    /// Creates a text from an archive whose `runs` may end before the text, which is then `error`.
    package init(
        _ string: String, archived runs: [(range: Range<String.Index>, attributes: [String: Any])],
        _ error: (any Error)?
    ) {
        let end = runs.last?.range.upperBound ?? string.startIndex
        self.init(string, runs: runs + (end < string.endIndex ? [(end..<string.endIndex, [:])] : []))
        runsError = error
    }

    /// Creates a text from its parts, each with its attributes. Empty parts are omitted.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    public init(_ parts: [(text: String, attributes: [String: Any])]) {
        let string = parts.reduce(into: "") { $0 += $1.text }
        var runs: [(range: Range<String.Index>, attributes: [String: Any])] = []
        var start = string.startIndex
        for part in parts where !part.text.isEmpty {
            let end = string.utf8.index(start, offsetBy: part.text.utf8.count)
            runs.append((start..<end, part.attributes))
            start = end
        }
        self.init(string, runs: runs)
    }

    /// Returns the parts of the text whose attribute `name` is a `Value`. Adjacent runs with equal values are one part.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public func parts<Value: Equatable>(
        with name: String, as type: Value.Type = Value.self
    ) -> [(range: Range<String.Index>, value: Value)] {
        var parts: [(range: Range<String.Index>, value: Value)] = []
        for run in runs {
            guard let value = run.attributes[name] as? Value else { continue }
            if let last = parts.last, last.range.upperBound == run.range.lowerBound, last.value == value {
                parts[parts.count - 1].range = last.range.lowerBound..<run.range.upperBound
            } else {
                parts.append((run.range, value))
            }
        }
        return parts
    }
}

extension AttributedText {
    /// The links, from Messages and from other programs.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of runs.
    public var links: [(range: Range<String.Index>, value: URL)] {
        let texts = parts(with: "NSLink", as: String.self).compactMap { range, text in
            URL(string: text).map { (range: range, value: $0) }
        }
        return (parts(with: "__kIMLinkAttributeName") + parts(with: "NSLink") + texts).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
    }

    /// The people that a message mentions, by their telephone number or address.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var mentions: [(range: Range<String.Index>, value: String)] { parts(with: "__kIMMentionConfirmedMention") }

    /// The files in a message, by their name in the database (`guid` of its table `attachment`). Each is one character of the
    /// text, U+FFFC.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var attachments: [(range: Range<String.Index>, value: String)] {
        parts(with: "__kIMFileTransferGUIDAttributeName")
    }
}
