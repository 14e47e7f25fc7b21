import Archiving
import Foundation
import Testing

@Suite struct `A class instance` {
    final class Owner: Codable, Hashable {
        var name: String

        init(_ name: String) { self.name = name }
        static func == (left: Owner, right: Owner) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    enum Payload: Codable {
        case owned(Owner)
        case both(first: Owner, [Owner])
    }

    struct Animal: Codable {
        var owner: Owner
    }

    struct Farm: Codable {
        var owner: Owner
        var animals: [Animal]
        var optional: Owner?
        var byName: [String: Owner]
        var byOwner: [Owner: Int]
        var set: Set<Owner>
        var payload: [Payload]
        var deep: [[String: [Owner?]]]

        init(_ owner: Owner) {
            self.owner = owner
            animals = [Animal(owner: owner), Animal(owner: owner)]
            optional = owner
            byName = ["a": owner, "b": owner]
            byOwner = [owner: 1]
            set = [owner]
            payload = [.owned(owner), .both(first: owner, [owner, owner])]
            deep = [["x": [nil, owner]]]
        }

        /// Every reference there is.
        var all: [Owner?] {
            var all: [Owner?] = [owner, optional] + animals.map(\.owner)
            all += byName.values.map { $0 } + byOwner.keys.map { $0 } + set.map { $0 }
            for payload in payload {
                switch payload {
                case .owned(let owner): all.append(owner)
                case .both(let first, let others): all += [first] + others
                }
            }
            return all + deep.flatMap { $0.values.flatMap { $0.compactMap { $0 } } }
        }
    }

    @Test func `stands in the archive once, wherever it is referred to`() throws {
        let archive = try InspectedArchive(of: Farm(Owner("A")))
        #expect(archive.count(ofClass: "Owner") == 1)
        #expect(archive.objects.filter { $0 == "A" }.count == 1)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back as one instance, wherever it is referred to`(format: PropertyListFormat) throws {
        let again = try roundTrip(Farm(Owner("A")), format: format)
        #expect(again.all.count == 13)
        for reference in again.all { #expect(reference === again.owner) }
        #expect(again.owner.name == "A")
    }

    @Test func `that is equal to another stays another`() throws {
        let owners = [Owner("A"), Owner("A"), Owner("A")]
        let archive = try InspectedArchive(of: owners + owners)
        #expect(archive.count(ofClass: "Owner") == 3)
        let again = try roundTrip(owners + owners)
        #expect(Set(again.map { ObjectIdentifier($0) }).count == 3)
        for index in 0..<3 { #expect(again[index] === again[index + 3]) }
    }

    @Test func `is not mixed up with another that took its address`() throws {
        // Each temporary dies as soon as it is encoded; only the archive can keep it from giving its address to the next.
        struct Source: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                for index in 0..<5000 { try container.encode(Owner("temporary \(index)")) }
            }
        }
        let again = try transcode(Source(), as: [Owner].self)
        #expect(again.map(\.name) == (0..<5000).map { "temporary \($0)" })
        let deep = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for index in 0..<3000 {
                try container.encode(["k": Animal(owner: Owner("\(index)"))])
                try container.encode(["k": Animal(owner: Owner("\(-index)"))])
            }
        }
        let animals = try transcode(deep, as: [[String: Animal]].self)
        #expect(animals.map { $0["k"]?.owner.name } == (0..<3000).flatMap { ["\($0)", "\(-$0)"] })
    }

    @Test func `that makes temporaries in its own encode(to:) is safe`() throws {
        final class Maker: Encodable {
            let index: Int
            init(_ index: Int) { self.index = index }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(Owner("first \(index)"), forKey: "first")
                try container.encode(Owner("second \(index)"), forKey: "second")
            }
        }
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for index in 0..<2000 { try container.encode(Maker(index)) }
        }
        let again = try transcode(value, as: [[String: Owner]].self)
        #expect(again.map { $0["first"]?.name } == (0..<2000).map { "first \($0)" })
        #expect(again.map { $0["second"]?.name } == (0..<2000).map { "second \($0)" })
    }

    @Test func `is released when the archive is done`() throws {
        weak var leaked: Owner?
        let data: Data
        do {
            let owner = Owner("A")
            leaked = owner
            data = try ArchiveEncoder().encode([owner, owner])
        }
        #expect(leaked == nil)
        do {
            let again = try ArchiveDecoder().decode([Owner].self, from: data)
            leaked = again[0]
            #expect(leaked?.name == "A")
        }
        #expect(leaked == nil)
    }

    @Test func `is released when encoding fails`() throws {
        struct Failing: Encodable {
            struct Failure: Error {}
            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        weak var leaked: Owner?
        do {
            let owner = Owner("A")
            leaked = owner
            let value = Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encode(owner)
                try container.encode(Failing())
            }
            #expect(throws: Failing.Failure.self) { try ArchiveEncoder().encode(value) }
        }
        #expect(leaked == nil)
    }

    @Test func `decoded as two types is two values, each shared`() throws {
        final class Copy: Codable { var name: String }
        struct Value: Codable, Equatable { var name: String }
        let owner = Owner("A")
        try decoding(archiveOf: [owner, owner, owner, owner, owner, owner]) { decoder in
            var container = try decoder.unkeyedContainer()
            let first = try container.decode(Owner.self)
            let second = try container.decode(Copy.self)
            let value = try container.decode(Value.self)
            let third = try container.decode(Owner.self)
            let fourth = try container.decode(Copy.self)
            let fields = try container.decode([String: String].self)
            #expect(first === third)
            #expect(second === fourth)
            #expect(first.name == "A")
            #expect(second.name == "A")
            #expect(value == Value(name: "A"))
            #expect(fields == ["name": "A"])
        }
    }

    @Test func `is a class of its own even when it was decoded in a failed attempt`() throws {
        let owner = Owner("A")
        try decoding(archiveOf: ["list": [owner], "other": [owner]]) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(throws: DecodingError.self) { try container.decode([Int].self, forKey: "list") }
            let first = try container.decode([Owner].self, forKey: "list")
            let second = try container.decode([Owner].self, forKey: "other")
            #expect(first[0] === second[0])
        }
    }

    @Test func `is met in the order in which the graph leads to it, breadth first`() throws {
        final class Node: Codable {
            var left: Node?
            var right: Node?
            init(_ left: Node? = nil, _ right: Node? = nil) {
                self.left = left
                self.right = right
            }
        }
        let shared = Node()
        let root = Node(Node(shared), Node(nil, shared))
        #expect(
            try archiveText(root) == "Node{left: Node{left: #1=Node{}}, right: Node{right: #1}}")
        let again = try roundTrip(root)
        #expect(again.left?.left != nil)
        #expect(again.left?.left === again.right?.right)
    }

    @Test(arguments: [15, 16, 17, 1000, 100_000])
    func `is one of many, each with its own uid`(count: Int) throws {
        let owners = (0..<count).map { Owner("\($0 % 10)") }
        let again = try roundTrip([owners, owners.reversed()])
        #expect(Set(again[0].map { ObjectIdentifier($0) }).count == count)
        for index in 0..<count where again[0][index] !== again[1][count - 1 - index] {
            Issue.record("\(index) became two instances")
            return
        }
        #expect(again[0].map(\.name) == owners.map(\.name))
    }
}

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
