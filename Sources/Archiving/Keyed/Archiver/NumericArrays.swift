extension KeyedArchiver {
    /// How arrays of numbers are archived.
    ///
    /// ```swift
    /// var encoder = ArchiveEncoder()
    /// encoder.numericArrays = .packed
    /// let data = try encoder.encode(recording)    // has a [Float] of a million samples
    /// ```
    ///
    /// What it is about is arrays whose elements are of one of the types `Int`, `Int8` to `Int64`, `UInt`, `UInt8` to
    /// `UInt64`, `Float` and `Double`: `Array` and `ContiguousArray`, wherever they stand. Sets, dictionaries, arrays of
    /// optionals, and elements that a type encodes one by one in an unkeyed container are objects in either case.
    ///
    /// Decoders take both forms for the same thing, without being told: an array is decoded from either, and as an array of
    /// any of the types that hold its numbers exactly.
    public enum NumericArrays: Hashable, Sendable {
        /// An array is an object, `NSArray`, and each of its numbers too, as Cocoa archives them: every reader of archives
        /// can read it.
        case objects
        /// An array is one piece of data: 8 bytes that say what the numbers are, then the numbers as they lie in memory.
        ///
        /// Numbers that differ take less room so, and all of them less time: docs/performance.md has an example. But it is
        /// data and nothing else to every other program, `NSKeyedUnarchiver` included. It is also what
        /// `KeyedUnarchiver.decodeObject(of:forKey:)` finds: an array of numbers where `[Any].self` is allowed and `Data.self`
        /// is not, otherwise `Data`.
        case packed
    }
}
