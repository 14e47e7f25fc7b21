// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Observation
import TestSupport
import Testing

final class Author: Codable {
    let name: String
    init(name: String) { self.name = name }
}

struct Book: Codable {
    var title: String
    var author: Author
    var printed: Date
}

struct Library: Codable {
    var books: [Book]
}

extension Library {
    mutating func shareAuthors() {
        var authors: [String: Author] = [:]
        for index in books.indices {
            let author = books[index].author
            books[index].author = authors[author.name, default: author]
            authors[author.name] = books[index].author
        }
    }
}

@Observable final class Sketch: Codable {
    var title = "Untitled"
    var pages: [String] = []

    // swift-format-ignore: NoLeadingUnderscores
    private enum CodingKeys: String, CodingKey {
        case _title = "title"
        case _pages = "pages"
    }
}

func loadLibrary(from url: URL) throws -> Library {
    let data = try Data(contentsOf: url)
    if (try? KeyedArchive(data)) != nil {  // looks at the head of the data, and decodes nothing
        return try ArchiveDecoder().decode(Library.self, from: data)
    }
    var library = try JSONDecoder().decode(Library.self, from: data)
    library.shareAuthors()
    try ArchiveEncoder().encode(library, to: url)
    return library
}

/// The code of the catalog's article on leaving JSON, unchanged.
@Suite(.inTurn)
struct `The article on migrating from JSONEncoder`: DocumentedOutput {
    private static func library() -> Library {
        let jane = Author(name: "Jane")
        let date = Date(timeIntervalSinceReferenceDate: 0)
        return Library(books: ["Emma", "Persuasion"].map { Book(title: $0, author: jane, printed: date) })
    }

    @Test func `has an observable class whose keys are the same in JSON and in an archive`() throws {
        let sketch = Sketch()
        sketch.pages = ["a"]
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(sketch)) as? [String: Any]
        #expect(json.map { Set($0.keys) } == ["title", "pages"])
        let data = try ArchiveEncoder().encode(sketch)
        #expect(try KeyedArchive(data).root.keys == ["title", "pages"])
        #expect(try ArchiveDecoder().decode(Sketch.self, from: data).pages == ["a"])
    }

    @Test func `shows what JSON makes of a shared author, and what an archive does`() throws {
        let library = Self.library()
        do {
            let data = try JSONEncoder().encode(library)
            let again = try JSONDecoder().decode(Library.self, from: data)
            print(again.books[0].author === again.books[1].author)  // false
        }
        do {
            let data = try ArchiveEncoder().encode(library)
            let again = try ArchiveDecoder().decode(Library.self, from: data)
            print(again.books[0].author === again.books[1].author)  // true
        }
    }

    @Test func `brings back what was behind a protocol`() throws {
        protocol Shape: Codable {}
        struct Circle: Shape { var radius: Double }
        struct Square: Shape { var side: Double }

        struct Drawing: Codable {
            @Polymorphic var shapes: [any Shape]
        }

        let drawing = Drawing(shapes: [Circle(radius: 1), Square(side: 2)])
        var decoder = ArchiveDecoder()
        decoder.classes.register(Circle.self)
        decoder.classes.register(Square.self)
        let shapes = try decoder.decode(Drawing.self, from: ArchiveEncoder().encode(drawing)).shapes
        print(shapes[0] is Circle, shapes[1] is Square)  // true true
    }

    @Test func `keeps infinity, for which JSON wants a strategy`() throws {
        let limits = ["low": -Double.infinity, "high": Double.infinity]
        let same = try ArchiveDecoder().decode([String: Double].self, from: ArchiveEncoder().encode(limits))
        print(same == limits)  // true
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(limits) }
    }

    @Test func `reads an old file once, and the new one from then on`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["library"]
            try JSONEncoder().encode(Self.library()).write(to: url)
            #expect(try String(contentsOf: url, encoding: .utf8).hasPrefix("{"))
            for _ in 1...2 {
                let library = try loadLibrary(from: url)
                #expect(library.books.map(\.title) == ["Emma", "Persuasion"])
                #expect(library.books[0].author === library.books[1].author)
                #expect(try KeyedArchive(contentsOf: url).format == .binary)
            }
            try Data("no library".utf8).write(to: url)
            #expect(throws: DecodingError.self) { try loadLibrary(from: url) }
        }
    }
}
