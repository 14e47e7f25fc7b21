// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `show` {
    /// What `show` writes with `options` of `list`.
    private func shown(_ list: PropertyList, _ options: String...) throws -> Program.Run {
        try Tool.inProcess("show", on: list.data(), options)
    }

    @Test func `writes an archive as a tree`() throws {
        #expect(
            try shown(HandMade.farm).output == """
                Keyed archive by NSKeyedArchiver, binary, 13 objects
                root: Farm #1
                    name: "Green Hill"
                    owner: Owner #3
                        name: "Ann"
                        farm: Farm #1 (cycle)
                    animals: NSArray #5, 2 elements
                        [0]: Farm.Cow #6
                            name: "Bella"
                            owner: Owner #3 (above)
                        [1]: Farm.Cow #6 (above)
                    debts: nil
                    size: 12

                Unreachable objects:
                    #12: "left behind"

                """)
    }

    @Test func `writes a property list as a tree`() throws {
        let list: PropertyList = [
            "name": "Bella", "two words": true, "list": [1, 2.5, ["a": [:]]], "photo": .data(Data(0..<20)),
            "when": .date(Date(timeIntervalSinceReferenceDate: 86400)), "none": .null, "set": .set([.real32(1.5)]),
            "uid": .uid(3), "": "no key",
        ]
        #expect(
            try shown(list).output == """
                Property list, binary, dictionary, 9 entries
                name: "Bella"
                "two words": true
                list: array, 3 elements
                    [0]: 1
                    [1]: 2.5
                    [2]: dictionary, 1 entry
                        a: dictionary, 0 entries
                photo: 20 bytes <00010203 04050607 08090a0b 0c0d0e0f …>
                when: 2001-01-02T00:00:00Z
                none: null
                set: set, 1 element
                    - 1.5 (32 bits)
                uid: uid 3
                "": "no key"

                """)
    }

    @Test func `writes a typedstream as a tree`() throws {
        try TemporaryFolder.with { folder in
            let run = Tool.inProcess(["show", try folder.write(HandMade.typedStream)])
            #expect(
                run.output == """
                    Typedstream of version 4, little-endian, system 1000, 1 object
                    @: #0 NSString v1 > NSObject v0
                        +: "hi"

                    """)
        }
    }

    @Test func `writes the given numbers of levels, bytes and characters`() throws {
        #expect(
            try shown(HandMade.farm, "--depth", "1").output.hasPrefix(
                """
                Keyed archive by NSKeyedArchiver, binary, 13 objects
                root: Farm #1
                    name: "Green Hill"
                    owner: Owner #3 …
                    animals: NSArray #5, 2 elements …
                    debts: nil
                    size: 12
                """))
        let list: PropertyList = ["a": [[1]], "b": .data(Data([1, 2, 3])), "c": "abcdef"]
        #expect(
            try shown(list, "--depth", "1", "--bytes", "2", "--characters", "3").output == """
                Property list, binary, dictionary, 3 entries
                a: array, 1 element …
                b: 3 bytes <0102 …>
                c: "abc"…

                """)
        #expect(try shown(HandMade.farm, "--no-uids").output.contains("animals: NSArray, 2 elements"))
    }

    // MARK: - Parts

    @Test(arguments: [
        ("owner/name", "\"Ann\"\n"), ("/root/owner/name", "\"Ann\"\n"), ("root/owner/name", "\"Ann\"\n"),
        ("animals/1/name", "\"Bella\"\n"), ("animals/[1]/owner/farm/size", "12\n"), ("animals//0/name/", "\"Bella\"\n"),
        ("debts", "nil\n"),
        ("owner", "Owner #3\n    name: \"Ann\"\n    farm: Farm #1\n        name: \"Green Hill\"\n"),
    ])
    func `finds a part of an archive by its path`(path: String, text: String) throws {
        let run = try shown(HandMade.farm, "--path", path)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix(text), "\(run.output)")
    }

    @Test func `finds the top`() throws {
        let top = HandMade.archive(["$null", "a"], top: ["first": .uid(1), "second": 2])
        #expect(try shown(top, "--path", "/").output == "top\n    first: \"a\"\n    second: 2\n")
        #expect(try shown(top, "--path", "second").output == "2\n")
    }

    @Test(arguments: [
        ("a\\/b", "1\n"), ("c\\\\d", "2\n"), ("\\[0]", "3\n"), ("[0]", "1\n"), ("list/1", "\"second\"\n"), ("7", "4\n"),
    ])
    func `finds keys with any characters, and positions`(path: String, text: String) throws {
        let list: PropertyList = ["a/b": 1, "c\\d": 2, "[0]": 3, "list": ["first", "second"], "7": 4]
        #expect(try shown(list, "--path", path).output == text)
        let archive = HandMade.archive(
            ["$null", list, "first"], top: ["root": .uid(1)])
        #expect(try shown(archive, "--path", path).output == text)
    }

    @Test(arguments: [
        (
            "ownr",
            "There is no “ownr” in the Farm #1 at the root: its keys are “name”, “owner”, “animals”, “debts”, “size”; did you mean “owner”?"
        ),
        (
            "owner/nam",
            "There is no “nam” in the Owner #3 at “owner”: its keys are “name”, “farm”; did you mean “name”?"
        ),
        ("animals/2", "There is no “2” in the NSArray #5 at “animals”: it has positions from 0 to 1"),
        ("animals/[-1]", "There is no “[-1]” in the NSArray #5 at “animals”: it has positions from 0 to 1"),
        ("name/x", "There is no “x” in the string #2 at “name”: it has no contents"),
        ("/rot", "There is no “rot” in the top: its keys are “root”; did you mean “root”?"),
    ])
    func `describes the values around an invalid path`(path: String, sentence: String) throws {
        let run = try shown(HandMade.farm, "--path", path)
        #expect(run.status == 3)
        #expect(run.errors == "archivetool: error: \(sentence)\n")
    }

    @Test func `finds an object by its uid`() throws {
        #expect(try shown(HandMade.farm, "--uid", "4").output == "\"Ann\"\n")
        #expect(try shown(HandMade.farm, "--uid", "0").output == "nil\n")
        let run = try shown(HandMade.farm, "--uid", "13")
        #expect(run.status == 3)
        #expect(run.errors.contains("There is no object #13: the archive has 13, from #0 (nil) to #12"))
        #expect(try shown(HandMade.farm, "--uid", "1", "--path", "owner").status == 2)
        #expect(try shown(HandMade.everyKind, "--uid", "1").status == 2)
    }

    @Test func `lists classes`() throws {
        #expect(
            try shown(HandMade.farm, "--classes").output == """
                #8 Farm > NSObject, 1 object
                #9 Owner > NSObject, 1 object
                #10 NSArray > NSObject, 1 object
                #11 Farm.Cow > Farm.Animal > NSObject, 1 object

                """)
        try TemporaryFolder.with { folder in
            let run = Tool.inProcess(["show", "--classes", try folder.write(HandMade.typedStream)])
            #expect(run.output == "#0 NSString version 1 > NSObject, 1 object\n#1 NSObject, 0 objects\n")
        }
        #expect(try shown(HandMade.everyKind, "--classes").status == 3)
        #expect(try shown(HandMade.archive(["$null", "text"]), "--classes").output == "no classes\n")
    }

    // MARK: - Nested contents

    @Test func `opens archives inside of data where it is asked to`() throws {
        let inner = try HandMade.archive(holding: HandMade.typedStream).data(format: .xml)
        let outer = HandMade.archive(holding: inner)
        #expect(try shown(outer).output.contains("(may be an archive)"))
        let start = "document: \(inner.count) bytes <3c3f786d 6c207665 7273696f 6e3d2231 …>"
        #expect(
            try shown(outer, "--nested").output == """
                Keyed archive by NSKeyedArchiver, binary, 3 objects
                root: Holder #1
                    \(start):
                        Keyed archive by NSKeyedArchiver, XML, 3 objects
                        root: Holder #1
                            document: \(HandMade.typedStream.count) bytes <040b7374 7265616d 74797065 6481e803 …>:
                                Typedstream of version 4, little-endian, system 1000, 1 object
                                @: #0 NSString v1 > NSObject v0
                                    +: "hi"

                """)
        #expect(
            try shown(outer, "--nested-limit", "1").output == """
                Keyed archive by NSKeyedArchiver, binary, 3 objects
                root: Holder #1
                    \(start):
                        Keyed archive by NSKeyedArchiver, XML, 3 objects
                        root: Holder #1
                            document: \(HandMade.typedStream.count) bytes <040b7374 7265616d 74797065 6481e803 …>

                """)
    }

    @Test func `says where there is something that --nested opens`() throws {
        let outer = HandMade.archive(holding: HandMade.typedStream)
        #expect(
            try shown(outer).errors
                == "archivetool: note: data contains archives or property lists (1): --nested shows them\n")
        #expect(try shown(outer, "--nested").errors == "")
        let two: PropertyList = ["a": .data(try outer.data()), "b": .data(HandMade.typedStream), "c": .data(Data([1]))]
        #expect(try shown(two).errors.contains("data contains archives or property lists (2): --nested shows them"))
        #expect(try shown(HandMade.archive(holding: Data([1, 2]))).errors == "")
    }

    @Test func `opens lists inside of lists`() throws {
        let inner: PropertyList = ["b": [1]]
        let count = try inner.data().count
        let list: PropertyList = ["a": .data(try inner.data())]
        #expect(
            try shown(list, "--nested", "--bytes", "0").output == """
                Property list, binary, dictionary, 1 entry
                a: \(count) bytes:
                    Property list, binary, dictionary, 1 entry
                    b: array, 1 element
                        [0]: 1

                """)
    }

    @Test func `opens data that several places refer to once`() throws {
        let data = try HandMade.archive(["$null", "deep"]).data()
        let list = HandMade.archive(["$null", [.uid(2), .uid(2)], .data(data)])
        let text = try shown(list, "--nested").output
        #expect(text.components(separatedBy: "\"deep\"").count == 2)
        #expect(text.contains("(above)"))
    }
}

