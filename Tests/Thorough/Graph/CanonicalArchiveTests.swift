// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `An archive with sorted keys` {
    struct Point: Codable, Hashable {
        var x: Int, y: Double
    }

    enum Shape: Codable, Hashable {
        case circle(at: Point, radius: Double)
        case path([Point])
        case nothing
    }

    /// Equal by identity, as many model classes are.
    final class Cow: Codable, Hashable {
        var name: String
        var friends: Set<Cow> = []
        var calf: Cow?
        var notes: [String: Cow] = [:]

        init(_ name: String) { self.name = name }

        static func == (left: Cow, right: Cow) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    struct Farm: Codable {
        var herd: Set<Cow>
        var leader: Cow
        var prizes: [Cow: Int]
    }

    /// Fields in the order of a dictionary, which differs from run to run.
    struct Fields: Codable, Equatable {
        var fields: [String: Int]

        init(fields: [String: Int]) { self.fields = fields }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            fields = try Dictionary(
                uniqueKeysWithValues: container.allKeys.map {
                    ($0.stringValue, try container.decode(Int.self, forKey: $0))
                })
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            for (name, value) in fields { try container.encode(value, forKey: AnyKey(name)) }
        }
    }

    /// Every kind of collection whose order differs from run to run.
    struct Everything: Codable, Equatable {
        var counts: [String: Int]
        var names: [Int: String]
        var tags: Set<String>
        var points: Set<Point>
        var shapes: Set<Shape>
        var labels: [Point: Set<Int>]
        var groups: Set<Set<String>>
        var fields: [Fields]
        var deep: [String: [Shape: [Int: Set<Double?>]]]
    }

    private let encoder = {
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.classes.register(Point.self, name: "Point")
        encoder.classes.register(Shape.self, name: "Shape")
        encoder.classes.register(Cow.self, name: "Cow")
        encoder.classes.register(Farm.self, name: "Farm")
        encoder.classes.register(Fields.self, name: "Fields")
        encoder.classes.register(Everything.self, name: "Everything")
        return encoder
    }()

    /// A set of `elements` in another order every time: they are put in in any order, and sets of any capacity hash them
    /// each in their own way.
    private static func set<Element: Hashable>(_ elements: some Sequence<Element>) -> Set<Element> {
        var set = Set<Element>(minimumCapacity: .random(in: 0...200))
        for element in elements.shuffled() { set.insert(element) }
        return set
    }

    private static func dictionary<Key: Hashable, Value>(_ pairs: some Sequence<(Key, Value)>) -> [Key: Value] {
        var dictionary = [Key: Value](minimumCapacity: .random(in: 0...200))
        for (key, value) in pairs.shuffled() { dictionary[key] = value }
        return dictionary
    }

    /// The archive of what `make` makes, which has to be the same for whatever it makes.
    private func archive<Value: Encodable>(
        _ count: Int = 8, sourceLocation: SourceLocation = #_sourceLocation, of make: () -> Value
    ) throws -> Data {
        var unsorted = encoder
        unsorted.outputFormatting = []
        var xml = encoder
        xml.outputFormat = .xml
        let values = (0..<count).map { _ in make() }
        let archives = try values.map(encoder.encode)
        #expect(Set(archives).count == 1, sourceLocation: sourceLocation)
        #expect(try Set(values.map(xml.encode)).count == 1, sourceLocation: sourceLocation)
        #expect(
            try Set(values.map(unsorted.encode)).count > 1, "the values are all in the same order",
            sourceLocation: sourceLocation)
        return try #require(archives.first)
    }

    /// The same, of a value that comes back as it was and is archived as it was.
    @discardableResult
    private func roundTrippedArchive<Value: Codable & Equatable>(
        sourceLocation: SourceLocation = #_sourceLocation, of make: () -> Value
    ) throws -> Data {
        let data = try archive(sourceLocation: sourceLocation, of: make)
        let again = try ArchiveDecoder().decode(Value.self, from: data)
        #expect(again == make(), sourceLocation: sourceLocation)
        #expect(try encoder.encode(again) == data, sourceLocation: sourceLocation)
        return data
    }

    private static func everything() -> Everything {
        let points = (0..<12).map { Point(x: $0 % 5 - 2, y: Double($0) / 4) }
        let paths: [Shape] = [.nothing, .path([]), .path(Array(points[3..<5])), .path([points[4], points[3]])]
        let shapes = paths + points.map { Shape.circle(at: $0, radius: 1) }
        return Everything(
            counts: dictionary((0..<20).map { ("key \($0)", $0 % 7) }),
            names: dictionary((-10..<10).map { ($0 * 1000, "name \($0 % 3)") }),
            tags: set(["", "a", "B", "é", "日本", "\u{FFFD}", "𝄞", "$null", "a b", "zz"]),
            points: set(points), shapes: set(shapes),
            labels: dictionary(points.map { ($0, set(0..<$0.x + 3)) }),
            groups: set((0..<8).map { number in set((0..<3).filter { number >> $0 & 1 == 1 }.map { "tag \($0)" }) }),
            fields: [Fields(fields: dictionary((0..<30).map { ("field \($0)", $0) })), Fields(fields: [:])],
            deep: dictionary(
                ["x", "y", "z"].map { name in
                    let numbers = { dictionary([(1, set([1.5, nil, -0.0])), (2, set([name == "y" ? 2 : 3]))]) }
                    return (name, dictionary(shapes.map { ($0, numbers()) }))
                }))
    }
}

