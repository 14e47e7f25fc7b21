/// How much an archive may ask of the one who decodes it.
///
/// Archives come from outside. Without a limit a small one can describe a value that is very deep or, because objects
/// may be referred to more than once, very large.
public struct DecodingLimits: Sendable, Hashable {
    /// How many values may be nested in each other. 10 000 unless set.
    ///
    /// Whatever this is, decoding stops with an error before the thread's stack is full.
    public var nesting: Int

    /// How many objects may be visited in all, an object that is referred to twice counting twice unless it is a class
    /// instance, and 64 bytes of data as one. 100 million unless set.
    public var visits: Int

    /// The limits that are good for archives of a person's own documents.
    public init() {
        nesting = 10_000
        visits = 100_000_000
    }

    /// No limits, for archives that were made in this process.
    static var none: DecodingLimits {
        var limits = DecodingLimits()
        limits.nesting = .max
        limits.visits = .max
        return limits
    }
}
