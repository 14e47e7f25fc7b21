// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension KeyedArchiver {
    /// The form in which arrays of numbers are archived.
    ///
    /// ```swift
    /// var encoder = ArchiveEncoder()
    /// encoder.numericArrays = .packed
    /// let data = try encoder.encode(recording)    // has a [Float] of a million samples
    /// ```
    ///
    /// It concerns every `Array` and `ContiguousArray` with elements of type `Int`, `Int8` to `Int64`, `UInt`, `UInt8`
    /// to `UInt64`, `Float` or `Double`. Sets, dictionaries, arrays of optionals, and elements that a type encodes one
    /// by one in an unkeyed container are objects in both forms.
    ///
    /// Decoders read both forms without a setting: an array is decoded from either form, as an array of any type that
    /// represents its numbers exactly.
    public enum NumericArrays: Hashable, Sendable {
        /// An array is an `NSArray` object with one object for each number, as Cocoa archives it. Every reader of
        /// archives can read it.
        case objects
        /// An array is one piece of data: a header of 8 bytes that describes the numbers, then the numbers as in
        /// memory.
        ///
        /// Distinct numbers take less space in this form, and all numbers take less time: docs/performance.md has an
        /// example. But every other program, including `NSKeyedUnarchiver`, reads the array as data.
        /// `KeyedUnarchiver.decodeObject(of:forKey:)` returns an array of numbers if `[Any].self` is allowed and
        /// `Data.self` is not, otherwise `Data`.
        case packed
    }
}
