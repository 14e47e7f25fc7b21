// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The classes of an archive` {
    private static let objects: [PropertyList] = [
        ["a": 1, "$class": .uid(2)],  // 1
        classEntry("Farm.Cow", "Farm.Animal"),  // 2
        ["$class": .uid(4)],  // 3
        ["$classname": "Bare"],  // 4: no $classes
        ["$class": .uid(6), "b": 2],  // 5: the class comes first
        [
            "$classes": ["Sub", "Base"], "$classhints": ["Base", "Older"], "$classname": "Sub",
            "$classversions": [2, 1],
        ],  // 6
        ["$class": .uid(8)],  // 7: two objects of one class, and an entry with a version for a superclass only
        ["$classname": "Late", "$classes": ["Late", "Early", "NSObject"], "$classversions": [0, 3]],  // 8
        ["$classname": "unused"],  // 9
        ["$classname": "no class", "$class": .uid(2)],  // 10: an object with such a field
    ]

    private func archive(_ format: PropertyListFormat = .binary) throws -> KeyedArchive {
        try KeyedArchive(handmadeArchive(objects: Self.objects, format: format))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `have a name and a chain`(format: PropertyListFormat) throws {
        let archive = try archive(format)
        #expect(archive[uid: 1].className == "Farm.Cow")
        #expect(archive[uid: 1].class?.chain == ["Farm.Cow", "Farm.Animal", "NSObject"])
        #expect(archive[uid: 1].class?.uid == 2)
        #expect(archive[uid: 1].class?.fallbacks == [] && archive[uid: 1].class?.versions == [])
        #expect(archive[uid: 1].kind == .object)
        #expect(archive[uid: 5].className == "Sub" && archive[uid: 5].kind == .object)
        #expect(archive[uid: 5].keys == ["b"] && archive[uid: 5].count == 1)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `have themselves for a chain where the archive has none`(format: PropertyListFormat) throws {
        let value = try archive(format)[uid: 3]
        #expect(value.className == "Bare" && value.class?.chain == ["Bare"])
        #expect(value.class?.chain == ["Bare"] && value.kind == .object && value.count == 0 && value.keys == [])
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `have fallbacks and versions where the archive has them`(format: PropertyListFormat) throws {
        let archive = try archive(format)
        let sub = try #require(archive[uid: 5].class)
        #expect(sub.chain == ["Sub", "Base"] && sub.fallbacks == ["Base", "Older"] && sub.versions == [2, 1])
        let late = try #require(archive[uid: 7].class)
        #expect(late.chain == ["Late", "Early", "NSObject"] && late.versions == [0, 3, 0] && late.fallbacks == [])
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are listed by uid, used or not`(format: PropertyListFormat) throws {
        let archive = try archive(format)
        #expect(archive.classes.map(\.uid) == [2, 4, 6, 8, 9])
        #expect(archive.classes.map(\.name) == ["Farm.Cow", "Bare", "Sub", "Late", "unused"])
        #expect(archive.classes[0] == archive[uid: 1].class)
        #expect(Set(archive.classes).count == 5)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are values of their own`(format: PropertyListFormat) throws {
        let archive = try archive(format)
        #expect(archive[uid: 2].kind == .classEntry)
        #expect(archive[uid: 2].describedClass == archive[uid: 1].class)
        #expect(archive[uid: 2].className == nil && archive[uid: 2].class == nil && archive[uid: 2].class == nil)
        #expect(archive[uid: 2]["$classname"]?.string == "Farm.Cow")
        #expect(archive[uid: 2]["$classes"]?.elements.map(\.string) == ["Farm.Cow", "Farm.Animal", "NSObject"])
        #expect(archive[uid: 2].fields.map(\.key) == ["$classname", "$classes"])
        #expect(archive[uid: 1].describedClass == nil && archive.top.describedClass == nil)
        // An object may have a field of that name.
        #expect(archive[uid: 10].kind == .object && archive[uid: 10].describedClass == nil)
        #expect(archive[uid: 10].className == "Farm.Cow")
    }

    @Test func `are not there for what is no object`() throws {
        let archive = try openArchive("text", 1, ["a": 1], [1, 2], ["$class": "Cow", "a": 1], ["$class": 2])
        for object in archive.objects {
            #expect(object.className == nil && object.class == nil && object.class == nil)
            #expect(object.describedClass == nil)
        }
        #expect(archive[uid: 3].kind == .dictionary)
        // A class is a uid, and nothing else.
        #expect(archive[uid: 5].kind == .dictionary && archive[uid: 6].kind == .dictionary)
        #expect(archive.classes.isEmpty)
    }

    /// Values that may be stored instead of a class entry.
    static let bad: [PropertyList] = [
        "Cow", 3, ["Cow"], [:], ["$classes": ["Cow"]], ["$classname": 3], ["$classname": ["Cow"]], .uid(1), "$null",
    ]

    @Test(arguments: bad.indices)
    func `are not there where nothing describes them`(index: Int) throws {
        let archive = try openArchive(["a": 1, "$class": .uid(2)], Self.bad[index])
        #expect(archive.root.kind == .object)
        #expect(archive.root.className == nil && archive.root.class == nil && archive.root.class == nil)
        #expect(archive.root["a"]?.integer == 1 && archive.root.keys == ["a"])
        #expect(archive.classes.isEmpty)
        #expect(archive.problems().contains { $0.code == .damaged }, "\(Self.bad[index])")
    }

    @Test func `may be named in any script, and be out of their chain`() throws {
        let archive = try openArchive(
            ["$class": .uid(2)], ["$classname": "Ferme.Génisse", "$classes": ["Ferme.Bête", 3, "NSObject"]])
        #expect(archive.root.className == "Ferme.Génisse")
        #expect(archive.root.class?.chain == ["Ferme.Bête", "NSObject"])
    }

    @Test func `are those that the encoder wrote`() throws {
        let archive = try KeyedArchive(ArchiveEncoder().encode(Kind.Versioned(number: 1)))
        #expect(archive.root.class?.versions.first == 4)
        #expect(archive.root.class?.fallbacks == ["Older"])
        #expect(archive.root.className == ClassRegistry().name(for: Kind.Versioned.self))
        #expect(archive.root.class?.chain.last == "NSObject")
    }

    private enum Kind {
        final class Versioned: Codable, ArchiveDescribing {
            static let archiveVersion = 4
            static let archiveFallbacks = ["Older"]
            let number: Int
            init(number: Int) { self.number = number }
        }
    }
}
