// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Foundation's objects, by hand

/// The layouts are those of `docs/keyed-archive-format.md`, section 4.
extension Seeds {
    static func foundation() throws -> [Seed] {
        let parts: [(String, (inout HandmadeArchive) -> PropertyList)] = [
            ("foundation-leaves", leaves), ("foundation-collections", collections), ("foundation-values", values),
            ("foundation-text", text), ("foundation-calendars", calendars), ("foundation-units", units),
        ]
        var seeds = parts.map { name, part in
            var archive = HandmadeArchive()
            archive.top["root"] = part(&archive)
            return Seed(name, .foundation, archive.bytes)
        }
        var whole = HandmadeArchive()
        let all = parts.map { $0.1(&whole) }
        whole.top["root"] = whole.add("NSArray", fields: ["NS.objects": .array(all)])
        seeds.append(Seed("foundation", .foundation, whole.bytes))
        seeds.append(Seed("attributed-text", .foundation, try ArchiveEncoder().encode(attributedText())))
        seeds.append(Seed("foundation-xml", .foundation, try whole.list.data(format: .xml)))
        return seeds
    }

    private static func attributedText() -> AttributedText {
        var style = AttributedText.ParagraphStyle()
        style.alignment = .center
        style.tabStops = [.init(10), .init(20, alignment: .right)]
        style.textLists = [.init("{disc}")]
        let font = AttributedText.Font("Menlo", size: 12)
        let color = AttributedText.Color(.deviceWhite, [0.5], name: "labelColor")
        return AttributedText([
            ("Hi ", ["NSFont": font, "NSParagraphStyle": style]), ("\u{1F413}", ["NSFont": font, "NSColor": color]),
            (" ", [:]), ("a", ["NSLink": URL(filePath: "/a"), "list": [1, "x"] as [Any]]),
            ("b", ["text": AttributedText([("c", ["n": 1.5]), ("d", [:])])]),
        ])
    }

    private static func array(_ archive: inout HandmadeArchive, _ elements: [PropertyList]) -> PropertyList {
        archive.add("NSArray", fields: ["NS.objects": .array(elements)])
    }

    private static func leaves(_ archive: inout HandmadeArchive) -> PropertyList {
        let relative = archive.add("a/b")
        let base = archive.add(
            "NSURL", fields: ["NS.base": .uid(0), "NS.relative": archive.add("https://example.org/")])
        let uuid = Data((0..<16).map { UInt8($0) })
        let mantissa = Data([0x39, 0x30] + [UInt8](repeating: 0, count: 14))
        let packed = Data([1, 2, 0x80, 1, 3])
        let elements = [
            archive.add("NSMutableString", "NSString", fields: ["NS.string": "mutable"]),
            archive.add("NSString", fields: ["NS.bytes": .data(Data("bytes".utf8))]),
            archive.add("NSNumber", "NSValue", fields: ["NS.number": 5]),
            archive.add("NSNumber", "NSValue", fields: ["NS.dblval": 0.5]),
            archive.add("NSNumber", "NSValue", fields: ["NS.boolval": true]),
            archive.add("NSDate", fields: ["NS.time": 12.5]),
            archive.add("NSMutableData", "NSData", fields: ["NS.data": .data(Data([1, 2]))]),
            archive.add("NSURL", fields: ["NS.base": base, "NS.relative": relative]),
            archive.add("NSUUID", fields: ["NS.uuidbytes": .data(uuid)]),
            archive.add("NSNull"),
            archive.add(
                "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue",
                fields: [
                    "NS.mantissa": .data(mantissa), "NS.mantissa.bo": 1, "NS.length": 1, "NS.exponent": -2,
                    "NS.negative": true, "NS.compact": true,
                ]),
            archive.add(
                "NSDecimalNumberHandler",
                fields: [
                    "NS.scale": 2, "NS.roundingmode": 1, "NS.raise.exactness": false, "NS.raise.overflow": true,
                    "NS.raise.underflow": true, "NS.raise.dividebyzero": true,
                ]),
            archive.add("NSIndexSet", fields: ["NSRangeCount": 1, "NSLocation": 3, "NSLength": 4]),
            archive.add(
                "NSIndexSet", fields: ["NSRangeCount": 2, "NSRangeData": archive.add(.data(Data([1, 2, 9, 1])))]),
            archive.add("NSIndexPath", fields: ["NSIndexPathLength": 1, "NSIndexPathValue": 4]),
            archive.add(
                "NSIndexPath", fields: ["NSIndexPathLength": 4, "NSIndexPathData": archive.add(.data(packed))]),
        ]
        return array(&archive, elements)
    }

    private static func collections(_ archive: inout HandmadeArchive) -> PropertyList {
        let (one, two) = (archive.add(1), archive.add("two"))
        let elements = [
            archive.add("NSMutableArray", "NSArray", fields: ["NS.objects": [one, two, one]]),
            archive.add("NSSet", fields: ["NS.objects": [one, two]]),
            archive.add("NSDictionary", fields: ["NS.keys": [two, one], "NS.objects": [one, two]]),
            archive.add("NSOrderedSet", fields: ["NS.object.0": one, "NS.object.1": two]),
            archive.add(
                "NSCountedSet", "NSMutableSet", "NSSet",
                fields: ["NS.count": 1, "NS.object0": one, "NS.count0": 3]),
            archive.add("NSMutableDictionary", "NSDictionary", fields: ["NS.key.0": two, "NS.object.0": one]),
            archive.add("NSArray", fields: ["NS.object.0": one, "NS.object.1": two]),
            archive.add(
                "_NSKeyedCoderOldStyleArray", fields: ["NS.count": 2, "NS.size": 4, "NS.type": 105, "$0": 1, "$1": 2]),
        ]
        return array(&archive, elements)
    }

