// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Finds equal strings by comparing them with the written bytes.
///
/// The table is exact up to `limit` entries. Beyond this limit, a new string replaces an old one in a nearby bucket. Memory and
/// search time therefore remain bounded for any number of strings, and frequent strings are still found.
final class StringTable {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// Not private: Swift 6.3 crashes in a debug build if another file destroys a table of private entries.
    struct Entry: BitwiseCopyable {
        static let free = Entry(hash: 0, string: 0)

        /// The hash of the string; 0 marks a free bucket.
        var hash: UInt32
        var string: Reference
    }

    private let entries: PlainTable<Entry>
    private let initialCapacity: Int
    private var mask: Int
    private var count = 0
    private let limit: Int
    let seed: UInt64

    /// The maximum distance of a string from its home bucket after the table reaches its limit.
    private static var boundedProbes: Int { 4 }

    /// - Parameters:
    ///   - capacity: The initial number of buckets; a power of two.
    ///   - limit: The number of entries up to which the table is exact; `Int.max` for an exact table.
    ///   - seed: Varies the buckets of strings, so that an attacker cannot choose strings that collide.
    init(capacity: Int, limit: Int, seed: UInt64) {
        initialCapacity = capacity
        entries = PlainTable(repeating: .free, count: capacity)
        mask = capacity - 1
        self.limit = limit
        self.seed = seed
    }

    private static var keptCapacity: Int { 512 }

    var hasGrown: Bool { entries.count > Self.keptCapacity }

    func releaseMemory() { entries.removeAll(keepingCapacity: 0) }

    func removeAll() {
        if count == 0 { return }
        // The next archive is probably of the same size.
        entries.reset(repeating: .free, count: count * 8 < entries.count ? initialCapacity : entries.count)
        mask = entries.count - 1
        count = 0
    }
}

// MARK: - Search

extension StringTable {
    @inline(__always)
    func digest(_ utf8: RawSpan) -> (hash: UInt32, isASCII: Bool) {
        let (hash, isASCII) = ByteHash.digest(utf8, seed: seed)
        return (Self.marked(hash), isASCII)
    }

    /// Returns a nonzero hash with the same home bucket, since 0 marks a free bucket.
    private static func marked(_ hash: UInt32) -> UInt32 { hash == 0 ? 1 << 31 : hash }

    /// Returns the string with this hash for which `isEqual` returns true; 0 if there is none.
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

    @inline(__always)
    func find(ascii: RawSpan, _ hash: UInt32, in list: BinaryPropertyListWriter) -> Reference {
        if count > limit, !nearPlaces(of: hash, have: hash) { return 0 }
        return find(hash) { list.isASCII($0, equalTo: ascii) }
    }

    /// Returns whether one of the buckets within `boundedProbes` of the home bucket of `hash` may contain `other`.
    @inline(__always)
    private func nearPlaces(of hash: UInt32, have other: UInt32) -> Bool {
        let home = Int(truncatingIfNeeded: hash) & mask
        guard home &+ Self.boundedProbes <= mask else { return true }
        return entries[home].hash == other || entries[home &+ 1].hash == other || entries[home &+ 2].hash == other
            || entries[home &+ 3].hash == other
    }

    /// Enters `string`, the last object written, unless an earlier one with this hash equals it: then removes it.
    ///
    /// This function serves strings that are not ASCII: their UTF-16 is known once they are written.
    ///
    /// - Returns: The earlier string, or else `string`.
    func share(_ string: Reference, _ hash: UInt32, in list: BinaryPropertyListWriter) -> Reference {
        let known = find(hash) { list.isEqual($0, toLast: string) }
        guard known == 0 else {
            list.removeLast()
            return known
        }
        insert(string, hash: hash)
        return string
    }

    @inline(never)
    func insert(_ string: Reference, hash: UInt32) {
        let entry = Entry(hash: hash, string: string)
        if count > limit { return replace(entry) }
        count &+= 1
        if count &* 2 > mask { grow() }
        place(entry)
    }

    /// Inserts a string near its home bucket: in a free bucket if there is one, otherwise in a bucket chosen in turn.
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
    private func grow() {
        let oldCapacity = mask + 1
        let old = (0..<oldCapacity).map { entries[$0] }
        entries.reset(repeating: .free, count: oldCapacity * 4)
        mask = oldCapacity * 4 - 1
        for entry in old where entry.hash != 0 { place(entry) }
    }
}
