// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Testing

/// A value of each type that has a method of its own.
package struct KeyedValue: Sendable, CustomTestStringConvertible {
    /// The form of the value in the archive.
    package enum Form: Sendable, Equatable {
        /// In the entry of its object.
        case inline(PropertyList)
        /// In an entry of its own, to which a uid refers.
        case leaf(PropertyList)
        /// As an object of a class of Foundation's with one field.
        case object(String, key: String, PropertyList)
        case null
    }

    package let testDescription: String
    package let form: Form
    /// Encodes the value under the key, or as the next one where that is nil.
    package let encode: @Sendable (KeyedArchiver, String?) throws -> Void
    /// Whether the value under the key, or the next one where that is nil, is the one that was encoded.
    package let isBack: @Sendable (KeyedUnarchiver, String?) throws -> Bool

    package init(
        _ name: String, _ form: Form, _ encode: @escaping @Sendable (KeyedArchiver, String?) throws -> Void,
        isBack: @escaping @Sendable (KeyedUnarchiver, String?) throws -> Bool
    ) {
        testDescription = name
        self.form = form
        self.encode = encode
        self.isBack = isBack
    }
}

// MARK: - Numbers

extension KeyedValue {
    package static let bools = [true, false].map { value in
        KeyedValue("\(value)", .inline(.boolean(value))) {
            $0.encode(value, at: $1)
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNext(Bool.self) == value }
            return try unarchiver.decode(Bool.self, forKey: key) == value
                && unarchiver.decodeBool(forKey: key) == value
                && unarchiver.decodeIfPresent(Bool.self, forKey: key) == value
        }
    }

    package static let ints = [0, 1, -1, 127, 128, -129, 65_536, Int.max, Int.min].map { value in
        KeyedValue("Int \(value)", .inline(.integer(Int128(value)))) {
            $0.encode(value, at: $1)
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNext(Int.self) == value }
            return try unarchiver.decodeInteger(forKey: key) == value
        }
    }

    package static let integers = integerTypes.flatMap { extremes($0) }

    private static func extremes<Integer: FixedWidthInteger & ArchivableLeaf & Sendable>(_ type: Integer.Type)
        -> [KeyedValue]
    {
        [Integer.min, Integer.max, Integer.max / 2 + 1, 1, 0].map { value in
            let form = Int128(exactly: value).map { Form.inline(.integer($0)) }
            // 2¹²⁷ and more fit in no integer of the format.
            return KeyedValue("\(type) \(value)", form ?? .leaf(.string("\(value)"))) {
                $0.encode(value, at: $1)
            } isBack: { unarchiver, key in
                guard let key else { return try unarchiver.decodeNext(type) == value }
                return try unarchiver.decode(type, forKey: key) == value
                    && unarchiver.decodeIfPresent(type, forKey: key) == value
            }
        }
    }

    package static let doubles = [
        0.0, -0.0, 1.5, -1, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
    ].map { value in
        KeyedValue("Double \(value)", .inline(.real(value))) {
            $0.encode(value, at: $1)
        } isBack: { unarchiver, key in
            let bits = value.bitPattern
            guard let key else { return try unarchiver.decodeNext(Double.self).bitPattern == bits }
            return try unarchiver.decodeDouble(forKey: key).bitPattern == bits
                && unarchiver.decode(Double.self, forKey: key).bitPattern == bits
        }
    }

    package static let floats = [
        Float(0.0), -0.0, 1.5, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
    ].map { value in
        KeyedValue("Float \(value)", .inline(.real32(value))) {
            $0.encode(value, at: $1)
        } isBack: { unarchiver, key in
            let bits = value.bitPattern
            guard let key else { return try unarchiver.decodeNext(Float.self).bitPattern == bits }
            return try unarchiver.decodeFloat(forKey: key).bitPattern == bits
                && unarchiver.decode(Float.self, forKey: key).bitPattern == bits
        }
    }
}

// MARK: - Strings, data and dates

