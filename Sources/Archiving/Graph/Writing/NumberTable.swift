// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Finds equal numbers, so that equal numbers of the same type share one object.
///
/// The table is exact up to `limit` different numbers. Beyond this limit, new numbers replace old ones, and only recent numbers
/// are found.
final class NumberTable {
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

    private static let free = Entry(bits: 0, kind: Kind.free.rawValue, inline: 0, leaf: 0)

    struct Recent: BitwiseCopyable {
        var bits: UInt64
        var kind: UInt32
        var leaf: Reference
    }

    private let entries: PlainTable<Entry>
    /// The leaves that arrays have referenced recently. Empty until an array is encoded after `entries` is full.
    private let recent = PlainTable<Recent>()
    /// Whether small whole numbers have buckets of their own among these.
    private var hasCounts = false
    private var mask: Int
    private let initialCapacity: Int
    private var count = 0

    static var limit: Int { 4096 }
    private static var boundedProbes: Int { 4 }

    init(capacity: Int) {
        initialCapacity = capacity
        entries = PlainTable(repeating: Self.free, count: capacity)
        mask = capacity - 1
    }

    private static var keptCapacity: Int { 512 }

    var hasGrown: Bool { entries.count > Self.keptCapacity || recent.count > 0 }

    /// Releases the memory. Do not use the table afterwards.
    func releaseMemory() {
        entries.removeAll(keepingCapacity: 0)
        recent.removeAll(keepingCapacity: 0)
    }

    func removeAll() {
        if count == 0 { return }
        // The next archive is probably of the same size.
        entries.reset(repeating: Self.free, count: count * 8 < entries.count ? initialCapacity : entries.count)
        mask = entries.count - 1
        count = 0
    }

    @inline(__always)
    private static func home(_ bits: UInt64, _ kind: Kind) -> Int {
        let product = (bits &+ UInt64(kind.rawValue)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 40)
    }

    /// Whether the table has reached its limit, so that it does not help with a long run of different numbers.
    var isFull: Bool { count >= Self.limit }

    /// Returns the place and the entry of a number, and creates it on first use. The place is valid until the next call.
    @inline(__always)
    func find(_ bits: UInt64, _ kind: Kind) -> (place: Int, entry: Entry) {
        let home = Self.home(bits, kind)
        var probe = 0
        while true {
            let place = (home &+ probe) & mask
            let entry = entries[place]
            if entry.bits == bits, entry.kind == kind.rawValue { return (place, entry) }
            if entry.kind == 0 { return insert(bits, kind) }
            probe &+= 1
            if probe >= Self.boundedProbes, isFull { return insert(bits, kind) }
        }
    }

    @inline(__always)
    subscript(place: Int) -> Entry {
        get { entries[place] }
        set { entries[place] = newValue }
    }

    @inline(never)
    private func insert(_ bits: UInt64, _ kind: Kind) -> (place: Int, entry: Entry) {
        let home = Self.home(bits, kind)
        var place = (home &+ Int(truncatingIfNeeded: bits) % Self.boundedProbes) & mask
        if !isFull {
            count &+= 1
            if count &* 2 > mask &+ 1 { grow() }
            place = freePlace(home)
        }
        let entry = Entry(bits: bits, kind: kind.rawValue, inline: 0, leaf: 0)
        entries[place] = entry
        return (place, entry)
    }

    private func freePlace(_ home: Int) -> Int {
        var place = home & mask
        while entries[place].kind != 0 { place = (place &+ 1) & mask }
        return place
    }

    private func grow() {
        let oldCapacity = mask + 1
        let capacity = min(oldCapacity * 4, Self.limit * 2)
        let old = (0..<oldCapacity).map { entries[$0] }
        entries.reset(repeating: Self.free, count: capacity)
        mask = capacity - 1
        for entry in old {
            guard let kind = Kind(rawValue: entry.kind), kind != .free else { continue }
            entries[freePlace(Self.home(entry.bits, kind))] = entry
        }
    }
}

// MARK: - Recent numbers

extension NumberTable {
    /// Whole numbers below this limit have buckets of their own.
    static var countLimit: Int { 1 << 12 }
    /// The number of elements from which on an array gives small whole numbers these buckets.
    static var worthwhile: Int { 1 << 14 }

    /// The leaves that arrays have referenced recently, by number: first the buckets of counts, then those of hashes, and one that
    /// is never read.
    struct RecentLeaves {
        fileprivate let table: PlainTable<Recent>
        fileprivate let kind: Kind
        fileprivate let countLimit: UInt64

        @inline(__always)
        func isCount(_ bits: UInt64) -> Bool { bits < countLimit }

        @inline(__always)
        func place(of bits: UInt64, isSearched: Bool) -> Int {
            if isCount(bits) { return Int(truncatingIfNeeded: bits) }
            let hash = Int(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 52)
            return NumberTable.countLimit &+ (isSearched ? hash : NumberTable.countLimit)
        }

        /// The leaf of the number at `place`; 0 if another number is there.
        @inline(__always)
        subscript(place: Int, bits: UInt64) -> Reference {
            get {
                let known = table[place]
                return known.bits == bits && known.kind == kind.rawValue && place < 2 &* NumberTable.countLimit
                    ? known.leaf : 0
            }
            nonmutating set { table[place] = Recent(bits: bits, kind: kind.rawValue, leaf: newValue) }
        }
    }

    /// Returns the recent leaves for an array with `count` more elements of `kind`.
    @inline(__always)
    func recentLeaves(_ kind: Kind, forElements count: Int) -> RecentLeaves {
        if recent.count == 0 || kind == .signed && !hasCounts && count >= Self.worthwhile { prepare(kind, count) }
        return RecentLeaves(
            table: recent, kind: kind, countLimit: kind == .signed && hasCounts ? UInt64(Self.countLimit) : 0)
    }

    @inline(never)
    private func prepare(_ kind: Kind, _ count: Int) {
        if recent.count == 0 {
            recent.append(Recent(bits: 0, kind: Kind.free.rawValue, leaf: 0), count: 2 * Self.countLimit + 1)
        }
        guard kind == .signed, count >= Self.worthwhile else { return }
        hasCounts = true
        for index in 0...mask {
            let entry = entries[index]
            guard entry.kind == Kind.signed.rawValue, entry.bits < UInt64(Self.countLimit) else { continue }
            recent[Int(entry.bits)] = Recent(bits: entry.bits, kind: entry.kind, leaf: entry.leaf)
        }
    }
}
