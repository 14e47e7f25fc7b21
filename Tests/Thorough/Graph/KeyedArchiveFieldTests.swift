// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Fields of an object` {
    @Test(arguments: PropertyListFormat.allCases)
    func `are found by the keys that the program used`(format: PropertyListFormat) throws {
        let archive = try openArchive(
            [
                "name": .uid(2), "$$price": 3, "$$$deep": 4, "$0": 5, "$1": .uid(2), "größe": 6, "$$größe": 7, "鍵": 8,
                "": 9, "a.b": 10, "$class": .uid(3),
            ], "Bella", classEntry("Cow"), format: format)
        let cow = archive.root
        #expect(cow["name"]?.string == "Bella")
        #expect(cow["$price"]?.integer == 3 && cow["$$deep"]?.integer == 4)
        #expect(cow["$0"]?.integer == 5 && cow["$1"] == cow["name"])
        #expect(cow["größe"]?.integer == 6 && cow["$größe"]?.integer == 7 && cow["鍵"]?.integer == 8)
        #expect(cow[""]?.integer == 9 && cow["a.b"]?.integer == 10)
        #expect(cow["price"] == nil && cow["deep"] == nil && cow["Name"] == nil && cow["nam"] == nil)
        #expect(cow.keys == ["name", "$price", "$$deep", "$0", "$1", "größe", "$größe", "鍵", "", "a.b"])
        #expect(cow.count == 10)
        let integers = cow.fields.filter { $0.value.kind == .integer }
        #expect(integers.count == 8)
        #expect(cow.fields[2].key == "$$deep" && cow.fields[2].value.integer == 4)
        #expect(cow.elements.isEmpty && cow.entries.isEmpty)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are those of plain dictionaries, whose keys are unchanged`(format: PropertyListFormat) throws {
        let archive = try openArchive(
            ["plain": ["$$price": 3, "$name": 4, "c": [["d": .uid(2)]]], "$class": .uid(3)], "deep", classEntry("Cow"),
            format: format)
        let plain = try #require(archive.root["plain"])
        #expect(plain.kind == .dictionary && plain.uid == nil)
        #expect(plain["$$price"]?.integer == 3 && plain["$name"]?.integer == 4 && plain["$price"] == nil)
        #expect(plain.keys == ["$$price", "$name", "c"] && plain.count == 3)
        #expect(plain["c"]?.elements.first?["d"]?.string == "deep")
        #expect(plain["c"]?[0]["d"]?.uid == 2)
        #expect(plain.entries.map(\.key.string) == ["$$price", "$name", "c"])
        #expect(plain.entries[1].value.integer == 4)
        #expect(plain.fields.map(\.key) == plain.keys)
    }

    @Test func `omit the class, at any position`() throws {
        for position in 0...2 {
            var entries: [(key: String, value: PropertyList)] = [("a", 1), ("b", 2)]
            entries.insert(("$class", .uid(2)), at: position)
            let archive = try openArchive(.dictionary(PropertyList.Dictionary(entries)), classEntry("Cow"))
            #expect(archive.root.className == "Cow", "\(position)")
            #expect(archive.root.fields.map(\.key) == ["a", "b"])
            #expect(archive.root.fields.map(\.value.integer) == [1, 2])
            #expect(archive.root.fields.count == 2 && archive.root.count == 2)
        }
    }

    @Test func `are all there where a key is there twice, and the first is found`() throws {
        let entries: [(key: String, value: PropertyList)] = [("a", 1), ("a", 2), ("b", 3), ("$class", .uid(2))]
        let archive = try openArchive(.dictionary(PropertyList.Dictionary(entries)), classEntry("Cow"))
        #expect(archive.root.fields.map(\.key) == ["a", "a", "b"])
        #expect(archive.root.fields.map(\.value.integer) == [1, 2, 3])
        #expect(archive.root["a"]?.integer == 1)
        #expect(archive.root.count == 3)
    }

    @Test func `are distinguished from those of a user who chose a key of the format's form`() throws {
        let archive = try openArchive(["$0": 1, "$$0": 2, "$class": .uid(2)], classEntry("Cow"))
        // Both are "$0" in a program: one without a key, one with that key.
        #expect(archive.root.fields.map(\.value.integer) == [1, 2])
        #expect(archive.root["$0"] != nil)
    }

    @Test func `may be nil in three ways`() throws {
        let archive = try openArchive(
            top: ["root": .uid(1), "uid 0": .uid(0), "text": "$null", "marker": .null],
            ["a": .uid(0), "b": .uid(2), "c": "$null", "d": .null, "$class": .uid(3)], "$null", classEntry("Cow"), .null
        )
        #expect(archive.root["a"]?.isNull == true && archive.root["a"]?.kind == .null)
        // "$null" as an object is nil, at any uid.
        #expect(archive.root["b"]?.isNull == true && archive.root["b"]?.uid == 2 && archive.root["b"]?.string == nil)
        // Inline it is text.
        #expect(archive.root["c"]?.isNull == false && archive.root["c"]?.string == "$null")
        #expect(archive.root["d"]?.isNull == true && archive.root["d"]?.kind == .null)
        #expect(archive.top["uid 0"]?.isNull == true && archive.top["marker"]?.isNull == true)
        #expect(archive.top["text"]?.isNull == false)
        #expect(archive[uid: 4].isNull && archive[uid: 4].kind == .null)
        #expect(archive.root["missing"] == nil)
        for null in [archive[uid: 0], archive[uid: 2], archive[uid: 4]] {
            #expect(null.count == 0 && null.keys == [] && null["a"] == nil && null.elements.isEmpty)
            #expect(null.integer == nil && null.data == nil && null.date == nil && null.boolean == nil)
            #expect(null.damage == nil && null.className == nil)
        }
    }

    @Test func `may be keys that are no strings`() throws {
        // {7: true, 2.5: true, true: true, "a": true} with the class at the end.
        let raw = ByteArchive(
            slots: [12, 13], hex("D5 0E 0F 10 11 12 10 10 10 10 13"), hex("D1 14 15"), hex("10 07"),
            hex("23 40 04 00 00 00 00 00 00"), hex("09"), ascii("a"), ascii("$class"), hex("80 02"),
            ascii("$classname"),
            ascii("Cow"))
        let root = try raw.open().root
        #expect(root.className == "Cow")
        #expect(root.fields.map(\.key) == ["7", "2.5", "true", "a"])
        #expect(root["a"]?.boolean == true && root["7"] == nil)
    }

    @Test func `are reached through objects, arrays, dictionaries and plain values alike`() throws {
        let archive = try openArchive(
            ["animals": .uid(2), "$class": .uid(6)], ["NS.objects": [.uid(0), .uid(3)], "$class": .uid(7)],
            ["NS.keys": [.uid(4)], "NS.objects": [.uid(5)], "$class": .uid(8)], "list", [["deep": [1, [2, 3]]]],
            classEntry("Farm"), classEntry("NSArray"), classEntry("NSDictionary"))
        #expect(archive.root["animals"]?[1]["list"]?[0]["deep"]?[1][1].integer == 3)
        #expect(archive["root", "animals", 1, "list", 0, "deep", 1, 1]?.integer == 3)
        #expect(archive["root", "animals", 2] == nil && archive["root", "animals", -1] == nil)
        #expect(archive["root", "animals", 1, "lost"] == nil && archive["root", "name", 1] == nil)
        #expect(archive["root", "animals", "list"] == nil)
    }
}

