/// Records by the address of a metatype: a coder's state for the types of one call.
///
/// Records do not move during the life of the table, so users may store their addresses.
struct PointerTable<Record: ~Copyable>: ~Copyable {
    /// The address of a metatype and that of its record; nil for none.
    @safe struct Entry: BitwiseCopyable {
        var key: UnsafeRawPointer?
        var record: UnsafeMutablePointer<Record>?
    }

    private var entries: TableMemory<Entry>
    private var mask: Int
    /// The occupied places, in the order of insertion. Every small coding ends with a visit of all records.
    private var places: TableMemory<UInt32>
    private var count = 0

    init(in arena: inout Arena) {
        entries = TableMemory(capacity: 32, in: &arena)
        mask = 31
        places = TableMemory(plainCapacity: 16, in: &arena)
    }

    /// Whether the table has outgrown its initial arena.
    var hasGrown: Bool { entries.isOwned }

    /// Calls `body` with every record.
    func visitRecords(_ body: (UnsafeMutablePointer<Record>) -> Void) {
        for index in 0..<count {
            // Safe because the record lives as long as the table.
            if let record = unsafe entries[Int(places[index])].record { unsafe body(record) }
        }
    }

    /// Releases the records. The table cannot be used afterwards.
    func releaseAll(_ arena: borrowing Arena) {
        // Safe because this is the last use of the records.
        unsafe visitRecords { record in
            unsafe record.deinitialize(count: 1)
            if unsafe !arena.contains(record) { unsafe record.deallocate() }
        }
    }

    @inline(__always)
    private func place(of key: UnsafeRawPointer) -> Int {
        let bits = UInt(bitPattern: key)
        var place = Int(truncatingIfNeeded: bits >> 4 ^ bits >> 11) & mask
        // Safe because the addresses are only compared.
        while let other = unsafe entries[place].key, unsafe other != key { place = (place &+ 1) & mask }
        return place
    }

    /// The record for `key`; nil if there is none.
    @inline(__always)
    func find(_ key: UnsafeRawPointer) -> UnsafeMutablePointer<Record>? {
        // Safe because the record lives as long as the table, which the caller keeps.
        unsafe entries[place(of: key)].record
    }

    /// Inserts `record` for `key`, which has none.
    mutating func insert(
        _ key: UnsafeRawPointer, _ record: consuming Record, in arena: inout Arena
    ) -> UnsafeMutablePointer<Record> {
        if (count + 1) * 2 > mask { grow() }
        // Safe because the memory is new, has the size of a record, and is initialised before it is entered.
        let address = unsafe arena.take(1, of: Record.self) ?? .allocate(capacity: 1)
        unsafe address.initialize(to: record)
        unsafe enter(Entry(key: key, record: address), key)
        return unsafe address
    }

    private mutating func enter(_ entry: Entry, _ key: UnsafeRawPointer) {
        // Safe because the key is only compared.
        let place = unsafe place(of: key)
        entries[place] = entry
        if count == places.capacity { places.resize(to: count * 2, keeping: count) }
        places[count] = UInt32(truncatingIfNeeded: place)
        count += 1
    }

    /// Doubles the number of places, and inserts all entries again.
    @inline(never)
    private mutating func grow() {
        let oldCapacity = mask + 1
        var old = TableMemory<Entry>(capacity: oldCapacity * 2)
        swap(&old, &entries)
        mask = oldCapacity * 2 - 1
        count = 0
        for index in 0..<oldCapacity {
            // Safe because the key is only compared.
            if let key = unsafe old[index].key { unsafe enter(old[index], key) }
        }
    }
}

extension PointerTable where Record: ~Copyable {
    /// The key of a type.
    @inline(__always)
    static func key(_ type: any Any.Type) -> UnsafeRawPointer {
        // Safe because the address is only compared.
        unsafe TypeAddress.of(type)
    }
}
