// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

/// Streams that were put together by hand, byte by byte, and the model of each.
@Suite(.inTurn) struct `A typedstream` {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: String
        let model: @Sendable () throws -> TypedStream

        init(_ name: String, _ bytes: String, _ model: @escaping @Sendable () throws -> TypedStream) {
            testDescription = name
            self.bytes = bytes
            self.model = model
        }
    }

    private static let root = [TypedStream.Class("A")]

    static let rows: [Row] = texts + objects + compounds

    private static let texts: [Row] = [
        Row("nothing", "") { handmadeStream([]) },
        Row("groups of no value, and of several", "84 00 84 02 'cC' FF FF 92 93 01 02") {
            handmadeStream([
                try typedGroup(""), try typedGroup("cC", .integer(-1), .unsigned(255)), try typedGroup(""),
                try typedGroup("cC", .integer(1), .unsigned(2)),
            ])
        },
        // The same C string twice, one of the same bytes, and none.
        Row("C strings", "84 02 '**' 84 84 01 'a' 92  92 84 93 85  92 93 84 84 00") {
            handmadeStream(
                [
                    try typedGroup("**", .cString(0), .cString(0)), try typedGroup("**", .cString(1), .cString(nil)),
                    try typedGroup("**", .cString(1), .cString(2)),
                ], cStrings: ["a", "a", ""])
        },
        Row("a C string with the bytes of a type", "84 01 '*' 84 92") {
            handmadeStream([try typedGroup("*", .cString(0))], cStrings: ["*"])
        },
        Row("atoms and selectors", "84 04 '%%::' 84 04 'Ohlf' 93 93 84 02 'a:'  92 85 94 85 85") {
            handmadeStream([
                try typedGroup(
                    "%%::", .name(Array("Ohlf".utf8)), .name(Array("Ohlf".utf8)), .name(Array("Ohlf".utf8)),
                    .name(Array("a:".utf8))),
                try typedGroup("%%::", .name(nil), .name(Array("a:".utf8)), .name(nil), .name(nil)),
            ])
        },
        Row("bytes, which are never shared", "84 03 '+++' 85 00 02 'ab'  84 01 '+' 02 'ab'") {
            handmadeStream([
                try typedGroup("+++", .bytes(nil), .bytes([]), .bytes([0x61, 0x62])),
                try typedGroup("+", .bytes([0x61, 0x62])),
            ])
        },
        Row("200 bytes", "84 01 '+' 81 C800 " + String(repeating: "86", count: 200)) {
            handmadeStream([try typedGroup("+", .bytes(Array(repeating: 0x86, count: 200)))])
        },
        Row("values that are not stored", "84 04 'i!!i' 01 02") {
            handmadeStream([try typedGroup("i!!i", .integer(1), .ignored, .ignored, .integer(2))])
        },
    ]

    private static let objects: [Row] = [
        Row(
            "a string of Foundation's",
            "84 01 '@' 84 84 84 08 'NSString' 01 84 84 08 'NSObject' 00 85 84 01 '+' 0C 'string value' 86"
        ) {
            handmadeStream(
                [try typedGroup("@", .object(0))],
                objects: [
                    TypedStream.Object(classIndex: 0, groups: [try typedGroup("+", .bytes(Array("string value".utf8)))])
                ],
                classes: [TypedStream.Class("NSString", version: 1, superclassIndex: 1), TypedStream.Class("NSObject")])
        },
        // Numbers: the object 0, its class B 1, A 2, the object inside 3, C 4.
        Row(
            "an object in an object, of classes that share theirs",
            "84 02 '@@' 84 84 84 01 'B' 02 84 84 01 'A' 00 85 84 01 '@' 84 84 84 01 'C' 81 E803 94 86 86 95 92 84 93 86 92"
        ) {
            handmadeStream(
                [try typedGroup("@@", .object(0), .object(1)), try typedGroup("@@", .object(2), .object(0))],
                objects: [
                    TypedStream.Object(classIndex: 0, groups: [try typedGroup("@", .object(1))]),
                    TypedStream.Object(classIndex: 2), TypedStream.Object(classIndex: 0),
                ],
                classes: [
                    TypedStream.Class("B", version: 2, superclassIndex: 1), TypedStream.Class("A"),
                    TypedStream.Class("C", version: 1000, superclassIndex: 1),
                ])
        },
        Row("an object that refers to itself", "84 01 '@' 84 84 84 01 'A' 00 85 92 92 86") {
            handmadeStream(
                [try typedGroup("@", .object(0))],
                objects: [TypedStream.Object(classIndex: 0, groups: [try typedGroup("@", .object(0))])], classes: root)
        },
        // Numbers: the first object 0, its class 1, the second object 2.
        Row("two objects that refer to each other", "84 01 '@' 84 84 84 01 'A' 00 85 92 84 93 92 92 86 86 92 94") {
            handmadeStream(
                [try typedGroup("@", .object(0)), try typedGroup("@", .object(1))],
                objects: [
                    TypedStream.Object(classIndex: 0, groups: [try typedGroup("@", .object(1))]),
                    TypedStream.Object(classIndex: 0, groups: [try typedGroup("@", .object(0))]),
                ], classes: root)
        },
        Row("nil", "84 03 '@#*' 85 85 85") {
            handmadeStream([try typedGroup("@#*", .object(nil), .class(nil), .cString(nil))])
        },
        // Numbers: B 0, A 1, the object 2.
        Row("classes as values", "84 03 '##@' 84 84 01 'B' FF 84 84 01 'A' 00 85 93 84 92 86 84 01 '#' 92") {
            handmadeStream(
                [try typedGroup("##@", .class(0), .class(1), .object(0)), try typedGroup("#", .class(0))],
                objects: [TypedStream.Object(classIndex: 0)],
                classes: [
                    TypedStream.Class("B", version: -1, superclassIndex: 1), TypedStream.Class("A"),
                ])
        },
        // Numbers: the C string 0, the object 1, its class 2.
        Row("an object behind a C string", "84 02 '*@' 84 84 01 'A' 84 84 93 00 85 92 92 93 86 84 01 '@' 93") {
            handmadeStream(
                [try typedGroup("*@", .cString(0), .object(0)), try typedGroup("@", .object(0))],
                objects: [
                    TypedStream.Object(
                        classIndex: 0, groups: [try typedGroup("*@", .cString(0), .object(0))])
                ], classes: root, cStrings: ["A"])
        },
        Row("two classes of one name", "84 02 '##' 84 84 01 'A' 00 85 84 93 01 85") {
            handmadeStream(
                [try typedGroup("##", .class(0), .class(1))],
                classes: [TypedStream.Class("A"), TypedStream.Class("A", version: 1)])
        },
    ]

    private static let compounds: [Row] = [
        Row("an array of numbers", "84 04 '[8S]' 00 01 7F 81 8000 FF 92 81 0080 02") {
            handmadeStream([
                try typedGroup(
                    "[8S]",
                    .array([0, 1, 127, 128, 65535, 65426, 32768, 2].map { .unsigned($0) }))
            ])
        },
        Row("an array of objects", "84 04 '[3@]' 84 84 84 01 'A' 00 85 86 85 92") {
            handmadeStream(
                [try typedGroup("[3@]", .array([.object(0), .object(nil), .object(0)]))],
                objects: [TypedStream.Object(classIndex: 0)], classes: root)
        },
        Row("arrays of bytes", "84 0C '[5c][2C][0c]' 'abcde' 80 86") {
            handmadeStream([
                try typedGroup("[5c][2C][0c]", .bytes(Array("abcde".utf8)), .bytes([0x80, 0x86]), .bytes([]))
            ])
        },
        Row("arrays without elements", "84 0B '[0i][0@]{}i' 05") {
            handmadeStream([try typedGroup("[0i][0@]{}i", .array([]), .array([]), .structure([]), .integer(5))])
        },
        Row("arrays in arrays", "84 07 '[2[2i]]' 01 02 03 04") {
            handmadeStream([
                try typedGroup(
                    "[2[2i]]", .array([.array([.integer(1), .integer(2)]), .array([.integer(3), .integer(4)])]))
            ])
        },
        Row("a struct", "84 0D '{_NSPoint=ff}' 01 83 0000003F 92 02 03") {
            let point = "{_NSPoint=ff}"
            return handmadeStream([
                try typedGroup(point, .structure([.float(1), .float(0.5)])),
                try typedGroup(point, .structure([.float(2), .float(3)])),
            ])
        },
        Row("structs without a name", "84 0E '{?=ff}{=c}{ii}' 01 02 03 04 05") {
            handmadeStream([
                try typedGroup(
                    "{?=ff}{=c}{ii}", .structure([.float(1), .float(2)]), .structure([.integer(3)]),
                    .structure([.integer(4), .integer(5)]))
            ])
        },
        // Numbers: the object 0, its class 1, the C string 2.
        Row(
            "structs and arrays in each other",
            """
            84 1A '[2{a={b=@*}[2{!c}][2C]}]ii'
            84 84 84 01 'A' 00 85 86  84 93  07 08  0102
            92  94  09 0A  0304
            0B 0C
            """
        ) {
            func element(_ first: Int64, _ bytes: [UInt8]) -> TypedStream.Value {
                .structure([
                    .structure([.object(0), .cString(0)]),
                    .array([
                        .structure([.ignored, .integer(first)]), .structure([.ignored, .integer(first + 1)]),
                    ]), .bytes(bytes),
                ])
            }
            return handmadeStream(
                [
                    try typedGroup(
                        "[2{a={b=@*}[2{!c}][2C]}]ii", .array([element(7, [1, 2]), element(9, [3, 4])]), .integer(11),
                        .integer(12))
                ], objects: [TypedStream.Object(classIndex: 0)], classes: root, cStrings: ["A"])
        },
    ]

    @Test(arguments: rows)
    func `is read from its bytes, and written as them`(row: Row) throws {
        let file = streamFile(row.bytes)
        let model = try row.model()
        try expect(file, is: model)
        // In the other byte order it is the same stream.
        var big = model
        big.byteOrder = .bigEndian
        let bigFile = try big.data()
        #expect(bigFile != file && bigFile.count == file.count)
        #expect(try TypedStream(bigFile) == big)
    }
}

