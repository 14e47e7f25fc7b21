// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Cycles of `Coding` instances in which one is decoded inside another that it refers back to.
@Suite(.inTurn) struct `A collection of a Coding class waits for what its elements refer back to` {
    final class Star: Coding {
        var planets: [Planet] = []
        var byName: [String: Planet] = [:]
        @Reference var brightest: Planet?
        var all: Set<Planet> = []

        init() {}
        required init(coder: KeyedUnarchiver) throws {
            planets = try coder.decode([Planet].self, forKey: "planets")
            byName = try coder.decodeIfPresent([String: Planet].self, forKey: "byName") ?? [:]
            _brightest = try coder.decode(Reference<Planet>.self, forKey: "brightest")
            all = Set(planets)
        }
        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(planets, forKey: "planets")
            if !byName.isEmpty { try coder.encode(byName, forKey: "byName") }
            try coder.encode(brightest, forKey: "brightest")
        }
    }

    final class Planet: Coding, Hashable {
        let name: String
        let star: Star

        init(_ name: String, _ star: Star) { (self.name, self.star) = (name, star) }
        required init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            star = try coder.decode(Star.self, forKey: "star")
        }
        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(star, forKey: "star")
        }
        static func == (left: Planet, right: Planet) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A star with three planets, and what takes it apart again.
    private func system() -> (Star, clear: () -> Void) {
        let star = Star()
        star.planets = ["a", "b", "c"].map { Planet($0, star) }
        (star.byName, star.brightest) = (["c": star.planets[2], "a": star.planets[0]], star.planets[1])
        return (star, { clear(star) })
    }

    private func clear(_ star: Star) { (star.planets, star.byName, star.brightest, star.all) = ([], [:], nil, []) }

    @Test(arguments: 0..<3) func `if the archive begins with a child`(index: Int) throws {
        let (star, clear) = system()
        defer { clear() }
        let data = try KeyedArchiver.archivedData(withRootObject: star.planets[index])
        // The set is made of the planets before they are there.
        let planet = try KeyedUnarchiver.unarchivedObject(of: Planet.self, from: data)
        let copy = planet.star
        defer { self.clear(copy) }
        #expect(copy.planets.map(\.name) == ["a", "b", "c"])
        #expect(copy.planets[index] === planet)
        #expect(copy.planets.allSatisfy { $0.star === copy })
        #expect(copy.byName.mapValues(\.name) == ["a": "a", "c": "c"])
        #expect(copy.byName["a"] === copy.planets[0] && copy.byName["c"] === copy.planets[2])
        #expect(copy.brightest === copy.planets[1])
    }

    /// Has a child and a parent that may be nil.
    final class Link: Coding {
        let name: String
        var next: Link?
        /// Archived, unlike most.
        weak var previous: Link?
        var others: [Link]

        init(_ name: String) { (self.name, others) = (name, []) }
        required init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            next = try coder.decodeIfPresent(Link.self, forKey: "next")
            previous = try coder.decodeIfPresent(Link.self, forKey: "previous")
            others = try coder.decodeIfPresent([Link].self, forKey: "others") ?? []
        }
        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(next, forKey: "next")
            try coder.encode(previous, forKey: "previous")
            if !others.isEmpty { try coder.encode(others, forKey: "others") }
        }
    }

    @Test func `beside an optional that leads further`() throws {
        let (first, second) = (Link("first"), Link("second"))
        (first.next, second.others, first.others) = (second, [second, first], [first])
        let data = try KeyedArchiver.archivedData(withRootObject: first)
        (second.others, first.others) = ([], [])
        for _ in 0..<2 {
            let copy = try KeyedUnarchiver.unarchivedObject(of: Link.self, from: data)
            let next = try #require(copy.next)
            #expect(copy.name == "first" && next.name == "second" && next.next == nil && copy.previous == nil)
            #expect(copy.others.count == 1 && copy.others[0] === copy)
            #expect(next.others.count == 2 && next.others[0] === next && next.others[1] === copy)
            (copy.others, next.others) = ([], [])
        }
    }

    final class Filtering: Coding {
        var others: [Filtering]
        init() { others = [] }
        required init(coder: KeyedUnarchiver) throws {
            others = try coder.decode([Filtering].self, forKey: "others").filter { !$0.others.isEmpty }
        }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(others, forKey: "others") }
    }

    final class Strict: Coding {
        let other: Strict?
        init(_ other: Strict?) { self.other = other }
        required init(coder: KeyedUnarchiver) throws { other = try coder.decode(Strict.self, forKey: "other") }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(other, forKey: "other") }
    }

    @Test func `or is an error that names the ways out`() throws {
        let (one, other) = (Link("one"), Link("other"))
        (one.next, other.previous) = (other, one)
        let ring = try KeyedArchiver.archivedData(withRootObject: one)
        let third = try failure { try KeyedUnarchiver.unarchivedObject(of: Link.self, from: ring) }
        #expect(third.says("Link.previous at \"root.next.previous\"", "coder.publish(self)"), "\(third)")

        let value = Filtering()
        value.others = [value]
        let data = try KeyedArchiver.archivedData(withRootObject: value)
        value.others = []
        let first = try failure { try KeyedUnarchiver.unarchivedObject(of: Filtering.self, from: data) }
        #expect(first.says("dropped", "@References", "others"), "\(first)")
        // No initializer can make a cycle that nothing can wait in; a file can claim it.
        let name = ClassRegistry().name(for: Strict.self)
        let list = try handmadeArchive(["other": .uid(1), "$class": .uid(2)], classEntry(name))
        let second = try failure {
            try KeyedUnarchiver.unarchivedObject(of: Strict.self, from: PropertyList(list).data(format: .binary))
        }
        #expect(
            second.says("leads back", "other", "publish(self)"), "\(second)")
    }
}
