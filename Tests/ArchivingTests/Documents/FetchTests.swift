import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A fetch` {
    enum Kind: String, Codable { case novel, essay }

    final class Note: ArchivedFields {
        var title = ""
        var year = 0
        var rating: Int?
        var kind = Kind.novel
        var tags: [String] = []
        var small: Int8 = 1
        var author: Author?

        init() {}

        static let fields = FieldList<Note> {
            Field("title", \.title)
            Field("y", \.year, aliases: ["year"])
            Field("rating", \.rating)
            Field("kind", \.kind)
            Field("tags", \.tags)
            Field("small", \.small, .omitIfDefault)
            Field("author", \.author)
        }

        /// A property that no field declares.
        var length: Int { title.count }
    }

    final class Author: ArchivedFields {
        var name = ""

        init() {}

        static let fields = FieldList<Author> { Field("name", \.name) }
    }

    final class Library: ArchivedFields {
        @Deferred var notes: [Note] = []

        init() {}

        static let fields = FieldList<Library> { Field("notes", \._notes) }

        static func example(count: Int, _ random: inout SplitMix) -> Library {
            let authors = ["Jane", "Zoë", "K\u{30A}", ""].map { name in
                let author = Author()
                author.name = name
                return author
            }
            let library = Library()
            library.notes = (0..<count).map { _ in Note.random(authors, &random) }
            return library
        }
    }

    /// A generator with a seed.
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    static func predicates(_ random: inout SplitMix) -> Predicate<Note> {
        let year = Int.random(in: 1990..<2030, using: &random)
        let text = ["Emma", "é", "e", "a\r\nb", "\n", "", "$null", "K"].randomElement(using: &random) ?? ""
        let kind = Kind.essay
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return #Predicate<Note> { $0.year > year && $0.title.contains(text) }
        case 1: return #Predicate<Note> { $0.title.starts(with: text) || $0.year == year }
        case 2: return #Predicate<Note> { !($0.title == text) }
        case 3: return #Predicate<Note> { $0.rating == nil }
        case 4: return #Predicate<Note> { $0.rating ?? 3 > 2 }
        case 5: return #Predicate<Note> { $0.author?.name == text }
        case 6: return #Predicate<Note> { $0.rating != nil && $0.rating! > 1 }
        case 7: return #Predicate<Note> { $0.kind == kind }
        case 8: return #Predicate<Note> { $0.tags.contains(text) }
        case 9: return #Predicate<Note> { $0.small == 1 }
        case 10: return #Predicate<Note> { $0.length > 3 }
        case 11: return #Predicate<Note> { (2000..<2010).contains($0.year) }
        case 12: return #Predicate<Note> { $0.title.count == 4 }
        case 13: return #Predicate<Note> { $0.title != text && $0.year <= year }
        case 14: return #Predicate<Note> { $0.tags.contains { $0.contains(text) } }
        default: return #Predicate<Note> { $0.rating == 2 }
        }
    }

    @Test func `returns what a filter of all instances returns, after any edits`() throws {
        var random = SplitMix(state: 7)
        try TemporaryFolder.with { folder in
            for round in 0..<20 {
                let url = folder["library \(round)"]
                try ArchiveEncoder().encode(Library.example(count: 60, &random), to: url)
                let document = try ArchiveDocument<Library>(contentsOf: url)
                for step in 0..<12 {
                    let predicate = Self.predicates(&random)
                    let found = try document.fetch(Note.self, where: predicate)
                    let all = try Self.all(of: document)
                    let expected = try all.filter { try predicate.evaluate($0) }
                    #expect(
                        found.map(\.line).sorted() == expected.map(\.line).sorted(), "\(round) \(step) \(predicate)")
                    if step % 3 == 2 { try Self.edit(document, found, &random) }
                    if step % 4 == 3 { try document.save() }
                }
            }
        }
    }

    /// All notes of the document, decoded from its state as a save would write it.
    private static func all(of document: ArchiveDocument<Library>) throws -> [Note] {
        try ArchiveDecoder().decode(Library.self, from: ArchiveEncoder().encode(document.root)).notes
    }

    private static func edit(_ document: ArchiveDocument<Library>, _ found: [Note], _ random: inout SplitMix) throws {
        found.first?.year = 2005
        found.last?.author?.name = "Emma"
        guard Bool.random(using: &random) else { return }
        document.root.notes.removeLast(5)
        let note = Note.random([], &random)
        note.title = "Emma"
        document.root.notes.append(note)
    }

    @Test func `decodes only matches, and returns the instances of the document`() throws {
        var random = SplitMix(state: 3)
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(Library.example(count: 100, &random), to: folder["library"])
            let document = try ArchiveDocument<Library>(contentsOf: folder["library"])
            let found = try document.fetch(
                Note.self, where: #Predicate { $0.year > 2000 }, sortedBy: .descending(\.year), limit: 3)
            #expect(!document.root.$notes.isLoaded)
            #expect(found.count == 3)
            let first = try #require(document.root.notes.map(\.year).max())
            #expect(found[0].year == first)
            #expect(document.root.notes.contains { $0 === found[0] })
            let value = try #require(document.archive?.root["notes"]?[0])
            #expect(try document.instance(Note.self, for: value) === document.root.notes[0])
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

extension `A fetch`.Note {
    fileprivate static func random(
        _ authors: [`A fetch`.Author], _ random: inout `A fetch`.SplitMix
    ) -> `A fetch`.Note {
        let note = `A fetch`.Note()
        note.title =
            [
                "Emma", "Emma\r\nb", "a\r\nb", "caf\u{E9}", "cafe\u{301}", "", "$null", "\u{212A}",
                "Persuasion, a long title",
            ]
            .randomElement(using: &random) ?? ""
        note.year = Int.random(in: 1990..<2030, using: &random)
        note.rating = Bool.random(using: &random) ? Int.random(in: 0..<5, using: &random) : nil
        note.kind = Bool.random(using: &random) ? .novel : .essay
        note.tags = Bool.random(using: &random) ? ["Emma", "é"] : []
        note.small = Bool.random(using: &random) ? 1 : 2
        note.author = Bool.random(using: &random) ? authors.randomElement(using: &random) : nil
        return note
    }

    /// All values, to compare instances of two decodings.
    fileprivate var line: String {
        "\(Array(title.utf8)) \(year) \(rating ?? -1) \(kind) \(tags) \(small) \(author?.name ?? "nil")"
    }
}
