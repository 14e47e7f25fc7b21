// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A class with one property that refers to a hub. The property is what a test is about.
private protocol Spoke: AnyObject, Codable, SendableMetatype {
    init(_ hub: Hub<Self>)

    /// Every hub that the property refers to.
    var hubs: [Hub<Self>?] { get }
}

private final class Hub<Member: Spoke>: Codable, Hashable {
    let name: String
    private(set) var spokes: [Member] = []

    init(_ name: String) { self.name = name }

    /// A hub with two spokes that refer back to it.
    static func withSpokes() -> Hub {
        let hub = Hub("hub")
        hub.spokes = [Member(hub), Member(hub)]
        return hub
    }

    /// Opens the cycle, so that everything is released.
    func takeOff() { spokes = [] }

    static func == (left: Hub, right: Hub) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Is decoded from the hub on: the cycle closes in a spoke.
private struct FromHub<Member: Spoke>: Codable {
    var hub: Hub<Member>
    var spokes: [Member]
}

/// Is decoded from the spokes on: the cycle closes in the hub.
private struct FromSpokes<Member: Spoke>: Codable {
    var spokes: [Member]
    var hub: Hub<Member>
}

// MARK: - Properties

private enum Spokes {
    final class VarStrong: Spoke {
        var hub: Hub<VarStrong>?
        init(_ hub: Hub<VarStrong>) { self.hub = hub }
        var hubs: [Hub<VarStrong>?] { [hub] }
    }

    final class LetStrong: Spoke {
        let hub: Hub<LetStrong>?
        init(_ hub: Hub<LetStrong>) { self.hub = hub }
        var hubs: [Hub<LetStrong>?] { [hub] }
    }

    final class ImplicitlyUnwrapped: Spoke {
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        var hub: Hub<ImplicitlyUnwrapped>!
        init(_ hub: Hub<ImplicitlyUnwrapped>) { self.hub = hub }
        var hubs: [Hub<ImplicitlyUnwrapped>?] { [hub] }
    }

    final class LetRequired: Spoke {
        let hub: Hub<LetRequired>
        init(_ hub: Hub<LetRequired>) { self.hub = hub }
        var hubs: [Hub<LetRequired>?] { [hub] }
    }

    final class VarWeak: Spoke {
        weak var hub: Hub<VarWeak>?
        init(_ hub: Hub<VarWeak>) { self.hub = hub }
        var hubs: [Hub<VarWeak>?] { [hub] }
    }

    final class VarUnowned: Spoke {
        unowned var hub: Hub<VarUnowned>?
        init(_ hub: Hub<VarUnowned>) { self.hub = hub }
        var hubs: [Hub<VarUnowned>?] { [hub] }
    }

    final class LetUnowned: Spoke {
        unowned let hub: Hub<LetUnowned>?
        init(_ hub: Hub<LetUnowned>) { self.hub = hub }
        var hubs: [Hub<LetUnowned>?] { [hub] }
    }

    final class LetUnownedRequired: Spoke {
        unowned let hub: Hub<LetUnownedRequired>
        init(_ hub: Hub<LetUnownedRequired>) { self.hub = hub }
        var hubs: [Hub<LetUnownedRequired>?] { [hub] }
    }

    final class DoubleOptional: Spoke {
        let hub: Hub<DoubleOptional>??
        init(_ hub: Hub<DoubleOptional>) { self.hub = hub }
        var hubs: [Hub<DoubleOptional>?] { [hub ?? nil] }
    }

    final class Several: Spoke {
        let first: Hub<Several>?
        weak var second: Hub<Several>?
        private(set) var third: [Hub<Several>]
        unowned let fourth: Hub<Several>?
        let fifth: [String: Hub<Several>]?
        init(_ hub: Hub<Several>) { (first, second, third, fourth, fifth) = (hub, hub, [hub, hub], hub, ["k": hub]) }
        var hubs: [Hub<Several>?] { [first, second, fourth, fifth?["k"]] + third }
    }
}

// MARK: - Collections

extension Spokes {
    final class InArray: Spoke {
        let list: [Hub<InArray>]
        init(_ hub: Hub<InArray>) { list = [hub, hub] }
        var hubs: [Hub<InArray>?] { list }
    }

