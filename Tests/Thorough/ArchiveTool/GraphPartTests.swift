// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

@testable import archivetool

/// Which part of a file is drawn, and what becomes a box.
@Suite(.inTurn) struct `graph, of parts and other files,` {
    /// The boxes and arrows of the DOT that is drawn: `Farm #1: owner -> Owner #3`.
    private func drawn(_ data: Data, _ options: String...) throws -> (nodes: [String], edges: [String], errors: String)
    {
        let run = try Tool.inProcess("graph", on: data, options)
        try #require(run.status == 0, "\(run.errors)")
        var nodes: [String: String] = [:]
        var order: [String] = []
        var edges: [String] = []
        for line in run.output.split(separator: "\n") {
            if let match = line.wholeMatch(of: #/    (n\d+|omitted) \[label="(.*?)(\\n.*)?", [fs].*\];/#) {
                nodes[String(match.1)] = String(match.2)
                order.append(String(match.2))
            } else if let match = line.wholeMatch(of: #/    (n\d+) -> (n\d+) \[label="(.*?)"(, style.*)?\];/#) {
                edges.append("\(nodes[String(match.1)] ?? "?") \(match.3) -> \(nodes[String(match.2)] ?? "?")")
            }
        }
        return (order, edges, run.errors)
    }

    @Test func `begins at a path or a uid`() throws {
        let data = try HandMade.farm.data()
        let all: Set = ["Owner #3", "Farm #1", "NSArray #5", "Farm.Cow #6"]
        for options in [["--path", "owner"], ["--uid", "3"], ["--path", "animals/0/owner"]] {
            let picture = try drawn(data, options[0], options[1])
            #expect(picture.nodes.first == "Owner #3" && Set(picture.nodes) == all)
        }
        #expect(try drawn(data, "--path", "animals/1").nodes.first == "Farm.Cow #6")
        #expect(try drawn(data, "--path", "name").nodes == ["string #2"])
    }

