// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

private struct Person: Codable, ArchivedOnce, Equatable, Hashable {
    let id: Int
    var name: String
}

private struct Place: Codable, ArchivedOnce, Equatable {
    let id: Int
    var name: String
}

private protocol Named: Codable {
    var name: String { get }
}

extension Person: Named {}

@Suite(.inTurn) struct `A value that is archived once` {
    @Test func `is stored in the archive once for each id`() throws {
        let people = [Person(id: 1, name: "Ada"), Person(id: 2, name: "Bob"), Person(id: 1, name: "Ada")]
        #expect(
            try archiveText(people) == #"NSArray[#1=Person{id: 1, name: @"Ada"}, Person{id: 2, name: @"Bob"}, #1]"#)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back equal everywhere`(format: PropertyListFormat) throws {
        enum Payload: Codable, Equatable {
            case one(Person)
            case some(people: [Person], Int)
        }
        struct Everything: Codable, Equatable {
            var one: Person
            var maybe: Person?
            var list: [Person]
            var set: Set<Person>
            var byName: [String: Person]
            var counts: [Person: Int]
            var payloads: [Payload]
            var deep: [[String: [Person?]]]

            init(_ person: Person) {
                one = person
                maybe = person
                list = [person, person]
                set = [person]
                byName = ["a": person]
                counts = [person: 3]
                payloads = [.one(person), .some(people: [person], 4)]
                deep = [["x": [nil, person]]]
            }
        }
        let value = Everything(Person(id: 5, name: "Eve"))
        let archive = try InspectedArchive(of: value)
        #expect(archive.count(ofClass: "Person") == 1)
        #expect(try roundTrip(value, format: format) == value)
    }

    @Test func `is decoded once`() throws {
        final class Counter: Sendable {
            static let key = CodingUserInfoKey(rawValue: "counter")
            let count = Mutex(0)
        }
        struct Counted: Codable, ArchivedOnce {
            let id: Int
            var number = 0
            init(id: Int) { self.id = id }
            init(from decoder: any Decoder) throws {
                id = try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: "id")
                let counter = try #require(Counter.key.flatMap { decoder.userInfo[$0] } as? Counter)
                number = counter.count.withLock {
                    $0 += 1
                    return $0
                }
            }
        }
        let data = try ArchiveEncoder().encode([1, 2, 1, 1, 2].map { Counted(id: $0) })
        var decoder = ArchiveDecoder()
        decoder.userInfo[try #require(Counter.key)] = Counter()
        #expect(try decoder.decode([Counted].self, from: data).map(\.number) == [1, 2, 1, 1, 2])
    }

    @Test func `is not mixed up with one of another type that has the same id`() throws {
        struct Both: Codable, Equatable {
            var people: [Person]
            var places: [Place]
            var person: Person
        }
        let both = Both(
            people: [Person(id: 1, name: "Ada"), Person(id: 2, name: "Bob")],
            places: [Place(id: 1, name: "Rome"), Place(id: 2, name: "Oslo")], person: Person(id: 1, name: "Ada"))
        #expect(try roundTrip(both) == both)
        #expect(try InspectedArchive(of: both).count(ofClass: "Place") == 2)
        #expect(try InspectedArchive(of: both).count(ofClass: "Person") == 2)
    }

    @Test func `of one generic type is not mixed up with one of another`() throws {
        struct Entry<Content: Codable & Equatable>: Codable, ArchivedOnce, Equatable {
            let id: Int
            var content: Content
        }
        struct Both: Codable, Equatable {
            var numbers: [Entry<Int>]
            var texts: [Entry<String>]
        }
        let both = Both(
            numbers: [Entry(id: 1, content: 5), Entry(id: 1, content: 5)], texts: [Entry(id: 1, content: "x")])
        #expect(try roundTrip(both) == both)
        #expect(try InspectedArchive(of: both).count(ofClass: "Entry<Swift.Int>") == 1)
    }

    private struct Identified<ID: Hashable & Codable>: Codable, ArchivedOnce, Equatable {
        let id: ID
        var name: String
    }

    private func expectOnce<ID: Hashable & Codable>(_ ids: ID..., count: Int) throws {
        let values = ids.map { Identified(id: $0, name: "\($0)") }
        let archive = try InspectedArchive(of: values)
        #expect(archive.objects.filter { $0["name"] != nil }.count == count)
        #expect(try roundTrip(values) == values)
    }

