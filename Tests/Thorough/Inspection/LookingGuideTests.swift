// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// What the articles on looking into archives and on trees say, besides their code.
@Suite(.inTurn)
struct `The guide to looking into archives` {
    final class Owner: Codable {
        var name: String
        @WeakReference var farm: Farm?
    }

    final class Animal: Codable {
        var name: String
        var weight: Float
        var owner: Owner
    }

    final class Farm: Codable {
        var name: String
        var owner: Owner
        var animals: [Animal]
        var prices: [String: Double]
        var photo: Data
    }

    /// A farm as in the document, built by hand: sixteen objects, one of which is unreachable.
    private static func data(owner: UInt32 = 3) throws -> Data {
        let document = try ArchiveEncoder().encode(["title": "Inside"])
        let farm: PropertyList = [
            "name": .uid(2), "owner": .uid(owner), "animals": .uid(6), "prices": .uid(10),
            "photo": .data(Data(repeating: 7, count: 20_480)), "document": .uid(14), "$class": .uid(13),
        ]
        let bella: PropertyList = ["name": "Bella", "weight": .real32(612.5), "owner": .uid(3), "$class": .uid(12)]
        let daisy: PropertyList = ["name": "Daisy", "weight": .real32(480.25), "owner": .uid(3), "$class": .uid(12)]
        return try handmadeArchive(
            farm, "Green Hill", ["name": .uid(4), "farm": .uid(1), "$class": .uid(5)], "Ann", classEntry("Owner"),
            ["NS.objects": [.uid(7), .uid(8)], "$class": .uid(9)], bella, daisy, classEntry("NSArray"),
            ["NS.keys": ["milk"], "NS.objects": [1.5], "$class": .uid(11)], classEntry("NSDictionary"),
            classEntry("Animal"), classEntry("Farm"), .data(document), "unused")
    }

    private let archive: KeyedArchive

    init() throws {
        archive = try KeyedArchive(Self.data())
    }

    // MARK: Opening

