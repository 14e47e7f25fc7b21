// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
    // space for `remaining` elements after each of the ends.
    fileprivate let base: UnsafeMutableRawPointer
    private let offsets: UnsafeMutablePointer<UInt16>
    private let slots: UnsafeMutablePointer<UInt32>
    /// The ends: the number of bytes, of records and of slots.
    fileprivate private(set) var byteCount: Int
    fileprivate private(set) var recordCount: Int
    fileprivate private(set) var slotCount: Int
    private var place: Int
    private let size: Int
    /// The number of elements that are still to be added.
    fileprivate private(set) var remaining: Int

    /// Creates a cursor for a list of `count` numbers of `size` bytes each, which begins after `byteCount` bytes.
    fileprivate init(
        listOf count: Int, size: Int, _ base: UnsafeMutableRawPointer, byteCount: Int,
        offsets: UnsafeMutablePointer<UInt16>, recordCount: Int, slots: UnsafeMutablePointer<UInt32>, slotCount: Int
    ) {
        // Safe because the caller has reserved the memory.
        unsafe self.base = base
        unsafe self.offsets = offsets
        unsafe self.slots = slots
        place = byteCount
        self.byteCount = byteCount &+ count &* size
        self.recordCount = recordCount
        self.slotCount = slotCount
        remaining = count
        self.size = size
    }

    @inline(__always)
    mutating func add(_ number: UInt32) {
        countElement()
        store(number)
    }

    /// Adds a leaf for the record `contents`, which is `leaf` of the index of its slot, and returns its number.
    @inline(__always)
    mutating func add(leafOf contents: UInt32, _ leaf: (UInt32) -> ShortRecord) -> UInt32 {
        countElement()
        let added = append(leafOf: contents, leaf)
        store(added)
        return added
    }

    /// Adds `record` with a leaf. Returns the number of the leaf, the one after that of the record.
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
        // 1 for a new element, and 0 for a known one. Its products say how far the ends advance; the compiler makes a branch of
        // conditional expressions.
        let new = Int(truncatingIfNeeded: (UInt64(known) &- 1) &>> 63)
        let (oldByteCount, oldRecordCount, oldSlotCount) = (byteCount, recordCount, slotCount)
        let added = append(leafOf: append(record), leaf)
        byteCount = oldByteCount &+ (byteCount &- oldByteCount) &* new
        recordCount = oldRecordCount &+ (recordCount &- oldRecordCount) &* new
        slotCount = oldSlotCount &+ (slotCount &- oldSlotCount) &* new
        let result = known | added &* UInt32(truncatingIfNeeded: new)
        store(result)
        return result
    }

    @inline(__always)
    mutating func add<Element: BitwiseCopyable>(
        newElements elements: Span<Element>, _ record: (Element) -> ShortRecord, _ leaf: (UInt32) -> ShortRecord
    ) {
        let count = elements.count
        precondition(count <= remaining, "More elements than were announced")
        remaining &-= count
        // The numbers of the leaves and of their contents follow from those of the first ones.
        let first = UInt32(truncatingIfNeeded: recordCount)
        for index in 0..<count {
            // Safe because the elements were counted.
            unsafe slots[slotCount &+ index] = first &+ 2 &* UInt32(truncatingIfNeeded: index)
        }
        for index in 0..<count { store(first &+ 1 &+ 2 &* UInt32(truncatingIfNeeded: index)) }
        // Safe because the elements were counted: each has space for two records and their offsets.
        let offsets = unsafe self.offsets + recordCount
        var end = byteCount
        let firstSlot = UInt32(truncatingIfNeeded: slotCount)
        elements.forEachInPlace { element, index in
            let (record, leaf) = (record(element), leaf(firstSlot &+ UInt32(truncatingIfNeeded: index)))
            unsafe offsets[2 &* index] = UInt16(truncatingIfNeeded: end)
            unsafe record.store(at: base + end)
            end &+= record.byteCount
            unsafe offsets[2 &* index &+ 1] = UInt16(truncatingIfNeeded: end)
            unsafe leaf.store(at: base + end)
            end &+= leaf.byteCount
        }
        byteCount = end
        recordCount &+= 2 &* count
        slotCount &+= count
    }

    @inline(__always)
    private mutating func countElement() {
        precondition(remaining > 0, "More elements than were announced")
        remaining &-= 1
    }

    @inline(__always)
    private mutating func append(leafOf contents: UInt32, _ leaf: (UInt32) -> ShortRecord) -> UInt32 {
        // Safe because the element was counted.
        unsafe slots[slotCount] = contents
        let leaf = leaf(UInt32(truncatingIfNeeded: slotCount))
        slotCount &+= 1
        return append(leaf)
    }

    @inline(__always)
    private mutating func append(_ record: ShortRecord) -> UInt32 {
        // Safe because the element was counted: it has space for two records and their offsets.
        unsafe record.store(at: base + byteCount)
        unsafe offsets[recordCount] = UInt16(truncatingIfNeeded: byteCount)
        let number = UInt32(truncatingIfNeeded: recordCount)
        byteCount &+= record.byteCount
        recordCount &+= 1
        return number
    }

    @inline(__always)
    private mutating func store(_ number: UInt32) {
        // Safe because the element was counted: it has `size` bytes in the list.
        let place = unsafe base + place
        switch size {
        case 1: unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
        case 2: unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian, as: UInt16.self)
        case 3:
            unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: number >> 8).bigEndian, as: UInt16.self)
            unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: 2, as: UInt8.self)
        default: unsafe place.storeBytes(of: number.bigEndian, as: UInt32.self)
        }
        self.place &+= size
    }
}

