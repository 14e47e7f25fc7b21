// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TestSupport
import Testing

/// Sets and dictionaries of instances in cycles, whose elements are hashed by properties that are set later.
@Suite(.inTurn) struct `Elements that are hashed by what is set later` {
    protocol Ring: AnyObject, Hashable {
        var id: Int { get }
        var set: Set<Self> { get set }
        var ranks: [Self: Int] { get set }
        var boss: Self? { get set }
        init(id: Int)
        /// Whether the boss is a plain reference, which leads only to earlier instances.
        static var hasPlainBoss: Bool { get }
        static func roundTrip(_ nodes: [Self]) throws -> [Self]
    }

    final class SetFirst: Ring, Codable {
        var id: Int
        var set: Set<SetFirst> = []
        var ranks: [SetFirst: Int] = [:]
        var boss: SetFirst?
        init(id: Int) { self.id = id }
        static func == (left: SetFirst, right: SetFirst) -> Bool { left.isEqual(right) }
        func hash(into hasher: inout Hasher) { feed(&hasher) }
    }

    final class BossFirst: Ring, Codable {
        var id: Int
        var boss: BossFirst?
        var set: Set<BossFirst> = []
        var ranks: [BossFirst: Int] = [:]
        init(id: Int) { self.id = id }
        static func == (left: BossFirst, right: BossFirst) -> Bool { left.isEqual(right) }
        func hash(into hasher: inout Hasher) { feed(&hasher) }
    }

    final class ReferenceBoss: Ring, Codable {
        var id: Int
        var set: Set<ReferenceBoss> = []
        var ranks: [ReferenceBoss: Int] = [:]
        @Reference var boss: ReferenceBoss?
        static let hasPlainBoss = false
        init(id: Int) { self.id = id }
        static func == (left: ReferenceBoss, right: ReferenceBoss) -> Bool { left.isEqual(right) }
        func hash(into hasher: inout Hasher) { feed(&hasher) }
    }

    final class ReferencesSet: Ring, Codable {
        var id: Int
        @References var set: Set<ReferencesSet> = []
        var ranks: [ReferencesSet: Int] = [:]
        var boss: ReferencesSet?
        init(id: Int) { self.id = id }
        static func == (left: ReferencesSet, right: ReferencesSet) -> Bool { left.isEqual(right) }
        func hash(into hasher: inout Hasher) { feed(&hasher) }
    }

    final class OnlyReferences: Ring, Codable {
        var id: Int
        @References var set: Set<OnlyReferences> = []
        var ranks: [OnlyReferences: Int] = [:]
        @Reference var boss: OnlyReferences?
        static let hasPlainBoss = false
        init(id: Int) { self.id = id }
        static func == (left: OnlyReferences, right: OnlyReferences) -> Bool { left.isEqual(right) }
        func hash(into hasher: inout Hasher) { feed(&hasher) }
    }

    /// Decodes its set before the property that its hash depends on.
    final class CodingSetFirst: Ring, Coding {
        var id: Int
        var set: Set<CodingSetFirst> = []
        var boss: CodingSetFirst?
        init(id: Int) { self.id = id }

        init(coder: KeyedUnarchiver) throws {
            id = try coder.decodeInteger(forKey: "id")
            set = try coder.decode(Set<CodingSetFirst>.self, forKey: "set")
            boss = try coder.decodeIfPresent(CodingSetFirst.self, forKey: "boss")
        }

        /// `Coding` has no dictionaries whose keys are objects.
        var ranks: [CodingSetFirst: Int] {
            get { [:] }
            set {}
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(id, forKey: "id")
            try coder.encode(set, forKey: "set")
            try coder.encode(boss, forKey: "boss")
        }

        static func roundTrip(_ nodes: [CodingSetFirst]) throws -> [CodingSetFirst] {
            let archiver = KeyedArchiver()
            try archiver.encode(nodes, forKey: "nodes")
            let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
            return try unarchiver.decode([CodingSetFirst].self, forKey: "nodes")
        }

        static func == (left: CodingSetFirst, right: CodingSetFirst) -> Bool { left.isEqual(right) }
        func hash(into hasher: inout Hasher) { feed(&hasher) }
    }

