// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A keyed container` {
    struct Sample: Codable, Equatable {
        var flag = true
        var count = -3
        var ratio = 2.5
        var small: Float = 0.5
        var name = "Bella"
        var tags = ["a", "b"]
        var inner = Inner(x: 7)

        struct Inner: Codable, Equatable {
            var x: Int
        }
    }

    @Test func `becomes an object with scalars inline and everything else behind a uid`() throws {
        let expected =
            #"Sample{flag: true, count: -3, ratio: 2.5, small: 0.5f, name: @"Bella", tags: NSArray[@"a", @"b"], "#
            + "inner: Inner{x: 7}}"
        #expect(try archiveText(Sample()) == expected)
    }

    @Test func `has its fields, then its class, in an object whose slot comes before those of its parts`() throws {
        let archive = try InspectedArchive(of: Sample(tags: []))
        #expect(archive.root == .uid(1))
        #expect(
            archive.objects[1] == [
                "flag": true, "count": -3, "ratio": 2.5, "small": .real32(0.5), "name": .uid(2), "tags": .uid(3),
                "inner": .uid(5), "$class": .uid(7),
            ])
        #expect(archive.objects[0] == "$null")
        #expect(archive.objects[2] == "Bella")
        #expect(archive.objects[3] == ["NS.objects": [], "$class": .uid(4)])
        #expect(archive.objects[4] == ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]])
        #expect(archive.objects[5] == ["x": 7, "$class": .uid(6)])
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back`(format: PropertyListFormat) throws {
        #expect(try roundTrip(Sample(), format: format) == Sample())
    }

    @Test func `gives the value that was written last for a key`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            try container.encode("x", forKey: "b")
            try container.encode([1], forKey: "c")
            try container.encode("second", forKey: "a")
            try container.encodeNil(forKey: "b")
            try container.encode(2, forKey: "c")
        }
        #expect(try archiveText(value) == #"Encoding{a: @"second", b: nil, c: 2}"#)
    }

    @Test func `requested twice is one container`() throws {
        let value = Encoding { encoder in
            var first = encoder.container(keyedBy: AnyKey.self)
            try first.encode(1, forKey: "a")
            var second = encoder.container(keyedBy: AnyKey.self)
            try second.encode(2, forKey: "b")
            try first.encode(3, forKey: "c")
            try second.encode(4, forKey: "a")
        }
        #expect(try archiveText(value) == "Encoding{a: 4, b: 2, c: 3}")
    }

    @Test func `requested with two types of keys is one container`() throws {
        enum Other: String, CodingKey { case b }
        let value = Encoding { encoder in
            var first = encoder.container(keyedBy: AnyKey.self)
            try first.encode(1, forKey: "a")
            var second = encoder.container(keyedBy: Other.self)
            try second.encode(2, forKey: .b)
        }
        let data = try ArchiveEncoder().encode(value)
        #expect(try InspectedArchive(data).text == "Encoding{a: 1, b: 2}")
        try decoding(data) { decoder in
            let first = try decoder.container(keyedBy: AnyKey.self)
            let second = try decoder.container(keyedBy: Other.self)
            #expect(try first.decode(Int.self, forKey: "b") == 2)
            #expect(try second.decode(Int.self, forKey: .b) == 2)
            #expect(second.allKeys == [.b])
        }
    }

    @Test func `returns its keys, and which it contains`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            try container.encodeNil(forKey: "b")
            try container.encode("x", forKey: "c")
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.allKeys == ["a", "b", "c"])
            #expect(container.contains("a"))
            #expect(container.contains("b"))
            #expect(!container.contains("d"))
            #expect(!container.contains(""))
        }
    }

    @Test func `returns only the keys that its key type has`() throws {
        enum Some: String, CodingKey { case a, c, d }
        let value = ["a": 1, "b": 2, "c": 3]
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: Some.self)
            #expect(Set(container.allKeys) == [.a, .c])
        }
        struct Fields: Encodable { var a = 1, b = 2, c = 3 }
        try decoding(archiveOf: Fields()) { decoder in
            let container = try decoder.container(keyedBy: Some.self)
            #expect(container.allKeys == [.a, .c])
            #expect(!container.contains(.d))
        }
    }

    @Test func `is decoded in any order of keys, and may be decoded again`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for index in 0..<10 { try container.encode(index, forKey: AnyKey("k\(index)")) }
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for index in [9, 0, 5, 5, 4, 9, 1, 2, 0, 8, 7, 6, 3] {
                #expect(try container.decode(Int.self, forKey: AnyKey("k\(index)")) == index)
            }
            let again = try decoder.container(keyedBy: AnyKey.self)
            #expect(try again.decode(Int.self, forKey: "k3") == 3)
            #expect(try container.decode(Int.self, forKey: "k2") == 2)
        }
    }

    @Test func `is decoded although most of its keys are ignored`() throws {
        struct Part: Decodable, Equatable { var name: String }
        #expect(try transcode(Sample(), as: Part.self) == Part(name: "Bella"))
        struct Nothing: Decodable {}
        _ = try transcode(Sample(), as: Nothing.self)
    }

    @Test(arguments: TableSizes.upTo(1024) + [10_000])
    func `has the last value of every key, and no other, whatever their number`(count: Int) throws {
        let names = (0..<count).map { "key \($0)" }
        func value(_ index: Int) -> Int { index % 3 == 0 ? -index : index }
        let data = try ArchiveEncoder().encode(
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                for (index, name) in names.enumerated() { try container.encode(index, forKey: AnyKey(name)) }
                for index in stride(from: 0, to: count, by: 3) {
                    try container.encode(value(index), forKey: AnyKey(names[index]))
                }
            })
        guard case .dictionary(let fields) = try InspectedArchive(data).objects[1] else {
            Issue.record("The root is no object")
            return
        }
        #expect(fields.count == count + 1)
        try decoding(data) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            for (index, name) in names.enumerated().reversed() {
                guard try container.decode(Int.self, forKey: AnyKey(name)) == value(index) else {
                    Issue.record("\(name)")
                    return
                }
            }
            #expect(container.allKeys.map(\.stringValue) == names)
            #expect(!container.contains(AnyKey("key \(count)")))
            #expect(!container.contains(AnyKey("key -1")))
            let error = try failure { try container.decode(Int.self, forKey: "missing") }
            #expect(error.kind == .keyNotFound)
        }
    }

    @Test func `reads a dictionary's entries, and a dictionary reads its fields`() throws {
        struct Point: Codable, Equatable { var x: Int, y: Int }
        #expect(try transcode(["x": 1, "y": 2, "z": 3], as: Point.self) == Point(x: 1, y: 2))
        #expect(try transcode(Point(x: 1, y: 2), as: [String: Int].self) == ["x": 1, "y": 2])
    }

    @Test func `reads scalars that are leaves and inline objects, as other writers store them`() throws {
        struct Point: Codable, Equatable {
            var x: Int
            var y: Double
            var name: String
            var list: [Int]
        }
        let data = try handmadeArchive(
            [
                "x": .uid(2), "y": .uid(3), "name": "inline", "list": ["NS.objects": [.uid(2), 5], "$class": .uid(4)],
                "$class": .uid(5),
            ], 7, 2.5, ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
            ["$classname": "Point", "$classes": ["Point", "NSObject"]])
        #expect(
            try ArchiveDecoder().decode(Point.self, from: data) == Point(x: 7, y: 2.5, name: "inline", list: [7, 5]))
    }
}