    final class InContiguousArray: Spoke {
        let list: ContiguousArray<Hub<InContiguousArray>>
        init(_ hub: Hub<InContiguousArray>) { list = [hub] }
        var hubs: [Hub<InContiguousArray>?] { Array(list) }
    }

    final class InSet: Spoke {
        let set: Set<Hub<InSet>>
        init(_ hub: Hub<InSet>) { set = [hub] }
        var hubs: [Hub<InSet>?] { self.set.map { self.set.contains($0) ? $0 : nil } }
    }

    final class AsKey: Spoke {
        let table: [Hub<AsKey>: Int]
        init(_ hub: Hub<AsKey>) { table = [hub: 7] }
        var hubs: [Hub<AsKey>?] { table.keys.map { table[$0] == 7 ? $0 : nil } }
    }

    final class AsValue: Spoke {
        var table: [String: Hub<AsValue>]
        init(_ hub: Hub<AsValue>) { table = ["a": hub, "b": hub] }
        var hubs: [Hub<AsValue>?] { [table["a"], table["b"]] }
    }

    final class InOptionalArray: Spoke {
        let list: [Hub<InOptionalArray>]?
        init(_ hub: Hub<InOptionalArray>) { list = [hub] }
        var hubs: [Hub<InOptionalArray>?] { list ?? [] }
    }

    final class InOptionalSet: Spoke {
        var set: Set<Hub<InOptionalSet>>?
        init(_ hub: Hub<InOptionalSet>) { set = [hub] }
        var hubs: [Hub<InOptionalSet>?] { Array(self.set ?? []) }
    }

    final class InOptionalTable: Spoke {
        var table: [Int: Hub<InOptionalTable>]?
        init(_ hub: Hub<InOptionalTable>) { table = [1: hub] }
        var hubs: [Hub<InOptionalTable>?] { [table?[1]] }
    }

    final class AmongNils: Spoke {
        let list: [Hub<AmongNils>?]
        init(_ hub: Hub<AmongNils>) { list = [nil, hub, nil] }
        var hubs: [Hub<AmongNils>?] { list.count == 3 && list[0] == nil && list[2] == nil ? [list[1]] : [nil] }
    }

    final class Nested: Spoke {
        var lists: [[Hub<Nested>]]
        let tables: [String: [Set<Hub<Nested>>]?]
        init(_ hub: Hub<Nested>) { (lists, tables) = ([[], [hub], [hub, hub]], ["x": [[], [hub]], "y": nil]) }
        var hubs: [Hub<Nested>?] { lists[1] + lists[2] + ((tables["x"] ?? nil)?[1].map { $0 } ?? [nil]) }
    }
}

// MARK: - Values on the way

extension Spokes {
    struct Link<Member: Spoke>: Codable, Hashable {
        var id: Int
        var target: Hub<Member>

        static func == (left: Link, right: Link) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    enum Payload<Member: Spoke>: Codable {
        case nothing
        case one(Hub<Member>)
        case several(first: Hub<Member>, rest: [Link<Member>])

        var hubs: [Hub<Member>?] {
            switch self {
            case .nothing: []
            case .one(let hub): [hub]
            case .several(let first, let rest): [first] + rest.map(\.target)
            }
        }
    }

    final class InStruct: Spoke {
        let link: Link<InStruct>
        init(_ hub: Hub<InStruct>) { link = Link(id: 1, target: hub) }
        var hubs: [Hub<InStruct>?] { [link.target] }
    }

    final class InOptionalStruct: Spoke {
        let link: Link<InOptionalStruct>?
        init(_ hub: Hub<InOptionalStruct>) { link = Link(id: 1, target: hub) }
        var hubs: [Hub<InOptionalStruct>?] { [link?.target] }
    }

    final class InStructs: Spoke {
        let links: [Link<InStructs>]
        init(_ hub: Hub<InStructs>) { links = (0..<3).map { Link(id: $0, target: hub) } }
        var hubs: [Hub<InStructs>?] { links.map(\.target) }
    }

    final class InSetOfStructs: Spoke {
        private(set) var links: Set<Link<InSetOfStructs>> = []
        init(_ hub: Hub<InSetOfStructs>) { links = Set((0..<3).map { Link(id: $0, target: hub) }) }
        var hubs: [Hub<InSetOfStructs>?] { links.map { links.contains($0) ? $0.target : nil } }
    }

