// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing
import ThoroughSupport

/// Types with raw values of one byte, whose `init(from:)` and `encode(to:)` are the program's own.
@Suite(.inTurn) struct `Own coding` {
    /// It still reads a raw value that is no longer in use.
    enum Plan: String, Codable {
        case free, pro, legacyPro

        private enum Stored: String, Codable { case free, pro, legacyPro }

        init(from decoder: any Decoder) throws {
            switch try Stored(from: decoder) {
            case .free: self = .free
            case .pro, .legacyPro: self = .pro
            }
        }
    }

    /// One of its values is not written.
    enum Status: String, Codable {
        case open, closed, secret

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self == .secret ? "closed" : rawValue)
        }
    }

    /// It is written and read by a former enumeration.
    enum Kind: String, Codable {
        case note, task, reminder, other

        enum OldKind: String, Codable { case note, task, other }

        init(from decoder: any Decoder) throws {
            switch try OldKind(from: decoder) {
            case .note: self = .note
            case .task: self = .reminder
            case .other: self = .other
            }
        }

        func encode(to encoder: any Encoder) throws {
            try (OldKind(rawValue: rawValue) ?? .other).encode(to: encoder)
        }
    }

    @Test func `reads another case than the one of the raw value`() throws {
        try expect(["free", "pro", "legacyPro"], decodeAs: [Plan.free, .pro, .pro])
        try expect(["note", "task", "other"], decodeAs: [Kind.note, .reminder, .other])
    }

    @Test func `writes another text than the raw value`() throws {
        try expect([Status.open, .closed, .secret], encodeAs: ["open", "closed", "closed"])
        try expect([Kind.note, .task, .reminder, .other], encodeAs: ["note", "task", "other", "other"])
    }

    /// Written with its position, modulo the number of letters.
    enum Letter: Int, Codable {
        case a = 10
        case b, c, d

        private static func position(in path: [any CodingKey]) -> Int { path.last?.intValue ?? 0 }

        init(from decoder: any Decoder) throws {
            let number = try decoder.singleValueContainer().decode(Int.self) - 10
            let moved = (number + 4 - Self.position(in: decoder.codingPath) % 4) % 4
            self = try #require(Letter(rawValue: 10 + moved))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(10 + (rawValue - 10 + Self.position(in: encoder.codingPath)) % 4)
        }
    }

    @Test func `depends on the coding path`() throws {
        for count in [3, 400, 3, 200, 2, 400] {
            let letters = Array(repeating: Letter.a, count: count)
            let numbers = (0..<count).map { 10 + $0 % 4 }
            #expect(try transcode(letters, as: [Int].self) == numbers)
            #expect(try transcode(numbers, as: [Letter].self) == letters)
            // -0, -1, -2, -3
            #expect(
                try transcode(Array(repeating: 10, count: count), as: [Letter].self)
                    == (0..<count).map { [.a, .d, .c, .b][$0 % 4] })
        }
    }

    /// Numbers its values with a counter of the coder.
    enum Ticket: Int, Codable {
        case zero, one, two

        static let key = CodingUserInfoKey.named("tickets")

        final class Counter: Sendable {
            private let count = Mutex(0)

            func next() -> Int {
                count.withLock {
                    $0 += 1
                    return $0 - 1
                }
            }
        }

        init(from decoder: any Decoder) throws {
            let counter = try #require(decoder.userInfo[Self.key] as? Counter)
            let number = try decoder.singleValueContainer().decode(Int.self)
            self = try #require(Ticket(rawValue: (number + counter.next()) % 3))
        }

        func encode(to encoder: any Encoder) throws {
            let counter = try #require(encoder.userInfo[Self.key] as? Counter)
            var container = encoder.singleValueContainer()
            try container.encode(rawValue + counter.next())
        }
    }

    @Test func `depends on a counter among the user's values`() throws {
        var encoder = ArchiveEncoder()
        var decoder = ArchiveDecoder()
        for count in [3, 400, 3, 200, 2, 400] {
            encoder.userInfo[Ticket.key] = Ticket.Counter()
            let data = try encoder.encode(Array(repeating: Ticket.zero, count: count))
            #expect(try ArchiveDecoder().decode([Int].self, from: data) == Array(0..<count))
            decoder.userInfo[Ticket.key] = Ticket.Counter()
            let tickets = try decoder.decode([Ticket].self, from: encoder.encode(Array(repeating: 1, count: count)))
            #expect(tickets == (0..<count).map { [.one, .two, .zero][$0 % 3] })
        }
    }

    enum Mood: String, LenientText {
        case calm, happy, unknown
    }

    enum Season: String, RenamedText {
        case spring, autumn, winter

        enum Former: String, Codable { case spring, fall, winter }

        init(former: Former) { self = former == .fall ? .autumn : .spring }

        var former: Former { self == .autumn ? .fall : .spring }
    }

    @Test func `comes from a protocol`() throws {
        try expect(["calm", "happy", "furious", "unknown"], decodeAs: [Mood.calm, .happy, .unknown, .unknown])
        try expect([Mood.calm, .happy, .unknown], encodeAs: ["calm", "happy", ""])
        try expect(["spring", "fall", "winter"], decodeAs: [Season.spring, .autumn, .spring])
        try expect([Season.spring, .autumn, .winter], encodeAs: ["spring", "fall", "spring"])
    }

    /// It is written and read by a structure with a raw value.
    enum Colour: String, Codable {
        case red, crimson, blue

        struct Name: RawRepresentable, Codable {
            var rawValue: String
        }

        init(from decoder: any Decoder) throws {
            let name = try Name(from: decoder).rawValue
            self = try #require(Colour(rawValue: name == "blue" ? "red" : name))
        }

        func encode(to encoder: any Encoder) throws {
            try Name(rawValue: self == .crimson ? "red" : rawValue).encode(to: encoder)
        }
    }

    @Test func `lets a structure with a raw value code in its place`() throws {
        try expect([Colour.red, .blue, .crimson], encodeAs: ["red", "blue", "red"])
        try expect(["red", "crimson", "blue"], decodeAs: [Colour.red, .crimson, .red])
    }

    /// It is written and read by an enumeration, through a coder of the program.
    enum Level: String, Codable {
        case low, high, top

        private enum Stored: String, Codable { case low, high, top }

        init(from decoder: any Decoder) throws {
            let stored = try Stored(from: ReplacingCoder(base: decoder, from: "top", to: "high"))
            self = try #require(Level(rawValue: stored.rawValue))
        }

        func encode(to encoder: any Encoder) throws {
            let stored = try #require(Stored(rawValue: rawValue))
            try stored.encode(to: ReplacingCoder(base: encoder, from: "top", to: "low"))
        }
    }

    @Test func `passes through a coder of the program`() throws {
        try expect(["low", "high", "top"], decodeAs: [Level.low, .high, .high])
        try expect([Level.low, .high, .top], encodeAs: ["low", "high", "low"])
    }

    /// Its raw value is not for archives. It has its own `==`, because that of the standard library compares raw values.
    enum Secret: RawRepresentable, Codable {
        case red, blue

        init?(rawValue: String) { fatalError("The raw value is never read") }

        var rawValue: String { fatalError("The raw value is never asked for") }

        private var isBlue: Bool {
            switch self {
            case .red: false
            case .blue: true
            }
        }

        static func == (first: Secret, second: Secret) -> Bool { first.isBlue == second.isBlue }

        init(from decoder: any Decoder) throws {
            self = try decoder.singleValueContainer().decode(Bool.self) ? .blue : .red
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(isBlue)
        }
    }

    @Test func `needs no raw value`() throws {
        try expect([Secret.red, .blue], encodeAs: [false, true])
        try expect([false, true], decodeAs: [Secret.red, .blue])
    }
}

