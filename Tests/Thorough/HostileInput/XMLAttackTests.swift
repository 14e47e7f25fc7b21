// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Elements that could be looked at again for each of their parts.
@Suite(.inTurn) struct `XML that is hostile` {
    private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Text in an XML property list.
    struct Text: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let isRead: Bool

        init(_ name: String, _ text: String, _ isRead: Bool) {
            testDescription = name
            self.text = text
            self.isRead = isRead
        }
    }

    /// Texts of which each part may be looked at once.
    static let texts: [Text] = [
        Text("an integer of many digits", "<integer>\(many("1", 100_000))</integer>", false),
        Text("an integer of many zeros", "<integer>\(many("0", 100_000))1</integer>", true),
        Text("a real of many digits", "<real>0.\(many("1234567890", 10_000))</real>", true),
        Text("a NaN with many combining marks", "<real>nan\(many("\u{301}\u{323}", 100_000))</real>", false),
        Text("a real of a large exponent", "<real>1e\(many("9", 100_000))</real>", true),
        Text("a date of many digits", "<date>2018-06-04T17:00:00.\(many("9", 100_000))Z</date>", true),
        Text("an entity of one's own", "<string>&a;</string>", false),
        Text("many entities", "<string>\(many("&amp;", 20_000))</string>", true),
        Text("many comments", many("<!---->", 20_000) + "<true/>", true),
        Text("a comment of dashes", "<!--\(many("-", 100_000))--><true/>", true),
        Text("a comment without an end", "<!--\(many("->", 50_000))", false),
        Text("sections of nothing", "<string>\(many("<![CDATA[]]>", 10_000))</string>", true),
        Text("a section of brackets", "<string><![CDATA[\(many("]", 100_000))]]></string>", true),
        Text("instructions without an end", many("<?", 50_000), false),
        Text("tags without an end", many("<", 100_000), false),
        Text("a tag with a long name", "<\(many("a", 100_000))>", false),
        Text("attributes", "<true \(many("a='b' ", 20_000))/>", true),
        Text("data of white space", "<data>\(many("A \n", 40_000))</data>", true),
    ]

    @Test(arguments: texts)
    func `is an error or a value`(text: Text) {
        let declaration = "<!DOCTYPE plist [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>"
        let data = Data("<?xml version=\"1.0\"?>\(declaration)<plist>\(text.text)</plist>".utf8)
        #expect(((try? PropertyList(data)) != nil) == text.isRead)
    }
}
