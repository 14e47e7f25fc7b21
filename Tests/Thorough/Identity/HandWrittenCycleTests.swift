// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Initializers that are written by hand, and do something else with a value than the compiler's own would.
@Suite(.inTurn) struct `A property that waits is the one that the initializer keeps the value in` {
    /// Decodes each of two keys into the property of the other one.
    final class Swapped: Codable {
        let name: String
        var left: Swapped?
        var right: Swapped?
        var lefts: [Swapped] = []
        var rights: [Swapped] = []

        private enum CodingKeys: CodingKey { case name, left, right, lefts, rights }
        init(_ name: String) { self.name = name }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            right = try container.decodeIfPresent(Swapped.self, forKey: .left)
            left = try container.decodeIfPresent(Swapped.self, forKey: .right)
            rights = try container.decode([Swapped].self, forKey: .lefts)
            lefts = try container.decode([Swapped].self, forKey: .rights)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(right, forKey: .left)
            try container.encodeIfPresent(left, forKey: .right)
            try container.encode(rights, forKey: .lefts)
            try container.encode(lefts, forKey: .rights)
        }
        func clear() { (left, right, lefts, rights) = (nil, nil, [], []) }
    }

    @Test func `also if that is the property of another key`() throws {
        let (root, other, third) = (Swapped("root"), Swapped("other"), Swapped("third"))
        (root.left, root.right) = (root, other)
        (root.lefts, root.rights) = ([root, other], [other, third])
        (other.left, other.right) = (root, third)
        (third.left, third.rights) = (root, [root])
        defer { for node in [root, other, third] { node.clear() } }
        let copy = try roundTrip(root)
        let otherCopy = try #require(copy.right)
        let thirdCopy = try #require(otherCopy.right)
        defer { for node in [copy, otherCopy, thirdCopy] { node.clear() } }
        #expect(otherCopy.name == "other" && thirdCopy.name == "third")
        #expect(copy.left === copy)
        #expect(otherCopy.left === copy)
        #expect(thirdCopy.left === copy && thirdCopy.right == nil)
        #expect(copy.lefts.map(\.name) == ["root", "other"] && copy.lefts[0] === copy && copy.lefts[1] === otherCopy)
        #expect(copy.rights.map(\.name) == ["other", "third"])
        #expect(thirdCopy.rights.first === copy && thirdCopy.lefts.isEmpty)
    }

    /// Keeps what it decodes under other names, beside properties that have the names of the keys.
    final class Renamed: Codable {
        var cache: [Renamed] = []
        var others: [Renamed] = []
        // swift-format-ignore: NoLeadingUnderscores
        var _store: [Renamed] = []
        var kept: [Renamed] = []
        // swift-format-ignore: NoLeadingUnderscores
        var _owner: Renamed?
        var boss: Renamed?

        private enum CodingKeys: CodingKey { case cache, store, owner }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let list = try container.decode([Renamed].self, forKey: .cache)
            others = list
            kept = try container.decode([Renamed].self, forKey: .store)
            let owner = try container.decodeIfPresent(Renamed.self, forKey: .owner)
            boss = owner
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(others, forKey: .cache)
            try container.encode(kept, forKey: .store)
            try container.encodeIfPresent(boss, forKey: .owner)
        }
        func clear() { (others, kept, boss) = ([], [], nil) }
    }

    @Test func `also if another property has the name of the key`() throws {
        let value = Renamed()
        (value.others, value.kept, value.boss) = ([value], [value, value], value)
        defer { value.clear() }
        let copy = try roundTrip(value)
        defer { copy.clear() }
        #expect(copy.others.count == 1 && copy.others.first === copy)
        #expect(copy.kept.count == 2 && copy.kept.allSatisfy { $0 === copy })
        #expect(copy.boss === copy)
        #expect(copy.cache.isEmpty && copy._store.isEmpty && copy._owner == nil)
    }

    enum ForeignKeys: CodingKey { case next, others }

    final class Foreign: Codable {
        var next: Foreign?
        var others: [Foreign] = []
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: ForeignKeys.self)
            next = try container.decodeIfPresent(Foreign.self, forKey: .next)
            others = try container.decode([Foreign].self, forKey: .others)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: ForeignKeys.self)
            try container.encodeIfPresent(next, forKey: .next)
            try container.encode(others, forKey: .others)
        }
    }

    @Test func `also if the keys are those of another type`() throws {
        let value = Foreign()
        (value.next, value.others) = (value, [Foreign(), value])
        defer { (value.next, value.others) = (nil, []) }
        let copy = try roundTrip(value)
        defer { (copy.next, copy.others) = (nil, []) }
        #expect(copy.next === copy)
        #expect(copy.others.count == 2 && copy.others[1] === copy)
    }

    /// Keeps what it decodes twice.
    final class Doubled: Codable {
        var items: [Doubled] = []
        var shown: [Doubled] = []
        var first: Doubled?
        var selected: Doubled?

        private enum CodingKeys: CodingKey { case items, first }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            items = try container.decodeIfPresent([Doubled].self, forKey: .items) ?? []
            shown = items
            first = try container.decodeIfPresent(Doubled.self, forKey: .first)
            selected = first
        }
        func clear() { (items, shown, first, selected) = ([], [], nil, nil) }
    }

    @Test func `and each of several collections, but of the other properties only the archived one`() throws {
        let value = Doubled()
        (value.items, value.first) = ([value], value)
        defer { value.clear() }
        for _ in 0..<2 {
            let copy = try roundTrip(value)
            defer { copy.clear() }
            #expect(copy.items.count == 1 && copy.items.first === copy)
            #expect(copy.shown.count == 1 && copy.shown.first === copy)
            #expect(copy.first === copy)
            #expect(copy.selected == nil)
        }
    }
}

