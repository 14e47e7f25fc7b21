// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// Documents whose file another program changes.
@Suite(.inTurn) struct `A document that is merged with its file` {
    struct Size: Codable, Equatable {
        var width = 1
        var height = 1
    }

    final class Page: ArchivedFields {
        var title = ""
        var size = Size()
        var next: Page?
        @Deferred var notes: [Page]
        var isSelected = false

        init() { notes = [] }

        convenience init(_ title: String) {
            self.init()
            self.title = title
        }

        static let fields = FieldList<Page> {
            Field("title", \.title)
            Field("size", \.size)
            Field("next", \.next)
            Field("notes", \._notes)
        }
    }

    struct Book: Codable {
        var name = "book"
        var price = 1
        var pages: [Page] = []
        var tags: [String: Int] = [:]
        var words: Set<String> = []
        var date = Date(timeIntervalSinceReferenceDate: 0)
    }

    private func withDocuments(
        _ body: (_ mine: ArchiveDocument<Book>, _ theirs: ArchiveDocument<Book>, URL) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let pages = ["a", "b", "c", "d", "e", "f"].map { Page($0) }
            pages[0].next = pages[1]
            pages[1].next = pages[0]
            pages[5].notes = [Page("note")]
            try ArchiveDocument(root: Book(pages: pages)).save(to: folder["file"])
            try body(
                ArchiveDocument(contentsOf: folder["file"]), ArchiveDocument(contentsOf: folder["file"]), folder["file"]
            )
        }
    }

    private func titles(_ url: URL) throws -> [String] {
        try ArchiveDecoder().decode(Book.self, from: url).pages.map(\.title)
    }

    @Test func `has the changes of both`() throws {
        try withDocuments { mine, theirs, url in
            theirs.root.name = "their book"
            theirs.root.pages[0].title = "A"
            theirs.root.pages[1].size.height = 7
            theirs.root.pages.remove(at: 3)
            theirs.root.pages.append(Page("theirs"))
            theirs.root.tags = ["theirs": 1]
            theirs.root.words = ["theirs"]
            theirs.root.pages[4].notes[0].title = "their note"
            try theirs.save()
            let (first, second) = (mine.root.pages[0], mine.root.pages[1])
            let new = Page("mine")
            mine.root.price = 5
            second.title = "B"
            second.size.width = 9
            first.next = new
            new.next = second
            mine.root.pages.insert(new, at: 0)
            mine.root.pages[0].isSelected = true
            #expect(throws: ArchiveDocumentError.self) { try mine.save() }
            let changes = try #require(try mine.changesOfOthers())
            #expect(changes.conflicts.isEmpty)
            #expect(changes.changesOfMine.map(\.key).contains("title"))
            let saved = try Data(contentsOf: url)
            #expect(changes.changesOfTheirs.contains { $0.description.hasSuffix("pages[0].title: \"a\" → \"A\"") })
            #expect(try Data(contentsOf: url) == saved)
            try mine.merge()
            for root in [mine.root, try ArchiveDecoder().decode(Book.self, from: url)] {
                #expect(root.name == "their book" && root.price == 5)
                #expect(root.pages.map(\.title) == ["mine", "A", "B", "c", "e", "f", "theirs"])
                #expect(root.pages[2].size == Size(width: 9, height: 7))
                #expect(root.pages[1].next === root.pages[0] && root.pages[0].next === root.pages[2])
                #expect(root.tags == ["theirs": 1] && root.words == ["theirs"])
                #expect(root.pages[5].notes[0].title == "their note")
            }
            #expect(mine.root.pages[0] === new && new.isSelected)
            #expect(mine.root.pages[1] === first && mine.root.pages[2] === second)
            // The next save and merge continue from the merged file.
            new.title = "saved"
            #expect(try mine.save().objectsWritten == 1)
            #expect(try titles(url).first == "saved")
            #expect(throws: ArchiveDocumentError.self) { try theirs.save() }
            theirs.root.pages[1].title = "late"
            #expect(throws: ArchiveMergeError.self) { try theirs.merge() }
            try theirs.merge { _ in .theirs }
            #expect(try titles(url) == ["saved", "A", "B", "c", "e", "f", "theirs"])
        }
    }

    @Test func `reports what both have changed, and keeps everything until it is decided`() throws {
        try withDocuments { mine, theirs, url in
            theirs.root.pages[2].title = "theirs"
            theirs.root.pages[0].size.width = 3
            theirs.root.date = Date(timeIntervalSinceReferenceDate: 5)
            try theirs.save()
            mine.root.pages[2].title = "mine"
            mine.root.pages[0].size.width = 4
            mine.root.date = Date(timeIntervalSinceReferenceDate: 6)
            let saved = try Data(contentsOf: url)
            let error = #expect(throws: ArchiveMergeError.self) { try mine.merge() }
            let conflicts = try #require(error).conflicts
            #expect(error?.code == .conflicts)
            #expect(
                conflicts.dropFirst().map(\.description) == [
                    "root.pages[2].title: base \"c\", mine \"mine\", theirs \"theirs\"",
                    "root.pages[0].size.width: base 1, mine 4, theirs 3",
                ])
            #expect(conflicts[0].key == "date" && conflicts[0].path.description == "root")
            #expect(conflicts[1].mine?.string == "mine" && conflicts[1].className?.hasSuffix("Page") == true)
            #expect(try Data(contentsOf: url) == saved && mine.root.pages[2].title == "mine")
            struct Undecided: Error {}
            #expect(throws: Undecided.self) { try mine.merge { _ in throw Undecided() } }
            try mine.merge { $0.key == "title" ? .theirs : $0.key == "date" ? .base : .mine }
            #expect(mine.root.pages[2].title == "theirs" && mine.root.pages[0].size.width == 4)
            #expect(mine.root.date == Date(timeIntervalSinceReferenceDate: 0))
        }
    }

    @Test func `keeps or removes an object that one has removed and the other one changed`() throws {
        for keeps in [true, false] {
            try withDocuments { mine, theirs, url in
                theirs.root.pages[3].title = "D"
                try theirs.save()
                mine.root.pages.remove(at: 3)
                var kinds: [ArchiveMerge.Conflict.Kind] = []
                try mine.merge { conflict in
                    kinds.append(conflict.kind)
                    return keeps ? .theirs : .mine
                }
                #expect(kinds == [.removal])
                #expect(mine.root.pages.map(\.title) == ["a", "b", "c"] + (keeps ? ["D"] : []) + ["e", "f"])
            }
        }
    }

    @Test func `merges lists in places that do not touch each other`() throws {
        try withDocuments { mine, theirs, _ in
            theirs.root.pages.insert(Page("theirs"), at: 2)
            try theirs.save()
            mine.root.pages.insert(Page("mine"), at: 2)
            let conflicts = try #require(try mine.changesOfOthers()).conflicts
            #expect(conflicts.map(\.kind) == [.list])
            try mine.merge { _ in .both }
            #expect(mine.root.pages.map(\.title).sorted() == ["a", "b", "c", "d", "e", "f", "mine", "theirs"])
        }
    }

    @Test func `merges elements that are structs, and lists that were empty`() throws {
        struct Drawing: Codable, Equatable {
            var sizes = [Size(), Size(width: 2), Size(width: 3)]
            var first: [Int] = []
            var second: [Int] = []
            var third: [Int] = []
        }
        try TemporaryFolder.with { folder in
            try ArchiveDocument(root: Drawing()).save(to: folder["file"])
            let mine = try ArchiveDocument<Drawing>(contentsOf: folder["file"])
            let theirs = try ArchiveDocument<Drawing>(contentsOf: folder["file"])
            theirs.root.sizes[0].height = 5
            theirs.root.sizes[2].width = 9
            theirs.root.first = [1]
            theirs.root.third = [1, 2]
            try theirs.save()
            mine.root.sizes[0].width = 7
            mine.root.sizes[1].width = 8
            mine.root.second = [2]
            mine.root.third = [3]
            let conflicts = try #require(try mine.changesOfOthers()).conflicts
            #expect(conflicts.map(\.path.description) == ["root.third"])
            try mine.merge { _ in .both }
            #expect(
                mine.root
                    == Drawing(
                        sizes: [Size(width: 7, height: 5), Size(width: 8), Size(width: 9)], first: [1], second: [2],
                        third: [1, 2, 3]))
        }
    }

    private class Animal: Codable {
        var name = "animal"
        var weight = 1
        init() {}
    }

    private final class Cow: Animal {
        var friend: Animal? = Animal()
        override init() { super.init() }
        enum CodingKeys: CodingKey { case friend }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            friend = try container.decodeIfPresent(Animal.self, forKey: .friend)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(friend, forKey: .friend)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func `merges the part of a superclass, but not two new instances`() throws {
        try TemporaryFolder.with { folder in
            try ArchiveDocument(root: [Cow()]).save(to: folder["file"])
            let mine = try ArchiveDocument<[Cow]>(contentsOf: folder["file"])
            let theirs = try ArchiveDocument<[Cow]>(contentsOf: folder["file"])
            theirs.root[0].weight = 5
            theirs.root[0].friend = Animal()
            theirs.root[0].friend?.weight = 7
            try theirs.save()
            mine.root[0].name = "mine"
            mine.root[0].friend = Animal()
            mine.root[0].friend?.name = "friend"
            let conflicts = try #require(try mine.changesOfOthers()).conflicts
            #expect(conflicts.map(\.key) == ["friend"] && conflicts.map(\.path.description) == ["root[0]"])
            try mine.merge { _ in .theirs }
            #expect(mine.root[0].name == "mine" && mine.root[0].weight == 5)
            #expect(mine.root[0].friend?.name == "animal" && mine.root[0].friend?.weight == 7)
        }
    }

    @Test func `keeps the checksum up to date`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["file"]
            var (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
            encoder.checksum = .crc64
            decoder.checksum = .required
            try encoder.encode(Book(), to: url)
            let mine = try ArchiveDocument<Book>(contentsOf: url, encoder: encoder, decoder: decoder)
            let theirs = try ArchiveDocument<Book>(contentsOf: url, encoder: encoder, decoder: decoder)
            theirs.root.name = "theirs"
            try theirs.save()
            mine.root.price = 2
            try mine.merge()
            var merged = try decoder.decode(Book.self, from: url)
            #expect(merged.name == "theirs" && merged.price == 2)
            mine.root.price = 3
            try mine.save()
            merged = try decoder.decode(Book.self, from: url)
            #expect(merged.name == "theirs" && merged.price == 3)
        }
    }

    @Test func `is saved if no other program has changed the file`() throws {
        try withDocuments { mine, _, url in
            let changes = try mine.changesOfOthers()
            #expect(changes == nil)
            mine.root.pages[0].title = "A"
            #expect(try mine.merge().objectsWritten == 1)
            #expect(try titles(url)[0] == "A")
        }
    }

    @Test func `is not merged with a file that is no changed version of it`() throws {
        struct Other: Codable { var texts = (0..<50).map { "text \($0)" } }
        try withDocuments { mine, _, url in
            try ArchiveEncoder().encode(Other(), to: url)
            let error = #expect(throws: ArchiveMergeError.self) { try mine.merge() }
            #expect(error?.code == .unrelated && error?.description.contains("Theirs does not descend") == true)
            try Data("garbage".utf8).write(to: url)
            #expect(throws: (any Error).self) { try mine.merge() }
            #expect(mine.root.pages.count == 6)
        }
    }

    @Test func `is not merged with a journal`() throws {
        try withDocuments { mine, theirs, url in
            let journaled = try ArchiveDocument<Book>(contentsOf: url, journal: .enabled)
            journaled.root.price = 2
            try journaled.save()
            mine.root.price = 3
            #expect(throws: ArchiveDocumentError.self) { try mine.save() }
            let data = try Data(contentsOf: url)
            try data.write(to: url, options: .atomic)
            let error = #expect(throws: ArchiveDocumentError.self) { try journaled.merge() }
            #expect(error?.code == .mergeWithJournal)
            let unread = #expect(throws: ArchiveDocumentError.self) { try mine.merge() }
            #expect(unread?.code == .unreadJournal)
        }
    }
}
