// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The places of references to objects that do not exist. An error of the library has only the missing uid; to repair a file,
/// one needs the object with the reference.
struct DanglingReferences {
    struct Place {
        /// The object with the reference; nil at the top.
        let owner: UInt32?
        let key: String
    }

    /// The first place for each missing uid.
    private(set) var places: [UInt32: Place] = [:]

    /// Visits all objects of `archive`, until it has read keys of `byteLimit` bytes: many objects may share one long key.
    init(_ archive: KeyedArchive, byteLimit: Int) {
        var budget = byteLimit
        var known: Set<KeyedArchive.Value> = []
        for object in [archive.top] + archive.objects where budget > 0 {
            for (position, item) in object.contents.enumerated() {
                budget -= item.key?.utf8.count ?? 0
                guard budget > 0 else { break }
                var open = [item.value]
                while let inner = open.popLast() {
                    if let uid = inner.uid {
                        if Int(uid) >= archive.objects.count, places[uid] == nil {
                            places[uid] = Place(owner: object.uid, key: item.key ?? "\(position)")
                        }
                    } else if known.insert(inner).inserted {
                        open += inner.contents.map(\.value)
                    }
                }
            }
        }
    }
}

extension KeyedArchive.Value {
    /// The values in it: fields with their keys, or elements.
    var contents: [(key: String?, value: KeyedArchive.Value)] {
        switch kind {
        case .object, .dictionary: fields.map { ($0.key, $0.value) }
        case .array, .set: elements.map { (nil, $0) }
        default: []
        }
    }
}
