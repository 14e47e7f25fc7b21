// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The objects that a fetch can find: those that the root reaches, as a save would write them.
final class FetchScope {
    /// The uids of the instances in the file that the program has changed, in ascending order.
    let changed: [UInt32]
    private let changedUIDs: Set<UInt32>
    private let source: ArchiveSource?
    private let changes: Changes?
    private let file: DocumentFile?
    private var reached: ReachableObjects?
    /// Whether the root reaches all objects of the file that its indexes have, and all instances of the program.
    private let isIndexExact: Bool
    /// The uids of reached new instances, as a save would assign them; nil until they are known.
    private var reachedNew: Set<UInt32>?

    init(_ source: ArchiveSource) {
        (changed, changedUIDs, changes, file) = ([], [], nil, nil)
        self.source = source
        isIndexExact = StoredIndexes(in: source.contents)?.isExact ?? false
    }

    /// The objects that the root of a document reaches.
    ///
    /// - Parameters:
    ///   - graph: The loaded instances.
    ///   - file: The file of the document; nil for none.
    /// - Throws: The errors of `ArchiveUpdate`.
    init(_ graph: DocumentGraph, _ file: DocumentFile?) throws {
        source = file?.contents.archive
        self.file = file
        guard let file else {
            (changed, changedUIDs) = ([], [])
            changes = Changes(graph, nil, [], isTopChanged: true)
            isIndexExact = false
            return
        }
        let update = try graph.update(file.contents.archive)
        changed = update.changedSlots.map(\.uid).sorted()
        changedUIDs = Set(changed)
        let isExact =
            StoredIndexes(in: file.contents.archive.contents)?.isExact == true && !file.hasUnreachedInstances
        guard !update.isEmpty else {
            changes = nil
            isIndexExact = isExact
            return
        }
        let changes = Changes(graph, file.open, changedUIDs, isTopChanged: update.top != nil)
        isIndexExact = isExact && !LostReferences.exist(in: update, graph)
        for new in graph.objects.added {
            let uid = update.assignedUID(new.uid)
            if uid != 0 { changes.assigned[new.uid] = uid }
        }
        changes.key = FetchedReach.Key(update, of: file.contents.archive)
        self.changes = changes
        if let known = file.reach, known.key == changes.key { (reached, reachedNew) = (known.objects, known.new) }
    }

    func isChanged(_ uid: UInt32) -> Bool { !changedUIDs.isEmpty && changedUIDs.contains(uid) }

    /// The new instances that the root reaches, in the order of their uids.
    func newInstances() throws -> [LiveInstance] {
        guard let changes, !changes.graph.objects.added.isEmpty else { return [] }
        // Reached instances, or new ones, reference them.
        if isIndexExact { return changes.graph.objects.added.sorted { $0.uid < $1.uid } }
        if reached == nil { _ = try reachedObjects() }
        let added = changes.graph.objects.added.sorted { $0.uid < $1.uid }
        guard file != nil, let reachedNew else { return added.filter { changes.reached.contains($0.uid) } }
        return added.filter { changes.assigned[$0.uid].map { reachedNew.contains($0) } ?? false }
    }

    /// Returns whether the root reaches the object `uid` of the file.
    ///
    /// - Parameter isIndexed: Whether an index of the file has the object.
    func isReached(_ uid: UInt32, isIndexed: Bool = false) throws -> Bool {
        if isIndexed, isIndexExact { return true }
        return try (reached ?? reachedObjects())?.contains(uid) ?? false
    }

    private func reachedObjects() throws -> ReachableObjects? {
        if let reached { return reached }
        source?.expectWalk()
        do throws(KeyedArchiveError) {
            if let changes { reached = try changes.walk(source) } else { reached = try source?.reachableObjects() }
        } catch {
            throw DecodingError(damaged: error)
        }
        if let changes, let reached {
            let new = changes.graph.objects.added.lazy.filter { changes.reached.contains($0.uid) }
            let uids = Set(new.compactMap { changes.assigned[$0.uid] })
            reachedNew = uids
            if let key = changes.key { file?.reach = FetchedReach(key: key, objects: reached, new: uids) }
        }
        return reached
    }
}

/// The objects that the root of a document reaches after some changes, for the next fetch.
struct FetchedReach {
    let key: Key
    let objects: ReachableObjects
    /// The uids of reached new instances, as a save would assign them.
    let new: Set<UInt32>

    struct Key: Equatable {
        private let source: ArchiveSource
        private let changed: [UInt32: Int]
        private let added: [Int]
        private let top: Int?
        private let bytes: StoredBytes

        /// Creates the key of a file with `update`; nil if the changes are large.
        init?(_ update: borrowing ArchiveUpdate, of source: ArchiveSource) {
            guard update.appended.byteCount <= Self.byteLimit else { return nil }
            self.source = source
            changed = Dictionary(
                update.changedSlots.map { ($0.uid, $0.reference) }, uniquingKeysWith: { first, _ in first })
            (added, top, bytes) = (update.addedSlots, update.top, update.appended.copyBytes())
        }

        private static var byteLimit: Int { 1 << 20 }

        static func == (left: Key, right: Key) -> Bool {
            left.source === right.source && left.changed == right.changed && left.added == right.added
                && left.top == right.top && left.bytes == right.bytes
        }
    }
}

extension FetchScope {
    private final class Changes {
        let graph: DocumentGraph
        let reached: ReachableObjects
        private let open: OpenArchive?
        private let changed: Set<UInt32>
        private let isTopChanged: Bool
        /// The uids that a save would assign to new instances, by their uids.
        var assigned: [UInt32: UInt32] = [:]
        /// The file after a save of the changes; nil if they are large.
        var key: FetchedReach.Key?

        init(_ graph: DocumentGraph, _ open: OpenArchive?, _ changed: Set<UInt32>, isTopChanged: Bool) {
            self.graph = graph
            reached = ReachableObjects(of: graph.objects.archive.contents, hasEmptySlots: true)
            (self.open, self.changed, self.isTopChanged) = (open, changed, isTopChanged)
        }

        /// Returns the objects of the file that the root reaches: through objects of the file, and through new and changed ones in
        /// the archive of the changes.
        func walk(_ file: ArchiveSource?) throws(KeyedArchiveError) -> ReachableObjects? {
            let counterparts = graph.counterparts
            guard let file else {
                try reached.insertTop()
                try reached.walk { _ throws(KeyedArchiveError) in false }
                return nil
            }
            let old = ReachableObjects(of: file.contents)
            let new = Dictionary(
                graph.objects.instances.lazy.filter { self.changed.contains($0.old) }.map { ($0.old, $0.uid) },
                uniquingKeysWith: { first, _ in first })
            try isTopChanged ? reached.insertTop() : old.insertTop()
            while reached.hasPending || old.hasPending {
                try reached.walk { uid throws(KeyedArchiveError) in
                    let counterpart = counterparts[uid]
                    switch counterparts.kind(uid) {
                    case .reference: break
                    case .instance where !self.changed.contains(counterpart): break
                    case .instance:
                        try old.insert(counterpart)
                        return false
                    default: return false
                    }
                    try old.insert(counterpart)
                    return true
                }
                try old.walk { uid throws(KeyedArchiveError) in
                    guard let counterpart = new[uid] else { return false }
                    try self.reached.insert(counterpart)
                    // A save keeps the values of keys that the program does not know.
                    if let list = self.graph.kept?.unknown[uid] { try old.insertValues(of: list.names, in: uid) }
                    return true
                }
            }
            return old
        }
    }
}
