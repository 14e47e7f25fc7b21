// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Graphs of many instances whose plain properties form cycles.
@Suite(.inTurn) struct `A graph of plain references` {
    // MARK: Rings and lists

    final class Link: Codable {
        var number: Int
        @Reference var next: Link?
        @WeakReference var previous: Link?

        init(_ number: Int) { self.number = number }

        /// A list of `count` links, of which each knows the one before it.
        static func list(_ count: Int, isRing: Bool) -> [Link] {
            let links = (0..<count).map { Link($0) }
            for index in 0..<count where isRing || index + 1 < count {
                links[index].next = links[(index + 1) % count]
                links[(index + 1) % count].previous = links[index]
            }
            return links
        }

        static func take(_ links: [Link]) {
            for link in links { link.next = nil }
        }

        /// The links from this one on, each once.
        var all: [Link] {
            var all = [self]
            while let next = all.last?.next, next !== self { all.append(next) }
            return all
        }
    }

    @Test(arguments: [1, 2, 3, 10, 5000])
    func `that is a ring comes back`(count: Int) throws {
        try onThread(stackSize: 128 << 20) {
            let links = Link.list(count, isRing: true)
            defer { Link.take(links) }
            let copy = try roundTrip(links[0]).all
            defer { Link.take(copy) }
            #expect(copy.map(\.number) == Array(0..<count))
            #expect(copy.last?.next === copy[0])
            #expect((0..<count).allSatisfy { copy[($0 + 1) % count].previous === copy[$0] })
        }
    }

    /// Counts how often instances are made in a decoding.
    final class Counter: @unchecked Sendable {
        static let key = CodingUserInfoKey.named("counter")
        var count = 0
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> (value: Value, made: Int) {
        let counter = Counter()
        var decoder = ArchiveDecoder()
        decoder.userInfo[Counter.key] = counter
        return (try decoder.decode(type, from: data), counter.count)
    }

    /// A link of a list that counts how often it is made.
    final class Counted: Codable {
        let next: [Counted]
        weak var previous: Counted?
        private var strongPrevious: [Counted] = []

        init(next: [Counted]) { self.next = next }
        private enum CodingKeys: CodingKey { case next, previous, strongPrevious }
        init(from decoder: any Decoder) throws {
            (decoder.userInfo[Counter.key] as? Counter)?.count += 1
            let container = try decoder.container(keyedBy: CodingKeys.self)
            next = try container.decode([Counted].self, forKey: .next)
            previous = try container.decodeIfPresent(Counted.self, forKey: .previous)
            strongPrevious = try container.decode([Counted].self, forKey: .strongPrevious)
        }
        func link(to previous: Counted?) { (self.previous, strongPrevious) = (previous, previous.map { [$0] } ?? []) }
    }

    @Test(arguments: [100, 1000])
    func `that is a list linked in both directions is made of at most two attempts for each instance`(count: Int) throws
    {
        try onThread(stackSize: 128 << 20) {
            var list = [Counted(next: [])]
            for _ in 1..<count {
                list.append(Counted(next: [list[list.count - 1]]))
                list[list.count - 2].link(to: list[list.count - 1])
            }
            defer { for link in list { link.link(to: nil) } }
            let (head, made) = try decode(Counted.self, ArchiveEncoder().encode(list[count - 1]))
            // All but the first are made twice: their first attempt ends at the link before, which is not complete.
            #expect(made == 2 * count - 1)
            var links = [head]
            while let next = links.last?.next.first { links.append(next) }
            #expect(links.count == count)
            #expect((1..<count).allSatisfy { links[$0].previous === links[$0 - 1] })
            for link in links { link.link(to: nil) }
        }
    }

    // MARK: Trees that know their parents

    final class Folder: Codable {
        let name: String
        private(set) var folders: [Folder] = []
        private(set) weak var parent: Folder?
        unowned let volume: Volume

        init(_ name: String, in volume: Volume) { (self.name, self.volume) = (name, volume) }

        func add(_ folder: Folder) {
            folders.append(folder)
            folder.parent = self
        }

