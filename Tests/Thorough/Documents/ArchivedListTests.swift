// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// A diary whose notes are decoded one by one.
private final class Diary: Codable {
    var title = "Farm"
    var first: Note?
    @Deferred var notes: ArchivedList<Note> = []
    @Deferred var days: ArchivedList<Day> = []
}

/// The same with plain arrays.
private final class PlainDiary: Codable {
    var title = "Farm"
    var first: Note?
    var notes: [Note] = []
    var days: [Day] = []
}

private final class Note: Codable, Emptiable {
    var text: String
    weak var next: Note?

    init() { text = "" }
    init(_ text: String) { self.text = text }

    private enum CodingKeys: CodingKey { case text, next }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        next = try container.decodeIfPresent(Note.self, forKey: .next)
        Self.decodings.add()
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
        try container.encodeIfPresent(next, forKey: .next)
    }

    static let decodings = Counter()
}

private struct Day: Codable, Emptiable, Equatable {
    var number = 0
    var name = ""
}

private final class Counter: @unchecked Sendable {
    private(set) var count = 0
    func add() { count += 1 }
    func take() -> Int {
        defer { count = 0 }
        return count
    }
}

/// An encoder that has the root as "Root".
private func encoder(_ root: any Any.Type) -> ArchiveEncoder {
    var encoder = ArchiveEncoder()
    encoder.classes.register(root, name: "Root")
    return encoder
}

/// A decoder that has the root as "Root".
private func decoder(_ root: any Any.Type) -> ArchiveDecoder {
    var decoder = ArchiveDecoder()
    decoder.classes.register(root, name: "Root")
    return decoder
}

@Suite(.inTurn) struct `A list whose elements are decoded one by one` {
    /// A file with `count` notes and days, written from plain arrays.
    private func file(_ folder: TemporaryFolder, _ count: Int) throws -> URL {
        let diary = PlainDiary()
        diary.notes = (0..<count).map { Note("Note \($0)") }
        diary.days = (0..<count).map { Day(number: $0, name: "Day \($0)") }
        diary.first = diary.notes.first
        let url = folder["diary"]
        try encoder(PlainDiary.self).encode(diary, to: url)
        _ = Note.decodings.take()
        return url
    }

    private func open(_ url: URL) throws -> ArchiveDocument<Diary> {
        try ArchiveDocument(contentsOf: url, encoder: encoder(Diary.self), decoder: decoder(Diary.self))
    }

    private func texts(_ url: URL) throws -> [String] {
        try decoder(PlainDiary.self).decode(PlainDiary.self, from: url).notes.map(\.text)
    }

    @Test func `decodes the elements that are read, and no others`() throws {
        try TemporaryFolder.with { folder in
            let document = try open(file(folder, 1_000))
            #expect(document.root.notes.count == 1_000 && Note.decodings.take() == 1)
            #expect(document.root.notes[500].text == "Note 500" && Note.decodings.take() == 1)
            #expect(document.root.notes.last?.text == "Note 999" && Note.decodings.take() == 1)
            #expect(try document.root.notes.elements(in: 20..<40).map(\.text) == (20..<40).map { "Note \($0)" })
            #expect(Note.decodings.take() == 20)
            #expect(document.root.days[7] == Day(number: 7, name: "Day 7"))
            #expect(try !document.hasChanges())
            #expect(Note.decodings.take() == 0)
        }
    }

    @Test func `has the instances that other properties reference`() throws {
        try TemporaryFolder.with { folder in
            let document = try open(file(folder, 10))
            #expect(document.root.notes[0] === document.root.first)
            #expect(document.root.notes[3] === document.root.notes[3])
        }
    }

    @Test func `saves an appended element without decoding the others`() throws {
        try TemporaryFolder.with { folder in
            let url = try file(folder, 1_000)
            let document = try open(url)
            _ = Note.decodings.take()
            document.root.notes.append(Note("new"))
            #expect(document.root.notes.count == 1_001 && document.root.notes[1_000].text == "new")
            let report = try document.save()
            #expect(Note.decodings.take() == 0)
            // The new note and its text are new; the diary has another array.
            #expect(report.objectsWritten == 2)
            #expect(try texts(url) == (0..<1_000).map { "Note \($0)" } + ["new"])
            #expect(try !document.hasChanges())
        }
    }

