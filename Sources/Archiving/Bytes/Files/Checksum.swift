// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A checksum of bytes: the CRC-64 of ECMA-182 with reflected bits, as in the format "xz".
///
/// It finds every error of up to 64 adjacent bits, such as those of a write that was interrupted.
package struct Checksum: Sendable {
    private var state: UInt64 = ~0

    package var value: UInt64 { ~state }

    package init() {}

    package mutating func add(_ bytes: StoredBytes, _ range: Range<Int>) {
        var state = state
        Self.tables.withSpan { tables in
            var offset = range.lowerBound
            // Eight bytes at once: their parts of the checksum are independent of each other.
            while range.upperBound - offset >= 8 {
                let word = state ^ bytes.littleEndian(UInt64.self, at: offset)
                let low = tables[0x700 | Int(word & 0xFF)] ^ tables[0x600 | Int(word >> 8 & 0xFF)]
                let middle = tables[0x500 | Int(word >> 16 & 0xFF)] ^ tables[0x400 | Int(word >> 24 & 0xFF)]
                let upper = tables[0x300 | Int(word >> 32 & 0xFF)] ^ tables[0x200 | Int(word >> 40 & 0xFF)]
                let high = tables[0x100 | Int(word >> 48 & 0xFF)] ^ tables[Int(word >> 56)]
                state = low ^ middle ^ upper ^ high
                offset += 8
            }
            while offset < range.upperBound {
                state = tables[Int((state ^ UInt64(bytes.byte(at: offset))) & 0xFF)] ^ state >> 8
                offset += 1
            }
        }
        self.state = state
    }

    package mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            state = Self.tables[Int((state ^ number >> shift) & 0xFF)] ^ state >> 8
        }
    }

    /// Eight tables of 256 values: the part of a byte in the checksum if 0 to 7 bytes follow it.
    private static let tables: [UInt64] = {
        var tables: [UInt64] = (0..<256).map { (index: UInt64) -> UInt64 in
            (0..<8).reduce(index) { (value: UInt64, _: Int) -> UInt64 in
                value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xC96C_5795_D787_0F42
            }
        }
        for index in 256..<8 * 256 {
            let shorter = tables[index - 256]
            tables.append(tables[Int(shorter & 0xFF)] ^ (shorter >> 8))
        }
        return tables
    }()
}
