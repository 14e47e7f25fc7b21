// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A cycle of Coding instances` {
    // MARK: - Published

    /// Publishes itself, and then decodes references that may be part of a cycle.
    class Node: Coding {
        let name: String
        var edges: [Node] = []
        var byName: [String: Node] = [:]

        init(_ name: String) { self.name = name }

        required init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            coder.publish(self)
            edges = try coder.decode([Node].self, forKey: "edges")
            byName = try coder.decode([String: Node].self, forKey: "byName")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(edges, forKey: "edges")
            try coder.encode(byName, forKey: "byName")
        }
    }

    /// What its superclass has published, it completes.
    final class Special: Node {
        let mark: Int
        var favourite: Node?

        init(_ name: String, mark: Int) {
            self.mark = mark
            super.init(name)
        }

        required init(coder: KeyedUnarchiver) throws {
            mark = try coder.decodeInteger(forKey: "mark")
            try super.init(coder: coder)
            // It cannot know that its superclass has done so.
            coder.publish(self)
            favourite = try coder.decodeIfPresent(Node.self, forKey: "favourite")
        }

        override func encode(with coder: KeyedArchiver) throws {
            try super.encode(with: coder)
            coder.encode(mark, forKey: "mark")
            try coder.encode(favourite, forKey: "favourite")
        }
    }

    /// Five nodes, two of them special, in cycles of one, two and more.
    private static func makeGraph() -> [Node] {
        let (a, b, e) = (Node("a"), Node("b"), Node("e"))
        let (c, d) = (Special("c", mark: 3), Special("d", mark: 4))
        (a.edges, b.edges, c.edges, d.edges, e.edges) = ([b, a], [c, e], [a, d], [d, b, b], [c])
        (a.byName, d.byName) = (["me": a, "c": c], ["e": e])
        (c.favourite, d.favourite) = (c, a)
        return [a, b, c, d, e]
    }

    /// What can be reached from `start`, each with what it refers to.
    private static func shape(_ start: Node) -> [String: String] {
        var shape: [String: String] = [:]
        var instances: [String: Node] = [:]
        var open = [start]
        while let node = open.popLast() {
            if let known = instances[node.name] {
                // Each name is that of one instance.
                if known !== node { shape[node.name] = "twice" }
                continue
            }
            instances[node.name] = node
            let names = node.byName.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.name)" }
            let special = (node as? Special).map { " \($0.mark) \($0.favourite?.name ?? "-")" } ?? ""
            shape[node.name] =
                "\(node.edges.map(\.name).joined()) \(names.joined(separator: ","))" + special
            open += node.edges + node.byName.values + [(node as? Special)?.favourite].compactMap { $0 }
        }
        return shape
    }

    /// Lets go of the cycles.
    private static func untie(_ nodes: [Node]) {
        for node in nodes {
            (node.edges, node.byName) = ([], [:])
            (node as? Special)?.favourite = nil
        }
    }

    private static let expected = [
        "a": "ba c=c,me=a", "b": "ce ", "c": "ad  3 c", "d": "dbb e=e 4 a", "e": "c ",
    ]

    @Test(arguments: 0..<5, PropertyListFormat.allCases)
    func `comes back from every object that decoding can begin with`(start: Int, format: PropertyListFormat) throws {
        let graph = Self.makeGraph()
        defer { Self.untie(graph) }
        let archiver = KeyedArchiver()
        archiver.outputFormat = format
        try archiver.encode(graph, forKey: "all")
        try archiver.encode(graph[start], forKey: "start")
        let data = try archiver.finishEncoding()
        #expect(try InspectedArchive(data).objects.filter { $0["edges"] != nil }.count == 5)

        let unarchiver = try keyedUnarchiver(data, registering: [Special.self])
        let node = try unarchiver.decode(Node.self, forKey: "start")
        #expect(Self.shape(node) == Self.expected)
        let all = try unarchiver.decode([Node].self, forKey: "all")
        defer { Self.untie(all) }
        #expect(all.map(\.name) == ["a", "b", "c", "d", "e"] && all[start] === node)
    }

    @Test func `comes back through a Coded property`() throws {
        struct Holder: Codable {
            @Coded var node: Node
            @Coded var others: [Node]
        }
        let graph = Self.makeGraph()
        defer { Self.untie(graph) }
        var decoder = ArchiveDecoder()
        decoder.classes.register(Special.self)
        let copy = try decoder.decode(
            Holder.self, from: ArchiveEncoder().encode(Holder(node: graph[3], others: graph)))
        defer { Self.untie(copy.others) }
        #expect(Self.shape(copy.node) == Self.expected && copy.others[3] === copy.node)
    }

    // MARK: - Not published

    final class Link: Coding {
        let next: Link?
        private(set) var back: Link?

        init(_ next: Link?) { self.next = next }

        func close(_ back: Link) { self.back = back }
        func open() { back = nil }

        init(coder: KeyedUnarchiver) throws {
            // Requested as required instances, which cannot wait.
            next = coder.containsValue(forKey: "next") ? try coder.decode(Link.self, forKey: "next") : nil
            back = coder.containsValue(forKey: "back") ? try coder.decode(Link.self, forKey: "back") : nil
        }

        func encode(with coder: KeyedArchiver) throws {
            if let next { try coder.encode(next, forKey: "next") }
            if let back { try coder.encode(back, forKey: "back") }
        }
    }

    @Test func `is an error that names both ends if no instance is published`() throws {
        struct Holder: Codable {
            @Coded var links: [Link]
        }
        let last = Link(nil)
        let first = Link(Link(last))
        last.close(first)
        defer { last.open() }
        let data = try keyedArchive {
            try $0.encode(Holder(links: [first]), forKey: "root")
            try $0.encode(first, forKey: "first")
            try $0.encode(CodedItem("i", 3), forKey: "item")
        }
        let unarchiver = try keyedUnarchiver(data)
        let error = try archivingError { try unarchiver.decode(Link.self, forKey: "first") }
        #expect(error.code == .cycle && error.codingPath.text == "first.next.next.back")
        for part in ["\"first.next.next.back\"", "\"first\"", "Link", "publish(self)"] {
            #expect(error.debugDescription.contains(part), "\(error)")
        }
        // It is that object's error: others can still be decoded.
        #expect(try unarchiver.decode(CodedItem.self, forKey: "item").value == 3)
        #expect(try archivingError { try unarchiver.decode(Link.self, forKey: "first") }.code == .cycle)

        let failure = try failure(decoding: Holder.self, from: data)
        #expect(failure.kind == .dataCorrupted && failure.path == "links[0].next.next.back")
        #expect(failure.says("\"links[0].next.next.back\"", "\"links[0]\"", "Link"), "\(failure)")
    }

    @Test func `is an error where an instance refers to itself`() throws {
        let link = Link(nil)
        link.close(link)
        defer { link.open() }
        let data = try KeyedArchiver.archivedData(withRootObject: link)
        let error = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Link.self, from: data) }
        #expect(error.code == .cycle && error.codingPath.text == "root.back")
    }

    // MARK: - References

    final class Member: Coding {
        let name: String
        @Reference var next: Member?
        @WeakReference var previous: Member?

        init(_ name: String) { self.name = name }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            _next = try coder.decode(Reference<Member>.self, forKey: "next")
            _previous = try coder.decode(WeakReference<Member>.self, forKey: "previous")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(next, forKey: "next")
            try coder.encodeConditional(previous, forKey: "previous")
        }

        static func ring(_ count: Int) -> [Member] {
            let members = (0..<count).map { Member("\($0)") }
            for index in 0..<count {
                members[index].next = members[(index + 1) % count]
                members[(index + 1) % count].previous = members[index]
            }
            return members
        }
    }

    @Test(arguments: [1, 2, 3, 7])
    func `is closed by references, whichever is decoded first`(count: Int) throws {
        for start in 0..<count {
            let ring = Member.ring(count)
            defer { ring[0].next = nil }
            let data = try KeyedArchiver.archivedData(withRootObject: ring[start])
            let copy = try KeyedUnarchiver.unarchivedObject(of: Member.self, from: data)
            defer { copy.next = nil }
            var member = copy
            for step in 0..<count {
                #expect(member.name == "\((start + step) % count)")
                let next = try #require(member.next)
                #expect(next.previous === member)
                member = next
            }
            #expect(member === copy)
        }
    }

    @Test func `of 100 000 instances takes no stack`() throws {
        // They would need tens of megabytes of stack.
        let instances = 100_000
        let names = try onThread(stackSize: 512 << 10) {
            let ring = Member.ring(instances)
            defer { for member in ring { member.next = nil } }
            let data = try KeyedArchiver.archivedData(withRootObject: ring[0])
            let copy = try KeyedUnarchiver.unarchivedObject(of: Member.self, from: data)
            var count = 1
            var member = copy
            while let next = member.next, next !== copy {
                // What has been passed goes at once, and not in one long chain.
                member.next = nil
                member = next
                count += 1
            }
            member.next = nil
            return [copy.name, member.name, "\(count)"]
        }
        #expect(names == ["0", "\(instances - 1)", "\(instances)"])
    }
}
