// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Points, sizes and rectangles in Cocoa's archived form, a text: `{x, y}` or `{{x, y}, {width, height}}`.
///
/// Source: NSStringFromPoint and related functions in Apple's documentation, and the texts in archives that contain a frame.
package enum Geometry {
    /// Returns the text of a pair of numbers. As in Cocoa, a whole number has no fraction.
    static func text(_ numbers: [Double]) -> String {
        "{" + numbers.map(text).joined(separator: ", ") + "}"
    }

    /// Returns the text of two pairs of numbers.
    static func text(_ first: [Double], _ second: [Double]) -> String {
        "{\(text(first)), \(text(second))}"
    }

    private static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

// MARK: - Kinds

extension Geometry {
    /// The structs of numbers that Cocoa represents as text and stores in NSValue objects.
    package enum Kind {
        case point, size, rect

        /// The number of numbers.
        var count: Int { self == .rect ? 4 : 2 }

        /// The key of the text in an NSValue.
        var key: StaticString {
            switch self {
            case .point: "NS.pointval"
            case .size: "NS.sizeval"
            case .rect: "NS.rectval"
            }
        }

        /// The code of the kind in an NSValue, under `NS.special`.
        package var special: Int {
            switch self {
            case .point: 1
            case .size: 2
            case .rect: 3
            }
        }
    }

    /// The code of edge insets in an NSValue, under `NS.special`.
    package static var specialEdgeInsets: Int { 12 }

    /// Returns the text of the two or four numbers of a struct.
    package static func text(of numbers: [Double]) -> String {
        numbers.count == 2 ? text(numbers) : text(Array(numbers.prefix(2)), Array(numbers.suffix(2)))
    }

    /// Returns the numbers of a struct of `kind` in `text`; `nil` if `text` has another form.
    static func numbers(in text: String, of kind: Kind) -> [Double]? {
        kind == .rect
            ? pairs(in: text).map { [$0.0, $0.1, $0.2, $0.3] } : pair(in: text).map { [$0.0, $0.1] }
    }
}

// MARK: - Numbers in texts

extension Geometry {
    /// Returns the two numbers in `{x, y}`; `nil` if `text` has another form. The number of spaces does not matter.
    package static func pair(in text: String) -> (Double, Double)? {
        var rest = text.utf8[...]
        guard let pair = pair(&rest), isEnd(&rest) else { return nil }
        return pair
    }

    /// Returns the four numbers in `{{x, y}, {width, height}}`; `nil` if `text` has another form.
    package static func pairs(in text: String) -> (Double, Double, Double, Double)? {
        var rest = text.utf8[...]
        guard skip("{", &rest), let first = pair(&rest), skip(",", &rest), let second = pair(&rest), skip("}", &rest),
            isEnd(&rest)
        else { return nil }
        return (first.0, first.1, second.0, second.1)
    }

    private static func pair(_ rest: inout Substring.UTF8View) -> (Double, Double)? {
        guard skip("{", &rest), let first = number(&rest), skip(",", &rest), let second = number(&rest),
            skip("}", &rest)
        else { return nil }
        return (first, second)
    }

    private static func skipSpaces(_ rest: inout Substring.UTF8View) {
        while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    }

    private static func isEnd(_ rest: inout Substring.UTF8View) -> Bool {
        skipSpaces(&rest)
        return rest.isEmpty
    }

    private static func skip(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        skipSpaces(&rest)
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ rest: inout Substring.UTF8View) -> Double? {
        skipSpaces(&rest)
        let text = rest.prefix { byte in
            switch byte {
            // Digits, and the letters of "inf" and "nan". No "x", since Cocoa writes no hexadecimal digits.
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "i"), UInt8(ascii: "n"), UInt8(ascii: "f"),
                UInt8(ascii: "a"):
                true
            default: false
            }
        }
        guard let number = Double(Substring(text)) else { return nil }
        rest = rest[text.endIndex...]
        return number
    }
}

// MARK: - Points, sizes and rectangles in archives

extension ArchiveGraph {
    /// Writes an NSValue of a point, a size or a rectangle and returns its uid.
    func value(_ kind: Geometry.Kind, _ numbers: [Double]) -> Reference {
        let text = string(Geometry.text(of: numbers))
        let entries = [(kind.key.description, text), ("NS.special", integer(Int64(kind.special), inline: true))]
        return object(.value, entries)
    }
}

extension ArchiveContents {
    /// Returns the numbers of a point, size or rectangle in a text or an NSValue; `nil` if `value` is another object.
    func numbers(_ value: ArchivedValue, of kind: Geometry.Kind) throws(KeyedArchiveError) -> [Double]? {
        let inner = value.node.kind == .dictionary ? try self.value(of: kind.key, in: value.node) : nil
        return try text(inner ?? value).flatMap { Geometry.numbers(in: $0, of: kind) }
    }
}

// MARK: - Ranges

extension Geometry {
    /// The code of ranges in an NSValue, under `NS.special`.
    package static var specialRange: Int { 4 }

    /// Returns the two whole numbers in `{location, length}`; `nil` if `text` has another form.
    static func range(in text: String) -> (location: Int, length: Int)? {
        guard let pair = pair(in: text), let location = Int(exactly: pair.0), let length = Int(exactly: pair.1) else {
            return nil
        }
        return (location, length)
    }
}

extension ArchiveGraph {
    /// Writes an NSValue of a range and returns its uid.
    func range(location: Int, length: Int) -> Reference {
        object(
            .value,
            [
                ("NS.rangeval.location", integer(Int64(location), inline: false)),
                ("NS.rangeval.length", integer(Int64(length), inline: false)),
                ("NS.special", integer(Int64(Geometry.specialRange), inline: true)),
            ])
    }
}

extension ArchiveContents {
    /// Returns the range in a text or an NSValue; `nil` if `value` is another object.
    package func range(_ value: ArchivedValue) throws(KeyedArchiveError) -> (location: Int, length: Int)? {
        var entries = entries(of: value)
        let location = try rangeBound("NS.rangeval.location", of: &entries)
        let length = try rangeBound("NS.rangeval.length", of: &entries)
        if let location, let length { return (location, length) }
        if location != nil { throw entries.damaged("NS.rangeval.length", Self.rangeBoundSentence) }
        if length != nil { throw entries.damaged("NS.rangeval.location", Self.rangeBoundSentence) }
        return try text(value).flatMap { Geometry.range(in: $0) }
    }

    package static var rangeBoundSentence: String { "a nonnegative integer of at most 63 bits" }

    private func rangeBound(
        _ key: StaticString, of entries: inout ObjectEntries
    ) throws(KeyedArchiveError) -> Int? {
        guard let value = try entries[key] else { return nil }
        let number = try number(value).node
        guard number.kind == .integer, let bound = Int(exactly: list.objects.integer(number)), bound >= 0 else {
            throw entries.damaged(key, Self.rangeBoundSentence)
        }
        return bound
    }
}
