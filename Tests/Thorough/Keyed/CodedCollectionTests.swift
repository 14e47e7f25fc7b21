// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `Collections of instances` {
    /// The objects that `object`, an NSArray or NSSet, has as its elements.
    private func elements(_ object: PropertyList?, in archive: InspectedArchive) -> [PropertyList] {
        guard case .array(let elements)? = object?["NS.objects"] else { return [] }
        return elements.compactMap { archive.follow($0) }
    }

    @Test(arguments: KeyedPlace.allCases)
    func `are stored in the archive as Cocoa's`(place: KeyedPlace) throws {
        let item = CodedItem("item", 1)
        let archive = try InspectedArchive(
            place.archive { archiver in
                try archiver.encode([item, CodedItem("other", 2), item], forKey: "array")
                try archiver.encode(Set([HashedItem("a"), HashedItem("b")]), forKey: "set")
                try archiver.encode(["k": item], forKey: "dictionary")
                try archiver.encodeObject([item, HashedItem("c")] as [any Coding], forKey: "mixed")
                try archiver.encodeObject(["l": HashedItem("d")] as [String: any Coding], forKey: "named")
            })
        let entries = try place.entries(in: archive)
        let objects = entries.keys.map { archive.follow(entries[$0]) ?? .null }
        let names = ["NSArray", "NSSet", "NSDictionary", "NSArray", "NSDictionary"]
        #expect(objects.map { archive.className(of: $0) } == names)
        #expect(archive.classChain(of: objects[0]) == ["NSArray", "NSObject"])
        let array = elements(objects[0], in: archive)
        #expect(array.map { archive.follow($0["name"]) } == ["item", "other", "item"])
        #expect(array.map { $0["value"] } == [1, 2, 1])
        #expect(objects[0]["NS.objects"]?[0] == objects[0]["NS.objects"]?[2])
        #expect(Set(elements(objects[1], in: archive).map { archive.follow($0["name"]) }) == ["a", "b"])
        #expect(archive.follow(objects[2]["NS.keys"]?[0]) == "k")
        #expect(objects[2]["NS.objects"]?[0] == objects[0]["NS.objects"]?[0])
        #expect(elements(objects[3], in: archive).map { archive.follow($0["name"]) } == ["item", "c"])
        #expect(archive.follow(objects[4]["NS.keys"]?[0]) == "l")
        #expect(archive.count(ofClass: "CodedItem") == 2)
    }

    @Test(arguments: KeyedPlace.allCases, PropertyListFormat.allCases)
    func `come back with each instance once, empty ones as well`(place: KeyedPlace, format: PropertyListFormat) throws {
        let items = (0..<300).map { CodedItem("\($0)", $0) }
        let data = try place.archive(format: format) { archiver in
            try archiver.encode(items + items, forKey: "array")
            try archiver.encode(Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0) }), forKey: "dictionary")
            try archiver.encode(Set((0..<300).map { HashedItem("\($0)") }), forKey: "set")
            try archiver.encode([CodedItem](), forKey: "no array")
            try archiver.encode(Set<HashedItem>(), forKey: "no set")
            try archiver.encode([String: CodedItem](), forKey: "no dictionary")
            try archiver.encodeNext([items[7]])
        }
        try place.read(data) { unarchiver throws in
            let array = try unarchiver.decode([CodedItem].self, forKey: "array")
            #expect(array.map(\.value) == Array(0..<300) + Array(0..<300))
            for index in 0..<300 where array[index] !== array[index + 300] { Issue.record("\(index)") }
            let dictionary = try unarchiver.decode([String: CodedItem].self, forKey: "dictionary")
            #expect(dictionary.count == 300)
            for (name, item) in dictionary where item !== array[item.value] || item.name != name {
                Issue.record("\(name)")
            }
            #expect(try unarchiver.decode(Set<HashedItem>.self, forKey: "set").count == 300)
            #expect(try unarchiver.decode([CodedItem].self, forKey: "no array").isEmpty)
            #expect(try unarchiver.decode(Set<HashedItem>.self, forKey: "no set").isEmpty)
            #expect(try unarchiver.decode([String: CodedItem].self, forKey: "no dictionary").isEmpty)
            #expect(try unarchiver.decodeIfPresent([CodedItem].self, forKey: "no array")?.isEmpty == true)
            #expect(try unarchiver.decodeNext([CodedItem].self).first === array[7])
        }
    }

    @Test func `of each other, and of optionals, are encoded as Coded`() throws {
        let item = CodedItem("item", 1)
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(Coded(wrappedValue: [[item], [], [item, item]]), forKey: "arrays")
            try archiver.encode(Coded(wrappedValue: [item, nil]), forKey: "optionals")
            try archiver.encode(Coded(wrappedValue: [1: [item]]), forKey: "by number")
            try archiver.encode(item, forKey: "item")
        }
        let found = try unarchiver.decode(CodedItem.self, forKey: "item")
        let arrays = try unarchiver.decode(Coded<[[CodedItem]]>.self, forKey: "arrays").wrappedValue
        #expect(arrays.map(\.count) == [1, 0, 2])
        #expect(arrays.joined().allSatisfy { $0 === found })
        let optionals = try unarchiver.decode(Coded<[CodedItem?]>.self, forKey: "optionals").wrappedValue
        #expect(optionals.count == 2)
        #expect(optionals[0] === found)
        #expect(optionals[1] == nil)
        let numbered = try unarchiver.decode(Coded<[Int: [CodedItem]]>.self, forKey: "by number").wrappedValue
        #expect(numbered[1]?.first === found)
    }

    @Test func `of other writers are read: mutable ones, and those with a key for each element`() throws {
        let item: PropertyList = ["name": "x", "$class": .uid(5)]
        let data = try handmadeArchive(
            top: ["mutable": .uid(2), "numbered": .uid(3), "table": .uid(4), "empty": .uid(9)], item,
            ["NS.objects": [.uid(1), .uid(1)], "$class": .uid(6)],
            ["NS.object.1": .uid(1), "NS.object.0": .uid(1), "$class": .uid(7)],
            ["NS.key.0": "k", "NS.object.0": .uid(1), "$class": .uid(8)], classEntry("Item"),
            classEntry("NSMutableArray", "NSArray"), classEntry("NSSet"),
            classEntry("NSMutableDictionary", "NSDictionary"),
            ["$class": .uid(6)])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(HashedItem.self, aliases: ["Item"])
        let mutable = try unarchiver.decode([HashedItem].self, forKey: "mutable")
        #expect(mutable.count == 2)
        #expect(mutable[0] === mutable[1])
        #expect(try unarchiver.decode(Set<HashedItem>.self, forKey: "numbered").count == 1)
        #expect(try unarchiver.decode([String: HashedItem].self, forKey: "table")["k"] === mutable[0])
        #expect(try unarchiver.decode([HashedItem].self, forKey: "empty").isEmpty)
    }

    @Test func `with nil in them are an error that says where, and those of Coded have it`() throws {
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(Coded(wrappedValue: [CodedItem("a", 1), nil]), forKey: "list")
            try archiver.encode(Coded(wrappedValue: ["k": CodedItem?.none]), forKey: "table")
        }
        let list = try keyedFailure { try unarchiver.decode([CodedItem].self, forKey: "list") }
        #expect(list.code == "valueNotFound")
        #expect(list.path == "list[1]")
        let table = try keyedFailure { try unarchiver.decode([String: CodedItem].self, forKey: "table") }
        #expect(table.code == "valueNotFound")
        #expect(table.path == "table.k")
        let optional = try unarchiver.decode(Coded<[String: CodedItem?]>.self, forKey: "table").wrappedValue
        #expect(optional.count == 1)
    }

    @Test func `have an NSNull for nil`() throws {
        let item = CodedItem("item", 1)
        let archiver = KeyedArchiver()
        try archiver.encode(Coded(wrappedValue: [item, nil, item] as [CodedItem?]), forKey: "coded")
        try archiver.encodeObject([item, nil] as [Any?], forKey: "any")
        try archiver.encodeObject(["a": nil, "b": item] as [String: Any?], forKey: "named")
        let data = try archiver.finishEncoding()
        let archive = try InspectedArchive(data)
        #expect(archive.count(ofClass: "NSNull") == 1)
        let lists = archive.objects.compactMap { $0["NS.objects"] }
        for case .array(let elements) in lists { #expect(!elements.contains(.uid(0))) }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(CodedItem.self, name: "CodedItem")
        let coded = try unarchiver.decode(Coded<[CodedItem?]>.self, forKey: "coded").wrappedValue
        #expect(coded.map { $0?.name } == ["item", nil, "item"])
        #expect(coded[0] === coded[2])
        let any = try unarchiver.decodeObject(of: [[Any].self, CodedItem.self], forKey: "any") as? [Any?]
        #expect(any?.count == 2 && any?[0] as? CodedItem === coded[0])
        let named = try unarchiver.decodeObject(
            of: [[AnyHashable: Any].self, CodedItem.self, String.self], forKey: "named")
        let entries = try #require(named as? [AnyHashable: Any?])
        #expect(entries.count == 2 && entries["b"] as? CodedItem === coded[0])
        let missing = try keyedFailure { try unarchiver.decode([CodedItem].self, forKey: "coded") }
        #expect(missing.code == "valueNotFound" && missing.path == "coded[1]", "\(missing)")
    }
}
