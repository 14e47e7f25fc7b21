// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@testable import archivetool

@Suite(.inTurn) struct `Changes` {
    /// Runs a command on a file, and gives what it writes.
    private func changed(_ list: PropertyList, _ command: String, _ arguments: String...) throws -> Data {
        let run = try Tool.inProcess(command, on: list.data(), arguments)
        try #require(run.status == 0, "\(run.errors)")
        return run.bytes
    }

    // MARK: - Archives

    @Test(
        arguments: [
            (["-string", "Blue Hill"], "Blue Hill"), (["--string=Blue Hill"], nil), (["-integer", "-12"], -12),
            (["-integer", "\(Int128.max)"], .integer(.max)), (["-float", "0.5"], 0.5), (["-bool", "yes"], true),
            (["-bool", "false"], false),
            (["-date", "2001-01-02T00:00:00Z"], .date(Date(timeIntervalSinceReferenceDate: 86_400))),
            (["-data", "AQI="], .data(Data([1, 2]))), (["-null"], .null), ([" as it is "], " as it is "),
        ] as [([String], PropertyList?)])
    func `set a value of each type`(words: [String], value: PropertyList?) throws {
        let run = try Tool.inProcess("set", on: HandMade.farm.data(), ["name"] + words)
        guard let value else {
            // A type is a flag.
            #expect(run.status == 2 && run.errors.contains("takes no value"))
            return
        }
        var expected = try KeyedArchiveEditor(KeyedArchive(HandMade.farm))
        try expected.set(value, at: ["root", "name"])
        #expect(try PropertyList(run.bytes) == expected.propertyList)
        // The old name.
        #expect(
            run.errors.hasPrefix(
                "archivetool: note: the file still has 1 object that nothing references after this change: #2 string;"))
        #expect(try KeyedArchive(run.bytes).objects.contains { $0.string == "Green Hill" })
    }

    @Test func `set a tree with objects, references and collections`() throws {
        let json = #"[18, {"$class": "Pail", "of": {"$ref": 6}}, {"a": null, "b": {"$data": "AQI="}}]"#
        let archive = try KeyedArchive(changed(HandMade.farm, "set", "animals/0/milk", "-json", json))
        let milk = try #require(archive.root["animals"]?[0]["milk"])
        #expect(milk.className == "NSArray" && milk.elements.count == 3)
        #expect(milk[0].integer == 18 && milk[1].className == "Pail" && milk[1]["of"]?.uid == 6)
        #expect(milk[2].className == "NSDictionary" && milk[2]["b"]?.data == Data([1, 2]))
        #expect(milk[2]["a"]?.isNull == true)
        #expect(archive.problems().isEmpty)
    }

    @Test(
        arguments: [
            // The name of the owner goes with her; an object that another one references stays.
            (["remove", "owner/name"], "1 object that nothing references after this change: #4 string"),
            (
                ["set", "animals", "-null"],
                "5 objects that nothing references after this change: #5 NSArray, #6 Farm.Cow, #7 string, #10 class, #11 class"
            ),
            (["set", "name", "-uid", "4"], "1 object that nothing references after this change: #2 string"),
        ])
    func `name the objects that nothing references any more`(words: [String], sentence: String) throws {
        let arguments = Array(words.dropFirst())
        let run = try Tool.inProcess(words[0], on: HandMade.farm.data(), arguments)
        #expect(
            run.errors
                == "archivetool: note: the file still has \(sentence); --compact removes unreferenced objects\n")
        #expect(try Tool.inProcess(words[0], on: HandMade.farm.data(), arguments + ["--compact"]).errors == "")
        // The object 12 was unreferenced before.
        #expect(try Tool.inProcess("set", on: run.bytes, ["size", "-integer", "7"]).errors == "")
    }

    @Test(
        arguments: [
            ["set", "name", "Blue Hill"], ["set", "name", "Blue Hill", "--compact"], ["compact"],
            ["rename", "Farm=Yard"], ["remove", "name"],
        ])
    func `keep the checksum of an archive true`(words: [String]) throws {
        var encoder = ArchiveEncoder.sampleFarm()
        encoder.checksum = .crc64
        let archive = try encoder.encode(SampleFarm.example)
        let run = try Tool.inProcess(words[0], on: archive, Array(words.dropFirst()))
        try #require(run.status == 0, "\(run.errors)")
        let check = try Tool.inProcess("check", on: run.bytes)
        #expect(check.status == 0 && check.output.contains("the checksum matches"), "\(check.output)")
    }

    @Test func `are made in each object that a condition selects`() throws {
        func cow(_ milk: Int) -> PropertyList { ["$class": .uid(3), "milk": .integer(Int128(milk)), "tags": .uid(4)] }
        let herd = HandMade.archive([
            "$null", ["$class": .uid(2), "NS.objects": [.uid(5), .uid(6), .uid(5), .uid(7)]],
            HandMade.classEntry("NSArray", "NSObject"), HandMade.classEntry("Cow", "NSObject"),
            ["$class": .uid(2), "NS.objects": [.uid(8), .uid(9)]], cow(12), cow(8), cow(9), "old", "calm",
        ])
        let set = try Tool.inProcess("set", on: herd.data(), ["milk", "20", "--where", "milk < 10"])
        #expect(set.errors == "archivetool: note: the condition selects 2 objects\n")
        #expect(try KeyedArchive(set.bytes).root.elements.map { $0["milk"]?.integer } == [12, 20, 12, 20])
        let added = try KeyedArchive(changed(herd, "set", "names", "-json", "[]", "--where", "milk == 12"))
        #expect(added.root[0]["names"]?.className == "NSArray" && added.root[1]["names"] == nil)
        // The list of tags is shared.
        let removed = try KeyedArchive(changed(herd, "remove", "tags[0]", "--where", "milk > 0"))
        #expect(removed.root[0]["tags"]?.elements.map(\.string) == ["calm"])
        #expect(try KeyedArchive(changed(herd, "remove", "tags", "--where", "milk > 8")).root[2].keys == ["milk"])
        // Without a path the objects themselves, with all references to them.
        #expect(try KeyedArchive(changed(herd, "remove", "--where", "milk > 8")).root.elements.map(\.uid) == [6])
        let list: PropertyList = ["a": [["n": 1], ["n": 2, "b": [["n": 1]]], ["n": 1]], "c": ["n": 1]]
        #expect(
            try PropertyList(changed(list, "remove", "--where", "n == 1")) == ["a": [["n": 2, "b": []]]])
        #expect(
            try PropertyList(changed(list, "set", "n", "-bool", "yes", "--where", "n == 2"))
                == ["a": [["n": 1], ["n": true, "b": [["n": 1]]], ["n": 1]], "c": ["n": 1]])
        let none = try Tool.inProcess("set", on: herd.data(), ["milk", "20", "--where", "milk > 20"])
        #expect(none.status == 1 && none.bytes.isEmpty && none.errors.contains("satisfies the condition; nothing was"))
        let missing = try Tool.inProcess("remove", on: herd.data(), [])
        #expect(missing.status == 2 && missing.errors.contains("PATH is missing; only --where"))
    }

    @Test func `insert, remove and move elements of lists`() throws {
        let inserted = try KeyedArchive(changed(HandMade.farm, "insert", "animals/2", "-uid", "3"))
        #expect(inserted.root["animals"]?.elements.map(\.uid) == [6, 6, 3])
        let list = inserted.propertyListOrNull
        let moved = try KeyedArchive(changed(list, "move", "animals/2", "animals/0"))
        #expect(moved.root["animals"]?.elements.map(\.uid) == [3, 6, 6])
        let removed = try KeyedArchive(changed(list, "remove", "animals/0"))
        #expect(removed.root["animals"]?.elements.map(\.uid) == [6, 3])
        let elsewhere = try KeyedArchive(changed(HandMade.farm, "move", "owner", "animals/0/keeper"))
        #expect(elsewhere.root["owner"] == nil && elsewhere.root["animals"]?[1]["keeper"]?.uid == 3)
        // Into a list without elements.
        let empty = HandMade.archive([
            "$null", ["$class": .uid(2), "NS.objects": []],
            HandMade.classEntry("NSMutableArray", "NSArray", "NSObject"),
        ])
        #expect(try KeyedArchive(changed(empty, "insert", "0", "-string", "first")).root[0].string == "first")
    }

    @Test func `leave out unreachable objects, and renumber the others`() throws {
        let removed = try KeyedArchive(changed(HandMade.farm, "remove", "animals", "--compact"))
        #expect(removed.unreachableObjects.isEmpty && removed.classes.map(\.name).sorted() == ["Farm", "Owner"])
        let run = try Tool.inProcess("compact", on: HandMade.farm.data())
        #expect(run.errors == "archivetool: note: 12 of 13 objects stay\n")
        #expect(try KeyedArchive(run.bytes).objects.count == 12)
        #expect(try Tool.differences(HandMade.farm.data(), run.bytes, []).output == "no differences\n")
        // What is compact stays as it is.
        #expect(try Tool.inProcess("compact", on: run.bytes).bytes == run.bytes)
    }

    // MARK: - Property lists

    private static let list: PropertyList = ["name": "Bella", "milk": [18, 19], "of": ["farm": ["name": "Green"]]]

    @Test func `are made in property lists, whose order stays`() throws {
        #expect(
            try PropertyList(changed(Self.list, "set", "of/farm/name", "Blue"))
                == ["name": "Bella", "milk": [18, 19], "of": ["farm": ["name": "Blue"]]])
        let inserted = try PropertyList(changed(Self.list, "insert", "milk/2", "-json", #"{"a": [1.5, null]}"#))
        #expect(
            inserted["milk"] == [18, 19, ["a": [1.5, .null]]] && inserted.dictionary?.keys == ["name", "milk", "of"])
        #expect(try PropertyList(changed(Self.list, "remove", "milk/0"))["milk"] == [19])
        #expect(try PropertyList(changed(Self.list, "remove", "of/farm"))["of"] == [:])
        #expect(
            try PropertyList(changed(Self.list, "move", "of/farm", "place"))
                == ["name": "Bella", "milk": [18, 19], "of": [:], "place": ["name": "Green"]])
    }

    @Test(.needs(.tool("python3"))) func `are what plistlib makes of them`() throws {
        let script = #"""
            import plistlib, sys, datetime
            expected = plistlib.load(open(sys.argv[1], "rb"))
            path, value = eval(sys.argv[3])
            *way, last = path
            place = expected
            for step in way:
                place = place[step]
            if value is None:
                del place[last]
            elif isinstance(place, list) and sys.argv[4] == "insert":
                place.insert(last, value)
            else:
                place[last] = value
            found = plistlib.load(open(sys.argv[2], "rb"))
            print(found == expected, list(found) == list(expected))
            """#
        for format in [PropertyListFormat.binary, .xml] {
            for (arguments, expression) in [
                (["set", "name", "-data", "AQI="], "(['name'], b'\\x01\\x02')"),
                (["set", "milk/1", "-float", "2.5"], "(['milk', 1], 2.5)"),
                (["set", "when", "-date", "2020-02-29T12:00:00Z"], "(['when'], datetime.datetime(2020, 2, 29, 12))"),
                (["insert", "milk/0", "-integer", "9223372036854775807"], "(['milk', 0], 2**63 - 1)"),
                (["insert", "of/n", "-bool", "true"], "(['of', 'n'], True)"),
                (["set", "of/farm", "-json", #"{"x": [1, {"y": "z"}]}"#], "(['of', 'farm'], {'x': [1, {'y': 'z'}]})"),
                (["remove", "milk/1"], "(['milk', 1], None)"),
                (["remove", "of/farm/name"], "(['of', 'farm', 'name'], None)"),
            ] {
                try TemporaryFolder.with { folder in
                    let file = try folder.write(Self.list, format: format)
                    let run = Tool.inProcess([arguments[0], file] + arguments.dropFirst())
                    try #require(run.status == 0, "\(run.errors)")
                    let new = try folder.write(run.bytes, to: "new")
                    #expect(PropertyListFormat(detectedIn: run.bytes) == format)
                    #expect(
                        try Plistlib.run(script, file, new, expression, arguments[0]) == "True True", "\(arguments)")
                }
            }
        }
    }

    // MARK: - Files

    @Test func `replace the file, which keeps its permissions, or leave it as it is`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm.data(), to: "farm.plist")
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let run = Tool.inProcess(["set", path, "name", "Blue Hill", "--in-place"])
            #expect(run.status == 0 && run.bytes.isEmpty)
            #expect(try KeyedArchive(contentsOf: URL(filePath: path)).root["name"]?.string == "Blue Hill")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(Tool.inProcess(["set", path, "nowhere/at/all", "x", "-i"]).status == 3)
            #expect(try Data(contentsOf: URL(filePath: path)) == before && folder.names() == ["farm.plist"])
        }
    }

    @Test(
        arguments: [
            (["set", "nme", "x"], Int32(3), "did you mean “name”?"),
            (["set", "animals", "x"], 2, "The type is missing"),
            (["set", "name", "-integer", "x"], 2, "“x” is not a whole number"),
            (["set", "name"], 2, "VALUE is missing"),
            (["set", "new", "-string", "-bool", "x"], 2, "are two types"),
            (["set", "name", "-json", "{"], 2, "no JSON"),
            (["set", "/", "-string", "x"], 2, "the root itself"),
            (["insert", "name", "-string", "x"], 3, "cannot be changed"),
            (["insert", "animals/9", "-uid", "3"], 3, "cannot be changed"), (["set", "name", "-uid", "99"], 3, "99"),
            (["remove", "nothing"], 3, "There is no “"), (["move", "name", "owner/x/y"], 3, "There is no “"),
        ] as [([String], Int32, String)])
    func `that cannot be made are refused with a sentence`(words: [String], status: Int32, sentence: String) throws {
        let run = try Tool.inProcess(words[0], on: HandMade.farm.data(), Array(words.dropFirst()))
        #expect(run.status == status && run.bytes.isEmpty, "\(run.errors)")
        #expect(run.errors.hasPrefix("archivetool: error: ") && run.errors.contains(sentence), "\(run.errors)")
    }
}

extension KeyedArchive {
    fileprivate var propertyListOrNull: PropertyList { (try? propertyList()) ?? .null }
}

/// Files of the corpus, changed and changed back.
@Suite(.inTurn, .needs(.corpus)) struct `Changes of files of other programs` {
    @Test(.timeLimit(.minutes(2)), arguments: Extent.cases(of: Corpus.rewritableNames, every: 3))
    func `can be taken back`(name: String) throws {
        let path = try Corpus.url(name).path
        guard let archive = try? KeyedArchive(Corpus.data(name)), archive.problems().isEmpty else { return }
        try TemporaryFolder.with { folder in
            let start = archive.root != archive.top ? "" : "/"
            guard archive.root != archive.top ? archive.root.kind == .object : true else { return }
            let there = Tool.inProcess(["insert", path, start + "a new key", "-json", #"["text", 1, {"a": 2.5}]"#])
            guard there.status == 0 else {
                // Lists and dictionaries with keys of their own do not take any key.
                #expect(there.status == 3 && there.errors.contains("cannot be changed"), "\(there.errors)")
                return
            }
            let file = try folder.write(there.bytes, to: "changed")
            #expect(try KeyedArchive(there.bytes).problems().isEmpty)
            #expect(Tool.inProcess(["diff", path, file]).status == 1)
            let back = try folder.write(
                Tool.inProcess(["remove", file, start + "a new key", "--compact"]).bytes, to: "back")
            #expect(Tool.inProcess(["diff", path, back]).output == "no differences\n")
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Extent.cases(of: Corpus.rewritableNames, every: 3))
    func `are found, and flattened to plain lists`(name: String) throws {
        let path = try Corpus.url(name).path
        let lines = Tool.inProcess(["find", path, "**"])
        guard lines.status != 3 else { return }
        #expect(lines.status == 0 && !lines.output.isEmpty)
        guard let archive = try? KeyedArchive(Corpus.data(name)), archive.problems().isEmpty else { return }
        let plain = Tool.inProcess(["extract", path, "--format", "plist"])
        #expect(plain.status == 0, "\(plain.errors)")
        // It is no archive any more.
        let list = try PropertyList(plain.bytes)
        #expect(throws: KeyedArchiveError.self) { try KeyedArchive(list) }
    }

    @Test func `are refused as XML if XML does not have their characters, and made in the binary format`() throws {
        let path = try Corpus.url(Corpus.name(Corpus.unrepresentableInXML)).path
        for arguments in [
            ["insert", path, "/a new key", "-json", "1"], ["extract", path, "--path", "/"],
            ["extract", path, "--format", "plist"], ["rename", path, "NSArray=List"],
        ] {
            let run = Tool.inProcess(arguments)
            #expect(run.status == 3 && run.errors.contains("no character U+001B"), "\(arguments): \(run.errors)")
        }
        try TemporaryFolder.with { folder in
            let binary = try folder.write(Tool.inProcess(["convert", path, "--to", "binary"]).bytes, to: "binary")
            let renamed = Tool.inProcess(["rename", binary, "NSArray=List"])
            #expect(renamed.status == 0)
            #expect(try KeyedArchive(renamed.bytes).classes.contains { $0.name == "List" })
        }
    }
}
