// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

/// Every text with attributes in the archives of other programs, and what other readers find in those that this library writes.
@Suite(.inTurn, .needs(.corpus))
struct `Texts with attributes of other programs` {
    /// The objects of a keyed archive that have the keys of an NSAttributedString.
    private func texts(_ data: Data) -> [KeyedArchive.Value] {
        guard let archive = try? KeyedArchive(data) else { return [] }
        return archive.objects.filter { $0.class?.chain.contains("NSAttributedString") == true }
    }

    @Test(arguments: Corpus.names) func `in keyed archives are read, and are the same after writing`(name: String)
        throws
    {
        for value in texts(try Corpus.data(name)) {
            let text = try value.decode(AttributedText.self)
            #expect(text.string == value["NSString"]?.string)
            let written = try ArchiveEncoder().encode(text)
            let again = try ArchiveDecoder().decode(AttributedText.self, from: written)
            #expect(description(of: again) == description(of: text))
            // The objects of the attributes are those of the file.
            let root = try KeyedArchive(written).root
            if value["NSAttributeInfo"] == nil, let attributes = value["NSAttributes"], value["NSString"]?.string != ""
            {
                #expect(tree(try #require(root["NSAttributes"])) == tree(attributes))
            }
        }
    }

    @Test func `in keyed archives are as many as plistlib finds`() throws {
        let count = try Corpus.names.reduce(0) { try $0 + texts(Corpus.data($1)).count }
        // Without archives inside archives: 32 immutable ones, 1 mutable one, and 22 text storages.
        #expect(count == 55)
    }

    @Test(arguments: Corpus.names.filter { $0.hasSuffix("typedstream") })
    func `in typedstreams are read, and are the same after writing`(name: String) throws {
        guard let stream = try? TypedStream(Corpus.data(name)) else { return }
        guard let group = stream.groups.first, case .object(let index?)? = group.values.first,
            stream.classChain(of: stream.objects[index]).contains(where: { $0.name == "NSAttributedString" })
        else { return }
        let text = try AttributedText(Corpus.data(name))
        let again = try AttributedText(SequentialArchiver.archivedData(withRootObject: text))
        #expect(description(of: again) == description(of: text))
        let keyed = try ArchiveDecoder().decode(AttributedText.self, from: ArchiveEncoder().encode(text))
        #expect(description(of: keyed) == description(of: text))
    }

    @Test(arguments: Corpus.names.filter { $0.hasSuffix("typedstream") })
    func `in typedstreams have fonts and colors that are written as they were`(name: String) throws {
        guard let stream = try? TypedStream(Corpus.data(name)) else { return }
        for (index, object) in stream.objects.enumerated() {
            let name = stream.className(of: object)
            guard name == "NSFont" || name == "NSColor" else { continue }
            var part = stream
            part.groups = [TypedStream.Group([.object], [.object(index)])]
            let data = try part.data()
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            if name == "NSFont" {
                let font = try unarchiver.decode(AttributedText.Font.self)
                #expect(font.size > 0 && !font.name.isEmpty)
                #expect(try contents(of: SequentialArchiver.archivedData(withRootObject: font)) == contents(of: data))
            } else {
                let color = try unarchiver.decode(AttributedText.Color.self)
                #expect(color.components.allSatisfy { (0...1).contains($0) })
                #expect(try contents(of: SequentialArchiver.archivedData(withRootObject: color)) == contents(of: data))
            }
        }
    }

