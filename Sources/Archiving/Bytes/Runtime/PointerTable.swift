/// Records by the address of a metatype: a coder's state for the types of one call.
///
/// Records do not move during the life of the table, so users may store their addresses.
struct PointerTable<Record: ~Copyable>: ~Copyable {
    struct Entry: BitwiseCopyable {
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
            if let record = entries[Int(places[index])].record { body(record) }
        }
    }

    /// Releases the records. The table cannot be used afterwards.
    func releaseAll(_ arena: borrowing Arena) {
        visitRecords { record in
            record.deinitialize(count: 1)
            if !arena.contains(record) { record.deallocate() }
        }
    }

    @inline(__always)
    private func place(of key: UnsafeRawPointer) -> Int {
        let bits = UInt(bitPattern: key)
        var place = Int(truncatingIfNeeded: bits >> 4 ^ bits >> 11) & mask
        while let other = entries[place].key, other != key { place = (place &+ 1) & mask }
        return place
    }

    /// The record for `key`; nil if there is none.
    @inline(__always)
    func find(_ key: UnsafeRawPointer) -> UnsafeMutablePointer<Record>? {
        entries[place(of: key)].record
    }

    /// Inserts `record` for `key`, which has none.
    mutating func insert(
        _ key: UnsafeRawPointer, _ record: consuming Record, in arena: inout Arena
    ) -> UnsafeMutablePointer<Record> {
        if (count + 1) * 2 > mask { grow() }
        let address = arena.take(1, of: Record.self) ?? .allocate(capacity: 1)
        address.initialize(to: record)
        enter(Entry(key: key, record: address), key)
        return address
    }

    private mutating func enter(_ entry: Entry, _ key: UnsafeRawPointer) {
        let place = place(of: key)
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
            if let key = old[index].key { enter(old[index], key) }
        }
    }
}

extension PointerTable where Record: ~Copyable {
    /// The key of a type.
    @inline(__always)
    static func key(_ type: any Any.Type) -> UnsafeRawPointer {
        TypeAddress.of(type)
    }
}
