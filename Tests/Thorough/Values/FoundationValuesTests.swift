// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A value that can be in a table of test cases.
typealias ArchivableValue = Codable & Equatable & Sendable

/// The archived forms of Foundation's values: objects of the corresponding Cocoa classes.
@Suite(.inTurn) struct `Foundation's values` {
    struct Form: CustomTestStringConvertible, Sendable {
        let value: any ArchivableValue
        let text: String

        init(_ value: (any ArchivableValue)?, _ text: String) {
            guard let value else { preconditionFailure("Foundation makes no value for \(text)") }
            self.value = value
            self.text = text
        }

        var testDescription: String { "\(type(of: value)) \(text)" }
    }

    static let start = Date(timeIntervalSinceReferenceDate: 700_000_000.25)

    private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

    private static let decimalForms: [Form] = [
        Form(
            decimal("12345.6789"),
            "NSDecimalNumberPlaceholder{NS.mantissa: 16 bytes <15cd5b07 00000000 00000000 00000000>,"
                + " NS.mantissa.bo: 1, NS.length: 2, NS.exponent: -4, NS.negative: false, NS.compact: true}"),
        Form(
            decimal("-1e-38"),
            "NSDecimalNumberPlaceholder{NS.mantissa: 16 bytes <01000000 00000000 00000000 00000000>,"
                + " NS.mantissa.bo: 1, NS.length: 1, NS.exponent: -38, NS.negative: true, NS.compact: true}"),
        Form(
            decimal("99999999999999999999999999999999999999"),
            "NSDecimalNumberPlaceholder{NS.mantissa: 16 bytes <ffffffff 3f228a09 7ac4865a a84c3b4b>,"
                + " NS.mantissa.bo: 1, NS.length: 8, NS.exponent: 0, NS.negative: false, NS.compact: true}"),
        Form(
            Decimal(),
            "NSDecimalNumberPlaceholder{NS.mantissa: 16 bytes <00000000 00000000 00000000 00000000>,"
                + " NS.mantissa.bo: 1, NS.length: 0, NS.exponent: 0, NS.negative: false, NS.compact: false}"),
        Form(
            Decimal.nan,
            "NSDecimalNumberPlaceholder{NS.mantissa: 16 bytes <00000000 00000000 00000000 00000000>,"
                + " NS.mantissa.bo: 1, NS.length: 0, NS.exponent: 0, NS.negative: true, NS.compact: false}"),
    ]

    private static let indexForms: [Form] = [
        Form(IndexPath(), "NSIndexPath{NSIndexPathLength: 0}"),
        Form(IndexPath(index: 52), "NSIndexPath{NSIndexPathLength: 1, NSIndexPathValue: 52}"),
        Form(
            IndexPath(indexes: [4, 8, 15, 16, 23, 42]),
            "NSIndexPath{NSIndexPathLength: 6, NSIndexPathData: @6 bytes <04080f10 172a>}"),
        Form(
            IndexPath(indexes: [127, 128, 300_000]),
            "NSIndexPath{NSIndexPathLength: 3, NSIndexPathData: @6 bytes <7f8001e0 a712>}"),
        Form(IndexSet(), "NSIndexSet{NSRangeCount: 0}"),
        Form(IndexSet(integersIn: 0..<50), "NSIndexSet{NSRangeCount: 1, NSLocation: 0, NSLength: 50}"),
        Form(
            IndexSet([1, 2, 3, 500, 501]), "NSIndexSet{NSRangeCount: 2, NSRangeData: @5 bytes <0103f403 02>}"),
    ]

    private static let timeForms: [Form] = [
        Form(start, "NSDate{NS.time: 700000000.25}"),
        Form(
            DateInterval(start: start, duration: 0.1),
            "NSDateInterval{NS.startDate: NSDate{NS.time: 700000000.25},"
                + " NS.endDate: NSDate{NS.time: 700000000.35}, NS.duration: 0.1}"),
        Form(
            DateInterval(start: start, duration: 0),
            "NSDateInterval{NS.startDate: #1=NSDate{NS.time: 700000000.25}, NS.endDate: #1, NS.duration: 0.0}"),
        Form(TimeZone(identifier: "Europe/Berlin"), "NSTimeZone{NS.name: @\"Europe/Berlin\", NS.data: nil}"),
        Form(TimeZone(secondsFromGMT: -5400), "NSTimeZone{NS.name: @\"GMT-0130\", NS.data: nil}"),
        Form(Locale(identifier: "ja_JP"), "NSLocale{NS.identifier: @\"ja_JP\"}"),
        Form(
            calendar(.gregorian),
            "NSCalendar{NS.identifier: @\"gregorian\", NS.locale: NSLocale{NS.identifier: @\"de_DE\"},"
                + " NS.timezone: NSTimeZone{NS.name: @\"GMT+0100\", NS.data: nil},"
                + " NS.gstartdate: NSDate{NS.time: -13197600000.0}, NS.firstwkdy: 2, NS.mindays: 4}"),
        Form(
            calendar(.ethiopicAmeteAlem),
            "NSCalendar{NS.identifier: @\"ethiopic-amete-alem\", NS.locale: NSLocale{NS.identifier: @\"de_DE\"},"
                + " NS.timezone: NSTimeZone{NS.name: @\"GMT+0100\", NS.data: nil}, NS.firstwkdy: 2, NS.mindays: 4}"),
        Form(
            DateComponents(timeZone: TimeZone(secondsFromGMT: 0), year: 2026, month: 11, nanosecond: 5),
            "NSDateComponents{NS.timezone: NSTimeZone{NS.name: @\"GMT\", NS.data: nil}, NS.year: 2026, NS.month: 11,"
                + " NS.nanosec: 5, NS.leapMonth: 0, NS.repeatedDay: false}"),
        Form(DateComponents(), "NSDateComponents{NS.leapMonth: 0, NS.repeatedDay: false}"),
    ]

