// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What the article on identity and cycles says, besides its code.
@Suite(.inTurn)
struct `The guide to cycles` {
    // MARK: Collections

    final class Person: Codable {
        let name: String
        @Reference var spouse: Person?
        var friends: [Person] = []
        init(name: String) { self.name = name }
    }

    @Test(.needs(.collectionStorage)) func `brings collections back, and single references that are declared as such`()
        throws
    {
        let anna = Person(name: "Anna")
        let bert = Person(name: "Bert")
        anna.spouse = bert
        bert.spouse = anna
        anna.friends = [bert, anna]

        let data = try ArchiveEncoder().encode(anna)
        let again = try ArchiveDecoder().decode(Person.self, from: data)
        #expect(again.spouse?.spouse === again)
        #expect(again.friends[1] === again)
        #expect(again.friends.map(\.name) == ["Bert", "Anna"])
        for person in [anna, bert, again, again.friends[0]] { (person.spouse, person.friends) = (nil, []) }
    }

    final class Folder: Codable {
        let name: String
        let folders: [Folder]
        private(set) weak var parent: Folder?

        init(name: String, folders: [Folder] = []) {
            self.name = name
            self.folders = folders
            for folder in folders { folder.parent = self }
        }
    }

    @Test(.needs(.collectionStorage)) func `lets the decoder come in anywhere`() throws {
        let root = Folder(
            name: "/", folders: [Folder(name: "etc"), Folder(name: "usr", folders: [Folder(name: "bin")])])
        let copy = try roundTrip(root)
        #expect(copy.parent == nil)
        #expect(copy.folders[0].parent === copy)
        #expect(copy.folders[1].folders[0].parent === copy.folders[1])
        let bin = try roundTrip(root.folders[1].folders[0])
        #expect(bin.name == "bin")
        #expect(bin.parent == nil)
        let both = try roundTrip([root.folders[1].folders[0], root])
        #expect(both[0].parent?.parent === both[1])
        #expect(both[1].folders[1].folders[0] === both[0])
    }

    final class House: Codable {
        var rooms: [Room] = []
    }

    final class Room: Codable {
        unowned let house: House
        init(in house: House) {
            self.house = house
            house.rooms.append(self)
        }
    }

    @Test(.needs(.collectionStorage)) func `needs one collection on the way round`() throws {
        let house = House()
        _ = Room(in: house)
        let copy = try ArchiveDecoder().decode(House.self, from: ArchiveEncoder().encode(house))
        #expect(copy.rooms[0].house === copy)
        let both = try roundTrip([AnyHouseOrRoom(room: house.rooms[0]), AnyHouseOrRoom(house: house)])
        #expect(both[0].room?.house === both[1].house)
        #expect(both[1].house?.rooms[0] === both[0].room)
    }

    struct AnyHouseOrRoom: Codable {
        var room: Room?
        var house: House?
    }

