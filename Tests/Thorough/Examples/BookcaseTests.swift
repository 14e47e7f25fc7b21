// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// With a document of five shelves, each with four books.
@Suite(.inTurn, .needs(.program("bookcase")))
struct `The example bookcase` {
    private static let shelf = [
        "1  An Introduction to Maps 9, Ines Berg 1, 2008", "2  Notes on the Sea 10, Ines Berg 1, 1947",
        "3  A History of the Weather 11, Ines Berg 1, 1959", "4  Letters about Trees 12, Ines Berg 1, 1919",
    ]

    private func withBookcase(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder throws in
            let result = try folder.bookcase("create", "--shelves", "5", "--books", "4")
            try #require(result.status == 0, "\(result.errors)")
            try body(folder)
        }
    }

    @Test func `is made in the user's folder, and shown`() throws {
        try TemporaryFolder.with { folder throws in
            let result = try folder.bookcase("create", "--shelves", "5", "--books", "4")
            #expect(result.status == 0 && result.errors == "")
            #expect(try folder.names() == ["bookcase.archive"])
            let size = try Data(contentsOf: folder["bookcase.archive"]).count
            // The bookcase, its shelves, their books, and an author.
            #expect(result.lines == ["27 new or changed objects, \(size) bytes written", "5 shelves, 20 books"])
            #expect(try folder.bookcase("show") == Program.Run(lines: ["5 shelves, 20 books"]))
            #expect(try folder.bookcase("show", "3") == Program.Run(lines: Self.shelf))
        }
    }

    @Test func `is shown in pages of twenty books`() throws {
        try TemporaryFolder.with { folder throws in
            _ = try folder.bookcase("create", "--shelves", "1", "--books", "50")
            let numbers = { (lines: [String]) in
                lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
            }
            #expect(try numbers(folder.bookcase("show", "1").lines) == Array(1...20))
            #expect(try numbers(folder.bookcase("show", "1", "41").lines) == Array(41...50))
        }
    }

    @Test func `is not made where a file is`() throws {
        try withBookcase { folder throws in
            let before = try Data(contentsOf: folder["bookcase.archive"])
            let result = try folder.bookcase("create")
            #expect(result.status == 1)
            #expect(result.errors.hasSuffix("bookcase.archive exists already\n"))
            #expect(try Data(contentsOf: folder["bookcase.archive"]) == before)
        }
    }

    @Test func `has a book renamed, which writes one object to the journal`() throws {
        try withBookcase { folder throws in
            let before = try Data(contentsOf: folder["bookcase.archive"])
            let lines = try folder.bookcase("rename", "3", "2", "Emma").lines
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("1 new or changed objects, ") == true)
            #expect(lines.last == "2  Emma, Ines Berg 1, 1947")
            var shelf = Self.shelf
            shelf[1] = "2  Emma, Ines Berg 1, 1947"
            #expect(try folder.bookcase("show", "3").lines == shelf)
            #expect(try folder.bookcase("show").lines == ["5 shelves, 20 books"])
            // Other programs find the change after a checkpoint.
            #expect(try folder.names() == ["bookcase.archive", "bookcase.archive.journal"])
            #expect(try Data(contentsOf: folder["bookcase.archive"]) == before)
            #expect(try folder.bookcase("checkpoint") == Program.Run(lines: []))
            #expect(try folder.names() == ["bookcase.archive"])
            let archive = try KeyedArchive(contentsOf: folder["bookcase.archive"])
            #expect(archive.root["shelves"]?[2]["books"]?[1]["title"]?.string == "Emma")
            #expect(try folder.bookcase("show", "3").lines == shelf)
        }
    }

    @Test func `gets books, of authors whom it has and of others`() throws {
        try withBookcase { folder throws in
            // The book, and the shelf with its list of books.
            let known = try folder.bookcase("add", "3", "Emma", "--author", "Ines Berg 1", "--year", "1816").lines
            #expect(known.first?.hasPrefix("2 new or changed objects, ") == true)
            #expect(known.last == "5  Emma, Ines Berg 1, 1816")
            // Also the author, and the bookcase with its list of authors.
            let other = try folder.bookcase("add", "3", "Persuasion", "--author", "Jane Austen").lines
            #expect(other.first?.hasPrefix("4 new or changed objects, ") == true)
            #expect(other.last == "6  Persuasion, Jane Austen, 2000")
            let shelf = Self.shelf + ["5  Emma, Ines Berg 1, 1816", "6  Persuasion, Jane Austen, 2000"]
            #expect(try folder.bookcase("show", "3").lines == shelf)
            #expect(try folder.bookcase("show").lines == ["5 shelves, 22 books"])
            #expect(try folder.bookcase("checkpoint").status == 0)
            let archive = try KeyedArchive(contentsOf: folder["bookcase.archive"])
            let authors = try #require(archive.root["authors"])
            #expect(authors.elements.map { $0["name"]?.string } == ["Ines Berg 1", "Jane Austen"])
            let books = try #require(archive.root["shelves"]?[2]["books"])
            #expect(books.elements.map { $0["author"]?.uid } == [0, 0, 0, 0, 0, 1].map { authors[$0].uid })
        }
    }

    @Test func `finds the books of a year, also those in the journal`() throws {
        try withBookcase { folder throws in
            _ = try folder.bookcase("add", "1", "Zoology", "--author", "Jane Austen", "--year", "1959")
            _ = try folder.bookcase("add", "2", "Animals", "--author", "Jane Austen", "--year", "1959")
            #expect(
                try folder.bookcase("year", "1959").lines
                    == [
                        "A History of the Weather 11, Ines Berg 1, 1959", "Animals, Jane Austen, 1959",
                        "Zoology, Jane Austen, 1959",
                    ])
            #expect(try folder.bookcase("year", "1066").lines == ["There is no book of 1066"])
        }
    }

    @Test func `is searched by title and by author`() throws {
        try withBookcase { folder throws in
            _ = try folder.bookcase("add", "1", "Trees", "--author", "Gardens")
            #expect(
                try folder.bookcase("search", "History of the Weather 11").lines
                    == ["shelf 3, book 3: A History of the Weather 11, Ines Berg 1, 1959", "1 of 21 books"])
            #expect(
                try folder.bookcase("search", "Gardens").lines.first == "shelf 1, book 5: Trees, Gardens, 2000")
            #expect(try folder.bookcase("search", "Berg").lines.last == "20 of 21 books")
            #expect(try folder.bookcase("search", "Emma") == Program.Run(lines: ["0 of 21 books"]))
        }
    }

    @Test(
        arguments: [
            (["show", "6"], "There is no shelf 6, only 5 shelves"),
            (["rename", "6", "1", "Emma"], "There is no shelf 6, only 5 shelves"),
            (["rename", "3", "5", "Emma"], "There is no book 5 on shelf 3, which has 4"),
            (["add", "6", "Emma", "--author", "Jane Austen"], "There is no shelf 6, only 5 shelves"),
        ])
    func `says what it does not have`(_ arguments: [String], _ message: String) throws {
        try withBookcase { folder throws in
            let before = try Data(contentsOf: folder["bookcase.archive"])
            let result = try ExampleProgram.bookcase.run(arguments, in: folder)
            #expect(result.status == 1 && result.output == "")
            #expect(result.errors == "bookcase: \(message)\n")
            #expect(try Data(contentsOf: folder["bookcase.archive"]) == before)
        }
    }

    @Test func `says which file it cannot open`() throws {
        try TemporaryFolder.with { folder throws in
            let result = try folder.bookcase("show", "--file", folder["other"].path)
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("bookcase: \(folder["other"].path): "))
        }
    }

    @Test func `loses no book of a shelf that is damaged`() throws {
        try withBookcase { folder throws in
            let url = folder["bookcase.archive"]
            // The title, of more than 14 bytes, becomes an object of no kind.
            var data = try Data(contentsOf: url)
            let title = try #require(data.firstRange(of: Data("Letters about Trees 12".utf8)))
            data[title.lowerBound - 3] = 0xFF
            try data.write(to: url)
            for arguments in [["show", "3"], ["rename", "3", "4", "Emma"], ["search", "Emma"]] {
                let result = try ExampleProgram.bookcase.run(arguments, in: folder)
                #expect(result.status == 1 && result.errors != "", "\(arguments)")
                #expect(try Data(contentsOf: url) == data)
            }
            #expect(try folder.bookcase("show", "2").lines.count == 4)
            #expect(try folder.bookcase("rename", "3", "1", "Emma").status == 0)
            #expect(try folder.bookcase("show").lines == ["5 shelves, 20 books"])
            #expect(try folder.bookcase("checkpoint").status == 0)
            #expect(try Data(contentsOf: url).firstRange(of: Data("Letters about Trees 12".utf8)) != nil)
        }
    }
}
