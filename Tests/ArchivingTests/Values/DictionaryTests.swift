// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A dictionary` {
    enum Color: String, Codable, CodingKeyRepresentable {
        case red, green
    }

    enum Plain: Codable {
        case one, two
    }

    struct Point: Codable, Hashable {
        var x: Int, y: Int
    }

    /// A key that represents a string, as identifiers do.
    struct Identifier: Codable, Hashable, CodingKeyRepresentable, RawRepresentable {
        var rawValue: String

        var codingKey: any CodingKey { AnyKey(rawValue) }
        init(rawValue: String) { self.rawValue = rawValue }
        init?<Key: CodingKey>(codingKey: Key) { rawValue = codingKey.stringValue }
    }

    /// A key of 16 bytes, as UUIDs are, that encodes itself as text.
    struct Tag: Codable, Hashable {
        var high: UInt64, low: UInt64

        init(_ high: UInt64, _ low: UInt64) {
            self.high = high
            self.low = low
        }

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            let parts = text.split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard parts.count == 2 else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no tag"))
            }
            self.init(parts[0], parts[1])
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(String(high, radix: 16) + "-" + String(low, radix: 16))
        }
    }

    @Test func `is an NSDictionary with parallel lists`() throws {
        let archive = try InspectedArchive(of: ["a": 5])
        #expect(archive.objects[1]["NS.keys"] == [.uid(2)])
        #expect(archive.objects[1]["NS.objects"] == [.uid(3)])
        #expect(archive.objects[2] == "a")
        #expect(archive.objects[3] == 5)
        #expect(archive.classChain(of: archive.objects[1]) == ["NSDictionary", "NSObject"])
    }

    /// Writes itself as an object with fields, or as a dictionary, and is read by key from both.
    private struct Either: Codable, Equatable {
        enum CodingKeys: CodingKey { case number, isDictionary }

        var number: Int
        var isDictionary = false

        init(_ number: Int, isDictionary: Bool) {
            self.number = number
            self.isDictionary = isDictionary
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            isDictionary = !container.contains(.isDictionary)
        }

        func encode(to encoder: any Encoder) throws {
            if isDictionary {
                var container = encoder.singleValueContainer()
                return try container.encode(["number": number])
            }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encode(isDictionary, forKey: .isDictionary)
        }
    }

    @Test(arguments: [ArchiveEncoder.OutputFormatting(), .sortedKeys])
    func `is read by key beside objects with fields`(formatting: ArchiveEncoder.OutputFormatting) throws {
        // With sorted keys, both begin with their class.
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = formatting
        let values = (0..<9).map { Either($0, isDictionary: $0 % 3 == 1) }
        #expect(try ArchiveDecoder().decode([Either].self, from: encoder.encode(values)) == values)
    }

    @Test func `has leaves for keys wherever the key is one`() throws {
        #expect(try archiveText([5: "x"]) == #"NSDictionary[@5: @"x"]"#)
        #expect(try archiveText([2.5: true]) == "NSDictionary[@2.5: @true]")
        #expect(try archiveText([true: 1]) == "NSDictionary[@true: @1]")
        #expect(try archiveText([Color.green: 1]) == #"NSDictionary[@"green": @1]"#)
        #expect(try archiveText([Identifier(rawValue: "id"): 1]) == #"NSDictionary[@"id": @1]"#)
        #expect(try archiveText([Tag(1, 255): 1]) == #"NSDictionary[@"1-ff": @1]"#)
        #expect(try archiveText([Point(x: 1, y: 2): 1]) == "NSDictionary[Point{x: 1, y: 2}: @1]")
        #expect(try archiveText([Plain.two: 1]) == "NSDictionary[Plain{two: Plain{}}: @1]")
        #expect(try archiveText([["k"]: [1]]) == #"NSDictionary[NSArray[@"k"]: NSArray[@1]]"#)
    }

    /// An identifier with a synthesized form of its own, which is a string as a key.
    struct Name: Codable, Hashable, CodingKeyRepresentable {
        var first: String, last: String

        init(_ first: String, _ last: String) { (self.first, self.last) = (first, last) }

        var codingKey: any CodingKey { AnyKey("\(first) \(last)") }

        init?<Key: CodingKey>(codingKey: Key) {
            let parts = codingKey.stringValue.split(separator: " ")
            guard parts.count == 2 else { return nil }
            self.init(String(parts[0]), String(parts[1]))
        }
    }

    @Test func `has the coding keys of keys that have them`() throws {
        #expect(try archiveText([Name("A", "B"): 1]) == #"NSDictionary[@"A B": @1]"#)
        #expect(try roundTrip([Name("A", "B"): [1], Name("C", "D"): []]) == [Name("A", "B"): [1], Name("C", "D"): []])
        #expect(try transcode(["A B": 1], as: [Name: Int].self) == [Name("A", "B"): 1])
    }

    @Test func `of integers is read from a dictionary of their digits`() throws {
        #expect(try transcode(["1": true, "-7": false], as: [Int: Bool].self) == [1: true, -7: false])
        #expect(try transcode(["1": true, "-7": false], as: [Int8: Bool].self) == [1: true, -7: false])
        let error = try failure(decoding: [Int: Bool].self, fromArchiveOf: ["one": true])
        #expect(error.kind == .typeMismatch && error.path == "one" && error.says("one", "Int"))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back with keys of every kind`(format: PropertyListFormat) throws {
        func check<Key: Codable & Hashable>(_ dictionary: [Key: String]) throws {
            #expect(try roundTrip(dictionary, format: format) == dictionary)
            #expect(try roundTrip(["in": [dictionary, [:]]], format: format) == ["in": [dictionary, [:]]])
        }
        try check(["": "empty", "a": "A", "$null": "N", "$class": "C", "NS.keys": "K", "\u{e9}": "x"])
        try check([Int.min: "min", -1: "a", 0: "b", .max: "max"])
        try check([UInt64.max: "max", 0: "zero"])
        try check([UInt128.max: "max", 0: "zero"])
        try check([0.5: "half", -.infinity: "least"])
        try check([true: "yes", false: "no"])
        try check([Color.red: "rot", .green: "gruen"])
        try check([Plain.one: "eins", .two: "zwei"])
        try check([Identifier(rawValue: "a"): "x", Identifier(rawValue: "$b"): "y"])
        try check([Tag(0, 0): "null", Tag(.max, .max): "max"])
        try check([UUID(): "one", UUID(): "two"])
        try check([Date(timeIntervalSinceReferenceDate: 0.5): "half", .distantPast: "past"])
        try check([Point(x: 1, y: 2): "p", Point(x: 2, y: 1): "q"])
        try check([[Point(x: 1, y: 2)]: "p", []: "q"])
        try check([["a": 1]: "p", [:]: "q"])
        try check([Int?.none: "nil", .some(0): "zero"])
    }

    @Test func `of instances has one for each, as keys and as values`() throws {
        final class Name: Codable, Hashable {
            var text: String
            init(_ text: String) { self.text = text }
            static func == (left: Name, right: Name) -> Bool { left.text == right.text }
            func hash(into hasher: inout Hasher) { hasher.combine(text) }
        }
        let a = Name("a")
        let b = Name("b")
        let again = try roundTrip([a: [b, a], b: [a, Name("a")]])
        #expect(again.count == 2)
        let keyA = try #require(again.keys.first { $0.text == "a" })
        let keyB = try #require(again.keys.first { $0.text == "b" })
        let ofA = try #require(again[keyA])
        let ofB = try #require(again[keyB])
        #expect(ofA[0] === keyB)
        #expect(ofA[1] === keyA)
        #expect(ofB[0] === keyA)
        #expect(ofB[1] !== keyA)
        #expect(ofB[1].text == "a")
    }

    @Test(arguments: [0, 1, 15, 100, 5000])
    func `of any size comes back`(count: Int) throws {
        let dictionary = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", [$0]) })
        #expect(try roundTrip(dictionary) == dictionary)
        let byNumber = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, "value \($0)") })
        #expect(try roundTrip(byNumber) == byNumber)
    }

    @Test func `is a keyed container to those who look at it as one`() throws {
        try decoding(archiveOf: ["a": 1, "$b": 2, "$class": 3]) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(Set(container.allKeys) == ["a", "$b", "$class"])
            #expect(try container.decode(Int.self, forKey: "$b") == 2)
            #expect(try container.decode(Int.self, forKey: "$class") == 3)
            #expect(!container.contains("$$b"))
            #expect(!container.contains("NS.keys"))
            #expect(!container.contains("NS.objects"))
        }
        try decoding(archiveOf: [1: "x", 20: "y"]) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(Set(container.allKeys) == ["1", "20"])
            #expect(try container.decode(String.self, forKey: "20") == "y")
        }
    }

    @Test func `reads what the standard library itself writes for keys that are no strings`() throws {
        // Keys and values in turn, as other encoders have them.
        let pairs = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Point(x: 1, y: 2))
            try container.encode("a")
            try container.encode(Point(x: 3, y: 4))
            try container.encode("b")
        }
        #expect(
            try transcode(pairs, as: [Point: String].self) == [Point(x: 1, y: 2): "a", Point(x: 3, y: 4): "b"])
    }

    @Test func `with a key or a value of another kind fails at that key`() throws {
        let value = try failure(decoding: [String: [Int]].self, fromArchiveOf: ["a": ["x"]])
        #expect(value.kind == .typeMismatch)
        #expect(value.path == "a[0]")
        let key = try failure(decoding: [Int: Int].self, fromArchiveOf: ["seven": 7])
        #expect(key.kind == .typeMismatch)
        #expect(key.type == Int.self)
        #expect(key.says("seven"))
        let number = try failure(decoding: [String: Int].self, fromArchiveOf: [7: 7])
        #expect(number.kind == .typeMismatch)
        #expect(number.type == String.self)
        let narrow = try failure(decoding: [Int8: Int].self, fromArchiveOf: [300: 7])
        #expect(narrow.kind == .dataCorrupted)
        let inner = try failure(decoding: [Int: UInt8].self, fromArchiveOf: [12: 300])
        #expect(inner.path == "[12]")
        let null = try failure(decoding: [String: Int].self, fromArchiveOf: ["a": Int?.none])
        #expect(null.kind == .valueNotFound)
        #expect(null.path == "a")
    }

    @Test func `is no array, and no array is a dictionary`() throws {
        #expect(try failure(decoding: [String: Int].self, fromArchiveOf: 3).kind == .typeMismatch)
        #expect(try failure(decoding: [String: Int].self, fromArchiveOf: [3]).kind == .typeMismatch)
        #expect(try failure(decoding: [Int].self, fromArchiveOf: 3).kind == .typeMismatch)
        #expect(try failure(decoding: [Int].self, fromArchiveOf: "text").kind == .typeMismatch)
    }
}
