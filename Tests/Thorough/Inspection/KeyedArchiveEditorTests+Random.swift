// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Random edits of an archive, against the same edits of a tree of values in which nothing is shared.
@Suite(.inTurn) struct `Random edits` {
    /// What an archive holds, without uids.
    indirect enum Model: Equatable {
        case leaf(PropertyList)
        case null
        /// Fields of an object, or entries of an NSDictionary.
        case keyed([String: Model])
        case list([Model])

        var count: Int {
            switch self {
            case .keyed(let entries): entries.count
            case .list(let elements): elements.count
            default: 0
            }
        }
    }

    /// Makes values in a sequence that is the same for each seed.
    private struct Maker {
        var generator: SeededGenerator
        private static let keys = ["a", "b", "c", "$d", "name", "é"]

        init(seed: UInt64) { generator = SeededGenerator(state: seed) }

        mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
        mutating func key() -> String { Self.keys[number(below: Self.keys.count)] }

        mutating func leaf() -> PropertyList {
            switch number(below: 6) {
            case 0: .integer(Int128(number(below: 1000)))
            case 1: .real(Double(number(below: 1000)) / 8)
            case 2: .boolean(number(below: 2) == 0)
            case 3: .data(Data([UInt8(number(below: 256))]))
            case 4: .string("text \(number(below: 9))")
            default: .real32(Float(number(below: 100)) / 4)
            }
        }

        /// A value to put in, and what it is in the model.
        mutating func value(_ editor: inout KeyedArchiveEditor, depth: Int = 0) throws -> (PropertyList, Model) {
            let kind = number(below: depth < 3 ? 9 : 5)
            if kind < 4 {
                let leaf = leaf()
                return (leaf, .leaf(leaf))
            }
            if kind == 4 { return (.null, .null) }
            var lists: [PropertyList] = []
            var models: [Model] = []
            for _ in 0..<number(below: 4) {
                let (list, model) = try value(&editor, depth: depth + 1)
                lists.append(list)
                models.append(model)
            }
            if kind == 5 { return (.uid(try editor.addArray(lists)), .list(models)) }
            if kind == 6 { return (.uid(try editor.addSet(lists)), .list(models)) }
            var entries = PropertyList.Dictionary()
            var fields: [String: Model] = [:]
            for (list, model) in zip(lists, models) {
                let key = key()
                entries[key] = list
                fields[key] = model
            }
            let uid =
                kind == 7
                ? try editor.addDictionary(entries) : try editor.addObject(ofClass: "Thing", fields: entries)
            return (.uid(uid), .keyed(fields))
        }
    }

