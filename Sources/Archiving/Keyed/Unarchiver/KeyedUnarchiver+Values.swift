#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Two rules, and the names say which: `decodeInteger(forKey:)` and its like follow Cocoa, where what is missing or nil is
// 0, false or nil. `decode(_:forKey:)` throws then, and `decodeIfPresent(_:forKey:)` gives nil.
//
// With either, an integer is read from an integer of any width, and is an error where it does not fit. A real number is
// read from one of either width, and is rounded to the narrower; an integer is no real number and the other way round. A
// Bool is read from a Bool, or from the integers 0 and 1.

// MARK: - What is missing is 0

extension KeyedUnarchiver {
    /// The Bool under the key; false where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeBool(forKey name: String) throws -> Bool {
        try leaf(name) { $1.booleanLeaf(at: $0) } ?? scalar(name, else: false) { try bool($0, $1) }
    }

    /// The integer under the key; 0 where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` where it does not fit, `typeMismatch` where something else is
    ///   there.
    public func decodeInteger(forKey name: String) throws -> Int {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: 0) { try integer($0, $1) }
    }

    /// The integer under the key, as one of the type asked for; 0 where there is none.
    ///
    /// - Throws: As `decodeInteger(forKey:)`.
    public func decodeInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type, forKey name: String
    ) throws -> Integer {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: 0) { try integer($0, $1) }
    }

    /// The integer under the key, of 32 bits; 0 where there is none.
    ///
    /// - Throws: As `decodeInteger(forKey:)`.
    public func decodeInt32(forKey name: String) throws -> Int32 {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: 0) { try integer($0, $1) }
    }

    /// The integer under the key, of 64 bits; 0 where there is none.
    ///
    /// - Throws: As `decodeInteger(forKey:)`.
    public func decodeInt64(forKey name: String) throws -> Int64 {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: 0) { try integer($0, $1) }
    }

    /// The number under the key, rounded to 32 bits; 0 where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if it is too large for 32 bits, `typeMismatch` if something else
    ///   is there.
    public func decodeFloat(forKey name: String) throws -> Float {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: 0) { try real($0, $1) }
    }

    /// The number under the key; 0 where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if it is an integer that no `Double` is, `typeMismatch` if
    ///   something else is there.
    public func decodeDouble(forKey name: String) throws -> Double {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: 0) { try real($0, $1) }
    }

    /// The string under the key; nil where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeString(forKey name: String) throws -> String? {
        try leaf(name) { $1.stringLeaf(at: $0) } ?? scalar(name, else: nil) { try string($0, $1) }
    }

    /// The data under the key; nil where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeData(forKey name: String) throws -> Data? {
        try scalar(name, else: nil) { try data($0, $1) }
    }

    /// The date under the key; nil where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeDate(forKey name: String) throws -> Date? {
        try scalar(name, else: nil) { try date($0, $1) }
    }

    /// The bytes under the key; nil where there are none.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - minimumLength: How many there have to be at least.
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `damaged` where there are fewer.
    public func decodeBytes(forKey name: String, minimumLength: Int = 0) throws -> [UInt8]? {
        try scalar(name, else: nil) { try bytes($0, $1, minimumLength: minimumLength) }
    }
}

// MARK: - Points, sizes and rectangles

extension KeyedUnarchiver {
    /// The point under the key; (0, 0) where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodePoint(forKey name: String) throws -> (x: Double, y: Double) {
        try scalar(name, else: (0, 0)) { try point($0, $1) }
    }

    /// The size under the key; (0, 0) where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeSize(forKey name: String) throws -> (width: Double, height: Double) {
        try scalar(name, else: (0, 0)) { try size($0, $1) }
    }

    /// The rectangle under the key; one of size (0, 0) at (0, 0) where there is none.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeRect(forKey name: String) throws -> (x: Double, y: Double, width: Double, height: Double) {
        try scalar(name, else: (0, 0, 0, 0)) { try rect($0, $1) }
    }

    /// The point that the next two values without a key are, or the next one where it is a string; (0, 0) where there is
    /// none.
    ///
    /// - Throws: As `decodePoint(forKey:)`.
    public func decodePoint() throws -> (x: Double, y: Double) {
        let numbers = try nextNumbers(2)
        return (numbers[0], numbers[1])
    }

    /// The size that the next two values without a key are, or the next one where it is a string; (0, 0) where there is
    /// none.
    ///
    /// - Throws: As `decodeSize(forKey:)`.
    public func decodeSize() throws -> (width: Double, height: Double) {
        let numbers = try nextNumbers(2)
        return (numbers[0], numbers[1])
    }

    /// The rectangle that the next four values without a key are, or the next one where it is a string; one of size (0, 0)
    /// at (0, 0) where there is none.
    ///
    /// - Throws: As `decodeRect(forKey:)`.
    public func decodeRect() throws -> (x: Double, y: Double, width: Double, height: Double) {
        let numbers = try nextNumbers(4)
        return (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// The next value without a key, as bytes; nil where there are none.
    ///
    /// - Throws: As `decodeBytes(forKey:minimumLength:)`.
    public func decodeBytes(minimumLength: Int = 0) throws -> [UInt8]? {
        try nextScalar(else: nil) { try bytes($0, $1, minimumLength: minimumLength) }
    }
}
