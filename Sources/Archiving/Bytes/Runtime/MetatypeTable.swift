// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Records by type: a coder's state for the types of one call.
///
/// A type is identified by its metatype. A lookup is a hash and, usually, one comparison: it happens for every value.
final class MetatypeTable<Record: AnyObject> {
    /// The identities of types in a power of two of places, 0 for none. One free place, and no memory, until the first type.
    private var keys: [UInt] = [0]
    private var places: [Record?] = []
    private(set) var records: [Record] = []

    private static var initialCapacity: Int { 32 }

    /// Whether the table has outgrown the size that is kept for later calls.
    var hasGrown: Bool { keys.count > Self.initialCapacity }

    @inline(__always)
    private static func key(_ type: any Any.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }

    @inline(__always)
    private func place(of key: UInt) -> Int {
        let mask = keys.count &- 1
        var place = Int(truncatingIfNeeded: key >> 4 ^ key >> 11) & mask
        while keys[place] != 0, keys[place] != key { place = (place &+ 1) & mask }
        return place
    }

    @inline(__always)
    func record(of type: any Any.Type) -> Record? {
        let place = place(of: Self.key(type))
        return keys[place] == 0 ? nil : places[place]
    }

    func removeAll() { (keys, places, records) = ([0], [], []) }

    /// Enters `record` for `type`, which has none.
    ///
    /// The tables are changed outside of the properties: lookups need no exclusivity check if no call happens during an
    /// access to them.
    func enter(_ record: Record, for type: any Any.Type) {
        if (records.count + 1) * 2 > keys.count { grow() }
        var list = records
        records = []
        list.append(record)
        records = list
        put(record, Self.key(type))
    }

    private func put(_ record: Record, _ key: UInt) {
        let place = place(of: key)
        var (changedKeys, changedPlaces) = (keys, places)
        (keys, places) = ([], [])
        changedKeys[place] = key
        changedPlaces[place] = record
        (keys, places) = (changedKeys, changedPlaces)
    }

    private func grow() {
        let (oldKeys, oldPlaces) = (keys, places)
        let capacity = max(oldKeys.count * 2, Self.initialCapacity)
        keys = Array(repeating: 0, count: capacity)
        places = Array(repeating: nil, count: capacity)
        for (key, record) in zip(oldKeys, oldPlaces) {
            if let record { put(record, key) }
        }
    }
}

/// The facts about a type, for the whole process: one record, with a place for each kind of facts.
private final class TypeRecord {
    var facts: [(any AnyObject & Sendable)?] = Array(repeating: nil, count: FactKind.allCases.count)

    // Not a dictionary: the first one with keys of a type looks up their conformances, which takes longer than all work for a
    // small value.
    static let known = Mutex(MetatypeTable<TypeRecord>())
}

enum FactKind: Int, CaseIterable {
    case name, archivedClass, encoding, decoding, fields, dictionaryKeys
}

/// The facts of one kind about types, for the whole process.
///
/// The facts about a type never change, so objects are entered once and never released. Coders look up a type once per archive.
struct MetatypeCache<Facts: AnyObject & Sendable>: Sendable {
    private let kind: FactKind

    init(_ kind: FactKind) { self.kind = kind }

    func facts(of type: any Any.Type, make: () -> Facts) -> Facts {
        if let known = TypeRecord.known.withLock({ $0.record(of: type)?.facts[kind.rawValue] }) {
            return Reinterpretation.instance(known, as: Facts.self)
        }
        return Reinterpretation.instance(enter(make(), of: type), as: Facts.self)
    }

    /// Enters `facts` about `type`, unless another thread has entered some meanwhile, and returns the entered ones.
    private func enter(_ facts: Facts, of type: any Any.Type) -> any AnyObject & Sendable {
        TypeRecord.known.withLock { types in
            let record = types.record(of: type) ?? TypeRecord()
            if types.record(of: type) == nil { types.enter(record, for: type) }
            let entered = record.facts[kind.rawValue] ?? facts
            record.facts[kind.rawValue] = entered
            return entered
        }
    }
}
