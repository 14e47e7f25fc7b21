import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

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
        library.notes = ArchivedList((0..<count).map { IndexedNote("tag \($0 % 7)", 2000 + $0 * 7919 % 31, "text \($0)") })
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
