// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// The indexes in the files of documents. Their entries are compared with the sorted values of the whole archive.
@Suite(.inTurn) struct `Indexes of a file` {
    private static let className = ClassRegistry().name(for: IndexedNote.self)

    private func check(_ url: URL, _ comment: Comment? = nil) throws {
        let archive = try KeyedArchive(contentsOf: url)
        let entries = try #require(IndexedFile.entries(of: archive), comment)
        let expected = IndexedFile.expectedEntries(of: archive, className: Self.className)
        for (name, index) in expected { #expect(entries[name] == index, "\(name) \(comment ?? "")") }
        #expect(entries.count == expected.count)
    }

    private static func library(_ count: Int) -> IndexedLibrary {
        let library = IndexedLibrary()
        library.notes = ArchivedList(
            (0..<count).map { IndexedNote("tag \($0 % 7)", 2000 + $0 * 7919 % 31, "text \($0)") })
        return library
    }

    @Test(arguments: [0, 1, 383, 384, 385, 2000]) func `are sorted after the first save`(count: Int) throws {
        try TemporaryFolder.with { folder in
            let document = ArchiveDocument(root: Self.library(count))
            try document.save(to: folder["notes"])
            if count == 0 {
                #expect(IndexedFile.entries(of: try KeyedArchive(contentsOf: folder["notes"])) == nil)
                return
            }
            try check(folder["notes"])
        }
    }

    @Test(arguments: [false, true]) func `follow all changes`(hasJournal: Bool) throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            var generator = SeededGenerator(state: hasJournal ? 1 : 2)
            try ArchiveDocument(root: Self.library(700)).save(to: url)
            for round in 0..<6 {
                let document = try ArchiveDocument<IndexedLibrary>(
                    contentsOf: url, journal: hasJournal ? .enabled : .disabled)
                for save in 0..<6 {
                    for _ in 0..<Int.random(in: 1...20, using: &generator) {
                        edit(document.root, &generator)
                    }
                    if save == 3, round % 2 == 0 { try document.compact() } else { try document.save() }
                    if hasJournal { try document.checkpoint() }
                    try check(url, "in round \(round), save \(save)")
                }
                document.close()
            }
        }
    }

    private func edit(_ library: IndexedLibrary, _ generator: inout SeededGenerator) {
        let count = library.notes.count
        let place = Int.random(in: 0..<count, using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: library.notes[place].tag = "tag \(Int.random(in: 0..<9, using: &generator))"
        case 1: library.notes[place].year = Int.random(in: 1990...2030, using: &generator)
        case 2: library.notes[place].text += "!"
        case 3: library.notes[place].due = Bool.random(using: &generator) ? nil : Double(place)
        case 4: library.notes[place].kind = .done
        case 5: library.notes.append(IndexedNote("new \(place % 3)", 1990 + place % 40))
        case 6: if count > 10 { library.notes.remove(at: place) }
        case 7: library.pinned.append(library.notes[place])
        default: library.notes[place].next = IndexedNote("tag 3", 2000, "next")
        }
    }

    @Test func `get many new objects in one save, and lose as many`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            let document = ArchiveDocument(root: Self.library(10))
            try document.save(to: url)
            document.root.notes += (0..<20_000).map { IndexedNote("many", $0 % 3000) }
            try document.save()
            try check(url)
            document.root.notes.removeSubrange(5..<19_000)
            try document.compact()
            try check(url)
        }
    }
}

/// Indexes in files that other programs write.
@Suite(.inTurn) struct `Indexes of a file of another program` {
    private static let className = ClassRegistry().name(for: IndexedNote.self)

    /// The library and its notes in a program that declares no index.
    final class PlainLibrary: ArchivedFields {
        var name = ""
        @Deferred var notes: ArchivedList<PlainNote> = []

        init() {}

        static let fields = FieldList<PlainLibrary> {
            Field("name", \.name)
            Field("notes", \._notes)
        }
    }

    final class PlainNote: ArchivedFields, Emptiable {
        var tag = ""

        init() {}

