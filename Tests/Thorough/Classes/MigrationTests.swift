// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// The same type in three versions, under one name.

private enum First {
    struct Visit: Codable, ArchiveDescribing {
        static let archiveName = "Visit"
        static let archiveVersion = 1
        var hours: Double
        var town: String
    }
}

private enum Second {
    struct Visit: Codable, ArchiveDescribing {
        static let archiveName = "Visit"
        static let archiveVersion = 2
        var minutes: Int
        var town: String
    }
}

private struct Visit: Codable, Equatable, ArchiveMigrating {
    static let archiveName = "Visit"
    static let archiveVersion = 3
    static let archiveMigrations: [ArchiveMigration] = [
        .from(1) { fields in
            let hours = try fields.decode(Double.self, forKey: "hours")
            fields.remove("hours")
            fields.set(Int(hours * 60), forKey: "minutes")
        },
        .from(2) { fields in fields.rename("town", to: "place") },
    ]

    var place: String
    var minutes: Int
}

private enum Fourth {
    struct Visit: Codable, ArchiveDescribing {
        static let archiveName = "Visit"
        static let archiveVersion = 4
        var place = "Oslo"
        var minutes = 5
    }
}

@Suite(.inTurn) struct `A chain of migrations` {
    private func migrated<Value: Decodable>(
        _ value: some Encodable, as type: Value.Type = Visit.self
    ) throws -> Value {
        try ArchiveDecoder().decode(type, from: ArchiveEncoder().encode(value))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `reads each version, as the root and inside`(format: PropertyListFormat) throws {
        struct Trip<Part: Codable>: Codable {
            var parts: [Part]
            var byDay: [String: Part]
            var best: Part?
        }
        func trip<Part: Codable>(_ part: Part) throws -> Trip<Visit> {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = format
            let data = try encoder.encode(Trip(parts: [part, part], byDay: ["1": part], best: part))
            return try ArchiveDecoder().decode(Trip<Visit>.self, from: data)
        }
        let expected = Visit(place: "Oslo", minutes: 90)
        let trips = [
            try trip(First.Visit(hours: 1.5, town: "Oslo")), try trip(Second.Visit(minutes: 90, town: "Oslo")),
            try trip(expected),
        ]
        for trip in trips {
            #expect(trip.parts == [expected, expected])
            #expect(trip.byDay == ["1": expected])
            #expect(trip.best == expected)
        }
        #expect(try migrated(First.Visit(hours: 1.5, town: "Oslo")) == expected)
        #expect(try migrated(Second.Visit(minutes: 90, town: "Oslo")) == expected)
        #expect(try migrated(expected) == expected)
    }

    @Test func `reads values of several versions in one archive`() throws {
        // Two archives made one: the class entries stay apart.
        struct Mixed: Encodable {
            var a = First.Visit(hours: 1, town: "Oslo")
            var b = Second.Visit(minutes: 2, town: "Rome")
            var c = Visit(place: "Bern", minutes: 3)
        }
        let again = try migrated(Mixed(), as: [String: Visit].self)
        #expect(again["a"] == Visit(place: "Oslo", minutes: 60))
        #expect(again["b"] == Visit(place: "Rome", minutes: 2))
        #expect(again["c"] == Visit(place: "Bern", minutes: 3))
    }

    @Test func `refuses an object of a newer version, and names both`() throws {
        let error = try failure { try migrated([Fourth.Visit()], as: [Visit].self) }
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("has version 4"))
        #expect(error.says("up to 3"))
        #expect(error.says("[0]", "a newer version", "Open it with the program that wrote it"))
    }

    @Test func `has no part in the coding of others, nor in what is written`() throws {
        let visit = Visit(place: "Bern", minutes: 3)
        #expect(try JSONDecoder().decode(Visit.self, from: JSONEncoder().encode(visit)) == visit)
        struct Plain: Codable, ArchiveDescribing {
            static let archiveName = "Visit"
            static let archiveVersion = 3
            var place = "Bern"
            var minutes = 3
        }
        #expect(try ArchiveEncoder().encode(visit) == ArchiveEncoder().encode(Plain()))
    }

