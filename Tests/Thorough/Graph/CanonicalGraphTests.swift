// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Archives that say the same in different orders.
@Suite(.inTurn) struct `The canonical form of an archive` {
    /// The canonical form of `model`, which has to be the same for `count` ways of writing it.
    private func form(
        of model: GraphModel, ways count: Int = 8, seed: UInt64 = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> InspectedArchive {
        var generator = SeededGenerator(state: seed)
        let archives = try (0..<count).map { _ in try model.archive(using: &generator) }
        let forms = try archives.map(canonical)
        #expect(Set(archives).count > 1, "the archives are not in different orders", sourceLocation: sourceLocation)
        #expect(Set(forms).count == 1, sourceLocation: sourceLocation)
        let form = try #require(forms.first)
        #expect(try canonical(form) == form, sourceLocation: sourceLocation)
        let contents = try InspectedArchive(form)
        #expect(
            try contents.meaning(depth: 4) == InspectedArchive(archives[0]).meaning(depth: 4),
            sourceLocation: sourceLocation)
        #expect(contents.reachedSlots.count == contents.objects.count, sourceLocation: sourceLocation)
        return contents
    }

    /// Instances of `Node` in rings, all of them in one set.
    private func rings(_ lengths: [Int]) -> GraphModel {
        var objects: [GraphModel.Object] = []
        for length in lengths {
            let first = objects.count
            for index in 0..<length {
                objects.append(.instance("Node", ["next": .object(first + (index + 1) % length)]))
            }
        }
        objects.append(.set(objects.indices.map { .object($0) }))
        return GraphModel(objects: objects, top: ["root": .object(objects.count - 1)])
    }

    @Test(arguments: [[1], [3], [1, 1, 1, 2], [3, 6], [3, 3, 6], [4, 5, 5], [2, 2, 4, 4, 8], [60, 30, 3, 3]])
    func `distinguishes rings of equal instances by their lengths`(lengths: [Int]) throws {
        let form = try form(of: rings(lengths))
        #expect(form.count(ofClass: "Node") == lengths.reduce(0, +))
    }

    @Test func `distinguishes equal elements by later values and a reference to one of them`() throws {
        let model = GraphModel(
            objects: [
                .set((1...4).map { .object($0) }), .instance("Cow", [:]), .instance("Cow", [:]),
                .instance("Cow", ["calf": .object(3)]), .instance("Cow", ["calf": .object(3)]),
            ],
            top: ["herd": .object(0), "leader": .object(2), "last": .object(4)])
        let form = try form(of: model)
        #expect(form.count(ofClass: "Cow") == 4)
    }

    @Test func `distinguishes sets by the elements that they share`() throws {
        // Two sets of two each, which share one element, and two that share none.
        let model = GraphModel(
            objects: [
                .set((1...4).map { .object($0) }), .set([.object(5), .object(6)]), .set([.object(6), .object(7)]),
                .set([.object(8), .object(9)]), .set([.object(10), .object(11)]),
            ] + (0..<7).map { _ in .instance("Cow", [:]) },
            top: ["root": .object(0)])
        let form = try form(of: model)
        #expect(form.count(ofClass: "NSSet") == 5)
        #expect(form.count(ofClass: "Cow") == 7)
    }

    @Test func `ties the keys of a dictionary to their values`() throws {
        // Equal keys; the values are a ring of two and one of one.
        let model = GraphModel(
            objects: [
                .dictionary([(.object(1), .object(4)), (.object(2), .object(5)), (.object(3), .object(6))]),
                .instance("Key", [:]), .instance("Key", [:]), .instance("Key", [:]),
                .instance("Node", ["next": .object(5)]), .instance("Node", ["next": .object(4)]),
                .instance("Node", ["next": .object(6)]),
            ],
            top: ["root": .object(0)])
        _ = try form(of: model)
    }

    @Test func `sorts entries whose keys have become equal by their values`() throws {
        let model = GraphModel(
            objects: [
                .dictionary([
                    (.leaf("a"), .object(1)), (.leaf("b"), .leaf(2)), (.leaf("b"), .leaf(1)), (.leaf("c"), .object(2)),
                    (.leaf("c"), .object(3)), (.leaf("c"), .leaf(7)), (.leaf("d"), .object(2)),
                ]),
                .instance("Cow", ["age": .inline(1)]), .instance("Cow", ["age": .inline(2)]),
                .instance("Cow", ["age": .inline(3)]),
            ],
            top: ["root": .object(0)])
        let form = try form(of: model)
        #expect(
            form.text
                == #"NSDictionary[@"a": Cow{age: 1}, @"b": @1, @"b": @2, @"c": @7, "#
                + #"@"c": #1=Cow{age: 2}, @"c": Cow{age: 3}, @"d": #1]"#)
    }

