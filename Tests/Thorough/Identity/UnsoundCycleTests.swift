// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Cycles that no property can close soundly.
@Suite(.inTurn) struct `A cycle that cannot be closed` {
    /// Checks that `error` names the properties of the cycle and their targets.
    private func expectCycle(
        _ error: CodingFailure, at path: String, to target: String, of type: String, property: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error.kind == .dataCorrupted, "\(error)", sourceLocation: sourceLocation)
        #expect(error.path == path, "\(error)", sourceLocation: sourceLocation)
        #expect(
            error.says("cycle", "\"\(path)\"", type, property, "@Reference"), "\(error)", sourceLocation: sourceLocation
        )
        let start = target.isEmpty ? "root" : "\"\(target)\""
        #expect(error.says(start), "\(error)", sourceLocation: sourceLocation)
    }

    /// The error of decoding an array of `value`, whose property refers back to it: that of a cycle that ends at `path` within
    /// `value`.
    @discardableResult private func expectCycle<Value: Codable>(
        in value: Value, at path: String, property: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> CodingFailure {
        let error = try failure(decoding: [Value].self, fromArchiveOf: [value], sourceLocation: sourceLocation)
        let type = "\(Value.self)"
        expectCycle(
            error, at: "[0]." + path, to: "[0]", of: type, property: property, sourceLocation: sourceLocation)
        return error
    }

    // MARK: Nothing to wait in

    final class Egg: Codable { let hen: Hen }
    final class Hen: Codable { let egg: Egg }

    @Test func `because every property on the way needs its value names both ends`() throws {
        // No initializer can make such a cycle; a file can claim it.
        let (egg, hen) = (ClassRegistry().name(for: Egg.self), ClassRegistry().name(for: Hen.self))
        let data = try handmadeArchive(
            ["hen": .uid(2), "$class": .uid(3)],
            ["egg": .uid(1), "$class": .uid(4)],
            classEntry(egg), classEntry(hen))
        for format in [PropertyListFormat.binary, .xml] {
            let error = try failure(decoding: Egg.self, from: PropertyList(data).data(format: format))
            expectCycle(error, at: "hen.egg", to: "", of: "Egg", property: "\"egg\"")
        }
    }

    // MARK: Properties that cannot be set later

    /// A wrapper that this module does not know.
    @propertyWrapper struct Boxed<Value: Codable>: Codable {
        var wrappedValue: Value
    }

    final class Wrapping: Codable {
        @Boxed var next: Wrapping?
        init() {}
    }

    /// Its keys name a lazy property and a computed one: what is stored has other names.
    final class Unstored: Codable {
        private enum CodingKeys: CodingKey { case idle, computed }
        lazy var idle: Unstored? = nil
        private var storage: [Unstored] = []
        var computed: Unstored? {
            get { storage.first }
            set { storage = newValue.map { [$0] } ?? [] }
        }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            idle = try container.decodeIfPresent(Unstored.self, forKey: .idle)
            computed = try container.decodeIfPresent(Unstored.self, forKey: .computed)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(idle, forKey: .idle)
            try container.encodeIfPresent(computed, forKey: .computed)
        }
    }

    final class Unmanaged: Codable {
        unowned(unsafe) var next: Unmanaged?
    }

    struct Maybe<Value: Codable>: Codable { var value: Value? }

    final class Holding: Codable {
        var next: Maybe<Holding> = Maybe()
    }

    @Test func `because the property cannot be set later names the property`() throws {
        func check<Value: Codable>(
            _ value: Value, at path: String, property: String, sourceLocation: SourceLocation = #_sourceLocation,
            _ set: (Value, Value?) -> Void
        ) throws {
            set(value, value)
            defer { set(value, nil) }
            try expectCycle(in: value, at: path, property: property, sourceLocation: sourceLocation)
        }
        try check(Wrapping(), at: "next.wrappedValue", property: "\"next\"") { $0.next = $1 }
        try check(Holding(), at: "next.value", property: "\"next\"") { $0.next.value = $1 }
        try check(Unstored(), at: "idle", property: "\"idle\"") { $0.idle = $1 }
        try check(Unstored(), at: "computed", property: "\"computed\"") { $0.computed = $1 }
        try check(Unmanaged(), at: "next", property: "unowned(unsafe)") { $0.next = $1 }
    }

    final class OtherType: Codable {
        private enum CodingKeys: CodingKey { case others }
        var others: ContiguousArray<OtherType> = []
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            others = ContiguousArray(try container.decode([OtherType].self, forKey: .others))
        }
    }

    @Test func `because the property is of another type than what is decoded names both types`() throws {
        let value = OtherType()
        value.others = [value]
        defer { value.others = [] }
        let error = try expectCycle(in: value, at: "others[0]", property: "others")
        #expect(error.says("ContiguousArray<", "Array<"))
    }

    // MARK: Hashes

    final class Group: Codable {
        let name: String
        var members: Set<Member> = []
        var ranks: [Member: Int] = [:]
        init(_ name: String) { self.name = name }
    }

    /// Is known by its group and its number.
    final class Member: Codable, Hashable {
        let number: Int
        var group: Group?
        init(_ number: Int, _ group: Group) { (self.number, self.group) = (number, group) }

        static func == (left: Member, right: Member) -> Bool {
            left.number == right.number && left.group?.name == right.group?.name
        }
        func hash(into hasher: inout Hasher) {
            hasher.combine(number)
            hasher.combine(group?.name)
        }
    }

    @Test func `in what elements of a set are hashed by leaves no set that does not find them`() throws {
        let group = Group("G")
        group.members = Set((0..<8).map { Member($0, group) })
        for member in group.members { group.ranks[member] = member.number }
        defer { (group.members, group.ranks) = ([], [:]) }
        do {
            let copy = try roundTrip(group)
            defer { (copy.members, copy.ranks) = ([], [:]) }
            #expect(copy.members.count == 8 && copy.members.allSatisfy { copy.members.contains($0) })
            #expect(copy.ranks.count == 8 && copy.ranks.allSatisfy { copy.ranks[$0.key] == $0.value })
        } catch DecodingError.dataCorrupted(let context) {
            // To refuse it is right as well.
            #expect(context.debugDescription.contains("cycle"))
        }
    }

    // MARK: Initializers that are written by hand

    final class Seeing: Codable {
        private enum CodingKeys: CodingKey { case next, others, table }
        var next: Seeing?
        var others: [Seeing]
        var table: [String: Seeing]?
        var sawNothing = false

        init() { (next, others, table) = (nil, [], nil) }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            next = try container.decode(Seeing?.self, forKey: .next)
            others = try container.decode([Seeing].self, forKey: .others)
            table = try container.decodeIfPresent([String: Seeing].self, forKey: .table)
            sawNothing = next == nil && others.isEmpty && (table ?? [:]).isEmpty
        }
    }

    @Test func `yet has nil or nothing in it in the initializer, and what belongs there afterwards`() throws {
        let value = Seeing()
        (value.next, value.others, value.table) = (value, [value], ["k": value])
        defer { (value.next, value.others, value.table) = (nil, [], nil) }
        let copy = try roundTrip(value)
        defer { (copy.next, copy.others, copy.table) = (nil, [], nil) }
        #expect(copy.sawNothing)
        #expect(copy.next === copy)
        #expect(copy.others.first === copy)
        #expect(copy.table?["k"] === copy)
    }

    final class Replacing: Codable {
        private enum CodingKeys: CodingKey { case next, others }
        var next: Replacing?
        var others: [Replacing] = []

        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            next = try container.decodeIfPresent(Replacing.self, forKey: .next) ?? Replacing()
            others = try container.decode([Replacing].self, forKey: .others) + [Replacing()]
        }
    }

    @Test(arguments: ["next", "others"])
    func `because the initializer replaced the nil or nothing that it decoded names the property`(
        property: String
    ) throws {
        let value = Replacing()
        if property == "next" { value.next = value } else { value.others = [value] }
        defer { (value.next, value.others) = (nil, []) }
        let error = try failure(decoding: [Replacing].self, fromArchiveOf: [value])
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "[0].\(property)")
        #expect(error.says("cycle", "\"[0].\(property)\"", "\"\(property)\"", "@Reference"), "\(error)")
    }

    @Test func `is the same error if an initializer caught it and gave up`() throws {
        // The instance that an initializer left behind is a different one than the archive describes.
        struct Catching: Codable {
            var value: Replacing?
            init(_ value: Replacing) { self.value = value }
            init(from decoder: any Decoder) throws {
                value = try? decoder.container(keyedBy: CodingKeys.self).decode(Replacing.self, forKey: .value)
            }
        }
        let value = Replacing()
        value.next = value
        defer { value.next = nil }
        let error = try failure(decoding: Catching.self, fromArchiveOf: Catching(value))
        #expect(error.says("cycle", "\"next\""), "\(error)")
    }
}