    final class Everything: Codable {
        let id: Int
        let constant: Everything?
        private(set) var variable: Everything?
        weak var weakOne: Everything?
        unowned var unownedOne: Everything?
        unowned let unownedConstant: Everything?
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        var unwrapped: Everything!
        var array: [Everything] = []
        var contiguous: ContiguousArray<Everything> = []
        var set: Set<Element> = []
        let dictionary: [String: Everything]
        var nested: [Int: [Everything?]]?
        var structs: [Holder] = []
        var oneStruct: Holder?
        var twice: Everything??
        var oneEnum: Choice?
        var enums: [Choice] = []
        private enum CodingKeys: String, CodingKey {
            case id
            case constant = "c"
            case variable = "v"
            case weakOne, unownedOne, unownedConstant, unwrapped, array, contiguous, set
            case dictionary = "NS.keys"
            case nested = "$nested"
            case structs, oneStruct, twice, oneEnum, enums
        }
        init(_ id: Int, _ other: Everything?) {
            self.id = id
            constant = other
            unownedConstant = other
            dictionary = other.map { ["x": $0] } ?? [:]
            fillCollections(other)
            variable = other
            weakOne = other
            unownedOne = other
            unwrapped = other
            oneStruct = other.map { Holder(other: $0) }
            oneEnum = other.map { .one($0) }
            twice = other
        }
        func fillCollections(_ other: Everything?) {
            nested = other.map { [1: [$0, nil]] }
            array = [other].compactMap { $0 }
            contiguous = ContiguousArray([other].compactMap { $0 })
            set = Set([other].compactMap { $0.map { Element(id: $0.id, other: $0) } })
            structs = [Holder(other: other)]
            enums = other.map { [.none, .one($0)] } ?? []
        }
    }
    struct Holder: Codable { var other: Everything? }
    enum Choice: Codable {
        case one(Everything)
        case none
    }
    struct Element: Codable, Hashable {
        var id: Int
        var other: Everything
        static func == (left: Self, right: Self) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    @Test(.needs(.collectionStorage)) func `fills every kind of collection, with every kind of reference back`() throws
    {
        let a = Everything(1, nil)
        let b = Everything(2, a)
        a.fillCollections(b)
        for (first, second) in [(a, b), (b, a)] {
            let pair = try roundTrip([first, second])
            let (a, b) = pair[0].id == 1 ? (pair[0], pair[1]) : (pair[1], pair[0])
            #expect(b.constant === a)
            #expect(b.unownedConstant === a)
            #expect(b.dictionary["x"] === a)
            #expect(b.variable === a)
            #expect(b.weakOne === a)
            #expect(b.unownedOne === a)
            #expect(b.unwrapped === a)
            #expect(b.oneStruct?.other === a)
            #expect(b.twice.flatMap { $0 } === a)
            if case .one(let o)? = b.oneEnum { #expect(o === a) } else { Issue.record() }
            for (a, b) in [(a, b), (b, a)] {
                #expect(a.nested?[1]?[0] === b)
                #expect(a.array.count == 1 && a.array[0] === b)
                #expect(a.contiguous.count == 1 && a.contiguous[0] === b)
                #expect(a.set.first?.other === b)
                #expect(a.structs.first?.other === b)
                if case .one(let o)? = a.enums.last { #expect(o === b) } else { Issue.record() }
            }
        }
    }

    class Base: Codable {
        @Reference private(set) var other: Base?
        private enum CodingKeys: CodingKey { case other }
        init() {}
        func tie(_ other: Base) { self.other = other }
    }

    /// One that decodes its superclass apart is in `CycleClassTests`.
    final class Derived: Base {
        var mine: [Base] = []
        private enum CodingKeys: String, CodingKey { case mine = "m" }
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            mine = try container.decode([Base].self, forKey: .mine)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(mine, forKey: .mine)
            try super.encode(to: encoder)
        }
    }

    @Test(.needs(.collectionStorage)) func `sets the properties of superclasses`() throws {
        let derived = Derived()
        derived.tie(derived)
        derived.mine = [derived, derived]
        var decoder = ArchiveDecoder()
        decoder.classes.register(Derived.self)
        let again = try decoder.decode(Derived.self, from: ArchiveEncoder().encode(derived))
        #expect(again.other === again)
        #expect(again.mine.count == 2 && again.mine.allSatisfy { $0 === again })
    }

    // MARK: What an initializer sees

    final class Team: Codable {
        let members: [Member]
        private(set) var captains: [Member]

        private enum CodingKeys: CodingKey { case members }

        init(members: [Member]) {
            self.members = members
            captains = members.filter(\.isCaptain)
        }

        init(from decoder: any Decoder) throws {
            members = try decoder.container(keyedBy: CodingKeys.self).decode([Member].self, forKey: .members)
            captains = members.filter(\.isCaptain)  // too early: `members` may be empty yet
        }
    }

    final class Member: Codable {
        var isCaptain = true
        weak var team: Team?
    }

    @Test(.needs(.collectionStorage)) func `says what an initializer sees`() throws {
        struct MemberFirst: Codable {
            var member: Member
            var team: Team
        }
        let team = Team(members: [Member(), Member()])
        for member in team.members { member.team = team }
        let first = try roundTrip(team)
        #expect(first.members.count == 2 && first.members.allSatisfy { $0.team === first } && first.captains.isEmpty)
        let again = try roundTrip(MemberFirst(member: team.members[0], team: team))
        #expect(again.team.members.count == 2)
        #expect(again.team.members[0] === again.member)
        #expect(again.team.members.allSatisfy { $0.team === again.team })
        #expect(again.team.captains.isEmpty)
    }

    @Test(.needs(.collectionStorage))
    func `fills a collection that nil is replaced in, and one of values of a protocol`()
        throws
    {
        let replacing = ReplacingNil()
        replacing.children = [replacing]
        replacing.others = [replacing]
        var decoder = ArchiveDecoder()
        decoder.classes.register(ReplacingNil.self)
        let again = try decoder.decode(ReplacingNil.self, from: ArchiveEncoder().encode(replacing))
        #expect(again.children.count == 1)
        #expect(again.children[0] === again)
        #expect(again.others.count == 1 && again.others[0] as? ReplacingNil === again)
        for ring in [replacing, again] { (ring.children, ring.others) = ([], []) }
    }

    final class ReplacingNil: Codable {
        var children: [ReplacingNil] = []
        @Polymorphic var others: [any AnyObject & Codable]
        private enum CodingKeys: CodingKey { case children, others }
        init() { others = [] }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            children = try container.decodeIfPresent([ReplacingNil].self, forKey: .children) ?? []
            _others = try container.decode(Polymorphic<[any AnyObject & Codable]>.self, forKey: .others)
        }
    }

    @Test(.needs(.collectionStorage)) func `says that observers do not run`() throws {
        final class Observed: Codable {
            var changes = 0
            var next: [Observed] = [] { didSet { changes += 1 } }
            private enum CodingKeys: CodingKey { case next }
        }
        let observed = Observed()
        observed.next = [observed]
        let again = try roundTrip(observed)
        #expect(again.next.count == 1 && again.next[0] === again)
        #expect(again.changes == 0)
    }
}
