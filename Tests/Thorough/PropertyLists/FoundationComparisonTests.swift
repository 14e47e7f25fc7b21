// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

/// What Foundation's `PropertyListSerialization` reads and writes, against what is read and written here.
@Suite(.inTurn) struct `Foundation and this library` {
    /// A list without uids and with sorted keys, as Foundation writes them, and with reals of few digits, since Foundation
    /// writes seventeen.
    private static let list: PropertyList = [
        "data": .data(Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })),
        "date": .date(Date(timeIntervalSinceReferenceDate: 549_824_400)),
        "deep": [[[[[[[[[[.data(Data(0..<60))]]]]]]]]]],
        "empty": [[], [:], .data(Data()), ""], "flags": [true, false],
        "integers": [
            0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, .integer(Int128(Int64.max)), .integer(Int128(Int64.min)),
        ],
        "long": .array((0..<300).map { .integer($0) }), "nested": ["a": ["b": ["c": "d"]]],
        "reals": [0.5, -2.25, 1e20, 3.0],
        "strings": [
            "ASCII", "ěščř", "𝄞", "&<>\"'", "\t\n", "fifteen letters", "a string of more than fifteen letters",
        ],
    ]

    private func foundation(_ list: PropertyList) -> Any {
        switch list {
        case .boolean(let value): value
        case .integer(let value): Int64(value)
        case .real(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let elements): elements.map(foundation)
        case .dictionary(let dictionary):
            Dictionary(uniqueKeysWithValues: dictionary.map { ($0.key, foundation($0.value)) })
        case .null, .real32, .uid, .set: preconditionFailure("Foundation has no public value for \(list)")
        }
    }

    private func isEqual(_ left: Any, _ right: Any) -> Bool {
        (left as? NSObject ?? left as AnyObject as? NSObject)?.isEqual(right) == true
    }

    private func foundation(reading data: Data) throws -> Any {
        try PropertyListSerialization.propertyList(from: data, format: nil)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `read what the other has written`(format: PropertyListFormat) throws {
        let foundationFormat: PropertyListSerialization.PropertyListFormat = format == .xml ? .xml : .binary
        let object = foundation(Self.list)
        let theirs = try PropertyListSerialization.data(fromPropertyList: object, format: foundationFormat, options: 0)
        #expect(try PropertyList(theirs) == Self.list)
        let ours = try foundation(reading: Self.list.data(format: format))
        #expect(
            NSDictionary(dictionary: try #require(ours as? [String: Any])).isEqual(
                to: try #require(object as? [String: Any])))
    }

    @Test func `write the same XML`() throws {
        let theirs = try PropertyListSerialization.data(
            fromPropertyList: foundation(Self.list), format: .xml, options: 0)
        let ours = try Self.list.data(format: .xml)
        #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self))
    }

    @Test(
        arguments: [
            true, 0, 255, 256, 65_536, -1, .integer(Int128(Int64.max)), 1.5, "", "Bella", "ěščř 𝄞",
            "a string of some length",
            .data(Data()), .data(Data(0..<100)), .date(Date(timeIntervalSinceReferenceDate: 1.5)), [], [:], ["a"],
        ] as [PropertyList])
    func `write the same bytes for what has nothing or one thing in it`(list: PropertyList) throws {
        let theirs = try PropertyListSerialization.data(
            fromPropertyList: foundation(list), format: .binary, options: 0)
        // Foundation writes a container before what is in it, and we after; so compare what they mean.
        #expect(try PropertyList(theirs) == list)
        guard case .array(let elements) = list, !elements.isEmpty else {
            #expect(try list.data() == theirs)
            return
        }
        #expect(try list.data().count == theirs.count)
    }

    @Test(arguments: [
        "<string>a\rb\r\nc</string>", "<string>&#65;&#x42;&amp;&#13;&#10;</string>",
        "<string><![CDATA[<a> & ]] b]]></string>",
        "<string>\u{1}\u{1B}</string>", "<string>  a \n\t b  </string>", "<string>é𝄞</string>", "<string/>", "<array/>",
        "<dict/>",
        "<dict></dict>", "<array> <!-- a --> <?b?> <true/></array>", "<true></true>", "<integer>0xFF</integer>",
        "<integer>-0x10</integer>", "<integer> - 5</integer>", "<integer>+007</integer>",
        "<integer>18446744073709551615</integer>",
        "<real>1.5</real>", "<real>1e3</real>", "<real>.5</real>", "<real>5.</real>", "<real>inf</real>",
        "<real>+INF</real>",
        "<real>-infinity</real>", "<real>Infinity</real>", "<real>1e999</real>", "<real>17.5000000000000000</real>",
        "<date>2018-06-04T17:00:00Z</date>", "<date>0001-01-01T00:00:00Z</date>", "<date>-0001-12-31T23:59:59Z</date>",
        "<date>12000-02-29T00:00:00Z</date>", "<data> AA\n\tEC /w==\n</data>", "<data></data>",
        "<dict><key>a</key><string>1</string><key>b</key><array><dict><key>c</key><false/></dict></array></dict>",
    ])
    func `read the same from XML`(body: String) throws {
        for xml in [body, "<plist version=\"1.0\">\(body)</plist>"] {
            let theirs = try foundation(reading: Data(xml.utf8))
            let ours = try propertyList(xml: xml)
            if case .integer(let value) = ours, value > Int64.max {
                #expect((theirs as? NSNumber)?.uint64Value == UInt64(value))
            } else {
                #expect(isEqual(theirs, foundation(ours)), "\(theirs) \(ours)")
            }
        }
    }

    @Test(arguments: [
        "<plist></plist>", "<plist/>", "<array><true/>", "<array></dict>", "<dict><key>a</key></dict>",
        "<dict><true/></dict>",
        "<dict><key>a</key><true/><true/></dict>", "<string>&foo;</string>", "<string>&#xD800;</string>",
        "<integer></integer>", "<integer/>", "<integer>a</integer>", "<integer>1.5</integer>", "<real></real>",
        "<real>x</real>",
        "<date>now</date>", "<date>2018-06-04</date>", "<foo/>", "<array>x</array>", "<plist><true/><true/></plist>",
    ])
    func `refuse the same XML`(xml: String) {
        #expect(throws: (any Error).self) { try foundation(reading: Data(xml.utf8)) }
        #expect(propertyListError(reading: Array(xml.utf8)) != nil)
    }

    @Test func `read carriage returns in each other's XML, and control characters in Foundation's`() throws {
        let list: PropertyList = ["a\r": "a\rb\r\nc"]
        let ours = try #require(try foundation(reading: list.data(format: .xml)) as? [String: String])
        #expect(ours == ["a\r": "a\rb\r\nc"])
        let theirs = try PropertyListSerialization.data(
            fromPropertyList: ["\u{1}": "a\rb\r\nc\u{1B}"], format: .xml, options: 0)
        #expect(try PropertyList(theirs) == ["\u{1}": "a\rb\r\nc\u{1B}"])
    }
}
