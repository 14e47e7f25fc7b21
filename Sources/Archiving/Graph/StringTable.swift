/// Finds a string that was written before, by comparing with the bytes that were written.
///
/// The table is exact up to `limit` entries. From there on it forgets: a new string takes the place of an old one near
/// its own, so memory and search stay bounded however many strings there are, and what repeats often is still found.
struct StringTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    struct Entry: BitwiseCopyable {
        var hash: UInt32
        /// The written length: bytes of an ASCII string, units of a UTF-16 string.
        var count: UInt32
        /// The string object.
        var string: Reference
        /// What the table's owner looks for: the string object itself, or a uid that leads to it. 0 marks a free place.
        var target: Reference
    }

    private var entries: TableMemory<Entry>
    private var mask: Int
    private var count = 0
    private let limit: Int
    private let seed: UInt64

    /// How far from its own place a string may lie once the table is at its limit.
    private static var boundedProbes: Int { 4 }

    /// - Parameters:
    ///   - capacity: Places at the start; a power of two.
    ///   - limit: Entries up to which the table is exact; `Int.max` for always.
    ///   - seed: Varies the places of strings, so that nobody can choose strings that collide.
    init(capacity: Int, limit: Int, seed: UInt64, in arena: inout Arena) {
        entries = TableMemory(capacity: capacity, in: &arena)
        mask = capacity - 1
        self.limit = limit
        self.seed = seed
    }

    /// Whether the table has outgrown the arena that it began in.
    var hasGrown: Bool { entries.isOwned }

    /// Gives up the memory. The table is of no use afterwards.
    mutating func releaseMemory() {
        entries = .empty
    }

    mutating func removeAll() {
        if count > 0 { entries.clear() }
        count = 0
    }
}

// MARK: - Search

extension StringTable {
    /// The hash of a string, and whether it is ASCII.
    @inline(__always)
    func digest(_ utf8: UnsafeBufferPointer<UInt8>) -> (hash: UInt32, isASCII: Bool) {
        ByteHash.digest(UnsafeRawBufferPointer(utf8), seed: seed)
    }

    /// The entry of an ASCII string with that hash, or nil.
    @inline(__always)
    func find(
        ascii: UnsafeRawBufferPointer, _ hash: UInt32, in list: borrowing BinaryPropertyListWriter
    ) -> Reference? {
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let entry = entries[place]
            if entry.target == 0 { return nil }
            if entry.hash == hash, Int(entry.count) == ascii.count,
                list.isASCII(entry.string, equalTo: ascii)
            {
                return entry.target
            }
            place = (place &+ 1) & mask
            if count > limit, (place &- Int(truncatingIfNeeded: hash)) & mask >= Self.boundedProbes {
                return nil
            }
        }
    }

    /// The entry of the string with that hash that `string` was just written as, or nil.
    ///
    /// This serves the strings that are not ASCII: their UTF-16 is made by writing them, so they are written first and
    /// taken back when they were there before.
    func find(
        written string: Reference, _ hash: UInt32, in list: borrowing BinaryPropertyListWriter
    ) -> Reference? {
        let object = list.bytes(from: string)
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let entry = entries[place]
            if entry.target == 0 { return nil }
            if entry.hash == hash, Int(entry.count) == object.count {
                let other = list.bytes(from: entry.string)
                if let left = other.baseAddress, let right = object.baseAddress, other.count >= object.count,
                    ByteHash.areEqual(left, right, count: object.count)
                {
                    return entry.target
                }
            }
            place = (place &+ 1) & mask
            if count > limit, (place &- Int(truncatingIfNeeded: hash)) & mask >= Self.boundedProbes {
                return nil
            }
        }
    }

    /// Enters a string that `find` did not find.
    mutating func insert(_ target: Reference, string: Reference, count length: Int, hash: UInt32) {
        guard let length = UInt32(exactly: length) else { return }
        let entry = Entry(hash: hash, count: length, string: string, target: target)
        if count > limit {
            // Full: the newest takes one of the places near its own, in turn.
            let place = Int(truncatingIfNeeded: hash) & mask
            for probe in 0..<Self.boundedProbes where entries[(place &+ probe) & mask].target == 0 {
                entries[(place &+ probe) & mask] = entry
                return
            }
            entries[(place &+ Int(string) % Self.boundedProbes) & mask] = entry
            return
        }
        count &+= 1
        if count &* 2 > mask { grow() }
        place(entry)
    }

    private func place(_ entry: Entry) {
        var place = Int(truncatingIfNeeded: entry.hash) & mask
        while entries[place].target != 0 { place = (place &+ 1) & mask }
        entries[place] = entry
    }

    @inline(never)
    private mutating func grow() {
        let oldCapacity = mask + 1
        var old = TableMemory<Entry>(capacity: oldCapacity * 4)
        swap(&old, &entries)
        mask = oldCapacity * 4 - 1
        for index in 0..<oldCapacity where old[index].target != 0 { place(old[index]) }
    }
}

