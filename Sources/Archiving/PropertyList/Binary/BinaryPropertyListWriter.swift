// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A binary property list ("bplist00") while it is written: the flat node table.
///
/// Every object is appended to the bytes once, when it is complete. From then on its number, the *reference*,
/// identifies it in arrays and dictionaries. There is no tree in memory: the bytes are the tree. References are as
/// narrow as the number of objects permits, and are widened in place when it grows (`widenReferences`).
///
/// Layout: Apple's `CFBinaryPList.c`; also visible in any file.
final class BinaryPropertyListWriter {
    /// The number of an object in the order of writing.
    typealias Reference = UInt32

    let bytes: ByteWriter
    let offsets: OffsetTable
    private(set) var referenceSize = 1
    private(set) var objectLimit = BinaryFormat.objectLimit(referenceSize: 1)
    private var hasGivenUpBytes = false
    /// The number of bytes that `end(top:first:)` has moved to the beginning.
    private var movedByteCount = 0

    init(byteCapacity: Int = 1024, objectCapacity: Int = 64) {
        bytes = ByteWriter(capacity: byteCapacity)
        offsets = OffsetTable(capacity: objectCapacity)
        offsets.limit = objectLimit
        bytes.append(BinaryFormat.header)
    }

    var objectCount: Int { offsets.count }
}

// MARK: - Objects without references

extension BinaryPropertyListWriter {
    @inline(__always)
    private func begin() -> Reference {
        if !offsets.add(bytes.count) { beginSlowly() }
        return Reference(truncatingIfNeeded: offsets.count &- 1)
    }

    @inline(never)
    private func beginSlowly() {
        if offsets.count == objectLimit { widenReferences() }
        offsets.append(bytes.count)
    }

    @inline(__always)
    private func append(_ record: ShortRecord) -> Reference {
        let reference = begin()
        bytes.append(record)
        return reference
    }

    private func append(marker: UInt8) -> Reference {
        let reference = begin()
        bytes.append(marker)
        return reference
    }

    @inline(__always)
    func append(_ value: Bool) -> Reference {
        append(marker: value ? BinaryFormat.Marker.true : BinaryFormat.Marker.false)
    }

    /// Appends an integer in its narrowest form: 1, 2 or 4 bytes unsigned, 8 bytes signed.
    @inline(__always)
    func append(_ value: Int64) -> Reference { append(ShortRecord(value)) }

    /// Appends the signed form if it fits; an integer above `Int64.max` as 16 bytes, as CoreFoundation does.
    @inline(__always)
    func append(_ value: UInt64) -> Reference {
        if let signed = Int64(exactly: value) { return append(signed) }
        return append(Int128(value))
    }

    /// Appends 8 bytes or less if the value fits, otherwise 16 bytes, signed.
    func append(_ value: Int128) -> Reference {
        if let narrow = Int64(exactly: value) { return append(narrow) }
        let reference = begin()
        bytes.append(BinaryFormat.Marker.integer | 4)
        bytes.append(bigEndian: value)
        return reference
    }

    @inline(__always)
    func append(_ value: Double) -> Reference { append(ShortRecord(value)) }

    @inline(__always)
    func append(_ value: Float) -> Reference { append(ShortRecord(value)) }

    /// Appends a date of `seconds` since 2001-01-01 00:00 UTC.
    func append(date seconds: Double) -> Reference { append(ShortRecord(seconds, marker: BinaryFormat.Marker.date)) }

    func append(data: RawSpan) -> Reference {
        let reference = begin()
        bytes.append(marker: BinaryFormat.Marker.data, count: data.byteCount)
        bytes.append(contentsOf: data)
        return reference
    }

    /// Appends a uid in 1, 2 or 4 bytes, the widths that every known reader accepts.
    @inline(__always)
    func append(uid: UInt32) -> Reference { append(ShortRecord(uid: uid)) }

    /// Appends a null marker, which no version-0 writer emits, so that a list that contains one can be written again.
    func appendNull() -> Reference { append(marker: BinaryFormat.Marker.null) }
}

// MARK: - Existing objects

extension BinaryPropertyListWriter {
    func append(leaf object: RawSpan) -> Reference {
        let reference = begin()
        bytes.append(contentsOf: object)
        return reference
    }