        static let fields = FieldList<PlainNote> { Field("tag", \.tag) }
    }

    private func plain(_ url: URL) throws -> ArchiveDocument<PlainLibrary> {
        var (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
        for (type, name) in [
            (PlainLibrary.self, ClassRegistry().name(for: IndexedLibrary.self)), (PlainNote.self, Self.className),
        ] as [(any Any.Type, String)] {
            encoder.classes.register(type, name: name)
            decoder.classes.register(type, name: name)
        }
        return try ArchiveDocument(contentsOf: url, encoder: encoder, decoder: decoder)
    }

    @Test func `stay as long as it changes none of their objects`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            try ArchiveDocument(root: IndexedLibrary.example(count: 500)).save(to: url)
            let first = try #require(IndexedFile.entries(of: KeyedArchive(contentsOf: url)))
            let document = try plain(url)
            document.root.name = "changed"
            try document.save()
            #expect(try IndexedFile.entries(of: KeyedArchive(contentsOf: url)) == first)
            document.root.notes[7].tag = "another"
            try document.save()
            #expect(try IndexedFile.entries(of: KeyedArchive(contentsOf: url))?.isEmpty == true)
            // The next save of a program with indexes writes them again.
            let indexed = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
            #expect(try indexed.fetch(IndexedNote.self, where: #Predicate { $0.tag == "another" }).count == 1)
            indexed.root.name = "changed again"
            try indexed.save()
            let archive = try KeyedArchive(contentsOf: url)
            #expect(
                IndexedFile.entries(of: archive)
                    == IndexedFile.expectedEntries(of: archive, className: Self.className))
        }
    }

    @Test func `do not count if it has written the archive anew`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            try ArchiveDocument(root: IndexedLibrary.example(count: 500)).save(to: url)
            // The objects have other places, and one of them another value.
            var list = try KeyedArchive(contentsOf: url).propertyList()
            guard case .dictionary(var root) = list, case .array(var objects)? = root["$objects"] else { return }
            let place = try #require(
                objects.firstIndex { if case .dictionary(let object) = $0 { object["year"] != nil } else { false } })
            guard case .dictionary(let note) = objects[place] else { return }
            objects[place] = .dictionary(
                PropertyList.Dictionary(note.map { $0.key == "year" ? (key: $0.key, value: 1234) : $0 }))
            root = PropertyList.Dictionary(
                root.map { $0.key == "$objects" ? (key: $0.key, value: .array(objects)) : $0 })
            list = .dictionary(root)
            try list.data(format: .binary).write(to: url)
            let archive = try KeyedArchive(contentsOf: url)
            #expect(IndexedFile.entries(of: archive) == nil)
            let document = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
            let found = try document.fetch(
                IndexedNote.self, where: #Predicate { $0.tag == "tag 0" && $0.year < 2000 })
            #expect(found.map(\.year) == [1234])
            document.root.name = "changed"
            try document.save()
            let written = try KeyedArchive(contentsOf: url)
            #expect(
                IndexedFile.entries(of: written)
                    == IndexedFile.expectedEntries(of: written, className: Self.className))
        }
    }

    @Test func `keep no object in the file, and lose those that a compaction removes`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            try ArchiveDocument(root: IndexedLibrary.example(count: 2000)).save(to: url)
            let document = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
            document.root.notes.removeSubrange(10..<1990)
            try document.save()
            #expect(try document.fetch(IndexedNote.self, where: #Predicate { $0.tag == "tag 3" }).count == 3)
            document.close()
            try ArchiveDocument<IndexedLibrary>(contentsOf: url).compact()
            let archive = try KeyedArchive(contentsOf: url)
            let entries = try #require(IndexedFile.entries(of: archive))
            #expect(entries.values.allSatisfy { $0.sorted.count + $0.others.count == 20 })
            #expect(entries == IndexedFile.expectedEntries(of: archive, className: Self.className))
            #expect(try archive.fetch(IndexedNote.self, where: #Predicate { $0.tag == "tag 3" }).count == 3)
        }
    }
}
