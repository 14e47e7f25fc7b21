/// A checksum of bytes: the CRC-64 of ECMA-182 with reflected bits, as in the format "xz".
///
/// It finds every error of up to 64 adjacent bits, such as those of a write that was interrupted.
package struct Checksum: Sendable {
    private var state: UInt64 = ~0

    /// The checksum of the bytes that were added.
    package var value: UInt64 { ~state }

    package init() {}

    /// Adds the bytes in `range` of `bytes`.
    package mutating func add(_ bytes: StoredBytes, _ range: Range<Int>) {
        let table = Self.table
        var state = state
        for offset in range {
            state = table[Int((state ^ UInt64(bytes.byte(at: offset))) & 0xFF)] ^ state >> 8
        }
        self.state = state
    }

    /// Adds the eight bytes of `number`, the highest first.
    package mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            state = Self.table[Int((state ^ number >> shift) & 0xFF)] ^ state >> 8
        }
    }

    private static let table: [UInt64] = (0..<256).map { index in
        (0..<8).reduce(UInt64(index)) { value, _ in
            value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xC96C_5795_D787_0F42
        }
    }
}