    final class InPayload: Spoke {
        let payload: Payload<InPayload>
        init(_ hub: Hub<InPayload>) { payload = .one(hub) }
        var hubs: [Hub<InPayload>?] { payload.hubs }
    }

    final class InOptionalPayload: Spoke {
        var payload: Payload<InOptionalPayload>?
        init(_ hub: Hub<InOptionalPayload>) { payload = .several(first: hub, rest: [Link(id: 1, target: hub)]) }
        var hubs: [Hub<InOptionalPayload>?] { payload?.hubs ?? [] }
    }

    final class InPayloads: Spoke {
        let payloads: [String: Payload<InPayloads>]
        init(_ hub: Hub<InPayloads>) {
            payloads = ["a": .one(hub), "b": .nothing, "c": .several(first: hub, rest: [])]
        }
        var hubs: [Hub<InPayloads>?] { payloads.values.flatMap(\.hubs) }
    }
}

// MARK: - Tests

private struct Kind: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable (ArchiveEncoder) throws -> Void

    init<Member: Spoke>(_ type: Member.Type) {
        testDescription = "\(type)"
        check = { encoder in
            let hub = Hub<Member>.withSpokes()
            defer { hub.takeOff() }
            let expected = hub.spokes[0].hubs.count
            let fromHub = try ArchiveDecoder().decode(
                FromHub<Member>.self, from: encoder.encode(FromHub(hub: hub, spokes: hub.spokes)))
            Self.expectWheel(fromHub.hub, fromHub.spokes, hubsOfEach: expected)
            let fromSpokes = try ArchiveDecoder().decode(
                FromSpokes<Member>.self, from: encoder.encode(FromSpokes(spokes: hub.spokes, hub: hub)))
            Self.expectWheel(fromSpokes.hub, fromSpokes.spokes, hubsOfEach: expected)
        }
    }

    private static func expectWheel<Member>(_ hub: Hub<Member>, _ spokes: [Member], hubsOfEach count: Int) {
        #expect(hub.name == "hub")
        #expect(hub.spokes.count == 2 && spokes.count == 2)
        #expect(zip(hub.spokes, spokes).allSatisfy { $0 === $1 })
        #expect(spokes[0] !== spokes[1])
        for spoke in spokes {
            #expect(spoke.hubs.count == count)
            #expect(spoke.hubs.allSatisfy { $0 === hub })
        }
        hub.takeOff()
    }
}

@Suite(.inTurn) struct `A plain reference to the instance whose collection it is in` {
    private static let kinds: [Kind] = [
        Kind(Spokes.VarStrong.self), Kind(Spokes.LetStrong.self), Kind(Spokes.ImplicitlyUnwrapped.self),
        Kind(Spokes.LetRequired.self), Kind(Spokes.VarWeak.self), Kind(Spokes.VarUnowned.self),
        Kind(Spokes.LetUnowned.self), Kind(Spokes.LetUnownedRequired.self), Kind(Spokes.DoubleOptional.self),
        Kind(Spokes.Several.self),
        // Collections
        Kind(Spokes.InArray.self), Kind(Spokes.InContiguousArray.self), Kind(Spokes.InSet.self),
        Kind(Spokes.AsKey.self), Kind(Spokes.AsValue.self), Kind(Spokes.InOptionalArray.self),
        Kind(Spokes.InOptionalSet.self), Kind(Spokes.InOptionalTable.self), Kind(Spokes.AmongNils.self),
        Kind(Spokes.Nested.self),
        // Values on the way
        Kind(Spokes.InStruct.self), Kind(Spokes.InOptionalStruct.self), Kind(Spokes.InStructs.self),
        Kind(Spokes.InSetOfStructs.self), Kind(Spokes.InPayload.self), Kind(Spokes.InOptionalPayload.self),
        Kind(Spokes.InPayloads.self),
    ]

    @Test(arguments: kinds, [PropertyListFormat.binary, .xml])
    private func `comes back, alone, as a collection, and with values on the way`(
        kind: Kind, format: PropertyListFormat
    ) throws {
        try kind.check(ArchiveEncoder(format))
    }

    @Test(arguments: kinds)
    private func `comes back from an archive whose keys are sorted`(kind: Kind) throws {
        try kind.check(ArchiveEncoder(.binary, .sortedKeys))
    }
}
