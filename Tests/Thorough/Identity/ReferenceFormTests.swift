// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What a property is in an archive does not depend on whether it is a reference.
@Suite(.inTurn) struct `The archive of a reference` {
    enum Plain {
        final class Node: LinkedNode {
            var name: String
            var next: Node?
            var other: Node?
            var many: [Node] = []
            var named: [String: Node] = [:]

            init(_ name: String) { self.name = name }
        }
    }

    enum Referring {
        final class Node: LinkedNode {
            var name: String
            @Reference var next: Node?
            @Reference var other: Node?
            @References var many: [Node]
            @References var named: [String: Node]

            init(_ name: String) { self.name = name }
        }
    }

    /// Three nodes: a ring, one that is shared, one that refers to itself, and nils.
    private static func nodes<Node: LinkedNode>(_ type: Node.Type) -> [Node] {
        let nodes = ["a", "b", "a"].map { Node($0) }
        for index in 0..<3 { nodes[index].next = nodes[(index + 1) % 3] }
        nodes[1].other = nodes[1]
        nodes[0].many = [nodes[2], nodes[0], nodes[2]]
        nodes[2].named = ["n": nodes[1]]
        return nodes
    }

    private static func encoder(
        _ type: any Any.Type, _ format: PropertyListFormat, _ formatting: ArchiveEncoder.OutputFormatting
    ) -> ArchiveEncoder {
        var encoder = ArchiveEncoder(format, formatting)
        encoder.classes.register(type, name: "Node")
        return encoder
    }

