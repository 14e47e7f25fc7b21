// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What we make of archives by Foundation's `NSKeyedArchiver`: Codable values, without a class of Foundation's between.
@Suite(.inTurn) struct `Archives by Foundation` {
    private func decode<Value: Decodable>(_ type: Value.Type, from object: Any) throws -> Value {
        let value = try ArchiveDecoder().decode(type, from: foundationArchive(of: object))
        // In XML as well; what is compared is compared by the caller.
        _ = try ArchiveDecoder().decode(type, from: foundationArchive(of: object, format: .xml))
        return value
    }

    @Test func `decode into structs by the keys of their classes`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 531_000_000.25)
        let spork = ItemObject(name: "Rusty Spork ☃", valueInDollars: 42, serialNumber: nil, dateCreated: date)
        let mac = ItemObject(
            name: "Shiny Mac", valueInDollars: -9_000_000_000, serialNumber: "1A2B3C4D", dateCreated: date)
        let expected = [
            Item(name: "Rusty Spork ☃", valueInDollars: 42, serialNumber: nil, dateCreated: date),
            Item(name: "Shiny Mac", valueInDollars: -9_000_000_000, serialNumber: "1A2B3C4D", dateCreated: date),
        ]
        #expect(try decode(Item.self, from: spork) == expected[0])
        #expect(try decode([Item].self, from: [spork, mac]) == expected)
        #expect(try decode([String: Item].self, from: ["a": spork, "b": mac]) == ["a": expected[0], "b": expected[1]])
    }

    @Test func `decode into one instance where there was one`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let shared = ItemObject(name: "a", valueInDollars: 1, serialNumber: nil, dateCreated: date)
        let other = ItemObject(name: "b", valueInDollars: 2, serialNumber: nil, dateCreated: date)
        let items = try decode([ItemInstance].self, from: [shared, other, shared])
        #expect(items.map(\.name) == ["a", "b", "a"])
        #expect(items[0] === items[2] && items[0] !== items[1])
    }

    @Test func `decode into collections in each other`() throws {
        let arrays: NSArray = [[[1, 2], []], [[3]]]
        #expect(try decode([[[Int]]].self, from: arrays) == [[[1, 2], []], [[3]]])
        let dictionary: NSDictionary = ["a": ["x": [1.5]], "b": [:] as NSDictionary]
        #expect(try decode([String: [String: [Double]]].self, from: dictionary) == ["a": ["x": [1.5]], "b": [:]])
        let sets: NSArray = [NSSet(array: ["a", "b"]), NSSet()]
        #expect(try decode([Set<String>].self, from: sets) == [["a", "b"], []])
        #expect(try decode([Int: String].self, from: [1: "a", -5: "b"] as NSDictionary) == [1: "a", -5: "b"])
        #expect(try decode([String?].self, from: ["a", NSNull()] as NSArray) == ["a", nil])
        let ordered = NSOrderedSet(array: ["z", "a", "m"])
        #expect(try decode([String].self, from: ordered) == ["z", "a", "m"])
    }

    /// Foundation on Linux keeps equal numbers once, whatever their types, so no two are equal here.
    @Test func `decode into numbers of every type`() throws {
        struct Numbers: Decodable, Equatable {
            var int8: Int8
            var int16: Int16
            var int32: Int32
            var int64: Int64
            var uint8: UInt8
            var uint16: UInt16
            var uint32: UInt32
            var uint64: UInt64
            var float: Float
            var double: Double
            var bool: Bool
            var decimal: Decimal
        }
        let object: NSDictionary = [
            "int8": NSNumber(value: Int8.min), "int16": NSNumber(value: Int16.min), "int32": NSNumber(value: Int32.min),
            "int64": NSNumber(value: Int64.min), "uint8": NSNumber(value: UInt8.max),
            "uint16": NSNumber(value: UInt16.max), "uint32": NSNumber(value: UInt32.max),
            "uint64": NSNumber(value: UInt64(Int64.max)), "float": NSNumber(value: Float(0.1)),
            "double": NSNumber(value: 0.1), "bool": NSNumber(value: true), "decimal": NSNumber(value: 2.5),
        ]
        let expected = Numbers(
            int8: .min, int16: .min, int32: .min, int64: .min, uint8: .max, uint16: .max, uint32: .max,
            uint64: UInt64(Int64.max), float: 0.1, double: 0.1, bool: true, decimal: 2.5)
        #expect(try decode(Numbers.self, from: object) == expected)
        let keyed = NumbersObject()
        #expect(
            try decode(KeyedNumbers.self, from: keyed) == KeyedNumbers(int: -5, double: 2.25, float: 0.5, bool: true))
    }

    @Test func `decode into Foundation's values`() throws {
        let date = Date(timeIntervalSinceReferenceDate: -1e9)
        #expect(try decode(Date.self, from: date as NSDate) == date)
        #expect(try decode([Date].self, from: [date, date + 1] as NSArray) == [date, date + 1])
        let data = Data([0, 1, 2, 255])
        #expect(try decode(Data.self, from: data as NSData) == data)
        #expect(try decode(Data.self, from: NSMutableData(data: data)) == data)
        let uuid = UUID()
        #expect(try decode(UUID.self, from: uuid as NSUUID) == uuid)
        let url = try #require(URL(string: "b?c", relativeTo: URL(string: "http://a/")))
        // On Linux a URL that becomes an NSURL loses its base.
        let object = try #require(NSURL(string: url.relativeString, relativeTo: url.baseURL))
        #expect(try decode(URL.self, from: object) == url)
        #expect(try decode(URL.self, from: object).baseURL == url.baseURL)
        for path in [IndexPath(), IndexPath(index: 9), IndexPath(indexes: [1, 200, 30_000])] {
            #expect(try decode(IndexPath.self, from: path as NSIndexPath) == path)
        }
        for set in [IndexSet(), IndexSet(integersIn: 4..<9), IndexSet([1, 5, 6, 7, 1000])] {
            #expect(try decode(IndexSet.self, from: set as NSIndexSet) == set)
        }
        let interval = DateInterval(start: date, duration: 3600)
        #expect(try decode(DateInterval.self, from: interval as NSDateInterval) == interval)
        let locale = Locale(identifier: "ja_JP")
        #expect(try decode(Locale.self, from: locale as NSLocale) == locale)
        for name in ["Europe/Berlin", "GMT+0100"] {
            let timeZone = try #require(TimeZone(identifier: name))
            #expect(try decode(TimeZone.self, from: timeZone as NSTimeZone) == timeZone)
        }
    }

    @Test func `decode into calendars and date components`() throws {
        var calendar = Calendar(identifier: .hebrew)
        calendar.locale = Locale(identifier: "de_DE")
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        calendar.firstWeekday = 3
        calendar.minimumDaysInFirstWeek = 4
        #expect(try decode(Calendar.self, from: calendar as NSCalendar) == calendar)
        let components = NSDateComponents()
        components.year = 2026
        components.weekday = 3
        #expect(try decode(DateComponents.self, from: components) == DateComponents(year: 2026, weekday: 3))
        components.calendar = calendar
        components.timeZone = calendar.timeZone
        let decoded = try decode(DateComponents.self, from: components)
        #expect(decoded.calendar == calendar && decoded.timeZone == calendar.timeZone && decoded.year == 2026)
    }
}

// MARK: - Items

private struct Item: Decodable, Equatable {
    var name: String
    var valueInDollars: Int
    var serialNumber: String?
    var dateCreated: Date
}

private final class ItemInstance: Decodable {
    let name: String
}

private struct KeyedNumbers: Decodable, Equatable {
    var int: Int
    var double: Double
    var float: Float
    var bool: Bool
}

/// Foundation archives no private class.
final class NumbersObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    override init() {}
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(-5, forKey: "int")
        coder.encode(2.25, forKey: "double")
        coder.encode(Float(0.5), forKey: "float")
        coder.encode(true, forKey: "bool")
    }
}
