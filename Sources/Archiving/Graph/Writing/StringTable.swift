/// Finds a string that was written before, by comparing with the bytes that were written.
///
/// The table is exact up to `limit` entries. From there on it forgets: a new string takes the place of an old one near
/// its own, so memory and search stay bounded however many strings there are, and what repeats often is still found.
struct StringTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    struct Entry: BitwiseCopyable {
        /// The written length: bytes of an ASCII string, units of a UTF-16 string.
        var count: UInt32
        /// The string object.
        var string: Reference
        /// What the table's owner looks for: the string object itself, or a uid that leads to it.
        var target: Reference
    }

    /// The hash of the string in each place, by itself, so that many of them are near each other; 0 marks a free place.
    private var hashes: TableMemory<UInt32>
    private var entries: TableMemory<Entry>
    private var mask: Int
    private var count = 0
    private let limit: Int
    let seed: UInt64

    /// How far from its own place a string may lie once the table is at its limit.
    private static var boundedProbes: Int { 4 }

    /// - Parameters:
    ///   - capacity: Places at the start; a power of two.
    ///   - limit: Entries up to which the table is exact; `Int.max` for always.
    ///   - seed: Varies the places of strings, so that nobody can choose strings that collide.
    init(capacity: Int, limit: Int, seed: UInt64, in arena: inout Arena) {
        hashes = TableMemory(capacity: capacity, in: &arena)
        entries = TableMemory(plainCapacity: capacity, in: &arena)
        mask = capacity - 1
        self.limit = limit
        self.seed = seed
    }

    /// Whether the table has outgrown the arena that it began in.
    var hasGrown: Bool { hashes.isOwned || entries.isOwned }

    /// Gives up the memory. The table is of no use afterwards.
    mutating func releaseMemory() {
        hashes = .empty
        entries = .empty
    }

    mutating func removeAll() {
        if count > 0 { hashes.clear() }
        count = 0
    }
}

// MARK: - Search

extension StringTable {
    /// The hash of a string, and whether it is ASCII.
    @inline(__always)
    func digest(_ utf8: UnsafeBufferPointer<UInt8>) -> (hash: UInt32, isASCII: Bool) {
        let (hash, isASCII) = ByteHash.digest(UnsafeRawBufferPointer(utf8), seed: seed)
        return (Self.marked(hash), isASCII)
    }

    /// The hash that `digest(_:)` has for a text.
    @inline(__always)
    func hash(_ text: ShortText) -> UInt32 { Self.marked(text.hash(seed: seed)) }

    /// A hash that marks no free place. It has the same place.
    @inline(__always)
    private static func marked(_ hash: UInt32) -> UInt32 { hash == 0 ? 1 << 31 : hash }

    /// The target of the entry with that hash for which `isEqual` says so; 0 where there is none.
    @inline(__always)
    private func find(_ hash: UInt32, where isEqual: (Entry) -> Bool) -> Reference {
        var place = Int(truncatingIfNeeded: hash) & mask
        for _ in 0..<(count > limit ? Self.boundedProbes : mask) {
            let other = hashes[place]
            if other == hash, isEqual(entries[place]) { return entries[place].target }
            if other == 0 { return 0 }
            place = (place &+ 1) & mask
        }
        return 0
    }

    /// The entry of an ASCII string with that hash, or nil.
    @inline(__always)
    func find(
        ascii: UnsafeRawBufferPointer, _ hash: UInt32, in list: borrowing BinaryPropertyListWriter
    ) -> Reference? {
        let target = find(hash) { Int($0.count) == ascii.count && list.isASCII($0.string, equalTo: ascii) }
        return target == 0 ? nil : target
    }

    /// The entry of an ASCII string with that hash among those that were written through `cursor` or before, or 0.
    @inline(__always)
    func find(_ text: ShortText, _ hash: UInt32, in cursor: BinaryPropertyListWriter.Cursor) -> Reference {
        if count > limit, !nearPlaces(of: hash, have: hash) { return 0 }
        return find(hash) { Int($0.count) == text.count && text.isEqual(to: cursor.address(of: $0.string)) }
    }

