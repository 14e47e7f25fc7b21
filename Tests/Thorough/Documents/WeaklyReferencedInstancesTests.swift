// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// A save releases the instances that only the document has. Weak references to them must not become nil in the file.
@Suite(.inTurn) struct `Weak references in a document` {
    /// A note of a list that refers to the next one.
    protocol Note: AnyObject, Codable {
        var text: String { get set }
        var next: Self? { get set }

        init()
    }

    final class Declared: ArchivedFields, Emptiable, Note {
        var text = ""
        weak var next: Declared?

        static let fields = FieldList<Declared> {
            Field("text", \.text)
            Field("next", \.next, .conditional)
        }
    }

    final class Wrapped: Codable, Emptiable, Note {
        var text = ""
        @WeakReference var next: Wrapped?
    }

    struct Notebook<Element: Note & Emptiable>: Codable {
        var count = 0
        @Deferred var notes: ArchivedList<Element>
    }

    struct LoadedNotebook<Element: Note>: Codable {
        var count: Int
        var notes: [Element]
    }

    private func withDocument<Element: Note & Emptiable>(
        of type: Element.Type, linked: Bool = true, _ body: (ArchiveDocument<Notebook<Element>>) throws -> Void
    ) throws -> [Element] {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            let notes = (0..<10).map { index in
                let note = Element()
                note.text = "\(index)"
                return note
            }
            if linked { for (note, next) in zip(notes, notes.dropFirst()) { note.next = next } }
            try ArchiveEncoder().encode(LoadedNotebook(count: 0, notes: notes), to: url)
            let document = try ArchiveDocument<Notebook<Element>>(contentsOf: url)
            try body(document)
            return try ArchiveDecoder().decode(LoadedNotebook<Element>.self, from: url).notes
        }
    }

    /// Saves twice, with changes of the root and of the first note. The program has no other one.
    private func change<Element: Note & Emptiable>(
        _ document: ArchiveDocument<Notebook<Element>>, loading positions: [Int]
    ) throws {
        func load(_ position: Int) { #expect(document.root.notes[position].text == "\(position)") }
        let first = document.root.notes[0]
        for position in positions { load(position) }
        document.root.count = 1
        try document.save()
        for position in positions { load(position) }
        first.text = "changed"
        try document.save()
    }

    @Test(arguments: [[], [1], [1, 2, 3]])
    func `stay in the file if their instances are not loaded, or released`(positions: [Int]) throws {
        func check<Element: Note & Emptiable>(_ type: Element.Type) throws {
            let saved = try withDocument(of: type) { try change($0, loading: positions) }
            #expect(saved[0].text == "changed")
            for (note, next) in zip(saved, saved.dropFirst()) { #expect(note.next === next) }
            #expect(saved[9].next == nil)
        }
        try check(Declared.self)
        try check(Wrapped.self)
    }

    @Test func `that the program has set stay in the file`() throws {
        func check<Element: Note & Emptiable>(_ type: Element.Type) throws {
            let saved = try withDocument(of: type, linked: false) { document in
                let first = document.root.notes[0]
                func link() { first.next = document.root.notes[1] }
                link()
                try document.save()
                try change(document, loading: [1])
            }
            #expect(saved[0].next === saved[1])
        }
        try check(Declared.self)
        try check(Wrapped.self)
    }

    @Test func `that the program has removed are not in the file`() throws {
        func check<Element: Note & Emptiable>(_ type: Element.Type) throws {
            let saved = try withDocument(of: type) { document in
                document.root.notes[0].next = nil
                document.root.notes[1].next = document.root.notes[0]
                try document.save()
            }
            #expect(saved[0].next == nil)
            #expect(saved[1].next === saved[0])
            #expect(saved[2].next === saved[3])
        }
        try check(Declared.self)
        try check(Wrapped.self)
    }
}
