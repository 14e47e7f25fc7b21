// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes that do not change, and their owner. Every access is compared with their count.
///
/// The value is a view: a copy and a part share the bytes and keep the owner alive.
@safe
package struct StoredBytes: @unchecked Sendable {
    private let base: UnsafeRawPointer
    package let count: Int
    /// The number of offsets at which eight bytes start.
    private let wordCount: Int
    private let owner: ByteOwner

    private init(base: UnsafeRawPointer, count: Int, owner: ByteOwner) {
        // Safe because the initializer only copies the address, and every caller passes the owner of `count` bytes there.
        unsafe self.base = base
        self.count = count
        wordCount = Swift.max(0, count - 7)
        self.owner = owner
    }

    init(_ memory: OwnedMemory) {
        // Safe because the memory is the owner: it has that many bytes for as long as it lives.
        unsafe self.init(base: memory.base, count: memory.count, owner: memory)
    }

    /// The bytes of `data`, without a copy unless they are few.
    package init(_ data: Data) {
        guard data.count > Self.inlineLimit else {
            // Data of a few bytes is stored inline and has no address of its own.
            // Safe because the copy is complete when the closure ends.
            self.init(unsafe data.withUnsafeBytes { unsafe OwnedMemory(copying: $0) })
            return
        }
        let owner = DataOwner(data)
        // Safe because the owner keeps the data, whose storage has that address for as long as it is not mutated.
        // A program that mutates its own copy gets new storage.
        let bytes = unsafe owner.data.withUnsafeBytes { unsafe $0 }
        guard let base = bytes.baseAddress else {
            self = .empty
            return
        }
        unsafe self.init(base: base, count: bytes.count, owner: owner)
    }

    init(copying bytes: RawSpan) {
        // Safe because the copy is complete when the closure ends.
        self.init(unsafe bytes.withUnsafeBytes { unsafe OwnedMemory(copying: $0) })
    }

    private static var inlineLimit: Int { 64 }

    static let empty = StoredBytes(OwnedMemory(byteCount: 0))

    package init(_ bytes: [UInt8]) { self.init(Data(bytes)) }

    package func part(_ range: Range<Int>) -> StoredBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "A part is outside the bytes")
        // Safe because the range was compared with the count.
        return unsafe StoredBytes(base: base + range.lowerBound, count: range.count, owner: owner)
    }
}

/// The owner of bytes, which keeps them at their address for as long as it lives.
class ByteOwner: @unchecked Sendable {}

private final class DataOwner: ByteOwner, @unchecked Sendable {
    let data: Data

    init(_ data: Data) { self.data = data }
}

/// Memory of a fixed size that `Platform` allocated, released with its owner.
///
/// A reader of a file fills it, range by range. Nothing reads a range before it is filled, and nothing fills it again.
@safe
final class OwnedMemory: ByteOwner, @unchecked Sendable {
    fileprivate let base: UnsafeMutableRawPointer
    let count: Int
    private let isReserved: Bool

    /// Takes ownership of the memory at `base`, which `Platform` allocated and which has `count` initialised bytes.
    @unsafe
    init(taking base: UnsafeMutableRawPointer, count: Int) {
        // Safe because the caller gives up the memory.
        unsafe self.base = base
        self.count = count
        isReserved = false
    }

    /// Allocates `count` bytes, all zero.
    init(byteCount: Int) {
        // Safe because the memory is zeroed, and nothing else has its address.
        unsafe base = Platform.allocateZeroed(byteCount: max(byteCount, 1))
        count = byteCount
        isReserved = false
    }

    /// Copies `bytes`, which are readable during the call.
    @unsafe
    convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(byteCount: bytes.count)
        // Safe because the memory has as many bytes.
        unsafe UnsafeMutableRawBufferPointer(start: base, count: count).copyMemory(from: bytes)
    }

    /// Reserves `byteCount` bytes, all zero, which take memory only when they are used; nil if that is not possible.
    init?(reserving byteCount: Int) {
        // Safe because the memory has as many bytes, and nothing else has its address.
        guard let memory = unsafe Platform.reserve(byteCount: byteCount) else { return nil }
        unsafe base = memory
        count = byteCount
        isReserved = true
    }

    deinit {
        // Safe because `Platform` allocated the memory, and nothing reads it without retaining this object.
        if isReserved { return unsafe Platform.unreserve(base, byteCount: count) }
        unsafe Platform.release(base)
    }
}

