// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

enum ByteHash {
    @inline(__always)
    static func digest(_ bytes: RawSpan, seed: UInt64) -> (hash: UInt32, isASCII: Bool) {
        // Safe because the bytes live as long as the span.
        unsafe bytes.withUnsafeBytes { unsafe digest($0, seed: seed) }
    }

    @inline(__always)
    private static func digest(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> (hash: UInt32, isASCII: Bool) {
        let count = bytes.count
        // Safe because every offset below ends within the count.
        guard count > 0, let base = bytes.baseAddress else { return (UInt32(truncatingIfNeeded: seed), true) }
        var state = start(seed: seed, count: count)
        var seen: UInt64 = 0
        if count > 16 {
            var offset = 0
            while offset &+ 16 < count {
                let low = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let high = unsafe base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
                seen |= low | high
                state = next(state, low, high)
                offset &+= 16
            }
        }
        // The last sixteen bytes, some of which may have been hashed before.
        let (low, high) = unsafe words(base, count: count)
        seen |= low | high
        return (end(state, low, high), seen & 0x8080_8080_8080_8080 == 0)
    }

    @inline(__always)
    private static func start(seed: UInt64, count: Int) -> UInt64 {
        seed ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    }

    /// The state after the next sixteen bytes, which more bytes follow.
    @inline(__always)
    private static func next(_ state: UInt64, _ low: UInt64, _ high: UInt64) -> UInt64 {
        mix(state ^ low, high ^ 0xE703_7ED1_A0B4_28DB)
    }

    /// The hash of all bytes, which end with these sixteen.
    @inline(__always)
    private static func end(_ state: UInt64, _ low: UInt64, _ high: UInt64) -> UInt32 {
        let state = mix(state ^ low, high ^ 0x8EBC_6AF0_9C88_C6E3)
        return UInt32(truncatingIfNeeded: state ^ state >> 32)
    }

    // Safe because the caller has `count` bytes at the address, and every offset below ends within them.
    /// All bytes of a sequence of 1 to 16 bytes in two words, or the last sixteen of a longer one.
    @inline(__always)
    private static func words(_ base: UnsafeRawPointer, count: Int) -> (UInt64, UInt64) {
        if count > 16 {
            return unsafe (
                base.loadUnaligned(fromByteOffset: count &- 16, as: UInt64.self),
                base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            )
        }
        if count >= 8 {
            return unsafe (
                base.loadUnaligned(as: UInt64.self),
                base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return unsafe (
                UInt64(base.loadUnaligned(as: UInt32.self)),
                UInt64(base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            )
        }
        let first = unsafe UInt64(base.loadUnaligned(as: UInt8.self))
        let middle = unsafe UInt64(base.loadUnaligned(fromByteOffset: count >> 1, as: UInt8.self))
        let last = unsafe UInt64(base.loadUnaligned(fromByteOffset: count &- 1, as: UInt8.self))
        return (first | middle << 8, last)
    }

    @inline(__always)
    static func combine(_ state: UInt64, _ word: UInt64) -> UInt64 {
        mix(state ^ 0x9E37_79B9_7F4A_7C15, word ^ 0xE703_7ED1_A0B4_28DB)
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @unsafe
    @inline(__always)
    static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        guard count > 0 else { return true }
        // Safe because the caller has `count` bytes at both addresses, and every offset below ends within them.
        var offset = 0
        while offset &+ 16 < count {
            if unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset &+= 8
        }
        return unsafe words(left, count: count) == words(right, count: count)
    }
}
