// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Archives by Foundation's own archiver and by hand, looked into: what those of Apple's programs have, without them.
@Suite(.inTurn) struct `Archives by Foundation, looked into` {
    private func archive(_ object: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> KeyedArchive {
        try KeyedArchive(foundationArchive(of: object, format: format))
    }

    @Test(arguments: foundationFormats)
    func `have collections of shared objects`(format: PropertyListSerialization.PropertyListFormat) throws {
        let shared = NSMutableArray(array: [NSString("one"), NSNumber(value: 2)])
        let object = NSDictionary(dictionary: [
            NSString("list"): NSArray(array: [shared, shared, NSNull()]),
            NSString("set"): NSSet(array: [NSString("x")]),
            NSString("number"): NSNumber(value: 2.5), NSString("größe"): NSString("ä\n🐄"),
        ])
        let archive = try archive(object, format)
        #expect(archive.archiver == "NSKeyedArchiver" && archive.problems().isEmpty)
        #expect(archive.root.className == "NSDictionary" && archive.root.count == 4)
        #expect(Set(archive.root.keys) == ["list", "set", "number", "größe"])
        let list = try #require(archive.root["list"])
        #expect(list.className == "NSArray" && list.count == 3 && list[0] == list[1] && list[0] != list[2])
        #expect(list[0].class?.chain == ["NSArray", "NSObject"])
        #expect(list[0].elements.map(\.string) == ["one", nil] && list[0][1].integer == 2)
        #expect(list[2].className == "NSNull" && list[2].kind == .object && !list[2].isNull)
        #expect(archive.root["set"]?.elements.map(\.string) == ["x"] && archive.root["set"]?.className == "NSSet")
        #expect(archive.root["number"]?.double == 2.5 && archive.root["größe"]?.string == "ä\n🐄")
        #expect(try archive.references().count(of: list[0]) == 2)
        #expect(try archive.references().owners(of: list[0]) == [list])
        #expect(archive.unreachableObjects.isEmpty)
        #expect(archive.path(to: list[0]) == ["root", "list", 0])
        #expect(try list[0].decode([Either].self) == [.text("one"), .number(2)])
    }

    enum Either: Decodable, Equatable {
        case text(String)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = try (try? .text(container.decode(String.self))) ?? .number(container.decode(Int.self))
        }
    }

    @Test(arguments: foundationFormats)
    func `have Foundation's values as objects and as leaves`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let uuid = try #require(NSUUID(uuidString: "0AD863BA-7584-40CF-8896-BD87B3280C34"))
        let url = try #require(NSURL(string: "https://swift.org/about"))
        let date = NSDate(timeIntervalSinceReferenceDate: 1234.5)
        let data = NSData(data: Data([1, 2, 255]))
        let archive = try archive(NSArray(array: [uuid, url, date, data, NSNumber(value: true)]), format)
        #expect(
            archive.root.elements.map(\.className) == ["NSUUID", "NSURL", "NSDate", "NSData", nil]
                || archive.root[3].kind == .data)
        #expect(archive.root[0]["NS.uuidbytes"]?.data?.count == 16)
        #expect(try archive.root[0].decode(UUID.self) == UUID(uuidString: uuid.uuidString))
        #expect(archive.root[1]["NS.relative"]?.string == "https://swift.org/about")
        #expect(archive.root[1]["NS.base"]?.isNull == true)
        #expect(try archive.root[1].decode(URL.self) == URL(string: "https://swift.org/about"))
        #expect(archive.root[2].date == Date(timeIntervalSinceReferenceDate: 1234.5))
        #expect(archive.root[3].data == Data([1, 2, 255]))
        #expect(archive.root[4].boolean == true && archive.root[4].integer == nil)
        for name in ["NSUUID", "NSURL", "NSDate"] { #expect(archive.classes.contains { $0.name == name }) }
    }

    @Test(arguments: foundationFormats)
    func `have what was encoded by key at the top, and archives in data`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let inner = foundationArchive(of: NSString("inner"))
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = format
        archiver.encode(Int32(3), forKey: "count")
        archiver.encode(Float(0.1), forKey: "scale")
        archiver.encode(true, forKey: "isOpen")
        archiver.encode(NSString("text"), forKey: "$price")
        archiver.encode(NSData(data: inner), forKey: "document")
        archiver.encode(nil, forKey: "nothing")
        archiver.finishEncoding()
        let archive = try KeyedArchive(archiver.encodedData)
        #expect(archive.root == archive.top)
        #expect(Set(archive.top.keys) == ["count", "scale", "isOpen", "$price", "document", "nothing"])
        #expect(archive.top["count"]?.integer == 3 && archive.top["isOpen"]?.boolean == true)
        #expect(archive.top["scale"]?.float == 0.1 && archive.top["$price"]?.string == "text")
        #expect(archive.top["nothing"]?.isNull == true)
        #expect(archive.top["document"]?.looksLikeArchive == true)
        #expect(try archive.top["document"]?.openArchive().root.string == "inner")
        #expect(try archive.top["document"]?.openArchive().root.decode(String.self) == "inner")
    }
}

