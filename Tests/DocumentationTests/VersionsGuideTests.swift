import Archiving
import Foundation
import TestSupport
import Testing

private struct Contact: Codable, ArchiveDescribing {
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

/// The type as it was.
private enum First {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 1

        var name: String
    }
}

private enum Second {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 2

        var givenName: String
        var familyName: String
        var height: Double?
    }
}

private final class Task: Codable, ArchiveMigrating {
    static let archiveName = "Task"
    static let archiveVersion = 3
    static let archiveMigrations: [ArchiveMigration] = [
        // 1 to 2: hours become minutes.
        .from(1) { fields in
            let hours = try fields.decode(Double.self, forKey: "hours")
            fields.remove("hours")
            fields.set(Int(hours * 60), forKey: "minutes")
        },
        // 2 to 3: "parts" are called "subtasks".
        .from(2) { fields in fields.rename("parts", to: "subtasks") },
    ]

    var title: String
    var minutes: Int
    var subtasks: [Task]
    weak var parent: Task?
}

private struct Line: Codable, Equatable, ArchiveMigrating {
    static let archiveName = "Line"
    static let archiveVersion = 2
    static let archiveMigrations: [ArchiveMigration] = [
        .from(1, as: LineVersion1.self) { Line(points: [$0.start, $0.end]) }
    ]

    var points: [[Double]]
}

private struct LineVersion1: Codable {
    var start: [Double]
    var end: [Double]
}

private final class OldTask: Codable, ArchiveDescribing {
    static let archiveName = "Task"
    static let archiveVersion = 1
    var title: String
    var hours = 1.5
    var parts: [OldTask] = []
    weak var parent: OldTask?
    init(_ title: String) { self.title = title }
}

private struct OldLine: Codable, ArchiveDescribing {
    static let archiveName = "Line"
    static let archiveVersion = 1
    var start = [0.0, 1]
    var end = [2.0, 3]
}

/// The type as it will be.
private enum Fourth {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 4
        var givenName = "Ada"
        var familyName = "Lovelace"
    }
}

/// The code of the article on types that change, and what else it says.
@Suite(.inTurn)
struct `The guide to versions`: DocumentedOutput {
    private func migrated(_ value: some Encodable) throws -> Contact {
        try ArchiveDecoder().decode(Contact.self, from: ArchiveEncoder().encode(value))
    }

    @Test func `reads each version`() throws {
        let first = try migrated(First.Contact(name: "Ada King Lovelace"))
        #expect(first.givenName == "Ada King")
        #expect(first.familyName == "Lovelace")
        #expect(first.height == nil)

        let second = try migrated(Second.Contact(givenName: "Ada", familyName: "Lovelace", height: 150))
        #expect(second.givenName == "Ada")
        #expect(second.height == 1.5)

        let third = try migrated(Contact(givenName: "Ada", familyName: "Lovelace", height: 1.5))
        #expect(third.familyName == "Lovelace")
        #expect(third.height == 1.5)

        let error = try failure { try migrated(Fourth.Contact()) }
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("version 4"))
        // Another coder knows no versions.
        let json = try JSONEncoder().encode(third)
        #expect(try JSONDecoder().decode(Contact.self, from: json).height == 1.5)
    }

    @Test func `gives new properties their defaults`() throws {
        enum PaperSize: DefaultProvider {
            static var defaultValue: Double { 210 }
        }

        struct Page: Codable, Equatable {
            var text: String
            @DefaultEmpty var tags: [String] = []
            @DefaultFalse var isPinned: Bool = false
            @DefaultZero var views: Int = 0
            @Default<PaperSize> var width: Double = PaperSize.defaultValue
        }

        let old = Data(#"{ "text": "Milk" }"#.utf8)
        let page = try JSONDecoder().decode(Page.self, from: old)
        print(page == Page(text: "Milk"))  // true
        #expect(page == Page(text: "Milk"))
        #expect(page.width == 210)

        struct OldPage: Codable {
            var text = "Milk"
        }
        #expect(try ArchiveDecoder().decode(Page.self, from: ArchiveEncoder().encode(OldPage())) == page)
        #expect(try roundTrip(page) == page)
    }

    @Test func `migrates step by step, with cycles, or by a former type`() throws {
        let old = OldTask("whole")
        old.parts = [OldTask("part")]
        old.parts[0].parent = old
        let task = try ArchiveDecoder().decode(Task.self, from: ArchiveEncoder().encode(old))
        #expect(task.title == "whole" && task.minutes == 90)
        #expect(task.subtasks.count == 1 && task.subtasks[0].minutes == 90)
        #expect(task.subtasks[0].parent === task)
        #expect(try roundTrip(task).subtasks[0].title == "part")

        let line = try ArchiveDecoder().decode(Line.self, from: ArchiveEncoder().encode(OldLine()))
        #expect(line == Line(points: [[0, 1], [2, 3]]))
    }

    class Base: Codable, ArchiveDescribing {
        class var archiveVersion: Int { 2 }
        private(set) var version: Int?
        private enum CodingKeys: CodingKey {}
        init() {}
        required init(from decoder: any Decoder) throws { version = decoder.archivedVersion(of: Base.self) }
    }

    class Inheriting: Base {}

    final class Overriding: Inheriting {
        override class var archiveVersion: Int { 5 }
        private(set) var versions: [Int?] = []
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            versions = [
                decoder.archivedVersion, decoder.archivedVersion(of: Overriding.self),
                decoder.archivedVersion(of: Inheriting.self), decoder.archivedVersion(of: Contact.self),
            ]
            try super.init(from: decoder)
        }
    }

    @Test func `has a version for each class of a chain, parallel to its names`() throws {
        let again = try roundTrip(Overriding())
        #expect(again.versions == [5, 5, 2, nil])
        #expect(again.version == 2)

        let archive = try InspectedArchive(of: Overriding())
        let entry = try #require(archive.follow(archive.objects[1]["$class"]))
        #expect(archive.classChain(of: archive.objects[1]).count == 4)
        #expect(entry["$classversions"] == [5, 2, 2])
        #expect(try InspectedArchive(of: [1]).objects.allSatisfy { $0["$classversions"] == nil })
    }

    @Test func `has version 0 for what says nothing`() throws {
        struct Silent: Codable { var x = 1 }
        let version = try decoding(archiveOf: Silent()) { $0.archivedVersion }
        #expect(version == 0)
        let json = try JSONDecoder().decode(AskingJSON.self, from: Data("{}".utf8))
        #expect(json.version == nil)
    }

    struct AskingJSON: Decodable {
        let version: Int?
        init(from decoder: any Decoder) throws { version = decoder.archivedVersion }
    }
}
