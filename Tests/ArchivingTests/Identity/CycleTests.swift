// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.collectionStorage)) struct `A cycle of plain references` {
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

    /// The person after the change that the error names.
    final class Friend: Codable {
        var name: String
        @Reference var friend: Friend?
        var friends: [Friend] = []
    }

    @Test func `of one is an error that says what to write, and the archive opens after that`() throws {
        let narcissus = Person("Narcissus")
        narcissus.friend = narcissus
        defer { Self.untie(narcissus) }
        let data = try ArchiveEncoder().encode(["n": narcissus])
        #expect(
            try InspectedArchive(data).text
                == #"NSDictionary[@"n": #1=Person{name: @"Narcissus", friend: #1, friends: NSArray[]}]"#)
        let error = try failure(decoding: [String: Person].self, from: data)
        #expect(error.kind == .dataCorrupted && error.path == "n.friend")
        #expect(
            error.says("Person.friend at \"n.friend\"", "\"n\"", "@Reference var friend: Person?", "stays readable"),
            "\(error)")
        var decoder = ArchiveDecoder()
        decoder.classes.register(Friend.self, name: "Person")
        let again = try #require(try decoder.decode([String: Friend].self, from: data)["n"])
        defer { again.friend = nil }
        #expect(again.friend === again && again.name == "Narcissus")
    }

    @Test func `of two is such an error, from wherever the decoder comes in`() throws {
        let anna = Person("Anna")
        let bert = Person("Bert")
        anna.friend = bert
        bert.friend = anna
        defer { Self.untie(anna, bert) }
        let data = try ArchiveEncoder().encode([anna, bert])
        #expect(try InspectedArchive(data).count(ofClass: "Person") == 2)
        #expect(try failure(decoding: [Person].self, from: data).path == "[0].friend.friend")
        var decoder = ArchiveDecoder()
        decoder.classes.register(Friend.self, name: "Person")
        let again = try decoder.decode([Friend].self, from: data)
        defer { again[0].friend = nil }
        #expect(again.map(\.name) == ["Anna", "Bert"])
        #expect(again[0].friend === again[1] && again[1].friend === again[0])
    }

    final class Tree: Codable {
        let name: String
        let branches: [Tree]
        weak var parent: Tree?

        init(_ name: String, _ branches: [Tree] = []) {
            self.name = name
            self.branches = branches
            for branch in branches { branch.parent = self }
        }
    }

    @Test func `through a constant array and a weak property comes back`() throws {
        let again = try roundTrip(Tree("oak", [Tree("left", [Tree("twig")]), Tree("right")]))
        #expect(again.branches.map(\.name) == ["left", "right"])
        #expect(again.branches.allSatisfy { $0.parent === again })
        #expect(again.branches[0].branches.map(\.name) == ["twig"])
        #expect(again.branches[0].branches[0].parent === again.branches[0])
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

    @Test func `that no initializer can make names both ends and the property`() throws {
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
        #expect(error.says("Box.loop", "\"[0].link.loop.loop\"", "\"[0]\"", "Loop", "uid 2", "@Reference"))
    }

    @Test func `through a collection that an initializer drops or stores twice is an error`() throws {
        class Pack: Codable {
            final var wolves: [Wolf] = []
            final var others: [Wolf] = []
            enum CodingKeys: CodingKey { case wolves }
            init() {}
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let decoded = try container.decode([Wolf].self, forKey: .wolves)
                store(decoded)
            }
            func store(_ decoded: [Wolf]) { wolves = decoded.filter { _ in true } }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(wolves, forKey: .wolves)
            }
        }
        final class Double: Pack {
            override func store(_ decoded: [Wolf]) { (wolves, others) = (decoded, decoded) }
        }
        final class Wolf: Codable {
            unowned let pack: Pack
            init(_ pack: Pack) { self.pack = pack }
        }
        for (pack, reason) in [(Pack(), "dropped"), (Double(), "several places")] {
            pack.wolves = [Wolf(pack)]
            var decoder = ArchiveDecoder()
            decoder.classes.register(Double.self)
            let data = try ArchiveEncoder().encode(pack)
            let error = try failure { try decoder.decode(Pack.self, from: data) }
            #expect(error.kind == .dataCorrupted && error.path == "wolves")
            #expect(error.says(reason, "@References"), "\(error)")
        }
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
        #expect(error.says("Part.owner", "\"part.owner\"", "caught", "@Reference"), "\(error)")
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
