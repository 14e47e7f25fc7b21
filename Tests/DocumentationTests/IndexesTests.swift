// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on indexes, and of the comments of their types.
@Suite(.inTurn)
struct `The article on indexes`: DocumentedOutput {
    final class Note: ArchivedFields, ArchiveIndexed {
        var tag = ""
        var year = 0
        var text = ""

        init() {}

        static let fields = FieldList<Note> {
            Field("tag", \.tag)
            Field("year", \.year)
            Field("text", \.text)
        }
        static let indexes = [ArchiveIndex<Note>(\.tag, \.year)]
    }

    @Test func `finds the newest notes of a tag`() throws {
        try TemporaryFolder.with { folder in
            var decoder = ArchiveDecoder()
            decoder.classes.register(Note.self, name: "Note")
            var encoder = ArchiveEncoder()
            encoder.classes.register(Note.self, name: "Note")
            let notes = (0..<100).map { number in
                let note = Note()
                (note.tag, note.year) = (number % 2 == 0 ? "farm" : "town", 1950 + number)
                return note
            }
            try ArchiveDocument(root: notes, encoder: encoder, decoder: decoder).save(to: folder["notes"])
            let document = try ArchiveDocument<[Note]>(
                contentsOf: folder["notes"], encoder: encoder, decoder: decoder)
            let newest = try document.fetch(
                Note.self, where: #Predicate { $0.tag == "farm" }, sortedBy: .descending(\.year), limit: 20)
            #expect(newest.map(\.year) == stride(from: 2048, to: 2008, by: -2).map { $0 })
            let plan = try document.explain(
                Note.self, where: #Predicate { $0.tag == "farm" && $0.year > 2000 }, sortedBy: .descending(\.year),
                limit: 20)
            print(plan.index ?? "none")  // Note: tag, year (1 equal, a range, from the last entry)
        }
    }
}
