// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A collection of references` {
    final class Node: Codable, Hashable {
        var name: String
        @References var neighbours: [Node]

        init(_ name: String) { self.name = name }
        static func == (left: Node, right: Node) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    private static func untie(_ nodes: Node...) {
        for node in nodes { node.neighbours = [] }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `with the instance that has it comes back with that`(format: PropertyListFormat) throws {
        let node = Node("a")
        node.neighbours = [node, node]
        defer { Self.untie(node) }
        #expect(try archiveText(node) == #"#1=Node{name: @"a", neighbours: NSArray[#1, #1]}"#)
        let again = try roundTrip(node, format: format)
        defer { Self.untie(again) }
        #expect(again.neighbours.count == 2)
        #expect(again.neighbours.allSatisfy { $0 === again })
    }

    @Test func `closes a cycle of two`() throws {
        let first = Node("a")
        let second = Node("b")
        first.neighbours = [second]
        second.neighbours = [first, second]
        defer { Self.untie(first, second) }
        let again = try roundTrip([second, first])
        defer { Self.untie(again[0], again[1]) }
        #expect(again.map(\.name) == ["b", "a"])
        #expect(again[1].neighbours.map { ObjectIdentifier($0) } == [ObjectIdentifier(again[0])])
        #expect(again[0].neighbours.map { ObjectIdentifier($0) } == [again[1], again[0]].map { ObjectIdentifier($0) })
    }

    @Test func `keeps its order, and refers to the instances that all other references have`() throws {
        struct Root: Codable {
            @References var early: [Node] = []
            var plain: [Node]
            @Reference var one: Node? = nil
            @References var late: [Node] = []
        }
        let nodes = (0..<100).map { Node("\($0)") }
        let again = try roundTrip(
            Root(early: nodes.reversed(), plain: nodes, one: nodes[50], late: nodes + [Node("new")] + nodes))
        let expected = again.plain.map { ObjectIdentifier($0) }
        #expect(again.plain.map(\.name) == nodes.map(\.name))
        #expect(again.early.map { ObjectIdentifier($0) } == expected.reversed())
        #expect(again.late.prefix(100).map { ObjectIdentifier($0) } == expected)
        #expect(again.late.suffix(100).map { ObjectIdentifier($0) } == expected)
        #expect(again.late[100].name == "new")
        #expect(again.one === again.plain[50])
    }

    @Test func `of nothing is empty`() throws {
        #expect(try archiveText(Node("a")) == #"Node{name: @"a", neighbours: NSArray[]}"#)
        let again = try roundTrip(Node("a"))
        #expect(again.neighbours.isEmpty)
    }

    // MARK: - Kinds of collections

    final class Hub: Codable, Hashable {
        var name = "hub"
        @References var array: [Hub]
        @References var contiguous: ContiguousArray<Hub>
        @References var set: Set<Hub>
        @References var dictionary: [String: Hub]
        @References var numbered: [Int: Hub]

        init() {}
        static func == (left: Hub, right: Hub) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }

        func fill(_ hubs: [Hub]) {
            array = hubs
            contiguous = ContiguousArray(hubs)
            set = Set(hubs)
            dictionary = Dictionary(uniqueKeysWithValues: hubs.map { ($0.name, $0) })
            numbered = Dictionary(uniqueKeysWithValues: hubs.enumerated().map { ($0.offset, $0.element) })
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `may be any that has instances`(format: PropertyListFormat) throws {
        let hub = Hub()
        let other = Hub()
        other.name = "other"
        hub.fill([hub, other])
        other.fill([hub])
        defer {
            hub.fill([])
            other.fill([])
        }
        let again = try roundTrip(hub, format: format)
        let found = again.array[1]
        defer {
            again.fill([])
            found.fill([])
        }
        #expect(again.array.map(\.name) == ["hub", "other"])
        #expect(again.array[0] === again)
        #expect(again.contiguous.map { ObjectIdentifier($0) } == [again, found].map { ObjectIdentifier($0) })
        #expect(again.set.count == 2)
        #expect(again.set.contains(hub) && again.set.contains(other))
        #expect(again.set.first { $0.name == "hub" } === again)
        #expect(again.dictionary.keys.sorted() == ["hub", "other"])
        #expect(again.dictionary["hub"] === again)
        #expect(again.dictionary["other"] === found)
        #expect(again.numbered[0] === again)
        #expect(again.numbered[1] === found)
        for hubs in [found.array, Array(found.contiguous), Array(found.set), Array(found.dictionary.values)] {
            #expect(hubs.count == 1)
            #expect(hubs.first === again)
        }
    }

    @Test func `in values closes cycles`() throws {
        struct Circle: Codable {
            var label: String
            @References var members: [Person] = []
        }
        enum Group: Codable {
            case circle(Circle)
            case members(References<[Person]>)
        }
        final class Person: Codable {
            var circle: Circle?
            var groups: [Group] = []
            var named: [String: Circle] = [:]
        }
        let person = Person()
        person.circle = Circle(label: "c", members: [person])
        person.groups = [
            .circle(Circle(label: "g", members: [person, person])), .members(References(wrappedValue: [person])),
        ]
        person.named = ["n": Circle(label: "n", members: [person])]
        defer { (person.circle, person.groups, person.named) = (nil, [], [:]) }
        let again = try roundTrip(person)
        defer { (again.circle, again.groups, again.named) = (nil, [], [:]) }
        #expect(again.circle?.label == "c")
        var members = again.circle?.members ?? []
        members += again.named["n"]?.members ?? []
        for group in again.groups {
            switch group {
            case .circle(let circle): members += circle.members
            case .members(let references): members += references.wrappedValue
            }
        }
        #expect(members.count == 5)
        #expect(members.allSatisfy { $0 === again })
    }

    @Test func `is a root object, too`() throws {
        let node = Node("a")
        node.neighbours = [node]
        defer { Self.untie(node) }
        let again = try roundTrip(References(wrappedValue: [node, Node("b"), node]))
        defer { Self.untie(again.wrappedValue[0]) }
        #expect(again.wrappedValue.map(\.name) == ["a", "b", "a"])
        #expect(again.wrappedValue[0] === again.wrappedValue[2])
        #expect(again.wrappedValue[0].neighbours.first === again.wrappedValue[0])
    }

    // MARK: - Forms in the archive

    struct Holder: Codable {
        @References var nodes: [Hub] = []
    }

    private static func archive(_ nodes: PropertyList) throws -> Data {
        // Slot 2 is the array. Its class is left out, as some writers do.
        let hub: PropertyList = [
            "name": "h", "array": .uid(4), "contiguous": .uid(4), "set": .uid(5), "dictionary": .uid(6),
            "numbered": .uid(6),
        ]
        return try handmadeArchive(
            ["nodes": .uid(2)], nodes, hub, ["NS.objects": [], "$class": .uid(7)],
            ["NS.objects": [], "$class": .uid(8)], ["NS.objects": [], "NS.keys": [], "$class": .uid(9)],
            ["$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]],
            ["$classname": "NSSet", "$classes": ["NSSet", "NSObject"]],
            ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]])
    }

    @Test(
        arguments: [
            ["NS.objects": [.uid(3), .uid(3)], "$class": .uid(7)],
            ["NS.object.0": .uid(3), "NS.object.1": .uid(3), "$class": .uid(7)],
            ["NS.objects": [.uid(3), .uid(3)], "$class": .uid(8)],
            [.uid(3), .uid(3)],
        ] as [PropertyList])
    func `is read in all the forms that an array has`(nodes: PropertyList) throws {
        let again = try ArchiveDecoder().decode(Holder.self, from: Self.archive(nodes))
        #expect(again.nodes.map(\.name) == ["h", "h"])
        #expect(again.nodes.first === again.nodes.last)
    }

    @Test func `may have the instances themselves in the places of their uids`() throws {
        final class Leaf: Decodable {
            let name: String
        }
        struct Leaves: Decodable {
            @References var leaves: [Leaf]
        }
        let data = try handmadeArchive(
            ["leaves": ["NS.objects": [["name": "a"], .uid(2), ["name": "c"], .uid(2)]]], ["name": "b"])
        let again = try ArchiveDecoder().decode(Leaves.self, from: data).leaves
        #expect(again.map(\.name) == ["a", "b", "c", "b"])
        #expect(again[1] === again[3])
    }

    @Test func `is required where an array is, as a plain one`() throws {
        struct Plain: Decodable {
            var nodes: [Hub]
        }
        let missing = try handmadeArchive([:])
        #expect(try failure(decoding: Plain.self, from: missing).kind == .keyNotFound)
        let error = try failure(decoding: Holder.self, from: missing)
        #expect(error.kind == .keyNotFound)
        #expect(error.key == "nodes")
        let null = try handmadeArchive(["nodes": .uid(0)])
        #expect(try failure(decoding: Plain.self, from: null).kind == .valueNotFound)
        #expect(try failure(decoding: Holder.self, from: null).kind == .valueNotFound)
        #expect(try failure(decoding: Holder.self, from: null).path == "nodes")
    }

    // MARK: - Afterwards

    @Test func `that was decoded is changed as any collection is`() throws {
        struct Box: Codable {
            @References var nodes: [Node] = []
        }
        let original = try roundTrip(Box(nodes: [Node("a"), Node("b")]))
        var copy = original
        copy.nodes.append(Node("c"))
        copy.nodes[0] = Node("d")
        copy.nodes.swapAt(0, 1)
        #expect(original.nodes.map(\.name) == ["a", "b"])
        #expect(copy.nodes.map(\.name) == ["b", "d", "c"])
        #expect(copy.nodes[0] === original.nodes[1])
        copy.nodes.removeAll()
        #expect(copy.nodes.isEmpty)
        #expect(original.nodes.count == 2)
    }

    @Test func `keeps its instances, and nothing else does when the decoder is done`() throws {
        let root = Node("a")
        root.neighbours = [Node("b"), Node("c")]
        let data = try ArchiveEncoder().encode(root)
        weak var leaf: Node?
        do {
            let again = try ArchiveDecoder().decode(Node.self, from: data)
            leaf = again.neighbours[0]
            #expect(leaf?.name == "b")
            again.neighbours.removeFirst()
            #expect(leaf == nil)
            leaf = again.neighbours[0]
            #expect(leaf?.name == "c")
        }
        #expect(leaf == nil)
    }
}
