// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

extension `The article on declared fields`.Index {
    func add(_ word: String) {
        let entry = `The article on declared fields`.Entry()
        (entry.word, entry.index) = (word, self)
        entries.append(entry)
    }

    func clear() { (entries, byWord) = ([], [:]) }
}

/// What the article says about complete instances and failures.
extension `The article on declared fields` {
    // MARK: Complete instances

    final class Entry: ArchivedFields {
        var word = ""
        var index: Index?

        init() {}

        static let fields = FieldList<Entry> {
            Field("word", \.word)
            Field("index", \.index)
        }
    }

    final class Index: ArchivedFields {
        private(set) var entries: [Entry] = []
        private(set) var byWord: [String: Entry] = [:]

        init() {}

        static let fields = FieldList<Index> { Field("entries", \.entries) }

        func didFinishDecoding() {
            for entry in entries { byWord[entry.word] = entry }
        }
    }

    @Test func `finishes instances when the graph is complete`() throws {
        let index = Index()
        for word in ["a", "b"] { index.add(word) }
        defer { index.clear() }
        let first = try roundTrip(index)
        let second = try #require(try roundTrip(index.entries[1]).index)
        defer { for copy in [first, second] { copy.clear() } }
        for copy in [first, second] {
            #expect(copy.byWord.count == 2 && copy.entries.allSatisfy { $0 === copy.byWord[$0.word] })
        }
    }

    /// A Codable class whose initializer reads an instance.
    final class Reader: Codable {
        let item: Item
        let seen: [String]
        let readerOfNext: Reader?

        init(_ item: Item) { (self.item, seen, readerOfNext) = (item, [], nil) }

        private enum CodingKeys: CodingKey { case item }

        init(from decoder: any Decoder) throws {
            item = try decoder.container(keyedBy: CodingKeys.self).decode(Item.self, forKey: .item)
            seen = [item.first, item.last, item.next?.first ?? "", item.next?.last ?? ""]
            readerOfNext = item.next?.reader
        }
    }

    final class Item: ArchivedFields {
        var first = ""
        var next: Item?
        var reader: Reader?
        var last = ""

        init() {}

        static let fields = FieldList<Item> {
            Field("first", \.first)
            Field("next", \.next)
            Field("reader", \.reader)
            Field("last", \.last)
        }

        convenience init(_ name: String) {
            self.init()
            (first, last) = ("first \(name)", "last \(name)")
        }
    }

    @Test func `gives initializers instances with all fields, except the field that is being decoded`() throws {
        let items = [Item("a"), Item("b"), Item("c")]
        (items[0].reader, items[1].next) = (Reader(items[1]), items[2])
        #expect(try roundTrip(items[0]).reader?.seen == ["first b", "last b", "first c", "last c"])
        items[1].next = items[0]
        defer { items[1].next = nil }
        let copy = try roundTrip(items[0])
        defer { copy.reader = nil }
        #expect(copy.reader?.seen == ["first b", "last b", "first a", "last a"])
        #expect(copy.reader?.item.next === copy && copy.reader?.readerOfNext == nil)
    }

    // MARK: Failures

    final class Link: ArchivedFields {
        var other: Link?
        var number = 0
        let life = LifeCount()

        init() {}

        static let fields = FieldList<Link> {
            Field("other", \.other)
            Field("number", \.number)
        }
    }

    final class LifeCount {
        private static let counter = Atomic(0)
        static var count: Int { counter.load(ordering: .relaxed) }
        init() { Self.counter.add(1, ordering: .relaxed) }
        deinit { Self.counter.subtract(1, ordering: .relaxed) }
    }

    final class WrongLink: Codable {
        var other: WrongLink?
        var number = "none"
    }

    struct Caught<Part: Codable>: Codable {
        var part: Part?

        private enum CodingKeys: CodingKey { case part }

        init(from decoder: any Decoder) throws {
            part = try? decoder.container(keyedBy: CodingKeys.self).decode(Part.self, forKey: .part)
        }
    }

    @Test func `fails with the fields of an instance, and keeps none`() throws {
        let wrong = WrongLink()
        wrong.other = WrongLink()
        wrong.other?.other = wrong
        defer { wrong.other = nil }
        let data = try ArchiveEncoder().encode(["part": wrong])
        let count = LifeCount.count
        let error = try failure(decoding: Caught<Link>.self, from: data)
        #expect(error.kind == .typeMismatch && error.path.hasSuffix("number"), "\(error)")
        #expect(LifeCount.count == count)
    }

    @Test func `catches the error of a struct`() throws {
        let data = try ArchiveEncoder().encode(["part": ["minutes": "none"]])
        #expect(try ArchiveDecoder().decode(Caught<Trip>.self, from: data).part == nil)
    }
}