// MARK: - Calls

extension `Own coding` {
    /// Counts the calls of its coding.
    enum Counted: String, Codable, Hashable, CaseIterable, CodingKeyRepresentable {
        case one, two, three

        static let calls = Mutex((decoding: 0, encoding: 0))

        init(from decoder: any Decoder) throws {
            Self.calls.withLock { $0.decoding += 1 }
            self = try #require(Counted(rawValue: decoder.singleValueContainer().decode(String.self)))
        }

        func encode(to encoder: any Encoder) throws {
            Self.calls.withLock { $0.encoding += 1 }
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }

    /// Counts the calls of its initializers. Its coding is the standard library's.
    struct CountedNumber: RawRepresentable, Codable {
        static let calls = Mutex((decoding: 0, encoding: 0))

        private var byte: UInt8

        init?(rawValue: Int) {
            Self.calls.withLock { $0.decoding += 1 }
            byte = UInt8(rawValue)
        }

        var rawValue: Int {
            Self.calls.withLock { $0.encoding += 1 }
            return Int(byte)
        }
    }

    private struct Fields<Value: Codable>: Codable {
        var first: Value
        var second: Value?
        var list: ContiguousArray<Value>
        var names: [String: Value]

        init(_ values: [Value]) {
            (first, second, list) = (values[0], values[1], ContiguousArray(values.dropFirst(2)))
            names = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("\($0)", $1) })
        }
    }

    @Test func `is called once for each value`() throws {
        for count in [3, 400, 3, 200, 400] {
            let values = (0..<count).map { Counted.allCases[$0 % 3] }
            #expect(try calls(Counted.calls) { try roundTrip(values) } == (count, count))
            #expect(try calls(Counted.calls) { try roundTrip(values.map { Optional($0) }) } == (count, count))
            #expect(try calls(Counted.calls) { try roundTrip(Fields(values)) } == (2 * count, 2 * count))
            #expect(try calls(Counted.calls) { try roundTrip(Set(values)) } == (3, 3))
        }
    }

    @Test func `of the standard library asks for each value`() throws {
        let number = try #require(CountedNumber(rawValue: 7))
        for count in [3, 400, 3, 200, 400] {
            let values = Array(repeating: number, count: count)
            #expect(try calls(CountedNumber.calls) { try roundTrip(values) } == (count, count))
            #expect(try calls(CountedNumber.calls) { try roundTrip(Fields(values)) } == (2 * count, 2 * count))
        }
    }

    private func calls(_ counts: borrowing Mutex<(decoding: Int, encoding: Int)>, _ body: () throws -> some Any) throws
        -> (Int, Int)
    {
        counts.withLock { $0 = (0, 0) }
        _ = try body()
        return counts.withLock { ($0.decoding, $0.encoding) }
    }
}

