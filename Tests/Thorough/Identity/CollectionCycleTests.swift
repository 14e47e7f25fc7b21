// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Collections of packages, in small: none of them is known to the library.
@Suite(.inTurn, .needs(.collectionStorage)) struct `A collection that a package declares` {
    /// Grows at both ends.
    struct Deque<Element>: RangeReplaceableCollection {
        private var elements: [Element] = []
        init() {}
        var startIndex: Int { 0 }
        var endIndex: Int { elements.count }
        func index(after index: Int) -> Int { index + 1 }
        subscript(index: Int) -> Element { elements[index] }
        mutating func replaceSubrange<Other: Collection<Element>>(_ range: Range<Int>, with other: Other) {
            elements.replaceSubrange(range, with: other)
        }
    }

    /// Keeps the order of its keys.
    struct OrderedTable<Key: Hashable, Value>: Sequence, ExpressibleByDictionaryLiteral {
        private(set) var pairs: [(key: Key, value: Value)] = []
        init(dictionaryLiteral pairs: (Key, Value)...) { self.pairs = pairs.map { (key: $0, value: $1) } }
        func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> { pairs.makeIterator() }
    }

    /// Finds its elements by their identity.
    struct IdentifiedList<Element: Identifiable>: Collection, ExpressibleByArrayLiteral {
        private var elements: [Element] = []
        init(arrayLiteral elements: Element...) { self.elements = elements }
        init(_ elements: [Element]) { self.elements = elements }
        var startIndex: Int { 0 }
        var endIndex: Int { elements.count }
        func index(after index: Int) -> Int { index + 1 }
        subscript(index: Int) -> Element { elements[index] }
        subscript(id id: Element.ID) -> Element? { elements.first { $0.id == id } }
    }

    final class Node: Codable, Identifiable {
        let id: Int
        var deque: Deque<Node>
        var table: OrderedTable<String, Node> = [:]
        var list: IdentifiedList<Node>?
        var children: [Node] = []

        init(_ id: Int) { (self.id, deque) = (id, Deque()) }
        func clear() { (deque, table, list, children) = (Deque(), [:], nil, []) }
    }

    @Test func `opens no cycle if it reads its elements itself`() throws {
        let (root, other) = (Node(1), Node(2))
        root.deque += [other]
        other.table = ["a": root]
        defer { for node in [root, other] { node.clear() } }
        let error = try failure { try roundTrip(root) }
        #expect(
            error.path == "deque[0].table[1]" && error.says("leads back to the Node (uid 1) at the root"), "\(error)")
    }

    @Test func `passes a cycle on to an array around it`() throws {
        let (root, other) = (Node(1), Node(2))
        root.children = [other]
        other.deque += [root, other]
        other.table = ["b": root, "a": Node(3)]
        defer { for node in [root, other] { node.clear() } }
        // The reference of the deque to its own node is one that only deques are on the way of.
        #expect(try failure { try roundTrip(root) }.path == "children[0].deque[1]")
        other.deque = Deque([root])
        let copy = try roundTrip(root)
        let otherCopy = copy.children[0]
        defer { for node in [copy, otherCopy] { node.clear() } }
        #expect(otherCopy.deque.map(\.id) == [1] && otherCopy.deque[0] === copy)
        #expect(otherCopy.table.map(\.key) == ["b", "a"] && otherCopy.table.pairs[0].value === copy)
    }

    @Test func `opens a cycle if it stores an array, and is an optional`() throws {
        let (root, other) = (Node(1), Node(2))
        root.list = [other, root]
        other.list = [root]
        defer { for node in [root, other] { node.clear() } }
        let copy = try roundTrip(root)
        let otherCopy = try #require(copy.list?[id: 2])
        defer { for node in [copy, otherCopy] { node.clear() } }
        #expect(copy.list?[id: 1] === copy)
        #expect(otherCopy.list?[id: 1] === copy && otherCopy.list?.count == 1)
    }
}

extension `A collection that a package declares`.Deque: Codable where Element: Codable {
    init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { append(try container.decode(Element.self)) }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension `A collection that a package declares`.OrderedTable: Codable
where Key: Codable, Value: Codable {
    init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            pairs.append((key: try container.decode(Key.self), value: try container.decode(Value.self)))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (key, value) in pairs {
            try container.encode(key)
            try container.encode(value)
        }
    }
}

extension `A collection that a package declares`.IdentifiedList: Codable where Element: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Element].self))
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}
