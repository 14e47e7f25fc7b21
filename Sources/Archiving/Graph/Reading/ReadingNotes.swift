// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Facts about an archive that a decoder has met and is likely to meet again.
final class ReadingNotes {
    /// The reference of the key `$class` in the last object that was read; -1 until the first one. Writers store each key once,
    /// so the next object usually has the same reference, and the reader does not compare the text.
    var classKey = -1
    var elementsKey = -1
    var keysKey = -1
    var timeKey = -1
    var uuidKey = -1
    var dictionaryClass: UInt32?
    /// The last reference to an empty array in its usual form; -1 until the first one. Writers store one for all.
    var emptyArray = -1
    /// The last reference to the uid of `$null`, likewise.
    var null = -1
    /// The uid of the class that an error has named last, and its name.
    var namedClass: UInt32?
    var className = ""
    let strings = RecentStrings()

    func removeAll() {
        classKey = -1
        elementsKey = -1
        keysKey = -1
        timeKey = -1
        uuidKey = -1
        dictionaryClass = nil
        namedClass = nil
        emptyArray = -1
        null = -1
        strings.removeAll()
    }
}

/// A cache of recently decoded strings. An archive stores equal strings once, so a repeated string has a known offset.
/// Returning the cached string needs no memory, and a fraction of the time.
///
/// A string at an offset beyond all earlier ones is read for the first time if the archive is read in the order in which it was
/// written. The cache does not store such a string. It stores the others in a direct-mapped table, where a new string replaces
/// the old one in its bucket.
final class RecentStrings {
    private struct Entry {
        /// The offset of the string in the archive; 0 marks a free bucket.
        var offset: Int
        var text: String
    }

    /// A power of two of buckets, or none before the first string is stored.
    private var entries: [Entry] = []
    /// The number of strings that were stored at the current capacity.
    private var count = 0
    /// The highest offset from which a string was decoded.
    private var end = 0

    private static var initialCapacity: Int { 64 }
    private static var capacity: Int { 4096 }

    func removeAll() {
        if !entries.isEmpty { entries = [] }
        count = 0
        end = 0
    }

    @inline(__always)
    func note(_ text: String, at offset: Int) {
        if offset > end { end = offset } else { remember(text, at: offset) }
    }

    @inline(__always)
    func known(at offset: Int) -> String? {
        guard offset <= end, !entries.isEmpty else { return nil }
        let entry = entries[Self.place(offset, entries.count)]
        return entry.offset == offset ? entry.text : nil
    }

    private static func place(_ offset: Int, _ count: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: offset) &* 0x9E37_79B9_7F4A_7C15) >> 40) & (count &- 1)
    }

    @inline(never)
    private func remember(_ text: String, at offset: Int) {
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var entries = entries
        self.entries = []
        if entries.isEmpty {
            entries = Self.empty(Self.initialCapacity)
        } else if count == Self.initialCapacity, entries.count < Self.capacity {
            var grown = Self.empty(Self.capacity)
            for entry in entries where entry.offset != 0 { grown[Self.place(entry.offset, Self.capacity)] = entry }
            entries = grown
        }
        count &+= 1
        entries[Self.place(offset, entries.count)] = Entry(offset: offset, text: text)
        self.entries = entries
    }

    private static func empty(_ capacity: Int) -> [Entry] {
        Array(repeating: Entry(offset: 0, text: ""), count: capacity)
    }
}
