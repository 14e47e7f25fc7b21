// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Data in a dump` {
    @Test func `has a text below it if the caller provides one`() throws {
        let archive = try openArchive(
            ["first": .data(Data([1])), "second": .data(Data([2, 2])), "none": .data(Data()), "last": 7])
        var text = ""
        archive.dump(to: &text, textOfData: { $0.count == 1 ? nil : "\($0.count) bytes\n\n    in all" })
        #expect(
            text == """
                Keyed archive by NSKeyedArchiver, binary, 2 objects
                root: dictionary #1, 4 entries
                    "first": 1 byte <01>
                    "second": 2 bytes <0202>:
                        2 bytes

                            in all
                    "none": 0 bytes <>
                    "last": 7
                """)
        var part = ""
        archive.root.dump(to: &part, textOfData: { _ in "told" })
        #expect(part.contains("\"first\": 1 byte <01>:\n        told\n"))
        var data = ""
        archive.root["first"]?.dump(to: &data, textOfData: { _ in "told" })
        #expect(data == "1 byte <01>:\n    told")
    }

    @Test func `is requested once, however many places refer to it`() throws {
        let archive = try openArchive(
            ["a": .uid(2), "b": .uid(2), "c": .uid(3)], .data(Data([1, 2, 3])), .data(Data([4])))
        var asked: [Data] = []
        var text = ""
        archive.dump(
            to: &text,
            textOfData: { data in
                asked.append(data)
                return data.count == 3 ? "told" : nil
            })
        #expect(asked == [Data([1, 2, 3]), Data([4])])
        #expect(
            text == """
                Keyed archive by NSKeyedArchiver, binary, 4 objects
                root: dictionary #1, 3 entries
                    "a": 3 bytes <010203>:
                        told
                    "b": 3 bytes <010203> (above)
                    "c": 1 byte <04>
                """)
    }

    @Test func `is not requested as a key`() throws {
        let archive = try openArchive(
            ["$class": .uid(2), "NS.keys": [.data(Data([1]))], "NS.objects": ["value"]],
            ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]])
        var text = ""
        archive.dump(to: &text, textOfData: { _ in "told" })
        #expect(!text.contains("\n        told"))
        #expect(text.contains(": \"value\""))
    }
}
