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
}
