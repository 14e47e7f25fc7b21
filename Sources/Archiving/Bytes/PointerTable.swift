/// Records by a metatype's address: what a coder remembers of the types it has met in one call.
///
/// Records stay where they are until the table goes, so users hold their addresses.
struct PointerTable<Record: ~Copyable>: ~Copyable {
    struct Entry: BitwiseCopyable {
        var key: UnsafeRawPointer?
        var record: UnsafeMutablePointer<Record>?
    }

    private var entries: TableMemory<Entry>
    private var mask: Int
    private var count = 0

    init(in arena: inout Arena) {
        entries = TableMemory(capacity: 32, in: &arena)
        mask = 31
    }

    /// Whether the table has outgrown the arena that it began in.
    var hasGrown: Bool { entries.isOwned }

    /// Hands every record to `body`.
    func visitRecords(_ body: (UnsafeMutablePointer<Record>) -> Void) {
        var left = count
        var index = 0
        // Most tables have few records, and need not be gone through to their ends.
        while left > 0, index <= mask {
            if let record = entries[index].record {
                body(record)
                left &-= 1
            }
            index &+= 1
        }
    }

    /// Gives up the records. The table is of no use afterwards.
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

    /// The record for `key`; nil where there is none.
    @inline(__always)
    func find(_ key: UnsafeRawPointer) -> UnsafeMutablePointer<Record>? {
        entries[place(of: key)].record
    }

    /// Enters `record` for `key`, which has none.
    mutating func insert(
        _ key: UnsafeRawPointer, _ record: consuming Record, in arena: inout Arena
    ) -> UnsafeMutablePointer<Record> {
        count += 1
        if count * 2 > mask { grow() }
        let address = arena.take(1, of: Record.self) ?? .allocate(capacity: 1)
        address.initialize(to: record)
        entries[place(of: key)] = Entry(key: key, record: address)
        return address
    }

    @inline(never)
    private mutating func grow() {
        let oldCapacity = mask + 1
        var old = TableMemory<Entry>(capacity: oldCapacity * 2)
        swap(&old, &entries)
        mask = oldCapacity * 2 - 1
        for index in 0..<oldCapacity {
            if let key = old[index].key { entries[place(of: key)] = old[index] }
        }
    }
}

extension PointerTable where Record: ~Copyable {
    /// The key of a type.
    @inline(__always)
    static func key(_ type: any Any.Type) -> UnsafeRawPointer {
        unsafeBitCast(ObjectIdentifier(type), to: UnsafeRawPointer.self)
    }
}
