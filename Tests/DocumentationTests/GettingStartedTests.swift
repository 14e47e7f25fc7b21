// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's first article, unchanged.
@Suite(.inTurn)
struct `The article on getting started`: DocumentedOutput {
    @Test func `encodes and decodes a struct`() throws {
        struct Recipe: Codable {
            var title: String
            var minutes: Int
            var steps: [String]
        }

        let soup = Recipe(title: "Soup", minutes: 40, steps: ["Chop", "Boil"])

        let data = try ArchiveEncoder().encode(soup)
        let again = try ArchiveDecoder().decode(Recipe.self, from: data)
        print(again.title, again.minutes)  // Soup 40
        #expect(again.steps == soup.steps)
    }

    @Test func `keeps an author shared, in data and in a file, shows her, and says what is no archive`() throws {
        final class Author: Codable {
            var name: String
            init(name: String) { self.name = name }
        }

        struct Book: Codable {
            var title: String
            var author: Author
        }

        let jane = Author(name: "Jane")
        let shelf = [Book(title: "Emma", author: jane), Book(title: "Persuasion", author: jane)]

        let json = try JSONDecoder().decode([Book].self, from: JSONEncoder().encode(shelf))
        print(json[0].author === json[1].author)  // false: JSON has made two authors of one

        let loaded = try ArchiveDecoder().decode([Book].self, from: ArchiveEncoder().encode(shelf))
        print(loaded[0].author === loaded[1].author)  // true
        loaded[0].author.name = "Jane Austen"
        #expect(loaded[1].author.name == "Jane Austen")
        do {
            let url = URL.temporaryDirectory.appending(path: "shelf.archive")
            try ArchiveEncoder().encode(shelf, to: url)
            let fromFile = try ArchiveDecoder().decode([Book].self, from: url)
            #expect(fromFile.map(\.title) == ["Emma", "Persuasion"])
            #expect(fromFile[0].author === fromFile[1].author)
            try FileManager.default.removeItem(at: url)
        }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Book.self, name: "Book")
        encoder.classes.register(Author.self, name: "Author")
        let archive = try KeyedArchive(encoder.encode(shelf))
        print(archive.tree)
        let shown = try MarkdownPage(path: "Sources/Archiving/Archiving.docc/GettingStarted.md").blocks.first {
            $0.lines.first?.hasPrefix("Keyed archive by") == true
        }
        #expect(archive.tree == shown?.lines.joined(separator: "\n"))

        do {
            _ = try ArchiveDecoder().decode([Book].self, from: Data("Hello".utf8))
        } catch let DecodingError.dataCorrupted(context) {
            print(context.debugDescription)
        }
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode([Book].self, from: Data("Hello".utf8)) }
    }

    @Test func `shows errors to a person`() throws {
        func alert(for error: any Error) -> (sentence: String, suggestion: String) {
            var shown = error
            if case DecodingError.dataCorrupted(let context) = error, let cause = context.underlyingError {
                shown = cause
            }
            let suggestion = (shown as? any LocalizedError)?.recoverySuggestion
            return (shown.localizedDescription, suggestion ?? "Open the file with the program that wrote it.")
        }

        func shown<Value: Decodable>(_ type: Value.Type, _ data: Data, nesting: Int = 100) throws -> [String] {
            var decoder = ArchiveDecoder()
            decoder.limits.nesting = nesting
            let error = #expect(throws: (any Error).self) { try decoder.decode(type, from: data) }
            let (sentence, suggestion) = alert(for: try #require(error))
            return [sentence, suggestion]
        }
        #expect(
            try shown([Int].self, Data("Hello".utf8)) == [
                "The file is not a property list.", "Choose a file in the binary or the XML property list format.",
            ])
        let limit = try shown([[[Int]]].self, ArchiveEncoder().encode([[[1]]]), nesting: 1)
        #expect(limit[0].contains("archive"), "\(limit)")
        // Foundation's own sentence, which differs between platforms.
        let mismatch = try shown([Int].self, ArchiveEncoder().encode(["a"]))
        #expect(!mismatch[0].isEmpty && mismatch[1] == "Open the file with the program that wrote it.")
    }

    @Test(.needs(.storedProperties)) func `brings back a couple`() throws {
        final class Person: Codable {
            let name: String
            var spouse: Person?
            init(name: String) { self.name = name }
        }

        let anna = Person(name: "Anna")
        let bert = Person(name: "Bert")
        anna.spouse = bert
        bert.spouse = anna

        let couple = try ArchiveDecoder().decode(Person.self, from: ArchiveEncoder().encode(anna))
        print(couple.spouse?.spouse === couple)  // true
        (anna.spouse, couple.spouse) = (nil, nil)
    }

    @Test func `brings back a subclass that is registered`() throws {
        class Animal: Codable {
            var name = "Bella"
            init() {}
        }

        final class Dog: Animal {}

        let zoo = try ArchiveEncoder().encode([Animal(), Dog()])

        var decoder = ArchiveDecoder()
        decoder.classes.register(Dog.self)
        let animals = try decoder.decode([Animal].self, from: zoo)
        print(animals[1] is Dog)  // true
    }

    @Test func `names a type`() throws {
        struct Chapter: Codable, ArchiveDescribing {
            static let archiveName = "Chapter"
            var title: String
        }
        let archive = try KeyedArchive(ArchiveEncoder().encode(Chapter(title: "One")))
        #expect(archive.root.className == "Chapter")
    }
}
