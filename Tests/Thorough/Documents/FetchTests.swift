// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `A fetch` {
    @Test(arguments: 0..<40)
    func `returns what a filter of everything decoded returns, after any edits`(seed: UInt64) throws {
        try TemporaryFolder.with { folder in
            do {
                var fetches = try RandomFetch(seed: seed, in: folder)
                try fetches.run(count: 10)
            } catch {
                Issue.record("\(error), with the seed \(seed)")
            }
        }
    }

    @Test func `decodes only matches, and returns the instances of the document`() throws {
        var random = SeededGenerator(state: 3)
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(FetchedLibrary.random(count: 50, &random), to: folder["library"])
            let document = try ArchiveDocument<FetchedLibrary>(
                contentsOf: folder["library"], decoder: FetchedNote.decoder)
            let found = try document.fetch(
                FetchedNote.self, where: #Predicate { $0.year > 2000 }, sortedBy: .descending(\.year), limit: 3)
            #expect(!document.root.$second.isLoaded)
            let all = document.root.allNotes
            #expect(found.map(\.year) == all.map(\.year).sorted(by: >).prefix(3).filter { $0 > 2000 })
            #expect(found.allSatisfy { note in all.contains { $0 === note } })
            let value = try #require(document.archive?.root["second"]?[0])
            #expect(try document.instance(FetchedNote.self, for: value) === document.root.second[0])
        }
    }

    @Test func `of a class without declared fields is an error that says what to declare`() throws {
        final class Plain: Codable { var year = 0 }
        let archive = try KeyedArchive(ArchiveEncoder().encode(Plain()))
        let error = #expect(throws: ArchiveFetchError.self) {
            try archive.fetch(Plain.self, where: #Predicate { $0.year > 0 })
        }
        #expect(error?.description.contains("static let fields = FieldList<Plain>") == true)
    }
}
