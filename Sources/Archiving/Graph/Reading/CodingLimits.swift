// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The limits on the resources that decoding an archive may use.
///
/// Archives may come from untrusted sources. Without limits, a small archive can describe a value that is very deep or, because
/// several references may share an object, very large. Exceeding a limit throws an error that names the limit: an
/// `ArchivingError` with the code `.limit`, which `ArchiveDecoder` wraps in a `DecodingError.dataCorrupted`.
///
/// ```swift
/// var decoder = ArchiveDecoder()
/// decoder.limits.objects = 10_000
/// decoder.limits.work = 100_000
/// ```
///
/// By default, `work` grows with the archive, so that decoding costs stay in proportion to its size. An archive of this
/// library needs less than one unit of `work` for each of its bytes, also if its types try alternatives. The same is true
/// for `NSKeyedArchiver`, unless large collections are shared many times. For an archive in XML, the bytes are those of its
/// binary form.
public struct DecodingLimits: Sendable, Hashable {
    /// The maximum nesting depth of values; 10 000 by default.
    ///
    /// Whatever the limit, decoding stops with an error before the thread's stack is full.
    public var nesting = 10_000

    /// The maximum number of objects in the archive, the entries of `$objects`, including objects that are not decoded; 100
    /// million by default.
    public var objects = 100_000_000

    /// The maximum number of steps of a decoding. `nil`, the default, allows 1 250 000 steps plus 17 for each byte of the
    /// archive.
    ///
    /// A step is one decoded value, or one element, key or superclass that is read to decode a value. An entry of a dictionary
    /// or a set counts four steps. 16 bytes of strings and data, in their encoding in the archive, count one step. An object,
    /// string or data with two references counts twice, unless it is a class instance.
    ///
    /// A request that throws gives back its steps, except those of class instances, which stay for other references. So a type
    /// may try one alternative after the other. The total of all steps, with those that were given back, is limited to 16 times
    /// the maximum.
    ///
    /// A step takes about 50 ns, and the memory of one value. If this limit is exceeded, the whole decoding fails, even if the
    /// program has caught the error.
    public var work: Int?

    /// Creates the default limits, which suit a user's own documents as well as untrusted archives.
    public init() {}

    /// No limits, for archives that were created in this process.
    static var none: DecodingLimits {
        var limits = DecodingLimits()
        limits.nesting = .max
        limits.objects = .max
        limits.work = .max
        return limits
    }
}

// MARK: - Limits for an archive

extension DecodingLimits {
    /// Returns the maximum number of steps for an archive of `byteCount` bytes.
    func work(forByteCount byteCount: Int) -> Int {
        max(0, work ?? PropertyListLimits.proportional(1_250_000, perByte: 17, ofByteCount: byteCount))
    }

    /// Returns a meter for an archive of `byteCount` bytes.
    package func meter(forByteCount byteCount: Int) -> DecodingMeter { DecodingMeter(work(forByteCount: byteCount)) }
}

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
