// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `A property list as a value` {
    /// A list with every kind of value in it that both formats have.
    private static let common: PropertyList = [
        "flags": [true, false], "integers": [0, 1, -1, 255, 256, 70_000, .integer(.max), .integer(.min)],
        "reals": [1.5, -0.0, .real(.infinity), .real(.nan), 0.1], "uid": .uid(70_000),
        "strings": ["", "ASCII, longer than fifteen characters", "ěščř 🐄", "\r\n\t &<>"],
        "date": .date(Date(timeIntervalSinceReferenceDate: -12_345)), "data": .data(Data(0..<200)),
        "nested": [[], [:], [[:]], ["a": ["b": ["c": []]]]],
    ]
    /// And with those that only the binary format has.
    private static let all: PropertyList = [
        common, .null, "\0\u{FFFE}", .set([1, "a", [2]]), .set([]), .real32(0.1),
        .real(Double(bitPattern: 0x7FF8_0000_0000_0123)),
        .date(Date(timeIntervalSinceReferenceDate: 0.5)), .date(Date(timeIntervalSinceReferenceDate: .nan)),
        .dictionary(.init([(key: "b", value: 1), (key: "a", value: 2), (key: "b", value: 3)])), ["CF$UID": 3],
    ]

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back from either format`(format: PropertyListFormat) throws {
        let data = try Self.common.data(format: format)
        #expect(PropertyListFormat(detectedIn: data) == format)
        let again = try PropertyList(data)
        #expect(again == Self.common)
        #expect(try again.data(format: format) == data)
    }

    @Test func `comes back from binary by way of XML`() throws {
        let binary = try Self.common.data(format: .binary)
        let xml = try PropertyList(binary).data(format: .xml)
        #expect(try PropertyList(xml).data(format: .binary) == binary)
    }

    @Test func `comes back from the binary format whatever it is`() throws {
        let data = try Self.all.data()
        #expect(try PropertyList(data) == Self.all)
        #expect(try PropertyList(data).data() == data)
    }

    @Test(
        arguments: [
            (1, true), (1, 1.0), (.real(1), .real32(1)), (.real(0), .real(-0.0)), ("1", 1), (.uid(1), 1), ([], [:]),
            ([], .set([])),
            ([1, 2], [2, 1]), ([1], [1, 1]), (["a": 1], ["a": 2]), (["a": 1], ["b": 1]), (["a": 1], ["a": 1, "b": 2]),
            (["a": 1, "a": 2], ["a": 2, "a": 1]), (["a": 1, "b": 2], ["a": 1, "a": 2]), (.null, false),
            ([[["a": [1]]]], [[["a": [2]]]]),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: 1))),
            (.data(Data([1])), .data(Data([2]))),
        ] as [(PropertyList, PropertyList)])
    func `is not equal to another`(left: PropertyList, right: PropertyList) {
        #expect(left != right)
        #expect(right != left)
        #expect(left == left)
    }

    @Test(
        arguments: [
            (.real(.nan), .real(.nan)), (["a": 1, "b": [2]], ["b": [2], "a": 1]),
            (["a": 1, "b": 2, "a": 3], ["b": 2, "a": 1, "a": 3]),
            ([["a": 1, "b": ["c": [], "d": [:]]]], [["b": ["d": [:], "c": []], "a": 1]]),
            ("é", "e\u{301}"),
        ] as [(PropertyList, PropertyList)])
    func `is equal to another, and has the same hash, where only the order of dictionaries differs`(
        left: PropertyList, right: PropertyList
    ) {
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }

    @Test func `is found by keys and positions`() {
        #expect(Self.common["integers"]?[2] == -1)
        #expect(Self.common["nested"]?[3]?["a"]?["b"]?["c"] == [])
        #expect(Self.common["missing"] == nil)
        #expect(Self.common[0] == nil)
        #expect(Self.common["flags"]?[2] == nil)
        #expect(Self.common["flags"]?[-1] == nil)
        #expect(Self.common["flags"]?["a"] == nil)
    }

    @Test func `is described by a line for each value`() {
        let list: PropertyList = [
            "$class": .uid(4), "ages": [3, 4.5, .real32(0.5)], "name": "Bella \"B.\"\n", "photo": .data(Data(0..<20)),
            "thumb": .data(Data([255])), "born": .date(Date(timeIntervalSinceReferenceDate: 549_824_400)),
            "never": .date(Date(timeIntervalSinceReferenceDate: .infinity)),
            "nothing": [.null, [], [:], .set([]), .set([true])],
        ]
        let expected = #"""
            {
                "$class": uid 4,
                "ages": [
                    3,
                    4.5,
                    0.5 (32 bits)
                ],
                "name": "Bella \"B.\"\n",
                "photo": 20 bytes <00010203 04050607 08090a0b 0c0d0e0f …>,
                "thumb": 1 byte <ff>,
                "born": 2018-06-04T17:00:00Z,
                "never": date inf,
                "nothing": [
                    null,
                    [],
                    {},
                    set [],
                    set [
                        true
                    ]
                ]
            }
            """#
        #expect(list.description == expected)
        #expect(PropertyList.integer(3).description == "3")
    }

    @Test func `has equal leaves once in the binary format, and keeps apart what only looks equal`() throws {
        let list: PropertyList = [
            "a", "a", 1, 1, 1.0, true, true, .uid(1), .uid(1), .real32(1), "é", "e\u{301}", .data(Data([0x61])),
        ]
        let data = try list.data()
        let count = try BinaryPropertyListReader(StoredBytes(data)).objectCount
        #expect(count == 10)
        guard case .array(let elements) = try PropertyList(data), case .string(let decomposed) = elements[11] else {
            Issue.record("no array with a string")
            return
        }
        #expect(decomposed.unicodeScalars.count == 2)
    }

    @Test(arguments: TableSizes.upTo(4096))
    func `may have any number of leaves, each once`(count: Int) throws {
        let list = PropertyList.array((0..<count).flatMap { [.integer(Int128($0)), .string("\($0 % 500)")] })
        let data = try list.data()
        #expect(try BinaryPropertyListReader(StoredBytes(data)).objectCount == 1 + count + min(count, 500))
        #expect(try PropertyList(data) == list)
    }
}

@Suite(.inTurn) struct `A dictionary of a property list` {
    @Test(arguments: TableSizes.upTo(64))
    func `keeps the order in which it was made`(count: Int) {
        var dictionary = PropertyList.Dictionary()
        for number in 0..<count { dictionary["key \(number)"] = .integer(Int128(number)) }
        dictionary["key 1"] = "replaced"
        dictionary["key 0"] = nil
        dictionary["missing"] = nil
        dictionary["last"] = true
        #expect(dictionary.count == count)
        #expect(dictionary.keys == (1..<count).map { "key \($0)" } + ["last"])
        #expect(dictionary.values.first == "replaced")
        #expect(dictionary["key 0"] == nil)
        for number in 2..<count { #expect(dictionary["key \(number)"] == .integer(Int128(number))) }
        #expect(dictionary[dictionary.startIndex].key == "key 1")
        #expect(dictionary.map(\.key) == dictionary.keys)
    }

    @Test(arguments: [0, 20])
    func `finds the first of several values for a key, and removes all`(count: Int) {
        var dictionary = PropertyList.Dictionary((0..<count).map { (key: "\($0)", value: .null) })
        dictionary.append(key: "a", value: 1)
        dictionary.append(key: "a", value: 2)
        #expect(dictionary["a"] == 1)
        dictionary["a"] = 3
        #expect(dictionary.suffix(2).map(\.value) == [3, 2])
        dictionary["a"] = nil
        #expect(dictionary.count == count)
        #expect(dictionary["a"] == nil)
    }

    @Test func `is a value of its own`() {
        let dictionary: PropertyList.Dictionary = ["a": 1, "b": 2]
        #expect(dictionary == ["b": 2, "a": 1])
        #expect(dictionary.hashValue == (["b": 2, "a": 1] as PropertyList.Dictionary).hashValue)
        #expect(dictionary.description == "{\n    \"a\": 1,\n    \"b\": 2\n}")
        #expect(PropertyList.Dictionary().description == "{}")
    }
}

@Suite(.inTurn) struct `The format of a property list` {
    @Test(
        arguments: [
            ("bplist00", .binary), ("bplist0x rest", .binary), ("<plist/>", .xml), (" \r\n\t<", .xml),
            ("\u{FEFF}<a", .xml),
            ("bplist", nil), ("bplist1", nil), ("bplist16xxxx", nil), ("", nil), ("   ", nil), ("{ a = b; }", nil),
            ("\u{FEFF}", nil),
            ("x<", nil), ("\0\0\0<", nil),
        ] as [(String, PropertyListFormat?)])
    func `is detected by the first bytes`(text: String, format: PropertyListFormat?) {
        #expect(PropertyListFormat(detectedIn: Data(text.utf8)) == format)
    }

    @Test(
        arguments: [
            ([0xFE, 0xFF, 0, 0x20, 0, 0x3C], .xml), ([0xFF, 0xFE, 0x0A, 0, 0x3C, 0], .xml), ([0, 0x3C], .xml),
            ([0x3C, 0], .xml),
            ([0xFE, 0xFF], nil), ([0xFE, 0xFF, 0x3C], nil), ([0xFE, 0xFF, 0x3C, 0], nil), ([0xFF, 0xFE, 0, 0x3C], nil),
            ([0xEF, 0xBB], nil), ([0xFF], nil), ([0], nil),
        ] as [([UInt8], PropertyListFormat?)])
    func `is detected in UTF-16 too`(bytes: [UInt8], format: PropertyListFormat?) {
        #expect(PropertyListFormat(detectedIn: Data(bytes)) == format)
    }
}

@Suite(.inTurn) struct `The limits of property lists` {
    private static func nested(_ depth: Int, inDictionaries: Bool) -> PropertyList {
        var list: PropertyList = "innermost"
        for _ in 0..<depth { list = inDictionaries ? ["key": list] : [list] }
        return list
    }

    @Test(arguments: [true, false], PropertyListFormat.allCases)
    func `allow for 512 levels, on a thread with a small stack`(inDictionaries: Bool, format: PropertyListFormat) throws
    {
        try onSmallStack {
            let list = Self.nested(512, inDictionaries: inDictionaries)
            let again = try PropertyList(list.data(format: format))
            #expect(again == list)
            #expect(again.hashValue == list.hashValue)
            #expect(again.description == list.description)
            #expect(throws: PropertyListError(.nestedTooDeep, at: 0, found: 512)) {
                try Self.nested(513, inDictionaries: inDictionaries).data(format: format)
            }
        }
    }

    @Test(arguments: [("<array>", "</array>"), ("<dict><key>a</key>", "</dict>")])
    func `allow for 512 levels of XML`(opening: String, closing: String) {
        func xml(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: opening, count: depth) + "<true/>" + String(repeating: closing, count: depth)).utf8)
        }
        #expect(propertyListError(reading: xml(512)) == nil)
        let offset = opening.utf8.count * 512
        let expected = PropertyListError(.nestedTooDeep, at: offset, found: 512)
        #expect(propertyListError(reading: xml(513)) == expected)
        #expect(propertyListError(reading: xml(100_000)) == expected)
    }

    @Test(arguments: ["a", "c", "d"])
    func `allow for 512 levels of the binary format`(kind: String) {
        func file(_ depth: Int) -> [UInt8] {
            var file = BinaryFile(offsetSize: 2, referenceSize: 2)
            for level in 0..<depth {
                let next = BinaryFile.number(UInt64(level + 1), size: 2)
                let key = BinaryFile.number(UInt64(depth + 1), size: 2)
                file.objects.append(hex(kind + "1") + (kind == "d" ? key : []) + next)
            }
            file.objects += [hex("09"), hex("5161")]
            return file.bytes
        }
        #expect(propertyListError(reading: file(512)) == nil)
        #expect(propertyListError(reading: file(513))?.defect == .nestedTooDeep)
        #expect(propertyListError(reading: file(10_000))?.defect == .nestedTooDeep)
    }

    @Test(arguments: [0, 1, 1 << 20, Int.max / PropertyListLimits.expansionFactor, Int.max])
    func `grow with the file and do not overflow`(byteCount: Int) {
        let limit = PropertyListLimits.expansion(ofByteCount: byteCount)
        #expect(limit >= PropertyListLimits.expansionFloor)
        #expect(limit >= byteCount)
    }

    /// Runs `body` on a thread of 512 KB of stack, as threads other than the main one have on Apple's platforms.
    private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        let thread = Thread {
            outcome.result = Result(catching: body)
            done.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        done.wait()
        try outcome.result.get()
    }

    private final class Outcome: @unchecked Sendable {
        var result: Result<Void, any Error> = .success(())
    }
}

@Suite(.inTurn) struct `An error of a property list` {
    @Test(arguments: [
        (
            PropertyListError(.notAPropertyList, at: 0),
            "The data is not a property list: it starts with neither \"bplist0\" nor XML"
        ),
        (
            PropertyListError(.truncated, at: 7),
            "The property list is cut off: byte 7 announces more than the file holds"
        ),
        (
            PropertyListError(.badXML, at: 7, "a <key> without a value"),
            "The XML property list is damaged at byte 7: a <key> without a value"
        ),
        (
            PropertyListError(.nestedTooDeep, at: 9, found: 512),
            "The property list is nested deeper than 512 levels, or contains itself (byte 9)"
        ),
        (
            PropertyListError(.tooLarge, at: 9),
            "The property list is larger than 4 GiB, which is the most that can be written"
        ),
        (
            PropertyListError(.tooLarge, at: 9, found: 100),
            "The property list unfolds to more than 100 bytes: it refers to the same objects too many times"
        ),
        (PropertyListError(.nonStringKey, at: 9), "The dictionary at byte 9 has a key that is not a string"),
        (
            PropertyListError(.unrepresentableInXML, at: 9, "there is no element for null"),
            "The value at the root cannot be written as XML: there is no element for null. Write the binary format"
        ),
        (
            PropertyListError(.unknownMarker, at: 9, found: 0x70),
            "The object at byte 9 starts with 0x70, which is no property list type"
        ),
    ])
    func `says what was found, and where`(error: PropertyListError, description: String) {
        #expect(error.description == description)
    }
}