// MARK: - The whole file

extension `A typedstream` {
    static let headers: [(bytes: String, version: Int, byteOrder: TypedStream.ByteOrder, system: Int)] = [
        ("04 0B 'streamtyped' 81 E803", 4, .littleEndian, 1000), ("04 0B 'typedstream' 81 03E8", 4, .bigEndian, 1000),
        ("04 0B 'streamtyped' 81 A203", 4, .littleEndian, 930), ("04 0B 'typedstream' 81 03A2", 4, .bigEndian, 930),
        ("03 0B 'typedstream' 52", 3, .bigEndian, 82), ("03 0B 'streamtyped' 00", 3, .littleEndian, 0),
        ("04 0B 'streamtyped' 82 A0860100", 4, .littleEndian, 100_000),
        ("04 0B 'typedstream' FF", 4, .bigEndian, -1),
    ]

    @Test(arguments: headers)
    func `has a header`(bytes: String, version: Int, byteOrder: TypedStream.ByteOrder, system: Int) throws {
        let file = Data(streamBytes(bytes + "84 01 's' 81") + (byteOrder == .littleEndian ? [0, 1] : [1, 0]))
        var model = handmadeStream([try typedGroup("s", .integer(256))], byteOrder: byteOrder)
        model.streamerVersion = version
        model.systemVersion = system
        try expect(file, is: model)
        #expect(TypedStream.isTypedStream(file))
    }

