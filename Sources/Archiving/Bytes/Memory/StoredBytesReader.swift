// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An object that has stored bytes and can continue with others.
///
/// It creates texts without a reference to the owner of the bytes, as a copy of the bytes needs one: the object itself
/// keeps the owner alive.
package class StoredBytesReader: @unchecked Sendable {
    private var ownBytes: StoredBytes

    init(_ bytes: StoredBytes) { ownBytes = bytes }

    /// Continues with `bytes`.
    final func begin(with bytes: StoredBytes) {
        // The old bytes are released outside of the access to the property, which then needs no exclusivity check.
        let old = ownBytes
        ownBytes = bytes
        withExtendedLifetime(old) {}
    }

    /// The bytes.
    package final var bytes: StoredBytes { ownBytes }

    /// The text of the `length` bytes of UTF-8 at `offset`. Invalid sequences become U+FFFD.
    @inline(__always)
    final func text(at offset: Int, length: Int) -> String {
        // Safe because the range is compared with the count, and the standard library only reads the bytes: it calls nothing
        // that could replace them.
        let bytes = unsafe UnsafeRawBufferPointer(start: ownBytes.address(offset, length), count: length)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether the `length` bytes at `offset` are the UTF-8 of `text`.
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
