// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The dictionaries with a key twice, also if two keys are equal only because unpaired surrogates in them are read as U+FFFD.
/// Readers find one value for such a key. The reader of XML keeps only the last one, so that none is found there.
struct RepeatedKeys {
    struct Place {
        /// The object; nil at the top of an archive, and in a property list.
        let owner: UInt32?
        let key: String
    }

    /// The first repeated key of each dictionary.
    private(set) var places: [Place] = []

    /// Visits all objects of `archive`, until it has read keys of `byteLimit` bytes: many objects may share one long key.
    init(_ archive: KeyedArchive, byteLimit: Int) {
        var budget = byteLimit
        for object in [archive.top] + archive.objects {
            let keys = object.keys
            budget -= keys.reduce(0) { $0 + $1.utf8.count }
            guard budget > 0 else { return }
            add(keys, of: object.uid)
        }
    }

    init(_ list: PropertyList) {
        var open = [list]
        while let value = open.popLast() {
            switch value {
            case .dictionary(let dictionary):
                add(dictionary.map(\.key), of: nil)
                open += dictionary.map(\.value)
            case .array(let elements): open += elements
            case .set(let elements): open += elements
            default: break
            }
        }
    }

    private mutating func add(_ keys: [String], of owner: UInt32?) {
        guard keys.count > 1 else { return }
        var known: Set<ExactText> = []
        if let key = keys.first(where: { !known.insert(ExactText($0)).inserted }) {
            places.append(Place(owner: owner, key: key))
        }
    }
}
