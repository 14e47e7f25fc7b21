// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `The text of a typedstream` {
    /// What is written behind the first line.
    private func text(_ stream: TypedStream) -> String {
        String(stream.description.drop { $0 != "\n" }.dropFirst())
    }

    @Test func `is a tree`() throws {
        let classes = [
            TypedStream.Class("Crew", superclassIndex: 1), TypedStream.Class("NSObject"),
            TypedStream.Class("NSMutableString", version: 1, superclassIndex: 3),
            TypedStream.Class("NSString", version: 1, superclassIndex: 1),
            TypedStream.Class("Cabin", version: 3, superclassIndex: 1),
        ]
        let rect = "{_NSRect={_NSPoint=ff}{_NSSize=ff}}"
        func frame(_ y: Float, _ width: Float, _ height: Float) -> TypedStream.Value {
            .structure([.structure([.float(0), .float(y)]), .structure([.float(width), .float(height)])])
        }
        let objects = [
            TypedStream.Object(
                classIndex: 0,
                groups: [
                    try typedGroup("i", .integer(2)), try typedGroup("@", .object(1)),
                    try typedGroup("[2@]", .array([.object(2), .object(3)])),
                ]),
            TypedStream.Object(classIndex: 2, groups: [try typedGroup("+", .bytes(Array("Ann".utf8)))]),
            TypedStream.Object(
                classIndex: 4,
                groups: [
                    try typedGroup(rect, frame(0, 320, 240.5)), try typedGroup("@i", .object(0), .integer(7)),
                ]),
            TypedStream.Object(
                classIndex: 4,
                groups: [try typedGroup(rect, frame(240.5, 320, 1)), try typedGroup("@i", .object(nil), .integer(8))]),
        ]
        let stream = handmadeStream([try typedGroup("@", .object(0))], objects: objects, classes: classes)
        // As the documentation of `description` has it.
        let expected = """
            Typedstream of version 4, little-endian, system 1000, 4 objects
            @: #0 Crew v0 > NSObject v0
                i: 2
                @: #1 NSMutableString v1 > NSString v1 > NSObject v0
                    +: "Ann"
                [2@]: 2 elements
                    [0]: #2 Cabin v3 > NSObject v0
                        {_NSRect={_NSPoint=ff}{_NSSize=ff}}: {{0, 0}, {320, 240.5}}
                        @i: → #0, 7
                    [1]: #3 Cabin v3
                        {_NSRect={_NSPoint=ff}{_NSSize=ff}}: {{0, 240.5}, {320, 1}}
                        @i: nil, 8
            """
        #expect(stream.description == expected)
        #expect(try TypedStream(stream.data()).description == expected)
    }

    @Test func `says in its first line what the file is`() {
        var stream = TypedStream(byteOrder: .bigEndian)
        stream.streamerVersion = 3
        stream.systemVersion = 82
        #expect(stream.description == "Typedstream of version 3, big-endian, system 82, 0 objects")
        stream.objects = [TypedStream.Object(classIndex: 0)]
        stream.classes = [TypedStream.Class("A")]
        #expect(stream.description.hasPrefix("Typedstream of version 3, big-endian, system 82, 1 object\n"))
    }

    static let values: [(types: String, value: TypedStream.Value, text: String)] = [
        ("i", .integer(-5), "-5"), ("Q", .unsigned(.max), "18446744073709551615"), ("f", .float(0.1), "0.1"),
        ("d", .double(0.1), "0.1"), ("d", .double(100), "100"), ("d", .double(-0.0), "-0.0"),
        ("f", .float(-0.0), "-0.0"), ("d", .double(.infinity), "inf"), ("f", .float(-.infinity), "-inf"),
        ("d", .double(.nan), "nan"), ("f", .float(.nan), "nan"),
        ("d", .double(Double(bitPattern: 0xFFF8_0000_0000_0001)), "nan 0xfff8000000000001"),
        ("f", .float(Float(bitPattern: 0x7FC0_0001)), "nan 0x7fc00001"), ("d", .double(1e300), "1e+300"),
        ("*", .cString(nil), "nil"), ("*", .cString(0), "\"a\\\"b\""),
        ("*", .cString(1), "(C string 1, which is missing)"),
        ("%", .name(Array("Ohlfs".utf8)), "\"Ohlfs\""), (":", .name(nil), "nil"), ("+", .bytes(nil), "nil"),
        ("+", .bytes([]), "\"\""), ("+", .bytes(Array("zwölf\n".utf8)), "\"zwölf\\n\""),
        ("+", .bytes([0xFF, 1]), "2 bytes <ff01>"), ("+", .bytes([0x61, 0]), "2 bytes <6100>"),
        ("[2c]", .bytes([0x61, 0x62]), "\"ab\""), ("[2C]", .bytes([0xD8, 0]), "2 bytes <d800>"),
        ("#", .class(nil), "nil"), ("#", .class(0), "A v0"), ("@", .object(nil), "nil"),
        ("@", .object(5), "(object 5, which is missing)"), ("#", .class(-1), "(class -1, which is missing)"),
        ("!", .ignored, "(nothing stored)"), ("[3i]", .array([.integer(1), .integer(2), .integer(3)]), "[1, 2, 3]"),
        ("[0i]", .array([]), "[]"), ("{}", .structure([]), "{}"),
        (
            "[2{?=c!}]", .array([.structure([.integer(1), .ignored]), .structure([.integer(2), .ignored])]),
            "[{1, (nothing stored)}, {2, (nothing stored)}]"
        ),
    ]

    @Test(arguments: values)
    func `has values on a line`(types: String, value: TypedStream.Value, text: String) throws {
        let stream = handmadeStream(
            [try typedGroup(types, value)], classes: [TypedStream.Class("A")], cStrings: ["a\"b"])
        #expect(self.text(stream) == "\(types): \(text)")
    }

    @Test func `cuts off texts, bytes, names and types that are long`() throws {
        let long = Array(repeating: UInt8(ascii: "x"), count: 1000)
        let name = String(repeating: "N", count: 1000)
        let types = Array(repeating: TypeEncoding.int, count: 1000)
        let stream = handmadeStream(
            [
                try typedGroup("+", .bytes(long)), try typedGroup("+", .bytes(long + [0xFF])),
                // Not in the middle of a character.
                try typedGroup("+", .bytes(Array("x".utf8) + Array(String(repeating: "é", count: 500).utf8))),
                try typedGroup("+", .bytes(Array(repeating: 0xFF, count: 1000))),
                try typedGroup("@", .object(0)),
                TypedStream.Group(types, Array(repeating: .integer(1), count: 1000)),
            ], objects: [TypedStream.Object(classIndex: 0)], classes: [TypedStream.Class(name, version: 2)])
        let lines = text(stream).split(separator: "\n")
        #expect(lines[0] == "+: \"" + String(repeating: "x", count: 200) + "\"… (1000 bytes)")
        #expect(lines[1] == "+: \"" + String(repeating: "x", count: 200) + "\"… (1001 bytes)")
        #expect(lines[2] == "+: \"x" + String(repeating: "é", count: 99) + "\"… (1001 bytes)")
        #expect(lines[3] == "+: 1000 bytes <ffffffff ffffffff ffffffff ffffffff …>")
        #expect(lines[4] == "@: #0 " + String(repeating: "N", count: 60) + "… v2")
        #expect(lines[5] == String(repeating: "i", count: 100) + "…:")
        #expect(lines.count == 1006 && lines[6] == "    i: 1")
    }

    @Test func `puts as many elements on a line as there is room for`() throws {
        let stream = handmadeStream([
            try typedGroup("[100i]", .array((0..<100).map { .integer($0) })),
            try typedGroup(
                "{?=[2i][100c]}",
                .structure([.array([.integer(1), .integer(2)]), .bytes(Array(repeating: 0x61, count: 100))])),
        ])
        let lines = text(stream).split(separator: "\n").map(String.init)
        #expect(lines[0] == "[100i]: 100 elements")
        #expect(lines[1].hasPrefix("    [0]: 0, 1, 2, 3, ") && lines[1].count < 120)
        // All of them, in their order.
        var numbers: [Int] = []
        for line in lines.dropFirst().prefix(while: { $0 != "{?=[2i][100c]}: 2 fields" }) {
            let elements = line.split(separator: ": ")[1]
            numbers += elements.split(separator: ", ").compactMap { Int($0) }
        }
        #expect(numbers == Array(0..<100))
        let letters = String(repeating: "a", count: 100)
        #expect(lines.suffix(2) == ["    [0]: [1, 2]", "    [1]: \"\(letters)\""])
    }

    @Test func `keeps what a file says from looking like something else`() throws {
        let name = "A\n@: #7 \u{202E}B"
        let stream = handmadeStream(
            [try typedGroup("@", .object(0)), try typedGroup("+", .bytes(Array("a\"\n+: \"b".utf8)))],
            objects: [TypedStream.Object(classIndex: 0)],
            classes: [TypedStream.Class(name, superclassIndex: 1), TypedStream.Class("")])
        #expect(
            text(stream) == #"""
                @: #0 A\n@: #7 \u{202E}B v0 > "" v0
                +: "a\"\n+: \"b"
                """#)
        let types = TypedStream.Group([.structure(name: "a\nb", fields: [.int])], [.structure([.integer(1)])])
        #expect(text(handmadeStream([types])) == #"{a\nb=i}: {1}"#)
    }

    @Test func `says where a stream contradicts itself`() throws {
        let stream = handmadeStream(
            [
                TypedStream.Group([.int, .object], [.integer(1)]), TypedStream.Group([], [.integer(2)]),
                TypedStream.Group([.int], []), TypedStream.Group([], []), try typedGroup("@@", .object(0), .object(9)),
            ],
            objects: [
                TypedStream.Object(classIndex: 4),
                TypedStream.Object(classIndex: 0, groups: [try typedGroup("i", .integer(3))]),
                TypedStream.Object(classIndex: 1),
            ],
            classes: [
                TypedStream.Class("A", superclassIndex: 7), TypedStream.Class("B", superclassIndex: 1),
            ])
        #expect(
            stream.description == """
                Typedstream of version 4, little-endian, system 1000, 3 objects
                i@: (2 types, 1 values)
                    i: 1
                : (0 types, 1 values)
                    (no type): 2
                i: (1 types, 0 values)
                (no values)
                @@:
                    @: #0 (class 4, which is missing)
                    @: (object 9, which is missing)

                Objects that nothing refers to:
                    #1 A v0 > (class 7, which is missing)
                        i: 3
                    #2 B v0\(String(repeating: " > B v0", count: 11)) > …
                """)
    }

    // MARK: - Large files

    @Test func `has sections for what lies in many others, and grows with the file`() throws {
        var bytes = streamBytes("84 01 '@' 84 84 84 01 'A' 00 85")
        for _ in 1..<40 { bytes += [0x92, 0x84, 0x93] }
        let stream = try TypedStream(streamFile(bytes + Array(repeating: 0x86, count: 40)))
        let lines = text(stream).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "@: #0 A v0" && lines[1] == "    @: #1 A v0")
        #expect(lines[16] == String(repeating: "    ", count: 16) + "@: #16 A v0 …")
        #expect(lines[17] == "" && lines[18] == "#16 A v0" && lines[19] == "    @: #17 A v0")
        #expect(lines.allSatisfy { $0.count < 100 })
        // Each object is there, and its contents once.
        for index in 0..<40 {
            let count = lines.count { $0.contains("#\(index) ") }
            #expect(count == (index % 16 == 0 && index > 0 ? 2 : 1), "\(index)")
        }
    }

    static let large: [(name: String, bytes: String, count: Int, each: String, end: String)] = [
        ("nested objects", "84 01 '@' 84 84 84 01 'A' 00 85", 5000, "92 84 93", "86"),
        ("references", "84 02 '@@' 84 84 84 01 'A' 00 85 86 92", 5000, "92 92 92", ""),
        (
            "C strings of 5000 bytes", "84 02 '**' 84 84 81 8813 '\(String(repeating: "x", count: 5000))' 92", 3000,
            "92 92 92", ""
        ),
        (
            "objects of a class with 900 superclasses",
            "84 01 '@' 84" + (String(repeating: "84 84 01 'A' 00", count: 900)) + "85 86", 3000, "92 84 93 86", ""
        ),
        (
            "arrays without elements of a large struct", "84 81 8B13 '[0{\(String(repeating: "i", count: 4998))}]'",
            3000, "92", ""
        ),
        ("single bytes", "84 01 'c' 00", 5000, "92 01", ""),
    ]

    @Test(arguments: large)
    func `grows with the file`(name: String, bytes: String, count: Int, each: String, end: String) throws {
        let one = streamBytes(each)
        var file = streamBytes(bytes)
        for _ in 0..<count { file += one }
        // Objects in each other end at the end.
        if !end.isEmpty { file += Array(repeating: 0x86, count: count + 1) }
        let data = streamFile(file)
        let size = try onThread(stackSize: 512 << 10) { try TypedStream(data).description.utf8.count }
        #expect(size < 150 * data.count && size > count, "\(name): \(size) of \(data.count)")
    }

    @Test func `is finite if values are nested deeper than any writer nests them`() throws {
        // What a program has nested it also has to release, which takes stack of its own.
        var value = TypedStream.Value.integer(1)
        for _ in 0..<2000 { value = .array([value]) }
        let stream = handmadeStream([TypedStream.Group([.object], [value])])
        #expect(stream.description.utf8.count < 2000 * 300)
        #expect(stream.description.contains("1 element"))
        #expect(value.description.count <= 80)
    }
}

@Suite(.inTurn) struct `The text of a value in a typedstream` {
    static let values: [(value: TypedStream.Value, text: String)] = [
        (.integer(-5), "integer -5"), (.unsigned(5), "unsigned 5"), (.float(0.5), "float 0.5"),
        (.double(1), "double 1"),
        (.double(-0.0), "double -0.0"), (.cString(3), "C string #3"), (.cString(nil), "C string nil"),
        (.name(Array("a:".utf8)), "name \"a:\""), (.bytes(Array("Ann".utf8)), "bytes \"Ann\""),
        (.bytes([0xFF]), "bytes 1 byte <ff>"), (.bytes(nil), "bytes nil"), (.class(2), "class #2"),
        (.object(nil), "object nil"), (.object(7), "object #7"),
        (.array([.integer(1), .integer(2)]), "array of 2 [1, 2]"),
        (.structure([.float(1), .structure([])]), "struct of 2 {1, {}}"), (.ignored, "(nothing stored)"),
    ]

    @Test(arguments: values)
    func `says what it is`(value: TypedStream.Value, text: String) {
        #expect("\(value)" == text)
    }

    @Test func `is a short line`() {
        let text = Array(String(repeating: "x", count: 1000).utf8)
        let values: [TypedStream.Value] = [
            .bytes(text), .name(text), .bytes(Array(repeating: 0xFF, count: 1000)),
            .bytes(Array(String(repeating: "\u{200B}", count: 1000).utf8)),
            .array(Array(repeating: .integer(.min), count: 1000)), .structure([.bytes(text), .bytes(text)]),
            .array([.array([.array([.bytes(text)])])]),
        ]
        for value in values {
            #expect(value.description.count <= 80 && value.description.count > 20, "\(value)")
            #expect(value.description.contains("…") && !value.description.contains("\n"), "\(value)")
        }
    }

    @Test func `is part of errors`() throws {
        let stream = handmadeStream([try typedGroup("I", .integer(5))])
        let error = #expect(throws: TypedStreamError.self) { try stream.data() }
        #expect(error?.description == "The value integer 5 does not match the type \"I\"")
    }
}
