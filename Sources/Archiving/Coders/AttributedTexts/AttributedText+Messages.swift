// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AttributedText {
    /// The links, from Messages and from other programs.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of runs.
    public var links: [(range: Range<String.Index>, value: URL)] {
        let texts = parts(with: "NSLink", as: String.self).compactMap { part in
            URL(string: part.value).map { (range: part.range, value: $0) }
        }
        return (parts(with: "__kIMLinkAttributeName") + parts(with: "NSLink") + texts).sorted {
            $0.range.lowerBound < $1.range.lowerBound
        }
    }

    /// The people that a message mentions, by their telephone number or address.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var mentions: [(range: Range<String.Index>, value: String)] { parts(with: "__kIMMentionConfirmedMention") }

    /// The files in a message, by their name in the database (`guid` of its table `attachment`). Each is one character of the
    /// text, U+FFFC.
    ///
    /// - Complexity: O(*n*), where *n* is the number of runs.
    public var attachments: [(range: Range<String.Index>, value: String)] {
        parts(with: "__kIMFileTransferGUIDAttributeName")
    }
}
