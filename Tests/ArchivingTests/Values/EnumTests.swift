// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct `An enumeration` {
    enum Species: String, Codable, CaseIterable {
        case cow, duck
        case hen = "Gallus gallus domesticus"
    }

    enum Level: Int, Codable {
        case low = -1
        case middle
        case high = 1_000_000
    }

    enum Grade: Double, Codable {
        case half = 0.5
        case one = 1
    }

    indirect enum Expression: Codable, Equatable {
        case number(Int)
        case named(String, value: Double)
        case sum(Expression, Expression)
        case optional(Int?)
        case nothing
    }

    @Test func `with raw values is its raw value`() throws {
        struct Fields: Codable { var species = Species.hen, level = Level.high, grade = Grade.half }
        #expect(
            try archiveText(Fields())
                == #"Fields{species: @"Gallus gallus domesticus", level: 1000000, grade: 0.5}"#)
        #expect(try archiveText([Species.cow, .duck, .cow]) == #"NSArray[@"cow", @"duck", @"cow"]"#)
        #expect(try archiveText([Level.low, .middle, .low]) == "NSArray[@-1, @0, @-1]")
        #expect(try archiveText([Grade.one, .half]) == "NSArray[@1.0, @0.5]")
    }

    @Test func `with raw values comes back, in any order and number`() throws {
        let species = (0..<100).map { (index: Int) in Species.allCases[(index * index + index / 7) % 3] }
        #expect(try roundTrip(species) == species)
        #expect(try roundTrip([Level.high, .low, .middle, .low]) == [.high, .low, .middle, .low])
        #expect(try roundTrip([Grade.one, .half, .one]) == [.one, .half, .one])
        #expect(try roundTrip(["a": Species.duck, "b": .cow, "c": .duck]) == ["a": .duck, "b": .cow, "c": .duck])
    }

    @Test func `with the same raw values as another is not taken for it`() throws {
        enum Reversed: String, Codable { case duck, cow }
        struct Fields: Codable, Equatable {
            var first = [Species.cow, .duck, .cow]
            var second = [Reversed.cow, .duck, .cow]
            var text = ["cow", "duck"]
            var inline = Species.duck
            var other = Reversed.duck
        }
        #expect(try roundTrip(Fields()) == Fields())
    }

    @Test(arguments: ["horse", "Cow", ""])
    func `without a case for a raw value fails, as the standard library has it`(raw: String) throws {
        let error = try failure(decoding: [Species].self, fromArchiveOf: ["cow", "cow", raw])
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "[2]")
    }

    @Test func `with raw values is not nil`() throws {
        for values in [["cow", nil], ["cow", "duck", "hen", nil, "cow"]] as [[String?]] {
            let error = try failure(decoding: [Species].self, fromArchiveOf: values)
            #expect(error.kind == .valueNotFound || error.kind == .dataCorrupted)
        }
        let levels = try failure(decoding: [Level].self, fromArchiveOf: [0, 0, nil] as [Int?])
        #expect(levels.kind == .valueNotFound)
        #expect(levels.path == "[2]")
    }

    @Test func `with raw values is wrapped in optionals`() throws {
        struct Fields: Codable, Equatable {
            var some: Species? = .duck
            var none: Species?
            var list: [Species?] = [.cow, nil, .cow, nil]
        }
        #expect(try archiveText(Fields()) == #"Fields{some: @"duck", list: NSArray[@"cow", #1=NSNull{}, @"cow", #1]}"#)
        #expect(try roundTrip(Fields()) == Fields())
    }

    @Test func `with payloads nests as the standard library lays it out`() throws {
        #expect(try archiveText(Expression.number(5)) == "Expression{number: Expression{_0: 5}}")
        #expect(
            try archiveText(Expression.named("pi", value: 3.25))
                == #"Expression{named: Expression{_0: @"pi", value: 3.25}}"#)
        #expect(try archiveText(Expression.nothing) == "Expression{nothing: Expression{}}")
        #expect(try archiveText(Expression.optional(nil)) == "Expression{optional: Expression{}}")
        #expect(
            try archiveText(Expression.sum(.number(1), .nothing))
                == "Expression{sum: Expression{_0: Expression{number: Expression{_0: 1}}, "
                + "_1: Expression{nothing: Expression{}}}}")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `with payloads comes back`(format: PropertyListFormat) throws {
        let values: [Expression] = [
            .number(5), .named("", value: -0.5), .nothing, .optional(nil), .optional(7),
            .sum(.sum(.number(1), .nothing), .named("x", value: 1)),
        ]
        #expect(try roundTrip(values, format: format) == values)
    }

    @Test func `without payloads and raw values is an object with the case's key`() throws {
        enum Plain: Codable, Equatable { case first, second }
        #expect(try archiveText(Plain.second) == "Plain{second: Plain{}}")
        let values = [Plain.first, .second, .second, .first]
        #expect(try roundTrip(values) == values)
    }

    @Test func `with an unknown case, none or two, fails`() throws {
        for fields in [["third": [String: Int]()], [:], ["nothing": [:], "number": ["_0": 1]]] {
            let error = try failure(decoding: [Expression].self, fromArchiveOf: [fields])
            #expect(error.kind == .typeMismatch)
            #expect(error.path == "[0]")
        }
        let missing = try failure(decoding: Expression.self, fromArchiveOf: ["number": ["_1": 1]])
        #expect(missing.kind == .keyNotFound)
        #expect(missing.key == "_0")
        #expect(missing.path == "number")
    }

    /// An object for one case, nil for the other.
    enum Odd: Int, Codable {
        case a = 1
        case b = 2

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .a:
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(rawValue, forKey: "a")
            case .b:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }
    }

    @Test func `with its own encoding is asked each time, also after another that is a leaf`() throws {
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Species.cow)
            for odd in [Odd.a, .b, .a] { try container.encode(odd) }
        }
        #expect(try archiveText(value) == #"Encoding[@"cow", Odd{a: 1}, NSNull{}, Odd{a: 1}]"#)
        struct Fields: Encodable {
            var species = Species.duck
            var first = Odd.a
            var second = Odd.a
        }
        #expect(try archiveText(Fields()) == #"Fields{species: @"duck", first: Odd{a: 1}, second: Odd{a: 1}}"#)
        #expect(try archiveText([Odd.a, .b, .a]) == "NSArray[Odd{a: 1}, NSNull{}, Odd{a: 1}]")
        enum Failing: Int, Encodable {
            case fine, failing
            struct Failure: Error {}
            func encode(to encoder: any Encoder) throws {
                if self == .failing { throw Failure() }
                var container = encoder.singleValueContainer()
                try container.encode("fine")
            }
        }
        #expect(throws: Failing.Failure.self) {
            try ArchiveEncoder().encode([Failing.fine, .fine, .failing])
        }
        #expect(try archiveText([Failing.fine, .fine]) == #"NSArray[@"fine", @"fine"]"#)
    }

    /// Its raw values are moved by a number that changes from archive to archive.
    enum Moved: Int, Codable {
        case zero, one, two, three

        static let distance = Mutex(0)

        init(from decoder: any Decoder) throws {
            let number = try decoder.singleValueContainer().decode(Int.self)
            guard let value = Moved(rawValue: number + Moved.distance.withLock { $0 }) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(number)"))
            }
            self = value
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue - Moved.distance.withLock { $0 })
        }
    }

    /// It lets another enumeration be coded in its place.
    enum Forwarding: String, Codable {
        case bull, drake

        static let isSwapped = Mutex(false)

        init(from decoder: any Decoder) throws {
            let isCow = try Species(from: decoder) == .cow
            self = isCow != Forwarding.isSwapped.withLock { $0 } ? .bull : .drake
        }

        func encode(to encoder: any Encoder) throws {
            let isCow = (self == .bull) != Forwarding.isSwapped.withLock { $0 }
            try (isCow ? Species.cow : .duck).encode(to: encoder)
        }
    }

    /// It still reads a raw value that it no longer writes.
    enum Plan: String, Codable {
        case free, pro, legacyPro

        static let calls = Mutex((decoding: 0, encoding: 0))

        private enum Stored: String, Codable { case free, pro, legacyPro }

        init(from decoder: any Decoder) throws {
            Self.calls.withLock { $0.decoding += 1 }
            switch try Stored(from: decoder) {
            case .free: self = .free
            case .pro, .legacyPro: self = .pro
            }
        }

        func encode(to encoder: any Encoder) throws {
            Self.calls.withLock { $0.encoding += 1 }
            try (self == .free ? Stored.free : .pro).encode(to: encoder)
        }
    }

    @Test func `with its own coding is asked once for each value`() throws {
        for count in [3, 600, 3, 600] {
            // Most are those whose own coding equals the standard library's.
            let texts = (0..<count).map { $0 < count / 2 ? "free" : ["free", "pro", "legacyPro"][$0 % 3] }
            let plans = try transcode(texts, as: [Plan].self)
            #expect(plans == texts.map { $0 == "free" ? .free : .pro })
            let written = plans.map { $0 == .free ? Plan.free : .legacyPro }
            #expect(try transcode(written, as: [String].self) == plans.map { $0 == .free ? "free" : "pro" })
            let calls = Plan.calls.withLock { calls in
                defer { calls = (0, 0) }
                return calls
            }
            #expect(calls == (count, count))
        }
    }

    @Test func `with its own coding is asked in every archive`() throws {
        for distance in Array(repeating: 0, count: 8) + [1, 2, 0, 1] {
            Moved.distance.withLock { $0 = distance }
            #expect(try archiveText([Moved.two, .three]) == "NSArray[@\(2 - distance), @\(3 - distance)]")
            let moved = try ArchiveDecoder().decode([Moved].self, from: ArchiveEncoder().encode([0, 1]))
            #expect(moved.map(\.rawValue) == [distance, 1 + distance])
        }
        for isSwapped in Array(repeating: false, count: 8) + [true, false, true] {
            Forwarding.isSwapped.withLock { $0 = isSwapped }
            let texts = isSwapped ? #"@"duck", @"cow""# : #"@"cow", @"duck""#
            #expect(try archiveText([Forwarding.bull, .drake]) == "NSArray[\(texts)]")
            let data = try ArchiveEncoder().encode([Species.cow, .duck])
            #expect(
                try ArchiveDecoder().decode([Forwarding].self, from: data)
                    == (isSwapped ? [.drake, .bull] : [.bull, .drake]))
        }
    }

    @Test func `that was renamed is read by either raw value in every archive`() throws {
        enum Renamed: RawRepresentable, Codable {
            case pony, foal

            init?(rawValue: String) {
                switch rawValue {
                case "pony", "horse": self = .pony
                case "foal": self = .foal
                default: return nil
                }
            }

            var rawValue: String {
                switch self {
                case .pony: "pony"
                case .foal: "foal"
                }
            }
        }
        for _ in 0..<8 {
            let data = try ArchiveEncoder().encode(["horse", "pony", "foal"])
            #expect(try ArchiveDecoder().decode([Renamed].self, from: data) == [.pony, .pony, .foal])
            #expect(try archiveText([Renamed.foal, .pony]) == #"NSArray[@"foal", @"pony"]"#)
            let error = try failure(decoding: [Renamed].self, fromArchiveOf: ["pony", "cow"])
            #expect(error.kind == .dataCorrupted)
            #expect(error.path == "[1]")
        }
    }

    @Test func `of 200 cases comes back case by case`() throws {
        struct Small: RawRepresentable, Codable, Hashable { var rawValue: UInt8 }
        let values = (0...255).map { Small(rawValue: $0) } + (0...255).map { Small(rawValue: 255 - $0) }
        #expect(try roundTrip(values) == values)
        struct Options: OptionSet, Codable { let rawValue: Int8 }
        let options = (Int8.min...Int8.max).map { Options(rawValue: $0) }
        #expect(try roundTrip(options + options) == options + options)
    }
}
