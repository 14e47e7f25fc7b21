/// The class instances of a graph and their uids.
///
/// The identity of an instance is its address. The table retains every instance: otherwise, a temporary instance could be
/// deallocated before the archive is finished, and a later instance at the same address would get its uid.
///
/// A list holds the instances in the order of their insertion, and a hash table of their numbers finds them. The table releases
/// instances in the order of the list. Instances that were encoded in order are mostly adjacent in memory, so this order causes
/// fewer cache misses than the order of hashes.
///
/// The list and the hash table are most of the memory of a large graph during encoding. Both are therefore narrow: 12 bytes for
/// an instance, and 4 for a hash bucket.
struct ObjectTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    struct Item: BitwiseCopyable {
        /// The instance's address in two halves. A 64-bit number would be aligned to 8 bytes and increase the item to 16 bytes.
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
            // The address is valid, because only `init` stores one, from a pointer. Bytes of an archive are never read as
            // items.
            return UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
        }
    }

    private var items: PlainArray<Item>
    /// Each bucket holds the number of an instance plus 1 in the low bits that `mask` covers. The bits above are bits of its
    /// hash, which distinguish nearly all other instances. 0 marks a free bucket.
    private var entries: TableMemory<UInt32>
    /// The number of buckets, a power of two, minus 1.
    private var mask: UInt32

    static var initialCapacity: Int { 32 }

    init(in arena: inout Arena) {
        items = PlainArray(capacity: 16, in: &arena)
        entries = TableMemory(capacity: Self.initialCapacity, in: &arena)
        mask = UInt32(Self.initialCapacity - 1)
    }

    /// The number of buckets of the hash table.
    var bucketCount: Int { Int(mask) + 1 }

    /// Releases the hash table, because no more instances are looked up. The instances are released later, since their own code
    /// may run then.
    mutating func endSearch() {
        entries = .empty
    }

    /// Releases every instance. Do not use the table afterwards.
    func releaseAll() {
        for index in 0..<items.count { Unmanaged<AnyObject>.fromOpaque(items[index].object).release() }
    }

    /// Whether the table has outgrown its initial arena.
    var hasGrown: Bool { entries.isOwned || items.isOwned }

    mutating func removeAll() {
        guard items.count > 0 else { return }
        releaseAll()
        entries.clear()
        items.removeAll()
    }

    /// Returns bits of the address that are nearly unique.
    @inline(__always)
    private static func hash(_ object: UnsafeRawPointer) -> UInt32 {
        // Addresses are multiples of 16.
        let bits = UInt64(UInt32(truncatingIfNeeded: UInt(bitPattern: object) >> 4))
        return UInt32(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 24)
    }

    /// Returns the instance at `index`, in the order of insertion, and its uid object.
    @inline(__always)
    subscript(index: Int) -> (object: UnsafeRawPointer, uid: Reference) {
        let item = items[index]
        return (item.object, item.uid)
    }

    /// The number of instances.
    var count: Int { items.count }

    /// Returns the instance whose uid object is `uid`; `nil` if there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of instances.
    func object(_ uid: Reference) -> UnsafeRawPointer? {
        (0..<items.count).first { items[$0].uid == uid }.map { items[$0].object }
    }

    /// Returns the uid object of `object`; `nil` if the table does not contain the instance.
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

    /// Inserts `object`, which the table does not contain, and retains it.
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
        // The list has all information to rebuild the buckets, so the old ones are released before the new ones are allocated.
        entries = .empty
        entries = TableMemory(capacity: capacity)
        mask = UInt32(truncatingIfNeeded: capacity - 1)
        for index in 0..<items.count { enter(items[index].object, number: UInt32(truncatingIfNeeded: index + 1)) }
    }
}
