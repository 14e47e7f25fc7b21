// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@testable import Archiving

@Suite(.inTurn) struct `Colors and fonts as Swift values` {
    private static func text(_ text: String) -> PropertyList { .data(Data(text.utf8)) }

    private static let forms: [ArchivedForm] = [
        ArchivedForm(
            "NSColor", ["NSColorSpace": 1, "NSRGB": text("0 0.5 1\0")], "color [0.0, 0.5, 1.0, 1.0] calibratedRGB"),
        ArchivedForm(
            "NSColor", ["NSColorSpace": 2, "NSRGB": text("1 0 0 0.25")], "color [1.0, 0.0, 0.0, 0.25] deviceRGB"),
        ArchivedForm("NSColor", ["NSColorSpace": 3, "NSWhite": text("0.333\0")], "color [0.333, 1.0] calibratedWhite"),
        ArchivedForm("NSColor", ["NSColorSpace": 4, "NSWhite": text("1 0.5\0")], "color [1.0, 0.5] deviceWhite"),
        ArchivedForm(
            "NSColor", ["NSColorSpace": 5, "NSCMYK": text("0 0.1 0.2 0.3\0")],
            "color [0.0, 0.1, 0.2, 0.3, 1.0] deviceCMYK"),
        ArchivedForm(
            "NSColor",
            [
                "NSColorSpace": 1, "NSRGB": text("0.9 0.8 0.7\0"), "NSComponents": text("0.95 0.87 0.5 1"),
                "NSCustomColorSpace": .uid(3),
            ], "color [0.95, 0.87, 0.5, 1.0] custom NSColorSpace", ["NSID": 7, "$class": .uid(4)],
            ArchivedForm.entry("NSColorSpace")),
        ArchivedForm(
            "NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1 1\0"), "NSCustomColorSpace": .uid(3)],
            "color [1.0, 1.0, 1.0, 1.0] calibratedRGB", ["NSID": 1, "$class": .uid(4)],
            ArchivedForm.entry("NSColorSpace")),
        ArchivedForm(
            "NSColor",
            ["NSColorSpace": 6, "NSCatalogName": .uid(3), "NSColorName": "textColor", "NSColor": .uid(4)],
            "color [0.0, 1.0] System.textColor calibratedWhite", "System",
            ["NSColorSpace": 3, "NSWhite": text("0\0"), "$class": .uid(2)]),
        ArchivedForm(
            "UIColor", ["UIRed": 0.5, "UIGreen": 0.25, "UIBlue": 1, "UIAlpha": 0.75, "UIColorComponentCount": 4],
            "color [0.5, 0.25, 1.0, 0.75] deviceRGB"),
        ArchivedForm("UIColor", ["UIWhite": 0.0, "UIAlpha": 0.45], "color [0.0, 0.45] deviceWhite"),
        ArchivedForm(
            "NSFont", ["NSName": .uid(3), "NSSize": 11.0, "NSfFlags": 3100], "font Menlo-Regular 11.0", "Menlo-Regular"),
        ArchivedForm(
            "UIFont", ["UIFontName": "Helvetica", "UIFontPointSize": 17.5, "UIFontTraits": 2], "font Helvetica 17.5"),
    ]

    @Test(arguments: forms, PropertyListFormat.allCases)
    func `are what the classes wrote`(form: ArchivedForm, format: PropertyListFormat) throws {
        #expect(try form.value(format: format)?.text == form.expected)
    }

    @Test(
        arguments: [
            ArchivedForm("NSColor", ["NSColorSpace": 10, "NSImage": 5], ""),
            ArchivedForm("NSColor", ["NSColorSpace": 99], ""), ArchivedForm("NSColor", ["NSColorSpace": 0], ""),
            ArchivedForm("NSColor", ["NSColorSpace": .integer(Int128(Int.min))], ""),
            ArchivedForm("NSColor", ["NSColorSpace": .integer(Int128(Int.max))], ""),
            ArchivedForm("NSColor", [:], ""), ArchivedForm("NSColor", ["NSColorSpace": 1], ""),
            ArchivedForm("NSColor", ["NSColorSpace": 6, "NSColorName": "a"], ""),
            ArchivedForm("UIColor", ["UIRed": 1.0], ""), ArchivedForm("NSFont", ["NSSize": 11.0], ""),
            ArchivedForm("NSFont", ["NSName": "Menlo"], ""),
            ArchivedForm("MyColor", ["tint": 5], "", chain: ["MyColor", "NSColor", "NSObject"]),
            ArchivedForm("MyFont", ["face": 5], "", chain: ["MyFont", "NSFont", "NSObject"]),
        ])
    func `are nil for kinds that are not known`(form: ArchivedForm) throws {
        #expect(try form.value() == nil)
    }

    private static let otherForms: [ArchivedForm] = [
        ArchivedForm("NSColor", ["NSColorSpace": "1"], "NSColorSpace"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1")], "NSRGB"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1 x")], "NSRGB"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1 inf")], "NSRGB"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1 1 1 1")], "NSRGB"),
        ArchivedForm("NSColor", ["NSColorSpace": 3, "NSWhite": "0"], "NSWhite"),
        ArchivedForm("UIColor", ["UIRed": "red", "UIGreen": 1.0, "UIBlue": 1.0], "UIRed"),
        ArchivedForm("UIColor", ["UIWhite": 0.5, "UIAlpha": "none"], "UIAlpha"),
        ArchivedForm("NSFont", ["NSName": 5, "NSSize": 11.0], "NSName"),
        ArchivedForm("NSFont", ["NSName": "Menlo", "NSSize": "11"], "NSSize"),
        ArchivedForm("NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data(repeating: 0x20, count: 2000))], "NSWhite"),
    ]

    @Test(arguments: otherForms)
    func `are nil where a key has another kind of value than AppKit writes`(form: ArchivedForm) throws {
        #expect(try form.value() == nil)
    }

    @Test func `are an error where the container is damaged`() throws {
        let form = ArchivedForm("NSFont", ["NSName": .uid(99), "NSSize": 11.0], "")
        #expect(throws: KeyedArchiveError.self) { try form.value() }
    }

    // MARK: Catalogs

    /// Catalog colors with the names c1, c2 and so on, each defined by the next, and the last by white.
    private static func chain(_ count: Int) -> ArchivedForm {
        let others = (1...count).map { index -> PropertyList in
            index == count
                ? ["NSColorSpace": 3, "NSWhite": text("0.5\0"), "$class": .uid(2)]
                : [
                    "NSColorSpace": 6, "NSCatalogName": "System", "NSColorName": .string("c\(index + 1)"),
                    "NSColor": .uid(UInt32(index + 3)), "$class": .uid(2),
                ]
        }
        return ArchivedForm(
            "NSColor", ["NSColorSpace": 6, "NSCatalogName": "System", "NSColorName": "c1", "NSColor": .uid(3)], "",
            others: others)
    }

    @Test func `follow a catalog color that is defined by another one`() throws {
        // As `_sourceListBackgroundColor` in nibs of AppKit.
        #expect(try Self.chain(2).value()?.text == "color [0.5, 1.0] System.c1 calibratedWhite")
    }

    @Test func `are nil in a ring of catalog colors and in a long chain`() throws {
        #expect(try Self.chain(16).value() == nil)
        #expect(try Self.chain(10_000).value() == nil)
        for target: UInt32 in [1, 3] {
            let form = ArchivedForm(
                "NSColor", ["NSColorSpace": 6, "NSCatalogName": "a", "NSColorName": "b", "NSColor": .uid(target)], "",
                ["NSColorSpace": 6, "NSCatalogName": "a", "NSColorName": "c", "NSColor": .uid(1), "$class": .uid(2)])
            #expect(try form.value() == nil)
        }
    }

    /// A file of Terminal's is a property list whose colors and font are archives of their own.
    @Test(.needs(.corpus)) func `are all that a theme of Terminal consists of`() throws {
        let data = try Corpus.data(Corpus.name("5c1708d5c4"))
        guard case .dictionary(let theme) = try PropertyList(data) else { throw CocoaError(.coderReadCorrupt) }
        var (colors, fonts) = (0, 0)
        for entry in theme {
            guard case .data(let data) = entry.value else { continue }
            switch try KeyedArchive(data).root.foundationValue() {
            case .color(let color)?:
                #expect((color.components + [color.opacity]).allSatisfy { (0...1).contains($0) })
                colors += 1
            case .customColor(let components, _)?:
                #expect(components.allSatisfy { (0...1).contains($0) })
                colors += 1
            case .font(let font)?:
                #expect(font.size > 0)
                fonts += 1
            default: Issue.record("\(entry.key) is neither a color nor a font")
            }
        }
        #expect(colors >= 16 && fonts == 1)
    }

    @Test(.needs(.corpus)) func `are found in every file that has some`() throws {
        var counts: [String: Int] = [:]
        for name in Corpus.names {
            guard let archive = try? KeyedArchive(Corpus.data(name)) else { continue }
            for object in archive.objects {
                guard let className = object.className, ["NSColor", "UIColor", "NSFont", "UIFont"].contains(className)
                else {
                    continue
                }
                let value = try object.foundationValue()
                #expect(value != nil, "\(className) \(object.uid ?? 0) of \(name)")
                counts[className, default: 0] += 1
            }
        }
        #expect(counts.count == 4, "\(counts)")
    }
}
