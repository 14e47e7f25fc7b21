// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `An XML property list that is written` {
    private func xml(_ list: PropertyList) throws -> String {
        try String(decoding: list.data(format: .xml), as: UTF8.self)
    }

    /// The text of `list` within `<plist>`.
    private func body(_ list: PropertyList) throws -> String {
        let lines = try xml(list).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.suffix(2) == ["</plist>", ""])
        return lines.dropFirst(3).dropLast(2).joined(separator: "\n")
    }

    @Test func `is laid out like Apple's`() throws {
        #expect(try xml(XMLSample.list) == XMLSample.text)
    }

    @Test func `has uids as CoreFoundation writes them`() throws {
        #expect(try body(.uid(7)) == "<dict>\n\t<key>CF$UID</key>\n\t<integer>7</integer>\n</dict>")
        #expect(
            try body([.uid(.max)])
                == "<array>\n\t<dict>\n\t\t<key>CF$UID</key>\n\t\t<integer>4294967295</integer>\n\t</dict>\n</array>")
    }

    @Test(
        arguments: [
            ("0", 0), ("-1", -1), ("18446744073709551615", .integer(Int128(UInt64.max))),
            ("-170141183460469231731687303715884105728", .integer(.min)),
            ("170141183460469231731687303715884105727", .integer(.max)),
        ] as [(String, PropertyList)])
    func `has integers exactly`(text: String, list: PropertyList) throws {
        #expect(try body(list) == "<integer>\(text)</integer>")
        #expect(try PropertyList(list.data(format: .xml)) == list)
    }

    @Test(arguments: [
        ("0.0", 0), ("-0.0", -0.0), ("3", 3), ("-70000", -70_000), ("0.1", 0.1), ("1e-05", 1e-5),
        ("5e-324", .leastNonzeroMagnitude), ("1e+16", 1e16),
        ("1.7976931348623157e+308", .greatestFiniteMagnitude), ("inf", .infinity), ("-inf", -.infinity), ("nan", .nan),
    ])
    func `has reals in the fewest digits`(text: String, value: Double) throws {
        #expect(try body(.real(value)) == "<real>\(text)</real>")
        #expect(try PropertyList(PropertyList.real(value).data(format: .xml)) == .real(value))
    }

    @Test func `has 32-bit reals as the 64-bit reals that they equal, and every NaN as one`() throws {
        #expect(try body(.real32(0.1)) == "<real>0.10000000149011612</real>")
        #expect(try body(.real32(1.5)) == "<real>1.5</real>")
        #expect(try body(.real32(-.nan)) == "<real>nan</real>")
        #expect(try body(.real(Double(bitPattern: 0xFFF8_0000_0000_0001))) == "<real>nan</real>")
    }

    @Test(arguments: [
        (0, "2001-01-01T00:00:00Z"), (0.999, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59Z"),
        (549_824_400, "2018-06-04T17:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
        (-63_113_904_001, "0000-12-31T23:59:59Z"), (-63_145_526_401, "-0001-12-31T23:59:59Z"),
        (252_423_993_600, "10000-01-01T00:00:00Z"), (9_007_199_254_740_992, "285428782-11-12T07:36:32Z"),
        (-9_007_199_254_740_992, "-285424781-02-20T16:23:28Z"),
    ])
    func `has dates as whole seconds`(seconds: Double, text: String) throws {
        let date = PropertyList.date(Date(timeIntervalSinceReferenceDate: seconds))
        #expect(try body(date) == "<date>\(text)</date>")
        let read = try PropertyList(date.data(format: .xml))
        #expect(read == .date(Date(timeIntervalSinceReferenceDate: seconds.rounded(.down))))
    }

    @Test(
        arguments: [
            .null, .set([]), .set([1]), .date(Date(timeIntervalSinceReferenceDate: .nan)),
            .date(Date(timeIntervalSinceReferenceDate: .infinity)),
            .date(Date(timeIntervalSinceReferenceDate: -.infinity)),
            .date(Date(timeIntervalSinceReferenceDate: 1e17)), .date(Date(timeIntervalSinceReferenceDate: -0x1p63)),
            .date(Date(timeIntervalSinceReferenceDate: 0x1p63)),
        ] as [PropertyList])
    func `is refused where XML has nothing for it`(list: PropertyList) throws {
        let error = #expect(throws: PropertyListError.self) { try list.data(format: .xml) }
        #expect(error?.code == .unrepresentableInXML)
        #expect(try PropertyList(list.data(format: .binary)) == list)
    }

    @Test(arguments: [
        ("&<>\"'", "&amp;&lt;&gt;\"'"), ("a\r\nb\rc", "a&#13;\nb&#13;c"), ("\t\n ", "\t\n "), ("]]>", "]]&gt;"),
        ("é 日本 𝄞", "é 日本 𝄞"), ("\u{7F}\u{85}", "\u{7F}\u{85}"), ("e\u{301}\u{FFFD}", "e\u{301}\u{FFFD}"),
        ("\u{FFFC}\u{1FFFE}\u{10FFFF}", "\u{FFFC}\u{1FFFE}\u{10FFFF}"),
    ])
    func `has strings that read as they were`(string: String, text: String) throws {
        #expect(try body(.string(string)).utf8.elementsEqual("<string>\(text)</string>".utf8))
        let list = try PropertyList(PropertyList.dictionary([string: .string(string)]).data(format: .xml))
        guard case .dictionary(let dictionary) = list, case .string(let value) = dictionary.first?.value else {
            Issue.record("no dictionary with a string")
            return
        }
        #expect(value.utf8.elementsEqual(string.utf8))
        #expect(dictionary.first?.key.utf8.elementsEqual(string.utf8) == true)
    }

    /// U+0000 to U+001F without tab, line feed and carriage return, and U+FFFE and U+FFFF.
    static let missing: [Unicode.Scalar] =
        (0..<0x20).filter { ![9, 10, 13].contains($0) }.compactMap { Unicode.Scalar($0) } + ["\u{FFFE}", "\u{FFFF}"]

    @Test(arguments: missing)
    func `is refused with a character that XML does not have`(character: Unicode.Scalar) throws {
        for (before, after) in [("", ""), ("a\r<", "b"), ("é日", "𝄞")] {
            let text = before + String(character) + after
            let value: PropertyList = ["a": [1, ["b": .string(text)]]]
            let error = try #require(throws: PropertyListError.self) { try value.data(format: .xml) }
            #expect(error.code == .unrepresentableInXML)
            #expect(error.character == character)
            #expect(error.codingPath.map(\.stringValue) == ["a", "Index 1", "b"])
            let key = try #require(throws: PropertyListError.self) {
                try PropertyList.array([["x": 1, text: 1]]).data(format: .xml)
            }
            #expect(key.code == .unrepresentableInXML && key.character == character)
            #expect(key.codingPath.map(\.stringValue) == ["Index 0", text])
            // The binary format has it.
            #expect(try PropertyList(value.data()) == value)
        }
    }

    @Test func `names the character, the place and the remedy in its errors`() {
        let list: PropertyList = ["notes": ["fine", "a\u{7}"]]
        let error = #expect(throws: PropertyListError.self) { try list.data(format: .xml) }
        #expect(
            error?.description
                == "The string at \"notes[1]\" cannot be written as XML, which has no character U+0007. Remove the character,"
                + " or write the binary format")
        let null = #expect(throws: PropertyListError.self) { try PropertyList.array([1, .null]).data(format: .xml) }
        #expect(
            null?.description
                == "The value at \"[1]\" cannot be written as XML: there is no element for null. Write the binary format"
        )
    }

    @Test func `has U+FFFD for characters that were replaced`() throws {
        let list: PropertyList = [
            "a\0": ["\u{7}b\u{1B}", .set(["\u{FFFF}"]), "fine\t\r\n"], "a\u{FFFD}": "e\u{301}\u{FFFE}", "n": .null,
            "e": [],
        ]
        let (replaced, count) = list.replacingCharactersUnrepresentableInXML()
        #expect(count == 5)
        #expect(
            replaced
                == .dictionary([
                    "a\u{FFFD}": ["\u{FFFD}b\u{FFFD}", .set(["\u{FFFD}"]), "fine\t\r\n"],
                    "a\u{FFFD}": "e\u{301}\u{FFFD}", "n": .null, "e": [],
                ]))
        #expect(replaced.replacingCharactersUnrepresentableInXML().count == 0)
        for missing in Self.missing {
            let (text, count) = PropertyList.string("x" + String(missing)).replacingCharactersUnrepresentableInXML()
            #expect(count == 1)
            #expect(try PropertyList(text.data(format: .xml)) == "x\u{FFFD}")
        }
    }

    @Test func `has U+FFFD for a surrogate without its partner`() throws {
        let binary = BinaryFile(hex("61d800")).bytes
        let xml = try XMLPropertyListWriter.xml(of: BinaryPropertyListReader(StoredBytes(Data(binary))))
        let written = String(decoding: xml, as: UTF8.self)
        #expect(written.contains("<string>\u{FFFD}</string>"))
    }

    @Test(arguments: 0...100)
    func `has data of every length in lines of 76 characters with the tabs`(count: Int) throws {
        var list = PropertyList.data(Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }))
        for depth in 0...10 {
            let text = try body(list)
            for line in text.split(separator: "\n") where !line.contains("<") {
                let tabs = line.prefix { $0 == "\t" }.count
                #expect(tabs == min(depth, 8))
                #expect(line.count - tabs <= 76 - 8 * tabs)
            }
            #expect(try PropertyList(list.data(format: .xml)) == list)
            list = [list]
        }
    }

    @Test func `has an object at each place that refers to it`() throws {
        let file = BinaryFile(hex("a30101 02"), hex("a102"), hex("5161"))
        let written = try xml(propertyList(file.bytes))
        #expect(try propertyList(xml: written) == [["a"], ["a"], "a"])
    }

    @Test(arguments: ["09", "1001", "a0", "8001"])
    func `is refused where a key is no string`(key: String) {
        let binary = BinaryFile(hex("d10102"), hex(key), hex("09")).bytes
        #expect(throws: PropertyListError(.nonStringKey, at: 8)) {
            try XMLPropertyListWriter.xml(of: BinaryPropertyListReader(StoredBytes(Data(binary))))
        }
    }

    @Test(arguments: ["a100", "a20100", "d10100"])
    func `is refused where a container is in itself`(container: String) {
        let binary = BinaryFile(hex(container), hex("5161")).bytes
        let error = #expect(throws: PropertyListError.self) {
            try XMLPropertyListWriter.xml(of: BinaryPropertyListReader(StoredBytes(Data(binary))))
        }
        #expect(error?.defect == .nestedTooDeep)
    }
}
