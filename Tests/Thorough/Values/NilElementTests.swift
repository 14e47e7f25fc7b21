// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `nil in a collection` {
    private final class Node: Codable, Hashable {
        var name: String
        var friends: [Node?] = []
        @References var neighbours: [Node] = []
        var back: [Reference<Node>] = []
        var byName: [String: Node?] = [:]

        init(_ name: String) { self.name = name }

        static func == (left: Node, right: Node) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A value that encodes itself as nil.
    private struct Wrapper: Codable, Equatable {
        var value: Int?

        init(_ value: Int?) { self.value = value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = container.decodeNil() ? nil : try container.decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let value { try container.encode(value) } else { try container.encodeNil() }
        }
    }

    /// A type with an unkeyed container of its own.
    private struct List: Codable, Equatable {
        var values: [Int?]

        init(_ values: [Int?]) { self.values = values }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            values = []
            while !container.isAtEnd {
                values.append(try container.decodeNil() ? nil : container.decode(Int.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for value in values {
                if let value { try container.encode(value) } else { try container.encodeNil() }
            }
        }
    }

    @Test func `is one NSNull for the whole archive`() throws {
        let value: [String: [Int?]] = ["a": [nil, 1, nil], "b": [nil]]
        let archive = try InspectedArchive(of: value)
        let nulls = archive.objects.indices.filter { archive.className(of: archive.objects[$0]) == "NSNull" }
        let null = try #require(nulls.first)
        #expect(nulls.count == 1)
        let lists = archive.objects.compactMap { object -> [PropertyList]? in
            guard archive.className(of: object) == "NSArray", case .array(let elements)? = object["NS.objects"] else {
                return nil
            }
            return elements
        }
        #expect(lists.joined().filter { $0 == .uid(UInt32(null)) }.count == 3)
        #expect(!lists.joined().contains(.uid(0)))
    }

    @Test func `is an NSNull whatever encodes it`() throws {
        #expect(try archiveText([Wrapper(nil), Wrapper(1)]) == "NSArray[NSNull{}, @1]")
        #expect(try archiveText(["a": Wrapper(nil)]) == #"NSDictionary[@"a": NSNull{}]"#)
        #expect(try archiveText([Int??.some(.none), 1]) == "NSArray[NSNull{}, @1]")
        #expect(try archiveText(List([nil, 1])) == "List[NSNull{}, @1]")
        #expect(try archiveText(ContiguousArray([String?.none])) == "NSArray[NSNull{}]")
        #expect(try archiveText([Reference<Node>()]) == "NSArray[NSNull{}]")
        #expect(try archiveText([WeakReference<Node>()]) == "NSArray[NSNull{}]")
        let nested = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try list.encodeNil()
            var inner = list.nestedContainer(keyedBy: AnyKey.self)
            try inner.encodeNil(forKey: "nil")
        }
        #expect(try archiveText(nested) == "Encoding{list: NSArray[NSNull{}, Encoding{nil: nil}]}")
    }

    @Test func `is uid 0 again where a keyed container continues a dictionary`() throws {
        let value = Encoding { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(["a": nil, "b": 1] as [String: Int?])
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(2, forKey: "c")
        }
        let archive = try InspectedArchive(of: value)
        #expect(archive.root["a"] == .uid(0) || archive.follow(archive.root)?["a"] == .uid(0))
        #expect(try transcode(value, as: [String: Int?].self) == ["a": nil, "b": 1, "c": 2])
    }

    @Test func `is a slot without an object where a conditional reference is not archived`() throws {
        let node = Node("n")
        let archive = try InspectedArchive(of: [WeakReference(wrappedValue: node)])
        guard case .array(let elements)? = archive.follow(archive.root)?["NS.objects"], let element = elements.first
        else {
            Issue.record("There is no array")
            return
        }
        #expect(element != .uid(0))
        #expect(archive.follow(element) == "$null")
        #expect(try roundTrip([WeakReference(wrappedValue: node)]).map(\.wrappedValue) == [nil])
    }

    @Test(arguments: PropertyListFormat.allCases, [ArchiveEncoder.OutputFormatting(), .sortedKeys])
    func `comes back`(format: PropertyListFormat, formatting: ArchiveEncoder.OutputFormatting) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.outputFormatting = formatting
        func check<Value: Codable & Equatable>(_ value: Value) throws {
            #expect(try ArchiveDecoder().decode(Value.self, from: encoder.encode(value)) == value)
        }
        try check([1, nil, 3] as [Int?])
        try check([nil] as [String?])
        try check(["a": nil, "b": 2] as [String: Int?])
        try check(["a": nil, "b": [nil, 1]] as [String: [Int?]?])
        try check([1, nil] as Set<Int?>)
        try check([nil: 1, "x": nil] as [String?: Int?])
        try check([Wrapper(nil), Wrapper(1)])
        try check(List([nil, 1, nil]))
        try check([[nil, Date.distantPast]: nil] as [[Date?]: Bool?])
        // Codable does not tell the levels of nil apart here.
        #expect(try ArchiveDecoder().decode([Int??].self, from: encoder.encode([Int??.some(.none), 1])) == [.none, 1])
    }

    @Test func `keeps the instances beside it`() throws {
        let a = Node("a")
        let b = Node("b")
        a.friends = [b, nil, a]
        b.friends = [nil, a]
        a.back = [Reference(wrappedValue: b), Reference(), Reference(wrappedValue: a)]
        a.byName = ["b": b, "nobody": nil]
        let again = try roundTrip([a, nil, b] as [Node?])
        let first = try #require(again[0])
        let third = try #require(again[2])
        #expect(again[1] == nil)
        #expect(first.friends[0] === third && first.friends[1] == nil && first.friends[2] === first)
        #expect(third.friends[0] == nil && third.friends[1] === first)
        #expect(first.back[0].wrappedValue === third && first.back[1].wrappedValue == nil)
        #expect(first.byName.count == 2 && first.byName["b"] as? Node === third)
    }

    @Test func `is found by the methods of an unkeyed container`() throws {
        for null in [PropertyList.uid(0), .uid(4)] {
            let data = try handmadeArchive(
                ["NS.objects": [null, .uid(3), null, null], "$class": .uid(2)], classEntry("NSArray"), 5,
                ["$class": .uid(5)], classEntry("NSNull"))
            #expect(try ArchiveDecoder().decode([Int?].self, from: data) == [nil, 5, nil, nil])
            #expect(try ArchiveDecoder().decode(Set<Int?>.self, from: data) == [nil, 5])
            #expect(try ArchiveDecoder().decode([Int??].self, from: data) == [nil, 5, nil, nil])
            #expect(try failure(decoding: [Int].self, from: data).kind == .valueNotFound)
            try decoding(data) { decoder in
                var container = try decoder.unkeyedContainer()
                #expect(try container.decodeNil())
                #expect(try !container.decodeNil())
                #expect(try container.decodeIfPresent(Int.self) == 5)
                #expect(try container.decodeIfPresent(Int.self) == nil)
                #expect(try container.decode(Int?.self) == nil)
                #expect(container.isAtEnd)
            }
        }
    }

    @Test func `is read from dictionaries of either form`() throws {
        for null in [PropertyList.uid(0), .uid(5)] {
            let data = try handmadeArchive(
                ["NS.keys": [.uid(3), .uid(4)], "NS.objects": [null, .uid(7)], "$class": .uid(2)],
                classEntry("NSDictionary"), "a", "b", ["$class": .uid(6)], classEntry("NSNull"), 5)
            #expect(try ArchiveDecoder().decode([String: Int?].self, from: data) == ["a": nil, "b": 5])
            let keys = try handmadeArchive(
                ["NS.keys": [null, .uid(4)], "NS.objects": [.uid(3), .uid(7)], "$class": .uid(2)],
                classEntry("NSDictionary"), 1, 2, ["$class": .uid(6)], classEntry("NSNull"), 5)
            #expect(try ArchiveDecoder().decode([Int?: Int].self, from: keys) == [nil: 1, 2: 5])
        }
    }

    /// The archive of a document as earlier versions wrote it, with uid 0 in collections.
    private struct Shelf: Codable, Equatable {
        var title: String
        var years: [Int?]
        var prices: [String: Double?]
        var owners: Set<String?>
    }

    @Test func `leaves a document of an earlier version without changes`() throws {
        let shelf = Shelf(title: "A", years: [1, nil], prices: ["x": nil, "y": 2.5], owners: [nil, "o"])
        let old = try handmadeArchive(
            [
                "title": .uid(3), "years": .uid(4), "prices": .uid(5), "owners": .uid(6), "$class": .uid(2),
            ],
            classEntry("Shelf"), "A", ["NS.objects": [.uid(9), .uid(0)], "$class": .uid(10)],
            ["NS.keys": [.uid(11), .uid(12)], "NS.objects": [.uid(0), .uid(13)], "$class": .uid(7)],
            ["NS.objects": [.uid(0), .uid(14)], "$class": .uid(8)], classEntry("NSDictionary"), classEntry("NSSet"), 1,
            classEntry("NSArray"), "x", "y", 2.5, "o")
        var decoder = ArchiveDecoder()
        decoder.classes.register(Shelf.self, name: "Shelf")
        var encoder = ArchiveEncoder()
        encoder.classes = decoder.classes
        try TemporaryFolder.with { folder in
            let url = folder["shelf"]
            try old.write(to: url)
            let document = try ArchiveDocument<Shelf>(contentsOf: url, encoder: encoder, decoder: decoder)
            #expect(document.root == shelf)
            try document.save()
            #expect(try Data(contentsOf: url) == old)
            document.root.title = "B"
            try document.save()
            var changed = shelf
            changed.title = "B"
            #expect(try decoder.decode(Shelf.self, from: url) == changed)
        }
    }
}
