// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// How much of a graph is drawn, and where.
@Suite(.inTurn) struct `Pictures` {
    private func svg(_ list: PropertyList, _ options: String...) throws -> (contents: SVGContents, errors: String) {
        let run = try Tool.inProcess("graph", on: list.data(), ["--format", "svg"] + options)
        try #require(run.status == 0, "\(run.errors)")
        return (try SVGContents(run.bytes), run.errors)
    }

    /// An array of so many tasks, each with what `fields` says and a step of its own.
    private func queue(_ count: Int, _ fields: (Int) -> PropertyList.Dictionary) -> PropertyList {
        var objects: [PropertyList] = [
            "$null", .null, HandMade.classEntry("NSArray", "NSObject"), HandMade.classEntry("Task", "NSObject"),
            HandMade.classEntry("Step", "NSObject"),
        ]
        var tasks: [PropertyList] = []
        for number in 0..<count {
            var task = fields(number)
            task["$class"] = .uid(3)
            task["step"] = .uid(UInt32(objects.count + 1))
            tasks.append(.uid(UInt32(objects.count)))
            objects += [.dictionary(task), ["$class": .uid(4), "code": 7]]
        }
        objects[1] = ["$class": .uid(2), "NS.objects": .array(tasks)]
        return HandMade.archive(objects)
    }

    // MARK: - Crowds

    @Test func `have one box for siblings that say the same`() throws {
        let list = queue(62) { _ in ["state": "ready"] }
        let (picture, errors) = try svg(list)
        #expect(picture.boxes.map(\.title) == ["NSArray #1", "Task #5 × 62", "Step #6"])
        #expect(picture.texts.contains("[0] … × 62") && picture.texts.contains("state: \"ready\""))
        #expect(picture.texts.contains("62 similar siblings: the first of each kind is drawn"))
        #expect(errors == "archivetool: note: 64 of 125 objects are drawn; see --path, --depth, --size and --all\n")
        let all = try svg(list, "--all").contents
        #expect(all.boxes.count == 125 && all.boxesAreInside)
    }

    @Test func `have a box for each of a few siblings, and of those that say something else`() throws {
        #expect(try svg(queue(2) { _ in ["state": "ready"] }).contents.boxes.count == 5)
        let different = try svg(queue(10) { ["number": .integer(Int128($0))] }).contents
        #expect(different.boxes.count == 21)
    }

    @Test func `have one box for siblings of a class where they do not fit, with what the others say`() throws {
        let (picture, _) = try svg(queue(200) { ["number": .integer(Int128($0)), "state": "ready"] })
        #expect(picture.boxes.map(\.title) == ["NSArray #1", "Task #5 × 200", "Step #6"])
        #expect(picture.texts.contains("number: 0, 1, …") && picture.texts.contains("state: \"ready\""))
    }

