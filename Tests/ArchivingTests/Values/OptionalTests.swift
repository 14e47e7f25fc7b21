// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An optional` {
    struct Empty: Codable, Equatable {}

    struct Fields: Codable, Equatable {
        var number: Int?
        var text: String?
        var real: Double?
        var flag: Bool?
        var list: [Int]?
        var object: Empty?
    }

    @Test func `that is nil leaves no key where it is a property`() throws {
        #expect(try archiveText(Fields()) == "Fields{}")
        #expect(try roundTrip(Fields()) == Fields())
    }

    @Test func `that is not nil is what it wraps`() throws {
        let fields = Fields(number: 1, text: "", real: 0, flag: false, list: [], object: Empty())
        #expect(
            try archiveText(fields)
                == #"Fields{number: 1, text: @"", real: 0.0, flag: false, list: NSArray[], object: Empty{}}"#)
        #expect(try roundTrip(fields) == fields)
    }

    private final class Leaf: Codable, Equatable {
        var name: String

        init(_ name: String) { self.name = name }

        static func == (left: Leaf, right: Leaf) -> Bool { left.name == right.name }
    }

    private enum Payload: Codable, Equatable {
        case none
        case some(Int)
        case text(String, Bool)
    }

    /// Optionals encode nil in different ways: in a byte of their own, as an invalid address, or as an unused case.
    private struct Layouts: Codable, Equatable {
        var leaf: Leaf?
        var payload: Payload?
        var date: Date?
        var identifier: UUID?
        var address: URL?
        var range: ClosedRange<Int>?
        var nested: Int??
        var texts: [String?]?
        var numbers: [Int: Double?]?
        var leaves: [Leaf?] = []
        var payloads: [Payload?] = []
        var dates: [Date?] = []
        var deep: [Bool???] = []
    }

    @Test func `of any layout is what it wraps`() throws {
        #expect(try roundTrip(Layouts()) == Layouts())
        let value = Layouts(
            leaf: Leaf("a"), payload: .text("b", true), date: Date(timeIntervalSinceReferenceDate: 1.5),
            identifier: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), address: URL(string: "https://a.b/c"),
            range: 3...4, nested: 5, texts: ["c", nil, ""], numbers: [1: 2.5, 2: nil],
            leaves: [Leaf("d"), nil, Leaf("e")], payloads: [nil, Payload.none, .some(6), nil, .text("f", false)],
            dates: [nil, Date(timeIntervalSinceReferenceDate: 0)], deep: [true, false, nil])
        #expect(try roundTrip(value) == value)
        #expect(try archiveText(value.payloads[0]) == "nil")
    }

    @Test func `that is nil is the NSNull in arrays, sets and dictionaries`() throws {
        #expect(try archiveText([1, nil, 2] as [Int?]) == "NSArray[@1, NSNull{}, @2]")
        #expect(try archiveText(["a": Int?.none]) == #"NSDictionary[@"a": NSNull{}]"#)
        #expect(try archiveText(Set([Int?.none])) == "NSSet[NSNull{}]")
        #expect(try archiveText([Int?.none: true]) == "NSDictionary[NSNull{}: @true]")
    }

    @Test func `that is nil is uid 0 under a key, where encodeNil was called`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encodeNil(forKey: "a")
            try container.encode(Int?.none, forKey: "b")
            try container.encodeIfPresent(Int?.none, forKey: "c")
        }
        let archive = try InspectedArchive(of: value)
        #expect(archive.objects[1]["a"] == .uid(0))
        #expect(archive.objects[1]["b"] == .uid(0))
        #expect(archive.objects[1]["c"] == nil)
        #expect(try archiveText(Int?.none) == "nil")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back in arrays, sets and dictionaries`(format: PropertyListFormat) throws {
        let numbers = [1, nil, 3, nil, nil]
        #expect(try roundTrip(numbers, format: format) == numbers)
        let texts = [nil, "a", nil, ""]
        #expect(try roundTrip(texts, format: format) == texts)
        let objects = [Empty(), nil, Empty()]
        #expect(try roundTrip(objects, format: format) == objects)
        let set: Set<Int?> = [1, nil]
        #expect(try roundTrip(set, format: format) == set)
        let dictionary = ["a": 1.5, "b": nil]
        #expect(try roundTrip(dictionary, format: format) == dictionary)
        let keys: [Int?: String?] = [nil: "x", 1: nil, 2: "y"]
        #expect(try roundTrip(keys, format: format) == keys)
    }

    @Test func `distinguishes a key with nil from an absent one`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encodeNil(forKey: "nil")
            try container.encode(0, forKey: "zero")
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.contains("nil"))
            #expect(!container.contains("absent"))
            #expect(try container.decodeNil(forKey: "nil"))
            #expect(try !container.decodeNil(forKey: "zero"))
            #expect(try container.decode(Int?.self, forKey: "nil") == nil)
            #expect(try container.decodeIfPresent(Int.self, forKey: "nil") == nil)
            #expect(try container.decodeIfPresent(Int.self, forKey: "absent") == nil)
            #expect(try container.decodeIfPresent(Int.self, forKey: "zero") == 0)
            let nilError = try failure { try container.decode(Int.self, forKey: "nil") }
            #expect(nilError.kind == .valueNotFound)
            #expect(nilError.path == "nil")
            #expect(nilError.type == Int.self)
            let absentError = try failure { try container.decode(Int?.self, forKey: "absent") }
            #expect(absentError.kind == .keyNotFound)
            #expect(try failure { try container.decodeNil(forKey: "absent") }.kind == .keyNotFound)
        }
    }

    @Test func `of every scalar is decoded if present`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "one")
            try container.encodeNil(forKey: "nil")
            try container.encode(true, forKey: "flag")
            try container.encode("x", forKey: "text")
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(try container.decodeIfPresent(Bool.self, forKey: "flag") == true)
            #expect(try container.decodeIfPresent(String.self, forKey: "text") == "x")
            #expect(try container.decodeIfPresent(Double.self, forKey: "one") == 1)
            #expect(try container.decodeIfPresent(Float.self, forKey: "one") == 1)
            func check<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
                #expect(try container.decodeIfPresent(type, forKey: "one") == 1)
                #expect(try container.decodeIfPresent(type, forKey: "nil") == nil)
                #expect(try container.decodeIfPresent(type, forKey: "absent") == nil)
                #expect(throws: DecodingError.self) { try container.decodeIfPresent(type, forKey: "text") }
            }
            for type in integerTypes { try check(type) }
            for key in ["nil", "absent"] as [AnyKey] {
                #expect(try container.decodeIfPresent(Bool.self, forKey: key) == nil)
                #expect(try container.decodeIfPresent(String.self, forKey: key) == nil)
                #expect(try container.decodeIfPresent(Double.self, forKey: key) == nil)
                #expect(try container.decodeIfPresent(Float.self, forKey: key) == nil)
                #expect(try container.decodeIfPresent([Int].self, forKey: key) == nil)
                #expect(try container.decodeIfPresent(Empty.self, forKey: key) == nil)
            }
        }
    }

    struct Nested: Codable, Equatable {
        var value: Int??
        var deep: String???
    }

    /// The ways in which a program codes a property.
    private enum Nesting: CaseIterable, Codable {
        case ifPresent, whole, present, unwrapped
    }

    /// An optional of an optional under a key.
    private struct Doubled: Codable {
        nonisolated(unsafe) static var nesting = Nesting.ifPresent
        var value: Int??

        init(_ value: Int??) { self.value = value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            switch Self.nesting {
            case .ifPresent, .present: value = try container.decodeIfPresent(Int?.self, forKey: "value")
            case .whole: value = container.contains("value") ? try container.decode(Int??.self, forKey: "value") : nil
            case .unwrapped:
                value =
                    try container.decodeNil(forKey: "value") ? nil : try container.decode(Int?.self, forKey: "value")
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            switch Self.nesting {
            case .ifPresent: try container.encodeIfPresent(value, forKey: "value")
            case .whole, .present: try container.encode(value, forKey: "value")
            case .unwrapped:
                if let value {
                    try container.encode(value, forKey: "value")
                } else {
                    try container.encodeNil(forKey: "value")
                }
            }
        }
    }

    @Test(arguments: [Int??.none, .some(.none), .some(.some(3))])
    func `of an optional is what it is in JSON`(value: Int??) throws {
        func check<Value: Codable>(_ value: Value) throws {
            let json = try JSONDecoder().decode([Value].self, from: JSONEncoder().encode([value]))
            #expect(try String(describing: roundTrip([value])) == String(describing: json))
        }
        for nesting in Nesting.allCases {
            Doubled.nesting = nesting
            try check(Doubled(value))
        }
        try check(Nested(value: value, deep: value.map { $0.map { "\($0)" } }))
        try check(value)
        try check([value])
        try check(["a": value])
        try check(Elements(values: [value, nil, 4]))
    }

    /// An unkeyed container of optionals.
    private struct Elements: Codable {
        var values: [Int??]

        init(values: [Int??]) { self.values = values }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            values = []
            while !container.isAtEnd { values.append(try container.decodeIfPresent(Int?.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        }
    }

    @Test func `of an optional is nil in Coding classes and declared fields`() throws {
        final class Item: Coding {
            var value: Int?? = .some(nil)
            init() {}
            init(coder: KeyedUnarchiver) throws { value = try coder.decodeIfPresent(Int?.self, forKey: "value") }
            func encode(with coder: KeyedArchiver) { coder.encode(Int?.none, forKey: "value") }
        }
        let item = try KeyedUnarchiver.unarchivedObject(
            of: Item.self, from: KeyedArchiver.archivedData(withRootObject: Item()))
        #expect(isNil(item.value))
        struct Declared: ArchivedFields {
            var value: Int?? = .some(5)
            static let fields = FieldList<Declared> { Field("value", \.value) }
        }
        #expect(isNil(try roundTrip(Declared(value: .some(nil))).value))
        #expect(try roundTrip(Declared(value: 6)).value == 6)
    }

    private func isNil(_ value: Int??) -> Bool { if case .none = value { true } else { false } }

    @Test func `of an optional: nil is absent, some(nil) is uid 0`() throws {
        #expect(try archiveText(Nested(value: .none)) == "Nested{}")
        #expect(try archiveText(Nested(value: .some(nil))) == "Nested{value: nil}")
        #expect(try archiveText(Nested(value: 4)) == "Nested{value: 4}")
    }

    @Test func `of an instance keeps its identity`() throws {
        final class Node: Codable {
            var next: Node?
            var nested: Node??
        }
        let node = Node()
        let list = [node, nil, node]
        let again = try roundTrip(list)
        #expect(again[0] != nil)
        #expect(again[0] === again[2])
        #expect(again[1] == nil)
        node.next = Node()
        node.nested = .some(node.next)
        let nodeAgain = try roundTrip(node)
        #expect(nodeAgain.next != nil)
        #expect(nodeAgain.nested as? Node === nodeAgain.next)
        node.nested = .some(nil)
        let third = try roundTrip(node)
        guard case .none = third.nested else {
            Issue.record("some(nil) became \(String(describing: third.nested))")
            return
        }
    }
}
