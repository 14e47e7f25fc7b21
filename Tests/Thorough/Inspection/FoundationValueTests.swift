// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn)
struct `Objects of Foundation's classes as Swift values` {
    private static func bytes(_ bytes: UInt8...) -> PropertyList { .data(Data(bytes)) }

    private static let leaves: [ArchivedForm] = [
        ArchivedForm("NSString", ["NS.string": "Käse"], "string Käse"),
        ArchivedForm("NSMutableString", ["NS.bytes": .data(Data("Käse".utf8))], "string Käse"),
        // Inside the object it is text.
        ArchivedForm("NSMutableString", ["NS.string": "$null"], "string $null"),
        ArchivedForm("NSNumber", ["NS.intval": -7], "integer -7"),
        ArchivedForm("NSNumber", ["NS.dblval": 2.5], "real 2.5"),
        ArchivedForm("NSNumber", ["NS.boolval": true], "boolean true"),
        ArchivedForm("NSNumber", ["NS.number": .uid(3)], "integer 12", 12),
        ArchivedForm("NSMutableData", ["NS.data": bytes(1, 0xAB)], "data 01ab"),
        ArchivedForm("NSData", ["NS.bytes": .uid(3)], "data 02", bytes(2)),
        ArchivedForm("NSDate", ["NS.time": 531_000_000.25], "date 531000000.25"),
        ArchivedForm("NSCalendarDate", ["$0": 5.0, "$1": "%Y", "$2": .uid(0)], "date 5.0"),
        ArchivedForm(
            "NSUUID", ["NS.uuidbytes": .data(Data(0..<16))], "uuid 00010203-0405-0607-0809-0A0B0C0D0E0F"),
        ArchivedForm("NSUUID", ["uuid": .data(Data(0..<16))], "uuid 00010203-0405-0607-0809-0A0B0C0D0E0F"),
        ArchivedForm("NSURL", ["NS.base": .uid(0), "NS.relative": "http://a.b/c"], "url http://a.b/c"),
        ArchivedForm(
            "NSURL", ["NS.base": .uid(3), "NS.relative": .uid(4)], "url c?d of http://a.b/e",
            ["NS.base": .uid(0), "NS.relative": "http://a.b/e", "$class": .uid(2)], "c?d"),
        ArchivedForm("NSNull", [:], "null"),
    ]

    private static let numbers: [ArchivedForm] = [
        ArchivedForm(
            "NSDecimalNumberPlaceholder",
            [
                "NS.mantissa": .data(Data([0x39, 0x30] + [UInt8](repeating: 0, count: 14))), "NS.mantissa.bo": 1,
                "NS.length": 1, "NS.exponent": -2, "NS.negative": true, "NS.compact": true,
            ], "decimal -123.45"),
        ArchivedForm("NSDecimalNumber", ["$0": "-12.5"], "decimal -12.5"),
        ArchivedForm("NSIndexSet", ["NSRangeCount": 0], "index set []"),
        ArchivedForm(
            "NSMutableIndexSet", ["NSRangeCount": 2, "NSRangeData": bytes(3, 4, 0x84, 7, 1)],
            "index set [Range(3..<7), Range(900..<901)]"),
        ArchivedForm("NSIndexPath", ["NSIndexPathLength": 1, "NSIndexPathValue": 5], "index path [5]"),
        ArchivedForm(
            "NSIndexPath", ["NSIndexPathLength": 3, "NSIndexPathData": bytes(1, 0xC8, 1, 3)],
            "index path [1, 200, 3]"),
    ]

    private static let list: PropertyList = [.uid(3), .uid(4)]

