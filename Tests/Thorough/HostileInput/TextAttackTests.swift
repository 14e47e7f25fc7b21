// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@testable import Archiving

/// Swift compares and hashes strings as Unicode requires, which takes time quadratic in the number of consecutive combining
/// marks.
@Suite(.inTurn) struct `A text with very many combining marks` {
    /// Marks of two classes by turns, so that they have to be sorted.
    private static let marks = "e" + tail
    private static let tail = String(repeating: "\u{301}\u{323}", count: 20_000)

    /// `A reader stays in proportion to the archive` has how many are read where the type is known.
    static let hashed: [Attack] =
        Attack.each("a key", [.listed()], .limit("combining marks")) { archive in
            archive.table([archive.object(archive.text(marks))], [archive.object(archive.integer(1))])
        }
        + Attack.each("an element", [.listed()], .limit("combining marks")) { archive in
            archive.list([archive.object(archive.text(marks))], "NSSet")
        }

    @Test(arguments: hashed)
    func `is refused where it would be hashed as one of many types`(attack: Attack) { attack.run() }

    static let others: [Attack] = Attack.each(
        "a value", [.decoder([String].self), .listed(), .decoder(Guess.self)], .value
    ) { archive in
        archive.list([archive.object(archive.text(marks))])
    }

    @Test(arguments: others)
    func `is a text like any other where it is not`(attack: Attack) { attack.run() }

    /// Keys of objects and names of classes are looked up by every decoder.
    static let names: [Attack] =
        Attack.each("a key of an object", [.decoder(Chain.self), .decoder(Strict.self)], .limit("combining marks")) {
            archive in
            archive.object(archive.fields([(marks, archive.integer(1))]))
        }
        + Attack.each(
            "the name of a class",
            [.decoder(Relative.self), .unarchiver("Link") { try $0.decode(Link.self, forKey: "root") }],
            .otherError
        ) { archive in archive.object(archive.fields([], class: marks)) }

    @Test(arguments: names)
    func `is refused as a name`(attack: Attack) { attack.run() }

    // MARK: - Inspection

    @Test func `is no name of an attribute`() throws {
        let archive = try openArchive(
            ["NSString": "a", "NSAttributes": .uid(2), "$class": .uid(3)],
            ["NS.keys": [.string(Self.marks)], "NS.objects": [5], "$class": .uid(4)],
            classEntry("NSAttributedString"), classEntry("NSDictionary"))
        let error = #expect(throws: KeyedArchiveError.self) { try archive[uid: 1].foundationValue() }
        #expect(error?.description.contains("combining marks") == true, "\(error?.description ?? "")")
    }

    @Test func `is found by its bytes, and not a step of a path`() throws {
        let equivalent = "e" + String(repeating: "\u{323}\u{301}", count: 20_000)
        let archive = try openArchive(
            [
                "NS.keys": [.string(Self.marks), .string(Self.marks)], "NS.objects": [.uid(3), .uid(4)],
                "$class": .uid(2),
            ],
            classEntry("NSDictionary"), 5, 6)
        let root = archive[uid: 1]
        #expect(root[Self.marks]?.integer == 6 && root[equivalent] == nil && root["e"] == nil)
        #expect(archive.path(to: archive[uid: 3]) == ["root", 0] && archive.path(to: archive[uid: 4]) == ["root", 1])
    }

    @Test func `is no class for an editor`() throws {
        let name = PropertyList.string(Self.marks)
        var editor = KeyedArchiveEditor()
        let entry = try editor.addObject(["$classname": name, "$classes": [name, "NSObject"]])
        #expect(editor.addClass(named: "Farm") != entry)
        #expect(throws: KeyedArchiveError.self) { try editor.renameClass(Self.marks, to: "Barn") }
    }

    @Test func `is no number`() {
        #expect(DecimalNumber("NaN\(Self.tail)") == nil)
        for word in ["nan", "infinity"] {
            let text = "<plist><real>\(word)\(Self.tail)</real></plist>"
            #expect(throws: PropertyListError.self) { try PropertyList(Data(text.utf8)) }
        }
    }
}
