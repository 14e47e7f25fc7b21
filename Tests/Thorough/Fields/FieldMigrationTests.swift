// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// The same types in several versions, under one name.

private enum First {
    final class Place: Codable, Hashable, ArchiveDescribing {
        static let archiveName = "Place"
        static let archiveVersion = 1
        var title: String
        var kilometers: Double
        @Reference var next: Place?
        @References var near: [Place]
        var tags: Set<String> = ["a", "b"]
        var distances: [Int: Int] = [1: 2]
        @References var unique: Set<Place>
        init(_ title: String, _ kilometers: Double) {
            (self.title, self.kilometers) = (title, kilometers)
            (near, unique) = ([], [])
        }

        static func == (left: Place, right: Place) -> Bool { left.title == right.title }
        func hash(into hasher: inout Hasher) { hasher.combine(title) }
    }

    struct Visit: Codable, ArchiveDescribing {
        static let archiveName = "Visit"
        static let archiveVersion = 1
        var hours: Double
        var town: String
        var place: Place?
    }
}

private final class Place: ArchivedFields, Hashable, ArchiveMigrating {
    static let archiveName = "Place"
    static let archiveVersion = 3
    static let archiveMigrations: [ArchiveMigration] = [
        .from(1) { fields in
            let kilometers = try fields.decode(Double.self, forKey: "kilometers")
            fields.remove("kilometers")
            fields.set(Int(kilometers * 1000), forKey: "meters")
        },
        .from(2) { fields in fields.rename("title", to: "name") },
    ]

    var name = ""
    var meters = 0
    var next: Place?
    var near: [Place] = []
    weak var parent: Place?
    var tags: Set<String> = []
    var distances: [Int: Int] = [:]
    var unique: Set<Place> = []
    var isFinished = false

    init() {}

    static let fields = FieldList<Place> {
        Field("name", \.name)
        Field("meters", \.meters)
        Field("next", \.next)
        Field("near", \.near)
        Field("parent", \.parent, .conditional)
        Field("tags", \.tags)
        Field("distances", \.distances)
        Field("unique", \.unique)
    }

    func didFinishDecoding() { isFinished = true }

    static func == (left: Place, right: Place) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

private struct Visit: ArchivedFields, ArchiveMigrating, Equatable {
    static let archiveName = "Visit"
    static let archiveVersion = 2
    static let archiveMigrations: [ArchiveMigration] = [
        .from(1) { fields in
            let hours = try fields.decode(Double.self, forKey: "hours")
            fields.remove("hours")
            fields.set(Int(hours * 60), forKey: "minutes")
        }
    ]

    var town = ""
    var minutes = 0
    var place: Place?
    var note = "initial"

    init() {}

    static let fields = FieldList<Visit> {
        Field("town", \.town)
        Field("minutes", \.minutes)
        Field("place", \.place)
        Field("note", \.note, .default)
    }

    static func == (left: Visit, right: Visit) -> Bool {
        left.town == right.town && left.minutes == right.minutes && left.place === right.place
    }
}

private enum Fourth {
    struct Visit: Codable, ArchiveDescribing {
        static let archiveName = "Visit"
        static let archiveVersion = 4
        var town = "Oslo"
        var minutes = 5
    }
}

@Suite(.inTurn) struct `A migration of declared fields` {
    @Test func `reads former versions of structs, as the root and inside`() throws {
        let old = First.Visit(hours: 1.5, town: "Oslo", place: nil)
        for format in PropertyListFormat.allCases {
            let visit = try transcode(old, as: Visit.self, format: format)
            #expect(visit.town == "Oslo" && visit.minutes == 90 && visit.place == nil && visit.note == "initial")
            let visits = try transcode([old, old], as: [Visit].self, format: format)
            #expect(visits == [visit, visit])
            #expect(try transcode(["a": old], as: [String: Visit].self, format: format) == ["a": visit])
            #expect(try roundTrip([visit, visit], format: format) == [visit, visit])
        }
    }