    @Test func `passes over versions that need no step`() throws {
        struct Old: Codable, ArchiveDescribing {
            static let archiveName = "Sparse"
            var a = 1
        }
        struct New: Codable, ArchiveMigrating {
            static let archiveName = "Sparse"
            static let archiveVersion = 9
            static let archiveMigrations: [ArchiveMigration] = [
                .from(0) { $0.set(try $0.decode(Int.self, forKey: "a") + 1, forKey: "a") },
                .from(5) { $0.set(try $0.decode(Int.self, forKey: "a") * 10, forKey: "a") },
                .from(5) { $0.set(try $0.decode(Int.self, forKey: "a") + 3, forKey: "a") },
            ]
            var a: Int
        }
        #expect(try migrated(Old(), as: New.self).a == 23)
        struct Middle: Codable, ArchiveDescribing {
            static let archiveName = "Sparse"
            static let archiveVersion = 3
            var a = 1
        }
        #expect(try migrated(Middle(), as: New.self).a == 13)
    }

    @Test func `takes an error of a step for that of the value`() throws {
        struct Short: Codable, ArchiveDescribing {
            static let archiveName = "Visit"
            static let archiveVersion = 1
            var town = "Oslo"
        }
        let error = try failure { try migrated([Short()], as: [Visit].self) }
        #expect(error.kind == .keyNotFound)
        #expect(error.says("hours"))
        #expect(error.path == "[0]")
    }
}

// MARK: - Former types

private struct Polar: Codable, ArchiveDescribing {
    static let archiveName = "Point"
    static let archiveVersion = 2
    var radius: Double
    var degrees: Double
}

private struct Point: Codable, Equatable, ArchiveMigrating {
    static let archiveName = "Point"
    static let archiveVersion = 3
    static let archiveMigrations: [ArchiveMigration] = [
        .from(1) { $0.rename("r", to: "radius") },
        .from(2, as: Polar.self) { $0.degrees == 0 ? Point(x: $0.radius, y: 0) : Point(x: 0, y: $0.radius) },
    ]
    var x: Double
    var y: Double
}

@Suite(.inTurn) struct `A migration of a former type` {
    private struct Oldest: Codable, ArchiveDescribing {
        static let archiveName = "Point"
        static let archiveVersion = 1
        var r = 4.0
        var degrees = 90.0
    }

    @Test func `decodes it, and makes the current type of it`() throws {
        let data = try ArchiveEncoder().encode([Polar(radius: 2, degrees: 0), Polar(radius: 3, degrees: 90)])
        #expect(try ArchiveDecoder().decode([Point].self, from: data) == [Point(x: 2, y: 0), Point(x: 0, y: 3)])
    }

    @Test func `decodes it from the fields that former steps have left`() throws {
        let data = try ArchiveEncoder().encode(Oldest())
        #expect(try ArchiveDecoder().decode(Point.self, from: data) == Point(x: 0, y: 4))
    }

    @Test func `is an error if it makes another type`() throws {
        struct Wrong: Codable, ArchiveMigrating {
            static let archiveName = "Point"
            static let archiveVersion = 5
            static let archiveMigrations: [ArchiveMigration] = [.from(2, as: Polar.self) { $0 }]
        }
        let data = try ArchiveEncoder().encode(Polar(radius: 2, degrees: 0))
        let error = try failure { try ArchiveDecoder().decode(Wrong.self, from: data) }
        #expect(error.kind == .typeMismatch)
        #expect(error.says("Polar"))
    }

