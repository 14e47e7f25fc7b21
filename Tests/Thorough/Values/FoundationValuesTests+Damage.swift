// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Archives of an attacker, or from a full disk.
@Suite(.inTurn) struct `Damaged values of Foundation's` {
    struct Archive: CustomTestStringConvertible, Sendable {
        let type: any (Decodable & Sendable).Type
        /// What the error's description has to say.
        let text: String
        /// The slots from uid 2 on; the first one is requested.
        let objects: [PropertyList]

        init(_ type: any (Decodable & Sendable).Type, _ text: String, _ objects: PropertyList...) {
            self.type = type
            self.text = text
            self.objects = objects
        }

        var testDescription: String { "\(type): \(text)" }
    }

    private static let leaves: [Archive] = [
        Archive(Data.self, "NS.data of the object at uid 2 is not data", ["NS.data": 5]),
        Archive(Data.self, "NS.bytes of the object at uid 2 is not data", ["NS.bytes": .uid(0)]),
        Archive(Data.self, "uid 99 is referenced", ["NS.data": .uid(99)]),
        Archive(Data.self, "the integer 300", ["NS.objects": [.uid(3)]], 300),
        Archive(Data.self, "the integer 7", 7),
        Archive(Date.self, "NS.time of the object at uid 2 is not a number", ["NS.time": "now"]),
        Archive(Date.self, "NS.time of the object at uid 2 is not a number", ["NS.time": true]),
        Archive(Date.self, "NS.time of the object at uid 2 is not a number", ["NS.time": .integer(1 << 62 | 1)]),
        Archive(Date.self, "an object of class Farm", ["$class": .uid(3)], ["$classname": "Farm"]),
        Archive(Date.self, "the string \"now\"", "now"),
        Archive(
            UUID.self, "NS.uuidbytes of the object at uid 2 is not data of 16 bytes",
            ["NS.uuidbytes": .data(Data(count: 15))]),
        Archive(
            UUID.self, "NS.uuidbytes of the object at uid 2 is not data of 16 bytes", ["uuid": .data(Data(count: 17))]),
        Archive(
            UUID.self, "NS.uuidbytes of the object at uid 2 is not data",
            ["NS.uuidbytes": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]),
        Archive(UUID.self, "\"no uuid\", which is not a UUID", "no uuid"),
        Archive(UUID.self, "an array of 0 elements", []),
        Archive(URL.self, "NS.relative of the object at uid 2 is not a string", ["NS.relative": .uid(0)]),
        Archive(
            URL.self, "NS.relative of the object at uid 2 is not a string", ["NS.relative": .uid(3)], ["NS.string": 5]),
        Archive(URL.self, "NS.relative of the object at uid 2 is not a URL: \"\"", ["NS.relative": ""]),
        Archive(
            URL.self, "NS.base of the object at uid 2 is not a URL", ["NS.relative": "a", "NS.base": .uid(3)], 5),
        Archive(URL.self, "more than 16 bases", ["NS.relative": "a", "NS.base": .uid(2)]),
        Archive(URL.self, "\"http://[\", which is not a URL", "http://["),
    ]

    private static let mantissa = PropertyList.data(Data(count: 16))

