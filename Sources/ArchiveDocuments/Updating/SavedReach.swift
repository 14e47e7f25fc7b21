// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The objects that the root of a document reaches after a save: through objects of the file, and through new and changed ones in the
/// archive of the changes.
struct SavedReach {
    /// The reached objects of the file; nil if there is none.
    let old: ReachableObjects?
    /// The reached objects of the archive of the changes.
    let new: ReachableObjects

    /// - Parameters:
    ///   - graph: The loaded instances.
    ///   - changed: The uids of the objects of the file that the save changes.
    ///   - isTopChanged: Whether the save changes the top of the archive.
    ///   - file: The archive in the file; nil for none.
    /// - Complexity: O(*n*), where *n* is the number of references of the reached objects.
    init(
        _ graph: DocumentGraph, _ changed: Set<UInt32>, isTopChanged: Bool, in file: ArchiveSource?
    ) throws(KeyedArchiveError) {
        let reached = ReachableObjects(of: graph.objects.archive.contents, hasEmptySlots: true)
        new = reached
        guard let file else {
            old = nil
            try reached.insertTop()
            try reached.walk { _ throws(KeyedArchiveError) in false }
            return
        }
        let old = ReachableObjects(of: file.contents)
        self.old = old
        let counterparts = graph.counterparts
        let newUIDs = Dictionary(
            graph.objects.instances.lazy.filter { changed.contains($0.old) }.map { ($0.old, $0.uid) },
            uniquingKeysWith: { first, _ in first })
        try isTopChanged ? reached.insertTop() : old.insertTop()
        while reached.hasPending || old.hasPending {
            try reached.walk { uid throws(KeyedArchiveError) in
                let counterpart = counterparts[uid]
                switch counterparts.kind(uid) {
                case .reference: break
                case .instance where !changed.contains(counterpart): break
                case .instance:
                    try old.insert(counterpart)
                    return false
                default: return false
                }
                try old.insert(counterpart)
                return true
            }
            try old.walk { uid throws(KeyedArchiveError) in
                guard let counterpart = newUIDs[uid] else { return false }
                try reached.insert(counterpart)
                // A save keeps the values of keys that the program does not know.
                if let list = graph.kept?.unknown[uid] { try old.insertValues(of: list.names, in: uid) }
                return true
            }
        }
    }
}
