// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on leaving NSCoding, unchanged. The code for Cocoa runs with Foundation.
@Suite(.inTurn)
struct `The article on migrating from NSCoding`: DocumentedOutput {
    final class Item: Coding {
        let name: String
        let count: Int
        let price: Double
        let added: Date?
        let tags: [String]
        weak var list: ItemList?

        init(name: String, count: Int, price: Double, added: Date?, tags: [String]) {
            self.name = name
            self.count = count
            self.price = price
            self.added = added
            self.tags = tags
        }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            count = try coder.decodeInteger(forKey: "count")
            price = try coder.decodeDouble(forKey: "price")
            added = try coder.decodeIfPresent(Date.self, forKey: "added")
            tags = try coder.decodeIfPresent([String].self, forKey: "tags") ?? []
            coder.publish(self)
            list = try coder.decodeIfPresent(ItemList.self, forKey: "list")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            coder.encode(count, forKey: "count")
            coder.encode(price, forKey: "price")
            coder.encode(added, forKey: "added")
            try coder.encode(tags, forKey: "tags")
            try coder.encodeConditional(list, forKey: "list")
        }
    }

    final class ItemList: Coding {
        let title: String
        private(set) var items: [Item] = []

        init(title: String) { self.title = title }

        func add(_ item: Item) {
            items.append(item)
            item.list = self
        }

        init(coder: KeyedUnarchiver) throws {
            title = try coder.decode(String.self, forKey: "title")
            coder.publish(self)
            items = try coder.decodeIfPresent([Item].self, forKey: "items") ?? []
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(title, forKey: "title")
            try coder.encode(items, forKey: "items")
        }
    }

    /// A file that the program with Cocoa's classes wrote, when it was called MyApp.
    private func oldFile() throws -> Data {
        var editor = try KeyedArchiveEditor(KeyedArchive(CocoaProgram.saved(CocoaProgram.list())))
        try editor.renameClass("DocumentationTests.Item", to: "MyApp.Item")
        try editor.renameClass("DocumentationTests.ItemList", to: "MyApp.ItemList")
        return try editor.propertyList.data()
    }

    @Test func `saves and loads as Cocoa's classes did`() throws {
        let empty = try #require(try CocoaProgram.savedAndLoaded(DocumentationTests.ItemList(title: "Empty")))
        #expect(empty.title == "Empty" && empty.items.isEmpty)

        let list = ItemList(title: "Garden")
        let date = Date(timeIntervalSinceReferenceDate: 86_400)
        list.add(Item(name: "Spade", count: 2, price: 12.5, added: date, tags: ["tool", "iron"]))
        let data = try KeyedArchiver.archivedData(withRootObject: list)
        let again = try KeyedUnarchiver.unarchivedObject(of: ItemList.self, from: data)
        print(again.items[0].list === again)  // true
        #expect(again.items[0].tags == ["tool", "iron"] && again.items[0].added == date)

        // Whichever of the two is met first.
        let archiver = KeyedArchiver()
        try archiver.encode(list.items[0], forKey: "item")
        try archiver.encode(list, forKey: "list")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let item = try unarchiver.decode(Item.self, forKey: "item")
        #expect(try unarchiver.decode(ItemList.self, forKey: "list").items.first === item)
        #expect(item.list?.title == "Garden")
    }

    @Test func `reads the old files, under the names that they have`() throws {
        let oldFile = try oldFile()
        var classes = ClassRegistry()
        classes.register(Item.self, name: "Item", aliases: ["MyApp.Item"])
        classes.register(ItemList.self, name: "ItemList", aliases: ["MyApp.ItemList"])

        let old = try KeyedUnarchiver.unarchivedObject(of: ItemList.self, from: oldFile, classes: classes)
        #expect(old.title == "Garden")
        #expect(old.items.map(\.name) == ["Spade", "Seeds"])
        #expect(old.items.map(\.count) == [2, 300] && old.items.map(\.price) == [12.5, 0.5])
        #expect(old.items.map(\.added) == [Date(timeIntervalSinceReferenceDate: 86_400), nil])
        #expect(old.items.map(\.tags) == [["tool", "iron"], []])
        #expect(old.items.allSatisfy { $0.list === old })

        let archiver = KeyedArchiver()
        archiver.classes = classes
        try archiver.encode(old, forKey: "root")
        #expect(try KeyedArchive(archiver.finishEncoding()).root.className == "ItemList")
        let names = try KeyedArchive(oldFile).classes.map(\.name)
        #expect(Set(names).isSuperset(of: ["MyApp.Item", "MyApp.ItemList"]))
    }

    @Test func `has types that say their names themselves`() throws {
        struct Tag: Codable, ArchiveDescribing {
            static let archiveName = "Tag"
            static let archiveAliases = ["MyApp.Tag"]
            var text: String
        }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Tag.self, name: "MyApp.Tag")
        let old = try encoder.encode([Tag(text: "a")])
        #expect(try ArchiveDecoder().decode([Tag].self, from: old).map(\.text) == ["a"])
        #expect(try KeyedArchive(ArchiveEncoder().encode(Tag(text: "a"))).root.className == "Tag")
    }

    @Test func `reads the old files into structs, and writes files that Cocoa reads`() throws {
        let oldFile = try oldFile()
        struct ItemRecord: Codable {
            var name: String
            var count: Int
            var price: Double
            var added: Date?
            var tags: [String]
        }

        struct ItemListRecord: Codable {
            var title: String
            var items: [ItemRecord]
        }

        let record = try ArchiveDecoder().decode(ItemListRecord.self, from: oldFile)
        #expect(record.items.map(\.name) == ["Spade", "Seeds"])
        #expect(record.items.map(\.added) == [Date(timeIntervalSinceReferenceDate: 86_400), nil])
        let archive = try KeyedArchive(oldFile)
        let part = try archive.top["root"]?.decode(ItemListRecord.self)
        #expect(part?.items.map(\.tags) == [["tool", "iron"], []])

        var encoder = ArchiveEncoder()
        encoder.classes.register(ItemListRecord.self, name: "MyApp.ItemList")
        encoder.classes.register(ItemRecord.self, name: "MyApp.Item")
        let forOldPrograms = try encoder.encode(record)
        #expect(try KeyedArchive(forOldPrograms).root.className == "MyApp.ItemList")
        NSKeyedUnarchiver.setClass(DocumentationTests.ItemList.self, forClassName: "MyApp.ItemList")
        NSKeyedUnarchiver.setClass(DocumentationTests.Item.self, forClassName: "MyApp.Item")
        let list = try #require(try CocoaProgram.loaded(forOldPrograms))
        #expect(list.title == "Garden")
        #expect(list.items.map(\.name) == ["Spade", "Seeds"] && list.items.map(\.price) == [12.5, 0.5])
        #expect(list.items.map(\.added) == [Date(timeIntervalSinceReferenceDate: 86_400), nil])
        #expect(list.items.map(\.tags) == [["tool", "iron"], []])
    }

    @Test func `has a class that either side archives`() throws {
        let badge = Badge(label: "New")
        let here = try KeyedUnarchiver.unarchivedObject(
            of: Badge.self, from: KeyedArchiver.archivedData(withRootObject: badge))
        #expect(here.label == "New")
        let there = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: Badge.self, from: NSKeyedArchiver.archivedData(withRootObject: badge, requiringSecureCoding: true))
        #expect(there?.label == "New")
        // And across.
        let across = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: Badge.self, from: KeyedArchiver.archivedData(withRootObject: badge))
        #expect(across?.label == "New")
    }
}

final class Badge: NSObject, NSSecureCoding, Coding {
    static let supportsSecureCoding = true
    let label: String

    init(label: String) { self.label = label }

    init?(coder: NSCoder) {
        guard let label = coder.decodeObject(of: NSString.self, forKey: "label") else { return nil }
        self.label = label as String
    }

    func encode(with coder: NSCoder) {
        coder.encode(label as NSString, forKey: "label")
    }

    init(coder: KeyedUnarchiver) throws {
        label = try coder.decode(String.self, forKey: "label")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(label, forKey: "label")
    }
}
