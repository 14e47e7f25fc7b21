// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A list of big-endian numbers of one size in stored bytes. All of it is in bounds, so that an access compares only its
/// index.
@safe
struct StoredNumbers {
    /// The eight bytes that end with the first number.
    private let base: UnsafeRawPointer
    private let size: Int
    private let mask: UInt64
    let count: UInt64
    private let owner: ByteOwner

    /// The `count` numbers of `size` bytes, 1 to 16, from `offset` on; nil if they are not in bounds, or if one is among the
    /// first seven bytes.
    init?(
        _ bytes: StoredBytes, _ base: UnsafeRawPointer, at offset: Int, size: Int, count: Int, _ owner: ByteOwner
    ) {
        let width = BigEndianWidth(size)
        let start = offset &+ width.shift
        guard size >= 1, size <= 16, offset >= 0, offset <= bytes.count, start >= 0, count >= 0,
            count <= (bytes.count &- offset) / size
        else { return nil }
        // Safe because the last number ends within the bytes, and eight bytes before its end start within them.
        unsafe self.base = base + start
        self.size = size
        mask = width.mask
        self.count = UInt64(count)
        self.owner = owner
    }

    /// The number at `index`, which is less than the count.
    @inline(__always)
    subscript(index: UInt64) -> UInt64 {
        precondition(index < count, "A number is outside the list")
        // Safe because the index is below the count.
        return unsafe number(at: base + Int(truncatingIfNeeded: index) &* size)
    }

    /// `number` as an index; -1 if it has more bits than `Int`.
    @inline(__always)
    static func index(_ number: UInt64) -> Int { Int(truncatingIfNeeded: min(number, UInt64(UInt.max))) }

    /// Stores what `result` returns for `number` numbers from the index `first` on in `block`.
    @inline(__always)
    func load(_ number: Int, from first: Int, into block: inout MutableSpan<Int>, _ result: (UInt64) -> Int) {
        precondition(
            first >= 0 && number >= 0 && number <= block.count && number <= Int(count) && first <= Int(count) &- number,
            "Numbers are outside the list")
        // Safe because the range was compared with the count.
        var place = unsafe base + first &* size
        for index in 0..<number {
            block[index] = result(unsafe self.number(at: place))
            unsafe place += size
        }
    }

    /// The number that ends eight bytes after `place`, one of the list.
    @unsafe
    @inline(__always)
    private func number(at place: UnsafeRawPointer) -> UInt64 {
        // Safe because the caller has eight bytes there.
        unsafe UInt64(bigEndian: place.loadUnaligned(as: UInt64.self)) & mask
    }
}

/// The width of big-endian numbers, which are read as the last of eight bytes, so that no branch is necessary.
///
/// There must be eight bytes before the end of a number. In a property list there are: its header has eight bytes.
struct BigEndianWidth: BitwiseCopyable {
    /// The distance from the start of a number to the start of the eight bytes that end with it.
    let shift: Int
    let mask: UInt64

    /// Creates the width of numbers of `size` bytes, 1 to 16, of which the last eight count.
    @inline(__always)
    init(_ size: Int) {
        shift = size &- 8
        mask = BigEndianWidth.mask(size: size)
    }

    /// The mask of the bytes of a number of `size` bytes, 1 to 16, within the eight bytes that end with it.
    @inline(__always)
    static func mask(size: Int) -> UInt64 {
        UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* min(size, 8))
    }
}

extension Int {
    /// `number`, or `Int.max` if that is less because `Int` has 32 bits. No count, index or offset in memory is that
    /// large, so the caller's check of bounds rejects it. The initializer of the standard library would end the process.
    @inline(__always)
    package init(_ number: UInt32) {
        self.init(truncatingIfNeeded: Swift.min(number, UInt32(clamping: Int.max)))
    }
}
