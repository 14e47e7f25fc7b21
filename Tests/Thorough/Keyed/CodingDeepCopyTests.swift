// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A part of a graph, with references of every kind.
private class Part: Coding, Hashable {
    let name: String
    var parts: [Part] = []
    var byName: [String: Part] = [:]
    var unique: Set<Part> = []
    weak var whole: Part?
    var value: Value?
    var anything: Any?

    init(_ name: String) { self.name = name }

    required init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        coder.publish(self)
        parts = try coder.decode([Part].self, forKey: "parts")
        byName = try coder.decode([String: Part].self, forKey: "byName")
        unique = try coder.decode(Set<Part>.self, forKey: "unique")
        whole = try coder.decodeIfPresent(Part.self, forKey: "whole")
        value = try coder.decodeIfPresent(Value.self, forKey: "value")
        anything = try coder.decodeObject(forKey: "anything")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(parts, forKey: "parts")
        try coder.encode(byName, forKey: "byName")
        try coder.encode(unique, forKey: "unique")
        try coder.encodeConditional(whole, forKey: "whole")
        try coder.encode(value, forKey: "value")
        try coder.encodeObject(anything, forKey: "anything")
    }

    static func == (left: Part, right: Part) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

private final class Wheel: Part {
    let spokes: Int

    init(_ name: String, spokes: Int) {
        self.spokes = spokes
        super.init(name)
    }

    required init(coder: KeyedUnarchiver) throws {
        spokes = try coder.decodeInteger(forKey: "spokes")
        try super.init(coder: coder)
    }

    override func encode(with coder: KeyedArchiver) throws {
        coder.encode(spokes, forKey: "spokes")
        try super.encode(with: coder)
    }
}

private final class Owner: Codable {
    let name: String
    @Coded var part: Part?

    init(_ name: String, _ part: Part?) {
        self.name = name
        self.part = part
    }
}

private struct Value: Codable {
    var owner: Owner
    @Coded var part: Part
}

@Suite(.inTurn) struct `A deep copy of a Coding instance` {
    @Test func `has the same shape, with new instances`() throws {
        let (root, shared, wheel) = (Part("root"), Part("shared"), Wheel("wheel", spokes: 12))
        (root.parts, root.byName, root.unique) = ([shared, wheel, shared], ["s": shared], [wheel, shared])
        wheel.parts = [shared]
        let copy = try deepCopy(of: root)
        #expect(copy.name == "root" && copy.parts.map(\.name) == ["shared", "wheel", "shared"])
        let twin = copy.parts[0]
        #expect(twin !== shared && copy.parts[2] === twin && copy.byName["s"] === twin)
        let wheelTwin = try #require(copy.parts[1] as? Wheel)
        #expect(wheelTwin !== wheel && wheelTwin.spokes == 12 && wheelTwin.parts[0] === twin)
        #expect(copy.unique.count == 2)
        #expect(copy.unique.allSatisfy { $0 === twin || $0 === wheelTwin })
    }

    @Test func `keeps cycles, and forgets what is not a part of the graph`() throws {
        let (root, child) = (Part("root"), Part("child"))
        root.parts = [child]
        child.whole = root
        root.whole = root
        let copy = try deepCopy(of: root)
        #expect(copy !== root && copy.whole === copy && copy.parts[0].whole === copy)
        let part = try deepCopy(of: child)
        #expect(part.name == "child" && part.whole == nil && child.whole === root)
    }

    @Test func `has its Codable values, which share its instances`() throws {
        let (root, part) = (Part("root"), Wheel("part", spokes: 5))
        root.parts = [part]
        root.value = Value(owner: Owner("o", part), part: part)
        let copy = try deepCopy(of: root)
        let value = try #require(copy.value)
        #expect(value.part === copy.parts[0] && value.owner.part === value.part && value.part !== part)
        #expect((value.part as? Wheel)?.spokes == 5 && value.owner.name == "o")
    }

    @Test func `has what it knows no type of`() throws {
        let root = Part("root")
        let wheel = Wheel("wheel", spokes: 8)
        root.parts = [wheel]
        root.anything = [wheel, "text", 3, ["k": Part("p")]] as [Any]
        let copy = try deepCopy(of: root)
        let anything = try #require(copy.anything as? [Any])
        #expect(anything.count == 4 && anything[0] as? Part === copy.parts[0])
        #expect(anything[1] as? String == "text" && anything[2] as? Int == 3)
        #expect((anything[3] as? [AnyHashable: Any]).flatMap { $0["k"] as? Part }?.name == "p")
    }

    @Test func `can be of a Codable value that has some`() throws {
        struct Workshop: Codable {
            @Coded var parts: [Part]
            @Coded var named: any Coding
            var owners: [Owner]
        }
        let wheel = Wheel("w", spokes: 4)
        let copy = try deepCopy(of: Workshop(parts: [wheel, wheel], named: wheel, owners: [Owner("o", wheel)]))
        let twin = try #require(copy.parts[0] as? Wheel)
        #expect(twin !== wheel && twin.spokes == 4 && copy.parts[1] === twin && copy.owners[0].part === twin)
        #expect(copy.named as? Wheel === twin)
    }

    @Test func `needs no secure coding`() throws {
        final class Unsafe: Coding {
            static var supportsSecureCoding: Bool { false }
            let name: String
            init(_ name: String) { self.name = name }
            init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
            func encode(with coder: KeyedArchiver) { coder.encode(name, forKey: "name") }
        }
        struct Box: Codable {
            @Coded var unsafe: Unsafe
        }
        #expect(try deepCopy(of: Unsafe("u")).name == "u")
        #expect(try deepCopy(of: Box(unsafe: Unsafe("u"))).unsafe.name == "u")
    }

    @Test func `passes on errors, and the user info`() throws {
        struct Refusal: Error, Equatable {
            var text: String
        }
        final class Refusing: Coding {
            let early: Bool
            init(early: Bool) { self.early = early }
            init(coder: KeyedUnarchiver) throws { throw Refusal(text: "init(coder:)") }
            func encode(with coder: KeyedArchiver) throws { if early { throw Refusal(text: "encode(with:)") } }
        }
        #expect(throws: Refusal(text: "encode(with:)")) { try deepCopy(of: Refusing(early: true)) }
        #expect(throws: Refusal(text: "init(coder:)")) { try deepCopy(of: Refusing(early: false)) }
        final class Curious: Coding {
            static let key = CodingUserInfoKey.named("answer")
            var seen: [Int?] = []
            init() {}
            init(coder: KeyedUnarchiver) throws {
                seen = [try coder.decodeIfPresent(Int.self, forKey: "seen"), coder.userInfo[Self.key] as? Int]
            }
            func encode(with coder: KeyedArchiver) throws {
                coder.encode(coder.userInfo[Self.key] as? Int, forKey: "seen")
            }
        }
        #expect(try deepCopy(of: Curious(), userInfo: [Curious.key: 42]).seen == [42, 42])
        #expect(try deepCopy(of: Curious()).seen == [nil, nil])
    }

    @Test func `of a long chain of references takes no stack`() throws {
        typealias Link = `A cycle of Coding instances`.Member
        let found = try onThread(stackSize: 512 << 10) {
            let links = (0..<100_000).map { Link("\($0)") }
            for (link, next) in zip(links, links.dropFirst()) { link.next = next }
            defer { for link in links { link.next = nil } }
            var found: [String] = []
            var link: Link? = try deepCopy(of: links[0])
            while let current = link {
                found.append(current.name)
                link = current.next
                current.next = nil
            }
            return found
        }
        #expect(found == (0..<100_000).map { "\($0)" })
    }
}
