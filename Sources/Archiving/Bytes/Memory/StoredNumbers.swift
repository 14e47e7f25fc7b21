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

/// A number for each index below a limit, 0 until it is set.
///
/// A table for many indices takes memory only for the pages with numbers that are set, so a reader can have one for an
/// archive of which it reads a part. Every index is checked.
@safe
final class UnsetNumbers {
    /// The memory, of at least `limit` numbers. An address that is never used if there is no memory.
    private var base: UnsafeMutablePointer<UInt32>
    private(set) var limit = 0
    /// Whether any number may be set.
    private var isUsed = false
    private var hasFew = false

    /// The greatest number of indices that count as few: their memory is kept for the next archive.
    private static var few: Int { 128 }

    init() {
        // Safe because the address is not used before there is memory.
        unsafe base = UnsafeMutablePointer(bitPattern: MemoryLayout<UInt32>.alignment).unsafelyUnwrapped
    }

    deinit {
        removeAll()
        // Safe because the memory was allocated for few numbers, and no other object has its address.
        if hasFew { unsafe Platform.release(UnsafeMutableRawPointer(base)) }
    }

    func restart(limit: Int) {
        removeAll()
        precondition(limit >= 0, "A table cannot have fewer indices than none")
        self.limit = limit
    }

    @inline(__always)
    subscript(index: Int) -> UInt32 {
        get {
            guard isUsed, index >= 0, index < limit else { return 0 }
            // Safe because the index is below the limit, for which there is memory once a number is set.
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < limit, "An index of a table is out of range")
            if !isUsed { begin() }
            // Safe because the index is below the limit, for which there is memory now.
            unsafe base[index] = newValue
        }
    }

    private var byteCount: Int { limit * MemoryLayout<UInt32>.stride }

    @inline(never)
    private func begin() {
        isUsed = true
        if limit <= Self.few, hasFew { return }
        // Safe because all bits of zero are a number, and the memory has room for the limit.
        unsafe base =
            limit <= Self.few
            ? Platform.allocateZeroed(byteCount: Self.few * MemoryLayout<UInt32>.stride)
                .bindMemory(to: UInt32.self, capacity: Self.few)
            : takeMany()
        if limit <= Self.few { hasFew = true }
    }

    private func takeMany() -> UnsafeMutablePointer<UInt32> {
        if hasFew {
            // Safe because the memory was allocated for few numbers, and is replaced.
            unsafe Platform.release(UnsafeMutableRawPointer(base))
            hasFew = false
        }
        // Safe as in `begin()`.
        return unsafe Platform.reserveZeroed(byteCount: byteCount).bindMemory(to: UInt32.self, capacity: limit)
    }

    func removeAll() {
        guard isUsed else { return }
        isUsed = false
        if hasFew {
            // Safe because the limit is at most the number of few indices.
            unsafe base.update(repeating: 0, count: limit)
        } else {
            // Safe because the memory was reserved with the same size, and is not used before it is taken again.
            unsafe Platform.releaseZeroed(UnsafeMutableRawPointer(base), byteCount: byteCount)
        }
    }
}
