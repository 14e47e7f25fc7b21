// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The limits on the values that an encoder archives, so that their archive can be decoded.
///
/// ```swift
/// var encoder = ArchiveEncoder()
/// encoder.limits.nesting = 500
/// ```
///
/// Exceeding a limit throws an `EncodingError.invalidValue` that names the limit.
public struct EncodingLimits: Sendable, Hashable {
    /// The maximum nesting depth of values; 10 000 by default, as for a decoder (``DecodingLimits/nesting``).
    ///
    /// Structs, enumerations with payloads, collections and nested containers are nested in the value that has them. A class
    /// instance is encoded after it, at the first level. A decoder decodes the instance of a plain property at once, one level
    /// deeper, so that its limit ends a long chain of instances without ``Reference``, which the encoder does not notice.
    ///
    /// Whatever the limit, encoding stops with an error when it has used a quarter of the thread's stack: decoding the same values
    /// takes more stack than encoding them, and has room on an equal stack.
    public var nesting = 10_000

    /// Creates the default limits.
    public init() {}
}
