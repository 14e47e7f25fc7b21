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
    let offsets: PlainTable<UInt32>
    /// The number of bytes of a reference in arrays and dictionaries: 1, 2, 3 or 4.
    private(set) var referenceSize = 1
    /// The number of objects for which `referenceSize` is sufficient.
    private(set) var objectLimit = BinaryFormat.objectLimit(referenceSize: 1)
    /// Whether `finish(top:)` has passed the memory of the bytes on.
    private var hasGivenUpBytes = false

    init(byteCapacity: Int = 1024, objectCapacity: Int = 64) {
        bytes = ByteWriter(capacity: byteCapacity)
        offsets = PlainTable(capacity: objectCapacity)
        bytes.append(contentsOf: BinaryFormat.header)
    }

    var objectCount: Int { offsets.count }
}

// MARK: - Objects without references

extension BinaryPropertyListWriter {
    /// Assigns the next number to an object that starts at the end of the bytes, and reserves `byteCount` bytes.
    @inline(__always)
    private func begin(reserving byteCount: Int) -> Reference {
        if offsets.count == objectLimit { widenReferences() }
        bytes.reserve(byteCount)
        offsets.append(UInt32(truncatingIfNeeded: bytes.count))
        return Reference(truncatingIfNeeded: offsets.count &- 1)
    }

    @inline(__always)
    func append(_ value: Bool) -> Reference {
        let reference = begin(reserving: 1)
        bytes.uncheckedAppend(value ? BinaryFormat.Marker.true : BinaryFormat.Marker.false)
        return reference
    }

    /// Appends an integer in its narrowest form: 1, 2 or 4 bytes unsigned, 8 bytes signed.
    @inline(__always)
    func append(_ value: Int64) -> Reference {
        let reference = begin(reserving: 9)
        bytes.advance(bytes.end.store(integer: value))
        return reference
    }

    /// Appends the signed form if it fits; an integer above `Int64.max` as 16 bytes, as CoreFoundation does.
    @inline(__always)
    func append(_ value: UInt64) -> Reference {
        if let signed = Int64(exactly: value) { return append(signed) }
        return append(Int128(value))
    }

    /// Appends 8 bytes or less if the value fits, otherwise 16 bytes, signed.
    func append(_ value: Int128) -> Reference {
        if let narrow = Int64(exactly: value) { return append(narrow) }
        let reference = begin(reserving: 17)
        bytes.uncheckedAppend(BinaryFormat.Marker.integer | 4)
        bytes.uncheckedAppend(bigEndian: value)
        return reference
    }

    @inline(__always)
    func append(_ value: Double) -> Reference {
        let reference = begin(reserving: 9)
        bytes.advance(bytes.end.store(real: value))
        return reference
    }

    @inline(__always)
    func append(_ value: Float) -> Reference {
        let reference = begin(reserving: 5)
        bytes.advance(bytes.end.store(real: value))
        return reference
    }

    /// Appends a date of `seconds` since 2001-01-01 00:00 UTC.
    func append(date seconds: Double) -> Reference {
        let reference = begin(reserving: 9)
        bytes.advance(bytes.end.store(real: seconds, marker: BinaryFormat.Marker.date))
        return reference
    }

    /// Appends data of the bytes `start`, followed by the bytes `rest`.
    func append(data start: RawSpan, _ rest: RawSpan = RawSpan()) -> Reference {
        let byteCount = start.byteCount + rest.byteCount
        let reference = begin(reserving: 10 &+ byteCount)
        bytes.advance(bytes.end.store(marker: BinaryFormat.Marker.data, count: byteCount))
        bytes.append(contentsOf: start)
        bytes.append(contentsOf: rest)
        return reference
    }

    func append(data: UnsafeRawBufferPointer) -> Reference {
        let reference = begin(reserving: 10 &+ data.count)
        bytes.advance(bytes.end.store(marker: BinaryFormat.Marker.data, count: data.count))
        bytes.uncheckedAppend(contentsOf: data)
        return reference
    }

    /// Appends a uid in 1, 2 or 4 bytes, the widths that every known reader accepts.
    @inline(__always)
    func append(uid: UInt32) -> Reference {
        let reference = begin(reserving: 5)
        bytes.advance(bytes.end.store(uid: uid))
        return reference
    }