extension ByteWriter {
    /// Calls `body` with a cursor at the end, to which it adds a list of `count` numbers of `size` bytes each, 1 to 4, and the
    /// records of the elements. The slots are added to `slots`, the last two bytes of the offsets of the records to `offsets`,
    /// where they replace the elements from `first` on.
    ///
    /// The memory of the writer and of both tables does not move before `body` returns. They have no capacity until then.
    ///
    /// - Returns: The index after that of the last offset.
    @inline(__always)
    func withCursor(
        listOf count: Int, size: Int, offsets: PlainTable<UInt16>, from first: Int, slots: PlainTable<UInt32>,
        _ body: (inout ListCursor) -> Void
    ) -> Int {
        precondition((1...4).contains(size) && count >= 0 && count <= Int.max / 64, "A list cannot be written here")
        precondition(first >= 0 && first <= offsets.count, "An index of a table is out of range")
        // After the last record is space for another, since records are stored in full size.
        reserve((size &+ 2 &* ShortRecord.storedSize) &* count &+ ShortRecord.storedSize)
        offsets.reserve(2 &* count)
        slots.reserve(count)
        let start = self.count
        // Safe because the capacity was reserved for `count` elements, the memory is lent until the cursor has ended, and this
        // cursor, which `body` can only exchange for one of another writer, has the addresses of this memory.
        let ends = unsafe lend { base in
            let (offsetBase, slotBase) = unsafe (offsets.lend(), slots.lend())
            var cursor = unsafe ListCursor(
                listOf: count, size: size, base, byteCount: start, offsets: offsetBase, recordCount: first,
                slots: slotBase, slotCount: slots.count)
            body(&cursor)
            precondition(unsafe cursor.remaining == 0 && cursor.base == base, "Fewer elements than were announced")
            return (bytes: cursor.byteCount, records: cursor.recordCount, slots: cursor.slotCount)
        }
        // Safe because so many bytes are stored.
        unsafe takeBack(count: ends.bytes)
        offsets.takeBack(count: max(ends.records, offsets.count))
        slots.takeBack(count: ends.slots)
        return ends.records
    }
}