@Suite(.inTurn) struct `A value that cannot be set later is an error` {
    /// That decoding an archive of `value` throws the error of a cycle, which names the ways out.
    private func expectCycle<Value: Codable>(
        _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try failure(decoding: [Value].self, fromArchiveOf: [value], sourceLocation: sourceLocation)
        #expect(error.kind == .dataCorrupted, "\(error)", sourceLocation: sourceLocation)
        #expect(error.says("cycle", "@Reference", "publish(self)"), "\(error)", sourceLocation: sourceLocation)
    }

    final class Filtering: Codable {
        var isOn = false
        var list: [Filtering] = []
        var set: Set<String> = []
        var table: [String: Filtering] = [:]

        private enum CodingKeys: CodingKey { case isOn, list, table }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            isOn = try container.decode(Bool.self, forKey: .isOn)
            list = try container.decode([Filtering].self, forKey: .list).filter { $0.isOn }
            table = try container.decode([String: Filtering].self, forKey: .table).filter { $0.value.isOn }
        }
    }

    @Test func `if the initializer keeps a part of it`() throws {
        let value = Filtering()
        value.list = [value]
        try expectCycle(value)
        (value.list, value.table) = ([], ["self": value])
        try expectCycle(value)
        value.table = [:]
    }

    class Base: Codable {
        var items: [Base] = []
        var item: Base?
        init() {}
    }

    final class Shadowing: Base {
        let shadow: Base
        override init() {
            shadow = Base()
            super.init()
        }
        required init(from decoder: any Decoder) throws {
            shadow = try Base(from: decoder)
            try super.init(from: decoder)
        }
    }

    final class ShadowingOne: Base {
        let shadow: Base
        override init() {
            shadow = Base()
            super.init()
        }
        required init(from decoder: any Decoder) throws {
            shadow = try Base(from: decoder)
            try super.init(from: decoder)
        }
    }

    @Test func `if another instance than the one in the archive decodes it`() throws {
        func check<Value: Base>(_ value: Value) throws {
            let error = try failure {
                try roundTrip([value], registering: [Value.self, ShadowingOne.self])
            }
            #expect(error.says("cycle", "@Reference", "publish(self)"), "\(error)")
        }
        let value = Shadowing()
        value.items = [value]
        try check(value)
        value.items = []
        let other = ShadowingOne()
        other.item = other
        try check(other)
        other.item = nil
    }

    final class Index {
        var entries: [Indexed] = []
    }

    final class Indexed: Codable {
        var items: [Indexed] = []
        let index = Index()

        private enum CodingKeys: CodingKey { case items }
        init() {}
        init(from decoder: any Decoder) throws {
            items = try decoder.container(keyedBy: CodingKeys.self).decode([Indexed].self, forKey: .items)
            index.entries = items
        }
    }

    @Test func `if something else has it as well`() throws {
        let value = Indexed()
        value.items = [value]
        try expectCycle(value)
        value.items = []
    }

    // MARK: Caught

    @propertyWrapper struct DefaultEmptyArray<Element: Codable>: Codable {
        var wrappedValue: [Element]
        init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws {
            wrappedValue = (try? decoder.singleValueContainer().decode([Element].self)) ?? []
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    @propertyWrapper struct LossyArray<Element: Codable>: Codable {
        private struct Skipped: Codable {}
        var wrappedValue: [Element]
        init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            wrappedValue = []
            while !container.isAtEnd {
                do {
                    wrappedValue.append(try container.decode(Element.self))
                } catch {
                    _ = try? container.decode(Skipped.self)
                }
            }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    final class Lenient: Codable {
        @DefaultEmptyArray var items: [Lenient] = []
        @LossyArray var others: [Lenient] = []
    }

    @Test func `if a property wrapper catches the error`() throws {
        let value = Lenient()
        value.items = [value]
        try expectCycle(value)
        (value.items, value.others) = ([], [value])
        try expectCycle(value)
        value.others = []
        #expect(try roundTrip(value).items.isEmpty)
    }

    struct Part: Codable {
        unowned var owner: Trying
    }

    final class Trying: Codable {
        var part: Part?
        private enum CodingKeys: CodingKey { case part }
        init() {}
        init(from decoder: any Decoder) throws {
            part = (try? decoder.container(keyedBy: CodingKeys.self).decode(Part.self, forKey: .part))
        }
    }

    @Test func `if the initializer catches the error`() throws {
        let value = Trying()
        value.part = Part(owner: value)
        try expectCycle(value)
        value.part = nil
    }
}
