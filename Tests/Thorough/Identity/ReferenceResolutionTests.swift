// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The time at which references have their instances, and the containers that can store them.
@Suite(.inTurn) struct `The resolution of references` {
    final class Node: Codable {
        var name: String
        @Reference var next: Node?
        @WeakReference var back: Node?
        @References var all: [Node]

        init(_ name: String) { self.name = name }
        func untie() { (next, all) = (nil, []) }
    }

    /// Two nodes that refer to each other in every way.
    private static func pair() -> [Node] {
        let nodes = [Node("a"), Node("b")]
        for index in 0..<2 {
            nodes[index].next = nodes[1 - index]
            nodes[index].back = nodes[1 - index]
            nodes[index].all = nodes
        }
        return nodes
    }

    private static func check(_ nodes: [Node?], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(nodes.map { $0?.name } == ["a", "b"], sourceLocation: sourceLocation)
        for (node, other) in [(nodes[0], nodes[1]), (nodes[1], nodes[0])] {
            #expect(node?.next === other, sourceLocation: sourceLocation)
            #expect(node?.back === other, sourceLocation: sourceLocation)
            let all = node?.all.map { ObjectIdentifier($0) }
            #expect(all == nodes.compactMap { $0.map { ObjectIdentifier($0) } }, sourceLocation: sourceLocation)
        }
        for node in nodes { node?.untie() }
    }

    // MARK: - Initializers written by hand

    @Test func `reaches every copy that an initializer has made of a reference`() throws {
        struct Copies: Decodable {
            var references: [Reference<Node>]
            var weak: [WeakReference<Node>]
            var collections: [References<[Node]>]
            var node: Node

            enum Key: CodingKey {
                case next, back, all
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                let reference = try container.decode(Reference<Node>.self, forKey: .next)
                references = [reference, reference, try container.decode(Reference<Node>.self, forKey: .next)]
                let back = try container.decode(WeakReference<Node>.self, forKey: .back)
                weak = [back, back, try container.decode(WeakReference<Node>.self, forKey: .back)]
                let all = try container.decode(References<[Node]>.self, forKey: .all)
                collections = [all, all, try container.decode(References<[Node]>.self, forKey: .all)]
                node = try container.decode(Node.self, forKey: .next)
            }
        }
        let nodes = Self.pair()
        defer { nodes[0].untie() }
        let copies = try transcode(nodes[1], as: Copies.self)
        #expect(copies.node.name == "a")
        #expect(copies.references.map { $0.wrappedValue === copies.node } == [true, true, true])
        #expect(copies.weak.map { $0.wrappedValue === copies.node } == [true, true, true])
        #expect(copies.collections.map { $0.wrappedValue.first === copies.node } == [true, true, true])
        Self.check(copies.collections[0].wrappedValue)
    }

    @Test func `has the instance at once where it has published itself`() throws {
        final class Parent: Codable {
            var name: String
            var children: [Child] = []
            init(_ name: String) { self.name = name }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                name = try container.decode(String.self, forKey: .name)
                decoder.publish(self)
                children = try container.decode([Child].self, forKey: .children)
            }
        }
        final class Child: Codable {
            @Reference var parent: Parent?
            @WeakReference var weak: Parent?
            var parentName: String?

