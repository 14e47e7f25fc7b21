import Archiving
import Foundation
import Testing

@Suite struct `The description of a damaged archive` {
    @Test func `says what is wrong where it is`() throws {
        let archive = try openArchive(
            top: ["root": .uid(1), "gone": .uid(77)],
            // 1
            ["a": .uid(99), "b": .uid(2), "c": .uid(3), "d": .uid(5), "e": .uid(6), "$class": .uid(9)],
            // 2
            .uid(1),
            // 3
            ["x": 1, "$class": .uid(4)],
            // 4
            ["$classes": ["Nameless"]],
            // 5
            ["y": 2, "$class": .uid(50)],
            // 6
            ["NS.keys": ["k"], "NS.objects": [], "$class": .uid(7)],
            // 7
            classEntry("NSDictionary"),
            // 8
            "unused",
            // 9
            classEntry("Root"))
        #expect(
            archive.text(.init(listsUnreachableObjects: false)) == """
                root: Root #1
                    a: damaged: uid 99 is referenced, but there are only 10 objects
                    b: damaged: object 2 is itself a uid
                    c: object #3 (damaged: the class entry at uid 4 is no dictionary with a $classname)
                        x: 1
                        $class: dictionary #4, 1 entry
                            "$classes": array, 1 element
                                [0]: "Nameless"
                    d: object #5 (damaged: uid 50 is referenced, but there are only 10 objects)
                        y: 2
                        $class: damaged: uid 50 is referenced, but there are only 10 objects
                    e: NSDictionary #6 (damaged: the dictionary at uid 6 has 1 keys and 0 values)
                        NS.keys: array, 1 element
                            [0]: "k"
                        NS.objects: array, 0 elements
                gone: damaged: uid 77 is referenced, but there are only 10 objects
                """)
    }

    @Test func `shows the fields of values that are not what they should be`() throws {
        let archive = try openArchive(
            top: ["a": .uid(1), "b": .uid(3), "c": .uid(5)],
            ["NS.uuidbytes": .data(Data([1, 2])), "$class": .uid(2)], classEntry("NSUUID"),
            ["NS.time": "noon", "$class": .uid(4)], classEntry("NSDate"),
            ["NSRangeCount": 2, "NSRangeData": .data(Data([1])), "$class": .uid(6)], classEntry("NSIndexSet"))
        let text = archive.text()
        #expect(text.contains("a: NSUUID #1 (damaged: NS.uuidbytes of the object at uid 1 is not data of 16 bytes)\n"))
        #expect(text.contains("    NS.uuidbytes: 2 bytes <0102>\nb: NSDate #3 (damaged: "))
        #expect(text.contains("    NS.time: \"noon\"\nc: NSIndexSet #5 (damaged: "))
        #expect(text.hasSuffix("    NSRangeCount: 2\n    NSRangeData: 1 byte <01>"))
    }

    @Test func `goes on behind objects that cannot be read`() throws {
        // Object 10 is an array of what the next ones are: a string that is cut off, a type that there is not, a reference
        // to nothing, and a number.
        let raw = RawArchive(
            top: [1], slots: [10], [hex("a4 0b 0c 63 0d"), hex("5f 11 ffff"), hex("7f"), hex("10 07")])
        #expect(
            try raw.open().description == """
                Keyed archive by Hand, binary, 2 objects
                a: array #1, 4 elements
                    [0]: damaged: The object at byte \(raw.offset(of: 11)) claims 65535 elements, more than the file can hold
                    [1]: damaged: The object at byte \(raw.offset(of: 12)) starts with 0x7f, which is no property list type
                    [2]: damaged: Reference 99 at byte 0 names no object of the property list
                    [3]: 7
                """)
    }

    @Test func `has objects whose class or whose keys cannot be read`() throws {
        // Object 10: {"$class": a uid of more than 32 bits}, 12: {7: "v", <an array>: "v", <nothing>: "v"}.
        let raw = RawArchive(
            top: [1, 2], slots: [10, 12],
            [
                hex("d1 0b 0d"), RawArchive.string("$class"), hex("d3 0e 0f 63 10 10 10"), hex("84 0100000000"),
                hex("10 07"), hex("a1 0e"), RawArchive.string("v"),
            ])
        #expect(
            try raw.open().text() == """
                a: object #1 (damaged: The uid at byte \(raw.offset(of: 13)) does not fit in 32 bits)
                    $class: damaged: The uid at byte \(raw.offset(of: 13)) does not fit in 32 bits
                b: object #2 (damaged: Reference 99 at byte 0 names no object of the property list)
                    7: "v"
                    [1] key: array, 1 element
                        [0]: 7
                    [1] value: "v"
                    damaged: Reference 99 at byte 0 names no object of the property list: "v"
                """)
    }

    @Test func `marks containers that contain themselves, and does not follow them`() throws {
        // Object 10 is [itself, "x", {"k": itself}].
        let raw = RawArchive(
            top: [1], slots: [10],
            [hex("a3 0a 0b 0c"), RawArchive.string("x"), hex("d1 0d 0a"), RawArchive.string("k")])
        #expect(
            try raw.open().text() == """
                a: array #1 @10, 3 elements
                    [0]: array @10 (cycle)
                    [1]: "x"
                    [2]: dictionary, 1 entry
                        "k": array @10 (cycle)
                """)
    }

    @Test func `has containers of several places once, and names them`() throws {
        // Object 10 is [11, 11], 11 is [12, 12], 12 is ["x"].
        let raw = RawArchive(
            top: [1], slots: [10],
            [hex("a2 0b 0b"), hex("a2 0c 0c"), hex("a1 0d"), RawArchive.string("x")])
        #expect(
            try raw.open().text() == """
                a: array #1, 2 elements
                    [0]: array @11, 2 elements
                        [0]: array @12, 1 element
                            [0]: "x"
                        [1]: array @12 (above)
                    [1]: array @11 (above)
                """)
    }

    @Test func `has objects that share their contents, or their elements, once`() throws {
        // Two slots for object 10, a Cow; objects 11 and 12 are arrays with one list of elements, 13.
        let raw = RawArchive(
            top: [1, 2, 3, 4], slots: [10, 10, 11, 12, 14, 15],
            [
                hex("d2 10 11 12 13"), hex("d2 14 11 0d 15"), hex("d2 14 11 0d 15"), hex("a1 12"),
                hex("d1 16 17"), hex("d1 16 18"),
                // 16
                RawArchive.string("name"), RawArchive.string("$class"), RawArchive.string("Bella"),
                RawArchive.uid(5),
                // 20
                RawArchive.string("NS.objects"), RawArchive.uid(6), RawArchive.string("$classname"),
                RawArchive.string("Cow"), RawArchive.string("NSArray"),
            ])
        #expect(
            try raw.open().text() == """
                a: Cow #1 @10
                    name: "Bella"
                b: Cow #2 @10 (above)
                c: NSArray #3
                    NS.objects: array @13, 1 element
                        [0]: "Bella"
                d: NSArray #4
                    NS.objects: array @13 (above)
                """)
    }
}

