// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// What the tool says about objects of Foundation's and AppKit's plain classes.
@Suite(.inTurn) struct `Records in the tool` {
    /// A paragraph style, the names of a person inside another object, and an image that contains the array of all.
    private static let archive = HandMade.archive([
        "$null",
        ["$class": .uid(2), "NS.objects": [.uid(3), .uid(5), .uid(7), .uid(9)]], HandMade.classEntry("NSArray"),
        ["$class": .uid(4), "NSAlignment": 2, "NSLineSpacing": 1.5, "NSTabStops": .uid(0)],
        HandMade.classEntry("NSMutableParagraphStyle", "NSParagraphStyle", "NSObject"),
        ["$class": .uid(6), "NS.nameComponentsPrivate": .uid(11)],
        HandMade.classEntry("NSPersonNameComponents", "NSObject"),
        ["$class": .uid(8), "NSPattern": "a", "NSOptions": 17], HandMade.classEntry("NSRegularExpression", "NSObject"),
        ["$class": .uid(10), "NSReps": .uid(1), "NSImageFlags": 5, "mine": 7],
        HandMade.classEntry("NSImage", "NSObject"),
        ["$class": .uid(12), "NS.givenName": "Ann"], HandMade.classEntry("_NSPersonNameComponentsData", "NSObject"),
    ])

    private func output(_ command: String..., of archive: PropertyList = archive) throws -> String {
        try TemporaryFolder.with { folder in
            let run = Tool.inProcess([command[0], try folder.write(archive)] + command.dropFirst())
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            return run.output
        }
    }

    @Test func `have the names of numbers in the tree`() throws {
        #expect(
            try output("show") == """
                Keyed archive by NSKeyedArchiver, binary, 13 objects
                root: NSArray #1, 4 elements
                    [0]: NSMutableParagraphStyle #3
                        NSAlignment: 2 (center)
                        NSLineSpacing: 1.5
                        NSTabStops: nil
                    [1]: NSPersonNameComponents #5
                        NS.nameComponentsPrivate: _NSPersonNameComponentsData #11
                            NS.givenName: "Ann"
                    [2]: NSRegularExpression #7
                        NSPattern: "a"
                        NSOptions: 17 ([caseInsensitive, anchorsMatchLines])
                    [3]: NSImage #9
                        NSReps: NSArray #1 (cycle)
                        NSImageFlags: 5
                        mine: 7

                """)
    }

    @Test func `have their public names in readable JSON`() throws {
        #expect(
            try output("convert", "--to", "json", "--compact")
                == #"{"$archiver":"NSKeyedArchiver","$top":{"root":{"$id":1,"$class":"NSArray","$elements":["#
                + #"{"$class":"NSMutableParagraphStyle","alignment":"center","lineSpacing":1.5},"#
                + #"{"$class":"NSPersonNameComponents","givenName":"Ann"},"#
                + #"{"$class":"NSRegularExpression","pattern":"a","options":["caseInsensitive","anchorsMatchLines"]},"#
                + #"{"$class":"NSImage","flags":5,"representations":{"$ref":1},"mine":7}]}}}"# + "\n")
    }

    @Test func `are one value in pictures and pages if they refer to nothing`() throws {
        for format in ["html", "dot"] {
            let text = try output("graph", "--format", format)
            #expect(text.contains("alignment: center, lineSpacing: 1.5"), "\(format)")
            #expect(text.contains("representations") && text.contains("givenName"), "\(format)")
        }
    }

    @Test func `keep their keys in searches and comparisons`() throws {
        #expect(try output("find", "--key", "NSAlignment") == "0/NSAlignment: 2\n")
    }

    // MARK: Unknown forms

    /// Good files: a color of a pattern, a font with another key, a color that is its own, and an object of the program's.
    private static let unknown = HandMade.archive([
        "$null",
        [
            "$class": .uid(2), "pattern": .uid(3), "font": .uid(5), "ring": .uid(7), "farm": .uid(8), "named": .uid(9),
        ], HandMade.classEntry("Farm"),
        ["$class": .uid(4), "NSColorSpace": 10], HandMade.classEntry("NSColor", "NSObject"),
        ["$class": .uid(6), "NSName": 5, "NSSize": 11.0], HandMade.classEntry("NSFont", "NSObject"),
        ["$class": .uid(4), "NSColorSpace": 6, "NSCatalogName": "a", "NSColorName": "b", "NSColor": .uid(7)],
        ["$class": .uid(2)],
        [
            "$class": .uid(4), "NSColorSpace": 6, "NSCatalogName": "System",
            "NSColorName": "_sourceListBackgroundColor", "NSColor": .uid(10),
        ],
        [
            "$class": .uid(4), "NSColorSpace": 6, "NSCatalogName": "System", "NSColorName": "controlColor",
            "NSColor": .uid(11),
        ],
        ["$class": .uid(4), "NSColorSpace": 3, "NSWhite": .data(Data("0.5\0".utf8))],
    ])

    @Test func `of unknown forms are listed by check, and are no damage`() throws {
        let text = try output("check", of: Self.unknown)
        #expect(
            text.hasSuffix(": no problems\n    note: 3 unknown objects: #3 NSColor, #5 NSFont, #7 NSColor\n"), "\(text)"
        )
        let json = try output("check", "--json", of: Self.unknown)
        let checks = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        let unknown = try #require(checks[0]["unknown"] as? [[String: Any]])
        #expect(unknown.map { $0["uid"] as? Int } == [3, 5, 7])
        #expect(unknown.map { $0["class"] as? String } == ["NSColor", "NSFont", "NSColor"])
        #expect((checks[0]["problems"] as? [Any])?.isEmpty == true)
    }
}