            init(_ parent: Parent) { (self.parent, weak) = (parent, parent) }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                _parent = try container.decode(Reference<Parent>.self, forKey: .parent)
                _weak = try container.decode(WeakReference<Parent>.self, forKey: .weak)
                parentName = parent?.name
            }
        }
        let parent = Parent("p")
        parent.children = [Child(parent), Child(parent)]
        defer { parent.children = [] }
        let again = try roundTrip(parent)
        defer { again.children = [] }
        #expect(again.children.map(\.parentName) == ["p", "p"])
        #expect(again.children.allSatisfy { $0.parent === again && $0.weak === again })
    }

    @Test func `is done where an initializer returns that decodes another archive`() throws {
        struct Outer: Codable {
            var data: Data
            @Reference var node: Node?
            var inner: [Node] = []

            enum CodingKeys: CodingKey {
                case data, node
            }

            init(_ data: Data, _ node: Node) {
                self.data = data
                self.node = node
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                _node = try container.decode(Reference<Node>.self, forKey: .node)
                data = try container.decode(Data.self, forKey: .data)
                inner = try ArchiveDecoder().decode([Node].self, from: data)
                `The resolution of references`.check(inner)
            }
        }
        let nodes = Self.pair()
        defer { nodes[0].untie() }
        let outer = try roundTrip(Outer(ArchiveEncoder().encode(nodes), nodes[0]))
        #expect(outer.inner.count == 2)
        Self.check([outer.node, outer.node?.next])
    }

    // MARK: - Containers

    @Test func `works in all containers`() throws {
        let nodes = Self.pair()
        defer { nodes[0].untie() }
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
            try keyed.encode(Reference(wrappedValue: nodes[0]), forKey: "reference")
            try keyed.encode(Reference<Node>(), forKey: "nothing")
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try list.encode(Reference(wrappedValue: nodes[1]))
            try list.encode(WeakReference(wrappedValue: nodes[0]))
            try list.encode(References(wrappedValue: nodes))
            try list.encode(Reference<Node>())
            var inherited = container.superEncoder().singleValueContainer()
            try inherited.encode(Reference(wrappedValue: nodes[1]))
        }
        struct Found: Decodable {
            var references: [Reference<Node>]
            var weak: WeakReference<Node>
            var all: References<[Node]>

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                let keyed = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
                #expect(!keyed.contains("nothing"))
                references = [
                    try keyed.decode(Reference<Node>.self, forKey: "reference"),
                    try keyed.decode(Reference<Node>.self, forKey: "nothing"),
                ]
                var list = try container.nestedUnkeyedContainer(forKey: "list")
                references.append(try list.decode(Reference<Node>.self))
                weak = try list.decode(WeakReference<Node>.self)
                all = try list.decode(References<[Node]>.self)
                references.append(try list.decode(Reference<Node>.self))
                let inherited = try container.superDecoder()
                references.append(try Reference(from: inherited))
                references.append(try inherited.singleValueContainer().decode(Reference<Node>.self))
            }
        }
        let found = try transcode(value, as: Found.self)
        #expect(found.references.map { $0.wrappedValue?.name } == ["a", nil, "b", nil, "b", "b"])
        let again = found.all.wrappedValue
        #expect(found.references[0].wrappedValue === again[0])
        for index in [2, 4, 5] { #expect(found.references[index].wrappedValue === again[1]) }
        #expect(found.weak.wrappedValue === again[0])
        Self.check(again)
    }

    @Test func `works for classes that encode themselves as single values, as arrays and generically`() throws {
        final class Number: Codable {
            let number: Int
            init(_ number: Int) { self.number = number }
            init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(number)
            }
        }
        final class List: Codable {
            var next: Reference<List>
            init(_ next: List?) { self.next = Reference(wrappedValue: next) }
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                next = try container.decode(Reference<List>.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(next)
            }
        }
        final class Box<Value: Codable>: Codable {
            var value: Value
            @Reference var same: Box<Value>?
            init(_ value: Value) { self.value = value }
        }
        struct Root: Codable {
            @Reference var number: Number? = nil
            @References var numbers: [Number] = []
            @Reference var list: List? = nil
            @Reference var texts: Box<String>? = nil
            @Reference var numberBox: Box<Int>? = nil
        }
        let (number, list, texts, numbers) = (Number(7), List(nil), Box("t"), Box(8))
        list.next.wrappedValue = list
        texts.same = texts
        defer { (list.next, texts.same) = (Reference(), nil) }
        let again = try roundTrip(
            Root(number: number, numbers: [number, number], list: list, texts: texts, numberBox: numbers))
        defer {
            again.list?.next = Reference()
            again.texts?.same = nil
        }
        #expect(again.number?.number == 7)
        #expect(again.numbers.map { $0 === again.number } == [true, true])
        #expect(again.list != nil && again.list?.next.wrappedValue === again.list)
        #expect(again.texts?.value == "t" && again.texts?.same === again.texts)
        #expect(again.numberBox?.value == 8 && again.numberBox?.same == nil)
    }

    // MARK: - Types

    @Test func `makes one instance of each class that an object is requested as`() throws {
        final class Copy: Codable {
            var name: String
            @Reference var next: Copy?
        }
        struct Both: Decodable {
            @Reference var next: Node?
            var all: [Reference<Copy>]
            @WeakReference var back: Copy?
        }
        let nodes = Self.pair()
        defer { nodes[0].untie() }
        let both = try ArchiveDecoder().decode(Both.self, from: ArchiveEncoder().encode(nodes[0]))
        let (node, copies) = (try #require(both.next), both.all.compactMap(\.wrappedValue))
        defer {
            node.untie()
            for copy in copies { copy.next = nil }
        }
        #expect(copies.contains { $0.name == node.name } && copies.allSatisfy { $0.next?.next === $0 })
        #expect(both.back.map { back in copies.contains { $0 === back } } == true)
    }

    // MARK: - Another time

    @Test func `leaves nothing for the next archive where it fails`() throws {
        let nodes = Self.pair()
        defer { nodes[0].untie() }
        let data = try ArchiveEncoder().encode(nodes)
        // The second node is no node: the first has references that wait for it, when the decoding fails.
        let node: PropertyList = ["name": "a", "next": .uid(2), "back": .uid(2), "all": .uid(3)]
        let broken = try handmadeArchive(node, ["name": 7], ["NS.objects": [.uid(2), .uid(1)]])
        for _ in 0..<5 {
            #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(Node.self, from: broken) }
            Self.check(try ArchiveDecoder().decode([Node].self, from: data))
        }
    }

    @Test func `takes place at once where the decoder is kept beyond its archive`() throws {
        let nodes = Self.pair()
        defer { nodes[0].untie() }
        let leaf = Node("leaf")
        let data = try ArchiveEncoder().encode(["leaf": leaf, "ring": nodes[0], "also": leaf])
        var kept: KeyedDecodingContainer<AnyKey>?
        try decoding(data) { kept = try $0.container(keyedBy: AnyKey.self) }
        let container = try #require(kept)
        #expect(try container.decode(Reference<Node>.self, forKey: "leaf").wrappedValue?.name == "leaf")
        let ring = Result { try container.decode(Reference<Node>.self, forKey: "ring").wrappedValue }
        switch ring {
        case .success(let node): Self.check([node, node?.next])
        case .failure(let error): #expect(CodingFailure(error).says("cycle"), "\(error)")
        }
        let leaves = try container.decode(Reference<Node>.self, forKey: "also").wrappedValue
        #expect(leaves?.all.isEmpty == true)
    }
}