extension BinaryPropertyListWriter {
    /// Whether the ASCII string object `reference`, whose length is `text`'s, holds `text`.
    @inline(__always)
    fileprivate func isASCII(_ reference: Reference, equalTo text: UnsafeRawBufferPointer) -> Bool {
        let object = bytes(from: reference)
        guard let written = object.baseAddress, let other = text.baseAddress else { return text.isEmpty }
        guard written.load(as: UInt8.self) & 0xF0 == BinaryFormat.Marker.ascii else { return false }
        return ByteHash.areEqual(
            written + BinaryFormat.headSize(count: text.count), other, count: text.count)
    }
}

/// A fast hash and comparison of short runs of bytes.
enum ByteHash {
    /// The hash of the bytes, and whether none of them has its high bit set.
    @inline(__always)
    static func digest(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> (hash: UInt32, isASCII: Bool) {
        let count = bytes.count
        guard count > 0, let base = bytes.baseAddress else { return (UInt32(truncatingIfNeeded: seed), true) }
        var state = seed ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
        var seen: UInt64 = 0
        if count > 16 {
            var offset = 0
            while offset &+ 16 < count {
                let low = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let high = base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
                seen |= low | high
                state = mix(state ^ low, high ^ 0xE703_7ED1_A0B4_28DB)
                offset &+= 16
            }
        }
        // The last sixteen, some of which may be among those before.
        let (low, high) = words(base, count: count)
        seen |= low | high
        state = mix(state ^ low, high ^ 0x8EBC_6AF0_9C88_C6E3)
        return (UInt32(truncatingIfNeeded: state ^ state >> 32), seen & 0x8080_8080_8080_8080 == 0)
    }

    /// All bytes of a run of 1 to 16 bytes in two words, or the last sixteen of a longer one.
    @inline(__always)
    private static func words(_ base: UnsafeRawPointer, count: Int) -> (UInt64, UInt64) {
        if count > 16 {
            return (
                base.loadUnaligned(fromByteOffset: count &- 16, as: UInt64.self),
                base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            )
        }
        if count >= 8 {
            return (
                base.loadUnaligned(as: UInt64.self),
                base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return (
                UInt64(base.loadUnaligned(as: UInt32.self)),
                UInt64(base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            )
        }
        let first = UInt64(base.loadUnaligned(as: UInt8.self))
        let middle = UInt64(base.loadUnaligned(fromByteOffset: count >> 1, as: UInt8.self))
        let last = UInt64(base.loadUnaligned(fromByteOffset: count &- 1, as: UInt8.self))
        return (first | middle << 8, last)
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        guard count > 0 else { return true }
        var offset = 0
        while offset &+ 16 < count {
            if left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset &+= 8
        }
        return words(left, count: count) == words(right, count: count)
    }
}
