// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A key twice in one dictionary, as no writer writes it. The expected values are those of Foundation, which this machine has.
@Suite(.inTurn) struct `A repeated key` {
    private static func xml(_ contents: String) -> Data {
        Data(#"<?xml version="1.0"?><plist version="1.0">\#(contents)</plist>"#.utf8)
    }

    private static func foundation(_ data: Data) throws -> [String: String]? {
        try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: String]
    }

    /// CoreFoundation, `plutil` and plistlib agree.
    @Test func `has its last value in XML`() throws {
        let data = Self.xml(
            "<dict><key>a</key><string>1</string><key>b</key><string>2</string><key>a</key><string>3</string>"
                + "<key>a</key><string>4</string></dict>")
        #expect(try Self.foundation(data) == ["a": "4", "b": "2"])
        let list = try PropertyList(data)
        #expect(list == ["a": "4", "b": "2"])
        #expect(try ["a", "b"].map { try #require(list[$0]?.string) } == ["4", "2"])
        #expect(try Self.foundation(list.data()) == ["a": "4", "b": "2"])
        // In inner dictionaries as well, and not for keys of other bytes.
        let inner = try PropertyList(
            Self.xml(
                "<array><dict><key>a</key><dict><key>a</key><true/><key>a</key><false/></dict><key>\u{E9}</key>"
                    + "<true/><key>e\u{301}</key><false/></dict><dict><key>a</key><true/></dict></array>"))
        #expect(inner == [["a": ["a": false], "\u{E9}": true, "e\u{301}": false], ["a": true]])
    }

    @Test func `has its last value in an archive in XML`() throws {
        struct Item: Codable {
            var name: String
        }
        let data = Self.xml(
            """
            <dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
            <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict><key>$objects</key>
            <array><string>$null</string><dict><key>name</key><string>first</string><key>name</key><string>second</string>
            <key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict></dict><dict><key>$classname</key>
            <string>Item</string><key>$classes</key><array><string>Item</string><string>NSObject</string></array></dict></array>
            </dict>
            """)
        #expect(try ArchiveDecoder().decode(Item.self, from: data).name == "second")
        #expect(try KeyedArchive(data).root["name"]?.string == "second")
    }

    /// As `CFBinaryPList.c` reads them, and with it NSKeyedUnarchiver. Swift's PropertyListDecoder and plistlib take the last one.
    @Test func `has its first value in the binary form`() throws {
        let file = BinaryFile(hex("D2 01 01 02 03"), hex("51 61"), hex("51 31"), hex("51 32"))
        #expect(try Self.foundation(Data(file.bytes)) == ["a": "1"])
        let list = try PropertyList(Data(file.bytes))
        #expect(list["a"] == "1" && list.dictionary?.count == 2)
        // Only this value is in the XML, whose readers would take the other one.
        let xml = try list.data(format: .xml)
        #expect(try Self.foundation(xml) == ["a": "1"])
        #expect(try PropertyList(xml) == ["a": "1"])
    }

    @Test func `has its last value in an NSDictionary`() throws {
        let list: PropertyList = [
            "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)],
            "$objects": [
                "$null",
                [
                    "NS.keys": [.uid(3), .uid(4), .uid(3)], "NS.objects": [.uid(4), .uid(5), .uid(6)],
                    "$class": .uid(2),
                ],
                ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]], "a", "1", "2", "3",
            ],
        ]
        let data = try list.data()
        let foundation = try withFoundationUnarchiver(of: data) {
            $0.decodeObject(of: [NSDictionary.self, NSString.self], forKey: "root") as? [String: String]
        }
        #expect(foundation == ["a": "3", "1": "2"])
        #expect(try ArchiveDecoder().decode([String: String].self, from: data) == ["a": "3", "1": "2"])
        let decoded = try ArchiveDecoder().decode(PropertyList.self, from: data)
        #expect(decoded == ["a": "3", "1": "2"])
        let archive = try KeyedArchive(data)
        #expect(archive.root["a"]?.string == "3")
        #expect(archive.root.entries.count == 3)
        #expect(archive["root", "a"]?.string == "3")
    }

    /// If each entry were compared with all others, each of these would take minutes.
    @Test func `takes no more time than another one`() throws {
        let count = 10_000
        // A third of the keys are one, and a third are one by Unicode's rules.
        let keys = (0..<count).map { number in
            switch number % 3 {
            case 0: "same"
            case 1: "\(number)"
            default: number % 2 == 0 ? "\u{E9}" : "e\u{301}"
            }
        }
        let entries = keys.enumerated().map { "<key>\($1)</key><integer>\($0)</integer>" }.joined()
        let list = try PropertyList(Self.xml("<dict>\(entries)</dict>"))
        #expect(list.dictionary?.count == 3_333 + 3)
        #expect(list["same"]?.integer == count - 1)
        var first = PropertyList.Dictionary()
        for (number, key) in keys.enumerated() { first.append(key: key, value: .integer(Int128(number))) }
        let written = try PropertyList(PropertyList.dictionary(first).data(format: .xml))
        #expect(written.dictionary?.count == list.dictionary?.count)
        #expect(written["same"]?.integer == 0)
    }
}
