// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

/// The expected bytes are those that CPython 3.11's plistlib writes for the same values, where it can.
@Suite(.inTurn) struct `A binary property list that is written` {
    /// A file of the single object `object`.
    private func file(of object: String) -> [UInt8] {
        BinaryFile(hex(object)).bytes
    }

    @Test func `starts with its header and ends with the offset table and the trailer`() throws {
        let written = try binaryFile { $0.append(true) }
        #expect(
            written
                == hex("62706c6973743030 09 08 000000000000 01 01 0000000000000001 0000000000000000 0000000000000009"))
    }

    @Test(
        arguments: [
            (0, "1000"), (1, "1001"), (255, "10ff"), (256, "110100"), (65_535, "11ffff"), (65_536, "1200010000"),
            (4_294_967_295, "12ffffffff"), (4_294_967_296, "130000000100000000"), (.max, "137fffffffffffffff"),
            (-1, "13ffffffffffffffff"), (-128, "13ffffffffffffff80"), (.min, "138000000000000000"),
        ] as [(Int64, String)])
    func `holds integers in their narrowest form`(value: Int64, expected: String) throws {
        #expect(try binaryFile { $0.append(value) } == file(of: expected))
        #expect(try binaryFile { $0.append(Int128(value)) } == file(of: expected))
        guard let unsigned = UInt64(exactly: value) else { return }
        #expect(try binaryFile { $0.append(unsigned) } == file(of: expected))
    }

    @Test(arguments: [
        (Int128(Int64.max) + 1, "1400000000000000008000000000000000"),
        (Int128(UInt64.max), "140000000000000000ffffffffffffffff"),
        (Int128(UInt64.max) + 1, "1400000000000000010000000000000000"),
        (.max, "147fffffffffffffffffffffffffffffff"),
        (Int128(Int64.min) - 1, "14ffffffffffffffff7fffffffffffffff"),
        (.min, "1480000000000000000000000000000000"),
    ])
    func `holds integers of more than 63 bits in sixteen bytes`(value: Int128, expected: String) throws {
        #expect(try binaryFile { $0.append(value) } == file(of: expected))
        guard let unsigned = UInt64(exactly: value) else { return }
        #expect(try binaryFile { $0.append(unsigned) } == file(of: expected))
    }

    @Test(arguments: [
        (0.0, "230000000000000000"), (-0.0, "238000000000000000"), (1.5, "233ff8000000000000"),
        (-2.25, "23c002000000000000"), (1e308, "237fe1ccf385ebc8a0"), (.infinity, "237ff0000000000000"),
        (-.infinity, "23fff0000000000000"), (.nan, "237ff8000000000000"),
        (.leastNonzeroMagnitude, "230000000000000001"),
    ])
    func `holds 64-bit reals bit by bit`(value: Double, expected: String) throws {
        #expect(try binaryFile { $0.append(value) } == file(of: expected))
    }

    @Test(
        arguments: [
            (1.5, "223fc00000"), (-0.0, "2280000000"), (.infinity, "227f800000"), (.nan, "227fc00000"),
            (.greatestFiniteMagnitude, "227f7fffff"),
        ] as [(Float, String)])
    func `holds 32-bit reals in four bytes`(value: Float, expected: String) throws {
        #expect(try binaryFile { $0.append(value) } == file(of: expected))
    }

    @Test(arguments: [
        // 2018-06-04T17:00:00Z and 2000-12-31T23:59:59Z.
        (549_824_400, "3341c062d3c8000000"), (-1, "33bff0000000000000"), (0.5, "333fe0000000000000"),
        (.nan, "337ff8000000000000"), (.infinity, "337ff0000000000000"),
    ])
    func `holds dates as seconds since 2001`(seconds: Double, expected: String) throws {
        #expect(try binaryFile { $0.append(date: seconds) } == file(of: expected))
    }

    @Test(arguments: [
        (0, "40"), (3, "43"), (14, "4e"), (15, "4f100f"), (255, "4f10ff"), (256, "4f110100"), (65_536, "4f1200010000"),
    ])
    func `holds data behind its count`(count: Int, head: String) throws {
        let contents = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let written = try binaryFile { list in contents.withBytes { list.append(data: $0) } }
        let expected = hex(head) + contents
        #expect(written.prefix(8 + expected.count).dropFirst(8) == expected[...])
    }

    @Test(arguments: [
        ("", "50"), ("a", "5161"), ("Bella", "5542656c6c61"), ("a\0\u{7F}", "5361007f"), ("é", "6100e9"),
        ("日本", "6265e5672c"), ("𝄞", "62d834dd1e"), ("xé", "62007800e9"), ("\u{80}", "610080"),
        ("\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}", "67 07ff 0800 ffff d800dc00 dbffdfff"),
        ("xxxxxxxxxxxxxx", "5e 7878787878787878787878787878"),
        ("xxxxxxxxxxxxxxx", "5f100f 787878787878787878787878787878"),
        ("ééééééééééééééé", "6f100f 00e900e900e900e900e900e900e900e900e900e900e900e900e900e900e9"),
    ])
    func `holds strings as ASCII where they are, else as UTF-16`(string: String, expected: String) throws {
        #expect(try binaryFile { $0.append(string) } == file(of: expected))
    }

    @Test(
        arguments: [
            (0, "8000"), (1, "8001"), (255, "80ff"), (256, "810100"), (65_535, "81ffff"), (65_536, "8300010000"),
            (.max, "83ffffffff"),
        ] as [(UInt32, String)])
    func `holds uids in one, two or four bytes`(uid: UInt32, expected: String) throws {
        #expect(try binaryFile { $0.append(uid: uid) } == file(of: expected))
    }

    @Test func `holds Booleans and null as a single byte`() throws {
        #expect(try binaryFile { $0.append(false) } == file(of: "08"))
        #expect(try binaryFile { $0.append(true) } == file(of: "09"))
        #expect(try binaryFile { $0.appendNull() } == file(of: "00"))
    }

    @Test func `holds containers as references`() throws {
        let one = hex("1001")
        let a = hex("5161")
        #expect(try binaryFile { $0.appendArray([]) } == file(of: "a0"))
        #expect(try binaryFile { $0.appendDictionary([]) } == file(of: "d0"))
        var expected = BinaryFile(one, hex("a20000"))
        expected.top = 1
        #expect(
            try binaryFile { writer in
                let one = writer.append(Int64(1))
                return writer.appendArray([one, one])
            } == expected.bytes)
        expected.objects[1] = hex("c10a")
        expected.objects[1][1] = 0
        #expect(
            try binaryFile { writer in
                let one = writer.append(Int64(1))
                return writer.appendSet([one])
            } == expected.bytes)
        // All keys, then all values.
        expected = BinaryFile(a, hex("5162"), one, hex("d2 0001 0200"))
        expected.top = 3
        #expect(
            try binaryFile { writer in
                let a = writer.append("a")
                let b = writer.append("b")
                let one = writer.append(Int64(1))
                return writer.appendDictionary([a, one, b, a])
            } == expected.bytes)
    }

    @Test func `holds counts of 15 and more as an integer behind the marker`() throws {
        let written = try binaryFile { writer in
            let element = writer.append(true)
            return writer.appendArray(Array(repeating: element, count: 300))
        }
        #expect(written[9..<13] == hex("af11012c")[...])
        #expect(try propertyList(written) == .array(Array(repeating: true, count: 300)))
    }

    @Test(arguments: [(1, 1), (244, 1), (245, 2), (65_523, 2), (65_524, 3)])
    func `has offsets as wide as the place of the offset table needs`(count: Int, size: UInt8) throws {
        let data = [UInt8](repeating: 7, count: count)
        let written = try binaryFile { list in data.withBytes { list.append(data: $0) } }
        #expect(written[written.count - 26] == size)
        #expect(try propertyList(written) == .data(.init(data)))
    }

    @Test(arguments: [0, 1, 100, 240, 250, 65_400, 65_530, 17_000_000], [1, 300])
    func `has its last objects at the beginning, under their numbers, if it is asked for it`(byteCount: Int, count: Int)
        throws
    {
        let data = [UInt8](repeating: 7, count: byteCount)
        let writer = BinaryPropertyListWriter()
        var elements = [data.withBytes { writer.append(data: $0) }]
        for index in 1..<max(2, count) { elements.append(writer.append(Int64(index))) }
        let first = elements.withSpan { writer.append(array: $0) }
        let top = writer.appendArray([first, elements[0]])
        let written = Array(try #require(writer.finish(top: top, first: first)).data)
        // The array of the elements is the first object, and the data comes after the top.
        #expect(written[8] >> 4 == 0xA)
        let values = PropertyList.array([.data(.init(data))] + (1..<max(2, count)).map { .integer(Int128($0)) })
        #expect(try propertyList(written) == .array([values, .data(.init(data))]))
        let read = try PropertyListSerialization.propertyList(from: Data(written), format: nil) as? [Any]
        #expect((read?[0] as? [Any])?.last as? Int == max(2, count) - 1 && read?[1] as? Data == Data(data))
    }

    @Test func `forgets an object that is taken back`() throws {
        let written = try binaryFile { writer in
            let kept = writer.append("kept")
            _ = writer.append("taken back")
            writer.removeLast()
            return writer.appendArray([kept])
        }
        var expected = BinaryFile(hex("546b657074"), hex("a100"))
        expected.top = 1
        #expect(written == expected.bytes)
    }

    @Test func `shows what has been written`() throws {
        let writer = BinaryPropertyListWriter()
        let text = writer.append("text")
        let array = writer.appendArray([text, text])
        let textObject = writer.object(text)
        let (node, objects) = try #require(textObject)
        #expect(objects.string(node) == "text")
        let arrayObject = writer.object(array)
        #expect(try #require(arrayObject).node.count == 2)
        let isPastTheEnd = writer.object(2) == nil
        #expect(isPastTheEnd)
        let finished = writer.finish(top: array)
        let bytes = try #require(finished)
        #expect(Array(bytes[13..<16]) == hex("a20000"))
    }
}

