// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

private typealias Font = AttributedText.Font
private typealias Color = AttributedText.Color
private typealias Style = AttributedText.ParagraphStyle

@Suite(.inTurn) struct `Fonts, colors and paragraph styles` {
    // MARK: - Forms

    private static let colors: [(Color, String)] = [
        (Color(.calibratedRGB, [0.25, 1, 1e-5]), "{'NSColorSpace': 1, 'NSRGB': b'0.25 1 1e-05\\x00'}"),
        (Color(.deviceRGB, [0, 0, 0], opacity: 0.5), "{'NSColorSpace': 2, 'NSRGB': b'0 0 0 0.5\\x00'}"),
        (Color(.calibratedWhite, [0.66666669]), "{'NSColorSpace': 3, 'NSWhite': b'0.66666669\\x00'}"),
        (Color(.deviceWhite, [1], opacity: 0), "{'NSColorSpace': 4, 'NSWhite': b'1 0\\x00'}"),
        (Color(.deviceCMYK, [0, 0.1, 0.2, 1]), "{'NSCMYK': b'0 0.1 0.2 1\\x00', 'NSColorSpace': 5}"),
    ]

    @Test func `are objects as AppKit writes them`() throws {
        for (color, form) in Self.colors {
            let archive = try [ArchiveEncoder().encode(color)]
            #expect(try Plistlib.evaluate("c(top['root'])[0]", in: archive) == "NSColor")
            let found = "{k: v for k, v in sorted(o(top['root']).items()) if k != '$class'}"
            #expect(try Plistlib.evaluate(found, in: archive) == form)
            #expect(try ArchiveDecoder().decode(Color.self, from: archive[0]) == color)
        }
    }

    @Test func `of catalogs have the name and the color`() throws {
        let color = Color(.calibratedWhite, [0], name: "labelColor")
        let archive = try [ArchiveEncoder().encode(color)]
        let found =
            "[o(top['root'])['NSColorSpace']] + [o(o(top['root'])[k]) for k in ('NSCatalogName', 'NSColorName')]"
            + " + [o(o(top['root'])['NSColor'])['NSWhite']]"
        #expect(try Plistlib.evaluate(found, in: archive) == "[6, 'System', 'labelColor', b'0\\x00']")
        #expect(try ArchiveDecoder().decode(Color.self, from: archive[0]) == color)
    }

    private static var style: Style {
        var style = Style()
        style.alignment = .right
        style.lineSpacing = 1.5
        style.paragraphSpacing = 2
        style.paragraphSpacingBefore = 3
        style.firstLineHeadIndent = 4
        style.headIndent = 5
        style.tailIndent = -6
        style.minimumLineHeight = 7
        style.maximumLineHeight = 8
        style.lineHeightMultiple = 1.25
        style.defaultTabInterval = 36
        style.lineBreakMode = .truncatingTail
        style.isRightToLeft = true
        style.tabStops = [.init(10), .init(20, alignment: .center), .init(30, alignment: .right)]
        style.textLists = [.init("{decimal}.", startingNumber: 3), .init("{disc}", prependsEnclosingMarker: true)]
        return style
    }

