// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@testable import archivetool

/// Files that were made to do harm, run as processes: a crash, a stack that is used up or a terminal that is controlled
/// would be seen.
@Suite(.inTurn, .needs(.program("archivetool")))
struct `Hostile files` {
    static let commands: [[String]] = [
        ["show"], ["show", "--nested", "--color", "always"], ["show", "--classes"], ["stats"], ["stats", "--json"],
        ["check"], ["check", "--json"], ["convert", "--to", "binary"], ["convert", "--to", "xml"],
        ["convert", "--to", "json"],
        ["convert", "--to", "json-lossless"], ["graph"], ["graph", "--format", "svg", "--limit", "500"],
        ["graph", "--format", "dot", "--leaves"],
        ["graph", "--format", "svg", "--all"], ["graph", "--format", "html"], ["extract", "--uid", "1"],
        ["extract", "--path", "/"],
        ["rename", "-", "Thing", "Other", "--nested"],
    ]

    /// Commands that take standard input by its name.
    static let others: [[String]] = [
        ["find", "-", "**"], ["find", "-", "--value", "*x*", "--json"],
        ["find", "-", "--where", "name.x contains 'a' || x[0] > 1", "--json"], ["extract", "-", "--format", "plist"],
        ["set", "-", "key", "-string", "x"], ["insert", "-", "0", "-json", "[{}]"],
        ["remove", "-", "root", "--compact"],
        ["compact", "-"],
    ]

    /// Some commands, for files that none of them can open.
    static let few = [
        ["show", "--nested"], ["check"], ["convert", "--to", "json"], ["rename", "-", "Thing", "Other"],
    ]

