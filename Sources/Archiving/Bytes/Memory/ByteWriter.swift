/// A growing byte buffer that is written sequentially, integers in big-endian order.
///
/// `reserve(_:)` reserves capacity once for a whole object; the `unchecked` writes that follow do not check it again.
final class ByteWriter {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = Platform.reallocate(nil, byteCount: self.capacity)
    }

    deinit {
        Platform.release(base)
    }
}

// MARK: - Capacity

extension ByteWriter {
    /// Reserves capacity for `byteCount` more bytes.
    @inline(__always)
    func reserve(_ byteCount: Int) {
        if byteCount > capacity - count { grow(byteCount) }
    }

    /// Reserves capacity for `byteCount` more bytes, the last ones.
    func reserveLast(_ byteCount: Int) {
        if byteCount > capacity - count { grow(byteCount, isLast: true) }
    }

    /// Returns whether `byteCount` more bytes fit into the current memory.
    @inline(__always)
    func hasRoom(for byteCount: Int) -> Bool { byteCount <= capacity - count }

    @inline(never)
    private func grow(_ byteCount: Int, isLast: Bool = false) {
        let (needed, overflow) = count.addingReportingOverflow(byteCount)
        precondition(!overflow && needed <= Int.max / 2, "An archive cannot have more than \(Int.max / 2) bytes")
        capacity = isLast ? needed : max(capacity * Platform.growth(ofByteCount: capacity), needed)
        base = Platform.reallocate(base, byteCount: capacity)
    }

    /// The address of the next byte. Valid until the next `reserve(_:)`.
    @inline(__always)
    var end: UnsafeMutableRawPointer { base + count }

    /// Counts `byteCount` bytes that were stored at `end` after a `reserve(_:)` for them.
    @inline(__always)
    func advance(_ byteCount: Int) {
        count &+= byteCount
    }

    /// Removes the bytes from `count` on.
    func truncate(to count: Int) {
        precondition(count <= self.count, "truncate(to:) cannot lengthen a byte writer")
        self.count = count
    }

    /// Returns a copy of the bytes, which the caller releases with `Platform.release(_:)`.
    func copyBytes() -> UnsafeMutableRawBufferPointer {
        let memory = Platform.reallocate(nil, byteCount: max(count, 1))
        memory.copyMemory(from: base, byteCount: count)
        return UnsafeMutableRawBufferPointer(start: memory, count: count)
    }

    /// Transfers ownership of the bytes to the caller, which releases them with `Platform.release(_:)`. The writer is empty
    /// afterwards.
    func takeBytes() -> UnsafeMutableRawBufferPointer {
        let memory = Platform.reallocate(base, byteCount: max(count, 1))
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
        capacity = 16
        count = 0
        base = Platform.reallocate(nil, byteCount: capacity)
        return bytes
    }
}

// MARK: - Writing to reserved capacity

extension ByteWriter {
    @inline(__always)
    func uncheckedAppend(_ byte: UInt8) {
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    func uncheckedAppend<Value: FixedWidthInteger>(bigEndian value: Value) {
        base.storeBytes(of: value.bigEndian, toByteOffset: count, as: Value.self)
        count &+= MemoryLayout<Value>.size
    }

    @inline(__always)
    func uncheckedAppend(contentsOf bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress { (base + count).copyMemory(from: source, byteCount: bytes.count) }
        count &+= bytes.count
    }
}

// MARK: - Writing with a check

extension ByteWriter {
    func append(_ byte: UInt8) {
        reserve(1)
        uncheckedAppend(byte)
    }

    /// Appends the last `size` bytes of a number, with leading zeros if it has fewer bytes.
    func append(number: UInt64, size: Int) {
        reserve(size)
        for index in (0..<size).reversed() {
            uncheckedAppend(index < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) : 0)
        }
    }

    func append(contentsOf bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        uncheckedAppend(contentsOf: bytes)
    }

    func append(contentsOf bytes: RawSpan) {
        bytes.withUnsafeBytes { append(contentsOf: $0) }
    }

    func append(utf8 string: String) {
        var string = string
        string.withUTF8 { append(contentsOf: UnsafeRawBufferPointer($0)) }
    }
}
