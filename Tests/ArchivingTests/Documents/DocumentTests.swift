// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A document` {
    final class Book: Codable {
        var title: String
        var pages: Int
        var tags: Set<String>
        @WeakReference var library: Library?

        init(_ title: String, pages: Int = 100, tags: Set<String> = []) {
            self.title = title
            self.pages = pages
            self.tags = tags
        }
    }

    final class Library: Codable {
        var name: String
        var books: [Book]
        var byTitle: [String: Book]
        @Deferred var cellar: [Book]
        @Deferred var cover: Data

        init(_ count: Int) {
            name = "Town"
            books = (0..<count).map { Book("Book \($0)", pages: $0, tags: ["a\($0)", "b", "c", "d"]) }
            byTitle = Dictionary(uniqueKeysWithValues: books.map { ($0.title, $0) })
            cellar = (0..<count).map { Book("Old \($0)") }
            cover = Data((0..<100).map { UInt8($0) })
            for book in books + cellar { book.library = self }
        }
    }

    /// Everything in a library, loaded.
    private func description(_ library: Library) -> [String] {
        let books = (library.books + library.cellar).map { book in
            "\(book.title) \(book.pages) \(book.tags.sorted()) \(book.library === library)"
        }
        let titles = library.byTitle.sorted { $0.key < $1.key }.map { title, book in
            "\(title) \(library.books.firstIndex { $0 === book } ?? -1)"
        }
        return [library.name, "\(library.cover.count)"] + books + titles
    }

    /// In a function, since the macro takes `try` from what it takes apart.
    private func hasChanges(_ document: ArchiveDocument<Library>) throws -> Bool { try document.hasChanges() }

    private func withDocument(
        _ count: Int = 20, _ body: (ArchiveDocument<Library>, URL) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "library")
            try ArchiveEncoder().encode(Library(count), to: url)
            try body(try ArchiveDocument<Library>(contentsOf: url), url)
        }
    }

    /// The file says what the document says, to this library, Foundation and plistlib.
    private func check(_ document: ArchiveDocument<Library>, _ url: URL) throws {
        let again = try ArchiveDecoder().decode(Library.self, from: url)
        #expect(description(again) == description(document.root))
        let data = try Data(contentsOf: url)
        try KeyedArchive(data).validate()
        let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect((list?["$objects"] as? [Any])?.count == (try KeyedArchive(data).objects.count))
    }

    @Test func `writes one object for one change`() throws {
        try withDocument { document, url in
            let before = try Data(contentsOf: url)
            #expect(try !hasChanges(document))
            #expect(try document.save() == document.save())
            #expect(try Data(contentsOf: url) == before)
            document.root.books[3].title = "Emma"
            #expect(try hasChanges(document))
            let report = try document.save()
            #expect(report.objectsWritten == 1)
            #expect(report.objectsKept == 20)
            #expect(try !hasChanges(document))
            // The objects of the old file are where they were.
            let table = before.suffix(8).reduce(0) { $0 << 8 | Int($1) }
            #expect(try Data(contentsOf: url).prefix(table) == before.prefix(table))
            // From the first save on, the list of all objects is the last one, and is replaced.
            let size = try Data(contentsOf: url).count
            document.root.books[3].title = "Emma, too"
            try document.save()
            #expect(try Data(contentsOf: url).count < size + 150)
            #expect(!document.root.$cellar.isLoaded && !document.root.$cover.isLoaded)
            #expect(document.root.cellar.count == 20)
            try check(document, url)
        }
    }

    @Test func `saves one change after the other`() throws {
        try withDocument { document, url in
            let library = document.root
            library.books.append(Book("New"))
            library.books[20].library = library
            library.byTitle["New"] = library.books[20]
            #expect(try document.save().objectsWritten == 2)
            try check(document, url)
            library.books[20].pages = 7
            #expect(try document.save().objectsWritten == 1)
            library.cellar[2].title = "Older"
            #expect(try document.save().objectsWritten == 1)
            library.books.remove(at: 0)
            library.byTitle["Book 0"] = nil
            #expect(try document.save().objectsWritten == 1)
            library.books[0].tags.insert("z")
            library.name = "City"
            #expect(try document.save().objectsWritten == 2)
            library.cellar = []
            library.cover = Data([1])
            #expect(try document.save().objectsWritten == 1)
            try check(document, url)
            #expect(try !hasChanges(document))
        }
    }

    @Test func `keeps what is not loaded, and what that refers to`() throws {
        try TemporaryFolder.with { folder in
            final class Shelf: Codable {
                @Deferred var first: [Book]
                @Deferred var second: [Book]
                var count = 2
                init(_ books: [Book]) { (first, second) = (books, books.reversed()) }
            }
            let url = folder.url.appending(path: "shelf")
            try ArchiveEncoder().encode(Shelf([Book("a"), Book("b")]), to: url)
            let document = try ArchiveDocument<Shelf>(contentsOf: url)
            document.root.first[0].title = "c"
            document.root.first = []
            document.root.count = 1
            // Nothing that is loaded refers to the changed book, but `second` does.
            let book = try #require(document.root.second.last)
            #expect(book.title == "a" || book.title == "c")
            let kept = try ArchiveDocument<Shelf>(contentsOf: url)
            let changed = kept.root.first[0]
            changed.title = "d"
            kept.root.first = []
            #expect(try kept.save().objectsWritten == 2)
            #expect(!kept.root.$second.isLoaded)
            let again = try ArchiveDecoder().decode(Shelf.self, from: url)
            #expect(again.first.isEmpty)
            #expect(again.second.map(\.title) == ["b", "d"])
            #expect(kept.root.second[1] === changed)
        }
    }

    final class Shelf: Codable {
        struct Refusal: Error {}
        @Deferred var first: [Book]
        @Deferred var second: [Book]
        var isRefused = false

        enum CodingKeys: CodingKey { case first, second }

        init(_ books: [Book]) { (first, second) = (books, books.reversed()) }

        func encode(to encoder: any Encoder) throws {
            if isRefused { throw Refusal() }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode($first, forKey: .first)
            try container.encode($second, forKey: .second)
        }
    }

    @Test func `loses no change if it cannot be saved`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "shelf")
            try ArchiveEncoder().encode(Shelf([Book("a"), Book("b")]), to: url)
            let document = try ArchiveDocument<Shelf>(contentsOf: url)
            document.root.first[0].title = "c"
            // Nothing that is loaded refers to the book, but `second` does.
            document.root.first = []
            document.root.isRefused = true
            #expect(throws: Shelf.Refusal.self) { try document.save() }
            document.root.isRefused = false
            try document.save()
            #expect(try ArchiveDecoder().decode(Shelf.self, from: url).second.map(\.title) == ["b", "c"])
        }
    }

    @Test func `keeps its graph no longer than it lives`() throws {
        try withDocument { document, url in
            weak var book: Book?
            do {
                let other = try ArchiveDocument<Library>(contentsOf: url)
                book = other.root.cellar[0]
                other.root.cellar = []
                #expect(book != nil)
            }
            #expect(book == nil)
        }
    }

    @Test func `is not compacted if its objects lie in each other`() throws {
        // 4,000 objects are the same 40,000 bytes of the file: written one behind the other, they would be 160 MB.
        var file = [UInt8]("bplist00".utf8)
        var offsets: [Int] = []
        func add(_ bytes: [UInt8]) {
            offsets.append(file.count)
            file += bytes
        }
        func long(_ marker: UInt8, _ count: Int) -> [UInt8] {
            [marker | 0xF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
        }
        func reference(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        // 0 root, 1...4 keys, 5 version, 6 archiver, 7 $top, 8 $objects, 9 "$null", 10 "root", 11 uid 1, 12 the array.
        add([0xD4] + [1, 2, 3, 4, 5, 6, 7, 8].flatMap(reference))
        for name in ["$version", "$archiver", "$top", "$objects"] { add([0x50 + UInt8(name.utf8.count)] + name.utf8) }
        add([0x12, 0x00, 0x01, 0x86, 0xA0])
        add([0x5F, 0x10, 15] + "NSKeyedArchiver".utf8)
        add([0xD1] + [10, 11].flatMap(reference))
        add([0xA2] + [9, 12].flatMap(reference))
        add([0x55] + "$null".utf8)
        add([0x54] + "root".utf8)
        add([0x80, 1])
        add(long(0xA0, 4000) + (0..<4000).flatMap { reference(13 + $0) })
        let data = file.count
        file += long(0x40, 40_000) + [UInt8](repeating: 7, count: 40_000)
        offsets += [Int](repeating: data, count: 4000)
        let table = file.count
        file += offsets.flatMap { [UInt8($0 >> 16), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
        file += [0, 0, 0, 0, 0, 0, 3, 2]
        for number in [offsets.count, 0, table] { file += (0..<8).reversed().map { UInt8(number >> (8 * $0) & 0xFF) } }
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "overlapping")
            try Data(file).write(to: url)
            // What is not loaded stays.
            let document = try ArchiveDocument<Deferred<[Data]>>(contentsOf: url)
            #expect(throws: DecodingError.self) { try document.compact() }
        }
    }

    @Test func `can be new, and saved to another file`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "new")
            let document = ArchiveDocument(root: Library(3))
            #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(try hasChanges(document))
            try document.save(to: url)
            #expect(try !hasChanges(document))
            document.root.books[1].title = "Changed"
            #expect(try document.save().objectsWritten == 1)
            try check(document, url)
            let other = folder.url.appending(path: "other")
            document.root.books[2].title = "Changed, too"
            try document.save(to: other)
            try check(document, other)
            #expect(try ArchiveDecoder().decode(Library.self, from: url).books[2].title == "Book 2")
            #expect(document.url == other)
        }
    }

    @Test func `is not saved over the changes of another program, and can be reverted`() throws {
        try withDocument(4) { document, url in
            document.root.name = "Mine"
            let theirs = Library(4)
            theirs.name = "Theirs"
            try ArchiveEncoder().encode(theirs, to: url)
            let error = #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(error?.code == .fileChanged)
            #expect(try ArchiveDecoder().decode(Library.self, from: url).name == "Theirs")
            // What was not read before is still there.
            #expect(document.root.cellar.count == 4)
            try document.revert()
            #expect(document.root.name == "Theirs")
            document.root.name = "Both"
            try document.save()
            try check(document, url)
        }
    }

    @Test func `is written without what nothing refers to if that is expected, or too much`() throws {
        try withDocument(200) { document, url in
            let size = try Data(contentsOf: url).count
            document.root.books.removeLast(190)
            document.root.byTitle = [:]
            try document.save()
            #expect(try Data(contentsOf: url).count > size)
            do {
                let cellar = document.root.$cellar
                // A part that only the program has is not lost.
                let cover = document.root.$cover
                document.root.cover = Data()
                try document.save()
                let objects = try KeyedArchive(contentsOf: url).objects.count
                let report = try document.compact()
                #expect(report.objectsWritten == 0)
                #expect(try Data(contentsOf: url).count == report.bytesWritten)
                #expect(report.bytesWritten < size)
                // Uids stay, and so do parts that are not loaded.
                #expect(try KeyedArchive(contentsOf: url).objects.count == objects)
                #expect(!cellar.isLoaded && cellar.wrappedValue.count == 200)
                #expect(!cover.isLoaded && cover.wrappedValue.count == 100)
                try check(document, url)
                let compact = try document.compact()
                #expect(compact.bytesWritten == 0)
            }
            document.root.books = []
            document.root.cellar = []
            for number in 0..<8 {
                document.root.cover = Data(repeating: UInt8(number), count: 100 * number)
                try document.save()
                try check(document, url)
            }
            #expect(try Data(contentsOf: url).count < size / 2)
            document.root.name = "The end"
            #expect(try document.save().objectsWritten == 1)
            try check(document, url)
        }
    }

    @Test func `in an archive without objects is written anew`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "number")
            let list: [String: Any] = [
                "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": ["root": 3], "$objects": [Any](),
            ]
            try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
            let document = try ArchiveDocument<Int>(contentsOf: url)
            #expect(document.root == 3)
            document.root = 4
            try document.save()
            #expect(try ArchiveDecoder().decode(Int.self, from: url) == 4)
            document.root = 5
            try document.save()
            #expect(try ArchiveDecoder().decode(Int.self, from: url) == 5)
        }
    }

    @Test func `of a struct, with subclasses and protocols, is saved`() throws {
        struct Sketch: Codable {
            var title = "a"
            var shapes: [Shape] = [Shape(), Circle()]
        }
        class Shape: Codable, ArchiveDescribing {
            var name = "shape"
            class var archiveName: String { "Shape" }
        }
        final class Circle: Shape {
            override class var archiveName: String { "Circle" }
        }
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "sketch")
            var decoder = ArchiveDecoder()
            decoder.classes.register(Circle.self, name: "Circle")
            try ArchiveEncoder().encode(Sketch(), to: url)
            let document = try ArchiveDocument<Sketch>(contentsOf: url, decoder: decoder)
            document.root.title = "b"
            #expect(try document.save().objectsWritten == 0)
            document.root.shapes[1].name = "circle"
            #expect(try document.save().objectsWritten == 1)
            let again = try decoder.decode(Sketch.self, from: url)
            #expect(again.title == "b")
            #expect(again.shapes.map(\.name) == ["shape", "circle"])
            #expect(again.shapes[1] is Circle)
        }
    }

    /// A class that had another name when the file was written, which the program has not registered.
    @Test func `writes new instances of a renamed class under the name that the file has`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "library")
            var encoder = ArchiveEncoder()
            encoder.classes.register(Book.self, name: "Old.Book")
            try encoder.encode(Library(3), to: url)
            let document = try ArchiveDocument<Library>(contentsOf: url)
            #expect(try !hasChanges(document))
            document.root.books.append(Book("New"))
            document.root.books[0].title = "Changed"
            #expect(try document.save().objectsWritten == 3)
            #expect(document.root.cellar.map(\.title) == ["Old 0", "Old 1", "Old 2"])
            try check(document, url)
            let data = try Data(contentsOf: url)
            let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            let objects = list?["$objects"] as? [Any] ?? []
            let names = objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String }
            #expect(names.filter { $0.hasSuffix("Book") } == ["Old.Book"])
        }
    }

    final class Cat: Codable {
        var lives = 9
    }

    final class Dog: Codable {
        var name = "Rex"
    }

    /// A cat, or else a dog.
    final class Home: Codable {
        var pets: [Dog]

        init(_ pets: [Dog]) { self.pets = pets }

        private enum CodingKeys: CodingKey { case pets }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try? container.decode([Cat].self, forKey: .pets)
            pets = try container.decode([Dog].self, forKey: .pets)
        }
    }

    @Test func `gives an unknown name that several types were tried with to none of them`() throws {
        try TemporaryFolder.with { folder in
            let url = folder.url.appending(path: "home")
            var encoder = ArchiveEncoder()
            encoder.classes.register(Dog.self, name: "Old.Dog")
            try encoder.encode(Home([Dog()]), to: url)
            let document = try ArchiveDocument<Home>(contentsOf: url)
            document.root.pets = [Dog()]
            try document.compact()
            let data = try Data(contentsOf: url)
            let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            let names = (list?["$objects"] as? [Any] ?? []).compactMap {
                ($0 as? [String: Any])?["$classname"] as? String
            }
            #expect(names.contains { $0.hasSuffix(".Dog") } && !names.contains("Old.Dog"))
            #expect(try ArchiveDecoder().decode(Home.self, from: url).pets.map(\.name) == ["Rex"])
        }
    }
}
