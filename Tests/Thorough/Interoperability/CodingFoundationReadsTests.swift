// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What Foundation's `NSKeyedUnarchiver` finds in objects that encode themselves through `Coding`, and beside them at
/// the top of the archive. Secure coding is required.
@Suite(.inTurn) struct `Foundation reads what Coding writes` {
    /// Something under the key "value", and what Foundation has to say of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let write: @Sendable (KeyedArchiver) throws -> Void
        let matches: @Sendable (NSCoder) -> Bool

        init(
            _ description: String, _ write: @escaping @Sendable (KeyedArchiver) throws -> Void,
            matches: @escaping @Sendable (NSCoder) -> Bool
        ) {
            testDescription = description
            self.write = write
            self.matches = matches
        }

        /// Foundation has no unsigned numbers: what is above the largest `Int64` keeps its bits.
        static func integer<Integer: FixedWidthInteger & ArchivableLeaf & Sendable>(_ value: Integer) -> Case {
            Case("\(Integer.self) \(value)") {
                $0.encode(value, forKey: "value")
            } matches: {
                $0.decodeInt64(forKey: "value") == Int64(truncatingIfNeeded: value)
                    && $0.decodeInteger(forKey: "value") == Int(truncatingIfNeeded: value)
            }
        }

        static func double(_ value: Double) -> Case {
            Case("Double \(value)") {
                $0.encode(value, forKey: "value")
            } matches: {
                $0.decodeDouble(forKey: "value").bitPattern == value.bitPattern
            }
        }

        static func float(_ value: Float) -> Case {
            Case("Float \(value)") {
                $0.encode(value, forKey: "value")
            } matches: {
                $0.decodeFloat(forKey: "value").bitPattern == value.bitPattern
            }
        }

        static func bool(_ value: Bool) -> Case {
            Case("\(value)") {
                $0.encode(value, forKey: "value")
            } matches: {
                $0.decodeBool(forKey: "value") == value
            }
        }

        static func string(_ value: String) -> Case {
            Case("String \(value.prefix(20).debugDescription)") {
                $0.encode(value, forKey: "value")
            } matches: {
                ($0.decodeObject(of: NSString.self, forKey: "value") as String?) == value
            }
        }

        static func data(_ value: Data) -> Case {
            Case("\(value.count) bytes of Data") {
                $0.encode(value, forKey: "value")
            } matches: {
                ($0.decodeObject(of: NSData.self, forKey: "value") as Data?) == value
            }
        }

        static func bytes(_ value: [UInt8]) -> Case {
            Case("\(value.count) bytes within the object") {
                $0.encodeBytes(value, forKey: "value")
            } matches: { coder in
                coder.withDecodedUnsafeBytesIfPresent(forKey: "value") == value
            }
        }

        static func date(_ seconds: Double) -> Case {
            Case("Date at \(seconds)") {
                $0.encode(Date(timeIntervalSinceReferenceDate: seconds), forKey: "value")
            } matches: {
                $0.decodeObject(of: NSDate.self, forKey: "value")?.timeIntervalSinceReferenceDate == seconds
            }
        }

