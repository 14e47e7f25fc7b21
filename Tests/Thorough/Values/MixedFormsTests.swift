// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A decoder expects the form of the object before. Other forms follow here.
@Suite(.inTurn) struct `Values in several forms in one archive` {
    private static let classes: [PropertyList] = [
        classEntry("NSArray"), classEntry("NSDate"), classEntry("NSUUID"), classEntry("NSDictionary"),
        classEntry("NSMutableDictionary", "NSDictionary"),
    ]

    private static func array(_ uids: ClosedRange<UInt32>) -> PropertyList {
        ["NS.objects": .array(uids.map { .uid($0) }), "$class": .uid(2)]
    }

    /// An archive of the array of `elements`: the class entries have the uids from 2 on, the elements those from 10 on.
    private func archive(_ elements: [PropertyList], others: [PropertyList] = []) throws -> Data {
        let last = 9 + UInt32(elements.count)
        let unused: [PropertyList] = ["unused", "unused", "unused"]
        return try handmadeArchive(objects: [Self.array(10...last)] + Self.classes + unused + elements + others)
    }

    @Test func `are dates`() throws {
        let elements: [PropertyList] = [
            ["NS.time": 1.5, "$class": .uid(3)], ["NS.time": 2.5, "$class": .uid(3)],
            ["$class": .uid(3), "NS.time": 3.5], ["NS.time": 4, "$class": .uid(3)],
            .date(Date(timeIntervalSinceReferenceDate: 5.5)), ["NS.time": 6.5, "$class": .uid(3)],
            ["more": 1, "NS.time": 7.5, "$class": .uid(3)], 8.5, ["NS.time": .real32(9.5), "$class": .uid(3)],
        ]
        let dates = try ArchiveDecoder().decode([Date].self, from: archive(elements))
        #expect(dates.map(\.timeIntervalSinceReferenceDate) == [1.5, 2.5, 3.5, 4, 5.5, 6.5, 7.5, 8.5, 9.5])
    }

    @Test func `are UUIDs`() throws {
        let bytes = Data(1...16)
        let elements: [PropertyList] = [
            ["NS.uuidbytes": .data(bytes), "$class": .uid(4)], ["NS.uuidbytes": .data(bytes), "$class": .uid(4)],
            ["$class": .uid(4), "NS.uuidbytes": .data(bytes)], ["uuid": .data(bytes), "$class": .uid(4)],
            "01020304-0506-0708-090A-0B0C0D0E0F10", ["NS.uuidbytes": .uid(16), "$class": .uid(4)],
        ]
        let uuids = try ArchiveDecoder().decode(
            [UUID].self, from: archive(elements, others: [["NS.data": .data(bytes), "$class": .uid(2)]]))
        #expect(uuids.map(\.uuidString) == Array(repeating: "01020304-0506-0708-090A-0B0C0D0E0F10", count: 6))
        let short: [PropertyList] = [
            ["NS.uuidbytes": .data(bytes), "$class": .uid(4)],
            ["NS.uuidbytes": .data(Data(1...15)), "$class": .uid(4)],
        ]
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode([UUID].self, from: archive(short)) }
    }

    @Test func `are dictionaries`() throws {
        let elements: [PropertyList] = [
            ["NS.keys": ["a"], "NS.objects": [1], "$class": .uid(5)],
            ["NS.keys": ["b"], "NS.objects": [2], "$class": .uid(5)],
            ["NS.objects": [3], "NS.keys": ["c"], "$class": .uid(5)],
            ["NS.keys": ["d"], "NS.objects": [4], "$class": .uid(6)],
            ["NS.key.0": "e", "NS.object.0": 5, "$class": .uid(5)],
            ["NS.keys": [], "NS.objects": [], "$class": .uid(5)],
            ["NS.keys": ["f"], "NS.objects": [6], "$class": .uid(5), "more": 1],
        ]
        let decoded = try ArchiveDecoder().decode([[String: Int]].self, from: archive(elements))
        #expect(decoded == [["a": 1], ["b": 2], ["c": 3], ["d": 4], ["e": 5], [:], ["f": 6]])
        // The same keys in an object of another class are fields.
        struct Fields: Decodable, Equatable {
            var keys: [String]
            var objects: [Int]

            enum CodingKeys: String, CodingKey {
                case keys = "NS.keys"
                case objects = "NS.objects"
            }
        }
        struct Both: Decodable {
            var first: [String: Int]
            var second: Fields

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                first = try container.decode([String: Int].self)
                second = try container.decode(Fields.self)
            }
        }
        let mixed: [PropertyList] = [elements[0], ["NS.keys": ["g"], "NS.objects": [7], "$class": .uid(12)]]
        let both = try ArchiveDecoder().decode(Both.self, from: archive(mixed, others: [classEntry("Fields")]))
        #expect(both.first == ["a": 1])
        #expect(both.second == Fields(keys: ["g"], objects: [7]))
    }

    @Test func `are dictionaries of unequal counts, which are damaged`() throws {
        let elements: [PropertyList] = [
            ["NS.keys": ["a"], "NS.objects": [1], "$class": .uid(5)],
            ["NS.keys": ["b", "c"], "NS.objects": [2], "$class": .uid(5)],
        ]
        let error = #expect(throws: DecodingError.self) {
            try ArchiveDecoder().decode([[String: Int]].self, from: archive(elements))
        }
        #expect("\(error as Any)".contains("2 keys and 1 values"))
    }
}
