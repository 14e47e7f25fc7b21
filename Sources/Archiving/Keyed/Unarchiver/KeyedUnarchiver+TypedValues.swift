#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - What is missing is an error

extension KeyedUnarchiver {
    /// The Bool under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: Bool.Type, forKey name: String) throws -> Bool {
        try leaf(name) { $1.booleanLeaf(at: $0) } ?? required(name) { try bool($0, $1) }
    }

    /// The integer under the key.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` where it does not fit, `typeMismatch` where something else
    ///   is there, `valueNotFound` where nothing or nil is.
    public func decode<Integer: FixedWidthInteger>(_ type: Integer.Type, forKey name: String) throws -> Integer {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? required(name) { try integer($0, $1) }
    }

    /// The real number under the key.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type does not hold it, `typeMismatch` if something else
    ///   is there, `valueNotFound` if nothing or nil is.
    public func decode<Real: BinaryFloatingPoint>(_ type: Real.Type, forKey name: String) throws -> Real {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? required(name) { try real($0, $1) }
    }

    /// The string under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: String.Type, forKey name: String) throws -> String {
        try leaf(name) { $1.stringLeaf(at: $0) } ?? required(name) { try string($0, $1) }
    }

    /// The data under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: Data.Type, forKey name: String) throws -> Data {
        try required(name) { try data($0, $1) }
    }

    /// The date under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: Date.Type, forKey name: String) throws -> Date {
        try required(name) { try date($0, $1) }
    }
}

// MARK: - What is missing is nil

extension KeyedUnarchiver {
    /// The Bool under the key; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: Bool.Type, forKey name: String) throws -> Bool? {
        try leaf(name) { $1.booleanLeaf(at: $0) } ?? scalar(name, else: nil) { try bool($0, $1) }
    }

    /// The integer under the key; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` where it does not fit, `typeMismatch` where something else
    ///   is there.
    public func decodeIfPresent<Integer: FixedWidthInteger>(_ type: Integer.Type, forKey name: String) throws
        -> Integer?
    {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: nil) { try integer($0, $1) }
    }

    /// The real number under the key; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type does not hold it, `typeMismatch` if something else
    ///   is there.
    public func decodeIfPresent<Real: BinaryFloatingPoint>(_ type: Real.Type, forKey name: String) throws -> Real? {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: nil) { try real($0, $1) }
    }

    /// The string under the key; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: String.Type, forKey name: String) throws -> String? {
        try leaf(name) { $1.stringLeaf(at: $0) } ?? scalar(name, else: nil) { try string($0, $1) }
    }

    /// The data under the key; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: Data.Type, forKey name: String) throws -> Data? {
        try scalar(name, else: nil) { try data($0, $1) }
    }

    /// The date under the key; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: Date.Type, forKey name: String) throws -> Date? {
        try scalar(name, else: nil) { try date($0, $1) }
    }
}

// MARK: - Values without a key

/// Values without a key are decoded in the order in which they were encoded.
extension KeyedUnarchiver {
    /// The next value without a key, as a Bool.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: Bool.Type) throws -> Bool {
        try nextRequired { try bool($0, $1) }
    }

    /// The next value without a key, as a Bool; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
        try nextScalar(else: nil) { try bool($0, $1) }
    }

    /// The next value without a key, as an integer.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` where it does not fit, `typeMismatch` where something else
    ///   is there, `valueNotFound` where nothing or nil is.
    public func decode<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        try nextRequired { try integer($0, $1) }
    }

    /// The next value without a key, as an integer; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` where it does not fit, `typeMismatch` where something else
    ///   is there.
    public func decodeIfPresent<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer? {
        try nextScalar(else: nil) { try integer($0, $1) }
    }

    /// The next value without a key, as a real number.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type does not hold it, `typeMismatch` if something else
    ///   is there, `valueNotFound` if nothing or nil is.
    public func decode<Real: BinaryFloatingPoint>(_ type: Real.Type) throws -> Real {
        try nextRequired { try real($0, $1) }
    }

    /// The next value without a key, as a real number; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type does not hold it, `typeMismatch` if something else
    ///   is there.
    public func decodeIfPresent<Real: BinaryFloatingPoint>(_ type: Real.Type) throws -> Real? {
        try nextScalar(else: nil) { try real($0, $1) }
    }

    /// The next value without a key, as a string.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: String.Type) throws -> String {
        try nextRequired { try string($0, $1) }
    }

    /// The next value without a key, as a string; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: String.Type) throws -> String? {
        try nextScalar(else: nil) { try string($0, $1) }
    }

    /// The next value without a key, as data.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: Data.Type) throws -> Data {
        try nextRequired { try data($0, $1) }
    }

    /// The next value without a key, as data; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: Data.Type) throws -> Data? {
        try nextScalar(else: nil) { try data($0, $1) }
    }

    /// The next value without a key, as a date.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there, `valueNotFound` where nothing or
    ///   nil is.
    public func decode(_ type: Date.Type) throws -> Date {
        try nextRequired { try date($0, $1) }
    }

    /// The next value without a key, as a date; nil where nothing or nil is.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` where something else is there.
    public func decodeIfPresent(_ type: Date.Type) throws -> Date? {
        try nextScalar(else: nil) { try date($0, $1) }
    }
}