    @Test func `of paragraphs have the entries that differ from those of the default`() throws {
        let plain = try [ArchiveEncoder().encode(Style())]
        func entries(_ uid: String) -> String {
            "{k: o(v) if isinstance(v, plistlib.UID) else v for k, v in sorted(o(\(uid)).items()) if k != '$class'}"
        }
        #expect(try Plistlib.evaluate(entries("top['root']"), in: plain) == "{'NSAlignment': 4, 'NSTabStops': '$null'}")

        let archive = try [ArchiveEncoder().encode(Self.style)]
        let numbers = "{k: v for k, v in sorted(o(top['root']).items()) if not isinstance(v, plistlib.UID)}"
        #expect(
            try Plistlib.evaluate(numbers, in: archive)
                == "{'NSAlignment': 1, 'NSDefaultTabInterval': 36.0, 'NSFirstLineHeadIndent': 4.0, 'NSHeadIndent': 5.0,"
                + " 'NSLineBreakMode': 4, 'NSLineHeightMultiple': 1.25, 'NSLineSpacing': 1.5, 'NSMaxLineHeight': 8.0,"
                + " 'NSMinLineHeight': 7.0, 'NSParagraphSpacing': 2.0, 'NSParagraphSpacingBefore': 3.0, 'NSTailIndent': -6.0,"
                + " 'NSWritingDirection': 2}")
        let tabs =
            "[[(k, v) for k, v in sorted(o(t).items()) if k != '$class'] for t in o(o(top['root'])['NSTabStops'])['NS.objects']]"
        #expect(
            try Plistlib.evaluate(tabs, in: archive)
                == "[[('NSLocation', 10.0)], [('NSLocation', 20.0), ('NSTextAlignment', 2), ('NSType', 2)],"
                + " [('NSLocation', 30.0), ('NSTextAlignment', 1), ('NSType', 1)]]")
        let lists =
            "[(o(o(t)['NSMarkerFormat']), o(t).get('NSStart'), o(t).get('NSOptions')) for t in o(o(top['root'])['NSTextLists'])['NS.objects']]"
        #expect(try Plistlib.evaluate(lists, in: archive) == "[('{decimal}.', 3, None), ('{disc}', None, 1)]")
        #expect(try ArchiveDecoder().decode(Style.self, from: archive[0]) == Self.style)
    }

    @Test func `are an error in JSON, with what to do`() {
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode([Font("Menlo", size: 12)]) }
        #expect("\(error as Any)".contains("Use ArchiveEncoder"))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Color].self, from: Data("[{}]".utf8)) }
    }

    // MARK: - Details

    private func color(_ entries: PropertyList, _ others: PropertyList..., name: String = "NSColor") throws
        -> KeyedArchive.Value
    {
        guard case .dictionary(var object) = entries else { throw KeyedArchiveObjectMissing() }
        object["$class"] = .uid(2)
        return try KeyedArchive(
            handmadeArchive(top: ["root": .uid(1)], objects: [.dictionary(object), classEntry(name)] + others)
        ).root
    }

    private struct KeyedArchiveObjectMissing: Error {}

    @Test func `keep what else their objects have`() throws {
        let custom = try color(
            [
                "NSColorSpace": 1, "NSRGB": .data(Data("0 0 0.9981889725\0".utf8)),
                "NSComponents": .data(Data("0 0 1 1".utf8)), "NSCustomColorSpace": .uid(3),
            ],
            ["$class": .uid(4), "NSID": 7, "NSICC": .data(Data([1, 2]))], classEntry("NSColorSpace"))
        let read = try custom.decode(Color.self)
        #expect(read == Color(.calibratedRGB, [0, 0, 0.9981889725]))
        let again = try [ArchiveEncoder().encode(read)]
        #expect(
            try Plistlib.evaluate(
                "(o(top['root'])['NSComponents'], o(o(top['root'])['NSCustomColorSpace'])['NSICC'])", in: again)
                == "(b'0 0 1 1', b'\\x01\\x02')")

        let font = try color(
            ["NSName": .uid(3), "NSSize": 11.0, "NSfFlags": 3100, "NSTextStyleDescriptor": .uid(4)], "LucidaGrande",
            ["$class": .uid(5), "x": 1], classEntry("NSFontDescriptor"), name: "NSFont")
        let system = try font.decode(Font.self)
        #expect(system == Font("LucidaGrande", size: 11))
        let other = try [ArchiveEncoder().encode([system, system, Font("LucidaGrande", size: 11)])]
        #expect(
            try Plistlib.evaluate(
                "[(x['NSfFlags'], len(x)) for x in objects if isinstance(x, dict) and 'NSName' in x]", in: other)
                == "[(3100, 5), (16, 4)]")

        let style = try color(
            ["NSAlignment": 4, "NSTabStops": .uid(0), "NSHeaderLevel": 2.0], name: "NSMutableParagraphStyle")
        var paragraph = try style.decode(Style.self)
        #expect(paragraph == Style())
        #expect(
            try Plistlib.evaluate(
                "(c(top['root'])[0], o(top['root'])['NSHeaderLevel'])", in: [ArchiveEncoder().encode(paragraph)])
                == "('NSMutableParagraphStyle', 2.0)")
        paragraph.headIndent = 1
        #expect(
            try Plistlib.evaluate(
                "(c(top['root'])[0], sorted(o(top['root'])))", in: [ArchiveEncoder().encode(paragraph)])
                == "('NSParagraphStyle', ['$class', 'NSAlignment', 'NSHeadIndent', 'NSTabStops'])")
    }

    @Test func `of UIKit are read`() throws {
        let red = try color(
            ["UIRed": 1.0, "UIGreen": 0.5, "UIBlue": 0.0, "UIAlpha": 0.25, "UIColorComponentCount": 4], name: "UIColor")
        #expect(try red.decode(Color.self) == Color(.deviceRGB, [1, 0.5, 0], opacity: 0.25))
        let font = try color(
            ["UIFontName": .uid(3), "UIFontPointSize": 17.0, "UIFontTraits": 2, "UISystemFont": false],
            "Helvetica-Bold", name: "UIFont")
        let read = try font.decode(Font.self)
        #expect(read == Font("Helvetica-Bold", size: 17))
        #expect(
            try Plistlib.evaluate(
                "(c(top['root'])[0], o(top['root'])['UIFontTraits'])", in: [ArchiveEncoder().encode(read)])
                == "('UIFont', 2)")
    }

    @Test(
        arguments: [
            ["NSColorSpace": 10], ["NSColorSpace": 1], ["NSColorSpace": 1, "NSRGB": "1 0 0"], ["NSColorSpace": "1"],
            ["NSColorSpace": 1, "NSRGB": .data(Data("1 0\0".utf8))],
            ["NSColorSpace": 1, "NSRGB": .data(Data("1 0 0 1 1\0".utf8))],
            ["NSColorSpace": 1, "NSRGB": .data(Data("1 0 x\0".utf8))],
            ["NSColorSpace": 3, "NSWhite": .data(Data("nan\0".utf8))],
            ["NSColorSpace": 3, "NSWhite": .data(Data(repeating: 0x30, count: 5000))], ["NSColorSpace": 0],
            ["UIRed": 1.0],
            ["NSColorSpace": 6, "NSCatalogName": .uid(3), "NSColorName": .uid(3), "NSColor": .uid(1)],
        ] as [PropertyList])
    func `in other forms are errors, and unknown objects in a text`(entries: PropertyList) throws {
        let value = try color(entries, "x")
        let error = #expect(throws: DecodingError.self) { try value.decode(Color.self) }
        #expect("\(error as Any)".contains("NSColor"), "\(error as Any)")
        guard case .dictionary(var object) = entries else { return }
        object["$class"] = .uid(2)
        let text = try KeyedArchive(
            handmadeArchive(
                top: ["root": .uid(4)],
                objects: [
                    .dictionary(object), classEntry("NSColor"), "NSColor",
                    ["$class": .uid(5), "NSString": .uid(3), "NSAttributes": .uid(6)], classEntry("NSAttributedString"),
                    ["$class": .uid(7), "NS.keys": [.uid(3)], "NS.objects": [.uid(1)]], classEntry("NSDictionary"),
                ])
        ).root.decode(AttributedText.self)
        #expect((text.runs[0].attributes["NSColor"] as? UnknownObject)?.value.className == "NSColor")
    }

    // MARK: - Typedstreams

    @Test func `are written to typedstreams as AppKit writes them`() throws {
        let font = try SequentialArchiver.archivedData(withRootObject: Font("Times-Roman", size: 18))
        #expect(
            font
                == streamFile(
                    """
                    84 01 '@' 84 84 84 06 'NSFont' 1E 84 84 08 'NSObject' 00 85 84 01 'i' 20
                    84 05 '[32c]' 06 00 00 00 18 00 00 00 FF FE 'T' 00 'i' 00 'm' 00 'e' 00 's' 00 '-' 00 'R' 00 'o' 00 'm' 00 'a' 00 'n' 00
                    84 01 'f' 12 84 01 'c' 00 98 01 98 00 98 00 86
                    """))
        #expect(try SequentialUnarchiver.unarchivedObject(of: Font.self, from: font) == Font("Times-Roman", size: 18))
        let color = try SequentialArchiver.archivedData(withRootObject: Color(.calibratedWhite, [0.5]))
        #expect(
            color
                == streamFile(
                    "84 01 '@' 84 84 84 07 'NSColor' 00 84 84 08 'NSObject' 00 85 84 01 'c' 03 84 02 'ff' 83 00 00 00 3F 01 86"
                ))
        for (color, _) in Self.colors + [(Color(.deviceWhite, [0.5], name: "x"), "")] {
            let read = try SequentialUnarchiver.unarchivedObject(
                of: Color.self, from: SequentialArchiver.archivedData(withRootObject: color))
            #expect(read.space == color.space && read.components == color.components.map { Double(Float($0)) })
            #expect(read.name == color.name && read.opacity == color.opacity)
        }
    }

    @Test func `are two objects in a typedstream if only the ends of their names differ`() throws {
        let fonts = ["Arial-Black", "ArialNarrow"].map { Font($0, size: 12) }
        let text = AttributedText(fonts.map { (text: "a", attributes: ["NSFont": $0]) })
        let read = try AttributedText(SequentialArchiver.archivedData(withRootObject: text))
        #expect(read.parts(with: "NSFont", as: Font.self).map(\.value) == fonts)
    }

    @Test func `of paragraphs have bytes, no tab stops, and a bit for each length in a typedstream`() throws {
        var style = Style()
        style.alignment = .center
        style.lineSpacing = 2
        style.headIndent = 10.5
        let file = try SequentialArchiver.archivedData(withRootObject: style)
        #expect(
            file
                == streamFile(
                    """
                    84 01 '@' 84 84 84 10 'NSParagraphStyle' 00 84 84 08 'NSObject' 00 85
                    84 04 'CC@S' 02 00 85 05 84 04 '[2f]' 02 83 00 00 28 41 86
                    """))
        #expect(try SequentialUnarchiver.unarchivedObject(of: Style.self, from: file) == style)
        let plain = try SequentialArchiver.archivedData(withRootObject: Style())
        #expect(try SequentialUnarchiver.unarchivedObject(of: Style.self, from: plain) == Style())

        var all = Self.style
        #expect(throws: ArchivingError.self) { try SequentialArchiver.archivedData(withRootObject: all) }
        (all.tabStops, all.textLists, all.isRightToLeft) = (nil, [], nil)
        let text = AttributedText([("a", ["NSParagraphStyle": all]), ("b", ["NSParagraphStyle": style])])
        let read = try AttributedText(SequentialArchiver.archivedData(withRootObject: text))
        #expect(read.parts(with: "NSParagraphStyle", as: Style.self).map(\.value) == [all, style])
    }

    @Test func `of paragraphs keep in a typedstream what their values do not have`() throws {
        // The level of a header, in the thirteenth bit.
        let head = """
            84 01 '@' 84 84 84 17 'NSMutableParagraphStyle' 00 84 84 10 'NSParagraphStyle' 00 84 84 08 'NSObject' 00 85
            """
        let file = streamFile("\(head) 84 04 'CC@S' 00 02 85 81 01 10 84 04 '[2f]' 03 02 86")
        var style = try SequentialUnarchiver.unarchivedObject(of: Style.self, from: file)
        #expect(style.lineBreakMode == .clipping && style.lineSpacing == 3)
        #expect(try SequentialArchiver.archivedData(withRootObject: style) == file)
        style.lineSpacing = 4
        let changed = try TypedStream(SequentialArchiver.archivedData(withRootObject: style))
        #expect(changed.objects[0].groups.last?.values == [.array([.float(4)])])
        // An alignment, a mode and a bit that are not known, a number that is missing, and tab stops.
        for contents in [
            "'CC@S' 05 00 85 00", "'CC@S' 00 06 85 00", "'CC@S' 00 00 85 81 00 20 84 04 '[1f]' 01",
            "'CC@S' 00 00 85 01", "'CC@S' 00 00 85 03 84 04 '[1f]' 01", "'CC@S' 00 00 92 00",
        ] {
            let error = #expect(throws: ArchivingError.self) {
                try SequentialUnarchiver.unarchivedObject(
                    of: Style.self, from: streamFile("\(head) 84 04 \(contents) 86"))
            }
            #expect(error?.code == .typeMismatch, "\(contents)")
        }
    }

    @Test(arguments: ["19 00 00 00", "FF FF FF FF", "00 00 00 80", "17 00 00 00", "01 00 00 00", "00 00 00 00"])
    func `with a name of another length are errors`(length: String) throws {
        let font = """
            84 84 84 06 'NSFont' 1E 84 84 08 'NSObject' 00 85 84 01 'i' 20 84 05 '[32c]' 06 00 00 00 \(length)
            FF FE 'T' 00 'i' 00 'm' 00 'e' 00 's' 00 '-' 00 'R' 00 'o' 00 'm' 00 'a' 00 'n' 00
            84 01 'f' 12 84 01 'c' 00 98 01 98 00 98 00 86
            """
        let error = #expect(throws: ArchivingError.self) {
            try SequentialUnarchiver.unarchivedObject(of: Font.self, from: streamFile("84 01 '@' \(font)"))
        }
        #expect(error?.code == .typeMismatch)
    }

    @Test func `of a text are shared in a typedstream`() throws {
        let font = Font("Menlo", size: 12)
        let text = AttributedText([
            ("a", ["NSFont": font]), ("b", ["NSFont": font, "NSColor": Color(.deviceWhite, [1])]),
            ("c", ["NSFont": font, "n": 1]), ("d", ["n": 1, "NSFont": font]),
        ])
        let data = try SequentialArchiver.archivedData(withRootObject: text)
        let stream = try TypedStream(data)
        #expect(stream.objects.filter { stream.className(of: $0) == "NSFont" }.count == 1)
        let read = try AttributedText(data)
        #expect(
            read.parts(with: "NSFont", as: Font.self).map(\.value) == [font]
                && read.parts(with: "NSColor", as: Color.self).map(\.value) == [Color(.deviceWhite, [1])]
                && read.runs.count == 3)
        #expect(try SequentialArchiver.archivedData(withRootObject: read) == data)
    }

    @Test func `that begin alike are not shared`() throws {
        let fonts = [
            "Helvetica-Bold", "Helvetica-Thin", String(repeating: "a", count: 5000),
            String(repeating: "a", count: 4999) + "b",
        ].map { Font($0, size: 12) }
        let styles = [1.0, 2].map { interval in
            var style = Style()
            (style.lineSpacing, style.paragraphSpacing, style.headIndent) = (0.12345678, 0.12345678, 0.12345678)
            (style.tailIndent, style.firstLineHeadIndent) = (-0.12345678, 0.12345678)
            (style.minimumLineHeight, style.maximumLineHeight) = (0.12345678, 0.12345678)
            style.defaultTabInterval = interval
            return style
        }
        let text = AttributedText(
            fonts.map { ("a", ["NSFont": $0]) } + styles.map { ("b", ["NSParagraphStyle": $0]) })
        let read = try AttributedText(SequentialArchiver.archivedData(withRootObject: text))
        #expect(read.parts(with: "NSFont", as: Font.self).map(\.value) == fonts)
        #expect(read.parts(with: "NSParagraphStyle", as: Style.self).map(\.value.defaultTabInterval) == [1, 2])
    }
}
