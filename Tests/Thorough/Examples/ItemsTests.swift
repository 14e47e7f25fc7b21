// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.program("items")))
struct `The example items` {
    /// A bag with a camera with a lens in it, and a sofa.
    func withItems(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder throws in
            for arguments in [
                ["add", "Red sofa", "--value", "100"], ["add", "Bag", "--value", "50", "--serial", "4B1Z9"],
                ["add", "Camera", "--value", "700", "--in", "Bag"], ["add", "Lens", "--value", "300", "--in", "3"],
            ] {
                let result = try ExampleProgram.items.run(arguments, in: folder)
                try #require(result.status == 0, "\(result.errors)")
            }
            try body(folder)
        }
    }

    static let list = ["1  Red sofa  $100", "2  Bag  $50", "3    Camera  $700", "4      Lens  $300"]

    // MARK: Commands

    @Test func `are none at first, and to look makes no file`() throws {
        try TemporaryFolder.with { folder throws in
            let result = try folder.items("list")
            #expect(result.status == 0)
            #expect(result.output == "There are no items. “items add NAME --value DOLLARS” adds one.\n")
            #expect(try folder.names() == [])
        }
    }

    @Test func `are listed with what is in them, from a file in the user's folder`() throws {
        try withItems { folder throws in
            let result = try folder.items("list")
            #expect(result == Program.Run(lines: Self.list))
            #expect(try folder.names() == ["items.archive"])
        }
    }

    @Test func `are kept in the file that --file names, at any position of the option`() throws {
        try TemporaryFolder.with { folder throws in
            let path = folder["mine"].path
            #expect(try folder.items("add", "Chair", "--file", path, "--value", "10").lines == ["Chair is item 1"])
            #expect(try folder.items("--file", path, "list").lines == ["1  Chair  $10"])
            #expect(try folder.names() == ["mine"])
        }
    }

    @Test func `are shown with all that is known of them`() throws {
        try withItems { folder throws in
            let lines = try folder.items("show", "Camera").lines
            try #require(lines.count == 6)
            #expect(lines[0] == "Camera")
            #expect(lines[1] == "  value          $700")
            #expect(lines[2] == "  serial number  none")
            #expect(lines[3].hasPrefix("  since          20"))
            #expect(lines[4] == "  in             Bag")
            #expect(lines[5] == "  contents       Lens")
            #expect(try folder.items("show", "2").lines.contains("  serial number  4B1Z9"))
        }
    }

    @Test func `move with what is in them`() throws {
        try withItems { folder throws in
            #expect(try folder.items("move", "Camera", "--in", "Red sofa").lines == ["Camera is in Red sofa"])
            let expected = ["1  Red sofa  $100", "2    Camera  $700", "3      Lens  $300", "4  Bag  $50"]
            #expect(try folder.items("list").lines == expected)
            #expect(try folder.items("move", "Lens", "--out").lines == ["Lens is outside all other items"])
            #expect(try folder.items("list").lines.last == "4  Lens  $300")
        }
    }

    @Test func `go, and what was in them stays where they were`() throws {
        try withItems { folder throws in
            #expect(try folder.items("remove", "Camera").lines == ["Camera has been removed"])
            #expect(try folder.items("list").lines == ["1  Red sofa  $100", "2  Bag  $50", "3    Lens  $300"])
            #expect(try folder.items("remove", "2").lines == ["Bag has been removed"])
            #expect(try folder.items("list").lines == ["1  Red sofa  $100", "2  Lens  $300"])
        }
    }

    @Test func `may have names that look like options, behind --`() throws {
        try TemporaryFolder.with { folder throws in
            #expect(try folder.items("add", "--value", "5", "--", "--help").lines == ["--help is item 1"])
        }
    }

    // MARK: Errors

    @Test(arguments: [
        (["show", "Spork"], "There is no item “Spork”"), (["remove", "5"], "There is no item “5”"),
        (["remove", "0"], "There is no item “0”"),
        (["add", "Cap", "--value", "1", "--in", "Spork"], "There is no item “Spork”"),
        (["move", "Bag", "--in", "Lens"], "“Bag” cannot be put into “Lens”"),
        (["move", "Bag", "--in", "Bag"], "“Bag” cannot be put into “Bag”"),
        (["import", "missing"], "No such file or directory"), (["import", "."], "Is a directory"),
        (["export", "missing/file"], "No such file or directory"),
    ])
    func `cannot be changed in ways that make no sense, and the file stays as it is`(
        _ arguments: [String], _ message: String
    ) throws {
        try withItems { folder throws in
            let before = try Data(contentsOf: folder["items.archive"])
            let result = try ExampleProgram.items.run(
                arguments.map { $0.hasPrefix("missing") || $0 == "." ? folder[$0].path : $0 }, in: folder)
            #expect(result.status == 1)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("items: "))
            #expect(result.errors.contains(message))
            #expect(try Data(contentsOf: folder["items.archive"]) == before)
            #expect(try folder.names() == ["items.archive"])
        }
    }

    @Test func `are distinguished by their numbers if their names are the same`() throws {
        try withItems { folder throws in
            _ = try folder.items("add", "Lens", "--value", "1")
            let result = try folder.items("show", "Lens")
            #expect(result.status == 1)
            #expect(result.errors.contains("choose one by its number: 4, 5"))
            #expect(try folder.items("show", "5").lines[1] == "  value          $1")
        }
    }

    /// What may have become of the file.
    enum Damage: CaseIterable {
        case empty
        case text
        case cutOff
        case otherObject
        case twoPlaces
        case insideItself
        case newerVersion
        case missingValue

        /// Writes the file, and gives what the program says about it.
        func write(in folder: TemporaryFolder) throws -> String {
            switch self {
            case .empty:
                try Data().write(to: folder["items.archive"])
                return "not a property list"
            case .text:
                try Data("<html>404 Not Found</html>".utf8).write(to: folder["items.archive"])
                return "property list"
            case .cutOff:
                _ = try folder.items("add", "Bag", "--value", "1")
                try Data(contentsOf: folder["items.archive"]).dropLast().write(to: folder["items.archive"])
                return "cut off"
            case .otherObject:
                try folder.write("items.archive", "a string")
                return "root"
            case .twoPlaces:
                try writeBag(in: folder, items: [.uid(2), .uid(2)])
                return "The item “Bag” is in two places at once"
            case .insideItself:
                try writeBag(in: folder, contents: [.uid(2)])
                return "The item “Bag” is in two places at once"
            case .newerVersion:
                try writeBag(in: folder, versions: [3, 0])
                return "An item has version 3, but this program knows up to 2"
            case .missingValue:
                try writeBag(in: folder, value: nil)
                return "valueInDollars"
            }
        }

        /// Writes an archive with one bag, as it would be but for the arguments.
        private func writeBag(
            in folder: TemporaryFolder, items: PropertyList = [.uid(2)], contents: PropertyList = [],
            versions: PropertyList = [2, 0], value: PropertyList? = 50
        ) throws {
            var item: PropertyList.Dictionary = [
                "name": .uid(4), "dateCreated": .uid(5), "contents": .uid(3), "$class": .uid(7),
            ]
            item["valueInDollars"] = value
            try folder.write(
                "items.archive", ["NS.objects": items, "$class": .uid(8)], .dictionary(item),
                ["NS.objects": contents, "$class": .uid(8)], "Bag", ["NS.time": 0.0, "$class": .uid(6)],
                classEntry("NSDate"),
                ["$classname": "Item", "$classes": ["Item", "NSObject"], "$classversions": versions],
                classEntry("NSArray"))
        }
    }

    @Test(arguments: Damage.allCases)
    func `stay where they are, in a file that cannot be read`(_ damage: Damage) throws {
        try TemporaryFolder.with { folder throws in
            let message = try damage.write(in: folder)
            let before = try Data(contentsOf: folder["items.archive"])
            for arguments in [["list"], ["add", "Chair", "--value", "10"], ["import", folder["items.archive"].path]] {
                let result = try ExampleProgram.items.run(arguments, in: folder)
                #expect(result.status == 1)
                #expect(result.output == "")
                #expect(
                    result.errors.contains("items: \(folder["items.archive"].path) cannot be read and has not been")
                )
                #expect(result.errors.contains(message), "\(result.errors)")
                #expect(try Data(contentsOf: folder["items.archive"]) == before)
                #expect(try folder.names() == ["items.archive"])
            }
        }
    }
}
