// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Unusual graphs: every node refers to some others, by any kind of property.
@Suite(.inTurn) struct `A random graph of nodes` {
    final class Node: Codable {
        /// A value with references, whose hash does not depend on them.
        struct Link: Codable, Hashable {
            var label: Int
            @Reference var target: Node? = nil
            var plain: Node?

            static func == (left: Link, right: Link) -> Bool { left.label == right.label }
            func hash(into hasher: inout Hasher) { hasher.combine(label) }
        }

        enum Payload: Codable {
            case reference(Reference<Node>)
            case links([Link])
        }

        let number: Int
        var plain: Node?
        var plainList: [Node] = []
        @Reference var reference: Node?
        @References var references: [Node]
        @References var named: [String: Node]
        var links: Set<Link> = []
        var payload: Payload?
        @WeakReference var weak: Node?
        var weakList: [WeakReference<Node>] = []

        init(_ number: Int) { self.number = number }

        /// The targets of its archiving references, in an order that two equal graphs have in common.
        var strong: [Node?] {
            var all: [Node?] = [plain, reference] + plainList + references
            all += named.sorted { $0.key < $1.key }.map(\.value)
            all += links.sorted { $0.label < $1.label }.flatMap { [$0.target, $0.plain] }
            switch payload {
            case nil: break
            case .reference(let reference): all.append(reference.wrappedValue)
            case .links(let links): all += links.flatMap { [$0.target, $0.plain] }
            }
            return all
        }

        var conditional: [Node?] { [weak] + weakList.map(\.wrappedValue) }

        func untie() {
            (plain, plainList, reference, references, named) = (nil, [], nil, [], [:])
            (links, payload) = ([], nil)
        }

        /// Everything that it reaches, by number.
        var reachable: [Int: Node] {
            var found = [number: self]
            var rest = [self]
            while let node = rest.popLast() {
                for next in node.strong.compactMap({ $0 }) where found[next.number] == nil {
                    found[next.number] = next
                    rest.append(next)
                }
            }
            return found
        }
    }

    /// - Parameter percent: How likely it is that a property refers to anything.
    private static func nodes(_ count: Int, percent: Int, _ numbers: inout SeededGenerator) -> [Node] {
        let nodes = (0..<count).map { Node($0) }
        func any() -> Node? {
            Int.random(in: 0..<100, using: &numbers) < percent ? nodes.randomElement(using: &numbers) : nil
        }
        func some() -> [Node] { (0..<3).compactMap { _ in any() } }
        for node in nodes {
            // A plain single reference leads to an earlier node.
            node.plain = any().flatMap { $0.number < node.number ? $0 : nil }
            (node.reference, node.weak) = (any(), any())
            (node.plainList, node.references) = (some(), some())
            node.named = Dictionary(some().enumerated().map { ("k\($0.offset)", $0.element) }) { $1 }
            node.links = Set((0..<2).map { Node.Link(label: $0, target: any(), plain: any()) })
            node.weakList = [WeakReference(wrappedValue: any()), WeakReference(wrappedValue: any())]
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0: node.payload = .reference(Reference(wrappedValue: any()))
            case 1: node.payload = .links([Node.Link(label: 9, target: any(), plain: any())])
            default: break
            }
        }
        return nodes
    }

    /// Node by node what differs between a graph and its copy; nothing if they are the same.
    private static func differences(_ original: Node, _ copy: Node) -> [String] {
        let (expected, found) = (original.reachable, copy.reachable)
        guard Set(expected.keys) == Set(found.keys) else {
            return ["\(expected.keys.sorted()) became \(found.keys.sorted())"]
        }
        var differences: [String] = []
        for (number, node) in expected {
            guard let twin = found[number] else { continue }
            if twin.strong.map({ $0?.number }) != node.strong.map({ $0?.number }) {
                let numbers = (node.strong.map { $0?.number }, twin.strong.map { $0?.number })
                differences.append("\(number): \(numbers.0) became \(numbers.1)")
            }
            // A weak reference has its instance if that is in the archive at all.
            let weak = node.conditional.map { $0.flatMap { expected[$0.number]?.number } }
            if twin.conditional.map({ $0?.number }) != weak {
                differences.append("\(number): weak \(weak) became \(twin.conditional.map { $0?.number })")
            }
            for other in twin.strong + twin.conditional {
                if let other, found[other.number] !== other { differences.append("\(number): two of \(other.number)") }
            }
        }
        return differences
    }

    @Test(arguments: [(1, 60), (2, 60), (3, 40), (5, 20), (8, 15), (20, 6), (20, 30), (60, 10)])
    func `comes back as it was`(count: Int, percent: Int) throws {
        for seed in 0..<40 {
            var numbers = SeededGenerator(state: UInt64(seed * 1000 + count))
            let nodes = Self.nodes(count, percent: percent, &numbers)
            defer { for node in nodes { node.untie() } }
            var encoder = ArchiveEncoder()
            if seed.isMultiple(of: 4) { encoder.outputFormatting = .sortedKeys }
            let data = try encoder.encode(nodes[0])
            do {
                let copy = try ArchiveDecoder().decode(Node.self, from: data)
                let reachable = copy.reachable
                defer { for node in reachable.values { node.untie() } }
                #expect(Self.differences(nodes[0], copy) == [], "seed \(seed)")
                guard encoder.outputFormatting == .sortedKeys else { continue }
                // What is conditional and not archived has no place in the copy; from there on nothing changes any more.
                let second = try encoder.encode(copy)
                let twin = try ArchiveDecoder().decode(Node.self, from: second)
                let all = twin.reachable
                defer { for node in all.values { node.untie() } }
                #expect(try encoder.encode(twin) == second, "seed \(seed)")
            } catch {
                Issue.record("seed \(seed): \(CodingFailure(error))")
            }
        }
    }
}