    private static let decimals: [Archive] = [
        Archive(
            Decimal.self, "NS.mantissa of the object at uid 2 is not 16 bytes long",
            ["NS.mantissa": .data(Data(count: 8)), "NS.mantissa.bo": 1]),
        Archive(Decimal.self, "NS.mantissa of the object at uid 2 is not data", ["NS.mantissa": 5]),
        Archive(Decimal.self, "NS.mantissa.bo of the object at uid 2 is not 1 or 2", ["NS.mantissa": mantissa]),
        Archive(
            Decimal.self, "NS.length of the object at uid 2 is not 0 to 8",
            ["NS.mantissa": mantissa, "NS.mantissa.bo": 1, "NS.length": 9]),
        Archive(
            Decimal.self, "NS.length of the object at uid 2 is not 0 to 8",
            ["NS.mantissa": mantissa, "NS.mantissa.bo": 1, "NS.length": -1]),
        Archive(
            Decimal.self, "NS.length of the object at uid 2 is not an integer of 64 bits",
            ["NS.mantissa": mantissa, "NS.length": .integer(1 << 64)]),
        Archive(
            Decimal.self, "NS.exponent of the object at uid 2 is not -128 to 127",
            ["NS.mantissa": mantissa, "NS.mantissa.bo": 1, "NS.length": 8, "NS.exponent": 128]),
        Archive(
            Decimal.self, "NS.exponent of the object at uid 2 is not -128 to 127",
            ["NS.mantissa": mantissa, "NS.mantissa.bo": 1, "NS.length": 8, "NS.exponent": .integer(Int128(Int.min))]),
        Archive(
            Decimal.self, "NS.negative of the object at uid 2 is not a Bool",
            ["NS.mantissa": mantissa, "NS.negative": 2]),
        Archive(Decimal.self, "$0 of the object at uid 2 is not a decimal number", ["$0": "1.5 apples"]),
        Archive(Decimal.self, "$0 of the object at uid 2 is not a decimal number", ["$0": "1e99999999999999999999"]),
        Archive(Decimal.self, "$0 of the object at uid 2 is not a decimal number", ["$0": "1e200"]),
        Archive(
            Decimal.self, "$0 of the object at uid 2 is not a decimal number",
            ["$0": .string(String(repeating: "9", count: 40))]),
        Archive(Decimal.self, "the number 1e-200 (uid 2)", 1e-200),
        Archive(Decimal.self, "the number inf (uid 2)", .real(.infinity)),
        Archive(Decimal.self, "the number 1e+300 (uid 2)", 1e300),
        Archive(Decimal.self, "the Bool true", true),
        Archive(
            Decimal.self, "9 of 8 words",
            [
                "exponent": 0, "length": 9, "isNegative": false, "isCompact": false,
                "mantissa": .array(Array(repeating: 1, count: 8)),
            ]),
        Archive(
            Decimal.self, "8 of 7 words",
            [
                "exponent": 0, "length": 8, "isNegative": false, "isCompact": false,
                "mantissa": .array(Array(repeating: 1, count: 7)),
            ]),
        Archive(
            Decimal.self, "the integer 128",
            ["exponent": 128, "length": 1, "isNegative": false, "isCompact": false, "mantissa": []]),
    ]

    private static let paths: [Archive] = [
        Archive(
            IndexPath.self, "NSIndexPathLength of the object at uid 2 is not a number of indexes",
            ["NSIndexPathLength": -1]),
        Archive(
            IndexPath.self, "NSIndexPathLength of the object at uid 2 is not an integer", ["NSIndexPathLength": 1.5]),
        Archive(IndexPath.self, "NSIndexPathValue of the object at uid 2 is not an integer", ["NSIndexPathLength": 1]),
        Archive(IndexPath.self, "NSIndexPathData of the object at uid 2 is not data", ["NSIndexPathLength": 2]),
        Archive(
            IndexPath.self, "with as many indexes as",
            ["NSIndexPathLength": 3, "NSIndexPathData": .data(Data([1, 2]))]),
        Archive(
            IndexPath.self, "with as many indexes as",
            ["NSIndexPathLength": 2, "NSIndexPathData": .data(Data([1, 2, 3]))]),
        Archive(
            IndexPath.self, "with as many indexes as",
            ["NSIndexPathLength": 2, "NSIndexPathData": .data(Data([1, 0x82]))]),
        Archive(
            IndexPath.self, "with as many indexes as",
            ["NSIndexPathLength": .integer(Int128(Int.max)), "NSIndexPathData": .data(Data([1, 2, 3]))]),
        Archive(
            IndexPath.self, "with as many indexes as",
            ["NSIndexPathLength": 2, "NSIndexPathData": .data(Data([1] + Array(repeating: 0xFF, count: 9) + [2]))]),
        Archive(
            IndexPath.self, "with as many indexes as",
            ["NSIndexPathLength": 2, "NSIndexPathData": .data(Data([1] + Array(repeating: 0x80, count: 1000) + [0]))]),
    ]