    @Test func `is distinguished from other files by its first bytes`() {
        #expect(TypedStream.isTypedStream(streamFile("")))
        #expect(TypedStream.isTypedStream(Data(streamBytes("04 0B 'streamtyped'"))))
        for other in [
            "", "04", "04 0B 'streamtype'", "04 0B 'streamtypes' 00", "'bplist00' 000000000000000000",
            "00 'streamtyped' 00",
        ] {
            #expect(!TypedStream.isTypedStream(Data(streamBytes(other))), "\(other)")
        }
        // A part of other data, whose first position is not 0.
        let part = (Data([1, 2, 3]) + streamFile("84 01 'i' 05")).dropFirst(3)
        #expect(TypedStream.isTypedStream(part))
        #expect((try? TypedStream(part))?.groups.first?.values == [.integer(5)])
    }

    @Test func `says where its groups begin`() throws {
        let stream = try TypedStream(streamFile("84 01 'i' 05 84 01 '@' 84 84 84 01 'A' 00 85 92 06 86 92 07"))
        // The header has 16 bytes.
        #expect(stream.groups.map(\.byteOffset) == [16, 20, 33])
        #expect(stream.objects[0].groups.map(\.byteOffset) == [30])
        // That does not make them others.
        #expect(stream.groups[0] == (try typedGroup("i", .integer(5))))
        #expect(stream.groups[0].byteOffset != nil && TypedStream.Group([], []).byteOffset == nil)
    }

    @Test func `knows the classes of its objects`() throws {
        let stream = try TypedStream(
            streamFile("84 01 '@' 84 84 84 01 'C' 03 84 84 01 'B' 02 84 84 01 'A' 01 85 86 92 84 94 86"))
        #expect(stream.objects.map { stream.className(of: $0) } == ["C", "B"])
        #expect(stream.classChain(of: stream.objects[0]).map(\.name) == ["C", "B", "A"])
        #expect(stream.classChain(of: stream.objects[0]).map(\.version) == [3, 2, 1])
        #expect(stream.classChain(of: stream.objects[1]).map(\.name) == ["B", "A"])
        // A program can make a circle of them.
        var looping = stream
        looping.classes[2].superclassIndex = 0
        #expect(looping.classChain(of: looping.objects[0]).map(\.name) == ["C", "B", "A"])
    }

