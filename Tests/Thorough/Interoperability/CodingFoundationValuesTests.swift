// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What an unarchiver makes of objects that Foundation's `NSKeyedArchiver` wrote, where Swift has a value for them.
@Suite(.inTurn) struct `Coding reads values that Foundation writes` {
    private static let date = Date(timeIntervalSinceReferenceDate: -1e9 + 0.5)

    /// Reads the object that Foundation archives as a value.
    private func value<Value: Decodable>(_ type: Value.Type, of object: Any) throws -> Value {
        var value: Value?
        try withFoundationArchive(of: object) { value = try $0.decode(type, forKey: "object") }
        return try #require(value)
    }

    @Test(arguments: ["", "text", "ä𝄞", String(repeating: "日", count: 300), "<&>"])
    func `an NSString`(text: String) throws {
        try withFoundationArchive(of: text as NSString) { coder throws in
            #expect(try coder.decode(String.self, forKey: "object") == text)
            #expect(try coder.decodeIfPresent(String.self, forKey: "object") == text)
            #expect(coder.archivedClassName(forKey: "object") == nil)
        }
    }

    @Test(arguments: [0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 1 << 31, 1 << 32, Int.max, Int.min])
    func `an NSNumber that is an integer`(value: Int) throws {
        try withFoundationArchive(of: NSNumber(value: value)) { coder throws in
            #expect(try coder.decode(Int.self, forKey: "object") == value)
            #expect(try coder.decodeInteger(forKey: "object") == value)
            #expect(try coder.decodeIfPresent(Int64.self, forKey: "object") == Int64(value))
            #expect(try coder.decodeDouble(forKey: "object") == NSNumber(value: value).doubleValue)
        }
    }

    @Test func `an NSNumber of every kind`() throws {
        #expect(try value(Int8.self, of: NSNumber(value: Int8.min)) == .min)
        #expect(try value(UInt8.self, of: NSNumber(value: UInt8.max)) == .max)
        #expect(try value(Int16.self, of: NSNumber(value: Int16.min)) == .min)
        #expect(try value(UInt16.self, of: NSNumber(value: UInt16.max)) == .max)
        #expect(try value(Int32.self, of: NSNumber(value: Int32.min)) == .min)
        #expect(try value(UInt32.self, of: NSNumber(value: UInt32.max)) == .max)
        #expect(try value(Int64.self, of: NSNumber(value: Int64.min)) == .min)
        #expect(try value(UInt64.self, of: NSNumber(value: UInt64.max)) == .max)
        #expect(try value(Float.self, of: NSNumber(value: Float(0.1))) == 0.1)
        #expect(try value(Double.self, of: NSNumber(value: 0.1)) == 0.1)
        #expect(try value(Double.self, of: NSNumber(value: -Double.infinity)) == -.infinity)
        #expect(try value(Bool.self, of: NSNumber(value: true)))
        #expect(try !value(Bool.self, of: NSNumber(value: false)))
    }

    @Test func `scalars by key`() throws {
        try withFoundationArchive { coder in
            coder.encode(-5, forKey: "int")
            coder.encode(Int32.min, forKey: "int32")
            coder.encode(Int64.max, forKey: "int64")
            coder.encode(2.25, forKey: "double")
            coder.encode(Float(0.1), forKey: "float")
            coder.encode(true, forKey: "true")
            coder.encode(false, forKey: "false")
            coder.encode(7, forKey: "$dollar")
            [UInt8]([1, 2, 255]).withUnsafeBufferPointer {
                coder.encodeBytes($0.baseAddress, length: $0.count, forKey: "bytes")
            }
        } read: { coder throws in
            #expect(try coder.decodeInteger(forKey: "int") == -5)
            #expect(try coder.decodeIfPresent(Int32.self, forKey: "int32") == .min)
            #expect(try coder.decodeIfPresent(Int64.self, forKey: "int64") == .max)
            #expect(try coder.decodeDouble(forKey: "double") == 2.25)
            #expect(try coder.decodeFloat(forKey: "float") == 0.1)
            #expect(try coder.decodeBool(forKey: "true"))
            #expect(try !coder.decodeBool(forKey: "false"))
            #expect(coder.containsValue(forKey: "false") && !coder.containsValue(forKey: "missing"))
            #expect(try coder.decodeInteger(forKey: "$dollar") == 7)
            #expect(try coder.decodeBytes(forKey: "bytes") == [1, 2, 255])
            #expect(try coder.decodeBytes(forKey: "bytes", minimumLength: 3) == [1, 2, 255])
            #expect(throws: ArchivingError.self) { try coder.decodeBytes(forKey: "bytes", minimumLength: 4) }
        }
    }

    @Test func `points, sizes and rectangles by key`() throws {
        try withFoundationArchive { coder in
            coder.encode(NSPoint(x: 1.5, y: -2), forKey: "point")
            coder.encode(NSSize(width: 1e300, height: 0.1), forKey: "size")
            coder.encode(NSRect(x: -0.25, y: 1, width: 3, height: 400), forKey: "rect")
        } read: { coder throws in
            #expect(try coder.decodePoint(forKey: "point") == (x: 1.5, y: -2))
            #expect(try coder.decodeSize(forKey: "size") == (width: 1e300, height: 0.1))
            #expect(try coder.decodeRect(forKey: "rect") == (x: -0.25, y: 1, width: 3, height: 400))
            #expect(try coder.decodeIfPresent(String.self, forKey: "point") == "{1.5, -2.0}")
        }
    }

