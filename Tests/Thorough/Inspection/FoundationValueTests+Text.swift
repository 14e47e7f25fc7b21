// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

// MARK: - Attributed strings

extension `Objects of Foundation's classes as Swift values` {
    private static func data(_ bytes: UInt8...) -> PropertyList { .data(Data(bytes)) }

    private static let empty: PropertyList = ["NS.keys": [], "NS.objects": [], "$class": .uid(8)]
    private static let size: PropertyList = ["NS.keys": [.uid(5)], "NS.objects": [.uid(6)], "$class": .uid(8)]
    private static let array: PropertyList = ["NS.objects": [.uid(4), .uid(7)], "$class": .uid(9)]

    /// The text of an attributed string with the attributes none and "Size", and `info` about its runs.
    private static func form(_ text: String, _ info: PropertyList, _ expected: String) -> ArchivedForm {
        ArchivedForm(
            "NSMutableAttributedString", ["NSString": .string(text), "NSAttributes": .uid(3), "NSAttributeInfo": info],
            expected, array, empty, "Size", 12, size, ArchivedForm.entry("NSDictionary"), ArchivedForm.entry("NSArray"))
    }

    private static let attributed: [ArchivedForm] = [
        form("0123456789", data(4, 0, 6, 1), "attributed string 0123456789 | {0, 4} [] | {4, 6} [\"Size: 12\"]"),
        form("ab", data(1, 1, 0, 0, 1, 1), "attributed string ab | {0, 1} [\"Size: 12\"] | {1, 1} [\"Size: 12\"]"),
        // Characters of two units, and of a unit and three bytes.
        form(
            "a😀ü€b", data(3, 1, 2, 0, 1, 1),
            "attributed string a😀ü€b | {0, 3} [\"Size: 12\"] | {3, 2} [] | {5, 1} [\"Size: 12\"]"),
        form("", data(), "attributed string "),
        ArchivedForm("NSAttributedString", ["NSString": "plain"], "attributed string plain | {0, 5} []"),
        ArchivedForm(
            "NSAttributedString", ["NSString": .uid(3), "NSAttributes": .uid(0)],
            "attributed string mutable | {0, 7} []", ["NS.string": "mutable", "$class": .uid(4)],
            ArchivedForm.entry("NSMutableString")),
        ArchivedForm(
            "NSAttributedString", ["NSString": "one run", "NSAttributes": .uid(7)],
            "attributed string one run | {0, 7} [\"Size: 12\"]", 3, 4, "Size", 12, size,
            ArchivedForm.entry("NSDictionary")),
        ArchivedForm("NSAttributedString", ["NSString": "", "NSAttributes": .uid(3)], "attributed string ", empty),
    ]

    @Test(arguments: attributed, PropertyListFormat.allCases)
    func `have the runs of attributed strings`(form: ArchivedForm, format: PropertyListFormat) throws {
        #expect(try form.value(format: format)?.text == form.expected)
    }

    @Test func `have runs whose length takes several bytes`() throws {
        let text = String(repeating: "€", count: 1000)
        let form = Self.form(text, Self.data(0xC8, 1, 0, 0xA0, 6, 1), "")
        guard case .attributedString(let string, let runs)? = try form.value() else {
            Issue.record("no attributed string")
            return
        }
        #expect(string == text)
        #expect(runs.map { text[$0.range].count } == [200, 800])
        #expect(runs.map { $0.attributes["Size"]?.integer } == [nil, 12])
    }

    @Test func `have boundaries of runs inside a character where the archive has them`() throws {
        guard case .attributedString(let string, let runs)? = try Self.form("😀", Self.data(1, 0, 1, 1), "").value()
        else {
            Issue.record("no attributed string")
            return
        }
        #expect(runs.count == 2 && runs[0].range.upperBound == runs[1].range.lowerBound)
        let units = runs.map { Array(string.utf16[$0.range]) }
        #expect(units == [[0xD83D], [0xDE00]])
    }

    private static let damaged: [ArchivedForm] = [
        ArchivedForm(
            "NSAttributedString", ["NSAttributes": .uid(0)], "NSString of the object at uid 1 is not a string"),
        ArchivedForm("NSAttributedString", ["NSString": 5], "NSString of the object at uid 1 is not a string"),
        ArchivedForm(
            "NSAttributedString", ["NSString": "a", "NSAttributes": 5],
            "NSAttributes of the object at uid 1 is not a dictionary whose keys are strings"),
        ArchivedForm(
            "NSAttributedString", ["NSString": "a", "NSAttributes": .uid(3)],
            "NSAttributes of the object at uid 1 is not a dictionary whose keys are strings",
            ["NS.keys": [.uid(4)], "NS.objects": [.uid(4)], "$class": .uid(5)], 12, ArchivedForm.entry("NSDictionary")),
        ArchivedForm(
            "NSAttributedString", ["NSString": "a", "NSAttributeInfo": data(1, 0)],
            "NSAttributes of the object at uid 1 is not an array of dictionaries"),
        ArchivedForm(
            "NSAttributedString", ["NSString": "a", "NSAttributes": "b", "NSAttributeInfo": data(1, 0)],
            "NSAttributes of the object at uid 1 is not an array of dictionaries"),
        ArchivedForm(
            "NSAttributedString", ["NSString": "a", "NSAttributes": [.uid(3)], "NSAttributeInfo": data(1, 0)],
            "NSAttributes of the object at uid 1 is not an array of dictionaries whose keys are strings", "b"),
        form("ab", data(1, 0), "NSAttributeInfo of the object at uid 1 is not lengths of runs that add up"),
        form("ab", data(), "NSAttributeInfo of the object at uid 1 is not lengths of runs that add up"),
        form("ab", data(3, 0), "NSAttributeInfo of the object at uid 1 is not lengths of runs that add up"),
        form("ab", data(2, 0, 1, 0), "NSAttributeInfo of the object at uid 1 is not lengths of runs that add up"),
        form(
            "ab", data(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0),
            "NSAttributeInfo of the object at uid 1 is not lengths of runs that add up"),
        form(
            "ab", data(1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0),
            "NSAttributeInfo of the object at uid 1 is not lengths of runs that add up"),
        form("ab", data(2, 2), "NSAttributeInfo of the object at uid 1 is not positions in NSAttributes, which has 2"),
        form("ab", data(0, 9, 2, 0), "NSAttributeInfo of the object at uid 1 is not positions in NSAttributes"),
        form("ab", data(2), "NSAttributeInfo of the object at uid 1 is not data with pairs of integers"),
        form("ab", data(2, 0x80), "NSAttributeInfo of the object at uid 1 is not data with pairs of integers"),
        form("ab", 5, "NSAttributeInfo of the object at uid 1 is not data"),
    ]

