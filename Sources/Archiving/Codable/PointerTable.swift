/// Objects by a metatype's address: what a coder remembers of the types it has met in one call.
///
/// The objects are kept alive by the table and never leave it, so users may hold them unretained.
struct PointerTable<Object: AnyObject>: ~Copyable {
    private struct Entry {
        var key: UnsafeRawPointer?
        var object: Unmanaged<Object>?
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private var count = 0

    init(capacity: Int = 16) {
        entries = Self.allocate(capacity)
        mask = capacity - 1
    }

    deinit {
        for index in 0...mask { entries[index].object?.release() }
        entries.deallocate()
    }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        entries.initialize(repeating: Entry(key: nil, object: nil), count: capacity)
        return entries
    }

    @inline(__always)
    private func place(of key: UnsafeRawPointer) -> Int {
        let bits = UInt(bitPattern: key)
        var place = Int(truncatingIfNeeded: bits >> 4 ^ bits >> 11) & mask
        while let other = entries[place].key, other != key { place = (place &+ 1) & mask }
        return place
    }

    /// The object for `key`; nil where there is none.
    @inline(__always)
    func find(_ key: UnsafeRawPointer) -> Unmanaged<Object>? {
        entries[place(of: key)].object
    }

    /// Enters `object` for `key`, which has none, and retains it.
    mutating func insert(_ key: UnsafeRawPointer, _ object: Object) {
        count += 1
        if count * 2 > mask { grow() }
        entries[place(of: key)] = Entry(key: key, object: Unmanaged.passRetained(object))
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