        static func none(_ description: String, _ write: @escaping @Sendable (KeyedArchiver) throws -> Void) -> Case {
            Case(description, write) {
                $0.containsValue(forKey: "value") && $0.decodeObject(of: NSString.self, forKey: "value") == nil
            }
        }
    }

    static let numbers: [Case] = [
        .bool(true), .bool(false), .integer(0), .integer(Int.max), .integer(Int.min), .integer(-1), .integer(Int8.min),
        .integer(Int8.max), .integer(Int16.min), .integer(Int16.max), .integer(Int32.min), .integer(Int32.max),
        .integer(Int64.min), .integer(Int64.max), .integer(UInt8.max), .integer(UInt16.max), .integer(UInt32.max),
        .integer(UInt64(Int64.max)), .integer(UInt64.max), .integer(UInt.max), .integer(128), .integer(255),
        .integer(256), .integer(65_536), .double(0.1), .double(-0.0), .double(.infinity), .double(-.infinity),
        .double(.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude), .double(1 / 3), .float(0.1), .float(-0.0),
        .float(.greatestFiniteMagnitude), .float(.leastNonzeroMagnitude), .float(1 / 3),
    ]

    static let leaves: [Case] = [
        .string(""), .string("text"), .string("ä"), .string("𝄞"), .string("日本語 e\u{301}"), .string("$null"),
        .string("$"),
        .string("$class"), .string("<&>\"'\t\n"), .string(String(repeating: "x", count: 300)),
        .string(String(repeating: "ß", count: 70_000)), .data(Data()), .data(Data([0, 1, 255])),
        .data(Data(repeating: 7, count: 70_000)), .bytes([1, 2, 255]), .bytes([UInt8](repeating: 9, count: 300)),
        .date(0), .date(531_000_000.25), .date(-1e9),
    ]

    static let nothing: [Case] = [
        .none("nil") { $0.encodeNil(forKey: "value") },
        .none("no String") { $0.encode(nil as String?, forKey: "value") },
        .none("no Data") { $0.encode(nil as Data?, forKey: "value") },
        .none("no Date") { $0.encode(nil as Date?, forKey: "value") },
        .none("no object of a class") { try $0.encode(nil as Record?, forKey: "value") },
        .none("no object of any kind") { try $0.encodeObject(nil, forKey: "value") },
    ]

    @Test(arguments: numbers + leaves + nothing, ArchivePlace.allCases)
    func `values by key`(example: Case, place: ArchivePlace) throws {
        for format in PropertyListFormat.allCases {
            #expect(try foundation(reads: example.write, in: place, format, by: example.matches), "\(format)")
        }
    }

    @Test(arguments: PropertyListFormat.allCases, ArchivePlace.allCases)
    func `a number that is not one in XML`(format: PropertyListFormat, place: ArchivePlace) throws {
        let write: @Sendable (KeyedArchiver) -> Void = { $0.encode(Double.nan, forKey: "value") }
        #expect(try foundation(reads: write, in: place, format) { $0.decodeDouble(forKey: "value") }.isNaN)
    }

    @Test(arguments: ArchivePlace.allCases)
    func `points, sizes and rectangles`(place: ArchivePlace) throws {
        let write: @Sendable (KeyedArchiver) -> Void = { coder in
            coder.encodePoint(x: 1.5, y: -2, forKey: "point")
            coder.encodeSize(width: 1e300, height: 0.1, forKey: "size")
            coder.encodeRect(x: -0.25, y: 1 / 3, width: 3, height: 400, forKey: "rect")
        }
        let (point, size, rect) = try foundation(reads: write, in: place) {
            ($0.decodePoint(forKey: "point"), $0.decodeSize(forKey: "size"), $0.decodeRect(forKey: "rect"))
        }
        #expect(point == NSPoint(x: 1.5, y: -2))
        #expect(size == NSSize(width: 1e300, height: 0.1))
        #expect(rect == NSRect(x: -0.25, y: 1 / 3, width: 3, height: 400))
    }

    @Test(arguments: ["$a", "$", "$$", "$class", "$0", "", "ä", "NS.objects", "a b\n"], ArchivePlace.allCases)
    func `keys of any form`(key: String, place: ArchivePlace) throws {
        for format in PropertyListFormat.allCases {
            let write: @Sendable (KeyedArchiver) -> Void = { coder in
                coder.encode(5, forKey: key)
                coder.encode("text", forKey: key + "2")
            }
            let (number, text) = try foundation(reads: write, in: place, format) { coder in
                (coder.decodeInteger(forKey: key), coder.decodeObject(of: NSString.self, forKey: key + "2"))
            }
            #expect(number == 5 && text == "text", "\(format)")
        }
    }

    /// Without keys they are two and four numbers, not one text.
    @Test(arguments: ArchivePlace.allCases)
    func `points, sizes and rectangles without keys`(place: ArchivePlace) throws {
        let write: @Sendable (KeyedArchiver) -> Void = { coder in
            coder.encodeNextPoint(x: 1.5, y: -2)
            coder.encodeNextSize(width: 3, height: 0.1)
            coder.encodeNextRect(x: 1, y: 2, width: 3, height: 4)
            coder.encodeNext(Int32(7))
        }
        let (point, size, rect, last) = try foundation(reads: write, in: place) { coder in
            let values = (coder.decodePoint(), coder.decodeSize(), coder.decodeRect())
            var last = Int32(0)
            coder.decodeValue(ofObjCType: "i", at: &last)
            return (values.0, values.1, values.2, last)
        }
        #expect(point == NSPoint(x: 1.5, y: -2) && size == NSSize(width: 3, height: 0.1))
        #expect(rect == NSRect(x: 1, y: 2, width: 3, height: 4) && last == 7)
    }

    @Test(arguments: ArchivePlace.allCases)
    func `objects without keys, in their order`(place: ArchivePlace) throws {
        let write: @Sendable (KeyedArchiver) throws -> Void = { coder in
            coder.encodeNext("first")
            coder.encode(7, forKey: "$0")
            coder.encodeNext(Data([1, 2]))
            coder.encodeNext(nil as String?)
            coder.encodeNext("last")
        }
        // Leaves only: Foundation decodes no object here, since nothing says which class would be allowed.
        let values = try foundation(reads: write, in: place) { coder in
            let values = (0..<4).map { _ in coder.decodeObject() }
            return values + [coder.decodeInteger(forKey: "$0")]
        }
        #expect(values[0] as? String == "first" && values[1] as? Data == Data([1, 2]))
        #expect(values[2] == nil && values[3] as? String == "last")
        #expect(values[4] as? Int == 7)
    }

    @Test(arguments: ArchivePlace.allCases)
    func `numbers without keys, in their order`(place: ArchivePlace) throws {
        let write: @Sendable (KeyedArchiver) -> Void = { coder in
            coder.encodeNext(Int32(-7))
            coder.encodeNext(Int64.max)
            coder.encodeNext(2.5)
            coder.encodeNext(Float(0.25))
            coder.encodeNext(true)
        }
        let (int32, int64, double, float, bool) = try foundation(reads: write, in: place) { coder in
            var (int32, int64, double, float, bool) = (Int32(0), Int64(0), 0.0, Float(0), false)
            coder.decodeValue(ofObjCType: "i", at: &int32)
            coder.decodeValue(ofObjCType: "q", at: &int64)
            coder.decodeValue(ofObjCType: "d", at: &double)
            coder.decodeValue(ofObjCType: "f", at: &float)
            coder.decodeValue(ofObjCType: "B", at: &bool)
            return (int32, int64, double, float, bool)
        }
        #expect(int32 == -7 && int64 == .max && double == 2.5 && float == 0.25 && bool)
    }
}

extension NSCoder {
    /// The bytes that lie within the object under `key`; nil where there are none.
    fileprivate func withDecodedUnsafeBytesIfPresent(forKey key: String) -> [UInt8]? {
        withDecodedUnsafeBytes(forKey: key) { $0.map { [UInt8]($0) } }
    }
}
