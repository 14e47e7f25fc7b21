// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Paths in an archive` {
    @Test func `refer to values by keys and positions`() throws {
        let archive = try openArchive(
            top: ["root": .uid(1), "$0": 5], ["animals": .uid(2), "$$x": [7, ["y": 8]], "$class": .uid(4)],
            ["NS.objects": [.uid(3), .uid(3)], "$class": .uid(5)],
            ["NS.keys": [.uid(6), 9, "$a"], "NS.objects": ["named", "numbered", "dollar"], "$class": .uid(7)],
            classEntry("Farm"), classEntry("NSArray"), "name", classEntry("NSDictionary"))
        #expect(archive["root", "animals", 1, "name"]?.string == "named")
        #expect(archive["root", "animals", 0, 1]?.string == "numbered", "A key that is no string has a position")
        #expect(archive["root", "animals", 0, "$a"]?.string == "dollar")
        #expect(archive["root", "$x", 1, "y"]?.integer == 8 && archive["root", "$x", 0]?.integer == 7)
        #expect(archive["$0"]?.integer == 5)
        #expect(archive[KeyedArchive.Path()] == archive.top && archive[[]] == archive.top)
        let path: KeyedArchive.Path = ["root", "animals"]
        #expect(archive[path] == archive[uid: 2] && archive[path.appending(index: 1)] == archive[uid: 3])
        #expect(path == KeyedArchive.Path([.key("root"), .key("animals")]) && path != path.appending(key: "1"))
        for path: KeyedArchive.Path in [
            ["lost"], ["root", 0], ["root", "animals", 2], ["root", "animals", -1], ["root", "animals", "0"],
            ["root", "animals", 0, 3], ["root", "animals", 0, "numbered"], ["root", "$x", 0, "a"], [0],
            ["root", "animals", .index(.max)], ["root", "animals", .index(.min)],
        ] { #expect(archive[path] == nil, "\(path)") }
    }

    static let texts: [(KeyedArchive.Path, String)] = [
        ([], "top"), (["root"], "root"), (["root", "animals", 3, "name"], "root.animals[3].name"),
        (["a b"], #"["a b"]"#), (["root", "x.y", 0], #"root["x.y"][0]"#), (["root", ""], #"root[""]"#),
        (["$0", "_a1", "größe"], "$0._a1.größe"), (["root", "1a"], #"root["1a"]"#), ([0, 1], "[0][1]"),
        (["root", "say \"hi\"\n"], #"root["say \"hi\"\n"]"#), (["NS.keys"], #"["NS.keys"]"#),
    ]

    @Test(arguments: texts.indices)
    func `are written as in a program, and read again`(index: Int) {
        #expect(Self.texts[index].0.description == Self.texts[index].1)
        #expect(KeyedArchive.Path(Self.texts[index].1) == Self.texts[index].0)
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "[", "a[", "a[]", "a[1", "a[-1]", "a[+1]", "a[x]", "a[1]b", #"a["b]"#, #"a["b""#,
        #"a["\u{110000}"]"#, #"["\"#, "a[99999999999999999999]",
    ])
    func `are nil for other text`(text: String) { #expect(KeyedArchive.Path(text) == nil) }

    @Test func `with any keys are read again`() {
        var random = SeededGenerator(state: 5)
        let scalars: [Unicode.Scalar] = [
            "a", "b", ".", "[", "]", "\"", "\\", "\n", "\0", "'", "\u{301}", "ü", "7", "$", "😀",
        ]
        for _ in 0..<2000 {
            let steps = (0..<Int.random(in: 0..<4, using: &random)).map { _ -> KeyedArchive.Path.Step in
                if Bool.random(using: &random) { return .index(Int.random(in: 0..<1000, using: &random)) }
                let key = (0..<Int.random(in: 0..<5, using: &random)).compactMap { _ in
                    scalars.randomElement(using: &random)
                }
                return .key(String(String.UnicodeScalarView(key)))
            }
            let path = KeyedArchive.Path(steps)
            #expect(KeyedArchive.Path(path.description) == path)
        }
        #expect(KeyedArchive.Path(["top"]).description == #"["top"]"#)
    }

    @Test func `to a value are the shortest there are`() throws {
        let archive = try openArchive(
            top: ["root": .uid(1), "short": .uid(5)], ["next": .uid(2), "list": [1, [.uid(3)]], "$class": .uid(6)],
            ["next": .uid(3), "$class": .uid(6)], ["next": .uid(4), "$class": .uid(6)],
            ["next": .uid(1), "$class": .uid(6)],
            ["end": .uid(4), "$class": .uid(6)], classEntry("Link"), "unreferenced")
        #expect(archive.path(to: archive.top) == [])
        #expect(archive.path(to: archive.root) == ["root"])
        #expect(archive.path(to: archive[uid: 2]) == ["root", "next"])
        #expect(archive.path(to: archive[uid: 3]) == ["root", "next", "next"])
        #expect(archive.path(to: archive[uid: 4]) == ["short", "end"])
        #expect(archive.path(to: archive[uid: 5]) == ["short"])
        #expect(archive.path(to: archive[uid: 7]) == nil && archive.path(to: archive[uid: 6]) == nil)
        #expect(try archive.path(to: #require(archive["root", "list", 1])) == ["root", "list", 1])
        #expect(archive.path(to: archive[uid: 0]) == nil)
    }

    /// Places where two things would have the same path.
    static let twins: [(name: String, objects: [PropertyList])] = [
        (
            "a key that is there twice",
            [
                .dictionary(PropertyList.Dictionary([("a", .uid(2)), ("a", .uid(3)), ("$class", .uid(4))])), ["x": 1],
                ["x": 2], classEntry("Thing"),
            ]
        ),
        (
            "a value without a key and a key of that name",
            [["$0": .uid(2), "$$0": .uid(3), "$class": .uid(4)], ["x": 1], ["x": 2], classEntry("Thing")]
        ),
        (
            "two equal keys of a dictionary",
            [
                ["NS.keys": ["a", "a"], "NS.objects": [.uid(2), .uid(3)], "$class": .uid(4)], ["x": 1], ["x": 2],
                classEntry("NSDictionary"),
            ]
        ),
        (
            "a key as text and as an object",
            [
                ["NS.keys": ["a", .uid(5)], "NS.objects": [.uid(2), .uid(3)], "$class": .uid(4)], ["x": 1], ["x": 2],
                classEntry("NSDictionary"), ["NS.string": "a"],
            ]
        ),
        (
            "keys that differ in their code points",
            [["\u{E9}": .uid(2), "e\u{301}": .uid(3), "$class": .uid(4)], ["x": 1], ["x": 2], classEntry("Thing")]
        ),
        (
            "keys of a dictionary that differ in their code points",
            [
                ["NS.keys": ["\u{E9}", "e\u{301}"], "NS.objects": [.uid(2), .uid(3)], "$class": .uid(4)], ["x": 1],
                ["x": 2], classEntry("NSDictionary"),
            ]
        ),
    ]

    @Test(arguments: twins.indices)
    func `never refer to another value than the requested one`(index: Int) throws {
        let archive = try KeyedArchive(handmadeArchive(objects: Self.twins[index].objects))
        #expect(archive.root.count == 2)
        var found = 0
        for uid in [2, 3] as [UInt32] {
            guard let path = archive.path(to: archive[uid: uid]) else { continue }
            found += 1
            #expect(archive[path] == archive[uid: uid], "\(Self.twins[index].name): \(path)")
        }
        #expect(found > 0)
    }

    @Test func `take keys that are no valid text, and none that are no text at all`() throws {
        // "tétle", in Latin-1.
        var data = try handmadeArchive(["title": .uid(2), "$class": .uid(3)], "inside", classEntry("Thing"))
        let title = try #require(data.range(of: Data("title".utf8)))
        data[title.lowerBound + 1] = 0xE9
        let archive = try KeyedArchive(data)
        #expect(archive.root.keys == ["t\u{FFFD}tle"])
        #expect(archive.root["t\u{FFFD}tle"]?.string == "inside")
        #expect(archive.path(to: archive[uid: 2]) == ["root", "t\u{FFFD}tle"])

        // The key is the byte 7, an integer.
        data.replaceSubrange(title.lowerBound - 1..<title.lowerBound + 1, with: [0x10, 7])
        let other = try KeyedArchive(data)
        #expect(other.root.fields.map(\.value.string) == ["inside"])
        #expect(other.root.keys == [])
        #expect(other.path(to: other[uid: 2]) == nil)
    }

    @Test func `refer to inline values`() throws {
        let archive = try openArchive(
            ["a": ["x": [1, 2, ["deep"]]], "b": [["x": 3]], "$class": .uid(2)], classEntry("Thing"))
        for steps: KeyedArchive.Path in [
            ["root", "a"], ["root", "a", "x", 2], ["root", "a", "x", 2, 0], ["root", "b", 0, "x"],
        ] {
            let value = try #require(archive[steps])
            #expect(archive.path(to: value) == steps)
        }
    }

    private final class Note: Codable {
        let title: String
        let stars: Int
        init(_ number: Int) { (title, stars) = ("Note \(number)", number % 5) }
    }

    @Test(arguments: [1_000, 4_000])
    func `to all objects, in any order, take one search`(count: Int) throws {
        let archive = try KeyedArchive(ArchiveEncoder().encode(["notes": (0..<count).map { Note($0) }]))
        let notes = try #require(archive.root["notes"]).elements
        var steps = archive.source.pathSearch.withLock { $0?.cost ?? 0 }
        #expect(steps == 0)
        func continues() -> Bool {
            let before = steps
            steps = archive.source.pathSearch.withLock { $0?.cost ?? 0 }
            return steps >= before
        }
        // The first one is at the end: the others take no further steps.
        for position in [count - 1] + Array(0..<count) {
            #expect(archive.path(to: notes[position]) == ["root", "notes", .index(position)])
            guard continues() else { throw Stop() }
        }
        for object in archive.objects {
            _ = archive.path(to: object)
            guard continues() else { throw Stop() }
        }
        // From the top to the root, to the list, to each note, and to its two properties.
        #expect(steps == 2 + 3 * count)
    }

    /// A search has begun again.
    private struct Stop: Error {}
}

// MARK: - Random graphs

extension `Paths in an archive` {
    @Test(arguments: 1...40)
    func `return from every object of a random graph to the root, by the shortest way`(seed: UInt64) throws {
        var graph = RandomPropertyGraph(seed: seed)
        let (top, objects) = graph.make(count: 60)
        let distances = PropertyDistances(top: top, objects: objects)
        for format in PropertyListFormat.allCases {
            let archive = try KeyedArchive(
                handmadeArchive(top: top, objects: Array(objects.dropFirst()), format: format))
            #expect(archive.problems().isEmpty)
            var found = 0
            for object in archive.objects {
                let uid = try #require(object.uid)
                let path = archive.path(to: object)
                #expect(path?.steps.count == distances.steps[uid], "uid \(uid)")
                guard let path else { continue }
                found += 1
                #expect(archive[path] == object, "\(path)")
            }
            #expect(found > 5)
            // The target of a path is reachable; keys and classes are, and have none.
            #expect(Set(archive.unreachableObjects.compactMap(\.uid)).isDisjoint(with: distances.steps.keys))
        }
    }
}

/// Objects of all kinds that refer to each other by chance.
private struct RandomPropertyGraph {
    private var state: UInt64
    private var count = 0

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    private mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    private mutating func uid() -> PropertyList { .uid(UInt32(next(count))) }

    /// A leaf, a reference, or a container with such.
    private mutating func value(_ depth: Int = 0) -> PropertyList {
        switch next(depth > 3 ? 6 : 9) {
        case 0: return .integer(Int128(next(1000)))
        case 1: return .string("inline \(next(100))")
        case 6: return .array(values(next(4), depth + 1))
        case 7:
            let values = values(next(3), depth + 1)
            let entries = values.enumerated().map { (key: "k\($0.offset)", value: $0.element) }
            return .dictionary(PropertyList.Dictionary(entries))
        default: return uid()
        }
    }

    private mutating func values(_ count: Int, _ depth: Int = 0) -> [PropertyList] {
        var values: [PropertyList] = []
        for _ in 0..<count { values.append(value(depth)) }
        return values
    }

    /// Classes at 1 to 4, a string at 5, and others behind them.
    mutating func make(count: Int) -> (top: PropertyList, objects: [PropertyList]) {
        self.count = count
        var objects: [PropertyList] = [
            "$null", classEntry("NSArray"), classEntry("NSDictionary"), classEntry("Thing"), classEntry("NSOrderedSet"),
            "text",
        ]
        while objects.count < count { objects.append(object()) }
        return (["root": uid(), "more": value(), "$0": uid(), "many": .array((0..<8).map { _ in uid() })], objects)
    }

    private mutating func object() -> PropertyList {
        switch next(8) {
        case 0: return .string("leaf \(next(20))")
        case 1: return ["NS.objects": .array(values(next(5))), "$class": .uid(1)]
        case 2:
            let keys: [PropertyList] = ["key 0", 7, .uid(5), "key 3"]
            let values = values(next(5))
            return [
                "NS.keys": .array(Array(keys.prefix(values.count))), "NS.objects": .array(values), "$class": .uid(2),
            ]
        case 3: return object(keys: ["NS.object.0", "NS.object.1", "NS.object.2"], class: 4)
        case 4: return .array(values(next(3)))
        default: return object(keys: ["a", "$$b", "$0", "größe"], class: 3)
        }
    }

    private mutating func object(keys: [String], class: UInt32) -> PropertyList {
        var fields = PropertyList.Dictionary()
        for (key, value) in zip(keys, values(next(keys.count + 1))) { fields[key] = value }
        fields["$class"] = .uid(`class`)
        return .dictionary(fields)
    }
}

/// How many steps each object is away from the top, found in the property list, without the archive.
private struct PropertyDistances {
    private(set) var steps: [UInt32: Int] = [:]

    init(top: PropertyList, objects: [PropertyList]) {
        var level = Self.parts(of: top, isTop: true)
        var distance = 1
        while !level.isEmpty {
            var next: [PropertyList] = []
            for part in level {
                if case .uid(let uid) = part {
                    guard steps[uid] == nil else { continue }
                    steps[uid] = distance
                    // What uid 0 holds is nil.
                    if uid != 0 { next += Self.parts(of: objects[Int(uid)], isTop: false) }
                } else {
                    next += Self.parts(of: part, isTop: false)
                }
            }
            level = next
            distance += 1
        }
    }

    /// What is one step away.
    private static func parts(of value: PropertyList, isTop: Bool) -> [PropertyList] {
        switch value {
        case .array(let elements): return elements
        case .dictionary(let entries):
            switch entries["$class"] {
            case .uid(1), .uid(2):
                if case .array(let elements)? = entries["NS.objects"] { return elements }
                return []
            case nil where !isTop && entries["$classname"] != nil: return entries.values
            default: return entries.filter { isTop || $0.key != "$class" }.map(\.value)
            }
        default: return []
        }
    }
}
