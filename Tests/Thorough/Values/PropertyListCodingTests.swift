// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Property lists as Codable values` {
    private static let date = Date(timeIntervalSinceReferenceDate: 531_000_000.25)

    /// Values of all kinds that archives have.
    private static let mixed: PropertyList = [
        "name": "Bella ☃", "isCow": true, "age": 4, "least": .integer(Int128(Int64.min)),
        "large": .integer(Int128(UInt64.max)), "larger": .integer(.max), "height": 1.5, "whole": .real(3),
        "float": .real32(0.1), "born": .date(date), "photo": .data(Data([0, 1, 255])), "nothing": .null,
        "list": [1, "two", [3.5, [:], []], .null, ["deep": [true]]], "set": .set([1, "a"]), "empty": "",
        "$dollar": "$null",
    ]

    private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try ArchiveDecoder().decode(type, from: data)
    }

    // MARK: - Other writers

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func `decode from mixed dictionaries of Foundation`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let object: NSDictionary = [
            "name": "Bella" as NSString, "mutable": NSMutableString(string: "text"), "isCow": true as NSNumber,
            "age": 4 as NSNumber, "height": 1.5 as NSNumber, "born": Self.date as NSDate,
            "photo": NSData(data: Data([1, 2])), "bytes": NSMutableData(data: Data([3])), "nothing": NSNull(),
            "list": ["a", 2, ["b": NSNull()] as NSDictionary] as NSArray, "empty": [:] as NSDictionary,
            "set": NSSet(array: ["only"]),
        ]
        let read = try decode([String: PropertyList].self, foundationArchive(of: object, format: format))
        #expect(
            read == [
                "name": "Bella", "mutable": "text", "isCow": true, "age": 4, "height": 1.5, "born": .date(Self.date),
                "photo": .data(Data([1, 2])), "bytes": .data(Data([3])), "nothing": .null,
                "list": ["a", 2, ["b": .null]], "empty": [:], "set": .set(["only"]),
            ])
        #expect(try decode(PropertyList.self, foundationArchive(of: object, format: format))["list"]?[2]?["b"] == .null)
    }

    @Test(.needs(.tool("python3"))) func `decode from the forms of Cocoa's coder`() throws {
        // Fields of an `sfl2` file, with number objects of GNUstep.
        let archives = try Plistlib.archives(
            """
            [{'$class': U(2), 'NS.keys': [U(3), U(4), U(5), U(6)], 'NS.objects': [U(7), U(9), U(11), U(0)]}, C('NSDictionary'),
             'version', 'items', 'number', 'none', 1, C('NSArray'), {'$class': U(8), 'NS.objects': [U(10), U(10)]}, b'book',
             {'$class': U(12), 'NS.intval': 7}, C('NSNumber')]
            """)
        for data in archives {
            let list = try KeyedArchive(data).top["object"]?.decode([String: PropertyList].self)
            #expect(
                list == [
                    "version": 1, "items": [.data(Data("book".utf8)), .data(Data("book".utf8))], "number": 7,
                    "none": .null,
                ])
        }
    }

    @Test func `are read by Foundation as its objects`() throws {
        let list: PropertyList = [
            "name": "Bella", "isCow": true, "age": 4, "height": 1.5, "born": .date(Self.date),
            "photo": .data(Data([1, 2])), "nothing": .null, "list": ["a", 2, ["b": .null]], "empty": [:],
            "set": .set(["only"]),
        ]
        let expected: NSDictionary = [
            "name": "Bella", "isCow": true, "age": 4, "height": 1.5, "born": Self.date, "photo": Data([1, 2]),
            "nothing": NSNull(), "list": ["a", 2, ["b": NSNull()]] as [Any], "empty": [:] as [String: Any],
            "set": NSSet(array: ["only"]),
        ]
        let values = Dictionary(uniqueKeysWithValues: try #require(list.dictionary).map { ($0.key, $0.value) })
        for data in [try ArchiveEncoder().encode(list), try ArchiveEncoder().encode(values)] {
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
            unarchiver.requiresSecureCoding = false
            let read = try #require(unarchiver.decodeObject(forKey: "root") as? NSDictionary)
            #expect(read == expected)
        }
    }

    // MARK: - Round trips

    private struct Fields: Codable, Equatable {
        var list: PropertyList
        var other: PropertyList?
        var all: [PropertyList]
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `come back from archives`(format: PropertyListFormat) throws {
        var list = Self.mixed
        if format == .xml, case .dictionary(var entries) = list {
            // XML has no 32-bit reals, and whole seconds.
            entries["float"] = nil
            entries["born"] = .date(Date(timeIntervalSinceReferenceDate: 5))
            list = .dictionary(entries)
        }
        let entries = try #require(list.dictionary)
        #expect(try roundTrip(list, format: format) == list)
        let fields = Fields(list: list, other: list, all: [list, .null] + entries.map(\.value))
        #expect(try roundTrip(fields, format: format) == fields)
        for (_, value) in entries {
            #expect(try roundTrip(value, format: format) == value)
            let fields = Fields(list: value, other: nil, all: [value])
            #expect(try roundTrip(fields, format: format) == fields)
        }
        // The order of the keys stays.
        #expect(try roundTrip(list, format: format).dictionary?.keys == entries.keys)
    }

    @Test func `are read by typed properties, and read them`() throws {
        struct Animal: Codable, Equatable {
            var name: String
            var ages: [String: [Int]]
        }
        let animal = Animal(name: "Bella", ages: ["a": [1, 2], "b": []])
        #expect(
            try decode([String: PropertyList].self, ArchiveEncoder().encode(animal)) == [
                "name": "Bella", "ages": ["a": [1, 2], "b": []],
            ])
        let list: [String: PropertyList] = ["name": "Bella", "ages": ["a": [1, 2], "b": []]]
        #expect(
            try decode([String: [String: [Int]]].self, ArchiveEncoder().encode(["x": list["ages"]])) == [
                "x": animal.ages
            ])
    }

    @Test func `come back from hand-written initializers and the keyed coders`() throws {
        struct Wrapper: Codable, Equatable {
            var list: PropertyList
            init(_ list: PropertyList) { self.list = list }
            init(from decoder: any Decoder) throws { list = try PropertyList(from: decoder) }
            func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }
        }
        #expect(try roundTrip([Wrapper(Self.mixed), Wrapper(3)]) == [Wrapper(Self.mixed), Wrapper(3)])
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        try archiver.encode(Self.mixed, forKey: "list")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try unarchiver.decode(PropertyList.self, forKey: "list") == Self.mixed)
    }

    // MARK: - Other coders

    @Test func `are encoded to JSON and decoded from it`() throws {
        let list: PropertyList = [
            "theName": "a", "isCow": true, "age": -4, "large": .integer(Int128(UInt64.max)), "height": 1.5,
            "nothing": .null, "list": [1, ["x": []], .null], "float": .real32(0.5),
        ]
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let json = try encoder.encode(list)
        let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(object["theName"] as? String == "a" && object["nothing"] is NSNull)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let read = try decoder.decode(PropertyList.self, from: json)
        #expect(
            read == [
                "theName": "a", "isCow": true, "age": -4, "large": .integer(Int128(UInt64.max)), "height": 1.5,
                "nothing": .null, "list": [1, ["x": []], .null], "float": 0.5,
            ])
        #expect(
            try decoder.decode([String: PropertyList].self, from: Data(#"{"a": [1, "b", null]}"#.utf8))["a"]?[1] == "b")
    }

    @Test func `have dates and data in JSON as the strategies say`() throws {
        let list: PropertyList = [.date(Date(timeIntervalSince1970: 86400)), .data(Data([1, 2, 3]))]
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        #expect(String(decoding: try encoder.encode(list), as: UTF8.self) == #"["1970-01-02T00:00:00Z","AQID"]"#)
        encoder.dateEncodingStrategy = .secondsSince1970
        let read = try JSONDecoder().decode(PropertyList.self, from: encoder.encode(list))
        #expect(read == [86400, "AQID"])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func `come back from PropertyListEncoder`(format: PropertyListSerialization.PropertyListFormat) throws {
        let list: PropertyList = [
            "name": "a", "isCow": true, "one": 1, "age": -4, "large": .integer(Int128(UInt64.max)), "height": 1.5,
            "born": .date(Date(timeIntervalSinceReferenceDate: 86400)), "photo": .data(Data([1, 2])),
            "list": [1, ["x": []]],
        ]
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        #expect(try PropertyListDecoder().decode(PropertyList.self, from: encoder.encode(list)) == list)
        #expect(try PropertyList(encoder.encode(list)) == list)
    }

    // MARK: - Errors

    @Test func `cannot be encoded with uids, repeated keys, and sets outside archives`() throws {
        let uid: PropertyList = ["a": [.uid(3)]]
        let repeated: PropertyList = ["a": ["k": 1, "k": 2]]
        for list in [uid, repeated] {
            for encode in [{ try ArchiveEncoder().encode($0) }, { try JSONEncoder().encode($0) }]
                as [(PropertyList) throws -> Data]
            {
                let error = try #require(throws: EncodingError.self) { try encode(list) }
                guard case .invalidValue(_, let context) = error else { continue }
                #expect(context.codingPath.first?.stringValue == "a")
                #expect("\(error)".contains(list == uid ? "uid" : "\"k\" twice"))
            }
        }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(PropertyList.set([1])) }
        #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(["a": PropertyList.set([1])]) }
    }

    @Test func `do not decode from objects of other classes`() throws {
        final class Animal: Codable {
            var name = "Bella"
        }
        let error = try #require(throws: DecodingError.self) {
            try decode([String: PropertyList].self, ArchiveEncoder().encode(["x": Animal()]))
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["x"])
        let text = "\(try #require(context.underlyingError as? ArchivingError))"
        #expect(text.contains("Animal"))
        #expect(text.contains("KeyedArchive.Value, or a [String: PropertyList] of its fields"))
        // The fields of the object.
        #expect(
            try decode([String: [String: PropertyList]].self, ArchiveEncoder().encode(["x": Animal()])) == [
                "x": ["name": "Bella"]
            ])
        for object in [NSURL(fileURLWithPath: "/a"), NSUUID(), NSOrderedSet(array: [1])] {
            #expect(throws: DecodingError.self) { try decode(PropertyList.self, foundationArchive(of: object)) }
        }
        #expect(throws: DecodingError.self) {
            try decode(PropertyList.self, foundationArchive(of: [1: "a"] as NSDictionary))
        }
        #expect(throws: DecodingError.self) { try decode([PropertyList].self, ArchiveEncoder().encode([Decimal(1.5)])) }
    }

    // MARK: - Hostile input

    private func archive(_ objects: [PropertyList]) throws -> Data {
        try handmadeArchive(objects: objects)
    }

    @Test func `are no cycle`() throws {
        let data = try archive([["NS.objects": [.uid(1)], "$class": .uid(2)], classEntry("NSArray")])
        let error = try #require(throws: DecodingError.self) { try decode(PropertyList.self, data) }
        #expect("\(error)".contains("nested"))
    }

    @Test(arguments: [true, false]) func `are nested in as many levels as property lists may be`(isSound: Bool) throws {
        let levels = PropertyListLimits.nesting + (isSound ? 0 : 1)
        var objects: [PropertyList] = []
        for level in 1...levels {
            let inner: [PropertyList] = level == levels ? [] : [.uid(UInt32(level + 1))]
            objects.append(["NS.objects": .array(inner), "$class": .uid(UInt32(levels + 1))])
        }
        let data = try archive(objects + [classEntry("NSArray")])
        if isSound {
            var list = try decode(PropertyList.self, data)
            var found = 1
            while let inner = list[0] { (list, found) = (inner, found + 1) }
            #expect(found == levels)
        } else {
            #expect(throws: DecodingError.self) { try decode(PropertyList.self, data) }
        }
    }

    @Test func `unfold shared objects as far as the limit of work allows`() throws {
        // 2^40 strings.
        var objects: [PropertyList] = []
        for level in 1...40 {
            objects.append(["NS.objects": [.uid(UInt32(level + 1)), .uid(UInt32(level + 1))], "$class": .uid(42)])
        }
        let data = try archive(objects + ["leaf", classEntry("NSArray")])
        let error = try #require(throws: DecodingError.self) { try decode(PropertyList.self, data) }
        #expect("\(error)".contains("work"))
    }
}