    /// Appends a null marker, which no version-0 writer emits, so that a list that contains one can be written again.
    func appendNull() -> Reference {
        let reference = begin(reserving: 1)
        bytes.uncheckedAppend(BinaryFormat.Marker.null)
        return reference
    }
}

// MARK: - Existing objects

extension BinaryPropertyListWriter {
    /// Appends a copy of an object without references from another list.
    func append(leaf object: UnsafeRawBufferPointer) -> Reference {
        let reference = begin(reserving: object.count)
        bytes.uncheckedAppend(contentsOf: object)
        return reference
    }
}

extension BinaryPropertyListWriter {
    /// Appends objects without references from another writer.
    ///
    /// - Parameter starts: The offset of each object in `objects`.
    func append(_ objects: [UInt8], offsets starts: [UInt32]) {
        reserveObjects(starts.count, byteCount: objects.count)
        let first = UInt32(truncatingIfNeeded: bytes.count)
        for start in starts { offsets.append(first &+ start) }
        bytes.append(contentsOf: objects.span.bytes)
    }

    /// Returns a copy of the objects written so far, without the header, and their offsets in it.
    func copyObjects() -> (bytes: [UInt8], offsets: [UInt32]) {
        let objects = UnsafeRawBufferPointer(start: bytes.base, count: bytes.count)[BinaryFormat.headerSize...]
        return (Array(objects), (0..<offsets.count).map { offsets[$0] - UInt32(BinaryFormat.headerSize) })
    }
}

// MARK: - Strings

extension BinaryPropertyListWriter {
    /// Appends a string: as ASCII if it is ASCII, otherwise as UTF-16.
    func append(_ string: String) -> Reference {
        var string = string
        return string.withUTF8 { append(utf8: $0) }
    }

    /// Appends a string from its UTF-8, which must be valid, as the contents of every `String` are.
    @inline(__always)
    func append(utf8: UnsafeBufferPointer<UInt8>) -> Reference {
        if utf8.isASCII { return append(ascii: UnsafeRawBufferPointer(utf8)) }
        return append(nonASCII: utf8)
    }

    /// As `append(ascii:)`, with a check of the bounds.
    @inline(__always)
    func append(ascii: RawSpan) -> Reference {
        ascii.withUnsafeBytes { append(ascii: $0) }
    }

