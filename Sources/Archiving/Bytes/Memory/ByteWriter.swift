// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A growing byte buffer that is written sequentially, integers in big-endian order.
///
/// It is an object, which its users hold as a constant. Every call compares what it appends with the capacity once, and what
/// it reads with the count. While a closure uses the memory, the writer has no capacity: it traps instead of moving
/// or changing the memory.
@safe
final class ByteWriter {
    // Safe because the memory has `capacity` bytes, of which the first `count` are initialised: every call keeps that.
    private var base: UnsafeMutableRawPointer
    private(set) var count = 0
    /// The size of the memory; 0 while it is in use.
    private(set) var capacity: Int

    private static var minimumCapacity: Int { 16 }

    init(capacity: Int) {
        self.capacity = max(capacity, Self.minimumCapacity)
        // Safe because the memory has the capacity, and only this writer has its address.
        unsafe base = Platform.reallocate(nil, byteCount: self.capacity)
    }

    deinit {
        // Safe because nothing else has the address: a closure that uses the memory retains the writer.
        unsafe Platform.release(base)
    }
}

// MARK: - Capacity

extension ByteWriter {
    @inline(__always)
    func reserve(_ byteCount: Int) {
        if byteCount > capacity &- count { grow(byteCount) }
    }

    /// Reserves capacity for `byteCount` more bytes, the last ones.
    func reserveLast(_ byteCount: Int) {
        if byteCount > capacity &- count { grow(byteCount, isLast: true) }
    }

    func hasRoom(for byteCount: Int) -> Bool { byteCount <= capacity &- count }

    @inline(never)
    private func grow(_ byteCount: Int, isLast: Bool = false) {
        requireUnused()
        let (needed, overflow) = count.addingReportingOverflow(byteCount)
        precondition(!overflow && needed <= Int.max / 2, "An archive cannot have more than \(Int.max / 2) bytes")
        // Safe because the new memory has the new capacity, which is not less than the count.
        if isLast {
            unsafe base = Platform.reallocate(base, byteCount: needed)
            capacity = needed
        } else {
            unsafe (base, capacity) = Platform.grow(base, from: capacity, neededByteCount: needed)
        }
    }

    @inline(__always)
    private func requireUnused() {
        precondition(capacity > 0, "The memory of a byte writer is in use")
    }

    /// Appends `byteCount` bytes that `store` stores at the address that it gets. It may store another byte after them.
    @unsafe
    @inline(__always)
    func append(_ byteCount: Int, storedBy store: (UnsafeMutableRawPointer) -> Void) {
        reserve(byteCount + 1)
        requireUnused()
        // Safe because the capacity was reserved.
        unsafe store(base + count)
        count &+= byteCount
    }

    /// Calls `body` with the address of the memory, which does not move or change before `body` returns.
    @unsafe
    @inline(__always)
    func lend<Result, Failure>(
        _ body: (UnsafeMutableRawPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lent = capacity
        capacity = 0
        defer { capacity = lent }
        // Safe because a writer without capacity does not grow, and compares with it whatever it changes.
        return try unsafe body(base)
    }

    /// Counts the bytes before `count`, which were stored in memory that was lent.
    @unsafe
    func takeBack(count: Int) {
        precondition(count >= self.count && count <= capacity, "More bytes were stored than there was space for")
        self.count = count
    }

    func truncate(to count: Int) {
        requireUnused()
        precondition(count >= 0 && count <= self.count, "truncate(to:) cannot lengthen a byte writer")
        self.count = count
    }

    func takeBytes() -> StoredBytes {
        requireUnused()
        // Safe because the writer gives up its memory, of which the first `count` bytes are initialised.
        let memory = unsafe Platform.reallocate(base, byteCount: max(count, 1))
        let bytes = unsafe StoredBytes(OwnedMemory(taking: memory, count: count))
        capacity = Self.minimumCapacity
        unsafe base = Platform.reallocate(nil, byteCount: capacity)
        count = 0
        return bytes
    }

    func copyBytes() -> StoredBytes { withBytes { StoredBytes(copying: $0) } }
}

// MARK: - Appending

extension ByteWriter {
    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        // Safe because the capacity was reserved.
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends a byte, and after it the highest `size` bytes of `word`, at most eight.
    @inline(__always)
    func append(_ byte: UInt8, highest size: Int, of word: UInt64) {
        precondition(UInt(bitPattern: size) <= 8, "A word has eight bytes")
        reserve(9)
        // Safe because capacity for nine bytes was reserved: all are stored, and at most as many are counted.
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        unsafe base.storeBytes(of: word.bigEndian, toByteOffset: count &+ 1, as: UInt64.self)
        count &+= 1 &+ size
    }