    @Test func `has the given depth`() throws {
        let data = try HandMade.farm.data()
        let none = try drawn(data, "--depth", "0")
        #expect(none.nodes == ["Farm #1", "… 3 more objects are not drawn"])
        #expect(none.errors == "archivetool: note: 1 of 4 objects are drawn; see --path, --depth, --size and --all\n")
        let one = try drawn(data, "--depth", "1")
        #expect(one.nodes == ["Farm #1", "Owner #3", "NSArray #5", "… 1 more object is not drawn"])
        #expect(
            one.edges == ["Farm #1 owner -> Owner #3", "Farm #1 animals -> NSArray #5", "Owner #3 farm -> Farm #1"])
        #expect(try drawn(data, "--depth", "2").nodes.count == 4)
    }

    @Test func `draws the nearest where there are too many`() throws {
        let two = try drawn(HandMade.farm.data(), "--limit", "2")
        #expect(two.nodes == ["Farm #1", "Owner #3", "… 2 more objects are not drawn"])
        // The array that is not drawn is a row.
        let run = try Tool.inProcess("graph", on: HandMade.farm.data(), ["--limit", "2"])
        #expect(run.output.contains(#"animals: NSArray #5 … 2 objects\l"#))
    }

    @Test func `draws leaves where it is asked to`() throws {
        let picture = try drawn(HandMade.farm.data(), "--leaves")
        #expect(
            picture.nodes == [
                "Farm #1", "string #2", "Owner #3", "NSArray #5", "string #4", "Farm.Cow #6", "string #7",
            ])
        #expect(picture.edges.contains("Owner #3 name -> string #4"))
    }

    @Test func `shows values of Foundation's in rows, and a conditional reference to nothing`() throws {
        let archive = HandMade.archive([
            "$null",
            [
                "$class": .uid(2), "when": .uid(3), "url": .uid(4), "id": .uid(8), "parent": .uid(10),
                "list": [1, 2.5],
                "nothing": .uid(0),
            ],
            HandMade.classEntry("Thing", "NSObject"), ["$class": .uid(5), "NS.time": 0.0],
            ["$class": .uid(6), "NS.base": .uid(0), "NS.relative": .uid(7)], HandMade.classEntry("NSDate", "NSObject"),
            HandMade.classEntry("NSURL", "NSObject"), "https://example.org/",
            ["$class": .uid(9), "NS.uuidbytes": .data(Data(0..<16))], HandMade.classEntry("NSUUID", "NSObject"),
            "$null",
        ])
        let run = try Tool.inProcess("graph", on: archive.data())
        for row in [
            #"when: 2001-01-01T00:00:00Z\l"#, #"url: https://example.org/\l"#,
            #"id: 00010203-0405-0607-0809-0A0B0C0D0E0F\l"#, #"parent: nil (not archived)\l"#, #"list: [1, 2.5]\l"#,
            #"nothing: nil\l"#,
        ] {
            #expect(run.output.contains(row), "\(run.output)")
        }
        #expect(run.output.matches(of: /n\d+ \[label/).count == 1)
    }

    @Test func `draws dictionaries with any keys, and several keys at the top`() throws {
        let archive = HandMade.archive(
            [
                "$null",
                [
                    "$class": .uid(2), "NS.keys": [.uid(3), .uid(4), .uid(5)],
                    "NS.objects": [.uid(6), .uid(6), .uid(4)],
                ],
                HandMade.classEntry("NSDictionary", "NSObject"), "text", ["$class": .uid(7), "n": 1], 5,
                ["$class": .uid(7), "n": 2], HandMade.classEntry("Key", "NSObject"),
            ], top: ["first": .uid(1), "second": .uid(4), "count": 3])
        let picture = try drawn(archive.data())
        #expect(picture.nodes == ["top", "NSDictionary #1", "Key #4", "Key #6"])
        #expect(
            Set(picture.edges) == [
                "top first -> NSDictionary #1", "top second -> Key #4", #"NSDictionary #1 \"text\" -> Key #6"#,
                "NSDictionary #1 key of Key #4 -> Key #4", "NSDictionary #1 Key #4 -> Key #6",
                "NSDictionary #1 5 -> Key #4",
            ])
    }

    @Test func `draws property lists as trees`() throws {
        let list: PropertyList = ["a": ["b": [["c": 1], ["c": 2]]], "d": 3]
        let picture = try drawn(list.data(format: .xml))
        #expect(picture.nodes == ["top", "dictionary", "array"])
        #expect(picture.edges == ["top a -> dictionary", "dictionary b -> array"])
        #expect(try drawn(list.data(), "--path", "a/b").nodes == ["top"])
    }

    @Test func `draws typedstreams`() throws {
        // An array that has itself, and a string twice.
        var stream = TypedStream()
        stream.classes = [
            TypedStream.Class("NSObject"), TypedStream.Class("NSArray", superclassIndex: 0),
            TypedStream.Class("NSString", version: 1, superclassIndex: 0),
        ]
        stream.objects = [
            TypedStream.Object(
                classIndex: 1,
                groups: [
                    TypedStream.Group(["i"], [.integer(3)]), TypedStream.Group(["@"], [.object(1)]),
                    TypedStream.Group(["@"], [.object(0)]), TypedStream.Group(["@"], [.object(1)]),
                ]),
            TypedStream.Object(classIndex: 2, groups: [TypedStream.Group(["+"], [.bytes(Array("hi".utf8))])]),
        ]
        stream.groups = [TypedStream.Group(["@"], [.object(0)]), TypedStream.Group(["i"], [.integer(7)])]
        let data = try stream.data()
        let picture = try drawn(data)
        #expect(picture.nodes == ["top", "NSArray #0"])
        #expect(picture.edges == ["top [0] -> NSArray #0", "NSArray #0 [1] -> NSArray #0"])
        let run = try Tool.inProcess("graph", on: data)
        #expect(run.output.contains(#"NSArray #0\n[0]: \"hi\"\l[2]: \"hi\"\l"#))
        #expect(run.output.contains(#"[label="top\n[1]: 7\l""#))
        #expect(try drawn(data, "--uid", "0").nodes == ["NSArray #0"])
    }

    @Test(arguments: [
        (["--uid", "99"], Int32(3), "There is no object #99"), (["--path", "owner/nme"], 3, "did you mean “name”?"),
        (["--limit", "0"], 2, "--limit takes a whole number"), (["--depth", "x"], 2, "--depth takes a whole number"),
        (["--format", "png"], 2, "--format takes one of"), (["--path", "a", "--uid", "1"], 2, "give one of them"),
    ])
    func `says what is wrong`(options: [String], status: Int32, message: String) throws {
        let run = try Tool.inProcess("graph", on: HandMade.farm.data(), options)
        #expect(run.status == status && run.output == "")
        #expect(run.errors.hasPrefix("archivetool: error: ") && run.errors.contains(message), "\(run.errors)")
    }
}