    @Test func `reads former versions of instances, in cycles`() throws {
        let places = (0..<3).map { First.Place("place \($0)", 0.25 * Double($0)) }
        for index in 0..<3 {
            places[index].next = places[(index + 1) % 3]
            places[index].near = [places[(index + 2) % 3], places[index]]
            places[index].unique = [places[(index + 1) % 3], places[index]]
        }
        defer { for place in places { (place.next, place.near, place.unique) = (nil, [], []) } }
        let copies = try transcode(places, as: [Place].self)
        defer { for place in copies { (place.next, place.near, place.unique) = (nil, [], []) } }
        #expect(copies.map(\.name) == ["place 0", "place 1", "place 2"] && copies.map(\.meters) == [0, 250, 500])
        for index in 0..<3 {
            #expect(copies[index].next === copies[(index + 1) % 3] && copies[index].isFinished)
            #expect(copies[index].tags == ["a", "b"] && copies[index].distances == [1: 2])
            #expect(copies[index].unique.count == 2 && copies[index].unique.contains(copies[(index + 1) % 3]))
            #expect(copies[index].near.elementsEqual([copies[(index + 2) % 3], copies[index]]) { $0 === $1 })
        }
        let first = try transcode(places[1], as: Place.self)
        #expect(first.next?.next?.next === first && first.next?.meters == 500)
        for place in [first.next?.next, first.next, first] {
            place?.near = []
            place?.unique = []
        }
        first.next = nil
    }

    @Test func `reads instances of a former version in structs of one, and of the current one`() throws {
        let place = First.Place("place", 2)
        place.next = place
        defer { place.next = nil }
        let old = [
            First.Visit(hours: 1, town: "a", place: place), First.Visit(hours: 2, town: "b", place: place),
            First.Visit(hours: 3, town: "c", place: nil),
        ]
        let visits = try transcode(old, as: [Visit].self)
        #expect(visits.map(\.minutes) == [60, 120, 180] && visits[0].place === visits[1].place)
        let copy = try #require(visits[0].place)
        defer { copy.next = nil }
        #expect(copy.name == "place" && copy.meters == 2000 && copy.next === copy && visits[2].place == nil)
        // The archive of the result has the current version.
        let again = try roundTrip(visits)
        #expect(again.map(\.minutes) == [60, 120, 180] && again[1].place?.meters == 2000)
        again[0].place?.next = nil
    }

    @Test func `reads a chain of instances of a former version`() throws {
        let places = (0..<2000).map { First.Place("\($0)", Double($0)) }
        for index in 1..<places.count { places[index - 1].next = places[index] }
        defer { for place in places { place.next = nil } }
        var place: Place? = try transcode(places[0], as: Place.self)
        var count = 0
        while let current = place {
            #expect(current.name == "\(count)" && current.meters == count * 1000)
            (place, current.next) = (current.next, nil)
            count += 1
        }
        #expect(count == 2000)
    }

    @Test func `refuses a newer version, and takes the errors of a step for those of the value`() throws {
        let newer = try failure { try transcode([Fourth.Visit()], as: [Visit].self) }
        #expect(newer.kind == .dataCorrupted && newer.says("has version 4", "up to 2", "[0]"))
        struct Short: Codable, ArchiveDescribing {
            static let archiveName = "Visit"
            static let archiveVersion = 1
            var town = "Oslo"
        }
        let absent = try failure { try transcode([Short()], as: [Visit].self) }
        #expect(absent.kind == .keyNotFound && absent.key == "hours" && absent.path == "[0]", "\(absent)")
    }

    @Test func `has the errors of fields that no step has set`() throws {
        struct Partial: Codable, ArchiveDescribing {
            static let archiveName = "Visit"
            static let archiveVersion = 1
            var hours = 1.5
            var place = "text"
        }
        let absent = try failure { try transcode([Partial()], as: [Visit].self) }
        #expect(absent.kind == .keyNotFound && absent.key == "town", "\(absent)")
        struct Wrong: Codable, ArchiveDescribing {
            static let archiveName = "Visit"
            static let archiveVersion = 1
            var hours = 1.5
            var town = "Oslo"
            var place = "text"
        }
        let wrong = try failure { try transcode([Wrong()], as: [Visit].self) }
        #expect(wrong.kind == .typeMismatch && wrong.path == "[0].place", "\(wrong)")
    }
}
