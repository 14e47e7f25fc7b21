// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import Observation
import TestSupport
import Testing

@Observable private final class ObservedBook: ArchivedFields {
    var title = "Ema"

    init() {}

    static let fields = FieldList<ObservedBook> { Field("title", \.title) }
}

/// The examples in documentation comments of the Codable side, unchanged.
@Suite(.inTurn)
struct `Examples in documentation comments`: DocumentedOutput {
    let remarks: Set<String> = ["a readable tree"]

    @Test func `the example of ArchivedOnce works`() throws {
        struct Person: Codable, ArchivedOnce {
            let id: Int
            var name: String
        }
        let archive = try KeyedArchive(
            ArchiveEncoder().encode([Person(id: 1, name: "Anna"), Person(id: 1, name: "Anna")]))
        #expect(archive.root[0] == archive.root[1])
    }

    @Test func `the example of ArchiveChecksum works`() throws {
        let farm = ["Bella", "Elsa"]
        var encoder = ArchiveEncoder()
        encoder.checksum = .crc64
        let data = try encoder.encode(farm)
        #expect(try KeyedArchive(data).top["$crc64"] != nil)
        #expect(try ArchiveDecoder().decode([String].self, from: data) == farm)
    }

    @Test func `the example of ArchivedAsRawValue works`() throws {
        enum Species: String, Codable, ArchivedAsRawValue {
            case cow, duck, hen
        }
        #expect(try archiveText([Species.cow, .hen]) == #"NSArray[@"cow", @"hen"]"#)
        #expect(try roundTrip([Species.cow, .hen]) == [.cow, .hen])
    }

    @Test func `the example of Decoder.publish works`() throws {
        final class Parent: Codable {
            private(set) var children: [Child] = []

            init(from decoder: any Decoder) throws {
                decoder.publish(self)
                children = try decoder.container(keyedBy: CodingKeys.self).decode([Child].self, forKey: .children)
            }
        }

        final class Child: Codable {
            unowned let parent: Parent
        }
        let data = try handmadeArchive(
            ["children": .uid(2), "$class": .uid(4)], ["NS.objects": [.uid(3)], "$class": .uid(6)],
            ["parent": .uid(1), "$class": .uid(5)], ["$classname": "Parent"], ["$classname": "Child"],
            ["$classname": "NSArray"])
        let parent = try ArchiveDecoder().decode(Parent.self, from: data)
        #expect(parent.children.map { $0.parent === parent } == [true])
    }

    @Test func `the example of Polymorphic works`() throws {
        struct Circle: Shape { var area: Double { 3 } }
        struct Square: Shape { var area: Double { 4 } }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Circle.self, name: "Circle")
        encoder.classes.register(Square.self, name: "Square")
        struct Written: Codable {
            @Polymorphic var background: any Shape
            @Polymorphic var shapes: [any Shape]
            @Polymorphic var byName: [String: any Shape]
        }
        let data = try encoder.encode(
            Written(background: Circle(), shapes: [Square(), Circle()], byName: ["one": Square()]))
        protocol Shape: Codable { var area: Double { get } }

        struct Drawing: Codable {
            @Polymorphic var background: any Shape
            @Polymorphic var shapes: [any Shape]
            @Polymorphic var byName: [String: any Shape]
        }

