// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An unreadable part of a document` {
    /// A page whose text is not empty.
    final class Page: Codable {
        struct Empty: Error {}
        var text: String

        init(_ text: String) { self.text = text }

        enum CodingKeys: CodingKey { case text }

        init(from decoder: any Decoder) throws {
            text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
            if text.isEmpty { throw Empty() }
        }
    }

    final class Section: Codable {
        @Deferred var pages: [Page]
        init(_ texts: String...) { pages = texts.map { Page($0) } }
    }

    final class Book: Codable {
        var title = "Emma"
        var sections: [Section]
        @Deferred var cover: Page?
        init() {
            sections = [Section("a"), Section("b", "")]
            cover = Page("")
        }
    }

    private func withDocument(_ body: (ArchiveDocument<Book>, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let url = folder["book"]
            try ArchiveEncoder().encode(Book(), to: url)
            try body(ArchiveDocument<Book>(contentsOf: url), url)
        }
    }

    /// The text of all pages in the file.
    private func texts(_ url: URL) throws -> [String] {
        let root = try KeyedArchive(contentsOf: url).root
        let sections = try #require(root["sections"]).elements
        return sections.flatMap { $0["pages"]?.elements.map { $0["text"]?.string ?? "?" } ?? [] }
            + [root["cover"]?["text"]?.string ?? "none"]
    }

    /// In functions, since the macro takes `try` from what it takes apart.
    private func hasChanges(_ document: ArchiveDocument<Book>) throws -> Bool { try document.hasChanges() }

    @Test func `is listed with its path and its error, and stays in the file`() throws {
        try withDocument { document, url in
            #expect(document.unreadableParts.isEmpty)
            let section = document.root.sections[1]
            #expect(document.root.sections[0].pages.count == 1 && section.pages.isEmpty && document.root.cover == nil)
            let parts = document.unreadableParts.sorted { "\($0.path)" < "\($1.path)" }
            #expect(parts.map(\.path) == [["root", "cover"], ["root", "sections", 1, "pages"]])
            #expect(parts.allSatisfy { $0.error is Page.Empty })
            document.root.title = "Emma, again"
            try document.save()
            #expect(try texts(url) == ["a", "b", "", ""])
            #expect(document.unreadableParts.count == 2)
            try document.compact()
            #expect(try texts(url) == ["a", "b", "", ""])
            document.close()
            #expect(document.unreadableParts.isEmpty)
        }
    }

    @Test func `that is modified in place makes a save throw, and the file unchanged`() throws {
        try withDocument { document, url in
            let before = try Data(contentsOf: url)
            document.root.title = "Changed"
            document.root.sections[1].pages.append(Page("c"))
            for _ in 1...2 {
                let error = #expect(throws: ArchiveDocumentError.self) { try document.save() }
                #expect(error?.code == .unreadablePartModified)
                #expect(error?.part == ["root", "sections", 1, "pages"])
                #expect(error?.description.contains("root.sections[1].pages") == true)
            }
            #expect(throws: ArchiveDocumentError.self) { try hasChanges(document) }
            #expect(throws: ArchiveDocumentError.self) {
                try document.save(to: url.deletingLastPathComponent().appending(path: "other"))
            }
            #expect(try Data(contentsOf: url) == before)
            #expect(document.unreadableParts.map(\.path) == [["root", "sections", 1, "pages"]])
            // The program has what it has added, and may decide that it is all.
            document.root.sections[1].pages = document.root.sections[1].pages
            #expect(document.unreadableParts.isEmpty)
            try document.save()
            #expect(try texts(url) == ["a", "c", ""])
            #expect(try !hasChanges(document))
        }
    }

    @Test func `that is modified in place is as in the file after the document is reverted`() throws {
        try withDocument { document, url in
            document.root.sections[1].pages.append(Page("c"))
            try document.revert()
            #expect(document.unreadableParts.isEmpty)
            document.root.title = "Changed"
            try document.save()
            #expect(try texts(url) == ["a", "b", "", ""])
        }
    }

    @Test func `is replaced by the value that the program assigns`() throws {
        try withDocument { document, url in
            #expect(document.root.cover == nil && document.root.sections[1].pages.isEmpty)
            document.root.cover = Page("new")
            document.root.sections[1].pages = []
            #expect(document.unreadableParts.isEmpty)
            try document.save()
            #expect(try texts(url) == ["a", "new"])
        }
    }

    /// A class that reads its property in its initializer, when no part can be read yet.
    final class Eager: Codable {
        @Deferred var titles: [String]

        init(_ titles: [String]) { self.titles = titles }

        enum CodingKeys: CodingKey { case titles }

        init(from decoder: any Decoder) throws {
            _titles = try decoder.container(keyedBy: CodingKeys.self).decode(Deferred<[String]>.self, forKey: .titles)
            titles.append("added")
        }
    }

    @Test func `is also one that is modified before the decoder returns`() throws {
        let eager = try ArchiveDecoder().decode(Eager.self, from: ArchiveEncoder().encode(Eager(["a"])))
        #expect(eager.titles == ["added"])
        let error = #expect(throws: ArchiveDocumentError.self) { try ArchiveEncoder().encode(eager) }
        #expect(error?.code == .unreadablePartModified)
    }

    final class Chapter: Coding {
        static var supportsSecureCoding: Bool { true }
        @Deferred var names: [String]
        init() { names = [] }
        init(coder: KeyedUnarchiver) throws {
            _names = try coder.decodeDeferred([String].self, forKey: "names")
        }
        func encode(with coder: KeyedArchiver) throws { try coder.encodeDeferred($names, forKey: "names") }
    }

    final class Volume: Codable {
        @Coded var chapter = Chapter()
    }

    @Test func `of a Coding class is named as well`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["volume"]
            try ArchiveEncoder().encode(Volume(), to: url)
            let editor = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
            var list = try #require(editor as? [String: Any])
            var objects = try #require(list["$objects"] as? [Any])
            // The array of names becomes a number.
            let place = try #require(objects.firstIndex { ($0 as? [String: Any])?["NS.objects"] != nil })
            objects[place] = 7
            list["$objects"] = objects
            try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
            let document = try ArchiveDocument<Volume>(contentsOf: url)
            document.root.chapter.names.append("a")
            let error = #expect(throws: ArchiveDocumentError.self) { try document.save() }
            #expect(error?.code == .unreadablePartModified)
            #expect(error?.part == ["root", "chapter", "names"])
            #expect(document.unreadableParts.map(\.path) == [["root", "chapter", "names"]])
        }
    }
}
