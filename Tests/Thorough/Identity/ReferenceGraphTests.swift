// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Large graphs on a thread with a stack of 512 KB. What is made of 200 000 instances in a row has to be taken apart
/// without recursion, too: that is Swift's own.
@Suite(.inTurn) struct `A large graph of references` {
    private static let count = 200_000
    private static let smallStack = 512 << 10

    // MARK: - Lists and rings

    final class Link: Codable {
        var number: Int
        @Reference var next: Link?

        init(_ number: Int) { self.number = number }

        /// How many links there are up to the end, or to the first again; they are no more linked then.
        func unlink() -> Int {
            var count = 1
            var link = self
            while let next = link.next {
                link.next = nil
                if next === self { break }
                guard next.number == count else { return -1 }
                count += 1
                link = next
            }
            return count
        }

        static func chain(_ count: Int, isRing: Bool) -> Link {
            let first = Link(0)
            var last = first
            for number in 1..<count {
                let link = Link(number)
                last.next = link
                last = link
            }
            if isRing { last.next = first }
            return first
        }
    }

    @Test(arguments: [true, false])
    func `may be a chain of 200 000`(isRing: Bool) throws {
        let counts = try onThread(stackSize: Self.smallStack) {
            let chain = Link.chain(Self.count, isRing: isRing)
            let data = try ArchiveEncoder().encode(chain)
            let count = chain.unlink()
            return [count, try ArchiveDecoder().decode(Link.self, from: data).unlink()]
        }
        #expect(counts == [Self.count, Self.count])
    }

    // MARK: - Trees

    final class Fork: Codable {
        var number: Int
        @Reference var left: Fork?
        @Reference var right: Fork?

        init(_ number: Int) { self.number = number }

        /// The nodes are numbered level by level: those below node n are 2n + 1 and 2n + 2.
        static func balanced(_ count: Int) -> Fork {
            let forks = (0..<count).map { Fork($0) }
            for index in 1..<count {
                let parent = forks[(index - 1) / 2]
                if index.isMultiple(of: 2) { parent.right = forks[index] } else { parent.left = forks[index] }
            }
            return forks[0]
        }

        /// Each node on the right has a leaf on the left: half as many levels as nodes.
        static func comb(_ count: Int) -> Fork {
            let root = Fork(0)
            var last = root
            for number in stride(from: 1, to: count - 1, by: 2) {
                last.left = Fork(number)
                let next = Fork(number + 1)
                last.right = next
                last = next
            }
            return root
        }

        /// How many nodes there are, and the sum of their numbers; they are no more linked then.
        func takeApart() -> [Int] {
            var (count, sum) = (0, 0)
            var rest = [self]
            while let fork = rest.popLast() {
                count += 1
                sum += fork.number
                if let left = fork.left { rest.append(left) }
                if let right = fork.right { rest.append(right) }
                (fork.left, fork.right) = (nil, nil)
            }
            return [count, sum]
        }
    }

    @Test(arguments: [true, false])
    func `may be a tree of 200 000`(isBalanced: Bool) throws {
        // An odd number: no node of the comb has one child.
        let count = Self.count + 1
        let found = try onThread(stackSize: Self.smallStack) {
            let tree = isBalanced ? Fork.balanced(count) : Fork.comb(count)
            let data = try ArchiveEncoder().encode(tree)
            let original = tree.takeApart()
            return [original, try ArchiveDecoder().decode(Fork.self, from: data).takeApart()]
        }
        let expected = [count, count * (count - 1) / 2]
        #expect(found == [expected, expected])
    }

    final class Tree: Codable {
        @References var children: [Tree]
        @WeakReference var parent: Tree?

        func add(_ child: Tree) {
            children.append(child)
            child.parent = self
        }

        /// How many nodes there are, each with the parent that it belongs to; they are no more linked then.
        func takeApart() -> Int {
            var count = 0
            var rest = [self]
            while let tree = rest.popLast() {
                count += 1
                for child in tree.children {
                    guard child.parent === tree else { return -1 }
                    rest.append(child)
                }
                tree.children = []
            }
            return count
        }

        enum Shape: CaseIterable {
            /// Each node has two children.
            case balanced
            /// Each node has one child.
            case chain
            /// One node has all the others.
            case flat
            /// Each node has a leaf and a node.
            case comb
        }

        static func make(_ shape: Shape, count: Int) -> Tree {
            let root = Tree()
            var made = 1
            var open = [root]
            var first = 0
            while made < count {
                let parent = open[first]
                let width = shape == .chain ? 1 : shape == .flat ? count - 1 : 2
                for _ in 0..<min(width, count - made) {
                    let child = Tree()
                    parent.add(child)
                    open.append(child)
                    made += 1
                }
                // The leaf of a comb is the first of two.
                first = shape == .comb ? open.count - 1 : first + 1
            }
            return root
        }
    }