    private static let containers: [ArchivedForm] = [
        ArchivedForm("NSArray", ["NS.objects": list], "array [\"a\", \"2\"]", "a", 2),
        ArchivedForm(
            "NSMutableArray", ["NS.object.0": .uid(3), "NS.object.1": .uid(4)], "array [\"a\", \"2\"]", "a", 2),
        ArchivedForm("NSArray", [:], "array []"),
        ArchivedForm("NSMutableSet", ["NS.objects": list], "set [\"a\", \"2\"]", "a", 2),
        ArchivedForm("NSOrderedSet", ["NS.object.0": .uid(4)], "ordered set [\"2\"]", "a", 2),
        ArchivedForm("NSMutableOrderedSet", ["NS.objects": list], "ordered set [\"a\", \"2\"]", "a", 2),
        ArchivedForm("NSOrderedSet", [:], "ordered set []"),
        ArchivedForm(
            "NSDictionary", ["NS.keys": list, "NS.objects": [.uid(4), .uid(3)]],
            "dictionary [\"a: 2\", \"2: a\"]", "a", 2),
        ArchivedForm(
            "NSMutableDictionary", ["NS.key.0": .uid(3), "NS.object.0": .uid(4)], "dictionary [\"a: 2\"]", "a", 2),
        ArchivedForm("NSDictionary", [:], "dictionary []"),
        ArchivedForm("NSCountedSet", ["NS.count": 0], "counted set []"),
        ArchivedForm(
            "NSCountedSet",
            ["NS.count1": 5, "NS.count": 2, "NS.object1": .uid(4), "NS.object0": .uid(3), "NS.count0": .uid(5)],
            "counted set [\"a × 9\", \"2 × 5\"]", "a", 2, 9),
        // GNUstep's.
        ArchivedForm(
            "NSCountedSet", ["$3": .uid(4), "$0": 2, "$2": 1, "$4": 2, "$1": .uid(3)],
            "counted set [\"b × 1\", \"a × 2\"]", "b", "a"),
        ArchivedForm(
            "_NSKeyedCoderOldStyleArray", ["NS.type": 105, "NS.size": 4, "NS.count": 3, "$0": 1, "$1": 2, "$2": -3],
            "C array i [\"1\", \"2\", \"-3\"]"),
        ArchivedForm("_NSKeyedCoderOldStyleArray", ["NS.type": 67, "NS.size": 1, "NS.count": 0], "C array C []"),
    ]

    private static let geometry: [ArchivedForm] = [
        ArchivedForm("NSValue", ["NS.special": 1, "NS.pointval": .uid(3)], "point 1.5 -2.0", "{1.5, -2}"),
        ArchivedForm("NSValue", ["NS.special": 2, "NS.sizeval": "{1e+20, 0.1}"], "size 1e+20 0.1"),
        ArchivedForm(
            "NSValue", ["NS.special": 3, "NS.rectval": .uid(3)], "rect 1.5 -2.0 3.0 4.0", "{{1.5, -2.0}, {3, 4}}"),
        ArchivedForm("NSValue", ["NS.special": 3, "NS.rectval": "{{0,0},{inf,nan}}"], "rect 0.0 0.0 inf nan"),
        ArchivedForm(
            "NSValue", ["NS.special": 4, "NS.rangeval.location": .uid(3), "NS.rangeval.length": .uid(4)],
            "range 9223372036854775807 0", .integer(Int128(Int.max)), 0),
        ArchivedForm(
            "NSValue",
            [
                "NS.special": 12, "NS.edgeval.top": 1.0, "NS.edgeval.left": 2.0, "NS.edgeval.bottom": 3.5,
                "NS.edgeval.right": 4,
            ], "insets 1.0 2.0 3.5 4.0"),
        ArchivedForm("NSValue", ["$0": .uid(3), "$1": 7], "value i 7 [\"integer 7\"]", "i"),
        ArchivedForm("NSValue", ["$0": "d", "$1": .uid(3)], "value d 7.5 [\"real 7.5\"]", 7.5),
        ArchivedForm("NSValue", ["$0": "c", "$1": true], "value c boolean at no uid [\"boolean true\"]"),
        ArchivedForm("NSValue", ["$0": "*", "$1": .uid(3)], "value * hello no numbers", "hello"),
    ]

    /// A C array of bytes as GNUstep archives it.
    private static func array(_ type: Int, _ bytes: [Int]) -> PropertyList {
        var array: PropertyList.Dictionary = [
            "NS.type": .integer(Int128(type)), "NS.size": 1, "NS.count": .integer(Int128(bytes.count)),
            "$class": .uid(5),
        ]
        for (index, byte) in bytes.enumerated() { array["$\(index)"] = .integer(Int128(byte)) }
        return .dictionary(array)
    }