    /// Runs all commands with `data`; none may crash, or be silent about what it does not do.
    private func tryAll(_ data: Data, _ commands: [[String]] = Self.commands + Self.others) throws {
        for command in commands {
            let run = try Tool.run(command, input: data)
            #expect([0, 1, 2, 3].contains(run.status), "\(command): \(run.status) \(run.errors)")
            #expect(run.status == 0 || !run.errors.isEmpty || !run.output.isEmpty)
            if run.status >= 2 { #expect(run.errors.hasPrefix("archivetool: error: "), "\(run.errors)") }
        }
        try TemporaryFolder.with { folder in
            let file = try folder.write(data)
            let run = try Tool.run("diff", file, file)
            #expect(run.output == "no differences\n" && run.status == 0 || run.status == 3, "\(run.status)")
            if run.status == 3 { #expect(run.errors.hasPrefix("archivetool: error: "), "\(run.errors)") }
        }
    }

    // MARK: - Depth

    /// A chain of so many objects, each of which refers to the next one.
    private static func chain(_ count: Int, closed: Bool) -> PropertyList {
        var objects: [PropertyList] = ["$null", HandMade.classEntry("Link", "NSObject")]
        for number in 0..<count {
            let next = number + 1 < count ? UInt32(number + 3) : closed ? 2 : 0
            objects.append(["$class": .uid(1), "next": .uid(next)])
        }
        return HandMade.archive(objects, top: ["root": .uid(2)])
    }

    /// A binary list of so many arrays, each of which has the next one as often as said. The last one is empty.
    private static func nestedArrays(_ count: Int, width: Int) -> Data {
        var file = BinaryFile(offsetSize: 4, referenceSize: 4)
        for next in 1..<count {
            let references = Array(repeating: BinaryFile.number(UInt64(next), size: 4), count: width)
            file.objects.append(BinaryFile.head(0xA0, count: width) + references.flatMap { $0 })
        }
        file.objects.append(BinaryFile.head(0xA0, count: 0))
        return Data(file.bytes)
    }

    @Test(arguments: [
        ["show"], ["stats"], ["check"], ["convert", "--to", "json"], ["graph", "--format", "svg"],
        ["graph", "--format", "html"], ["find", "-", "**/next/**", "--count"], ["compact", "-"],
    ])
    func `with chains of 20 000 objects take no stack`(command: [String]) throws {
        let data = try Self.chain(20_000, closed: command == ["show"]).data()
        let run = try Tool.runWithSmallStack(command, input: data)
        #expect(run.status == 0)
        // A path of 20 000 steps is shortened.
        if command == ["stats"] {
            #expect(
                run.output.contains(
                    "the path to next/next/next/next/next/…/next/next/next/next/next/next (20000 steps)"))
            #expect(run.output.utf8.count < 5000)
        }
    }

    @Test(arguments: [false, true])
    func `with chains and circles of 2000 objects are read by all commands`(closed: Bool) throws {
        try tryAll(Self.chain(2000, closed: closed).data())
    }

    @Test func `with arrays 100 000 levels deep are refused, or read without end of the stack`() throws {
        // Each array holds the next one, in the binary format and in XML.
        try tryAll(Self.nestedArrays(100_000, width: 1), Self.few)
        let xml =
            "<plist>" + String(repeating: "<array>", count: 100_000) + String(repeating: "</array>", count: 100_000)
        try tryAll(Data((xml + "</plist>").utf8), Self.few)
        // 500 levels are allowed.
        var list: PropertyList = []
        for _ in 0..<500 { list = [list] }
        try tryAll(list.data())
        let json = try Tool.run(["convert", "--to", "json-lossless"], input: list.data())
        #expect(try Tool.run("convert", "--to", "binary", input: json.bytes).status == 0)
    }

    @Test(arguments: ["[", "{\"dict\": [[\"a\", ", "{\"set\": ["])
    func `of JSON 100 000 levels deep are refused`(opening: String) throws {
        let json =
            #"{"$format": "archivetool property list", "$version": 1, "value": "#
            + String(repeating: opening, count: 100_000)
        let run = try Tool.run("convert", "--to", "binary", input: Data(json.utf8))
        #expect(run.status == 3)
        #expect(run.errors.contains("values are nested deeper than 2048 levels"), "\(run.errors)")
        // What is not too deep for JSON is too deep for a property list.
        let closed = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let deep = try Tool.run(
            "convert", "--to", "binary",
            input: Data((#"{"$format": "archivetool property list", "$version": 1, "value": "# + closed + "}").utf8))
        #expect(deep.status == 3)
        #expect(deep.errors.contains("nested deeper than 512 levels"), "\(deep.errors)")
    }

    // MARK: - Size

    @Test func `that unfold to more than any memory are refused`() throws {
        // Each array has the next one twice: 2^60 leaves.
        try tryAll(Self.nestedArrays(60, width: 2), Self.few)
    }

    @Test func `with archives that share all their contents end`() throws {
        // 5000 objects that have one and the same list of 5000 references.
        let data = RawArchive.data { archive in
            let list = archive.array(Array(repeating: archive.uid(1), count: 5000))
            return archive.objects(5000) { _, _ in archive.fields([("NS.objects", list)], class: "Thing") }[0]
        }
        try tryAll(data)
    }

    @Test func `with objects that share a long key or much data are looked into as far as their size allows`() throws {
        // 5000 objects, all under the root, each with a key of 100 000 bytes, or with the same 10 000 ranges.
        let ranges = Array(repeating: [0x80, 0x01, 0x01] as [UInt8], count: 10_000).flatMap { $0 }
        for isKey in [true, false] {
            let data = RawArchive.data { archive in
                let key = archive.text(isKey ? String(repeating: "k", count: 100_000) : "NSRangeData")
                let value = isKey ? archive.integer(1) : archive.data(ranges)
                let entries = [
                    (key: archive.text("$class"), value: archive.classEntry(isKey ? "Thing" : "NSIndexSet")),
                    (key, value),
                ]
                let objects = (0..<5000).map { _ in archive.dictionary(entries) }
                for object in objects { _ = archive.object(object) }
                return archive.object(archive.array(objects))
            }
            let check = try Tool.run("check", input: data)
            #expect(check.status == (isKey ? 0 : 1), "\(check.errors)")
            #expect(check.output.contains("note: objects share so much that objects of Foundation from #"))
            if isKey {
                let json = try Tool.run("convert", "--to", "json", input: data)
                #expect(json.status == 3)
                #expect(json.errors.contains("unfolds to many times its size"))
            }
            // All 5000 keys are 500 MB, of which the graph would have one; data that several objects contain is one node.
            let graph = try Tool.run("graph", input: data)
            #expect(graph.status == (isKey ? 3 : 0), "\(graph.errors)")
            #expect(!isKey || graph.errors.contains("unfolds to many times its size"))
            let part = try Tool.run("extract", "--path", "/", input: data)
            #expect(part.status == 3 && part.errors.contains("unfolds to "), "\(part.errors)")
            let stats = try Tool.run("stats", input: data)
            #expect(stats.status == 0)
            #expect(stats.output.contains("or more: the objects share too many long keys") == isKey)
        }
    }

    @Test func `with aliases of an object with many fields end`() throws {
        let data = RawArchive.data { archive in
            let value = archive.integer(1)
            let fields = archive.fields((0..<5000).map { ("k\($0)", value) }, class: "Thing")
            return archive.list((0..<5000).map { _ in archive.object(fields) })
        }
        try tryAll(data, Self.few + [["stats"], ["graph"], ["show", "--classes"]])
        let json = try Tool.run("convert", "--to", "json", input: data)
        #expect(json.status == 3 && json.errors.contains("unfolds to many times its size"), "\(json.errors)")
    }

    @Test func `with classes that share a list of long names end`() throws {
        let data = RawArchive.data { archive in
            let names = archive.array(
                Array(repeating: archive.text(String(repeating: "N", count: 16 << 10)), count: 128))
            return archive.list(
                (0..<5000).map { number in
                    let entry = archive.fields([("$classname", archive.text("C\(number)")), ("$classes", names)])
                    return archive.object(archive.fields([("$class", archive.object(entry))]))
                })
        }
        try tryAll(data, Self.few + [["stats"], ["show", "--classes"]])
        let graph = try Tool.run("graph", input: data)
        #expect(graph.status == 3 && graph.errors.contains("unfolds to many times its size"), "\(graph.errors)")
    }

    @Test func `with classes of the same long name have short statistics`() throws {
        let data = RawArchive.data { archive in
            let name = archive.text(String(repeating: "N", count: 16 << 10))
            return archive.list(
                (0..<5000).map { _ in
                    let entry = archive.object(archive.fields([("$classname", name)]))
                    return archive.object(archive.fields([("$class", entry)]))
                })
        }
        let statistics = try Tool.run("stats", "--json", input: data)
        #expect(statistics.status == 0 && statistics.output.utf8.count < 20 << 20, "\(statistics.errors)")
    }

    @Test func `with keys of very many combining marks end`() throws {
        let key = "e" + String(repeating: "\u{301}\u{323}", count: 20_000)
        let archived = RawArchive.data { archive in
            archive.table([archive.object(archive.text(key))], [archive.object(archive.integer(1))])
        }
        let inJSON = Data(#"{"a": 1, "\#(key)": 2}"#.utf8)
        let inText = Data("{ a = 1; \"\(key)\" = 2; }".utf8)
        let lossless = Data(
            (#"{"$format": "archivetool property list", "$version": 1, "value": "# + #"{"dict": [["\#(key)", 1]]}}"#)
                .utf8)
        for data in [archived, inJSON, inText, lossless] {
            try tryAll(data, Self.few)
            let run = try Tool.run("convert", "--to", "json", input: data)
            #expect(run.status == 3 && run.errors.contains("combining marks"), "\(run.errors)")
        }
    }

    @Test func `that are cut off anywhere end with an error`() throws {
        let binary = try HandMade.farm.data()
        for length in stride(from: 1, to: binary.count, by: 61) { try tryAll(binary.prefix(length), Self.few) }
        for length in [15, 30, 40, HandMade.typedStream.count - 1] {
            try tryAll(HandMade.typedStream.prefix(length), Self.few)
        }
    }

    @Test func `with a bit that is another one do not crash`() throws {
        let binary = try HandMade.farm.data()
        try TemporaryFolder.with { folder in
            for position in Extent.cases(of: binary.indices, every: 3) {
                var changed = binary
                changed[position] ^= 1 << UInt8(position % 8)
                let path = try folder.write(changed)
                for command in Self.commands {
                    let run = Tool.inProcess(command + [path])
                    #expect(run.status <= 3, "byte \(position), \(command): \(run.errors)")
                }
            }
        }
    }

    // MARK: - Terminals

    @Test func `cannot control the terminal`() throws {
        let attack = "\u{1B}]0;title\u{7}\u{1B}[2J\r\n\u{9B}31m\u{202E}\u{0}\u{8}\u{2028}\u{E0041}"
        let archive = HandMade.archive([
            "$null", ["$class": .uid(2), attack: .string(attack), "b": .uid(3), "c": .uid(9)],
            HandMade.classEntry(attack, attack), ["$class": .uid(4)], HandMade.classEntry("Plain\(attack)"),
        ])
        let list: PropertyList = [attack: .string(attack), "a": [.string(attack)]]
        let stream = Data(
            [0x04, 0x0B] + Array("streamtyped".utf8) + [0x81, 0xE8, 0x03, 0x84, 0x01] + Array("@".utf8)
                + [0x84, 0x84, 0x84, 0x05] + Array("A\u{1B}[2J".utf8.prefix(5)) + [0x00, 0x85, 0x84, 0x01]
                + Array("+".utf8)
                + [0x04] + Array("\u{1B}[2J".utf8) + [0x86])
        for data in [try archive.data(), try list.data(), stream] {
            // What writes files for programs writes what it has read.
            let forPrograms: Set = ["binary", "xml", "extract", "rename"]
            for command in Self.commands + Self.others.prefix(2) where forPrograms.isDisjoint(with: command) {
                let plain = command.filter { $0 != "--color" && $0 != "always" }
                let run = try Tool.run(plain, input: data)
                for text in [run.output, run.errors] {
                    for scalar in text.unicodeScalars where scalar != "\n" {
                        #expect(scalar.properties.generalCategory != .control, "\(plain)")
                        #expect(!ReadableText.isInvisible(scalar), "\(plain): \(scalar.value)")
                    }
                }
            }
        }
        for arguments in [["show", attack], [attack], ["show", "--" + attack], ["show", "--color", attack]] {
            let run = try Tool.run(arguments.map { $0.replacingOccurrences(of: "\0", with: "") })
            #expect(run.status >= 2)
            #expect(run.errors.unicodeScalars.allSatisfy { $0 == "\n" || !ReadableText.isInvisible($0) })
        }
        try TemporaryFolder.with { folder in
            let path = try folder.write(archive)
            let run = try Tool.run("show", path, "--path", "nowhere")
            #expect(run.errors.unicodeScalars.allSatisfy { $0 == "\n" || !ReadableText.isInvisible($0) })
            #expect(run.errors.contains("\\u{1B}]0;title"))
        }
    }
}
