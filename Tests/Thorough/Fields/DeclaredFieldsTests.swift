// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// What the article on declared fields says, besides its code.
@Suite(.inTurn)
struct `The article on declared fields` {
    // MARK: Cases

    enum Step: ArchivedCases {
        case walk(Station)
        case ride(String, to: Station)
        case end

        static let cases = CaseList<Step> {
            Case("walk", Step.walk) { if case .walk(let station) = $0 { station } else { nil } }
            Case("ride", Step.ride, keys: "_0", "to") {
                if case .ride(let line, let station) = $0 { (line, station) } else { nil }
            }
            Case("end", .end) { if case .end = $0 { true } else { false } }
        }

        var target: Station? {
            switch self {
            case .walk(let station), .ride(_, to: let station): station
            case .end: nil
            }
        }
    }

    final class Station: ArchivedFields {
        var step = Step.end

        init() {}

        static let fields = FieldList<Station> { Field("step", \.step) }
    }

    enum CodableStep: Codable, ArchiveDescribing {
        static let archiveName = "Step"
        case ride(String, to: [Int])
    }

    enum DeclaredStep: ArchivedCases, ArchiveDescribing {
        static let archiveName = "Step"
        case ride(String, to: [Int])

        static let cases = CaseList<DeclaredStep> {
            Case("ride", DeclaredStep.ride, keys: "_0", "to") {
                if case .ride(let line, let numbers) = $0 { (line, numbers) } else { nil }
            }
        }
    }

    @Test func `has cases in the form of the compiler, and long rings through them`() throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        let (declared, codable) = (DeclaredStep.ride("U1", to: [1, 2]), CodableStep.ride("U1", to: [1, 2]))
        #expect(try encoder.encode(declared) == encoder.encode(codable))
        #expect(try JSONEncoder().encode(declared).count == JSONEncoder().encode(codable).count)

