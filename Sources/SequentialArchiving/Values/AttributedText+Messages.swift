#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The texts of Apple's Messages, whose database stores them as `attributedBody`. The attributes have the names that occur there.
extension AttributedText {
    /// Reads the text in an archive, such as the `attributedBody` of a message.
    ///
    /// ```swift
    /// let text = try AttributedText(attributedBody)
    /// print(text.string, text.mentions.map(\.value), text.links.map(\.value), text.attachments.map(\.value))
    /// ```
    ///
    /// - Throws: `TypedStreamError` if the bytes are not a typedstream; `SequentialCodingError` if the archive does not contain a
    ///   text.
    public init(_ data: Data) throws {
        self = try SequentialUnarchiver.unarchivedObject(of: AttributedText.self, from: data)
    }

    /// The mentioned people, by their telephone number or address.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var mentions: [Part<String>] { parts(with: "__kIMMentionConfirmedMention") }

    /// The links, from Messages and from other programs.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of runs.
    public var links: [Part<URL>] {
        (parts(with: "__kIMLinkAttributeName") + parts(with: "NSLink")).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
    }

    /// The files in the text, by their name in the database (`guid` of its table `attachment`). Each is one character of the
    /// text, U+FFFC.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var attachments: [Part<String>] { parts(with: "__kIMFileTransferGUIDAttributeName") }
}