    private static let sets: [Archive] = [
        Archive(IndexSet.self, "NSRangeCount of the object at uid 2 is not a number of ranges", ["NSRangeCount": -2]),
        Archive(
            IndexSet.self, "NSLength of the object at uid 2 is not the length",
            ["NSRangeCount": 1, "NSLocation": -1, "NSLength": 5]),
        Archive(
            IndexSet.self, "NSLength of the object at uid 2 is not the length",
            ["NSRangeCount": 1, "NSLocation": 1, "NSLength": -5]),
        Archive(
            IndexSet.self, "NSLength of the object at uid 2 is not the length",
            ["NSRangeCount": 1, "NSLocation": 1, "NSLength": .integer(Int128(Int.max))]),
        Archive(IndexSet.self, "NSRangeData of the object at uid 2 is not data", ["NSRangeCount": 2]),
        Archive(
            IndexSet.self, "with as many ranges as",
            ["NSRangeCount": .integer(Int128(Int.max)), "NSRangeData": .data(Data([1, 2]))]),
        Archive(IndexSet.self, "with as many ranges as", ["NSRangeCount": 2, "NSRangeData": .data(Data([1, 2, 3]))]),
        Archive(IndexSet.self, "in ascending order", ["NSRangeCount": 2, "NSRangeData": .data(Data([5, 2, 1, 1]))]),
        Archive(IndexSet.self, "in ascending order", ["NSRangeCount": 2, "NSRangeData": .data(Data([1, 3, 2, 1]))]),
        Archive(IndexSet.self, "in ascending order", ["NSRangeCount": 2, "NSRangeData": .data(Data([1, 0, 2, 1]))]),
        Archive(
            IndexSet.self, "in ascending order",
            ["NSRangeCount": 2, "NSRangeData": .data(Data([1, 2, 4] + Array(repeating: 0xFF, count: 8) + [0x7F]))]),
        Archive(
            IndexSet.self, "in ascending order",
            ["NSRangeCount": 2, "NSRangeData": .data(Data([1, 2] + Array(repeating: 0xFF, count: 9) + [1, 1]))]),
        Archive(
            IndexSet.self, "invalid range: location 1, length 9223372036854775807",
            ["indexes": [["location": 1, "length": .integer(Int128(Int.max))]]]),
        Archive(IndexSet.self, "invalid range: location 1, length -1", ["indexes": [["location": 1, "length": -1]]]),
        Archive(IndexSet.self, "No value for the key \"indexes\"", ["$class": .uid(3)], ["$classname": "Farm"]),
        Archive(IndexSet.self, "the integer 5", 5),
    ]

