// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Text from files for people. It has only visible characters, so that it cannot control a terminal: no escape sequences, no
/// line ends, no marks of the writing direction.
enum VisibleText {
    /// `text` with escapes, as in Swift's literals, for invisible characters.
    static func escaped(_ text: some StringProtocol, quotes: Bool = false) -> String {
        var output = ""
        var isAfterText = false
        ReadableText.writeEscaped(String(text), quotes: quotes, isAfterText: &isAfterText, to: &output)
        return output
    }

    /// `text` between marks that isolate its writing direction, if it has letters that are written from right to left.
    static func isolated(_ text: String) -> String {
        text.unicodeScalars.contains(where: isRightToLeft) ? "\u{2068}\(text)\u{2069}" : text
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// `text` as a string literal, with `…` after `limit` scalars.
    static func literal(_ text: some StringProtocol, limit: Int = .max) -> String {
        let (start, isCut) = prefix(of: text, limit)
        return "\"" + escaped(start, quotes: true) + (isCut ? "\"…" : "\"")
    }

    /// `text` with escapes, with `…` after `limit` scalars.
    static func shortened(_ text: some StringProtocol, limit: Int) -> String {
        let (start, isCut) = prefix(of: text, limit)
        return escaped(start) + (isCut ? "…" : "")
    }

    private static func prefix<Text: StringProtocol>(of text: Text, _ limit: Int) -> (Text.SubSequence, isCut: Bool) {
        let end = text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
        return (text[..<end], end < text.endIndex)
    }

    /// The name of a class, unchanged if it consists of letters, digits and the punctuation of type names; otherwise as a
    /// literal of at most 200 scalars.
    static func name(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            isLetter(scalar) || scalar.isASCII && "0123456789_.$ <>,:()[]&?*-".unicodeScalars.contains(scalar)
        }
        guard isPlain, let first = text.unicodeScalars.first, isLetter(first) || first == "_",
            text.unicodeScalars.count <= nameLimit
        else { return literal(text, limit: nameLimit) }
        return text
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z": true
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }

    private static let nameLimit = 200
}

/// Estimates the width of text on a terminal and in a picture, without a font.
enum TextWidth {
    static func monospaced(_ text: String, size: Double) -> Double {
        Double(text.unicodeScalars.reduce(0) { $0 + cells($1) }) * 0.604 * size
    }

    static func prefix(of text: String, columns: Int) -> String {
        var rest = columns
        return String(
            text.unicodeScalars.prefix { scalar in
                rest -= cells(scalar)
                return rest >= 0
            })
    }

    /// The columns of a scalar: none for combining marks, two for scripts of East Asia and for emoji.
    private static func cells(_ scalar: Unicode.Scalar) -> Int {
        guard !scalar.isASCII else { return 1 }
        if scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .format { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFF:
            return 2
        default: return 1
        }
    }
}