// MARK: - Order

extension `An archive with sorted keys` {
    @Test func `is the same for the same dictionary`() throws {
        try roundTrippedArchive { Self.dictionary((0..<50).map { ("key \($0)", $0) }) }
        try roundTrippedArchive { Self.dictionary((0..<50).map { ($0, "value \($0 % 4)") }) }
        try roundTrippedArchive {
            Self.dictionary((0..<50).map { (Point(x: $0, y: 0), Point(x: 0, y: Double($0 % 4))) })
        }
        try roundTrippedArchive {
            Self.dictionary((0..<5).map { outer in (outer, Self.dictionary((0..<5).map { (outer + 2 * $0, [$0]) })) })
        }
    }

    @Test func `is the same for the same set`() throws {
        try roundTrippedArchive { Self.set((0..<50).map { "\($0)" }) }
        try roundTrippedArchive { Self.set((0..<50).map { Point(x: $0 / 10, y: Double($0)) }) }
        try roundTrippedArchive { Self.set((0..<50).map { Shape.path([Point(x: $0, y: 1), Point(x: 1, y: 1)]) }) }
        try roundTrippedArchive { Self.set((1..<9).map { Self.set(0..<$0) }) }
        try roundTrippedArchive { Self.set([1, 2, 3, nil, -1] as [Int?]) }
    }

    @Test func `is the same for sets and keys of Foundation's types`() throws {
        let moments = (0..<40).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
        let identifiers = (0..<40).map { UUID(uuid: ($0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, $0)) }
        try roundTrippedArchive { Self.set(moments) }
        try roundTrippedArchive { Self.dictionary(zip(identifiers, moments)) }
        try roundTrippedArchive { Self.set((0..<40).map { Decimal($0) / 7 }) }
        try roundTrippedArchive { Self.set((0..<40).map { Data(repeating: 1, count: $0) }) }
        try roundTrippedArchive { Self.set((0..<40).map { IndexPath(indexes: [$0 % 3, $0]) }) }
        try roundTrippedArchive { Self.set((0..<40).compactMap { URL(string: "https://farm.example/\($0)") }) }
    }

    @Test func `is the same for the same fields in any order`() throws {
        try roundTrippedArchive { Fields(fields: Self.dictionary((0..<200).map { ("field \($0)", $0) })) }
    }

    @Test func `is the same in every process`() throws {
        // Found with one seed for hashing. Another test reads the same value from it.
        let data = try roundTrippedArchive(of: Self.everything)
        #expect(data.count == 12_320)
        #expect(digest(data) == 9_971_036_074_268_240_202)
    }