// MARK: - Size

@Suite struct `The text of a dump` {
    @Test func `grows with the archive, not with the ways through it`() throws {
        // Each array has the next one twice: 2^60 ways, 60 arrays.
        let depth: UInt8 = 60
        let raw = RawArchive(
            top: [1], slots: [10], (0..<depth).map { [0xA2, $0 + 11, $0 + 11] } + [RawArchive.string("x")])
        let text = try raw.open().text(.init(indentationLimit: 64))
        // A line for the key, and two for each array.
        #expect(text.split(separator: "\n").count == 1 + 2 * Int(depth))
        let sections = try raw.open().text()
        #expect(sections.split(separator: "\n").count < 3 * Int(depth))
        #expect(sections.contains("(below)"))
    }

    @Test func `stops where objects lie in each other`() throws {
        // 200 objects of the property list are the same 200 references to the same string, byte for byte.
        let count = 200
        var file = BinaryFile(offsetSize: 2, referenceSize: 1)
        file.objects = [
            hex("d4 01 02 03 04 05 06 07 08"),
            RawArchive.string("$version"), RawArchive.string("$archiver"), RawArchive.string("$top"),
            RawArchive.string("$objects"), hex("12 000186a0"), RawArchive.string("Hand"), hex("d1 09 0a"), hex("a0"),
            RawArchive.string("all"), [0xAF, 0x10, UInt8(count)] + (0..<UInt8(count)).map { 12 + $0 },
            RawArchive.string("x"), [0xAF, 0x10, UInt8(count)] + [UInt8](repeating: 11, count: count),
        ]
        var offsets: [UInt64] = []
        var offset: UInt64 = 8
        for object in file.objects {
            offsets.append(offset)
            offset += UInt64(object.count)
        }
        file.offsets = offsets + Array(repeating: offsets[12], count: count - 1)
        let bytes = file.bytes
        let archive = try KeyedArchive(Data(bytes))
        let text = archive.description
        #expect(text.hasSuffix("\n… (objects lie in each other: the dump stops here)"))
        let lines = text.split(separator: "\n")
        #expect(lines.count > 2 * count && lines.count <= bytes.count + 2)
    }

