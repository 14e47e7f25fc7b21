/// How dates, data and strings are written for people to read, in property lists and in archives.
package enum ReadableText {
    /// The bytes of data that are shown where nobody asks for more or less.
    package static let shownByteCount = 16

    /// A date as property lists write it: 2018-06-04T17:00:00Z, with milliseconds where it has any. Dates that are no
    /// number or too far away are written in seconds from 2001-01-01 00:00 UTC.
    package static func date(_ seconds: Double) -> String {
        guard var whole = Int(exactly: seconds.rounded(.down)), whole.magnitude < GregorianDate.secondsLimit else {
            return "date \(seconds)"
        }
        var milliseconds = Int(((seconds - Double(whole)) * 1000).rounded())
        if milliseconds == 1000 {
            whole += 1
            milliseconds = 0
        }
        let date = GregorianDate(secondsSinceReference: whole).description
        guard milliseconds > 0 else { return date }
        // Four digits, the first of which becomes the point.
        let fraction = String(1000 + milliseconds).dropFirst()
        return date.dropLast() + "." + fraction + "Z"
    }

    /// The 16 bytes of a UUID as their usual text.
    package static func uuid(_ bytes: UnsafeRawBufferPointer) -> String {
        var text = ""
        for (position, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(position) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return text
    }

    /// Writes how many bytes there are, and the first of them in hexadecimal.
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
    /// `text` as a string literal.
    package static func literal(_ text: String) -> String {
        var output = "\""
        var isAfterText = false
        writeEscaped(text, isAfterText: &isAfterText, to: &output)
        return output + "\""
    }

    /// Writes `text` as it would stand between the quotes of a string literal. Nothing that it holds ends the line,
    /// changes the direction of writing, or joins with what is in front of the text.
    ///
    /// - Parameter isAfterText: Whether what was written last is text that the first scalar may join with. Says the same
    ///   of what was written here, for the text that comes next.
    package static func writeEscaped(_ text: String, isAfterText: inout Bool, to output: inout some TextOutputStream) {
        guard !text.utf8.allSatisfy(isPlain) else {
            output.write(text)
            if !text.isEmpty { isAfterText = true }
            return
        }
        for scalar in text.unicodeScalars {
            if let escape = escape(scalar, isAfterText: isAfterText) {
                output.write(escape)
                isAfterText = false
            } else {
                output.write(String(scalar))
                isAfterText = true
            }
        }
    }

    /// Whether a literal has `byte` as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// What stands for `scalar` in a literal; nil where it stands for itself.
    private static func escape(_ scalar: Unicode.Scalar, isAfterText: Bool) -> String? {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
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

    /// Whether `scalar` controls how what is around it is laid out.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        // Marks, embeddings, overrides and isolates of the direction; the separators of lines and paragraphs; the byte
        // order mark.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    /// Whether `scalar` is shown as a part of the one in front of it.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
    }
}
