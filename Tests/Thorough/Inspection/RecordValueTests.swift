// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ArchiveInspection
@testable import Archiving

@Suite(.inTurn) struct `Records of named fields` {
    private static func bytes(_ bytes: UInt8...) -> PropertyList { .data(Data(bytes)) }

    private static let forms: [ArchivedForm] = [
        ArchivedForm(
            "NSMutableParagraphStyle",
            [
                "NSTabStops": .uid(0), "NSAlignment": 2, "NSLineSpacing": 1.5, "NSHeadIndent": 12,
                "NSLineBreakMode": 4, "NSWritingDirection": 2, "NSAllowsTighteningForTruncation": 1,
            ],
            """
            record NSParagraphStyle ["alignment NSAlignment: center 2", "headIndent NSHeadIndent: real 12.0", \
            "lineSpacing NSLineSpacing: real 1.5", "lineBreakMode NSLineBreakMode: byTruncatingTail 4", \
            "baseWritingDirection NSWritingDirection: rightToLeft 2", \
            "allowsDefaultTighteningForTruncation NSAllowsTighteningForTruncation: boolean true"]
            """),
        ArchivedForm(
            "NSTextTab", ["NSLocation": 56.0], #"record NSTextTab ["location NSLocation: real 56.0"]"#),
        ArchivedForm(
            "NSTextList", ["NSMarkerFormat": .uid(3), "NSOptions": 1],
            #"record NSTextList ["markerFormat NSMarkerFormat: string {disc}", "#
                + #""listOptions NSOptions: [\"prependEnclosingMarker\"] 1"]"#, "{disc}"),
        ArchivedForm(
            "NSSortDescriptor", ["NSAscending": true, "NSKey": .uid(3), "NSSelector": "compare:"],
            #"record NSSortDescriptor ["key NSKey: string name", "ascending NSAscending: boolean true", "#
                + #""selector NSSelector: string compare:"]"#, "name"),
        ArchivedForm(
            "NSPersonNameComponents", ["NS.nameComponentsPrivate": .uid(3)],
            #"record NSPersonNameComponents ["givenName NS.givenName: string Ann", "#
                + #""familyName NS.familyName: string Lee"]"#,
            ["NS.familyName": "Lee", "NS.nickname": .uid(0), "NS.givenName": "Ann", "$class": .uid(4)],
            ArchivedForm.entry("_NSPersonNameComponentsData")),
        ArchivedForm(
            "NSShadow", ["NSShadowBlurRadius": 8.0, "NSShadowVert": -8.0, "NSShadowColor": .uid(3)],
            #"record NSShadow ["shadowBlurRadius NSShadowBlurRadius: real 8.0", "#
                + #""verticalOffset NSShadowVert: real -8.0", "shadowColor NSShadowColor: archived NSColor at 3"]"#,
            ["NSColorSpace": 3, "$class": .uid(4)], ArchivedForm.entry("NSColor")),
        ArchivedForm(
            "NSColorSpace", ["NSID": 9, "NSModel": 0, "NSICC": .uid(3)],
            #"record NSColorSpace ["identifier NSID: integer 9", "colorSpaceModel NSModel: gray 0", "#
                + #""iccProfileData NSICC: data 0102"]"#, bytes(1, 2)),
        ArchivedForm(
            "NSCursor", ["NSHotSpot": .uid(3), "NSCursorType": 13],
            #"record NSCursor ["type NSCursorType: integer 13", "hotSpot NSHotSpot: point 8.0 -8.0"]"#, "{8, -8}"),
        ArchivedForm(
            "NSImage", ["NSSize": "{13, 7}", "NSImageFlags": 79_691_776, "NSReps": .uid(3)],
            #"record NSImage ["size NSSize: size 13.0 7.0", "flags NSImageFlags: integer 79691776", "#
                + #""representations NSReps: array [\"5\"]"]"#,
            ["NS.objects": [5], "$class": .uid(4)], ArchivedForm.entry("NSArray")),
        ArchivedForm(
            "NSBezierPath", ["NSSegments": bytes(0), "NSLineWidth": 2.0, "NSLineCapStyle": 1],
            #"record NSBezierPath ["elements NSSegments: data 00", "lineWidth NSLineWidth: real 2.0", "#
                + #""lineCapStyle NSLineCapStyle: round 1"]"#),
        ArchivedForm("NSPSMatrix", [:], "record NSPSMatrix []"),
        ArchivedForm("NSDecimalNumberHandler", [:], "record NSDecimalNumberHandler []"),
        ArchivedForm(
            "NSDecimalNumberHandler", ["NS.roundingmode": 3, "NS.raise.overflow": true],
            #"record NSDecimalNumberHandler ["roundingMode NS.roundingmode: bankers 3", "#
                + #""raisesOnOverflow NS.raise.overflow: boolean true"]"#),
        ArchivedForm(
            "NSDecimalNumberHandler", ["NS.roundingMode": 1, "NS.scale": .uid(3), "NS.raise.exactness": true],
            #"record NSDecimalNumberHandler ["roundingMode NS.roundingMode: down 1", "scale NS.scale: integer -2", "#
                + #""raisesOnExactness NS.raise.exactness: boolean true"]"#, -2),
        ArchivedForm(
            "NSISO8601DateFormatter", ["NS.formatOptions": 1366, "NS.timeZone": .uid(0)],
            // 2 + 4 + 16 + 64 + 256 + 1024.
            #"record NSISO8601DateFormatter ["formatOptions NS.formatOptions: [\"withMonth\", "#
                + #"\"withWeekOfYear\", \"withDay\", \"withTimeZone\", \"withDashSeparatorInDate\", "#
                + #"\"withColonSeparatorInTimeZone\"] 1366"]"#),
        ArchivedForm(
            "NSComparisonPredicate",
            ["NSLeftExpression": .uid(3), "NSPredicateOperator": .uid(4), "NSRightExpression": .uid(3)],
            #"record NSComparisonPredicate ["leftExpression NSLeftExpression: archived NSSelfExpression at 3", "#
                + #""predicateOperator NSPredicateOperator: archived NSEqualityPredicateOperator at 4", "#
                + #""rightExpression NSRightExpression: archived NSSelfExpression at 3"]"#,
            ["NSExpressionType": 1, "$class": .uid(5)], ["NSOperatorType": 4, "$class": .uid(6)],
            ArchivedForm.entry("NSSelfExpression"), ArchivedForm.entry("NSEqualityPredicateOperator")),
        ArchivedForm(
            "NSCompoundPredicate", ["NSCompoundPredicateType": 2, "NSSubpredicates": .uid(3)],
            #"record NSCompoundPredicate ["compoundPredicateType NSCompoundPredicateType: or 2", "#
                + #""subpredicates NSSubpredicates: array []"]"#,
            ["NS.objects": [], "$class": .uid(4)], ArchivedForm.entry("NSArray")),
        ArchivedForm(
            "NSInPredicateOperator", ["NSFlags": 3, "NSModifier": 1, "NSOperatorType": 99],
            #"record NSPredicateOperator ["type NSOperatorType: contains 99", "modifier NSModifier: all 1", "#
                + #""options NSFlags: [\"caseInsensitive\", \"diacriticInsensitive\"] 3"]"#,
            chain: ["NSInPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator"]),
        ArchivedForm(
            "NSKeyPathExpression", ["NSExpressionType": 3, "NSSelectorName": "valueForKey:", "NSArguments": .uid(3)],
            #"record NSFunctionExpression ["expressionType NSExpressionType: keyPath 3", "#
                + #""function NSSelectorName: string valueForKey:", "arguments NSArguments: array [\"name\"]"]"#,
            chain: ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
            ["NS.objects": ["name"], "$class": .uid(4)], ArchivedForm.entry("NSArray")),
        ArchivedForm(
            "NSSubqueryExpression", ["NSExpressionType": 13, "NSWhat": 7],
            #"record NSExpression ["expressionType NSExpressionType: subquery 13", "NSWhat NSWhat: archived 7"]"#,
            chain: ["NSSubqueryExpression", "NSExpression"]),
        ArchivedForm(
            "NSHTTPURLResponse", ["$0": 8, "$3": .uid(3), "$6": 200, "$7": .uid(5)],
            #"record NSURLResponse ["url $3: url http://a.b", "statusCode $6: integer 200", "#
                + #""allHeaderFields $7: dictionary [\"a: b\"]", "$0 $0: archived 8"]"#,
            ["NS.relative": "http://a.b", "NS.base": .uid(0), "$class": .uid(4)], ArchivedForm.entry("NSURL"),
            ["NS.keys": ["a"], "NS.objects": ["b"], "$class": .uid(6)], ArchivedForm.entry("NSDictionary")),
        ArchivedForm(
            "CKRecordID", ["RecordName": "r", "ZoneID": .uid(3)],
            #"record CKRecordID ["recordName RecordName: string r", "zoneID ZoneID: archived CKRecordZoneID at 3"]"#,
            ["ZoneName": "z", "$class": .uid(4)], ArchivedForm.entry("CKRecordZoneID")),
        ArchivedForm(
            "CKRecordZoneID", ["ZoneName": "z", "ownerName": "o", "databaseScopeKey": 2],
            #"record CKRecordZoneID ["zoneName ZoneName: string z", "ownerName ownerName: string o", "#
                + #""databaseScope databaseScopeKey: private 2"]"#),
    ]

    @Test(arguments: forms, PropertyListFormat.allCases)
    func `have the fields of the class in the order of its description`(
        form: ArchivedForm, format: PropertyListFormat
    ) throws {
        #expect(try form.value(format: format)?.text == form.expected)
    }

    @Test func `keep numbers without a name, other kinds and unknown keys`() throws {
        let form = ArchivedForm(
            "NSParagraphStyle",
            ["other": "x", "NSAlignment": 9, "NSLineSpacing": "wide", "$$money": 5, "NSHeadIndent": .uid(0)], "")
        #expect(
            try form.value()?.text == """
                record NSParagraphStyle ["alignment NSAlignment: integer 9", \
                "lineSpacing NSLineSpacing: archived wide", "other other: archived x", "$money $money: archived 5"]
                """)
        // 4096 is no flag of a regular expression.
        let flags = ArchivedForm("NSRegularExpression", ["NSPattern": "a", "NSOptions": 4097], "")
        #expect(
            try flags.value()?.text
                == #"record NSRegularExpression ["pattern NSPattern: string a", "options NSOptions: integer 4097"]"#)
    }

    @Test func `are found by name and described in a line`() throws {
        let form = ArchivedForm(
            "NSISO8601DateFormatter", ["NS.formatOptions": 3, "zone": .uid(3)], "", ["x": 1, "$class": .uid(2)])
        guard case .record(let record)? = try form.value() else {
            Issue.record("no record")
            return
        }
        #expect(record.className == "NSISO8601DateFormatter")
        #expect(record["formatOptions"]?.key == "NS.formatOptions" && record["timeZone"] == nil)
        #expect(record["formatOptions"]?.archived.integer == 3)
        #expect(
            record.description == "NSISO8601DateFormatter (formatOptions: [withYear, withMonth], zone: "
                + "NSISO8601DateFormatter #3 (1 field))")
        #expect(try ArchivedForm("NSPSMatrix", [:], "").value()?.description == "NSPSMatrix")
    }

    @Test func `have the name of the class that describes them`() throws {
        func name(_ className: String, chain: [String] = []) throws -> String? {
            let objects: [PropertyList] = [["$class": .uid(2)], ArchivedForm.entry(className, chain: chain)]
            return try KeyedArchive(handmadeArchive(objects: objects)).root.foundationClassName
        }
        #expect(try name("NSColor") == "NSColor")
        #expect(try name("NSMutableParagraphStyle") == "NSMutableParagraphStyle")
        #expect(try name("MyStyle", chain: ["MyStyle", "NSParagraphStyle", "NSObject"]) == "NSParagraphStyle")
        #expect(try name("Farm") == nil)
        #expect(try KeyedArchive(handmadeArchive(objects: ["text"])).root.foundationClassName == nil)
    }
}

// MARK: - Other forms

extension `Records of named fields` {
    @Test(
        arguments: [
            // A required key is missing, or has another kind of value.
            ArchivedForm("NSTextTab", [:], ""), ArchivedForm("NSTextTab", ["NSLocation": "left"], ""),
            ArchivedForm("NSCompoundPredicate", ["NSSubpredicates": []], ""),
            // Only keys of another writer.
            ArchivedForm("NSNumberFormatter", ["$0": 1, "$1": 1], ""),
            ArchivedForm("NSMutableURLRequest", ["__nsurlrequest_proto_props": .uid(0), "$0": 9], ""),
            // A subclass with a form of its own.
            ArchivedForm("Order", ["by": "x"], "", chain: ["Order", "NSSortDescriptor", "NSObject"]),
        ])
    func `are nil for forms that are not known`(form: ArchivedForm) throws {
        #expect(try form.value() == nil)
    }

    @Test(
        arguments: [
            ArchivedForm("NSSortDescriptor", ["NSKey": 5, "NSAscending": true], "NSKey of the object at uid 1"),
            ArchivedForm("NSSortDescriptor", ["NSKey": "a", "NSAscending": 2], "NSAscending of the object at uid 1"),
            ArchivedForm("NSRegularExpression", ["NSOptions": 0], "NSPattern of the object at uid 1"),
            ArchivedForm("NSISO8601DateFormatter", ["NS.formatOptions": "all"], "NS.formatOptions of the object"),
            ArchivedForm("NSTextTab", ["NSLocation": .uid(99)], "uid 99"),
        ])
    func `are an error where a certain form, or the container, is damaged`(form: ArchivedForm) throws {
        let error = try #require(throws: KeyedArchiveError.self) { try form.value() }
        #expect(error.description.contains(form.expected))
    }

    @Test func `do not read what no program writes`() throws {
        var many: PropertyList.Dictionary = ["NSLocation": 1.0]
        for index in 0..<254 { many["k\(index)"] = 0 }
        #expect(try ArchivedForm("NSTextTab", .dictionary(many), "").value() != nil)
        many["one more"] = 0
        #expect(try ArchivedForm("NSTextTab", .dictionary(many), "").value() == nil)
        let key = String(repeating: "k", count: 129)
        let long: PropertyList = .dictionary(["NSLocation": 1.0, key: 0])
        #expect(try ArchivedForm("NSTextTab", long, "").value() == nil)
        // The object inside is itself.
        let ring = ArchivedForm("NSPersonNameComponents", ["NS.nameComponentsPrivate": .uid(1)], "")
        #expect(try ring.value() == nil)
    }
}

// MARK: - The page

extension `Records of named fields` {
    @Test func `are on the page of the format, with all their keys`() throws {
        let page = try Repository.text(of: "docs/keyed-archive-format.md")
        let section = try #require(page.range(of: "### Records")).upperBound
        let rows = page[section...].split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(RecordForm.named.count > 40)
        for (name, form) in RecordForm.named {
            // The names of classes are in the first cell, or behind that of a related class.
            let own = rows.first { $0.split(separator: "|").first?.contains("`\(name)`") == true }
            let row = try #require(own ?? rows.first { $0.contains("`\(name)`") }, "\(name)")
            for key in form.fields.flatMap(\.keys) where key != "NSExpressionType" {
                // GNUstep's keys of names lack a part.
                let isShown = row.contains("`\(key)`") || row.contains("`NS.\(key)`")
                #expect(isShown, "\(key) of \(name)")
            }
            #expect(Set(form.fields.map(\.name)).count == form.fields.count, "\(name)")
            #expect(Set(form.fields.flatMap(\.keys)).count == form.fields.flatMap(\.keys).count, "\(name)")
        }
    }
}
