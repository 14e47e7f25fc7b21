/// A growing run of bytes that is written from front to back, integers in big-endian order.
///
/// `reserve(_:)` makes room once for a whole object; the `unchecked` writes that follow do not look again.
struct ByteWriter: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int
    /// Whether the memory is the writer's own, and not a part of an arena.
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

// MARK: - Room

extension ByteWriter {
    /// Makes room for `byteCount` more bytes.
    @inline(__always)
    mutating func reserve(_ byteCount: Int) {
        if byteCount > capacity - count { grow(byteCount) }
    }

    @inline(never)
    private mutating func grow(_ byteCount: Int) {
        let (needed, overflow) = count.addingReportingOverflow(byteCount)
        precondition(!overflow && needed <= Int.max / 2, "An archive of more than \(Int.max / 2) bytes")
        capacity = max(capacity * 2, needed)
        let old = base
        base = Platform.reallocate(isOwned ? old : nil, byteCount: capacity)
        if !isOwned { base.copyMemory(from: old, byteCount: count) }
        isOwned = true
    }

    /// Where the next byte goes. Valid until the next `reserve(_:)`.
    @inline(__always)
    var end: UnsafeMutableRawPointer { base + count }

    /// Counts `byteCount` bytes that were stored at `end`, after a `reserve(_:)` for them.
    @inline(__always)
    mutating func advance(_ byteCount: Int) {
        count &+= byteCount
    }

    /// Forgets what was written from `count` on.
    mutating func truncate(to count: Int) {
        precondition(count <= self.count, "A byte writer is only ever shortened by truncate(to:)")
        self.count = count
    }

    /// Hands the bytes over to the caller, who releases them with `Platform.release(_:)`.
    ///
    /// A writer in an arena gives a copy and keeps what it has; another one is empty then.
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

// MARK: - Writing into reserved room

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

    mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        uncheckedAppend(contentsOf: bytes)
    }

    mutating func append(utf8 string: String) {
        var string = string
        string.withUTF8 { append(contentsOf: UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeMutableRawPointer {
    /// Stores the lowest `size` bytes of `value` here, the highest of them first; `size` is 1 to 8.
    @inline(__always)
    func storeBigEndian(_ value: UInt64, size: Int) {
        switch size {
        case 1: storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
        case 2: storeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, as: UInt16.self)
        case 4: storeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, as: UInt32.self)
        case 8: storeBytes(of: value.bigEndian, as: UInt64.self)
        default:
            var rest = value
            for index in stride(from: size &- 1, through: 0, by: -1) {
                storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: index, as: UInt8.self)
                rest >>= 8
            }
        }
    }
}

extension UnsafeRawPointer {
    /// The `size` bytes here as an unsigned integer, the first byte highest; only the last eight count where there are
    /// more.
    @inline(__always)
    func loadBigEndian(size: Int) -> UInt64 {
        switch size {
        case 1: return UInt64(loadUnaligned(as: UInt8.self))
        case 2: return UInt64(UInt16(bigEndian: loadUnaligned(as: UInt16.self)))
        case 3:
            return UInt64(UInt16(bigEndian: loadUnaligned(as: UInt16.self))) << 8
                | UInt64(loadUnaligned(fromByteOffset: 2, as: UInt8.self))
        case 4: return UInt64(UInt32(bigEndian: loadUnaligned(as: UInt32.self)))
        case 8: return UInt64(bigEndian: loadUnaligned(as: UInt64.self))
        default:
            var value: UInt64 = 0
            for index in 0..<size { value = value << 8 | UInt64(loadUnaligned(fromByteOffset: index, as: UInt8.self)) }
            return value
        }
    }
}

/// How big-endian numbers of one width are read: as the last of eight bytes, so that it takes no branch.
///
/// There have to be eight bytes in front of the end of a number. In a property list there are: its header has eight.
struct BigEndianWidth: BitwiseCopyable {
    /// From the start of a number to that of the eight bytes which end with it.
    private let shift: Int
    private let mask: UInt64

    /// Numbers of `size` bytes, 1 to 16, of which the last eight count.
    @inline(__always)
    init(_ size: Int) {
        shift = size &- 8
        mask = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* min(size, 8))
    }

    /// The number at `address`.
    @inline(__always)
    func load(_ address: UnsafeRawPointer) -> UInt64 {
        UInt64(bigEndian: (address + shift).loadUnaligned(as: UInt64.self)) & mask
    }
}
