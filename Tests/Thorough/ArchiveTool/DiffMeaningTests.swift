// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

@testable import archivetool

/// What `diff` does not call a difference, and what it says of many.
@Suite(.inTurn) struct `diff, by meaning,` {
    private func run(_ left: Data, _ right: Data, _ options: String...) throws -> Program.Run {
        try Tool.differences(left, right, options)
    }

    private func run(_ left: PropertyList, _ right: PropertyList, _ options: String...) throws -> Program.Run {
        try Tool.differences(left.data(), right.data(), options)
    }

    static let files: [Data] = {
        let lists = [HandMade.farm, `diff`.farm, HandMade.everyKind, HandMade.binaryOnly]
        return lists.compactMap { try? $0.data() } + [HandMade.typedStream]
    }()

    @Test(arguments: files.indices)
    func `finds nothing between a file and itself`(file: Int) throws {
        let result = try run(Self.files[file], Self.files[file])
        #expect(result.output == "no differences\n" && result.status == 0)
    }

    @Test func `compares what is in objects whose class entry is damaged`() throws {
        func archive(_ number: Int) -> PropertyList {
            HandMade.archive(["$null", ["$class": .uid(2), "number": .integer(Int128(number))], ["$classname": 5]])
        }
        #expect(try run(archive(1), archive(1)).output == "no differences\n")
        #expect(try run(archive(1), archive(2)).output == "~ number: 1 → 2\n1 difference\n")
        let whole = HandMade.archive(["$null", ["$class": .uid(2), "number": 1], HandMade.classEntry("Gadget")])
        #expect(try run(archive(1), whole).status == 1)
    }

