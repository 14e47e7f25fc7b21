// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A cache by key, for the strings that the program passes.
///
/// A class passes the same literals for each of its instances. Keys of up to 15 bytes are stored in the string itself,
/// longer literals always at the same address. So equal bits mean an equal key, without a comparison of the text. The
/// cache retains its strings, also for the next archive, so that no other string can have the address of a cached one.
final class KeyCache<Value: BitwiseCopyable> {
    private typealias Bits = (UInt64, UInt64)

    private struct Entry: BitwiseCopyable {
        /// The bits of the key; no string has bits of zero only.
        var bits: Bits
        var value: Value
        var archive: UInt64
    }

    /// The number of entries at first, and at most: a power of two.
    private static var initialCapacity: Int { 64 }
    private static var maximumCapacity: Int { 512 }
    /// The number of places for a key: its own and those after it.
    private static var probeCount: Int { 4 }
    /// The number of bytes of the longest cached key.
    static var nameLimit: Int { 64 }

    private var archive: UInt64 = 0
    private let entries: PlainTable<Entry>
    private let unset: Entry
    /// The keys, which the cache retains, at the places of their entries.
    private var names: [String]

    /// - Parameter value: The value of empty entries. It is never returned.
    init(filledWith value: Value) {
        unset = Entry(bits: (0, 0), value: value, archive: 0)
        entries = PlainTable(repeating: unset, count: Self.initialCapacity)
        names = Array(repeating: "", count: Self.initialCapacity)
    }

    func reset() { archive = archive &+ 1 }

    /// The place of a key, if no other one has it.
    @inline(__always)
    private func home(_ bits: Bits) -> Int {
        Int(truncatingIfNeeded: ((bits.0 ^ bits.1) &* 0x9E37_79B9_7F4A_7C15) >> 55) & (entries.count &- 1)
    }

    @inline(__always)
    func value(of name: String) -> Value? {
        guard RuntimeLayout.holds(.strings) else { return nil }
        let bits = Reinterpretation.words(of: name)
        let entry = entries[home(bits)]
        guard entry.bits == bits else { return displacedValue(bits) }
        return entry.archive == archive ? entry.value : nil
    }

    @inline(never)
    private func displacedValue(_ bits: Bits) -> Value? {
        let home = home(bits)
        for probe in 1..<Self.probeCount {
            let entry = entries[(home &+ probe) & (entries.count &- 1)]
            if entry.bits == bits { return entry.archive == archive ? entry.value : nil }
        }
        return nil
    }

    /// Caches the value of the key `name`. If there is no free place, and the cache does not grow any more, it replaces another
    /// one.
    @inline(__always)
    func set(_ value: Value, for name: String) {
        guard RuntimeLayout.holds(.strings) else { return }
        let bits = Reinterpretation.words(of: name)
        let home = home(bits)
        guard entries[home].bits == bits else { return setElsewhere(value, for: name) }
        entries[home].value = value
        entries[home].archive = archive
    }

    @inline(never)
    private func setElsewhere(_ value: Value, for name: String) {
        guard name.utf8.count <= Self.nameLimit else { return }
        let bits = Reinterpretation.words(of: name)
        var free = freePlace(for: bits)
        while free == nil, entries.count < Self.maximumCapacity {
            grow()
            free = freePlace(for: bits)
        }
        let place = free ?? home(bits)
        if entries[place].bits != bits { keep(name, at: place) }
        entries[place] = Entry(bits: bits, value: value, archive: archive)
    }

    private func freePlace(for bits: Bits) -> Int? {
        let home = home(bits)
        for probe in 0..<Self.probeCount {
            let place = (home &+ probe) & (entries.count &- 1)
            if entries[place].bits == bits || entries[place].bits == (0, 0) { return place }
        }
        return nil
    }

    private func grow() {
        let (old, oldNames) = ((0..<entries.count).map { entries[$0] }, names)
        entries.reset(repeating: unset, count: 2 * old.count)
        names = Array(repeating: "", count: 2 * old.count)
        for (entry, name) in zip(old, oldNames) where entry.bits != (0, 0) {
            let place = freePlace(for: entry.bits) ?? home(entry.bits)
            keep(name, at: place)
            entries[place] = entry
        }
    }

    /// Retains the key of the entry at `place`. The names are changed outside of the property, so that no access to it needs an
    /// exclusivity check.
    @inline(never)
    private func keep(_ name: String, at place: Int) {
        var names = names
        self.names = []
        names[place] = name
        self.names = names
    }
}
