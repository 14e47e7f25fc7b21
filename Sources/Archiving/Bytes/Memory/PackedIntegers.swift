// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Unsigned integers in bytes: 7 bits in each byte, the lowest first; the highest bit is set if more bytes follow. Index sets,
/// index paths and edits of files use this form.
package struct PackedIntegers {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    init(_ integers: some Sequence<UInt64>) { for integer in integers { append(integer) } }

    package mutating func append(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Returns the integers in `bytes`; `nil` if their number is not `count`, the last one is truncated, or one exceeds 64
    /// bits. A `count` of `nil` accepts any number.
    package static func integers(in bytes: StoredBytes, count: Int? = nil) -> [UInt64]? {
        var integers: [UInt64] = []
        if let count {
            // Each integer takes at least one byte, so an impossible count allocates nothing.
            guard count >= 0, count <= bytes.count else { return nil }
            integers.reserveCapacity(count)
        }
        var offset = 0
        while offset < bytes.count {
            guard integers.count != count, let next = integer(in: bytes, at: &offset) else { return nil }
            integers.append(next)
        }
        return integers.count == count ?? integers.count ? integers : nil
    }

    /// Returns the integer at `offset`, which moves behind it; `nil` if it is truncated, or exceeds 64 bits.
    static func integer(in bytes: StoredBytes, at offset: inout Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count {
            let byte = bytes.byte(at: offset)
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || (shift == 63 && bits <= 1) else { return nil }
            offset += 1
            value |= bits << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }
}
