// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `A text with attributes` {
    private static func run(
        _ string: String, _ range: Range<Int>, _ attributes: [String: Any]
    ) -> (range: Range<String.Index>, attributes: [String: Any]) {
        let start = string.utf16.index(string.startIndex, offsetBy: range.lowerBound)
        return (range: start..<string.utf16.index(start, offsetBy: range.count), attributes: attributes)
    }

    /// "Hi 🐓 Bo" in four runs, the first and the third with the same attributes. The bird has two units of UTF-16.
    private static let string = "Hi 🐓 Bo"
    private static var text: AttributedText {
        AttributedText(
            string,
            runs: [
                run(string, 0..<3, ["part": 0]), run(string, 3..<5, ["file": "F1", "part": 0]),
                run(string, 5..<6, ["part": 0]),
                run(string, 6..<8, ["__kIMMentionConfirmedMention": "+1555", "part": 0]),
            ])
    }

    @Test func `is written as NSAttributedString is, with equal attributes once`() throws {
        let data = try SequentialArchiver.archivedData(withRootObject: Self.text)
        let expected = streamFile(
            """
            84 01 '@' 84 84 84 12 'NSAttributedString' 00 84 84 08 'NSObject' 00 85
            92 84 84 84 08 'NSString' 01 94 84 01 '+' 0A 'Hi ' F0 9F 90 93 ' Bo' 86
            84 02 'iI' 01 03
            92 84 84 84 0C 'NSDictionary' 00 94 84 01 'i' 01
                92 84 96 96 04 'part' 86   92 84 84 84 08 'NSNumber' 00 84 84 07 'NSValue' 00 94 84 01 '*' 84 99 99 00 86 86
            97 02 02
            92 84 98 99 02   92 84 96 96 04 'file' 86   92 84 96 96 02 'F1' 86   92 99   92 9A 86
            97 01 01
            97 03 02
            92 84 98 99 02   92 84 96 96 1C '__kIMMentionConfirmedMention' 86   92 84 96 96 05 '+1555' 86   92 99   92 9A 86
            86
            """)
        #expect(data == expected)
    }

    @Test func `comes back with its runs`() throws {
        let text = try AttributedText(SequentialArchiver.archivedData(withRootObject: Self.text))
        #expect(text.string == Self.string)
        #expect(text.texts(text.runs.map(\.range)) == ["Hi ", "🐓", " ", "Bo"])
        #expect(text.runs.map { $0.attributes.count } == [1, 2, 1, 2])
        #expect(text.texts(text.parts(with: "part", as: Int.self).map(\.range)) == [Self.string])
        #expect(text.parts(with: "file", as: String.self).map(\.value) == ["F1"])
    }

    @Test func `returns mentions, links and attachments of messages`() throws {
        let string = "Bo: see\u{FFFC}"
        let link = try #require(URL(string: "https://example.com"))
        let text = try AttributedText(
            SequentialArchiver.archivedData(
                withRootObject: AttributedText(
                    string,
                    runs: [
                        Self.run(string, 0..<2, ["__kIMMentionConfirmedMention": "bo@example.com"]),
                        Self.run(string, 2..<4, [:]),
                        Self.run(string, 4..<6, ["__kIMLinkAttributeName": link, "bold": 1]),
                        Self.run(string, 6..<7, ["__kIMLinkAttributeName": link]),
                        Self.run(string, 7..<8, ["__kIMFileTransferGUIDAttributeName": "at_0_1"]),
                    ])))
        #expect(text.mentions.map(\.value) == ["bo@example.com"])
        #expect(text.texts(text.mentions.map(\.range)) == ["Bo"])
        #expect(text.links.map(\.value) == [link] && text.texts(text.links.map(\.range)) == ["see"])
        #expect(text.attachments.map(\.value) == ["at_0_1"])
        #expect(text.texts(text.attachments.map(\.range)) == ["\u{FFFC}"])
    }

    @Test func `may end before the text, which is read with an error for the runs`() throws {
        var data = try SequentialArchiver.archivedData(
            withRootObject: AttributedText([("Hi ", ["part": 1]), ("Berta", ["part": 2])]))
        // The attributes with the number 2 apply to five characters.
        let run = try #require(data.lastRange(of: Data([2, 5])))
        data.replaceSubrange(run, with: [2, 3])
        let text = try AttributedText(data)
        #expect(text.string == "Hi Berta")
        #expect(text.texts(text.runs.map(\.range)) == ["Hi ", "Ber", "ta"])
        #expect(text.runs.map { $0.attributes["part"] as? Int } == [1, 2, nil])
        let error = try #require(text.runsError as? ArchivingError)
        #expect(error.code == .damaged)
        #expect("\(error)".contains("Found runs of 6 characters, and the text has 8"))
        data.replaceSubrange(run, with: [2, 6])
        #expect(throws: ArchivingError.self) { try AttributedText(data) }
        data.replaceSubrange(run, with: [2, 5])
        #expect(try AttributedText(data).runsError == nil)
    }

    @Test func `may have none, and no text`() throws {
        let empty = try AttributedText(SequentialArchiver.archivedData(withRootObject: AttributedText("")))
        #expect(empty.string.isEmpty && empty.runs.isEmpty)
        let plain = try AttributedText(SequentialArchiver.archivedData(withRootObject: AttributedText("plain")))
        #expect(plain.runs.count == 1 && plain.runs[0].attributes.isEmpty)
        #expect(try AttributedText(SequentialArchiver.archivedData(withRootObject: "NSString")).string == "NSString")
    }
}

extension AttributedText {
    fileprivate func texts(_ ranges: [Range<String.Index>]) -> [String] { ranges.map { String(string[$0]) } }
}
