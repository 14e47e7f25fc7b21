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
    /// The objects with entries of the file's indexes that the root does not reach; nil if they are not known.
    private let unreached: Set<UInt32>?
    /// The uids of reached new instances, as a save would assign them; nil until they are known.
    private var reachedNew: Set<UInt32>?

    init(_ source: ArchiveSource) {
        (changed, changedUIDs, changes, file) = ([], [], nil, nil)
        self.source = source
        unreached = StoredIndexes(in: source.contents)?.unreached
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
        guard let file, let source else {
            (changed, changedUIDs, unreached) = ([], [], nil)
            changes = Changes(graph: graph, isTopChanged: true)
            return
        }
        let update = try graph.update(source)
        changed = update.changedSlots.map(\.uid).sorted()
        changedUIDs = Set(changed)
        let known = file.hasUnreachedInstances ? nil : StoredIndexes(in: source.contents)?.unreached
        guard !update.isEmpty else {
            (changes, unreached) = (nil, known)
            return
        }
        unreached = known.flatMap { ReferenceChanges.mayExist(in: update, graph, $0) ? nil : $0 }
        var changes = Changes(graph: graph, isTopChanged: update.top != nil)
        for new in graph.objects.added {
            let uid = update.assignedUID(new.uid)
            if uid != 0 { changes.assigned[new.uid] = uid }
        }
        changes.key = FetchedReach.Key(update, of: source)
        self.changes = changes
        if let known = file.reach, known.key == changes.key { (reached, reachedNew) = (known.objects, known.new) }
    }

    private struct Changes {
        let graph: DocumentGraph
        let isTopChanged: Bool
        /// The uids that a save would assign to new instances, by their uids.
        var assigned: [UInt32: UInt32] = [:]
        /// The file after a save of the changes; nil if they are large.
        var key: FetchedReach.Key?
    }

    func isChanged(_ uid: UInt32) -> Bool { !changedUIDs.isEmpty && changedUIDs.contains(uid) }

    /// The new instances that the root reaches, in the order of their uids.
    func newInstances() throws -> [LiveInstance] {
        guard let changes, !changes.graph.objects.added.isEmpty else { return [] }
        let added = changes.graph.objects.added.sorted { $0.uid < $1.uid }
        // Reached instances, or new ones, reference them.
        if unreached?.isEmpty == true { return added }
        if reachedNew == nil { _ = try reachedObjects() }
        guard let reachedNew else { return [] }
        return added.filter { reachedNew.contains(changes.assigned[$0.uid] ?? $0.uid) }
    }

    /// Returns whether the root reaches the object `uid` of the file.
    ///
    /// - Parameter isIndexed: Whether an index of the file has the object.
    func isReached(_ uid: UInt32, isIndexed: Bool = false) throws -> Bool {
        if isIndexed, let unreached { return !unreached.contains(uid) }
        return try (reached ?? reachedObjects())?.contains(uid) ?? false
    }

    private func reachedObjects() throws -> ReachableObjects? {
        if let reached { return reached }
        source?.expectWalk()
        do throws(KeyedArchiveError) {
            guard let changes else {
                reached = try source?.reachableObjects()
                return reached
            }
            let reach = try SavedReach(changes.graph, changedUIDs, isTopChanged: changes.isTopChanged, in: source)
            let new = changes.graph.objects.added.lazy.map(\.uid).filter { reach.new.contains($0) }
            let uids = Set(new.map { changes.assigned[$0] ?? $0 })
            (reached, reachedNew) = (reach.old, uids)
            if let key = changes.key, let old = reach.old {
                file?.reach = FetchedReach(key: key, objects: old, new: uids)
            }
            return reached
        } catch {
            throw DecodingError(damaged: error)
        }
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