        private enum CodingKeys: CodingKey { case name, folders, parent, volume }
        init(from decoder: any Decoder) throws {
            (decoder.userInfo[Counter.key] as? Counter)?.count += 1
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            folders = try container.decode([Folder].self, forKey: .folders)
            parent = try container.decodeIfPresent(Folder.self, forKey: .parent)
            volume = try container.decode(Volume.self, forKey: .volume)
        }
    }

    final class Volume: Codable {
        private(set) var roots: [Folder] = []
        private(set) var current: [Folder] = []

        /// A tree of `levels` levels, with two folders in each.
        init(levels: Int) {
            let folder = Folder("/", in: self)
            roots = [folder]
            fill(folder, levels - 1)
        }

        private func fill(_ folder: Folder, _ levels: Int) {
            guard levels > 0 else { return }
            for name in ["a", "b"] {
                folder.add(Folder(name, in: self))
                fill(folder.folders[folder.folders.count - 1], levels - 1)
            }
            current = [folder.folders[1]]
        }
    }

    private func expectTree(
        _ folder: Folder, _ parent: Folder?, of volume: Volume, levels: Int
    ) -> Int {
        #expect(folder.parent === parent)
        #expect(folder.volume === volume)
        #expect(folder.folders.map(\.name) == (levels > 1 ? ["a", "b"] : []))
        return folder.folders.reduce(1) { $0 + expectTree($1, folder, of: volume, levels: levels - 1) }
    }

    @Test func `whose instances all need the root comes back, with few attempts`() throws {
        let levels = 7
        let volume = Volume(levels: levels)
        let (copy, made) = try decode(Volume.self, ArchiveEncoder().encode(volume))
        #expect(try expectTree(#require(copy.roots.first), nil, of: copy, levels: levels) == 127)
        #expect(copy.current.map(\.name) == ["b"])
        // A folder that is begun before its volume is there is begun again when it is.
        #expect(made <= 3 * 127, "\(made)")
    }

    final class Item: Codable {
        var left: Item?
        var right: Item?
        unowned let document: Document

        init(_ document: Document) { self.document = document }

        private enum CodingKeys: CodingKey { case left, right, document }
        init(from decoder: any Decoder) throws {
            (decoder.userInfo[Counter.key] as? Counter)?.count += 1
            let container = try decoder.container(keyedBy: CodingKeys.self)
            left = try container.decodeIfPresent(Item.self, forKey: .left)
            right = try container.decodeIfPresent(Item.self, forKey: .right)
            document = try container.decode(Document.self, forKey: .document)
        }
    }

    final class Document: Codable {
        var first: [Item] = []
    }

    @Test func `that shares what needs the root is decoded with few attempts`() throws {
        let count = 16
        let document = Document()
        let items = (0..<count).map { _ in Item(document) }
        // Each item has two references to the next: there are 2^15 paths to the last.
        for index in 1..<count { (items[index - 1].left, items[index - 1].right) = (items[index], items[index]) }
        document.first = [items[0]]
        let (copy, made) = try decode(Document.self, ArchiveEncoder().encode(document))
        var item = copy.first.first
        for _ in 1..<count {
            #expect(item?.left === item?.right)
            #expect(item?.document === copy)
            item = item?.left
        }
        #expect(item != nil && item?.left == nil)
        #expect(made <= 10 * count, "\(made)")
    }

    // MARK: Dense graphs

    final class Member: Codable {
        let number: Int
        private(set) var others: [Member] = []

        init(_ number: Int) { self.number = number }

        /// `count` members that all refer to all.
        static func everybody(_ count: Int) -> [Member] {
            let members = (0..<count).map { Member($0) }
            for member in members { member.others = members }
            return members
        }

        static func part(_ members: [Member]) {
            for member in members { member.others = [] }
        }

        private enum CodingKeys: CodingKey { case number, others }
        init(from decoder: any Decoder) throws {
            (decoder.userInfo[Counter.key] as? Counter)?.count += 1
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            others = try container.decode([Member].self, forKey: .others)
        }
    }

