// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The root of a document to which several programs add tokens.
public final class TokenDocument: Codable, ArchiveDescribing {
    /// The same in all programs.
    public static let archiveName = "TokenDocument"

    /// What the programs have added.
    public var tokens: [String] = []
    /// Bytes that are never read. If they are many, the file is read page by page.
    @Deferred public var padding: Data

    /// A document without tokens, with `byteCount` bytes.
    public init(byteCount: Int) {
        padding = Data(repeating: 1, count: byteCount)
    }
}
