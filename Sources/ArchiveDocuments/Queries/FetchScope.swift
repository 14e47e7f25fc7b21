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
    /// The changed and the new instances; nil if there are none.
    private let changes: Changes?
    private var reached: ReachableObjects?
    /// Whether the root reaches all objects of the file that its indexes have, and all instances of the program.
    private let isIndexExact: Bool

    /// The objects that the top of an archive reaches.
    init(_ source: ArchiveSource) {
        (changed, changedUIDs, changes) = ([], [], nil)
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
        guard let file else {
            (changed, changedUIDs) = ([], [])
            changes = Changes(graph, nil, [], isTopChanged: true)
            isIndexExact = false
            return
        }
        let update = try graph.update(file.contents.archive)
        changed = update.changedSlots.map(\.uid).sorted()
        changedUIDs = Set(changed)
        let changes = Changes(graph, file.open, changedUIDs, isTopChanged: update.top != nil)
        self.changes = update.isEmpty ? nil : changes
        isIndexExact =
            StoredIndexes(in: file.contents.archive.contents)?.isExact == true && !file.hasUnreachedInstances
            && !LostReferences.exist(in: update, graph)
    }

    /// Whether the program has changed the instance of the object `uid`.
    func isChanged(_ uid: UInt32) -> Bool { !changedUIDs.isEmpty && changedUIDs.contains(uid) }

    /// The new instances that the root reaches, in the order of their uids.
    func newInstances() throws -> [LiveInstance] {
        guard let changes, !changes.graph.objects.added.isEmpty else { return [] }
        // Reached instances, or new ones, reference them.
        if isIndexExact { return changes.graph.objects.added.sorted { $0.uid < $1.uid } }
        if reached == nil { _ = try reachedObjects() }
        return changes.graph.objects.added.filter { changes.reached.contains($0.uid) }.sorted { $0.uid < $1.uid }
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
        return reached
    }
}

extension FetchScope {
    /// The changes of the program, and the objects of their archive that the root reaches.
    private final class Changes {
        let graph: DocumentGraph
        let reached: ReachableObjects
        private let open: OpenArchive?
        private let changed: Set<UInt32>
        private let isTopChanged: Bool

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