// MARK: - By hand

extension `Archives by Foundation, looked into` {
    /// What plistlib would say of it, written beside it.
    static let handmade: [(list: PropertyList, golden: String)] = [
        (
            [
                "$version": 100_000, "$archiver": "MSArchiver", "$top": ["root": .uid(1), "$0": 7, "$$x": .uid(0)],
                "$objects": [
                    "$null", ["$$a": .uid(2), "list": [.uid(2), 1, ["k": 2.5]], "$class": .uid(3)], "$null",
                    ["$classname": "MSShape", "$classhints": ["Shape"]], "unused",
                ],
            ],
            #"""
            {"archiver": "MSArchiver", "version": 100000, "objects_count": 5, "top_keys": ["root", "$0", "$$x"],
             "class_definitions": [{"index": 3, "$classname": "MSShape"}],
             "plist": {"$top": {"root": {"CF$UID": 1}, "$0": 7, "$$x": {"CF$UID": 0}}, "$objects": ["$null",
              {"$$a": {"CF$UID": 2}, "list": [{"CF$UID": 2}, 1, {"k": 2.5}], "$class": {"CF$UID": 3}}, "$null",
              {"$classname": "MSShape", "$classhints": ["Shape"]}, "unused"]}}
            """#
        ),
        (
            [
                "$version": 100_000, "$archiver": "SCNKeyedArchiver", "$top": ["a": .uid(1), "b": 1.0, "c": true],
                "$objects": [
                    "$null", ["NS.keys": [.uid(2)], "NS.objects": [.uid(1)], "$class": .uid(4)], "größe",
                    .data(Data([0, 255])),
                    ["$classname": "NSMutableDictionary", "$classes": ["NSMutableDictionary", "NSDictionary"]],
                    .integer(18_446_744_073_709_551_615), .real(.nan),
                    ["NS.objects": [.uid(3), .uid(5)], "$class": .uid(8)],
                    ["$classname": "NSArray"], .date(Date(timeIntervalSinceReferenceDate: 86400)), -5, .real32(0.1),
                ],
            ],
            #"""
            {"archiver": "SCNKeyedArchiver", "version": 100000, "objects_count": 12, "top_keys": ["a", "b", "c"],
             "class_definitions": [{"index": 4, "$classname": "NSMutableDictionary",
               "$classes": ["NSMutableDictionary", "NSDictionary"]}, {"index": 8, "$classname": "NSArray"}],
             "plist": {"$top": {"a": {"CF$UID": 1}, "b": 1.0, "c": true}, "$objects": ["$null",
              {"NS.keys": [{"CF$UID": 2}], "NS.objects": [{"CF$UID": 1}], "$class": {"CF$UID": 4}}, "größe",
              {"$data": "AP8="}, {"$classname": "NSMutableDictionary", "$classes": ["NSMutableDictionary", "NSDictionary"]},
              18446744073709551615, {"$real": "nan"},
              {"NS.objects": [{"CF$UID": 3}, {"CF$UID": 5}], "$class": {"CF$UID": 8}}, {"$classname": "NSArray"},
              {"$date": {"since_reference": 86400.0}}, -5, 0.10000000149011612]}}
            """#
        ),
    ]

    @Test(arguments: handmade.indices, PropertyListFormat.allCases)
    func `hold what the dump beside them says`(index: Int, format: PropertyListFormat) throws {
        let (list, text) = Self.handmade[index]
        let golden = try GoldenDump(Data(text.utf8))
        let archive = try KeyedArchive(list.data(format: format))
        try GoldenComparison(archive, golden, at: "\(index)").compare()
        for format in PropertyListFormat.allCases {
            try GoldenComparison(KeyedArchive(archive.data(format: format)), golden, at: "\(index)").compare()
        }
    }

    @Test func `are compared with dumps that can differ`() throws {
        let json = #"{"a": [1, 1.0, "x", true, null, {"CF$UID": 3}], "b": "\"é\n\\", "c": {}, "d": []}"#
        let golden = try GoldenDump(Data(json.utf8))
        #expect(golden["a"]?.array?.count == 6 && golden["a"]?.array?[0] == .integer(1))
        #expect(golden["a"]?.array?[1] == .real(1) && golden["a"]?.array?[5].uid == 3)
        #expect(golden["b"]?.string == "\"é\n\\" && golden["c"] == .dictionary([:]) && golden["d"] == .array([]))
    }
}
