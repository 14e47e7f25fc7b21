// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A reference` {
    final class Node: Codable {
        var name: String
        @Reference var next: Node?

        init(_ name: String, next: Node? = nil) {
            self.name = name
            self.next = next
        }
    }

    // MARK: - Cycles

    @Test(arguments: PropertyListFormat.allCases)
    func `to the instance that has it comes back as that`(format: PropertyListFormat) throws {
        let node = Node("a")
        node.next = node
        defer { node.next = nil }
        #expect(try archiveText(node) == #"#1=Node{name: @"a", next: #1}"#)
        let again = try roundTrip(node, format: format)
        defer { again.next = nil }
        #expect(again.next === again)
        #expect(again.name == "a")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `closes a cycle of two`(format: PropertyListFormat) throws {
        let first = Node("a")
        let second = Node("b", next: first)
        first.next = second
        defer { first.next = nil }
        #expect(try archiveText(first) == #"#1=Node{name: @"a", next: Node{name: @"b", next: #1}}"#)
        let again = try roundTrip([first, second], format: format)
        defer { again[0].next = nil }
        #expect(again.map(\.name) == ["a", "b"])
        #expect(again[0].next === again[1])
        #expect(again[1].next === again[0])
    }

    @Test(.needs(.collectionStorage)) func `closes a cycle that goes on through plain properties`() throws {
        final class Plain: Codable {
            var link: Middle?
        }
        final class Middle: Codable {
            var other: [String: Plain] = [:]
            @Reference var back: Plain?
        }
        let plain = Plain()
        let middle = Middle()
        plain.link = middle
        middle.back = plain
        middle.other = ["k": plain]
        defer { plain.link = nil }
        for again in [try roundTrip(plain), try #require(try roundTrip(middle).back)] {
            #expect(again.link?.back === again)
            #expect(again.link?.other["k"] === again)
            again.link = nil
        }
    }

    // MARK: - Identity

    @Test func `refers to the same instance as a plain property, whichever comes first`() throws {
        struct ReferenceFirst: Codable {
            @Reference var reference: Node? = nil
            var plain: Node
        }
        struct PlainFirst: Codable {
            var plain: Node
            @Reference var reference: Node? = nil
        }
        let node = Node("a")
        let first = try roundTrip(ReferenceFirst(reference: node, plain: node))
        #expect(first.reference === first.plain)
        #expect(first.plain.name == "a")
        let second = try roundTrip(PlainFirst(plain: node, reference: node))
        #expect(second.reference === second.plain)
        #expect(second.plain.name == "a")
    }

    @Test func `refers to an instance that is decoded much later`() throws {
        struct Root: Codable {
            @Reference var early: Node? = nil
            var many: [[String: Node]]
            @Reference var late: Node? = nil
        }
        let many = (0..<1000).map { ["k": Node("\($0)")] }
        let again = try roundTrip(Root(early: many[999]["k"], many: many, late: many[0]["k"]))
        #expect(again.early === again.many[999]["k"])
        #expect(again.early?.name == "999")
        #expect(again.late === again.many[0]["k"])
        #expect(again.late?.name == "0")
        #expect(Set(again.many.compactMap { $0["k"].map { ObjectIdentifier($0) } }).count == 1000)
    }

    @Test func `to an instance that nothing else refers to archives it`() throws {
        let again = try roundTrip(Node("a", next: Node("b", next: Node("c"))))
        #expect(again.next?.next?.name == "c")
        #expect(again.next?.next?.next == nil)
    }

    @Test func `that is copied refers to the same instance in all copies`() throws {
        struct Pair: Codable {
            @Reference var node: Node? = nil
        }
        let pairs = try roundTrip([Pair(node: Node("a"))])
        var copy = pairs[0]
        #expect(copy.node === pairs[0].node)
        copy.node = Node("b")
        #expect(pairs[0].node?.name == "a")
        #expect(copy.node?.name == "b")
    }

    @Test func `keeps its instance, and nothing else does when the decoder is done`() throws {
        let data = try ArchiveEncoder().encode(Node("a", next: Node("b", next: Node("c"))))
        weak var last: Node?
        do {
            let again = try ArchiveDecoder().decode(Node.self, from: data)
            last = again.next?.next
            #expect(last?.name == "c")
            again.next?.next = nil
            #expect(last == nil)
            last = again.next
            #expect(last?.name == "b")
        }
        #expect(last == nil)
    }

    @Test func `of a ring lets go of it when it is set to nil`() throws {
        let node = Node("a")
        node.next = Node("b", next: node)
        defer { node.next = nil }
        let data = try ArchiveEncoder().encode(node)
        weak var gone: Node?
        do {
            let again = try ArchiveDecoder().decode(Node.self, from: data)
            gone = again
            #expect(again.next?.next === again)
            again.next = nil
        }
        #expect(gone == nil)
    }

    // MARK: - In values

    struct Link: Codable, Hashable {
        var label: String
        @Reference var target: Hub?

        init(_ label: String, _ target: Hub?) {
            self.label = label
            self.target = target
        }
        static func == (left: Link, right: Link) -> Bool { left.label == right.label }
        func hash(into hasher: inout Hasher) { hasher.combine(label) }
    }

    enum Payload: Codable {
        case link(Link)
        case reference(Reference<Hub>)
        case two(first: Reference<Hub>, Reference<Hub>?)
    }

    /// Refers to itself from every kind of value.
    final class Hub: Codable {
        var link = Link("empty", nil)
        var optional: Link?
        var payloads: [Payload] = []
        var array: [Link] = []
        var dictionary: [String: Link] = [:]
        var keys: [Link: Int] = [:]
        var set: Set<Link> = []
        var deep: [[String: [Link?]]] = []
        var references: [Reference<Hub>] = []
        var named: [String: Reference<Hub>] = [:]
        var optionalReference: Reference<Hub>?

        func fill(_ target: Hub?) {
            link = Link("link", target)
            optional = Link("optional", target)
            payloads = [
                .link(Link("payload", target)), .reference(Reference(wrappedValue: target)),
                .two(first: Reference(wrappedValue: target), Reference(wrappedValue: target)),
            ]
            array = [Link("0", target), Link("1", target)]
            dictionary = ["k": Link("value", target)]
            keys = [Link("key", target): 1]
            set = [Link("x", target), Link("y", target)]
            deep = [["d": [nil, Link("deep", target)]]]
            references = [Reference(wrappedValue: target)]
            named = ["n": Reference(wrappedValue: target)]
            optionalReference = Reference(wrappedValue: target)
        }

        /// The targets of all 16 references.
        var all: [Hub?] {
            var all = [link, optional].map { $0?.target } + array.map(\.target) + dictionary.values.map(\.target)
            all += keys.keys.map(\.target) + set.map(\.target)
            all += deep.flatMap { $0.values.flatMap { $0.compactMap { $0 }.map(\.target) } }
            all += references.map(\.wrappedValue) + named.values.map(\.wrappedValue)
            all.append(optionalReference?.wrappedValue)
            for payload in payloads {
                switch payload {
                case .link(let link): all.append(link.target)
                case .reference(let reference): all.append(reference.wrappedValue)
                case .two(let first, let second): all += [first.wrappedValue, second?.wrappedValue]
                }
            }
            return all
        }
    }

    @Test(.needs(.collectionStorage), arguments: PropertyListFormat.allCases)
    func `closes a cycle through any value`(format: PropertyListFormat) throws {
        let hub = Hub()
        hub.fill(hub)
        defer { hub.fill(nil) }
        #expect(try InspectedArchive(of: hub).count(ofClass: "Hub") == 1)
        let again = try roundTrip(hub, format: format)
        defer { again.fill(nil) }
        #expect(again.all.count == 16)
        for target in again.all { #expect(target === again) }
        #expect(again.link.label == "link")
        #expect(again.deep[0]["d"]?.count == 2)
        #expect(again.keys[Link("key", nil)] == 1)
        #expect(again.set.contains(Link("x", nil)))
    }

    @Test(.needs(.collectionStorage)) func `closes a cycle of two through any value`() throws {
        let first = Hub()
        let second = Hub()
        first.fill(second)
        second.fill(first)
        defer { first.fill(nil) }
        let again = try roundTrip([first, second])
        defer { again[0].fill(nil) }
        for target in again[0].all { #expect(target === again[1]) }
        for target in again[1].all { #expect(target === again[0]) }
    }

    @Test func `to nothing stays one in any value`() throws {
        let hub = Hub()
        hub.fill(nil)
        let again = try roundTrip(hub)
        #expect(again.all.count == 16)
        for target in again.all { #expect(target == nil) }
        #expect(again.optional?.label == "optional")
    }

    @Test func `is a root object, too`() throws {
        let node = Node("a")
        node.next = node
        defer { node.next = nil }
        let again = try roundTrip(Reference(wrappedValue: node))
        defer { again.wrappedValue?.next = nil }
        #expect(again.wrappedValue?.name == "a")
        #expect(again.wrappedValue?.next === again.wrappedValue)
        #expect(try roundTrip(Reference<Node>()).wrappedValue == nil)
        #expect(try archiveText(Reference(wrappedValue: node)) == archiveText(node))
    }
}
