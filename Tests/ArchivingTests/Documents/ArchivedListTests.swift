// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A list of a document` {
    final class Note: Codable, Emptiable {
        var text = ""

        init() {}

        init(_ text: String) { self.text = text }
    }

    final class Diary: Codable {
        @Deferred var notes: ArchivedList<Note> = []
    }

    @Test func `decodes the elements that are used, and saves the changed ones`() throws {
        try TemporaryFolder.with { folder in
            let diary = Diary()
            diary.notes = ArchivedList((0..<100).map { Note("\($0)") })
            try ArchiveEncoder().encode(diary, to: folder["diary"])
            let document = try ArchiveDocument<Diary>(contentsOf: folder["diary"])
            #expect(document.root.notes.count == 100 && document.root.notes[42].text == "42")
            document.root.notes[42].text = "changed"
            document.root.notes.remove(at: 0)
            document.root.notes.append(Note("last"))
            #expect(try document.save().objectsWritten < 20)
            let texts = try ArchiveDecoder().decode(Diary.self, from: folder["diary"]).notes.map(\.text)
            var expected = (1..<100).map { "\($0)" } + ["last"]
            expected[41] = "changed"
            #expect(texts == expected)
        }
    }
}