extension OwnedMemory {
    /// Copies `bytes` to the memory at `offset`, which no reader uses yet.
    func store(_ bytes: RawSpan, at offset: Int) {
        precondition(offset >= 0 && bytes.byteCount <= count - offset, "Bytes are stored outside the memory")
        // Safe because the range was compared with the size of the memory.
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(start: base + offset, count: source.count).copyMemory(from: source)
        }
    }
}

extension Platform {
    /// Reads bytes of the file at `position` to `range` of `memory`, as many as the system returns at once.
    ///
    /// - Returns: The number of bytes; 0 at the end of the file.
    static func readFile(
        _ file: OpenFile, at position: Int, into memory: OwnedMemory, _ range: Range<Int>
    ) throws(Failure) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= memory.count, "A range is outside the memory")
        defer { withExtendedLifetime(memory) {} }
        // Safe because the range was compared with the size of the memory, which lives until the end of the call.
        return unsafe try readFile(
            file, at: position,
            into: UnsafeMutableRawBufferPointer(start: memory.base + range.lowerBound, count: range.count))
    }

    /// Appends a part of `bytes`, which are not empty, to the file. Returns the number of written bytes, at least 1.
    static func append(_ bytes: RawSpan, to file: OpenFile) throws(Failure) -> Int {
        // Safe because the buffer ends with the closure.
        unsafe try bytes.withUnsafeBytes { bytes throws(Failure) in unsafe try append(bytes, to: file) }
    }
}

extension Platform {
    /// Replaces bytes of the file at `position` by a part of `bytes`, which are not empty.
    ///
    /// - Returns: The number of written bytes, at least 1.
    static func replace(_ bytes: RawSpan, at position: Int, of file: OpenFile) throws(Failure) -> Int {
        // Safe because the buffer ends with the closure.
        unsafe try bytes.withUnsafeBytes { bytes throws(Failure) in
            unsafe try replace(bytes, at: position, of: file)
        }
    }
}

// MARK: - Access

extension StoredBytes {
    @inline(__always)
    package func byte(at offset: Int) -> UInt8 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "A byte is outside the bytes")
        // Safe because the offset was compared with the count.
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// The address of the `length` bytes at `offset`, which are readable while their owner lives.
    @unsafe
    @inline(__always)
    func address(_ offset: Int, _ length: Int) -> UnsafeRawPointer {
        precondition(offset >= 0 && length >= 0 && length <= count - offset, "A range is outside the bytes")
        // Safe because the range was compared with the count.
        return unsafe base + offset
    }

    /// The eight bytes at `offset`, the first one highest.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: wordCount), "A number is outside the bytes")
        // Safe because eight bytes start at every offset below `wordCount`.
        return unsafe UInt64(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The byte at `offset` and the eight bytes behind it, the first one highest; nil if there are fewer.
    @inline(__always)
    func markedWord(at offset: Int) -> (marker: UInt8, word: UInt64)? {
        guard UInt(bitPattern: offset) < UInt(bitPattern: Swift.max(0, wordCount &- 1)) else { return nil }
        // Safe because eight bytes start at the next offset, which is below `wordCount`.
        let marker = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
        let word = unsafe base.loadUnaligned(fromByteOffset: offset &+ 1, as: UInt64.self)
        return (marker, UInt64(bigEndian: word))
    }

    /// The number of `width` at `offset`, which is not among the first seven bytes.
    @inline(__always)
    func number(at offset: Int, _ width: BigEndianWidth) -> UInt64 {
        word(at: offset &+ width.shift) & width.mask
    }

    /// The `size` bytes at `offset`, 1 to 16, as a big-endian number. If there are more than eight, only the last eight
    /// count.
    package func number(at offset: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<size { value = value << 8 | UInt64(byte(at: offset + index)) }
        return value
    }

    @inline(__always)
    func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
        precondition(
            UInt(bitPattern: offset) <= UInt(bitPattern: count) && MemoryLayout<Number>.size <= count &- offset,
            "A number is outside the bytes")
        // Safe because the range was compared with the count, and every bit pattern is an integer.
        return unsafe Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The place of the bytes, which no other bytes have while their owner lives.
    package var place: UInt {
        // Safe because the number is only compared.
        unsafe UInt(bitPattern: base)
    }

    @inline(__always)
    package func withBytes<Result, Failure>(
        _ range: Range<Int>, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "A range is outside the bytes")
        defer { withExtendedLifetime(owner) {} }
        // Safe because the range was compared with the count, and the span cannot leave the closure.
        let start = unsafe base + range.lowerBound
        let span = unsafe RawSpan(_unsafeStart: start, byteCount: range.count)
        return try body(span)
    }
}

