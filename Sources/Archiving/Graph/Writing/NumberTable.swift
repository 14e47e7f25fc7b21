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
    /// The leaves that arrays have referenced recently, each in the bucket of its hash. The table is small enough to be
    /// searched for every element. It is empty until an array is encoded after `entries` is full.
    private let recent = PlainTable<Recent>()
    /// The leaves of small whole numbers, indexed by value. Empty until a long array is encoded.
    private let counts = PlainTable<Reference>()
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

    var hasGrown: Bool { entries.count > Self.keptCapacity || recent.count > 0 || counts.count > 0 }

    func releaseMemory() {
        entries.removeAll(keepingCapacity: 0)
        recent.removeAll(keepingCapacity: 0)
        counts.removeAll(keepingCapacity: 0)
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

    /// Returns the leaves that arrays have referenced recently, by `recentPlace(_:)`, for numbers of an array after the table is
    /// full.
    @inline(__always)
    func recentLeaves() -> PlainTable<Recent> {
        if recent.count == 0 { recent.append(Recent(bits: 0, kind: Kind.free.rawValue, leaf: 0), count: 1 << 12) }
        return recent
    }

    @inline(__always)
    static func recentPlace(_ bits: UInt64) -> Int {
        Int(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 52)
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

// MARK: - Counts

extension NumberTable {
    /// Whole numbers below this limit have buckets of their own. All other numbers share the two buckets after them: the first
    /// is read and always 0, the second is written and never read.
    static var countLimit: UInt64 { 1 << 12 }
    static var worthwhile: Int { 1 << 14 }

    /// Returns the leaves of counts, indexed by `place(ofCount:)`, for an array with `count` more elements; `nil` if the array
    /// is too short.
    func counts(forElements count: Int) -> PlainTable<Reference>? {
        if counts.count > 0 { return counts }
        guard count >= Self.worthwhile else { return nil }
        counts.append(0, count: Int(Self.countLimit) + 2)
        for index in 0...mask {
            let entry = entries[index]
            if entry.kind == Kind.signed.rawValue, entry.bits < Self.countLimit { counts[Int(entry.bits)] = entry.leaf }
        }
        return counts
    }

    static func isCount(_ bits: UInt64) -> Bool { bits < countLimit }

    @inline(__always)
    static func place(ofCount bits: UInt64) -> Int { Int(truncatingIfNeeded: min(bits, countLimit)) }

    @inline(__always)
    static func writtenPlace(ofCount bits: UInt64) -> Int {
        Int(truncatingIfNeeded: bits < countLimit ? bits : countLimit &+ 1)
    }
}
