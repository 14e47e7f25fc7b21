// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private protocol Part: AnyObject, Codable {
    var name: String { get }
}

private final class Wheel: Part {
    let name: String
    init(_ name: String) { self.name = name }
}

private final class Machine: Part {
    let name: String
    @Polymorphic var parts: [any Part] = []
    @Polymorphic var owner: (any Part)?
    @Polymorphic var byName: [String: any Part] = [:]

    init(_ name: String) { self.name = name }
}

/// Refers to itself by what may close cycles.
private final class Link: Part {
    let name: String
    @Reference var next: Link?
    @WeakReference var last: Link?
    @Polymorphic var part: (any Part)?
    init(_ name: String) { self.name = name }
}

private func partsRoundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try roundTrip(value, registering: [Wheel.self, Machine.self, Link.self])
}

@Suite(.inTurn) struct `Class instances behind a protocol` {
    private static func untie(_ machines: Machine...) {
        for machine in machines {
            machine.parts = []
            machine.owner = nil
            machine.byName = [:]
        }
    }

    @Test func `may not refer back to themselves through single references alone`() throws {
        let (left, right) = (Machine("l"), Machine("r"))
        left.owner = right
        right.owner = left
        defer { Self.untie(left, right) }
        let error = try failure { try partsRoundTrip([left]) }
        #expect(error.path == "[0].owner.owner" && error.says("leads back to the Machine", "publish(self)"), "\(error)")
    }

    @Test func `may refer back to themselves through an array`() throws {
        let (whole, part) = (Machine("whole"), Machine("part"))
        whole.parts = [Wheel("w"), part]
        part.parts = [whole, part]
        defer { Self.untie(whole, part) }
        let again = try partsRoundTrip([whole])[0]
        let copy = try #require(again.parts.last as? Machine)
        defer { Self.untie(again, copy) }
        #expect(again.parts.map(\.name) == ["w", "part"])
        #expect(copy.parts[0] === again && copy.parts[1] === copy)
    }

    @Test func `may refer back to themselves through a dictionary`() throws {
        let machine = Machine("m")
        machine.byName = ["self": machine, "wheel": Wheel("w")]
        defer { Self.untie(machine) }
        let again = try partsRoundTrip([machine])[0]
        defer { Self.untie(again) }
        #expect(again.byName["self"] === again)
        #expect(again.byName["wheel"]?.name == "w")
    }

    @Test func `may close a cycle by a reference`() throws {
        let links = (0..<4).map { Link("\($0)") }
        for index in links.indices {
            links[index].next = links[(index + 1) % 4]
            links[(index + 1) % 4].last = links[index]
        }
        defer { for link in links { link.next = nil } }
        let again = try partsRoundTrip(Polymorphic<[any Part]>(wrappedValue: [links[2], links[0]])).wrappedValue
        let first = try #require(again[0] as? Link)
        let copies = (0..<3).reduce(into: [first]) { links, _ in if let next = links.last?.next { links.append(next) } }
        defer { for link in copies { link.next = nil } }
        #expect(copies.map(\.name) == ["2", "3", "0", "1"])
        #expect(copies.last?.next === first && first.last === copies.last)
        #expect(again[1] === copies[2])
    }
}
