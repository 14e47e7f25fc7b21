// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

private final class Thing: SequentialCoding {
    init() {}
    init(coder: SequentialUnarchiver) throws {}
    func encode(with coder: SequentialArchiver) throws {}
}

@Suite(.inTurn) struct `A text with attributes in a keyed archive` {
    private static let bold = AttributedText.Font("Helvetica-Bold", size: 14)
    private static let red = AttributedText.Color(.calibratedRGB, [1, 0, 0.5])
    private static let link = URL(filePath: "/a b")

    /// Five parts, of which the second and the third, and the first and the last are alike. The bird has two units of UTF-16.
    private static var text: AttributedText {
        AttributedText([
            ("Hi ", ["NSFont": bold]), ("🐓", ["NSFont": bold, "NSColor": red]),
            ("!", ["NSColor": red, "NSFont": bold]),
            ("", ["NSKern": 2.0]), (" Bo ", [:]), ("see", ["NSLink": link, "NSUnderline": 1]),
            (".", ["NSFont": bold]),
        ])
    }

    // MARK: - Writing

    @Test func `has the objects that Apple's frameworks write, with equal attributes once`() throws {
        let archives = try [ArchiveEncoder().encode(Self.text)]
        func found(_ expression: String) throws -> String { try Plistlib.evaluate(expression, in: archives) }
        #expect(try found("c(top['root'])") == "['NSAttributedString', 'NSObject']")
        #expect(try found("o(o(top['root'])['NSString'])") == "Hi 🐓! Bo see.")
        #expect(try found("list(o(o(top['root'])['NSAttributeInfo']))") == "[3, 0, 3, 1, 4, 2, 3, 3, 1, 0]")
        #expect(
            try found("[[o(k) for k in o(d)['NS.keys']] for d in o(o(top['root'])['NSAttributes'])['NS.objects']]")
                == "[['NSFont'], ['NSColor', 'NSFont'], [], ['NSLink', 'NSUnderline']]")
        let font = "[x for x in objects if isinstance(x, dict) and 'NSName' in x]"
        #expect(
            try found("[(o(f['NSName']), f['NSSize'], f['NSfFlags'], len(f)) for f in \(font)]")
                == "[('Helvetica-Bold', 14.0, 16, 4)]")
        let color = "[x for x in objects if isinstance(x, dict) and 'NSRGB' in x]"
        #expect(
            try found("[(f['NSColorSpace'], f['NSRGB'], o(f['$class'])['$classes']) for f in \(color)]")
                == "[(1, b'1 0 0.5\\x00', ['NSColor', 'NSObject'])]")
    }

    @Test func `has one dictionary if it has one run, and none if it is empty`() throws {
        let one = try [ArchiveEncoder().encode(AttributedText([("a", ["b": true]), ("c", ["b": true])]))]
        #expect(try Plistlib.evaluate("sorted(o(top['root']))", in: one) == "['$class', 'NSAttributes', 'NSString']")
        #expect(try Plistlib.evaluate("c(o(top['root'])['NSAttributes'])[0]", in: one) == "NSDictionary")
        let empty = try [ArchiveEncoder().encode(AttributedText(""))]
        #expect(try Plistlib.evaluate("sorted(o(top['root']))", in: empty) == "['$class', 'NSString']")
    }

    @Test func `tells numbers of other kinds apart`() throws {
        let text = AttributedText([("a", ["n": 1]), ("b", ["n": 1.0]), ("c", ["n": true]), ("d", ["n": 1])])
        let read = try ArchiveDecoder().decode(AttributedText.self, from: ArchiveEncoder().encode(text))
        #expect(read.runs.map { "\($0.attributes["n"] ?? 0)" } == ["1", "1.0", "true", "1"])
    }

    // MARK: - Reading

    private func check(_ read: AttributedText, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(description(of: read) == description(of: Self.text.merged), sourceLocation: sourceLocation)
    }

    @Test func `comes back at the root, as a property, in collections and from a KeyedArchiver`() throws {
        struct Note: Codable {
            var title: AttributedText
            var subtitle: AttributedText?
            var parts: [AttributedText]
        }
        check(try ArchiveDecoder().decode(AttributedText.self, from: ArchiveEncoder().encode(Self.text)))
        let note = Note(title: Self.text, subtitle: nil, parts: [Self.text, AttributedText("x")])
        let read = try ArchiveDecoder().decode(Note.self, from: ArchiveEncoder().encode(note))
        check(read.title)
        check(read.parts[0])
        #expect(read.subtitle == nil && read.parts[1].string == "x" && read.parts[1].runs[0].attributes.isEmpty)

        let archiver = KeyedArchiver()
        try archiver.encode(Self.text, forKey: "text")
        try archiver.encodeObject(Self.text, forKey: "any")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        check(try unarchiver.decode(AttributedText.self, forKey: "text"))
        check(try #require(try unarchiver.decodeObject(of: [AttributedText.self], forKey: "any") as? AttributedText))
    }

    @Test func `is decoded if a list has it or it is registered, and otherwise the error says so`() throws {
        let data = try keyedArchive {
            try $0.encodeObject(Self.text, forKey: "text")
            try $0.encodeObject([Self.text], forKey: "list")
        }
        func open(registering types: [any Any.Type] = []) throws -> KeyedUnarchiver {
            try keyedUnarchiver(data, requiringSecureCoding: false, registering: types)
        }
        let errors = [
            try archivingError { try open().decodeObject(of: [], forKey: "text") },
            try archivingError { try open().decodeObject(of: [String.self], forKey: "text") },
            try archivingError { try open().decodeObject(forKey: "text") },
        ]
        for error in errors {
            let sentence = "\(error)"
            #expect(error.code == .classNotAllowed && sentence.contains("Found an object of class NSAttributedString"))
            #expect(sentence.hasSuffix("Import AttributedTexts and list AttributedText.self"), "\(sentence)")
        }
        let unknown = try open().decodeObject(of: [UnknownObject.self], forKey: "text") as? UnknownObject
        #expect(unknown?.value["NSString"]?.string == Self.text.string)

        let registered = try open(registering: [AttributedText.self])
        check(try #require(try registered.decodeObject(forKey: "text") as? AttributedText))
        let list = try #require(try registered.decodeObject(forKey: "list") as? [Any])
        check(try #require(list.first as? AttributedText))

        let keeping = try open()
        keeping.classes.unknownClasses = .placeholder
        #expect(try keeping.decodeObject(forKey: "text") is UnknownObject)
    }

    @Test func `returns fonts, colors, links and paragraph styles`() throws {
        var style = AttributedText.ParagraphStyle()
        style.alignment = .center
        let text = AttributedText([
            ("a", ["NSParagraphStyle": style]), ("b", ["NSParagraphStyle": style, "NSLink": "https://b.c"]),
        ])
        let read = try ArchiveDecoder().decode(AttributedText.self, from: ArchiveEncoder().encode(text))
        #expect(
            read.parts(with: "NSParagraphStyle", as: AttributedText.ParagraphStyle.self).map(\.value) == [style]
                && read.string[read.parts(with: "NSParagraphStyle", as: AttributedText.ParagraphStyle.self)[0].range]
                    == "ab"
        )
        #expect(read.links.map(\.value.absoluteString) == ["https://b.c"])
        let other = try ArchiveDecoder().decode(AttributedText.self, from: ArchiveEncoder().encode(Self.text))
        #expect(
            other.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value) == [Self.bold, Self.bold]
                && other.parts(with: "NSColor", as: AttributedText.Color.self).map(\.value) == [Self.red])
        #expect(other.links.map(\.value) == [Self.link])
    }

    @Test func `holds values of all kinds`() throws {
        let values: [String: Any] = [
            "a": "x", "b": Int.min, "c": 0.1, "d": false, "e": Data([1]), "f": Date(timeIntervalSince1970: 0),
            "g": [1, "y", [2.5]] as [Any], "h": ["k": [true]] as [AnyHashable: Any],
            "i": AttributedText([("z", ["q": 1])]),
            "j": UInt.max, "k": Set<AnyHashable>([7]),
        ]
        let text = AttributedText([("t", values)])
        let read = try ArchiveDecoder().decode(AttributedText.self, from: ArchiveEncoder().encode(text))
        #expect(description(of: read) == description(of: text))
    }

    @Test func `reads mutable forms, strings and nil`() throws {
        let archive = try openArchive(
            ["$class": .uid(2), "NSString": .uid(3), "NSAttributes": .uid(5)],
            classEntry("NSMutableAttributedString", "NSAttributedString"),
            ["$class": .uid(4), "NS.string": "ab"], classEntry("NSMutableString", "NSString"),
            ["$class": .uid(6), "NS.keys": [.uid(7)], "NS.objects": [.uid(8)]],
            classEntry("NSMutableDictionary", "NSDictionary"),
            "name", ["$class": .uid(9)], classEntry("NSNull"))
        let read = try archive.root.decode(AttributedText.self)
        #expect(read.string == "ab" && read.runs.count == 1)
        #expect(read.runs[0].attributes["name"].map { "\($0)" } == "nil")
        #expect(
            try ArchiveDecoder().decode(AttributedText.self, from: ArchiveEncoder().encode("plain")).string == "plain")
        let again = try [ArchiveEncoder().encode(read)]
        #expect(
            try Plistlib.evaluate("c(o(o(top['root'])['NSAttributes'])['NS.objects'][0])", in: again)
                == "['NSNull', 'NSObject']")
    }

    // MARK: - Other coders

    @Test func `is an error in JSON, with what to do`() {
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(["text": Self.text]) }
        #expect("\(error as Any)".contains("other coders can have the `string` of a text"))
        let json = Data("[{}]".utf8)
        let other = #expect(throws: DecodingError.self) { () throws -> Void in
            let _: [AttributedText] = try JSONDecoder().decode([AttributedText].self, from: json)
        }
        #expect("\(other as Any)".contains("other coders can have the `string` of a text"))
    }

    @Test func `of a keyed archive with unknown objects is an error in a typedstream, and the other way round`() throws
    {
        let keyed = try openArchive(
            ["$class": .uid(2), "NSString": .uid(3), "NSAttributes": .uid(4)], classEntry("NSAttributedString"), "a",
            ["$class": .uid(5), "NS.keys": [.uid(6)], "NS.objects": [.uid(7)]], classEntry("NSDictionary"), "NSShadow",
            ["$class": .uid(8), "NSShadowBlurRadius": 8.0], classEntry("NSShadow")
        ).root.decode(AttributedText.self)
        let unknown = try #require(keyed.runs[0].attributes["NSShadow"] as? UnknownObject)
        #expect(unknown.value.className == "NSShadow")
        let again = try [ArchiveEncoder().encode(keyed)]
        #expect(
            try Plistlib.evaluate("[x['NSShadowBlurRadius'] for x in objects if 'NSShadowBlurRadius' in x]", in: again)
                == "[8.0]")
        let error = #expect(throws: ArchivingError.self) {
            try SequentialArchiver.archivedData(withRootObject: keyed)
        }
        #expect(
            error?.code == .notEncodable
                && "\(error as Any)".contains("the attribute NSShadow. Only a keyed archive can hold it"))

        let file = try SequentialArchiver.archivedData(withRootObject: AttributedText([("a", ["b": Thing()])]))
        let text = try AttributedText(file)
        #expect(text.runs[0].attributes["b"] is UnknownSequentialObject)
        #expect(try SequentialArchiver.archivedData(withRootObject: text) == file)
        let other = #expect(throws: (any Error).self) { try ArchiveEncoder().encode(text) }
        #expect("\(other as Any)".contains("Only a typedstream can hold it"), "\(other as Any)")
    }

    private struct Forwarding: Codable {
        let text: AttributedText

        init(_ text: AttributedText) { self.text = text }
        init(from decoder: any Decoder) throws { text = try AttributedText(from: decoder) }
        func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
    }

    @Test func `is written and read by a value that passes its coder on`() throws {
        let link = URL(string: "https://example.com")
        let text = AttributedText([("a", ["NSLink": link as Any]), ("b", [:])])
        let data = try ArchiveEncoder().encode([Forwarding(text)])
        #expect(try KeyedArchive(data).root.elements.first?.className == "NSAttributedString")
        let read = try ArchiveDecoder().decode([Forwarding].self, from: data)[0].text
        #expect(read.string == "ab" && read.links.map(\.value) == [link])
    }

    // MARK: - Damage

    private func text(_ string: PropertyList, _ info: [UInt8], count: Int = 1) throws -> AttributedText {
        let dictionaries = (0..<count).map { _ in PropertyList.uid(6) }
        return try openArchive(
            ["$class": .uid(2), "NSString": .uid(3), "NSAttributes": .uid(4), "NSAttributeInfo": .uid(8)],
            classEntry("NSAttributedString"), string, ["$class": .uid(5), "NS.objects": .array(dictionaries)],
            classEntry("NSArray"),
            ["$class": .uid(7), "NS.keys": [], "NS.objects": []], classEntry("NSDictionary"), .data(Data(info))
        ).root.decode(AttributedText.self)
    }

    @Test func `reads runs in the form of the file`() throws {
        #expect(try text("abc", [1, 0, 2, 0]).runs.count == 2)
        #expect(try text("abc", [1, 0, 0, 0, 2, 0]).runs.count == 2)
        #expect(try text(.string(String(repeating: "a", count: 300)), [0xAC, 0x02, 0]).runs.count == 1)
        #expect(try text("", []).runs.isEmpty)
    }

    @Test(
        arguments: [
            ([4, 0], "add up"), ([1, 0, 3, 0], "add up"),
            ([3, 1], "positions in NSAttributes"),
            ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0], "add up"), ([3], "pairs"),
            ([3, 0, 1], "pairs"), ([0x83], "pairs"),
            ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 0], "pairs"),
            ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0], "add up"),
            ([3, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], "positions"),
        ] as [([UInt8], String)])
    func `with wrong runs is an error with its uid`(info: [UInt8], sentence: String) {
        let error = #expect(throws: DecodingError.self) { try text("abc", info) }
        #expect("\(error as Any)".contains(sentence) && "\(error as Any)".contains("uid 1"), "\(error as Any)")
    }

    @Test(arguments: [([], []), ([2, 0], [2]), ([1, 0, 1, 0], [1, 1])] as [([UInt8], [Int])])
    func `with runs that end before it is read, with an error for the runs`(info: [UInt8], lengths: [Int]) throws {
        let read = try text("abc", info)
        #expect(read.string == "abc")
        #expect(read.runs.map { "abc"[$0.range].count } == lengths + [3 - lengths.reduce(0, +)])
        #expect(read.runs.last?.attributes.isEmpty == true)
        let error = try #require(read.runsError)
        #expect("\(error)".contains("NSAttributeInfo of the object at uid 1 is not lengths of runs that add up"))
        #expect(try text("abc", [3, 0]).runsError == nil)
    }

    @Test func `in a text in a text without end is an error`() throws {
        let archive = try openArchive(
            ["$class": .uid(2), "NSString": .uid(3), "NSAttributes": .uid(4)], classEntry("NSAttributedString"), "a",
            ["$class": .uid(5), "NS.keys": [.uid(3)], "NS.objects": [.uid(1)]], classEntry("NSDictionary"))
        let error = #expect(throws: DecodingError.self) { try archive.root.decode(AttributedText.self) }
        #expect("\(error as Any)".contains("the value with uid 1 contains itself"))
    }
}

extension AttributedText {
    /// The text with adjacent runs of the same attributes as one.
    fileprivate var merged: AttributedText {
        var parts: [(text: String, attributes: [String: Any])] = []
        for run in runs {
            let text = String(string[run.range])
            if let last = parts.last, sorted(last.attributes) == sorted(run.attributes) {
                parts[parts.count - 1].text += text
            } else {
                parts.append((text, run.attributes))
            }
        }
        return AttributedText(parts)
    }
}

private func sorted(_ attributes: [String: Any]) -> [String] {
    attributes.map {
        "\($0.key): \(type(of: $0.value)) \(($0.value as? AttributedText).map { description(of: $0).description } ?? "\($0.value)")"
    }.sorted()
}

private func description(of text: AttributedText) -> [String] {
    text.runs.map { "\(text.string[$0.range]) \(sorted($0.attributes))" }
}
