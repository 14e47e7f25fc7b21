// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The possible values under a key, by a name.
enum ArchivedKind: String, CaseIterable, Sendable {
    case no, yes, zero, one, negative, thousand, int128, largestInteger, half, huge, infinity, float, text, digits,
        null, data, bytes, date, url, point, item, items, dictionary, set, box

    func encode(to archiver: KeyedArchiver) throws {
        switch self {
        case .no: archiver.encode(false, forKey: rawValue)
        case .yes: archiver.encode(true, forKey: rawValue)
        case .zero: archiver.encode(0, forKey: rawValue)
        case .one: archiver.encode(1, forKey: rawValue)
        case .negative: archiver.encode(-1, forKey: rawValue)
        case .thousand: archiver.encode(1000, forKey: rawValue)
        case .int128: archiver.encode(Int128.max, forKey: rawValue)
        case .largestInteger: archiver.encode(UInt128.max, forKey: rawValue)
        case .half: archiver.encode(0.5, forKey: rawValue)
        case .huge: archiver.encode(1e300, forKey: rawValue)
        case .infinity: archiver.encode(-Double.infinity, forKey: rawValue)
        case .float: archiver.encode(Float(0.1), forKey: rawValue)
        case .text: archiver.encode("text", forKey: rawValue)
        case .digits: archiver.encode("1", forKey: rawValue)
        case .null: archiver.encodeNil(forKey: rawValue)
        case .data: archiver.encode(Data([1, 2]), forKey: rawValue)
        case .bytes: archiver.encodeBytes([3, 4], forKey: rawValue)
        case .date: archiver.encode(Date(timeIntervalSinceReferenceDate: 60), forKey: rawValue)
        case .url: try archiver.encode(#require(URL(string: "https://example.org/")), forKey: rawValue)
        case .point: archiver.encodePoint(x: 1, y: 2.5, forKey: rawValue)
        case .item: try archiver.encode(CodedItem("item", 5), forKey: rawValue)
        case .items: try archiver.encode([CodedItem("a", 1), CodedItem("b", 2)], forKey: rawValue)
        case .dictionary: try archiver.encode(["k": CodedItem("c", 3)], forKey: rawValue)
        case .set: try archiver.encode(Set([HashedItem("d")]), forKey: rawValue)
        case .box: try archiver.encode(CodedBox(item: CodedItem("e", 4), title: "box"), forKey: rawValue)
        }
    }

    /// Words that an error about it has to have.
    var words: [String] {
        switch self {
        case .no: ["the Bool false"]
        case .yes: ["the Bool true"]
        case .zero: ["the integer 0"]
        case .one: ["the integer 1"]
        case .negative: ["the integer -1"]
        case .thousand: ["the integer 1000"]
        case .int128: ["the integer 170141183460469231731687303715884105727"]
        case .largestInteger: ["340282366920938463463374607431768211455"]
        case .half: ["the number 0.5"]
        case .huge: ["the number 1e+300"]
        case .infinity: ["the number -inf"]
        case .float: ["the number 0.1"]
        case .text: ["the string \"text\""]
        case .digits: ["the string \"1\""]
        case .null: ["nil"]
        case .data, .bytes: ["data of 2 bytes"]
        case .date: ["NSDate"]
        case .url: ["NSURL"]
        case .point: ["the string \"{1, 2.5}\""]
        case .item: ["CodedItem"]
        case .items: ["NSArray"]
        case .dictionary: ["NSDictionary"]
        case .set: ["NSSet"]
        case .box: ["CodedBox"]
        }
    }
}

/// The possible requests, and their results as text.
enum Requested: String, CaseIterable, Sendable {
    case bool, int, int8, uint8, uint64, int128, uint128, double, float, string, data, date, point, item, items,
        dictionary

