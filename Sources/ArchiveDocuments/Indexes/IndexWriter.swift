// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Writes the indexes of a document's file with each save.
struct IndexWriter: Sendable {
    /// The settings with which the document is read: they determine the classes of the objects.
    let decoder: ArchiveDecoder
    let types: [any ArchiveIndexed.Type]
    let hasUnreachedInstances: Bool

    /// Adds the changes of the indexes to `update`, after all other changes.
    ///
    /// - Parameters:
    ///   - graph: The graph that is written.
    ///   - open: The open archive of the file; nil for a new file.
    ///   - source: The archive that is updated.
    func add(
        to update: inout ArchiveUpdate, _ graph: DocumentGraph, _ open: OpenArchive?, _ source: ArchiveSource
    ) throws {
        let old = source.contents
        let stored = StoredIndexes(in: old)
        let definitions = definitions(for: graph)
        guard stored != nil || !definitions.isEmpty || StoredIndexes.number(in: old) != nil else { return }
        let oldArchive =
            open.map { $0.source === source ? $0 : OpenArchive(source, decoder) } ?? OpenArchive(source, decoder)
        let newArchive = OpenArchive(graph.objects.archive, decoder)
        if update.isEmpty, let stored, Self.isComplete(stored, definitions, oldArchive.classes) { return }
        // The encoder writes only what the root reaches.
        var reach = open == nil ? Reach() : self.reach(after: update, stored, graph, open, source)
        let removed = stored.map { self.removed(from: $0, reach) } ?? []
        var entries: [(name: String, number: Int)] = []
        var known: Set<String> = []
        for definition in definitions {
            guard let name = definition.name(oldArchive.classes), known.insert(name).inserted else { continue }
            // A text that many objects of a hostile file have is not read for each of them.
            let old = IndexReader(definition, oldArchive, oldArchive.contentsForReading())
            let new = IndexReader(definition, newArchive, newArchive.contentsForReading())
            // An object that the program has put into the graph again may have no entry.
            if !hasUnreachedInstances, let index = stored?.index(name) {
                var change = IndexUpdate(of: index, old, new)
                if change.collect(update, graph, removed), let number = change.append(to: &update) {
                    entries.append((name, number))
                    continue
                }
            }
            if let open, let known = reach, known.objects == nil {
                reach = walk(after: update, graph, open, source)
                reach?.unreached.formUnion(known.unreached)
            }
            var change = IndexUpdate(of: nil, old, new)
            _ = change.collect(update, graph, []) { reach?.mayReach($0) ?? true }
            if let number = change.append(to: &update) { entries.append((name, number)) }
        }
        for (name, number) in stored?.indexes ?? [] where !known.contains(name) {
            guard let index = stored?.index(at: number) else { continue }
            guard let kept = keep(index, number, in: &update, graph) else { continue }
            entries.append((name, kept))
            reach?.unreached.formUnion(removed)
        }
        try append(entries, reach?.unreached, stored, to: &update)
    }

    func hasDefinitions(for graph: DocumentGraph) -> Bool { !definitions(for: graph).isEmpty }

    private static func isComplete(
        _ stored: StoredIndexes, _ definitions: [IndexDefinition], _ classes: ClassRegistry
    ) -> Bool {
        let known = Set(stored.indexes.map(\.name))
        return definitions.allSatisfy { $0.name(classes).map { known.contains($0) } ?? true }
    }

    private func definitions(for graph: DocumentGraph) -> [IndexDefinition] {
        var known: Set<ObjectIdentifier> = []
        var definitions: [IndexDefinition] = []
        for type in Array(graph.objects.classTypes.values) + types {
            guard let indexed = type as? any ArchiveIndexed.Type else { continue }
            let all = indexed.indexDefinitions
            guard let root = all.first?.type, known.insert(ObjectIdentifier(root)).inserted else { continue }
            definitions += all
        }
        return definitions
    }

    /// The objects that the root reaches after a save.
    private struct Reach {
        /// The objects that the root does not reach, and that the program may put into the graph again.
        var unreached: Set<UInt32> = []
        /// The reached objects of the file; nil if they are those that it reached before the save, up to `unreached`.
        var objects: ReachableObjects?

        func mayReach(_ uid: UInt32) -> Bool { objects.map { $0.contains(uid) || unreached.contains(uid) } ?? true }
    }

    /// Returns the objects that the root reaches after `update`; nil if the file is damaged.
    private func reach(
        after update: borrowing ArchiveUpdate, _ stored: StoredIndexes?, _ graph: DocumentGraph, _ open: OpenArchive?,
        _ source: ArchiveSource
    ) -> Reach? {
        if let unreached = stored?.unreached, !hasUnreachedInstances,
            !ReferenceChanges.mayExist(in: update, graph, unreached)
        {
            return Reach(unreached: unreached)
        }
        return walk(after: update, graph, open, source)
    }