    private static let otherForms: [Form] = [
        Form(Data([0, 1, 254, 255]), "@4 bytes <0001feff>"),
        Form(Data(), "@0 bytes <>"),
        Form(
            UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
            "NSUUID{NS.uuidbytes: 16 bytes <e621e1f8 c36c495a 93fc0c24 7a3e6e5f>}"),
        Form(
            URL(string: "https://example.org/a?b=c#d"),
            "NSURL{NS.base: nil, NS.relative: @\"https://example.org/a?b=c#d\"}"),
        Form(
            URL(string: "b/c?d", relativeTo: URL(string: "https://example.org/a/")),
            "NSURL{NS.base: NSURL{NS.base: nil, NS.relative: @\"https://example.org/a/\"}, NS.relative: @\"b/c?d\"}"),
        Form(
            URL(filePath: "/tmp/ä b"), "NSURL{NS.base: nil, NS.relative: @\"file:///tmp/%C3%A4%20b\"}"),
    ]

    static let forms = decimalForms + indexForms + timeForms + otherForms

    /// A calendar none of whose properties are those it has by default.
    static func calendar(_ identifier: Calendar.Identifier) -> Calendar {
        var calendar = Calendar(identifier: identifier)
        calendar.locale = Locale(identifier: "de_DE")
        calendar.timeZone = TimeZone(secondsFromGMT: 3600) ?? .gmt
        calendar.firstWeekday = 2
        calendar.minimumDaysInFirstWeek = 4
        return calendar
    }

    @Test(arguments: forms)
    func `are written as the objects of Cocoa's classes`(form: Form) throws {
        var encoder = ArchiveEncoder()
        encoder.foundationReader = .apple
        #expect(try archiveText(form.value, by: encoder) == form.text)
    }

    @Test func `are stored behind uids in keyed containers, as all objects are`() throws {
        struct Values: Encodable {
            var date = Date(timeIntervalSinceReferenceDate: 1)
            var data = Data([1])
            var none: Date?
        }
        let text = try archiveText(Values())
        #expect(text == "Values{date: NSDate{NS.time: 1.0}, data: @1 byte <01>}")
    }

    @Test func `share one object where dates are equal, and never with a number`() throws {
        let dates = [1, 2, 1].map { Date(timeIntervalSinceReferenceDate: $0) }
        #expect(try archiveText(dates) == "NSArray[#1=NSDate{NS.time: 1.0}, NSDate{NS.time: 2.0}, #1]")
        struct Mixed: Encodable {
            var date = Date(timeIntervalSinceReferenceDate: 1)
            var numbers = [1.0]
            var again = Date(timeIntervalSinceReferenceDate: 1)
        }
        #expect(
            try archiveText(Mixed())
                == "Mixed{date: #1=NSDate{NS.time: 1.0}, numbers: NSArray[@1.0], again: #1}")
    }

    @Test(
        arguments: [
            (start, ["NSDate", "NSObject"]), (UUID(), ["NSUUID", "NSObject"]),
            (Locale(identifier: ""), ["NSLocale", "NSObject"]),
            (Decimal(1), ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]),
            (IndexPath(), ["NSIndexPath", "NSObject"]), (IndexSet(), ["NSIndexSet", "NSObject"]),
            (DateInterval(start: start, duration: 1), ["NSDateInterval", "NSObject"]),
            (TimeZone.gmt, ["NSTimeZone", "NSObject"]),
            (calendar(.iso8601), ["NSCalendar", "NSObject"]), (DateComponents(), ["NSDateComponents", "NSObject"]),
        ] as [(any ArchivableValue, [String])])
    func `have the class chains of archives by Apple's frameworks`(value: any ArchivableValue, chain: [String]) throws {
        let archive = try InspectedArchive(of: value)
        #expect(archive.classChain(of: try #require(archive.follow(archive.root))) == chain)
    }
}

// MARK: - Round trips

extension `Foundation's values` {
    private static let decimals = [
        "0", "1", "-1", "0.1", "100", "3.14159265358979323846264338327950288419", "1e127", "-1e-128", "1e-127",
        "18446744073709551615", "18446744073709551616", "-170141183460469231731687303715884105728",
        "340282366920938463463374607431768211455",
    ].map(decimal)

