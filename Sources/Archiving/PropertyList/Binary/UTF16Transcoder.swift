// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Converts strings between Swift's UTF-8 and the property list's big-endian UTF-16.
enum UTF16Transcoder {
    /// The number of UTF-16 code units of `utf8`, which is valid UTF-8.
    static func unitCount(ofValidUTF8 utf8: RawSpan) -> Int {
        // Every byte that is not a continuation byte starts a scalar; a scalar of four bytes takes two units.
        var count = utf8.byteCount
        var index = 0
        while index &+ 8 <= utf8.byteCount {
            count &+= unitsBeyondBytes(utf8.bigEndian(UInt64.self, at: index))
            index &+= 8
        }
        if index == utf8.byteCount { return count }
        return count &+ unitsBeyondBytes(lastBytes(utf8, utf8.byteCount &- index))
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

    /// The last `count` bytes of `bytes`, 1 to 7, the last one lowest.
    @inline(__always)
    private static func lastBytes(_ bytes: RawSpan, _ count: Int) -> UInt64 {
        if bytes.byteCount >= 8 {
            let last = bytes.bigEndian(UInt64.self, at: bytes.byteCount &- 8)
            return last & (1 &<< UInt64(truncatingIfNeeded: 8 &* count) &- 1)
        }
        var last: UInt64 = 0
        for index in (bytes.byteCount &- count)..<bytes.byteCount { last = last << 8 | UInt64(bytes[index]) }
        return last
    }

    /// The number of bytes after the last unit that a conversion to UTF-16 may overwrite.
    private static let unitSlack = 8

    /// Appends the UTF-16 of `utf8`, which is valid UTF-8 of `unitCount` units, to `output`.
    static func append(validUTF8 utf8: RawSpan, unitCount: Int, to output: ByteWriter) {
        // Swift 6.2 allows no function with both spans as parameters.
        func storeUnits(in target: inout MutableRawSpan) -> Int {
            var end = 0
            var index = 0
            while index < utf8.byteCount {
                // Four characters are converted as ASCII; those before the first non-ASCII one count.
                let left = utf8.byteCount &- index
                let bytes =
                    left >= 4
                    ? utf8.bigEndian(UInt32.self, at: index)
                    : UInt32(truncatingIfNeeded: lastBytes(utf8, left)) << UInt32(truncatingIfNeeded: 32 &- 8 &* left)
                Self.store(bigEndian: units(UInt64(bytes)), at: end, in: &target)
                let run = min(left, (bytes & 0x8080_8080).leadingZeroBitCount >> 3)
                index &+= run
                end &+= 2 &* run
                if run == 4 { continue }
                func rest(_ position: Int) -> UInt32 { UInt32(utf8[index &+ position]) & 0x3F }
                while index < utf8.byteCount {
                    let first = UInt32(utf8[index])
                    if first < 0x80 {
                        // After a single ASCII character, such as a space, the next one is likely not to be ASCII.
                        store(first)
                        index &+= 1
                        if index < utf8.byteCount, utf8[index] < 0x80 { break }
                    } else if first < 0xE0 {
                        store((first & 0x1F) << 6 | rest(1))
                        index &+= 2
                    } else if first < 0xF0 {
                        store((first & 0x0F) << 12 | rest(1) << 6 | rest(2))
                        index &+= 3
                    } else {
                        let scalar = ((first & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3)) &- 0x10000
                        store(0xD800 | scalar >> 10)
                        store(0xDC00 | scalar & 0x3FF)
                        index &+= 4
                    }
                }
            }
            func store(_ unit: UInt32) {
                Self.store(bigEndian: UInt16(truncatingIfNeeded: unit), at: end, in: &target)
                end &+= 2
            }
            return end
        }
        output.append(upTo: 2 &* unitCount &+ unitSlack) { storeUnits(in: &$0) }
    }

    @inline(__always)
    private static func units(_ characters: UInt64) -> UInt64 {
        let pairs = (characters | characters << 16) & 0x0000_FFFF_0000_FFFF
        return (pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF
    }

    /// The number of units up to which space for the longest text is reserved, so that the units are read only once.
    private static let shortCount = 256

    /// Returns the string of the big-endian UTF-16 in `bytes`. An unpaired surrogate becomes U+FFFD.
    static func string(bigEndian bytes: RawSpan) -> String {
        let unitCount = bytes.byteCount / 2
        // A unit takes at most three bytes; a surrogate pair takes four.
        var capacity = 3 * unitCount
        if unitCount > shortCount {
            capacity = 0
            var index = 0
            while index < unitCount {
                let scalar = nextScalar(bytes, &index)
                capacity &+= scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
            }
        }
        return String(utf8Capacity: capacity + slack) { storeUTF8(in: &$0) }

        func storeUTF8(in target: inout MutableRawSpan) -> Int {
            var end = 0
            var index = 0
            while index < unitCount {
                if index &+ 4 <= unitCount, case let units = bytes.bigEndian(UInt64.self, at: index &* 2),
                    units & 0xFF80_FF80_FF80_FF80 == 0
                {
                    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF
                    store(bigEndian: UInt32(truncatingIfNeeded: pairs | pairs >> 16), at: end, in: &target)
                    index &+= 4
                    end &+= 4
                    continue
                }
                // Converts at least one scalar, and all consecutive ones that are not ASCII.
                var scalar: UInt32
                repeat {
                    scalar = nextScalar(bytes, &index)
                    let last = 0x80 | scalar & 0x3F
                    if scalar < 0x80 {
                        store(bigEndian: UInt8(truncatingIfNeeded: scalar), at: end, in: &target)
                        end &+= 1
                    } else if scalar < 0x800 {
                        store(
                            bigEndian: UInt16(truncatingIfNeeded: (0xC0 | scalar >> 6) << 8 | last), at: end,
                            in: &target)
                        end &+= 2
                    } else {
                        let lastTwo = (0x80 | (scalar >> 6) & 0x3F) << 8 | last
                        if scalar < 0x10000 {
                            store(bigEndian: ((0xE0 | scalar >> 12) << 16 | lastTwo) << 8, at: end, in: &target)
                            end &+= 3
                        } else {
                            let firstTwo = (0xF0 | scalar >> 18) << 8 | 0x80 | (scalar >> 12) & 0x3F
                            store(bigEndian: firstTwo << 16 | lastTwo, at: end, in: &target)
                            end &+= 4
                        }
                    }
                } while scalar >= 0x80 && index < unitCount
            }
            return end
        }
    }

    /// The number of bytes after the last one that a conversion to UTF-8 may overwrite.
    private static let slack = 1

    @inline(__always)
    private static func store<Number: FixedWidthInteger & BitwiseCopyable>(
        bigEndian number: Number, at offset: Int, in target: inout MutableRawSpan
    ) {
        target.storeBytes(of: number.bigEndian, toByteOffset: offset, as: Number.self)
    }

    /// Returns the scalar of the unit `index`, and moves past it. An unpaired surrogate is U+FFFD.
    @inline(__always)
    private static func nextScalar(_ bytes: RawSpan, _ index: inout Int) -> UInt32 {
        let unit = UInt32(bytes.bigEndian(UInt16.self, at: index &* 2))
        index &+= 1
        guard unit & 0xF800 == 0xD800 else { return unit }
        guard unit < 0xDC00, index &* 2 &+ 2 <= bytes.byteCount,
            case let low = UInt32(bytes.bigEndian(UInt16.self, at: index &* 2)), low & 0xFC00 == 0xDC00
        else { return 0xFFFD }
        index &+= 1
        return 0x10000 &+ (unit & 0x3FF) << 10 &+ (low & 0x3FF)
    }
}
