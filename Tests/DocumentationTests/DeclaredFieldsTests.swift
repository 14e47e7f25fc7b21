import ArchiveDocuments
import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// The code of the article on declared fields and of the comments on their types, and what else the article says.
@Suite(.inTurn)
struct `The article on declared fields`: DocumentedOutput {
    @Test func `brings back a folder and its parent`() throws {
        final class Folder: ArchivedFields {
            var name = ""
            var folders: [Folder] = []
            weak var parent: Folder?

            init() {}

            static let fields = FieldList<Folder> {
                Field("name", \.name)
                Field("folders", \.folders)
                Field("parent", \.parent, .conditional)
            }
        }

        let root = Folder()
        root.folders = [Folder()]
        root.folders[0].parent = root

        let copy = try ArchiveDecoder().decode(Folder.self, from: ArchiveEncoder().encode(root))
        print(copy.folders[0].parent === copy)  // true
        #expect(copy.parent == nil)
        #expect(try roundTrip(root.folders[0]).parent == nil)
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

    // MARK: Complete instances

    final class Entry: ArchivedFields {
        var word = ""
        var index: Index?

        init() {}

        static let fields = FieldList<Entry> {
            Field("word", \.word)
            Field("index", \.index)
        }
    }

    final class Index: ArchivedFields {
        private(set) var entries: [Entry] = []
        private(set) var byWord: [String: Entry] = [:]

        init() {}

        static let fields = FieldList<Index> { Field("entries", \.entries) }

        func didFinishDecoding() {
            for entry in entries { byWord[entry.word] = entry }
        }

        func add(_ word: String) {
            let entry = Entry()
            (entry.word, entry.index) = (word, self)
            entries.append(entry)
        }

        func clear() { (entries, byWord) = ([], [:]) }
    }

    @Test func `finishes instances when the graph is complete`() throws {
        let index = Index()
        for word in ["a", "b"] { index.add(word) }
        defer { index.clear() }
        let first = try roundTrip(index)
        let second = try #require(try roundTrip(index.entries[1]).index)
        defer { for copy in [first, second] { copy.clear() } }
        for copy in [first, second] {
            #expect(copy.byWord.count == 2 && copy.entries.allSatisfy { $0 === copy.byWord[$0.word] })
        }
    }

    /// A Codable class whose initializer reads an instance.
    final class Reader: Codable {
        let item: Item
        let seen: [String]

        init(_ item: Item) { (self.item, seen) = (item, []) }

        private enum CodingKeys: CodingKey { case item }

        init(from decoder: any Decoder) throws {
            item = try decoder.container(keyedBy: CodingKeys.self).decode(Item.self, forKey: .item)
            seen = [item.first, item.last, item.next?.first ?? "", item.next?.last ?? ""]
        }
    }

    final class Item: ArchivedFields {
        var first = ""
        var next: Item?
        var reader: Reader?
        var last = ""

        init() {}

        static let fields = FieldList<Item> {
            Field("first", \.first)
            Field("next", \.next)
            Field("reader", \.reader)
            Field("last", \.last)
        }

        convenience init(_ name: String) {
            self.init()
            (first, last) = ("first \(name)", "last \(name)")
        }
    }

    @Test func `gives initializers complete instances, except those around them`() throws {
        let items = [Item("a"), Item("b"), Item("c")]
        (items[0].reader, items[1].next) = (Reader(items[1]), items[2])
        #expect(try roundTrip(items[0]).reader?.seen == ["first b", "last b", "first c", "last c"])
        items[1].next = items[0]
        defer { items[1].next = nil }
        let copy = try roundTrip(items[0])
        defer { copy.reader = nil }
        #expect(copy.reader?.seen == ["first b", "last b", "first a", ""])
        #expect(copy.reader?.item.next === copy && copy.last == "last a")
    }

    // MARK: Failures

    final class Link: ArchivedFields {
        var other: Link?
        var number = 0
        let life = LifeCount()

        init() {}

        static let fields = FieldList<Link> {
            Field("other", \.other)
            Field("number", \.number)
        }
    }

    final class LifeCount {
        private static let counter = Atomic(0)
        static var count: Int { counter.load(ordering: .relaxed) }
        init() { Self.counter.add(1, ordering: .relaxed) }
        deinit { Self.counter.subtract(1, ordering: .relaxed) }
    }

    final class WrongLink: Codable {
        var other: WrongLink?
        var number = "none"
    }

    struct Caught<Part: Codable>: Codable {
        var part: Part?

        private enum CodingKeys: CodingKey { case part }

        init(from decoder: any Decoder) throws {
            part = try? decoder.container(keyedBy: CodingKeys.self).decode(Part.self, forKey: .part)
        }
    }

    @Test func `fails with the fields of an instance, and keeps none`() throws {
        let wrong = WrongLink()
        wrong.other = WrongLink()
        wrong.other?.other = wrong
        defer { wrong.other = nil }
        let data = try ArchiveEncoder().encode(["part": wrong])
        let count = LifeCount.count
        let error = try failure(decoding: Caught<Link>.self, from: data)
        #expect(error.kind == .typeMismatch && error.path.hasSuffix("number"), "\(error)")
        #expect(LifeCount.count == count)
    }

    @Test func `catches the error of a struct`() throws {
        let data = try ArchiveEncoder().encode(["part": ["minutes": "none"]])
        #expect(try ArchiveDecoder().decode(Caught<Trip>.self, from: data).part == nil)
    }

    // MARK: Comments

    @Test func `has the examples of the comments`() throws {
        final class Node: ArchivedFields {
            var name = ""
            var children: [Node] = []
            weak var parent: Node?

            init() {}

            static let fields = FieldList<Node> {
                Field("name", \.name)
                Field("children", \.children)
                Field("parent", \.parent, .conditional)
            }
        }
        let node = Node()
        node.children = [Node()]
        node.children[0].parent = node
        let copy = try roundTrip(node)
        #expect(copy.children[0].parent === copy)

        struct Point: ArchivedFields, Equatable {
            var x = 1.0
            var y = 2.0
            static let fields = FieldList<Point> {
                Field("x", \.x)
                Field("y", \.y)
            }
        }
        #expect(try roundTrip(Point()) == Point())

        class Shape: ArchivedFields {
            var name = ""
            required init() {}
            class var fields: FieldList<Shape> { FieldList { Field("name", \.name) } }
        }

        final class Box: Shape {
            var cornerRadius = 0.0
            override class var fields: FieldList<Shape> {
                super.fields.extended(by: Box.self) { Field("cornerRadius", \.cornerRadius) }
            }
        }
        let box = Box()
        box.cornerRadius = 3
        #expect(try roundTrip(box).cornerRadius == 3)

        final class Chapter: ArchivedFields {
            var title = ""
            var count = 1
            weak var parent: Chapter?
            init() {}
            static let fields = FieldList<Chapter> {
                Field("title", \.title, aliases: ["name"])
                Field("count", \.count, .default(1), .omitIfDefault)
                Field("parent", \.parent, .conditional)
            }
        }
        #expect(try KeyedArchive(ArchiveEncoder().encode(Chapter())).root.keys == ["title"])
    }
}
