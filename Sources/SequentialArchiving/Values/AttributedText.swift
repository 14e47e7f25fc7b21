// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Programs that import only this module see the type. A type alias would be a second declaration: `[AttributedText].self` would
// be ambiguous in programs that import both modules.
@_exported import struct AttributedTexts.AttributedText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AttributedText {
    /// Reads the text in a typedstream, such as the `attributedBody` of a message.
    ///
    /// ```swift
    /// let text = try AttributedText(attributedBody)
    /// print(text.string, text.mentions.map(\.value), text.links.map(\.value), text.attachments.map(\.value))
    /// ```
    ///
    /// - Throws: `TypedStreamError` if the bytes are not a typedstream; `ArchivingError` if the archive does not contain a
    ///   text.
    public init(_ data: Data) throws {
        self = try SequentialUnarchiver.unarchivedObject(of: AttributedText.self, from: data)
    }
}