    @Test(arguments: [2, 3, 50], [PropertyListFormat.binary, .xml])
    func `that is complete comes back, each instance made once`(count: Int, format: PropertyListFormat) throws {
        let members = Member.everybody(count)
        defer { Member.part(members) }
        let (first, made) = try decode(Member.self, ArchiveEncoder(format).encode(members[count - 1]))
        let copy = first.others
        defer { Member.part(copy) }
        #expect(copy.map(\.number) == Array(0..<count))
        #expect(copy[count - 1] === first)
        #expect(copy.allSatisfy { $0.others.count == count && zip($0.others, copy).allSatisfy { $0 === $1 } })
        #expect(made == count)
    }

    // MARK: Several that wait

    final class Hub: Codable {
        var spokes: [Spoke] = []
        var inner: Hub?
    }

    final class Spoke: Codable {
        let hub: Hub?
        let outer: [Hub]
        init(_ hub: Hub, outer: [Hub]) { (self.hub, self.outer) = (hub, outer) }
    }

    @Test func `has many properties that wait for one instance, and for one further out`() throws {
        let outer = Hub()
        let inner = Hub()
        outer.inner = inner
        inner.spokes = (0..<100).map { Spoke($0 % 2 == 0 ? inner : outer, outer: [outer, inner]) }
        outer.spokes = inner.spokes.reversed()
        defer { (inner.spokes, outer.spokes) = ([], []) }
        let copy = try roundTrip(outer)
        let copyOfInner = try #require(copy.inner)
        defer { (copyOfInner.spokes, copy.spokes) = ([], []) }
        #expect(copyOfInner.spokes.count == 100)
        for (index, spoke) in copyOfInner.spokes.enumerated() {
            #expect(spoke.hub === (index % 2 == 0 ? copyOfInner : copy))
            #expect(spoke.outer.count == 2 && spoke.outer[0] === copy && spoke.outer[1] === copyOfInner)
        }
        #expect(zip(copy.spokes, copyOfInner.spokes.reversed()).allSatisfy { $0 === $1 })
    }

    // MARK: Mixed

    final class Mixed: Codable {
        var number: Int
        var plain: Mixed?
        @Reference var reference: Mixed?
        @References var references: [Mixed]
        @WeakReference var weakReference: Mixed?
        var backs: [Mixed] = []

        init(_ number: Int) {
            self.number = number
            references = []
        }
    }

    @Test func `may have references of every kind`() throws {
        // Every bit of the number is a kind of reference to the next node; all others are nil.
        let count = 32
        let nodes = (0..<count).map { Mixed($0) }
        func take(_ nodes: [Mixed]) {
            for node in nodes { (node.plain, node.reference, node.references, node.backs) = (nil, nil, [], []) }
        }
        defer { take(nodes) }
        func target(_ index: Int, _ factor: Int) -> Int { (index * factor + 1) % count }
        for (index, node) in nodes.enumerated() {
            if index & 1 != 0 { node.plain = nodes[target(index, 5)] }
            if index & 2 != 0 { node.reference = nodes[target(index, 9)] }
            if index & 4 != 0 { node.references = [nodes[target(index, 13)], node] }
            if index & 8 != 0 { node.weakReference = nodes[target(index, 17)] }
            if index & 16 != 0 { node.backs = [nodes[target(index, 21)]] }
        }
        let copy = try roundTrip(nodes)
        defer { take(copy) }
        #expect(copy.map(\.number) == Array(0..<count))
        for (index, node) in copy.enumerated() {
            func expect(_ found: Mixed?, bit: Int, factor: Int) {
                let expected = index & bit != 0 ? target(index, factor) : nil
                #expect(found?.number == expected, "\(index)")
                #expect(found === expected.map { copy[$0] }, "\(index)")
            }
            expect(node.plain, bit: 1, factor: 5)
            expect(node.reference, bit: 2, factor: 9)
            expect(node.references.first, bit: 4, factor: 13)
            expect(node.weakReference, bit: 8, factor: 17)
            expect(node.backs.first, bit: 16, factor: 21)
            #expect(node.references.count == (index & 4 != 0 ? 2 : 0))
            #expect(node.references.last == nil || node.references.last === node)
        }
    }
}
