/// A small object of the binary format as a value: its marker, and up to eight bytes that follow.
struct SmallObject: BitwiseCopyable {
    let marker: UInt8
    /// The bytes after the marker in the order of memory. Only the first ones belong to the object.
    let payload: UInt64
    /// The number of bytes of the object with its marker.
    let byteCount: Int

    /// The space that an object needs while it is stored.
    static var storedSize: Int { 9 }

    /// An integer in its narrowest form: 1, 2 or 4 bytes unsigned, 8 bytes signed.
    @inline(__always)
    init(_ value: Int64) {
        // Without branches: the widths of consecutive numbers are hard to predict.
        let unsigned = UInt64(bitPattern: value)
        let count = (71 &- (unsigned | 1).leadingZeroBitCount) &>> 3
        // The base-2 logarithm of the width (1, 2, 4 or 8 bytes) for each number of significant bytes, four bits each.
        let logarithm = (0x3_3332_2100 as UInt64) &>> UInt64(truncatingIfNeeded: 4 &* count) & 3
        let size = 1 &<< Int(truncatingIfNeeded: logarithm)
        marker = BinaryFormat.Marker.integer | UInt8(truncatingIfNeeded: logarithm)
        payload = (unsigned &<< UInt64(truncatingIfNeeded: 64 &- 8 &* size)).bigEndian
        byteCount = 1 &+ size
    }

    /// A 64-bit real.
    @inline(__always)
    init(_ value: Double) {
        (marker, payload, byteCount) = (BinaryFormat.Marker.real64, value.bitPattern.bigEndian, 9)
    }

    /// A 32-bit real.
    @inline(__always)
    init(_ value: Float) {
        payload = (UInt64(value.bitPattern) &<< 32).bigEndian
        (marker, byteCount) = (BinaryFormat.Marker.real32, 5)
    }

    /// A uid in 1, 2 or 4 bytes, the widths that every known reader accepts.
    @inline(__always)
    init(uid: UInt32) {
        let size = uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4
        marker = BinaryFormat.Marker.uid | UInt8(truncatingIfNeeded: size &- 1)
        payload = (UInt64(uid) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* size)).bigEndian
        byteCount = 1 &+ size
    }
}

extension BinaryPropertyListWriter {
    /// The ends of the bytes and of the offset table, in local variables of a loop that writes many small objects.
    ///
    /// The writer's memory does not move until `finish(_:)`: the writer traps if it has to grow before. Every object is checked
    /// against the end of that memory.
    struct Cursor: ~Copyable {
        fileprivate let list: BinaryPropertyListWriter
        private var end: UnsafeMutableRawPointer
        /// The last address at which a small object can be stored.
        private let lastEnd: UnsafeMutableRawPointer
        private var offset: UInt32
        private var offsetEnd: UnsafeMutablePointer<UInt32>
        private let lastOffsetEnd: UnsafeMutablePointer<UInt32>
        private var reference: Reference
        /// The next place for a reference of the array, and the end of these places.
        private var place: UnsafeMutableRawPointer
        private var placesEnd: UnsafeMutableRawPointer
        private let referenceSize: Int
        /// The array whose references `setNext` stores.
        private(set) var array: Reference = 0

        fileprivate init(_ list: BinaryPropertyListWriter) {
            self.list = list
            referenceSize = list.referenceSize
            end = list.bytes.end
            lastEnd = list.bytes.base + (list.bytes.capacity - SmallObject.storedSize)
            offset = UInt32(truncatingIfNeeded: list.bytes.count)
            let offsets = list.offsets.lend()
            offsetEnd = offsets + list.offsets.count
            lastOffsetEnd = offsets + list.offsets.capacity
            reference = Reference(truncatingIfNeeded: list.offsets.count)
            (place, placesEnd) = (end, end)
        }

        /// Appends an array of `count` references, which `setNext` stores later.
        fileprivate mutating func append(arrayOf count: Int) {
            let head = end.store(marker: BinaryFormat.Marker.array, count: count)
            place = end + head
            placesEnd = place + count * referenceSize
            precondition(placesEnd <= lastEnd)
            array = finishObject(byteCount: head + count * referenceSize)
        }

        @inline(__always)
        private mutating func finishObject(byteCount: Int) -> Reference {
            offsetEnd.pointee = offset
            offsetEnd += 1
            offset &+= UInt32(truncatingIfNeeded: byteCount)
            end += byteCount
            defer { reference &+= 1 }
            return reference
        }

        /// Appends `object`.
        @inline(__always)
        mutating func append(_ object: SmallObject) -> Reference {
            precondition(end <= lastEnd && offsetEnd < lastOffsetEnd)
            end.storeBytes(of: object.marker, as: UInt8.self)
            end.storeBytes(of: object.payload, toByteOffset: 1, as: UInt64.self)
            return finishObject(byteCount: object.byteCount)
        }

        /// Appends `first`, and `second` after it, if `isKept`. There is no branch: both are stored in any case.
        ///
        /// - Returns: The number of `first`, if it is kept.
        @inline(__always)
        mutating func append(_ first: SmallObject, _ second: SmallObject, if isKept: Bool) -> Reference {
            let (oldEnd, oldOffset, oldOffsetEnd, oldReference) = (end, offset, offsetEnd, reference)
            let number = append(first)
            _ = append(second)
            end = isKept ? end : oldEnd
            offset = isKept ? offset : oldOffset
            offsetEnd = isKept ? offsetEnd : oldOffsetEnd
            reference = isKept ? reference : oldReference
            return number
        }

        /// Stores the next reference of the array.
        @inline(__always)
        mutating func setNext(_ reference: Reference) {
            precondition(place < placesEnd)
            place.store(number: reference, size: referenceSize)
            place += referenceSize
        }

        fileprivate consuming func finish() {
            list.bytes.advance(end - list.bytes.end)
            list.offsets.takeBack(count: Int(reference))
        }
    }

    /// Creates a cursor at the end with an array of `count` references, and with space for `count` times two objects, each of
    /// at most `byteCount` bytes. The capacity and the size of references are fixed once. Nothing else is written before
    /// `finish(_:)`.
    func makeCursor(arrayOf count: Int, byteCount: Int) -> Cursor {
        reserveObjects(2 * count + 2, byteCount: (2 * byteCount + 4) * (count + 1) + 16)
        var cursor = Cursor(self)
        cursor.append(arrayOf: count)
        return cursor
    }

    /// Accepts the objects that `cursor` has written.
    func finish(_ cursor: consuming Cursor) { cursor.finish() }
}
