/// Converts strings between Swift's UTF-8 and the property list's big-endian UTF-16.
enum UTF16Transcoder {
    /// The number of UTF-16 code units of `utf8`, which is valid UTF-8.
    static func unitCount(ofValidUTF8 utf8: UnsafeBufferPointer<UInt8>) -> Int {
        // Every byte that is not a continuation byte starts a scalar; a scalar of four bytes takes two units.
        var count = utf8.count
        guard let base = UnsafeRawPointer(utf8.baseAddress) else { return 0 }
        var index = 0
        while index &+ 8 <= utf8.count {
            count &+= unitsBeyondBytes(base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        let rest = utf8.count &- index
        if rest > 0 {
            count &+= unitsBeyondBytes(index > 0 ? lastBytes(rest, before: base + utf8.count) : fewBytes(utf8))
        }
        return count
    }

    /// The number of units minus the number of bytes in eight bytes of UTF-8, usually negative.
    @inline(__always)
    private static func unitsBeyondBytes(_ bytes: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let continuing = (bytes >> 7) & ~(bytes >> 6) & ones
        let longest = (bytes >> 7) & (bytes >> 6) & (bytes >> 5) & (bytes >> 4) & ones
        // The highest byte of the product is the sum of all bytes.
        return Int(truncatingIfNeeded: (longest &* ones) >> 56) &- Int(truncatingIfNeeded: (continuing &* ones) >> 56)
    }

    /// The 1 to 7 bytes before `end`, the first one lowest. Eight bytes before `end` are readable.
    @inline(__always)
    private static func lastBytes(_ count: Int, before end: UnsafeRawPointer) -> UInt64 {
        let bytes = UInt64(littleEndian: (end - 8).loadUnaligned(as: UInt64.self))
        return bytes &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    }

    /// Less than eight bytes, the first one lowest.
    private static func fewBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var result: UInt64 = 0
        for byte in bytes.reversed() { result = result << 8 | UInt64(byte) }
        return result
    }

    /// The number of bytes after the last unit that `storeBigEndian(validUTF8:at:)` may overwrite.
    static let slack = 16

    /// Stores the UTF-16 of `utf8`, which is valid UTF-8, at `target`.
    ///
    /// - Returns: The end of the last unit.
    @discardableResult
    static func storeBigEndian(
        validUTF8 utf8: UnsafeBufferPointer<UInt8>, at target: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        guard let source = utf8.baseAddress else { return target }
        var target = target
        var index = 0
        while index < utf8.count {
            // Eight characters are converted as ASCII; those before the first non-ASCII one count.
            let left = utf8.count &- index
            let bytes =
                left >= 8
                ? UInt64(littleEndian: UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self))
                : utf8.count >= 8
                    ? lastBytes(left, before: source + utf8.count)
                    : fewBytes(UnsafeBufferPointer(start: source + index, count: left))
            target.storeBytes(of: units(bytes & 0xFFFF_FFFF), as: UInt64.self)
            target.storeBytes(of: units(bytes >> 32), toByteOffset: 8, as: UInt64.self)
            let run = min(left, (bytes & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3)
            index &+= run
            target += 2 &* run
            while index < utf8.count, source[index] >= 0x80 {
                index &+= storeBigEndian(scalar: source + index, at: &target)
                // After a single ASCII character, such as a space, the next one is likely not to be ASCII.
                if index < utf8.count, source[index] < 0x80 {
                    target.storeBytes(of: UInt16(source[index]).bigEndian, as: UInt16.self)
                    target += 2
                    index &+= 1
                }
            }
        }
        return target
    }

    /// The big-endian units of four ASCII characters, in memory order.
    @inline(__always)
    private static func units(_ characters: UInt64) -> UInt64 {
        var units = characters
        units = (units | units << 16) & 0x0000_FFFF_0000_FFFF
        units = (units | units << 8) & 0x00FF_00FF_00FF_00FF
        return (units << 8).littleEndian
    }

    /// Stores the UTF-16 of the scalar at `source`, which is not ASCII.
    ///
    /// - Returns: The number of bytes of the scalar at `source`.
    @inline(__always)
    private static func storeBigEndian(
        scalar source: UnsafePointer<UInt8>, at target: inout UnsafeMutableRawPointer
    ) -> Int {
        let first = UInt32(source[0])
        var scalar: UInt32
        let byteCount: Int
        if first < 0xE0 {
            scalar = (first & 0x1F) << 6 | UInt32(source[1]) & 0x3F
            byteCount = 2
        } else if first < 0xF0 {
            scalar = (first & 0x0F) << 12 | (UInt32(source[1]) & 0x3F) << 6 | UInt32(source[2]) & 0x3F
            byteCount = 3
        } else {
            scalar =
                (first & 0x07) << 18 | (UInt32(source[1]) & 0x3F) << 12 | (UInt32(source[2]) & 0x3F) << 6
                | UInt32(source[3]) & 0x3F
            byteCount = 4
            scalar &-= 0x10000
            target.storeBytes(of: UInt16(truncatingIfNeeded: 0xD800 | scalar >> 10).bigEndian, as: UInt16.self)
            target += 2
            scalar = 0xDC00 | scalar & 0x3FF
        }
        target.storeBytes(of: UInt16(truncatingIfNeeded: scalar).bigEndian, as: UInt16.self)
        target += 2
        return byteCount
    }

    /// The number of units up to which a string is built in a stack buffer, so that its units are read only once.
    private static let shortCount = 256

    /// Returns the string of the big-endian UTF-16 in `bytes`. An unpaired surrogate becomes U+FFFD.
    static func string(bigEndian bytes: UnsafeRawBufferPointer) -> String {
        let unitCount = bytes.count / 2
        guard unitCount > 0 else { return "" }
        if unitCount <= shortCount {
            // A unit takes at most three bytes; a surrogate pair takes four.
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * shortCount + utf8Slack) { buffer in
                guard let base = buffer.baseAddress else { return "" }
                let byteCount = storeUTF8(bigEndian: bytes, at: base)
                return String(decoding: UnsafeBufferPointer(start: base, count: byteCount), as: UTF8.self)
            }
        }
        var byteCount = 0
        forEachScalar(bytes) { byteCount &+= $0 < 0x80 ? 1 : $0 < 0x800 ? 2 : $0 < 0x10000 ? 3 : 4 }
        return String(unsafeUninitializedCapacity: byteCount + utf8Slack) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return storeUTF8(bigEndian: bytes, at: base)
        }
    }

    /// The number of bytes after the last one that `storeUTF8(bigEndian:at:)` may overwrite.
    private static let utf8Slack = 4

    /// Stores the big-endian UTF-16 in `bytes` as UTF-8 at `start`.
    ///
    /// - Returns: The number of stored bytes.
    private static func storeUTF8(bigEndian bytes: UnsafeRawBufferPointer, at start: UnsafeMutablePointer<UInt8>) -> Int
    {
        guard let base = bytes.baseAddress else { return 0 }
        let unitCount = bytes.count / 2
        var target = start
        var index = 0
        while index < unitCount {
            if index &+ 4 <= unitCount {
                // Four units are converted as ASCII; those before the first non-ASCII one count.
                let units = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: index &* 2, as: UInt64.self))
                let low = units & 0x00FF_00FF_00FF_00FF
                let pairs = (low | low >> 8) & 0x0000_FFFF_0000_FFFF
                let characters = UInt32(truncatingIfNeeded: pairs | pairs >> 16)
                UnsafeMutableRawPointer(target).storeBytes(of: characters.bigEndian, as: UInt32.self)
                let run = (units & 0xFF80_FF80_FF80_FF80).leadingZeroBitCount >> 4
                index &+= run
                target += run
                if run == 4 { continue }
            }
            // Converts at least one unit, and all consecutive units that are not ASCII.
            var unit: UInt32
            repeat {
                unit = self.unit(base, index)
                index &+= 1
                if unit < 0x80 {
                    target[0] = UInt8(truncatingIfNeeded: unit)
                    target += 1
                } else if unit < 0x800 {
                    target[0] = UInt8(truncatingIfNeeded: 0xC0 | unit >> 6)
                    target[1] = UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F)
                    target += 2
                } else {
                    var scalar = unit
                    if unit & 0xF800 == 0xD800 {
                        let low = unit < 0xDC00 && index < unitCount ? self.unit(base, index) : 0
                        if low & 0xFC00 == 0xDC00 {
                            index &+= 1
                            scalar = 0x10000 &+ (unit & 0x3FF) << 10 &+ (low & 0x3FF)
                            target[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
                            target[1] = UInt8(truncatingIfNeeded: 0x80 | (scalar >> 12) & 0x3F)
                            target[2] = UInt8(truncatingIfNeeded: 0x80 | (scalar >> 6) & 0x3F)
                            target[3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
                            target += 4
                            continue
                        }
                        scalar = 0xFFFD
                    }
                    target[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
                    target[1] = UInt8(truncatingIfNeeded: 0x80 | (scalar >> 6) & 0x3F)
                    target[2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
                    target += 3
                }
            } while index < unitCount && unit >= 0x80
        }
        return target - start
    }

    @inline(__always)
    private static func unit(_ base: UnsafeRawPointer, _ index: Int) -> UInt32 {
        UInt32(UInt16(bigEndian: base.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)))
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
