// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TestSupport
import Testing

/// What elements of sets and keys of dictionaries have in common with the rest of the archive may be there before they are
/// hashed, and still refer to something that is not.
@Suite(.inTurn) struct `What was made before it is hashed` {
    /// Has the sets. Its name is not there before it is complete.
    final class Group: Codable, Hashable {
        var name = "g"
        var deed: Deed?
        var claims: Set<Claim> = []
        var places: [Claim: Int] = [:]
        var passes: [Pass] = []
        var valid: Set<Pass> = []

        static func == (left: Group, right: Group) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
        func clear() { (deed, claims, places, passes, valid) = (nil, [], [:], [], []) }
    }

    // MARK: Instances

    class Deed: Codable, Hashable {
        @Reference var group: Group?

        init(_ group: Group) { self.group = group }
        static func == (left: Deed, right: Deed) -> Bool { left.group == right.group }
        func hash(into hasher: inout Hasher) { hasher.combine(group) }
    }

    final class Lease: Deed {}

    struct Claim: Codable, Hashable {
        var number: Int
        var deed: Deed
    }

    @Test(arguments: [Deed.self, Lease.self]) func `may be an instance, also of a subclass`(type: Deed.Type) throws {
        let group = Group()
        let deed = type == Lease.self ? Lease(group) : Deed(group)
        group.deed = deed
        let claims = (0..<20).map { Claim(number: $0, deed: deed) }
        group.claims = Set(claims)
        group.places = Dictionary(uniqueKeysWithValues: claims.map { ($0, $0.number) })
        defer { group.clear() }
        let again = try roundTrip(group, registering: [Lease.self])
        defer { again.clear() }
        #expect(again.deed.map { Swift.type(of: $0) == type } == true)
        #expect(again.claims.count == 20 && again.places.count == 20)
        #expect(again.claims.allSatisfy { again.claims.contains($0) && $0.deed === again.deed })
        #expect(again.places.allSatisfy { again.places[$0.key] == $0.value })
    }

    // MARK: Values

    struct Pass: Codable, Hashable, ArchivedOnce {
        var id: Int
        @Reference var group: Group? = nil
    }

    @Test func `may be a value that is archived once`() throws {
        let group = Group()
        group.passes = (0..<20).map { Pass(id: $0, group: group) }
        group.valid = Set(group.passes)
        defer { group.clear() }
        let again = try roundTrip(group)
        defer { again.clear() }
        #expect(again.valid.count == 20)
        #expect(again.passes.allSatisfy { again.valid.contains($0) && $0.group === again })
    }

    // MARK: What is no matter of theirs

    /// An instance with a set in a property that cannot be set later.
    final class Inner: Codable, Hashable {
        struct Box: Codable, Hashable { var set: Set<[Int]> = [[1], [2]] }

        let box: Box

        init() { box = Box() }
        static func == (left: Inner, right: Inner) -> Bool { left.box == right.box }
        func hash(into hasher: inout Hasher) { hasher.combine(box) }
    }

    final class Outer: Codable {
        struct Element: Codable, Hashable {
            var tag: Owner
            var inner: Inner
        }

        @Reference var itself: Outer?
        var tag = Owner("t")
        var elements: Set<Element>
        let inner: Inner

        init() {
            inner = Inner()
            elements = []
            elements = [Element(tag: tag, inner: inner)]
        }
    }

    @Test func `says nothing of the sets inside the other elements`() throws {
        let outer = Outer()
        outer.itself = outer
        defer { outer.itself = nil }
        let again = try roundTrip(outer)
        defer { again.itself = nil }
        #expect(again.itself === again)
        #expect(again.inner.box.set == [[1], [2]])
        let element = try #require(again.elements.first)
        #expect(element.inner === again.inner && element.tag === again.tag)
        #expect(again.elements.contains(element))
    }

    // MARK: References that wait

    struct Registry: Codable {
        var titles: [Title]
        var set: Set<Title>
        var places: [Title: Int]
    }

    @Test func `may have references that have not been followed yet`() throws {
        let titles = (0..<20).map { Title(Owner("\($0)")) }
        let places = Dictionary(uniqueKeysWithValues: titles.enumerated().map { ($1, $0) })
        let again = try roundTrip(Registry(titles: titles, set: Set(titles), places: places))
        #expect(again.set.count == 20 && again.places.count == 20)
        #expect(again.titles.allSatisfy { again.set.contains($0) })
        #expect(again.titles.indices.allSatisfy { again.places[again.titles[$0]] == $0 })
    }
}
