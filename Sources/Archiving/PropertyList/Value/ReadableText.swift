// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Formats dates, data and strings for readers, in property lists and in archives.
package enum ReadableText {
    package static let shownByteCount = 16

    static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// A date in the form of property lists: 2018-06-04T17:00:00Z, with milliseconds if it has any. Dates that are not
    /// finite or too far away are formatted as seconds from 2001-01-01 00:00 UTC.
    package static func date(_ seconds: Double) -> String {
        guard var whole = Int64(exactly: seconds.rounded(.down)), whole.magnitude < GregorianDate.secondsLimit else {
            return "date \(seconds)"
        }
        var milliseconds = Int(((seconds - Double(whole)) * 1000).rounded())
        if milliseconds == 1000 {
            whole += 1
            milliseconds = 0
        }
        let date = GregorianDate(secondsSinceReference: whole).description
        guard milliseconds > 0 else { return date }
        // Four digits, the first of which the point replaces.
        let fraction = String(1000 + milliseconds).dropFirst()
        return date.dropLast() + "." + fraction + "Z"
    }

    package static func uuid(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for (position, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(position) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text
    }

    package static func write(
        _ bytes: some Collection<UInt8>, shownByteCount: Int = ReadableText.shownByteCount,
        to output: inout some TextOutputStream
    ) {
        output.write(bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes")
        guard shownByteCount > 0 else { return }
        output.write(" <")
        for (position, byte) in bytes.prefix(shownByteCount).enumerated() {
            if position > 0, position % 4 == 0 { output.write(" ") }
            if byte < 16 { output.write("0") }
            output.write(String(byte, radix: 16))
        }
        output.write(bytes.count > shownByteCount ? " …>" : ">")
    }
}

// MARK: - Strings

extension ReadableText {
    package static func literal(_ text: String) -> String {
        var output = "\""
        var isAfterText = false
        writeEscaped(text, isAfterText: &isAfterText, to: &output)
        return output + "\""
    }

    /// Writes `text` as the contents of a string literal. No part of it ends the line, changes the direction of
    /// writing, or joins with the preceding text.
    ///
    /// - Parameters:
    ///   - quotes: Whether quotation marks and backslashes are escaped, as literals need it.
    ///   - isAfterText: Whether the last output is text that the first scalar may join with. On return, the same for the
    ///     output of this call.
    package static func writeEscaped(
        _ text: String, quotes: Bool = true, isAfterText: inout Bool, to output: inout some TextOutputStream
    ) {
        guard !text.utf8.allSatisfy(isPlain) else {
            output.write(text)
            if !text.isEmpty { isAfterText = true }
            return
        }
        for scalar in text.unicodeScalars {
            if quotes, scalar == "\"" || scalar == "\\" {
                output.write("\\" + String(scalar))
                isAfterText = false
            } else if let escape = escape(scalar, isAfterText: isAfterText) {
                output.write(escape)
                isAfterText = false
            } else {
                output.write(String(scalar))
                isAfterText = true
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func escape(_ scalar: Unicode.Scalar, isAfterText: Bool) -> String? {
        switch scalar {
        case "\0": return "\\0"
        case "\t": return "\\t"
        case "\n": return "\\n"
        case "\r": return "\\r"
        default: break
        }
        guard isInvisible(scalar) || (!isAfterText && joins(scalar)) else { return nil }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u{" + (digits.utf8.count < 2 ? "0" : "") + digits + "}"
    }

    /// Returns whether `scalar` controls the layout of the surrounding text.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        // Marks, embeddings, overrides and isolates of the direction; the separators of lines and paragraphs; the byte
        // order mark; tags.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F: true
        default: false
        }
    }

    /// Returns whether `scalar` is displayed as a part of the preceding one.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
    }
}
