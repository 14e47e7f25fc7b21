// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about a type, for the whole process: one record, with a place for each kind of facts.
private final class TypeRecord {
    var facts: [(any AnyObject & Sendable)?] = Array(repeating: nil, count: FactKind.allCases.count)

    // Not a dictionary: the first one with keys of a type looks up their conformances, which takes longer than all work for a
    // small value.
    static let known = Mutex(MetatypeTable<TypeRecord>())
}

/// A kind of facts about types.
enum FactKind: Int, CaseIterable {
    case name, archivedClass, encoding, decoding, fields, dictionaryKeys
}

/// The facts of one kind about types, for the whole process.
///
/// The facts about a type never change, so objects are entered once and never released. Coders look up a type once per archive.
struct MetatypeCache<Facts: AnyObject & Sendable>: Sendable {
    private let kind: FactKind

    init(_ kind: FactKind) { self.kind = kind }

    /// Returns the facts about `type`, which `make` creates if there are none.
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