    @Test(arguments: damaged)
    func `are an error where runs contradict the text`(form: ArchivedForm) throws {
        let error = try #require(throws: KeyedArchiveError.self) { try form.value() }
        #expect(error.description.contains(form.expected), "\(error)")
        #expect(error.uid == 1 && error.code == .damaged)
    }

    @Test func `are read in a time that grows as the text does`() throws {
        // A run for every character, all of two units and four bytes.
        let count = 20_000
        let info = Data((0..<count).flatMap { [UInt8(2), UInt8($0 & 1)] })
        let form = Self.form(String(repeating: "😀", count: count), .data(info), "")
        guard case .attributedString(let string, let runs)? = try form.value() else {
            Issue.record("no attributed string")
            return
        }
        #expect(runs.count == count)
        #expect(runs.allSatisfy { string[$0.range] == "😀" })
        #expect(runs[count - 1].attributes["Size"]?.integer == 12)
    }

    @Test func `do not take more room for attributes than the archive has bytes`() throws {
        // Dictionaries that have one pair of long arrays in common.
        let count = 2000
        var names: [PropertyList] = []
        var references: [PropertyList] = []
        var dictionaries: [PropertyList] = []
        var runs = Data()
        for number in 0..<count {
            names.append(.string("name \(number)"))
            references.append(.uid(UInt32(number + 6)))
            dictionaries.append(.uid(UInt32(number + count + 6)))
            runs.append(contentsOf: [1, UInt8(number & 0x7F | 0x80), UInt8(number >> 7)])
        }
        let object: PropertyList = [
            "NSString": .string(String(repeating: "a", count: count)), "NSAttributeInfo": .data(runs),
            "NSAttributes": .array(dictionaries), "$class": .uid(2),
        ]
        let dictionary: PropertyList = ["NS.keys": .uid(4), "NS.objects": .uid(4), "$class": .uid(3)]
        var objects: [PropertyList] = [
            object, ArchivedForm.entry("NSAttributedString"), ArchivedForm.entry("NSDictionary"), .array(references),
            "",
        ]
        objects += names
        objects += [PropertyList](repeating: dictionary, count: count)
        let archive = try KeyedArchive(handmadeArchive(objects: objects))
        let error = try #require(throws: KeyedArchiveError.self) { try archive.root.foundationValue() }
        #expect(error.description.contains("NSAttributes"), "\(error)")
    }
}

// MARK: - Character sets

extension `Objects of Foundation's classes as Swift values` {
    private static let characterSets: [ArchivedForm] = [
        ArchivedForm("NSCharacterSet", ["NSBuiltinID": 5], "character set built-in 5"),
        ArchivedForm(
            "NSMutableCharacterSet", ["NSBuiltinID": 5, "NSIsInverted": true],
            "character set built-in 5 inverted"),
        ArchivedForm(
            "NSCharacterSet", ["NSBuiltinID2": 14, "NSIsInverted2": true, "NSBitmap": data(1, 2)],
            "character set built-in 14 bitmap 0102 inverted"),
        // Letters from A to Z.
        ArchivedForm("NSCharacterSet", ["NSRange": 279_172_874_266], "character set range 65..<91"),
        ArchivedForm(
            "NSCharacterSet", ["NSRange": .integer(0x10_FFFF << 32 | 1), "NSIsInverted": true],
            "character set range 1114111..<1114112 inverted"),
        ArchivedForm("NSCharacterSet", ["NSString": "abc"], "character set string abc"),
        ArchivedForm(
            "NSCharacterSet", ["NSStringObject": .uid(3), "NSIsInverted": true], "character set string abc inverted",
            "abc"),
        ArchivedForm("NSCharacterSet", ["NSBitmap": data(0, 0x3C)], "character set bitmap 003c"),
        ArchivedForm("NSCharacterSet", ["NSBitmapObject": .uid(3)], "character set bitmap 003c", data(0, 0x3C)),
        // GNUstep's: alphanumerics, newlines, and a bitmap.
        ArchivedForm("NSCharacterSet", ["$0": 0], "character set built-in 10"),
        ArchivedForm("NSCharacterSet", ["$0": 14], "character set built-in 15"),
        ArchivedForm("NSBitmapCharSet", ["$0": .uid(3)], "character set bitmap 0e", data(0x0E)),
    ]

    @Test(arguments: characterSets)
    func `have what character sets are made of`(form: ArchivedForm) throws {
        #expect(try form.value()?.text == form.expected)
    }
}
