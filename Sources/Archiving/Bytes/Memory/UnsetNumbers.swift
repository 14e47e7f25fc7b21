// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