    /// What `decode(_:forKey:)` gives.
    func decode(_ key: String, from unarchiver: KeyedUnarchiver) throws -> String {
        switch self {
        case .bool: "\(try unarchiver.decode(Bool.self, forKey: key))"
        case .int: "\(try unarchiver.decode(Int.self, forKey: key))"
        case .int8: "\(try unarchiver.decode(Int8.self, forKey: key))"
        case .uint8: "\(try unarchiver.decode(UInt8.self, forKey: key))"
        case .uint64: "\(try unarchiver.decode(UInt64.self, forKey: key))"
        case .int128: "\(try unarchiver.decode(Int128.self, forKey: key))"
        case .uint128: "\(try unarchiver.decode(UInt128.self, forKey: key))"
        case .double: "\(try unarchiver.decode(Double.self, forKey: key))"
        case .float: "\(try unarchiver.decode(Float.self, forKey: key))"
        case .string: try unarchiver.decode(String.self, forKey: key)
        case .data: "\(Array(try unarchiver.decode(Data.self, forKey: key)))"
        case .date: "\(try unarchiver.decode(Date.self, forKey: key).timeIntervalSinceReferenceDate)"
        case .point: "\(try unarchiver.decodePoint(forKey: key))"
        case .item: try unarchiver.decode(CodedItem.self, forKey: key).name
        case .items: try unarchiver.decode([CodedItem].self, forKey: key).map(\.name).joined(separator: " ")
        case .dictionary: "\(try unarchiver.decode([String: CodedItem].self, forKey: key).mapValues(\.name))"
        }
    }

    /// The result of the method that decodes a missing value as 0 or nil; nil if there is no such method or no difference.
    func decodeCocoa(_ key: String, from unarchiver: KeyedUnarchiver) throws -> String? {
        switch self {
        case .bool: "\(try unarchiver.decodeBool(forKey: key))"
        case .int: "\(try unarchiver.decodeInteger(forKey: key))"
        case .int8: "\(try unarchiver.decodeIfPresent(Int8.self, forKey: key) ?? 0)"
        case .uint8: "\(try unarchiver.decodeIfPresent(UInt8.self, forKey: key) ?? 0)"
        case .uint64: "\(try unarchiver.decodeIfPresent(UInt64.self, forKey: key) ?? 0)"
        case .int128: "\(try unarchiver.decodeIfPresent(Int128.self, forKey: key) ?? 0)"
        case .uint128: "\(try unarchiver.decodeIfPresent(UInt128.self, forKey: key) ?? 0)"
        case .double: "\(try unarchiver.decodeDouble(forKey: key))"
        case .float: "\(try unarchiver.decodeFloat(forKey: key))"
        case .string: try unarchiver.decodeIfPresent(String.self, forKey: key)
        case .data: try unarchiver.decodeIfPresent(Data.self, forKey: key).map { "\(Array($0))" }
        case .date:
            try unarchiver.decodeIfPresent(Date.self, forKey: key).map { "\($0.timeIntervalSinceReferenceDate)" }
        case .point: "\(try unarchiver.decodePoint(forKey: key))"
        case .item: try unarchiver.decodeIfPresent(CodedItem.self, forKey: key)?.name
        case .items:
            try unarchiver.decodeIfPresent([CodedItem].self, forKey: key)?.map(\.name).joined(separator: " ")
        case .dictionary:
            try unarchiver.decodeIfPresent([String: CodedItem].self, forKey: key).map { "\($0.mapValues(\.name))" }
        }
    }

    static let integers: [Requested] = [.int, .int8, .uint8, .uint64, .int128, .uint128]

    /// What is given for nil by Cocoa's rule.
    var fallback: String? {
        switch self {
        case .bool: "false"
        case .int, .int8, .uint8, .uint64, .int128, .uint128: "0"
        case .double, .float: "0.0"
        case .point: "(x: 0.0, y: 0.0)"
        default: nil
        }
    }
}

@Suite(.inTurn)
struct `A requested type` {
    enum Outcome: Equatable {
        case value(String)
        case error(String)
    }

