/// Text from files for people. It has only visible characters, so that it cannot control a terminal: no escape sequences, no
/// line ends, no marks of the writing direction.
enum VisibleText {
    /// `text` with escapes, as in Swift's literals, for invisible characters.
    static func escaped(_ text: some StringProtocol, quotes: Bool = false) -> String {
        guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else {
            return String(text)
        }
        var output = ""
        var isAfterText = false
        for scalar in text.unicodeScalars {
            if quotes, scalar == "\"" || scalar == "\\" {
                output += "\\" + String(scalar)
                isAfterText = true
            } else if let escape = escape(scalar) {
                output += escape
                isAfterText = false
            } else if !isAfterText, joins(scalar) {
                output += code(scalar)
            } else {
                output.unicodeScalars.append(scalar)
                isAfterText = true
            }
        }
        return output
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
            scalar.isASCII
                ? scalar.properties.isAlphabetic || "0123456789_.$ <>,:()[]&?*-".unicodeScalars.contains(scalar)
                : scalar.properties.isAlphabetic
        }
        guard isPlain, let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "_",
            text.unicodeScalars.count <= nameLimit
        else { return literal(text, limit: nameLimit) }
        return text
    }

    private static let nameLimit = 200

    /// The escape for `scalar`; nil if it is visible.
    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0: "\\0"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        default: isInvisible(scalar) ? code(scalar) : nil
        }
    }

    /// Whether `scalar` is invisible, and may control a terminal.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The controls; the marks of the direction; the separators of lines and paragraphs; the byte order mark; tags.
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u{" + (digits.utf8.count < 2 ? "0" : "") + digits + "}"
    }

    /// Whether `scalar` combines with the one before it.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
    }
}
