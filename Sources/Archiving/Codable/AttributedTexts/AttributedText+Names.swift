#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AttributedText {
    /// The names of AppKit's and UIKit's attributes, with the types of their values.
    public enum Name {
        /// ``AttributedText/Font``.
        public static let font = "NSFont"
        /// The color of the text: ``AttributedText/Color``.
        public static let color = "NSColor"
        /// ``AttributedText/Color``.
        public static let backgroundColor = "NSBackgroundColor"
        /// ``AttributedText/ParagraphStyle``.
        public static let paragraphStyle = "NSParagraphStyle"
        /// `URL`, or a `String` with a URL.
        public static let link = "NSLink"
        /// `Int`: 0 for none, 1 for a single line, 2 for a thick one, 9 for a double one.
        public static let underlineStyle = "NSUnderline"
        /// ``AttributedText/Color``.
        public static let underlineColor = "NSUnderlineColor"
        /// `Int`, as for ``underlineStyle``.
        public static let strikethroughStyle = "NSStrikethrough"
        /// ``AttributedText/Color``.
        public static let strikethroughColor = "NSStrikethroughColor"
        /// `Double`: points between characters.
        public static let kern = "NSKern"
        /// `Int`: 0 for none, 1 for the usual ones.
        public static let ligature = "NSLigature"
        /// `Double`: points above the base line.
        public static let baselineOffset = "NSBaselineOffset"
        /// `Int`: 1 for superscript, -1 for subscript.
        public static let superscript = "NSSuperScript"
        /// `String`.
        public static let toolTip = "NSToolTip"
    }

    /// The fonts.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var fonts: [Part<Font>] { parts(with: Name.font) }

    /// The colors of the text.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var colors: [Part<Color>] { parts(with: Name.color) }

    /// The styles of the paragraphs.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var paragraphStyles: [Part<ParagraphStyle>] { parts(with: Name.paragraphStyle) }

    /// The links, from Messages and from other programs.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of runs.
    public var links: [Part<URL>] {
        let texts = parts(with: Name.link, as: String.self).compactMap { part in
            URL(string: part.value).map { Part(range: part.range, value: $0) }
        }
        return (parts(with: "__kIMLinkAttributeName") + parts(with: Name.link) + texts).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
    }

    /// The people that a message mentions, by their telephone number or address.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var mentions: [Part<String>] { parts(with: "__kIMMentionConfirmedMention") }

    /// The files in a message, by their name in the database (`guid` of its table `attachment`). Each is one character of the
    /// text, U+FFFC.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var attachments: [Part<String>] { parts(with: "__kIMFileTransferGUIDAttributeName") }
}