    @Test func `points, sizes and rectangles without keys`() throws {
        try withFoundationArchive { coder in
            coder.encode(NSPoint(x: 1.5, y: -2))
            coder.encode(NSSize(width: 3, height: 0.1))
            coder.encode(NSRect(x: 1, y: 2, width: 3, height: 4))
            coder.encode("last" as NSString)
        } read: { coder throws in
            #expect(try coder.decodeNextPoint() == (x: 1.5, y: -2))
            #expect(try coder.decodeNextSize() == (width: 3, height: 0.1))
            #expect(try coder.decodeNextRect() == (x: 1, y: 2, width: 3, height: 4))
            #expect(try coder.decodeNext(String.self) == "last")
        }
    }

    /// One value of each C type that Foundation on Linux encodes; "l" has 32 bits there.
    @Test func `C values of every type`() throws {
        try withFoundationArchive { coder in
            func encode<Value>(_ value: Value, _ type: String) {
                withUnsafePointer(to: value) { coder.encodeValue(ofObjCType: type, at: $0) }
            }
            encode(Int8.min, "c")
            encode(UInt8.max, "C")
            encode(Int32.min, "i")
            encode(UInt32.max, "I")
            encode(Int32.max, "l")
            encode(UInt32.max, "L")
            encode(Int64.min, "q")
            encode(UInt64(Int64.max), "Q")
            encode(Float(0.1), "f")
            encode(0.1, "d")
            encode(true, "B")
        } read: { coder throws in
            #expect(try coder.decodeNext(Int8.self) == .min && coder.decodeNext(UInt8.self) == .max)
            #expect(try coder.decodeNext(Int32.self) == .min && coder.decodeNext(UInt32.self) == .max)
            #expect(try coder.decodeNext(Int32.self) == .max && coder.decodeNext(UInt32.self) == .max)
            #expect(try coder.decodeNext(Int64.self) == .min && coder.decodeNext(UInt64.self) == UInt64(Int64.max))
            #expect(try coder.decodeNext(Float.self) == 0.1 && coder.decodeNext(Double.self) == 0.1)
            #expect(try coder.decodeNext(Bool.self))
        }
    }

    @Test func `objects without keys, in their order`() throws {
        try withFoundationArchive { coder in
            coder.encode("first" as NSString)
            coder.encode(Data([1, 2]))
            var (int32, double) = (Int32(-7), 2.5)
            coder.encodeValue(ofObjCType: "i", at: &int32)
            coder.encodeValue(ofObjCType: "d", at: &double)
            coder.encode(nil as Any?)
            coder.encode(NSNumber(value: 5))
        } read: { coder throws in
            #expect(try coder.decodeNext(String.self) == "first")
            #expect(try coder.decodeNext(Data.self) == Data([1, 2]))
            #expect(try coder.decodeNext(Int32.self) == -7)
            #expect(try coder.decodeNext(Double.self) == 2.5)
            #expect(try coder.decodeNextIfPresent(String.self) == nil)
            #expect(try coder.decodeNext(Int.self) == 5)
        }
    }

    @Test func `NSData and NSMutableData`() throws {
        for bytes in [Data(), Data([0, 1, 2, 255]), Data(repeating: 7, count: 70_000)] {
            try withFoundationArchive(of: bytes as NSData) { coder throws in
                #expect(try coder.decodeIfPresent(Data.self, forKey: "object") == bytes)
                #expect(coder.archivedClassName(forKey: "object") == nil)
            }
            try withFoundationArchive(of: NSMutableData(data: bytes)) { coder throws in
                #expect(try coder.decodeIfPresent(Data.self, forKey: "object") == bytes)
                #expect(try coder.decode(Data.self, forKey: "object") == bytes)
                #expect(coder.archivedClassName(forKey: "object") == "NSMutableData")
            }
        }
    }

