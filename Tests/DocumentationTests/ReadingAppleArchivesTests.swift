// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The code of the catalog's article on archives of Apple's programs, unchanged.
@Suite(.inTurn)
struct `The article on reading Apple's archives`: DocumentedOutput {
    /// The archive that the article shows, put together by hand as Cocoa's archiver would write it.
    private static func shelf() throws -> Data {
        try handmadeArchive(
            ["books": .uid(2), "$class": .uid(11)], ["NS.objects": [.uid(3), .uid(8)], "$class": .uid(10)],
            ["title": .uid(4), "pages": 474, "bought": .uid(5), "$class": .uid(7)], "Emma",
            ["NS.time": 549_824_400.0, "$class": .uid(6)], classEntry("NSDate"), classEntry("LOBook"),
            ["title": .uid(9), "pages": 249, "bought": .uid(0), "$class": .uid(7)], "Persuasion",
            classEntry("NSArray"), classEntry("LOShelf"))
    }

    /// What the article shows without saying what language it is in.
    private static func shown(_ beginning: String) throws -> String? {
        try MarkdownPage(path: "Sources/Archiving/Archiving.docc/ReadingAppleArchives.md").blocks.first {
            $0.lines.first?.hasPrefix(beginning) == true
        }?.lines.joined(separator: "\n")
    }

    @Test func `looks into a shelf, and decodes parts of it`() throws {
        let archive = try TemporaryFolder.with { folder in
            let url = folder["shelf"]
            try Self.shelf().write(to: url)
            let archive = try KeyedArchive(contentsOf: url)
            print(archive.tree)
            return archive
        }
        #expect(archive.tree == (try Self.shown("Keyed archive by")))
        for book in archive.root["books"]?.elements ?? archive.root.elements {
            print(book["title"]?.string ?? "?", book["pages"]?.integer ?? 0)
        }
        let pages = archive.root["books"]?.elements.map { $0["pages"]?.integer }
        #expect(pages == [474, 249])
        #expect(archive.top.keys == ["root"])
        if case .date(let date)? = try archive.root["books"]?[0]["bought"]?.foundationValue() {
            print(date.timeIntervalSinceReferenceDate)  // 549824400.0
        }
        do {
            struct Book: Codable {
                var title: String
                var pages: Int
                var bought: Date?
            }

            let books = try archive.root["books"]?.decode([Book].self)
            #expect(books?.map(\.title) == ["Emma", "Persuasion"] && books?[1].bought == nil)
        }
        final class BookObject: Codable {
            var title: String
            var pages: Int
        }

        var decoder = ArchiveDecoder()
        decoder.classes.register(BookObject.self, name: "LOBook")
        let first = try archive.root["books"]?[0].decode(BookObject.self, using: decoder)
        #expect(first?.title == "Emma" && first?.pages == 474)
        do {
            struct Shelf: Codable {
                var books: [UnknownObject]
            }

            let shelf = try archive.root.decode(Shelf.self)
            print(shelf.books[0].value["title"]?.string ?? "?")  // Emma
            let again = try KeyedArchive(ArchiveEncoder().encode(shelf))
            #expect(again.root["books"]?[1]["title"]?.string == "Persuasion")
            #expect(again.root["books"]?[1].className == "LOBook")
        }
    }

    /// Favourites as an `sfl2` file has them: values of several classes.
    private static func favourites() throws -> Data {
        try handmadeArchive(
            ["NS.keys": [.uid(2), .uid(3)], "NS.objects": [.uid(5), .uid(8)], "$class": .uid(4)], "properties", "items",
            classEntry("NSDictionary"),
            ["NS.keys": [.uid(6)], "NS.objects": [.uid(7)], "$class": .uid(4)], "com.apple.visible", true,
            ["NS.objects": [.uid(10)], "$class": .uid(9)], classEntry("NSArray"),
            ["NS.keys": [.uid(11), .uid(12)], "NS.objects": [.uid(13), .uid(14)], "$class": .uid(4)], "Name",
            "Bookmark",
            "Documents", .data(Data("book".utf8)))
    }

    @Test func `reads mixed dictionaries`() throws {
        let data = try Self.favourites()
        let favourites = try ArchiveDecoder().decode([String: PropertyList].self, from: data)
        for item in favourites["items"]?.array ?? [] {
            print(item["Name"]?.string ?? "?", item["Bookmark"]?.data?.count ?? 0)  // Documents 4
        }

        let values = try ArchiveDecoder().decode([String: KeyedArchive.Value].self, from: data)
        print(values["items"]?.elements.first?.className ?? "?")  // NSDictionary
        #expect(values["items"]?.elements.count == 1)
        #expect(favourites["properties"] == ["com.apple.visible": true])
    }

    @Test func `opens an archive in a property list`() throws {
        let window = try ArchiveEncoder().encode(["title": "Untitled"])
        try TemporaryFolder.with { folder in
            let settings = folder["settings"]
            try PropertyList.dictionary(["window": .data(window)]).data().write(to: settings)
            let list = try PropertyList(Data(contentsOf: settings))
            if case .data(let data)? = list["window"] {
                let inner = try KeyedArchive(data)
                print(inner.root["title"]?.string ?? "?")  // Untitled
            }
        }
    }

    @Test func `writes and reads a text with attributes`() throws {
        let guide = URL(filePath: "/guide")
        let bold = AttributedText.Font("Helvetica-Bold", size: 14)
        let text = AttributedText([
            ("See ", [:]),
            ("the guide", ["NSLink": guide, "NSFont": bold]),
        ])
        let data = try ArchiveEncoder().encode(text)

        let read = try ArchiveDecoder().decode(AttributedText.self, from: data)
        for link in read.links { print(read.string[link.range], link.value) }
        #expect(read.links.map { read.string[$0.range] } == ["the guide"])
        #expect(read.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value) == [bold])
    }

    @Test func `reads a typedstream, and shows it`() throws {
        let attributedBody = SequentialSamples.hello
        let text = try AttributedText(attributedBody)
        print(text.string)  // Hello
        print(try TypedStream(attributedBody))
        #expect("\(try TypedStream(attributedBody))" == (try Self.shown("Typedstream of version")))
    }
}
