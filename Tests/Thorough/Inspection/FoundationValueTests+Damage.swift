// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

extension `Objects of Foundation's classes as Swift values` {
    /// A form, and a part of the error. "NS.time: a number" is short for the error that there is none under that key.
    private static func form(
        _ className: String, _ object: PropertyList, _ expected: String, _ others: PropertyList...
    ) -> ArchivedForm {
        let sentence = expected.replacing(": ", with: " of the object at uid 1 is not ")
        return ArchivedForm(className, object, sentence, others: others)
    }

    private static let leaves: [ArchivedForm] = [
        form("NSString", [:], "NS.string: a string"),
        form("NSString", ["NS.string": 5], "NS.string: a string"),
        form("NSString", ["NS.bytes": "text"], "NS.string: a string"),
        form("NSNumber", [:], "NS.number: a number"),
        form("NSNumber", ["NS.number": "5"], "NS.number: a number"),
        form("NSMutableData", [:], "NS.data: data"),
        form("NSMutableData", ["NS.data": "AQ=="], "NS.data: data"),
        form("NSDate", [:], "NS.time: a number"),
        form("NSDate", ["NS.time": "today"], "NS.time: a number"),
        form("NSUUID", [:], "NS.uuidbytes: data of 16 bytes"),
        form("NSUUID", ["NS.uuidbytes": .data(Data(count: 15))], "NS.uuidbytes: data of 16"),
        form("NSURL", [:], "NS.relative: a string"),
        form("NSURL", ["NS.relative": ""], "NS.relative: a URL"),
        form("NSURL", ["NS.relative": "a", "NS.base": .uid(3)], "NS.base: a URL", 5),
        form("NSURL", ["NS.relative": "a", "NS.base": .uid(1)], "more than 16 bases"),
    ]

    private static let mantissa = PropertyList.data(Data(count: 16))

    private static let numbers: [ArchivedForm] = [
        form("NSDecimalNumberPlaceholder", [:], "NS.mantissa: data"),
        form("NSDecimalNumber", ["NS.mantissa": mantissa, "NS.mantissa.bo": 1, "NS.length": 9], "NS.length: 0 to 8"),
        form(
            "NSDecimalNumberHandler", ["NS.raise.overflow": 2], "NS.raise.overflow: a Bool"
        ),
        form("NSIndexSet", [:], "NSRangeCount: an integer"),
        form(
            "NSIndexSet", ["NSRangeCount": .integer(1 << 40), "NSRangeData": .data(Data([1, 2]))],
            "NSRangeData of the object"),
        form("NSIndexPath", [:], "NSIndexPathLength: an integer"),
        form(
            "NSIndexPath", ["NSIndexPathLength": 3, "NSIndexPathData": .data(Data([1, 2]))],
            "NSIndexPathData of the object"),
    ]

    private static let containers: [ArchivedForm] = [
        form("NSArray", ["NS.objects": "a"], "NS.objects: an array"),
        form("NSSet", ["objects": []], "NS.objects: an array"),
        form("NSDictionary", ["NS.keys": [.uid(3)]], "NS.objects: an array", "a"),
        form("NSDictionary", ["NS.objects": [.uid(3)]], "NS.keys: an array", "a"),
        form("NSDictionary", ["NS.keys": [.uid(3)], "NS.objects": []], "1 keys and 0 values", "a"),
        form("NSDictionary", ["NS.key.0": .uid(3)], "1 keys and 0 values", "a"),
        form("NSDictionary", ["key": .uid(3)], "NS.keys: an array", "a"),
        form("NSCountedSet", [:], "NS.count: an integer"),
        form(
            "NSCountedSet", ["NS.count": 2, "NS.object0": .uid(3), "NS.count0": 1],
            "NS.count: the number of elements, 1, and of their counts, 1", "a"),
        form(
            "NSCountedSet", ["NS.count": 1, "NS.object0": .uid(3)],
            "NS.count: the number of elements, 1, and of their counts, 0", "a"),
        form("NSCountedSet", ["NS.count": .integer(1 << 60)], "NS.count: the number"),
        form("NSCountedSet", ["NS.count": -1], "NS.count: the number"),
        form(
            "NSCountedSet", ["NS.count": 1, "NS.object0": .uid(3), "NS.count0": 0],
            "NS.count0: an integer above 0", "a"),
        form(
            "NSCountedSet", ["NS.count": 1, "NS.object0": .uid(3), "NS.count0": "1"],
            "NS.count0: an integer above 0", "a"),
        form("NSCountedSet", ["$0": 2, "$1": .uid(3), "$2": 1], "$0: the number", "a"),
        form("NSCountedSet", ["$0": 1, "$1": .uid(3)], "$0: the number of elements", "a"),
        form("NSCountedSet", ["$0": 1, "$1": .uid(3), "$2": -1], "$2: an integer above 0", "a"),
        form("_NSKeyedCoderOldStyleArray", ["NS.count": 0], "NS.type: an integer"),
        form("_NSKeyedCoderOldStyleArray", ["NS.type": 105, "$0": 1], "NS.count: an integer"),
        form(
            "_NSKeyedCoderOldStyleArray", ["NS.type": 105, "NS.count": .integer(1 << 60), "$0": 1],
            "NS.count: the number of elements, which is 1"),
        form("_NSKeyedCoderOldStyleArray", ["NS.type": 1000, "NS.count": 0], "NS.type: the type of a value in C"),
    ]

