// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Sets and dictionaries put elements and keys where their hashes say. A reference that is resolved only after that must not
/// change them.
@Suite(.inTurn) struct `A reference that a hash depends on` {
    struct Link: Codable, Hashable {
        @Reference var owner: Owner?

        init(_ owner: Owner?) { self.owner = owner }
    }

    private static let names = (0..<50).map { "owner \($0)" }

    // MARK: - To instances that come later

    @Test(arguments: PropertyListFormat.allCases)
    func `lets the elements of a set be found`(format: PropertyListFormat) throws {
        let set = Set(Self.names.map { Link(Owner($0)) } + [Link(nil)])
        let again = try roundTrip(set, format: format)
        #expect(again.count == 51)
        #expect(again == set)
        #expect(Self.names.allSatisfy { again.contains(Link(Owner($0))) })
        #expect(again.contains(Link(nil)))
        #expect(!again.contains(Link(Owner("nobody"))))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `lets the keys of a dictionary be found`(format: PropertyListFormat) throws {
        let dictionary = Dictionary(uniqueKeysWithValues: Self.names.map { (Link(Owner($0)), $0) })
        let again = try roundTrip(dictionary, format: format)
        #expect(again == dictionary)
        #expect(Self.names.allSatisfy { again[Link(Owner($0))] == $0 })
    }