    /// That nodes of the one type, written by `encoder`, are read as nodes of the other.
    private func check<Written: LinkedNode, Read: LinkedNode>(
        _ encoder: ArchiveEncoder, _ written: Written.Type, as read: Read.Type
    ) throws {
        let nodes = Self.nodes(written)
        defer { for node in nodes { node.untie() } }
        var decoder = ArchiveDecoder()
        decoder.classes.register(read, name: "Node")
        let again = try decoder.decode([Read].self, from: encoder.encode(nodes))
        defer { for node in again { node.untie() } }
        #expect(again.map(\.name) == ["a", "b", "a"])
        for index in 0..<3 { #expect(again[index].next === again[(index + 1) % 3]) }
        #expect(again[0].other == nil)
        #expect(again[1].other === again[1])
        #expect(again[0].many.map { ObjectIdentifier($0) } == [2, 0, 2].map { ObjectIdentifier(again[$0]) })
        #expect(again[2].named["n"] === again[1])
    }

    @Test(arguments: PropertyListFormat.allCases, [[], .sortedKeys] as [ArchiveEncoder.OutputFormatting])
    func `has the bytes of that of a plain property`(
        format: PropertyListFormat, formatting: ArchiveEncoder.OutputFormatting
    ) throws {
        let plain = Self.nodes(Plain.Node.self)
        let referring = Self.nodes(Referring.Node.self)
        defer {
            for node in plain { node.untie() }
            for node in referring { node.untie() }
        }
        let encoder = Self.encoder(Plain.Node.self, format, formatting)
        let other = Self.encoder(Referring.Node.self, format, formatting)
        #expect(try encoder.encode(plain[0]) == other.encode(referring[0]))
        #expect(try encoder.encode(plain) == other.encode(referring))
        #expect(try encoder.encode(["k": [plain[1]]]) == other.encode(["k": [referring[1]]]))
    }

    @Test(arguments: PropertyListFormat.allCases, [[], .sortedKeys] as [ArchiveEncoder.OutputFormatting])
    func `reads archives of plain properties, with their cycles of single references`(
        format: PropertyListFormat, formatting: ArchiveEncoder.OutputFormatting
    ) throws {
        try check(Self.encoder(Plain.Node.self, format, formatting), Plain.Node.self, as: Referring.Node.self)
        let nodes = Self.nodes(Referring.Node.self)
        defer { for node in nodes { node.untie() } }
        var decoder = ArchiveDecoder()
        decoder.classes.register(Plain.Node.self, name: "Node")
        let data = try Self.encoder(Referring.Node.self, format, formatting).encode(nodes)
        let error = try failure { try decoder.decode([Plain.Node].self, from: data) }
        #expect(error.says("Node.next", "`@Reference var next: Node?`"), "\(error)")
    }

    // MARK: - By hand

    final class Pair: Codable {
        @Reference var first: Pair?
        @Reference var second: Pair?
        @WeakReference var third: Pair?
    }

    @Test func `has a uid under its key, and no key for a reference to nothing`() throws {
        let pair = Pair()
        pair.first = pair
        pair.third = pair
        defer { pair.first = nil }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Pair.self, name: "Pair")
        #expect(
            try PropertyList(encoder.encode(pair)) == [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
                "$objects": [
                    "$null",
                    ["first": .uid(1), "third": .uid(1), "$class": .uid(2)],
                    ["$classname": "Pair", "$classes": ["Pair", "NSObject"]],
                ],
            ])
    }

    @Test func `has the NSNull for one to nothing in an array`() throws {
        struct Holder: Codable {
            var references: [Reference<Pair>]
            var weak: [WeakReference<Pair>]
        }
        let text = try archiveText(Holder(references: [Reference()], weak: [WeakReference()]))
        #expect(text == "Holder{references: NSArray[#1=NSNull{}], weak: NSArray[#1]}")
    }

    struct Holder: Codable {
        @Reference var reference: Pair? = nil
        @WeakReference var weak: Pair? = nil
    }

    @Test(
        arguments: [
            [:], ["reference": .uid(0), "weak": .uid(0)], ["reference": .uid(2), "weak": .uid(2)],
            ["reference": .uid(3), "weak": .uid(3)],
        ] as [PropertyList.Dictionary], PropertyListFormat.allCases)
    func `that has no key, uid 0, a slot of nil or NSNull is one to nothing`(
        fields: PropertyList.Dictionary, format: PropertyListFormat
    ) throws {
        let data = try handmadeArchive(
            .dictionary(fields), "$null", ["$class": .uid(4)], classEntry("NSNull"), format: format)
        let holder = try ArchiveDecoder().decode(Holder.self, from: data)
        #expect(holder.reference == nil)
        #expect(holder.weak == nil)
    }

    @Test func `may have the instance itself in the place of its uid`() throws {
        let data = try handmadeArchive(
            ["reference": ["second": .uid(2), "first": ["second": .uid(2)]]], ["first": .uid(2)])
        let holder = try ArchiveDecoder().decode(Holder.self, from: data)
        let reference = try #require(holder.reference)
        let shared = try #require(reference.second)
        defer { shared.first = nil }
        #expect(shared.first === shared)
        #expect(reference.first?.second === shared)
    }

    @Test func `is decoded as an optional of the wrapper where the key may be missing`() throws {
        struct Optionals: Decodable {
            var reference: Reference<Pair>?
            var weak: WeakReference<Pair>?
            var many: References<[Pair]>?
        }
        let nothing = try ArchiveDecoder().decode(Optionals.self, from: handmadeArchive([:]))
        #expect(nothing.reference == nil)
        #expect(nothing.weak == nil)
        #expect(nothing.many == nil)
        let data = try handmadeArchive(
            ["reference": .uid(2), "weak": .uid(2), "many": .uid(3)], ["$class": .uid(4)],
            ["NS.objects": [.uid(2)], "$class": .uid(5)], classEntry("Pair"), classEntry("NSArray"))
        let all = try ArchiveDecoder().decode(Optionals.self, from: data)
        let pair = try #require(all.reference?.wrappedValue)
        #expect(all.weak?.wrappedValue === pair)
        #expect(all.many?.wrappedValue.count == 1)
        #expect(all.many?.wrappedValue.first === pair)
    }
}

/// A node, whether its properties are references or not.
private protocol LinkedNode: AnyObject, Codable {
    var name: String { get }
    var next: Self? { get set }
    var other: Self? { get set }
    var many: [Self] { get set }
    var named: [String: Self] { get set }

    init(_ name: String)
}

extension LinkedNode {
    fileprivate func untie() { (next, other, many, named) = (nil, nil, [], [:]) }
}
