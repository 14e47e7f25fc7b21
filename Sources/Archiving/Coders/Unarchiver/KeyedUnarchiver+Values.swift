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

    /// Decodes bytes for a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - minimumLength: The least number of bytes to accept.
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type, `damaged` if it has fewer bytes.
    public func decodeBytes(forKey name: String, minimumLength: Int = 0) throws -> [UInt8]? {
        try decodeLeafIfPresent(name) { try $0.bytes($1, $2, minimumLength: minimumLength) }
    }

    /// Decodes bytes that are the object's next value without a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeBytes(forKey:minimumLength:)`.
    public func decodeNextBytes(minimumLength: Int = 0) throws -> [UInt8]? {
        try decodeLeafIfPresent(nil) { try $0.bytes($1, $2, minimumLength: minimumLength) }
    }
}

// MARK: - Points, sizes and rectangles

/// Decodes geometry: the string for a key, or the object's next numbers without a key. The next value without a key can be
/// such a string, too. If there is no value, or it is nil, the numbers are 0. A value of another type is the error
/// `ArchivingError.Code.typeMismatch`.
extension KeyedUnarchiver {
    /// Decodes a point for a key.
    public func decodePoint(forKey name: String) throws -> (x: Double, y: Double) {
        try pair(numbers(name, of: .point))
    }

    /// Decodes a point: the object's next values without a key.
    public func decodeNextPoint() throws -> (x: Double, y: Double) { try pair(nextNumbers(2)) }

    /// Decodes a size for a key.
    public func decodeSize(forKey name: String) throws -> (width: Double, height: Double) {
        try pair(numbers(name, of: .size))
    }

    /// Decodes a size: the object's next values without a key.
    public func decodeNextSize() throws -> (width: Double, height: Double) { try pair(nextNumbers(2)) }

    /// Decodes a rectangle for a key.
    public func decodeRect(forKey name: String) throws -> (x: Double, y: Double, width: Double, height: Double) {
        try four(numbers(name, of: .rect))
    }

    /// Decodes a rectangle: the object's next values without a key.
    public func decodeNextRect() throws -> (x: Double, y: Double, width: Double, height: Double) {
        try four(nextNumbers(4))
    }

    private func numbers(_ name: String, of kind: Geometry.Kind) throws -> [Double] {
        try scalar(name, else: Array(repeating: 0, count: kind.count)) { try numbers($0, $1, of: kind) }
    }

    private func pair(_ numbers: [Double]) -> (Double, Double) { (numbers[0], numbers[1]) }

    private func four(_ numbers: [Double]) -> (Double, Double, Double, Double) {
        (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}
