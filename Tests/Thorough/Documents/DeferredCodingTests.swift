// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Deferred properties of Coding classes` {
    final class Page: Coding {
        static var supportsSecureCoding: Bool { true }
        var text: String
        init(_ text: String) { self.text = text }
        init(coder: KeyedUnarchiver) throws { text = try coder.decode(String.self, forKey: "text") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(text, forKey: "text") }
    }

    final class Notebook: Coding {
        static var supportsSecureCoding: Bool { true }
        @Deferred var pages: [Page]
        @Deferred var cover: Page?
        @Deferred var back: Page?
        @Deferred var byText: [String: Page]
        @Deferred var notes: [String]

        init(_ texts: [String]) {
            let pages = texts.map { Page($0) }
            self.pages = pages
            cover = pages.first
            back = nil
            byText = Dictionary(uniqueKeysWithValues: pages.map { ($0.text, $0) })
            notes = ["note"]
        }

        init(coder: KeyedUnarchiver) throws {
            _pages = try coder.decodeDeferred([Page].self, forKey: "pages")
            _cover = try coder.decodeDeferred(Page?.self, forKey: "cover")
            _back = try coder.decodeDeferred(Page?.self, forKey: "back")
            _byText = try coder.decodeDeferred([String: Page].self, forKey: "byText")
            _notes = try coder.decodeDeferred([String].self, forKey: "notes")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encodeDeferred($pages, forKey: "pages")
            try coder.encodeDeferred($cover, forKey: "cover")
            try coder.encodeDeferred($back, forKey: "back")
            try coder.encodeDeferred($byText, forKey: "byText")
            try coder.encodeDeferred($notes, forKey: "notes")
        }
    }

    private func decoded(_ notebook: Notebook) throws -> Notebook {
        let data = try KeyedArchiver.archivedData(withRootObject: notebook)
        return try KeyedUnarchiver.unarchivedObject(of: Notebook.self, from: data)
    }

    @Test func `are decoded when they are read`() throws {
        let notebook = try decoded(Notebook(["a", "b"]))
        #expect(!notebook.$pages.isLoaded && !notebook.$cover.isLoaded && !notebook.$notes.isLoaded)
        #expect(notebook.$back.isLoaded && notebook.back == nil)
        #expect(notebook.pages.map(\.text) == ["a", "b"])
        #expect(notebook.cover === notebook.pages[0])
        #expect(notebook.byText["b"] === notebook.pages[1])
        #expect(notebook.notes == ["note"])
        try notebook.$pages.unload()
        #expect(notebook.pages[0] === notebook.cover)
    }

    @Test func `are copied without being decoded, with what the program has changed`() throws {
        let notebook = try decoded(Notebook(["a", "b"]))
        let cover = try #require(notebook.cover)
        cover.text = "c"
        let again = try decoded(notebook)
        #expect(!notebook.$pages.isLoaded && !notebook.$byText.isLoaded)
        #expect(again.pages.map(\.text) == ["c", "b"])
        #expect(again.pages[0] === again.cover)
        #expect(throws: ArchiveDocumentError.self) { try notebook.$cover.unload() }
    }

    /// Such a class is archived as the `Coding` class that it is.
    final class Card: Coding, Codable {
        var text: String
        @Deferred var next: Card?
        @Deferred var others: [Card]
        @Deferred var byText: [String: Card]

        init(_ text: String, _ others: [Card] = []) {
            self.text = text
            next = others.first
            self.others = others
            byText = Dictionary(uniqueKeysWithValues: others.map { ($0.text, $0) })
        }

        init(coder: KeyedUnarchiver) throws {
            text = try coder.decode(String.self, forKey: "text")
            _next = try coder.decodeDeferred(Card?.self, forKey: "next")
            _others = try coder.decodeDeferred([Card].self, forKey: "others")
            _byText = try coder.decodeDeferred([String: Card].self, forKey: "byText")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode("by key " + text, forKey: "text")
            try coder.encodeDeferred($next, forKey: "next")
            try coder.encodeDeferred($others, forKey: "others")
            try coder.encodeDeferred($byText, forKey: "byText")
        }
    }

    @Test func `of classes that are Codable besides are archived as the others`() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Card("a", [Card("b"), Card("c")]))
        let card = try KeyedUnarchiver.unarchivedObject(of: Card.self, from: data)
        #expect(card.text == "by key a")
        #expect(card.others.map(\.text) == ["by key b", "by key c"])
        #expect(card.next === card.others[0] && card.byText["c"] === card.others[1])
    }

    @Test func `can be read between two values of an unarchiver`() throws {
        let archiver = KeyedArchiver()
        let notebook = Notebook(["a", "b"])
        try archiver.encode(notebook, forKey: "notebook")
        try archiver.encode(notebook.pages[1], forKey: "last")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let decoded = try unarchiver.decode(Notebook.self, forKey: "notebook")
        #expect(decoded.pages.count == 2)
        #expect(try unarchiver.decode(Page.self, forKey: "last") === decoded.pages[1])
        unarchiver.finishDecoding()
        #expect(decoded.byText["b"] === decoded.pages[1])
    }
}
