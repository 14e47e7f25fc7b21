/// A growing byte buffer that is written sequentially, integers in big-endian order.
///
/// `reserve(_:)` reserves capacity once for a whole object; the `unchecked` writes that follow do not check it again.
struct ByteWriter: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    /// Whether the writer owns its memory, which is otherwise a part of an arena.
    private(set) var isOwned: Bool

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = Platform.reallocate(nil, byteCount: self.capacity)
        isOwned = true
    }

    init(capacity: Int, in arena: inout Arena) {
        self.capacity = max(capacity, 16)
        if let part = arena.take(self.capacity, of: UInt8.self) {
            base = UnsafeMutableRawPointer(part)
            isOwned = false
        } else {
            base = Platform.reallocate(nil, byteCount: self.capacity)
            isOwned = true
        }
    }

    deinit {
        if isOwned { Platform.release(base) }
    }
}

// MARK: - Capacity

extension ByteWriter {
    /// Reserves capacity for `byteCount` more bytes.
    @inline(__always)
    mutating func reserve(_ byteCount: Int) {
        if byteCount > capacity - count { grow(byteCount) }
    }

    /// Reserves capacity for `byteCount` more bytes, the last ones.
    mutating func reserveLast(_ byteCount: Int) {
        if byteCount > capacity - count { grow(byteCount, isLast: true) }
    }

    /// Returns whether `byteCount` more bytes fit into the current memory.
    @inline(__always)
    func hasRoom(for byteCount: Int) -> Bool { byteCount <= capacity - count }

    @inline(never)
    private mutating func grow(_ byteCount: Int, isLast: Bool = false) {
        let (needed, overflow) = count.addingReportingOverflow(byteCount)
        precondition(!overflow && needed <= Int.max / 2, "An archive cannot have more than \(Int.max / 2) bytes")
        capacity = isLast ? needed : max(capacity * Platform.growth(ofByteCount: capacity), needed)
        let old = base
        base = Platform.reallocate(isOwned ? old : nil, byteCount: capacity)
        if !isOwned { base.copyMemory(from: old, byteCount: count) }
        isOwned = true
    }

    /// The address of the next byte. Valid until the next `reserve(_:)`.
    @inline(__always)
    var end: UnsafeMutableRawPointer { base + count }

    /// Counts `byteCount` bytes that were stored at `end` after a `reserve(_:)` for them.
    @inline(__always)
    mutating func advance(_ byteCount: Int) {
        count &+= byteCount
    }

    /// Removes the bytes from `count` on.
    mutating func truncate(to count: Int) {
        precondition(count <= self.count, "truncate(to:) cannot lengthen a byte writer")
        self.count = count
    }

    /// Transfers ownership of the bytes to the caller, which releases them with `Platform.release(_:)`.
    ///
    /// A writer in an arena returns a copy and keeps its bytes; otherwise the writer is empty afterwards.
    mutating func takeBytes() -> UnsafeMutableRawBufferPointer {
        let memory = Platform.reallocate(isOwned ? base : nil, byteCount: max(count, 1))
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
        if isOwned {
            capacity = 16
            count = 0
            base = Platform.reallocate(nil, byteCount: capacity)
        } else {
            memory.copyMemory(from: base, byteCount: count)
        }
        return bytes
    }
}

// MARK: - Writing to reserved capacity

extension ByteWriter {
    @inline(__always)
    mutating func uncheckedAppend(_ byte: UInt8) {
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    mutating func uncheckedAppend<Value: FixedWidthInteger>(bigEndian value: Value) {
        base.storeBytes(of: value.bigEndian, toByteOffset: count, as: Value.self)
        count &+= MemoryLayout<Value>.size
    }

    @inline(__always)
    mutating func uncheckedAppend(contentsOf bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress { (base + count).copyMemory(from: source, byteCount: bytes.count) }
        count &+= bytes.count
    }
}

// MARK: - Writing with a check

extension ByteWriter {
    mutating func append(_ byte: UInt8) {
        reserve(1)
        uncheckedAppend(byte)
    }

    /// Appends the last `size` bytes of a number, with leading zeros if it has fewer bytes.
    mutating func append(number: UInt64, size: Int) {
        reserve(size)
        for index in (0..<size).reversed() {
            uncheckedAppend(index < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) : 0)
        }
    }

    mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        uncheckedAppend(contentsOf: bytes)
    }

    mutating func append(utf8 string: String) {
        var string = string
        string.withUTF8 { append(contentsOf: UnsafeRawBufferPointer($0)) }
    }
}
