/// The ends of a byte writer and of two tables, in local variables of a loop that writes a list of numbers and the records that
/// they refer to.
///
/// An element of the list is the number of an earlier record, or of a new one, the element's *leaf*: a record that contains the
/// index of a slot. A slot is an entry of a table: the number of the record before.
///
/// There is memory for a record, a leaf and a slot for each element, and an element is counted before it is stored. So the count
/// is all that is compared.
@safe
struct ListCursor: ~Copyable {
    // Safe because the memory does not move or end during `ByteWriter.withCursor`, the only place where a cursor exists, and has
    // space for `remaining` elements after each of these addresses.
    fileprivate let base: UnsafeMutableRawPointer
    fileprivate private(set) var end: UnsafeMutableRawPointer
    fileprivate private(set) var offsetEnd: UnsafeMutablePointer<UInt32>
    fileprivate private(set) var slotEnd: UnsafeMutablePointer<UInt32>
    private var place: UnsafeMutableRawPointer
    private var offset: UInt32
    private var number: UInt32
    private var slot: UInt32
    private let size: Int
    /// The number of elements that are still to be added.
    fileprivate private(set) var remaining: Int

    /// Creates a cursor for a list of `count` numbers of `size` bytes each, `offset` bytes after `base`.
    fileprivate init(
        listOf count: Int, size: Int, _ base: UnsafeMutableRawPointer, offset: Int,
        offsets: (end: UnsafeMutablePointer<UInt32>, count: Int), slots: (end: UnsafeMutablePointer<UInt32>, count: Int)
    ) {
        // Safe because the caller has reserved the memory.
        unsafe self.base = base
        unsafe place = base + offset
        unsafe end = place + count &* size
        self.offset = UInt32(truncatingIfNeeded: offset &+ count &* size)
        unsafe offsetEnd = offsets.end
        number = UInt32(truncatingIfNeeded: unsafe offsets.count)
        unsafe slotEnd = slots.end
        slot = UInt32(truncatingIfNeeded: unsafe slots.count)
        remaining = count
        self.size = size
    }

    /// Adds the number of a record.
    @inline(__always)
    mutating func add(_ number: UInt32) {
        countElement()
        store(number)
    }

    /// Adds a leaf for the record `contents`, which is `leaf` of the index of its slot.
    ///
    /// - Returns: The number of the leaf.
    @inline(__always)
    mutating func add(leafOf contents: UInt32, _ leaf: (UInt32) -> ShortRecord) -> UInt32 {
        countElement()
        let added = append(leafOf: contents, leaf)
        store(added)
        return added
    }

    /// Adds `record` with a leaf.
    ///
    /// - Returns: The number of the leaf, the one after that of the record.
    @inline(__always)
    mutating func add(_ record: ShortRecord, _ leaf: (UInt32) -> ShortRecord) -> UInt32 {
        countElement()
        let added = append(leafOf: append(record), leaf)
        store(added)
        return added
    }

    /// Adds the leaf `known`, or `record` with a leaf if `known` is 0. There is no branch: both are stored in any case, and the next
    /// ones overwrite them.
    ///
    /// - Returns: The number of the leaf.
    @inline(__always)
    mutating func add(_ record: ShortRecord, unless known: UInt32, _ leaf: (UInt32) -> ShortRecord) -> UInt32 {
        countElement()
        let isNew = known == 0
        // Safe because the ends are set to earlier ones.
        let (oldEnd, oldOffset, oldOffsetEnd, oldNumber) = unsafe (end, offset, offsetEnd, number)
        let (oldSlotEnd, oldSlot) = unsafe (slotEnd, slot)
        let added = append(leafOf: append(record), leaf)
        unsafe end = isNew ? end : oldEnd
        offset = isNew ? offset : oldOffset
        unsafe offsetEnd = isNew ? offsetEnd : oldOffsetEnd
        number = isNew ? number : oldNumber
        unsafe slotEnd = isNew ? slotEnd : oldSlotEnd
        slot = isNew ? slot : oldSlot
        let result = isNew ? added : known
        store(result)
        return result
    }

    @inline(__always)
    private mutating func countElement() {
        precondition(remaining > 0, "More elements than were announced")
        remaining &-= 1
    }

    @inline(__always)
    private mutating func append(leafOf contents: UInt32, _ leaf: (UInt32) -> ShortRecord) -> UInt32 {
        // Safe because the element was counted.
        unsafe slotEnd.pointee = contents
        unsafe slotEnd += 1
        defer { slot &+= 1 }
        return append(leaf(slot))
    }

    @inline(__always)
    private mutating func append(_ record: ShortRecord) -> UInt32 {
        // Safe because the element was counted: it has space for two records and their offsets.
        unsafe end.storeBytes(of: record.first, as: UInt8.self)
        unsafe end.storeBytes(of: record.rest.bigEndian, toByteOffset: 1, as: UInt64.self)
        unsafe end += record.byteCount
        unsafe offsetEnd.pointee = offset
        unsafe offsetEnd += 1
        offset &+= UInt32(truncatingIfNeeded: record.byteCount)
        defer { number &+= 1 }
        return number
    }

    /// Stores the next number of the list.
    @inline(__always)
    private mutating func store(_ number: UInt32) {
        // Safe because the element was counted: it has `size` bytes in the list.
        switch size {
        case 1: unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
        case 2: unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian, as: UInt16.self)
        case 3:
            unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: number >> 8).bigEndian, as: UInt16.self)
            unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: 2, as: UInt8.self)
        default: unsafe place.storeBytes(of: number.bigEndian, as: UInt32.self)
        }
        unsafe place += size
    }
}

extension ByteWriter {
    /// Calls `body` with a cursor at the end, to which it adds a list of `count` numbers of `size` bytes each, 1 to 4, and the
    /// records of the elements. The offsets of the records are added to `offsets`, the slots to `slots`.
    ///
    /// The memory of the writer and of both tables does not move before `body` returns. They have no capacity until then.
    @inline(__always)
    func withCursor(
        listOf count: Int, size: Int, offsets: PlainTable<UInt32>, slots: PlainTable<UInt32>,
        _ body: (inout ListCursor) -> Void
    ) {
        precondition((1...4).contains(size) && count >= 0 && count <= Int.max / 64, "A list cannot be written here")
        // After the last record is space for another, since records are stored in full size.
        reserve((size &+ 2 &* ShortRecord.storedSize) &* count &+ ShortRecord.storedSize)
        offsets.reserve(2 &* count)
        slots.reserve(count)
        let start = self.count
        // Safe because the capacity was reserved for `count` elements, the memory is lent until the cursor has ended, and this
        // cursor, which `body` can only exchange for one of another writer, has the addresses of this memory.
        let counts = unsafe lend { base in
            let (offsetBase, slotBase) = unsafe (offsets.lend(), slots.lend())
            var cursor = unsafe ListCursor(
                listOf: count, size: size, base, offset: start,
                offsets: (offsetBase + offsets.count, offsets.count), slots: (slotBase + slots.count, slots.count))
            body(&cursor)
            precondition(unsafe cursor.remaining == 0 && cursor.base == base, "Fewer elements than were announced")
            return unsafe (
                bytes: cursor.end - base, offsets: cursor.offsetEnd - offsetBase, slots: cursor.slotEnd - slotBase
            )
        }
        // Safe because so many bytes are stored.
        unsafe takeBack(count: counts.bytes)
        offsets.takeBack(count: counts.offsets)
        slots.takeBack(count: counts.slots)
    }
}