    @Test func `of a long chain has a line for each node, and needs no stack`() throws {
        let count = 200_000
        var objects: [PropertyList] = []
        for uid in 1...count {
            objects.append(["next": .uid(uid < count ? UInt32(uid + 1) : 0), "$class": .uid(UInt32(count + 1))])
        }
        objects.append(classEntry("Node"))
        let data = try handmadeArchive(objects: objects)
        let text = try onThread(stackSize: 512 << 10) { try KeyedArchive(data).description }
        // 16 nodes in each section, and the first line of the next one's.
        var expected = ["Keyed archive by NSKeyedArchiver, binary, \(count + 2) objects"]
        for uid in 1...count {
            let level = (uid - 1) % 16
            if uid == 1 {
                expected.append("root: Node #1")
            } else if level == 0 {
                expected.append(String(repeating: " ", count: 64) + "next: Node #\(uid) (below)")
                expected += ["", "Node #\(uid)"]
            } else {
                expected.append(String(repeating: " ", count: 4 * level) + "next: Node #\(uid)")
            }
        }
        expected.append(String(repeating: " ", count: 64) + "next: nil")
        let isEqual = text == expected.joined(separator: "\n")
        #expect(isEqual)
    }

    /// A stream that keeps nothing but the sizes of the pieces.
    private struct Pieces: TextOutputStream {
        var text = ""
        var largest = 0
        var count = 0

        mutating func write(_ piece: String) {
            text += piece
            largest = max(largest, piece.utf8.count)
            count += 1
        }
    }

    @Test func `goes to its target in small pieces, and is the description`() throws {
        let long = String(repeating: "\u{202E}🧀\"abc\n", count: 20_000)
        let archive = try openArchive(
            top: ["text": .string(long), "ascii": .string(String(repeating: "a", count: 100_000)), "list": .uid(1)],
            ["NS.objects": .array((0..<10_000).map { .integer(Int128($0)) }), "$class": .uid(2)], classEntry("NSArray"),
            .data(Data(repeating: 7, count: 100_000)))
        var pieces = Pieces()
        archive.dump(to: &pieces)
        #expect(pieces.text == archive.description)
        #expect(pieces.largest <= 2048)
        var all = Pieces()
        archive.dump(to: &all, options: .init(byteLimit: .max, stringLimit: .max))
        #expect(all.text.utf8.count > 500_000 && all.largest <= 2048)
        #expect(all.count >= all.text.utf8.count / 2048)
        #expect(all.text.contains(String(repeating: #"\u{202E}🧀\"abc\n"#, count: 20_000) + "\"\n"))
        var list = Pieces()
        archive.top["list"]?.dump(to: &list)
        #expect(list.text == archive.top["list"]?.description)
    }
}
