// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport

/// A note with fields of many types, which fetches look for.
package class FetchedNote: ArchivedFields {
    package enum Kind: String, Codable, CaseIterable { case novel, essay, letter }
    package enum Mood: Int, Codable, CaseIterable { case low, middle, high }

    package var title = ""
    package var year = 0
    package var rating: Int?
    package var kind = Kind.novel
    package var mood = Mood.middle
    package var tags: [String] = []
    package var small: Int8 = 1
    package var price = 0.0
    package var weight: Float = 1
    package var isRead = false
    package var added = Date(timeIntervalSinceReferenceDate: 0)
    package var subtitle: String?
    package var bytes = Data()
    package var author: FetchedAuthor?
    package var editor: FetchedAuthor?
    package var parent: FetchedNote?

    package required init() {}

    package class var fields: FieldList<FetchedNote> {
        FieldList {
            Field("title", \.title)
            Field("y", \.year, aliases: ["year"])
            Field("rating", \.rating)
            Field("kind", \.kind)
            Field("mood", \.mood)
            Field("tags", \.tags)
            Field("small", \.small, .omitIfDefault)
            Field("price", \.price)
            Field("weight", \.weight)
            Field("isRead", \.isRead, .default)
            Field("added", \.added)
            Field("subtitle", \.subtitle)
            Field("bytes", \.bytes)
            Field("author", \.author)
            Field("editor", \.editor, .conditional)
            Field("parent", \.parent)
        }
    }

    package func didFinishDecoding() throws { FetchedNote.counter?.count += 1 }

    /// A decoder that knows the subclass.
    package static var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.register(FetchedReport.self)
        return decoder
    }

    /// Counts the notes that a task decodes.
    package final class Counter: @unchecked Sendable {
        package var count = 0

        package init() {}
    }

    @TaskLocal package static var counter: Counter?

    /// A property that no field declares.
    package var length: Int { title.count }

    /// All values, to compare instances of two decodings.
    package var line: String {
        let values: [Any] = [
            Array(title.utf8), year, rating ?? -1, kind, mood, tags, small, price.bitPattern, weight.bitPattern, isRead,
            added.timeIntervalSinceReferenceDate, subtitle ?? "nil", [UInt8](bytes), author?.name ?? "nil",
            editor?.name ?? "nil", parent?.title ?? "nil", "\(type(of: self))",
        ]
        return values.map { "\($0)" }.joined(separator: " ")
    }
}

/// A subclass with a field of its own.
package final class FetchedReport: FetchedNote {
    package var pages = 0

    override package class var fields: FieldList<FetchedNote> {
        super.fields.extended(by: FetchedReport.self) { Field("pages", \.pages) }
    }

    override package var line: String { super.line + " \(pages)" }
}

package final class FetchedAuthor: ArchivedFields {
    package var name = ""
    package var mentor: FetchedAuthor?

    package init() {}

    package static let fields = FieldList<FetchedAuthor> {
        Field("name", \.name)
        Field("mentor", \.mentor)
    }
}

extension FetchedAuthor: Equatable {
    package static func == (left: FetchedAuthor, right: FetchedAuthor) -> Bool { left.name == right.name }
}

package final class FetchedLibrary: ArchivedFields {
    /// All authors, so that conditional references archive them.
    package var authors: [FetchedAuthor] = []
    package var first: [FetchedNote] = []
    @Deferred package var second: [FetchedNote] = []
    @Deferred package var third: ArchivedList<FetchedNote> = []
    @Deferred package var last: FetchedNote? = nil

    package init() {}

    package static let fields = FieldList<FetchedLibrary> {
        Field("authors", \.authors)
        Field("first", \.first)
        Field("second", \._second)
        Field("third", \._third)
        Field("last", \._last)
    }

    /// All notes that the library reaches, each once. It decodes all parts.
    package var allNotes: [FetchedNote] {
        var known: Set<ObjectIdentifier> = []
        var found: [FetchedNote] = []
        func visit(_ note: FetchedNote?) {
            var next = note
            while let note = next, known.insert(ObjectIdentifier(note)).inserted {
                found.append(note)
                next = note.parent
            }
        }
        first.forEach(visit)
        second.forEach(visit)
        third.forEach(visit)
        visit(last)
        return found
    }
}

extension FetchedNote: Emptiable {}

// MARK: - Random values

extension FetchedNote {
    package static let texts = [
        "Emma", "Emma\r\nb", "a\r\nb", "caf\u{E9}", "cafe\u{301}", "", "$null", "\u{212A}", "K", "e", "\n", "é", "null",
        "Persuasion, a long title", "A history of gardens, and other longer things", "\u{1F1E9}\u{1F1EA}", "\u{1F1EA}",
    ]
    package static let numbers = [0, -0.0, .nan, .infinity, 1.5, 2, 1e300]

    /// Creates a note with random values.
    package static func random(
        _ authors: [FetchedAuthor], _ notes: [FetchedNote], _ random: inout SeededGenerator
    ) -> FetchedNote {
        let note = Int.random(in: 0..<4, using: &random) == 0 ? FetchedReport() : FetchedNote()
        (note as? FetchedReport)?.pages = Int.random(in: 0..<5, using: &random)
        note.title = texts.randomElement(using: &random) ?? ""
        note.year = Int.random(in: 1990..<2030, using: &random)
        note.rating = Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil
        note.kind = Kind.allCases.randomElement(using: &random) ?? .novel
        note.mood = Mood.allCases.randomElement(using: &random) ?? .low
        note.tags = Bool.random(using: &random) ? Array(texts.shuffled(using: &random).prefix(2)) : []
        note.small = Bool.random(using: &random) ? 1 : -2
        note.price = numbers.randomElement(using: &random) ?? 0
        note.weight = Float(numbers.randomElement(using: &random) ?? 0)
        note.isRead = Bool.random(using: &random)
        note.added = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<5, using: &random)) * 0.5)
        note.subtitle = Bool.random(using: &random) ? texts.randomElement(using: &random) : nil
        note.bytes = Data(repeating: 7, count: Int.random(in: 0..<3, using: &random))
        note.author = Bool.random(using: &random) ? authors.randomElement(using: &random) : nil
        note.editor = Bool.random(using: &random) ? authors.randomElement(using: &random) : nil
        note.parent = Int.random(in: 0..<4, using: &random) == 0 ? notes.randomElement(using: &random) : nil
        return note
    }

    package static func randomAuthors(_ random: inout SeededGenerator) -> [FetchedAuthor] {
        var authors: [FetchedAuthor] = []
        for name in ["Jane", "Zoë", "K\u{30A}", "", "Emma"] {
            let author = FetchedAuthor()
            author.name = name
            author.mentor = Bool.random(using: &random) ? authors.randomElement(using: &random) : nil
            authors.append(author)
        }
        return authors
    }
}

extension FetchedLibrary {
    /// Creates a library with `count` notes in each part, and more behind them.
    package static func random(count: Int, _ random: inout SeededGenerator) -> FetchedLibrary {
        let authors = FetchedNote.randomAuthors(&random)
        var notes: [FetchedNote] = []
        for _ in 0..<4 * count { notes.append(FetchedNote.random(authors, notes, &random)) }
        let library = FetchedLibrary()
        library.authors = authors
        library.first = Array(notes[..<count])
        library.second = Array(notes[count..<2 * count])
        library.third = ArchivedList(notes[2 * count..<3 * count])
        library.last = Bool.random(using: &random) ? notes.last : nil
        return library
    }
}
