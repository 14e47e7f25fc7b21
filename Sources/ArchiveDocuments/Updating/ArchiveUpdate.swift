// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The changes to append to an archive to update it to a newer archive of the same graph.
///
/// Objects keep their uids. An instance that both archives have with the same contents remains unchanged in the old archive. A
/// changed instance gets new contents, and a new one a new uid. Values that are not instances, such as strings and arrays, are
/// kept if an equal one is in the same place.
///
/// The old archive may be a file that is read page by page: only compared objects are read. Damaged objects count as changed.
struct ArchiveUpdate: ~Copyable {
    let old: ArchiveContents
    let new: ArchiveContents
    private var comparison: ArchiveComparison

    /// The uids in the old archive that were assigned to new objects, by their uids in the new archive; 0 for others.
    private var assigned: [UInt32]
    private var remaining: [(new: UInt32, uid: UInt32)] = []
    private(set) var keptKeys: [(uid: UInt32, list: UnknownKeys.List)] = []
    var appended: AppendedObjects
    private(set) var changedSlots: [(uid: UInt32, reference: Int)] = []
    /// The references of the slots after the old ones.
    private(set) var addedSlots: [Int] = []
    /// The new `$top`; `nil` if the old one is kept.
    private(set) var top: Int?
    /// The objects of the new property list that were appended, by their numbers: 1 for the first one. Empty until then.
    private var copied: [UInt32] = []
    private var uidObjects: [UInt32: Int] = [:]
    private(set) var changed: [(new: UInt32, old: UInt32)] = []
    /// The new dictionary of the indexes, and the number of the object that it replaces; nil if the old one is kept.
    var indexes: (replaced: Int, number: Int)?
    private(set) var keptCount = 0
    private(set) var writtenCount = 0

    /// Compares the archives, and collects the changes.
    ///
    /// - Parameters:
    ///   - counterparts: The counterparts of the new archive's objects in the old one.
    ///   - examples: New instances, and an object of the old archive with the same class as each.
    /// - Throws: `PropertyListError` if the new archive is damaged, which no archive of this library is.
    init(
        of old: ArchiveContents, to new: ArchiveContents, _ counterparts: Counterparts,
        keeping kept: KeptContents?, examples: [LoadedGraph.Counterpart]
    ) throws(PropertyListError) {
        self.init(comparing: old, with: new, counterparts, kept)
        for example in examples { comparison.findClass(ofInstance: example.uid, example.old) }
        try collectChanges(counterparts)
    }

    init(ofNothingIn contents: ArchiveContents) {
        self.init(comparing: contents, with: contents, Counterparts(count: contents.slotCount), nil)
    }

    private init(
        comparing old: ArchiveContents, with new: ArchiveContents, _ counterparts: Counterparts, _ kept: KeptContents?
    ) {
        self.old = old
        self.new = new
        appended = AppendedObjects(to: old.list)
        comparison = ArchiveComparison(of: new, to: old, counterparts, keeping: kept)
        assigned = [UInt32](repeating: 0, count: counterparts.count)
    }

    private mutating func collectChanges(_ counterparts: Counterparts) throws(PropertyListError) {
        for uid in 0..<UInt32(truncatingIfNeeded: counterparts.count) where counterparts.kind(uid) == .instance {
            if comparison.isUnchanged(uid) {
                keptCount += 1
            } else {
                writtenCount += 1
                let old = counterparts[uid]
                comparison.pairContents(ofInstance: uid, old)
                changed.append((uid, old))
                changedSlots.append((old, try copy(new.object(inSlot: Int(uid)), keepingFrom: old)))
            }
        }
        if !comparison.isTopEqual {
            comparison.pairTop()
            top = try copy(new.top, keeping: comparison.keptTopEntries())
        }
        while let next = remaining.popLast() {
            let object = new.object(inSlot: Int(next.new))
            guard let origin = comparison.origins[next.new] else {
                addedSlots[Int(next.uid) - old.slotCount] = try copy(object, depth: 0)
                continue
            }
            addedSlots[Int(next.uid) - old.slotCount] = try copy(object, keepingFrom: origin)
            if let list = comparison.kept?.unknown[origin] { keptKeys.append((next.uid, list)) }
        }
    }

    var isEmpty: Bool { changedSlots.isEmpty && addedSlots.isEmpty && top == nil }

    /// Returns the uid that was assigned to a new object, by its uid in the new archive; 0 if none was assigned.
    func assignedUID(_ uid: UInt32) -> UInt32 { assigned[Int(uid)] }

