#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The texts of Apple's Messages, whose database keeps them as `attributedBody`. The names of the attributes are those that are
/// found there.
extension AttributedText {
    /// The text in an archive, such as the `attributedBody` of a message.
    ///
    /// ```swift
    /// let text = try AttributedText(attributedBody)
    /// print(text.string, text.mentions.map(\.value), text.links.map(\.value), text.attachments.map(\.value))
    /// ```
    ///
    /// - Throws: `TypedStreamError` where the bytes are no typedstream; `SequentialCodingError` where they hold something else than
    ///   a text.
    public init(_ data: Data) throws {
        self = try SequentialUnarchiver.unarchivedObject(of: AttributedText.self, from: data)
    }

    /// The people who are mentioned, by what they are reached at: a telephone number or an address.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var mentions: [Part<String>] { parts(with: "__kIMMentionConfirmedMention") }

    /// The links, of Messages and of other programs.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of runs.
    public var links: [Part<URL>] {
        (parts(with: "__kIMLinkAttributeName") + parts(with: "NSLink")).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
    }

    /// The files that stand in the text, by the name that the database has for them (`guid` of its table `attachment`). Each is
    /// one character of the text, U+FFFC.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var attachments: [Part<String>] { parts(with: "__kIMFileTransferGUIDAttributeName") }
}
