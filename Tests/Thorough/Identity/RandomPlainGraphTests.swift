// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

// MARK: - Plain classes

/// Plain stored properties of every kind that can close a cycle, and some that cannot.
private struct PlainGraph: RandomGraph {
    var entry: Thing?
    /// Everything there is: weak and unowned properties keep nothing.
    var things: [Thing]

    var roots: [Thing?] { [entry] + things }

    static var classes: [any Any.Type] { [Thing.self, Special.self] }

    static func random(_ count: Int, using generator: inout SeededGenerator) -> PlainGraph {
        var things: [Thing] = []
        for number in 0..<count {
            if let anchor = generator.perhaps(things) {
                things.append(Special(number, anchor, earlier: generator.few(things)))
            } else {
                things.append(Thing(number, earlier: generator.few(things)))
            }
        }
        for thing in things { thing.fill(from: things, using: &generator) }
        return PlainGraph(entry: generator.perhaps(things), things: things.shuffled(using: &generator))
    }
}

private struct Link: Codable, Hashable {
    var id: Int
    var thing: Thing
    var others: [Thing]

    static func == (left: Link, right: Link) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }

    func fields(_ name: String) -> [GraphField] { [.strong("\(name) \(id)", [thing] + others)] }
}

private enum Choice: Codable {
    case nothing
    case one(Thing?)
    case several([Thing], link: Link)

    static func random(from things: [Thing], using generator: inout SeededGenerator) -> Choice {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .nothing
        case 1: .one(generator.perhaps(things))
        default: .several(generator.few(things), link: Link(id: 0, thing: things[0], others: generator.few(things)))
        }
    }

    var fields: [GraphField] {
        switch self {
        case .nothing: [.value("nothing")]
        case .one(let thing): [.strong("one", thing)]
        case .several(let things, let link): [.strong("several", things)] + link.fields("several")
        }
    }
}

private class Thing: Codable, Hashable, GraphNode {
    let number: Int
    /// Can refer only to earlier instances, which can refer back to this one.
    let earlier: [Thing]
    var next: Thing?
    weak var back: Thing?
    unowned var owner: Thing?
    var others: [Thing] = []
    var lists: [[Thing?]] = []
    var named: [String: Thing]?
    var set: Set<Thing> = []
    var keys: [Thing: Int] = [:]
    var link: Link?
    private var links: Set<Link> = []
    var choice: Choice?
    private(set) var doubly: Thing??

    init(_ number: Int, earlier: [Thing]) {
        (self.number, self.earlier) = (number, earlier)
    }

    static func == (left: Thing, right: Thing) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    func fill(from things: [Thing], using generator: inout SeededGenerator) {
        next = generator.perhaps(things)
        back = generator.perhaps(things)
        owner = generator.perhaps(things)
        others = generator.few(things)
        lists = generator.once(in: 3) ? [[], [nil, generator.perhaps(things)]] : []
        named = generator.once(in: 3) ? ["a": things[0], "b": things[things.count - 1]] : nil
        set = generator.once(in: 2) ? Set(generator.few(things)) : []
        for thing in generator.few(things) { keys[thing] = thing.number }
        link = generator.perhaps(things).map { Link(id: 1, thing: $0, others: generator.few(things)) }
        for thing in generator.few(things) { links.insert(Link(id: thing.number, thing: thing, others: [])) }
        choice = generator.once(in: 2) ? Choice.random(from: things, using: &generator) : nil
        doubly = generator.once(in: 2) ? .some(generator.perhaps(things)) : nil
    }

    var fields: [GraphField] {
        var fields: [GraphField] = [
            .value("\(number)"), .strong("earlier", earlier), .strong("next", next), .weak("back", back),
            .weak("owner", owner), .strong("others", others), .strong("doubly", doubly ?? nil),
        ]
        fields += lists.map { .strong("list", $0) }
        fields += GraphField.strong("named", (named ?? [:]).mapValues { [$0] })
        let sorted = set.sorted { $0.number < $1.number }
        fields.append(.strong("set", sorted.map { set.contains($0) ? $0 : nil }))
        for (key, value) in keys.sorted(by: { $0.value < $1.value }) {
            fields += [.value("key \(value)"), .strong("key", keys[key] == value ? key : nil)]
        }
        fields += link?.fields("link") ?? []
        fields += links.sorted { $0.id < $1.id }.flatMap { links.contains($0) ? $0.fields("links") : [] }
        return fields + (choice?.fields ?? [])
    }

    func clear() {
        (next, back, owner, others, lists, named) = (nil, nil, nil, [], [], nil)
        (set, keys, link, links, choice, doubly) = ([], [:], nil, [], nil, nil)
    }
}

private final class Special: Thing {
    /// Cannot be set later: references back to this one have to wait.
    let anchor: Thing
    var special: [Special]
    private enum CodingKeys: String, CodingKey {
        case anchor = "a"
        case special
    }

    init(_ number: Int, _ anchor: Thing, earlier: [Thing]) {
        self.anchor = anchor
        special = []
        super.init(number, earlier: earlier)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        anchor = try container.decode(Thing.self, forKey: .anchor)
        special = try container.decode([Special].self, forKey: .special)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(anchor, forKey: .anchor)
        try container.encode(special, forKey: .special)
        try super.encode(to: container.superEncoder())
    }

    override func fill(from things: [Thing], using generator: inout SeededGenerator) {
        super.fill(from: things, using: &generator)
        special = generator.few(things.compactMap { $0 as? Special })
    }

    override var fields: [GraphField] { super.fields + [.strong("anchor", anchor), .strong("special", special)] }

    override func clear() {
        super.clear()
        special = []
    }
}

// MARK: - Tests

@Suite(.inTurn) struct `A random graph of plain references` {
    @Test(arguments: Extent.cases(of: [0, 1000, 2000] as [UInt64], every: 3))
    func `comes back as it was`(firstSeed: UInt64) throws {
        try onThread(stackSize: 64 << 20) { try PlainGraph.comeBack(firstSeed..<firstSeed + 350, largest: 8) }
    }

    @Test func `of many instances comes back as it was`() throws {
        try onThread(stackSize: 64 << 20) { try PlainGraph.comeBack(100_000..<100_004, largest: 60) }
    }
}