        let count = 5000
        let stations = (0..<count).map { _ in Station() }
        for (index, station) in stations.enumerated() {
            let next = stations[(index + 1) % count]
            station.step = index % 2 == 0 ? .walk(next) : .ride("U1", to: next)
        }
        defer { for station in stations { station.step = .end } }
        let first = try roundTrip(stations[0])
        var copies = [first]
        while let next = copies.last?.step.target, next !== first { copies.append(next) }
        #expect(copies.count == count)
        for copy in copies { copy.step = .end }
    }

    // MARK: Checks

    struct Incomplete: ArchivedFields {
        var title = ""
        var pages = 100
        var cache = 0

        private enum CodingKeys: CodingKey { case title, pages }

        init() {}

        init(from decoder: any Decoder) throws {}

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(title, forKey: .title)
            try container.encode(pages, forKey: .pages)
        }

        static let fields = FieldList<Incomplete> { Field("name", \.title) }
    }

    @Test func `has a check that lists keys and properties`() throws {
        let error = #expect(throws: FieldError.self) { try ArchiveEncoder().checkFields(of: Incomplete()) }
        let text = error?.description ?? ""
        for name in [#""name""#, #""title""#, #""pages""#] { #expect(text.contains(name), "\(text)") }
        try ArchiveEncoder().checkFields(of: Circle())
        try ArchiveEncoder().checkFields(of: Edition(title: "Emma", pages: 7, otherGenres: [.play]))
        // The field of `pages` is omitted, which the coding of other encoders has.
        try ArchiveEncoder().checkFields(of: Edition())
    }

    final class ChainLink: ArchivedFields {
        var name = ""
        var next: ChainLink?

        init() {}

        static let fields = FieldList<ChainLink> {
            Field("name", \.name)
            Field("next", \.next)
        }

        private enum CodingKeys: CodingKey { case name, next }

        convenience init(from decoder: any Decoder) throws { self.init() }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(next == nil ? "last" : name, forKey: .name)
            try container.encodeIfPresent(next, forKey: .next)
        }
    }

    /// With the text of the path of each instance, a chain of this length would need 6 GB.
    @Test func `has a check that needs memory in proportion to the instances`() {
        let links = (0..<50_000).map { _ in ChainLink() }
        for (link, next) in zip(links, links.dropFirst()) { link.next = next }
        defer { for link in links { link.next = nil } }
        let error = #expect(throws: FieldError.self) { try ArchiveEncoder().checkFields(of: links[0]) }
        #expect(error?.differences.count == 1)
        #expect(error?.description.hasPrefix("next.next.next.") == true)
        #expect(error?.description.contains(#".next.name: the fields write "", encode(to:) writes "last""#) == true)
    }

    // MARK: Options

    enum Genre: String, Codable {
        case novel, play
    }

    struct Edition: ArchivedFields, Equatable {
        var title = ""
        var pages = 100
        var languages: [String] = []
        var rating: Int?
        var genre = Genre.novel
        var otherGenres: [Genre] = []

        static let fields = FieldList<Edition> {
            Field("title", \.title, aliases: ["name"])
            Field("pages", \.pages, .default(100), .omitIfDefault)
            Field("languages", \.languages, .default)
            Field("rating", \.rating)
            Field("genre", \.genre, .rawValue)
            Field("otherGenres", \.otherGenres, .rawValues(), .default)
        }
    }

    struct CodableEdition: Codable, ArchiveDescribing {
        static let archiveName = "Edition"
        var title = "Emma"
        var pages = 7
        var languages = ["en"]
        var rating: Int?
        var genre = Genre.play
        var otherGenres = [Genre.novel]
    }

    @Test func `has the keys of a Codable type, in the archive and in JSON`() throws {
        let edition = Edition(title: "Emma", pages: 7, languages: ["en"], genre: .play, otherGenres: [.novel])
        var encoder = ArchiveEncoder()
        encoder.classes.register(Edition.self, name: "Edition")
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(edition) == encoder.encode(CodableEdition()))
        let json = JSONEncoder()
        json.outputFormatting = .sortedKeys
        #expect(try json.encode(edition) == json.encode(CodableEdition()))
        #expect(try JSONDecoder().decode(Edition.self, from: json.encode(edition)) == edition)
    }

    @Test func `omits defaults in archives and writes them in JSON`() throws {
        var edition = Edition()
        edition.title = "Emma"
        let keys = try KeyedArchive(ArchiveEncoder().encode(edition)).root.keys
        #expect(keys == ["title", "languages", "genre", "otherGenres"])
        #expect(try roundTrip(edition) == edition)
        let text = String(decoding: try JSONEncoder().encode(edition), as: UTF8.self)
        #expect(text.contains(#""pages":100"#) && !text.contains("rating"))
    }

    @Test func `gives absent fields their defaults, and reads former keys`() throws {
        let old = try ArchiveEncoder().encode(["name": "Emma", "genre": "play"])
        let edition = try ArchiveDecoder().decode(Edition.self, from: old)
        #expect(edition == Edition(title: "Emma", genre: .play))
        let json = Data(#"{ "name": "Emma", "genre": "play" }"#.utf8)
        #expect(try JSONDecoder().decode(Edition.self, from: json) == edition)
        let error = try failure(decoding: Edition.self, from: ArchiveEncoder().encode(["name": "Emma"]))
        #expect(error.kind == .keyNotFound && error.key == "genre")
    }

    enum Ending: Codable {
        case open
        case marriage(Edition, of: [Guest])
    }

    final class Guest: ArchivedFields {
        var name = "" { didSet { changes += 1 } }
        var changes = 0
        var ending = Ending.open
        var other: Guest?
        private var secret = 0
        var shown: Int {
            get { secret }
            set { secret = newValue }
        }

        init() {}

        static let fields = FieldList<Guest> {
            Field("name", \.name)
            Field("ending", \.ending)
            Field("other", \.other)
            Field("secret", \.secret)
            Field("shown", \.shown)
        }
    }

    @Test func `has observers, computed and private properties, and instances in payloads`() throws {
        let (guest, other) = (Guest(), Guest())
        (guest.name, other.name, other.shown) = ("Anna", "Bert", 3)
        guest.ending = .marriage(Edition(title: "Emma"), of: [other, other])
        guest.other = other
        let copy = try roundTrip(guest)
        #expect(copy.changes == 1 && copy.other?.shown == 3)
        guard case .marriage(let edition, let guests) = copy.ending else {
            Issue.record("The ending is open")
            return
        }
        #expect(edition.title == "Emma" && guests.count == 2)
        #expect(guests.allSatisfy { $0 === copy.other } && guests[0].name == "Bert")
    }

    // MARK: Subclasses

    class Shape: ArchivedFields {
        var name = ""
        var neighbours: [Shape] = []

        required init() {}

        class var fields: FieldList<Shape> {
            FieldList {
                Field("name", \.name)
                Field("neighbours", \.neighbours)
            }
        }
    }

    final class Circle: Shape {
        var radius = 1.0

        override class var fields: FieldList<Shape> {
            super.fields.extended(by: Circle.self) {
                Field("radius", \.radius)
            }
        }
    }

    final class Plain: Shape {}

    @Test func `brings back subclasses in a cycle`() throws {
        let (circle, plain) = (Circle(), Plain())
        (circle.name, circle.radius, plain.name) = ("circle", 2, "plain")
        (circle.neighbours, plain.neighbours) = ([plain], [circle])
        defer { plain.neighbours = [] }
        var decoder = ArchiveDecoder()
        decoder.classes.register(Circle.self)
        decoder.classes.register(Plain.self)
        let copy = try #require(try decoder.decode(Shape.self, from: ArchiveEncoder().encode(circle)) as? Circle)
        defer { copy.neighbours = [] }
        #expect(copy.radius == 2 && copy.neighbours[0] is Plain && copy.neighbours[0].name == "plain")
        #expect(copy.neighbours[0].neighbours[0] === copy)
    }

    // MARK: Wrappers

    final class Book: ArchivedFields {
        var title = ""
        @WeakReference var library: Library?

        init() {}

        static let fields = FieldList<Book> {
            Field("title", \.title)
            Field("library", \._library)
        }
    }

    final class Library: ArchivedFields {
        var name = ""
        @Deferred var books: [Book]

        init() { books = [] }

        static let fields = FieldList<Library> {
            Field("name", \.name)
            Field("books", \._books)
        }
    }

    @Test func `defers the books of a library`() throws {
        let library = Library()
        library.books = [Book(), Book()]
        for book in library.books { book.library = library }
        let copy = try roundTrip(library)
        #expect(!copy.$books.isLoaded)
        #expect(copy.books.count == 2 && copy.books.allSatisfy { $0.library === copy })
    }

    // MARK: Versions

    struct Trip: ArchivedFields, ArchiveMigrating {
        static let archiveName = "Trip"
        static let archiveVersion = 2
        static let archiveMigrations: [ArchiveMigration] = [
            .from(1) { fields in
                let hours = try fields.decode(Double.self, forKey: "hours")
                fields.remove("hours")
                fields.set(Int(hours * 60), forKey: "minutes")
            }
        ]

        var minutes = 0

        static let fields = FieldList<Trip> { Field("minutes", \.minutes) }
    }

    struct FirstTrip: Codable, ArchiveDescribing {
        static let archiveName = "Trip"
        static let archiveVersion = 1
        var hours = 1.5
    }

    struct ReplacedTrip: ArchivedFields, ArchiveMigrating {
        static let archiveName = "Trip"
        static let archiveVersion = 2
        static let archiveMigrations: [ArchiveMigration] = [.from(1, as: FirstTrip.self) { _ in ReplacedTrip() }]

        static let fields = FieldList<ReplacedTrip> {}
    }

    @Test func `migrates the fields of a former version, and replaces no value`() throws {
        let old = try ArchiveEncoder().encode(FirstTrip())
        #expect(try ArchiveDecoder().decode(Trip.self, from: old).minutes == 90)
        let error = try failure(decoding: ReplacedTrip.self, from: old)
        #expect(error.kind == .dataCorrupted && error.says("migrations of its fields"))
    }
}
