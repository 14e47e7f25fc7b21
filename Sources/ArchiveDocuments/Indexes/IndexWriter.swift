// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Writes the indexes of a document's file with each save.
struct IndexWriter: Sendable {
    /// The settings with which the document is read: they determine the classes of the objects.
    let decoder: ArchiveDecoder
    /// The classes with indexes that the program has fetched instances of.
    let types: [any ArchiveIndexed.Type]
    /// Whether the program has instances that the root may not reach.
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
        let (isVerified, unreachable) = stored.map { verify($0, source, open) } ?? (false, [])
        var entries: [(name: String, number: Int)] = []
        var known: Set<String> = []
        var isRebuilt = false
        for definition in definitions {
            guard let name = definition.name(oldArchive.classes), known.insert(name).inserted else { continue }
            // A text that many objects of a hostile file have is not read for each of them.
            let old = IndexReader(definition, oldArchive, oldArchive.contentsForReading())
            let new = IndexReader(definition, newArchive, newArchive.contentsForReading())
            if let index = stored?.index(name) {
                var change = IndexUpdate(of: index, old, new)
                if change.collect(update, graph, unreachable), let number = change.append(to: &update) {
                    entries.append((name, number))
                    continue
                }
            }
            isRebuilt = true
            var change = IndexUpdate(of: nil, old, new)
            _ = change.collect(update, graph, [])
            if let number = change.append(to: &update) { entries.append((name, number)) }
        }
        for (name, number) in stored?.indexes ?? [] where !known.contains(name) {
            guard let index = stored?.index(at: number) else { continue }
            if let kept = keep(index, number, without: unreachable, in: &update, graph) { entries.append((name, kept)) }
        }
        // The encoder writes only what the root reaches.
        let isExact =
            open == nil
            || !isRebuilt && (isVerified || stored?.isExact == true)
                && !hasUnreachedInstances && !LostReferences.exist(in: update, graph)
        try append(entries, isExact, stored, to: &update)
    }

    /// Returns whether classes of `graph` declare indexes.
    func hasDefinitions(for graph: DocumentGraph) -> Bool { !definitions(for: graph).isEmpty }

    /// Whether the file has all indexes.
    private static func isComplete(
        _ stored: StoredIndexes, _ definitions: [IndexDefinition], _ classes: ClassRegistry
    ) -> Bool {
        let known = Set(stored.indexes.map(\.name))
        return definitions.allSatisfy { $0.name(classes).map { known.contains($0) } ?? true }
    }

    /// The definitions of the indexes of the classes of loaded and of fetched instances, each once.
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

    /// Compares the entries of the indexes with the objects that the top of the file reaches, if a fetch has looked for these.
    ///
    /// - Returns: Whether the top reaches all entries but `unreachable`, which no instance and no part of the program reaches either.
    private func verify(
        _ stored: StoredIndexes, _ source: ArchiveSource, _ open: OpenArchive?
    ) -> (isVerified: Bool, unreachable: Set<UInt32>) {
        guard !stored.isExact, let reached = source.knownReachableObjects else { return (stored.isExact, []) }
        var others: Set<UInt32> = []
        for (_, number) in stored.indexes {
            guard let index = stored.index(at: number) else { continue }
            for uid in index.others where !reached.contains(uid) { others.insert(uid) }
            for group in 0..<index.groupCount {
                for page in 0..<index.pages(group).count {
                    for uid in index.entries(group, page) where !reached.contains(uid) { others.insert(uid) }
                }
            }
        }
        let instances = (open?.liveInstances ?? []).map(\.uid) + (open?.partUIDs ?? [])
        let reachesInstances = instances.allSatisfy { reached.contains($0) }
        if others.isEmpty { return (reachesInstances, []) }
        do throws(KeyedArchiveError) {
            // The program may put these into the graph again.
            let kept = ReachableObjects(of: source.contents)
            for uid in instances { try kept.insert(uid) }
            try kept.walk { _ throws(KeyedArchiveError) in false }
            let unreachable = others.filter { !kept.contains($0) }
            return (reachesInstances && unreachable.count == others.count, unreachable)
        } catch {
            return (false, [])
        }
    }

    /// Keeps an index that the program does not know.
    ///
    /// - Returns: The number of its dictionary; nil if the save changes objects of its classes.
    private func keep(
        _ index: StoredIndex, _ number: Int, without unreachable: Set<UInt32>, in update: inout ArchiveUpdate,
        _ graph: DocumentGraph
    ) -> Int? {
        guard unreachable.isEmpty else { return nil }
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

    /// Appends the dictionary of all indexes.
    private func append(
        _ entries: [(name: String, number: Int)], _ isExact: Bool, _ stored: StoredIndexes?,
        to update: inout ArchiveUpdate
    ) throws {
        var keys = [
            update.appended.append(text: StoredIndexes.stampKey), update.appended.append(text: StoredIndexes.exactKey),
        ]
        let stamp: Int
        if let stored {
            stamp = stored.stamp
        } else {
            // An integer whose value is its own offset.
            stamp = update.appended.append(integer: Int64(try update.keptByteCount + update.appended.byteCount))
        }
        var values = [stamp, update.appended.append(isExact)]
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
