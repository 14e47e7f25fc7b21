// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Nested containers` {
    @Test func `of both kinds are stored in both kinds`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
            try keyed.encode(1, forKey: "a")
            var unkeyed = container.nestedUnkeyedContainer(forKey: "unkeyed")
            try unkeyed.encode("x")
            var inner = unkeyed.nestedContainer(keyedBy: AnyKey.self)
            try inner.encode(true, forKey: "b")
            var list = unkeyed.nestedUnkeyedContainer()
            try list.encode(2.5)
            var deepest = inner.nestedUnkeyedContainer(forKey: "c")
            try deepest.encodeNil()
        }
        let text = try archiveText(value)
        #expect(
            text
                == #"Encoding{keyed: Encoding{a: 1}, unkeyed: "#
                + #"NSArray[@"x", Encoding{b: true, c: NSArray[NSNull{}]}, NSArray[@2.5]]}"#)
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            var unkeyed = try container.nestedUnkeyedContainer(forKey: "unkeyed")
            let keyed = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
            #expect(try unkeyed.decode(String.self) == "x")
            #expect(unkeyed.currentIndex == 1)
            let inner = try unkeyed.nestedContainer(keyedBy: AnyKey.self)
            #expect(unkeyed.currentIndex == 2)
            var list = try unkeyed.nestedUnkeyedContainer()
            #expect(unkeyed.isAtEnd)
            var deepest = try inner.nestedUnkeyedContainer(forKey: "c")
            #expect(try list.decode(Double.self) == 2.5)
            #expect(try keyed.decode(Int.self, forKey: "a") == 1)
            #expect(try inner.decode(Bool.self, forKey: "b"))
            #expect(try deepest.decodeNil())
            #expect(deepest.isAtEnd)
        }
    }

    @Test func `never written to are empty`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            _ = container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
            var list = container.nestedUnkeyedContainer(forKey: "unkeyed")
            _ = list.nestedContainer(keyedBy: AnyKey.self)
            _ = list.nestedUnkeyedContainer()
            _ = container.superEncoder(forKey: "other")
            _ = container.superEncoder()
        }
        #expect(
            try archiveText(value)
                == "Encoding{keyed: Encoding{}, unkeyed: NSArray[Encoding{}, NSArray[]], other: Encoding{}, "
                + "super: Encoding{}}")
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(try container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed").allKeys == [])
            #expect(try container.nestedUnkeyedContainer(forKey: "unkeyed").count == 2)
            #expect(try container.superDecoder().container(keyedBy: AnyKey.self).allKeys == [])
        }
    }

    @Test func `kept open are written to in any order`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var left = container.nestedContainer(keyedBy: AnyKey.self, forKey: "left")
            try container.encode(0, forKey: "before")
            var right = container.nestedUnkeyedContainer(forKey: "right")
            try right.encode(1)
            try left.encode(2, forKey: "a")
            var inner = left.nestedUnkeyedContainer(forKey: "b")
            try right.encode(3)
            try container.encode(4, forKey: "after")
            try inner.encode(5)
            try left.encode(6, forKey: "c")
            try right.encode([7])
            try inner.encode(8)
        }
        #expect(
            try archiveText(value)
                == "Encoding{left: Encoding{a: 2, b: NSArray[@5, @8], c: 6}, before: 0, "
                + "right: NSArray[@1, @3, NSArray[@7]], after: 4}")
    }

    @Test func `keep their place among the elements`() throws {
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            var first = container.nestedUnkeyedContainer()
            try container.encode(2)
            var second = container.nestedUnkeyedContainer()
            try container.encode(3)
            try second.encode("b")
            try first.encode("a")
        }
        #expect(try archiveText(value) == #"Encoding[@1, NSArray[@"a"], @2, NSArray[@"b"], @3]"#)
    }

    @Test func `requested again for the same key are the same container`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            try first.encode(1, forKey: "x")
            var second = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            try second.encode(2, forKey: "y")
            try first.encode(3, forKey: "z")
            var list = container.nestedUnkeyedContainer(forKey: "b")
            try list.encode(1)
            var again = container.nestedUnkeyedContainer(forKey: "b")
            try again.encode(2)
            #expect(again.count == 2)
        }
        #expect(try archiveText(value) == "Encoding{a: Encoding{x: 1, y: 2, z: 3}, b: NSArray[@1, @2]}")
    }

    @Test func `are replaced by what is written under their key later, and replace what was there`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            try nested.encode(1, forKey: "x")
            try container.encode("instead", forKey: "a")
            try nested.encode(2, forKey: "y")
            try container.encode(3, forKey: "b")
            var list = container.nestedUnkeyedContainer(forKey: "b")
            try list.encode(4)
        }
        #expect(try archiveText(value) == #"Encoding{a: @"instead", b: NSArray[@4]}"#)
    }

    @Test func `keep their places when a key in front of them is written again`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for index in 0..<100 {
                var nested = container.nestedUnkeyedContainer(forKey: AnyKey("k\(index)"))
                try nested.encode(index)
            }
            try container.encode(-1, forKey: "k0")
            try container.encode(-50, forKey: "k50")
        }
        let archive = try InspectedArchive(of: value)
        for index in 0..<100 where index % 50 != 0 {
            let list = archive.follow(archive.objects[1]["k\(index)"])
            #expect(archive.follow(list?["NS.objects"]?[0]) == .integer(Int128(index)))
        }
        #expect(archive.objects[1]["k0"] == -1)
        #expect(archive.objects[1]["k50"] == -50)
    }

    @Test func `in a class instance are parts of it`() throws {
        final class Owner: Codable {
            var name = "A"
            var x = 1
            enum Keys: CodingKey { case name, nested }
            enum Nested: CodingKey { case x }

            init() {}
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                let nested = try container.nestedContainer(keyedBy: Nested.self, forKey: .nested)
                x = try nested.decode(Int.self, forKey: .x)
                name = try container.decode(String.self, forKey: .name)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                var nested = container.nestedContainer(keyedBy: Nested.self, forKey: .nested)
                try container.encode(name, forKey: .name)
                try nested.encode(x, forKey: .x)
            }
        }
        let owner = Owner()
        owner.x = 5
        let archive = try InspectedArchive(of: [owner, owner])
        #expect(archive.text.hasPrefix("NSArray[#1=Owner{nested: "))
        #expect(archive.text.hasSuffix(#"{x: 5}, name: @"A"}, #1]"#))
        #expect(try roundTrip(owner).x == 5)
    }

    @Test func `are decoded again at each request`() throws {
        let value = ["a": ["x": 1], "b": ["x": 2]]
        try decoding(archiveOf: value) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let a = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            let b = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "b")
            let again = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            #expect(try b.decode(Int.self, forKey: "x") == 2)
            #expect(try a.decode(Int.self, forKey: "x") == 1)
            #expect(try again.decode(Int.self, forKey: "x") == 1)
        }
    }

    @Test func `of another kind than what is there are a mismatch`() throws {
        try decoding(archiveOf: ["list": [[1]], "scalars": [[]]] as [String: [[Int]]]) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let keyed = try failure { try container.nestedContainer(keyedBy: AnyKey.self, forKey: "missing") }
            #expect(keyed.kind == .keyNotFound)
            #expect(keyed.key == "missing")
            let unkeyed = try failure { try container.nestedUnkeyedContainer(forKey: "missing") }
            #expect(unkeyed.kind == .keyNotFound)
        }
        struct Fields: Encodable { var number = 1, text = "x", none = Int?.none }
        try decoding(archiveOf: Fields()) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let keyed = try failure { try container.nestedContainer(keyedBy: AnyKey.self, forKey: "number") }
            #expect(keyed.kind == .typeMismatch)
            #expect(keyed.path == "number")
            #expect(keyed.says("1"))
            let unkeyed = try failure { try container.nestedUnkeyedContainer(forKey: "text") }
            #expect(unkeyed.kind == .typeMismatch)
            #expect(unkeyed.path == "text")
        }
        let null = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encodeNil(forKey: "none")
        }
        try decoding(archiveOf: null) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let keyed = try failure { try container.nestedContainer(keyedBy: AnyKey.self, forKey: "none") }
            #expect(keyed.kind == .valueNotFound)
            #expect(keyed.path == "none")
            let unkeyed = try failure { try container.nestedUnkeyedContainer(forKey: "none") }
            #expect(unkeyed.kind == .valueNotFound)
            #expect(unkeyed.path == "none")
        }
    }
}
