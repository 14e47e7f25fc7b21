// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A container goes on with what was encoded as a whole` {
    struct Point: Codable, Equatable {
        var x = 1
        var y = 2
    }

    final class Owner: Codable {
        var name = "Anna"
        var friend: Owner?
    }

    @Test func `through a single value container`() throws {
        let fields = Encoding { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(Point())
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode("point", forKey: "type")
        }
        #expect(try archiveText(fields) == #"Point{x: 1, y: 2, type: @"point"}"#)
        #expect(try transcode([fields], as: [Point].self) == [Point()])

        let dictionary = Encoding { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(["a": 1])
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(2, forKey: "b")
        }
        #expect(try archiveText(dictionary) == "Encoding{a: @1, b: 2}")
        #expect(try transcode(dictionary, as: [String: Int].self) == ["a": 1, "b": 2])

        let list = Encoding { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(["a"])
            var container = encoder.unkeyedContainer()
            try container.encode("b")
            #expect(container.count == 2)
        }
        #expect(try archiveText(list) == #"NSArray[@"a", @"b"]"#)
    }

    @Test func `under a key`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(Point(), forKey: "point")
            try container.encode(Point(), forKey: "other")
            try container.encode([1], forKey: "list")
            var point = container.nestedContainer(keyedBy: AnyKey.self, forKey: "point")
            try point.encode(10, forKey: "x")
            try point.encode(3, forKey: "z")
            var list = container.nestedUnkeyedContainer(forKey: "list")
            try list.encode(2)
        }
        #expect(
            try archiveText(value)
                == "Encoding{point: Point{x: 10, y: 2, z: 3}, other: Point{x: 1, y: 2}, list: NSArray[@1, @2]}")
    }

    @Test func `of the same key, whichever was first`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try ["a": 1].encode(to: container.superEncoder(forKey: "super first"))
            var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: "super first")
            try first.encode(2, forKey: "b")
            var second = container.nestedContainer(keyedBy: AnyKey.self, forKey: "nested first")
            try second.encode(1, forKey: "a")
            try ["b": 2].encode(to: container.superEncoder(forKey: "nested first"))
            try Point().encode(to: container.superEncoder(forKey: "super twice"))
            try ["b": 2].encode(to: container.superEncoder(forKey: "super twice"))
        }
        #expect(
            try archiveText(value)
                == "Encoding{super first: Encoding{a: 1, b: 2}, nested first: Encoding{b: 2}, "
                + "super twice: Encoding{b: 2}}")
    }

    @Test func `in a class instance, whose class it stays`() throws {
        final class Labelled: Codable, Equatable {
            var point = Point(x: 7, y: 8)
            var label = "a"

            init() {}

            init(from decoder: any Decoder) throws {
                point = try decoder.singleValueContainer().decode(Point.self)
                label = try decoder.container(keyedBy: AnyKey.self).decode(String.self, forKey: "label")
            }

            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(point)
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(label, forKey: "label")
            }

            static func == (left: Labelled, right: Labelled) -> Bool {
                left.point == right.point && left.label == right.label
            }
        }
        let value = Labelled()
        #expect(try archiveText([value, value]) == #"NSArray[#1=Labelled{x: 7, y: 8, label: @"a"}, #1]"#)
        let again = try roundTrip([value, value])
        #expect(again[0] == value)
        #expect(again[0] === again[1])
    }

    @Test func `without a change of the instance that it began with`() throws {
        let owner = Owner()
        owner.friend = owner
        let amended = Encoding { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(owner)
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "rank")
        }
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(owner)
            try container.encode(amended)
            try container.encode(owner)
        }
        let text = try archiveText(value)
        #expect(
            text
                == #"Encoding[#1=Owner{name: @"Anna", friend: #1}, Owner{name: @"Anna", friend: #1, rank: 1}, #1]"#)
    }

    @Test func `without a change of what other values share`() throws {
        struct Flag: Codable, ArchivedOnce {
            var id = 1
            var name = "red"
        }
        let flag = Flag()
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for key in ["a", "b"] as [AnyKey] {
                try container.encode(flag, forKey: key)
                try container.encode([Int](), forKey: AnyKey("list " + key.stringValue))
            }
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            try nested.encode(5, forKey: "size")
            var list = container.nestedUnkeyedContainer(forKey: "list a")
            try list.encode(5)
        }
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(
                try container.nestedContainer(keyedBy: AnyKey.self, forKey: "a").allKeys.map(\.stringValue)
                    == ["id", "name", "size"])
            #expect(
                try container.nestedContainer(keyedBy: AnyKey.self, forKey: "b").allKeys.map(\.stringValue)
                    == ["id", "name"])
            #expect(try container.decode([Int].self, forKey: "list a") == [5])
            #expect(try container.decode([Int].self, forKey: "list b") == [])
        }
    }

    @Test func `whose container the program holds`() throws {
        var held: KeyedEncodingContainer<AnyKey>?
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(
                Encoding {
                    held = $0.container(keyedBy: AnyKey.self)
                    try held?.encode(1, forKey: "a")
                }, forKey: "k")
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "k")
            try nested.encode(2, forKey: "b")
        }
        #expect(try archiveText(value) == "Encoding{k: Encoding{a: 1, b: 2}}")
        #expect(held?.codingPath.isEmpty == true)
    }

    /// The copy of an instance is made by another call of its `encode(to:)`, with an encoder of its own.
    @Test func `that is an instance which keeps its encoder`() throws {
        final class Keeper: Encodable {
            var encoders: [any Encoder] = []
            var containers: [any UnkeyedEncodingContainer] = []
            func encode(to encoder: any Encoder) throws {
                encoders.append(encoder)
                var container = encoder.unkeyedContainer()
                try container.encode(encoders.count)
                containers.append(container)
            }
        }
        let keeper = Keeper()
        let value = (0..<3).map { number in
            Encoding { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(keeper)
                var container = encoder.unkeyedContainer()
                try container.encode(-number)
            }
        }
        #expect(try archiveText(value) == "NSArray[Keeper[@1, @0], Keeper[@2, @-1], Keeper[@3, @-2]]")
        #expect(keeper.encoders.count == 4)
        #expect(keeper.encoders.allSatisfy { $0.codingPath.isEmpty })
        #expect(keeper.containers.allSatisfy { $0.count == 0 })
    }

    @Test func `but not with what has been replaced, which may be held for as long as anybody likes`() throws {
        var replaced: KeyedEncodingContainer<AnyKey>?
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            replaced = container.nestedContainer(keyedBy: AnyKey.self, forKey: "k")
            try container.encode(5, forKey: "k")
            try replaced?.encode(1, forKey: "a")
        }
        #expect(try archiveText(value) == "Encoding{k: 5}")
        #expect(replaced?.codingPath.isEmpty == true)
    }

    /// What has failed and was caught leaves the container as it was.
    @Test func `after errors`() throws {
        let failing = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "inner")
            throw CocoaError(.coderInvalidValue)
        }
        let goesOn = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(Point(), forKey: "k")
            #expect(throws: CocoaError.self) { try container.encode(failing, forKey: "k") }
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "k")
            try nested.encode(3, forKey: "z")
        }
        #expect(try archiveText(goesOn) == "Encoding{k: Point{x: 1, y: 2, z: 3}}")
        let becomesSingle = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            #expect(throws: CocoaError.self) { try container.encode(failing, forKey: "k") }
            var single = encoder.singleValueContainer()
            try single.encode("nothing")
        }
        #expect(try archiveText([becomesSingle]) == #"NSArray[@"nothing"]"#)
        let owner = Owner()
        let becomesInstance = Encoding { encoder in
            _ = encoder.unkeyedContainer()
            var single = encoder.singleValueContainer()
            try single.encode(owner)
        }
        #expect(try archiveText([becomesInstance, becomesInstance]) == #"NSArray[#1=Owner{name: @"Anna"}, #1]"#)
    }

    @Test func `or else is an error, if a single value would push out what was encoded`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
            var single = encoder.singleValueContainer()
            try single.encode(2)
        }
        let error = try failure { try ArchiveEncoder().encode(["list": [value]]) }
        #expect(error.kind == .invalidValue)
        #expect(error.path == "list[0]")
        #expect(error.says("list[0]", "keyed", "single value"))
    }
}