    private static let serialized: [ArchivedForm] = [
        ArchivedForm(
            "NSValue", ["$0": 2, "$1": .uid(3), "$2": 4, "$3": .uid(4)],
            "value i _NSKeyedCoderOldStyleArray at 4 [\"integer -2\"]", array(99, [105, 0]),
            array(67, [255, 255, 255, 254]), ArchivedForm.entry("_NSKeyedCoderOldStyleArray")),
        ArchivedForm(
            "NSValue", ["$0": 12, "$1": .uid(3), "$2": 13, "$3": .uid(4)],
            "value {?=id{?=B}} _NSKeyedCoderOldStyleArray at 4 [\"integer 1\", \"real 2.5\", \"boolean true\"]",
            array(99, Array("{?=id{?=B}}".utf8).map(Int.init) + [0]),
            array(67, [0, 0, 0, 1, 64, 4, 0, 0, 0, 0, 0, 0, 1]), ArchivedForm.entry("_NSKeyedCoderOldStyleArray")),
        // A long of 32 bits, and one of 64.
        ArchivedForm(
            "NSValue", ["$0": 2, "$1": .uid(3), "$2": 4, "$3": .uid(4)],
            "value L _NSKeyedCoderOldStyleArray at 4 [\"integer 258\"]", array(99, [76, 0]), array(67, [0, 0, 1, 2]),
            ArchivedForm.entry("_NSKeyedCoderOldStyleArray")),
        ArchivedForm(
            "NSValue", ["$0": 2, "$1": .uid(3), "$2": 8, "$3": .uid(4)],
            "value l _NSKeyedCoderOldStyleArray at 4 [\"integer -1\"]", array(99, [108, 0]),
            array(67, [255, 255, 255, 255, 255, 255, 255, 255]), ArchivedForm.entry("_NSKeyedCoderOldStyleArray")),
        ArchivedForm(
            "NSValue", ["$0": 3, "$1": .uid(3), "$2": 1, "$3": .uid(4)],
            "value ^v _NSKeyedCoderOldStyleArray at 4 no numbers", array(99, [94, 118, 0]), array(67, [7]),
            ArchivedForm.entry("_NSKeyedCoderOldStyleArray")),
    ]

