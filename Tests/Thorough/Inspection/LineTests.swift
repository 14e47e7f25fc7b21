// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `What is printed on one line` {
    private static func farm(format: PropertyListFormat = .binary) throws -> KeyedArchive {
        try KeyedArchive(handmadeArchive(objects: `The tree of an archive`.farm, format: format))
    }

    @Test func `says of an archive how large it is, and what its root is`() throws {
        let archive = try Self.farm()
        let byteCount = try archive.data().count
        #expect("\(archive)" == "Keyed archive of 16 objects, \(byteCount) bytes, root Farm")
        #expect(try "\(Self.farm(format: .xml))" == "Keyed archive of 16 objects, XML, root Farm")
        let windows = try openArchive(top: ["window": .uid(1), "count": 3], ["$class": .uid(2)], classEntry("Window"))
        #expect("\(windows)".hasSuffix(#" bytes, keys "window", "count""#))
        #expect("\(try openArchive(top: ["root": .uid(1)], "Bella"))".hasSuffix(#", root "Bella""#))
        #expect("\(try KeyedArchiveEditor(archive))" == "Editor of a keyed archive of 16 objects")
    }

    @Test func `says of a value what it is, and how much is in it`() throws {
        let archive = try Self.farm()
        let root = archive.root
        #expect("\(root)" == "Farm #1 (10 fields)")
        #expect("\(try #require(root["animals"]))" == "NSArray #6 (3 elements)")
        #expect("\(try #require(root["founded"]))" == "NSDate #11 2018-06-04T17:00:00Z")
        #expect("\(try #require(root["name"]))" == #""Green Hill""#)
        #expect("\(try #require(root["slope"]))" == "0.1")
        #expect("\(try #require(root["photo"]))" == "17 bytes <00010203 04050607 08090a0b 0c0d0e0f …>")
        #expect("\(try #require(root["debts"]))" == "nil")
        #expect("\(archive[uid: 9])" == "NSNull #9")
        #expect("\(archive[uid: 12])" == "class Farm.Cow #12: Farm.Animal, NSObject")
        #expect("\(archive[uid: 99])" == "damaged: uid 99 is referenced, but there are only 16 objects")
        #expect("\(archive.top)" == "top (1 key)")
    }

    @Test func `shows of lists what is in them`() throws {
        let archive = try Self.farm()
        #expect(
            "\(archive.root["animals"]!.elements)" == "[Farm.Cow #7 (2 fields), NSNull #9, Farm.Cow #7 (2 fields)]")
        #expect("\(archive[uid: 3].fields)" == #"["name": "Ann", "farm": Farm #1 (10 fields)]"#)
        #expect("\(archive[uid: 2].fields)" == "[:]")
        #expect("\(archive.classes[0])" == "Owner #5: NSObject")
        #expect("\(archive.objects)".hasPrefix(#"[nil, Farm #1 (10 fields), "Green Hill", Owner #3 (2 fields), "#))
        let dictionary = try openArchive(
            top: ["root": .uid(1)],
            ["NS.keys": [.uid(2)], "NS.objects": [.uid(3)], "$class": .uid(4)], "age", 7, classEntry("NSDictionary"))
        #expect("\(dictionary.root)" == "NSDictionary #1 (1 entry)")
        #expect("\(dictionary.root.entries)" == #"["age": 7]"#)
        let long = String(repeating: "a\n", count: 1000)
        let list = try openArchive(
            top: ["root": .uid(1)], .array([PropertyList](repeating: .string(long), count: 100)))
        let text = "\(list.root.elements)"
        #expect(text.utf8.count < 4000 && !text.contains("\n") && text.hasSuffix(#"a\n"… (length 2000), … (100)]"#))
    }

    @Test(
        arguments: [
            (ArchivedForm("NSDate", ["NS.time": 0.0], ""), "2001-01-01T00:00:00Z"),
            (ArchivedForm("NSNumber", ["NS.number": 7], ""), "7"),
            (ArchivedForm("NSValue", ["NS.special": 1, "NS.pointval": "{1, 2.5}"], ""), "{1, 2.5}"),
            (ArchivedForm("NSIndexSet", ["NSRangeCount": 1, "NSLocation": 3, "NSLength": 2], ""), "indexes [3...4]"),
            (ArchivedForm("NSArray", ["NS.objects": [.uid(3)]], "", "a"), #"["a"]"#),
            (ArchivedForm("NSSet", ["NS.objects": [.uid(3)]], "", "a"), #"set ["a"]"#),
            (ArchivedForm("NSFont", ["NSName": "Menlo", "NSSize": 11.0], ""), #"font "Menlo", 11.0"#),
            (
                ArchivedForm("NSColor", ["NSColorSpace": 4, "NSWhite": .data(Data("1 0.5".utf8))], ""),
                "color [1.0, 0.5], deviceWhite"
            ),
            (ArchivedForm("NSError", ["NSDomain": "D", "NSCode": 4], ""), #"NSError (domain: "D", code: 4)"#),
        ])
    func `shows Foundation's values as what they say`(form: ArchivedForm, expected: String) throws {
        #expect(try form.value().map { "\($0)" } == expected)
    }

    @Test func `says how much there is of what was counted`() throws {
        let archive = try Self.farm()
        #expect("\(try archive.references())" == "19 references")
        let sizes = try archive.sizes()
        #expect("\(sizes)".hasSuffix("frame \(sizes.frameByteCount) bytes"))
    }
}