@Suite(.inTurn) struct `The bulk path of the binary writer` {
    @Test(arguments: [0, 1, 100, 254, 255, 256, 70_000])
    func `writes an array and its elements`(count: Int) throws {
        func isReal(_ index: Int) -> Bool { index % 3 == 0 }
        func object(_ index: Int) -> ShortRecord {
            isReal(index) ? ShortRecord(Double(index)) : ShortRecord(Int64(index) - 50)
        }
        let writer = BinaryPropertyListWriter()
        _ = writer.append("before")
        let slots = PlainTable<UInt32>(repeating: 0, count: 3)
        var leaves: [UInt32] = []
        let array = writer.append(arrayOf: count, slots: slots) { cursor in
            for index in 0..<count {
                // Every other element has a leaf of its own.
                if index % 4 == 0 {
                    leaves.append(cursor.add(object(index)) { ShortRecord(uid: $0) })
                } else if index % 4 == 2 {
                    leaves.append(cursor.add(object(index), unless: 0) { ShortRecord(uid: $0) })
                } else {
                    leaves.append(cursor.add(object(index), unless: leaves[index - 1]) { ShortRecord(uid: $0) })
                }
            }
        }
        let after = writer.append("after")
        let (node, objects) = try #require(writer.object(array))
        #expect(objects.references(node, from: 0) == leaves)
        #expect(leaves == (0..<count).map { array + 2 + 2 * UInt32($0 / 2) })
        #expect(slots.count == 3 + (count + 1) / 2)
        for index in stride(from: 0, to: count, by: 2) {
            let (leaf, uids) = try #require(writer.object(leaves[index]))
            #expect(try uids.uid(leaf) == UInt32(3 + index / 2))
            #expect(slots[3 + index / 2] == leaves[index] - 1)
            let (node, objects) = try #require(writer.object(leaves[index] - 1))
            if isReal(index) {
                #expect(objects.real64(node) == Double(index))
            } else {
                #expect(objects.integer(node) == Int128(index - 50))
            }
        }
        let (last, texts) = try #require(writer.object(after))
        #expect(texts.string(last) == "after")
    }
}

