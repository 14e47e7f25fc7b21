// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Initializers that are written by hand, and do something else with a collection than the compiler's own would.
@Suite(.inTurn, .needs(.collectionStorage)) struct `A collection that waits is filled wherever the initializer keeps it`
{
    /// Decodes each of two keys into the property of the other one.
    final class Swapped: Codable {
        let name: String
        @Reference var left: Swapped?
        @Reference var right: Swapped?
        var lefts: [Swapped] = []
        var rights: [Swapped] = []

        private enum CodingKeys: CodingKey { case name, left, right, lefts, rights }
        init(_ name: String) { self.name = name }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            _right = try container.decode(Reference<Swapped>.self, forKey: .left)
            _left = try container.decode(Reference<Swapped>.self, forKey: .right)
            rights = try container.decode([Swapped].self, forKey: .lefts)
            lefts = try container.decode([Swapped].self, forKey: .rights)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(_right, forKey: .left)
            try container.encode(_left, forKey: .right)
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

        private enum CodingKeys: CodingKey { case cache, store }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let list = try container.decode([Renamed].self, forKey: .cache)
            others = list
            kept = try container.decode([Renamed].self, forKey: .store)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(others, forKey: .cache)
            try container.encode(kept, forKey: .store)
        }
        func clear() { (others, kept) = ([], []) }
    }

    @Test func `also if another property has the name of the key`() throws {
        let value = Renamed()
        (value.others, value.kept) = ([value], [value, value])
        defer { value.clear() }
        let copy = try roundTrip(value)
        defer { copy.clear() }
        #expect(copy.others.count == 1 && copy.others.first === copy)
        #expect(copy.kept.count == 2 && copy.kept.allSatisfy { $0 === copy })
        #expect(copy.cache.isEmpty && copy._store.isEmpty)
    }

    enum ForeignKeys: CodingKey { case others, table }

    final class Foreign: Codable {
        var others: [Foreign] = []
        var table: [String: Foreign] = [:]
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: ForeignKeys.self)
            others = try container.decode([Foreign].self, forKey: .others)
            table = try container.decode([String: Foreign].self, forKey: .table)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: ForeignKeys.self)
            try container.encode(others, forKey: .others)
            try container.encode(table, forKey: .table)
        }
    }

    @Test func `also if the keys are those of another type`() throws {
        let value = Foreign()
        (value.others, value.table) = ([Foreign(), value], ["k": value])
        defer { (value.others, value.table) = ([], [:]) }
        let copy = try roundTrip(value)
        defer { (copy.others, copy.table) = ([], [:]) }
        #expect(copy.others.count == 2 && copy.others[1] === copy)
        #expect(copy.table["k"] === copy)
    }

    /// Adds its own elements to what it decodes, in an instance that another initializer has.
    final class Seeing: Codable {
        private enum CodingKeys: CodingKey { case others, table, set }
        var others: [Seeing] = []
        var table: [String: Seeing]?
        var set: Set<ObjectIdentity> = []
        var sawNothing = false

        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            others = try container.decode([Seeing].self, forKey: .others)
            table = try container.decodeIfPresent([String: Seeing].self, forKey: .table)
            set = try container.decode(Set<ObjectIdentity>.self, forKey: .set)
            sawNothing = others.isEmpty && table?.isEmpty == true && set.isEmpty
        }
    }

    struct ObjectIdentity: Codable, Hashable {
        var value: Seeing
        static func == (left: Self, right: Self) -> Bool { left.value === right.value }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(value)) }
    }

    @Test func `and is empty in the initializer`() throws {
        let value = Seeing()
        (value.others, value.table, value.set) = ([value], ["k": value], [ObjectIdentity(value: value)])
        defer { (value.others, value.table, value.set) = ([], nil, []) }
        let copy = try roundTrip(value)
        defer { (copy.others, copy.table, copy.set) = ([], nil, []) }
        #expect(copy.sawNothing)
        #expect(copy.others.count == 1 && copy.others[0] === copy)
        #expect(copy.table?["k"] === copy)
        #expect(copy.set.count == 1 && copy.set.contains(ObjectIdentity(value: copy)))
    }
}

@Suite(.inTurn, .needs(.collectionStorage)) struct `A collection that is not kept as it was is an error` {
    /// Expects that decoding an archive of `value` throws an error that names the alternative.
    private func expectError<Value: Codable>(
        _ value: Value, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try failure(decoding: [Value].self, fromArchiveOf: [value], sourceLocation: sourceLocation)
        #expect(error.kind == .dataCorrupted, "\(error)", sourceLocation: sourceLocation)
        for word in words { #expect(error.says(word), "\(error)", sourceLocation: sourceLocation) }
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
        try expectError(value, "dropped", "list", "@References")
        (value.list, value.table) = ([], ["self": value])
        try expectError(value, "dropped", "table", "@References")
        value.table = [:]
    }

    final class Replacing: Codable {
        private enum CodingKeys: CodingKey { case others }
        var others: [Replacing] = []
        init() {}
        init(from decoder: any Decoder) throws {
            others =
                try decoder.container(keyedBy: CodingKeys.self).decode([Replacing].self, forKey: .others)
                + [Replacing()]
        }
    }

    @Test func `if the initializer adds to it`() throws {
        let value = Replacing()
        value.others = [value]
        try expectError(value, "dropped", "others", "@References")
        value.others = []
    }

    /// Adds to the collection of another instance, which waits for this one.
    final class Meddling: Codable {
        private enum CodingKeys: CodingKey { case name, next, others }
        let name: String
        var next: Meddling?
        var others: [Meddling] = []
        init(_ name: String) { self.name = name }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            next = try container.decodeIfPresent(Meddling.self, forKey: .next)
            others = try container.decode([Meddling].self, forKey: .others)
            if name == "meddling" { next?.others = [Meddling("somebody else's")] }
        }
    }

    @Test func `if another initializer replaces it`() throws {
        let (root, other) = (Meddling("meddling"), Meddling("other"))
        (root.next, other.others) = (other, [root])
        defer { other.others = [] }
        try expectError(root, "dropped", "others", "@References")
    }

    class Base: Codable {
        var items: [Base] = []
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

    @Test func `if another instance than the one in the archive decodes it as well`() throws {
        let value = Shadowing()
        value.items = [value]
        defer { value.items = [] }
        // Each of the two instances gets elements of its own, since each has asked for a collection.
        let copy = try roundTrip([value], registering: [Shadowing.self])[0]
        #expect(copy.items.count == 1 && copy.items[0] === copy)
        #expect(copy.shadow.items.count == 1 && copy.shadow.items[0] === copy)
        copy.items = []
        copy.shadow.items = []
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
        try expectError(value, "several places", "items", "@References")
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
        // The array inside of this wrapper is one that waits.
        let copy = try roundTrip(value)
        #expect(copy.items.count == 1 && copy.items[0] === copy)
        copy.items = []
        // This wrapper reads its elements itself.
        (value.items, value.others) = ([], [value])
        try expectError(value, "leads back", "caught", "publish(self)")
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
        try expectError(value, "Part.owner", "caught", "@Reference", "publish(self)")
        value.part = nil
    }
}