// MARK: - Expectations

extension `Own coding` {
    /// Expects that each of `values` is encoded as the one at the same place in `written`: in archives of a few values
    /// and of many, one after another. The first value is the one that most archives begin with.
    private func expect<Value: Encodable, Written: Decodable & Equatable>(
        _ values: [Value], encodeAs written: [Written]
    ) throws {
        for order in orders(of: values.count) {
            #expect(try transcode(order.map { values[$0] }, as: [Written].self) == order.map { written[$0] })
            let fields = Dictionary(uniqueKeysWithValues: order.enumerated().map { ("\($0)", values[$1]) })
            #expect(
                try transcode(fields, as: [String: Written].self)
                    == Dictionary(uniqueKeysWithValues: order.enumerated().map { ("\($0)", written[$1]) }))
        }
    }

    /// Expects that each of `written` is decoded as the one at the same place in `values`.
    private func expect<Value: Decodable & Equatable, Written: Encodable>(
        _ written: [Written], decodeAs values: [Value]
    ) throws {
        for order in orders(of: values.count) {
            #expect(try transcode(order.map { written[$0] }, as: [Value].self) == order.map { values[$0] })
        }
    }

    /// The order of the values in each archive, as indices.
    private func orders(of count: Int) -> [[Int]] {
        let inTurn = (0..<300).map { $0 % count }
        return [
            Array(0..<count), Array(repeating: 0, count: 300), inTurn, Array(repeating: 0, count: 150) + inTurn,
            inTurn.reversed(), Array(0..<count), [count - 1],
        ]
    }
}

/// Text that becomes `unknown` if there is no case for it.
protocol LenientText: RawRepresentable, Codable, Equatable where RawValue == String {
    static var unknown: Self { get }
}

extension LenientText {
    init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self == .unknown ? "" : rawValue)
    }
}

/// It is written and read by its former names.
protocol RenamedText: RawRepresentable, Codable where RawValue == String {
    associatedtype Former: RawRepresentable, Codable where Former.RawValue == String
    init(former: Former)
    var former: Former { get }
}

extension RenamedText {
    init(from decoder: any Decoder) throws { self.init(former: try Former(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try former.encode(to: encoder) }
}
