import Archiving
import Foundation
import TestSupport
import Testing

/// Random edits of a random graph, in a document and in a model, with the file read back whole.
@Suite(.inTurn) struct `Random edits of a document` {
    final class Node: Codable {
        let id: Int
        var name = ""
        var labels: [String: Int] = [:]
        var children: [Node] = []
        @Reference var next: Node?
        @WeakReference var friend: Node?
        @Deferred var hidden: [Node]

        init(_ id: Int) {
            self.id = id
            hidden = []
        }

        var neighbours: [Node] { children + hidden + (next.map { [$0] } ?? []) }
    }

    /// What a node is, by ids.
    private struct Entry: Equatable {
        var name = ""
        var labels: [String: Int] = [:]
        var children: [Int] = []
        var next: Int?
        var friend: Int?
        var hidden: [Int] = []

        var neighbours: [Int] { children + hidden + (next.map { [$0] } ?? []) }
    }

    private struct Model {
        var entries: [Int: Entry] = [0: Entry()]

        /// What can be reached from the root. Friends that cannot are none.
        var reachable: [Int: Entry] {
            var found: [Int: Entry] = [:]
            var remaining = [0]
            while let id = remaining.popLast() {
                guard found[id] == nil, let entry = entries[id] else { continue }
                found[id] = entry
                remaining += entry.neighbours
            }
            return found.mapValues { entry in
                var entry = entry
                if let friend = entry.friend, found[friend] == nil { entry.friend = nil }
                return entry
            }
        }
    }

    /// The graph in the file, by ids; every node has one instance.
    private func graph(in url: URL) throws -> [Int: Entry] {
        let root = try ArchiveDecoder().decode(Node.self, from: Data(contentsOf: url))
        var found: [Int: (node: Node, entry: Entry)] = [:]
        var remaining = [root]
        while let node = remaining.popLast() {
            if let known = found[node.id] {
                #expect(known.node === node)
                continue
            }
            try node.$hidden.load()
            found[node.id] = (node, Entry())
            remaining += node.neighbours
        }
        return found.mapValues { node, _ in
            Entry(
                name: node.name, labels: node.labels, children: node.children.map(\.id), next: node.next?.id,
                friend: node.friend?.id, hidden: node.hidden.map(\.id))
        }
    }

    @Test(arguments: 1...4) func `are in its file`(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        var model = Model()
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "document")
            var document = ArchiveDocument(root: Node(0))
            try document.save(to: url)
            var nextID = 1
            for step in 1...2500 {
                /// A node that a few steps from the root lead to.
                func walk() -> Node {
                    var node = document.root
                    for _ in 0..<Int.random(in: 0..<6, using: &random) {
                        guard let other = node.neighbours.randomElement(using: &random) else { break }
                        node = other
                    }
                    return node
                }
                let node = walk()
                let other = walk()
                var entry = try #require(model.entries[node.id])
                switch Int.random(in: 0..<11, using: &random) {
                case 0, 1:
                    node.name = "name \(Int.random(in: 0..<40, using: &random))"
                    entry.name = node.name
                case 2:
                    let label = "label \(Int.random(in: 0..<20, using: &random))"
                    node.labels[label] = step
                    entry.labels[label] = step
                case 3, 4, 5:
                    let child = Node(nextID)
                    child.name = "new"
                    model.entries[nextID] = Entry(name: "new")
                    if Bool.random(using: &random) {
                        node.children.append(child)
                        entry.children.append(nextID)
                    } else {
                        node.hidden.append(child)
                        entry.hidden.append(nextID)
                    }
                    nextID += 1
                case 6, 7:
                    node.hidden.append(other)
                    entry.hidden.append(other.id)
                case 8:
                    if !node.hidden.isEmpty {
                        let place = Int.random(in: node.hidden.indices, using: &random)
                        node.hidden.remove(at: place)
                        entry.hidden.remove(at: place)
                    }
                case 9:
                    node.next = other
                    entry.next = other.id
                default:
                    node.friend = other
                    entry.friend = other.id
                }
                model.entries[node.id] = entry
                if step % 10 == 0 { try document.save() }
                if step % 250 == 100 { try document.compact() }
                guard step % 100 == 0 else { continue }
                #expect(try graph(in: url) == model.reachable, "after \(step) steps")
                let archive = try KeyedArchive(contentsOf: url)
                try archive.validate()
                if step % 500 == 0 {
                    let count = try Plistlib.evaluate("len(objects)", in: [Data(contentsOf: url)])
                    #expect(Int(count) == archive.objects.count)
                }
                if step % 300 == 0 { document = try ArchiveDocument(contentsOf: url) }
            }
        }
    }
}
