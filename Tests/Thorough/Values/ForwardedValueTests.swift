// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A value that lets another one encode itself` {
    /// Any value, as in packages of that kind: it always requests a single value container.
    struct AnyValue: Encodable {
        let value: any Encodable

        init(_ value: any Encodable) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case let number as Int: try container.encode(number)
            case let text as String: try container.encode(text)
            case let values as [AnyValue]: try container.encode(values)
            case let fields as [String: AnyValue]: try container.encode(fields)
            default: try value.encode(to: encoder)
            }
        }
    }

    struct Point: Codable, Equatable {
        var x = 1
        var y = 2
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case none
    }

    final class Owner: Codable {
        var name = "Anna"
    }

    @Test func `may have requested a single value container before`() throws {
        #expect(try transcode(AnyValue(Point(x: 5, y: 6)), as: Point.self) == Point(x: 5, y: 6))
        #expect(try transcode(AnyValue([1.5, 2.5]), as: [Double].self) == [1.5, 2.5])
        #expect(try transcode(AnyValue([Point()]), as: [Point].self) == [Point()])
        #expect(try transcode(AnyValue(Set([3])), as: Set<Int>.self) == [3])
        #expect(try transcode(AnyValue(1..<4), as: Range<Int>.self) == 1..<4)
        #expect(try transcode(AnyValue(Shape.circle(radius: 2)), as: Shape.self) == .circle(radius: 2))
        #expect(try transcode(AnyValue(Shape.none), as: Shape.self) == .none)
        #expect(try transcode(AnyValue(Owner()), as: Owner.self).name == "Anna")
        #expect(try transcode(AnyValue(AnyValue(AnyValue(Point()))), as: Point.self) == Point())
    }

    @Test func `is in the archive what it is in JSON`() throws {
        let value = AnyValue([
            "number": AnyValue(1), "list": AnyValue([AnyValue("a"), AnyValue(Point())]),
            "fields": AnyValue(["p": AnyValue(Point(x: 3, y: 4))]), "shape": AnyValue(Shape.circle(radius: 1)),
        ])
        struct Fields: Codable, Equatable {
            var number: Int
            var fields: [String: Point]
            var shape: Shape
        }
        let json = try JSONDecoder().decode(Fields.self, from: JSONEncoder().encode(value))
        #expect(try transcode(value, as: Fields.self) == json)
        #expect(json.fields == ["p": Point(x: 3, y: 4)])
    }

    @Test func `has no effect by requesting containers that it does not use`() throws {
        let keyed = Encoding { encoder in
            _ = encoder.singleValueContainer()
            var first = encoder.container(keyedBy: AnyKey.self)
            _ = encoder.singleValueContainer()
            try first.encode(1, forKey: "a")
        }
        #expect(try archiveText(keyed) == "Encoding{a: 1}")
        let twice = Encoding { encoder in
            var first = encoder.singleValueContainer()
            let second = encoder.singleValueContainer()
            _ = second
            try first.encode(5)
        }
        #expect(try archiveText([twice]) == "NSArray[@5]")
    }

    private struct Forwarding: Codable {
        var owner: Owner

        init(_ owner: Owner) { self.owner = owner }

        init(from decoder: any Decoder) throws { owner = try Owner(from: decoder) }

        func encode(to encoder: any Encoder) throws { try owner.encode(to: encoder) }
    }

    @Test func `has a copy of an instance that encodes itself in its place`() throws {
        let owner = Owner()
        #expect(
            try archiveText([Forwarding(owner), Forwarding(owner)])
                == #"NSArray[Forwarding{name: @"Anna"}, Forwarding{name: @"Anna"}]"#)
        let again = try roundTrip([Forwarding(owner), Forwarding(owner)])
        #expect(again.map(\.owner.name) == ["Anna", "Anna"])
        #expect(again[0].owner !== again[1].owner)
    }
}
