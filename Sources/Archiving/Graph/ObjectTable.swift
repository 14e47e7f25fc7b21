/// The class instances of a graph: which uid each one has.
///
/// Identity is the instance's address, and the table retains every instance it has seen: a temporary that died before
/// the archive was finished would leave its address to another object, which would then come back as the first.
struct ObjectTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    struct Entry: BitwiseCopyable {
        var object: UInt
        /// The uid object of the instance; 0 marks a free place.
        var uid: Reference
    }

    private var entries: TableMemory<Entry>
    private var mask: Int
    private(set) var count = 0

    init(in arena: inout Arena) {
        entries = TableMemory(capacity: 16, in: &arena)
        mask = 15
    }

    /// Lets go of every instance. The table is of no use afterwards.
    func releaseAll() {
        guard count > 0 else { return }
        for index in 0...mask where entries[index].uid != 0 {
            if let object = UnsafeRawPointer(bitPattern: entries[index].object) {
                Unmanaged<AnyObject>.fromOpaque(object).release()
            }
        }
    }

    /// Whether the table has outgrown the arena that it began in.
    var hasGrown: Bool { entries.isOwned }

    mutating func removeAll() {
        guard count > 0 else { return }
        releaseAll()
        entries.clear()
        count = 0
    }

    @inline(__always)
    private func place(of object: UInt) -> Int {
        // Addresses are multiples of 16, and neighbours in memory were often made, and are met, one after the other.
        var place = Int(truncatingIfNeeded: (UInt64(object) >> 4 &* 0x9E37_79B9_7F4A_7C15) >> 24) & mask
        while entries[place].uid != 0, entries[place].object != object { place = (place &+ 1) & mask }
        return place
    }

    /// The uid object of `object`; nil where the table has not seen it.
    @inline(__always)
    func uid(of object: UnsafeRawPointer) -> Reference? {
        let entry = entries[place(of: UInt(bitPattern: object))]
        return entry.uid == 0 ? nil : entry.uid
    }

    /// Enters `object`, which the table has not seen, and retains it.
    mutating func insert(_ object: UnsafeRawPointer, uid: Reference) {
        count &+= 1
        if count &* 4 > mask &* 3 { grow() }
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        entries[place(of: UInt(bitPattern: object))] = Entry(object: UInt(bitPattern: object), uid: uid)
    }

    @inline(never)
    private mutating func grow() {
        let oldCapacity = mask + 1
        var old = TableMemory<Entry>(capacity: oldCapacity * 2)
        swap(&old, &entries)
        mask = oldCapacity * 2 - 1
        for index in 0..<oldCapacity where old[index].uid != 0 { entries[place(of: old[index].object)] = old[index] }
    }
}
