// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A key of a dictionary` {
    /// A string that encodes itself differently from its coding key.
    struct Title: Codable, Hashable, CodingKeyRepresentable {
        var text: String

        init(_ text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            text = String(try decoder.singleValueContainer().decode(String.self).dropFirst(6))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("title:" + text)
        }

        var codingKey: any CodingKey { AnyKey(text) }

        init?<Key: CodingKey>(codingKey: Key) {
            guard !codingKey.stringValue.hasPrefix("title:") else { return nil }
            text = codingKey.stringValue
        }
    }

    struct Number: Codable, Hashable, CodingKeyRepresentable, RawRepresentable {
        var rawValue: Int
    }

    enum Level: Int, Codable, CodingKeyRepresentable {
        case low = -1
        case high = 2
    }

    enum Season: String, Codable, CodingKeyRepresentable {
        case spring, autumn
    }

    /// An enumeration whose coding keys are not its raw values.
    enum Place: Int, Codable, CodingKeyRepresentable {
        case first, second

        var codingKey: any CodingKey { AnyKey(self == .first ? "gold" : "silver") }

        init?<Key: CodingKey>(codingKey: Key) {
            switch codingKey.stringValue {
            case "gold": self = .first
            case "silver": self = .second
            default: return nil
            }
        }
    }

    enum Plain: Int, Codable {
        case zero, one
    }

    /// A coding key with a number that its text does not show.
    struct Ordinal: CodingKey {
        var stringValue: String
        var intValue: Int?

        init(_ stringValue: String, _ intValue: Int) { (self.stringValue, self.intValue) = (stringValue, intValue) }
        init?(stringValue: String) { self.init(stringValue, 0) }
        init?(intValue: Int) { self.init("", intValue) }
    }

    struct Rank: Codable, Hashable, CodingKeyRepresentable {
        var name: String

        var codingKey: any CodingKey { Ordinal(name, 1) }
        init(_ name: String) { self.name = name }
        init?<Key: CodingKey>(codingKey: Key) { name = codingKey.stringValue }
    }

    final class Owner: Codable, Hashable, CodingKeyRepresentable {
        let name: String
        init(_ name: String) { self.name = name }
        var codingKey: any CodingKey { AnyKey(name) }
        init?<Key: CodingKey>(codingKey: Key) { name = codingKey.stringValue }
        static func == (left: Owner, right: Owner) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A key whose text says less than the key.
    struct Vague: Codable, Hashable, CodingKeyRepresentable {
        var number: Int
        init(_ number: Int) { self.number = number }
        var codingKey: any CodingKey { AnyKey("\(number / 10)") }
        init?<Key: CodingKey>(codingKey: Key) { return nil }
    }

    private func jsonKeys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return Set(try #require(object as? [String: Any]).keys)
    }

    /// The keys in the archive, whose objects are strings or integers.
    private func archivedKeys(_ value: some Encodable) throws -> Set<String> {
        let archive = try InspectedArchive(of: value)
        let object = try #require(archive.follow(archive.root))
        guard archive.className(of: object) == "NSDictionary", case .array(let keys)? = object["NS.keys"] else {
            Issue.record("This is no dictionary")
            return []
        }
        return Set(
            try keys.map { key in
                switch try #require(archive.follow(key)) {
                case .string(let text): text
                case .integer(let number): "\(number)"
                // "$null" as a leaf is nil.
                case .dictionary(let object): archive.follow(object["NS.string"]) == "$null" ? "$null" : "\(object)"
                case let other: "\(other), which is neither"
                }
            })
    }

    @Test func `is the one that JSON has`() throws {
        func check<Key: Codable & Hashable>(_ value: [Key: Int]) throws {
            #expect(try archivedKeys(value) == jsonKeys(value))
            #expect(try roundTrip(value) == value)
            #expect(try roundTrip(["in": [value, [:]]], format: .xml) == ["in": [value, [:]]])
            // A dictionary that has JSON's keys is the same one.
            let json = try JSONDecoder().decode([String: Int].self, from: JSONEncoder().encode(value))
            #expect(try transcode(json, as: [Key: Int].self) == value)
            let list = try PropertyListSerialization.propertyList(
                from: PropertyListEncoder().encode(value), format: nil)
            let keys = try #require(list as? [String: Any]).keys
            #expect(try Set(keys) == jsonKeys(value))
        }
        try check(["a": 1, "": 2, "$null": 3])
        try check([1: 1, -7: 2, Int.min: 3])
        try check([Title("a"): 1, Title("$b"): 2, Title(""): 3, Title("$null"): 4, Title("7"): 5])
        try check([Number(rawValue: 3): 1, Number(rawValue: -3): 2])
        try check([Level.low: 1, .high: 2])
        try check([Season.spring: 1, .autumn: 2])
        try check([Place.first: 1, .second: 2])
        try check([Rank("one"): 1, Rank("two"): 2])
    }

    @Test func `is an integer if the coding key is one, as for Int`() throws {
        #expect(try archiveText([Number(rawValue: 3): 1]) == "NSDictionary[@3: @1]")
        #expect(try archiveText([Level.low: 1]) == "NSDictionary[@-1: @1]")
        #expect(try archiveText([Title("3"): 1]) == #"NSDictionary[@"3": @1]"#)
        #expect(try archiveText([Rank("one"): 1]) == #"NSDictionary[@"one": @1]"#)
        #expect(try archiveText([Plain.one: 1]) == "NSDictionary[@1: @1]")
        #expect(try archiveText([Title?.some(Title("a")): 1]) == #"NSDictionary[@"title:a": @1]"#)
    }

    @Test func `is read from the key's own form, too`() throws {
        // As earlier versions wrote it: with the type's own encode(to:).
        #expect(try transcode(["title:a": 1], as: [Title: Int].self) == [Title("a"): 1])
        let fields = try handmadeArchive(
            ["NS.keys": [.uid(3)], "NS.objects": [.uid(4)], "$class": .uid(2)], classEntry("NSDictionary"),
            ["name": .uid(5), "$class": .uid(6)], 1, "one", classEntry("Rank"))
        #expect(try ArchiveDecoder().decode([Rank: Int].self, from: fields) == [Rank("one"): 1])
        #expect(try transcode([0: 1, 1: 2], as: [Place: Int].self) == [.first: 1, .second: 2])
    }

    @Test func `that is an instance stays one`() throws {
        let owner = Owner("a")
        #expect(try archiveText([owner: [owner]]) == #"NSDictionary[#1=Owner{name: @"a"}: NSArray[#1]]"#)
        let again = try roundTrip([owner: [owner]])
        #expect(again.keys.first === again.values.first?.first)
        #expect(try transcode(["a": 1], as: [Owner: Int].self) == [owner: 1])
    }

    @Test func `of any integer type is read from its digits`() throws {
        func check<Key: FixedWidthInteger & Codable & Hashable>(_ type: Key.Type) throws {
            for key in [Key.min, 0, 7, .max] {
                #expect(try transcode(["\(key)": true], as: [Key: Bool].self) == [key: true])
            }
            let large = try failure(decoding: [Key: Bool].self, fromArchiveOf: ["9" + "\(Key.max)": true])
            #expect(large.kind == .typeMismatch && large.says("9\(Key.max)", "\(Key.self)"))
            for text in ["", "x", "1.0", " 1", "1e3", "0x1", "1\u{301}"] {
                let error = try failure(decoding: [String: [Key: Bool]].self, fromArchiveOf: ["in": [text: true]])
                #expect(error.kind == .typeMismatch, "\(text)")
                #expect(error.path == "in." + (text.isEmpty ? "\"\"" : text))
            }
        }
        for type in integerTypes { try check(type) }
        #expect(try transcode(["01": 1, "+7": 2, "-0": 3], as: [Int: Int].self) == [1: 1, 7: 2, 0: 3])
        let json = try JSONDecoder().decode([Int: Int].self, from: Data(#"{"01": 1, "+7": 2, "-0": 3}"#.utf8))
        #expect(json == [1: 1, 7: 2, 0: 3])
        // Nothing else is read from digits.
        #expect(try failure(decoding: [Double: Bool].self, fromArchiveOf: ["1": true]).kind == .typeMismatch)
        #expect(try failure(decoding: [Plain: Bool].self, fromArchiveOf: ["1": true]).kind == .typeMismatch)
        #expect(try failure(decoding: [String: Int].self, fromArchiveOf: ["a": "1"]).kind == .typeMismatch)
    }

    @Test func `that another key equals is an error, which loses neither`() throws {
        let mixed = try handmadeArchive(
            ["NS.keys": [.uid(3), .uid(4)], "NS.objects": [.uid(5), .uid(6)], "$class": .uid(2)],
            classEntry("NSDictionary"), "1", 1, "a", "b")
        let error = try failure(decoding: [Int: String].self, from: mixed)
        #expect(error.kind == .dataCorrupted && error.path == "[1]" && error.says("1", "two"), "\(error)")
        let zeros = try failure(decoding: [Int: Int].self, fromArchiveOf: ["01": 1, "1": 2])
        #expect(zeros.kind == .dataCorrupted)
        #expect(try failure(decoding: [Int: Int].self, fromArchiveOf: ["-0": 1, "0": 2]).kind == .dataCorrupted)
        #expect(
            try failure(decoding: [Title: Int].self, fromArchiveOf: ["title:a": 1, "a": 2]).kind == .dataCorrupted)
        let written = try failure { try ArchiveEncoder().encode(["in": [Vague(11): 1, Vague(12): 2]]) }
        #expect(written.kind == .invalidValue && written.path == "in" && written.says("Vague", "1"), "\(written)")
    }

    @Test func `that its type refuses is an error at the key`() throws {
        let error = try failure(decoding: [String: [Season: Int]].self, fromArchiveOf: ["in": ["winter": 1]])
        #expect(error.kind == .dataCorrupted && error.path == "in.winter" && error.says("winter", "Season"), "\(error)")
        #expect(try failure(decoding: [Level: Int].self, fromArchiveOf: ["high": 1]).says("high", "Level"))
        #expect(try failure(decoding: [Level: Int].self, fromArchiveOf: [true: 1]).says("true", "Level"))
    }

    @Test func `is found where references and documents read dictionaries`() throws {
        final class Box: Codable {
            @References var byTitle: [Title: Box]
            var name: String
            init(_ name: String, _ boxes: [Title: Box] = [:]) {
                self.name = name
                byTitle = boxes
            }
        }
        let inner = Box("inner")
        let outer = Box("outer", [Title("i"): inner])
        inner.byTitle = [Title("o"): outer]
        let again = try roundTrip(outer)
        #expect(again.byTitle[Title("i")]?.byTitle[Title("o")] === again)
    }

    @Test func `has the same form in Cocoa's collections`() throws {
        let data = try ArchiveEncoder().encode([Title("a"): [Season.spring: nil, .autumn: 2] as [Season: Int?]])
        let classes = [NSDictionary.self, NSString.self, NSNumber.self, NSNull.self]
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
        let dictionary = try #require(object as? [String: [String: Any]])
        #expect(dictionary["a"]?["autumn"] as? Int == 2)
        #expect(dictionary["a"]?["spring"] is NSNull)
        let archived = foundationArchive(of: ["1": true, "-7": false] as NSDictionary)
        #expect(try ArchiveDecoder().decode([Int: Bool].self, from: archived) == [1: true, -7: false])
    }
}