    @inline(__always)
    func append<Value: FixedWidthInteger & BitwiseCopyable>(bigEndian value: Value) {
        reserve(MemoryLayout<Value>.size)
        // Safe because the capacity was reserved.
        unsafe base.storeBytes(of: value.bigEndian, toByteOffset: count, as: Value.self)
        count &+= MemoryLayout<Value>.size
    }

    /// Appends a byte and two numbers, the last `size` bytes of each, 1 to 4.
    @inline(__always)
    func append(_ byte: UInt8, _ first: UInt32, _ second: UInt32, size: Int) {
        precondition((1...4).contains(size), "A number has 1 to 4 bytes")
        reserve(9)
        // Safe because the capacity was reserved: nine bytes are stored, and at most as many are counted.
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        unsafe base.storeBytes(of: Self.word(first, second, size), toByteOffset: count &+ 1, as: UInt64.self)
        count &+= 1 &+ 2 &* size
    }

    /// Appends two numbers, the last `size` bytes of each, 1 to 4.
    @inline(__always)
    func append(_ first: UInt32, _ second: UInt32, size: Int) {
        precondition((1...4).contains(size), "A number has 1 to 4 bytes")
        reserve(8)
        // Safe because the capacity was reserved: eight bytes are stored, and at most as many are counted.
        unsafe base.storeBytes(of: Self.word(first, second, size), toByteOffset: count, as: UInt64.self)
        count &+= 2 &* size
    }

    /// Two numbers of `size` bytes each, big-endian, in the first bytes of a word.
    @inline(__always)
    private static func word(_ first: UInt32, _ second: UInt32, _ size: Int) -> UInt64 {
        let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* size)
        return (UInt64(first) &<< unused | (UInt64(second) &<< unused) &>> (64 &- unused)).bigEndian
    }

    /// Appends the last `size` bytes of a number, with leading zeros if it has fewer bytes.
    func append(number: UInt64, size: Int) {
        for index in (0..<size).reversed() {
            append(index < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) : 0)
        }
    }

    @inline(__always)
    func append(contentsOf bytes: RawSpan) {
        let byteCount = bytes.byteCount
        reserve(byteCount)
        // Safe because the capacity was reserved, and the span has as many bytes.
        unsafe bytes.withUnsafeBytes { source in
            guard let source = source.baseAddress else { return }
            unsafe Self.copy(source, to: base + count, byteCount)
        }
        count &+= byteCount
    }

    /// Copies bytes. Few bytes, as most texts have, are copied as two words that overlap.
    @inline(__always)
    private static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int) {
        // Safe because the caller has `count` bytes at both addresses, and no word ends after them.
        if count > 16 || count < 4 {
            unsafe target.copyMemory(from: source, byteCount: count)
        } else if count >= 8 {
            let first = unsafe source.loadUnaligned(as: UInt64.self)
            let last = unsafe source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            unsafe target.storeBytes(of: first, as: UInt64.self)
            unsafe target.storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
        } else {
            let first = unsafe source.loadUnaligned(as: UInt32.self)
            let last = unsafe source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            unsafe target.storeBytes(of: first, as: UInt32.self)
            unsafe target.storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
        }
    }

    func append(contentsOf bytes: StoredBytes) {
        bytes.withBytes(0..<bytes.count) { append(contentsOf: $0) }
    }

    func append(_ text: StaticString) {
        // Safe because the text has as many bytes, and is never released.
        unsafe append(contentsOf: RawSpan(_unsafeStart: text.utf8Start, byteCount: text.utf8CodeUnitCount))
    }

    func append(utf8 string: String) {
        string.withUTF8Span { append(contentsOf: $0) }
    }

    /// Appends the bytes that `store` stores in a span of `byteCount` zeros. It returns their number.
    @inline(__always)
    func append(upTo byteCount: Int, _ store: (inout MutableRawSpan) -> Int) {
        precondition(byteCount >= 0, "A span cannot have \(byteCount) bytes")
        reserve(byteCount)
        // Safe because the capacity was reserved, all of it is initialised, and the span ends with the closure.
        let stored = unsafe lend { base in
            let target = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: byteCount)
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
            var span = unsafe MutableRawSpan(_unsafeBytes: target)
            return store(&span)
        }
        precondition(stored >= 0 && stored <= byteCount, "\(stored) of \(byteCount) bytes")
        count &+= stored
    }
}