    private static let texts = [
        "", "{}", "{1}", "{1, 2", "1, 2}", "{1, 2} ,", "{1, 2}}", "{1, 2, 3}", "{a, b}", "{0x10, 1}", "{1 2}", "{,}",
        "{{1, 2}, {3, 4}}", "{--1, 2}", "{1,, 2}", "{1, 2}\u{0}",
    ]
    private static let rects = [
        "{1, 2}", "{{1, 2}}", "{{1, 2}, {3}}", "{{1, 2}, {3, 4}, {5, 6}}", "{{1, 2} {3, 4}}", "{1, 2, 3, 4}",
        "{{1, 2}, {3, 4}", "{1, 2}, {3, 4}",
    ]

    private static let points: [ArchivedForm] = texts.map { text in
        form("NSValue", ["NS.special": 1, "NS.pointval": .string(text)], "NS.pointval: a")
    }

    private static let rectangles: [ArchivedForm] = rects.map { text in
        form("NSValue", ["NS.special": 3, "NS.rectval": .string(text)], "NS.rectval: a")
    }

    private static let geometry: [ArchivedForm] = [
        form("NSValue", [:], "$0: the type of a value in C"),
        form("NSValue", ["NS.special": "1"], "NS.special: an integer"),
        form("NSValue", ["NS.special": 1], "NS.pointval: a string like {0, 0}"),
        form("NSValue", ["NS.special": 2, "NS.sizeval": 5], "NS.sizeval: a string"),
        form("NSValue", ["NS.special": 4, "NS.rangeval.location": 1], "NS.rangeval.length of the object at uid 1"),
        form(
            "NSValue", ["NS.special": 4, "NS.rangeval.location": -1, "NS.rangeval.length": 1],
            "NS.rangeval.location of the object at uid 1"),
        form(
            "NSValue", ["NS.special": 12, "NS.edgeval.top": 1, "NS.edgeval.left": 1, "NS.edgeval.right": 1],
            "NS.edgeval.bottom: a number"),
        form("NSValue", ["$0": "i"], "$1: a value"),
        form("NSValue", ["$0": "i", "$1": "7"], "$1: a number"),
        form("NSValue", ["$0": 2, "$1": 5], "$1: a C array"),
    ]

    /// A value as GNUstep writes it: the type and the bytes, with the lengths that are said.
    private static func serialized(
        _ type: [PropertyList], _ typeLength: Int, _ bytes: [PropertyList], _ length: Int, _ expected: String
    ) -> ArchivedForm {
        form(
            "NSValue",
            [
                "$0": .integer(Int128(typeLength)), "$1": .array(type), "$2": .integer(Int128(length)),
                "$3": .array(bytes),
            ], expected)
    }

    private static let serialized: [ArchivedForm] = [
        serialized([105, 0], 3, [0, 0, 0, 7], 4, "$0: the number of bytes, which is 2"),
        serialized([105, 0], 2, [0, 0, 0, 7], 5, "$2: the number of bytes, which is 4"),
        serialized([105], 1, [0, 0, 0, 7], 4, "$1: a type that ends with 0"),
        serialized([], 0, [0], 1, "$1: a type that ends with 0"),
        serialized([105, 0], 2, [0, 0, 0, 256], 4, "$3: a C array of bytes"),
        serialized([105, 0], 2, [0, 7], 2, "$3: the bytes of a value of the type i"),
        serialized([105, 0], 2, [0, 0, 0, 0, 7], 5, "$3: the bytes of a value"),
    ]

