// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `Damage in a typedstream` {
    /// A bit of everything, in two groups of which the second begins at byte 75.
    static let sample = streamFile(
        """
        84 07 '@*%+#ds' 84 84 84 01 'B' 02 84 84 01 'A' 00 85 84 05 '[2i]@' 81 8000 05 85 86
        84 84 01 'x'  84 02 'at'  03 'abc'  94  83 000000000000E03F  81 0001
        84 0A '{_P=f[2C]}' 01 AABB
        """)

    @Test func `is not in the sample`() throws {
        let stream = try TypedStream(Self.sample)
        #expect(stream.groups.count == 2 && stream.groups[1].byteOffset == 75)
        #expect(try stream.data() == Self.sample)
    }

    @Test func `is found wherever the file is cut off`() throws {
        for count in 0..<Self.sample.count {
            let part = Self.sample.prefix(count)
            // Only between two groups nothing is missing.
            if count == 16 || count == 75 {
                #expect(try TypedStream(part).groups.count == (count == 16 ? 0 : 1))
                continue
            }
            let error = #expect(throws: TypedStreamError.self, "\(count)") { try TypedStream(part) }
            guard let error else { continue }
            if count < 13 {
                #expect(error.defect == .notATypedStream && error.byteOffset == 0, "\(count)")
            } else {
                // A length that is longer than what is left says so itself.
                #expect([.truncated, .badCount].contains(error.defect), "\(count) \(error)")
                #expect(error.byteOffset.map { (13...count).contains($0) } == true, "\(count) \(error)")
            }
        }
    }

    @Test func `in any single byte gives an error or a value`() throws {
        var values = 0
        for position in Self.sample.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = Self.sample
                bytes[position] = byte
                do throws(TypedStreamError) {
                    let stream = try TypedStream(bytes)
                    values += 1
                    // What has been read can be written, and is the same then.
                    let written = try stream.data()
                    #expect(try TypedStream(written) == stream, "\(position) \(byte)")
                    #expect(stream.description.utf8.count < 4000)
                } catch {
                    #expect(error.byteOffset.map { $0 <= bytes.count } == true, "\(position) \(byte) \(error)")
                }
            }
        }
        // The sample itself, once for each byte, and many more, since texts and numbers may be any.
        #expect(values > 1000)
    }

    // MARK: - Headers

    static let headers: [(bytes: String, code: TypedStreamError.Defect, byteOffset: Int)] = [
        ("", .notATypedStream, 0), ("04", .notATypedStream, 0), ("04 0B 'streamtype'", .notATypedStream, 0),
        ("'bplist00' 0000000000000000", .notATypedStream, 0), ("04 0C 'streamtyped' 00", .notATypedStream, 0),
        ("04 0B 'streamtypes' 00", .notATypedStream, 0), ("04 0B 'Streamtyped' 00", .notATypedStream, 0),
        ("0B 'streamtyped' 81 E803", .notATypedStream, 0), ("'GNUstep archive' 00", .notATypedStream, 0),
        ("02 0B 'streamtyped' 81 E803", .unknownVersion, 0), ("05 0B 'typedstream' 81 03E8", .unknownVersion, 0),
        ("00 0B 'typedstream' 00", .unknownVersion, 0), ("FF 0B 'typedstream' 00", .unknownVersion, 0),
        ("04 0B 'streamtyped'", .truncated, 13), ("04 0B 'streamtyped' 81 E8", .truncated, 14),
        ("04 0B 'streamtyped' 82 E80300", .truncated, 14), ("04 0B 'streamtyped' 85", .badValue, 13),
        ("04 0B 'streamtyped' 84 01 'i' 01", .badValue, 13),
    ]

    @Test(arguments: headers)
    func `is found in headers`(bytes: String, code: TypedStreamError.Defect, byteOffset: Int) {
        expectRefusal(Data(streamBytes(bytes)), code, at: byteOffset)
    }

    // MARK: - Everything else

    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: String
        let code: TypedStreamError.Defect
        let byteOffset: Int

        init(_ name: String, _ bytes: String, _ code: TypedStreamError.Defect, _ byteOffset: Int) {
            testDescription = name
            self.bytes = bytes
            self.code = code
            self.byteOffset = byteOffset
        }
    }

    /// The first byte behind the header is byte 16.
    static let attacks: [Attack] = lengths + types + references + classes + others

    private static let lengths: [Attack] = [
        Attack("a negative length", "84 FF", .badCount, 17),
        Attack("a length of one byte too many", "84 02 'i'", .badCount, 17),
        Attack("a huge length", "84 82 FFFFFF7F", .badCount, 17),
        Attack("the largest length", "84 87 FFFFFFFFFFFFFF7F", .badCount, 17),
        Attack("the most negative length", "84 87 0000000000000080", .badCount, 17),
        Attack("no length", "84 85", .badValue, 17),
        Attack("bytes of negative length", "84 01 '+' FF", .badCount, 19),
        Attack("bytes of huge length", "84 01 '+' 82 FFFFFF7F 00", .badCount, 19),
        Attack("a huge array", "84 0D '[2147483647i]' 00", .badCount, 31),
        Attack("a huge array of nothing", "84 0D '[2147483647!]'", .badCount, 31),
        Attack("a huge array of empty structs", "84 0E '[2147483647{}]'", .badCount, 32),
        Attack("a huge array of empty arrays", "84 11 '[2147483647[0i]i]' 00", .badType, 16),
        Attack("a huge array of bytes", "84 0D '[2147483647c]' 000000", .truncated, 31),
        Attack("an array of one too many", "84 04 '[3i]' 01 02", .badCount, 22),
        Attack("huge arrays in each other", "84 19 '[2147483647[2147483647i]]' 00", .badCount, 43),
        Attack(
            "huge arrays in each other, too large to be counted",
            "84 25 '[2147483647[2147483647[2147483647i]]]' 00", .badCount, 55),
        // 34 bytes allow for 98 values without bytes, and each of these groups has 61: the array and its elements.
        Attack("empty structs again and again", "84 06 '[60{}]' 92929292929292929292", .badCount, 25),
    ]

    private static let types: [Attack] = [
        Attack("no types", "85", .badType, 16),
        Attack("a pointer", "84 02 '^i' 00", .badType, 16),
        Attack("types that are no text", "84 01 FF 00", .badType, 16),
        Attack(
            "types nested 33 deep", "84 43 '" + String(repeating: "[1", count: 33) + "i' 00", .badType, 16),
        Attack(
            "types nested 10 000 deep", "84 81 1027 '" + String(repeating: "{", count: 10000) + "'", .badType, 16),
        Attack("an end at the top", "86", .badValue, 16),
        Attack("a class name for types", "84 01 '#' 84 84 01 'A' 00 85 93", .badType, 25),
    ]

    private static let references: [Attack] = [
        Attack("types that come later", "92", .badReference, 16),
        Attack("types one ahead", "84 01 'i' 05 93", .badReference, 20),
        Attack("an object that comes later", "84 01 '@' 92", .badReference, 19),
        Attack("an object one ahead", "84 01 '@' 84 84 84 01 'A' 00 85 92 94 86", .badReference, 27),
        Attack("a class that comes later", "84 01 '#' 92", .badReference, 19),
        Attack("a C string that comes later", "84 01 '*' 92", .badReference, 19),
        Attack("the bytes of a C string that come later", "84 01 '*' 84 93", .badReference, 20),
        Attack("an atom that comes later", "84 01 '%' 93", .badReference, 19),
        Attack("a selector that comes later", "84 01 ':' 93", .badReference, 19),
        Attack("a negative number of an object", "84 01 '@' 81 91FF", .badReference, 19),
        Attack("a negative number of types", "81 91FF", .badReference, 16),
        Attack("a huge number of an object", "84 01 '@' 82 FFFFFF7F", .badReference, 19),
        Attack("the largest number", "84 01 '@' 87 FFFFFFFFFFFFFF7F", .badReference, 19),
        Attack("the most negative number", "84 01 '@' 87 0000000000000080", .badReference, 19),
        Attack("a class for an object", "84 01 '@' 84 84 84 01 'A' 00 85 86 92 93", .badReference, 28),
        Attack("an object for a class", "84 01 '@' 84 84 84 01 'A' 00 85 86 84 01 '#' 92", .badReference, 30),
        Attack("an object for a C string", "84 01 '@' 84 84 84 01 'A' 00 85 86 84 01 '*' 92", .badReference, 30),
        Attack("a C string for an object", "84 01 '*' 84 84 01 'a' 84 01 '@' 92", .badReference, 26),
        Attack("a class for a C string", "84 01 '#' 84 84 01 'A' 00 85 84 01 '*' 92", .badReference, 28),
        Attack("a C string for a class", "84 01 '*' 84 84 01 'a' 84 01 '#' 92", .badReference, 26),
        Attack("an object for the class of an object", "84 01 '@' 84 92", .badReference, 20),
        Attack("a C string for a superclass", "84 02 '*#' 84 84 01 'a' 84 93 00 92", .badReference, 27),
    ]

    private static let classes: [Attack] = [
        Attack("an object without a class", "84 01 '@' 84 85", .badClass, 19),
        Attack("a class without a name", "84 01 '#' 84 85 00 85", .badClass, 20),
        Attack("a class whose name is no text", "84 01 '#' 84 84 01 FF 00 85", .badClass, 20),
        Attack("a class that is its own superclass", "84 01 '#' 84 84 01 'A' 00 92", .badClass, 24),
        Attack("two classes above each other", "84 01 '#' 84 84 01 'A' 00 84 84 01 'B' 00 92", .badClass, 29),
        Attack("a class below itself in an object", "84 01 '@' 84 84 84 01 'A' 00 93", .badClass, 25),
        // 16 KiB and a byte.
        Attack(
            "a class with a long name", "84 01 '#' 84 84 81 0140 '" + String(repeating: "A", count: 16385) + "' 00 85",
            .badClass, 20),
        Attack(
            "a class name of combining marks",
            "84 01 '#' 84 84 81 BD02 'A" + String(repeating: "\u{301}", count: 350) + "' 00 85", .badClass, 20),
        // The first class takes 5 bytes, each other one 3, and the one with the number 1000 is too many.
        Attack(
            "100 000 classes above each other",
            "84 01 '#' 84 84 01 'A' 00" + String(repeating: "84 93 00", count: 99_999), .badClass, 3021),
        // The second value: a class above which there are 1000.
        Attack(
            "one class more, above which there are as many as may be",
            "84 02 '##' 84 84 01 'A' 00" + String(repeating: "84 93 00", count: 999) + "85 84 93 00 92", .badClass,
            3026),
    ]

    private static let others: [Attack] = [
        Attack("an object without an end", "84 01 '@' 84 84 84 01 'A' 00 85", .truncated, 26),
        Attack(
            "an object without an end, behind one with", "84 01 '@' 84 84 84 01 'A' 00 85 92 84 93 86", .truncated, 30),
        Attack("an end in the middle of values", "84 02 '@i' 84 84 84 01 'A' 00 85 86 86", .badValue, 28),
        Attack("a C string without bytes", "84 01 '*' 84 85", .badValue, 19),
        Attack("a C string with a zero in it", "84 01 '*' 84 84 02 6100", .badValue, 19),
        Attack("a group without values", "84 02 'ii' 05", .truncated, 21),
        Attack("values without a group", "84 01 'i' 05 06", .badReference, 20),
    ]

    @Test(arguments: attacks)
    func `is found where it is`(attack: Attack) {
        expectRefusal(streamFile(attack.bytes), attack.code, at: attack.byteOffset)
    }
}

