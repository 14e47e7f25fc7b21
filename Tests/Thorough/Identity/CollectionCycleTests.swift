// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Collections of packages, in small: none of them is known to the library.
@Suite(.inTurn) struct `A cycle closes in a collection that a package declares` {
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

        init(_ id: Int) { (self.id, deque) = (id, Deque()) }
        func clear() { (deque, table, list) = (Deque(), [:], nil) }
    }

    @Test func `that grows at both ends`() throws {
        let (root, other) = (Node(1), Node(2))
        root.deque += [other, root]
        other.deque += [root, other, root]
        defer { for node in [root, other] { node.clear() } }
        for _ in 0..<2 {
            let copy = try roundTrip(root)
            let otherCopy = copy.deque[0]
            defer { for node in [copy, otherCopy] { node.clear() } }
            #expect(copy.deque.map(\.id) == [2, 1] && copy.deque[1] === copy)
            #expect(otherCopy.deque.map(\.id) == [1, 2, 1])
            #expect(otherCopy.deque[0] === copy && otherCopy.deque[1] === otherCopy)
        }
    }

    @Test func `that is a dictionary in order`() throws {
        let root = Node(1)
        root.table = ["b": root, "a": Node(2), "c": root]
        defer { root.clear() }
        let copy = try roundTrip(root)
        defer { copy.clear() }
        #expect(copy.table.map(\.key) == ["b", "a", "c"])
        #expect(copy.table.map(\.value.id) == [1, 2, 1])
        #expect(copy.table.pairs[0].value === copy && copy.table.pairs[2].value === copy)
    }

    @Test func `that finds elements by identity and is an optional`() throws {
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

extension `A cycle closes in a collection that a package declares`.Deque: Codable where Element: Codable {
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

extension `A cycle closes in a collection that a package declares`.OrderedTable: Codable
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

extension `A cycle closes in a collection that a package declares`.IdentifiedList: Codable where Element: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Element].self))
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}
