#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The names of the methods express two rules. `decodeInteger(forKey:)` and its counterparts follow Cocoa: an absent or
// nil value is 0 or false. `decode(_:forKey:)` throws for such a value, and `decodeIfPresent(_:forKey:)` returns
// nil.
//
// With both rules, an integer is decoded from an integer of any width; if it does not fit, the coder throws. A real
// number is decoded from either width and rounded to the narrower one. Integers are not decoded as real numbers, nor
// real numbers as integers. A Boolean value is decoded from a Boolean value, or from the integers 0 and 1.

// MARK: - An absent value is 0

extension KeyedUnarchiver {
    /// Returns the Boolean value under the key, or `false` if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeBool(forKey name: String) throws -> Bool {
        try leaf(name) { $1.booleanLeaf(at: $0) } ?? scalar(name, else: false) { try bool($0, $1) }
    }

    /// Returns the integer under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeInteger(forKey name: String) throws -> Int {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: 0) { try integer($0, $1) }
    }

    /// Returns the number under the key rounded to 32 bits, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if it is too large for 32 bits, `typeMismatch` if the value
    ///   has another type.
    public func decodeFloat(forKey name: String) throws -> Float {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: 0) { try real($0, $1) }
    }

    /// Returns the number under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if it is an integer that `Double` cannot represent,
    ///   `typeMismatch` if the value has another type.
    public func decodeDouble(forKey name: String) throws -> Double {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: 0) { try real($0, $1) }
    }

    /// Returns the bytes under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - minimumLength: The least number of bytes to accept.
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `damaged` if it has fewer bytes.
    public func decodeBytes(forKey name: String, minimumLength: Int = 0) throws -> [UInt8]? {
        try scalar(name, else: nil) { try bytes($0, $1, minimumLength: minimumLength) }
    }
}

// MARK: - Points, sizes and rectangles

extension KeyedUnarchiver {
    /// Returns the point under the key, or (0, 0) if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodePoint(forKey name: String) throws -> (x: Double, y: Double) {
        try scalar(name, else: (0, 0)) { try point($0, $1) }
    }

    /// Returns the size under the key, or (0, 0) if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeSize(forKey name: String) throws -> (width: Double, height: Double) {
        try scalar(name, else: (0, 0)) { try size($0, $1) }
    }

    /// Returns the rectangle under the key, or one of size (0, 0) at (0, 0) if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeRect(forKey name: String) throws -> (x: Double, y: Double, width: Double, height: Double) {
        try scalar(name, else: (0, 0, 0, 0)) { try rect($0, $1) }
    }

    /// Returns the point in the next two values without a key, or in the next one if it is a string; (0, 0) if there is
    /// none.
    ///
    /// - Throws: As `decodePoint(forKey:)`.
    public func decodePoint() throws -> (x: Double, y: Double) {
        let numbers = try nextNumbers(2)
        return (numbers[0], numbers[1])
    }

    /// Returns the size in the next two values without a key, or in the next one if it is a string; (0, 0) if there is
    /// none.
    ///
    /// - Throws: As `decodeSize(forKey:)`.
    public func decodeSize() throws -> (width: Double, height: Double) {
        let numbers = try nextNumbers(2)
        return (numbers[0], numbers[1])
    }

    /// Returns the rectangle in the next four values without a key, or in the next one if it is a string; one of size
    /// (0, 0) at (0, 0) if there is none.
    ///
    /// - Throws: As `decodeRect(forKey:)`.
    public func decodeRect() throws -> (x: Double, y: Double, width: Double, height: Double) {
        let numbers = try nextNumbers(4)
        return (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Returns the next value without a key, as bytes, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: As `decodeBytes(forKey:minimumLength:)`.
    public func decodeBytes(minimumLength: Int = 0) throws -> [UInt8]? {
        try nextScalar(else: nil) { try bytes($0, $1, minimumLength: minimumLength) }
    }
}