    @Test func `have separate boxes for siblings of a class where all of them fit, if others do not`() throws {
        var objects: [PropertyList] = [
            "$null", ["$class": .uid(2), "few": .uid(6), "many": .uid(7)], HandMade.classEntry("Root", "NSObject"),
            HandMade.classEntry("NSArray", "NSObject"), HandMade.classEntry("Cow", "NSObject"),
            HandMade.classEntry("Task", "NSObject"), .null, .null,
        ]
        for (array, classUID, count) in [(6, 4, 10), (7, 5, 200)] as [(Int, UInt32, Int)] {
            let uids = (objects.count..<objects.count + count).map { PropertyList.uid(UInt32($0)) }
            objects[array] = ["$class": .uid(3), "NS.objects": .array(uids)]
            objects += (0..<count).map { ["$class": .uid(classUID), "number": .integer(Int128($0))] }
        }
        let picture = try svg(HandMade.archive(objects)).contents
        #expect(
            picture.boxes.map(\.title) == ["Root #1", "NSArray #6", "NSArray #7"] + (8..<18).map { "Cow #\($0)" }
                + ["Task #18 × 200"])
        #expect(
            try svg(HandMade.archive(objects), "--limit", "13").contents.boxes.map(\.title)
                == ["Root #1", "NSArray #6", "NSArray #7", "Cow #8 × 10", "Task #18 × 200"])
    }

    // MARK: - Size

    @Test func `begin with the first box at the top left`() throws {
        for list in [HandMade.farm, tree(depth: 3, width: 4), queue(30) { _ in [:] }] {
            let first = try #require(try svg(list).contents.boxes.first)
            #expect(first.x == 0 && first.y == 0)
        }
    }

    /// A tree of objects of different classes, each of which has `width` others under keys.
    private func tree(depth: Int, width: Int) -> PropertyList {
        var objects: [PropertyList] = ["$null"]
        func add(_ depth: Int) -> UInt32 {
            let (uid, classUID) = (objects.count, objects.count + 1)
            objects += [.null, HandMade.classEntry("Class\(uid)", "NSObject")]
            var fields: PropertyList.Dictionary = ["$class": .uid(UInt32(classUID)), "number": 1]
            if depth > 0 { for key in 0..<width { fields["key\(key)"] = .uid(add(depth - 1)) } }
            objects[uid] = .dictionary(fields)
            return UInt32(uid)
        }
        _ = add(depth)
        return HandMade.archive(objects)
    }

    @Test(arguments: [(1, 0), (3, 1), (40, 1), (1, 40), (1, 2000), (3, 8), (9, 2), (200, 1)])
    func `have bounds whatever is in them`(depth: Int, width: Int) throws {
        let list = tree(depth: depth, width: width)
        for options in [[], ["--size", "1000"]] {
            let run = try Tool.inProcess("graph", on: list.data(), ["--format", "svg"] + options)
            let picture = try SVGContents(run.bytes)
            let limit = options.isEmpty ? 4000.0 : 1000
            #expect(picture.size.width <= limit && picture.size.height <= limit, "\(picture.size)")
            #expect(picture.size.width <= 3.1 * picture.size.height && picture.size.height <= 3.1 * picture.size.width)
            #expect(picture.boxesAreInside)
            let isFolded = picture.boxes.count < list["$objects"]!.array!.count / 2
            #expect(isFolded == picture.texts.contains { $0.hasSuffix("not drawn") })
            #expect(isFolded == run.errors.contains("objects are drawn"))
        }
    }

    @Test func `fold the farthest boxes into rows that say how much is there`() throws {
        let picture = try svg(tree(depth: 3, width: 8), "--limit", "9").contents
        #expect(picture.boxes.count == 9)
        #expect(picture.texts.contains { $0.hasPrefix("key0: Class") && $0.hasSuffix(" … 9 objects") })
    }

    @Test func `have boxes that do not overlap`() throws {
        for list in [tree(depth: 3, width: 4), tree(depth: 1, width: 40), HandMade.farm, queue(30) { _ in [:] }] {
            for options in [[], ["--all"]] {
                let run = try Tool.inProcess("graph", on: list.data(), ["--format", "svg"] + options)
                let boxes = try SVGContents(run.bytes).boxes
                for (position, box) in boxes.enumerated() {
                    for other in boxes[..<position] {
                        let isApart =
                            box.x + box.width <= other.x || other.x + other.width <= box.x
                            || box.y + box.height <= other.y || other.y + other.height <= box.y
                        #expect(isApart, "\(box) \(other)")
                    }
                }
            }
        }
    }

    // MARK: - Layers

    @Test func `have layers of the shortest ways, and names in place of long arrows back`() throws {
        // A window with views that know their parents and the next one: a chain of ten, all in one list.
        var objects: [PropertyList] = [
            "$null", ["$class": .uid(2), "views": .uid(3)], HandMade.classEntry("Window", "NSObject"), .null,
            HandMade.classEntry("NSArray", "NSObject"), HandMade.classEntry("View", "NSObject"),
        ]
        for number in 0..<10 {
            objects.append([
                "$class": .uid(5), "tag": .integer(Int128(number)), "parent": .uid(1),
                "NSNextKeyView": number < 9 ? .uid(UInt32(number + 7)) : .uid(0),
            ])
        }
        objects[3] = ["$class": .uid(4), "NS.objects": .array((0..<10).map { .uid(UInt32($0 + 6)) })]
        let picture = try svg(HandMade.archive(objects)).contents
        #expect(picture.boxes.count == 12)
        #expect(Set(picture.boxes.map(\.x)).count == 3)
        // The window is two layers back.
        #expect(picture.texts.count { $0 == "parent → Window #1" } == 10)
        #expect(picture.arrows.contains("View #6 NSNextKeyView → View #7"))
        #expect(!picture.arrows.contains { $0.contains("parent") })
    }

    @Test func `have values, colours and short lists in rows`() throws {
        let archive = HandMade.archive([
            "$null", ["$class": .uid(2), "place": .uid(3), "list": .uid(5), "table": .uid(8), "none": .uid(11)],
            HandMade.classEntry("Thing", "NSObject"),
            ["$class": .uid(4), "NS.special": 1, "NS.pointval": "{3, 4}"], HandMade.classEntry("NSValue", "NSObject"),
            ["$class": .uid(6), "NS.objects": [.uid(7), .uid(7)]], HandMade.classEntry("NSArray", "NSObject"), "text",
            ["$class": .uid(9), "NS.keys": [.uid(7)], "NS.objects": [.uid(10)]],
            HandMade.classEntry("NSDictionary", "NSObject"), 5, ["$class": .uid(6), "NS.objects": []],
        ])
        let picture = try svg(archive).contents
        #expect(picture.boxes.count == 1)
        for text in ["place: {3, 4}", "list: [\"text\", \"text\"]", "table: {text: 5}", "none: []"] {
            #expect(picture.texts.contains(text), "\(picture.texts)")
        }
    }
}