// MARK: - Written bytes

extension ByteWriter {
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "A byte is outside the written bytes")
        // Safe because the offset was compared with the count.
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    func has(_ text: RawSpan, at offset: Int) -> Bool {
        guard offset >= 0, text.byteCount <= count - offset else { return false }
        // Safe because both have as many bytes, and the buffer ends with the closure.
        return unsafe text.withUnsafeBytes { text in
            guard let other = text.baseAddress else { return true }
            return unsafe ByteHash.areEqual(base + offset, other, count: text.count)
        }
    }

    /// The `size` bytes at `offset` as a number, 1 to 8.
    func number(at offset: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<size { value = value << 8 | UInt64(byte(at: offset + index)) }
        return value
    }

    /// Moves `count` numbers of `size` bytes, 1 to 3, which end at `end`, so that they end at `newEnd`, and widens each by one
    /// byte. The last is moved first.
    func widen(_ count: Int, numbersOf size: Int, endingAt end: Int, to newEnd: Int) {
        requireUnused()
        precondition(
            (1...3).contains(size) && count >= 0 && newEnd <= self.count && count * size <= end
                && end - count * size <= newEnd - count * (size + 1),
            "Numbers are outside the written bytes")
        // Safe because both ranges were compared with the count. A number moves back by no byte, so that it overwrites none of
        // those before it.
        var source = unsafe base + end
        var target = unsafe base + newEnd
        for _ in 0..<count {
            unsafe source -= size
            unsafe target -= size &+ 1
            switch size {
            case 1:
                let number = unsafe UInt16(source.load(as: UInt8.self))
                unsafe target.storeBytes(of: number.bigEndian, as: UInt16.self)
            case 2:
                let number = unsafe source.loadUnaligned(as: UInt16.self)
                unsafe target.storeBytes(of: 0, as: UInt8.self)
                unsafe target.storeBytes(of: number, toByteOffset: 1, as: UInt16.self)
            default:
                let high = unsafe source.load(as: UInt8.self)
                let low = unsafe source.loadUnaligned(fromByteOffset: 1, as: UInt16.self)
                unsafe target.storeBytes(of: UInt16(high).bigEndian, as: UInt16.self)
                unsafe target.storeBytes(of: low, toByteOffset: 2, as: UInt16.self)
            }
        }
    }

    /// Copies the bytes in `range` to `offset`. The ranges may overlap.
    func move(_ range: Range<Int>, to offset: Int) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count && offset >= 0 && range.count <= count - offset,
            "A range is outside the written bytes")
        copy(range.lowerBound, to: offset, range.count)
    }

    /// Moves the last `byteCount` bytes to `offset`, in front of those that are there.
    func moveLast(_ byteCount: Int, to offset: Int) {
        precondition(
            offset >= 0 && byteCount >= 0 && byteCount <= count - offset, "A range is outside the written bytes")
        reserve(byteCount)
        copy(offset, to: offset + byteCount, count - offset)
        copy(count, to: offset, byteCount)
    }

    private func copy(_ source: Int, to target: Int, _ byteCount: Int) {
        requireUnused()
        precondition(
            min(source, target, byteCount) >= 0 && max(source, target) <= capacity - byteCount,
            "A range is outside the memory")
        // Safe because both ranges were compared with the capacity.
        unsafe (base + target).copyMemory(from: base + source, byteCount: byteCount)
    }

    func appendZeros(_ byteCount: Int) {
        append(upTo: byteCount) { $0.byteCount }
    }

    @inline(__always)
    func withBytes<Result, Failure>(
        _ range: Range<Int>, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "A range is outside the written bytes")
        // Safe because the range was compared with the count, the span cannot leave the closure, and the memory does not
        // move or change during the call.
        return try unsafe lend { base throws(Failure) in
            let start = unsafe UnsafeRawPointer(base + range.lowerBound)
            return try body(unsafe RawSpan(_unsafeStart: start, byteCount: range.count))
        }
    }

    func withBytes<Result, Failure>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
        try withBytes(0..<count, body)
    }
}

