// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A dictionary of an archive whose values are decoded one by one.
final class DictionaryPart<Key: Decodable & Hashable, Value: Decodable>: ArchivedPart, @unchecked Sendable {
    private var places: PartElements?
    private var positions: [Key: Int]?
    /// All entries, if they cannot be decoded one by one.
    private var others: [Key: Value]?
    /// The values that the program may change, if no document keeps their instances.
    private var kept: [Key: Value] = [:]

    /// Returns all keys. They are decoded together when they are first needed.
    func keys() throws -> [Key] {
        try reading {
            _ = try open()
            return locked { others.map { Array($0.keys) } ?? positions.map { Array($0.keys) } } ?? []
        }
    }

    func count() throws -> Int {
        if let count = locked({ others?.count ?? positions?.count }) { return count }
        return try keys().count
    }

    func hasKey(_ key: Key) throws -> Bool {
        if let known = locked({ others.map { $0[key] != nil } ?? positions.map { $0[key] != nil } }) { return known }
        return try keys().contains(key)
    }

    func value(_ key: Key) throws -> Value? {
        if let known = locked({ others?[key] ?? kept[key] }) { return known }
        return try reading {
            guard let places = try open() else { return locked { others?[key] } }
            guard let position = locked({ positions?[key] }) else { return nil }
            let uid = try Self.uid(position, of: places)
            guard let value = try origin.archive.decode(Value.self, [uid]).first else { return nil }
            if !origin.archive.keepsInstances { locked { kept[key] = value } }
            return value
        }
    }

    /// Returns the entries in the order of the archive, each value as the part that has it; nil if they are in memory.
    func parts() throws -> [(key: Key, value: OpenArchive.Part)]? {
        try reading {
            guard let places = try open() else { return nil }
            return try (locked { positions } ?? [:]).sorted { $0.value < $1.value }.map { key, position in
                let uid = try Self.uid(position, of: places)
                return (key, OpenArchive.Part(archive: origin.archive, uid: uid))
            }
        }
    }

    /// Returns all entries of a dictionary that cannot be decoded one by one.
    var entries: [Key: Value] { locked { others } ?? [:] }

    /// Returns the places of the values in the archive as it is; nil if all entries are decoded.
    private func open() throws -> PartElements? {
        if locked({ others != nil }) { return nil }
        let source = origin.archive.source
        if let known = locked({ places }), known.areFrom(source) { return known }
        // Unknown objects that the decoder skips are no values.
        let skipsValues = origin.archive.classes.unknownClasses == .skip
        guard !skipsValues, let found = try Self.undamaged({ try PartElements.dictionary(origin.uid, in: source) })
        else {
            let entries = try origin.archive.decode([Key: Value].self, origin.uid, ifSkipped: [:])
            locked { others = entries }
            return nil
        }
        if locked({ positions == nil }) {
            let uids = try Self.undamaged { try (0..<found.keys.count).map { try found.keys.uid(at: $0) } }
            let keys = try origin.archive.decode(Key.self, uids)
            // As in a decoding of the whole dictionary, the last entry of a key counts.
            let made = Dictionary(zip(keys, 0...)) { _, last in last }
            locked { positions = made }
        }
        locked { places = found.values }
        return found.values
    }
}
