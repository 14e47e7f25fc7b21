extension Int {
    /// `number`, or `Int.max` if that is less because `Int` has 32 bits. No count, index or offset in memory is that
    /// large, so the caller's check of bounds rejects it. The initializer of the standard library would end the process.
    @inline(__always)
    package init(_ number: UInt32) {
        self.init(truncatingIfNeeded: Swift.min(number, UInt32(clamping: Int.max)))
    }
}

/// The width of big-endian numbers, which are read as the last of eight bytes, so that no branch is necessary.
///
/// There must be eight bytes before the end of a number. In a property list there are: its header has eight bytes.
struct BigEndianWidth: BitwiseCopyable {
    /// The distance from the start of a number to the start of the eight bytes that end with it.
    let shift: Int
    let mask: UInt64

    /// Creates the width of numbers of `size` bytes, 1 to 16, of which the last eight count.
    @inline(__always)
    init(_ size: Int) {
        shift = size &- 8
        mask = BigEndianWidth.mask(size: size)
    }

    /// The mask of the bytes of a number of `size` bytes, 1 to 16, within the eight bytes that end with it.
    @inline(__always)
    static func mask(size: Int) -> UInt64 {
        UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* min(size, 8))
    }
}