// MARK: - Much of something

extension `Damage in a typedstream` {
    @Test func `is no string of 60 000 values without bytes that is referred to 60 000 times`() {
        // 64 + 120 022 such values are read: two groups, and a bit of the third, which begins behind byte 60 023.
        let bytes = streamBytes("84 82 60EA0000") + Array(repeating: UInt8(ascii: "!"), count: 60000)
        expectRefusal(streamFile(bytes + Array(repeating: 0x92, count: 60000)), .badCount, at: 60024)
    }

    @Test func `is no million of empty structs again and again`() {
        expectRefusal(
            streamFile("84 0B '[1000000{}]'" + String(repeating: "92", count: 1000)), .badCount, at: 29)
        // A million bytes more allow for one such array, and not for two.
        let bytes = streamBytes("84 0B '[1000000{}]' 92 84 01 '+' 82 40420F00") + Array(repeating: 0, count: 1_000_000)
        expectRefusal(streamFile(bytes), .badCount, at: 30)
        let once = streamBytes("84 0B '[1000000{}]' 84 01 '+' 82 40420F00") + Array(repeating: 0, count: 1_000_000)
        let stream = try? TypedStream(streamFile(once))
        #expect(stream?.groups.count == 2)
    }

    @Test func `is not a type with many fields of which there are none`() throws {
        // 20 000 times no element of a struct with 20 000 fields.
        let type = "[0{" + String(repeating: "i", count: 20000) + "}]"
        let count = type.utf8.count
        let length: [UInt8] = [0x84, 0x81, UInt8(count & 255), UInt8(count >> 8)]
        let file = streamFile(length + Array(type.utf8) + Array(repeating: 0x92, count: 20000))
        let stream = try TypedStream(file)
        #expect(stream.groups.count == 20001 && stream.groups.last?.values == [.array([])])
        #expect(try stream.data() == file)
    }