    /// The rule: a number to any type that holds it, a real to the nearest Float, a Bool from 0 and 1, a date as its seconds, a URL as
    /// its text, everything else as what it is.
    private static func outcome(_ kind: ArchivedKind, as requested: Requested) -> Outcome {
        switch (kind, requested) {
        case (.null, .point): .value("(x: 0.0, y: 0.0)")
        case (.null, _): .error("valueNotFound")
        case (.no, .bool), (.zero, .bool): .value("false")
        case (.yes, .bool), (.one, .bool): .value("true")
        case (.zero, _) where Requested.integers.contains(requested): .value("0")
        case (.one, _) where Requested.integers.contains(requested): .value("1")
        case (.negative, .int), (.negative, .int8), (.negative, .int128): .value("-1")
        case (.negative, .uint8), (.negative, .uint64), (.negative, .uint128): .error("numberOutOfRange")
        case (.thousand, .int8), (.thousand, .uint8): .error("numberOutOfRange")
        case (.thousand, _) where Requested.integers.contains(requested): .value("1000")
        case (.int128, .int128), (.int128, .uint128): .value("\(Int128.max)")
        case (.largestInteger, .uint128), (.largestInteger, .string): .value("\(UInt128.max)")
        case (.int128, _) where Requested.integers.contains(requested): .error("numberOutOfRange")
        // Digits as a string, the form of numbers above those of the format.
        case (.largestInteger, _) where Requested.integers.contains(requested): .error("typeMismatch")
        case (.zero, .double), (.zero, .float): .value("0.0")
        case (.one, .double), (.one, .float): .value("1.0")
        case (.negative, .double), (.negative, .float): .value("-1.0")
        case (.thousand, .double), (.thousand, .float): .value("1000.0")
        case (.int128, .double): .value("\(Double(Int128.max))")
        case (.int128, .float): .value("\(Float(Int128.max))")
        case (.half, _), (.huge, _), (.infinity, _), (.float, _):
            outcome(ofReal: kind, as: requested)
        case (.text, .string): .value("text")
        case (.digits, .string): .value("1")
        case (.point, .string): .value("{1, 2.5}")
        case (.point, .point): .value("(x: 1.0, y: 2.5)")
        case (.data, .data): .value("[1, 2]")
        case (.bytes, .data): .value("[3, 4]")
        case (.date, .date), (.date, .double), (.date, .float): .value("60.0")
        case (.date, _) where Requested.integers.contains(requested): .value("60")
        case (.url, .string): .value("https://example.org/")
        case (.item, .item): .value("item")
        case (.items, .items): .value("a b")
        case (.dictionary, .dictionary): .value("[\"k\": \"c\"]")
        // An object of another class, rather than no object.
        case (_, .item) where [.date, .url, .items, .dictionary, .set, .box].contains(kind): .error("classNotAllowed")
        // Its elements are none.
        case (.set, .items): .error("classNotAllowed")
        default: .error("typeMismatch")
        }
    }

    private static func outcome(ofReal kind: ArchivedKind, as requested: Requested) -> Outcome {
        switch (kind, requested) {
        case (.half, .double), (.half, .float): .value("0.5")
        case (.huge, .double): .value("1e+300")
        case (.huge, .float): .error("numberOutOfRange")
        case (.infinity, .double), (.infinity, .float): .value("-inf")
        case (.float, .float): .value("0.1")
        // The same number, seen with more digits.
        case (.float, .double): .value("0.10000000149011612")
        case _ where Requested.integers.contains(requested): .error("numberOutOfRange")
        default: .error("typeMismatch")
        }
    }

    private static func data() throws -> Data {
        try KeyedPlace.object.archive { archiver in
            for kind in ArchivedKind.allCases { try kind.encode(to: archiver) }
        }
    }

