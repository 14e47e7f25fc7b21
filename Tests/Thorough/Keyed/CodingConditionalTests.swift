// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A conditional reference to a Coding instance` {
    final class Item: Coding {
        let name: String

        init(_ name: String) { self.name = name }

        init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
        func encode(with coder: KeyedArchiver) { coder.encode(name, forKey: "name") }
    }

    /// Codable only.
    final class Tag: Codable {
        let name: String

        init(_ name: String) { self.name = name }
    }

    /// Refers to one of each, weakly.
    final class Reader: Coding {
        let id: Int
        private(set) weak var item: Item?
        private(set) weak var tag: Tag?

        init(_ id: Int, _ item: Item?, _ tag: Tag?) { (self.id, self.item, self.tag) = (id, item, tag) }

        init(coder: KeyedUnarchiver) throws {
            id = try coder.decodeInteger(forKey: "id")
            item = try coder.decodeIfPresent(Item.self, forKey: "item")
            tag = try coder.decodeIfPresent(Tag.self, forKey: "tag")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(id, forKey: "id")
            try coder.encodeConditional(item, forKey: "item")
            try coder.encodeConditional(tag, forKey: "tag")
        }
    }

    // MARK: - In the archive

    @Test func `has a slot of its own that stays "$null" where nothing archives the instance`() throws {
        let (seen, unseen) = (Item("seen"), Item("unseen"))
        let data = try keyedArchive {
            try $0.encodeConditional(unseen, forKey: "a")
            try $0.encodeConditional(seen, forKey: "b")
            try $0.encode(seen, forKey: "c")
            try $0.encodeConditional(seen, forKey: "d")
            try $0.encodeConditional(unseen, forKey: "e")
            try $0.encodeConditional(Item?.none, forKey: "f")
            try $0.encodeConditional((any Coding)?.none, forKey: "g")
        }
        let archive = try InspectedArchive(data)
        #expect(archive.count(ofClass: "Item") == 1 && !archive.objects.contains("unseen"))
        #expect(archive.top("a") == archive.top("e") && archive.top("a") != .uid(0))
        #expect(archive.follow(archive.top("a")) == "$null")
        #expect(archive.top("b") == archive.top("c") && archive.top("c") == archive.top("d"))
        #expect(archive.top("f") == .uid(0) && archive.top("g") == .uid(0))
    }

    @Test func `does not ask the instance to encode itself`() throws {
        final class Unwilling: Coding {
            init() {}
            init(coder: KeyedUnarchiver) throws {}
            func encode(with coder: KeyedArchiver) throws { Issue.record("It was asked") }
        }
        let unwilling = Unwilling()
        let data = try keyedArchive {
            try $0.encodeConditional(unwilling, forKey: "a")
            try $0.encodeNextConditional(unwilling)
        }
        let archive = try InspectedArchive(data)
        #expect(archive.classNames.isEmpty && archive.top("a") == archive.top("$0"))
    }

    @Test func `keeps the instance alive until the archive is finished`() throws {
        // Otherwise another one could have its address, and be taken for it.
        let archiver = KeyedArchiver()
        for index in 0..<100 { try archiver.encodeConditional(Item("gone"), forKey: "gone\(index)") }
        try archiver.encode((0..<100).map { Item("\($0)") }, forKey: "all")
        let unarchiver = try keyedUnarchiver(archiver.finishEncoding())
        for index in 0..<100 {
            #expect(try unarchiver.decodeIfPresent(Item.self, forKey: "gone\(index)") == nil)
        }
        #expect(try unarchiver.decode([Item].self, forKey: "all").map(\.name) == (0..<100).map { "\($0)" })
    }

    // MARK: - Before, after, never

    /// What is encoded, in order: readers, which refer to an item and a tag, and those two themselves.
    enum Step {
        case reader(Int)
        case item
        case tag
        case itemInStruct
        case tagInList
    }

    struct Row: CustomTestStringConvertible {
        var steps: [Step]
        var hasItem: Bool
        var hasTag: Bool
        var testDescription: String { "\(steps)" }
    }

    static let rows = [
        Row(steps: [.reader(0)], hasItem: false, hasTag: false),
        Row(steps: [.reader(0), .reader(1)], hasItem: false, hasTag: false),
        Row(steps: [.reader(0), .item], hasItem: true, hasTag: false),
        Row(steps: [.item, .reader(0)], hasItem: true, hasTag: false),
        Row(steps: [.reader(0), .tag], hasItem: false, hasTag: true),
        Row(steps: [.tag, .reader(0)], hasItem: false, hasTag: true),
        Row(steps: [.reader(0), .item, .reader(1), .tag, .reader(2)], hasItem: true, hasTag: true),
        Row(steps: [.reader(0), .tagInList, .itemInStruct, .reader(1)], hasItem: true, hasTag: true),
        Row(steps: [.itemInStruct, .reader(0), .item], hasItem: true, hasTag: false),
        Row(steps: [.tagInList, .tag, .reader(0)], hasItem: false, hasTag: true),
    ]

    @Test(arguments: rows, [true, false])
    func `refers to the instance if anything archives it, whichever is encoded first`(
        row: Row, readersFirst: Bool
    ) throws {
        struct Box: Codable {
            @Coded var item: Item
        }
        let (item, tag) = (Item("item"), Tag("tag"))
        let data = try keyedArchive { archiver in
            for step in row.steps {
                switch step {
                case .reader(let id): try archiver.encode(Reader(id, item, tag), forKey: "reader\(id)")
                case .item: try archiver.encode(item, forKey: "item")
                case .tag: try archiver.encode(tag, forKey: "tag")
                case .itemInStruct: try archiver.encode(Box(item: item), forKey: "box")
                case .tagInList: try archiver.encode([tag, tag], forKey: "tags")
                }
            }
        }
        let archive = try InspectedArchive(data)
        #expect(archive.count(ofClass: "Item") == (row.hasItem ? 1 : 0))
        #expect(archive.count(ofClass: "Tag") == (row.hasTag ? 1 : 0))

        let unarchiver = try keyedUnarchiver(data)
        func targets() throws -> [AnyObject] {
            var found: [AnyObject] = []
            if unarchiver.containsValue(forKey: "item") {
                found.append(try unarchiver.decode(Item.self, forKey: "item"))
            }
            if unarchiver.containsValue(forKey: "box") {
                found.append(try unarchiver.decode(Box.self, forKey: "box").item)
            }
            if unarchiver.containsValue(forKey: "tag") { found.append(try unarchiver.decode(Tag.self, forKey: "tag")) }
            if unarchiver.containsValue(forKey: "tags") {
                found += try unarchiver.decode([Tag].self, forKey: "tags") as [AnyObject]
            }
            return found
        }
        func readers() throws -> [Reader] {
            try unarchiver.allKeys.filter { $0.hasPrefix("reader") }.map {
                try unarchiver.decode(Reader.self, forKey: $0)
            }
        }
        let early = readersFirst ? try readers() : []
        let found = try targets()
        for reader in try readers() {
            #expect((reader.item != nil) == row.hasItem && (reader.tag != nil) == row.hasTag)
            #expect(found.allSatisfy { $0 === reader.item || $0 === reader.tag })
        }
        #expect(early.allSatisfy { ($0.item != nil) == row.hasItem && ($0.tag != nil) == row.hasTag })
    }

    @Test func `is nil, and no value where one is needed, where nothing archives the instance`() throws {
        let data = try keyedArchive { try $0.encodeConditional(Item("i"), forKey: "i") }
        let unarchiver = try keyedUnarchiver(data)
        #expect(unarchiver.containsValue(forKey: "i"))
        #expect(try unarchiver.decodeIfPresent(Item.self, forKey: "i") == nil)
        #expect(try unarchiver.decodeObject(of: [Item.self], forKey: "i") == nil)
        #expect(try unarchiver.decode(Reference<Item>.self, forKey: "i").wrappedValue == nil)
        #expect(try unarchiver.decode(WeakReference<Item>.self, forKey: "i").wrappedValue == nil)
        let error = try archivingError { try unarchiver.decode(Item.self, forKey: "i") }
        #expect(error.code == .valueNotFound && error.codingPath.text == "i")
    }

    // MARK: - Weak references over several calls

    final class Watcher: Coding {
        @WeakReference var item: Item?
        @WeakReference var tag: Tag?

        init(_ item: Item?, _ tag: Tag?) {
            self.item = item
            self.tag = tag
        }

        init(coder: KeyedUnarchiver) throws {
            _item = try coder.decode(WeakReference<Item>.self, forKey: "item")
            _tag = try coder.decode(WeakReference<Tag>.self, forKey: "tag")
        }

        func encode(with coder: KeyedArchiver) throws {
            try coder.encodeConditional(item, forKey: "item")
            try coder.encodeConditional(tag, forKey: "tag")
        }
    }

    @Test func `gets its instance from a later call`() throws {
        let (item, tag) = (Item("i"), Tag("t"))
        let data = try keyedArchive {
            try $0.encode(Watcher(item, tag), forKey: "watcher")
            try $0.encode(item, forKey: "item")
            try $0.encode([tag], forKey: "tags")
            $0.encode(1, forKey: "number")
        }
        let unarchiver = try keyedUnarchiver(data)
        let watcher = try unarchiver.decode(Watcher.self, forKey: "watcher")
        // It does not request them itself.
        #expect(watcher.item == nil && watcher.tag == nil)
        #expect(try unarchiver.decodeInteger(forKey: "number") == 1)
        let itemAgain = try unarchiver.decode(Item.self, forKey: "item")
        #expect(watcher.item === itemAgain && watcher.tag == nil)
        let tags = try unarchiver.decode([Tag].self, forKey: "tags")
        #expect(watcher.tag === tags[0] && watcher.item === itemAgain)
    }

    @Test func `gets it at once where it is there already`() throws {
        let item = Item("i")
        let data = try keyedArchive {
            try $0.encode(Watcher(item, nil), forKey: "watcher")
            try $0.encode(item, forKey: "item")
        }
        let unarchiver = try keyedUnarchiver(data)
        let again = try unarchiver.decode(Item.self, forKey: "item")
        #expect(try unarchiver.decode(WeakReference<Item>.self, forKey: "item").wrappedValue === again)
        #expect(try unarchiver.decode(Watcher.self, forKey: "watcher").item === again)
    }

    @Test func `does not retain its instance`() throws {
        let item = Item("i")
        let data = try keyedArchive {
            try $0.encode(Watcher(item, nil), forKey: "watcher")
            try $0.encode(item, forKey: "item")
        }
        var unarchiver: KeyedUnarchiver? = try keyedUnarchiver(data)
        let watcher = try #require(try unarchiver?.decode(Watcher.self, forKey: "watcher"))
        _ = try unarchiver?.decode(Item.self, forKey: "item")
        unarchiver = nil
        #expect(watcher.item == nil)
    }

    // MARK: - Parents

    final class Folder: Coding {
        let name: String
        private(set) var folders: [Folder] = []
        private(set) weak var parent: Folder?

        init(_ name: String, _ folders: Folder...) {
            self.name = name
            self.folders = folders
            for folder in folders { folder.parent = self }
        }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            coder.publish(self)
            folders = try coder.decode([Folder].self, forKey: "folders")
            parent = try coder.decodeIfPresent(Folder.self, forKey: "parent")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(folders, forKey: "folders")
            try coder.encodeConditional(parent, forKey: "parent")
        }
    }

    @Test func `lets a part be archived without the whole`() throws {
        let leaf = Folder("leaf")
        let middle = Folder("middle", leaf, Folder("other"))
        let root = Folder("root", middle)
        let whole = try KeyedUnarchiver.unarchivedObject(
            of: Folder.self, from: KeyedArchiver.archivedData(withRootObject: root))
        let middleAgain = try #require(whole.folders.first)
        #expect(middleAgain.parent === whole && middleAgain.folders.allSatisfy { $0.parent === middleAgain })

        let data = try KeyedArchiver.archivedData(withRootObject: middle)
        #expect(try InspectedArchive(data).count(ofClass: "Folder") == 3)
        let part = try KeyedUnarchiver.unarchivedObject(of: Folder.self, from: data)
        #expect(part.parent == nil && part.folders.map(\.name) == ["leaf", "other"])
        #expect(part.folders.allSatisfy { $0.parent === part })
    }
}