    @Test func `are not a thousand classes above each other`() throws {
        let file = streamFile(
            "84 02 '##' 84 84 01 'A' 00" + String(repeating: "84 93 00", count: 999) + "85  93")
        let stream = try TypedStream(file)
        #expect(stream.classes.count == 1000 && stream.groups[0].values == [.class(0), .class(1)])
        #expect(try stream.data() == file)
    }

    @Test func `are not 200 000 objects in each other, on a small stack`() throws {
        let count = 200_000
        var bytes = streamBytes("84 01 '@' 84 84 84 01 'A' 00 85")
        // The object in it: types "@", a new object, its class, which has the number 1.
        for _ in 1..<count { bytes += [0x92, 0x84, 0x93] }
        bytes += Array(repeating: 0x86, count: count)
        let file = streamFile(bytes)
        try onThread(stackSize: 512 << 10) {
            let stream = try TypedStream(file)
            #expect(stream.objects.count == count)
            #expect(stream.objects[count - 2].groups[0].values == [.object(count - 1)])
            #expect(stream.objects[count - 1].groups.isEmpty)
            #expect(try stream.data() == file)
        }
        try onThread(stackSize: 512 << 10) {
            // The last end is missing.
            let error = #expect(throws: TypedStreamError.self) { try TypedStream(file.dropLast()) }
            #expect(error?.defect == .truncated && error?.byteOffset == file.count - 1)
        }
    }

    @Test func `are not types nested as deep as may be, on a small stack`() throws {
        let open = String(repeating: "[1{", count: 16)
        let close = String(repeating: "}]", count: 16)
        let file = streamFile("84 51 '\(open)c\(close)' 07")
        try onThread(stackSize: 512 << 10) {
            let stream = try TypedStream(file)
            #expect(try stream.data() == file)
            #expect(try TypedStream(stream.data()) == stream)
            #expect(
                stream.description.hasSuffix(
                    String(repeating: "[{", count: 16) + "7" + String(repeating: "}]", count: 16)))
        }
    }
}
