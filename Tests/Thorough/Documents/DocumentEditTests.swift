// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Random edits of a random graph, in a document and in a model, with the file read back whole.
@MainActor @Suite(.inTurn) struct `Random edits of a document` {
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

    /// In a function, since the macro takes `try` from what it takes apart.
    private func hasChanges(_ document: ArchiveDocument<Node>) throws -> Bool { try document.hasChanges() }

    /// What is done besides edits and saves.
    enum Variation: CaseIterable {
        case none
        /// Parts are unloaded.
        case unloading
        /// Saves are waited for only after more edits.
        case asynchronous
        /// The document is closed, and saved to another file.
        case closing
    }

    @Test(
        arguments: [(1, .none), (2, .none), (3, .none), (4, .none)] + zip(5..., Variation.allCases.dropFirst()) + [
            (8, .closing)
        ])
    func `are in its file`(seed: UInt64, variation: Variation) async throws {
        var random = SeededGenerator(state: seed)
        var model = Model()
        try await TemporaryFolder.with { folder in
            var url = folder.url.appending(path: "document")
            var document = ArchiveDocument(root: Node(0))
            try document.save(to: url)
            var nextID = 1
            var save: Task<ArchiveSaveReport, any Error>?
            for step in 1...Extent.count(500, of: variation == .none ? 2500 : 1000) {
                /// A node that is a few steps from the root.
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
                switch variation {
                case .none: break
                case .unloading:
                    if let known = entry.friend, node.friend?.id == known, known == other.id {
                        // Only weak references that were decoded find what was unloaded.
                        try document.save()
                        document = try ArchiveDocument(contentsOf: url)
                    } else if step % 3 == 0 {
                        do { try node.$hidden.unload() } catch let error as ArchiveDocumentError {
                            #expect(error.code == .partChanged)
                        }
                    }
                case .asynchronous:
                    if step % 10 == 3 {
                        let document = document
                        save = Task { try await document.save(progress: nil) }
                        await Task.yield()
                    } else if step % 10 == 7 {
                        _ = try await save?.value
                    }
                case .closing:
                    if step % 50 == 25 {
                        document.close()
                        url = folder.url.appending(path: "document \(step)")
                        try document.save(to: url)
                    }
                }
                if step % 10 == 0 { try document.save() }
                if step % 250 == 100 { try document.compact() }
                // Parts of a closed file are copied again by every save.
                if step % 50 == 0, variation != .closing {
                    #expect(try !hasChanges(document), "after \(step) steps")
                }
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
