// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

/// What `An XML property list that is written` reads back is left out of the tables here.
@Suite(.inTurn) struct `An XML property list that is read` {
    @Test func `says what every kind of element says`() throws {
        let list = try propertyList(xml: XMLSample.text)
        #expect(list == XMLSample.list)
        guard case .dictionary(let dictionary) = list else {
            Issue.record("no dictionary")
            return
        }
        #expect(dictionary.keys == XMLSample.keys)
    }

    @Test(
        arguments: [
            ("-0", 0), ("+1", 1), (" \n12\t", 12), ("- 5", -5), ("007", 7), ("0x0", 0), ("0xfF", 255), ("-0X10", -16),
            ("9223372036854775807", .integer(Int128(Int64.max))),
            ("-9223372036854775809", .integer(Int128(Int64.min) - 1)),
            ("0x7fffffffffffffffffffffffffffffff", .integer(.max)), ("&#49;<!-- a comment -->2", 12),
        ] as [(String, PropertyList)])
    func `has integers of up to 128 bits`(text: String, expected: PropertyList) throws {
        #expect(try propertyList(xml: "<plist><integer>\(text)</integer></plist>") == expected)
    }

    @Test(arguments: [
        ("0", 0.0), ("1.5", 1.5), ("+1.5", 1.5), (" 1e3\n", 1000), ("1E-2", 0.01), (".5", 0.5), ("5.", 5),
        ("17.5000000000000000", 17.5), ("0.10000000000000001", 0.1), ("1e999", .infinity), ("NaN", .nan),
        ("+inf", .infinity), ("Infinity", .infinity), ("+INFINITY", .infinity), ("-infinity", -.infinity),
        ("4.9e-324", .leastNonzeroMagnitude),
    ])
    func `has reals as CoreFoundation spells them`(text: String, expected: Double) throws {
        #expect(try propertyList(xml: "<plist><real>\(text)</real></plist>") == .real(expected))
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", -978_307_200), (" 2018-06-04T17:00:00Z\n", 549_824_400),
        ("2018-06-04T17:00:00.25Z", 549_824_400.25), ("2016-12-31T23:59:60Z", 504_921_600),
        ("2024-02-29T12:00:00Z", 730_900_800), ("1900-02-28T00:00:00Z", -3_182_284_800),
        ("0000-12-31T00:00:00Z", -63_113_990_400), ("-0001-12-31T00:00:00Z", -63_145_612_800),
        ("12000-01-01T00:00:00Z", 315_537_897_600), ("9999-12-31T23:59:59Z", 252_423_993_599),
    ])
    func `has dates in the calendar that goes back for ever`(text: String, expected: Double) throws {
        let seconds = Date(timeIntervalSinceReferenceDate: expected)
        #expect(try propertyList(xml: "<plist><date>\(text)</date></plist>") == .date(seconds))
    }

    @Test(
        arguments: [
            ("", []), (" \n ", []), ("AA==", [0]), ("/w==", [255]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]),
            (" A\tA\r\nE\nC  /w = =\n", [0, 1, 2, 255]), ("+/+/", [0xFB, 0xFF, 0xBF]), ("<![CDATA[AAE=]]>", [0, 1]),
        ] as [(String, [UInt8])])
    func `has data in base64`(text: String, expected: [UInt8]) throws {
        #expect(try propertyList(xml: "<plist><data>\(text)</data></plist>") == .data(Data(expected)))
    }

    @Test(arguments: [
        ("", ""), ("Bella", "Bella"), ("  a\n\tb  ", "  a\n\tb  "), ("a\rb\r\nc", "a\rb\r\nc"),
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("&#65;&#x42;&#x1f404;&#x1F404;&#013;&#0;", "AB🐄🐄\r\0"), ("<![CDATA[<a> & ]] b]]>", "<a> & ]] b"),
        ("1<![CDATA[2]]>3<![CDATA[]]>4", "1234"), ("a<!-- <b> & --->c", "ac"), ("a<?b <c> & ?>d", "ad"), ("]]>", "]]>"),
        ("a > b \" '", "a > b \" '"), ("žluťoučký 🐄", "žluťoučký 🐄"),
        ("\u{1}\u{1B}\u{7F}\u{0}", "\u{1}\u{1B}\u{7F}\u{0}"),
        ("\u{FFFF}\u{FEFF}", "\u{FFFF}\u{FEFF}"), ("&#xFFFD;&#x10FFFF;", "\u{FFFD}\u{10FFFF}"),
    ])
    func `has strings with entities, CDATA and control characters`(text: String, expected: String) throws {
        let list = try propertyList(xml: "<plist><dict><key>\(text)</key><string>\(text)</string></dict></plist>")
        #expect(list == .dictionary([expected: .string(expected)]))
    }

    @Test(arguments: [
        "<plist><true/></plist>", "<true/>", "<true></true>", "<true >\n</true>",
        " \r\n\t<plist>\n<true/>\n</plist>\n ",
        "<!-- - -- --><plist><!----><true/><!-- b --></plist><!-- c -->",
        "<?xml?><plist><?a b?><true/><?c?></plist><?d?>",
        "<plist version = \"1.0\" a='>'><true b=\"/>\" /></plist >", "<!DOCTYPE plist><plist><true/></plist>",
        "<!DOCTYPE plist SYSTEM 'a>b'><plist><true/></plist>",
        """
        <!DOCTYPE plist [ <!-- > ]> ' --> <!ENTITY a "]>"> <?b ]> ?> <!ELEMENT plist (dict|array)> %c; ] ><plist><true/></plist>
        """,
        "\u{FEFF}<plist><true/></plist>", "<plist><true/></plist>\n\0", "<?xml encoding='ascii'?><true/>",
        "<?xml version='1.0' encoding=\"Utf-8\"?><true/>",
    ])
    func `may have around its value what XML allows`(xml: String) throws {
        #expect(try propertyList(xml: xml) == true)
    }

    @Test(
        arguments: [
            ("<string/>", ""), ("<string />", ""), ("<array/>", []), ("<array></array>", []), ("<dict/>", [:]),
            ("<dict> </dict>", [:]), ("<data/>", .data(Data())),
            ("<dict><key/><data></data></dict>", ["": .data(Data())]),
            ("<array><array/><array><dict/></array></array>", [[], [[:]]]),
        ] as [(String, PropertyList)])
    func `may have empty elements`(xml: String, expected: PropertyList) throws {
        #expect(try propertyList(xml: xml) == expected)
        #expect(try propertyList(xml: "<plist>\(xml)</plist>") == expected)
    }

    @Test(
        arguments: [
            ("<key>CF$UID</key><integer>0</integer>", .uid(0)),
            ("<key>CF$UID</key><integer>4294967295</integer>", .uid(.max)),
            ("<key>CF&#36;UID</key><integer>0x10</integer>", .uid(16)),
            ("<key>CF$UID</key><string>1</string>", ["CF$UID": "1"]),
            ("<key>CF$UID</key><real>1</real>", ["CF$UID": 1.0]), ("<key>CF$UID</key><array/>", ["CF$UID": []]),
            ("<key>CF$UID</key><dict><key>CF$UID</key><integer>1</integer></dict>", ["CF$UID": .uid(1)]),
            ("<key>CF$UID</key><integer>1</integer><key>a</key><true/>", ["CF$UID": 1, "a": true]),
            ("<key>CF$UID</key><integer>1</integer><key>CF$UID</key><integer>2</integer>", ["CF$UID": 2]),
            ("<key>a</key><true/><key>CF$UID</key><integer>1</integer>", ["a": true, "CF$UID": 1]),
            (
                "<key>CF$UID</key><integer>1</integer><key>a</key><dict><key>CF$UID</key><integer>2</integer></dict>",
                ["CF$UID": 1, "a": .uid(2)]
            ),
        ] as [(String, PropertyList)])
    func `has a uid where a dictionary has nothing but CF$UID with an integer`(
        entries: String, expected: PropertyList
    ) throws {
        #expect(try propertyList(xml: "<plist><dict>\(entries)</dict></plist>") == expected)
        #expect(try propertyList(xml: "<array><dict>\(entries)</dict><true/></array>") == [expected, true])
    }

    @Test func `writes equal leaves once`() throws {
        let xml = Array(
            "<array><string>a</string><string>a</string><integer>1</integer><real>1</real><true/><true/></array>".utf8)
        let binary = try XMLPropertyListReader.binary(from: StoredBytes(Data(xml)))
        #expect(try BinaryPropertyListReader(binary).objectCount == 5)
    }
}

