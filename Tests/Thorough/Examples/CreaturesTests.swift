// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.program("creatures")))
struct `The example creatures` {
    static let full = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
    static let small = Data([0xFF, 0xD8, 0xFF, 0xD9])

    /// Three creatures, the first of which has images.
    func withCreatures(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder throws in
            try Self.full.write(to: folder["spider.jpg"])
            try Self.small.write(to: folder["spider small.png"])
            for arguments in [
                [
                    "add", "Wolf spider", "--rating", "4", "--image", folder["spider.jpg"].path, "--thumbnail",
                    folder["spider small.png"].path,
                ],
                ["add", "Potato bug"], ["add", "Cone snail", "--rating", "2.5"],
            ] {
                let result = try ExampleProgram.creatures.run(arguments, in: folder)
                try #require(result.status == 0, "\(result.errors)")
            }
            try body(folder)
        }
    }

    static let list = ["1  ★★★★☆  Wolf spider", "2  ☆☆☆☆☆  Potato bug", "3  ★★½☆☆  Cone snail"]

    // MARK: Commands

    @Test func `are none at first, and to look makes no folder`() throws {
        try TemporaryFolder.with { folder throws in
            #expect(
                try folder.creatures("list")
                    == Program.Run(lines: ["There are no creatures. “creatures add TITLE” adds one."]))
            #expect(try folder.creatures("migrate").lines == ["there is nothing to migrate"])
            #expect(try folder.names() == [])
        }
    }

    @Test func `have a folder each, in the user's folder, with the images beside the data`() throws {
        try withCreatures { folder throws in
            #expect(try folder.creatures("list") == Program.Run(lines: Self.list))
            #expect(try folder.names(in: "creatures") == ["1.creature", "2.creature", "3.creature"])
            #expect(
                try folder.names(in: "creatures/1.creature") == ["data.plist", "full.jpg", "thumbnail.png"])
            #expect(try folder.names(in: "creatures/2.creature") == ["data.plist"])
            #expect(try Data(contentsOf: folder["creatures/1.creature/full.jpg"]) == Self.full)
            #expect(try Data(contentsOf: folder["creatures/1.creature/thumbnail.png"]) == Self.small)
        }
    }

    @Test func `are kept in the folder that --folder names`() throws {
        try TemporaryFolder.with { folder throws in
            let path = folder["zoo"].path
            #expect(try folder.creatures("add", "Wolf spider", "--folder", path).status == 0)
            #expect(try folder.creatures("--folder", path, "list").lines == ["1  ☆☆☆☆☆  Wolf spider"])
            #expect(try folder.names() == ["zoo"])
        }
    }

    @Test func `are shown with all that is known of them`() throws {
        try withCreatures { folder throws in
            let lines = try folder.creatures("show", "1").lines
            try #require(lines.count == 5)
            #expect(lines[0...1] == ["Wolf spider", "  rating     ★★★★☆ 4.0"])
            #expect(lines[2].hasPrefix("  added      20"))
            #expect(lines[3].hasSuffix("/creatures/1.creature/full.jpg"))
            #expect(lines[4].hasSuffix("/creatures/1.creature/thumbnail.png"))
            #expect(try folder.creatures("show", "2").lines.count == 3)
        }
    }

    @Test func `are rated and renamed, and nothing but their data is written`() throws {
        try withCreatures { folder throws in
            let other = try Data(contentsOf: folder["creatures/2.creature/data.plist"])
            #expect(try folder.creatures("rate", "1", "4.5").lines == ["1  ★★★★½  Wolf spider"])
            #expect(try folder.creatures("rate", "1", "0.4").lines == ["1  ½☆☆☆☆  Wolf spider"])
            #expect(try folder.creatures("rate", "1", "5").lines == ["1  ★★★★★  Wolf spider"])
            #expect(try folder.creatures("rename", "1", "Huntsman").lines == ["1  ★★★★★  Huntsman"])
            #expect(try folder.creatures("list").lines == ["1  ★★★★★  Huntsman"] + Self.list.dropFirst())
            #expect(try folder.names(in: "creatures/1.creature") == ["data.plist", "full.jpg", "thumbnail.png"])
            #expect(try Data(contentsOf: folder["creatures/1.creature/full.jpg"]) == Self.full)
            #expect(try Data(contentsOf: folder["creatures/2.creature/data.plist"]) == other)
        }
    }

    @Test func `give their images, which replace what is in the file`() throws {
        try withCreatures { folder throws in
            try Data("something else".utf8).write(to: folder["out"])
            #expect(try folder.creatures("image", "1", folder["out"].path).status == 0)
            #expect(try Data(contentsOf: folder["out"]) == Self.full)
            #expect(try folder.creatures("image", "1", folder["out"].path, "--small").status == 0)
            #expect(try Data(contentsOf: folder["out"]) == Self.small)
            let none = try folder.creatures("image", "2", folder["none"].path)
            #expect(none.status == 1)
            #expect(none.errors == "creatures: Creature 2 has no such image\n")
            #expect(!FileManager.default.fileExists(atPath: folder["none"].path))
        }
    }

    @Test func `go with everything in their folder, and no number in use is given away`() throws {
        try withCreatures { folder throws in
            #expect(try folder.creatures("delete", "2").lines == ["creature 2 has been deleted"])
            #expect(try folder.names(in: "creatures") == ["1.creature", "3.creature"])
            #expect(try folder.creatures("add", "Potato bug").lines == ["Potato bug is creature 4"])
            #expect(try folder.creatures("delete", "1").status == 0)
            #expect(try folder.names(in: "creatures") == ["3.creature", "4.creature"])
        }
    }

    @Test func `are listed by number, and what is no folder of theirs is passed over`() throws {
        try TemporaryFolder.with { folder throws in
            for number in 1...11 { #expect(try folder.creatures("add", "\(number)").status == 0) }
            for name in ["notes.txt", "x.creature", "01.creature", "1.creature.old", ".new-1", "-1.creature"] {
                try Data().write(to: folder["creatures"].appendingPathComponent(name))
            }
            #expect(
                try folder.creatures("list").lines.map { $0.split(separator: " ").last ?? "" }
                    == (1...11).map { "\($0)" })
        }
    }

    // MARK: Files

    @Test(.needs(.tool("python3")))
    func `are archives for other programs`() throws {
        try withCreatures { folder throws in
            let file = folder["creatures/3.creature/data.plist"]
            #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self).hasPrefix("<?xml"))
            #expect(
                try Plistlib.evaluate("c(top['root']), o(top['root'])['rating'], o(o(top['root'])['title'])", in: file)
                    == "(['CreatureData', 'NSObject'], 2.5, 'Cone snail')")
            #expect(try Plistlib.evaluate("o(o(top['root'])['$class'])['$classversions']", in: file) == "[1]")
            #expect(try Plistlib.evaluate("c(o(top['root'])['added'])[0]", in: file) == "NSDate")
        }
    }

    @Test func `are read by Foundation's unarchiver`() throws {
        try withCreatures { folder throws in
            let data = try Data(contentsOf: folder["creatures/3.creature/data.plist"])
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
            unarchiver.setClass(FoundationCreature.self, forClassName: "CreatureData")
            let creature = try #require(unarchiver.decodeObject(of: FoundationCreature.self, forKey: "root"))
            #expect(creature.title == "Cone snail")
            #expect(creature.rating == 2.5)
            #expect(abs(creature.added.timeIntervalSinceNow) < 3600)
        }
    }

    @Test func `are listed without a look at their images`() throws {
        try withCreatures { folder throws in
            // A pipe without a writer: a program that reads it waits without end.
            for name in ["full.jpg", "thumbnail.png"] {
                let image = folder["creatures/1.creature/\(name)"]
                try FileManager.default.removeItem(at: image)
                try #require(mkfifo(image.path, 0o600) == 0)
            }
            #expect(try folder.creatures("list").lines == Self.list)
            #expect(try folder.creatures("show", "1").lines.count == 5)
            #expect(try folder.creatures("rate", "1", "1").status == 0)
        }
    }
}

/// The class of a creature in a program with Foundation.
final class FoundationCreature: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let title: String
    let rating: Double
    let added: Date

    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title"),
            let added = coder.decodeObject(of: NSDate.self, forKey: "added")
        else { return nil }
        self.title = "\(title)"
        rating = coder.decodeDouble(forKey: "rating")
        self.added = Date(timeIntervalSinceReferenceDate: added.timeIntervalSinceReferenceDate)
    }

    func encode(with coder: NSCoder) {}
}