    func append(_ other: WrittenObjects) {
        reserveObjects(other.offsets.count, byteCount: other.bytes.count)
        for start in other.offsets { offsets.append(bytes.count + Int(start)) }
        bytes.append(contentsOf: other.bytes)
    }

    /// Returns the objects written so far, without the header.
    func takeObjects() -> WrittenObjects {
        let start = BinaryFormat.headerSize
        let all = bytes.copyBytes()
        return WrittenObjects(
            bytes: all.part(start..<all.count),
            offsets: (0..<offsets.count).map { UInt32(offsets[$0] - start) })
    }
}

/// Objects without references, to be appended to property lists.
struct WrittenObjects: Sendable {
    let bytes: StoredBytes
    let offsets: [UInt32]
}

// MARK: - Strings

extension BinaryPropertyListWriter {
    /// Appends a string: as ASCII if it is ASCII, otherwise as UTF-16.
    func append(_ string: String) -> Reference {
        string.withUTF8Span { append(utf8: $0) }
    }

    /// Appends a string from its UTF-8, which must be valid, as the contents of every `String` are.
    @inline(__always)
    func append(utf8: RawSpan) -> Reference { utf8.isASCII ? append(ascii: utf8) : append(nonASCII: utf8) }

    @inline(__always)
    func append(ascii: RawSpan) -> Reference {
        let reference = begin()
        bytes.append(marker: BinaryFormat.Marker.ascii, count: ascii.byteCount)
        bytes.append(contentsOf: ascii)
        return reference
    }

    /// Appends an ASCII string, and after it the uid `uid`. Returns the number of the string.
    @inline(__always)
    func append(ascii: RawSpan, uid: UInt32) -> Reference {
        let byteCount = ascii.byteCount
        guard byteCount <= 0xFF else { return append(longASCII: ascii, uid: uid) }
        let isShort = byteCount < BinaryFormat.inlineCountLimit
        let head =
            isShort
            ? ShortRecord(BinaryFormat.Marker.ascii | UInt8(truncatingIfNeeded: byteCount), highest: 0, of: 0)
            : ShortRecord(
                BinaryFormat.Marker.ascii | 0x0F, highest: 2,
                of: UInt64(BinaryFormat.Marker.integer) << 56 | UInt64(byteCount) << 48)
        let start = bytes.count
        guard offsets.add(start, start &+ head.byteCount &+ byteCount) else {
            return append(longASCII: ascii, uid: uid)
        }
        bytes.append(head, ascii, ShortRecord(uid: uid))
        return Reference(truncatingIfNeeded: offsets.count &- 2)
    }

    /// Appends a long string, or one whose offset needs preparation, and after it the uid `uid`.
    @inline(never)
    private func append(longASCII ascii: RawSpan, uid: UInt32) -> Reference {
        let string = append(ascii: ascii)
        _ = append(uid: uid)
        return string
    }

    @inline(never)
    func append(nonASCII utf8: RawSpan) -> Reference {
        let unitCount = UTF16Transcoder.unitCount(ofValidUTF8: utf8)
        let reference = begin()
        bytes.append(marker: BinaryFormat.Marker.utf16, count: unitCount)
        UTF16Transcoder.append(validUTF8: utf8, unitCount: unitCount, to: bytes)
        return reference
    }

    private static var keptByteCapacity: Int { 1 << 13 }
    private static var keptObjectCapacity: Int { 1 << 9 }

    /// Whether the bytes or offsets are too large to be kept for another list, or references wider than one byte.
    var hasGrown: Bool {
        hasGivenUpBytes || bytes.capacity > Self.keptByteCapacity || offsets.capacity > Self.keptObjectCapacity
            || referenceSize > 1
    }

    /// Removes all but the first `count` objects. Call it only for a list that has not grown.
    func truncate(to count: Int) {
        guard count < objectCount else { return }
        let end = offsets[count]
        if movedByteCount > 0 {
            let start = BinaryFormat.headerSize
            bytes.move(start + movedByteCount..<end + movedByteCount, to: start)
            movedByteCount = 0
        }
        bytes.truncate(to: end)
        offsets.truncate(to: count)
    }

    /// Removes the newest object, which no other object references yet.
    func removeLast() { bytes.truncate(to: offsets.removeLast()) }
}

// MARK: - Containers

extension BinaryPropertyListWriter {
    @inline(never)
    func append(array references: [Reference]) -> Reference { references.withSpan { append(array: $0) } }

    func append(array references: Span<Reference>) -> Reference { append(BinaryFormat.Marker.array, references) }

