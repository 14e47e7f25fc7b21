// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Elements have no keys` {
    struct List: Codable {
        var numbers: [Int] = []

        init(_ numbers: [Int]) { self.numbers = numbers }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { numbers.append(try container.decode(Int.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for number in numbers { try container.encode(number) }
        }
    }

    final class Tree: Codable {
        var children: [Tree] = []

        init(_ children: [Tree]) { self.children = children }

        init(from decoder: any Decoder) throws {
            // Keys first, as types do that have had another form.
            #expect(throws: DecodingError.self) { try decoder.container(keyedBy: AnyKey.self) }
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { children.append(try container.decode(Tree.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for child in children { try container.encode(child) }
        }
    }

    @Test(
        arguments: [
            List([1, 2]), List([]), 1..<3, ClosedRange(uncheckedBounds: (1.5, 2.5)), SIMD2<Float>(1, 2), SIMD4<Int>(),
            [1, 2], [Int](), Set([1]), ["a"], [List([])],
        ] as [any Encodable & Sendable])
    func `so that a keyed container of them is a mismatch`(value: any Encodable & Sendable) throws {
        for formatting in [[], .sortedKeys] as [ArchiveEncoder.OutputFormatting] {
            var encoder = ArchiveEncoder()
            encoder.outputFormatting = formatting
            for data in [try encoder.encode(value), try encoder.encode(["x": value].mapValues(AnyElement.init))] {
                try decoding(data) { decoder in
                    let kind: CodingFailure.Kind
                    if let outer = try? decoder.container(keyedBy: AnyKey.self) {
                        kind = try failure { try outer.nestedContainer(keyedBy: AnyKey.self, forKey: "x") }.kind
                        _ = try outer.nestedUnkeyedContainer(forKey: "x")
                    } else {
                        kind = try failure { try decoder.container(keyedBy: AnyKey.self) }.kind
                        _ = try decoder.unkeyedContainer()
                    }
                    #expect(kind == .typeMismatch)
                }
            }
        }
    }

    struct AnyElement: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    @Test func `in class instances, of which some have keys`() throws {
        let tree = try roundTrip(Tree([Tree([]), Tree([Tree([])])]))
        #expect(tree.children.map(\.children.count) == [0, 1])
        final class Either: Codable {
            var text: String

            init(_ text: String) { self.text = text }

            init(from decoder: any Decoder) throws {
                if let container = try? decoder.container(keyedBy: AnyKey.self) {
                    text = try container.decode(String.self, forKey: "text")
                } else {
                    var container = try decoder.unkeyedContainer()
                    text = try container.decode(String.self) + " of a list"
                }
            }

            func encode(to encoder: any Encoder) throws {
                if text.hasPrefix("list") {
                    var container = encoder.unkeyedContainer()
                    try container.encode(text)
                } else {
                    var container = encoder.container(keyedBy: AnyKey.self)
                    try container.encode(text, forKey: "text")
                }
            }
        }
        let texts = ["a", "list 1", "b", "list 2", "c"]
        #expect(
            try roundTrip(texts.map { Either($0) }).map(\.text)
                == ["a", "list 1 of a list", "b", "list 2 of a list", "c"])
    }

    @Test func `while a key may be called as the elements are`() throws {
        struct Fields: Codable, Equatable {
            var objects: [Int]
            enum CodingKeys: String, CodingKey { case objects = "NS.objects" }
        }
        #expect(try roundTrip(Fields(objects: [1, 2])) == Fields(objects: [1, 2]))
        #expect(try roundTrip([Fields(objects: [])]) == [Fields(objects: [])])
    }
}