    @Test(arguments: Tree.Shape.allCases, PropertyListFormat.allCases)
    func `may be a tree of any shape`(shape: Tree.Shape, format: PropertyListFormat) throws {
        let counts = try onThread(stackSize: Self.smallStack) {
            // A debug build takes long to scan XML.
            let expected = format == .xml ? 1_000 : 100_000
            let tree = Tree.make(shape, count: expected)
            let data = try ArchiveEncoder(format).encode(tree)
            let count = tree.takeApart()
            return [count - expected, try ArchiveDecoder().decode(Tree.self, from: data).takeApart() - expected]
        }
        #expect(counts == [0, 0])
    }

    // MARK: - Both directions, in values

    final class Station: Codable {
        struct Line: Codable {
            var number: Int
            @Reference var next: Station? = nil
        }

        enum Way: Codable {
            case forward(Line)
            case back(Reference<Station>)
        }

        var number: Int
        var lines: [String: [Line]] = [:]
        var ways: [Way] = []
        @WeakReference var previous: Station?

        init(_ number: Int) { self.number = number }

        func unlink() { (lines, ways) = ([:], []) }
    }

    @Test func `may be linked in both directions, through values`() throws {
        let count = 30_000
        let right = try onThread(stackSize: Self.smallStack) {
            let stations = (0..<count).map { Station($0) }
            for index in 0..<count {
                let next = stations[(index + 1) % count]
                let previous = stations[(index + count - 1) % count]
                stations[index].lines = ["l": [Station.Line(number: index, next: next)]]
                stations[index].ways = [
                    .forward(Station.Line(number: index, next: next)), .back(Reference(wrappedValue: previous)),
                ]
                stations[index].previous = previous
            }
            let data = try ArchiveEncoder().encode(stations[0])
            for station in stations { station.unlink() }
            let first = try ArchiveDecoder().decode(Station.self, from: data)
            var all = [first]
            while let next = all[all.count - 1].lines["l"]?.first?.next, next !== first { all.append(next) }
            defer { for station in all { station.unlink() } }
            guard all.count == count else { return all.count }
            return all.indices.count { index in
                let previous = all[(index + count - 1) % count]
                guard case .forward(let line)? = all[index].ways.first, case .back(let back)? = all[index].ways.last
                else { return false }
                return all[index].number == index && line.number == index && line.next === all[(index + 1) % count]
                    && back.wrappedValue === previous && all[index].previous === previous
            }
        }
        #expect(right == count)
    }

    // MARK: - Plain properties on the way

    final class Wagon: Codable {
        /// Decoded inside the wagon.
        var coupling: Coupling?

        final class Coupling: Codable {
            @Reference var next: Wagon?
        }
    }

    @Test func `may have plain properties on the way`() throws {
        let count = 100_000
        let counts = try onThread(stackSize: Self.smallStack) {
            /// How many wagons there are; they are no more coupled then.
            func uncouple(_ first: Wagon) -> Int {
                var count = 1
                var wagon = first
                while let next = wagon.coupling?.next {
                    wagon.coupling = nil
                    wagon = next
                    count += 1
                }
                return count
            }
            let first = Wagon()
            var last = first
            for _ in 1..<count {
                let wagon = Wagon()
                last.coupling = Wagon.Coupling()
                last.coupling?.next = wagon
                last = wagon
            }
            let data = try ArchiveEncoder().encode(first)
            return [uncouple(first), uncouple(try ArchiveDecoder().decode(Wagon.self, from: data))]
        }
        #expect(counts == [count, count])
    }

    // MARK: - Dense graphs

    final class Node: Codable {
        var number: Int
        @References var neighbours: [Node]
        @References var byNumber: [Int: Node]

        init(_ number: Int) { self.number = number }
        func untie() { (neighbours, byNumber) = ([], [:]) }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `may have a reference from each of 300 to each`(format: PropertyListFormat) throws {
        let right = try onThread(stackSize: Self.smallStack) {
            let nodes = (0..<300).map { Node($0) }
            for node in nodes { node.neighbours = nodes }
            nodes[7].byNumber = Dictionary(uniqueKeysWithValues: nodes.map { ($0.number, $0) })
            defer { for node in nodes { node.untie() } }
            let again = try roundTrip(nodes[42], format: format)
            let all = again.neighbours
            defer { for node in all { node.untie() } }
            guard all.map(\.number) == Array(0..<300), all[42] === again else { return -1 }
            guard all.indices.allSatisfy({ all[7].byNumber[$0] === all[$0] }) else { return -2 }
            let identifiers = all.map { ObjectIdentifier($0) }
            return all.count { $0.neighbours.map { ObjectIdentifier($0) } == identifiers }
        }
        #expect(right == 300)
    }
}
