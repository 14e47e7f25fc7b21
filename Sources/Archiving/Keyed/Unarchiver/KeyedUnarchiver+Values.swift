// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The names of the methods express two rules. `decodeInteger(forKey:)` and its counterparts follow Cocoa: an absent or
// nil value is 0 or false. `decode(_:forKey:)` throws for such a value, and `decodeIfPresent(_:forKey:)` returns nil.

// MARK: - An absent value is 0

extension KeyedUnarchiver {
    /// Returns the Boolean value under the key, or `false` if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type.
    public func decodeBool(forKey name: String) throws -> Bool {
        try leaf(name) { $1.booleanLeaf(at: $0) } ?? scalar(name, else: false) { try bool($0, $1) }
    }

    /// Returns the integer under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeInteger(forKey name: String) throws -> Int {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: 0) { try integer($0, $1) }
    }

    /// Returns the number under the key rounded to 32 bits, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if it is too large for 32 bits, `typeMismatch` if the value
    ///   has another type.
    public func decodeFloat(forKey name: String) throws -> Float {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: 0) { try real($0, $1) }
    }

    /// Returns the number under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if it is an integer that `Double` cannot represent,
    ///   `typeMismatch` if the value has another type.
    public func decodeDouble(forKey name: String) throws -> Double {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: 0) { try real($0, $1) }
    }

    /// Decodes bytes for a key, or the object's next value without a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - minimumLength: The least number of bytes to accept.
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type, `damaged` if it has fewer bytes.
    public func decodeBytes(forKey name: String? = nil, minimumLength: Int = 0) throws -> [UInt8]? {
        try decodeLeafIfPresent(name) { try $0.bytes($1, $2, minimumLength: minimumLength) }
    }
}

// MARK: - Points, sizes and rectangles

/// Decodes geometry: the string for a key, or the object's next numbers without a key. The next value without a key can be
/// such a string, too. If there is no value, or it is nil, the numbers are 0.
extension KeyedUnarchiver {
    /// Decodes a point for a key, or the object's next values without a key.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type.
    public func decodePoint(forKey name: String? = nil) throws -> (x: Double, y: Double) {
        let numbers = try numbers(name, of: .point)
        return (numbers[0], numbers[1])
    }

    /// Decodes a size for a key, or the object's next values without a key.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type.
    public func decodeSize(forKey name: String? = nil) throws -> (width: Double, height: Double) {
        let numbers = try numbers(name, of: .size)
        return (numbers[0], numbers[1])
    }

    /// Decodes a rectangle for a key, or the object's next values without a key.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type.
    public func decodeRect(forKey name: String? = nil) throws -> (x: Double, y: Double, width: Double, height: Double) {
        let numbers = try numbers(name, of: .rect)
        return (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    private func numbers(_ name: String?, of kind: Geometry.Kind) throws -> [Double] {
        guard let name else { return try nextNumbers(kind.count) }
        return try scalar(name, else: Array(repeating: 0, count: kind.count)) { try numbers($0, $1, of: kind) }
    }
}
