// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Reads the objects of a binary property list in place, up to `limit`. The bytes start with the header of the list.
///
/// It is an object whose variables are private, so that a reader which is held as a constant is used without reference
/// counting, although it can continue with another list.
package class NodeScanner: StoredBytesReader, @unchecked Sendable {
    private var ownLimit: Int
    private var ownReferenceSize: Int

    package init(bytes: StoredBytes, limit: Int, referenceSize: Int) {
        ownLimit = limit
        ownReferenceSize = referenceSize
        super.init(bytes)
    }

    final func begin(objectsOf bytes: StoredBytes, limit: Int, referenceSize: Int) {
        begin(with: bytes)
        ownLimit = limit
        ownReferenceSize = referenceSize
    }

    /// The offset of the end of the objects: no contents extend past it.
    package final var limit: Int { ownLimit }

    /// The number of bytes of a reference, to check that the references of a container end before `limit`.
    package final var referenceSize: Int { ownReferenceSize }
}

extension NodeScanner {
    /// Reads the object at `offset`, which is below `limit`, and checks that its contents end before `limit`.
    @inline(__always)
    package func node(at offset: Int) throws(PropertyListError) -> Node {
        let marker = bytes.byte(at: offset)
        let low = Int(marker & 0x0F)
        let payload = offset &+ 1
        switch marker >> 4 {
        case 0x1 where low <= 4: return try sized(.integer, byteCount: 1 &<< low, count: 1 &<< low, payload, offset)
        case 0x5: return try counted(.ascii, low: low, elementSize: 1, offset)
        case 0x8: return try sized(.uid, byteCount: low &+ 1, count: low &+ 1, payload, offset)
        case 0xD: return try counted(.dictionary, low: low, elementSize: referenceSize &* 2, offset)
        case 0xA: return try counted(.array, low: low, elementSize: referenceSize, offset)
        case 0x6: return try counted(.utf16, low: low, elementSize: 2, offset)
        case 0x4: return try counted(.data, low: low, elementSize: 1, offset)
        case 0xC: return try counted(.set, low: low, elementSize: referenceSize, offset)
        default: break
        }
        switch marker {
        case BinaryFormat.Marker.real64: return try sized(.real64, byteCount: 8, count: 8, payload, offset)
        case BinaryFormat.Marker.real32: return try sized(.real32, byteCount: 4, count: 4, payload, offset)
        case BinaryFormat.Marker.false: return Node(kind: .false, count: 0, payload: payload)
        case BinaryFormat.Marker.true: return Node(kind: .true, count: 0, payload: payload)
        case BinaryFormat.Marker.date: return try sized(.date, byteCount: 8, count: 8, payload, offset)
        case BinaryFormat.Marker.null: return Node(kind: .null, count: 0, payload: payload)
        default: try fail(.unknownMarker, at: offset, found: Int(marker))
        }
    }

    // It throws by itself, since nodes are read inline in many places, and throwing takes more code than reading.
    @inline(never)
    private func fail(
        _ code: PropertyListError.Defect, at offset: Int, found: Int = 0
    ) throws(PropertyListError) -> Never {
        throw PropertyListError(code, at: offset, found: found)
    }

    @inline(__always)
    private func sized(
        _ kind: Node.Kind, byteCount: Int, count: Int, _ payload: Int, _ offset: Int
    ) throws(PropertyListError) -> Node {
        guard byteCount <= limit &- payload else { try fail(.truncated, at: offset) }
        return Node(kind: kind, count: count, payload: payload)
    }

    @inline(__always)
    private func counted(
        _ kind: Node.Kind, low: Int, elementSize: Int, _ offset: Int
    ) throws(PropertyListError) -> Node {
        if low < BinaryFormat.inlineCountLimit {
            let payload = offset &+ 1
            guard low &* elementSize <= limit &- payload else { try fail(.truncated, at: offset) }
            return Node(kind: kind, count: low, payload: payload)
        }
        return try longCounted(kind, elementSize: elementSize, offset)
    }

    @inline(never)
    private func longCounted(
        _ kind: Node.Kind, elementSize: Int, _ offset: Int
    ) throws(PropertyListError) -> Node {
        let countOffset = offset + 1
        guard countOffset < limit else { throw PropertyListError(.truncated, at: offset) }
        let marker = bytes.byte(at: countOffset)
        guard marker >> 4 == 1 else {
            throw PropertyListError(.unknownMarker, at: countOffset, found: Int(marker))
        }
        let size = 1 << Int(marker & 0x0F)
        let payload = countOffset + 1
        guard size <= limit - payload else { throw PropertyListError(.truncated, at: offset) }
        let count = bytes.number(at: payload, size: size)
        let room = limit - payload - size
        guard count <= UInt64(room / elementSize) else {
            throw PropertyListError(.countOutOfRange, at: offset, found: Int(clamping: count))
        }
        return Node(kind: kind, count: Int(count), payload: payload + size)
    }
}

// MARK: - Contents

/// Reads the contents of a node. Each function requires a node of the right kind, whose bounds `node(at:)` has checked.
extension NodeScanner {
    /// An integer, exactly: 1, 2 and 4 bytes are unsigned, 8 and 16 bytes signed.
    @inline(__always)
    package func integer(_ node: Node) -> Int128 {
        if node.count <= 8 { return Int128(shortInteger(node)) }
        return longInteger(node)
    }

