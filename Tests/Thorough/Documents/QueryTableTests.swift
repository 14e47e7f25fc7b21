// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// The table of predicates in the article on queries.
@Suite(.inTurn)
struct `The table of predicates` {
    private static let article = "Sources/ArchiveDocuments/ArchiveDocuments.docc/Queries.md"

    private struct Row {
        let predicate: Predicate<FetchedNote>
        let isInPlace: Bool
    }

    private static let kind = FetchedNote.Kind.essay
    private static let date = Date(timeIntervalSinceReferenceDate: 1)

    /// The predicates in the order of the table.
    private static var rows: [Row] {
        let (kind, date, author) = (kind, date, FetchedAuthor())
        author.name = "Jane"
        // A predicate may unwrap.
        // swift-format-ignore: NeverForceUnwrap
        let inPlace: [Predicate<FetchedNote>] = [
            #Predicate { $0.year > 2000 && $0.year <= 2020 },
            #Predicate { !($0.small == 1) || $0.isRead },
            #Predicate { $0.isRead ? $0.year > 2010 : $0.small == 1 },
            #Predicate { (2000..<2010).contains($0.year) },
            #Predicate { $0.year % 2 == 0 },
            #Predicate { $0.price * 2 > 3 },
            #Predicate { $0.title.contains("mm") },
            #Predicate { $0.title.starts(with: "Em") },
            #Predicate { $0.title.count > 4 },
            #Predicate { $0.rating == nil },
            #Predicate { $0.rating ?? 3 > 2 },
            #Predicate { $0.rating != nil && $0.rating! > 2 },
            #Predicate { $0.subtitle?.contains("mm") == true },
            #Predicate { $0.kind == kind },
            #Predicate { $0.added > date },
            #Predicate { $0.author == nil },
            #Predicate { $0.parent?.author?.name == "Jane" },
            #Predicate { $0.tags.contains("Emma") },
            #Predicate { $0.tags.contains { $0.count > 4 } },
        ]
        let decoded: [Predicate<FetchedNote>] = [
            #Predicate { $0.length > 4 },
            #Predicate { $0.tags.filter { $0 == "Emma" }.count == 1 },
            #Predicate { $0.tags.max() == "e" },
            #Predicate { $0.author == author },
        ]
        return inPlace.map { Row(predicate: $0, isInPlace: true) }
            + decoded.map { Row(predicate: $0, isInPlace: false) }
    }

    @Test func `has a table of what is evaluated in place`() throws {
        // The expressions in the source of this test are those of the table.
        let source = try Repository.text(of: "Tests/Thorough/Documents/QueryTableTests.swift")
        let tested = source.split(separator: "\n").compactMap { line -> String? in
            let line = line.trimmingCharacters(in: .whitespaces)
            guard line.hasPrefix("#Predicate { "), line.hasSuffix(" },") else { return nil }
            return String(line.dropFirst("#Predicate { ".count).dropLast(" },".count))
        }
        let cells = try Repository.text(of: Self.article).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let rows = Self.rows
        #expect(cells == zip(tested, rows).map { "| `\($0)` | \($1.isInPlace ? "in place" : "by decoding") |" })
        #expect(tested.count == rows.count)

        var random = SeededGenerator(state: 5)
        let library = FetchedLibrary.random(count: 100, &random)
        let archive = try KeyedArchive(ArchiveEncoder().encode(library))
        for (text, row) in zip(tested, rows) {
            let counter = FetchedNote.Counter()
            let found = try FetchedNote.$counter.withValue(counter) {
                try archive.fetch(FetchedNote.self, where: row.predicate, using: FetchedNote.decoder)
            }
            let expected = try library.allNotes.filter { try row.predicate.evaluate($0) }
            #expect(found.map(\.line).sorted() == expected.map(\.line).sorted(), "\(text)")
            #expect(!found.isEmpty && found.count < library.allNotes.count, "\(text)")
            // The instances to which matches refer are decoded with them.
            var matches = expected.count
            var known = Set(expected.map { ObjectIdentifier($0) })
            for note in expected {
                var next = note.parent
                while let parent = next, known.insert(ObjectIdentifier(parent)).inserted {
                    matches += 1
                    next = parent.parent
                }
            }
            #expect(row.isInPlace ? counter.count == matches : counter.count > matches, "\(text)")
            let plan = try archive.explain(FetchedNote.self, where: row.predicate, using: FetchedNote.decoder)
            #expect(plan.conditionsDecoded.isEmpty == row.isInPlace, "\(plan)")
        }
    }
}