    /// Appends a string from its UTF-8, which is not ASCII.
    func append(nonASCII utf8: RawSpan) -> Reference {
        utf8.withUnsafeBytes { append(nonASCII: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Appends a string from its UTF-8.
    func append(utf8: RawSpan) -> Reference {
        utf8.withUnsafeBytes { append(utf8: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    @inline(__always)
    func append(ascii: UnsafeRawBufferPointer) -> Reference {
        let reference = begin(reserving: 10 &+ ascii.count)
        bytes.advance(bytes.end.store(marker: BinaryFormat.Marker.ascii, count: ascii.count))
        bytes.uncheckedAppend(contentsOf: ascii)
        return reference
    }

    /// As `append(utf8:)`, for a string that is not ASCII.
    @inline(never)
    func append(nonASCII utf8: UnsafeBufferPointer<UInt8>) -> Reference {
        let unitCount = UTF16Transcoder.unitCount(ofValidUTF8: utf8)
        let reference = begin(reserving: 10 &+ 2 &* unitCount &+ UTF16Transcoder.slack)
        bytes.advance(bytes.end.store(nonASCII: utf8, unitCount: unitCount))
        return reference
    }

    /// The sizes up to which a writer is kept for another list.
    private static var keptByteCapacity: Int { 1 << 13 }
    private static var keptObjectCapacity: Int { 1 << 9 }

    /// Whether the bytes or offsets are too large to be kept for another list, or references wider than one byte.
    var hasGrown: Bool {
        hasGivenUpBytes || bytes.capacity > Self.keptByteCapacity || offsets.capacity > Self.keptObjectCapacity || referenceSize > 1
    }

    /// Removes all but the first `count` objects. Call it only for a list that has not grown.
    func truncate(to count: Int) {
        guard count < objectCount else { return }
        bytes.truncate(to: Int(offsets[count]))
        offsets.truncate(to: count)
    }

    /// Removes the newest object, which no other object references yet.
    func removeLast() {
        bytes.truncate(to: Int(offsets.removeLast()))
    }
}

// MARK: - Containers

extension BinaryPropertyListWriter {
    @inline(never)
    func append(array references: UnsafeBufferPointer<Reference>) -> Reference {
        append(arrayOf: references.count) { references[$0] }
    }

    /// Appends an array of references.
    @inline(never)
    func append(array references: [Reference]) -> Reference {
        append(arrayOf: references.count) { references[$0] }
    }

    /// Appends a dictionary. `pairs` has the first key, its value, the next key, its value and so on.
    @inline(never)
    func append(pairs: [Reference]) -> Reference {
        append(dictionaryOf: pairs.count / 2) { pairs[$0] }
    }

    /// Appends a set marker, which CoreFoundation reads but does not write, for the same reason as `appendNull()`.
    func append(set references: UnsafeBufferPointer<Reference>) -> Reference {
        append(set: Array(references))
    }

    func append(set references: [Reference]) -> Reference {
        let reference = begin(reserving: 10 &+ references.count &* 4)
        bytes.advance(bytes.end.store(marker: BinaryFormat.Marker.set, count: references.count))
        appendReferences(references.count) { references[$0] }
        return reference
    }

    /// Appends an array of `count` references, each of which `reference` returns.
    @inline(__always)
    func append(arrayOf count: Int, _ reference: (Int) -> Reference) -> Reference {
        let array = begin(reserving: 10 &+ count &* 4)
        bytes.advance(bytes.end.store(marker: BinaryFormat.Marker.array, count: count))
        appendReferences(count, reference)
        return array
    }

    /// Appends a dictionary of `count` entries. `pairs` has the first key, its value, the next key, its value and so
    /// on.
    @inline(never)
    func append(dictionary pairs: UnsafePointer<Reference>, count: Int) -> Reference {
        append(dictionaryOf: count) { pairs[$0] }
    }

    /// Appends a dictionary of `count` entries. `pair` returns the first key for 0, its value for 1, the next key for 2, and so
    /// on.
    @inline(__always)
    func append(dictionaryOf count: Int, _ pair: (Int) -> Reference) -> Reference {
        let reference = begin(reserving: 10 &+ count &* 8)
        bytes.advance(bytes.end.store(marker: BinaryFormat.Marker.dictionary, count: count))
        appendReferences(count) { pair($0 &* 2) }
        appendReferences(count) { pair($0 &* 2 &+ 1) }
        return reference
    }

    @inline(__always)
    private func appendReferences(_ count: Int, _ reference: (Int) -> Reference) {
        bytes.advance(bytes.end.store(numbers: count, size: referenceSize, reference))
    }

    /// Widens references as necessary for `additional` more objects and reserves `byteCount` bytes for them, so that a
    /// loop over many objects never stops to widen.
    func reserveObjects(_ additional: Int, byteCount: Int) {
        while offsets.count &+ additional > objectLimit, referenceSize < 4 { widenReferences() }
        offsets.reserve(additional)
        bytes.reserve(byteCount)
    }
}

// MARK: - Written objects

extension BinaryPropertyListWriter {
    /// The bytes from the start of the object `reference` to the end of all objects.
    @inline(__always)
    func bytes(from reference: Reference) -> UnsafeRawBufferPointer {
        let offset = Int(offsets[Int(reference)])
        return UnsafeRawBufferPointer(start: bytes.base + offset, count: bytes.count &- offset)
    }

    /// Returns whether the string object `reference` is ASCII and equals `text`.
    @inline(__always)
    func isASCII(_ reference: Reference, equalTo text: RawSpan) -> Bool {
        guard let object = bytes(from: reference).baseAddress,
            object.hasHead(BinaryFormat.Marker.ascii, count: text.byteCount)
        else { return false }
        return text.withUnsafeBytes {
            guard let other = $0.baseAddress else { return true }
            return ByteHash.areEqual(object + BinaryFormat.headSize(count: $0.count), other, count: $0.count)
        }
    }

    /// Returns whether the object `reference` starts with the bytes of `last`, the last object written.
    func isEqual(_ reference: Reference, toLast last: Reference) -> Bool {
        let (other, object) = (bytes(from: reference), bytes(from: last))
        guard let left = other.baseAddress, let right = object.baseAddress, other.count >= object.count else {
            return false
        }
        return ByteHash.areEqual(left, right, count: object.count)
    }

    /// The object that was written as `reference`, and a reader of its contents; nil if there is none.
    func object(_ reference: Reference) -> (node: Node, objects: NodeScanner)? {
        guard Int(reference) < objectCount else { return nil }
        let objects = NodeScanner(base: bytes.base, limit: bytes.count, referenceSize: referenceSize)
        guard let node = try? objects.node(at: Int(offsets[Int(reference)])) else { return nil }
        return (node, objects)
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
        guard bytes.count <= BinaryFormat.byteLimit else { return }  // finish() rejects it

        var total = 0
        for index in 0..<offsets.count { total += containerReferenceCount(at: Int(offsets[index])) }
        guard total > 0 else { return }
        bytes.reserve(total)
        let base = bytes.base
        var sourceEnd = bytes.count
        var targetEnd = sourceEnd + total
        bytes.advance(total)
        var remaining = total
        var index = offsets.count - 1
        // When no earlier reference remains to be widened, the earlier objects stay in place.
        while remaining > 0, index >= 0 {
            // Consecutive objects without references move together.
            let runEnd = sourceEnd
            let distance = UInt32(truncatingIfNeeded: targetEnd - sourceEnd)
            var references = 0
            var source = sourceEnd
            while index >= 0 {
                source = Int(offsets[index])
                references = containerReferenceCount(at: source)
                if references > 0 { break }
                offsets[index] &+= distance
                sourceEnd = source
                index -= 1
            }
            targetEnd -= runEnd - sourceEnd
            (base + targetEnd).copyMemory(from: base + sourceEnd, byteCount: runEnd - sourceEnd)
            guard references > 0 else { return }
            let headSize = sourceEnd - source - references * oldSize
            targetEnd -= references * referenceSize
            (base + targetEnd).widenNumbers(references, at: base + (source + headSize), size: oldSize)
            targetEnd -= headSize
            (base + targetEnd).copyMemory(from: base + source, byteCount: headSize)
            remaining -= references
            offsets[index] = UInt32(truncatingIfNeeded: targetEnd)
            sourceEnd = source
            index -= 1
        }
    }

    /// The number of references of the object at `offset`, both keys and values.
    private func containerReferenceCount(at offset: Int) -> Int {
        let marker = bytes.base.load(fromByteOffset: offset, as: UInt8.self)
        let kind = marker & 0xF0
        guard kind >= BinaryFormat.Marker.array else { return 0 }
        var count = Int(marker & 0x0F)
        if count == BinaryFormat.inlineCountLimit {
            let width = 1 << Int(bytes.base.load(fromByteOffset: offset + 1, as: UInt8.self) & 0x0F)
            count = Int(truncatingIfNeeded: UnsafeRawPointer(bytes.base + offset + 2).loadBigEndian(size: width))
        }
        return kind == BinaryFormat.Marker.dictionary ? count * 2 : count
    }

    /// Writes the offset table and the trailer, with `top` as the top object.
    ///
    /// - Returns: The bytes, to be released with `Platform.release(_:)`; nil if they exceed 4 GiB, the range of offsets.
    func finish(top: Reference) -> UnsafeMutableRawBufferPointer? {
        let tableOffset = bytes.count
        guard tableOffset <= BinaryFormat.byteLimit else { return nil }
        var offsetSize = 1
        while offsetSize < 4, tableOffset >= 1 << (8 * offsetSize) { offsetSize += 1 }
        bytes.reserveLast(offsets.count * offsetSize + BinaryFormat.trailerSize)
        bytes.advance(bytes.end.store(numbers: offsets.count, size: offsetSize) { offsets[$0] })
        bytes.uncheckedAppend(bigEndian: UInt64(offsetSize) << 8 | UInt64(referenceSize))
        bytes.uncheckedAppend(bigEndian: UInt64(offsets.count))
        bytes.uncheckedAppend(bigEndian: UInt64(top))
        bytes.uncheckedAppend(bigEndian: UInt64(tableOffset))
        guard hasGrown else { return bytes.copyBytes() }
        hasGivenUpBytes = true
        return bytes.takeBytes()
    }
}