@Suite(.inTurn) struct `The encoding of an XML property list` {
    private static let text = "<plist><string>é 日本 𝄞</string></plist>"
    private static let expected: PropertyList = "é 日本 𝄞"

    private func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)][...].reversed(unless: isBigEndian)
        }
    }

    @Test(arguments: ["", "\u{FEFF}", "\u{FEFF} \n"], [true, false])
    func `may be UTF-16 of either order, with a mark or without`(start: String, isBigEndian: Bool) throws {
        let bytes = utf16(start + Self.text, isBigEndian: isBigEndian)
        #expect(try propertyList(bytes) == Self.expected)
    }

    @Test func `may be UTF-8 with a mark, or what says UTF-16 and is UTF-8`() throws {
        #expect(try propertyList(xml: "\u{FEFF}" + Self.text) == Self.expected)
        #expect(try propertyList(xml: "<?xml version='1.0' encoding='UTF-16'?>" + Self.text) == Self.expected)
    }

    @Test(arguments: ["ISO-8859-1", "iso-8859-1", "latin1"])
    func `may be ISO 8859-1 where it says so`(name: String) throws {
        let head = Array("<?xml version='1.0' encoding='\(name)'?><string>caf".utf8)
        #expect(try propertyList(head + [0xE9] + Array("</string>".utf8)) == "café")
        let damage = propertyListError(reading: head + [0xE9, 0xE9] + Array("</array>".utf8))
        #expect(damage == PropertyListError(.badXML, at: head.count + 2))
    }

    @Test func `may not be another`() {
        let error = propertyListError(reading: Array("<?xml version='1.0' encoding='Shift_JIS'?><true/>".utf8))
        #expect(error == PropertyListError(.badXML, at: 0))
    }

    @Test(arguments: [true, false])
    func `is no reason to lose the place of an error`(isBigEndian: Bool) {
        let bytes = utf16("\u{FEFF}<string>é𝄞</array>", isBigEndian: isBigEndian)
        #expect(propertyListError(reading: bytes) == PropertyListError(.badXML, at: 2 + 2 * 11))
        #expect(propertyListError(reading: Array(bytes.dropLast()))?.defect == .truncated)
    }

    @Test func `makes U+FFFD of a surrogate without its partner`() throws {
        var bytes = utf16("\u{FEFF}<string>?</string>", isBigEndian: true)
        bytes[18] = 0xD8
        #expect(try propertyList(bytes) == "\u{FFFD}")
    }

    @Test(
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]] as [[UInt8]])
    func `has to be right`(bytes: [UInt8]) {
        let file = Array("<plist><string>".utf8) + bytes + Array("</string></plist>".utf8)
        #expect(propertyListError(reading: file) == PropertyListError(.badXML, at: 15))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func reversed(unless isRight: Bool) -> [UInt8] { isRight ? Array(self) : Array(reversed()) }
}