    @Test func `lets the elements be found at any depth`() throws {
        struct Box: Codable, Hashable {
            var links: [String: [Link]]
            var optional: Link?
        }
        struct Root: Codable {
            @Reference var first: Owner? = nil
            var sets: [Set<Set<Link>>]
            var boxes: [Box: Set<Box>]
            var last: [Owner]
        }
        let owners = Self.names.prefix(9).map { Owner($0) }
        let set: Set<Set<Link>> = [Set(owners.prefix(3).map { Link($0) }), [Link(owners[3])], []]
        let box = Box(links: ["k": [Link(owners[4]), Link(owners[5])]], optional: Link(owners[6]))
        let other = Box(links: [:], optional: Link(owners[7]))
        let again = try roundTrip(
            Root(first: owners[0], sets: [set], boxes: [box: [box, other]], last: owners.reversed()))
        #expect(again.sets == [set])
        #expect(again.sets[0].contains([Link(Owner(Self.names[3]))]))
        #expect(again.boxes == [box: [box, other]])
        #expect(again.boxes[box]?.contains(other) == true)
        // They are the instances that all other references have.
        let byName = Dictionary(uniqueKeysWithValues: again.last.map { ($0.name, ObjectIdentifier($0)) })
        #expect(byName.count == 9)
        let found = again.sets[0].flatMap { $0 }.compactMap(\.owner) + again.boxes.keys.compactMap(\.optional?.owner)
        #expect(found.count == 5)
        for owner in found { #expect(byName[owner.name] == ObjectIdentifier(owner)) }
        #expect(again.first === again.last.last)
    }

    @Test func `of a struct that is behind another instance is there as well`() throws {
        struct Claim: Codable, Hashable {
            @Reference var title: Title? = nil
        }
        let titles = Set(Self.names.map { Title(Owner($0)) })
        #expect(try roundTrip(titles) == titles)
        let claims = Set(titles.map { Claim(title: $0) })
        let again = try roundTrip(claims)
        #expect(again == claims)
        #expect(Self.names.allSatisfy { again.contains(Claim(title: Title(Owner($0)))) })
    }

    @Test func `through a collection of references is there as well`() throws {
        struct Team: Codable, Hashable {
            @References var members: [Owner] = []
        }
        let teams = Set(Self.names.map { Team(members: [Owner("captain"), Owner($0)]) })
        let again = try roundTrip(teams)
        #expect(again == teams)
        #expect(Self.names.allSatisfy { again.contains(Team(members: [Owner("captain"), Owner($0)])) })
        let dictionary = try roundTrip(Dictionary(uniqueKeysWithValues: teams.map { ($0, 1) }))
        #expect(Self.names.allSatisfy { dictionary[Team(members: [Owner("captain"), Owner($0)])] == 1 })
    }

    @Test func `to equal instances makes elements equal, which are then one`() throws {
        // No encoder writes the same element twice; a file may have it.
        let links = ["a", "b", "a"].map { Link(Owner($0)) }
        let set = try transcode(links, as: Set<Link>.self)
        #expect(set.count == 2)
        #expect(set == [Link(Owner("a")), Link(Owner("b"))])
    }

    // MARK: - Back to instances that are not complete

    /// A set whose elements' hashes depend on the instance that has the set.
    final class Group: Codable, Hashable {
        struct Member: Codable, Hashable {
            var number: Int
            @Reference var group: Group? = nil
        }

        var name: String
        var members: Set<Member> = []
        var places: [Member: Int] = [:]
        var tables: [[Set<Member>]] = []
        var next: Group?

        init(_ name: String) { self.name = name }
        static func == (left: Group, right: Group) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }

        func fill(_ groups: Group...) {
            let all = groups.enumerated().map { Member(number: $0.offset, group: $0.element) }
            members = Set(all)
            places = Dictionary(uniqueKeysWithValues: all.map { ($0, $0.number) })
            tables = [[[], Set(all)]]
        }

        func clear() { (members, places, tables, next) = ([], [:], [], nil) }

        func check(_ groups: Group..., sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(members.count == groups.count, sourceLocation: sourceLocation)
            #expect(tables.count == 1, sourceLocation: sourceLocation)
            for (number, group) in groups.enumerated() {
                let member = Member(number: number, group: group)
                #expect(members.contains(member), sourceLocation: sourceLocation)
                #expect(members.first { $0.number == number }?.group === group, sourceLocation: sourceLocation)
                #expect(places[member] == number, sourceLocation: sourceLocation)
                #expect(tables.first?.last?.contains(member) == true, sourceLocation: sourceLocation)
            }
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `may refer back to the instance that has the set`(format: PropertyListFormat) throws {
        let group = Group("g")
        group.fill(group)
        defer { group.clear() }
        let again = try roundTrip(group, format: format)
        defer { again.clear() }
        #expect(again.name == "g")
        again.check(again)
    }

    @Test func `may refer back to an instance further out, or to both`() throws {
        let outer = Group("outer")
        let inner = Group("inner")
        outer.next = inner
        inner.fill(outer, inner)
        outer.fill(inner, outer, Group("third"))
        defer {
            outer.clear()
            inner.clear()
        }
        let again = try roundTrip([outer])[0]
        let found = try #require(again.next)
        defer {
            again.clear()
            found.clear()
        }
        found.check(again, found)
        let third = try #require(again.members.first { $0.number == 2 }?.group)
        #expect(third.name == "third")
        again.check(found, again, third)
    }

    /// An element whose hash goes through another instance, back to the one that has the set.
    final class Club: Codable, Hashable {
        struct Card: Codable, Hashable {
            @Reference var person: Person? = nil
        }

        final class Person: Codable, Hashable {
            var name: String
            @Reference var club: Club?

            init(_ name: String, _ club: Club?) {
                self.name = name
                self.club = club
            }
            static func == (left: Person, right: Person) -> Bool { left.name == right.name && left.club == right.club }
            func hash(into hasher: inout Hasher) {
                hasher.combine(name)
                hasher.combine(club)
            }
        }

        var name: String
        var cards: Set<Card> = []
        var people: Set<Person> = []
        @References var references: Set<Person>
        var later: [Card: Int] = [:]

        init(_ name: String) { self.name = name }
        static func == (left: Club, right: Club) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
        func clear() { (cards, people, references, later) = ([], [], [], [:]) }
    }

    @Test(arguments: ["cards", "people", "references", "keys", "all"])
    func `may refer back through other instances`(part: String) throws {
        let club = Club("c")
        let people = Self.names.map { Club.Person($0, club) }
        if ["cards", "all"].contains(part) { club.cards = Set(people.map { Club.Card(person: $0) }) }
        if ["people", "all"].contains(part) { club.people = Set(people) }
        if ["references", "all"].contains(part) { club.references = Set(people) }
        if ["keys", "all"].contains(part) {
            club.later = Dictionary(uniqueKeysWithValues: people.map { (Club.Card(person: $0), 1) })
        }
        defer { club.clear() }
        let again = try roundTrip(club)
        defer { again.clear() }
        #expect(again.cards.count == club.cards.count)
        #expect(again.people.count == club.people.count)
        #expect(again.references.count == club.references.count)
        #expect(again.later.count == club.later.count)
        let found = Self.names.map { Club.Person($0, again) }
        #expect(found.allSatisfy { again.cards.contains(Club.Card(person: $0)) } != again.cards.isEmpty)
        #expect(found.allSatisfy { again.people.contains($0) } != again.people.isEmpty)
        #expect(found.allSatisfy { again.references.contains($0) } != again.references.isEmpty)
        #expect(found.allSatisfy { again.later[Club.Card(person: $0)] == 1 } != again.later.isEmpty)
    }

    @Test func `may refer back through references that a struct has`() throws {
        struct Team: Codable, Hashable {
            var number: Int
            @References var leagues: [League] = []
        }
        final class League: Codable, Hashable {
            var name = "l"
            var teams: Set<Team> = []
            static func == (left: League, right: League) -> Bool { left.name == right.name }
            func hash(into hasher: inout Hasher) { hasher.combine(name) }
        }
        let league = League()
        league.teams = Set((0..<20).map { Team(number: $0, leagues: [league]) })
        defer { league.teams = [] }
        let again = try roundTrip(league)
        defer { again.teams = [] }
        #expect(again.teams.count == 20)
        #expect(again.teams.allSatisfy { again.teams.contains($0) && $0.leagues.first === again })
    }

    @Test func `may refer back from an optional struct that has the set`() throws {
        final class Group: Codable, Hashable {
            struct Member: Codable, Hashable {
                @Reference var group: Group? = nil
            }
            struct Box: Codable {
                var members: Set<Member>
            }
            var name = "g"
            var box: Box?
            static func == (left: Group, right: Group) -> Bool { left.name == right.name }
            func hash(into hasher: inout Hasher) { hasher.combine(name) }
        }
        let group = Group()
        group.box = Group.Box(members: [Group.Member(group: group)])
        defer { group.box = nil }
        let again = try roundTrip(group)
        defer { again.box = nil }
        let member = try #require(again.box?.members.first)
        #expect(member.group === again)
        #expect(again.box?.members.contains(member) == true)
    }
}