@Suite(.inTurn) struct `References that widen` {
    /// What was written, to be compared with what is read.
    private enum Written {
        case integer(Int64)
        case string(String)
        case array([UInt32])
        case set([UInt32])
        case dictionary([UInt32])
    }

    /// Writes `count` objects, containers of every size among them, and checks each of them in the finished file.
    private func check(count: Int, reserving additional: Int = 0) throws {
        var written: [Written] = []
        let writer = BinaryPropertyListWriter()
        var generator = SeededGenerator(state: UInt64(count))
        func references(_ count: Int) -> [UInt32] {
            written.isEmpty ? [] : (0..<count).map { _ in UInt32(generator.next() % UInt64(written.count)) }
        }
        for index in 0..<count {
            let reference: UInt32
            switch index % 7 {
            case 0, 4:
                reference = writer.append(Int64(index))
                written.append(.integer(Int64(index)))
            case 1:
                let string = index % 2 == 0 ? "string \(index)" : "číslo \(index)"
                reference = writer.append(string)
                written.append(.string(string))
            case 2, 5:
                let elements = references(index % 31)
                reference = writer.appendArray(elements)
                written.append(.array(elements))
            case 3:
                let elements = references(index % 4)
                reference = writer.appendSet(elements)
                written.append(.set(elements))
            default:
                let pairs = references(2 * (index % 20))
                reference = writer.appendDictionary(pairs)
                written.append(.dictionary(pairs))
            }
            try #require(reference == UInt32(index))
        }
        if additional > 0 { writer.reserveObjects(additional, byteCount: 0) }
        // Referred to from nowhere, so that the width is the last to be chosen.
        let top = writer.append("top")
        let finished = writer.finish(top: top)
        let bytes = try #require(finished)
        try check(written, in: BinaryPropertyListReader(bytes))
    }

