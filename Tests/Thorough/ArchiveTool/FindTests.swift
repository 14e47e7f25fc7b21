// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `find` {
    private func found(_ list: PropertyList, _ arguments: String...) throws -> Program.Run {
        try Tool.inProcess("find", on: list.data(), arguments)
    }

    @Test(
        arguments: [
            (["root..animals[*].name"], ["animals/0/name: \"Bella\""]),
            (["**/name"], ["name: \"Green Hill\"", "owner/name: \"Ann\"", "animals/0/name: \"Bella\""]),
            (["animals/*"], ["animals/0: Farm.Cow #6", "animals/1: Farm.Cow #6"]),
            (["animals[1]"], ["animals/1: Farm.Cow #6"]), (["*/name"], ["owner/name: \"Ann\""]),
            (["o*r"], ["owner: Owner #3"]),
            (["/root/size"], ["size: 12"]), (["--class", "Farm"], ["/root: Farm #1"]),
            (["--class", "Farm.Animal"], ["animals/0: Farm.Cow #6"]), (["--class", "NS*"], ["animals: NSArray #5"]),
            (["--key", "name", "--value", "*e*"], ["name: \"Green Hill\"", "animals/0/name: \"Bella\""]),
            (["--value", "12"], ["size: 12"]), (["--value", "nil"], ["debts: nil"]), (["--key", "nme"], []),
            (["owner/**", "--class", "Farm"], ["owner/farm: Farm #1"]),
        ] as [([String], [String])])
    func `writes a line for each place`(arguments: [String], lines: [String]) throws {
        let run = try Tool.inProcess("find", on: HandMade.farm.data(), arguments)
        #expect(run.output == lines.map { $0 + "\n" }.joined(), "\(run.errors)")
        #expect(run.status == (lines.isEmpty ? 1 : 0) && run.errors == "")
    }

    @Test func `writes JSON, a number, or nothing`() throws {
        let json = try found(HandMade.farm, "--key", "o*", "--json")
        let hits = try #require(JSONSerialization.jsonObject(with: json.bytes) as? [[String: Any]])
        #expect(hits.map { $0["path"] as? String } == ["owner", "animals/0/owner"])
        #expect(hits[0]["uid"] as? Int == 3 && hits[0]["class"] as? String == "Owner")
        #expect(try found(HandMade.farm, "--key", "o*", "--count").output == "2\n")
        let quiet = try found(HandMade.farm, "--key", "o*", "--quiet")
        #expect(quiet.status == 0 && quiet.output == "")
        let nothing = try found(HandMade.farm, "--key", "x", "--json")
        #expect(nothing.status == 1 && nothing.output == "[]\n")
        #expect(try found(HandMade.farm).status == 2)
    }

    @Test func `prints paths to the matches`() throws {
        let list: PropertyList = ["a/b": [["c.d": 1]], "[0]": ["x": 1], "e": .set([1])]
        let run = try found(list, "--value", "1", "--json")
        let hits = try #require(JSONSerialization.jsonObject(with: run.bytes) as? [[String: Any]])
        #expect(hits.count == 3)
        for hit in hits {
            let path = try #require(hit["path"] as? String)
            #expect(try Tool.inProcess("show", on: list.data(), ["--path", path]).output == "1\n")
        }
        // In a pattern without a “/”, a “.” divides, unless it is escaped.
        #expect(try found(list, "**/c.d", "--count").output == "1\n")
        #expect(try found(list, #"..c\.d"#, "--count").output == "1\n")
    }

    private static let savings = HandMade.archive([
        "$null", ["$class": .uid(2), "bank": .uid(3)],
        HandMade.classEntry("OldApp.Savings", "OldApp.Account", "NSObject"),
        ["$class": .uid(4)], HandMade.classEntry("OldApp.Box<OldApp.Coin>", "NSObject"),
    ])

    @Test(arguments: [
        ("Savings", "/root: OldApp.Savings #1\n", ""), ("Account", "/root: OldApp.Savings #1\n", ""),
        ("OldApp.Savings", "/root: OldApp.Savings #1\n", ""), ("Box*", "bank: OldApp.Box<OldApp.Coin> #3\n", ""),
        ("Coin>", "", "no class is called “Coin>”"),
        ("savings", "", "no class is called “savings”; did you mean “OldApp.Savings”?"),
        ("NewApp.Savings", "", "no class is called “NewApp.Savings”; did you mean “OldApp.Savings”?"),
        ("Savigns", "", "no class is called “Savigns”; did you mean “OldApp.Savings”?"),
    ])
    func `takes the name of a class with or without its module`(name: String, output: String, note: String) throws {
        let run = try found(Self.savings, "--class", name)
        #expect(run.output == output)
        #expect(run.errors == (note.isEmpty ? "" : "archivetool: note: \(note)\n"))
        #expect(run.status == (output.isEmpty ? 1 : 0))
        #expect(try found(Self.savings, "--class", name, "--quiet").errors == "")
    }

    @Test func `ends in circles and long chains`() throws {
        var objects: [PropertyList] = ["$null", HandMade.classEntry("Link", "NSObject")]
        for number in 0..<20_000 { objects.append(["$class": .uid(1), "next": .uid(UInt32(number + 3)), "n": 1]) }
        objects.append(["$class": .uid(1), "next": .uid(2), "n": 2])
        let run = try found(HandMade.archive(objects, top: ["root": .uid(2)]), "**/next/**/n", "--value", "2")
        #expect(run.status == 0)
        #expect(run.output == "…/" + String(repeating: "next/", count: 63) + "n: 2\n")
    }
}