extension StoredBytes {
    @inline(__always)
    package func withBytes<Result, Failure>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(0..<count, body)
    }
}

// MARK: - Lists of numbers

extension StoredBytes {
    /// The `count` numbers of `size` bytes, 1 to 16, from `offset` on; nil if they are not in bounds, or if one is among the
    /// first seven bytes.
    func numbers(at offset: Int, size: Int, count: Int) -> StoredNumbers? {
        // Safe because the owner of the bytes goes with their address.
        unsafe StoredNumbers(self, base, at: offset, size: size, count: count, owner)
    }
}

// MARK: - Comparison

extension StoredBytes {
    @inline(__always)
    package func has(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, length <= count - offset else { return false }
        // Safe because both have that many bytes.
        return unsafe (base + offset).equals(UnsafeRawPointer(text.utf8Start), count: length)
    }
}

extension StoredBytes {
    @inline(__always)
    func hasBytes(at offset: Int, equalTo other: StoredBytes, at otherOffset: Int, count length: Int) -> Bool {
        precondition(
            offset >= 0 && otherOffset >= 0 && length >= 0 && length <= count &- offset
                && length <= other.count &- otherOffset, "Bytes outside are compared")
        // Safe because both have that many bytes.
        return unsafe (base + offset).equals(other.base + otherOffset, count: length)
    }
}

extension StoredBytes: Equatable {
    package static func == (left: StoredBytes, right: StoredBytes) -> Bool {
        // Safe because both have that many bytes.
        unsafe left.count == right.count && left.base.equals(right.base, count: left.count)
    }
}

// MARK: - Text

extension StoredBytes {
    /// The text of the `length` bytes of UTF-8 at `offset`. Invalid sequences become U+FFFD.
    @inline(__always)
    package func string(at offset: Int, length: Int) -> String {
        // Safe because the range is compared with the count.
        unsafe String(decoding: UnsafeRawBufferPointer(start: address(offset, length), count: length), as: UTF8.self)
    }

    /// The text of the `length` bytes, at most 15, of UTF-8 at `offset`, as plain bytes; nil if it is at the end of the bytes.
    @inline(__always)
    func shortText(at offset: Int, length: Int) -> ShortText? {
        precondition(offset >= 0 && length >= 0 && length <= 15, "A short text has at most 15 bytes")
        guard length < 8 else {
            return ShortText(
                length: length, first: word(at: offset).byteSwapped,
                last: word(at: offset &+ length &- 8).byteSwapped)
        }
        guard offset < wordCount else { return nil }
        let word = word(at: offset).byteSwapped
        return ShortText(length: length, first: word, last: word)
    }
}

/// A text of at most 15 bytes of UTF-8, which a string has in its value.
///
/// The bytes are in registers while the string is created, so that this needs no reference to their owner.
struct ShortText: BitwiseCopyable {
    fileprivate let length: Int
    /// The first eight bytes, and the last eight of a text of so many. The lowest byte is the first one.
    fileprivate let first: UInt64
    fileprivate let last: UInt64

    /// The string. Invalid sequences become U+FFFD.
    ///
    /// This initializer validates eight bytes at a time, and `String(decoding:as:)` one byte at a time.
    @inline(__always)
    var string: String {
        // Safe because the buffer has as many bytes as were requested, and every store ends within them.
        unsafe String(unsafeUninitializedCapacity: length) { buffer in
            guard let text = UnsafeMutableRawPointer(buffer.baseAddress) else { return 0 }
            if length >= 8 {
                unsafe text.storeBytes(of: first.littleEndian, as: UInt64.self)
                unsafe text.storeBytes(of: last.littleEndian, toByteOffset: length &- 8, as: UInt64.self)
            } else if length >= 4 {
                let end = UInt32(truncatingIfNeeded: first &>> UInt64(8 &* (length &- 4)))
                unsafe text.storeBytes(of: UInt32(truncatingIfNeeded: first).littleEndian, as: UInt32.self)
                unsafe text.storeBytes(of: end.littleEndian, toByteOffset: length &- 4, as: UInt32.self)
            } else {
                for index in 0..<length {
                    let byte = UInt8(truncatingIfNeeded: first &>> UInt64(8 &* index))
                    unsafe text.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
                }
            }
            return length
        }
    }
}

