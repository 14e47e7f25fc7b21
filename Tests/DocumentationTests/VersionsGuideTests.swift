import Archiving
import Foundation
import Testing

/// The type of docs/versions.md as it is in the end, and as it was; what else the document says is tested in
/// `VersionsDocumentTests`.
struct Contact: Codable, ArchiveNamed, ArchiveVersioned {
    static let archiveName = "Contact"
    static let archiveVersion = 3

    var givenName: String
    var familyName: String
    /// In metres. Version 2 had centimetres.
    var height: Double?
}

extension Contact {
    private enum Version1: CodingKey { case name }

    init(from decoder: any Decoder) throws {
        let version = decoder.archivedVersion(of: Self.self) ?? Self.archiveVersion
        guard version <= Self.archiveVersion else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "The contact is of version \(version), and this program knows up to 3"))
        }
        if version < 2 {
            // 1 to 2: the last word is the family name.
            let name = try decoder.container(keyedBy: Version1.self).decode(String.self, forKey: .name)
            let words = name.split(separator: " ").map(String.init)
            givenName = words.dropLast().joined(separator: " ")
            familyName = words.last ?? ""
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            givenName = try container.decode(String.self, forKey: .givenName)
            familyName = try container.decode(String.self, forKey: .familyName)
            height = try container.decodeIfPresent(Double.self, forKey: .height)
        }
        if version < 3 {
            // 2 to 3: centimetres become metres.
            height = height.map { $0 / 100 }
        }
    }
}

private enum First {
    struct Contact: Codable, ArchiveNamed, ArchiveVersioned {
        static let archiveName = "Contact"
        static let archiveVersion = 1

        var name: String
    }
}

private enum Second {
    struct Contact: Codable, ArchiveNamed, ArchiveVersioned {
        static let archiveName = "Contact"
        static let archiveVersion = 2

        var givenName: String
        var familyName: String
        var height: Double?
    }
}

@Suite("The code of the guide to versions")
struct VersionsGuideTests {
    @Test("reads each version")
    func migration() throws {
        func migrated(_ value: some Encodable) throws -> Contact {
            try ArchiveDecoder().decode(Contact.self, from: ArchiveEncoder().encode(value))
        }
        let first = try migrated(First.Contact(name: "Ada King Lovelace"))
        #expect(first.givenName == "Ada King" && first.familyName == "Lovelace" && first.height == nil)
        let second = try migrated(Second.Contact(givenName: "Ada", familyName: "Lovelace", height: 150))
        #expect(second.givenName == "Ada" && second.height == 1.5)
        #expect(try migrated(second).height == 1.5)
    }
}