@Suite(.inTurn) struct `A damaged XML property list` {
    /// Each with a caret at the place that the error names.
    @Test(arguments: [
        "<plist><array>^</dict></plist>", "<plist><array><true/>^</plist>", "<array><string>a^</integer></array>",
        "<plist><true/>^</dict>", "^</dict>", "<plist>^</plist>", "^<plist/>", "<plist>^<plist></plist></plist>",
        "<plist>^<plist><true/></plist></plist>", "<array>^<plist/></array>", "<plist><true/>^<false/></plist>",
        "<true/>^<true/>", "<plist><true/></plist>^<plist/>", "<plist><true/></plist> ^x", "<true/>^\0 ",
        "<plist>^x<true/></plist>", "<plist><true/>^x</plist>", "<array>^x</array>",
        "<dict>^x<key>a</key><true/></dict>",
        "<array>^&amp;</array>", "<array>^<![CDATA[x]]></array>", "<dict><key>a</key>^</dict>",
        "<dict><key>a</key>^<key>b</key></dict>", "<dict><key>CF$UID</key>^</dict>",
        "<dict>^<true/></dict>", "<dict>^<string>a</string><true/></dict>", "<dict><key>a</key><true/>^<true/></dict>",
        "<dict>^<integer>1</integer></dict>", "<dict><key>CF$UID</key><integer>1</integer>^<integer>1</integer></dict>",
        "^<key>a</key>", "<array>^<key>a</key></array>", "<array>^<foo/></array>", "<array>^<Dict/></array>",
        "<array>^<dictionary/></array>", "<array>^</></array>", "<array>^< true/></array>", "<array>^<true/x></array>",
        "<array>^<true<></array>", "<array>^</array x>", "<array>^</array/>", "^<!ELEMENT a>",
        "<plist>^<!DOCTYPE plist></plist>",
        "<true/>^<!DOCTYPE plist>", "<string>^<b>a</b></string>", "<string>a^<!b></string>", "<string>^&foo;</string>",
        "<string>^&amp</string>", "<string>a ^& b</string>", "<string>^&;</string>", "<string>^&#;</string>",
        "<string>^&#x;</string>", "<string>^&#xD800;</string>", "<string>^&#xDFFF;</string>",
        "<string>^&#x110000;</string>",
        "<string>^&#1114112;</string>", "<string>^&#99999999999;</string>", "<string>^&#-1;</string>",
        "<string>^&#1a;</string>", "<string>^&#xg;</string>", "<string>^&AMP;</string>",
        "<string>^&ampersand-of-great-length;</string>",
        "<integer>^</integer>", "<integer/>^", "<integer>^ - </integer>", "<integer>^1 2</integer>",
        "<integer>^1.5</integer>",
        "<integer>^0x</integer>", "<integer>^a</integer>", "<integer>^1f</integer>", "<integer>^0x1g</integer>",
        "<integer>^--1</integer>",
        "<integer>^170141183460469231731687303715884105728</integer>",
        "<integer>^-170141183460469231731687303715884105729</integer>", "<integer>^-<![CDATA[x]]></integer>",
        "<real>^</real>", "<real/>^", "<real>^x</real>", "<real>^1,5</real>", "<real>^1.5 2</real>",
        "<real>^0x1p3</real>",
        "<real>^infinit</real>", "<real>^nan(1)</real>", "<real>^e</real>", "<date/>^", "<date>^</date>",
        "<date>^now</date>",
        "<date>^2018-06-04</date>", "<date>^2018-06-04T17:00:00</date>", "<date>^2018-06-04T17:00:00+0000</date>",
        "<date>^2018-06-04 17:00:00Z</date>", "<date>^2018-6-04T17:00:00Z</date>", "<date>^2018-13-04T17:00:00Z</date>",
        "<date>^2018-00-04T17:00:00Z</date>", "<date>^2018-02-29T17:00:00Z</date>",
        "<date>^1900-02-29T17:00:00Z</date>",
        "<date>^2018-06-00T17:00:00Z</date>", "<date>^2018-06-04T24:00:00Z</date>",
        "<date>^2018-06-04T17:60:00Z</date>",
        "<date>^2018-06-04T17:00:61Z</date>", "<date>^2018-06-04T17:00:00ZZ</date>",
        "<date>^9999999999-01-01T00:00:00Z</date>",
        "<date>^--001-01-01T00:00:00Z</date>", "<data>^A</data>", "<data>^AA</data>", "<data>^AA=</data>",
        "<data>^AA===</data>", "<data>^====</data>",
        "<data>^AAA</data>", "<data>^=</data>", "<data>^AAAA=</data>", "<data>^AA==AAAA</data>", "<data>^AA!A</data>",
        "<data>^AA\u{E9}A</data>",
        "<true>^x</true>", "<true>^</false>", "<false>^<true/></false>",
    ])
    func `is refused with the place of the damage`(marked: String) throws {
        let offset = try #require(marked.utf8.firstIndex(of: UInt8(ascii: "^")))
        let xml = marked.replacingOccurrences(of: "^", with: "")
        let expected = PropertyListError(.badXML, at: marked.utf8.distance(from: marked.utf8.startIndex, to: offset))
        #expect(propertyListError(reading: Array(xml.utf8)) == expected)
    }