    /// The entry of the string with that hash that was just stored at the end of `cursor`, or 0. As for all strings that are
    /// not ASCII, its length is that of the object.
    func find(storedIn byteCount: Int, _ hash: UInt32, in cursor: BinaryPropertyListWriter.Cursor) -> Reference {
        find(hash) {
            Int($0.count) == byteCount
                && ByteHash.areEqual(cursor.address(of: $0.string), cursor.end, count: byteCount)
        }
    }

    /// Whether one of the few places near that of `hash` may have `other`.
    @inline(__always)
    private func nearPlaces(of hash: UInt32, have other: UInt32) -> Bool {
        let home = Int(truncatingIfNeeded: hash) & mask
        guard home &+ Self.boundedProbes <= mask else { return true }
        let places = hashes.base + home
        return places[0] == other || places[1] == other || places[2] == other || places[3] == other
    }

    /// The entry of the string with that hash that `string` was just written as, or nil.
    ///
    /// This serves the strings that are not ASCII: their UTF-16 is made by writing them, so they are written first and
    /// taken back when they were there before.
    func find(
        written string: Reference, _ hash: UInt32, in list: borrowing BinaryPropertyListWriter
    ) -> Reference? {
        let object = list.bytes(from: string)
        let target = find(hash) {
            guard Int($0.count) == object.count else { return false }
            let other = list.bytes(from: $0.string)
            guard let left = other.baseAddress, let right = object.baseAddress, other.count >= object.count else {
                return false
            }
            return ByteHash.areEqual(left, right, count: object.count)
        }
        return target == 0 ? nil : target
    }

    /// Enters a string that `find` did not find: one of many in a row.
    @inline(__always)
    mutating func insertNext(_ target: Reference, string: Reference, count length: Int, hash: UInt32) {
        guard let length = UInt32(exactly: length) else { return }
        let entry = Entry(count: length, string: string, target: target)
        if count > limit { return replace(entry, hash) }
        count &+= 1
        if count &* 2 > mask { grow() }
        place(entry, hash)
    }

    /// Enters a string that `find` did not find.
    @inline(never)
    mutating func insert(_ target: Reference, string: Reference, count length: Int, hash: UInt32) {
        insertNext(target, string: string, count: length, hash: hash)
    }

    /// Enters a string in one of the places near its own, of which it takes a free one, or where there is none, one in turn.
    @inline(__always)
    private func replace(_ entry: Entry, _ hash: UInt32) {
        let home = Int(truncatingIfNeeded: hash)
        var place = (home &+ Int(truncatingIfNeeded: entry.string) & (Self.boundedProbes &- 1)) & mask
        if nearPlaces(of: hash, have: 0) {
            for probe in (0..<Self.boundedProbes).reversed() where hashes[(home &+ probe) & mask] == 0 {
                place = (home &+ probe) & mask
            }
        }
        hashes[place] = hash
        entries[place] = entry
    }

    private func place(_ entry: Entry, _ hash: UInt32) {
        var place = Int(truncatingIfNeeded: hash) & mask
        while hashes[place] != 0 { place = (place &+ 1) & mask }
        hashes[place] = hash
        entries[place] = entry
    }

    @inline(never)
    private mutating func grow() {
        let oldCapacity = mask + 1
        var oldHashes = TableMemory<UInt32>(capacity: oldCapacity * 4)
        var oldEntries = TableMemory<Entry>(plainCapacity: oldCapacity * 4)
        swap(&oldHashes, &hashes)
        swap(&oldEntries, &entries)
        mask = oldCapacity * 4 - 1
        for index in 0..<oldCapacity where oldHashes[index] != 0 { place(oldEntries[index], oldHashes[index]) }
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