    private func check(_ written: [Written], in reader: BinaryPropertyListReader) throws {
        try #require(reader.objectCount == written.count + 1)
        try #require(reader.objects.string(reader.node(reader.top)) == "top")
        for (reference, object) in written.enumerated() {
            let node = try reader.node(reference)
            let references = reader.references(node).map { UInt32($0) }
            let isEqual =
                switch object {
                case .integer(let value): node.kind == .integer && reader.objects.integer(node) == Int128(value)
                case .string(let value): reader.objects.string(node) == value
                case .array(let elements): node.kind == .array && references == elements
                case .set(let elements): node.kind == .set && references == elements
                case .dictionary(let pairs):
                    node.kind == .dictionary
                        && references
                            == stride(from: 0, to: pairs.count, by: 2).map { pairs[$0] }
                            + stride(from: 1, to: pairs.count, by: 2).map { pairs[$0] }
                }
            try #require(isEqual, "object \(reference)")
        }
    }

    @Test(arguments: [10, 253, 254, 255, 256, 1000])
    func `keep what they refer to from one byte to two`(count: Int) throws {
        try check(count: count)
    }

    @Test(arguments: [65_533, 65_534, 65_535, 66_000])
    func `keep what they refer to from two bytes to three`(count: Int) throws {
        try check(count: count)
    }

    @Test(arguments: [10, 300, 66_000])
    func `keep what they refer to from any width to four bytes`(count: Int) throws {
        try check(count: count, reserving: 1 << 24)
    }

    @Test(arguments: [(254, 1), (255, 2), (65_534, 2), (65_535, 3)])
    func `are as wide as CoreFoundation wants them`(count: Int, size: UInt8) throws {
        let written = try binaryFile { writer in
            for _ in 0..<count { _ = writer.append(true) }
            return writer.appendArray([0])
        }
        #expect(written[written.count - 25] == size)
    }
}

// MARK: - Writing

/// The file that a writer makes where `write` gives the top object.
private func binaryFile(
    _ write: (BinaryPropertyListWriter) -> BinaryPropertyListWriter.Reference
) throws -> [UInt8] {
    let writer = BinaryPropertyListWriter()
    let top = write(writer)
    let finished = writer.finish(top: top)
    let bytes = try #require(finished)
    return Array(bytes)
}

extension BinaryPropertyListWriter {
    fileprivate func appendArray(_ references: [Reference]) -> Reference { append(array: references) }

    fileprivate func appendSet(_ references: [Reference]) -> Reference { append(set: references) }

    /// A dictionary of `pairs`: a key, its value, the next key, its value and so on.
    fileprivate func appendDictionary(_ pairs: [Reference]) -> Reference {
        append(pairs: pairs)
    }
}