// MARK: - What an encoder wrote

extension `Fields of an object` {
    final class Barn: Codable {
        var name: String
        init(name: String) { self.name = name }
    }

    struct Animal: Codable {
        var name: String
        var legs: Int
        var weight: Float
        var barn: Barn
        var nothing: Int?
        var tags: Set<String>
        var sizes: [String: Double]
        var born: Date
        var photo: Data
        var price: Int
        enum CodingKeys: String, CodingKey {
            case name, legs, weight, barn, nothing, tags, sizes, born, photo
            case price = "$price"
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are what was encoded`(format: PropertyListFormat) throws {
        let barn = Barn(name: "Red")
        let photo = Data([1, 2, 3])
        let animals = ["Bella", "Daisy"].map {
            Animal(
                name: $0, legs: 4, weight: 0.1, barn: barn, nothing: nil, tags: ["cow"], sizes: ["height": 1.5],
                born: Date(timeIntervalSinceReferenceDate: 1.5), photo: photo, price: 9)
        }
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let archive = try KeyedArchive(encoder.encode(animals))
        #expect(archive.root.className == "NSArray" && archive.root.count == 2)
        let bella = archive.root[0]
        #expect(bella["name"]?.string == "Bella" && archive.root[1]["name"]?.string == "Daisy")
        #expect(bella["legs"]?.integer == 4 && bella["weight"]?.double.map { Float($0) } == 0.1)
        #expect(bella["barn"] == archive.root[1]["barn"] && bella["barn"]?["name"]?.string == "Red")
        #expect(bella["nothing"] == nil && bella["$price"]?.integer == 9)
        #expect(bella["tags"]?.elements.map(\.string) == ["cow"] && bella["tags"]?.className == "NSSet")
        #expect(bella["sizes"]?["height"]?.double == 1.5 && bella["sizes"]?.keys == ["height"])
        #expect(bella["born"]?.date == Date(timeIntervalSinceReferenceDate: 1.5))
        #expect(bella["photo"]?.data == photo)
        #expect(bella.keys == ["name", "legs", "weight", "barn", "tags", "sizes", "born", "photo", "$price"])
        #expect(archive.problems().isEmpty && ArchiveSurvey(archive).damage.isEmpty)
    }
}
