// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Creatures that older programs have saved, and those that cannot be read.
extension `The example creatures` {
    // MARK: Migration

    /// Writes creatures as older programs did: 11 and 12 by Monsters, without secure coding, 13 by the first version.
    private func writeOld(in folder: TemporaryFolder) throws {
        try folder.write(
            "creatures/11.creature/data.plist", top: ["Data": .uid(1)],
            ["title": .uid(2), "rating": 9.0, "$class": .uid(3)], "House centipede", classEntry("MonsterData"))
        try folder.write(
            "creatures/12.creature/data.plist", top: ["Data": .uid(1)],
            ["title": .uid(2), "rating": 3.0, "$class": .uid(3)], 1984, classEntry("Monsters.MonsterData"),
            format: .xml)
        try folder.write(
            "creatures/13.creature/data.plist", ["title": .uid(2), "rating": 7.0, "$class": .uid(3)], "Stonefish",
            classEntry("CreatureData"))
    }

    @Test func `of an older version are read, those of Monsters only by a migration`() throws {
        try withCreatures { folder throws in
            try writeOld(in: folder)
            let result = try folder.creatures("list")
            #expect(result.status == 1)
            #expect(result.lines == Self.list + ["13  ★★★½☆  Stonefish"])
            let lines = result.errors.split(separator: "\n")
            #expect(lines.count == 3)
            for (line, number) in zip(lines, [11, 12]) {
                #expect(line.hasPrefix("creatures: Creature \(number) was saved by Monsters, without secure coding"))
                #expect(line.contains("creatures migrate"))
            }
            // It takes no other way round.
            let before = try Data(contentsOf: folder["creatures/11.creature/data.plist"])
            #expect(try folder.creatures("rate", "11", "3").status == 1)
            #expect(try Data(contentsOf: folder["creatures/11.creature/data.plist"]) == before)
        }
    }