    /// Appends a set marker, which CoreFoundation reads but does not write, for the same reason as `appendNull()`.
    func append(set references: [Reference]) -> Reference {
        references.withSpan { append(BinaryFormat.Marker.set, $0) }
    }

    func append(arrayOf references: Span<Reference>, from start: Int, by stride: Int) -> Reference {
        let reference = begin()
        bytes.append(marker: BinaryFormat.Marker.array, count: references.count / stride)
        bytes.append(numbers: references, from: start, by: stride, size: referenceSize)
        return reference
    }

    func append(arrayOf first: Reference, _ second: Reference) -> Reference {
        let reference = begin()
        bytes.append(BinaryFormat.Marker.array | 2, first, second, size: referenceSize)
        return reference
    }

    private func append(_ marker: UInt8, _ references: Span<Reference>) -> Reference {
        let reference = begin()
        bytes.append(marker: marker, count: references.count)
        bytes.append(numbers: references, size: referenceSize)
        return reference
    }

    /// Appends a dictionary. `pairs` has the first key, its value, the next key, its value and so on.
    @inline(never)
    func append(pairs: [Reference]) -> Reference { pairs.withSpan { append(pairs: $0) } }

    func append(pairs: Span<Reference>) -> Reference {
        let reference = begin()
        bytes.append(marker: BinaryFormat.Marker.dictionary, count: pairs.count / 2)
        bytes.append(pairs: pairs, size: referenceSize)
        return reference
    }

    func append(keysAndValues references: [Reference]) -> Reference {
        let reference = begin()
        bytes.append(marker: BinaryFormat.Marker.dictionary, count: references.count / 2)
        references.withSpan { bytes.append(numbers: $0, size: referenceSize) }
        return reference
    }

    @inline(__always)
    func append(keys: Span<Reference>, values: Span<Reference>) -> Reference {
        let reference = begin()
        bytes.append(marker: BinaryFormat.Marker.dictionary, count: keys.count)
        bytes.append(keys, values, size: referenceSize)
        return reference
    }

    func append(
        _ key1: Reference, _ value1: Reference, _ key2: Reference, _ value2: Reference
    ) -> Reference {
        let reference = begin()
        bytes.append(BinaryFormat.Marker.dictionary | 2, key1, key2, size: referenceSize)
        bytes.append(value1, value2, size: referenceSize)
        return reference
    }

    func append(
        _ keys: (Reference, Reference, Reference), _ values: (Reference, Reference, Reference)
    ) -> Reference {
        let reference = begin()
        bytes.append(BinaryFormat.Marker.dictionary | 3, keys.0, keys.1, size: referenceSize)
        bytes.append(keys.2, values.0, size: referenceSize)
        bytes.append(values.1, values.2, size: referenceSize)
        return reference
    }

    /// Widens references as necessary for `additional` more objects and reserves `byteCount` bytes for them, so that a
    /// loop over many objects never stops to widen.
    func reserveObjects(_ additional: Int, byteCount: Int) {
        while offsets.count &+ additional > objectLimit, referenceSize < 4 { widenReferences() }
        offsets.reserve(additional)
        bytes.reserve(byteCount)
    }
}

// MARK: - Bulk

extension BinaryPropertyListWriter {
    /// Appends an array of `count` references, and the new ones among its elements, which `body` adds to a cursor. The capacity
    /// and the size of references are fixed once. Nothing else is written before `body` returns.
    ///
    /// - Parameter slots: The slots of elements, to which those of the new ones are added.
    @inline(__always)
    func append(
        arrayOf count: Int, slots: PlainTable<UInt32>, _ body: (inout ListCursor) -> Void
    ) -> Reference {
        while offsets.count &+ 2 &* count &+ 1 > objectLimit, referenceSize < 4 { widenReferences() }
        let array = begin()
        bytes.append(marker: BinaryFormat.Marker.array, count: count)
        offsets.append(recordsAt: bytes.count &+ count &* referenceSize) { lows, first in
            bytes.withCursor(listOf: count, size: referenceSize, offsets: lows, from: first, slots: slots, body)
        }
        return array
    }
}

// MARK: - Widths

