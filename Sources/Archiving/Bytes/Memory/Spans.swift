// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Numbers and texts in spans. A span compares every access with its size.
//
// The elements of an array are passed to a closure, and the properties `span` and `utf8Span` are not used: optimised for size,
// Swift 6.3 does not see that the elements are read through such a span, and may not store them (docs/platforms.md).

extension RawSpan {
    @inline(__always)
    func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
        Number(bigEndian: value(type, at: offset))
    }

    /// The value at `offset`, whose bytes are those of a value of `type`: a number, of which all bits are significant.
    @inline(__always)
    func value<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
        // Safe because the span checks the offset, and every bit pattern is a number.
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }

    @inline(__always)
    subscript(offset: Int) -> UInt8 { bigEndian(UInt8.self, at: offset) }

    func equals(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        // Safe because both have as many bytes, and the buffers end with the closures.
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                unsafe left.elementsEqual(right)
            }
        }
    }

    var isASCII: Bool {
        guard byteCount >= 8 else {
            for index in 0..<byteCount where self[index] >= 0x80 { return false }
            return true
        }
        // The last eight bytes may overlap those before. The loop ends early, since most texts are too short for vectors.
        var index = 0
        while index < byteCount &- 8 {
            if value(UInt64.self, at: index) & 0x8080_8080_8080_8080 != 0 { return false }
            index &+= 8
        }
        return value(UInt64.self, at: byteCount &- 8) & 0x8080_8080_8080_8080 == 0
    }
}

// The elements may be noncopyable so that the compiler does not copy them: a copy would need the functions of their type, and
// reference counting.
extension Span where Element: ~Copyable {
    @inline(__always)
    func forEachInPlace(_ body: (borrowing Element, Int) throws -> Void) rethrows {
        for index in 0..<count { try body(self[index], index) }
    }
}

extension Hasher {
    mutating func combine(_ bytes: RawSpan) {
        // Safe because the buffer ends with the closure.
        unsafe bytes.withUnsafeBytes { unsafe combine(bytes: $0) }
    }
}

extension Array {
    @inline(__always)
    func withSpan<Result, Failure>(_ body: (Span<Element>) throws(Failure) -> Result) throws(Failure) -> Result {
        // Safe because the buffer lives during the call, and the span cannot leave the closure.
        unsafe try withUnsafeBufferPointer { elements throws(Failure) in
            try body(unsafe Span(_unsafeElements: elements))
        }
    }
}

extension Span where Element: BitwiseCopyable {
    /// Calls `body` with the bytes of the elements, which are numbers without gaps.
    func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
        // Safe because every byte of the elements is initialised.
        body(unsafe bytes)
    }
}

extension ContiguousBytes {
    func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
        // Safe because the buffer lives during the call, and the span cannot leave the closure.
        unsafe withUnsafeBytes { bytes in body(unsafe RawSpan(_unsafeBytes: bytes)) }
    }
}

extension UUID {
    func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
        // Safe because the buffer lives during the call, and the span cannot leave the closure.
        unsafe withUnsafeBytes(of: uuid) { bytes in body(unsafe RawSpan(_unsafeBytes: bytes)) }
    }

    package init(_ bytes: StoredBytes) {
        precondition(bytes.count == 16, "A UUID has 16 bytes")
        // Safe because there are as many bytes, and every bit pattern is a UUID.
        self = bytes.withBytes { unsafe UUID(uuid: $0.unsafeLoadUnaligned(as: uuid_t.self)) }
    }
}

extension String {
    /// Calls `body` with the UTF-8 of the string in place. `withUTF8(_:)` would need a copy of the string, and its reference
    /// counting.
    @inline(__always)
    func withUTF8Span<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        // Safe because the buffers live during the call, and the span cannot leave the closure.
        let result = try unsafe utf8.withContiguousStorageIfAvailable { utf8 in
            try body(unsafe RawSpan(_unsafeElements: utf8))
        }
        if let result { return result }
        var copy = self
        return try copy.withUTF8 { utf8 in try body(unsafe RawSpan(_unsafeElements: utf8)) }
    }

    /// Creates the text of `utf8`. Invalid sequences become U+FFFD.
    init(decoding utf8: RawSpan) {
        // Safe because the buffer ends with the closure.
        self = unsafe utf8.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The number of bytes up to which a text is stored on the stack first.
    private static var stackCapacity: Int { 1024 }

    /// Creates the text whose UTF-8 `store` stores in a span of `capacity` bytes; it returns their number.
    init(utf8Capacity capacity: Int, _ store: (inout MutableRawSpan) -> Int) {
        if capacity <= Self.stackCapacity {
            // A text of its own size. Safe because the span has the capacity of the memory and ends with the closure.
            self = unsafe withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { memory in
                unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
                var span = unsafe MutableRawSpan(_unsafeBytes: memory)
                let count = store(&span)
                precondition(count >= 0 && count <= capacity, "A text is longer than its memory")
                let stored = unsafe UnsafeRawBufferPointer(start: memory.baseAddress, count: count)
                return unsafe String(decoding: stored, as: UTF8.self)
            }
            return
        }
        // Safe for the same reason; the memory is zeroed, so that every byte that is counted is initialised.
        unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer in
            unsafe buffer.initialize(repeating: 0)
            var span = unsafe MutableRawSpan(_unsafeElements: buffer)
            return Swift.min(store(&span), capacity)
        }
    }
}
