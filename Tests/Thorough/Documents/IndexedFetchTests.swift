// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Fetches with indexes, compared with filters of all decoded notes.
@Suite(.inTurn) struct `A fetch with an index` {
    @Test(arguments: 0..<6 as Range<UInt64>) func `finds what a filter finds`(seed: UInt64) throws {
        try IndexedFetch.checkLife(seed: seed, count: 300)
    }

    @Test func `decodes only matches, and says so`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            try ArchiveDocument(root: IndexedLibrary.example(count: 3000)).save(to: url)
            let document = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
            let tag = "tag 3"
            let plan = try document.explain(
                IndexedNote.self, where: #Predicate { $0.tag == tag && $0.year > 2010 }, sortedBy: .descending(\.year),
                limit: 5)
            #expect(plan.index?.hasSuffix("IndexedNote: tag, year (1 equal, a range, from the last entry)") == true)
            #expect(plan.storedCount == 277)
            let found = try document.fetch(
                IndexedNote.self, where: #Predicate { $0.tag == tag && $0.year > 2010 }, sortedBy: .descending(\.year),
                limit: 5)
            #expect(found.map(\.year) == [2030, 2030, 2030, 2030, 2030])
            #expect(
                try document.archive.map {
                    try $0.fetch(IndexedNote.self, where: #Predicate { $0.year == 2030 && $0.tag == tag })
                }?.count == 14)
            let none = try document.explain(IndexedNote.self, where: #Predicate { $0.year > 2010 })
            #expect(none.index == nil)
        }
    }
}
