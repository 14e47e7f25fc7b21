import ArchiveInspection
import Foundation
import TestSupport
import Testing

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
            ArchivedForm("NSColor", ["NSColorSpace": 99], ""),
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

    private static let damaged: [ArchivedForm] = [
        ArchivedForm("NSColor", ["NSColorSpace": "1"], "NSColorSpace of the object at uid 1"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1")], "NSRGB of the object at uid 1"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1 x")], "NSRGB of the object at uid 1"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1 inf")], "NSRGB of the object at uid 1"),
        ArchivedForm("NSColor", ["NSColorSpace": 1, "NSRGB": text("1 1 1 1 1")], "NSRGB of the object at uid 1"),
        ArchivedForm("NSColor", ["NSColorSpace": 3, "NSWhite": "0"], "NSWhite of the object at uid 1"),
        ArchivedForm("UIColor", ["UIRed": "red"], "UIRed of the object at uid 1"),
        ArchivedForm("NSFont", ["NSName": 5], "NSName of the object at uid 1"),
        ArchivedForm("NSFont", ["NSName": "Menlo", "NSSize": "11"], "NSSize of the object at uid 1"),
        ArchivedForm(
            "NSColor", ["NSColorSpace": 3, "NSWhite": .data(Data(repeating: 0x20, count: 2000))],
            "NSWhite of the object at uid 1"),
        // A color that is its own.
        ArchivedForm(
            "NSColor", ["NSColorSpace": 6, "NSCatalogName": "a", "NSColorName": "b", "NSColor": .uid(1)],
            "NSColor of the object at uid 1"),
    ]

    @Test(arguments: damaged)
    func `are an error where the object is damaged`(form: ArchivedForm) throws {
        let error = try #require(throws: KeyedArchiveError.self) { try form.value() }
        #expect(error.description.contains(form.expected))
    }

    /// A file of Terminal's is a property list whose colors and font are archives of their own.
    @Test(.needs(.corpus)) func `are all that a theme of Terminal consists of`() throws {
        let data = try Corpus.data(Corpus.name("5c1708d5c4"))
        guard case .dictionary(let theme) = try PropertyList(data) else { throw CocoaError(.coderReadCorrupt) }
        var (colors, fonts) = (0, 0)
        for entry in theme {
            guard case .data(let data) = entry.value else { continue }
            switch try KeyedArchive(data).root.foundationValue() {
            case .color(let components, _)?:
                #expect(components.allSatisfy { (0...1).contains($0) })
                colors += 1
            case .font(_, let size)?:
                #expect(size > 0)
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
