// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What Foundation's `NSKeyedUnarchiver` makes of our archives, with secure coding required.
///
/// On Linux it ends the program where it does not find what it looks for, so a wrong archive shows itself as a crash.
@Suite(.inTurn) struct `Foundation reads` {
    @Test(arguments: PropertyListFormat.allCases)
    func `a farm, into classes of its own`(format: PropertyListFormat) throws {
        let encoder = ArchiveEncoder.sampleFarm(format)
        #expect(try FarmObject.farm(in: encoder.encode(SampleFarm.example)) == .example)
        #expect(try FarmObject.farm(in: encoder.encode(DeclaredFarm.example)) == .example)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let value: any Encodable & Sendable
        let classes: [AnyClass]
        /// Whether the object is the value.
        let matches: @Sendable (Any) -> Bool

        init<Value: Encodable & Equatable & Sendable>(_ value: Value, _ classes: AnyClass...) {
            self.value = value
            self.classes = classes
            matches = { $0 as? Value == value }
        }

        var testDescription: String { "\(type(of: value)) \(value)" }
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    private static let uuid = UUID()

    private static let cases: [Case] = [
        Case([1, -2, Int.max, Int.min, 0], NSArray.self, NSNumber.self),
        Case((0..<1000).map { $0 }, NSArray.self, NSNumber.self),
        Case([0.1, -1e300, .infinity], NSArray.self, NSNumber.self),
        Case(["a", "ä", "𝄞", "", "a"], NSArray.self, NSString.self),
        Case([[1], [], [2, 3]], NSArray.self, NSNumber.self),
        Case([true, false], NSArray.self, NSNumber.self),
        Case(["one": 1, "two": 2], NSDictionary.self, NSString.self, NSNumber.self),
        Case([uuid: date], NSDictionary.self, NSUUID.self, NSDate.self),
        Case(Set(["a", "b"]), NSSet.self, NSString.self), Case("text", NSString.self), Case(7, NSNumber.self),
        Case(UInt64.max, NSNumber.self), Case(Data([0, 1, 255]), NSData.self), Case(Data(), NSData.self),
        Case(date, NSDate.self), Case([date, date], NSArray.self, NSDate.self), Case(uuid, NSUUID.self),
        Case(IndexPath(), NSIndexPath.self), Case(IndexPath(index: 5), NSIndexPath.self),
        Case(IndexPath(indexes: [1, 300, 5]), NSIndexPath.self), Case(IndexSet(), NSIndexSet.self),
        Case(IndexSet(integersIn: 3..<9), NSIndexSet.self), Case(IndexSet([1, 2, 900]), NSIndexSet.self),
        Case(Locale(identifier: "ja_JP"), NSLocale.self),
    ]

    @Test(arguments: cases)
    func `values as objects of its classes`(example: Case) throws {
        let data = try ArchiveEncoder().encode(example.value)
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: example.classes, from: data)
        #expect(example.matches(try #require(object)), "\(object ?? "nothing")")
    }

    @Test(
        arguments: [
            URL(string: "https://example.org/a?b=c#d"),
            URL(string: "b", relativeTo: URL(string: "https://example.org/a/")),
            URL(filePath: "/tmp/ä b"),
        ] as [URL?])
    func `URLs with their bases`(url: URL?) throws {
        let url = try #require(url)
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: ArchiveEncoder().encode(url))
        #expect(object?.relativeString == url.relativeString)
        #expect(object?.baseURL == url.baseURL)
    }

    @Test(arguments: ["Europe/Berlin", "GMT+0100", "GMT"])
    func `time zones by name`(name: String) throws {
        let timeZone = try #require(TimeZone(identifier: name))
        let data = try ArchiveEncoder().encode(timeZone)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSTimeZone.self, from: data)?.name == name)
    }

    @Test func `calendars`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.firstWeekday = 2
        calendar.minimumDaysInFirstWeek = 4
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        calendar.locale = Locale(identifier: "de_DE")
        let data = try ArchiveEncoder().encode(calendar)
        let object = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSCalendar.self, from: data))
        #expect(object.calendarIdentifier == .gregorian && object.locale?.identifier == "de_DE")
        #expect(object.firstWeekday == 2 && object.minimumDaysInFirstWeek == 4)
        #expect(object.timeZone.identifier == "Europe/Berlin")
    }

    @Test func `nil as NSNull, so that every other value keeps its position and its key`() throws {
        let classes = [NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSNull.self]
        func object(_ value: some Encodable) throws -> Any {
            try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: ArchiveEncoder().encode(value)))
        }
        let array = try #require(object([1, nil, 2, nil] as [Int?]) as? [Any])
        #expect(array.map { $0 as? Int } == [1, nil, 2, nil])
        #expect(array.filter { $0 is NSNull }.count == 2)
        let values = Dictionary(uniqueKeysWithValues: (0..<20).map { ("key \($0)", $0 % 3 == 0 ? nil : $0) })
        let dictionary = try #require(object(values) as? [String: Any])
        #expect(dictionary.count == 20)
        for (key, value) in values {
            #expect(value == nil ? dictionary[key] is NSNull : dictionary[key] as? Int == value, "\(key)")
        }
        #expect((try object([1, nil] as Set<Int?>) as? NSSet)?.count == 2)
        let keyed = try #require(object([nil: "x", 1: "y"] as [Int?: String]) as? NSDictionary)
        #expect(keyed.count == 2)
        #expect(keyed.allKeys.contains { $0 is NSNull })
    }

    /// Linux takes the start for the end as well, so the duration says nothing.
    @Test func `the start of date intervals`() throws {
        let data = try ArchiveEncoder().encode(DateInterval(start: Self.date, duration: 60))
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSDateInterval.self, from: data)
        #expect(object?.startDate == Self.date)
    }
}