    private static let calendars: [Calendar] =
        [
            .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew, .iso8601,
            .indian,
            .islamic, .islamicCivil, .japanese, .persian, .republicOfChina, .islamicTabular, .islamicUmmAlQura, .bangla,
            .gujarati, .kannada, .malayalam, .marathi, .odia, .tamil, .telugu, .vikram, .dangi, .vietnamese,
        ].map(calendar)

    private static let components: [DateComponents] = {
        var all = DateComponents(
            calendar: calendar(.hebrew), timeZone: TimeZone(identifier: "America/New_York"), era: 1, year: -2, month: 3,
            day: 4, hour: 5, minute: 6, second: 7, nanosecond: 8, weekday: 9, weekdayOrdinal: 10, quarter: 11,
            weekOfMonth: 12, weekOfYear: 13, yearForWeekOfYear: Int.min)
        all.dayOfYear = 14
        all.isLeapMonth = true
        all.isRepeatedDay = true
        var notRepeated = all
        notRepeated.isLeapMonth = false
        notRepeated.isRepeatedDay = false
        return [all, notRepeated]
    }()

    private static let sentinels: [any ArchivableValue] = [
        Locale.autoupdatingCurrent, Locale.current, TimeZone.autoupdatingCurrent, TimeZone.current,
        Calendar.autoupdatingCurrent, Calendar.current,
    ]

    private static let dates = [0, -0.5, 1e-300, 1e300, .infinity, -.infinity, -63_114_076_800].map {
        Date(timeIntervalSinceReferenceDate: $0)
    }

    private static let others: [(any ArchivableValue)?] = [
        Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) }), Data((0..<10).map { $0 })[3..<7],
        IndexPath(indexes: [-1, Int.max, Int.min]), IndexSet([0, 2, Int.max - 1]), IndexSet(integersIn: 0..<Int.max),
        URL(string: "a b"), URL(string: "?q"), URL(string: "#f", relativeTo: URL(string: "http://a/b?c")),
        URL(filePath: "x y", relativeTo: URL(filePath: "/tmp/")),
        URL(string: "e", relativeTo: URL(string: "c/d", relativeTo: URL(string: "http://a/b/"))),
        DateInterval(start: start, duration: .infinity),
    ]

    static var roundTripValues: [Form] {
        let values =
            forms.map(\.value) + decimals + calendars + components + sentinels + dates + others.compactMap(\.self)
        return values.filter { ($0 as? Decimal)?.isNaN != true }.map { Form($0, "\($0)") }
    }

    private struct Holder<Value: ArchivableValue>: Codable, Equatable {
        var first: Value
        var second: Value?
    }

    @Test(arguments: roundTripValues)
    func `are equal after decoding, at any place`(form: Form) throws {
        func check<Value: ArchivableValue>(_ value: Value) throws {
            for format in PropertyListFormat.allCases {
                #expect(try roundTrip(value, format: format) == value)
                #expect(try roundTrip([value, nil, value], format: format) == [value, nil, value])
                #expect(try roundTrip(["key": value], format: format) == ["key": value])
                let holder = Holder(first: value, second: value)
                #expect(try roundTrip(holder, format: format) == holder)
            }
        }
        try check(form.value)
    }

    @Test func `come back as they were where equality says nothing`() throws {
        #expect(try roundTrip(Decimal.nan).isNaN)
        let nan = try roundTrip(Date(timeIntervalSinceReferenceDate: .nan))
        #expect(nan.timeIntervalSinceReferenceDate.isNaN)
        let url = try roundTrip(URL(string: "b", relativeTo: URL(string: "http://a/")))
        #expect(url?.relativeString == "b" && url?.baseURL?.absoluteString == "http://a/")
        var components = DateComponents()
        #expect(try roundTrip(components).isLeapMonth == nil)
        components.isLeapMonth = false
        #expect(try roundTrip(components).isLeapMonth == false)
        // One and a half, with a zero that says nothing.
        let data = try handmadeArchive(
            [
                "$class": .uid(2), "NS.mantissa": .data(Data([150] + Array(repeating: 0, count: 15))),
                "NS.mantissa.bo": 1, "NS.length": 1, "NS.exponent": -2, "NS.negative": false, "NS.compact": false,
            ], ["$classname": "NSDecimalNumberPlaceholder"])
        let decimal = try ArchiveDecoder().decode(Decimal.self, from: data)
        #expect(decimal == Decimal(string: "1.5") && decimal.exponent == -2)
    }

    @Test func `are keys of dictionaries and elements of sets`() throws {
        let uuids = (0..<3).map { _ in UUID() }
        let byUUID = Dictionary(uniqueKeysWithValues: zip(uuids, 0...))
        #expect(try roundTrip(byUUID) == byUUID)
        let byDate = [Self.start: "a", Self.start + 1: "b"]
        #expect(try roundTrip(byDate) == byDate)
        #expect(try roundTrip(Set(uuids)) == Set(uuids))
        let paths: Set = [IndexPath(index: 1), IndexPath(indexes: [1, 2])]
        #expect(try roundTrip(paths) == paths)
    }
}