extension KeyedValue {
    package static let strings = [
        "", "a", "null", "NSNull", "$class", "caf\u{e9}", "\u{1f404} cow", "tab\tline\nnul\0",
        String(repeating: "0123456789", count: 10_000), String(repeating: "\u{43a}\u{43e}", count: 5_000),
    ].map { string($0, .leaf(.string($0))) }

    /// As a leaf it would mean nil.
    package static let null = string("$null", .object("NSString", key: "NS.string", "$null"))

    private static func string(_ value: String, _ form: Form) -> KeyedValue {
        KeyedValue("\"\(value.prefix(12))\"", form) {
            $0.encode(value, at: $1)
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNext(String.self) == value }
            return try unarchiver.decode(String.self, forKey: key) == value
                && unarchiver.decodeIfPresent(String.self, forKey: key) == value
        }
    }

    package static let data = [Data(), Data([0]), Data((0...255).map { UInt8($0) }), Data(count: 100_000)].map {
        value in
        KeyedValue("Data of \(value.count)", .leaf(.data(value))) {
            $0.encode(value, at: $1)
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNext(Data.self) == value }
            return try unarchiver.decode(Data.self, forKey: key) == value
                && unarchiver.decodeIfPresent(Data.self, forKey: key) == value
                && unarchiver.decodeBytes(forKey: key) == Array(value)
        }
    }

    package static let bytes = [[], [7], [UInt8](repeating: 255, count: 1000)].map { (value: [UInt8]) in
        KeyedValue("bytes \(value.count)", .inline(.data(Data(value)))) {
            if let key = $1 { $0.encodeBytes(value, forKey: key) } else { $0.encodeNextBytes(value) }
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNextBytes() == value }
            return try unarchiver.decodeBytes(forKey: key) == value
                && unarchiver.decodeBytes(forKey: key, minimumLength: value.count) == value
                && unarchiver.decode(Data.self, forKey: key) == Data(value)
        }
    }

    package static let dates = [0, 0.1, -63_114_076_800, 1e15, -0.0].map { seconds in
        let value = Date(timeIntervalSinceReferenceDate: seconds)
        return KeyedValue("Date \(seconds)", .object("NSDate", key: "NS.time", .real(seconds))) {
            $0.encode(value, at: $1)
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNext(Date.self) == value }
            return try unarchiver.decode(Date.self, forKey: key) == value
                && unarchiver.decodeIfPresent(Date.self, forKey: key) == value
        }
    }

    package static let nils = [
        KeyedValue("nil", .null) {
            if let key = $1 { $0.encodeNil(forKey: key) } else { $0.encodeNext(nil as Bool?) }
        } isBack: {
            try $0.decodeIfPresent(String.self, at: $1) == nil
        },
        KeyedValue("no string", .null) {
            $0.encode(nil as String?, at: $1)
        } isBack: {
            try $0.decodeIfPresent(String.self, at: $1) == nil
        },
        KeyedValue("no data", .null) {
            $0.encode(nil as Data?, at: $1)
        } isBack: {
            try $0.decodeIfPresent(Data.self, at: $1) == nil
        },
        KeyedValue("no date", .null) {
            $0.encode(nil as Date?, at: $1)
        } isBack: {
            try $0.decodeIfPresent(Date.self, at: $1) == nil
        },
        KeyedValue("no object", .null) {
            try $0.encode(nil as Scribe?, at: $1)
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNextIfPresent(Scribe.self) == nil }
            return try unarchiver.decodeIfPresent(Scribe.self, forKey: key) == nil
        },
        KeyedValue("no number", .null) {
            $0.encode(nil as Int?, at: $1)
        } isBack: { unarchiver, key in
            guard let key else { return try unarchiver.decodeNextIfPresent(Int.self) == nil }
            return try unarchiver.decodeInteger(forKey: key) == 0
                && unarchiver.decodeIfPresent(Int.self, forKey: key) == nil
        },
    ]

    package static let all = bools + ints + integers + doubles + floats + strings + [null] + data + bytes + dates + nils
}