    /// What is in `value`, which is in an archive without cycles.
    private func model(_ value: KeyedArchive.Value) throws -> Model {
        switch value.kind {
        case .null: return .null
        case .object where value.className == "NSArray" || value.className == "NSSet":
            return .list(try value.elements.map(model))
        case .object, .dictionary:
            return .keyed(
                Dictionary(uniqueKeysWithValues: try value.keys.map { ($0, try model(#require(value[$0]))) }))
        default: return .leaf(try value.propertyList())
        }
    }

    /// A random place in `model`, often one that is not there yet, and sometimes one that cannot be.
    private func path(in model: Model, _ kind: Kind, _ maker: inout Maker) -> [KeyedArchive.Path.Step] {
        var steps: [KeyedArchive.Path.Step] = []
        var model = model
        while true {
            let isLast = maker.number(below: 3) == 0
            var next: Model?
            switch model {
            case .keyed(let entries):
                let known = entries.keys.sorted()
                let isNew = known.isEmpty || isLast && kind != .remove && maker.number(below: 2) == 0
                let key = isNew ? maker.key() : known[maker.number(below: known.count)]
                steps.append(.key(key))
                next = entries[key]
            case .list(let elements):
                let index = maker.number(below: elements.count + 1)
                steps.append(.index(index))
                next = index < elements.count ? elements[index] : nil
            default:
                steps.append(maker.number(below: 2) == 0 ? .key(maker.key()) : .index(maker.number(below: 4)))
            }
            guard !isLast, let next else { return steps }
            if next.count == 0, maker.number(below: 8) > 0 { return steps }
            model = next
        }
    }

    private enum Kind { case set, insert, remove }

    /// The same edit of the model; nil where it cannot be made.
    private func edited(_ model: Model, _ steps: ArraySlice<KeyedArchive.Path.Step>, _ kind: Kind, _ new: Model)
        -> Model?
    {
        guard let step = steps.first else { return nil }
        let isLast = steps.count == 1
        switch (model, step) {
        case (.keyed(var entries), .key(let key)):
            if isLast {
                if kind == .insert, entries[key] != nil { return nil }
                if kind == .remove, entries[key] == nil { return nil }
                entries[key] = kind == .remove ? nil : new
            } else {
                guard let inner = entries[key].flatMap({ edited($0, steps.dropFirst(), kind, new) }) else { return nil }
                entries[key] = inner
            }
            return .keyed(entries)
        case (.list(var elements), .index(let index)):
            guard index >= 0, index < elements.count || isLast && kind == .insert && index == elements.count else {
                return nil
            }
            guard isLast else {
                guard let inner = edited(elements[index], steps.dropFirst(), kind, new) else { return nil }
                elements[index] = inner
                return .list(elements)
            }
            switch kind {
            case .set: elements[index] = new
            case .insert: elements.insert(new, at: index)
            case .remove: elements.remove(at: index)
            }
            return .list(elements)
        default: return nil
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `change an archive as they change the values in it`(seed: UInt64) throws {
        var maker = Maker(seed: seed)
        var editor = KeyedArchiveEditor()
        var expected = Model.keyed([:])
        var madeCount = 0
        for round in 0..<120 {
            let kind = [Kind.set, .set, .insert, .insert, .remove][maker.number(below: 5)]
            var steps = path(in: expected, kind, &maker)
            if maker.number(below: 20) == 0 { steps.append(.key(maker.key())) }
            let before = editor
            let (value, new) = try maker.value(&editor)
            let path = KeyedArchive.Path(steps)
            // Positions of dictionaries are no part of the model, and leave it out of step.
            guard !reachesPosition(steps, of: expected) else {
                editor = before
                continue
            }
            let after = edited(expected, steps[...], kind, new)
            let failure = edit(&editor, kind, value, path)
            #expect((failure == nil) == (after != nil), "\(kind) \(path): \(failure?.description ?? "no error")")
            if failure == nil {
                expected = try #require(after)
                madeCount += 1
            } else {
                // What was added for it goes.
                editor = before
            }
            if round % 10 == 0 { editor.removeUnreachableObjects() }
            let archive = try editor.archive()
            #expect(try model(archive.top) == expected, "\(kind) \(path)")
            try archive.validate()
        }
        #expect(madeCount > 60)
        let archive = try KeyedArchive(editor.propertyList.data(format: .xml))
        #expect(archive.top.count == expected.count)
    }

    /// The error of an edit; nil where it was made.
    private func edit(
        _ editor: inout KeyedArchiveEditor, _ kind: Kind, _ value: PropertyList, _ path: KeyedArchive.Path
    ) -> KeyedArchiveError? {
        do throws(KeyedArchiveError) {
            switch kind {
            case .set: try editor.set(value, at: path)
            case .insert: try editor.insert(value, at: path)
            case .remove: try editor.remove(at: path)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Whether a position is taken of something with keys.
    private func reachesPosition(_ steps: [KeyedArchive.Path.Step], of model: Model) -> Bool {
        var model = model
        for step in steps {
            switch (model, step) {
            case (.keyed, .index): return true
            case (.keyed(let entries), .key(let key)): model = entries[key] ?? .null
            case (.list(let elements), .index(let index)) where index < elements.count: model = elements[index]
            default: return false
            }
        }
        return false
    }
}
