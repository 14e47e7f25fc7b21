// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Short random lives of documents: edits of all kinds, all ways to save, other programs, and a model that says what must be there.
@MainActor @Suite(.inTurn) struct `Random lives of a document` {
    struct Stamp: Codable, Equatable, ArchiveDescribing {
        static let archiveName = "Stamp"
        var place = ""
        var year: Int?
    }

    /// What the document's program knows.
    final class Note: Codable, ArchiveDescribing, Emptiable {
        static let archiveName = "Note"
        var id = 0
        var text: String?
        var tags: [String] = []
        var stamp = Stamp()
        var links: [Note] = []
        @WeakReference var friend: Note?
        @Deferred var extra: [Note] = []
        @Deferred var list: ArchivedList<Note> = []
        @Deferred var index: ArchivedDictionary<String, Note> = ArchivedDictionary([:])

        init() {}

        convenience init(_ id: Int) {
            self.init()
            self.id = id
        }
    }

    /// What a newer program knows besides: it does not know the texts.
    final class Rater: Codable, ArchiveDescribing, Emptiable {
        struct Stamp: Codable, ArchiveDescribing {
            static let archiveName = "Stamp"
            var color: String?
        }

        static let archiveName = "Note"
        var id = 0
        var rating: Int?
        var stamp = Stamp()
        var links: [Rater] = []
        @Deferred var list: ArchivedList<Rater> = []

        init() {}
    }

    /// What the file has.
    final class Whole: Codable, ArchiveDescribing {
        struct Stamp: Codable, Equatable, ArchiveDescribing {
            static let archiveName = "Stamp"
            var place: String
            var year: Int?
            var color: String?
        }

        static let archiveName = "Note"
        var id: Int
        var text: String?
        var rating: Int?
        var tags: [String]
        var stamp: Stamp
        var links: [Whole]
        @WeakReference var friend: Whole?
        var extra: [Whole]
        var list: [Whole]
        var index: [String: Whole]
    }

    /// A note by ids.
    struct Entry: Codable, Equatable {
        var text: String?
        var rating: Int?
        var tags: [String] = []
        var stamp = Whole.Stamp(place: "")
        var links: [Int] = []
        var friend: Int?
        var extra: [Int] = []
        var list: [Int] = []
        var index: [String: Int] = [:]

        var neighbours: [Int] { links + extra + list + index.values }
    }

    struct Model: Equatable {
        var root = 0
        var entries = [0: Entry()]

        /// What a file has: the notes that the root reaches. A friend that it does not reach is none.
        var contents: Contents { Contents(root: root, entries: reachable) }

        /// The notes that the root reaches.
        var reachable: [Int: Entry] {
            var found: [Int: Entry] = [:]
            var remaining = [root]
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

    struct Contents: Codable, Equatable, CustomStringConvertible {
        var root: Int
        var entries: [Int: Entry]

        var description: String {
            let lines = entries.sorted { $0.key < $1.key }.map { "   \($0.key): \($0.value)" }
            return "root \(root)\n" + lines.joined(separator: "\n")
        }
    }

    /// Returns the contents of the file at `url`.
    nonisolated static func contents(of url: URL) throws -> Contents {
        try contents(of: ArchiveDecoder().decode(Whole.self, from: Data(contentsOf: url)))
    }

    /// Returns the contents of a graph. Each of its notes has one instance.
    nonisolated static func contents(of root: Whole) throws -> Contents {
        var found: [Int: Whole] = [:]
        var remaining = [root]
        while let note = remaining.popLast() {
            if let known = found[note.id] {
                #expect(known === note)
                continue
            }
            found[note.id] = note
            remaining += note.links + note.extra + note.list + note.index.values
        }
        let entries = found.mapValues { note in
            // A friend that nothing else references can be alive while the graph is.
            let friend = note.friend.flatMap { found[$0.id] }
            #expect(friend == nil || friend === note.friend)
            return Entry(
                text: note.text, rating: note.rating, tags: note.tags, stamp: note.stamp, links: note.links.map(\.id),
                friend: friend?.id, extra: note.extra.map(\.id), list: note.list.map(\.id),
                index: note.index.mapValues(\.id))
        }
        return Contents(root: root.id, entries: entries)
    }

    /// Lives a life of some of the steps of `seed`, in a folder of its own.
    ///
    /// - Returns: What the document did after an error; nil if there was none.
    private func failure(_ seed: UInt64, _ steps: [UInt64]) async throws -> String? {
        try await TemporaryFolder.with(isInMemory: true) { folder in
            let life = try Life(seed, in: folder)
            do {
                for step in steps {
                    // The other steps stay what they are if one is left out.
                    life.random = SeededGenerator(state: seed << 8 + step)
                    switch life.number(10) {
                    case 0..<6: try life.edit()
                    case 6, 7:
                        try await life.save()
                        try life.check()
                    case 8: try life.rest()
                    default: try life.meetOthers()
                    }
                }
                try life.end()
                return nil
            } catch {
                return "\(error)\n\(life.steps.joined(separator: "\n"))"
            }
        }
    }

    /// Records the failure of `seed`, if there is one, with as few steps as it needs.
    private func run(_ seed: UInt64) async throws {
        var steps = Array(0..<12 + seed * 7 % 29)
        guard var failure = try await failure(seed, steps) else { return }
        for step in steps.reversed() {
            let fewer = steps.filter { $0 != step }
            guard let other = try await self.failure(seed, fewer) else { continue }
            (steps, failure) = (fewer, other)
        }
        Issue.record("seed \(seed), steps \(steps): \(failure)")
    }

    @Test(arguments: Extent.cases(of: 200..<250 as Range<UInt64>, every: 10)) func `lose nothing`(chunk: UInt64)
        async throws
    {
        for seed in chunk * 50..<chunk * 50 + 50 { try await run(seed) }
    }
}