    private func walk(
        after update: borrowing ArchiveUpdate, _ graph: DocumentGraph, _ open: OpenArchive?, _ source: ArchiveSource
    ) -> Reach? {
        do throws(KeyedArchiveError) {
            source.expectWalk()
            let saved = try SavedReach(
                graph, Set(update.changedSlots.map(\.uid)), isTopChanged: update.top != nil, in: source)
            guard let reached = saved.old else { return nil }
            // The program may put these into the graph again.
            let kept = ReachableObjects(of: source.contents)
            let instances = (open?.liveInstances ?? []).map(\.uid) + (open?.partUIDs ?? [])
            for uid in instances where !reached.contains(uid) { try kept.insert(uid) }
            try kept.walk { uid throws(KeyedArchiveError) in reached.contains(uid) }
            var unreached = Set(kept.elements.filter { !reached.contains($0) })
            for uid in update.addedObjects where !saved.new.contains(uid) { unreached.insert(update.assignedUID(uid)) }
            return Reach(unreached: unreached, objects: reached)
        } catch {
            return nil
        }
    }

    /// Returns the objects with entries that neither the root nor the program reaches.
    private func removed(from stored: StoredIndexes, _ reach: Reach?) -> Set<UInt32> {
        guard let reach, reach.objects != nil else { return [] }
        var removed: Set<UInt32> = []
        func visit(_ uids: [UInt32]) {
            for uid in uids where !reach.mayReach(uid) { removed.insert(uid) }
        }
        for (_, number) in stored.indexes {
            guard let index = stored.index(at: number) else { continue }
            visit(index.others)
            for group in 0..<index.groupCount {
                for page in 0..<index.pages(group).count { visit(index.entries(group, page)) }
            }
        }
        return removed
    }

    /// Keeps an index that the program does not know.
    ///
    /// - Returns: The number of its dictionary; nil if the save changes objects of its classes.
    private func keep(
        _ index: StoredIndex, _ number: Int, in update: inout ArchiveUpdate, _ graph: DocumentGraph
    ) -> Int? {
        func isIndexed(_ object: UInt32, _ contents: ArchiveContents, _ written: (UInt32) -> UInt32) -> Bool {
            guard let node = try? contents.object(object).node, node.kind == .dictionary,
                let classUID = (try? contents.classUID(of: node)) ?? nil
            else { return false }
            return (index.classes[written(classUID)] ?? .none) != .none
        }
        for (new, old) in update.changed {
            if isIndexed(old, update.old, { $0 }) || isIndexed(new, update.new, { update.writtenUID($0) }) {
                return nil
            }
        }
        let added = update.addedObjects
        for uid in added where isIndexed(uid, update.new, { update.writtenUID($0) }) { return nil }
        var classes = index.classes
        for uid in added where update.new.isClassEntry(uid) { classes[update.assignedUID(uid)] = StoredIndex.Part.none }
        guard classes.count != index.classes.count else { return number }
        return update.append(classes, index.others, pages: index.number)
    }

    private func append(
        _ entries: [(name: String, number: Int)], _ unreached: Set<UInt32>?, _ stored: StoredIndexes?,
        to update: inout ArchiveUpdate
    ) throws {
        var keys = [update.appended.append(text: StoredIndexes.stampKey)]
        let stamp: Int
        if let stored {
            stamp = stored.stamp
        } else {
            // An integer whose value is its own offset.
            stamp = update.appended.append(integer: Int64(try update.keptByteCount + update.appended.byteCount))
        }
        var values = [stamp]
        if let unreached {
            keys.append(update.appended.append(text: StoredIndexes.unreachedKey))
            values.append(update.appended.append(data: StoredIndex.bytes(of: unreached.sorted())))
        }
        for (name, number) in entries.prefix(StoredIndexes.limit) {
            keys.append(update.appended.append(text: name))
            values.append(number)
        }
        let dictionary = update.appended.append(.dictionary, keys + values)
        if let number = StoredIndexes.number(in: update.old) {
            update.indexes = (number, dictionary)
            return
        }
        let root = try update.old.node(update.old.list.top)
        var (rootKeys, rootValues): ([Int], [Int]) = ([], [])
        for position in 0..<root.count {
            rootKeys.append(update.old.list.reference(position, in: root.payload))
            rootValues.append(update.old.list.reference(root.count + position, in: root.payload))
        }
        rootKeys.append(update.appended.append(text: KeyedArchiveFormat.indexesKey))
        rootValues.append(dictionary)
        update.indexes = (update.old.list.top, update.appended.append(.dictionary, rootKeys + rootValues))
    }
}

extension ArchiveContents {
    func isClassEntry(_ uid: UInt32) -> Bool {
        guard let node = try? object(uid).node, node.kind == .dictionary else { return false }
        return ((try? index(of: "$classname", in: node)) ?? nil) != nil
    }
}
