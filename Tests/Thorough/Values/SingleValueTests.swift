// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A single value container` {
    /// A struct that is what its value is, as property wrappers are.
    struct Wrapper<Value: Codable>: Codable {
        var value: Value

        init(_ value: Value) { self.value = value }

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Value.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// A class that has a single value.
    final class Box<Value: Codable>: Codable {
        let value: Value

        init(_ value: Value) { self.value = value }

        required init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Value.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    struct Point: Codable, Equatable {
        var x = 1
    }

    @Test func `of a struct leaves no trace`() throws {
        struct Fields: Codable {
            var number = Wrapper(3)
            var text = Wrapper(Wrapper("x"))
        }
        #expect(try archiveText(Wrapper(3)) == "@3")
        #expect(try archiveText(Fields()) == #"Fields{number: 3, text: @"x"}"#)
        #expect(try archiveText([Wrapper(true), Wrapper(false)]) == "NSArray[@true, @false]")
        #expect(try archiveText(Wrapper([1.5])) == "NSArray[@1.5]")
        #expect(try archiveText(Wrapper(Point())) == "Point{x: 1}")
        #expect(try archiveText(Wrapper(Int?.none)) == "nil")
    }

    @Test func `of a class is an object with the key $0`() throws {
        #expect(try archiveText(Box(3)) == "Box<Swift.Int>{$0: 3}")
        #expect(try archiveText(Box("x")) == #"Box<Swift.String>{$0: @"x"}"#)
        #expect(try archiveText(Box([true])) == "Box<Swift.Array<Swift.Bool>>{$0: NSArray[@true]}")
        #expect(try archiveText(Box(Int?.none)) == "Box<Swift.Optional<Swift.Int>>{$0: nil}")
        #expect(try archiveText(Box(Wrapper(2.5))).hasSuffix("{$0: 2.5}"))
        #expect(try archiveText(Box(Box(true))).hasSuffix("{$0: Box<Swift.Bool>{$0: true}}"))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `comes back`(format: PropertyListFormat) throws {
        #expect(try roundTrip(Wrapper(Wrapper(3)), format: format).value.value == 3)
        #expect(try roundTrip(Wrapper(Point(x: 5)), format: format).value == Point(x: 5))
        #expect(try roundTrip(Wrapper(["a": [1]]), format: format).value == ["a": [1]])
        #expect(try roundTrip(Wrapper(Int?.none), format: format).value == nil)
        #expect(try roundTrip(Box(3), format: format).value == 3)
        #expect(try roundTrip(Box(Point(x: 6)), format: format).value == Point(x: 6))
        #expect(try roundTrip(Box(Int?.none), format: format).value == nil)
        #expect(try roundTrip(Box(["a": [1]]), format: format).value == ["a": [1]])
        #expect(try roundTrip(Box(Box(Wrapper("x"))), format: format).value.value.value == "x")
        #expect(try roundTrip(Wrapper(Box(Wrapper(2.5))), format: format).value.value.value == 2.5)
    }

    @Test func `of a struct that has become a class is still read`() throws {
        #expect(try transcode(Wrapper(3), as: Box<Int>.self).value == 3)
        #expect(try transcode([Wrapper("x")], as: [Box<String>].self)[0].value == "x")
    }

    @Test func `takes every kind of scalar`() throws {
        #expect(try roundTrip(Wrapper(true)).value)
        #expect(try roundTrip(Wrapper("text")).value == "text")
        #expect(try roundTrip(Wrapper(0.1)).value == 0.1)
        #expect(try roundTrip(Wrapper(Float(0.1))).value == 0.1)
        func check<Number: FixedWidthInteger & Codable>(_: Number.Type) throws {
            for number in [Number.min, .max] { #expect(try roundTrip(Wrapper(number)).value == number) }
        }
        for type in integerTypes { try check(type) }
    }

    @Test func `may be read twice, and as several types`() throws {
        try decoding(archiveOf: 3) { decoder in
            let container = try decoder.singleValueContainer()
            #expect(try container.decode(Int.self) == 3)
            #expect(try container.decode(Double.self) == 3)
            #expect(throws: DecodingError.self) { try container.decode(String.self) }
            #expect(!container.decodeNil())
            #expect(try decoder.singleValueContainer().decode(UInt8.self) == 3)
            #expect(try container.decode(Wrapper<Int>.self).value == 3)
        }
        try decoding(archiveOf: Int?.none) { decoder in
            let container = try decoder.singleValueContainer()
            #expect(container.decodeNil())
        }
    }

    @Test func `around an instance keeps its identity`() throws {
        let box = Box(1)
        let archive = try InspectedArchive(of: [Wrapper(box), Wrapper(box)])
        #expect(archive.text == "NSArray[#1=Box<Swift.Int>{$0: 1}, #1]")
        let again = try roundTrip([Wrapper(box), Wrapper(box)])
        #expect(again[0].value.value == 1)
        #expect(again[0].value === again[1].value)

        final class Keyed: Codable { var x = 1 }
        let keyed = Keyed()
        let keyedAgain = try roundTrip([Wrapper(keyed), Wrapper(keyed)])
        #expect(keyedAgain[0].value === keyedAgain[1].value)
    }

    @Test func `in a class, of another instance, keeps both identities`() throws {
        let inner = Box(7)
        let outer = Box(inner)
        let again = try roundTrip([outer, outer, Box(inner)])
        #expect(again[0] === again[1])
        #expect(again[0] !== again[2])
        #expect(again[0].value === again[2].value)
        #expect(again[0].value.value == 7)
    }

    @Test func `never written to is an object without fields`() throws {
        let value = Encoding { _ = $0.singleValueContainer() }
        #expect(try archiveText(value) == "Encoding{}")
        #expect(try archiveText([value]) == "NSArray[Encoding{}]")
    }

    @Test func `takes one value, and stops the program at a second one`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveEncoder().encode(
                Encoding { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(1)
                    try container.encode(2)
                })
        }
        #expect(result.said("single value"))
    }

    @Test func `and no other container of another kind, or the program stops`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveEncoder().encode(
                Encoding { encoder in
                    _ = encoder.unkeyedContainer()
                    _ = encoder.container(keyedBy: AnyKey.self)
                })
        }
        #expect(result.said("two kinds of container"))
    }
}
