// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What other programs wrote, or the same program in another form.
@Suite(.inTurn) struct `Foundation's values in other forms` {
    struct Archive: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let value: any ArchivableValue
        /// The slots from uid 1 on.
        let objects: [PropertyList]

        init(_ description: String, _ value: (any ArchivableValue)?, _ objects: PropertyList...) {
            guard let value else { preconditionFailure("Foundation makes no value for \(description)") }
            testDescription = description
            self.value = value
            self.objects = objects
        }
    }

    private static let date = Date(timeIntervalSinceReferenceDate: 1e9)
    private static let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    private static let uuidBytes = Data([
        0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F,
    ])

    private static func name(_ name: String) -> PropertyList { ["$classname": .string(name)] }

    private static let data: [Archive] = [
        Archive(
            "NSMutableData", Data("hello".utf8), ["NS.data": .data(Data("hello".utf8)), "$class": .uid(2)],
            name("NSMutableData")),
        Archive("data behind another uid, by bpylist2", Data([1]), ["NS.data": .uid(2)], .data(Data([1]))),
        Archive("GNUstep's data object", Data([7]), ["NS.bytes": .data(Data([7]))]),
        Archive(
            "an array of numbers", Data([1, 255]), ["NS.objects": [.uid(2), .uid(3)], "$class": .uid(4)], 1, 255,
            name("NSArray")),
    ]

    private static let dates: [Archive] = [
        Archive("GNUstep's date leaf", date, .date(date)),
        Archive("a date with a whole number of seconds", date, ["NS.time": 1_000_000_000]),
        Archive("a date as a 32-bit real", Date(timeIntervalSinceReferenceDate: 0.5), ["NS.time": .real32(0.5)]),
        Archive(
            "a subclass's date", date, ["NS.format": .uid(0), "NS.time": 1e9, "$class": .uid(2)], name("NSCalendarDate")
        ),
        Archive("a date as a number of seconds", date, .real(1e9)),
        Archive(
            "an interval without a duration", DateInterval(start: date, duration: 5),
            ["NS.startDate": .uid(2), "NS.endDate": .uid(3)], ["NS.time": 1e9], .date(date + 5)),
        Archive(
            "an interval of Codable's form", DateInterval(start: date, duration: 5),
            ["start": .uid(2), "duration": 5.0], ["NS.time": 1e9]),
    ]

    private static let identifiers: [Archive] = [
        Archive("GNUstep's UUID", uuid, ["uuid": .data(uuidBytes)]),
        Archive("a UUID as text", uuid, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        Archive(
            "a URL whose text is a mutable string", URL(string: "http://a/"), ["NS.relative": .uid(2)],
            ["NS.string": "http://a/", "$class": .uid(3)], name("NSMutableString")),
        Archive(
            "a URL whose base has a base", URL(string: "d", relativeTo: URL(string: "http://a/b/c")),
            ["NS.relative": "d", "NS.base": .uid(2)],
            ["NS.relative": "b/c", "NS.base": .uid(3)], ["NS.relative": "http://a/", "NS.base": .uid(0)]),
        Archive(
            "a URL of Codable's form", URL(string: "b", relativeTo: URL(string: "http://a/")),
            ["relative": .uid(2), "base": .uid(3)], "b", ["NS.relative": .uid(4)], "http://a/"),
    ]

    private static let mantissa = Data([0x15, 0xCD, 0x5B, 0x07] + Array(repeating: 0xEE, count: 12))

    private static let decimals: [Archive] = [
        Archive(
            "GNUstep's decimal", Decimal(string: "12345.6789"), ["$0": .uid(2)],
            ["NS.string": "1.23456789E4", "$class": .uid(3)], name("NSMutableString")),
        Archive(
            "GNUstep's decimal, negative and with 38 digits",
            Decimal(string: "-12345678901234567890.123456789012345678"),
            ["$0": "-12345678901234567890.123456789012345678"]),
        Archive(
            "a decimal with rubbish in words that are not in use", Decimal(string: "1234567.89"),
            [
                "NS.mantissa": .data(mantissa), "NS.mantissa.bo": 1, "NS.length": 2, "NS.exponent": -2,
                "NS.negative": false, "NS.compact": true,
            ]),
        Archive(
            "a big-endian decimal", Decimal(258),
            ["NS.mantissa": .data(Data([1, 2] + Array(repeating: 0, count: 14))), "NS.mantissa.bo": 2, "NS.length": 1]),
        Archive(
            "a decimal with 0 and 1 for Bools", Decimal(-2),
            [
                "NS.mantissa": .data(Data([2] + Array(repeating: 0, count: 15))), "NS.mantissa.bo": 1, "NS.length": 1,
                "NS.negative": 1, "NS.compact": 0,
            ]),
        Archive(
            "a decimal with more words than it needs, and none in it", Decimal(),
            ["NS.mantissa": .data(Data(count: 16)), "NS.mantissa.bo": 1, "NS.length": 3, "NS.negative": true]),
        Archive("an integer", Decimal(string: "-170141183460469231731687303715884105728"), .integer(.min)),
        Archive("a real", Decimal(string: "-2.625"), -2.625),
        Archive("a real of more digits than a double shows", Decimal(0x1p-16), .real(0x1p-16)),
        Archive("a real without a fraction", Decimal(0x1p70), .real(0x1p70)),
        Archive("the number zero", Decimal(), .real(-0.0)),
        Archive(
            "a decimal of Codable's form", Decimal(string: "-0.5"),
            ["exponent": -1, "length": 1, "isNegative": true, "isCompact": true, "mantissa": .uid(2)],
            ["NS.objects": .array([.uid(3)] + Array(repeating: .uid(4), count: 7))], 5, 0),
    ]

    private static let indexes: [Archive] = [
        Archive(
            "Apple's index path", IndexPath(indexes: [4, 8]), ["NSIndexPathLength": 2, "NSIndexPathData": .uid(2)],
            ["NS.data": .data(Data([4, 8]))]),
        Archive(
            "GNUstep's index path", IndexPath(indexes: [5, 70_000]),
            ["NSIndexPathLength": 2, "NSIndexPathData": .uid(2)],
            .data(Data([0, 0, 0, 5, 0, 0, 0, 0, 0, 1, 0x11, 0x70, 0, 0, 0, 0]))),
        Archive(
            "an index path of Codable's form", IndexPath(indexes: [5, 7]), ["indexes": .uid(2)],
            ["NS.objects": [.uid(3), .uid(4)]], 5, 7),
        Archive(
            "Apple's index set", IndexSet([1, 2, 3, 500, 501]), ["NSRangeCount": 2, "NSRangeData": .uid(2)],
            ["NS.data": .data(Data([1, 3, 0xF4, 3, 2]))]),
        Archive(
            "an index set of ranges that touch", IndexSet(integersIn: 1..<6),
            ["NSRangeCount": 2, "NSRangeData": .data(Data([1, 3, 4, 2]))]),
        Archive(
            "an index set with one range and nothing in it", IndexSet(),
            ["NSRangeCount": 1, "NSLocation": 5, "NSLength": 0]),
        Archive(
            "Foundation's empty index set", IndexSet(), ["NSRangeCount": 0, "NSRangeData": .uid(2)], .data(Data())),
        Archive(
            "an index set of Codable's form", IndexSet([3, 4, 9]), ["indexes": .uid(2)],
            ["NS.objects": [.uid(3), .uid(4)]], ["location": 9, "length": 1], ["location": 3, "length": 2]),
    ]

    private static let places: [Archive] = [
        Archive(
            "a time zone with its rules", TimeZone(identifier: "Europe/Berlin"),
            ["NS.name": .uid(2), "NS.data": .uid(3)], "Europe/Berlin", ["NS.data": .data(Data("TZif2".utf8))]),
        Archive("GNUstep's time zone", TimeZone(identifier: "Europe/Berlin"), ["$0": .uid(2)], "Europe/Berlin"),
        Archive(
            "a time zone of Codable's form", TimeZone(identifier: "Europe/Berlin"), ["identifier": .uid(2)],
            "Europe/Berlin"),
        Archive("GNUstep's locale", Locale(identifier: "de_DE"), ["$0": .uid(2)], "de_DE"),
        Archive(
            "a locale of Codable's form", Locale(identifier: "de_DE"), ["identifier": .uid(2), "current": 0], "de_DE"),
        Archive(
            "the locale that follows the user, in Codable's form", Locale.autoupdatingCurrent,
            ["identifier": .uid(2), "current": 2], "de_DE"),
        Archive(
            "GNUstep's calendar", calendar { _ in }, ["$0": .uid(2), "$1": .uid(3), "$2": .uid(4)], "hebrew", "de_DE",
            ["$0": .uid(5)], "GMT"),
        Archive(
            "a calendar without days", calendar { _ in },
            ["NS.identifier": .uid(2), "NS.locale": .uid(4), "NS.timezone": .uid(3)], "hebrew", ["NS.name": "GMT"],
            ["NS.identifier": "de_DE"]),
        Archive(
            "a calendar of Codable's form", calendar { $0.firstWeekday = 3 },
            [
                "identifier": .uid(2), "locale": .uid(4), "timeZone": .uid(3), "firstWeekday": 3,
                "minimumDaysInFirstWeek": 4,
            ], "hebrew", ["identifier": "GMT"], ["identifier": "de_DE"]),
    ]

    private static func calendar(_ change: (inout Calendar) -> Void) -> Calendar {
        var calendar = Calendar(identifier: .hebrew)
        calendar.locale = Locale(identifier: "de_DE")
        calendar.timeZone = .gmt
        change(&calendar)
        return calendar
    }

    private static let components: [Archive] = [
        Archive(
            "Apple's date components", DateComponents(year: 2026, month: 2),
            ["NS.year": 2026, "NS.month": 2, "NS.leapMonth": 0, "NS.repeatedDay": false]),
        Archive(
            "Foundation's date components", DateComponents(year: 2026, month: 2),
            [
                "NS.year": 2026, "NS.month": 2, "NS.day": .integer(Int128(Int.max)), "NS.isLeapMonth": false,
                "NS.calendar": .uid(0), "NS.timezone": .uid(0),
            ]),
        Archive("Apple's date components in a leap month", leapMonth, ["NS.leapMonth": 1, "NS.repeatedDay": false]),
        Archive("date components of Codable's form", DateComponents(year: 2026), ["year": 2026]),
    ]

    private static let leapMonth: DateComponents = {
        var components = DateComponents()
        components.isLeapMonth = true
        return components
    }()

    static let archives = data + dates + identifiers + decimals + indexes + places + components

    @Test(arguments: archives)
    func `are read`(archive: Archive) throws {
        func check<Value: ArchivableValue>(_ value: Value) throws {
            for format in PropertyListFormat.allCases {
                let data = try handmadeArchive(objects: archive.objects, format: format)
                #expect(try ArchiveDecoder().decode(Value.self, from: data) == value)
            }
        }
        try check(archive.value)
    }
}
