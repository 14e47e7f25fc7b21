// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// A newer program's types in `Newer`, and those of an older program, which lack keys, in `Older`. Both have the same names in the
/// file.
@Suite(.inTurn) struct `Keys that a program does not know` {
    enum Newer {
        struct Style: Codable, Equatable, ArchiveDescribing {
            static let archiveName = "Style"
            var font: String
            var size: Int
            var colour: String?
        }

        final class Note: Codable, ArchiveDescribing {
            static let archiveName = "Note"
            var title: String
            var style: Style
            var link: Note?
            var rating: Int
            var styles: [Style]
            var named: [String: Style]
            var set: Set<Tag>

            init(_ title: String, _ number: Int, link: Note? = nil) {
                self.title = title
                self.link = link
                rating = number
                style = Style(font: "Serif", size: number, colour: "own \(number)")
                styles = (0..<3).map { Style(font: "Sans", size: $0, colour: "colour \($0)") }
                named = ["a": Style(font: "A", size: 1, colour: "red"), "b": Style(font: "B", size: 2, colour: "blue")]
                set = [Tag(name: "x", weight: 1), Tag(name: "y", weight: 2)]
            }
        }

        struct Tag: Codable, Hashable, ArchiveDescribing {
            static let archiveName = "Tag"
            var name: String
            var weight: Int
        }

        final class Library: Codable, ArchiveDescribing {
            static let archiveName = "Library"
            var extra: [Int]
            var notes: [Note]
            var last: Note?

            init() {
                extra = [7, 8]
                notes = [Note("first", 1)]
                notes.append(Note("second", 2, link: notes[0]))
                last = notes[1]
            }
        }
    }

    enum Older {
        struct Style: Codable, Equatable, ArchiveDescribing {
            static let archiveName = "Style"
            var font: String
            var size: Int
        }

        final class Note: Codable, ArchiveDescribing {
            static let archiveName = "Note"
            var title: String
            var style: Style
            var styles: [Style]
            var named: [String: Style]
            var set: Set<Tag>
        }

        struct Tag: Codable, Hashable, ArchiveDescribing {
            static let archiveName = "Tag"
            var name: String
        }

        final class Library: Codable, ArchiveDescribing {
            static let archiveName = "Library"
            var notes: [Note]
        }
    }

    private typealias Document = ArchiveDocument<Older.Library>

    private func hasChanges<Root>(_ document: ArchiveDocument<Root>) throws -> Bool { try document.hasChanges() }

    /// Calls `body` with a document of the older program for a file that the newer one has written.
    private func withDocument(_ body: (Document, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let url = folder["library"]
            try ArchiveEncoder().encode(Newer.Library(), to: url)
            try body(try Document(contentsOf: url), url)
        }
    }

    private func newer(_ url: URL) throws -> Newer.Library {
        try KeyedArchive(Data(contentsOf: url)).validate()
        return try ArchiveDecoder().decode(Newer.Library.self, from: url)
    }

    @Test func `change nothing if the file is only read`() throws {
        try withDocument { document, url in
            let before = try Data(contentsOf: url)
            #expect(try !hasChanges(document))
            #expect(document.root.notes[1].styles[2].size == 2)
            #expect(try document.save().objectsWritten == 0)
            #expect(try Data(contentsOf: url) == before)
        }
    }

    /// Tries the form that a style once had before the present one.
    struct Style: Codable, ArchiveDescribing {
        static let archiveName = "Style"
        var font: String

        struct Former: Decodable {
            var font: String
            var size: Int
            var colour: Int
        }

        enum CodingKeys: CodingKey { case font }