    private static let others: [ArchivedForm] = [
        form("NSTimeZone", ["NS.data": .data(Data())], "NS.name: a string"),
        form("NSTimeZone", ["NS.name": "GMT", "NS.data": 5], "NS.data: data"),
        form("NSLocale", [:], "NS.identifier: a string"),
        form("NSCalendar", ["NS.identifier": 5], "NS.identifier: a string"),
        form("NSDateComponents", ["NS.year": 1.5], "NS.year: an integer"),
        form("NSDateInterval", [:], "NS.startDate: a date"),
        form("NSDateInterval", ["NS.startDate": .uid(3)], "NS.duration of the object at uid 1", ["NS.time": 1.0]),
        form(
            "NSDateInterval", ["NS.startDate": .uid(3), "NS.duration": -1.0],
            "NS.duration: 0 seconds or more", ["NS.time": 1.0]),
        form(
            "NSDateInterval", ["NS.startDate": .uid(3), "NS.duration": .real(.nan)],
            "NS.duration: 0 seconds or more", ["NS.time": 1.0]),
        form("NSError", ["NSCode": 5], "NSDomain: a string"),
        form("NSError", ["NSDomain": "D", "NSCode": "5"], "NSCode: an integer"),
        form("NSError", ["NSDomain": "D", "NSUserInfo": "x"], "NSUserInfo: a dictionary"),
        form("NSNotification", [:], "NS.name: a string"),
        form("NSNotification", ["NS.name": "N", "NS.userinfo": [1]], "NS.userinfo: a dictionary"),
        form("NSCharacterSet", [:], "NSBitmap: data"),
        form("NSCharacterSet", ["NSBuiltinID": -1], "NSBuiltinID: the number of a"),
        form("NSCharacterSet", ["NSRange": .integer(0x10_FFFF << 32 | 2)], "NSRange: a range of Unicode scalars"),
        form("NSCharacterSet", ["NSRange": -1], "NSRange: a range of Unicode scalars"),
        form("NSCharacterSet", ["NSBitmap": "abc"], "NSBitmap: data"),
        form("NSCharacterSet", ["$0": -1], "$0: the number of a character set"),
        form("NSMeasurement", ["NS.unit": .uid(3)], "NS.value: a number"),
        form("NSMeasurement", ["NS.value": 1.0], "NS.unit: a value"),
        form("NSUnit", [:], "NS.symbol: a string"),
        form("NSUnitConverterLinear", [:], "NS.coefficient: a number"),
        form("NSUnitConverterReciprocal", [:], "NS.reciprocal: a number"),
        form("NSURLQueryItem", ["NS.value": "v"], "NS.name: a string"),
    ]

    @Test(arguments: [leaves, numbers, containers, points, rectangles, geometry, serialized, others].joined())
    func `are an error where the object is damaged`(form: ArchivedForm) throws {
        let error = try #require(throws: KeyedArchiveError.self) { try form.value() }
        #expect(error.description.contains(form.expected), "\(error)")
        #expect(error.code == .damaged)
    }

    @Test func `are an error where the archive has no object, or no class`() throws {
        let archive = try KeyedArchive(
            handmadeArchive(
                top: ["root": .uid(1), "away": .uid(99)], ["NS.time": 1.0, "$class": .uid(77)],
                ["NS.time": 1.0, "$class": .uid(3)], "no class"))
        #expect(try #require(throws: KeyedArchiveError.self) { try archive.root.foundationValue() }.uid == 77)
        #expect(try #require(throws: KeyedArchiveError.self) { try archive.top["away"]?.foundationValue() }.uid == 99)
        let error = try #require(throws: KeyedArchiveError.self) { try archive[uid: 2].foundationValue() }
        #expect(error.uid == 3 && error.code == .damaged)
    }

    @Test func `of elements that are damaged do not touch the container`() throws {
        let form = ArchivedForm("NSArray", ["NS.objects": [.uid(3), .uid(99)]], "", "a")
        guard case .array(let elements)? = try form.value() else {
            Issue.record("no array")
            return
        }
        #expect(elements.count == 2 && elements[0].string == "a")
        #expect(throws: KeyedArchiveError.self) { try elements[1].foundationValue() }
    }
}