    @Test func `an NSDate, NSURL and NSUUID`() throws {
        try withFoundationArchive(of: Self.date as NSDate) { coder throws in
            #expect(try coder.decodeIfPresent(Date.self, forKey: "object") == Self.date)
            #expect(try coder.decode(Date.self, forKey: "object") == Self.date)
        }
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try value(UUID.self, of: uuid as NSUUID) == uuid)
        let base = try #require(URL(string: "https://example.org/a/"))
        // On Linux a URL that becomes an NSURL loses its base.
        let relative = try #require(NSURL(string: "b?c", relativeTo: base))
        #expect(try value(URL.self, of: relative).relativeString == "b?c")
        #expect(try value(URL.self, of: relative).baseURL == base)
        #expect(try value(URL.self, of: base as NSURL) == base)
    }

    @Test func `an NSIndexSet and an NSIndexPath`() throws {
        for set in [IndexSet(), IndexSet(integersIn: 4..<9), IndexSet([1, 5, 6, 7, 1000])] {
            #expect(try value(IndexSet.self, of: set as NSIndexSet) == set)
            #expect(try value(IndexSet.self, of: NSMutableIndexSet(indexSet: set)) == set)
        }
        for path in [IndexPath(), IndexPath(index: 9), IndexPath(indexes: [1, 200, 30_000])] {
            #expect(try value(IndexPath.self, of: path as NSIndexPath) == path)
        }
    }

    @Test func `an NSTimeZone, NSLocale and NSCalendar`() throws {
        for name in ["Europe/Berlin", "GMT+0100"] {
            let timeZone = try #require(TimeZone(identifier: name))
            #expect(try value(TimeZone.self, of: timeZone as NSTimeZone) == timeZone)
        }
        #expect(try value(Locale.self, of: NSLocale(localeIdentifier: "ja_JP")) == Locale(identifier: "ja_JP"))
        var calendar = Calendar(identifier: .hebrew)
        calendar.locale = Locale(identifier: "de_DE")
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        calendar.firstWeekday = 3
        calendar.minimumDaysInFirstWeek = 4
        #expect(try value(Calendar.self, of: calendar as NSCalendar) == calendar)
    }

    @Test func `NSDateComponents and an NSDateInterval`() throws {
        let components = NSDateComponents()
        components.year = 2026
        components.weekday = 3
        #expect(try value(DateComponents.self, of: components) == DateComponents(year: 2026, weekday: 3))
        let interval = DateInterval(start: Self.date, duration: 3600)
        #expect(try value(DateInterval.self, of: interval as NSDateInterval) == interval)
        #expect(try value(DateInterval.self, of: interval as NSDateInterval).duration == 3600)
    }
}

// MARK: - Collections

extension `Coding reads values that Foundation writes` {
    @Test func `an NSArray, NSSet and NSDictionary of leaves`() throws {
        #expect(try value([Int].self, of: [3, 1, 2] as NSArray) == [3, 1, 2])
        #expect(try value([[String]].self, of: [["a"], []] as NSArray) == [["a"], []])
        #expect(try value(Set<String>.self, of: NSSet(array: ["a", "b"])) == ["a", "b"])
        #expect(try value([String: Double].self, of: ["x": 1.5] as NSDictionary) == ["x": 1.5])
        #expect(try value([Int: String].self, of: [1: "a", -5: "b"] as NSDictionary) == [1: "a", -5: "b"])
        #expect(try value([String].self, of: NSOrderedSet(array: ["z", "a", "m"])) == ["z", "a", "m"])
        #expect(try value([String?].self, of: ["a", NSNull()] as NSArray) == ["a", nil])
    }
}

// MARK: - Mutability

extension `Coding reads values that Foundation writes` {
    /// A caller that needs to know whether the object was mutable requests its class. Foundation on Linux writes an
    /// NSMutableString as an immutable one, so GNUstep and plistlib check that class.
    @Test func `mutable classes apart from immutable ones`() throws {
        let objects: [(Any, String?)] = [
            ([1] as NSArray, "NSArray"), (NSMutableArray(array: [1]), "NSMutableArray"),
            (NSSet(array: [1]), "NSSet"), (NSMutableSet(array: [1]), "NSMutableSet"),
            (["a": 1] as NSDictionary, "NSDictionary"),
            (NSMutableDictionary(dictionary: ["a": 1]), "NSMutableDictionary"),
            (NSOrderedSet(array: [1]), "NSOrderedSet"), (NSMutableOrderedSet(array: [1]), "NSMutableOrderedSet"),
            (NSCountedSet(array: [1]), "NSCountedSet"), (NSData(), nil), (NSMutableData(), "NSMutableData"),
            (NSIndexSet(index: 1), "NSIndexSet"), (NSMutableIndexSet(index: 1), "NSMutableIndexSet"),
            (NSAttributedString(string: "a"), "NSAttributedString"),
            (NSMutableAttributedString(string: "a"), "NSMutableAttributedString"),
            (NSNull(), "NSNull"), ("text" as NSString, nil), (NSNumber(value: 1), nil),
        ]
        for (object, name) in objects {
            try withFoundationArchive(of: object) { #expect($0.archivedClassName(forKey: "object") == name) }
        }
    }

    @Test func `the contents of mutable classes like those of immutable ones`() throws {
        #expect(try value([Int].self, of: NSMutableArray(array: [3, 1])) == [3, 1])
        #expect(try value(Set<Int>.self, of: NSMutableSet(array: [3, 1])) == [3, 1])
        #expect(try value([String: Int].self, of: NSMutableDictionary(dictionary: ["a": 1])) == ["a": 1])
        #expect(try value([String].self, of: NSMutableOrderedSet(array: ["b", "a"])) == ["b", "a"])
        let nested = NSMutableArray(array: [NSMutableDictionary(dictionary: ["a": NSMutableSet(array: [1])])])
        #expect(try value([[String: Set<Int>]].self, of: nested) == [["a": [1]]])
    }
}
