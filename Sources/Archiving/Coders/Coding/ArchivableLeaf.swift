// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value that is encoded without an error: a number, a string, data, a date, and an optional of these.
///
/// Numbers are stored in the entry of their object itself, as by Cocoa's `encodeInteger:forKey:`. Strings, data and dates
/// are stored in entries of their own; equal strings share one, and so do equal dates.
///
/// A number is decoded as each type that can represent it; otherwise the coder throws. <doc:CodingClasses> has the
/// conversions. An integer above `Int128.max` is stored as a string of its digits.
public protocol ArchivableLeaf: ArchivableValue {
    /// Encodes the value for a key, or as the object's next value without a key if `key` is nil.
    func encode(with coder: KeyedArchiver, forKey key: String?)
}

extension KeyedArchiver {
    /// Encodes a number, a string, data or a date for a key.
    ///
    /// ```swift
    /// coder.encode(3, forKey: "count")
    /// coder.encode(title, forKey: "title")
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - name: The key.
    @inlinable
    public func encode<Leaf: ArchivableLeaf>(_ value: Leaf, forKey name: String) {
        value.encode(with: self, forKey: name)
    }

    /// Encodes a number, a string, data or a date as the object's next value without a key. `decodeNext(_:)` decodes
    /// such values in their order.
    @inlinable
    public func encodeNext<Leaf: ArchivableLeaf>(_ value: Leaf) { value.encode(with: self, forKey: nil) }
}

// MARK: - Numbers

extension Bool: ArchivableLeaf {
    /// Encodes the value in the entry of its object.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        coder.setLeaf(key) { $0.boolean(self, inline: true) }
    }

    /// Decodes a Boolean value.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Bool {
        try coder.decodeLeaf(key, usual: { $1.booleanLeaf(at: $0) }, { try $0.cocoaBoolean($1, at: $2) })
    }

    /// Decodes a Boolean value, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Bool? {
        try coder.decodeLeafIfPresent(key, usual: { $1.booleanLeaf(at: $0) }, { try $0.cocoaBoolean($1, at: $2) })
    }
}

extension ArchivableLeaf where Self: FixedWidthInteger {
    /// Encodes the integer in the entry of its object.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        coder.setLeaf(key) { $0.integer(self, inline: true) }
    }

    /// Decodes an integer.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self {
        try coder.decodeLeaf(key, usual: { $1.integerLeaf(at: $0) }, { try $0.integer($1, at: $2) })
    }

    /// Decodes an integer, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Self? {
        try coder.decodeLeafIfPresent(key, usual: { $1.integerLeaf(at: $0) }, { try $0.integer($1, at: $2) })
    }
}

extension Int: ArchivableLeaf {
    // Integers are mostly of this type: its methods are not generic.

    /// Encodes the integer in the entry of its object.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        coder.setLeaf(key) { $0.usualInteger(Int64(self), inline: true) }
    }

    /// Decodes an integer.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Int {
        try coder.decodeLeaf(key, usual: { $1.integerLeaf(at: $0) }, { try $0.integer($1, at: $2) })
    }

    /// Decodes an integer, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Int? {
        try coder.decodeLeafIfPresent(key, usual: { $1.integerLeaf(at: $0) }, { try $0.integer($1, at: $2) })
    }
}

extension Int8: ArchivableLeaf {}
extension Int16: ArchivableLeaf {}
extension Int32: ArchivableLeaf {}
extension Int64: ArchivableLeaf {}
extension Int128: ArchivableLeaf {}
extension UInt: ArchivableLeaf {}
extension UInt8: ArchivableLeaf {}
extension UInt16: ArchivableLeaf {}
extension UInt32: ArchivableLeaf {}
extension UInt64: ArchivableLeaf {}
extension UInt128: ArchivableLeaf {}

extension Float: ArchivableLeaf {
    /// Encodes the number in the entry of its object.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        coder.setLeaf(key) { $0.real(self, inline: true) }
    }

    /// Decodes a number, which is rounded to 32 bits.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Float {
        try coder.decodeLeaf(key, usual: { $1.roundedLeaf(at: $0) }, { try $0.float($1, at: $2) })
    }

    /// Decodes a number, which is rounded to 32 bits, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Float? {
        try coder.decodeLeafIfPresent(key, usual: { $1.roundedLeaf(at: $0) }, { try $0.float($1, at: $2) })
    }
}

extension Double: ArchivableLeaf {
    /// Encodes the number in the entry of its object.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        coder.setLeaf(key) { $0.usualReal(self, inline: true) }
    }

    /// Decodes a number.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Double {
        try coder.decodeLeaf(key, usual: { $1.roundedLeaf(at: $0) }, { try $0.double($1, at: $2) })
    }

    /// Decodes a number, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Double? {
        try coder.decodeLeafIfPresent(key, usual: { $1.roundedLeaf(at: $0) }, { try $0.double($1, at: $2) })
    }
}

// MARK: - Strings, data and dates

extension String: ArchivableLeaf {
    /// Encodes the string in an entry of its own.
    public func encode(with coder: KeyedArchiver, forKey key: String?) { coder.setLeaf(key) { $0.string(self) } }

    /// Decodes a string.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> String {
        try coder.decodeLeaf(key, usual: { $1.stringLeaf(at: $0) }, { try $0.string($1, at: $2) })
    }

    /// Decodes a string, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> String? {
        try coder.decodeLeafIfPresent(key, usual: { $1.stringLeaf(at: $0) }, { try $0.string($1, at: $2) })
    }
}

extension Data: ArchivableLeaf {
    /// Encodes the data in an entry of its own.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        coder.setLeaf(key) { graph in self.withBytes { graph.data($0) } }
    }

    /// Decodes data.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Data {
        try coder.decodeLeaf(key) { Data(try $0.rawBytes($1, as: Data.self, at: $2)) }
    }

    /// Decodes data, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Data? {
        try coder.decodeLeafIfPresent(key) { Data(try $0.rawBytes($1, as: Data.self, at: $2)) }
    }
}

extension Date: ArchivableLeaf {
    /// Encodes the date in an entry of its own.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        coder.setLeaf(key) { $0.date(timeIntervalSinceReferenceDate) }
    }

    /// Decodes a date.
    public static func decode(with coder: KeyedUnarchiver, forKey key: String?) throws -> Date {
        try coder.decodeLeaf(key) { try $0.date($1, at: $2) }
    }

    /// Decodes a date, or nil.
    public static func decodeIfPresent(with coder: KeyedUnarchiver, forKey key: String?) throws -> Date? {
        try coder.decodeLeafIfPresent(key) { try $0.date($1, at: $2) }
    }
}

extension Optional: ArchivableLeaf where Wrapped: ArchivableLeaf {
    /// Encodes the value, or nil.
    public func encode(with coder: KeyedArchiver, forKey key: String?) {
        guard let self else { return coder.setLeaf(key) { _ in ArchiveGraph.null } }
        self.encode(with: coder, forKey: key)
    }
}