    /// FNV-1a.
    private func digest(_ data: Data) -> UInt64 {
        data.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @Test func `has slots in the order in which objects and then those of the first object are met`() throws {
        let value = ["b": Set([Point(x: 2, y: 1)]), "a": []]
        let archive = try InspectedArchive(of: value, by: encoder)
        let expected: [PropertyList] = [
            "$null", ["$class": .uid(2), "NS.keys": [.uid(3), .uid(4)], "NS.objects": [.uid(5), .uid(6)]],
            ["$classes": ["NSDictionary", "NSObject"], "$classname": "NSDictionary"], "a", "b",
            ["$class": .uid(7), "NS.objects": []], ["$class": .uid(7), "NS.objects": [.uid(8)]],
            ["$classes": ["NSSet", "NSObject"], "$classname": "NSSet"], ["$class": .uid(9), "x": 2, "y": 1.0],
            ["$classes": ["Point", "NSObject"], "$classname": "Point"],
        ]
        #expect(archive.objects == expected)
        #expect(archive.list["$top"] == ["root": .uid(1)])
        #expect(archive.list["$archiver"] == "NSKeyedArchiver")
        #expect(archive.list["$version"] == 100_000)
    }

    @Test func `has elements in the order of their bytes`() throws {
        // Narrow integers first, and negative ones, which have all bits of 64 or 128, after the others of their width.
        #expect(try text(of: Set([3, -1, 1 << 40, 20, .min])) == "NSSet[@3, @20, @1099511627776, @\(Int.min), @-1]")
        #expect(try text(of: Set([2.5, -0.5, .infinity, -.infinity])) == "NSSet[@2.5, @inf, @-0.5, @-inf]")
        #expect(try text(of: Set([true, false])) == "NSSet[@false, @true]")
        let wide: [Int128] = [0, .max >> 64, -1, .max >> 63, .max >> 1, .max, .min, .min + 1]
        #expect(try text(of: Set(wide)) == "NSSet[\(wide.map { "@\($0)" }.joined(separator: ", "))]")
        // ASCII, then UTF-16; by UTF-8 the last two would change places.
        let strings = ["", "A", "a", "aa", "b", "z", "é", "日", "𝄞", "\u{FFFD}"]
        #expect(try text(of: Set(strings)) == "NSSet[\(strings.map { "@\"\($0)\"" }.joined(separator: ", "))]")
        // Also where the first bytes are the same.
        let long = [
            "same begin", "same begin 1", "same beginning", "same beginnings", "same beginnung", "same é", "same ü",
        ]
        #expect(try text(of: Set(long)) == "NSSet[\(long.map { "@\"\($0)\"" }.joined(separator: ", "))]")
        #expect(try text(of: ["b": 1, "a": 2, "aa": 1]) == #"NSDictionary[@"a": @2, @"aa": @1, @"b": @1]"#)
    }

    private func text(of value: some Encodable) throws -> String {
        try InspectedArchive(of: value, by: encoder).text
    }
}

// MARK: - Identity

extension `An archive with sorted keys` {
    @Test func `keeps instances what they were`() throws {
        let data = try archive {
            let cows = ["Bella", "Daisy", "Bella", "Bella"].map(Cow.init)
            cows[1].calf = cows[0]
            cows[2].calf = cows[0]
            cows[1].friends = Self.set([cows[0], cows[2]])
            cows[1].notes = Self.dictionary([("a", cows[3]), ("b", cows[2]), ("c", cows[2])])
            let prizes = Self.dictionary([(cows[0], 1), (cows[1], 1), (cows[2], 2)])
            return Farm(herd: Self.set(cows), leader: cows[1], prizes: prizes)
        }
        let farm = try ArchiveDecoder().decode(Farm.self, from: data)
        let daisy = farm.leader
        let calf = try #require(daisy.calf)
        #expect(farm.herd.count == 4)
        #expect(farm.herd.isSuperset(of: [daisy, calf]))
        #expect(farm.prizes[daisy] == 1)
        #expect(farm.prizes[calf] == 1)
        let other = try #require(farm.prizes.first { $0.value == 2 }?.key)
        #expect(other.calf === calf)
        #expect(daisy.friends == [calf, other])
        #expect(daisy.notes["b"] === other)
        #expect(daisy.notes["c"] === other)
        #expect(daisy.notes["a"].map { farm.herd.subtracting([daisy, calf, other]) == [$0] } == true)
        #expect(try encoder.encode(farm) == data)
    }

    @Test func `is the same for sets of instances in cycles`() throws {
        let data = try archive {
            // Rings of three, six and six, one of them with a friend in another; nothing else differs.
            let cows = (0..<15).map { _ in Cow("Bella") }
            for (first, count) in [(0, 3), (3, 6), (9, 6)] {
                for index in 0..<count { cows[first + index].calf = cows[first + (index + 1) % count] }
            }
            cows[4].friends = [cows[12]]
            cows[12].friends = [cows[4], cows[12]]
            return Self.set(cows)
        }
        let archive = try InspectedArchive(data)
        #expect(archive.count(ofClass: "Cow") == 15)
    }

    @Test func `is the same for instances that are equal in all they have`() throws {
        let data = try archive {
            let cows = (0..<100).map { _ in Cow("Bella") }
            for cow in cows { cow.friends = Self.set((0..<3).map { _ in Cow("Daisy") }) }
            return Farm(herd: Self.set(cows), leader: cows[70], prizes: [cows[30]: 1])
        }
        let farm = try ArchiveDecoder().decode(Farm.self, from: data)
        #expect(farm.herd.count == 100)
        #expect(farm.herd.reduce(into: Set()) { $0.formUnion($1.friends) }.count == 300)
        #expect(farm.herd.contains(farm.leader))
        #expect(try encoder.encode(farm) == data)
    }

