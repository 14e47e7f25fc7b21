/// Finds a number that was written before, so that equal numbers share one object, and never a number of another type.
///
/// Exact up to `limit` different numbers; from there on new numbers replace old ones, and a repeated one is found only
/// while it is recent.
struct NumberTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// The types of number that a property list tells apart: 1, true and 1.0 are three.
    enum Kind: UInt32 {
        case free, signed, unsigned, real64, real32, boolean
        /// An NSDate, which is no number but is as good as one: its leaf is the uid of the object.
        case date
    }

    struct Entry: BitwiseCopyable {
        var bits: UInt64
        var kind: UInt32
        /// The number itself, for use inside an object's dictionary. 0 where it was not needed yet.
        var inline: Reference
        /// The uid that leads to the number as a leaf. 0 where it was not needed yet.
        var leaf: Reference
    }

    /// A number that stands in an array.
    struct Recent: BitwiseCopyable {
        var bits: UInt64
        var kind: UInt32
        var leaf: Reference
    }

    private var entries: TableMemory<Entry>
    /// The leaves that arrays have referred to lately, each in the one place that its number has: small enough to be searched
    /// for every element. Without room until the table is full.
    private var recent = TableMemory<Recent>.empty
    /// The leaves of small whole numbers, each in the place that is its value. Without room until a long array comes.
    private var counts = TableMemory<Reference>.empty
    private var mask: Int
    private var count = 0

    private static var limit: Int { 4096 }
    private static var boundedProbes: Int { 4 }

    init(capacity: Int, in arena: inout Arena) {
        entries = TableMemory(capacity: capacity, in: &arena)
        mask = capacity - 1
    }

    /// Whether the table has outgrown the arena that it began in.
    var hasGrown: Bool { entries.isOwned }

    /// Gives up the memory. The table is of no use afterwards.
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

    /// Whether the table has stopped to grow, so that a long run of different numbers gains nothing from it.
    var isFull: Bool { count >= Self.limit }

    /// The entry for a number, made where there was none. Valid until the next call.
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

    /// The leaf of a number of an array, once the table is full; 0 where it is not known.
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
    /// Whole numbers from 0 up to this one have places of their own. In the place behind them there is never a leaf, and in
    /// the one after that whatever was written there: those are of all other numbers.
    private static var countLimit: UInt64 { 1 << 12 }
    /// Elements from which on an array is worth the places.
    private static var worthwhile: Int { 1 << 14 }

    /// The leaves of counts, by `place(ofCount:)`, for an array of so many more elements; nil where it is too short.
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

    /// Whether a number has a place of its own.
    @inline(__always)
    static func isCount(_ bits: UInt64) -> Bool { bits < countLimit }

    /// Where to look for the leaf of a number.
    @inline(__always)
    static func place(ofCount bits: UInt64) -> Int { Int(truncatingIfNeeded: min(bits, countLimit)) }

    /// Where to store the leaf of a number.
    @inline(__always)
    static func writtenPlace(ofCount bits: UInt64) -> Int {
        Int(truncatingIfNeeded: bits < countLimit ? bits : countLimit &+ 1)
    }
}