    @Test(.needs(.tool("python3")))
    func `are migrated once, and those of today left alone`() throws {
        try withCreatures { folder throws in
            try writeOld(in: folder)
            let today = try (1...3).map { try Data(contentsOf: folder["creatures/\($0).creature/data.plist"]) }
            #expect(
                try folder.creatures("migrate")
                    == Program.Run(lines: [11, 12, 13].map { "creature \($0) has been rewritten" }))
            #expect(
                try folder.creatures("list")
                    == Program.Run(
                        lines: Self.list + ["11  ★★★★½  House centipede", "12  ★½☆☆☆  1984", "13  ★★★½☆  Stonefish"]))
            for (number, rating) in [(11, "4.5"), (12, "1.5"), (13, "3.5")] {
                let file = folder["creatures/\(number).creature/data.plist"]
                #expect(
                    try Plistlib.evaluate("c(top['root'])[0], o(top['root'])['rating']", in: file)
                        == "('CreatureData', \(rating))")
                #expect(try Plistlib.evaluate("o(o(top['root'])['$class'])['$classversions']", in: file) == "[1]")
            }
            #expect(try (1...3).map { try Data(contentsOf: folder["creatures/\($0).creature/data.plist"]) } == today)
            #expect(try folder.creatures("migrate").lines == ["there is nothing to migrate"])
        }
    }

    /// What Monsters may not have under "title" and "rating".
    @Test(
        arguments: [
            (.uid(4), 3.0, "title"), (.uid(5), 3.0, "title"),
            (.uid(2), 11.0, "The rating 11.0 is not from 0 to 10"),
            (.uid(2), "3", "rating"), (.uid(99), 3.0, "99"),
        ] as [(PropertyList, PropertyList, String)])
    func `of Monsters that are not what they should be are left as they are, and the others migrated`(
        _ title: PropertyList, _ rating: PropertyList, _ message: String
    ) throws {
        try TemporaryFolder.with { folder throws in
            try writeOld(in: folder)
            try folder.write(
                "creatures/1.creature/data.plist", top: ["Data": .uid(1)],
                ["title": title, "rating": rating, "$class": .uid(3)], "House centipede", classEntry("MonsterData"),
                ["command": "rm", "$class": .uid(6)], ["NS.time": 0.0, "$class": .uid(7)], classEntry("NSTask"),
                classEntry("NSDate"))
            let before = try Data(contentsOf: folder["creatures/1.creature/data.plist"])
            let result = try folder.creatures("migrate")
            #expect(result.status == 1)
            #expect(result.lines == [11, 12, 13].map { "creature \($0) has been rewritten" })
            #expect(result.errors.contains("1.creature/data.plist cannot be read: "))
            #expect(result.errors.contains(message), "\(result.errors)")
            #expect(result.errors.hasSuffix("1 of 4 creatures failed, as reported above\n"))
            #expect(try Data(contentsOf: folder["creatures/1.creature/data.plist"]) == before)
        }
    }

    // MARK: Damage

    /// What may have become of a creature's file.
    enum Damage: CaseIterable {
        case missing
        case empty
        case cutOff
        case otherObject
        case newerVersion
        case badRating

        /// Does it to the file of creature 2, and gives what the program says about it.
        func happen(in folder: TemporaryFolder) throws -> String {
            let path = "creatures/2.creature/data.plist"
            func write(_ rating: PropertyList, versions: PropertyList) throws {
                try folder.write(
                    path, ["title": .uid(2), "rating": rating, "$class": .uid(3)], "Potato bug",
                    [
                        "$classname": "CreatureData", "$classes": ["CreatureData", "NSObject"],
                        "$classversions": versions,
                    ])
            }
            switch self {
            case .missing:
                try FileManager.default.removeItem(at: folder[path])
                return "No such file or directory"
            case .empty:
                try Data().write(to: folder[path])
                return "not a property list"
            case .cutOff:
                try Data(contentsOf: folder[path]).prefix(200).write(to: folder[path])
                return "cannot be read"
            case .otherObject:
                try folder.write(path, "a string")
                return "cannot be read"
            case .newerVersion:
                try write(3.0, versions: [2, 0])
                return "The creature has version 2; this program knows up to 1"
            case .badRating:
                try write(5.5, versions: [1, 0])
                return "The rating 5.5 is not from 0 to 5"
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `are listed where one of them is damaged, whose error is shown`(_ damage: Damage) throws {
        try withCreatures { folder throws in
            let message = try damage.happen(in: folder)
            let file = folder["creatures/2.creature/data.plist"]
            let before = try? Data(contentsOf: file)
            let result = try folder.creatures("list")
            #expect(result.status == 1)
            #expect(result.lines == [Self.list[0], Self.list[2]])
            #expect(result.errors.contains("creatures: \(file.path)"))
            #expect(result.errors.contains(message), "\(result.errors)")
            #expect(result.errors.hasSuffix("creatures: 1 of 3 creatures failed, as reported above\n"))

            // What cannot be read is not written over.
            for arguments in [["show", "2"], ["rate", "2", "3"], ["rename", "2", "Bug"]] {
                #expect(try ExampleProgram.creatures.run(arguments, in: folder).status == 1)
            }
            _ = try folder.creatures("migrate")
            #expect((try? Data(contentsOf: file)) == before)
            // It can be thrown away.
            #expect(try folder.creatures("delete", "2").status == 0)
            #expect(try folder.creatures("list").lines == [Self.list[0], Self.list[2]])
        }
    }

    @Test func `that cannot be added as a whole are not added at all`() throws {
        try withCreatures { folder throws in
            let result = try folder.creatures("add", "Bug", "--image", folder["missing.jpg"].path)
            #expect(result.status == 1)
            #expect(result.errors == "creatures: \(folder["missing.jpg"].path): No such file or directory\n")
            #expect(try folder.names(in: "creatures") == ["1.creature", "2.creature", "3.creature"])
        }
    }

    @Test(arguments: [["show", "7"], ["rate", "0", "3"], ["delete", "../spider.jpg"], ["rename", "x", "Bug"]])
    func `that are not there cannot be had`(_ arguments: [String]) throws {
        try withCreatures { folder throws in
            let result = try ExampleProgram.creatures.run(arguments, in: folder)
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("creatures: There is no creature \(arguments[1]);"))
            #expect(try folder.creatures("list").lines == Self.list)
        }
    }
}
