// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A text with attributes of its parts: an NSAttributedString.
///
/// Keyed archives and typedstreams hold it in the forms of Apple's frameworks, so that a server can write a text that AppKit
/// opens:
///
/// ```swift
/// let bold = AttributedText.Font("Helvetica-Bold", size: 14)
/// let text = AttributedText([
///     ("See ", [:]),
///     ("the guide", ["NSLink": guide, "NSFont": bold]),
/// ])
/// let data = try ArchiveEncoder().encode(text)
///
/// let read = try ArchiveDecoder().decode(AttributedText.self, from: data)
/// for link in read.links { print(read.string[link.range], link.value) }
/// for part in read.parts(with: "NSFont", as: AttributedText.Font.self) { print(part.value.name) }
/// ```
///
/// The attributes have the names that AppKit and UIKit give them in archives:
///
/// | name | value |
/// |---|---|
/// | `NSFont` | ``Font`` |
/// | `NSColor`, `NSBackgroundColor`, `NSUnderlineColor`, `NSStrikethroughColor` | ``Color`` |
/// | `NSParagraphStyle` | ``ParagraphStyle`` |
/// | `NSLink` | `URL`, or a `String` with a URL |
/// | `NSUnderline`, `NSStrikethrough` | `Int`: 0 for none, 1 for a single line, 2 for a thick one, 9 for a double one |
/// | `NSKern` | `Double`: points between characters |
/// | `NSLigature` | `Int`: 0 for none, 1 for the usual ones |
/// | `NSBaselineOffset` | `Double`: points above the base line |
/// | `NSSuperScript` | `Int`: 1 for superscript, -1 for subscript |
/// | `NSToolTip` | `String` |
///
/// An attribute has one of these values:
///
/// - ``Font``, ``Color`` and ``ParagraphStyle``: objects of AppKit and UIKit. Typedstreams have no tab
///   stops, lists and writing directions;
/// - `String`, `Int`, `Double`, `Bool`, `Data`, `Date`, `URL`, and arrays, dictionaries and sets of these;
/// - `UnknownObject`, or in typedstreams `UnknownSequentialObject`: an object of another class. An archive of the same format
///   gets it unchanged; for the other format it is an error.
///
/// A decoder instantiates no class of the program for an attribute. `KeyedArchiver` and `SequentialArchiver` write all values that
/// they accept as objects. A mutable object, such as an NSMutableString, is written as its immutable form.
public struct AttributedText {
    /// The text.
    public let string: String
    /// The parts of the text with the same attributes, in order. They cover the whole string, and none is empty. Runs are counted
    /// in UTF-16, so a boundary can be inside a character.
    public let runs: [(range: Range<String.Index>, attributes: [String: Any])]

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
