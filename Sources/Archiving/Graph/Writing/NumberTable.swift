/// Finds equal numbers, so that equal numbers of the same type share one object.
///
/// The table is exact up to `limit` different numbers. Beyond this limit, new numbers replace old ones, and only recent numbers
/// are found.
struct NumberTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// The types of numbers that a property list distinguishes: 1, true and 1.0 are three numbers.
    enum Kind: UInt32 {
        case free, signed, unsigned, real64, real32, boolean
        /// An NSDate, which shares objects like a number; its leaf is the uid of the object.
        case date
    }

    struct Entry: BitwiseCopyable {
        var bits: UInt64
        var kind: UInt32
        /// The number itself, for use inside an object's dictionary; 0 until it is needed.
        var inline: Reference
        /// The uid of the number as a leaf; 0 until it is needed.
        var leaf: Reference
    }

    /// A number in an array.
    struct Recent: BitwiseCopyable {
        var bits: UInt64
        var kind: UInt32
        var leaf: Reference
    }

    private var entries: TableMemory<Entry>
    /// The leaves that arrays have referenced recently, each in the bucket of its hash. The table is small enough to be
    /// searched for every element. Its capacity is 0 until `entries` is full.
    private var recent = TableMemory<Recent>.empty
    /// The leaves of small whole numbers, indexed by value. The capacity is 0 until a long array is encoded.
    private var counts = TableMemory<Reference>.empty
    private var mask: Int
    private var count = 0

    static var limit: Int { 4096 }
    private static var boundedProbes: Int { 4 }

    init(capacity: Int, in arena: inout Arena) {
        entries = TableMemory(capacity: capacity, in: &arena)
        mask = capacity - 1
    }

    /// Whether the table has outgrown its initial arena.
    var hasGrown: Bool { entries.isOwned }

    /// Releases the memory. Do not use the table afterwards.
    mutating func releaseMemory() {
        entries = .empty
        recent = .empty
        counts = .empty
    }

    mutating func removeAll() {
        if count > 0 { entries.clear() }
        count = 0
    }

    @inline(__always)
    private static func home(_ bits: UInt64, _ kind: Kind) -> Int {
        let product = (bits &+ UInt64(kind.rawValue)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 40)
    }

    /// Whether the table has reached its limit, so that it does not help with a long run of different numbers.
    var isFull: Bool { count >= Self.limit }

    /// Returns the entry for a number, and creates it on first use. The pointer is valid until the next call.
    @inline(__always)
    mutating func entry(_ bits: UInt64, _ kind: Kind) -> UnsafeMutablePointer<Entry> {
        let home = Self.home(bits, kind)
        var probe = 0
        while true {
            let entry = entries.base + ((home &+ probe) & mask)
            if entry.pointee.bits == bits, entry.pointee.kind == kind.rawValue { return entry }
            if entry.pointee.kind == 0 { return insert(bits, kind) }
            probe &+= 1
            if probe >= Self.boundedProbes, isFull { return insert(bits, kind) }
        }
    }

    @inline(__always)
    private static func recentPlace(_ bits: UInt64) -> Int {
        Int(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 52)
    }

    /// Returns the leaf of a number in an array, after the table is full; 0 if it is unknown.
    @inline(__always)
    func recentLeaf(_ bits: UInt64, _ kind: Kind) -> Reference {
        guard recent.capacity > 0 else { return 0 }
        let entry = recent[Self.recentPlace(bits)]
        return entry.bits == bits && entry.kind == kind.rawValue ? entry.leaf : 0
    }

    @inline(__always)
    mutating func note(recentLeaf leaf: Reference, _ bits: UInt64, _ kind: Kind) {
        if recent.capacity == 0 { recent = TableMemory(capacity: 1 << 12) }
        recent[Self.recentPlace(bits)] = Recent(bits: bits, kind: kind.rawValue, leaf: leaf)
    }

    @inline(never)
    private mutating func insert(_ bits: UInt64, _ kind: Kind) -> UnsafeMutablePointer<Entry> {
        let home = Self.home(bits, kind)
        if !isFull {
            count &+= 1
            if count &* 2 > mask &+ 1 { grow() }
            let entry = entries.base + freePlace(home)
            entry.pointee = Entry(bits: bits, kind: kind.rawValue, inline: 0, leaf: 0)
            return entry
        }
        let place = (home &+ Int(truncatingIfNeeded: bits) % Self.boundedProbes) & mask
        entries[place] = Entry(bits: bits, kind: kind.rawValue, inline: 0, leaf: 0)
        return entries.base + place
    }

    private func freePlace(_ home: Int) -> Int {
        var place = home & mask
        while entries[place].kind != 0 { place = (place &+ 1) & mask }
        return place
    }

    private mutating func grow() {
        let oldCapacity = mask + 1
        let capacity = min(oldCapacity * 4, Self.limit * 2)
        var old = TableMemory<Entry>(capacity: capacity)
        swap(&old, &entries)
        mask = capacity - 1
        for index in 0..<oldCapacity {
            guard let kind = Kind(rawValue: old[index].kind), kind != .free else { continue }
            entries[freePlace(Self.home(old[index].bits, kind))] = old[index]
        }
    }
}

// MARK: - Counts

extension NumberTable {
    /// Whole numbers below this limit have buckets of their own. All other numbers share the two buckets after them: the first
    /// is read and always 0, the second is written and never read.
    static var countLimit: UInt64 { 1 << 12 }
    /// The minimum number of elements for which the buckets save time.
    static var worthwhile: Int { 1 << 14 }

    /// Returns the leaves of counts, indexed by `place(ofCount:)`, for an array with `count` more elements; `nil` if the array
    /// is too short.
    mutating func counts(forElements count: Int) -> UnsafeMutablePointer<Reference>? {
        if counts.capacity > 0 { return counts.base }
        guard count >= Self.worthwhile else { return nil }
        counts = TableMemory(capacity: Int(Self.countLimit) + 2)
        for index in 0...mask {
            let entry = entries[index]
            if entry.kind == Kind.signed.rawValue, entry.bits < Self.countLimit { counts[Int(entry.bits)] = entry.leaf }
        }
        return counts.base
    }

    /// Returns whether a number has a bucket of its own.
    @inline(__always)
    static func isCount(_ bits: UInt64) -> Bool { bits < countLimit }

    /// Returns the bucket to read the leaf of a number from.
    @inline(__always)
    static func place(ofCount bits: UInt64) -> Int { Int(truncatingIfNeeded: min(bits, countLimit)) }

    /// Returns the bucket to write the leaf of a number to.
    @inline(__always)
    static func writtenPlace(ofCount bits: UInt64) -> Int {
        Int(truncatingIfNeeded: bits < countLimit ? bits : countLimit &+ 1)
    }
}