    @Test func `reports edits inside nested sets, and not the sets`() throws {
        func archive(_ first: PropertyList, _ second: PropertyList) -> PropertyList {
            func set(_ uids: UInt32...) -> PropertyList {
                ["$class": .uid(2), "NS.objects": .array(uids.map { .uid($0) })]
            }
            return HandMade.archive([
                "$null", set(3, 4), HandMade.classEntry("NSSet", "NSObject"), set(5, 6), set(7, 8), "a", first, "c",
                second,
            ])
        }
        #expect(
            try run(archive("b", "d"), archive("x", "y")).output == """
                - 0/1: "b"
                + 0/1: "x"
                - 1/1: "d"
                + 1/1: "y"
                4 differences

                """)
    }

    @Test func `finds nothing between binary and XML`() throws {
        for list in [HandMade.farm, `diff`.farm, HandMade.everyKind] {
            let result = try run(list.data(format: .binary), list.data(format: .xml))
            #expect(result.output == "no differences\n" && result.status == 0)
        }
    }

    @Test func `takes dates in XML for what they are, whole seconds`() throws {
        let list: PropertyList = ["when": .date(Date(timeIntervalSinceReferenceDate: 0.25))]
        #expect(try run(list.data(format: .binary), list.data(format: .xml)).status == 0)
        let other: PropertyList = ["when": .date(Date(timeIntervalSinceReferenceDate: 0.5))]
        #expect(try run(list, other).status == 1)
        let later: PropertyList = ["when": .date(Date(timeIntervalSinceReferenceDate: 1))]
        #expect(try run(later.data(format: .binary), list.data(format: .xml)).status == 1)
    }

    /// The same archive with its objects in another order, and the keys of its dictionaries as well.
    static func shuffled(_ list: PropertyList, seed: UInt64) throws -> PropertyList {
        var generator = SeededGenerator(state: seed)
        guard case .array(let objects)? = list["$objects"], let top = list["$top"] else { return list }
        let order = [0] + Array(1..<objects.count).shuffled(using: &generator)
        var places = Array(repeating: 0, count: objects.count)
        for (place, old) in order.enumerated() { places[old] = place }
        func changed(_ value: PropertyList) -> PropertyList {
            switch value {
            case .uid(let uid): .uid(UInt32(places[Int(uid)]))
            case .array(let elements): .array(elements.map(changed))
            case .dictionary(let entries):
                .dictionary(
                    PropertyList.Dictionary(entries.shuffled(using: &generator).map { ($0.key, changed($0.value)) }))
            default: value
            }
        }
        return HandMade.archive(order.map { changed(objects[$0]) }, top: changed(top))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `finds nothing where objects and keys are in another order`(seed: UInt64) throws {
        for list in [HandMade.farm, `diff`.farm] {
            let result = try run(list, Self.shuffled(list, seed: seed))
            #expect(result.output == "no differences\n")
        }
    }

    @Test func `finds nothing between the forms that writers have for the same values`() throws {
        // A string as an object of its class, a number as an object, elements with a key each, a date as a leaf.
        let plain = HandMade.archive([
            "$null", ["$class": .uid(2), "list": .uid(3), "text": .uid(5), "when": .uid(7), "n": 4],
            HandMade.classEntry("Farm", "NSObject"), ["$class": .uid(4), "NS.objects": [.uid(5), .uid(6)]],
            HandMade.classEntry("NSArray", "NSObject"), "hi", 7, ["$class": .uid(8), "NS.time": 60.0],
            HandMade.classEntry("NSDate", "NSObject"),
        ])
        let other = HandMade.archive([
            "$null", ["$class": .uid(2), "n": .uid(11), "list": .uid(3), "text": .uid(5), "when": .uid(7)],
            HandMade.classEntry("Farm", "NSObject"),
            ["$class": .uid(4), "NS.object.0": .uid(5), "NS.object.1": .uid(6)],
            HandMade.classEntry("NSArray", "NSObject"), ["$class": .uid(9), "NS.string": "hi"],
            ["$class": .uid(10), "NS.intval": 7], .date(Date(timeIntervalSinceReferenceDate: 60)), "$null",
            HandMade.classEntry("NSString", "NSObject"), HandMade.classEntry("NSNumber", "NSValue", "NSObject"), 4,
        ])
        #expect(try run(plain, other).output == "no differences\n")
    }

    @Test func `compares the contents of copies, and reports the copy once`() throws {
        let shared = HandMade.archive([
            "$null", ["$class": .uid(2), "a": .uid(3), "b": .uid(3)], HandMade.classEntry("Pair", "NSObject"),
            ["$class": .uid(4), "name": "x", "inner": .uid(5)], HandMade.classEntry("Thing", "NSObject"),
            ["$class": .uid(4), "name": "y"],
        ])
        let copied = HandMade.archive([
            "$null", ["$class": .uid(2), "a": .uid(3), "b": .uid(6)], HandMade.classEntry("Pair", "NSObject"),
            ["$class": .uid(4), "name": "x", "inner": .uid(5)], HandMade.classEntry("Thing", "NSObject"),
            ["$class": .uid(4), "name": "y"], ["$class": .uid(4), "name": "x", "inner": .uid(7)],
            ["$class": .uid(4), "name": "z"],
        ])
        #expect(
            try run(shared, copied).output == """
                ~ b: Thing #3, the one at a → Thing #6, an object of its own
                ~ b/inner/name: "y" → "z"
                2 differences

                """)
        #expect(
            try run(copied, shared).output == """
                ~ b: Thing #6, an object of its own → Thing #3, the one at a
                ~ b/inner/name: "z" → "y"
                2 differences

                """)
    }

    /// Writers have one object for all empty arrays, or one for each: which, is no difference, and not a change of the others
    /// where one of them gets an element.
    @Test func `compares empty collections as values`() throws {
        func pair(_ a: PropertyList, _ b: PropertyList) -> PropertyList {
            HandMade.archive([
                "$null", ["$class": .uid(2), "a": a, "b": b], HandMade.classEntry("Pair", "NSObject"),
                HandMade.classEntry("NSArray", "NSObject"), ["$class": .uid(3), "NS.objects": []],
                ["$class": .uid(3), "NS.objects": []], ["$class": .uid(3), "NS.objects": [.uid(7)]], "new",
            ])
        }
        let shared = pair(.uid(4), .uid(4))
        let separate = pair(.uid(4), .uid(5))
        #expect(try run(shared, separate).output == "no differences\n")
        #expect(try run(separate, shared).output == "no differences\n")
        #expect(try run(shared, pair(.uid(4), .uid(6))).output == "+ b/0: \"new\"\n1 difference\n")
        #expect(try run(pair(.uid(6), .uid(4)), shared).output == "- a/0: \"new\"\n1 difference\n")
    }

    @Test func `compares cycles that are unrolled`() throws {
        // One node that refers to itself, against two that refer to each other: they unfold to the same, and are not.
        let one = HandMade.archive([
            "$null", ["$class": .uid(2), "next": .uid(1)], HandMade.classEntry("Node", "NSObject"),
        ])
        let two = HandMade.archive([
            "$null", ["$class": .uid(2), "next": .uid(3)], HandMade.classEntry("Node", "NSObject"),
            ["$class": .uid(2), "next": .uid(1)],
        ])
        #expect(
            try run(one, two).output == """
                ~ next: Node #1, the one at /root → Node #3, an object of its own
                1 difference

                """)
    }

    @Test func `aligns long lists around many changes`() throws {
        let left = PropertyList.array((0..<3000).map { .string("line \($0)") })
        var elements: [PropertyList] = (0..<3000).map { .string("line \($0)") }
        elements[2500] = "changed"
        elements.remove(at: 1200)
        elements.insert("new", at: 10)
        #expect(
            try run(["list": left], ["list": .array(elements)]).output == """
                + list/10: "new"
                - list/1200: "line 1200"
                ~ list/2500: "line 2500" → "changed"
                3 differences

                """)
    }

    @Test func `compares long lists without anything in common by position`() throws {
        var generator = SeededGenerator(state: 5)
        let lists = (0..<2).map { _ in
            PropertyList.array((0..<4000).map { _ in .integer(Int128(Int.random(in: 0..<40, using: &generator))) })
        }
        let result = try run(["list": lists[0]], ["list": lists[1]])
        #expect(result.status == 1 && result.errors == "")
        guard case .array(let left) = lists[0], case .array(let right) = lists[1] else { return }
        let count = zip(left, right).count { $0 != $1 }
        #expect(result.output.hasSuffix("\n\(count) differences\n"))
    }

    @Test func `describes places in long chains by an object near them`() throws {
        func chain(_ count: Int, _ number: (Int) -> Int) -> PropertyList {
            var objects: [PropertyList] = ["$null"]
            for place in 1...count {
                let next = place < count ? UInt32(place + 1) : 0
                objects.append([
                    "$class": .uid(UInt32(count + 1)), "next": .uid(next), "n": .integer(Int128(number(place))),
                ])
            }
            return HandMade.archive(objects + [HandMade.classEntry("Link", "NSObject")])
        }
        // 30 steps to the 30th after the root, and then its number.
        let near = try run(chain(100) { $0 }, chain(100) { $0 == 31 ? 0 : $0 })
        #expect(near.output == "~ " + String(repeating: "next/", count: 30) + "n: 31 → 0\n1 difference\n")
        // The number of the 90th, 63 steps and one from the 27th.
        let far = try run(chain(100) { $0 }, chain(100) { $0 == 90 ? 0 : $0 })
        #expect(
            far.output == "~ Link #27/" + String(repeating: "next/", count: 63) + "n: 90 → 0\n1 difference\n")
        let all = try run(chain(20_000) { $0 }, chain(20_000) { -$0 })
        #expect(all.output.hasSuffix("\n20000 differences\n") && all.bytes.count < 20_000 * 400)
    }

    /// Objects that refer to each other anyhow, each with a number of its own, and lists of them.
    static func randomGraph(seed: UInt64) -> PropertyList {
        var generator = SeededGenerator(state: seed)
        let count = Int.random(in: 1...25, using: &generator)
        func reference() -> PropertyList { .uid(UInt32(Int.random(in: 0...count, using: &generator))) }
        var objects: [PropertyList] = ["$null"]
        for number in 1...count {
            var list: [PropertyList] = []
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                list.append(.uid(UInt32(Int.random(in: 1...count, using: &generator))))
            }
            objects.append([
                "$class": .uid(UInt32(count + 1 + number % 2)), "n": .integer(Int128(number)), "a": reference(),
                "b": reference(), "list": .array(list),
            ])
        }
        return HandMade.archive(objects + [HandMade.classEntry("A", "NSObject"), HandMade.classEntry("B", "NSObject")])
    }

    @Test(arguments: 1...150 as ClosedRange<UInt64>)
    func `reports exactly the one number that has changed, anywhere in any graph`(seed: UInt64) throws {
        let list = Self.randomGraph(seed: seed)
        let archive = try KeyedArchive(list)
        var generator = SeededGenerator(state: seed)
        let changeable = archive.root.reachableObjects.filter { $0["n"] != nil }
        let object = try #require(changeable.randomElement(using: &generator))
        let (uid, number) = (try #require(object.uid), try #require(object["n"]?.integer))
        var editor = try KeyedArchiveEditor(archive)
        guard case .dictionary(var entries)? = editor[uid: uid] else { return }
        entries["n"] = 1000
        try editor.replaceObject(uid, with: .dictionary(entries))
        let run = try run(list, Self.shuffled(editor.propertyList, seed: seed))
        let line = try #require(run.output.wholeMatch(of: #/~ (.*): (\d+) → 1000\n1 difference\n/#), "\(run.output)")
        #expect(Int(line.2) == number)
        let value = try ValuePath(String(line.1)).value(in: archive)
        #expect(value.integer == number)
    }

    /// A graph, and the same graph with another target of the reference "a" of one object. The target had a reference before, so
    /// that no other object is added or removed.
    private func redirected(seed: UInt64) throws -> (before: PropertyList, after: PropertyList)? {
        let list = Self.randomGraph(seed: seed)
        let archive = try KeyedArchive(list)
        let reached = archive.root.reachableObjects.filter { $0["n"] != nil }
        for object in reached {
            for target in reached where object["a"]?.isNull == false && object["a"] != target {
                guard let uid = object.uid, let targetUID = target.uid else { continue }
                var editor = try KeyedArchiveEditor(archive)
                guard case .dictionary(var entries)? = editor[uid: uid] else { continue }
                entries["a"] = .uid(targetUID)
                try editor.replaceObject(uid, with: .dictionary(entries))
                let changed = try editor.archive()
                guard changed.root.reachableObjects.map(\.uid) == archive.root.reachableObjects.map(\.uid) else {
                    continue
                }
                return (list, editor.propertyList)
            }
        }
        return nil
    }

    @Test func `reports one changed reference as one difference, in almost any graph`() throws {
        var (count, singleCount) = (0, 0)
        for seed in 1...150 as ClosedRange<UInt64> {
            guard let (before, after) = try redirected(seed: seed) else { continue }
            count += 1
            let run = try run(before, after)
            #expect(run.status == 1)
            if try run.output.wholeMatch(of: Regex(#"~ (.*/)?a: [AB] #\d+.* → [AB] #\d+.*\n1 difference\n"#)) != nil {
                singleCount += 1
            }
        }
        // Where all ways to an object go through the one that has changed, its counterpart is not always found.
        #expect(count > 100 && singleCount * 20 > count * 19, "\(singleCount) of \(count)")
    }

    @Test func `distinguishes typedstreams`() throws {
        var stream = try TypedStream(HandMade.typedStream)
        stream.objects[0].groups[0].values[0] = .bytes(Array("ho".utf8))
        #expect(
            try run(HandMade.typedStream, stream.data()).output == """
                ~ 0: "hi" → "ho"
                1 difference

                """)
    }

    @Test func `refuses files of different kinds, and says what can be done`() throws {
        let result = try run(HandMade.farm, HandMade.everyKind)
        #expect(result.status == 3)
        #expect(result.errors.contains("is a keyed archive and"))
        #expect(result.errors.contains("is a property list, which cannot be compared; --as-property-lists"))
        #expect(try run(HandMade.farm, HandMade.everyKind, "--as-property-lists").status == 1)
        #expect(try run(HandMade.farm, HandMade.farm, "--as-property-lists").status == 0)
        #expect(try run(HandMade.farm, Self.shuffled(HandMade.farm, seed: 3), "--as-property-lists").status == 1)
        #expect(try run(HandMade.typedStream, HandMade.everyKind.data()).status == 3)
    }

    @Test func `reports another archiver`() throws {
        guard case .dictionary(var root) = HandMade.farm else { return }
        root["$archiver"] = "MyArchiver"
        #expect(
            try run(HandMade.farm, .dictionary(root)).output == """
                ~ $archiver: NSKeyedArchiver → MyArchiver
                1 difference

                """)
    }
}
