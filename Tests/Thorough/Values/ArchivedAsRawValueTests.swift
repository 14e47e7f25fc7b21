// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct `A type archived as its raw value` {
    // Each type is there twice: with its own coding, and with the promise.

    enum Species: String, Codable, CaseIterable, ArchiveDescribing {
        case cow, duck
        case hen = "Gallus gallus domesticus"
        case null = "$null"
        case umlaut = "Höhlenbär"

        static var archiveName: String { "Case" }
    }
    enum PromisedSpecies: String, Codable, CaseIterable, ArchivedAsRawValue {
        case cow, duck
        case hen = "Gallus gallus domesticus"
        case null = "$null"
        case umlaut = "Höhlenbär"

        static var archiveName: String { "Case" }
    }

    enum Level: Int, Codable, CaseIterable, ArchiveDescribing {
        case low = -3
        case zero = 0
        case one
        case top = 5_000_000_000

        static var archiveName: String { "Case" }
    }
    enum PromisedLevel: Int, Codable, CaseIterable, ArchivedAsRawValue {
        case low = -3
        case zero = 0
        case one
        case top = 5_000_000_000

        static var archiveName: String { "Case" }
    }

    enum Tiny: UInt8, Codable, CaseIterable, ArchiveDescribing {
        case none, some
        case most = 255

        static var archiveName: String { "Case" }
    }
    enum PromisedTiny: UInt8, Codable, CaseIterable, ArchivedAsRawValue {
        case none, some
        case most = 255

        static var archiveName: String { "Case" }
    }

    enum Grade: Double, Codable, CaseIterable, ArchiveDescribing {
        case half = 0.5
        case one = 1

        static var archiveName: String { "Case" }
    }
    enum PromisedGrade: Double, Codable, CaseIterable, ArchivedAsRawValue {
        case half = 0.5
        case one = 1

        static var archiveName: String { "Case" }
    }

    struct Code: Codable, Hashable {
        var letters: String
        var number: Int
    }

    struct Country: RawRepresentable, Codable, Hashable, CaseIterable, ArchiveDescribing {
        static let allCases = `A type archived as its raw value`.codes.compactMap { Self(rawValue: $0) }
        static var archiveName: String { "Case" }

        var rawValue: Code

        init?(rawValue: Code) {
            guard `A type archived as its raw value`.codes.contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }

        init(from decoder: any Decoder) throws {
            let code = try decoder.singleValueContainer().decode(Code.self)
            guard let country = Self(rawValue: code) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "Cannot initialize \(Self.self) from invalid \(Code.self) value \(code)"))
            }
            self = country
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }
    struct PromisedCountry: Hashable, CaseIterable, ArchivedAsRawValue {
        static let allCases = `A type archived as its raw value`.codes.compactMap { Self(rawValue: $0) }
        static var archiveName: String { "Case" }

        var rawValue: Code

        init?(rawValue: Code) {
            guard `A type archived as its raw value`.codes.contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    private static let codes = [Code(letters: "fr", number: 33), Code(letters: "cl", number: 56)]

    /// Both types of a pair, one after the other.
    private func withPairs(_ body: (any Pair) throws -> Void) throws {
        let pairs: [any Pair] = [
            Both<Species, PromisedSpecies>(), Both<Level, PromisedLevel>(), Both<Tiny, PromisedTiny>(),
            Both<Grade, PromisedGrade>(), Both<Country, PromisedCountry>(),
        ]
        for pair in pairs { try body(pair) }
    }

    @Test func `has the bytes of its own coding`() throws {
        var sorting = ArchiveEncoder()
        sorting.outputFormatting = .sortedKeys
        var text = ArchiveEncoder()
        text.outputFormat = .xml
        for encoder in [ArchiveEncoder(), sorting, text] {
            try withPairs { try $0.expectSameBytes(encoder) }
        }
    }

    @Test func `is read from archives of its own coding`() throws {
        try withPairs { try $0.expectRead() }
    }

    @Test func `has the errors of its own coding`() throws {
        let wrong: [any Codable] = [
            "horse", 7, 300, -1, 0.25, true, Data([1]), ["cow"], ["a": 1], Code(letters: "xx", number: 0), UUID(),
            Int?.none, 1e300, UInt64.max,
        ]
        try withPairs { pair in
            for value in wrong { try pair.expectSameErrors(from: value) }
        }
    }

    @Test func `of an unknown raw value names the type and the value`() throws {
        let element = try failure(decoding: [PromisedSpecies].self, fromArchiveOf: ["cow", "cow", "horse"])
        #expect(element.kind == .dataCorrupted)
        #expect(element.path == "[2]")
        #expect(element.text == "Cannot initialize PromisedSpecies from invalid String value horse")
        let field = try failure(decoding: [String: [PromisedLevel]].self, fromArchiveOf: ["a": [0, 7]])
        #expect(field.kind == .dataCorrupted)
        #expect(field.path == "a[1]")
        #expect(field.text == "Cannot initialize PromisedLevel from invalid Int value 7")
    }

    struct Called: Error {}

    /// It breaks the promise.
    enum Broken: String, ArchivedAsRawValue {
        case open, secret

        init(from decoder: any Decoder) throws { throw Called() }
        func encode(to encoder: any Encoder) throws { throw Called() }
    }

    @Test func `is not asked for its own coding`() throws {
        let values = (0..<300).map { $0 % 2 == 0 ? Broken.open : .secret }
        #expect(try transcode(values, as: [String].self) == values.map(\.rawValue))
        #expect(try roundTrip(values) == values)
        #expect(try roundTrip(["a": Broken.secret]) == ["a": .secret])
        #expect(try roundTrip(Broken.secret) == .secret)
        #expect(try roundTrip([Broken.open, nil]) == [.open, nil])
    }

    // MARK: Types that the protocol does not affect

    final class Word: RawRepresentable, ArchivedAsRawValue {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
    }

    struct Numbered: ArchivedAsRawValue, ArchivedOnce {
        var rawValue: Int
        var id: Int { rawValue }
        init(rawValue: Int) { self.rawValue = rawValue }
    }

    enum Migrated: String, ArchivedAsRawValue, ArchiveMigrating {
        case old, new

        static let archiveMigrations: [ArchiveMigration] = []

        init(from decoder: any Decoder) throws {
            self = try decoder.singleValueContainer().decode(String.self) == "old" ? .new : .old
        }
    }

    @Test func `is still an instance, archived once, or migrated`() throws {
        let word = Word(rawValue: "a")
        let words = try roundTrip([word, word])
        #expect(words[0] === words[1])
        #expect(words[0].rawValue == "a")
        let numbered = Numbered(rawValue: 5)
        #expect(try archiveText([numbered, numbered]).contains("Numbered{"))
        #expect(try roundTrip([numbered, numbered]).map(\.rawValue) == [5, 5])
        #expect(try transcode(["old", "new"], as: [Migrated].self) == [.new, .old])
    }
}

// MARK: - Pairs

private protocol Pair {
    func expectSameBytes(_ encoder: ArchiveEncoder) throws
    func expectRead() throws
    func expectSameErrors(from value: some Codable) throws
}

private typealias Case = CaseIterable & Codable & Hashable & RawRepresentable

/// A value in every place.
private struct Fields<Value: Case>: Codable, ArchiveDescribing, Equatable where Value.RawValue: Hashable {
    static var archiveName: String { "Fields" }

    var value: Value
    var optional: Value?
    var none: Value?
    var list: [Value]
    var optionals: [Value?]
    var contiguous: ContiguousArray<Value>
    var lists: [[Value]]
    var empty: [Value] = []
    var set: Set<Value>
    var names: [String: Value]
    var keys: [Value: Int]

    init(_ values: [Value]) {
        (value, optional, list, contiguous) = (values[0], values[1], values, ContiguousArray(values))
        (optionals, lists) = (values.map { $0 == values[0] ? nil : $0 }, [values, [], [values[0]]])
        (set, names, keys) = ([values[1]], ["name": values[1]], [values[1]: 1])
    }
}

/// The value with its class.
private struct Boxed: Encodable, ArchiveDescribing {
    static var archiveName: String { "Boxed" }

    @Polymorphic var value: any Codable
}

private struct Both<Own: Case, Promised: Case & ArchivedAsRawValue>: Pair
where Own.RawValue == Promised.RawValue, Own.RawValue: Hashable {
    /// 300 values of each of the two types.
    private var values: ([Own], [Promised]) {
        let (own, promised) = (Array(Own.allCases), Array(Promised.allCases))
        return ((0..<300).map { own[$0 % own.count] }, (0..<300).map { promised[$0 % promised.count] })
    }

    func expectSameBytes(_ encoder: ArchiveEncoder) throws {
        let (own, promised) = values
        #expect(own.map(\.rawValue) == promised.map(\.rawValue))
        #expect(try encoder.encode(own) == encoder.encode(promised))
        #expect(try encoder.encode(own[1]) == encoder.encode(promised[1]))
        for count in [2, 5, 300] {
            let (own, promised) = (Array(own.prefix(count)), Array(promised.prefix(count)))
            #expect(try encoder.encode(Fields(own)) == encoder.encode(Fields(promised)))
        }
        #expect(try encoder.encode(Boxed(value: own[1])) == encoder.encode(Boxed(value: promised[1])))
    }

    func expectRead() throws {
        let (own, promised) = values
        for count in [2, 5, 300] {
            let fields = Fields(Array(own.prefix(count)))
            #expect(try transcode(fields, as: Fields<Promised>.self) == Fields(Array(promised.prefix(count))))
        }
        #expect(try transcode(own[1], as: Promised.self) == promised[1])
        #expect(try transcode(own, as: [Promised].self) == promised)
        #expect(try transcode(promised, as: [Own].self) == own)
    }

    func expectSameErrors(from value: some Codable) throws {
        let (own, promised) = values
        try expectSame {
            try transcode(value, as: Own.self)
        } _: {
            try transcode(value, as: Promised.self)
        }
        let place = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(value, forKey: "value")
        }
        try expectSame {
            try transcode(place, as: [String: Own].self)
        } _: {
            try transcode(place, as: [String: Promised].self)
        }
        let list = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for value in own.prefix(3) { try container.encode(value) }
            try container.encode(value)
        }
        try expectSame {
            try transcode(list, as: [Own].self)
        } _: {
            try transcode(list, as: [Promised].self)
        }
        #expect(own.count == promised.count)
    }

    /// Expects that both decode the same, or fail with the same error.
    private func expectSame(_ own: () throws -> some Any, _ promised: () throws -> some Any) throws {
        #expect(result(own) == result(promised))
    }

    private func result(_ body: () throws -> some Any) -> String {
        do {
            return "\(try body())".replacing("\(Promised.self)", with: "\(Own.self)")
        } catch {
            return "\(CodingFailure(error))".replacing("\(Promised.self)", with: "\(Own.self)")
        }
    }
}