    @Test func `says what an archive says of itself`() throws {
        #expect(archive.format == .binary)
        #expect(archive.archiver == "NSKeyedArchiver")
        #expect(archive.objects.count == 16)
        #expect(Set(archive.classes.map(\.name)) == ["Farm", "Owner", "Animal", "NSArray", "NSDictionary"])
        #expect(archive.top.keys == ["root"])
        let error = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(Data("Hello".utf8)) }
        #expect(error?.code == .notAnArchive)
    }

    // MARK: Walking

    @Test func `walks by keys and positions`() throws {
        let animals = archive.root["animals"]  // by key: nil where there is none
        let bella = archive.root["animals"]?[0]  // by position: traps where there is none, as in an array; see count
        let third = archive["root", "animals", 2]  // by a path: nil where there is none
        #expect(third == nil && archive["root", "animals", 0] == bella)

        for animal in archive.root["animals"]?.elements ?? archive.root.elements {
            print(animal["name"]?.string ?? "")
        }
        for (key, price) in archive.root["prices"]?.entries ?? archive.root.entries {
            print(key.string ?? "", price.double ?? 0)
        }
        for (key, value) in archive.root.fields {
            print(key, value.kind)
        }
        #expect(animals?.count == 2 && bella?["name"]?.string == "Bella")
        #expect(animals?.elements.map { $0["name"]?.string } == ["Bella", "Daisy"])
        let prices = try #require(archive.root["prices"]).entries.map { ($0.key.string, $0.value.double) }
        #expect(prices.count == 1 && prices[0] == ("milk", 1.5))
        #expect(archive.root.fields.map(\.key) == ["name", "owner", "animals", "prices", "photo", "document"])
        let kinds = archive.root.fields.map(\.value.kind)
        #expect(kinds == [.string, .object, .object, .object, .data, .data])
        #expect(animals?.fields.map(\.key) == ["NS.objects"])
    }

    @Test func `has leaves that do not convert`() throws {
        #expect(archive.root["name"]?.string == "Green Hill")
        #expect(archive.root["animals"]?[0]["weight"]?.float == 612.5)
        #expect(archive.root["name"]?.integer == nil)
        let other = try openArchive(top: ["real": 2.0, "true": true, "large": 9_007_199_254_740_993, "nil": .uid(0)])
        #expect(other.top["real"]?.integer == nil && other.top["true"]?.integer == nil)
        #expect(other.top["large"]?.double == nil)
        #expect(other.top["nil"]?.isNull == true && other.top["other"] == nil)
    }

    @Test func `distinguishes objects`() {
        #expect(archive.root["owner"] == archive.root["animals"]?[0]["owner"])
        #expect(archive.root["owner"]?.uid == 3)
        #expect(archive.root["owner"]?["farm"] == archive.root)
        #expect(archive.root["animals"]?[0]["weight"]?.uid == nil)
    }

    @Test func `shows damage where it is`() throws {
        let archive = try KeyedArchive(Self.data(owner: 99))
        let owner = archive.root["owner"]
        if let damage = owner?.damage {
            #expect("\(damage)" == "The keyed archive is damaged: uid 99 is referenced, but there are only 16 objects")
        }
        let damage = try #require(owner?.damage)
        #expect(owner?.kind == .damaged && owner?.string == nil)
        #expect(archive.root["name"]?.string == "Green Hill")
        #expect(throws: KeyedArchiveError.self) { try archive.validate() }
        #expect(archive.problems() == [damage] && self.archive.problems().isEmpty)
    }

    // MARK: Parts

    @Test func `decodes parts`() throws {
        let owner = try archive.root["owner"]?.decode(Owner.self)
        let weights = try archive.root["animals"]?.elements.map { try $0["weight"]?.decode(Float.self) }
        let prices = try archive.root["prices"]?.decode([String: Double].self)
        #expect(owner?.name == "Ann" && weights == [612.5, 480.25] && prices == ["milk": 1.5])
        #expect(owner?.farm == nil, "A weak reference does not make the farm")
        let animals = try #require(archive.root["animals"]).decode([Animal].self)
        #expect(animals[0].owner === animals[1].owner)
        #expect(try archive.root["owner"]?.decode(Owner.self) !== owner)
        struct Top: Decodable { var root: Farm }
        #expect(try archive.top.decode(Top.self).root.name == "Green Hill")
    }

    @Test func `opens archives in data`() throws {
        if let document = try? archive.root["document"]?.openArchive() {
            print(document.root["title"]?.string ?? "")
            #expect(document.root["title"]?.string == "Inside")
        }
        #expect((try? archive.root["photo"]?.openArchive()) == nil)
    }

    @Test func `reads what files of Apple's programs have`() throws {
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "MSArchiver",
            "$top": ["IB.objectdata": .uid(1), "count": 3, "$0": 4, "$$own": 5, "conditional": .uid(2)],
            "$objects": [
                "$null", ["NS.object.0": "a", "NS.object.1": "b", "$class": .uid(3)], "$null",
                ["$classname": "NSArray", "$classhints": ["List"]],
            ],
        ]
        let archive = try KeyedArchive(list.data())
        #expect(archive.archiver == "MSArchiver" && archive.root == archive.top)
        #expect(archive.top.keys == ["IB.objectdata", "count", "$0", "$own", "conditional"])
        #expect(
            archive.top["$0"]?.integer == 4 && archive.top["$own"]?.integer == 5 && archive.top["count"]?.integer == 3)
        #expect(archive.top["conditional"]?.isNull == true)
        let array = try #require(archive.top["IB.objectdata"])
        #expect(array.elements.map(\.string) == ["a", "b"])
        #expect(array.class?.chain == ["NSArray"] && array.class?.fallbacks == ["List"])
    }

    // MARK: Printing

    /// The farm whose description the document shows.
    private static func printedFarm() throws -> Data {
        let photo = hex("89504e47 0d0a1a0a 0000000d 49484452") + [UInt8](repeating: 0, count: 20_464)
        return try handmadeArchive(
            [
                "name": .uid(2), "owner": .uid(3), "animals": .uid(6), "founded": .uid(11), "debts": .uid(0),
                "photo": .data(Data(photo)), "$class": .uid(13),
            ], "Green Hill", ["name": .uid(4), "farm": .uid(1), "$class": .uid(5)], "Ann", classEntry("Owner"),
            ["NS.objects": [.uid(7), .uid(9), .uid(7)], "$class": .uid(10)],
            ["name": .uid(8), "owner": .uid(3), "$class": .uid(12)], "Bella", ["$class": .uid(14)],
            classEntry("NSArray"),
            ["NS.time": 549_824_400.0, "$class": .uid(15)], classEntry("Farm.Cow"), classEntry("Farm"),
            classEntry("NSNull"), classEntry("NSDate"))
    }

    private static let article =
        "Sources/ArchiveInspection/ArchiveInspection.docc/TreesAndFoundationValues.md"
}