    @inline(__always)
    func shortInteger(_ node: Node) -> Int64 {
        Int64(bitPattern: bytes.number(at: node.payload, BigEndianWidth(node.count)))
    }

    @inline(__always)
    func boolean(at offset: Int) -> Bool? {
        switch bytes.byte(at: offset) {
        case BinaryFormat.Marker.true: true
        case BinaryFormat.Marker.false: false
        default: nil
        }
    }

    @inline(__always)
    var numbers: NumberReader { NumberReader(bytes: bytes, limit: limit) }

    /// The number of bytes of the ASCII string of less than 15 bytes at `offset`, which is below `limit`; nil if the
    /// object has another kind. The text follows the marker.
    @inline(__always)
    func shortText(at offset: Int) -> Int? {
        let marker = bytes.byte(at: offset)
        let count = Int(marker & 0x0F)
        guard marker & 0xF0 == BinaryFormat.Marker.ascii, count < BinaryFormat.inlineCountLimit, count < limit &- offset
        else { return nil }
        return count
    }

    @inline(__always)
    func text(at offset: Int) -> Node? {
        let payload = offset &+ 3
        if payload < limit,
            bytes.number(at: offset, BigEndianWidth(2)) == UInt64(BinaryFormat.Marker.longASCII)
        {
            // The usual form of strings of 15 bytes or more.
            let count = Int(bytes.byte(at: offset &+ 2))
            return count <= limit &- payload ? Node(kind: .ascii, count: count, payload: payload) : nil
        }
        guard let node = try? node(at: offset), node.kind == .ascii || node.kind == .utf16 else { return nil }
        return node
    }

    @inline(never)
    private func longInteger(_ node: Node) -> Int128 {
        let high = bytes.word(at: node.payload)
        let low = bytes.word(at: node.payload &+ 8)
        return Int128(Int64(bitPattern: high)) << 64 | Int128(low)
    }

    /// A 64-bit real, or the seconds of a date.
    @inline(__always)
    package func real64(_ node: Node) -> Double { Double(bitPattern: bytes.word(at: node.payload)) }

    @inline(__always)
    package func real32(_ node: Node) -> Float {
        Float(bitPattern: UInt32(truncatingIfNeeded: bytes.number(at: node.payload, BigEndianWidth(4))))
    }

    @inline(__always)
    package func uid(_ node: Node) throws(PropertyListError) -> UInt32 {
        if node.count <= 4 {
            return UInt32(truncatingIfNeeded: bytes.number(at: node.payload, BigEndianWidth(node.count)))
        }
        for index in 0..<(node.count &- 4) where bytes.byte(at: node.payload &+ index) != 0 {
            throw PropertyListError(.uidOutOfRange, at: node.payload &- 1)
        }
        return UInt32(truncatingIfNeeded: bytes.number(at: node.payload &+ node.count &- 4, BigEndianWidth(4)))
    }

    package func bytes(_ node: Node) -> StoredBytes { bytes.part(node.payload..<node.payload + node.byteCount) }

    /// A string of either kind. Bytes above 0x7F in an ASCII string are read as UTF-8. Invalid sequences, and unpaired
    /// surrogates, become U+FFFD.
    @inline(never)
    package func string(_ node: Node) -> String {
        if node.kind == .ascii { return text(at: node.payload, length: node.count) }
        return bytes.withBytes(node.payload..<node.payload &+ node.byteCount) { UTF16Transcoder.string(bigEndian: $0) }
    }

    /// Returns whether the ASCII string `node` is `text`.
    ///
    /// A literal is compared by the function below, which is faster.
    @_disfavoredOverload
    @inline(__always)
    package func isString(_ node: Node, _ text: String) -> Bool {
        node.kind == .ascii && has(text, at: node.payload, length: node.count)
    }

    @inline(__always)
    package func isString(_ node: Node, _ text: StaticString) -> Bool {
        node.kind == .ascii && node.count == text.utf8CodeUnitCount && bytes.has(text, at: node.payload)
    }
}

/// Reads the numbers among objects; a function returns nil for an object of another kind. A loop over many numbers has the bytes
/// and their limit in registers.
///
/// The objects are followed by an offset table and a trailer, so that eight bytes can be read behind each marker. At offset 0
/// is the header, which does not start with the marker of a number.
struct NumberReader {
    fileprivate let bytes: StoredBytes
    fileprivate let limit: Int

    /// An integer of at most 8 bytes.
    @inline(__always)
    func shortInteger(at offset: Int) -> Int64? {
        guard let (marker, word) = bytes.markedWord(at: offset), marker & 0xFC == BinaryFormat.Marker.integer else {
            return nil
        }
        let size = 1 &<< Int(marker & 3)
        guard size < limit &- offset else { return nil }
        return Int64(bitPattern: word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* size))
    }

    @inline(__always)
    func real64(at offset: Int) -> Double? {
        guard let (marker, word) = bytes.markedWord(at: offset), marker == BinaryFormat.Marker.real64,
            8 < limit &- offset
        else { return nil }
        return Double(bitPattern: word)
    }

    @inline(__always)
    func real32(at offset: Int) -> Float? {
        guard let (marker, word) = bytes.markedWord(at: offset), marker == BinaryFormat.Marker.real32,
            4 < limit &- offset
        else { return nil }
        return Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32))
    }
}