    @Test func `may have an id of any kind`() throws {
        struct Key: Hashable, Codable {
            var left: Int
            var right: String
        }
        enum Case: Hashable, Codable {
            case a
            case b(Int)
        }
        let uuid = UUID()
        try expectOnce("a", "", "a", count: 2)
        try expectOnce(uuid, UUID(), uuid, count: 2)
        try expectOnce(Key(left: 1, right: "x"), Key(left: 1, right: "y"), Key(left: 1, right: "x"), count: 2)
        try expectOnce(Case.a, Case.b(1), Case.b(2), Case.b(1), count: 3)
        try expectOnce(1 as Int?, nil, 1, nil, count: 2)
        try expectOnce([1, 2], [1], [1, 2], count: 2)
    }

    @Test func `is archived once behind a protocol, too`() throws {
        struct Mixed: Codable {
            var person: Person
            @Polymorphic var named: [any Named]
        }
        let person = Person(id: 1, name: "Ada")
        let mixed = Mixed(person: person, named: [person, person])
        #expect(try InspectedArchive(of: mixed).count(ofClass: "Person") == 1)
        let again = try roundTrip(mixed, registering: [Person.self])
        #expect(again.named.map { $0 as? Person } == [person, person])
    }

    @Test func `may be the root, a number, or nil`() throws {
        struct Code: Codable, ArchivedOnce, Equatable {
            var id: Int
            init(_ id: Int) { self.id = id }
            init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(Int.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(id)
            }
        }
        let person = Person(id: 1, name: "Ada")
        #expect(try roundTrip(person) == person)
        #expect(try roundTrip(Code(7)) == Code(7))
        #expect(try roundTrip([Code(7), nil, Code(8), Code(7)]) == [Code(7), nil, Code(8), Code(7)])
        #expect(try roundTrip(["a": Code(1), "b": Code(1)]) == ["a": Code(1), "b": Code(1)])
    }

    @Test func `of a class is what every instance is`() throws {
        final class Car: Codable, ArchivedOnce {
            var id: Int
            init(_ id: Int) { self.id = id }
        }
        let car = Car(1)
        let again = try roundTrip([car, Car(1), car])
        #expect(again[0] === again[2] && again[0] !== again[1])
        #expect(again.map(\.id) == [1, 1, 1])
    }

    @Test func `is not remembered from one archive to the next`() throws {
        let encoder = ArchiveEncoder()
        for name in ["first", "second", "third"] {
            let data = try encoder.encode([Person(id: 1, name: name), Person(id: 1, name: name)])
            #expect(try ArchiveDecoder().decode([Person].self, from: data).map(\.name) == [name, name])
        }
    }

    @Test func `gives the same bytes for the same value, where that is expected`() throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        let names = (0..<50).map { "name \($0)" }
        func data(_ order: [Int]) throws -> Data {
            try encoder.encode(
                order.reduce(into: [:]) { $0["k\($1)"] = Person(id: $1 % 10, name: names[$1 % 10]) })
        }
        let first = try data(Array(0..<50))
        #expect(try data((0..<50).reversed()) == first)
        #expect(try InspectedArchive(first).count(ofClass: "Person") == 10)
        #expect(try ArchiveDecoder().decode([String: Person].self, from: first)["k37"]?.name == "name 7")
    }

    @Test func `stays several where an archive has it several times`() throws {
        struct Twin: Encodable {
            var id = 1
            var name: String
        }
        let twins = [Twin(name: "first"), Twin(name: "second")]
        #expect(try transcode(twins, as: [Person].self).map(\.name) == ["first", "second"])
    }

    @Test func `decoded as two types is two values`() throws {
        struct Nickname: Codable, ArchivedOnce, Equatable {
            let id: Int
            var name: String
        }
        let person = Person(id: 1, name: "Ada")
        try decoding(archiveOf: [person, person, person, person]) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try container.decode(Person.self) == person)
            #expect(try container.decode(Nickname.self) == Nickname(id: 1, name: "Ada"))
            #expect(try container.decode(Person.self) == person)
            #expect(try container.decode(Nickname.self) == Nickname(id: 1, name: "Ada"))
        }
    }
}