    /// The root object, by its classes and its values, with those that it refers to.
    private func contents(of data: Data) throws -> String {
        let stream = try TypedStream(data)
        func text(_ value: TypedStream.Value) -> String {
            guard case .object(let index?) = value else { return "\(value)" }
            let object = stream.objects[index]
            return
                "\(stream.classChain(of: object).map { "\($0.name) \($0.version)" }) \(object.groups.map { "\($0.types) \($0.values.map(text))" })"
        }
        return try text(#require(stream.groups.first?.values.first))
    }

    private func tree(_ value: KeyedArchive.Value, depth: Int = 0) -> String {
        guard depth < 12 else { return "…" }
        switch value.kind {
        case .object:
            // A reader gets the same from mutable forms, and from entries in any order.
            let name = (value.className ?? "").replacing(
                "Mutable", with: value.className?.contains("ParagraphStyle") == true ? "Mutable" : "")
            if name == "NSDictionary" {
                return
                    "{\(value.entries.map { "\($0.key.string ?? ""): \(tree($0.value, depth: depth + 1))" }.sorted())}"
            }
            if let text = value.string { return text }
            return "\(name) \(value.fields.map { "\($0.key): \(tree($0.value, depth: depth + 1))" }.sorted())"
        case .array, .set: return "\(value.elements.map { tree($0, depth: depth + 1) })"
        default:
            return
                "\(value.kind) \(value.string ?? "")\(value.double.map { "\($0)" } ?? "")\(value.data?.base64EncodedString() ?? "")\(value.boolean.map { "\($0)" } ?? "")"
        }
    }
}

@Suite(.inTurn) struct `Texts with attributes for other readers` {
    private static var text: AttributedText {
        AttributedText([
            ("Hi ", ["size": 12, "name": "Menlo"]), ("🐓", [:]),
            ("link", ["NSLink": URL(filePath: "/a b"), "size": 1.5]),
            ("!", ["list": [1, "x"] as [Any], "bold": true]),
        ])
    }

    @Test func `are what Foundation reads`() throws {
        let text = try withFoundationUnarchiver(of: ArchiveEncoder().encode(Self.text)) { unarchiver in
            try #require(unarchiver.decodeObject(of: NSAttributedString.self, forKey: NSKeyedArchiveRootObjectKey))
        }
        #expect(text.string == "Hi 🐓link!")
        var runs: [String] = []
        text.enumerateAttributes(in: NSRange(location: 0, length: text.length)) { attributes, range, _ in
            runs.append(
                "\(range.location)+\(range.length) \(attributes.map { "\($0.key.rawValue)=\($0.value)" }.sorted())")
        }
        #expect(
            runs == [
                "0+3 [\"name=Menlo\", \"size=12\"]", "3+2 []", "5+4 [\"NSLink=file:///a%20b\", \"size=1.5\"]",
                "9+1 [\"bold=true\", \"list=[1, \\\"x\\\"]\"]",
            ])
    }

    @Test func `are read as Foundation writes them`() throws {
        let text = NSMutableAttributedString(string: "abcd")
        text.addAttribute(
            NSAttributedString.Key("n"), value: NSNumber(value: 7), range: NSRange(location: 1, length: 2))
        let read = try ArchiveDecoder().decode(AttributedText.self, from: foundationArchive(of: text))
        #expect(read.runs.map { "\(read.string[$0.range]) \($0.attributes)" } == ["a [:]", "bc [\"n\": 7]", "d [:]"])
    }

    @Test(.needs(.gnustep)) func `are what GNUstep reads`() throws {
        let found = try GNUstepPeers.read(ArchiveEncoder().encode(Self.text))
        #expect(
            found == "Hi {name = Menlo; size = 12; }🐓{}link{NSLink = \"file:///a%20b\"; size = \"1.5\"; }"
                + "!{bold = 1; list = (1, x); }")
    }
}

private func description(of text: AttributedText) -> [String] {
    text.runs.map { run in
        let attributes = run.attributes.map { name, value in
            let isOpaque = "\(type(of: value))" != "Array<Any>" && !(value is any Comparable)
            let kind =
                (value as? UnknownObject)?.value.className ?? (value as? UnknownSequentialObject)?.className
                ?? (isOpaque ? (value as? AnyHashable).map { "\($0.hashValue)" } : nil) ?? "\(value)"
            return "\(name): \(type(of: value)) \(kind)"
        }
        return "\(text.string[run.range]) \(attributes.sorted())"
    }
}
