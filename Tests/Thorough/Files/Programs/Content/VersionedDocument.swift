// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The root of a document that is edited and saved again and again: a version, from which everything else follows. From one
/// version to the next few instances change.
public final class VersionedDocument: Codable, ArchiveDescribing {
    /// The same in all programs.
    public static let archiveName = "VersionedDocument"
    /// What is called when the root is encoded.
    public static let encoded: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "encoded") else { preconditionFailure("Every string is a key") }
        return key
    }()

    /// The number of the version.
    public private(set) var version: Int
    /// One of them changes in each version.
    @Deferred public var sections: [Section]
    /// None in an even version, so that few numbers are needed for all objects; 100 or more in an odd one.
    public private(set) var extras: [Section]
    /// So large that the file is loaded page by page; it never changes.
    @Deferred public var records: [Section]

    private enum CodingKeys: CodingKey {
        case version, sections, extras, records
    }

    private static let sectionCount = 8

    /// The version `version`.
    public init(version: Int) {
        self.version = version
        extras = Self.extras(version)
        sections = (0..<Self.sectionCount).map { Section($0, Self.lastChange(of: $0, in: version), count: 100) }
        records = (0..<Self.sectionCount).map { Section($0, 0, count: 150_000) }
    }

    /// Encodes all of it, and says so.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode($sections, forKey: .sections)
        try container.encode(extras, forKey: .extras)
        try container.encode($records, forKey: .records)
        (encoder.userInfo[Self.encoded] as? Notice)?.body(version)
    }

    /// Makes it the next version.
    public func advance() {
        version += 1
        sections[version % Self.sectionCount].text = Section.text(version)
        extras = Self.extras(version)
    }

    /// Whether all of it is of its version. Loads everything.
    public func isWhole() throws -> Bool {
        try $sections.load()
        try $records.load()
        let expected = VersionedDocument(version: version)
        return sections == expected.sections && extras == expected.extras && records == expected.records
    }

    private static func extras(_ version: Int) -> [Section] {
        version % 2 == 0 ? [] : (0..<100 + version % 50).map { Section($0, version, count: 10) }
    }

    private static func lastChange(of section: Int, in version: Int) -> Int {
        max(0, version - (version - section + sectionCount) % sectionCount)
    }

    /// What the root's encoding calls.
    public final class Notice: Sendable {
        let body: @Sendable (Int) -> Void

        /// A notice that calls `body` with the version.
        public init(_ body: @escaping @Sendable (Int) -> Void) { self.body = body }
    }

    /// A part of the document that shows which version has changed it.
    public final class Section: Codable, Equatable, ArchiveDescribing {
        /// The same in all programs.
        public static let archiveName = "Section"

        let number: Int
        /// What the version is in words.
        public var text: String
        let bytes: Data

        init(_ number: Int, _ version: Int, count: Int) {
            self.number = number
            text = Self.text(version)
            bytes = Data(repeating: UInt8(truncatingIfNeeded: number), count: count)
        }

        static func text(_ version: Int) -> String { "changed in version \(version)" }

        /// Whether both say the same.
        public static func == (left: Section, right: Section) -> Bool {
            left.number == right.number && left.text == right.text && left.bytes == right.bytes
        }
    }
}
