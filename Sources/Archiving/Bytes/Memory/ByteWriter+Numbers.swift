// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Lists of numbers

extension ByteWriter {
    /// Appends every `stride`-th number from `start` on, the last `size` bytes of each, 1 to 4.
    func append(numbers: Span<UInt32>, from start: Int = 0, by stride: Int = 1, size: Int) {
        precondition(start >= 0 && stride > 0 && (1...4).contains(size), "A list cannot be written here")
        let end = numbers.count
        guard start < end else { return }
        let count = stride == 1 ? end &- start : (end &- start &+ stride &- 1) / stride
        // Safe because there is memory for `count` numbers, and so many are in the span.
        unsafe append(count * size) { target in
            Self.withConstant(size) { size in
                if stride == 1 {
                    for index in 0..<count {
                        unsafe Self.store(numbers[unchecked: start &+ index], at: target + index &* size, size)
                    }
                } else {
                    for index in 0..<count {
                        let number = unsafe numbers[unchecked: start &+ index &* stride]
                        unsafe Self.store(number, at: target + index &* size, size)
                    }
                }
            }
        }
    }

    /// Appends the numbers `first`, and then `second`, the last `size` bytes of each, 1 to 4.
    @inline(__always)
    func append(_ first: Span<UInt32>, _ second: Span<UInt32>, size: Int) {
        precondition((1...4).contains(size), "A number has 1 to 4 bytes")
        let (firstCount, secondCount) = (first.count, second.count)
        // Safe because there is memory for all numbers, and so many are in the spans.
        unsafe append((firstCount &+ secondCount) * size) { left in
            Self.withConstant(size) { size in
                for index in 0..<firstCount {
                    unsafe Self.store(first[unchecked: index], at: left + index &* size, size)
                }
                let right = unsafe left + firstCount &* size
                for index in 0..<secondCount {
                    unsafe Self.store(second[unchecked: index], at: right + index &* size, size)
                }
            }
        }
    }

    /// Appends numbers of which `lows` has the last two bytes, and `high` those before.
    ///
    /// - Parameter size: The number of bytes of each number, its last ones, 1 to 4.
    func append(numbersWith high: UInt32, lows: Span<UInt16>, size: Int) {
        precondition((1...4).contains(size), "A number has 1 to 4 bytes")
        // Safe because there is memory for as many numbers as are in the span.
        unsafe append(lows.count * size) { target in
            Self.withConstant(size) { size in
                for index in 0..<lows.count {
                    let low = unsafe lows[unchecked: index]
                    unsafe Self.store(high | UInt32(low), at: target + index &* size, size)
                }
            }
        }
    }

    /// Appends the numbers at even positions, and then those at odd positions, the last `size` bytes of each, 1 to 4.
    @inline(__always)
    func append(pairs: Span<UInt32>, size: Int) {
        precondition((1...4).contains(size), "A number has 1 to 4 bytes")
        let count = pairs.count / 2
        guard count > 0 else { return }
        // Safe because there is memory for all numbers, and so many pairs are in the span.
        unsafe append(2 * count * size) { left in
            let right = unsafe left + count * size
            Self.withConstant(size) { size in
                for index in 0..<count {
                    unsafe Self.store(pairs[unchecked: 2 &* index], at: left + index &* size, size)
                    unsafe Self.store(pairs[unchecked: 2 &* index &+ 1], at: right + index &* size, size)
                }
                // The last number on the left has overwritten the first byte on the right.
                if size == 3 { unsafe right.storeBytes(of: UInt8(truncatingIfNeeded: pairs[1] >> 16), as: UInt8.self) }
            }
        }
    }

    /// Calls `loop` with `size`, 1 to 4, as a constant, for which the compiler makes a loop of its own.
    @inline(__always)
    private static func withConstant(_ size: Int, _ loop: (Int) -> Void) {
        switch size {
        case 1: loop(1)
        case 2: loop(2)
        case 3: loop(3)
        default: loop(4)
        }
    }

    /// Stores the last `size` bytes of `number` at `target`, 3 bytes with a fourth one, which the next number overwrites.
    @unsafe
    @inline(__always)
    private static func store(_ number: UInt32, at target: UnsafeMutableRawPointer, _ size: Int) {
        // Safe because the caller has memory for so many bytes.
        switch size {
        case 1: unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
        case 2: unsafe target.storeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian, as: UInt16.self)
        case 3: unsafe target.storeBytes(of: (number << 8).bigEndian, as: UInt32.self)
        default: unsafe target.storeBytes(of: number.bigEndian, as: UInt32.self)
        }
    }
}
