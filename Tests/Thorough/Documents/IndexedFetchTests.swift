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

    /// The ways in which a file gets its indexes, and loses instances.
    enum History: CaseIterable {
        case new, addedToFile, removal, removalOfHeldInstance
    }

    @Test(arguments: History.allCases)
    func `reads a small part of the file, also the first one after opening`(history: History) throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            let library = IndexedLibrary()
            library.notes = ArchivedList(
                (0..<20_000).map {
                    IndexedNote("tag \($0 % 100)", $0, String(repeating: "text \($0) ", count: 20))
                })
            if history == .addedToFile {
                try ArchiveEncoder().encode(library, to: url)
            } else {
                try ArchiveDocument(root: library).save(to: url)
            }
            var held: [IndexedNote] = []
            if history != .new {
                let document = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
                _ = try document.fetch(IndexedNote.self, where: #Predicate { $0.tag == "tag 7" }, limit: 1)
                document.root.name = "changed"
                if history != .addedToFile {
                    held = [document.root.notes[7]]
                    if history == .removal { held = [] }
                    document.root.notes.remove(at: 7)
                }
                try document.save()
                document.close()
            }
            let before = SparseArchive.bytesRead
            let document = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
            let found = try document.fetch(IndexedNote.self, \.year, where: #Predicate { $0.tag == "tag 7" })
            let after = SparseArchive.bytesRead
            let isRemoved = history == .removal || history == .removalOfHeldInstance
            #expect(found.sorted() == Array(stride(from: isRemoved ? 107 : 7, to: 20_000, by: 100)))
            #if os(Linux)
                let byteCount = try #require(document.archive).source.contents.byteCount
                #expect(try #require(after) - #require(before) < byteCount / 3)
            #endif
            #expect(held.count == (history == .removalOfHeldInstance ? 1 : 0))
        }
    }

    @Test func `finds an instance that was removed, and put into the graph again after a save`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            try ArchiveDocument(root: IndexedLibrary.example(count: 200)).save(to: url)
            let document = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
            let predicate = #Predicate<IndexedNote> { $0.tag == "gone" }
            let note = document.root.notes[3]
            (note.tag, note.next) = ("gone", IndexedNote("gone", 1))
            try document.save()
            #expect(try document.count(IndexedNote.self, where: predicate) == 2)
            document.root.notes.remove(at: 3)
            #expect(try document.count(IndexedNote.self, where: predicate) == 0)
            try document.save()
            #expect(try document.count(IndexedNote.self, where: predicate) == 0)
            #expect(try KeyedArchive(contentsOf: url).count(IndexedNote.self, where: predicate) == 0)
            document.root.name = "another change"
            try document.save()
            #expect(try document.count(IndexedNote.self, where: predicate) == 0)
            document.root.pinned = [note]
            #expect(try document.count(IndexedNote.self, where: predicate) == 2)
            try document.save()
            #expect(try document.count(IndexedNote.self, where: predicate) == 2)
            #expect(try ArchiveDocument<IndexedLibrary>(contentsOf: url).count(IndexedNote.self, where: predicate) == 2)
        }
    }
}