    @Test(arguments: ["-1", "4294967296", "170141183460469231731687303715884105727"])
    func `is refused where a uid is out of range`(uid: String) {
        let xml = "<array><dict><key>CF$UID</key><integer>\(uid)</integer></dict></array>"
        #expect(propertyListError(reading: Array(xml.utf8)) == PropertyListError(.uidOutOfRange, at: 30))
    }

    @Test func `is refused wherever it is cut off`() {
        let xml = Array(
            """
            <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist [ <!-- a --> <!ENTITY b "c"> ]><plist version="1.0">\
            <dict><key>a&amp;&#65;</key><string>é<![CDATA[ & ]]></string><!-- d --><key>e</key><array><true/><data>AA==</data>\
            <integer>12</integer><real>1.5</real><date>2018-06-04T17:00:00Z</date></array></dict></plist>
            """.utf8)
        #expect(propertyListError(reading: xml) == nil)
        for count in 0..<xml.count {
            let error = propertyListError(reading: Array(xml[..<count]))
            #expect(error != nil, "\(count) bytes")
            guard let error else { continue }
            #expect(error.byteOffset <= count)
            // The beginning of a comment or declaration cannot always be distinguished from invalid text.
            #expect([.truncated, .badXML, .notAPropertyList].contains(error.defect))
        }
    }

