/// Temporary memory for values that one function passes to the next, allocated and released in the order of calls.
struct ScratchStack: ~Copyable {
    private let base: UnsafeMutableRawPointer?
    private var used = 0

    /// The number of bytes in the arena. Larger requests use the heap.
    private static var capacity: Int { 1024 }

    init(in arena: inout Arena) {
        base = arena.take(Self.capacity / 16, of: SIMD2<UInt64>.self).map { UnsafeMutableRawPointer($0) }
    }

    /// Allocates `byteCount` bytes, to be released with `pop(_:_:)`.
    @inline(__always)
    mutating func push(_ byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let size = Self.size(byteCount)
        if let base, alignment <= 16, size <= Self.capacity &- used {
            defer { used &+= size }
            return base + used
        }
        return .allocate(byteCount: max(byteCount, 1), alignment: max(alignment, 16))
    }

    /// Releases the last allocation that was not released yet.
    @inline(__always)
    mutating func pop(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        let size = Self.size(byteCount)
        if let base, used >= size, memory == base + (used &- size) {
            used &-= size
        } else {
            memory.deallocate()
        }
    }

    @inline(__always)
    private static func size(_ byteCount: Int) -> Int { (max(byteCount, 1) &+ 15) & ~15 }
}
