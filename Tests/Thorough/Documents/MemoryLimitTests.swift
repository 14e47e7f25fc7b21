// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Unloading a document` {
    final class Page: Codable, Emptiable {
        var text = ""
        @WeakReference var book: Book?

        init() {}
    }

    final class Book: Codable {
        var title = ""
        @Deferred var pages: [Page] = []
        @Deferred var notes: ArchivedList<Page> = []
        @Deferred var cover = Data()
        @WeakReference var favorite: Page?

        init() {}
    }

    private func withDocument(_ body: (ArchiveDocument<Book>, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let url = folder["book"]
            let book = Book()
            let pages = (0..<10).map { index in
                let page = Page()
                page.text = "Page \(index)"
                page.book = book
                return page
            }
            book.pages = pages
            book.notes = ArchivedList(pages)
            book.cover = Data(repeating: 1, count: 1000)
            book.favorite = pages[2]
            try ArchiveEncoder().encode(book, to: url)
            try body(try ArchiveDocument<Book>(contentsOf: url), url)
        }
    }

    /// Observes a page without keeping it alive.
    private struct Observed {
        weak var page: Page?
    }

    private func load(_ document: ArchiveDocument<Book>) -> [Observed] {
        #expect(document.root.cover.count == 1000)
        #expect(document.root.notes[1] === document.root.pages[1])
        return document.root.pages.map { Observed(page: $0) }
    }

    @Test func `releases what can be decoded again, and nothing else`() throws {
        try withDocument { document, _ in
            let kept = document.root.pages[5]
            let pages = load(document)
            try document.unload()
            #expect(!document.root.$pages.isLoaded)
            #expect(!document.root.$cover.isLoaded)
            // The root refers to page 2.
            #expect(pages.indices.filter { pages[$0].page != nil } == [2, 5])
            #expect(try !document.hasChanges())
            #expect(document.root.pages[2] === document.root.favorite)
            #expect(document.root.pages[5] === kept)
            #expect(document.root.pages[5].book === document.root)
        }
    }

    @Test func `keeps later changes of the instances that the program has`() throws {
        try withDocument { document, url in
            func keptPage() throws -> Page {
                let page = document.root.pages[5]
                _ = load(document)
                try document.unload()
                return page
            }
            func change() throws { try keptPage().text = "Changed" }
            try change()
            #expect(try document.save().objectsWritten == 1)
            #expect(try ArchiveDecoder().decode(Book.self, from: url).pages[5].text == "Changed")
        }
    }

    @Test func `is refused if it would lose changes`() throws {
        try withDocument { document, _ in
            document.root.pages[0].text = "Changed"
            let error = #expect(throws: ArchiveDocumentError.self) { try document.unload() }
            #expect(error?.code == .partChanged)
            #expect(document.root.pages[0].text == "Changed")
        }
        let error = #expect(throws: ArchiveDocumentError.self) { try ArchiveDocument(root: Book()).unload() }
        #expect(error?.code == .noFile)
    }

    @Test(arguments: [500, 100_000]) func `ends a save of more bytes than the limit`(limit: Int) throws {
        try withDocument { document, url in
            document.memoryLimit = limit
            let pages = load(document)
            document.root.title = "Title"
            document.root.pages[3].text = "Changed"
            try document.save()
            #expect(document.root.$pages.isLoaded == (limit == 100_000))
            #expect((pages[3].page == nil) == (limit == 500))
            #expect(document.root.pages[3].text == "Changed")
            #expect(try ArchiveDecoder().decode(Book.self, from: url).pages[3].text == "Changed")
        }
    }

    @Test func `does not end a save during which the program has made changes`() throws {
        try withDocument { document, url in
            document.memoryLimit = 500
            _ = load(document)
            document.root.title = "Title"
            let snapshot = try document.snapshot()
            document.root.pages[3].text = "Changed"
            try snapshot.write()
            try document.didSave(snapshot)
            #expect(document.root.$pages.isLoaded)
            let later = try document.snapshot()
            try later.write()
            try document.didSave(later)
            #expect(!document.root.$pages.isLoaded)
            #expect(try ArchiveDecoder().decode(Book.self, from: url).pages[3].text == "Changed")
        }
    }
}