    @Test func `omits unreachable objects`() throws {
        let model = GraphModel(
            objects: [
                .set([.object(1), .object(2)]), .instance("Cow", [:]), .instance("Cow", [:]),
                .instance("Lost", ["cow": .object(1), "lost": .object(3), "name": .leaf("lost")]),
            ],
            top: ["root": .object(0)])
        let form = try form(of: model)
        #expect(form.text == "NSSet[Cow{}, Cow{}]")
        #expect(form.objects.count == 6)
    }

    @Test func `is the same for graphs that a generator makes`() throws {
        var generator = SeededGenerator(state: 2)
        for seed in 0..<200 { _ = try form(of: randomModel(using: &generator), ways: 5, seed: UInt64(seed)) }
    }

    private func randomModel(using generator: inout SeededGenerator) -> GraphModel {
        let count = Int.random(in: 2...14, using: &generator)
        func value() -> GraphModel.Value {
            switch Int.random(in: 0..<16, using: &generator) {
            case 0: .null
            case 1: .inline(.integer(Int128.random(in: 0...1, using: &generator)))
            case 2: .leaf(Bool.random(using: &generator) ? "a" : "é")
            case 3: .leaf(1)
            default: .object(Int.random(in: 0..<count, using: &generator))
            }
        }
        func values(_ limit: Int) -> [GraphModel.Value] {
            (0...Int.random(in: 0...limit, using: &generator)).map { _ in value() }
        }
        var objects: [GraphModel.Object] = (0..<count).map { _ in
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: .array(values(3))
            case 1...3: .set(values(6))
            case 4...5: .dictionary(values(4).map { ($0, value()) })
            default:
                .instance("Node", Dictionary(zip(["x", "y"], values(2))) { first, _ in first })
            }
        }
        objects.append(.set((0..<count).map { .object($0) }))
        return GraphModel(objects: objects, top: ["root": .object(count), "first": .inline(1)])
    }
}

// MARK: - Damage

extension `The canonical form of an archive` {
    /// What becomes of `archive`: an error, or an archive.
    private func outcome(_ archive: Data) -> PropertyListError? {
        do {
            let form = try canonical(archive)
            _ = try PropertyList(form)
            return nil
        } catch {
            return error as? PropertyListError ?? PropertyListError(.badXML, at: 0)
        }
    }

    @Test(
        arguments: [
            ["$archiver": "A", "$version": 1, "$top": [:]], ["$archiver": "A", "$version": 1, "$objects": ["$null"]],
            ["$archiver": "A", "$version": 1, "$top": [:], "$objects": []],
            ["$archiver": "A", "$version": 1, "$top": [:], "$objects": ["null"]],
            ["$archiver": "A", "$version": 1, "$top": [:], "$objects": ["$null", ["$null"]]],
            ["$archiver": "A", "$version": 1, "$top": [], "$objects": ["$null"]],
            ["$archiver": ["A"], "$version": 1, "$top": [:], "$objects": ["$null"]],
            ["$archiver": "A", "$version": 1, "$top": ["root": .uid(1)], "$objects": ["$null"]],
            ["$archiver": "A", "$version": 1, "$top": ["root": [["deep"]]], "$objects": ["$null"]],
            ["$archiver": "A", "$version": 1, "$top": ["root": ["$class": 1]], "$objects": ["$null"]],
            "$objects", [],
        ] as [PropertyList])
    func `is refused where the list is no archive`(list: PropertyList) throws {
        let error = try #require(outcome(list.data(format: .binary)))
        #expect([.notAnArchive, .referenceOutOfRange].contains(error.defect))
    }

    @Test func `is an error or an archive for any damage`() throws {
        var generator = SeededGenerator(state: 3)
        for _ in 0..<10 {
            let archive = try randomModel(using: &generator).archive(using: &generator)
            for count in archive.indices { #expect(outcome(archive.prefix(count)) != nil) }
            for _ in 0..<400 {
                var damaged = archive
                for _ in 0...Int.random(in: 0...2, using: &generator) {
                    let index = Int.random(in: damaged.indices, using: &generator)
                    damaged[index] = UInt8.random(in: 0...255, using: &generator)
                }
                _ = outcome(damaged)
            }
        }
    }
}