    /// Returns the uid of the object `uid` of the new archive in the written one; 0 if it is not in it.
    func writtenUID(_ uid: UInt32) -> UInt32 {
        let known = comparison.counterpart(uid)
        return known != 0 ? known : assigned[Int(uid)]
    }

    var addedObjects: [UInt32] {
        var objects: [UInt32] = []
        for (uid, place) in assigned.enumerated() where place != 0 { objects.append(UInt32(truncatingIfNeeded: uid)) }
        return objects
    }
}

// MARK: - Copying

extension ArchiveUpdate {
    /// Returns the uid in the old archive for the object `uid` of the new one. Assigns a uid and schedules the copy if the old
    /// archive does not have the object.
    private mutating func place(_ uid: UInt32) -> UInt32 {
        guard Int(uid) < assigned.count, let object = try? new.object(uid) else { return 0 }
        let known = comparison.counterpart(uid)
        if known != 0 { return known }
        if assigned[Int(uid)] != 0 { return assigned[Int(uid)] }
        if object.isNull { return 0 }
        let place = UInt32(truncatingIfNeeded: old.slotCount + addedSlots.count)
        assigned[Int(uid)] = place
        if comparison.counterparts.kind(uid) != .value { writtenCount += 1 }
        addedSlots.append(0)
        remaining.append((uid, place))
        return place
    }

    /// Appends the object `reference` of the new property list.
    ///
    /// - Returns: Its number, which follows those of the old objects.
    private mutating func copy(_ reference: Int, depth: Int) throws(PropertyListError) -> Int {
        if copied.isEmpty { copied = [UInt32](repeating: 0, count: new.list.objectCount) }
        let node = try new.list.node(reference)
        if copied[reference] != 0 { return old.list.objectCount + Int(copied[reference]) - 1 }
        let number: Int
        switch node.kind {
        case .uid: return uidObject(place(try new.list.objects.uid(node)))
        case .array, .set, .dictionary:
            guard depth < PropertyListLimits.nesting else { throw PropertyListError(.nestedTooDeep, at: node.payload) }
            number = try copyContainer(node, depth: depth)
        default: number = try appended.append(reference, of: new.list)
        }
        copied[reference] = UInt32(truncatingIfNeeded: appended.count)
        return number
    }

    private mutating func copyContainer(_ node: Node, depth: Int) throws(PropertyListError) -> Int {
        var references: [Int] = []
        references.reserveCapacity(node.referenceCount)
        for position in 0..<node.referenceCount {
            references.append(try copy(new.list.reference(position, in: node.payload), depth: depth + 1))
        }
        return appended.append(node.kind, references)
    }

    /// Appends the object `reference` of the new property list, with what it keeps of the object `oldUID`.
    private mutating func copy(_ reference: Int, keepingFrom oldUID: UInt32) throws(PropertyListError) -> Int {
        let node = try new.list.node(reference)
        let kept = comparison.keptEntries(of: oldUID, in: node)
        return try kept.isEmpty ? copy(reference, depth: 0) : copy(node, keeping: kept)
    }

    /// Appends the dictionary `node` of the new property list, with entries of an old one, whose references remain valid.
    private mutating func copy(_ node: Node, keeping kept: KeptEntries) throws(PropertyListError) -> Int {
        var (keys, values): ([Int], [Int]) = ([], [])
        var classPlace: Int?
        for position in 0..<node.count {
            let key = new.list.reference(position, in: node.payload)
            let value = new.list.reference(node.count + position, in: node.payload)
            keys.append(try copy(key, depth: 1))
            let isClass = new.list.objects.isString(try new.list.node(key), "$class")
            if isClass { classPlace = position }
            if isClass, let objectClass = kept.objectClass {
                values.append(objectClass)
            } else {
                values.append(try copy(value, depth: 1))
            }
        }
        // The class stays the last key.
        let place = classPlace == node.count - 1 ? node.count - 1 : node.count
        keys.insert(contentsOf: kept.unknown.map(\.key), at: place)
        values.insert(contentsOf: kept.unknown.map(\.value), at: place)
        return appended.append(.dictionary, keys + values)
    }

    private mutating func uidObject(_ uid: UInt32) -> Int {
        if let known = uidObjects[uid] { return known }
        let number = appended.append(uid: uid)
        uidObjects[uid] = number
        return number
    }
}
