// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// Paths have one syntax in all commands.
@Suite(.inTurn) struct `Paths` {
    @Test(arguments: [
        "animals[0].name", "animals/0/name", "animals.0.name", "animals[0]/name", "/root/animals/[0]/name",
    ])
    func `have both separators in each command`(path: String) throws {
        let farm = try HandMade.farm.data()
        #expect(try Tool.inProcess("show", on: farm, ["--path", path]).output == "\"Bella\"\n")
        #expect(try Tool.inProcess("find", on: farm, [path]).output == "animals/0/name: \"Bella\"\n")
        #expect(try Tool.inProcess("extract", on: farm, ["--path", path, "--raw"]).output == "Bella")
        let changed = try Tool.inProcess("set", on: farm, [path, "Daisy"])
        #expect(try KeyedArchive(changed.bytes).root["animals"]?[1]["name"]?.string == "Daisy", "\(changed.errors)")
        let condition = ["--where", path.replacing("/root/", with: "").replacing("/[", with: "[") + " == 'Bella'"]
        #expect(try Tool.inProcess("find", on: farm, condition).output == "/root: Farm #1\n")
    }

    @Test(
        arguments: [
            // A “.” separates only without “/”.
            (#"com\.apple\.finder"#, "1"), ("/com.apple.finder", "1"), ("sub/a.b", "2"), (#"sub.a\.b"#, "2"),
            (#"\[0\]"#, "3"), (#"sub/\*"#, "4"), ("sub/*", "4"), (#"a\/b"#, "5"), ("list[1]", "7"), ("list.1", "7"),
        ])
    func `reach keys with separators`(path: String, value: String) throws {
        let list: PropertyList = [
            "com.apple.finder": 1, "sub": ["a.b": 2, "*": 4], "[0]": 3, "a/b": 5, "list": [6, 7],
        ]
        let run = try Tool.inProcess("show", on: list.data(), ["--path", path])
        #expect(run.output == value + "\n", "\(run.errors)")
    }

    @Test func `of reports are accepted by all commands`() throws {
        let list: PropertyList = ["a.b": 1, "c*": 1, "d[0]": 1, "e/f": 1, "g\\": 1, "h": ["i.j": 1]]
        let data = try list.data()
        let hits = try Tool.inProcess("find", on: data, ["--value", "1"]).output.split(separator: "\n")
        #expect(hits.count == 6)
        for hit in hits {
            let path = String(hit.dropLast(": 1".count))
            #expect(try Tool.inProcess("show", on: data, ["--path", path]).output == "1\n")
            #expect(try Tool.inProcess("find", on: data, [path]).output == "\(path): 1\n")
        }
    }

    @Test(
        arguments: [
            ("animals..name", "“animals..name” is a pattern"), ("animals[*]", "“animals[*]” is a pattern"),
            ("animals[x]", "“animals[x]” has a “[” that begins no position; write “\\[” for a “[” in a key"),
            ("animals[", "“animals[” has a “[”"),
            ("animals[99999999999999999999]", "has a “[” that begins no position"),
            ("NS.objects", "There is no “NS” in the Farm #1 at the root"),
        ])
    func `of one value have no wildcards and no incomplete positions`(path: String, sentence: String) throws {
        let run = try Tool.inProcess("show", on: HandMade.farm.data(), ["--path", path])
        #expect(run.status != 0 && run.errors.contains(sentence), "\(run.errors)")
    }

    @Test func `without an escape name the key that was meant`() throws {
        let list: PropertyList = ["com.apple.finder": 1]
        let run = try Tool.inProcess("set", on: list.data(), ["com.apple.finder", "2"])
        #expect(run.status == 3)
        #expect(run.errors.contains(#"write “com\.apple\.finder” for the key “com.apple.finder”"#), "\(run.errors)")
    }

    @Test func `are looked up, and not searched`() throws {
        var objects: [PropertyList] = [
            "$null", ["$class": .uid(2), "NS.objects": .array((3..<1003).map { .uid($0) })],
        ]
        objects.append(HandMade.classEntry("NSArray", "NSObject"))
        for number in 0..<1000 { objects.append(["$class": .uid(1003), "next": .uid(UInt32(number + 3))]) }
        objects.append(HandMade.classEntry("Link", "NSObject"))
        let archive = try KeyedArchive(HandMade.archive(objects))
        func nodeCount(_ pattern: String) throws -> Int {
            let graph = try ContentGraph(archive.top, byteCount: 100_000, isPartial: true)
            let search = try PlaceSearch(graph, from: 0, PlacePattern(pattern))
            #expect(search.hits.count == 1)
            return search.graph.nodes.count
        }
        // The top, the list, and its thousand elements; the element refers to itself.
        #expect(try nodeCount("/root/7/next") == 1002)
        #expect(try nodeCount("/root") == 2)
    }
}
