// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Text from files for people. It has only visible characters, so that it cannot control a terminal: no escape sequences, no
/// line ends, no marks of the writing direction.
enum VisibleText {
    /// `text` with escapes, as in Swift's literals, for invisible characters.
    static func escaped(_ text: some StringProtocol, quotes: Bool = false) -> String {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && !(quotes && ($0 == 0x22 || $0 == 0x5C)) }) {
            return String(text)
        }
        var output = String.UnicodeScalarView()
        // Whether the next scalar may join with text before it. After an escape it would change what the escape looks like.
        var isAfterText = false
        for scalar in text.unicodeScalars {
            if let escape = escape(scalar, quotes: quotes, isAfterText: isAfterText) {
                output += escape.unicodeScalars
                isAfterText = false
            } else {
                output.append(scalar)
                isAfterText = true
            }
        }
        return String(output)
    }

    /// The escape for `scalar`, as in Swift's literals; nil if it needs none.
    private static func escape(_ scalar: Unicode.Scalar, quotes: Bool, isAfterText: Bool) -> String? {
        switch scalar {
        case "\"", "\\": return quotes ? "\\" + String(scalar) : nil
        case "\0": return "\\0"
        case "\t": return "\\t"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case " "..."~": return nil
        default: break
        }
        let joins = scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
        guard isInvisible(scalar) || !isAfterText && joins else { return nil }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u{" + (digits.utf8.count < 2 ? "0" : "") + digits + "}"
    }

    /// Whether `scalar` controls the layout of the text around it: controls, marks of the direction, separators of lines, the
    /// byte order mark, tags.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        case 0xE0000...0xE007F: true
        default: false
        }
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

    /// The number of bytes, and the first `limit` of them in hexadecimal: `3 bytes <010203>`.
    static func bytes(_ bytes: Data, limit: Int) -> String {
        var text = counted(bytes.count, "byte")
        guard limit > 0 else { return text }
        text += " <"
        for (position, byte) in bytes.prefix(limit).enumerated() {
            if position > 0, position % 4 == 0 { text += " " }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text + (bytes.count > limit ? " …>" : ">")
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

/// Text that is compared with other text, or is a key of a dictionary.
enum ComparableText {
    /// The number of consecutive combining marks that such a text may have, as in the library. To compare strings, Swift sorts
    /// each run of marks, in time that grows with the square of its length.
    static let markLimit = 256

    /// Whether comparing `text` takes time in proportion to its length.
    static func isSafe(_ text: String) -> Bool {
        guard text.utf8.count > markLimit else { return true }
        var run = 0
        for scalar in text.unicodeScalars {
            // Most texts have no characters at or above the first block of combining marks.
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            run = isMark ? run + 1 : 0
            if run > markLimit { return false }
        }
        return true
    }
}
