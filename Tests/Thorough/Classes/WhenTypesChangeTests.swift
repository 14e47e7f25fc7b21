// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private struct Contact: Codable, ArchiveMigrating {
    static let archiveName = "Contact"
    static let archiveVersion = 3
    static let archiveMigrations: [ArchiveMigration] = [
        // 1 to 2: the name is split in two.
        .from(1) { fields in
            let words = try fields.decode(String.self, forKey: "name").split(separator: " ").map(String.init)
            fields.remove("name")
            fields.set(words.dropLast().joined(separator: " "), forKey: "givenName")
            fields.set(words.last ?? "", forKey: "familyName")
        },
        // 2 to 3: centimetres become metres.
        .from(2) { fields in
            let height = try fields.decodeIfPresent(Double.self, forKey: "height")
            fields.set(height.map { $0 / 100 }, forKey: "height")
        },
    ]

    var givenName: String
    var familyName: String
    var height: Double?
}

private final class Tag: Codable, ArchiveDescribing {
    static let archiveName = "Tag"
    var text: String
    init(text: String) { self.text = text }
}

/// Types as they were.
private enum First {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 1
        var name = "Ada King Lovelace"
    }

    struct Tag: Codable, ArchiveDescribing {
        static let archiveName = "Tag"
        var text: String
    }

    struct Recording: Codable {
        var rate = 44_100
        var samples: [Float] = [0.5]
    }
}

private enum Second {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 2
        var givenName = "Ada"
        var familyName = "Lovelace"
        var height: Double?
    }
}

/// A type as it will be.
private enum Fourth {
    struct Contact: Codable, ArchiveDescribing {
        static let archiveName = "Contact"
        static let archiveVersion = 4
        var givenName = "Ada"
        var familyName = "Lovelace"
    }
}

private class Animal: Codable {
    var name = "Rex"
}

/// The superclass that `Dog` did not have.
private class Pet: Animal {
    private(set) var owner = "nobody"

    private enum PetKeys: CodingKey { case owner }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        owner = try decoder.container(keyedBy: PetKeys.self).decodeIfPresent(String.self, forKey: .owner) ?? "nobody"
        try super.init(from: decoder)
    }
}

private final class Dog: Pet {}

private final class OldDog: Animal {}

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

/// What the article on types that change says.
@Suite(.inTurn)
struct `The article on types that change` {
    private func contact(_ value: some Encodable) throws -> Contact {
        try ArchiveDecoder().decode(Contact.self, from: ArchiveEncoder().encode(value))
    }

    @Test func `takes every version to the current one`() throws {
        let first = try contact(First.Contact())
        #expect(first.givenName == "Ada King" && first.familyName == "Lovelace" && first.height == nil)
        let second = try contact(Second.Contact(height: 150))
        #expect(second.givenName == "Ada" && second.height == 1.5)
        #expect(try contact(Second.Contact()).height == nil)
        #expect(try contact(second).height == 1.5)
        let error = try failure { try contact(Fourth.Contact()) }
        #expect(error.kind == .dataCorrupted && error.says("version 4"))
    }

    @Test func `makes a class of a struct, and a struct of a class`() throws {
        let old = First.Tag(text: "a")
        let tags = try ArchiveDecoder().decode([Tag].self, from: ArchiveEncoder().encode([old, old]))
        #expect(tags.map(\.text) == ["a", "a"] && tags[0] !== tags[1])
        let back = try ArchiveDecoder().decode([First.Tag].self, from: ArchiveEncoder().encode([tags[0], tags[0]]))
        #expect(back.map(\.text) == ["a", "a"])
    }

    @Test func `reads a number as a wider one`() throws {
        struct Recording: Codable {
            var rate: Double
            var samples: [Double]
        }
        let recording = try ArchiveDecoder().decode(
            Recording.self, from: ArchiveEncoder().encode(First.Recording()))
        #expect(recording.rate == 44_100 && recording.samples == [0.5])
    }

    @Test func `reads a class that was renamed and has another superclass`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(OldDog.self, name: "OldZoo.Dog")
        let data = try encoder.encode([OldDog()] as [Animal])

        var classes = ClassRegistry()
        classes.register(Dog.self, name: "Dog", aliases: ["OldZoo.Dog", "Zoo.Animals.Dog"])
        var decoder = ArchiveDecoder()
        decoder.classes = classes
        let dog = try #require(try decoder.decode([Animal].self, from: data)[0] as? Dog)
        #expect(dog.name == "Rex" && dog.owner == "nobody")
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
        #expect(page == Page(text: "Milk"))
        #expect(page == Page(text: "Milk"))
        #expect(page.width == 210)

        struct OldPage: Codable {
            var text = "Milk"
        }
        #expect(try ArchiveDecoder().decode(Page.self, from: ArchiveEncoder().encode(OldPage())) == page)
        #expect(try roundTrip(page) == page)
    }

    @Test(.needs(.collectionStorage)) func `migrates step by step, with cycles, or by a former type`() throws {
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
                decoder.archivedVersion(), decoder.archivedVersion(of: Overriding.self),
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
        let version = try decoding(archiveOf: Silent()) { $0.archivedVersion() }
        #expect(version == 0)
        let json = try JSONDecoder().decode(AskingJSON.self, from: Data("{}".utf8))
        #expect(json.version == nil)
    }

    struct AskingJSON: Decodable {
        let version: Int?
        init(from decoder: any Decoder) throws { version = decoder.archivedVersion() }
    }
}