    @Test func `has values that say what they are`() {
        #expect(TypedStream.Value.integer(-5).integer == -5 && TypedStream.Value.unsigned(5).integer == 5)
        #expect(TypedStream.Value.unsigned(1 << 63).integer == nil && TypedStream.Value.double(5).integer == nil)
        #expect(TypedStream.Value.float(0.5).real == 0.5 && TypedStream.Value.double(0.1).real == 0.1)
        #expect(TypedStream.Value.integer(5).real == nil && TypedStream.Value.ignored.real == nil)
        #expect(TypedStream.Value.bytes([1]).bytes == [1] && TypedStream.Value.name([2]).bytes == [2])
        #expect(TypedStream.Value.bytes(nil).bytes == nil && TypedStream.Value.cString(0).bytes == nil)
    }
}

// MARK: - Changes

extension `A typedstream` {
    /// An array of two strings and a number behind it.
    private static let file = streamFile(
        """
        84 01 '@' 84 84 84 05 'Array' 00 84 84 04 'Root' 00 85 84 01 'i' 02
        92 84 84 84 06 'String' 01 94 84 01 '+' 03 'one' 86
        92 84 96 97 03 'two' 86 86  95 07
        """)

    @Test func `is sound before it is changed`() throws {
        let stream = try TypedStream(Self.file)
        // Strings: @, Array, Root, i, String, +. Objects: the array 0, Array 1, Root 2, "one" 3, String 4, "two" 5.
        #expect(stream.objects.count == 3 && stream.groups.count == 2)
        #expect(stream.objects[1].groups[0].values[0].bytes == Array("one".utf8))
        #expect(try stream.data() == Self.file)
    }

    @Test func `can have a text changed`() throws {
        var stream = try TypedStream(Self.file)
        stream.objects[2].groups[0].values[0] = .bytes(Array("three".utf8))
        let expected = Self.file.map { $0 }.split(separator: Array("two".utf8)).map { Array($0) }
        #expect(expected.count == 2)
        #expect(
            try stream.data() == Data(expected[0].dropLast() + [5] + Array("three".utf8) + expected[1]))
    }

    @Test func `can have an object more`() throws {
        var stream = try TypedStream(Self.file)
        stream.objects.append(
            TypedStream.Object(
                classIndex: stream.objects[1].classIndex,
                groups: [
                    try typedGroup("+", .bytes([0x33]))
                ]))
        stream.objects[0].groups[0].values[0] = .integer(3)
        stream.objects[0].groups.append(try typedGroup("@", .object(3)))
        let expected = streamFile(
            """
            84 01 '@' 84 84 84 05 'Array' 00 84 84 04 'Root' 00 85 84 01 'i' 03
            92 84 84 84 06 'String' 01 94 84 01 '+' 03 'one' 86
            92 84 96 97 03 'two' 86  92 84 96 97 01 '3' 86 86  95 07
            """)
        #expect(try stream.data() == expected)
        #expect(try TypedStream(expected) == stream)
    }

    @Test func `can have groups removed, and what only they refer to is not written`() throws {
        var stream = try TypedStream(Self.file)
        stream.objects[0].groups.remove(at: 1)
        stream.objects[0].groups[0].values[0] = .integer(1)
        stream.groups.removeLast()
        let expected = streamFile(
            """
            84 01 '@' 84 84 84 05 'Array' 00 84 84 04 'Root' 00 85 84 01 'i' 01
            92 84 84 84 06 'String' 01 94 84 01 '+' 03 'two' 86 86
            """)
        #expect(try stream.data() == expected)
        // The object is gone, and with it its place in the list.
        let read = try TypedStream(expected)
        #expect(read.objects.count == 2 && read.objects[1].groups == stream.objects[2].groups)
    }

    @Test func `is written in the order in which things are met`() throws {
        // The lists are in another order than the file.
        let stream = handmadeStream(
            [try typedGroup("@*", .object(1), .cString(1)), try typedGroup("@*", .object(0), .cString(0))],
            objects: [TypedStream.Object(classIndex: 1), TypedStream.Object(classIndex: 0)],
            classes: [TypedStream.Class("B", superclassIndex: 2), TypedStream.Class("C"), TypedStream.Class("A")],
            cStrings: ["x", "y"])
        // The first object 0, B 1, A 2, "y" 3, the second object 4, C 5, "x" 6.
        let file = streamFile(
            "84 02 '@*' 84 84 84 01 'B' 00 84 84 01 'A' 00 85 86 84 84 01 'y' 92 84 84 84 01 'C' 00 85 86 84 84 01 'x'")
        #expect(try stream.data() == file)
        let read = try TypedStream(file)
        #expect(read != stream && read.classes.map(\.name) == ["B", "A", "C"])
        #expect(read.cStrings == [[0x79], [0x78]] && read.groups[1].values == [.object(1), .cString(1)])
    }
}
