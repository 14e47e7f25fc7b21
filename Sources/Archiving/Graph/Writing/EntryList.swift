// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The entries of an object that is being written, keys and values alternating; or the elements of a collection.
final class EntryList {
    typealias Reference = ArchiveGraph.Reference

    let references: PlainTable<Reference>
    /// A set of key bits. A key is new if its bit is not set.
    private var keyBits: UInt64 = 0
    /// The positions of keys, for objects with many keys.
    private var keyPositions: [Reference: Int] = [:]

    /// - Parameter capacity: The number of references for which the list has space at first.
    init(capacity: Int) {
        references = PlainTable(capacity: capacity)
    }

    var hasGrown: Bool { references.capacity > 1 << 10 }

    @inline(__always)
    func removeAll() {
        references.removeAll()
        keyBits = 0
        if !keyPositions.isEmpty { keyPositions = [:] }
    }

    @inline(__always)
    func append(_ element: Reference) {
        references.append(element)
    }

    /// Sets the value of `key`, and replaces any previous value.
    ///
    /// - Returns: The position of the replaced value; `nil` if the key is new.
    @inline(__always)
    func set(_ key: Reference, to value: Reference) -> Int? {
        let bit: UInt64 = 1 &<< UInt64(key & 63)
        if keyBits & bit != 0, let position = position(of: key) {
            references[position] = value
            return position
        }
        keyBits = keyBits | bit
        references.append(key, value)
        return nil
    }

    func mayHave(_ key: Reference) -> Bool {
        keyBits & 1 &<< UInt64(key & 63) != 0 && position(of: key) != nil
    }

    private static var linearSearchLimit: Int { 64 }

    /// Returns the position of the value of `key` in `references`; `nil` if there is none.
    @inline(never)
    func position(of key: Reference) -> Int? {
        if references.count <= 2 * Self.linearSearchLimit {
            for index in stride(from: 0, to: references.count, by: 2) where references[index] == key {
                return index + 1
            }
            return nil
        }
        // Indexes the keys that were appended since the last call.
        // The dictionary is changed outside of the property, so that `removeAll()` needs no exclusivity check.
        var positions = keyPositions
        keyPositions = [:]
        for index in stride(from: 2 * positions.count, to: references.count, by: 2) {
            positions[references[index]] = index + 1
        }
        keyPositions = positions
        return positions[key]
    }
}