// MARK: - Records

/// A byte, and up to eight bytes that follow.
struct ShortRecord: BitwiseCopyable {
    let first: UInt8
    /// The bytes after the first one, the highest first. Only the first ones belong to the record.
    let rest: UInt64
    let byteCount: Int

    @inline(__always)
    init(_ first: UInt8, highest size: Int, of rest: UInt64) {
        precondition(UInt(bitPattern: size) <= 8, "A word has eight bytes")
        (self.first, self.rest, byteCount) = (first, rest, 1 &+ size)
    }

    /// The space that a record needs while it is stored.
    static var storedSize: Int { 9 }

    /// Stores the record in its full size, at an address with space for `storedSize` bytes.
    @unsafe
    @inline(__always)
    func store(at target: UnsafeMutableRawPointer) {
        // Safe because the caller has reserved the memory.
        unsafe target.storeBytes(of: first, as: UInt8.self)
        unsafe target.storeBytes(of: rest.bigEndian, toByteOffset: 1, as: UInt64.self)
    }
}

extension ByteWriter {
    @inline(__always)
    func append(_ first: ShortRecord, _ bytes: RawSpan, _ last: ShortRecord) {
        let byteCount = bytes.byteCount
        reserve(2 * ShortRecord.storedSize + byteCount)
        // Safe because the capacity was reserved, and the span has as many bytes.
        let start = unsafe base + count
        unsafe first.store(at: start)
        unsafe bytes.withUnsafeBytes { source in
            guard let source = source.baseAddress else { return }
            unsafe Self.copy(source, to: start + first.byteCount, byteCount)
        }
        unsafe last.store(at: start + (first.byteCount &+ byteCount))
        count &+= first.byteCount &+ byteCount &+ last.byteCount
    }

    @inline(__always)
    func append(_ record: ShortRecord) {
        append(record.first, highest: record.byteCount &- 1, of: record.rest)
    }
}

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

    /// Appends the sums of `start` and each number.
    ///
    /// - Parameter size: The number of bytes of each number, its last ones, 1 to 4.
    func append(numbersFrom start: UInt32, adding lows: Span<UInt16>, size: Int) {
        precondition((1...4).contains(size), "A number has 1 to 4 bytes")
        // Safe because there is memory for as many numbers as are in the span.
        unsafe append(lows.count * size) { target in
            Self.withConstant(size) { size in
                for index in 0..<lows.count {
                    let low = unsafe lows[unchecked: index]
                    unsafe Self.store(start &+ UInt32(low), at: target + index &* size, size)
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
