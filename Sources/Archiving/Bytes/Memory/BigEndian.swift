extension UnsafeRawPointer {
    /// The `size` bytes here as an unsigned integer, the first byte highest; only the last eight count where there are
    /// more.
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

/// How big-endian numbers of one width are read: as the last of eight bytes, so that it takes no branch.
///
/// There have to be eight bytes in front of the end of a number. In a property list there are: its header has eight.
struct BigEndianWidth: BitwiseCopyable {
    /// From the start of a number to that of the eight bytes which end with it.
    private let shift: Int
    private let mask: UInt64

    /// Numbers of `size` bytes, 1 to 16, of which the last eight count.
    @inline(__always)
    init(_ size: Int) {
        shift = size &- 8
        mask = BigEndianWidth.mask(size: size)
    }

    /// What is left of eight bytes that end with a number of `size` bytes, 1 to 16.
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