extension BinaryPropertyListWriter {
    /// Widens every reference by one byte, in place, from the last object to the first.
    @inline(never)
    private func widenReferences() {
        let oldSize = referenceSize
        precondition(oldSize < 4, "An archive cannot have more than \(objectLimit) objects")
        referenceSize = oldSize + 1
        objectLimit = BinaryFormat.objectLimit(referenceSize: referenceSize)
        offsets.limit = objectLimit
        guard bytes.count <= BinaryFormat.byteLimit else { return }  // finish() rejects it

        var total = 0
        offsets.visitAll { total += containerReferenceCount(at: $0) }
        guard total > 0 else { return }
        // The ends of the objects that are still to be moved, before and after. Consecutive objects without references move
        // together: those of the run are behind `sourceEnd`, and end at `runEnd`.
        var sourceEnd = bytes.count
        var runEnd = sourceEnd
        var targetEnd = sourceEnd + total
        bytes.appendZeros(total)
        var remaining = total
        // When no earlier reference remains to be widened, the earlier objects stay in place.
        offsets.replaceReversed(
            while: { remaining > 0 },
            by: { source in
                let references = containerReferenceCount(at: source)
                guard references > 0 else {
                    sourceEnd = source
                    return source &+ (targetEnd &- runEnd)
                }
                targetEnd -= runEnd - sourceEnd
                bytes.move(sourceEnd..<runEnd, to: targetEnd)
                bytes.widen(references, numbersOf: oldSize, endingAt: sourceEnd, to: targetEnd)
                sourceEnd -= references * oldSize
                targetEnd -= references * referenceSize
                targetEnd -= sourceEnd - source
                bytes.move(source..<sourceEnd, to: targetEnd)
                remaining -= references
                sourceEnd = source
                runEnd = source
                return targetEnd
            })
    }

    /// Writes the offset table and the trailer, with `top` as the top object.
    ///
    /// - Returns: The bytes; nil if they exceed 4 GiB, the range of offsets.
    func finish(top: Reference, first: Reference? = nil) -> StoredBytes? {
        end(top: top, first: first) ? takeBytes() : nil
    }

    /// Writes the same. The objects from `first` on are moved to the beginning, so that a file that is cut has them; their numbers stay.
    ///
    /// - Returns: Whether the bytes are at most 4 GiB. `takeBytes()` or `takeData()` then returns them.
    func end(top: Reference, first: Reference? = nil) -> Bool {
        let tableOffset = bytes.count
        guard tableOffset <= BinaryFormat.byteLimit else { return false }
        var offsetSize = 1
        while offsetSize < 4, tableOffset >= 1 << (8 * offsetSize) { offsetSize += 1 }
        bytes.reserveLast(objectCount * offsetSize + BinaryFormat.trailerSize)
        if let first {
            let start = offsets[Int(first)]
            movedByteCount = tableOffset - start
            bytes.moveLast(movedByteCount, to: BinaryFormat.headerSize)
            offsets.write(
                to: bytes, size: offsetSize, first: Int(first),
                adding: (movedByteCount, BinaryFormat.headerSize - start))
        } else {
            offsets.write(to: bytes, size: offsetSize)
        }
        bytes.append(bigEndian: UInt64(offsetSize) << 8 | UInt64(referenceSize))
        bytes.append(bigEndian: UInt64(offsets.count))
        bytes.append(bigEndian: UInt64(top))
        bytes.append(bigEndian: UInt64(tableOffset))
        return true
    }

    func takeBytes() -> StoredBytes {
        guard hasGrown else { return bytes.copyBytes() }
        hasGivenUpBytes = true
        return bytes.takeBytes()
    }

    /// Returns the bytes of the finished list as data. A small list needs no other object for them.
    func takeData() -> Data { hasGrown ? takeBytes().data : bytes.withBytes { Data(copying: $0) } }
}

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

    func hash(_ reference: Reference, into hasher: inout Hasher) {
        bytes.withBytes(offsets[Int(reference)]..<bytes.count) { hasher.combine($0) }
    }

    func uid(_ reference: Reference) -> UInt32? {
        guard Int(reference) < objectCount else { return nil }
        let offset = offsets[Int(reference)]
        let marker = bytes.byte(at: offset)
        guard marker & 0xF0 == BinaryFormat.Marker.uid else { return nil }
        return UInt32(truncatingIfNeeded: bytes.number(at: offset + 1, size: Int(marker & 0x0F) + 1))
    }

    func marker(of reference: Reference) -> UInt8 { bytes.byte(at: offsets[Int(reference)]) }

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
