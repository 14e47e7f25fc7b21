// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.storedProperties)) struct `A cycle of plain references` {
    final class Person: Codable {
        var name: String
        var friend: Person?
        var friends: [Person] = []

        init(_ name: String) { self.name = name }
    }

    private static func untie(_ people: Person...) {
        for person in people {
            person.friend = nil
            person.friends = []
        }
    }

    @Test func `of one comes back`() throws {
        let narcissus = Person("Narcissus")
        narcissus.friend = narcissus
        defer { Self.untie(narcissus) }
        let data = try ArchiveEncoder().encode(["n": narcissus])
        #expect(
            try InspectedArchive(data).text
                == #"NSDictionary[@"n": #1=Person{name: @"Narcissus", friend: #1, friends: NSArray[]}]"#)
        let again = try #require(try ArchiveDecoder().decode([String: Person].self, from: data)["n"])
        defer { Self.untie(again) }
        #expect(again.friend === again)
        #expect(again.name == "Narcissus")
    }

    @Test func `of two comes back`() throws {
        let anna = Person("Anna")
        let bert = Person("Bert")
        anna.friend = bert
        bert.friend = anna
        defer { Self.untie(anna, bert) }
        let data = try ArchiveEncoder().encode([anna, bert])
        #expect(try InspectedArchive(data).count(ofClass: "Person") == 2)
        let again = try ArchiveDecoder().decode([Person].self, from: data)
        defer { Self.untie(again[0], again[1]) }
        #expect(again.map(\.name) == ["Anna", "Bert"])
        #expect(again[0].friend === again[1])
        #expect(again[1].friend === again[0])
    }

    /// Decodes each of two keys into the property of the other one.
    final class Crossed: Codable {
        var before: Crossed?
        var after: Crossed?
        nonisolated(unsafe) static var decodedCount = 0

        private enum CodingKeys: CodingKey { case before, after }
        init() {}
        init(from decoder: any Decoder) throws {
            Self.decodedCount += 1
            let container = try decoder.container(keyedBy: CodingKeys.self)
            after = try container.decodeIfPresent(Crossed.self, forKey: .before)
            before = try container.decodeIfPresent(Crossed.self, forKey: .after)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(after, forKey: .before)
            try container.encodeIfPresent(before, forKey: .after)
        }
    }

    @Test func `comes back in the properties that encode(to:) writes, from one call of each initializer`() throws {
        let (first, second) = (Crossed(), Crossed())
        (first.after, second.before) = (second, first)
        defer { (first.after, second.before) = (nil, nil) }
        Crossed.decodedCount = 0
        let again = try roundTrip(first)
        #expect(Crossed.decodedCount == 2)
        let other = try #require(again.after)
        #expect(again.before == nil && other.before === again && other.after == nil)
        other.before = nil
    }

    @Test func `through an array comes back`() throws {
        let anna = Person("Anna")
        let bert = Person("Bert")
        anna.friends = [Person("C"), bert]
        bert.friends = [anna]
        defer { Self.untie(anna, bert) }
        let again = try roundTrip(anna)
        defer { Self.untie(again) }
        #expect(again.friends.map(\.name) == ["C", "Bert"])
        #expect(again.friends[1].friends.count == 1)
        #expect(again.friends[1].friends[0] === again)
    }

    @Test func `through a struct comes back`() throws {
        struct Link: Codable { var target: Loop? }
        final class Loop: Codable {
            var link = Link()
            var box: [String: Link] = [:]
        }
        let loop = Loop()
        loop.box = ["b": Link(target: loop)]
        defer { loop.box = [:] }
        let again = try roundTrip([loop])[0]
        defer { again.box = [:] }
        #expect(again.box["b"]?.target === again)
    }

    @Test func `that no property can close names both ends and the property`() throws {
        final class Loop: Codable {
            let link: Link
            init(_ link: Link) { self.link = link }
        }
        struct Link: Codable { var loop: Box }
        final class Box: Codable {
            let loop: Loop
            init(_ loop: Loop) { self.loop = loop }
        }
        // No initializer can make such a cycle; a file can claim it.
        let className = ClassRegistry().name(for: Loop.self)
        let boxName = ClassRegistry().name(for: Box.self)
        let data = try handmadeArchive(
            top: ["root": .uid(1)],
            ["NS.objects": [.uid(2)], "$class": .uid(7)],
            ["link": .uid(3), "$class": .uid(5)],
            ["loop": .uid(4), "$class": .uid(6)],
            ["loop": .uid(2), "$class": .uid(8)],
            ["$classname": .string(className), "$classes": [.string(className), "NSObject"]],
            ["$classname": "Link", "$classes": ["Link", "NSObject"]],
            ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
            ["$classname": .string(boxName), "$classes": [.string(boxName), "NSObject"]])
        let error = try failure(decoding: [Loop].self, from: data)
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "[0].link.loop.loop")
        #expect(error.says("cycle", "\"[0].link.loop.loop\"", "\"[0]\"", "Loop", "uid 2", "\"loop\"", "@Reference"))
    }

    @Test func `that an initializer catches is an error of the whole decoding`() throws {
        struct Part: Codable {
            unowned var owner: Careful
        }
        final class Careful: Codable {
            var part: Part?
            private enum CodingKeys: CodingKey { case part }
            init() {}
            init(from decoder: any Decoder) throws {
                // A struct that has to be there cannot wait, and the initializer goes on without it.
                part = try? decoder.container(keyedBy: CodingKeys.self).decode(Part.self, forKey: .part)
            }
        }
        let careful = Careful()
        careful.part = Part(owner: careful)
        defer { careful.part = nil }
        let error = try failure { try roundTrip(careful) }
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("cycle", "\"part.owner\"", "caught", "@Reference"), "\(error)")
    }

    @Test func `does not exist if two paths reach the same instance`() throws {
        let shared = Person("S")
        let anna = Person("Anna")
        anna.friend = shared
        anna.friends = [shared, Person("B"), shared]
        let again = try roundTrip(anna)
        #expect(again.friend === again.friends[0])
        #expect(again.friend === again.friends[2])
    }
}
