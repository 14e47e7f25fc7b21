extension UnsafeRawPointer {
    /// Loads the `size` bytes here as an unsigned integer, the first byte highest. If there are more than eight bytes,
    /// only the last eight count.
    @inline(__always)
    func loadBigEndian(size: Int) -> UInt64 {
        switch size {
        case 1: return UInt64(loadUnaligned(as: UInt8.self))
        case 2: return UInt64(UInt16(bigEndian: loadUnaligned(as: UInt16.self)))
        case 3:
            return UInt64(UInt16(bigEndian: loadUnaligned(as: UInt16.self))) << 8
                | UInt64(loadUnaligned(fromByteOffset: 2, as: UInt8.self))
        case 4: return UInt64(UInt32(bigEndian: loadUnaligned(as: UInt32.self)))
        case 8: return UInt64(bigEndian: loadUnaligned(as: UInt64.self))
        default:
            var value: UInt64 = 0
            for index in 0..<size { value = value << 8 | UInt64(loadUnaligned(fromByteOffset: index, as: UInt8.self)) }
            return value
        }
    }
}

extension Int {
    /// `number`, or `Int.max` if that is less because `Int` has 32 bits. No count, index or offset in memory is that
    /// large, so the caller's check of bounds rejects it. The initializer of the standard library would end the process.
    @inline(__always)
    package init(_ number: UInt32) {
        self.init(truncatingIfNeeded: Swift.min(number, UInt32(clamping: Int.max)))
    }
}

/// Loads big-endian numbers of one width, as the last of eight bytes, so that no branch is necessary.
///
/// Eight bytes before the end of a number must be readable. In a property list they are: its header has eight bytes.
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

    /// The number at `address`.
    @inline(__always)
    func load(_ address: UnsafeRawPointer) -> UInt64 {
        UInt64(bigEndian: (address + shift).loadUnaligned(as: UInt64.self)) & mask
    }
}
