// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The objects that were written: strings are compared with them, and a container that is requested late continues one.

extension BinaryPropertyListWriter {
    @inline(__always)
    func isASCII(_ reference: Reference, equalTo text: RawSpan) -> Bool {
        let offset = offsets[Int(reference)]
        let count = text.byteCount
        guard count < BinaryFormat.inlineCountLimit else { return isLongASCII(offset, equalTo: text) }
        return bytes.byte(at: offset) == BinaryFormat.Marker.ascii | UInt8(truncatingIfNeeded: count)
            && bytes.has(text, at: offset &+ 1)
    }

    @inline(never)
    private func isLongASCII(_ offset: Int, equalTo text: RawSpan) -> Bool {
        guard bytes.byte(at: offset) == BinaryFormat.Marker.ascii | 0x0F else { return false }
        if text.byteCount <= 0xFF {
            return bytes.byte(at: offset + 1) == BinaryFormat.Marker.integer
                && bytes.byte(at: offset + 2) == UInt8(truncatingIfNeeded: text.byteCount)
                && bytes.has(text, at: offset + 3)
        }
        let size = 1 << Int(bytes.byte(at: offset + 1) & 0x0F)
        return bytes.number(at: offset + 2, size: size) == UInt64(text.byteCount)
            && bytes.has(text, at: offset + 2 + size)
    }

    /// Returns whether the object `reference` starts with the bytes of `last`, the last object written.
    func isEqual(_ reference: Reference, toLast last: Reference) -> Bool {
        // An object's bytes determine its length, so equal beginnings are equal objects.
        bytes.withBytes(offsets[Int(last)]..<bytes.count) { bytes.has($0, at: offsets[Int(reference)]) }
    }

    /// Hashes the bytes of the last object, `reference`, into `hasher`.
    func hash(_ reference: Reference, into hasher: inout Hasher) {
        bytes.withBytes(offsets[Int(reference)]..<bytes.count) { hasher.combine($0) }
    }

    /// The uid in the object `reference`; nil if it is another object.
    func uid(_ reference: Reference) -> UInt32? {
        guard Int(reference) < objectCount else { return nil }
        let offset = offsets[Int(reference)]
        let marker = bytes.byte(at: offset)
        guard marker & 0xF0 == BinaryFormat.Marker.uid else { return nil }
        return UInt32(truncatingIfNeeded: bytes.number(at: offset + 1, size: Int(marker & 0x0F) + 1))
    }

    /// The object that was written as `reference`, and a reader of its contents; nil if there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the size of the object.
    func object(_ reference: Reference) -> (node: Node, objects: NodeScanner)? {
        guard Int(reference) < objectCount else { return nil }
        // Numbers are read with the bytes before them: a copy of the object needs eight more, as the header has.
        let start = offsets[Int(reference)]
        let end = Int(reference) + 1 < objectCount ? offsets[Int(reference) + 1] : bytes.count
        let copy = bytes.withBytes(start - BinaryFormat.headerSize..<end) { StoredBytes(copying: $0) }
        let objects = NodeScanner(bytes: copy, limit: copy.count, referenceSize: referenceSize)
        guard let node = try? objects.node(at: BinaryFormat.headerSize) else { return nil }
        return (node, objects)
    }

    /// The number of references of the object at `offset`, both keys and values.
    func containerReferenceCount(at offset: Int) -> Int {
        let marker = bytes.byte(at: offset)
        let kind = marker & 0xF0
        guard kind >= BinaryFormat.Marker.array else { return 0 }
        var count = Int(marker & 0x0F)
        if count == BinaryFormat.inlineCountLimit {
            let width = 1 << Int(bytes.byte(at: offset + 1) & 0x0F)
            count = Int(truncatingIfNeeded: bytes.number(at: offset + 2, size: width))
        }
        return kind == BinaryFormat.Marker.dictionary ? count * 2 : count
    }
}