    @Test func `saves changes in instances that were read`() throws {
        try TemporaryFolder.with { folder in
            let url = try file(folder, 10)
            let document = try open(url)
            document.root.notes[4].text = "changed"
            #expect(try document.hasChanges())
            try document.save()
            #expect(try texts(url)[3...5] == ["Note 3", "changed", "Note 5"])
        }
    }

    @Test func `saves changes in structs, which leaves the others in the file`() throws {
        try TemporaryFolder.with { folder in
            let url = try file(folder, 10)
            let document = try open(url)
            document.root.days[4].name = "changed"
            document.root.days.remove(at: 0)
            try document.save()
            let days = try decoder(PlainDiary.self).decode(PlainDiary.self, from: url).days
            #expect(days.map(\.number) == Array(1..<10) && days[3] == Day(number: 4, name: "changed"))
        }
    }

    /// Changes of a list, and the same of an array.
    @Test(arguments: 0..<30) func `has the same elements as an array after the same changes`(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        try TemporaryFolder.with { folder in
            let url = try file(folder, 20)
            var document = try open(url)
            var expected = (0..<20).map { "Note \($0)" }
            for step in 0..<60 {
                let count = expected.count
                #expect(document.root.notes.count == count)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0:
                    document.root.notes.append(Note("a\(step)"))
                    expected.append("a\(step)")
                case 1:
                    let place = Int.random(in: 0...count, using: &generator)
                    document.root.notes.insert(Note("i\(step)"), at: place)
                    expected.insert("i\(step)", at: place)
                case 2 where count > 0:
                    let place = Int.random(in: 0..<count, using: &generator)
                    #expect(document.root.notes.remove(at: place).text == expected.remove(at: place))
                case 3 where count > 0:
                    let place = Int.random(in: 0..<count, using: &generator)
                    document.root.notes[place] = Note("s\(step)")
                    expected[place] = "s\(step)"
                case 4 where count > 0:
                    let place = Int.random(in: 0..<count, using: &generator)
                    document.root.notes[place].text += "!"
                    expected[place] += "!"
                case 5:
                    let bounds = (0..<2).map { _ in Int.random(in: 0...count, using: &generator) }.sorted()
                    let added = (0..<Int.random(in: 0..<4, using: &generator)).map { "r\(step).\($0)" }
                    document.root.notes.replaceSubrange(bounds[0]..<bounds[1], with: added.map { Note($0) })
                    expected.replaceSubrange(bounds[0]..<bounds[1], with: added)
                case 6:
                    try document.save()
                    #expect(try texts(url) == expected)
                default:
                    if Bool.random(using: &generator) {
                        try document.compact()
                    } else {
                        try document.save()
                        document = try open(url)
                    }
                }
                #expect(document.root.notes.map(\.text) == expected)
            }
            try document.save()
            #expect(try texts(url) == expected)
        }
    }

    @Test func `has the bytes of an array in an archive`() throws {
        let days = (0..<3).map { Day(number: $0, name: "Day") }
        #expect(try ArchiveEncoder().encode(ArchivedList(days)) == ArchiveEncoder().encode(days))
        #expect(try ArchiveEncoder().encode(["a": ArchivedList([Day]())]) == ArchiveEncoder().encode(["a": [Day]()]))
    }

    @Test func `is an array for other coders`() throws {
        try TemporaryFolder.with { folder in
            let document = try open(file(folder, 3))
            document.root.days.append(Day(number: 3, name: "new"))
            let json = try JSONEncoder().encode(document.root)
            let plain = try JSONDecoder().decode(PlainDiary.self, from: json)
            #expect(plain.days.map(\.name) == ["Day 0", "Day 1", "Day 2", "new"])
            #expect(plain.notes.map(\.text) == ["Note 0", "Note 1", "Note 2"])
            #expect(try JSONDecoder().decode(Diary.self, from: json).days.count == 4)
        }
    }

    @Test func `is copied into another archive, with the changes in it`() throws {
        try TemporaryFolder.with { folder in
            let diary = try decoder(Diary.self).decode(Diary.self, from: file(folder, 5))
            diary.notes[1].text = "changed"
            diary.notes.append(Note("new"))
            let copy = try decoder(PlainDiary.self).decode(PlainDiary.self, from: encoder(Diary.self).encode(diary))
            #expect(copy.notes.map(\.text) == ["Note 0", "changed", "Note 2", "Note 3", "Note 4", "new"])
            #expect(copy.notes[0] === copy.first)
        }
    }

    @Test func `keeps an element that cannot be decoded, and gives an empty one`() throws {
        try TemporaryFolder.with { folder in
            let url = try file(folder, 5)
            // The text of one note is a number.
            var editor = try KeyedArchiveEditor(KeyedArchive(contentsOf: url))
            try editor.set(7, at: ["root", "notes", 2, "text"])
            try editor.propertyList.data().write(to: url)
            let errors = Counter()
            let document = try ArchiveDocument<Diary>(
                contentsOf: url, encoder: encoder(Diary.self), decoder: decoder(Diary.self),
                deferredErrorHandler: { _ in errors.add() })
            #expect(document.root.notes[2].text == "" && errors.take() == 1)
            #expect(document.root.notes[3].text == "Note 3")
            #expect(throws: DecodingError.self) { try document.root.notes.element(at: 2) }
            document.root.notes.append(Note("new"))
            try document.save()
            let value = try KeyedArchive(contentsOf: url)["root", "notes", 2, "text"]
            #expect(value?.integer == 7)
        }
    }
}

