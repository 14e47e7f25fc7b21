// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// Command lines, run as processes.
@Suite(.inTurn, .needs(.program("archivetool")))
struct `The command line` {
    @Test func `without a command says how it is used, and fails`() throws {
        let run = try Tool.run()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("archivetool COMMAND [OPTIONS] [FILE]"))
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "help"]])
    func `has help that lists all commands`(arguments: [String]) throws {
        let run = try Tool.run(arguments)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        for command in ArchiveTool.commands { #expect(run.output.contains("    \(command.name) ")) }
        for status in 0...4 { #expect(run.output.contains("\n    \(status)  ")) }
    }

    @Test(arguments: ArchiveTool.commands.map(\.name))
    func `has help for each command, in every way to request it`(name: String) throws {
        let command = try #require(ArchiveTool.commands.first { $0.name == name })
        let texts = try [["help", name], [name, "--help"], [name, "-h"], [name, "nonsense", "--nonsense", "-h"]]
            .map { try Tool.run($0) }
        for run in texts {
            #expect(run.status == 0)
            #expect(run.output == texts[0].output)
        }
        #expect(texts[0].output.contains("archivetool \(name) [OPTIONS]"))
        for option in command.allOptions { #expect(texts[0].output.contains(option.spelling)) }
        #expect(!command.examples.isEmpty)
        for example in command.examples { #expect(texts[0].output.contains(example.line)) }
        for line in texts[0].output.split(separator: "\n") where !line.contains("archivetool") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test func `prints its version`() throws {
        #expect(try Tool.run("--version").output == "archivetool \(ArchiveTool.version)\n")
    }

    @Test(arguments: [
        (["shwo"], "There is no command “shwo”; did you mean “show”?"),
        (["frobnicate"], "There is no command “frobnicate”; “archivetool --help” lists the commands"),
        (["help", "chekc"], "There is no command “chekc”; did you mean “check”?"),
        (["--depth", "2"], "“--depth” is an option, but the command is missing"),
        (["show", "--dept", "2"], "“show” has no option “--dept”; did you mean “--depth”?"),
        (["show", "--frobnicate"], "“show” has no option “--frobnicate”"),
        (["show", "-x"], "“show” has no option “-x”"),
        (["show", "--depth"], "--depth needs a value, --depth=N; nothing follows"),
        (["show", "--depth", "--nested"], "--depth needs a value, --depth=N; “--nested” follows"),
        (["show", "--depth", "deep", "x"], "--depth takes a whole number from 0 up, not “deep”"),
        (["show", "--depth=-1", "x"], "--depth takes a whole number from 0 up, not “-1”"),
        (["show", "--nested=yes"], "--nested takes no value, and “yes” was given"),
        (["show", "--color", "alway"], "did you mean “always”?"),
        (["show", "a", "b"], "“b” is one more than “show” takes"),
        (["show", "a", "--", "--nested"], "“--nested” is one more than “show” takes"),
        (["convert", "a"], "--to is missing"),
        (["convert", "a", "--to", "jsno"], "did you mean “json”?"),
    ])
    func `that cannot be followed says what is wrong with it`(arguments: [String], sentence: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm)
            // The file is there, so that nothing else is wrong.
            let run = try Tool.run(arguments.map { $0 == "x" || $0 == "a" ? path : $0 })
            #expect(run.status == 2)
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("archivetool: error: "))
            #expect(run.errors.contains(sentence), "\(run.errors)")
            #expect(run.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test(arguments: [
        ["show", "--depth", "0", "FILE"], ["show", "--depth=0", "FILE"], ["show", "FILE", "--depth", "0"],
        ["show", "--depth=0", "--", "FILE"], ["show", "--depth", "3", "--depth", "0", "FILE"], ["show", "--depth=0"],
        ["show", "--depth=0", "-"], ["show", "-oOUT", "--depth=0", "FILE"], ["show", "-o", "OUT", "--depth=0", "FILE"],
        ["show", "--output=OUT", "--depth=0", "FILE"],
    ])
    func `may be written in several ways`(arguments: [String]) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm)
            let input = try Data(contentsOf: URL(fileURLWithPath: path))
            let words = arguments.map {
                $0 == "FILE" ? path : $0.replacingOccurrences(of: "OUT", with: folder["out.txt"].path)
            }
            let run = try Tool.run(words, input: input)
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
            let hasFile = arguments.contains { $0.contains("OUT") }
            let text = hasFile ? try String(contentsOf: folder["out.txt"], encoding: .utf8) : run.output
            #expect(
                text == """
                    Keyed archive by NSKeyedArchiver, binary, 13 objects
                    root: Farm #1 …

                    Unreachable objects:
                        #12: "left behind"

                    """)
        }
    }
}

