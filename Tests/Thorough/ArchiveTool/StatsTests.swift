// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `stats` {
    /// Four objects. What each takes is counted below.
    private static let small = HandMade.archive([
        "$null", ["$class": .uid(3), "a": .uid(2), "b": .uid(2)], "xy", HandMade.classEntry("T"),
    ])

    @Test func `counts objects and their bytes`() throws {
        // In the binary format, with references of one byte:
        // "$null" 6; the object 1 + 6, its keys 7 + 2 + 2, uids 2 + 2; "xy" 3; the class 1 + 4, its keys 11 + 9, "T" 2, and
        // the list of it 2.
        // The root 9, its keys 9 + 10 + 5 + 9, 100000 5, "NSKeyedArchiver" 18, $top 3, "root" 5, its uid 2, $objects 5.
        // The header 8, 24 offsets of one byte, the trailer 32.
        let data = try Self.small.data()
        #expect(data.count == 204)
        try TemporaryFolder.with { folder in
            let path = try folder.write(data)
            let run = Tool.inProcess(["stats", path, "--json"])
            #expect(run.status == 0)
            #expect(
                run.output == """
                    {
                      "kind": "keyed archive",
                      "format": "binary",
                      "bytes": 204,
                      "objects": 4,
                      "classes": 1,
                      "references": 4,
                      "shared": 1,
                      "depth": 2,
                      "unreferenced": 0,
                      "byClass": [
                        {"name": "T", "count": 1, "bytes": 22}
                      ],
                      "byKind": [
                        {"name": "descriptions of classes", "count": 1, "bytes": 29},
                        {"name": "nil", "count": 1, "bytes": 6},
                        {"name": "strings", "count": 1, "bytes": 3}
                      ],
                      "parts": [
                        {"name": "shared keys and values", "bytes": 0},
                        {"name": "top, list of objects", "bytes": 80},
                        {"name": "header, offsets, trailer", "bytes": 64}
                      ],
                      "mostReferences": [
                        {"uid": 2, "name": "string", "references": 2}
                      ],
                      "values": {"nil": 1, "strings": 1}
                    }

                    """)
            let text = Tool.inProcess(["stats", path])
            #expect(
                text.output.replacingOccurrences(of: path, with: "PATH") == """
                    PATH: keyed archive by NSKeyedArchiver, binary, 204 bytes

                      objects                        4
                      classes                        1
                      references                     4
                      shared objects                 1
                      depth                          2  the path to a
                      unreferenced objects           0

                      Contents                      number       bytes    share
                      (descriptions of classes)          1          29   14.2 %  ██████▉
                      T                                  1          22   10.8 %  █████▎
                      (nil)                              1           6    2.9 %  █▍
                      (strings)                          1           3    1.5 %  ▊
                      (shared keys and values)                       0    0.0 %
                      (top, list of objects)                        80   39.2 %  ███████████████████
                      (header, offsets, trailer)                    64   31.4 %  ███████████████▎

                      Most references
                               2  #2 string

                      Values
                               1  nil
                               1  strings

                    """)
        }
    }

    @Test func `finds what is shared, how deep it goes, and what nothing refers to`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm)
            let json = try JSONSerialization.jsonObject(with: Tool.inProcess(["stats", path, "--json"]).bytes)
            let found = try #require(json as? [String: Any])
            #expect(found["objects"] as? Int == 13)
            #expect(found["classes"] as? Int == 4)
            // From the top 1, the farm 5, the owner 3, the list 3, the cow 3.
            #expect(found["references"] as? Int == 15)
            // The farm, its owner, the cow.
            #expect(found["shared"] as? Int == 3)
            // The farm, the list, the cow, its name.
            #expect(found["depth"] as? Int == 4)
            #expect(found["unreferenced"] as? Int == 1)
            let shared = try #require(found["mostReferences"] as? [[String: Any]])
            #expect(shared.map { $0["uid"] as? Int } == [1, 3, 6])
            #expect(shared.map { $0["name"] as? String } == ["Farm", "Owner", "Farm.Cow"])
            #expect(shared.map { $0["references"] as? Int } == [2, 2, 2])
            // Strings as objects, and the number in the farm.
            #expect(found["values"] as? [String: Int] == ["strings": 4, "nil": 1, "integers": 1])
            #expect(Tool.byteCount(ofRowsIn: found) == found["bytes"] as? Int)
            let lines = Tool.inProcess(["stats", path]).lines
            #expect(lines.contains("  depth                          4  the path to animals/0/name"))
        }
    }

    @Test func `puts rows in order, and leaves some out`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm)
            func names(_ options: String...) -> [String] {
                let lines: [String] = Tool.inProcess(["stats", path] + options).lines
                let table = lines.drop { !$0.contains("  Contents  ") }.dropFirst()
                let rows = table.prefix { !$0.contains("shared keys") }
                return rows.map { $0.split(separator: "  ")[0].trimmingCharacters(in: .whitespaces) }
            }
            let classes: [String] = names("--sort", "name").filter { !$0.hasPrefix("(") }
            #expect(classes == ["Farm", "Farm.Cow", "NSArray", "Owner"])
            #expect(names("--sort", "count").prefix(2) == ["(descriptions of classes)", "(strings)"])
            #expect(names("--top", "2").count == 2)
            #expect(
                Tool.inProcess(["stats", path, "--top", "2"]).output.contains(
                    "  … and 5 more, 8 in number, "))
        }
    }

    @Test func `fits the width of the terminal`() throws {
        try TemporaryFolder.with { folder in
            let long = HandMade.archive([
                "$null", ["$class": .uid(2)], HandMade.classEntry(String(repeating: "Long", count: 100)),
            ])
            for (number, list) in [HandMade.farm, long, HandMade.everyKind].enumerated() {
                let path = try folder.write(list, to: "\(number)")
                for columns in [40, 80, 132] {
                    var terminal = Session.Surroundings()
                    terminal.columns = columns
                    let lines = Tool.inProcess(["stats", path], surroundings: terminal).output.split(separator: "\n")
                    let table = lines.drop { !$0.contains("  Contents  ") }
                    #expect(table.count > 2)
                    for line in table { #expect(line.count <= max(columns, 62), "\(line)") }
                    #expect(table.contains { $0.contains("█") })
                }
            }
        }
    }

    @Test(arguments: [(0, ""), (1, "▏"), (50, "█████"), (55, "█████▌"), (100, "██████████")])
    func `draws bars in eighths of a column`(amount: Int, bar: String) {
        #expect(StatisticsReport.bar(amount, of: 100, width: 10) == bar)
    }

    @Test func `counts the values of a property list`() throws {
        let list: PropertyList = ["a": [1, 2, "three"], "b": .data(Data(count: 10)), "c": [[]], "d": "é"]
        try TemporaryFolder.with { folder in
            let path = try folder.write(list)
            let byteCount = try list.data().count
            #expect(
                Tool.inProcess(["stats", path, "--json"]).output == """
                    {
                      "kind": "property list",
                      "format": "binary",
                      "bytes": \(byteCount),
                      "values": 9,
                      "depth": 2,
                      "byClass": [],
                      "byKind": [
                        {"name": "data", "count": 1, "bytes": 10},
                        {"name": "strings", "count": 2, "bytes": 7},
                        {"name": "arrays", "count": 3},
                        {"name": "integers", "count": 2},
                        {"name": "dictionaries", "count": 1}
                      ],
                      "mostReferences": [],
                      "values": {"data": 1, "integers": 2, "strings": 2}
                    }

                    """)
        }
    }

    @Test func `counts the objects of a typedstream`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.typedStream)
            let text = Tool.inProcess(["stats", path]).output
            #expect(
                text.hasPrefix(
                    "\(path): typedstream of version 4, little-endian, system 1000, \(HandMade.typedStream.count) bytes\n"
                ))
            #expect(text.contains("  objects                  1\n"))
            #expect(text.contains("  classes                  2\n"))
            #expect(text.contains("  depth                    1\n"))
            #expect(text.contains("  NSString                     1  █"))
        }
    }
}
