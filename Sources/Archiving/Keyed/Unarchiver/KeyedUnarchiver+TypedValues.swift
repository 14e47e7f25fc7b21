#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - An absent value is an error

extension KeyedUnarchiver {
    /// Returns the Boolean value under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if the key is
    ///   absent or holds nil.
    public func decode(_ type: Bool.Type, forKey name: String) throws -> Bool {
        try leaf(name) { $1.booleanLeaf(at: $0) } ?? required(name) { try bool($0, $1) }
    }

    /// Returns the integer under the key.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type, `valueNotFound` if the key is absent or holds nil.
    public func decode<Integer: FixedWidthInteger>(_ type: Integer.Type, forKey name: String) throws -> Integer {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? required(name) { try integer($0, $1) }
    }

    /// Returns the real number under the key.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type, `valueNotFound` if the key is absent or holds nil.
    public func decode<Real: BinaryFloatingPoint>(_ type: Real.Type, forKey name: String) throws -> Real {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? required(name) { try real($0, $1) }
    }

    /// Returns the string under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if the key is
    ///   absent or holds nil.
    public func decode(_ type: String.Type, forKey name: String) throws -> String {
        try leaf(name) { $1.stringLeaf(at: $0) } ?? required(name) { try string($0, $1) }
    }

    /// Returns the data under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if the key is
    ///   absent or holds nil.
    public func decode(_ type: Data.Type, forKey name: String) throws -> Data {
        try required(name) { try data($0, $1) }
    }

    /// Returns the date under the key.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if the key is
    ///   absent or holds nil.
    public func decode(_ type: Date.Type, forKey name: String) throws -> Date {
        try required(name) { try date($0, $1) }
    }
}

// MARK: - An absent value is nil

extension KeyedUnarchiver {
    /// Returns the Boolean value under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: Bool.Type, forKey name: String) throws -> Bool? {
        try leaf(name) { $1.booleanLeaf(at: $0) } ?? scalar(name, else: nil) { try bool($0, $1) }
    }

    /// Returns the integer under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeIfPresent<Integer: FixedWidthInteger>(_ type: Integer.Type, forKey name: String) throws
        -> Integer?
    {
        try leaf(name) { $1.integerLeaf(at: $0) } ?? scalar(name, else: nil) { try integer($0, $1) }
    }

    /// Returns the real number under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeIfPresent<Real: BinaryFloatingPoint>(_ type: Real.Type, forKey name: String) throws -> Real? {
        try leaf(name) { $1.roundedLeaf(at: $0) } ?? scalar(name, else: nil) { try real($0, $1) }
    }

    /// Returns the string under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: String.Type, forKey name: String) throws -> String? {
        try leaf(name) { $1.stringLeaf(at: $0) } ?? scalar(name, else: nil) { try string($0, $1) }
    }

    /// Returns the data under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: Data.Type, forKey name: String) throws -> Data? {
        try scalar(name, else: nil) { try data($0, $1) }
    }

    /// Returns the date under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: Date.Type, forKey name: String) throws -> Date? {
        try scalar(name, else: nil) { try date($0, $1) }
    }
}

// MARK: - Values without a key

/// Decodes values without a key, in the order in which they were encoded.
extension KeyedUnarchiver {
    /// Returns the next value without a key, as a Boolean value.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if there is no
    ///   further value or it is nil.
    public func decode(_ type: Bool.Type) throws -> Bool {
        try nextRequired { try bool($0, $1) }
    }

    /// Returns the next value without a key, as a Boolean value, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
        try nextScalar(else: nil) { try bool($0, $1) }
    }

    /// Returns the next value without a key, as an integer.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type, `valueNotFound` if there is no further value or it is nil.
    public func decode<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        try nextRequired { try integer($0, $1) }
    }

    /// Returns the next value without a key, as an integer, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeIfPresent<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer? {
        try nextScalar(else: nil) { try integer($0, $1) }
    }

    /// Returns the next value without a key, as a real number.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type, `valueNotFound` if there is no further value or it is nil.
    public func decode<Real: BinaryFloatingPoint>(_ type: Real.Type) throws -> Real {
        try nextRequired { try real($0, $1) }
    }

    /// Returns the next value without a key, as a real number, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: `UnarchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeIfPresent<Real: BinaryFloatingPoint>(_ type: Real.Type) throws -> Real? {
        try nextScalar(else: nil) { try real($0, $1) }
    }

    /// Returns the next value without a key, as a string.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if there is no
    ///   further value or it is nil.
    public func decode(_ type: String.Type) throws -> String {
        try nextRequired { try string($0, $1) }
    }

    /// Returns the next value without a key, as a string, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: String.Type) throws -> String? {
        try nextScalar(else: nil) { try string($0, $1) }
    }

    /// Returns the next value without a key, as data.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if there is no
    ///   further value or it is nil.
    public func decode(_ type: Data.Type) throws -> Data {
        try nextRequired { try data($0, $1) }
    }

    /// Returns the next value without a key, as data, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: Data.Type) throws -> Data? {
        try nextScalar(else: nil) { try data($0, $1) }
    }

    /// Returns the next value without a key, as a date.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type, `valueNotFound` if there is no
    ///   further value or it is nil.
    public func decode(_ type: Date.Type) throws -> Date {
        try nextRequired { try date($0, $1) }
    }

    /// Returns the next value without a key, as a date, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: `UnarchivingError.Code.typeMismatch` if the value has another type.
    public func decodeIfPresent(_ type: Date.Type) throws -> Date? {
        try nextScalar(else: nil) { try date($0, $1) }
    }
}
