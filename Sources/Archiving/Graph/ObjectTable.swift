/// The class instances of a graph: which uid each one has.
///
/// Identity is the instance's address, and the table retains every instance it has seen: a temporary that died before
/// the archive was finished would leave its address to another object, which would then come back as the first.
///
/// Instances stand in a list, in the order in which they were met, and are found through a hash table of numbers. The
/// list is walked from front to back when they are let go of: those met one after the other mostly lie one after the
/// other as well, and in the order of hashes each would have to be fetched from memory by itself.
struct ObjectTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    struct Item: BitwiseCopyable {
        var object: UnsafeRawPointer
        /// The uid object of the instance.
        var uid: Reference
    }

    struct Entry: BitwiseCopyable {
        /// Bits of the instance's address that nearly always tell it from all others.
        var tag: UInt32
        /// The place of the instance in the list, plus 1; 0 marks a free place.
        var number: UInt32
    }

    private var items: PlainArray<Item>
    private var entries: TableMemory<Entry>
    private var mask: Int

    init(in arena: inout Arena) {
        items = PlainArray(capacity: 12, in: &arena)
        entries = TableMemory(capacity: 16, in: &arena)
        mask = 15
    }

    /// Lets go of every instance. The table is of no use afterwards.
    func releaseAll() {
        for index in 0..<items.count { Unmanaged<AnyObject>.fromOpaque(items[index].object).release() }
    }

    /// Whether the table has outgrown the arena that it began in.
    var hasGrown: Bool { entries.isOwned || items.isOwned }

    mutating func removeAll() {
        guard items.count > 0 else { return }
        releaseAll()
        entries.clear()
        items.removeAll()
    }

    @inline(__always)
    private static func tag(_ object: UnsafeRawPointer) -> UInt32 {
        // Addresses are multiples of 16.
        UInt32(truncatingIfNeeded: UInt(bitPattern: object) >> 4)
    }

    @inline(__always)
    private func home(_ tag: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(tag) &* 0x9E37_79B9_7F4A_7C15) >> 24) & mask
    }

    /// The uid object of `object`; nil where the table has not seen it.
    @inline(__always)
    func uid(of object: UnsafeRawPointer) -> Reference? {
        let tag = Self.tag(object)
        var place = home(tag)
        while entries[place].number != 0 {
            if entries[place].tag == tag {
                let item = items[Int(entries[place].number) &- 1]
                if item.object == object { return item.uid }
            }
            place = (place &+ 1) & mask
        }
        return nil
    }

    /// Enters `object`, which the table has not seen, and retains it.
    mutating func insert(_ object: UnsafeRawPointer, uid: Reference) {
        if (items.count &+ 1) &* 4 > mask &* 3 { grow() }
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        items.append(Item(object: object, uid: uid))
        enter(Entry(tag: Self.tag(object), number: UInt32(truncatingIfNeeded: items.count)))
    }

    @inline(__always)
    private func enter(_ entry: Entry) {
        var place = home(entry.tag)
        while entries[place].number != 0 { place = (place &+ 1) & mask }
        entries[place] = entry
    }

    @inline(never)
    private mutating func grow() {
        let oldCapacity = mask + 1
        var old = TableMemory<Entry>(capacity: oldCapacity * 2)
        swap(&old, &entries)
        mask = oldCapacity * 2 - 1
        for index in 0..<oldCapacity where old[index].number != 0 { enter(old[index]) }
    }
}