    @Test func `makes an instance of a class, which is one for all references`() throws {
        struct OldPerson: Codable {
            var name: String
        }
        final class Person: Codable, ArchiveMigrating {
            static let archiveName = "Person"
            static let archiveVersion = 2
            static let archiveMigrations: [ArchiveMigration] = [
                .from(1, as: OldPerson.self) { Person(words: $0.name.split(separator: " ").map(String.init)) }
            ]
            var words: [String]
            init(words: [String]) { self.words = words }
        }
        final class Before: Codable, ArchiveDescribing {
            static let archiveName = "Person"
            static let archiveVersion = 1
            var name = "Ada King Lovelace"
        }
        let before = Before()
        let people = try ArchiveDecoder().decode([Person].self, from: ArchiveEncoder().encode([before, before]))
        #expect(people[0] === people[1])
        #expect(people[0].words == ["Ada", "King", "Lovelace"])
    }
}

// MARK: - Classes

private enum OldGraph {
    class Member: Codable, ArchiveDescribing {
        class var archiveName: String { "Member" }
        class var archiveVersion: Int { 1 }
        var label: String
        var boss: Member?
        var team: [Member] = []
        var buddy: Member?
        init(_ label: String) { self.label = label }
    }
}

private class Member: Codable, ArchiveMigrating {
    class var archiveName: String { "Member" }
    class var archiveVersion: Int { 2 }
    class var archiveMigrations: [ArchiveMigration] {
        [
            .from(1) { fields in
                fields.rename("label", to: "name")
                fields.rename("boss", to: "lead")
                fields.rename("team", to: "reports")
                fields.set("none", forKey: "note")
            }
        ]
    }
    var name: String
    var lead: Member?
    var reports: [Member]
    var buddy: Member?
    var note: String
}

@Suite(.inTurn) struct `A migration of a class` {
    @Test func `keeps identity, and closes cycles through fields that were renamed and those that were not`() throws {
        let boss = OldGraph.Member("boss")
        let ada = OldGraph.Member("ada")
        let bob = OldGraph.Member("bob")
        boss.team = [ada, bob, boss]
        for member in [ada, bob] { member.boss = boss }
        ada.buddy = bob
        bob.team = [ada]
        let data = try ArchiveEncoder().encode(boss)
        let again = try ArchiveDecoder().decode(Member.self, from: data)
        #expect(again.name == "boss" && again.note == "none")
        #expect(again.reports.map(\.name) == ["ada", "bob", "boss"])
        #expect(again.reports.prefix(2).allSatisfy { $0.lead === again } && again.lead == nil)
        #expect(again.reports[2] === again)
        #expect(again.reports[0].buddy === again.reports[1])
        #expect(again.reports[1].reports.count == 1 && again.reports[1].reports[0] === again.reports[0])

        let fromChild = try ArchiveDecoder().decode(Member.self, from: ArchiveEncoder().encode(ada))
        #expect(fromChild.lead?.reports.first === fromChild)
        #expect(fromChild.buddy?.reports.first === fromChild)
    }

    @Test func `comes to a subclass with the version that it inherits`() throws {
        final class OldManager: OldGraph.Member {
            override class var archiveName: String { "Manager" }
        }
        final class Manager: Member {
            override class var archiveName: String { "Manager" }
        }
        let manager = OldManager("max")
        manager.team = [manager, OldGraph.Member("ada")]
        var decoder = ArchiveDecoder()
        decoder.classes.register(Manager.self)
        let again = try decoder.decode(Member.self, from: ArchiveEncoder().encode(manager as OldGraph.Member))
        #expect(again is Manager)
        #expect(again.name == "max")
        #expect(again.reports.map(\.name) == ["max", "ada"])
        #expect(again.reports[0] === again)
    }

    @Test func `lets an initializer publish its instance, and read the version`() throws {
        final class Old: Codable, ArchiveDescribing {
            static let archiveName = "Publisher"
            static let archiveVersion = 1
            var children: [OldChild] = []
        }
        final class OldChild: Codable, ArchiveDescribing {
            static let archiveName = "PublishedChild"
            unowned let parent: Old
            init(_ parent: Old) { self.parent = parent }
        }
        let old = Old()
        old.children = [OldChild(old), OldChild(old)]
        let again = try ArchiveDecoder().decode(Publisher.self, from: ArchiveEncoder().encode(old))
        #expect(again.items.count == 2)
        #expect(again.items.allSatisfy { $0.parent === again })
        #expect(again.version == 1)
    }
}