@Suite(.inTurn) struct `Texts that are read as property lists` {
    private func read(_ text: String) throws -> PropertyList {
        let run = try Tool.inProcess("convert", on: Data(text.utf8), ["--to", "binary"])
        try #require(run.status == 0, "\(run.errors)")
        return try PropertyList(run.bytes)
    }

    @Test(
        arguments: [
            ("{}", [:]), ("()", []), ("{ a = b; }", ["a": "b"]), ("{a=b;c=d}", ["a": "b", "c": "d"]),
            ("( 1, \"two\", 'three', )", ["1", "two", "three"]),
            ("(<>, <0fbd 77>)", [.data(Data()), .data(Data([15, 189, 119]))]),
            ("{ /* x */ a = (b, {c = d;}); // y\n }", ["a": ["b", ["c": "d"]]]),
            (
                "(<*I-5>, <*R0.5>, <*BY>, <*BN>, <*D2001-01-02 00:00:00 +0000>)",
                [-5, 0.5, true, false, .date(Date(timeIntervalSinceReferenceDate: 86_400))]
            ),
            (#"("a\"b\\c\n\t\101\344\U00e4\Ud83d\Udc04", "\é")"#, ["a\"b\\c\n\tAîä🐄", "é"]),
            ("(/a/b.c:d_e-f$g)", ["/a/b.c:d_e-f$g"]),
            (
                "/* Title */\n\"Hello %@\" = \"Hallo\";\nkey = value;\nalone;",
                ["Hello %@": "Hallo", "key": "value", "alone": "alone"]
            ),
            ("\u{FEFF}a = b;", ["a": "b"]),
            (
                #"{"a": [1, -2.5, 1e3, null, true], "b": {"c": "\u00e4"}}"#,
                ["a": [1, -2.5, 1000.0, .null, true], "b": ["c": "ä"]]
            ),
            ("[]", []), ("[170141183460469231731687303715884105727]", [.integer(.max)]),
        ] as [(String, PropertyList)])
    func `are read`(text: String, list: PropertyList) throws {
        #expect(try read(text) == list)
        // And by the other commands.
        #expect(try Tool.inProcess("show", on: Data(text.utf8)).status == 0)
        #expect(try Tool.inProcess("check", on: Data(text.utf8)).status == 0)
    }

    @Test func `may be in UTF-16`() throws {
        for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian] {
            let mark = encoding == .utf16BigEndian ? Data([0xFE, 0xFF]) : Data([0xFF, 0xFE])
            let data = try mark + #require("\"ä\" = \"🐄\";".data(using: encoding))
            #expect(try PropertyList(Tool.inProcess("convert", on: data, ["--to", "binary"]).bytes) == ["ä": "🐄"])
        }
    }

    @Test func `say what they are`() throws {
        let json = try Tool.inProcess("convert", on: Data(#"{"a": 1}"#.utf8), ["--to", "xml"])
        #expect(json.status == 0 && json.errors.contains("is JSON, which is read as a property list"))
        #expect(
            try Tool.inProcess("show", on: Data("{a = 1;}".utf8)).output
                == "Property list, text, dictionary, 1 entry\na: \"1\"\n")
        #expect(
            try Tool.inProcess("show", on: Data("[1]".utf8)).output == "Property list, JSON, array, 1 element\n[0]: 1\n"
        )
    }

    @Test(arguments: [
        ("{a = ", "a value is missing here"), ("{a = }", "a value is missing here"), ("{a b}", "“=” has to follow"),
        ("(a b)", "“,” or “)” has to follow"), ("(<0>)", "odd number"), ("(<*Ix>)", "no number, Boolean or date"),
        ("(\"a", "ends in a string"), ("/* a", "does not end"), ("(a) b", "more text after"),
        ("(,)", "a value is missing"),
        (#"("\Ux")"#, "hexadecimal digits"), ("[1,]", "damaged JSON"), ("{\"a\": 1,}", "damaged JSON"),
        (String(repeating: "(", count: 100_000), "deeper than 512 levels"),
        (String(repeating: "[", count: 100_000), "deeper than 512 levels"),
        (String(repeating: "{a=", count: 100_000), "deeper than 512 levels"),
    ])
    func `that are damaged are refused with the line`(text: String, sentence: String) throws {
        for command in ["show", "check", "graph"] {
            let run = try Tool.inProcess(command, on: Data(text.utf8))
            #expect(run.status == 3 && run.errors.contains(sentence), "\(text.prefix(40)): \(run.errors)")
            #expect(run.errors.contains("line 1"))
        }
    }

    @Test(arguments: ["hello", "a sentence = of words", "#!/bin/sh\necho = x;", "<html>"])
    func `are not taken for what they are not`(text: String) throws {
        let run = try Tool.inProcess("show", on: Data(text.utf8))
        #expect(run.status == 3 && run.output == "", "\(run.output)")
    }
}
