import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is known of a creature: a Codable value, which `ArchiveEncoder` writes into the creature's file.
struct CreatureData: Codable, Equatable {
    var title: String
    /// From 0 to 5.
    var rating: Double
    /// When the creature was added; nil for those of version 0, which did not note it.
    var added: Date?

    /// The ratings that there are.
    static let ratings = 0.0...5.0
}

extension CreatureData: ArchiveDescribing {
    /// Without it the file would say "creatures.CreatureData", after the module.
    static let archiveName = "CreatureData"
    /// Version 0, before the type had a version, rated from 0 to 10.
    static let archiveVersion = 1
}

extension CreatureData {
    /// Reads all versions. Writing is left to the compiler, since it only writes the current one.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = decoder.archivedVersion(of: Self.self) ?? 0
        guard version <= Self.archiveVersion else {
            throw decoder.damage(
                "The creature is of version \(version); this program knows up to \(Self.archiveVersion)")
        }
        title = try container.decode(String.self, forKey: .title)
        rating = try container.decode(Double.self, forKey: .rating)
        added = try container.decodeIfPresent(Date.self, forKey: .added)
        if version < 1 { rating /= 2 }
        guard Self.ratings.contains(rating) else {
            throw decoder.damage("The rating \(rating) is not one from 0 to 5")
        }
    }
}

extension Decoder {
    fileprivate func damage(_ sentence: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: sentence))
    }
}
