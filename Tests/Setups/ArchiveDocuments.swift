// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The code that pages do not have: see `PageProgram`. Each section is a part of another program.
// swift-format-ignore-file: OrderedImports, NeverForceUnwrap

func file(_ name: String, _ data: Data = Data()) throws -> URL {
    let url = URL.temporaryDirectory.appending(path: name)
    try data.write(to: url)
    return url
}
/// An archive of an array of texts.
func list(_ titles: String...) throws -> KeyedArchive {
    try KeyedArchive([
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
        "$objects": .array(
            [
                "$null", ["NS.objects": .array(titles.indices.map { .uid(UInt32(4 + $0)) }), "$class": .uid(2)],
                ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]], "end",
            ] + titles.map { .string($0) }),
    ])
}

// MARK: - ArchiveDocuments.md

final class Book: Codable {
    var title = "Emma"
}
final class Library: Codable {
    var books = [Book()]
}
let url = try file("library", ArchiveEncoder().encode(Library()))
// block
expect(report.objectsWritten == 1)

// MARK: - DocumentApps.md

#if canImport(SwiftUI)
    import SwiftUI
    import UniformTypeIdentifiers
#endif
import Observation

// block
let album = Album(title: "Alps", thumbnail: Data([1, 2]), pages: [Page(title: "Hut"), Page(title: "Sea")])
album.pages[0].link = album.pages[1]
let url = try file("album", ArchiveEncoder().encode(album))
let damagedURL = url.appendingPathExtension("damaged")
// block
// block

// Imitations of what the article on document apps uses of SwiftUI and Foundation in OS 27, as Apple documents it: the names, the
// requirements, their isolation, and the calls in `Opened`. They are used on all platforms, since older SDKs lack the protocols.

protocol ReadableDocument: AnyObject {
    associatedtype Reader: DocumentReader
    typealias ReadConfiguration = DocumentReadConfiguration

    static var readableContentTypes: [UTType] { get }
    func reader(configuration: sending ReadConfiguration) -> sending Reader
    @MainActor func apply(snapshot: sending Reader.Snapshot, previous: sending Reader.Snapshot?) async throws
}

protocol WritableDocument: AnyObject {
    associatedtype Writer: DocumentWriter
    typealias WriteConfiguration = DocumentWriteConfiguration

    static var writableContentTypes: [UTType] { get }
    func writer(configuration: sending WriteConfiguration) -> sending Writer
    @MainActor func snapshot(contentType: UTType) async throws -> sending Writer.Snapshot
}

protocol Document: ReadableDocument, WritableDocument {}

extension ReadableDocument where Self: WritableDocument {
    static var writableContentTypes: [UTType] { readableContentTypes }
}

protocol DocumentReader<Snapshot> {
    associatedtype Snapshot
    associatedtype Source = URL

    @concurrent func read(from source: sending Source, progress: consuming Subprogress) async throws -> sending Snapshot
}

protocol DocumentWriter<Snapshot> {
    associatedtype Snapshot
    associatedtype Destination = URL

    @concurrent func write(
        snapshot: sending Snapshot, to destination: sending Destination, previous: sending Snapshot?,
        progress: consuming Subprogress
    ) async throws
}

struct DocumentReadConfiguration {
    let contentType: UTType
}

struct DocumentWriteConfiguration {
    let contentType: UTType
}

@MainActor final class URLDocumentConfiguration {
    var fileURL: URL?

    func makeFileCoordinator() -> NSFileCoordinator { NSFileCoordinator() }
}

struct Subprogress: ~Copyable, Sendable {
    let manager: ProgressManager

    consuming func start(totalCount: Int?) -> ProgressManager { manager }
}

/// Counts on one thread after the other.
final class ProgressManager: @unchecked Sendable {
    private(set) var completedCount = 0

    func complete(count: Int) { completedCount += count }
}