@Suite(.inTurn) struct `Colours` {
    @Test func `are written only to a terminal`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm)
            var terminal = Session.Surroundings()
            terminal.isOutputTerminal = true
            func hasColor(_ options: [String], _ surroundings: Session.Surroundings) throws -> Bool {
                let run = Tool.inProcess(["show", path] + options, surroundings: surroundings)
                #expect(run.status == 0)
                let text = run.output.isEmpty ? try String(contentsOf: folder["out"], encoding: .utf8) : run.output
                return text.contains("\u{1B}[")
            }
            #expect(try hasColor([], terminal))
            #expect(try !hasColor([], .init()))
            #expect(try hasColor(["--color", "always"], .init()))
            #expect(try !hasColor(["--color=never"], terminal))
            #expect(try !hasColor(["-o", folder["out"].path], terminal))
            terminal.asksForNoColor = true
            #expect(try !hasColor([], terminal))
            #expect(try hasColor(["--color=always"], terminal))
        }
    }

    @Test func `change nothing but colours`() throws {
        for list in [HandMade.farm, HandMade.everyKind, HandMade.binaryOnly] {
            try TemporaryFolder.with { folder in
                let path = try folder.write(list)
                let plain = Tool.inProcess(["show", path]).output
                let colored = Tool.inProcess(["show", path, "--color", "always"]).output
                #expect(colored != plain)
                #expect(colored.withoutColors == plain)
            }
        }
    }

    @Test(arguments: [
        ("    name: \"a: b\"", "    \u{1B}[36mname\u{1B}[0m: \u{1B}[32m\"a: b\"\u{1B}[0m"),
        (
            "owner: Owner #3 (above)",
            "\u{1B}[36mowner\u{1B}[0m: \u{1B}[1;34mOwner\u{1B}[0m \u{1B}[35m#3\u{1B}[0m \u{1B}[1;35m(above)\u{1B}[0m"
        ),
        ("size: -12.5", "\u{1B}[36msize\u{1B}[0m: \u{1B}[33m-12.5\u{1B}[0m"),
        ("a: nil", "\u{1B}[36ma\u{1B}[0m: \u{1B}[33mnil\u{1B}[0m"),
        ("a: damaged: uid 99 is", "\u{1B}[36ma\u{1B}[0m: \u{1B}[1;31mdamaged: uid 99 is\u{1B}[0m"),
    ])
    func `go by the parts of a line`(line: String, colored: String) {
        #expect(TreeColors.colored(line) == colored)
    }
}

extension String {
    /// The text without the control sequences of colours.
    var withoutColors: String {
        replacingOccurrences(of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
    }
}
