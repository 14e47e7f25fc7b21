// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// The archives of `items`, as other programs see them, and those of other programs.
extension `The example items` {
    // MARK: What items writes

    @Test(.needs(.tool("python3")))
    func `are an archive for other programs, in which each item knows what it is in`() throws {
        try withItems { folder throws in
            let file = folder["items.archive"]
            let bag = "o(o(top['root'])['NS.objects'][1])"
            #expect(try Plistlib.evaluate("c(top['root'])[0], list(top)", in: file) == "('NSArray', ['root'])")
            #expect(try Plistlib.evaluate("o(\(bag)['name']), \(bag)['valueInDollars']", in: file) == "('Bag', 50)")
            #expect(try Plistlib.evaluate("o(\(bag)['serialNumber'])", in: file) == "4B1Z9")
            #expect(try Plistlib.evaluate("o(\(bag)['$class'])['$classname']", in: file) == "Item")
            #expect(try Plistlib.evaluate("o(\(bag)['$class'])['$classversions'][0]", in: file) == "2")
            let camera = "o(o(\(bag)['contents'])['NS.objects'][0])"
            #expect(
                try Plistlib.evaluate("o(\(camera)['name']), o(\(camera)['container']) is \(bag)", in: file)
                    == "('Camera', True)")
            // The bag is in nothing.
            #expect(try Plistlib.evaluate("number(\(bag)['container'])", in: file) == "0")
        }
    }

    @Test(.needs(.tool("python3")), arguments: [false, true])
    func `are exported without what they are in`(_ isXML: Bool) throws {
        try withItems { folder throws in
            let file = folder["camera.plist"]
            let arguments = ["export", file.path, "Camera", "--class", "Homepwner.Item"] + (isXML ? ["--xml"] : [])
            let result = try ExampleProgram.items.run(arguments, in: folder)
            #expect(result.lines == ["Camera in \(file.path)"])
            #expect(try Data(contentsOf: file).starts(with: Data((isXML ? "<?xml" : "bplist00").utf8)))
            let names = try Plistlib.evaluate("[o(i['name']) for i in objects if 'name' in i]", in: file)
            #expect(names == "['Camera', 'Lens']")
            let camera = "o(o(top['root'])['NS.objects'][0])"
            #expect(try Plistlib.evaluate("o(\(camera)['container'])", in: file) == "$null")
            #expect(try Plistlib.evaluate("o(\(camera)['$class'])['$classname']", in: file) == "Homepwner.Item")
            #expect(try Plistlib.evaluate("'Bag' in objects", in: file) == "False")
        }
    }

    @Test func `are read by Foundation's unarchiver`() throws {
        try withItems { folder throws in
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(contentsOf: folder["items.archive"]))
            unarchiver.setClass(ItemObject.self, forClassName: "Item")
            let items = unarchiver.decodeObject(of: [NSArray.self, ItemObject.self], forKey: "root")
            let found = try #require(items as? [ItemObject])
            #expect(found.map(\.name) == ["Red sofa", "Bag"])
            #expect(found.map(\.valueInDollars) == [100, 50])
            #expect(found.map(\.serialNumber) == [nil, "4B1Z9"])
            #expect(found.allSatisfy { abs($0.dateCreated.timeIntervalSinceNow) < 3600 })
        }
    }

    // MARK: What other programs write

    @Test func `come from an archive that Foundation's archiver wrote, under any class name`() throws {
        try withItems { folder throws in
            let date = Date(timeIntervalSinceReferenceDate: 400_000_000.5)
            let items = [
                ItemObject(
                    name: "Rusty spork", valueInDollars: 41, serialNumber: "7C5Z1", dateCreated: date,
                    nameKey: "itemName"),
                ItemObject(
                    name: "Shiny bear", valueInDollars: 3, serialNumber: nil, dateCreated: date, nameKey: "itemName"),
            ]
            let archive = try KeyedArchive(foundationArchive(of: items))
            // On Linux, Foundation writes this program's name of the class, whatever name is set.
            let written = try #require(archive.root[0].className)
            for (name, options) in [("BNRItem", []), ("Homepwner.Item", ["--class", "Homepwner.Item"])] {
                var editor = try KeyedArchiveEditor(archive)
                try editor.renameClass(written, to: name)
                try editor.propertyList.data().write(to: folder["cocoa"])
                let result = try ExampleProgram.items.run(
                    ["import", folder["cocoa"].path] + options, in: folder)
                #expect(result.output == "2 items from \(folder["cocoa"].path)\n", "\(result.errors)")
            }
            #expect(
                try folder.items("list").lines
                    == Self.list + [
                        "5  Rusty spork  $41", "6  Shiny bear  $3", "7  Rusty spork  $41", "8  Shiny bear  $3",
                    ])
            let lines = try folder.items("show", "5").lines
            #expect(lines.dropFirst(2) == ["  serial number  7C5Z1", "  since          2013-09-04"])
        }
    }

    @Test func `of an unknown class are refused, and the program says how to read them`() throws {
        try withItems { folder throws in
            let before = try Data(contentsOf: folder["items.archive"])
            try folder.write(
                "other", ["NS.objects": [.uid(2)], "$class": .uid(4)], ["name": "Bag", "$class": .uid(3)],
                classEntry("Homepwner.Item"), classEntry("NSArray"))
            let result = try folder.items("import", folder["other"].path)
            #expect(result.status == 1)
            #expect(result.errors.contains("Homepwner.Item"))
            #expect(result.errors.contains("add --class NAME"))
            #expect(try Data(contentsOf: folder["items.archive"]) == before)
        }
    }

    @Test(arguments: [
        ("name", "Item", [1, 0] as PropertyList?), ("name", "Item", nil), ("itemName", "BNRItem", nil),
        ("name", "LOItem", nil), ("itemName", "Possession", nil),
    ])
    func `come from older files: without serial numbers, without a version, with the keys of a Cocoa program`(
        _ nameKey: String, _ className: String, _ versions: PropertyList?
    ) throws {
        try TemporaryFolder.with { folder throws in
            var entry: PropertyList.Dictionary = [
                "$classname": .string(className), "$classes": [.string(className), "NSObject"],
            ]
            entry["$classversions"] = versions
            try folder.write(
                "items.archive", ["NS.objects": [.uid(2)], "$class": .uid(7)],
                .dictionary([
                    nameKey: .uid(3), "valueInDollars": 74, "dateCreated": .uid(4), "$class": .uid(6),
                ]), "Rusty bear", ["NS.time": 1.5, "$class": .uid(5)], classEntry("NSDate"), .dictionary(entry),
                classEntry("NSMutableArray", "NSArray"))
            let expected = [
                "Rusty bear", "  value          $74", "  serial number  none", "  since          2001-01-01",
            ]
            #expect(try folder.items("show", "Rusty bear").lines == expected)

            // The next change writes it as it is written today.
            #expect(try folder.items("add", "Chair", "--value", "1").status == 0)
            #expect(try folder.items("show", "Rusty bear").lines == expected)
            let archive = try KeyedArchive(contentsOf: folder["items.archive"])
            #expect(archive.root[0].className == "Item")
            #expect(archive.root[0].class?.versions == [2, 0])
        }
    }

    @Test func `come back from what they were exported to`() throws {
        try withItems { folder throws in
            for format in [[], ["--xml"]] {
                let file = folder["all"].path
                #expect(try ExampleProgram.items.run(["export", file] + format, in: folder).status == 0)
                #expect(try folder.items("--file", folder["copy"].path, "import", file).status == 0)
                #expect(try folder.items("list", "--file", folder["copy"].path).lines == Self.list)
                try FileManager.default.removeItem(at: folder["copy"])
            }
        }
    }
}