    @Test(arguments: [
        ("<plist>", 0), ("<plist><array>", 7), ("<plist><array><string>", 14), ("<plist><array><string>a", 14),
        ("<plist><true/>", 0), ("<dict><key>a</key>", 0), ("<!-- a", 0), ("<plist><!-- a --", 7), ("<?xml", 0),
        ("<plist><", 7),
        ("<plist></plis", 7), ("<plist><array", 7), ("<plist a=\">", 0), ("<string><![CDATA[a]]", 8),
        ("<string>&am", 8),
        ("<!DOCTYPE plist", 0), ("<!DOCTYPE plist [ <!ENTITY a '>", 0), ("  ", 0), ("<?a?>", 0),
    ])
    func `says where that starts which is cut off`(xml: String, offset: Int) {
        let expected: PropertyListError.Defect = xml == "  " ? .notAPropertyList : .truncated
        let error = propertyListError(reading: Array(xml.utf8))
        #expect(error?.defect == expected && error?.byteOffset == offset)
    }

    @Test func `is refused or read, but never traps, whatever byte is changed to whatever`() {
        let xml = Array(
            """
            <?xml version="1.0"?><!DOCTYPE p [ <!ENTITY b "c"> ]><plist a='b'><dict><key>a&amp;&#x41;</key><string>\
            é<![CDATA[ & ]]></string><key>e</key><array><true/><data>AA==</data><integer>-12</integer><real>1.5e3</real>\
            <date>2018-06-04T17:00:00.5Z</date><dict><key>CF$UID</key><integer>1</integer></dict></array></dict></plist>
            """.utf8)
        for position in xml.indices {
            for byte in Array("<>/&!?;#'\"-=[] 09az.\0".utf8) + [0x80, 0xFF] {
                var damaged = xml
                damaged[position] = byte
                _ = propertyListError(reading: damaged)
                damaged = xml
                damaged.insert(byte, at: position)
                _ = propertyListError(reading: damaged)
            }
        }
    }
}
