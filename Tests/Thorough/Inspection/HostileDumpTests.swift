// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The tree of a damaged archive` {
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
                    c: object #3 (damaged: the class entry at uid 4 is not a dictionary with a $classname)
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
        // Object 12 is an array of what the next ones are: a string that is cut off, a type that there is not, a reference
        // to nothing, and a number.
        let raw = ByteArchive(slots: [12], hex("a4 0d 0e 63 0f"), hex("5f 11 ffff"), hex("7f"), hex("10 07"))
        #expect(
            try raw.open().text() == """
                root: array #1, 4 elements
                    [0]: damaged: The object at byte \(raw.offset(of: 13)) claims 65535 elements, more than the file can hold
                    [1]: damaged: The object at byte \(raw.offset(of: 14)) starts with 0x7f, which is no property list type
                    [2]: damaged: Reference 99 at byte 0 names no object of the property list
                    [3]: 7
                """)
    }

    @Test func `has objects whose class or whose keys cannot be read`() throws {
        // Object 12: {"$class": a uid of more than 32 bits}, 14: {7: "v", <an array>: "v", <nothing>: "v"}. The top is
        // {"root": uid 1, "v": uid 2}.
        let raw = ByteArchive(
            slots: [12, 14], top: hex("d2 0a 12 0b 13"),
            hex("d1 0d 0f"), ascii("$class"), hex("d3 10 11 63 12 12 12"), hex("84 0100000000"), hex("10 07"),
            hex("a1 10"), ascii("v"), hex("80 02"))
        #expect(
            try raw.open().text() == """
                root: object #1 (damaged: The uid at byte \(raw.offset(of: 15)) does not fit in 32 bits)
                    $class: damaged: The uid at byte \(raw.offset(of: 15)) does not fit in 32 bits
                v: object #2 (damaged: Reference 99 at byte 0 names no object of the property list)
                    7: "v"
                    [1] key: array, 1 element
                        [0]: 7
                    [1] value: "v"
                    damaged: Reference 99 at byte 0 names no object of the property list: "v"
                """)
    }

    @Test func `marks containers that contain themselves, and does not follow them`() throws {
        // Object 12 is [itself, "x", {"k": itself}].
        let raw = ByteArchive(slots: [12], hex("a3 0c 0d 0e"), ascii("x"), hex("d1 0f 0c"), ascii("k"))
        #expect(
            try raw.open().text() == """
                root: array #1 @12, 3 elements
                    [0]: array @12 (cycle)
                    [1]: "x"
                    [2]: dictionary, 1 entry
                        "k": array @12 (cycle)
                """)
    }

    @Test func `has containers of several places once, and names them`() throws {
        // Object 12 is [13, 13], 13 is [14, 14], 14 is ["x"].
        let raw = ByteArchive(slots: [12], hex("a2 0d 0d"), hex("a2 0e 0e"), hex("a1 0f"), ascii("x"))
        #expect(
            try raw.open().text() == """
                root: array #1, 2 elements
                    [0]: array @13, 2 elements
                        [0]: array @14, 1 element
                            [0]: "x"
                        [1]: array @14 (above)
                    [1]: array @13 (above)
                """)
    }

    @Test func `has objects that share their contents, or their elements, once`() throws {
        // Two slots for object 12, a Cow; objects 13 and 14 are arrays with one list of elements, 15.
        let raw = ByteArchive(
            slots: [12, 12, 13, 14, 16, 17], top: hex("d1 1b 1c"),
            hex("d2 12 13 14 15"), hex("d2 16 13 0f 17"), hex("d2 16 13 0f 17"), hex("a1 14"), hex("d1 18 19"),
            hex("d1 18 1a"),
            // 18
            ascii("name"), ascii("$class"), ascii("Bella"), hex("80 05"),
            // 22
            ascii("NS.objects"), hex("80 06"), ascii("$classname"), ascii("Cow"), ascii("NSArray"),
            // 27
            ascii("all"), hex("a4 0b 1d 1e 1f"), hex("80 02"), hex("80 03"), hex("80 04"))
        #expect(
            try raw.open().text() == """
                all: array, 4 elements
                    [0]: Cow #1 @12
                        name: "Bella"
                    [1]: Cow #2 @12 (above)
                    [2]: NSArray #3
                        NS.objects: array @15, 1 element
                            [0]: "Bella"
                    [3]: NSArray #4
                        NS.objects: array @15 (above)
                """)
    }
}

// MARK: - Size

@Suite(.inTurn) struct `The text of a dump` {
    @Test func `grows with the archive, not with the ways through it`() throws {
        // Each array has the next one twice: 2^60 ways, 60 arrays.
        let depth: UInt8 = 60
        let raw = ByteArchive(slots: [12], objects: (0..<depth).map { [0xA2, $0 + 13, $0 + 13] } + [ascii("x")])
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
        let list = [0xAF, 0x10, UInt8(count)] + [UInt8](repeating: 14, count: count)
        let all = [0xAF, 0x10, UInt8(count)] + (0..<UInt8(count)).map { 15 + $0 }
        var file = ByteArchive(slots: [], top: hex("d1 0c 0d"), ascii("all"), all, ascii("x"), list).file
        var offsets: [UInt64] = []
        var offset: UInt64 = 8
        for object in file.objects {
            offsets.append(offset)
            offset += UInt64(object.count)
        }
        file.offsets = offsets + Array(repeating: offsets[15], count: count - 1)
        let bytes = file.bytes
        let archive = try KeyedArchive(Data(bytes))
        let text = archive.tree
        #expect(text.hasSuffix("\n… (objects overlap: the dump stops here)"))
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
        let text = try onThread(stackSize: 512 << 10) { try KeyedArchive(data).tree }
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

    @Test func `goes to its target in small pieces, and is the tree`() throws {
        let long = String(repeating: "\u{202E}🧀\"abc\n", count: 20_000)
        let archive = try openArchive(
            top: ["text": .string(long), "ascii": .string(String(repeating: "a", count: 100_000)), "list": .uid(1)],
            ["NS.objects": .array((0..<10_000).map { .integer(Int128($0)) }), "$class": .uid(2)], classEntry("NSArray"),
            .data(Data(repeating: 7, count: 100_000)))
        var pieces = Pieces()
        archive.dump(to: &pieces)
        #expect(pieces.text == archive.tree)
        #expect(pieces.largest <= 2048)
        var all = Pieces()
        archive.dump(to: &all, options: .init(byteLimit: .max, stringLimit: .max))
        #expect(all.text.utf8.count > 500_000 && all.largest <= 2048)
        #expect(all.count >= all.text.utf8.count / 2048)
        #expect(all.text.contains(String(repeating: #"\u{202E}🧀\"abc\n"#, count: 20_000) + "\"\n"))
        var list = Pieces()
        archive.top["list"]?.dump(to: &list)
        #expect(list.text == archive.top["list"]?.tree)
    }
}
