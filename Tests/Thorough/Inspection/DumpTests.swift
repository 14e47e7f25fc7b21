// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The tree of an archive` {
    /// A farm whose owner has it as well, and whose cows have the owner.
    static let farm: [PropertyList] = [
        // 1
        [
            "name": .uid(2), "owner": .uid(3), "animals": .uid(6), "founded": .uid(11), "area": 12.5,
            "slope": .real32(0.1),
            "count": -2, "isOpen": true, "debts": .uid(0), "photo": .data(Data(0..<17)), "$class": .uid(13),
        ],
        // 2
        "Green Hill",
        // 3
        ["name": .uid(4), "farm": .uid(1), "$class": .uid(5)],
        // 4
        "Ann",
        // 5
        classEntry("Owner"),
        // 6
        ["NS.objects": [.uid(7), .uid(9), .uid(7)], "$class": .uid(10)],
        // 7
        ["name": .uid(8), "owner": .uid(3), "$class": .uid(12)],
        // 8
        "Bella",
        // 9
        ["$class": .uid(14)],
        // 10
        classEntry("NSArray"),
        // 11
        ["NS.time": 549_824_400.0, "$class": .uid(15)],
        // 12
        classEntry("Farm.Cow", "Farm.Animal"),
        // 13
        classEntry("Farm"),
        // 14
        classEntry("NSNull"),
        // 15
        classEntry("NSDate"),
    ]

    /// What is written of the values of the farm, so many levels from the left.
    static func values(level: Int = 1) -> String {
        let lines = [
            "founded: NSDate #11 2018-06-04T17:00:00Z", "area: 12.5", "slope: 0.1 (32 bits)", "count: -2",
            "isOpen: true", "debts: nil", "photo: 17 bytes <00010203 04050607 08090a0b 0c0d0e0f …>",
        ]
        return lines.map { String(repeating: "    ", count: level) + $0 }.joined(separator: "\n")
    }

    @Test func `has each object once, with its place if something else refers to it`() throws {
        let archive = try KeyedArchive(handmadeArchive(objects: Self.farm))
        #expect(
            archive.tree == """
                Keyed archive by NSKeyedArchiver, binary, 16 objects
                root: Farm #1
                    name: "Green Hill"
                    owner: Owner #3
                        name: "Ann"
                        farm: Farm #1 (cycle)
                    animals: NSArray #6, 3 elements
                        [0]: Farm.Cow #7
                            name: "Bella"
                            owner: Owner #3 (above)
                        [1]: NSNull #9
                        [2]: Farm.Cow #7 (above)
                \(Self.values())
                """)
    }

    @Test func `starts where the value is that is described`() throws {
        let archive = try KeyedArchive(handmadeArchive(objects: Self.farm))
        let cow = try #require(archive["root", "animals", 0])
        #expect(
            cow.tree == """
                Farm.Cow #7
                    name: "Bella"
                    owner: Owner #3
                        name: "Ann"
                        farm: Farm #1
                            name: "Green Hill"
                            owner: Owner #3 (cycle)
                            animals: NSArray #6, 3 elements
                                [0]: Farm.Cow #7 (cycle)
                                [1]: NSNull #9
                                [2]: Farm.Cow #7 (cycle)
                \(Self.values(level: 3))
                """)
        #expect(cow["name"]?.tree == "\"Bella\"")
        #expect(archive.root["debts"]?.tree == "nil")
        #expect(archive.root["photo"]?.tree == "17 bytes <00010203 04050607 08090a0b 0c0d0e0f …>")
        #expect(archive[uid: 12].tree == "class Farm.Cow #12: Farm.Animal, NSObject")
        #expect(archive[uid: 99].tree == "damaged: uid 99 is referenced, but there are only 16 objects")
        #expect("\(archive.root["founded"]!)" == "NSDate #11 2018-06-04T17:00:00Z")
    }

    @Test func `shows the keys of top, with values that are no objects`() throws {
        let archive = try openArchive(
            top: ["window": .uid(1), "count": 3, "ratio": .real32(1.5), "name": "inline", "again": .uid(1)],
            ["title": .uid(2), "$class": .uid(3)], "Main", classEntry("Window"))
        let expected = """
            window: Window #1
                title: "Main"
            count: 3
            ratio: 1.5 (32 bits)
            name: "inline"
            again: Window #1 (above)
            """
        #expect(archive.tree == "Keyed archive by NSKeyedArchiver, binary, 4 objects\n" + expected)
        let indented = expected.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        #expect(archive.top.tree == "top\n" + indented)
        #expect(archive.top.text(.init(depthLimit: 0)) == "top …")
    }

    @Test func `is the same for XML, but for what XML has not`() throws {
        let binary = try KeyedArchive(handmadeArchive(objects: Self.farm))
        let xml = try KeyedArchive(handmadeArchive(objects: Self.farm, format: .xml))
        #expect(xml.tree.hasPrefix("Keyed archive by NSKeyedArchiver, XML, 16 objects\nroot: Farm #1\n"))
        #expect(xml.text() == binary.text().replacing("0.1 (32 bits)", with: "\(Double(Float(0.1)))"))
    }

    @Test(
        arguments: [
            ("MSArchiver", "Keyed archive by MSArchiver, binary, 1 object"),
            ("", #"Keyed archive by "", binary, 1 object"#),
            ("new\nline", #"Keyed archive by "new\nline", binary, 1 object"#),
            (3, "Keyed archive, binary, 1 object"),
            (nil, "Keyed archive, binary, 1 object"),
        ] as [(PropertyList?, String)])
    func `begins with what it is`(archiver: PropertyList?, expected: String) throws {
        var list: PropertyList.Dictionary = ["$version": 100_000, "$top": [:], "$objects": ["$null"]]
        list["$archiver"] = archiver
        let archive = try KeyedArchive(PropertyList.dictionary(list).data())
        #expect(archive.tree == expected)
    }
}

// MARK: - What encoders write

extension `The tree of an archive` {
    final class Farm: Codable, ArchiveDescribing {
        static let archiveName = "Farm"

        var name: String
        @Reference var owner: Owner?
        var cows: [Cow]

        init(name: String, owner: Owner, cows: [Cow]) {
            self.name = name
            self.owner = owner
            self.cows = cows
        }
    }

    final class Owner: Codable, ArchiveDescribing {
        static let archiveName = "Owner"

        var name: String
        @WeakReference var farm: Farm?
        @WeakReference var rival: Owner?

        init(name: String) { self.name = name }
    }

    struct Cow: Codable, ArchiveDescribing {
        static let archiveName = "Cow"

        var name: String
        var born: Date
        @Reference var owner: Owner?

        init(name: String, born: Date, owner: Owner) {
            self.name = name
            self.born = born
            self.owner = owner
        }
    }

    @Test func `shows shared instances, cycles, and conditional ones that were not archived`() throws {
        let owner = Owner(name: "Ann")
        let rival = Owner(name: "Bob")
        owner.rival = rival
        let born = Date(timeIntervalSinceReferenceDate: 0.25)
        let farm = Farm(name: "Green Hill", owner: owner, cows: [Cow(name: "Bella", born: born, owner: owner)])
        owner.farm = farm
        let archive = try KeyedArchive(ArchiveEncoder().encode(farm))
        // The farm is object 1, its name 2, its owner 3.
        #expect(
            archive.text(.init(showsUIDs: false)) == """
                root: Farm #1
                    name: "Green Hill"
                    owner: Owner #3
                        name: "Ann"
                        farm: Farm #1 (cycle)
                        rival: nil
                    cows: NSArray, 1 element
                        [0]: Cow
                            name: "Bella"
                            born: NSDate 2001-01-01T00:00:00.250Z
                            owner: Owner #3 (above)
                """)
        withExtendedLifetime(rival) {}
    }

    final class Note: Coding {
        init() {}
        init(coder: KeyedUnarchiver) throws {}

        func encode(with coder: KeyedArchiver) throws {
            coder.encodeNext(1)
            coder.encodeNext("text")
            coder.encode(2, forKey: "$cost")
            coder.encode(3, forKey: "$0")
            coder.encode(4, forKey: "two words")
            coder.encode(5, forKey: "Größe")
            coder.encode(6, forKey: "")
        }
    }

    @Test func `distinguishes values without key from keys that start with "$"`() throws {
        let archiver = KeyedArchiver()
        archiver.classes.register(Note.self, name: "Note")
        try archiver.encode(Note(), forKey: "note")
        archiver.encodeNext(true)
        archiver.encode(false, forKey: "$1")
        let archive = try KeyedArchive(archiver.finishEncoding())
        #expect(
            archive.text(.init(showsUIDs: false)) == """
                note: Note
                    $0: 1
                    $1: "text"
                    "$cost": 2
                    "$0": 3
                    "two words": 4
                    Größe: 5
                    "": 6
                $0: true
                "$1": false
                """)
    }
}

// MARK: - Text

extension KeyedArchive {
    /// What is written of the archive behind the first line.
    func text(_ options: DumpOptions = DumpOptions()) -> String {
        var text = ""
        dump(to: &text, options: options)
        return text.drop { $0 != "\n" }.dropFirst().description
    }
}

extension KeyedArchive.Value {
    func text(_ options: KeyedArchive.DumpOptions) -> String {
        var text = ""
        dump(to: &text, options: options)
        return text
    }
}

extension Substring {
    fileprivate var description: String { String(self) }
}
