// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The data of a creature: a Codable value, which `ArchiveEncoder` writes to the creature's file.
struct CreatureData: Codable, Equatable {
    var title: String
    /// From 0 to 5.
    var rating: Double
    /// The date on which the creature was added; nil for data of version 0, which has no date.
    var added: Date?

    /// The valid ratings.
    static let ratings = 0.0...5.0
}

extension CreatureData: ArchiveDescribing {
    /// Without this name, the archive would contain "creatures.CreatureData", with the module.
    static let archiveName = "CreatureData"
    /// In version 0, before the type had a version, ratings were from 0 to 10.
    static let archiveVersion = 1
}

extension CreatureData {
    /// Decodes all versions. The compiler synthesizes the encoding, which writes only the current version.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = decoder.archivedVersion(of: Self.self) ?? 0
        guard version <= Self.archiveVersion else {
            throw decoder.damage(
                "The creature has version \(version); this program knows up to \(Self.archiveVersion)")
        }
        title = try container.decode(String.self, forKey: .title)
        rating = try container.decode(Double.self, forKey: .rating)
        added = try container.decodeIfPresent(Date.self, forKey: .added)
        if version < 1 { rating /= 2 }
        guard Self.ratings.contains(rating) else {
            throw decoder.damage("The rating \(rating) is not from 0 to 5")
        }
    }
}

extension Decoder {
    fileprivate func damage(_ sentence: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
    }
}