private final class Publisher: Decodable, ArchiveMigrating {
    static let archiveName = "Publisher"
    static let archiveVersion = 2
    static let archiveMigrations: [ArchiveMigration] = [.from(1) { $0.rename("children", to: "items") }]
    private(set) var items: [PublishedChild] = []
    private(set) var version: Int?

    private enum CodingKeys: CodingKey { case items }

    init(from decoder: any Decoder) throws {
        decoder.publish(self)
        version = decoder.archivedVersion(of: Publisher.self)
        items = try decoder.container(keyedBy: CodingKeys.self).decode([PublishedChild].self, forKey: .items)
    }
}

private final class PublishedChild: Decodable, ArchiveDescribing {
    static let archiveName = "PublishedChild"
    unowned let parent: Publisher
}

// MARK: - Fields

@Suite(.inTurn) struct `The fields in a migration` {
    private struct Old: Codable, ArchiveDescribing {
        static let archiveName = "Fields"
        var number = 5
        var text = "x"
        var list = [1, 2]
        var nested = ["a": 1]
        var nothing: Int?
    }

    private static func migrated<New: Decodable>(_ type: New.Type) throws -> New {
        try ArchiveDecoder().decode(type, from: ArchiveEncoder().encode(Old()))
    }

    @Test func `say which keys there are`() throws {
        struct New: Decodable, ArchiveMigrating {
            static let archiveName = "Fields"
            static let archiveVersion = 1
            static let archiveMigrations: [ArchiveMigration] = [
                .from(0) { (fields: inout ArchiveMigration.Fields) throws in
                    #expect(fields.keys == ["number", "text", "list", "nested"])
                    fields.remove("text")
                    fields.set(1, forKey: "z")
                    fields.rename("list", to: "items")
                    fields.rename("absent", to: "present")
                    fields.set(nil as Int?, forKey: "nested")
                    #expect(fields.keys == ["number", "z", "items"])
                    #expect(!fields.keys.contains("text") && fields.keys.contains("items"))
                    #expect(try fields.decode([Int].self, forKey: "items") == [1, 2])
                    #expect(try fields.decodeIfPresent(Int.self, forKey: "text") == nil)
                    #expect(try fields.decodeIfPresent(Int.self, forKey: "z") == 1)
                    fields.rename("z", to: "number")
                }
            ]
            let keys: [String]
            let number: Int

            private struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                keys = container.allKeys.map(\.stringValue)
                number = try container.decode(Int.self, forKey: Key(stringValue: "number"))
            }
        }
        let new = try Self.migrated(New.self)
        #expect(Set(new.keys) == ["number", "items"])
        #expect(new.number == 1)
    }

    @Test func `are read by every call that containers have, also those that were set`() throws {
        struct New: Decodable, ArchiveMigrating {
            static let archiveName = "Fields"
            static let archiveVersion = 1
            static let archiveMigrations: [ArchiveMigration] = [
                .from(0) { fields in
                    fields.set(3, forKey: "newNumber")
                    fields.set("dark", forKey: "theme")
                    fields.set(["b": 2], forKey: "newNested")
                    fields.set([7, 8], forKey: "newList")
                }
            ]
            enum Theme: String, Decodable { case light, dark }
            enum Keys: CodingKey { case number, text, list, nested, nothing, newNumber, theme, newNested, newList }
            enum Letters: CodingKey { case a, b }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                #expect(try container.decode(Int.self, forKey: .number) == 5)
                #expect(try container.decode(UInt8.self, forKey: .number) == 5)
                #expect(try container.decodeIfPresent(String.self, forKey: .text) == "x")
                #expect(try container.decodeIfPresent(Int.self, forKey: .nothing) == nil)
                #expect(try container.decodeIfPresent(Double.self, forKey: .newNumber) == 3)
                #expect(try container.decode(Int.self, forKey: .newNumber) == 3)
                #expect(try container.decode(Theme.self, forKey: .theme) == .dark)
                #expect(try container.decodeNil(forKey: .newNumber) == false)
                #expect(try container.decodeNil(forKey: .text) == false)
                let nested = try container.nestedContainer(keyedBy: Letters.self, forKey: .nested)
                #expect(try nested.decode(Int.self, forKey: .a) == 1)
                let newNested = try container.nestedContainer(keyedBy: Letters.self, forKey: .newNested)
                #expect(try newNested.decode(Int.self, forKey: .b) == 2)
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                #expect(try list.decode(Int.self) == 1)
                var newList = try container.nestedUnkeyedContainer(forKey: .newList)
                #expect(try newList.decode(Int.self) == 7)
                #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: .theme) }
                #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: .nothing) }
                let text = try container.superDecoder(forKey: .text).singleValueContainer()
                #expect(try text.decode(String.self) == "x")
                let number = try container.superDecoder(forKey: .newNumber).singleValueContainer()
                #expect(try number.decode(Int.self) == 3)
                let nothing = try container.superDecoder(forKey: .nothing).singleValueContainer()
                #expect(nothing.decodeNil())
            }
        }
        _ = try Self.migrated(New.self)
    }

    @Test func `are those of another type that an initializer decodes in its place`() throws {
        struct Stored: Decodable {
            var count: Int
        }
        struct New: Decodable, ArchiveMigrating {
            static let archiveName = "Fields"
            static let archiveVersion = 1
            static let archiveMigrations: [ArchiveMigration] = [.from(0) { $0.rename("number", to: "count") }]
            let count: Int
            init(from decoder: any Decoder) throws {
                count = try decoder.singleValueContainer().decode(Stored.self).count
            }
        }
        #expect(try Self.migrated(New.self).count == 5)
    }

    @Test func `are converted with the settings of the decoder`() throws {
        struct Length: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(CodingUserInfoKey(rawValue: "scale").flatMap { encoder.userInfo[$0] as? Int } ?? 0)
            }
        }
        struct Scaled: Decodable {
            var length: Int
            init(from decoder: any Decoder) throws {
                let scale = CodingUserInfoKey(rawValue: "scale").flatMap { decoder.userInfo[$0] as? Int } ?? 0
                length = try decoder.singleValueContainer().decode(Int.self) * scale
            }
        }
        struct New: Decodable, ArchiveMigrating {
            static let archiveName = "Fields"
            static let archiveVersion = 1
            static let archiveMigrations: [ArchiveMigration] = [.from(0) { $0.set(Length(), forKey: "length") }]
            var length: Scaled
        }
        var decoder = ArchiveDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "scale"))] = 3
        #expect(try decoder.decode(New.self, from: ArchiveEncoder().encode(Old())).length.length == 9)
    }

    @Test func `belong to a value that is archived once`() throws {
        struct Tag: Codable, ArchivedOnce {
            static let archiveName = "Tag"
            static let archiveVersion = 1
            var id = 1
            var title = "red"
        }
        struct NewTag: Codable, Equatable, ArchivedOnce, ArchiveMigrating {
            static let archiveName = "Tag"
            static let archiveVersion = 2
            static let archiveMigrations: [ArchiveMigration] = [.from(1) { $0.rename("title", to: "name") }]
            var id: Int
            var name: String
        }
        let data = try ArchiveEncoder().encode([Tag(), Tag()])
        let tags = try ArchiveDecoder().decode([NewTag].self, from: data)
        #expect(tags == [NewTag(id: 1, name: "red"), NewTag(id: 1, name: "red")])
    }
}
