/// Strings between Swift's UTF-8 and the property list's big-endian UTF-16.
enum UTF16Transcoder {
    /// The number of UTF-16 code units of `utf8`, which is valid UTF-8.
    static func unitCount(ofValidUTF8 utf8: UnsafeBufferPointer<UInt8>) -> Int {
        // Every byte that does not continue a scalar starts one; a scalar of four bytes takes two units.
        var count = utf8.count
        guard let base = UnsafeRawPointer(utf8.baseAddress) else { return 0 }
        var index = 0
        while index &+ 8 <= utf8.count {
            let bytes = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let ones: UInt64 = 0x0101_0101_0101_0101
            let continuing = (bytes >> 7) & ~(bytes >> 6) & ones
            let longest = (bytes >> 7) & (bytes >> 6) & (bytes >> 5) & (bytes >> 4) & ones
            // The highest byte of the product is the sum of all bytes.
            count &+= Int(truncatingIfNeeded: (longest &* ones) >> 56)
            count &-= Int(truncatingIfNeeded: (continuing &* ones) >> 56)
            index &+= 8
        }
        for byte in utf8[index...] { count &+= (byte & 0xC0 == 0x80 ? -1 : 0) &+ (byte >= 0xF0 ? 1 : 0) }
        return count
    }

    /// Stores the UTF-16 of `utf8`, which is valid UTF-8, at `target`.
    static func storeBigEndian(validUTF8 utf8: UnsafeBufferPointer<UInt8>, at target: UnsafeMutableRawPointer) {
        guard let source = utf8.baseAddress else { return }
        var target = target
        var index = 0
        while index < utf8.count {
            let first = UInt32(source[index])
            var scalar: UInt32
            if first < 0x80 {
                scalar = first
                index &+= 1
            } else if first < 0xE0 {
                scalar = (first & 0x1F) << 6 | UInt32(source[index &+ 1]) & 0x3F
                index &+= 2
            } else if first < 0xF0 {
                scalar =
                    (first & 0x0F) << 12 | (UInt32(source[index &+ 1]) & 0x3F) << 6
                    | UInt32(source[index &+ 2]) & 0x3F
                index &+= 3
            } else {
                scalar =
                    (first & 0x07) << 18 | (UInt32(source[index &+ 1]) & 0x3F) << 12
                    | (UInt32(source[index &+ 2]) & 0x3F) << 6 | UInt32(source[index &+ 3]) & 0x3F
                index &+= 4
                scalar &-= 0x10000
                target.storeBytes(
                    of: UInt16(truncatingIfNeeded: 0xD800 | scalar >> 10).bigEndian, as: UInt16.self)
                target += 2
                scalar = 0xDC00 | scalar & 0x3FF
            }
            target.storeBytes(of: UInt16(truncatingIfNeeded: scalar).bigEndian, as: UInt16.self)
            target += 2
        }
    }

    /// A string of the big-endian UTF-16 in `bytes`. A surrogate without its partner becomes U+FFFD.
    static func string(bigEndian bytes: UnsafeRawBufferPointer) -> String {
        let unitCount = bytes.count / 2
        var byteCount = 0
        forEachScalar(bytes) { byteCount &+= $0 < 0x80 ? 1 : $0 < 0x800 ? 2 : $0 < 0x10000 ? 3 : 4 }
        guard unitCount > 0 else { return "" }
        return String(unsafeUninitializedCapacity: byteCount) { buffer in
            guard var target = buffer.baseAddress else { return 0 }
            forEachScalar(bytes) { scalar in
                if scalar < 0x80 {
                    target[0] = UInt8(truncatingIfNeeded: scalar)
                    target += 1
                } else if scalar < 0x800 {
                    target[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
                    target[1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
                    target += 2
                } else if scalar < 0x10000 {
                    target[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
                    target[1] = UInt8(truncatingIfNeeded: 0x80 | (scalar >> 6) & 0x3F)
                    target[2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
                    target += 3
                } else {
                    target[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
                    target[1] = UInt8(truncatingIfNeeded: 0x80 | (scalar >> 12) & 0x3F)
                    target[2] = UInt8(truncatingIfNeeded: 0x80 | (scalar >> 6) & 0x3F)
                    target[3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
                    target += 4
                }
            }
            return byteCount
        }
    }

    @inline(__always)
    private static func forEachScalar(_ bytes: UnsafeRawBufferPointer, _ body: (UInt32) -> Void) {
        guard let base = bytes.baseAddress else { return }
        let unitCount = bytes.count / 2
        var index = 0
        while index < unitCount {
            let unit = UInt32(UInt16(bigEndian: base.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
            index &+= 1
            guard unit & 0xF800 == 0xD800 else {
                body(unit)
                continue
            }
            if unit < 0xDC00, index < unitCount {
                let low = UInt32(
                    UInt16(bigEndian: base.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
                if low & 0xFC00 == 0xDC00 {
                    index &+= 1
                    body(0x10000 &+ (unit & 0x3FF) << 10 &+ (low & 0x3FF))
                    continue
                }
            }
            body(0xFFFD)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether no byte has its high bit set.
    @inline(__always)
    var isASCII: Bool {
        guard let base = baseAddress else { return true }
        let bytes = UnsafeRawPointer(base)
        var index = 0
        var seen: UInt64 = 0
        while index &+ 8 <= count {
            seen |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < count {
            seen |= UInt64(base[index])
            index &+= 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }
}