@Suite(.inTurn, .needs(.program("archivetool")))
struct `Input and output` {
    private static func utf32(_ text: String, _ encoding: String.Encoding) -> Data {
        text.data(using: encoding) ?? Data()
    }

    @Test(arguments: [
        (Data(), "is empty"), (Data("{\"a\": 1".utf8), "is damaged JSON: line 1: “,” or “}” has to follow"),
        (Data("( a, b ".utf8), "is a damaged text property list: line 1"),
        (Data("hello".utf8), "begins with the bytes 68 65 6c 6c 6f"), (Data([0x1F, 0x8B, 8, 0]), "compressed by gzip"),
        (Data(repeating: 0, count: 100), "begins with zeros"), (Data("NIBArchive".utf8), "NIBArchive"),
        (Data("GNUstep archive00002b5c".utf8), "is an archive of GNUstep's NSArchiver"),
        (Data("SQLite format 3\0".utf8), "SQLite"), (Data("bplist15".utf8), "a version that is not described"),
        (utf32("\u{FEFF}<plist/>", .utf32LittleEndian), "is a text in UTF-32"),
        (utf32("<plist/>", .utf32LittleEndian), "is a text in UTF-32"),
        (utf32("{a = b;}", .utf32BigEndian), "is a text in UTF-32"),
        (Data("bplist00".utf8), "cut off"), (Data("<html><body></body></html>".utf8), "an HTML page"),
        (Data(HandMade.typedStream.prefix(20)), "damaged typedstream"),
    ])
    func `that cannot be read is reported with its kind`(data: Data, sentence: String) throws {
        for command in ["show", "stats"] {
            let run = try Tool.run(command, input: data)
            #expect(run.status == 3)
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("archivetool: error: standard input "))
            #expect(run.errors.contains(sentence), "\(run.errors)")
        }
    }

    @Test func `of files that are not there, or are folders, is an error`() throws {
        try TemporaryFolder.with { folder in
            let missing = try Tool.run("show", folder["missing"].path)
            #expect(missing.status == 3)
            #expect(
                missing.errors
                    == "archivetool: error: “\(folder["missing"].path)” cannot be read: No such file or directory\n")
            let run = try Tool.run("show", folder.url.path)
            #expect(run.status == 3)
            #expect(run.errors.contains("is a folder"))
        }
    }

    @Test func `to a file replaces it as a whole, and keeps its permissions`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.everyKind)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            // From the file to itself.
            let run = try Tool.run("convert", path, "--to", "xml", "-o", path)
            #expect(run.status == 0)
            #expect(run.output.isEmpty)
            #expect(try PropertyList(Data(contentsOf: URL(fileURLWithPath: path))) == HandMade.everyKind)
            #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("<?xml"))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(try folder.names() == ["list.plist"])
        }
    }

    @Test func `that fails leaves the file as it was`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Data("old".utf8), to: "out")
            let run = try Tool.run("convert", "--to", "json", "-o", path, input: Data("nonsense".utf8))
            #expect(run.status == 3)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
            #expect(try folder.names() == ["out"])
        }
    }

    @Test func `to places that cannot be written is an error of its own`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm)
            for place in [folder.url.path, folder["no folder/file"].path, path + "/file"] {
                let run = try Tool.run("show", path, "--output", place)
                #expect(run.status == 4)
                #expect(run.errors.hasPrefix("archivetool: error: “\(place)” "))
            }
        }
    }

    #if os(Linux)
        @Test func `to a full disk is an error`() throws {
            let run = try Tool.shell("\"$1\" show --output /dev/full", input: HandMade.farm.data())
            #expect(run.status == 4)
            #expect(run.errors.contains("No space left on device"))
            #expect(try Tool.shell("\"$1\" show > /dev/full", input: HandMade.farm.data()).status == 4)
        }
    #endif

    @Test func `without a reader ends without a message`() throws {
        let list = PropertyList.array((0..<100_000).map { .integer(Int128($0)) })
        let run = try Tool.shell("\"$1\" show | head -n 1", input: list.data())
        #expect(run.output == "Property list, binary, array, 100000 elements\n")
        #expect(run.errors.isEmpty)
    }
}
