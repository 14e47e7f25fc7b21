// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `check` {
    /// An archive with five faults and one unreachable object.
    private static let broken = HandMade.archive([
        "$null",
        ["$class": .uid(2), "missing": .uid(99), "date": .uid(3), "dictionary": .uid(5), "odd": .uid(7)],
        HandMade.classEntry("Thing", "NSObject"),
        ["$class": .uid(4), "NS.other": 1.0], HandMade.classEntry("NSDate", "NSObject"),
        ["$class": .uid(6), "NS.keys": ["a"], "NS.objects": []], HandMade.classEntry("NSDictionary", "NSObject"),
        ["$class": .uid(8)], "no class",
        "left behind",
        .uid(1),
    ])

    @Test func `finds nothing in what is sound`() throws {
        try TemporaryFolder.with { folder in
            let farm = try folder.write(HandMade.farm, to: "farm")
            let list = try folder.write(HandMade.everyKind, format: .xml, to: "list")
            let stream = try folder.write(HandMade.typedStream, to: "stream")
            let run = Tool.inProcess(["check", farm, list, stream])
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
            #expect(
                run.output == """
                    \(farm): keyed archive, binary, 13 objects: no problems
                        note: 1 unreferenced object: #12 string
                    \(list): property list, XML: no problems
                    \(stream): typedstream, 1 object: no problems

                    """)
        }
    }

    @Test func `salvages the intact part of a file that is cut`() throws {
        try TemporaryFolder.with { folder in
            let data = try ArchiveEncoder().encode(["Bella", "Berta"])
            let cut = folder["cut"]
            try data.dropLast(40).write(to: cut)
            let damaged = Tool.inProcess(["check", cut.path])
            #expect(damaged.status == 1 && damaged.output.contains("1 problem"))
            let run = Tool.inProcess(["check", "--salvage", "--intact", folder["whole"].path, cut.path])
            #expect(run.status == 1)
            #expect(run.output.contains("keyed archive, binary, 5 objects: 1 problem\n"))
            #expect(run.output.contains("note: the intact part has 5 objects\n"))
            #expect(try ArchiveDecoder().decode([String].self, from: folder["whole"]) == ["Bella", "Berta"])
            #expect(Tool.inProcess(["check", folder["whole"].path]).status == 0)
            try data.prefix(60).write(to: cut)
            #expect(Tool.inProcess(["check", "--salvage", cut.path]).output.contains("no part of it can be salvaged"))
            #expect(Tool.inProcess(["check", "--intact", folder["whole"].path, cut.path]).status == 2)
        }
    }

    @Test func `compares a checksum`() throws {
        try TemporaryFolder.with { folder in
            var encoder = ArchiveEncoder()
            encoder.checksum = .crc64
            let url = folder["farm"]
            let path = url.path
            try encoder.encode(["Bella", "Berta"], to: url)
            let sound = Tool.inProcess(["check", path])
            #expect(sound.status == 0)
            #expect(sound.output.contains("no problems\n    note: the checksum matches\n"))
            #expect(Tool.inProcess(["check", "--json", path]).output.contains("\"checksum\": \"matches\""))
            for change in [
                ["rename", path, "NSArray=NSMutableArray"], ["compact", path], ["convert", "--to", "binary", path],
            ] {
                let changed = folder["changed"]
                try Tool.inProcess(change).bytes.write(to: changed)
                #expect(try KeyedArchive(contentsOf: changed).top["$crc64"] != nil, "\(change)")
                #expect(Tool.inProcess(["check", changed.path]).output.contains("the checksum matches"), "\(change)")
            }
            let xml = folder["xml"]
            try Tool.inProcess(["convert", "--to", "xml", path]).bytes.write(to: xml)
            #expect(try KeyedArchive(contentsOf: xml).root[1].string == "Berta")
            #expect(Tool.inProcess(["check", "--json", xml.path]).output.contains("\"checksum\": \"none\""))
            var data = try Data(contentsOf: url)
            data[20] ^= 4
            try data.write(to: url)
            let damaged = Tool.inProcess(["check", path])
            #expect(damaged.status == 1)
            #expect(damaged.output.contains("1 problem\n    its checksum is 0x"))
            #expect(Tool.inProcess(["check", "--json", path]).output.contains("\"checksum\": \"does not match\""))
        }
    }

    @Test func `notes keys that a dictionary has twice`() throws {
        let entries: [PropertyList.Dictionary.Element] = [("name", "first"), ("other", 1), ("name", "second")]
        try TemporaryFolder.with { folder in
            let list = try folder.write(["inner": .dictionary(PropertyList.Dictionary(entries))], to: "list")
            let object = PropertyList.Dictionary(entries + [("$class", .uid(2))])
            let archive = try folder.write(
                HandMade.archive([
                    "$null", .dictionary(object), HandMade.classEntry("Thing", "NSObject"),
                    ["$class": .uid(4), "NS.keys": ["a", "b", "a"], "NS.objects": [1, 2, 3]],
                    HandMade.classEntry("NSDictionary", "NSObject"),
                ]), to: "archive")
            let run = Tool.inProcess(["check", list, archive])
            #expect(run.status == 0)
            #expect(run.output.contains("property list, binary: no problems\n    note: 1 repeated key: name\n"))
            #expect(run.output.contains("    note: 2 repeated keys: #1 name, #3 a\n"))
        }
    }

    @Test func `reports everything that is wrong`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.broken)
            let run = Tool.inProcess(["check", path])
            #expect(run.status == 1)
            #expect(run.errors.isEmpty)
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "\(path): keyed archive, binary, 11 objects: 5 problems")
            for sentence in [
                "    #1 (missing): uid 99 is referenced, but there are only 11 objects",
                "    #7 (odd): the object at uid 7 has the class entry at uid 8, which describes no class",
                "    #10: object 10 is itself a uid",
                "    #5 (dictionary): the dictionary at uid 5 has 1 keys and 0 values",
            ] {
                #expect(lines.contains(sentence), "\(sentence)")
            }
            // A date without its time is reported by the check of dates.
            #expect(lines.contains { $0.hasPrefix("    #3 (date): NS.time") }, "\(run.output)")
            #expect(lines.contains { $0.hasPrefix("    note: 2 unreferenced objects: #9 string, #10 ") })
            #expect(lines.count == 7)
            let few = Tool.inProcess(["check", path, "--limit", "2"])
            #expect(few.output.contains("2 problems or more\n"))
        }
    }

    @Test func `reports to programs as well`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.broken)
            let run = Tool.inProcess(["check", "--json", path])
            #expect(run.status == 1)
            let checks = try #require(JSONSerialization.jsonObject(with: run.bytes) as? [[String: Any]])
            #expect(checks.count == 1)
            #expect(checks[0]["file"] as? String == path)
            #expect(checks[0]["kind"] as? String == "keyed archive")
            let problems = try #require(checks[0]["problems"] as? [[String: Any]])
            #expect(problems.count == 5)
            let paths: [String] = problems.compactMap { $0["path"] as? String }
            let uids: [Int] = problems.compactMap { $0["uid"] as? Int }
            #expect(Set(paths) == ["missing", "date", "dictionary", "odd"] && Set(uids) == [1, 3, 5, 7, 10])
            #expect((checks[0]["notes"] as? [String])?.count == 1)
        }
    }

    @Test func `finds the places of invalid references`() throws {
        let archive = HandMade.archive(
            [
                "$null", ["$class": .uid(2), "list": .uid(3), "plain": ["a": [.uid(92)]]], HandMade.classEntry("Farm"),
                ["$class": .uid(4), "NS.objects": [.uid(91)]], HandMade.classEntry("NSArray"), [.uid(93)],
            ], top: ["root": .uid(1), "other": .uid(90)])
        try TemporaryFolder.with { folder in
            let path = try folder.write(archive)
            let lines = Tool.inProcess(["check", path]).output.split(separator: "\n").map(String.init)
            let rest = "is referenced, but there are only 6 objects"
            let places = ["(/other): uid 90", "#3 (list): uid 91", "#1 (plain): uid 92", "#5: uid 93"]
            #expect(Set(lines[1...4]) == Set(places.map { "    \($0) \(rest)" }))
        }
    }

    @Test func `says nothing where it is to be quiet`() throws {
        try TemporaryFolder.with { folder in
            let sound = try folder.write(HandMade.farm, to: "sound")
            let broken = try folder.write(Self.broken, to: "broken")
            for (paths, status) in [([sound], 0), ([broken], 1), ([sound, broken, sound], 1)] as [([String], Int32)] {
                let run = Tool.inProcess(["check", "--quiet"] + paths)
                #expect(run.status == status)
                #expect(run.output.isEmpty)
                #expect(run.errors.isEmpty)
            }
        }
    }

    @Test func `goes on after a file that cannot be read`() throws {
        try TemporaryFolder.with { folder in
            let broken = try folder.write(Self.broken, to: "broken")
            let run = Tool.inProcess(["check", folder["missing"].path, broken])
            #expect(run.status == 3)
            #expect(run.errors.contains("“\(folder["missing"].path)” cannot be read"))
            #expect(run.output.contains("5 problems"))
        }
    }

    @Test func `finds damage of the container`() throws {
        try TemporaryFolder.with { folder in
            let data = try HandMade.farm.data()
            for (name, bytes) in [
                ("cut off", data.dropLast(10)), ("only a header", data.prefix(8)),
                ("a cut-off typedstream", HandMade.typedStream.dropLast(4)),
                ("XML without an end", try HandMade.farm.data(format: .xml).dropLast(30)),
            ] {
                let run = Tool.inProcess(["check", try folder.write(Data(bytes), to: name)])
                #expect(run.status == 1, "\(name): \(run.errors)")
                #expect(run.output.contains(": 1 problem\n"), "\(run.output)")
            }
        }
    }

    @Test(
        arguments: [
            (["$archiver": "NSKeyedArchiver", "$top": [:], "$objects": []], "$version is missing"),
            (
                ["$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": [:], "$objects": 1],
                "is not a keyed archive: $objects is not an array"
            ),
            (["$version": 99, "$archiver": "NSKeyedArchiver", "$top": [:], "$objects": []], "has version 99"),
        ] as [(PropertyList, String)])
    func `finds archives that are none`(list: PropertyList, sentence: String) throws {
        try TemporaryFolder.with { folder in
            let run = Tool.inProcess(["check", try folder.write(list)])
            #expect(run.status == 1)
            #expect(run.output.contains(sentence), "\(run.output)")
            // They can still be looked at.
            let shown = Tool.inProcess(["show", folder["list.plist"].path])
            #expect(shown.status == 0)
            #expect(shown.output.hasPrefix("Property list, binary, dictionary, "))
        }
    }

    @Test func `notes how deep objects are nested, from some depth on`() throws {
        final class Node: Codable {
            var next: Node?
            init(_ next: Node?) { self.next = next }
        }
        func chain(_ count: Int) throws -> Data {
            try ArchiveEncoder().encode((1..<count).reduce(Node(nil)) { node, _ in Node(node) })
        }
        let run = try Tool.inProcess("check", on: chain(300), [])
        #expect(run.status == 0)
        #expect(
            run.output.contains(
                "note: objects are nested 300 levels deep, up to next/next/next/next/next/…/next/next/next/next/next/next"
                    + " (300 steps): to decode them as plain properties needs a large stack"), "\(run.output)")
        #expect(try !Tool.inProcess("check", on: chain(250), []).output.contains("nested"))
    }
}