        init(from decoder: any Decoder) throws {
            if let former = try? Former(from: decoder) {
                font = former.font
            } else {
                font = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .font)
            }
        }
    }

    @Test func `stay if only an attempt that failed has requested them`() throws {
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(
                ["style": Newer.Style(font: "Serif", size: 3, colour: "red")], to: folder["file"])
            let document = try ArchiveDocument<[String: Style]>(contentsOf: folder["file"])
            let wasChanged = try document.hasChanges()
            #expect(!wasChanged)
            document.root["style"]?.font = "Sans"
            try document.save()
            let style = try KeyedArchive(contentsOf: folder["file"]).root["style"]
            #expect(try style?.decode(Newer.Style.self) == Newer.Style(font: "Sans", size: 3, colour: "red"))
        }
    }

    @Test func `stay in an object that the program changes, and in those that it does not`() throws {
        try withDocument { document, url in
            document.root.notes[0].title = "renamed"
            #expect(try document.save().objectsWritten == 1)
            #expect(try !hasChanges(document))
            let library = try newer(url)
            #expect(library.extra == [7, 8] && library.last === library.notes[1])
            #expect(library.notes.map(\.title) == ["renamed", "second"])
            #expect(library.notes.map(\.rating) == [1, 2])
            #expect(library.notes[1].link === library.notes[0])
            #expect(library.notes[0].style.colour == "own 1")
            #expect(library.notes[0].set == [.init(name: "x", weight: 1), .init(name: "y", weight: 2)])
            // And again, from the file that was saved.
            document.root.notes[0].title = "again"
            document.root.notes.swapAt(0, 1)
            #expect(try document.save().objectsWritten == 2)
            let again = try newer(url)
            #expect(again.notes.map(\.title) == ["second", "again"] && again.notes.map(\.rating) == [2, 1])
            #expect(again.extra == [7, 8] && again.last === again.notes[0])
        }
    }

    @Test func `stay in saves of marked changes to a journal`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["library"]
            try ArchiveEncoder().encode(Newer.Library(), to: url)
            let document = try Document(contentsOf: url, journal: .enabled)
            let note = document.root.notes[0]
            for size in 10..<13 {
                #expect(try document.verifyMarks().isEmpty)
                note.style.size = size
                document.markChanged(note)
                try document.save(changes: .marked)
                #expect(try !hasChanges(document))
            }
            document.close()
            let saved = try newer(url).notes[0]
            #expect(saved.style == Newer.Style(font: "Serif", size: 12, colour: "own 1") && saved.rating == 1)
        }
    }

    @Test func `stay in structs inside a changed object`() throws {
        try withDocument { document, url in
            let note = document.root.notes[0]
            note.style.size = 10
            note.styles[1].size = 11
            note.named["b"]?.size = 12
            try document.save()
            #expect(try !hasChanges(document))
            // The values that were written have them as well.
            note.style.size = 20
            note.named["b"]?.font = "C"
            try document.save()
            #expect(try !hasChanges(document))
            let saved = try newer(url).notes[0]
            #expect(saved.style == .init(font: "Serif", size: 20, colour: "own 1"))
            #expect(
                saved.styles == [
                    .init(font: "Sans", size: 0, colour: "colour 0"), .init(font: "Sans", size: 11, colour: "colour 1"),
                    .init(font: "Sans", size: 2, colour: "colour 2"),
                ])
            #expect(
                saved.named == [
                    "a": .init(font: "A", size: 1, colour: "red"), "b": .init(font: "C", size: 12, colour: "blue"),
                ])
        }
    }

    /// With more than 255 objects, references take two bytes, and a save writes the file anew before it appends.
    @Test func `stay in structs that a save writes together with many new objects`() throws {
        try withDocument { document, url in
            let note = document.root.notes[0]
            note.style.size = 10
            let titles = (0..<300).map { "title \($0)" }
            note.styles += titles.map { Older.Style(font: $0, size: 0) }
            try document.save()
            #expect(try !hasChanges(document))
            note.style.size = 20
            try document.save()
            let saved = try newer(url).notes[0]
            #expect(saved.style == .init(font: "Serif", size: 20, colour: "own 1"))
            #expect(saved.styles.count == 303 && saved.styles[2].colour == "colour 2")
        }
    }

    /// The colours, by hand, after a change of the three elements with the sizes 0, 1 and 2.
    static let edits: [(name: String, colours: [String?], edit: @Sendable (inout [Older.Style]) -> Void)] = [
        ("the first is removed", ["colour 1", "colour 2"], { $0.removeFirst() }),
        (
            "the first is removed, and the last changed", ["colour 1", "colour 2"],
            {
                $0.removeFirst()
                $0[1].size = 9
            }
        ),
        ("the order is reversed", ["colour 2", "colour 1", "colour 0"], { $0.reverse() }),
        ("one is inserted", ["colour 0", nil, "colour 1", "colour 2"], { $0.insert(fresh, at: 1) }),
        ("one is appended", ["colour 0", "colour 1", "colour 2", nil], { $0.append(fresh) }),
        (
            "all are changed", ["colour 0", "colour 1", "colour 2"],
            { for index in $0.indices { $0[index].size += 10 } }
        ),
        ("one is duplicated", ["colour 0", "colour 1", "colour 2", nil], { $0.append($0[0]) }),
        (
            "one is inserted, and the next changed", ["colour 0", nil, "colour 1", "colour 2"],
            {
                $0[1].size = 9
                $0.insert(fresh, at: 1)
            }
        ),
        (
            "the middle is removed, and the others changed", ["colour 0", "colour 2"],
            {
                $0.remove(at: 1)
                $0[0].font = "Mono"
                $0[1].font = "Mono"
            }
        ),
        ("all are removed", [], { $0 = [] }),
    ]

    private static let fresh = Older.Style(font: "new", size: 7)

    @Test(arguments: edits.indices) func `stay with the elements of an array`(index: Int) throws {
        let (name, colours, edit) = Self.edits[index]
        try withDocument { document, url in
            edit(&document.root.notes[0].styles)
            try document.save()
            #expect(try !hasChanges(document), "\(name)")
            #expect(try newer(url).notes[0].styles.map(\.colour) == colours, "\(name)")
        }
    }
}
