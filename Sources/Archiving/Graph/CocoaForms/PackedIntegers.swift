// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Unsigned integers in bytes: 7 bits in each byte, the lowest first; the highest bit is set if more bytes follow. Index sets
/// and index paths use this form.
package struct PackedIntegers {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

extension PackedIntegers {
    /// Returns the integers in `bytes`; `nil` if their number is not `count`, the last one is truncated, or one exceeds 64
    /// bits. A `count` of `nil` accepts any number.
    package static func integers(in bytes: StoredBytes, count: Int? = nil) -> [UInt64]? {
        var integers: [UInt64] = []
        if let count {
            // Each integer takes at least one byte, so an impossible count allocates nothing.
            guard count >= 0, count <= bytes.count else { return nil }
            integers.reserveCapacity(count)
        }
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || (shift == 63 && bits <= 1) else { return nil }
            value |= bits << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            if let count, integers.count == count { return nil }
            integers.append(value)
            value = 0
            shift = 0
        }
        return shift == 0 && integers.count == count ?? integers.count ? integers : nil
    }
}