        var decoder = ArchiveDecoder()
        decoder.classes.register(Circle.self, name: "Circle")
        decoder.classes.register(Square.self, name: "Square")
        let drawing = try decoder.decode(Drawing.self, from: data)
        #expect(drawing.shapes.map(\.area) == [4, 3] && drawing.byName["one"]?.area == 4)
    }

    @Test func `the example of Deferred works`() throws {
        final class Book: Codable { var title = "Emma" }
        final class Author: Codable {}
        struct Written: Codable {
            var name = "Town"
            var books = [Book(), Book()]
            var cover = Data([1])
        }
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "library")
            try ArchiveEncoder().encode(Written(), to: url)

            final class Library: Codable {
                var name: String
                @Deferred var books: [Book]
                @Deferred var cover: Data
                @Deferred var author: Author?
            }

            let library = try ArchiveDecoder().decode(Library.self, from: url)
            let title = library.books[1].title
            #expect(title == "Emma")
            #expect(!library.$cover.isLoaded)
        }
    }

    @Test func `the examples of encodeDeferred and decodeDeferred work`() throws {
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
                _pages = try coder.decodeDeferred([Page].self, forKey: "pages")
                _cover = try coder.decodeDeferred(Page?.self, forKey: "cover")
            }

            func encode(with coder: KeyedArchiver) throws {
                try coder.encodeDeferred($pages, forKey: "pages")
                try coder.encodeDeferred($cover, forKey: "cover")
            }
        }
        let data = try KeyedArchiver.archivedData(withRootObject: Notebook())
        let notebook = try KeyedUnarchiver.unarchivedObject(of: Notebook.self, from: data)
        #expect(notebook.pages.count == 2 && notebook.cover === notebook.pages[0])
    }

    @Test func `the example of ArchiveDocument works`() throws {
        final class Book: Codable {
            var title: String
            init(_ title: String) { self.title = title }
        }
        final class Library: Codable { @Deferred var books = [Book("Evelina"), Book("Ema")] }
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "library")
            try ArchiveEncoder().encode(Library(), to: url)

            let document = try ArchiveDocument<Library>(contentsOf: url)
            document.root.books[1].title = "Emma"
            let report = try document.save()
            #expect(report.objectsWritten == 1)
        }
    }

    @Test func `the example of a save with progress works`() async throws {
        final class Book: Codable { var title = "Emma" }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "book")
        try ArchiveEncoder().encode(Book(), to: url)
        let document = try ArchiveDocument<Book>(contentsOf: url)
        document.root.title = "Persuasion"

        let report = try await document.save { progress in
            print(progress.fraction ?? 0)
        }
        #expect(report.objectsWritten == 1)
    }

    @Test func `the examples of marks and snapshots work`() async throws {
        final class Book: Codable { var title = "Ema" }
        try await TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "book")
            try ArchiveEncoder().encode(Book(), to: url)
            let document = try ArchiveDocument<Book>(contentsOf: url)
            let book = document.root

            book.title = "Emma"
            document.markChanged(book)
            try document.save(changes: .marked)

            let forgotten = try document.verifyMarks()
            precondition(forgotten.isEmpty, "Changed without a mark: \(forgotten)")

            book.title = "Persuasion"
            let snapshot = try document.snapshot()
            let report = try await Task.detached { try snapshot.write() }.value
            try document.didSave(snapshot)
            #expect(report.objectsWritten == 1)
            #expect(try ArchiveDecoder().decode(Book.self, from: url).title == "Persuasion")
        }
    }

    @Test func `the example of tracked changes works`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "book")
            try ArchiveEncoder().encode(ObservedBook(), to: url)
            let document = try ArchiveDocument<ObservedBook>(contentsOf: url)
            let book = document.root

            try document.trackChanges(of: book)
            book.title = "Emma"
            try document.save(changes: .marked)

            #expect(try ArchiveDecoder().decode(ObservedBook.self, from: url).title == "Emma")
        }
    }

    @Test func `the example of unloading a document works`() throws {
        final class Library: Codable { @Deferred var books = ["Emma"] }
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "library")
            try ArchiveEncoder().encode(Library(), to: url)
            let document = try ArchiveDocument<Library>(contentsOf: url)
            #expect(document.root.books == ["Emma"])

            try document.unload()
            print(document.root.$books.isLoaded)  // false

            #expect(!document.root.$books.isLoaded)
        }
    }

    @Test func `the examples of ArchiveProgress work`() async throws {
        struct Library: Codable { var books = ["Emma"] }
        try await TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "library")
            let library = Library()
            let data = try await ArchiveEncoder().encode(library) { progress in
                print(progress.completedCount)
            }
            try data.write(to: url)
            do {
                let library = try await ArchiveDecoder().decode(Library.self, from: data) { progress in
                    print(progress.fraction ?? 0)
                }
                #expect(library.books == ["Emma"])
            }
            do {
                let library = try await ArchiveDecoder().decode(Library.self, from: url) { progress in
                    print("\(progress.completedCount) of \(progress.totalCount ?? 0) bytes")
                }
                #expect(library.books == ["Emma"])
            }
        }
    }

    @Test func `the example of Reference works`() throws {
        final class Node: Codable {
            var name: String
            @Reference var next: Node?
        }
        let first = try JSONDecoder().decode(Node.self, from: Data(#"{"name":"first"}"#.utf8))
        first.next = first
        let again = try ArchiveDecoder().decode(Node.self, from: ArchiveEncoder().encode(first))
        #expect(again.next === again)
        (first.next, again.next) = (nil, nil)
    }

    @Test func `the example of References works`() throws {
        final class Node: Codable {
            @References var neighbours: [Node]
        }
        let first = try JSONDecoder().decode(Node.self, from: Data(#"{"neighbours":[]}"#.utf8))
        first.neighbours = [first]
        let again = try ArchiveDecoder().decode(Node.self, from: ArchiveEncoder().encode(first))
        #expect(again.neighbours[0] === again)
        (first.neighbours, again.neighbours) = ([], [])
    }

    @Test func `the example of WeakReference works`() throws {
        final class Node: Codable {
            var children: [Node] = []
            @WeakReference var parent: Node?
        }
        let node = try JSONDecoder().decode(Node.self, from: Data(#"{"children":[{"children":[]}]}"#.utf8))
        node.children[0].parent = node
        let again = try ArchiveDecoder().decode(Node.self, from: ArchiveEncoder().encode(node))
        #expect(again.children[0].parent === again)
    }

    @Test func `the example of archiveFallbacks works`() throws {
        final class Circle: Codable, ArchiveDescribing {
            static let archiveFallbacks = ["Shape"]
        }
        let circle = try JSONDecoder().decode(Circle.self, from: Data("{}".utf8))
        #expect(try KeyedArchive(ArchiveEncoder().encode(circle)).root.class?.fallbacks == ["Shape"])
    }

    @Test func `the example of Default works`() throws {
        struct Note: Codable {
            var text: String
            @DefaultEmpty var tags: [String] = []
            @DefaultFalse var isPinned: Bool = false
            @Default<BodySize> var size: Double = BodySize.defaultValue
        }

        enum BodySize: DefaultProvider {
            static var defaultValue: Double { 12 }
        }

        let old = Data(#"{ "text": "Milk" }"#.utf8)
        let note = try JSONDecoder().decode(Note.self, from: old)
        print(note.tags, note.isPinned, note.size)  // [] false 12.0
        #expect("\(note.tags) \(note.isPinned) \(note.size)" == "[] false 12.0")
    }

    @Test func `the example of DefaultProvider works`() throws {
        enum Theme: String, Codable, DefaultProvider {
            case light, dark
            static var defaultValue: Theme { .light }
        }

        struct Settings: Codable {
            @Default<Theme> var theme: Theme = .light
        }
        #expect(try JSONDecoder().decode(Settings.self, from: Data("{}".utf8)).theme == .light)
        #expect(try JSONDecoder().decode(Settings.self, from: Data(#"{"theme":"dark"}"#.utf8)).theme == .dark)
    }

    @Test func `the example of ArchiveMigrating works`() throws {
        struct Visit: Codable, ArchiveMigrating {
            static let archiveVersion = 3
            static let archiveMigrations: [ArchiveMigration] = [
                // Version 2 has minutes, version 1 had hours.
                .from(1) { fields in
                    let hours = try fields.decode(Double.self, forKey: "hours")
                    fields.remove("hours")
                    fields.set(Int(hours * 60), forKey: "minutes")
                },
                // Version 3 calls the place by another name.
                .from(2) { fields in
                    fields.rename("town", to: "place")
                },
            ]

            var place: String
            var minutes: Int
        }
        enum Old {
            struct Visit: Codable, ArchiveDescribing {
                static let archiveVersion = 1
                var hours = 1.5
                var town = "Oslo"
            }
        }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Old.Visit.self, name: ClassRegistry().name(for: Visit.self))
        let visit = try ArchiveDecoder().decode(Visit.self, from: encoder.encode(Old.Visit()))
        #expect(visit.place == "Oslo")
        #expect(visit.minutes == 90)
    }

    @Test func `the example of a migration of a former type works`() throws {
        struct Point: Codable, Equatable, ArchiveMigrating {
            static let archiveVersion = 2
            static let archiveMigrations: [ArchiveMigration] = [
                .from(1, as: PolarPoint.self) { Point(x: $0.radius * cos($0.angle), y: $0.radius * sin($0.angle)) }
            ]
            var x: Double
            var y: Double
        }

        struct PolarPoint: Codable {
            var radius: Double
            var angle: Double
        }
        enum Old {
            struct Point: Codable, ArchiveDescribing {
                static let archiveVersion = 1
                var radius = 2.0
                var angle = 0.0
            }
        }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Old.Point.self, name: ClassRegistry().name(for: Point.self))
        #expect(try ArchiveDecoder().decode(Point.self, from: encoder.encode(Old.Point())) == Point(x: 2, y: 0))
    }

    @Test func `the example of ArchiveDescribing works`() throws {
        struct Contact: Codable, ArchiveDescribing {
            static let archiveName = "Contact"
            static let archiveAliases = ["Addresses.Person"]
            static let archiveVersion = 2
            /// In metres. Version 1 had centimetres.
            var height: Double

            init(from decoder: any Decoder) throws {
                height = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .height)
                if decoder.archivedVersion(of: Self.self) == 1 { height /= 100 }
            }
        }
        struct Person: Codable, ArchiveDescribing {
            static let archiveName = "Addresses.Person"
            static let archiveVersion = 1
            var height = 180.0
        }
        let old = try ArchiveDecoder().decode(Contact.self, from: ArchiveEncoder().encode(Person()))
        #expect(old.height == 1.8)
        let data = try ArchiveEncoder().encode(old)
        #expect(try ArchiveDecoder().decode(Contact.self, from: data).height == 1.8)
        #expect(try KeyedArchive(data).root.className == "Contact")
    }

    private class Animal: Codable {}
    private final class Dog: Animal {}
    private final class Cat: Animal {}

    @Test func `the example of ClassRegistry works`() throws {
        do {
            var encoder = ArchiveEncoder()
            encoder.classes.register(Dog.self, name: "Dog", aliases: ["OldModule.Dog"])
            #expect(try KeyedArchive(encoder.encode(Dog())).root.className == "Dog")
        }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Cat.self, name: "OldModule.Cat")
        let data = try encoder.encode([Dog(), Cat()])
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        decoder.classes.register(Cat.self, name: "Cat", aliases: ["OldModule.Cat"])
        let animals = try decoder.decode([Animal].self, from: data)
        #expect(animals[0] is Dog && animals[1] is Cat)
    }

    @Test func `the example of FoundationReader works`() throws {
        var encoder = ArchiveEncoder()
        encoder.foundationReader = .apple
        let data = try encoder.encode(DateComponents(year: 2026, month: 11))
        #expect(try KeyedArchive(data).root.keys == ["NS.year", "NS.month", "NS.leapMonth", "NS.repeatedDay"])
    }

    @Test func `the example of DecodingLimits works`() throws {
        var decoder = ArchiveDecoder()
        decoder.limits.objects = 10_000
        decoder.limits.work = 100_000
        let text = try ArchiveEncoder().encode(String(repeating: "a", count: 1_600_001))
        #expect(throws: DecodingError.self) { try decoder.decode(String.self, from: text) }
    }

    @Test func `the example of EncodingLimits works`() throws {
        indirect enum Chain: Codable {
            case end
            case link(Chain)
        }
        var encoder = ArchiveEncoder()
        encoder.limits.nesting = 500
        let chain = (0..<300).reduce(Chain.end) { chain, _ in .link(chain) }
        #expect(throws: EncodingError.self) { try encoder.encode(chain) }
        _ = try encoder.encode(Chain.link(.end))
    }
}
