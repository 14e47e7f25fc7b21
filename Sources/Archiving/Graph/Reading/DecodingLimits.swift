// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The limits on the resources that decoding an archive may use.
///
/// Archives may come from untrusted sources. Without limits, a small archive can describe a value that is very deep or, because
/// several references may share an object, very large. Exceeding a limit throws an error that names the limit: an
/// `UnarchivingError` with the code `.limit`, which `ArchiveDecoder` wraps in a `DecodingError.dataCorrupted`.
///
/// ```swift
/// var decoder = ArchiveDecoder()
/// decoder.limits.objects = 10_000
/// decoder.limits.stringLength = 1_000
/// ```
///
/// By default, two limits grow with the archive, so that decoding costs stay in proportion to its size. An archive of this
/// library needs less than one unit of `work` for each of its bytes. The same is true for `NSKeyedArchiver`, unless large
/// collections are shared many times. For an archive in XML, the bytes are those of its binary form.
public struct DecodingLimits: Sendable, Hashable {
    /// The maximum nesting depth of values; 10 000 by default.
    ///
    /// Whatever the limit, decoding stops with an error before the thread's stack is full.
    public var nesting = 10_000

    /// The maximum number of objects in the archive, the entries of `$objects`, including objects that are not decoded; 100
    /// million by default.
    public var objects = 100_000_000

    /// The maximum number of steps of a decoding. `nil`, the default, allows 200 000 steps plus 16 for each byte of the
    /// archive.
    ///
    /// A step is one decoded value, or one element, key or superclass that is read to decode a value. An entry of a dictionary
    /// or a set counts four steps. An error that the program catches counts four steps as well, and more in deeply nested
    /// values. An object with two references counts twice, unless it is a class instance.
    ///
    /// A step takes about 50 ns, and the memory of one value. If this limit is exceeded, the whole decoding fails, even if the
    /// program has caught the error.
    public var work: Int?

    /// The maximum number of decoded bytes of strings and data in total, in their encoding in the archive. `nil`, the default,
    /// allows 16 MiB plus 16 bytes for each byte of the archive.
    ///
    /// A string or data with two references is decoded twice and counts twice. If this limit is exceeded, the whole decoding
    /// fails, even if the program has caught the error.
    public var decodedBytes: Int?

    /// The maximum number of bytes of one string, in its encoding in the archive: UTF-8 or UTF-16. By default, only the size of
    /// the archive limits it.
    public var stringLength = Int.max

    /// The maximum number of bytes of one data value. By default, only the size of the archive limits it.
    public var dataLength = Int.max

    /// Creates the default limits, which suit a user's own documents as well as untrusted archives.
    public init() {}

    /// No limits, for archives that were created in this process.
    static var none: DecodingLimits {
        var limits = DecodingLimits()
        limits.nesting = .max
        limits.objects = .max
        limits.work = .max
        limits.decodedBytes = .max
        return limits
    }
}

// MARK: - Limits for an archive

extension DecodingLimits {
    /// Returns the maximum number of steps for an archive of `byteCount` bytes.
    func work(forByteCount byteCount: Int) -> Int { work ?? Self.proportional(200_000, byteCount) }

    /// Returns the maximum number of bytes of strings and data for an archive of `byteCount` bytes.
    func decodedBytes(forByteCount byteCount: Int) -> Int { decodedBytes ?? Self.proportional(16 << 20, byteCount) }

    private static func proportional(_ floor: Int, _ byteCount: Int) -> Int {
        PropertyListLimits.proportional(floor, perByte: 16, ofByteCount: byteCount)
    }

    /// Returns the limits for an archive of `byteCount` bytes.
    func limits(forByteCount byteCount: Int) -> DecodingMeter.Limits {
        DecodingMeter.Limits(
            work: max(0, work(forByteCount: byteCount)), bytes: max(0, decodedBytes(forByteCount: byteCount)),
            stringLength: max(0, stringLength), dataLength: max(0, dataLength))
    }

    /// Returns a meter for an archive of `byteCount` bytes.
    package func meter(forByteCount byteCount: Int) -> DecodingMeter {
        DecodingMeter(limits(forByteCount: byteCount))
    }
}
