/// How much an archive may ask of the one who decodes it.
///
/// Archives come from outside. Without limits a small one can describe a value that is very deep or, because objects may
/// be referred to more than once, very large. What goes beyond a limit is an error that names the limit: an
/// `UnarchivingError` with the code `.limit`, which `ArchiveDecoder` puts below a `DecodingError.dataCorrupted`.
///
/// ```swift
/// var decoder = ArchiveDecoder()
/// decoder.limits.objects = 10_000
/// decoder.limits.stringLength = 1_000
/// ```
///
/// Two of the limits grow with the archive unless they are set, so that what is decoded stays in proportion to it: an
/// archive that was written by this library, or by `NSKeyedArchiver` without sharing large collections many times over,
/// needs less than one unit of `work` for each of its bytes. The bytes of an archive in XML are those of the binary form that
/// it is turned into.
public struct DecodingLimits: Sendable, Hashable {
    /// How many values may be nested in each other. 10 000 unless set.
    ///
    /// Whatever this is, decoding stops with an error before the thread's stack is full.
    public var nesting = 10_000

    /// How many objects the archive may have, whether they are decoded or not: the entries of `$objects`. 100 million
    /// unless set.
    public var objects = 100_000_000

    /// How many steps decoding may take in all; nil, which it is unless set, allows 200 000, and 16 for each byte of the
    /// archive.
    ///
    /// A step is a value that is decoded, or an element, a key or a superclass that is looked at to decode it. An entry of a
    /// dictionary or a set is four, an error that the program catches as well, and more where values are nested deep. What
    /// is referred to twice counts twice, unless it is a class instance.
    ///
    /// A step takes some 50 ns, and room for one value. Once this limit is exceeded, the whole decoding fails, even if the
    /// program has caught the error.
    public var work: Int?

    /// How many bytes of strings and data may be decoded in all, in the encoding that they have in the archive; nil, which
    /// it is unless set, allows 16 MiB, and 16 for each byte of the archive.
    ///
    /// What is referred to twice is decoded, and counts, twice. Once this limit is exceeded, the whole decoding fails, even if
    /// the program has caught the error.
    public var decodedBytes: Int?

    /// How many bytes one string may have, in the encoding that it has in the archive: UTF-8 or UTF-16. No limit but the
    /// archive's size unless set.
    public var stringLength = Int.max

    /// How many bytes one piece of data may have. No limit but the archive's size unless set.
    public var dataLength = Int.max

    /// The limits that are good for archives of a person's own documents, and for those of strangers.
    public init() {}

    /// No limits, for archives that were made in this process.
    static var none: DecodingLimits {
        var limits = DecodingLimits()
        limits.nesting = .max
        limits.objects = .max
        limits.work = .max
        limits.decodedBytes = .max
        return limits
    }
}

// MARK: - In proportion to the archive

extension DecodingLimits {
    /// The steps that are allowed for an archive of `byteCount` bytes.
    func work(forByteCount byteCount: Int) -> Int { work ?? Self.proportional(200_000, byteCount) }

    /// The bytes of strings and data that may be decoded from an archive of `byteCount` bytes.
    func decodedBytes(forByteCount byteCount: Int) -> Int { decodedBytes ?? Self.proportional(16 << 20, byteCount) }

    private static func proportional(_ floor: Int, _ byteCount: Int) -> Int { floor + 16 * byteCount }

    /// What is counted while an archive of `byteCount` bytes is read.
    package func meter(forByteCount byteCount: Int) -> DecodingMeter {
        DecodingMeter(
            DecodingMeter.Limits(
                work: max(0, work(forByteCount: byteCount)), bytes: max(0, decodedBytes(forByteCount: byteCount)),
                stringLength: max(0, stringLength), dataLength: max(0, dataLength)))
    }
}