    private static func values(_ archive: inout HandmadeArchive) -> PropertyList {
        let (point, rectangle) = (archive.add("{1, 2.5}"), archive.add("{{0, 0}, {640, 480}}"))
        let (location, length) = (archive.add(3), archive.add(4))
        let type = archive.add("{Pair=id}")
        let elements = [
            archive.add(
                "NSValue",
                fields: ["NS.special": 4, "NS.rangeval.location": location, "NS.rangeval.length": length]),
            archive.add("NSValue", fields: ["NS.special": 1, "NS.pointval": point]),
            archive.add("NSValue", fields: ["NS.special": 2, "NS.sizeval": point]),
            archive.add("NSValue", fields: ["NS.special": 3, "NS.rectval": rectangle]),
            archive.add(
                "NSValue",
                fields: [
                    "NS.special": 12, "NS.edgeval.top": 1.0, "NS.edgeval.left": 2.0, "NS.edgeval.bottom": 3.0,
                    "NS.edgeval.right": 4.0,
                ]),
            archive.add("NSValue", fields: ["$0": type, "$1": 5]),
        ]
        return array(&archive, elements)
    }
}

extension Seeds {
    private static func text(_ archive: inout HandmadeArchive) -> PropertyList {
        let string = archive.add("attributed text")
        let font = archive.add("NSFont", fields: ["NSName": archive.add("Helvetica"), "NSSize": 12.0])
        let key = archive.add("NSFont")
        let attributes = archive.add("NSDictionary", fields: ["NS.keys": [key], "NS.objects": [font]])
        let none = archive.add("NSDictionary", fields: ["NS.keys": [], "NS.objects": []])
        let runs = archive.add("NSArray", fields: ["NS.objects": [attributes, none]])
        let info = archive.add("NSMutableData", "NSData", fields: ["NS.data": .data(Data([10, 0, 5, 1]))])
        let bitmap = archive.add(.data(Data(repeating: 0x55, count: 64)))
        let elements = [
            archive.add("NSAttributedString", fields: ["NSString": string, "NSAttributes": attributes]),
            archive.add(
                "NSMutableAttributedString", "NSAttributedString",
                fields: ["NSString": string, "NSAttributes": runs, "NSAttributeInfo": info]),
            archive.add("NSCharacterSet", fields: ["NSBuiltinID": 2, "NSIsInverted": true]),
            archive.add("NSCharacterSet", fields: ["NSRange": 279_172_874_250]),
            archive.add("NSCharacterSet", fields: ["NSString": "aeiou"]),
            archive.add("NSBitmapCharSet", "NSCharacterSet", fields: ["NSBitmapObject": bitmap]),
            archive.add(
                "NSError", fields: ["NSDomain": string, "NSCode": -5, "NSUserInfo": none]),
            archive.add("NSNotification", fields: ["NS.name": string, "NS.object": font, "NS.userinfo": none]),
            archive.add("NSURLQueryItem", fields: ["NS.name": string, "NS.value": .uid(0)]),
        ]
        return array(&archive, elements)
    }

    private static func calendars(_ archive: inout HandmadeArchive) -> PropertyList {
        let zone = archive.add("NSTimeZone", fields: ["NS.name": archive.add("GMT"), "NS.data": .uid(0)])
        let locale = archive.add("NSLocale", fields: ["NS.identifier": archive.add("en_GB")])
        let calendar = archive.add(
            "NSCalendar",
            fields: [
                "NS.identifier": archive.add("gregorian"), "NS.timezone": zone, "NS.locale": locale, "NS.firstwkdy": 2,
                "NS.mindays": 4, "NS.gstartdate": .uid(0),
            ])
        let (start, end) = (
            archive.add("NSDate", fields: ["NS.time": 0.0]), archive.add("NSDate", fields: ["NS.time": 60.0])
        )
        let elements = [
            zone, locale, calendar,
            archive.add(
                "NSDateComponents",
                fields: [
                    "NS.year": 2001, "NS.month": 1, "NS.day": 9_223_372_036_854_775_807, "NS.isLeapMonth": false,
                    "NS.calendar": calendar, "NS.timezone": zone,
                ]),
            archive.add("NSDateInterval", fields: ["NS.startDate": start, "NS.endDate": end]),
            archive.add("NSDateInterval", fields: ["NS.startDate": start, "NS.duration": 3.0]),
        ]
        return array(&archive, elements)
    }

    private static func units(_ archive: inout HandmadeArchive) -> PropertyList {
        let linear = archive.add(
            "NSUnitConverterLinear", "NSUnitConverter", fields: ["NS.coefficient": 1000.0, "NS.constant": 0.0])
        let reciprocal = archive.add(
            "NSUnitConverterReciprocal", "NSUnitConverter", fields: ["NS.reciprocal": 100.0])
        let length = archive.add(
            "NSUnitLength", "NSDimension", "NSUnit",
            fields: ["NS.symbol": archive.add("km"), "NS.converter": linear])
        let efficiency = archive.add(
            "NSUnitFuelEfficiency", "NSDimension", "NSUnit",
            fields: ["NS.symbol": archive.add("mpg"), "NS.converter": reciprocal])
        let elements = [
            archive.add("NSMeasurement", fields: ["NS.value": 3.5, "NS.unit": length]),
            archive.add("NSMeasurement", fields: ["NS.value": 4.5, "NS.unit": efficiency]),
        ]
        return array(&archive, elements)
    }
}