/// A library whose books are decoded one by one.
private final class Library: Codable {
    var favourite: Book?
    @Deferred var books: ArchivedDictionary<String, Book> = [:]
}

private final class Book: Codable {
    var text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
        Self.decodings.add()
    }

    static let decodings = Counter()
}

@Suite(.inTurn) struct `A dictionary whose values are decoded one by one` {
    /// The same with a plain dictionary.
    private final class PlainLibrary: Codable {
        var favourite: Book?
        var books: [String: Book] = [:]
    }

    private func file(_ folder: TemporaryFolder, _ count: Int) throws -> URL {
        let library = PlainLibrary()
        for number in 0..<count { library.books["\(number)"] = Book("Book \(number)") }
        library.favourite = library.books["0"]
        try encoder(PlainLibrary.self).encode(library, to: folder["library"])
        _ = Book.decodings.take()
        return folder["library"]
    }

    private func open(_ url: URL) throws -> ArchiveDocument<Library> {
        let document = try ArchiveDocument<Library>(
            contentsOf: url, encoder: encoder(Library.self), decoder: decoder(Library.self))
        _ = Book.decodings.take()
        return document
    }

    private func texts(_ url: URL) throws -> [String: String] {
        try decoder(PlainLibrary.self).decode(PlainLibrary.self, from: url).books.mapValues(\.text)
    }

    @Test func `decodes the values that are read, and no others`() throws {
        try TemporaryFolder.with { folder in
            let document = try open(file(folder, 500))
            #expect(document.root.books.count == 500 && Set(document.root.books.keys).count == 500)
            #expect(Book.decodings.take() == 0)
            #expect(document.root.books["77"]?.text == "Book 77" && document.root.books["none"] == nil)
            #expect(Book.decodings.take() == 1)
            #expect(document.root.books["0"] === document.root.favourite)
            #expect(try !document.hasChanges())
        }
    }

    @Test func `saves values that were set, removed and changed`() throws {
        try TemporaryFolder.with { folder in
            let url = try file(folder, 20)
            let document = try open(url)
            document.root.books["new"] = Book("new")
            document.root.books["3"] = nil
            document.root.books["4"] = Book("other")
            document.root.books["5"]?.text = "changed"
            document.root.books["absent"] = nil
            var expected: [String: String] = [:]
            for number in 0..<20 where number != 3 { expected["\(number)"] = "Book \(number)" }
            (expected["new"], expected["4"], expected["5"]) = ("new", "other", "changed")
            #expect(document.root.books.count == 20)
            #expect(Dictionary(uniqueKeysWithValues: document.root.books.map { ($0.key, $0.value.text) }) == expected)
            try document.save()
            #expect(try texts(url) == expected)
            #expect(try !document.hasChanges())
        }
    }

    @Test func `is a dictionary for other coders`() throws {
        try TemporaryFolder.with { folder in
            let library = try decoder(Library.self).decode(Library.self, from: file(folder, 3))
            library.books["new"] = Book("new")
            let json = try JSONDecoder().decode(PlainLibrary.self, from: JSONEncoder().encode(library))
            let expected = ["0": "Book 0", "1": "Book 1", "2": "Book 2", "new": "new"]
            #expect(json.books.mapValues(\.text) == expected)
            let archived = try decoder(PlainLibrary.self).decode(
                PlainLibrary.self, from: encoder(Library.self).encode(library))
            #expect(archived.books.mapValues(\.text) == expected && archived.books["0"] === archived.favourite)
        }
    }
}