    /// What is not as it was in one of 200 random rings; nil where all are.
    private static func firstDifference<Node: Ring>(_ type: Node.Type) throws -> String? {
        var refused = 0
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(state: seed)
            let nodes = (0..<Int.random(in: 1...6, using: &random)).map { Node(id: $0) }
            for node in nodes where Int.random(in: 0..<3, using: &random) > 0 {
                node.boss = nodes[..<(Node.hasPlainBoss ? node.id : nodes.count)].randomElement(using: &random)
            }
            for node in nodes {
                node.set = Set(nodes.filter { _ in Bool.random(using: &random) })
                for other in nodes where Bool.random(using: &random) { node.ranks[other] = other.id }
            }
            defer { for node in nodes { (node.set, node.ranks, node.boss) = ([], [:], nil) } }
            let read: [Node]
            do {
                read = try Node.roundTrip(nodes)
            } catch  where !Node.hasPlainBoss && CodingFailure(error).says("Hash by values of its own") {
                // An element of a set in a set, whose boss was requested earlier and is not decoded yet.
                refused += 1
                if refused > 10 { throw error }
                continue
            }
            defer { for node in read { (node.set, node.ranks, node.boss) = ([], [:], nil) } }
            for (old, new) in zip(nodes, read) {
                let elements = new.set.map(\.id).sorted()
                var grown = new.set
                for element in new.set { grown.insert(element) }
                let isRight =
                    new.boss?.id == old.boss?.id && elements == old.set.map(\.id).sorted()
                    && new.set.allSatisfy { new.set.contains($0) && read[$0.id] === $0 }
                    && grown.count == elements.count && new.ranks.count == old.ranks.count
                    && new.ranks.allSatisfy { new.ranks[$0.key] == $0.value && $0.key.id == $0.value }
                if !isRight { return "seed \(seed), node \(old.id) of \(nodes.count)" }
            }
        }
        return nil
    }

    static var types: [any Ring.Type] {
        [
            SetFirst.self, BossFirst.self, ReferenceBoss.self, ReferencesSet.self, OnlyReferences.self,
            CodingSetFirst.self,
        ]
    }

    @Test(arguments: types.indices) func `are found, whatever the order of properties`(index: Int) throws {
        #expect(try Self.firstDifference(Self.types[index]) == nil)
    }

    // MARK: Sets in sets

    final class Grouped: Codable, Hashable {
        var id: Int
        var groups: Set<Set<Grouped>> = []
        var boss: Grouped?
        init(id: Int) { self.id = id }
        static func == (left: Grouped, right: Grouped) -> Bool {
            left.id == right.id && left.boss?.id == right.boss?.id
        }
        func hash(into hasher: inout Hasher) {
            hasher.combine(id)
            hasher.combine(boss?.id)
        }

        /// The ids in the groups, each group sorted.
        var members: [[Int]] { groups.map { $0.map(\.id).sorted() }.sorted { $0.lexicographicallyPrecedes($1) } }
    }

    @Test func `are found in sets of sets`() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(state: seed)
            let nodes = (0..<Int.random(in: 1...5, using: &random)).map { Grouped(id: $0) }
            // A plain single reference leads to an earlier instance.
            for node in nodes where Int.random(in: 0..<3, using: &random) > 0 {
                node.boss = nodes[..<node.id].randomElement(using: &random)
            }
            for node in nodes {
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    node.groups.insert(Set(nodes.filter { _ in Bool.random(using: &random) }))
                }
            }
            let read = try roundTrip(nodes)
            defer { for node in nodes + read { (node.groups, node.boss) = ([], nil) } }
            for (old, new) in zip(nodes, read) {
                #expect(new.members == old.members, "seed \(seed)")
                for group in new.groups {
                    #expect(new.groups.contains(group), "seed \(seed)")
                    #expect(group.allSatisfy { group.contains($0) && read[$0.id] === $0 }, "seed \(seed)")
                }
            }
        }
    }

    // MARK: Hashes that go through other sets

    final class Tree: Codable, Hashable {
        let id: Int
        weak var parent: Tree?
        var children: Set<Tree> = []

        init(id: Int, depth: Int) {
            self.id = id
            guard depth > 0 else { return }
            for place in 0..<3 {
                let child = Tree(id: 3 * id + place, depth: depth - 1)
                child.parent = self
                children.insert(child)
            }
        }

        static func == (left: Tree, right: Tree) -> Bool { left.id == right.id && left.children == right.children }

        func hash(into hasher: inout Hasher) {
            hasher.combine(id)
            hasher.combine(children)
        }

        /// The ids of those that are found, and have their parent.
        var found: [Int] {
            [id] + children.filter { children.contains($0) && $0.parent === self }.flatMap(\.found)
        }
    }

    @Test func `are found where they are hashed by sets of their own`() throws {
        let tree = Tree(id: 1, depth: 3)
        let read = try roundTrip(tree)
        #expect(read.found.sorted() == tree.found.sorted() && tree.found.count == 40)
    }

    // MARK: Hashes that go through the set that they are in

    final class Counting: Codable, Hashable {
        var set: Set<Counting> = []
        static func == (left: Counting, right: Counting) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(set.count) }
        init() {}
    }

    @Test func `are an error where the hash depends on the set that they are in`() throws {
        // So many that not all are found in spite of their hashes.
        let all = (0..<50).map { _ in Counting() }
        for counting in all { counting.set = Set(all) }
        defer { for counting in all { counting.set = [] } }
        let error = try failure(decoding: Counting.self, fromArchiveOf: all[0])
        #expect(error.kind == .dataCorrupted && error.path.hasPrefix("set"), "\(error)")
        #expect(error.says("not found", "Hash by values of its own", "hash(into:)"), "\(error)")
    }
}

extension `Elements that are hashed by what is set later`.Ring {
    static var hasPlainBoss: Bool { true }

    func isEqual(_ other: Self) -> Bool { id == other.id && boss?.id == other.boss?.id }

    func feed(_ hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(boss?.id)
    }
}

extension `Elements that are hashed by what is set later`.Ring where Self: Codable {
    static func roundTrip(_ nodes: [Self]) throws -> [Self] { try TestSupport.roundTrip(nodes) }
}