    @Test func `follows long chains without recursion`() throws {
        let count = 30_000
        func chain() -> Set<Cow> {
            var cows = [Cow("0")]
            for _ in 1..<count {
                let cow = Cow("0")
                cow.calf = cows.last
                cows.append(cow)
            }
            defer { chains.append(cows) }
            return Self.set([cows[count - 1], cows[count - 2], cows[5]])
        }
        var chains: [[Cow]] = []
        let archives = try (0..<2).map { _ in try encoder.encode(chain()) }
        // Destroying a chain from its end would recurse.
        for cow in chains.joined() { cow.calf = nil }
        #expect(archives[0] == archives[1])
    }
}

// MARK: - Contents

extension `An archive with sorted keys` {
    /// More strings and numbers than the writer's tables remember.
    @Test func `has every leaf once, however many there are`() throws {
        #expect(5000 > max(NumberTable.limit, ArchiveGraph.stringLimit))
        let value = { Self.dictionary((0..<10_000).map { ("key \($0)", "value \($0 % 5000)") }) }
        let data = try archive(3, of: value)
        #expect(try ArchiveDecoder().decode([String: String].self, from: data) == value())
        let archive = try InspectedArchive(data)
        // "$null", the dictionary, its class, and the strings.
        #expect(archive.objects.count == 3 + 15_000)
        let numbers = try InspectedArchive(of: (0..<30_000).map { $0 % 10_000 }, by: encoder)
        #expect(numbers.objects.count == 3 + 10_000)
    }

    /// More dates than the writer's table remembers, in a set and once more in an array.
    @Test func `has every date once, however many there are`() throws {
        struct Calendar: Codable {
            var holidays: Set<Date>
            var days: [Date]
        }
        let dates = (0..<10_000).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
        #expect(dates.count > NumberTable.limit)
        let value = { Calendar(holidays: Self.set(dates), days: dates) }
        #expect(try InspectedArchive(of: value(), by: ArchiveEncoder()).count(ofClass: "NSDate") > dates.count)
        let archive = try InspectedArchive(archive(3, of: value))
        #expect(archive.count(ofClass: "NSDate") == dates.count)
    }

    @Test func `distinguishes 1, true and 1.0`() throws {
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<2 {
                try container.encode(1)
                try container.encode(true)
                try container.encode(1.0)
                try container.encode(1.0 as Float)
                try container.encode(-0.0)
                try container.encode(0.0)
                try container.encode("1")
            }
        }
        let archive = try InspectedArchive(of: value, by: encoder)
        // After "$null", the object and its class.
        #expect(archive.objects.dropFirst(3).elementsEqual([1, true, 1.0, .real32(1), -0.0, 0.0, "1"]))
    }

    @Test func `has sorted keys, and nothing twice or in vain`() throws {
        let data = try encoder.encode(Self.everything())
        let archive = try InspectedArchive(data)
        #expect(archive.objects.first == "$null")
        #expect(archive.reachedSlots == Set(0..<UInt32(archive.objects.count)))
        let values = archive.objects.filter { $0["$class"] == nil }.map(\.description)
        #expect(Set(values).count == values.count)
        for case .dictionary(let dictionary) in archive.objects + [archive.list, archive.list["$top"] ?? .null] {
            let keys = dictionary.map { Array($0.key.utf8) }
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        }
        #expect(archive.root == .uid(1))
        let list = try BinaryPropertyListReader(StoredBytes(data))
        let nodes = try (0..<list.objectCount).map { try list.node($0) }
        let scalars = nodes.filter { $0.kind != .array && $0.kind != .dictionary }
        #expect(Set(scalars.map { [$0.kind.rawValue] + list.objects.bytes($0) }).count == scalars.count)
    }

    @Test func `reads the same as one without`() throws {
        var unsorted = encoder
        unsorted.outputFormatting = []
        for value in [Self.everything(), Self.everything()] {
            let meanings = try [encoder, unsorted].map { try InspectedArchive(of: value, by: $0).meaning(depth: 30) }
            #expect(meanings[0] == meanings[1])
        }
    }

    @Test func `leaves out what was given up`() throws {
        struct Failure: Error {}
        let value = { (fails: Bool) in
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode("a", forKey: "a")
                if fails {
                    try? container.encode(
                        Encoding {
                            var container = $0.unkeyedContainer()
                            try container.encode("lost")
                            throw Failure()
                        }, forKey: "lost")
                }
            }
        }
        #expect(try encoder.encode(value(true)) == encoder.encode(value(false)))
    }

    @Test func `can be empty, or a single leaf`() throws {
        #expect(try text(of: [String: Int]()) == "NSDictionary[]")
        #expect(try text(of: Set<Point>()) == "NSSet[]")
        #expect(try text(of: 7) == "@7")
        #expect(try text(of: "a") == #"@"a""#)
        #expect(try text(of: Int?.none) == "nil")
    }
}