#if !canImport(ObjectiveC)
    struct UTType: Sendable, Hashable {
        let identifier: String

        init(exportedAs identifier: String) { self.identifier = identifier }
    }

    @MainActor final class UndoManager {
        private var actions: [() -> Void] = []

        func registerUndo<Target: AnyObject>(
            withTarget target: Target, handler: @escaping @MainActor @Sendable (Target) -> Void
        ) {
            actions.append { handler(target) }
        }

        func undo() {
            let last = actions.removeLast()
            last()
        }
    }

    /// Coordinates nothing: it calls the closure.
    final class NSFileCoordinator {
        struct WritingOptions: OptionSet {
            let rawValue: Int
            static let forMerging = WritingOptions(rawValue: 1)
        }

        func coordinate(
            writingItemAt url: URL, options: WritingOptions, error: inout NSError?, byAccessor accessor: (URL) -> Void
        ) {
            accessor(url)
        }
    }
#endif

/// A document that is open as under SwiftUI, with the parts of it that touch files.
@MainActor final class Opened<Model: Document & SendableMetatype>
where
    Model.Reader.Source == URL, Model.Writer.Destination == URL, Model.Writer.Snapshot: Sendable,
    Model.Reader: Sendable,
    Model.Writer: Sendable
{
    let model: Model
    private let configuration: URLDocumentConfiguration
    private var lastWritten: Model.Writer.Snapshot?
    private(set) var progress = ProgressManager()

    init(_ model: Model, _ configuration: URLDocumentConfiguration) {
        self.model = model
        self.configuration = configuration
    }

    /// Reads the file, as after the opening of the document and after a change by another program.
    func read(_ url: URL) async throws {
        configuration.fileURL = url
        let reader = model.reader(configuration: DocumentReadConfiguration(contentType: Model.readableContentTypes[0]))
        let snapshot = try await reader.read(from: url, progress: Subprogress(manager: ProgressManager()))
        try await model.apply(snapshot: snapshot, previous: nil)
    }

    /// Writes the document to a temporary file in the background, and moves it to `url`.
    func save(to url: URL, _ type: UTType) async throws {
        let snapshot = try await model.snapshot(contentType: type)
        let writer = model.writer(configuration: DocumentWriteConfiguration(contentType: type))
        let temporary = url.deletingLastPathComponent().appending(path: UUID().uuidString)
        progress = ProgressManager()
        try await writer.write(
            snapshot: snapshot, to: temporary, previous: lastWritten, progress: Subprogress(manager: progress))
        guard rename(temporary.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        lastWritten = snapshot
        configuration.fileURL = url
    }
}

// block
try ArchiveEncoder().encode(Note(text: "One"), to: url)
let openedNote = Opened(NoteDocument(), URLDocumentConfiguration())
try await openedNote.read(url)
expect(openedNote.model.note.text == "One")
openedNote.model.note.text = "Two"
try await openedNote.save(to: url, .note)
expect(try ArchiveDecoder().decode(Note.self, from: url).text == "Two")
// block
// block
// block
// block
// block
func write(_ names: [String], to url: URL) throws {
    let trip = Trip()
    trip.stops = names.map { name in
        let stop = Stop()
        stop.name = name
        return stop
    }
    try ArchiveEncoder().encode(trip, to: url)
}
func names(_ url: URL) throws -> [String] {
    try ArchiveDecoder().decode(Trip.self, from: url).stops.map(\.name)
}
@MainActor func open(_ url: URL) async throws -> Opened<TripDocument> {
    let configuration = URLDocumentConfiguration()
    let opened = Opened(TripDocument(configuration: configuration), configuration)
    try await opened.read(url)
    return opened
}
let trip = try file("trip")
try write(["Rome", "Bari"], to: trip)
do {
    // Marked changes are saved in the background, also those that are undone.
    let opened = try await open(trip)
    let (document, undoManager) = (opened.model, UndoManager())
    let stop = document.archive.root.stops[0]
    document.rename(stop, to: "Roma", undoManager)
    expect(document.archive.isEdited)
    expect(try document.archive.verifyMarks().isEmpty)
    try await opened.save(to: trip, .trip)
    expect(opened.progress.completedCount == 100)
    expect(try names(trip) == ["Roma", "Bari"])
    undoManager.undo()
    try await opened.save(to: trip, .trip)
    expect(try names(trip) == ["Rome", "Bari"])
    // The second snapshot has adopted the first file, and changes only what differs from it.
    expect(document.archive.url == trip)
    try await opened.save(to: file("copy"), .trip)
    expect(!document.archive.isEdited)
}
do {
    // Tracked changes need no marks.
    let opened = try await open(trip)
    for stop in opened.model.archive.root.stops { try opened.model.archive.trackChanges(of: stop) }
    opened.model.archive.root.stops[1].name = "Bologna"
    expect(opened.model.archive.isEdited)
    try await opened.save(to: trip, .trip)
    expect(try names(trip) == ["Rome", "Bologna"])
}
do {
    // The file is read again if only another program has changed it, with the same instances.
    let (opened, other) = (try await open(trip), try await open(trip))
    let stop = opened.model.archive.root.stops[1]
    other.model.rename(other.model.archive.root.stops[1], to: "Bari", nil)
    try await other.save(to: trip, .trip)
    expect(try opened.model.changesOfOthers() == [#"root.stops[1].name: "Bologna" → "Bari""#])
    try await opened.read(trip)
    expect(opened.model.archive.root.stops[1] === stop && stop.name == "Bari")
    expect(try opened.model.changesOfOthers() == [])
}
do {
    // Changes of both are merged.
    try write(["Rome", "Bari", "Pisa"], to: trip)
    let opened = try await open(trip)
    let (document, undoManager) = (opened.model, UndoManager())
    let stop = document.archive.root.stops[0]
    document.rename(document.archive.root.stops[2], to: "Parma", nil)
    try await opened.save(to: trip, .trip)
    let other = try await open(trip)
    document.rename(stop, to: "Roma", undoManager)
    other.model.rename(other.model.archive.root.stops[0], to: "Rom", nil)
    other.model.rename(other.model.archive.root.stops[1], to: "Bologna", nil)
    try await other.save(to: trip, .trip)
    try await opened.read(trip)
    expect(document.archive.root.stops.map(\.name) == ["Roma", "Bologna", "Parma"])
    expect(document.archive.root.stops[0] === stop)
    expect(try names(trip) == ["Roma", "Bologna", "Parma"])
    undoManager.undo()
    try await opened.save(to: trip, .trip)
    expect(try names(trip) == ["Rome", "Bologna", "Parma"])
}
do {
    // A new document is saved.
    let configuration = URLDocumentConfiguration()
    let opened = Opened(TripDocument(configuration: configuration), configuration)
    for name in ["Rome", "Bari"] {
        let stop = Stop()
        stop.name = name
        opened.model.archive.root.stops.append(stop)
        opened.model.archive.markChanged(opened.model.archive.root)
        try await opened.save(to: trip, .trip)
    }
    expect(try names(trip) == ["Rome", "Bari"])
}
// block
#if os(macOS)
    // block
    // block
    // block
    // block
#endif
// block
let url = try file("album", ArchiveEncoder().encode(album))
let document = try ArchiveDocument<Album>(contentsOf: url)
expect(try preview(of: url) == ("Alps", Data([1, 2])))
document.root.title = "Mine"
try ArchiveEncoder().encode(Album(title: "Theirs", thumbnail: Data(), pages: []), to: url)
let copy = try file("mine")
try await saveOrReload(document, copy: copy)
expect(document.root.title == "Theirs")
expect(try preview(of: copy).title == "Mine")
#if canImport(SwiftUI)
    // block
    // block
    // block
#endif

// MARK: - Indexes.md

// block
var (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
encoder.classes.register(Note.self, name: "Note")
decoder.classes.register(Note.self, name: "Note")
let notes = (0..<100).map { number in
    let note = Note()
    (note.tag, note.year) = (number % 2 == 0 ? "farm" : "town", 1950 + number)
    return note
}
let url = URL.temporaryDirectory.appending(path: "notes")
try ArchiveDocument(root: notes, encoder: encoder, decoder: decoder).save(to: url)
let document = try ArchiveDocument<[Note]>(contentsOf: url, encoder: encoder, decoder: decoder)
// block
expect(newest.map(\.year) == stride(from: 2048, to: 2008, by: -2).map { $0 })
// block

// MARK: - LargeDocuments.md

// block
let town = Library("Town", books: [Book("Persuasion"), Book("Emma"), Book("")])
let url = try file("library", ArchiveEncoder().encode(town))
// block
// block
expect(!library.$books.isLoaded)
struct Shelf: Codable {
    var name = "new"
    @Deferred var books: [Book]

    init(_ books: [Book]) { self.books = books }

    private enum CodingKeys: CodingKey { case name, books }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        // block
    }
}
let shelf = try ArchiveDecoder().decode(Shelf.self, from: ArchiveEncoder().encode(Shelf([Book("Emma")])))
expect(!shelf.$books.isLoaded && shelf.books.map(\.title) == ["Emma"])
// block
// block
expect(try ArchiveDecoder().decode(Library.self, from: url).books[0].title == "Persuasion")
// block
expect(try ArchiveDecoder().decode(Library.self, from: url).books[0].title == "Evelina")
// The marker of the string becomes one that no object has.
var data = try ArchiveEncoder().encode(Library("Town", books: [Book("Emma")]))
data[data.range(of: Data("\u{54}Emma".utf8))!.lowerBound] = 0x70
let url = try file("damaged", data)
// block
expect(try ArchiveDecoder().decode(Library.self, from: url).books.map(\.title) == ["Sanditon"])
struct Catalog: Codable {
    var numbers: [[Int]]
}
let url = try file("catalog", ArchiveEncoder().encode(Catalog(numbers: (0..<2_000).map { Array(0...$0 % 50) })))
// block

// MARK: - LargeLists.md

// block
let url = try file("diary", ArchiveEncoder().encode(Diary((0..<20_000).map { Note("Note \($0)") })))
// block

// MARK: - Merging.md

final class Book: ArchivedFields {
    var title = ""
    init() {}
    convenience init(_ title: String) {
        self.init()
        self.title = title
    }
    static let fields = FieldList<Book> { Field("title", \.title) }
}
struct Library: Codable {
    var books = [Book("Emma"), Book("Persuasion")]
}
let url = try file("library", ArchiveEncoder().encode(Library()))
let document = try ArchiveDocument<Library>(contentsOf: url)
let other = try ArchiveDocument<Library>(contentsOf: url)
other.root.books[0].title = "Emma II"
other.root.books.append(Book("Sanditon"))
try other.save()
document.root.books[0].title = "Emma I"
// block
expect(document.root.books.map(\.title) == ["Emma I", "Persuasion", "Sanditon"])
let (base, mine, theirs) = try (list("a", "b", "c"), list("mine", "b", "c"), list("theirs", "b", "c"))
// block
expect(try KeyedArchive(data).root.elements.compactMap(\.string) == ["theirs", "mine", "b", "c"])

// MARK: - Queries.md

final class Library: ArchivedFields {
    @Deferred var books: [Book] = []

    init() {}

    static let fields = FieldList<Library> { Field("books", \._books) }
}
let library = Library()
let author = Author()
author.name = "Ann"
library.books = [("Emma", 1815, nil), ("Gardens", 1905, author), ("New Gardens", 2011, author)].map {
    let book = Book()
    (book.title, book.year, book.author) = $0
    return book
}
let url = try file("library", ArchiveEncoder().encode(library))
// block
// block
expect(!document.root.$books.isLoaded)
// block

// MARK: - Deferred+Codable.swift

final class Page: Coding {
    init() {}

    init(coder: KeyedUnarchiver) throws {}

    func encode(with coder: KeyedArchiver) throws {}
}
final class Notebook: Coding {
    @Deferred var pages: [Page]
    @Deferred var cover: Page?

    init() {
        pages = [Page(), Page()]
        cover = pages[0]
    }

    init(coder: KeyedUnarchiver) throws {
        // block
    }

    func encode(with coder: KeyedArchiver) throws {
        // block
        try coder.encodeDeferred($cover, forKey: "cover")
    }
}
let notebook = try KeyedUnarchiver.unarchivedObject(
    of: Notebook.self, from: KeyedArchiver.archivedData(withRootObject: Notebook()))
expect(notebook.pages.count == 2 && notebook.cover === notebook.pages[0])

// MARK: - Deferred.swift

final class Book: Codable {
    var title = "Emma"
}
final class Author: Codable {}
struct Written: Codable {
    var name = "Town"
    var books = [Book(), Book()]
    var cover = Data([1])
}
let url = try file("library", ArchiveEncoder().encode(Written()))
// block
expect(title == "Emma" && !library.$cover.isLoaded)

// MARK: - ArchiveDocument+Marks.swift

final class Book: Codable {
    var title = "Ema"
}
let document = try ArchiveDocument<Book>(contentsOf: file("book", ArchiveEncoder().encode(Book())))
let book = document.root
// block
// block

// MARK: - ArchiveDocument+Memory.swift

final class Library: Codable {
    @Deferred var books = ["Emma"]
}
let document = try ArchiveDocument<Library>(contentsOf: file("library", ArchiveEncoder().encode(Library())))
expect(document.root.books == ["Emma"])

// MARK: - ArchiveDocument+Snapshots.swift

final class Book: Codable {
    var title = "Emma"
}
let url = try file("book", ArchiveEncoder().encode(Book()))
let document = try ArchiveDocument<Book>(contentsOf: url)
document.root.title = "Persuasion"
// block
expect(report.objectsWritten == 1)
expect(try ArchiveDecoder().decode(Book.self, from: url).title == "Persuasion")

// MARK: - ArchiveDocument+Tracking.swift

import Observation

@Observable
final class Book: ArchivedFields {
    var title = "Ema"

    init() {}

    static let fields = FieldList<Book> { Field("title", \.title) }
}
let url = try file("book", ArchiveEncoder().encode(Book()))
let document = try ArchiveDocument<Book>(contentsOf: url)
let book = document.root
// block
expect(try ArchiveDecoder().decode(Book.self, from: url).title == "Emma")

// MARK: - ArchiveDocument.swift

final class Book: Codable {
    var title: String
    init(_ title: String) { self.title = title }
}
final class Library: Codable {
    @Deferred var books = [Book("Evelina"), Book("Ema")]
}
let url = try file("library", ArchiveEncoder().encode(Library()))
// block
expect(report.objectsWritten == 1)
document.root.books[0].title = "Persuasion"
// block
expect(report.objectsWritten == 1)

// MARK: - ArchivedDictionary.swift

struct Book: Codable {
    var year: Int
}
// block
let library = Library(["Emma": Book(year: 1815), "Persuasion": Book(year: 1817)])
let url = try file("library", ArchiveEncoder().encode(library))
// block
expect(emma?.year == 1815)

// MARK: - ArchivedList.swift

final class Note: Codable, Emptiable {
    var text = ""

    init() {}
    init(_ text: String) { self.text = text }
}
// block
let url = try file("diary", ArchiveEncoder().encode(Diary("Farm", [Note("First"), Note("Second")])))
// block
expect(last?.text == "Second")
let saved = try ArchiveDecoder().decode(Diary.self, from: url)
expect(saved.notes.map(\.text) == ["First", "Second", "Bought a cow"])

// MARK: - ArchiveDocument+Merging.swift

final class Book: ArchivedFields {
    var title = ""
    init() {}
    convenience init(_ title: String) {
        self.init()
        self.title = title
    }
    static let fields = FieldList<Book> { Field("title", \.title) }
}
struct Library: Codable {
    var books = [Book("Emma"), Book("Persuasion")]
}
let url = try file("library", ArchiveEncoder().encode(Library()))
let document = try ArchiveDocument<Library>(contentsOf: url)
let other = try ArchiveDocument<Library>(contentsOf: url)
other.root.books[0].title = "Emma II"
try other.save()
document.root.books[0].title = "Emma I"
// block
// block
expect(document.root.books.map(\.title) == ["Emma I", "Persuasion"])

// MARK: - ArchiveMerge.swift

let (base, mine, theirs) = try (list("a", "b", "c"), list("mine", "b", "c"), list("theirs", "b", "c"))
// block
expect(merge.conflicts.count == 1)
expect(try KeyedArchive(data).root.elements.compactMap(\.string) == ["mine", "b", "c"])

// MARK: - ArchiveFetchPlan.swift

final class Book: ArchivedFields {
    var title = ""
    var year = 1905

    init() {}

    static let fields = FieldList<Book> {
        Field("title", \.title)
        Field("year", \.year)
    }
}
let document = try ArchiveDocument<[Book]>(contentsOf: file("books", ArchiveEncoder().encode([Book()])))
