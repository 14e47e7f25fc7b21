import Archiving
import Foundation
import Testing

@Suite struct `A cycle of plain references` {
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

    @Test func `of one encodes, and decoding names both ends`() throws {
        let narcissus = Person("Narcissus")
        narcissus.friend = narcissus
        defer { Self.untie(narcissus) }
        let data = try ArchiveEncoder().encode(["n": narcissus])
        #expect(
            try InspectedArchive(data).text
                == #"NSDictionary[@"n": #1=Person{name: @"Narcissus", friend: #1, friends: NSArray[]}]"#)
        let error = try failure(decoding: [String: Person].self, from: data)
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "n.friend")
        #expect(error.says("cycle", "\"n.friend\"", "\"n\"", "Person"))
    }

    @Test func `of two encodes, and decoding names both ends`() throws {
        let anna = Person("Anna")
        let bert = Person("Bert")
        anna.friend = bert
        bert.friend = anna
        defer { Self.untie(anna, bert) }
        let data = try ArchiveEncoder().encode([anna, bert])
        #expect(try InspectedArchive(data).count(ofClass: "Person") == 2)
        let error = try failure(decoding: [Person].self, from: data)
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "[0].friend.friend")
        #expect(error.says("cycle", "\"[0].friend.friend\"", "\"[0]\"", "Person"))
    }

    @Test func `through an array encodes, and decoding names both ends`() throws {
        let anna = Person("Anna")
        let bert = Person("Bert")
        anna.friends = [Person("C"), bert]
        bert.friends = [anna]
        defer { Self.untie(anna, bert) }
        let error = try failure(decoding: Person.self, fromArchiveOf: anna)
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "friends[1].friends[0]")
        #expect(error.says("cycle", "\"friends[1].friends[0]\"", "the root"))
    }

    @Test func `through a struct encodes, and decoding names both ends`() throws {
        struct Link: Codable { var target: Loop? }
        final class Loop: Codable {
            var link = Link()
            var box: [String: Link] = [:]
        }
        let loop = Loop()
        loop.box = ["b": Link(target: loop)]
        defer { loop.box = [:] }
        let error = try failure(decoding: [Loop].self, fromArchiveOf: [loop])
        #expect(error.path == "[0].box.b.target")
        #expect(error.says("cycle", "\"[0]\""))
    }

    @Test func `that is caught leaves the rest readable`() throws {
        final class Careful: Codable {
            var name = "x"
            var caught = false
            var other: Careful?
            var plain: Person?
            enum Keys: CodingKey { case name, other, plain }
            init() {}
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                do {
                    other = try container.decodeIfPresent(Careful.self, forKey: .other)
                } catch DecodingError.dataCorrupted {
                    caught = true
                }
                name = try container.decode(String.self, forKey: .name)
                plain = try container.decodeIfPresent(Person.self, forKey: .plain)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(other, forKey: .other)
                try container.encode(name, forKey: .name)
                try container.encode(plain, forKey: .plain)
            }
        }
        let careful = Careful()
        careful.other = careful
        careful.name = "y"
        careful.plain = Person("z")
        defer { careful.other = nil }
        let again = try roundTrip(careful)
        #expect(again.caught)
        #expect(again.other == nil)
        #expect(again.name == "y")
        #expect(again.plain?.name == "z")
    }

    @Test func `is none where two paths lead to the same instance`() throws {
        let shared = Person("S")
        let anna = Person("Anna")
        anna.friend = shared
        anna.friends = [shared, Person("B"), shared]
        let again = try roundTrip(anna)
        #expect(again.friend === again.friends[0])
        #expect(again.friend === again.friends[2])
    }
}
