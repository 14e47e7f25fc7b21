/// Finds a string that was written before, by comparing with the bytes that were written.
///
/// The table is exact up to `limit` entries. From there on it forgets: a new string takes the place of an old one near
/// its own, so memory and search stay bounded however many strings there are, and what repeats often is still found.
struct StringTable: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// Not private: Swift 6.3 crashes on a debug build where another file destroys a table of private entries.
    struct Entry: BitwiseCopyable {
        /// The hash of the string; 0 marks a free place.
        var hash: UInt32
        /// The string object.
        var string: Reference
    }

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
        let (hash, isASCII) = ByteHash.digest(UnsafeRawBufferPointer(utf8), seed: seed)
        return (Self.marked(hash), isASCII)
    }

    /// The hash that `digest(_:)` has for a text.
    @inline(__always)
    func hash(_ text: ShortText) -> UInt32 { Self.marked(text.hash(seed: seed)) }

    /// A hash that marks no free place. It has the same place.
    @inline(__always)
    private static func marked(_ hash: UInt32) -> UInt32 { hash == 0 ? 1 << 31 : hash }

    /// The string with that hash for which `isEqual` says so; 0 if there is none.
    @inline(__always)
    private func find(_ hash: UInt32, where isEqual: (Reference) -> Bool) -> Reference {
        var place = Int(truncatingIfNeeded: hash) & mask
        for _ in 0..<(count > limit ? Self.boundedProbes : mask) {
            let entry = entries[place]
            if entry.hash == hash, isEqual(entry.string) { return entry.string }
            if entry.hash == 0 { return 0 }
            place = (place &+ 1) & mask
        }
        return 0
    }

    /// The ASCII string with that hash, or 0.
    @inline(__always)
    func find(
        ascii: UnsafeRawBufferPointer, _ hash: UInt32, in list: borrowing BinaryPropertyListWriter
    ) -> Reference {
        find(hash) { list.isASCII($0, equalTo: ascii) }
    }

    /// The ASCII string with that hash among those that were written through `cursor` or before, or 0.
    @inline(__always)
    func find(_ text: ShortText, _ hash: UInt32, in cursor: BinaryPropertyListWriter.Cursor) -> Reference {
        if count > limit, !nearPlaces(of: hash, have: hash) { return 0 }
        return find(hash) { text.isEqual(to: cursor.address(of: $0)) }
    }

    /// The string with that hash that equals the object of `byteCount` bytes at the end of `cursor`, or 0.
    func find(storedIn byteCount: Int, _ hash: UInt32, in cursor: BinaryPropertyListWriter.Cursor) -> Reference {
        find(hash) { ByteHash.areEqual(cursor.address(of: $0), cursor.end, count: byteCount) }
    }

    /// Whether one of the few places near that of `hash` may have `other`.
    @inline(__always)
    private func nearPlaces(of hash: UInt32, have other: UInt32) -> Bool {
        let home = Int(truncatingIfNeeded: hash) & mask
        guard home &+ Self.boundedProbes <= mask else { return true }
        let places = entries.base + home
        return places[0].hash == other || places[1].hash == other || places[2].hash == other || places[3].hash == other
    }

    /// The string with that hash that equals `string`, which was just written, or 0.
    ///
    /// This serves the strings that are not ASCII: their UTF-16 is made by writing them, so they are written first and
    /// taken back when they were there before.
    func find(written string: Reference, _ hash: UInt32, in list: borrowing BinaryPropertyListWriter) -> Reference {
        let object = list.bytes(from: string)
        return find(hash) {
            let other = list.bytes(from: $0)
            guard let left = other.baseAddress, let right = object.baseAddress, other.count >= object.count else {
                return false
            }
            return ByteHash.areEqual(left, right, count: object.count)
        }
    }

    /// Enters a string that `find` did not find: one of many in a row.
    @inline(__always)
    mutating func insertNext(_ string: Reference, hash: UInt32) {
        let entry = Entry(hash: hash, string: string)
        if count > limit { return replace(entry) }
        count &+= 1
        if count &* 2 > mask { grow() }
        place(entry)
    }

    /// Enters a string that `find` did not find.
    @inline(never)
    mutating func insert(_ string: Reference, hash: UInt32) {
        insertNext(string, hash: hash)
    }

    /// Enters a string in one of the places near its own, of which it takes a free one, or where there is none, one in turn.
    @inline(__always)
    private func replace(_ entry: Entry) {
        let home = Int(truncatingIfNeeded: entry.hash)
        var place = (home &+ Int(truncatingIfNeeded: entry.string) & (Self.boundedProbes &- 1)) & mask
        if nearPlaces(of: entry.hash, have: 0) {
            for probe in (0..<Self.boundedProbes).reversed() where entries[(home &+ probe) & mask].hash == 0 {
                place = (home &+ probe) & mask
            }
        }
        entries[place] = entry
    }

    private func place(_ entry: Entry) {
        var place = Int(truncatingIfNeeded: entry.hash) & mask
        while entries[place].hash != 0 { place = (place &+ 1) & mask }
        entries[place] = entry
    }

    @inline(never)
    private mutating func grow() {
        let oldCapacity = mask + 1
        var old = TableMemory<Entry>(capacity: oldCapacity * 4)
        swap(&old, &entries)
        mask = oldCapacity * 4 - 1
        for index in 0..<oldCapacity where old[index].hash != 0 { place(old[index]) }
    }
}

extension BinaryPropertyListWriter {
    /// Whether the string object `reference` is ASCII and holds `text`.
    @inline(__always)
    fileprivate func isASCII(_ reference: Reference, equalTo text: UnsafeRawBufferPointer) -> Bool {
        guard let object = bytes(from: reference).baseAddress,
            object.hasHead(BinaryFormat.Marker.ascii, count: text.count)
        else { return false }
        guard let other = text.baseAddress else { return true }
        return ByteHash.areEqual(object + BinaryFormat.headSize(count: text.count), other, count: text.count)
    }
}