    @Test(arguments: Requested.allCases)
    func `is the stored value, or the error describes that value and its place`(requested: Requested) throws {
        try KeyedPlace.object.read(Self.data()) { unarchiver throws in
            for kind in ArchivedKind.allCases {
                let expected = Self.outcome(kind, as: requested)
                let outcome: Outcome
                do {
                    outcome = .value(try requested.decode(kind.rawValue, from: unarchiver))
                } catch {
                    let error = KeyedFailure(error)
                    outcome = .error(error.code)
                    let isElement = kind == .set && requested == .items
                    #expect(error.path == "root.\(kind.rawValue)" + (isElement ? "[0]" : ""), "\(error)")
                    #expect(error.says("\"\(error.path)\""), "\(error)")
                    if !isElement { for word in kind.words { #expect(error.says(word), "\(error)") } }
                }
                #expect(outcome == expected, "\(kind) as \(requested)")
            }
        }
    }

    @Test(arguments: Requested.allCases)
    func `is the same by Cocoa's rule, but for nil`(requested: Requested) throws {
        try KeyedPlace.object.read(Self.data()) { unarchiver throws in
            for kind in ArchivedKind.allCases {
                let key = kind.rawValue
                guard kind != .null else {
                    #expect(try requested.decodeCocoa(key, from: unarchiver) == requested.fallback)
                    continue
                }
                let outcome: Outcome
                do {
                    outcome = .value(try requested.decodeCocoa(key, from: unarchiver) ?? "nil")
                } catch {
                    outcome = .error(KeyedFailure(error).code)
                }
                #expect(outcome == Self.outcome(kind, as: requested), "\(kind) as \(requested)")
            }
        }
    }

    @Test func `is rounded where a Double becomes a Float`() throws {
        let unarchiver = try unarchiver { archiver in
            archiver.encode(0.1, forKey: "tenth")
            archiver.encode(16_777_217.0, forKey: "odd")
            archiver.encode(1e-300, forKey: "tiny")
            archiver.encode(Double(Float.greatestFiniteMagnitude), forKey: "largest")
            archiver.encode(Double.nan, forKey: "nan")
        }
        #expect(try unarchiver.decodeFloat(forKey: "tenth") == 0.1)
        #expect(try unarchiver.decodeFloat(forKey: "odd") == 16_777_216)
        #expect(try unarchiver.decodeFloat(forKey: "tiny") == 0)
        #expect(try unarchiver.decodeFloat(forKey: "largest") == .greatestFiniteMagnitude)
        #expect(try unarchiver.decodeFloat(forKey: "nan").isNaN)
    }

    @Test func `has the path from the top, with the positions in arrays and the keys of dictionaries`() throws {
        let unarchiver = try unarchiver { archiver in
            try archiver.encodeObject([CodedItem("a", 1), "text"] as [Any], forKey: "mixed")
            try archiver.encodeObject(["k": CodedItem("a", 1), "t": 5] as [String: Any], forKey: "named")
            try archiver.encode(
                Scribe { archiver in
                    try archiver.encode([Scribe { $0.encode("x", forKey: "number") }], forKey: "inner")
                }, forKey: "outer")
        }
        let mixed = try keyedFailure { try unarchiver.decode([CodedItem].self, forKey: "mixed") }
        #expect(mixed.code == "typeMismatch")
        #expect(mixed.path == "mixed[1]")
        #expect(mixed.says("the string \"text\""))
        let named = try keyedFailure { try unarchiver.decode([String: CodedItem].self, forKey: "named") }
        #expect(named.code == "typeMismatch")
        #expect(named.path == "named.t")
        #expect(named.says("the integer 5"))
        unarchiver.userInfo[ScribeReader.key] = ScribeReader { coder throws in
            if coder.containsValue(forKey: "inner") { _ = try coder.decode([Scribe].self, forKey: "inner") }
            _ = try coder.decodeInteger(forKey: "number")
        }
        let deep = try keyedFailure { try unarchiver.decode(Scribe.self, forKey: "outer") }
        #expect(deep.code == "typeMismatch")
        #expect(deep.path == "outer.inner[0].number")
        #expect(deep.says("the string \"x\"", "\"outer.inner[0].number\"", "Int"))
    }

    @Test func `may be out of range inside an array as well`() throws {
        let unarchiver = try unarchiver { try $0.encode([1, 300], forKey: "numbers") }
        let error = try keyedFailure { try unarchiver.decode([Int8].self, forKey: "numbers") }
        #expect(error.code == "numberOutOfRange")
        #expect(error.path == "numbers[1]")
        #expect(error.says("300", "Int8"))
    }
}
