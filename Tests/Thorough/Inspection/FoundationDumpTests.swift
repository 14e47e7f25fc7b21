// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The tree of Foundation's objects` {
    /// What is written of an object of the class `names` with `fields`, whose uid is 1 and whose class has 2; `others` have
    /// the uids from 3 on.
    private func text(
        _ fields: PropertyList, _ names: String..., others: [PropertyList] = [],
        options: KeyedArchive.DumpOptions = .init()
    ) throws -> String {
        guard case .dictionary(var object) = fields else { return "" }
        object["$class"] = .uid(2)
        let data = try handmadeArchive(objects: [.dictionary(object), classEntry(names)] + others)
        return try KeyedArchive(data).root.text(options)
    }

    // MARK: - Collections

    @Test func `has arrays, sets and dictionaries by what is in them`() throws {
        #expect(
            try text(["NS.objects": [.uid(3), .uid(0), .uid(4)]], "NSMutableArray", "NSArray", others: ["a", 5]) == """
                NSMutableArray #1, 3 elements
                    [0]: "a"
                    [1]: nil
                    [2]: 5
                """)
        #expect(
            try text(["NS.objects": [.uid(3)]], "NSMutableOrderedSet", "NSOrderedSet", others: ["a"]) == """
                NSMutableOrderedSet #1, 1 element
                    [0]: "a"
                """)
        #expect(
            try text(["NS.objects": [.uid(3), .uid(4)]], "NSMutableSet", "NSSet", others: ["a", "b"]) == """
                NSMutableSet #1, 2 elements
                    - "a"
                    - "b"
                """)
        #expect(
            try text(
                ["NS.keys": [.uid(3), .uid(4)], "NS.objects": [.uid(5), .uid(1)]], "NSDictionary",
                others: ["key", 7, true]) == """
                    NSDictionary #1, 2 entries
                        "key": true
                        7: NSDictionary #1 (cycle)
                    """)
        #expect(try text(["NS.objects": []], "NSArray") == "NSArray #1, 0 elements")
        #expect(try text(["NS.objects": []], "NSSet") == "NSSet #1, 0 elements")
        #expect(try text(["NS.keys": [], "NS.objects": []], "NSDictionary") == "NSDictionary #1, 0 entries")
    }

    @Test func `has collections that foreign coders wrote, one key for each element`() throws {
        #expect(
            try text(["NS.object.0": .uid(3), "NS.object.1": "inline"], "NSArray", others: ["a"]) == """
                NSArray #1, 2 elements
                    [0]: "a"
                    [1]: "inline"
                """)
        #expect(
            try text(
                ["NS.key.0": .uid(3), "NS.object.0": .uid(4)], "NSMutableDictionary", "NSDictionary", others: ["a", 5])
                    == """
                    NSMutableDictionary #1, 1 entry
                        "a": 5
                    """)
        #expect(try text([:], "NSArray") == "NSArray #1, 0 elements")
        #expect(try text([:], "NSDictionary") == "NSDictionary #1, 0 entries")
    }

    @Test func `has counted sets with how often they have each element`() throws {
        let chain = ["NSCountedSet", "NSMutableSet", "NSSet"]
        #expect(
            try text(
                ["NS.count": 2, "NS.object0": .uid(3), "NS.count0": 2, "NS.object1": .uid(4), "NS.count1": 1],
                chain[0], chain[1], chain[2], others: ["a", ["x": 1, "$class": .uid(5)], classEntry("Point")]) == """
                    NSCountedSet #1, 2 elements
                        - 2 × "a"
                        - 1 × Point #4
                            x: 1
                    """)
        // Without one of the counts it is no counted set that anybody could read.
        #expect(
            try text(["NS.count": 2, "NS.object0": "a", "NS.count1": 1], chain[0], chain[1], chain[2]) == """
                NSCountedSet #1
                    NS.count: 2
                    NS.object0: "a"
                    NS.count1: 1
                """)
    }

    @Test func `has keys that are objects on lines of their own`() throws {
        let others: [PropertyList] = [
            ["x": 1, "$class": .uid(4)], classEntry("Point"), ["NS.time": 0.0, "$class": .uid(6)], classEntry("NSDate"),
            ["NS.string": "m", "$class": .uid(8)], classEntry("NSMutableString", "NSString"),
        ]
        #expect(
            try text(
                [
                    "NS.keys": [.uid(3), .uid(5), .uid(7), .uid(0)],
                    "NS.objects": [.uid(3), "date", "text", "nothing"],
                ],
                "NSDictionary", others: others) == """
                    NSDictionary #1, 4 entries
                        [0] key: Point #3
                            x: 1
                        [0] value: Point #3 (above)
                        NSDate #5 2001-01-01T00:00:00Z: "date"
                        NSMutableString #7 "m": "text"
                        nil: "nothing"
                    """)
    }

    @Test func `has all that a collection has, if it is more than elements`() throws {
        #expect(
            try text(["NS.objects": [.uid(3)], "name": "rest"], "NSArray", others: ["a"]) == """
                NSArray #1
                    NS.objects: array, 1 element
                        [0]: "a"
                    name: "rest"
                """)
        #expect(
            try text(["NS.keys": ["k"], "NS.objects": ["v"], "NS.more": 1], "Cache", "NSDictionary") == """
                Cache #1
                    NS.keys: array, 1 element
                        [0]: "k"
                    NS.objects: array, 1 element
                        [0]: "v"
                    NS.more: 1
                """)
    }

    @Test func `has lists of unknown classes`() throws {
        #expect(
            try text(["NS.objects": [1, 2]], "Herd") == """
                Herd #1, 2 elements
                    [0]: 1
                    [1]: 2
                """)
    }

    @Test func `has containers of the property list as what they are`() throws {
        let archive = try openArchive(
            top: [
                "array": ["a", [true, []], [:]], "set": .set([1]),
                "dictionary": ["$key": .uid(1), "two words": .set([])],
                "object": .uid(2),
            ],
            "text", ["z": 1, "a": [1]])
        #expect(
            archive.text() == """
                array: array, 3 elements
                    [0]: "a"
                    [1]: array, 2 elements
                        [0]: true
                        [1]: array, 0 elements
                    [2]: dictionary, 0 entries
                set: set, 1 element
                    - 1
                dictionary: dictionary, 2 entries
                    "$key": "text"
                    "two words": set, 0 elements
                object: dictionary #2, 2 entries
                    "z": 1
                    "a": array, 1 element
                        [0]: 1
                """)
    }

    // MARK: - Values

    static let uuid: [UInt8] = [
        0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F,
    ]

    /// Fields, the class, and what is written behind its name and uid.
    static let values: [(PropertyList, String, String)] = [
        (["NS.time": -1.0], "NSDate", "2000-12-31T23:59:59Z"),
        (["NS.time": 0.9996], "NSDate", "2001-01-01T00:00:01Z"),
        (["NS.time": 0.0004], "NSDate", "2001-01-01T00:00:00Z"),
        (["NS.time": -0.001], "NSCalendarDate", "2000-12-31T23:59:59.999Z"),
        (["NS.time": .real(.nan)], "NSDate", "date nan"),
        (["NS.string": "a\"b"], "NSMutableString", #""a\"b""#),
        (["NS.string": "$null"], "NSString", #""$null""#),
        (["NS.bytes": .data(Data("é".utf8))], "NSString", "\"é\""),
        (["NS.bytes": .data(Data([1]))], "NSMutableData", "1 byte <01>"),
        (["NS.data": .data(Data())], "NSMutableData", "0 bytes <>"),
        (["NS.data": .data(Data("0.5 1 0.25\0".utf8))], "NSMutableData", #"11 bytes "0.5 1 0.25\0""#),
        (["NS.data": .data(Data("0.5\0 1".utf8))], "NSMutableData", "6 bytes <302e3500 2031>"),
        (["NS.uuidbytes": .data(Data(uuid))], "NSUUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        (["uuid": .data(Data(uuid))], "NSUUID", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        (["NS.base": .uid(0), "NS.relative": "http://a.b/c?d"], "NSURL", #""http://a.b/c?d""#),
        (["NS.number": 3], "NSNumber", "3"),
        (["NS.boolval": false], "NSNumber", "false"),
        (["NS.dblval": 0.5], "NSNumber", "0.5"),
        (["NSRangeCount": 0], "NSIndexSet", "[]"),
        (["NSRangeCount": 1, "NSLocation": 3, "NSLength": 1], "NSIndexSet", "[3]"),
        (["NSRangeCount": 1, "NSLocation": 0, "NSLength": 50], "NSMutableIndexSet", "[0...49]"),
        // 1 and 2, 5, 200 to 299.
        (
            ["NSRangeCount": 3, "NSRangeData": .data(Data([1, 2, 5, 1, 0xC8, 1, 100]))], "NSIndexSet",
            "[1...2, 5, 200...299]"
        ),
        (["NSIndexPathLength": 0], "NSIndexPath", "[]"),
        (["NSIndexPathLength": 1, "NSIndexPathValue": 52], "NSIndexPath", "[52]"),
        (["NSIndexPathLength": 2, "NSIndexPathData": .data(Data([4, 8]))], "NSIndexPath", "[4, 8]"),
    ]

    @Test(arguments: values)
    func `has values on one line, with class and uid`(fields: PropertyList, name: String, expected: String) throws {
        #expect(try text(fields, name) == "\(name) #1 \(expected)")
        #expect(try text(fields, name, options: .init(depthLimit: 0, showsUIDs: false)) == "\(name) \(expected)")
    }

    @Test(arguments: [
        (1250, -2, false, "12.50"), (5, -3, true, "-0.005"), (5, 3, false, "5000"), (0, 2, false, "0"),
        (12, 0, true, "-12"),
        (7, 21, false, "7E+21"), (7, -20, false, "0.00000000000000000007"), (7, -21, true, "-7E-21"),
    ])
    func `has decimal numbers in digits`(significand: Int, exponent: Int, isNegative: Bool, expected: String) throws {
        var mantissa = Data(count: 16)
        mantissa[0] = UInt8(significand & 0xFF)
        mantissa[1] = UInt8(significand >> 8)
        let fields: PropertyList = [
            "NS.mantissa": .data(mantissa), "NS.mantissa.bo": 1, "NS.length": significand == 0 ? 0 : 1,
            "NS.exponent": .integer(Int128(exponent)), "NS.negative": .boolean(isNegative), "NS.compact": true,
        ]
        #expect(
            try text(fields, "NSDecimalNumberPlaceholder", "NSDecimalNumber")
                == "NSDecimalNumberPlaceholder #1 \(expected)")
    }

    @Test func `has decimal numbers that are text, and those that are none`() throws {
        #expect(try text(["$0": "-1.5"], "NSDecimalNumber") == "NSDecimalNumber #1 -1.5")
        #expect(
            try text(
                [
                    "NS.mantissa": .data(Data(count: 16)), "NS.mantissa.bo": 1, "NS.length": 0, "NS.exponent": 0,
                    "NS.negative": true, "NS.compact": false,
                ], "NSDecimalNumber") == "NSDecimalNumber #1 NaN")
        // What a class of another name has without a key is no number.
        #expect(try text(["$0": "-1.5"], "Score") == "Score #1\n    $0: \"-1.5\"")
    }

    @Test func `has URLs with their base`() throws {
        #expect(
            try text(
                ["NS.base": .uid(3), "NS.relative": .uid(4)], "NSURL",
                others: [
                    ["NS.base": .uid(0), "NS.relative": .uid(5), "$class": .uid(2)], "b.html",
                    ["NS.string": "http://a/", "$class": .uid(6)], classEntry("NSMutableString", "NSString"),
                ]) == """
                    NSURL #1
                        NS.base: NSURL #3 "http://a/"
                        NS.relative: "b.html"
                    """)
    }

    @Test func `has the fields of a class that only looks like one of Foundation's`() throws {
        #expect(
            try text(["NS.time": 5.0, "zone": "UTC"], "Clock") == """
                Clock #1
                    NS.time: 5.0
                    zone: "UTC"
                """)
        #expect(
            try text(["uuid": .data(Data(Self.uuid))], "Device") == """
                Device #1
                    uuid: 16 bytes <e621e1f8 c36c495a 93fc0c24 7a3e6e5f>
                """)
        #expect(try text(["NS.string": 5], "NSMutableString") == "NSMutableString #1\n    NS.string: 5")
    }

    @Test func `has values of several places in each of them`() throws {
        let archive = try openArchive(
            top: ["a": .uid(1), "b": .uid(1), "c": .uid(3), "d": .uid(3)],
            ["NS.time": 0.0, "$class": .uid(2)], classEntry("NSDate"), "text")
        #expect(
            archive.text() == """
                a: NSDate #1 2001-01-01T00:00:00Z
                b: NSDate #1 2001-01-01T00:00:00Z
                c: "text"
                d: "text"
                """)
    }

    @Test func `marks data that may be an archive`() throws {
        let inner = try ArchiveEncoder().encode("inside")
        let xml = Data("<?xml".utf8)
        let archive = try openArchive(
            top: ["binary": .uid(1), "xml": .data(xml), "wrapped": .uid(2)],
            .data(inner), ["NS.data": .data(inner), "$class": .uid(3)], classEntry("NSMutableData", "NSData"))
        #expect(
            archive.text() == """
                binary: \(inner.count) bytes <62706c69 73743030 \(hexadecimal(inner[8..<12])) \(hexadecimal(inner[12..<16])) \
                …> (may be an archive)
                xml: 5 bytes <3c3f786d 6c> (may be an archive)
                wrapped: NSMutableData #2 \(inner.count) bytes <62706c69 73743030 \(hexadecimal(inner[8..<12])) \
                \(hexadecimal(inner[12..<16])) …> (may be an archive)
                """)
    }

    private func hexadecimal(_ bytes: Data) -> String {
        bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