    private static let places: [ArchivedForm] = [
        ArchivedForm(
            "NSTimeZone", ["NS.name": .uid(3), "NS.data": .uid(4)],
            #"record NSTimeZone ["name NS.name: string GMT", "data NS.data: data 545a"]"#, "GMT", bytes(0x54, 0x5A)),
        ArchivedForm(
            "NSTimeZone", ["NS.name": "GMT", "NS.data": .uid(0)], #"record NSTimeZone ["name NS.name: string GMT"]"#),
        ArchivedForm("NSTimeZone", ["$0": "Europe/Berlin"], #"record NSTimeZone ["name $0: string Europe/Berlin"]"#),
        ArchivedForm(
            "NSLocale", ["NS.identifier": .uid(3)], #"record NSLocale ["identifier NS.identifier: string de_DE"]"#,
            "de_DE"),
        ArchivedForm("NSLocale", ["$0": .uid(3)], #"record NSLocale ["identifier $0: string de_DE"]"#, "de_DE"),
        ArchivedForm(
            "NSCalendar",
            [
                "NS.identifier": "gregorian", "NS.locale": .uid(3), "NS.timezone": .uid(4), "NS.firstwkdy": 2,
                "NS.mindays": 4, "NS.gstartdate": .uid(5),
            ],
            #"record NSCalendar ["identifier NS.identifier: string gregorian","#
                + #" "locale NS.locale: archived dictionary at 3", "timeZone NS.timezone: archived dictionary at 4","#
                + #" "firstWeekday NS.firstwkdy: integer 2", "minimumDaysInFirstWeek NS.mindays: integer 4","#
                + #" "gregorianStartDate NS.gstartdate: date -13197600000.0"]"#,
            ["NS.identifier": "de_DE"], ["NS.name": "GMT"], ["NS.time": -13_197_600_000.0]),
        ArchivedForm(
            "NSCalendar", ["$0": "gregorian", "$1": "de_DE", "$2": .uid(3)],
            #"record NSCalendar ["identifier $0: string gregorian", "locale $1: archived de_DE","#
                + #" "timeZone $2: archived dictionary at 3"]"#, ["$0": "GMT"]),
        ArchivedForm(
            "NSDateComponents",
            [
                "NS.year": 2020, "NS.day": .integer(Int128(Int.max)), "NS.nanosec": 5, "NS.isLeapMonth": false,
                "NS.calendar": .uid(0), "NS.timezone": .uid(3),
            ], "components [\"year 2020\", \"nanosecond 5\"] no leap month no calendar dictionary at 3",
            ["NS.name": "GMT"]),
        ArchivedForm(
            "NSDateComponents", ["NS.weekOfYear": 7, "NS.leapMonth": 1, "NS.calendar": .uid(3)],
            "components [\"weekOfYear 7\"] leap month dictionary at 3 no zone", ["NS.identifier": "buddhist"]),
        ArchivedForm("NSDateComponents", [:], "components [] no calendar no zone"),
        ArchivedForm(
            "NSDateInterval", ["NS.startDate": .uid(3), "NS.endDate": .uid(4)], "interval 10.0 5.0",
            ["NS.time": 10.0], ["NS.time": 15.0]),
        ArchivedForm(
            "NSDateInterval", ["NS.startDate": .uid(3), "NS.duration": 2.5], "interval 10.0 2.5", ["NS.time": 10.0]),
    ]

    private static let others: [ArchivedForm] = [
        ArchivedForm(
            "NSError", ["NSDomain": .uid(3), "NSCode": 42, "NSUserInfo": .uid(4)],
            #"record NSError ["domain NSDomain: string D", "code NSCode: integer 42","#
                + #" "userInfo NSUserInfo: dictionary [\"x: y\"]"]"#, "D",
            ["NS.keys": [.uid(5)], "NS.objects": [.uid(6)], "$class": .uid(7)], "x", "y",
            ArchivedForm.entry("NSDictionary")),
        ArchivedForm(
            "NSError", ["NSDomain": "D", "NSUserInfo": .uid(0)], #"record NSError ["domain NSDomain: string D"]"#),
        ArchivedForm(
            "NSNotification", ["NS.name": "N", "NS.object": .uid(3), "NS.userinfo": .uid(0)],
            #"record NSNotification ["name NS.name: string N", "object NS.object: archived o"]"#, "o"),
        ArchivedForm(
            "NSNotification", ["NS.name": "N", "NS.object": .uid(0)],
            #"record NSNotification ["name NS.name: string N"]"#),
        ArchivedForm(
            "GSNotification", ["$0": .uid(3), "$1": .uid(4), "$2": .uid(5)],
            #"record NSNotification ["name $0: string N", "object $1: archived o","#
                + #" "userInfo $2: dictionary [\"o: N\"]"]"#, "N", "o",
            ["NS.keys": [.uid(4)], "NS.objects": [.uid(3)], "$class": .uid(6)], ArchivedForm.entry("NSDictionary")),
        ArchivedForm(
            "NSURLQueryItem", ["NS.name": .uid(3), "NS.value": .uid(4)],
            #"record NSURLQueryItem ["name NS.name: string n", "value NS.value: string v"]"#, "n", "v"),
        ArchivedForm(
            "NSURLQueryItem", ["NS.name": "n", "NS.value": .uid(0)],
            #"record NSURLQueryItem ["name NS.name: string n"]"#),
        ArchivedForm("NSUnit", ["NS.symbol": "q"], #"record NSUnit ["symbol NS.symbol: string q"]"#),
        ArchivedForm(
            "NSUnitLength", ["NS.symbol": "km", "NS.converter": .uid(3)],
            #"record NSUnitLength ["symbol NS.symbol: string km","#
                + #" "converter NS.converter: archived NSUnitConverterLinear at 3"]"#,
            ["NS.coefficient": 1000.0, "NS.constant": 0.5, "$class": .uid(4)],
            ArchivedForm.entry("NSUnitConverterLinear")),
        ArchivedForm(
            "Farm.UnitHay", ["NS.symbol": "bale", "NS.converter": .uid(3)],
            #"record NSDimension ["symbol NS.symbol: string bale", "converter NS.converter: archived Farm.Scale at 3"]"#,
            chain: ["Farm.UnitHay", "NSDimension", "NSUnit", "NSObject"], ["$class": .uid(4)],
            ArchivedForm.entry("Farm.Scale", chain: ["Farm.Scale", "NSUnitConverter", "NSObject"])),
        ArchivedForm(
            "NSMeasurement", ["NS.value": 5.0, "NS.unit": .uid(3)],
            #"record NSMeasurement ["value NS.value: real 5.0", "unit NS.unit: archived NSUnitFuelEfficiency at 3"]"#,
            ["NS.symbol": "mpg", "NS.converter": .uid(5), "$class": .uid(4)],
            ArchivedForm.entry("NSUnitFuelEfficiency"), ["NS.reciprocal": 235.215, "$class": .uid(6)],
            ArchivedForm.entry("NSUnitConverterReciprocal")),
        ArchivedForm(
            "NSUnitConverterLinear", ["NS.coefficient": 1.5, "NS.constant": -1],
            #"record NSUnitConverterLinear ["coefficient NS.coefficient: real 1.5", "constant NS.constant: real -1.0"]"#
        ),
    ]

    @Test(
        arguments: [leaves, numbers, containers, geometry, serialized, places, others].joined(),
        PropertyListFormat.allCases)
    func `are what the class writes`(form: ArchivedForm, format: PropertyListFormat) throws {
        #expect(try form.value(format: format)?.text == form.expected)
    }
}

// MARK: - Classes

extension `Objects of Foundation's classes as Swift values` {
    private static let subclasses: [ArchivedForm] = [
        ArchivedForm(
            "Farm.Birthday", ["NS.time": 5.0, "guests": 12], "date 5.0", chain: ["Farm.Birthday", "NSDate", "NSObject"]),
        ArchivedForm(
            "OC_PythonDate", ["NS.time": 5.0, "pytype": 1], "date 5.0", chain: ["OC_PythonDate"], hints: ["NSDate"]),
        ArchivedForm("OC_PythonDate", ["NS.time": 5.0], "date 5.0", hints: ["Farm.Day", "NSDate"]),
        ArchivedForm(
            "OC_PythonDictionary", ["NS.keys": [.uid(3)], "NS.objects": [.uid(3)], "pytype": 1],
            "dictionary [\"a: a\"]", hints: ["NSDictionary"], "a"),
        // The nearest class decides: an NSDecimalNumber is an NSNumber and an NSValue as well.
        ArchivedForm(
            "Farm.Price", ["$0": "1.5"], "decimal 1.5",
            chain: ["Farm.Price", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]),
        ArchivedForm(
            "NSLocalizableString", ["NS.string": "Quit", "NSKey": "3.title"], "string Quit",
            chain: ["NSLocalizableString", "NSString", "NSObject"]),
        ArchivedForm(
            "NSTextStorage", ["NSString": "text", "NSDelegate": .uid(0)], "attributed string text | {0, 4} []",
            chain: ["NSTextStorage", "NSMutableAttributedString", "NSAttributedString", "NSObject"]),
    ]

    @Test(arguments: subclasses)
    func `are those of subclasses as well`(form: ArchivedForm) throws {
        #expect(try form.value()?.text == form.expected)
    }

    private static let strangers: [ArchivedForm] = [
        ArchivedForm("Farm.Cow", ["NS.time": 5.0], "nothing", chain: ["Farm.Cow", "NSObject"]),
        ArchivedForm("Farm.Cow", [:], "nothing"),
        // Subclasses that write themselves in their own way.
        ArchivedForm("Farm.Day", ["day": 5], "nothing", chain: ["Farm.Day", "NSDate", "NSObject"]),
        ArchivedForm("Farm.Name", ["first": "a"], "nothing", chain: ["Farm.Name", "NSString", "NSObject"]),
        ArchivedForm("Farm.List", ["head": .uid(0)], "nothing", chain: ["Farm.List", "NSArray", "NSObject"]),
        ArchivedForm("Farm.Map", ["head": .uid(0)], "nothing", chain: ["Farm.Map", "NSDictionary", "NSObject"]),
        // Values of an unknown kind.
        ArchivedForm("NSValue", ["NS.special": 99, "NS.timeval": 5], "nothing"),
        // GNUstep's set of the characters in the path of a URL.
        ArchivedForm("NSCharacterSet", ["$0": 17], "nothing"),
        // Class names are not Swift's.
        ArchivedForm("Foundation.Date", ["NS.time": 5.0], "nothing"),
    ]

    @Test(arguments: strangers)
    func `are nil for other classes`(form: ArchivedForm) throws {
        let value = try form.value()
        #expect(value == nil, "\(value?.text ?? "")")
    }

    @Test func `are nil for nil and for containers without a class, and leaves are values`() throws {
        let archive = try KeyedArchive(
            handmadeArchive(
                top: [
                    "root": .uid(0), "null": .uid(1), "array": .uid(2), "dictionary": .uid(3), "string": .uid(4),
                    "integer": 5, "real": .real(1.5), "small": .real32(0.25), "boolean": false, "data": .uid(5),
                    "class": .uid(6), "date": .date(Date(timeIntervalSinceReferenceDate: 3)),
                ], "$null", [1], ["a": 1], "text", .data(Data([7])), ArchivedForm.entry("NSDate")))
        let expected: [String: String?] = [
            "root": nil, "null": nil, "array": nil, "dictionary": nil, "string": "string text",
            "integer": "integer 5", "real": "real 1.5", "small": "real 0.25", "boolean": "boolean false",
            "data": "data 07", "class": nil, "date": "date 3.0",
        ]
        for (key, text) in expected {
            let value = try #require(archive.top[key], "\(key)")
            #expect(try value.foundationValue()?.text == text, "\(key)")
        }
        #expect(try archive.top.foundationValue() == nil)
    }

    @Test func `keep to the first classes of a chain without an end`() throws {
        let chain = (0..<1000).map { "Farm.Animal\($0)" }
        #expect(try ArchivedForm("Farm.Cow", ["NS.time": 5.0], "", chain: chain + ["NSDate"]).value() == nil)
        let near = Array(chain.prefix(40)) + ["NSDate"]
        #expect(try ArchivedForm("Farm.Cow", ["NS.time": 5.0], "", chain: near).value()?.text == "date 5.0")
    }
}
