/// Records by a metatype's address: what a coder remembers of the types it has met in one call.
///
/// Records stay where they are until the table goes, so users hold their addresses.
struct PointerTable<Record: ~Copyable>: ~Copyable {
    private struct Entry {
        var key: UnsafeRawPointer?
        var record: UnsafeMutablePointer<Record>?
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private var count = 0

    init(capacity: Int = 16) {
        entries = Self.allocate(capacity)
        mask = capacity - 1
    }

    deinit {
        for index in 0...mask {
            if let record = entries[index].record {
                record.deinitialize(count: 1)
                record.deallocate()
            }
        }
        entries.deallocate()
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(key: nil, record: nil), count: capacity)
        return entries
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
    mutating func insert(_ key: UnsafeRawPointer, _ record: consuming Record) -> UnsafeMutablePointer<Record> {
        count += 1
        if count * 2 > mask { grow() }
        let address = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        address.initialize(to: record)
        entries[place(of: key)] = Entry(key: key, record: address)
        return address
    }

    @inline(never)
    private mutating func grow() {
        let old = entries
        let oldCapacity = mask + 1
        entries = Self.allocate(oldCapacity * 2)
        mask = oldCapacity * 2 - 1
        for index in 0..<oldCapacity {
            if let key = old[index].key { entries[place(of: key)] = old[index] }
        }
        old.deallocate()
    }
}

extension PointerTable where Record: ~Copyable {
    /// The key of a type.
    @inline(__always)
    static func key(_ type: any Any.Type) -> UnsafeRawPointer {
        unsafeBitCast(ObjectIdentifier(type), to: UnsafeRawPointer.self)
    }
}