    private static let times: [Archive] = [
        Archive(
            DateInterval.self, "NS.duration of the object at uid 2 is not 0 seconds or more",
            ["NS.startDate": .uid(3), "NS.duration": -1.0], ["NS.time": 5.0]),
        Archive(
            DateInterval.self, "NS.duration of the object at uid 2 is not 0 seconds or more",
            ["NS.startDate": .uid(3), "NS.duration": .real(.nan)], ["NS.time": 5.0]),
        Archive(
            DateInterval.self, "NS.duration of the object at uid 2 is not 0 seconds or more",
            ["NS.startDate": .uid(3), "NS.endDate": .uid(4)], ["NS.time": 5.0], ["NS.time": 4.0]),
        Archive(DateInterval.self, "NS.startDate of the object at uid 2 is not a date", ["NS.startDate": .uid(0)]),
        Archive(
            DateInterval.self, "a date interval of -1.0 seconds", ["start": .uid(3), "duration": -1.0], ["NS.time": 5.0]
        ),
        Archive(Locale.self, "NS.identifier of the object at uid 2 is not a string", ["NS.identifier": 5]),
        Archive(
            Locale.self, "1025 bytes. The limit is 1024",
            ["NS.identifier": .string(String(repeating: "x", count: 1025))]),
        Archive(TimeZone.self, "a time zone \"Mars/Olympus\", which", ["NS.name": "Mars/Olympus"]),
        Archive(TimeZone.self, "a time zone \"GMT+9900\", which", ["NS.name": "GMT+9900"]),
        Archive(Calendar.self, "a calendar \"martian\", which", ["NS.identifier": "martian"]),
        Archive(Calendar.self, "the day 0 of a week of 7 days", ["NS.identifier": "hebrew", "NS.firstwkdy": 0]),
        Archive(
            Calendar.self, "the day 9223372036854775807 of a week",
            ["NS.identifier": "hebrew", "NS.firstwkdy": .integer(Int128(Int.max))]),
        Archive(Calendar.self, "the day 8 of a week of 7 days", ["NS.identifier": "gregorian", "NS.mindays": 8]),
        Archive(Calendar.self, "the integer 5", ["NS.identifier": "gregorian", "NS.timezone": .uid(3)], 5),
        Archive(
            Calendar.self, "the day -3 of a week of 7 days",
            ["identifier": "hebrew", "timeZone": .uid(3), "firstWeekday": -3, "minimumDaysInFirstWeek": 1],
            ["NS.name": "GMT"]),
        Archive(
            DateComponents.self, "NS.year of the object at uid 2 is not an integer",
            ["NS.year": "2026", "NS.leapMonth": 0]),
        Archive(
            DateComponents.self, "NS.month of the object at uid 2 is not an integer of 64 bits",
            ["NS.month": .integer(1 << 63), "NS.leapMonth": 0]),
        Archive(DateComponents.self, "NS.leapMonth of the object at uid 2 is not a Bool", ["NS.leapMonth": 2]),
        Archive(
            DateComponents.self, "a calendar \"martian\", which", ["NS.calendar": .uid(3), "NS.leapMonth": 0],
            ["NS.identifier": "martian"]),
    ]

    static let archives = leaves + decimals + paths + sets + times

    @Test(arguments: archives)
    func `are errors that say what and where`(archive: Archive) throws {
        func check<Value: Decodable>(_ type: Value.Type) throws {
            // The value is under a key, so that there is a path.
            let root: PropertyList = ["value": .uid(2)]
            for format in PropertyListFormat.allCases {
                let data = try handmadeArchive(objects: [root] + archive.objects, format: format)
                let failure = try failure(decoding: [String: Value].self, from: data)
                #expect(failure.kind != .other)
                #expect(failure.path.hasPrefix("value"), "\(failure)")
                #expect(failure.says(archive.text), "\(failure)")
            }
        }
        try check(archive.type)
    }

    @Test func `are missing where they are nil`() throws {
        let data = try handmadeArchive(["value": .uid(0)])
        func check<Value: Decodable>(asked value: Value) throws {
            let failure = try failure(decoding: [String: Value].self, from: data)
            #expect(failure.kind == .valueNotFound && failure.path == "value", "\(failure)")
        }
        for form in `Foundation's values`.forms { try check(asked: form.value) }
    }

    @Test func `cost no more than the limits allow, even if few bytes require much`() throws {
        let count = 100_000
        let large = PropertyList.data(Data(count: 640_000))
        let data = try handmadeArchive(["NS.objects": .array(Array(repeating: .uid(2), count: count))], large)
        var decoder = ArchiveDecoder()
        decoder.limits.work = 200_000
        #expect(throws: DecodingError.self) { try decoder.decode([Data].self, from: data) }

        let path: PropertyList = ["NSIndexPathLength": 640_000, "NSIndexPathData": .uid(3)]
        let paths = try handmadeArchive(["NS.objects": .array(Array(repeating: .uid(2), count: count))], path, large)
        #expect(throws: DecodingError.self) { try decoder.decode([IndexPath].self, from: paths) }
    }
}