// MARK: - Collection

extension StoredBytes: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    @inline(__always)
    package subscript(offset: Int) -> UInt8 { byte(at: offset) }

    @inline(__always)
    package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        defer { withExtendedLifetime(owner) {} }
        // Safe because the buffer has `count` bytes, and the owner lives until the end of the call.
        return unsafe try body(
            UnsafeBufferPointer(start: base.assumingMemoryBound(to: UInt8.self), count: count))
    }
}

extension Data {
    init(copying bytes: RawSpan) {
        // Safe because the copy is complete when the closure ends.
        self = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
    }
}

extension StoredBytes {
    /// The bytes as data, without a copy.
    package var data: Data {
        if let owner = owner as? DataOwner, owner.data.count == count { return owner.data }
        guard count > 0 else { return Data() }
        // Safe because nothing writes through the address: data copies the bytes before the first mutation. The
        // deallocator keeps the owner.
        return unsafe Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: count,
            deallocator: .custom { [owner] _, _ in withExtendedLifetime(owner) {} })
    }
}

extension UnsafeRawPointer {
    @inline(__always)
    func equals(_ other: UnsafeRawPointer, count: Int) -> Bool {
        // Safe because the caller has `count` bytes at both addresses, and every offset below ends before them.
        func differ<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> Bool {
            unsafe loadUnaligned(fromByteOffset: offset, as: type)
                != other.loadUnaligned(fromByteOffset: offset, as: type)
        }
        // The last word may overlap the previous one.
        if count >= 8 {
            var offset = 0
            while offset < count &- 8 {
                if differ(UInt64.self, at: offset) { return false }
                offset &+= 8
            }
            return !differ(UInt64.self, at: count &- 8)
        }
        if count >= 4 { return !differ(UInt32.self, at: 0) && !differ(UInt32.self, at: count &- 4) }
        for offset in 0..<count where differ(UInt8.self, at: offset) { return false }
        return true
    }
}

/// An object that has stored bytes and can continue with others.
///
/// It creates texts without a reference to the owner of the bytes, as a copy of the bytes needs one: the object itself
/// keeps the owner alive.
package class StoredBytesReader: @unchecked Sendable {
    private var ownBytes: StoredBytes

    init(_ bytes: StoredBytes) { ownBytes = bytes }

    final func begin(with bytes: StoredBytes) {
        // The old bytes are released outside of the access to the property, which then needs no exclusivity check.
        let old = ownBytes
        ownBytes = bytes
        withExtendedLifetime(old) {}
    }

    package final var bytes: StoredBytes { ownBytes }

    /// The text of the `length` bytes of UTF-8 at `offset`. Invalid sequences become U+FFFD.
    @inline(__always)
    final func text(at offset: Int, length: Int) -> String {
        // Safe because the range is compared with the count, and the standard library only reads the bytes: it calls nothing
        // that could replace them.
        let bytes = unsafe UnsafeRawBufferPointer(start: ownBytes.address(offset, length), count: length)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    final func has(_ text: String, at offset: Int, length: Int) -> Bool {
        // Safe because the range is compared with the count, and the standard library only calls the closure, which reads
        // as many bytes of both texts.
        let start = unsafe ownBytes.address(offset, length)
        let isEqual = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard utf8.count == length else { return false }
            guard let other = utf8.baseAddress else { return true }
            return unsafe start.equals(UnsafeRawPointer(other), count: length)
        }
        return isEqual ?? hasElements(of: text, in: offset..<offset + length)
    }

    @inline(never)
    private final func hasElements(of text: String, in range: Range<Int>) -> Bool {
        bytes.part(range).elementsEqual(text.utf8)
    }
}
