/// The class instances of a graph: which uid each one has.
///
/// Identity is the instance's address, and the table retains every instance it has seen: a temporary that died before
/// the archive was finished would leave its address to another object, which would then come back as the first.
///
/// Instances stand in a list, in the order in which they were met, and are found through a hash table of numbers. The
/// list is walked from front to back when they are let go of: those met one after the other mostly lie one after the
/// other as well, and in the order of hashes each would have to be fetched from memory by itself.
///
/// Large graphs need memory for little else than these two while they are written, so both are narrow: 12 bytes for an
/// instance, and 4 for a place.
struct ObjectTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    struct Item: BitwiseCopyable {
        /// The instance's address in two halves: as one number it would be aligned to 8 bytes, and the item take 16.
        private let low: UInt32
        private let high: UInt32
        /// The uid object of the instance.
        let uid: Reference

        @inline(__always)
        init(_ object: UnsafeRawPointer, uid: Reference) {
            let address = UInt64(UInt(bitPattern: object))
            low = UInt32(truncatingIfNeeded: address)
            high = UInt32(truncatingIfNeeded: address &>> 32)
            self.uid = uid
        }

        @inline(__always)
        var object: UnsafeRawPointer {
            let address = UInt(truncatingIfNeeded: UInt64(high) &<< 32 | UInt64(low))
            // It was an address when the item was made, and nothing else makes one: no archive is read into this table.
            return UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
        }
    }

    private var items: PlainArray<Item>
    /// In each place the number of an instance plus 1, in as many low bits as a place has, and in the others what the place
    /// does not tell of its hash: so that nearly every other instance is told apart by that. 0 marks a free place.
    private var entries: TableMemory<UInt32>
    /// The number of places, a power of two, minus 1.
    private var mask: UInt32

    private static var initialCapacity: Int { 32 }

    init(in arena: inout Arena) {
        items = PlainArray(capacity: 16, in: &arena)
        entries = TableMemory(capacity: Self.initialCapacity, in: &arena)
        mask = UInt32(Self.initialCapacity - 1)
    }

    /// Gives up what instances are found by: none is looked for any more. They are let go of later, since their own code
    /// may run then.
    mutating func endSearch() {
        entries = .empty
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

    /// Bits of the address that nearly always tell the instance from all others.
    @inline(__always)
    private static func hash(_ object: UnsafeRawPointer) -> UInt32 {
        // Addresses are multiples of 16.
        let bits = UInt64(UInt32(truncatingIfNeeded: UInt(bitPattern: object) >> 4))
        return UInt32(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 24)
    }

    /// The instance at `index`, in the order in which they were entered, and its uid object.
    @inline(__always)
    subscript(index: Int) -> (object: UnsafeRawPointer, uid: Reference) {
        let item = items[index]
        return (item.object, item.uid)
    }

    /// The number of instances.
    var count: Int { items.count }

    /// The instance whose uid object is `uid`; nil where there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of instances.
    func object(_ uid: Reference) -> UnsafeRawPointer? {
        (0..<items.count).first { items[$0].uid == uid }.map { items[$0].object }
    }

    /// The uid object of `object`; nil where the table has not seen it.
    @inline(__always)
    func uid(of object: UnsafeRawPointer) -> Reference? {
        let hash = Self.hash(object)
        var place = hash & mask
        while true {
            let entry = entries[Int(place)]
            if entry == 0 { return nil }
            if (entry ^ hash) & ~mask == 0 {
                let item = items[Int(entry & mask) &- 1]
                if item.object == object { return item.uid }
            }
            place = (place &+ 1) & mask
        }
    }

    /// Enters `object`, which the table has not seen, and retains it.
    mutating func insert(_ object: UnsafeRawPointer, uid: Reference) {
        if (items.count &+ 1) &* 4 > Int(mask) &* 3 { grow() }
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        items.append(Item(object, uid: uid))
        enter(object, number: UInt32(truncatingIfNeeded: items.count))
    }

    @inline(__always)
    private func enter(_ object: UnsafeRawPointer, number: UInt32) {
        let hash = Self.hash(object)
        var place = hash & mask
        while entries[Int(place)] != 0 { place = (place &+ 1) & mask }
        entries[Int(place)] = hash & ~mask | number
    }

    @inline(never)
    private mutating func grow() {
        let capacity = (Int(mask) + 1) * 2
        // Everything that the old places told is in the list: they go before the new ones come.
        entries = .empty
        entries = TableMemory(capacity: capacity)
        mask = UInt32(truncatingIfNeeded: capacity - 1)
        for index in 0..<items.count { enter(items[index].object, number: UInt32(truncatingIfNeeded: index + 1)) }
    }
}
