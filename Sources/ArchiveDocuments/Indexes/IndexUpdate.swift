// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The changes of one index by a save.
struct IndexUpdate {
    private struct Entry {
        let values: [ArchiveIndexValue]
        let uid: UInt32

        static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
            let order = [ArchiveIndexValue].compare(left.values, right.values)
            return order == 0 ? left.uid < right.uid : order < 0
        }
    }

    /// The index in the file; nil if it is built from all objects.
    private let stored: StoredIndex?
    private let old: IndexReader
    private let new: IndexReader
    private var removed: [Entry] = []
    private var inserted: [Entry] = []
    private var others: Set<UInt32>
    private var classes: [UInt32: StoredIndex.Part]

    init(of stored: StoredIndex?, _ old: IndexReader, _ new: IndexReader) {
        self.stored = stored
        self.old = old
        self.new = new
        others = Set(stored?.others ?? [])
        classes = stored?.classes ?? [:]
    }

    /// Finds the changes.
    ///
    /// - Parameters:
    ///   - unreachable: The objects whose entries are removed.
    ///   - isEntered: Whether an object of the file gets an entry of a new index.
    /// - Returns: Whether the index in the file is one of this program: the classes have the parts that the program gives them.
    mutating func collect(
        _ update: borrowing ArchiveUpdate, _ graph: DocumentGraph, _ unreachable: Set<UInt32>,
        _ isEntered: (UInt32) -> Bool = { _ in true }
    ) -> Bool {
        var changed: [UInt32: UInt32] = [:]
        for (new, old) in update.changed { changed[old] = new }
        if stored == nil {
            collectAll(but: changed, isEntered)
        } else {
            guard classes.allSatisfy({ old.part(ofClass: $0) == $1 }) else { return false }
            for uid in changed.keys { remove(uid) }
            for uid in unreachable where changed[uid] == nil { remove(uid) }
        }
        for uid in update.addedObjects where update.new.isClassEntry(uid) {
            classes[update.assignedUID(uid)] = new.part(ofClass: uid)
        }
        for (new, old) in update.changed {
            // The new version of such an object may keep its class entry.
            if let classUID = self.old.classUID(of: old), self.old.part(ofClass: classUID) == .others {
                others.insert(old)
            } else {
                insert(old, from: new, update)
            }
        }
        for added in graph.objects.addedUIDs {
            let uid = update.assignedUID(added)
            if uid != 0 { insert(uid, from: added, update) }
        }
        removed.sort(by: Entry.isBefore)
        if stored != nil { inserted.sort(by: Entry.isBefore) }
        return true
    }

    private mutating func collectAll(but changed: [UInt32: UInt32], _ isEntered: (UInt32) -> Bool) {
        for uid in 1..<UInt32(clamping: max(1, old.contents.slotCount)) {
            guard let classUID = old.classUID(of: uid) else { continue }
            let part = classes[classUID] ?? old.part(ofClass: classUID)
            classes[classUID] = part
            guard part != .none, changed[uid] == nil, isEntered(uid) else { continue }
            enter(uid, part == .sorted ? old.values(of: uid) : nil)
        }
    }

    private mutating func enter(_ uid: UInt32, _ values: [ArchiveIndexValue]?) {
        if let values {
            inserted.append(Entry(values: values, uid: uid))
        } else {
            others.insert(uid)
        }
    }

    private mutating func remove(_ uid: UInt32) {
        if others.remove(uid) != nil { return }
        if let values = old.values(of: uid) { removed.append(Entry(values: values, uid: uid)) }
    }

    /// Enters the object `uid` of the written file, which is the object `source` of the new archive.
    private mutating func insert(_ uid: UInt32, from source: UInt32, _ update: borrowing ArchiveUpdate) {
        guard let classUID = new.classUID(of: source) else { return }
        let written = update.writtenUID(classUID)
        let part = new.part(ofClass: classUID)
        // An object of a class that the program does not know keeps its class entry.
        let known = classes[written] ?? part
        classes[written] = known
        guard part != .none || known != .none else { return }
        enter(uid, part == .sorted && known == .sorted ? new.values(of: source) : nil)
    }
}

// MARK: - Pages

extension IndexUpdate {
    /// The number of entries of a new page, and of pages of a new group, so that some can be inserted.
    private static let pageCount = StoredIndex.pageLimit * 3 / 4
    private static let groupCount = StoredIndex.groupLimit * 3 / 4

    /// Changes of a page: the positions of removed entries, and entries to insert before others.
    private struct PageChange {
        var removed: Set<Int> = []
        var inserted: [(position: Int, uid: UInt32)] = []
    }

    private struct Page: Hashable {
        let group: Int
        let page: Int
    }

    /// Appends the index to `update`.
    ///
    /// - Returns: The number of its dictionary; nil if the index in the file has other entries than its objects require.
    func append(to update: inout ArchiveUpdate) -> Int? {
        guard let stored else {
            let pages = Self.split(sortedUIDs(), Self.pageCount).map { update.append(page: $0) }
            return update.append(classes, others, pages: Self.append(groups: [pages], to: &update))
        }
        if removed.count + inserted.count > max(Self.pageCount, old.contents.slotCount / Self.slotsPerSearch) {
            guard let uids = mergedUIDs(of: stored) else { return nil }
            let pages = Self.split(uids, Self.pageCount).map { update.append(page: $0) }
            return update.append(classes, others, pages: Self.append(groups: [pages], to: &update))
        }
        guard let changes = changes(of: stored) else { return nil }
        guard !changes.isEmpty else { return update.append(classes, others, pages: stored.number) }
        var groups: [Int] = []
        let changedGroups = Set(changes.keys.map(\.group))
        for group in 0..<max(stored.groupCount, 1) {
            guard changedGroups.contains(group) else {
                groups.append(stored.number(ofGroup: group))
                continue
            }
            var pages: [Int] = []
            let known = stored.groupCount == 0 ? [] : stored.pages(group)
            for page in 0..<max(known.count, 1) {
                guard let change = changes[Page(group: group, page: page)] else {
                    if page < known.count { pages.append(known[page]) }
                    continue
                }
                let entries = Self.changed(known.isEmpty ? [] : stored.entries(group, page), change)
                let parts = entries.count > StoredIndex.pageLimit ? Self.split(entries, Self.pageCount) : [entries]
                for part in parts where !part.isEmpty { pages.append(update.append(page: part)) }
            }
            let parts = pages.count > StoredIndex.groupLimit ? Self.split(pages, Self.groupCount) : [pages]
            for part in parts where !part.isEmpty { groups.append(update.appended.append(.array, part)) }
        }
        return update.append(classes, others, pages: update.appended.append(.array, groups))
    }

    /// The uids of the inserted entries in their order. Each value is compared once, so that many equal ones take little time.
    private func sortedUIDs() -> [UInt32] {
        // A number for the values of the columns so far, in their order.
        var keys = inserted.map { (number: UInt64(0), uid: $0.uid) }
        var count: UInt64 = 1
        for column in old.definition.columns.indices {
            let (ranks, rankCount) = Self.ranks(inserted.map { $0.values[column] }) {
                ArchiveIndexValue.compare($0, $1) < 0
            }
            if count.multipliedReportingOverflow(by: rankCount).overflow {
                let (numbers, numberCount) = Self.ranks(keys.map(\.number), <)
                for place in keys.indices { keys[place].number = numbers[place] }
                count = numberCount
            }
            for place in keys.indices { keys[place].number = keys[place].number * rankCount + ranks[place] }
            count *= rankCount
        }
        keys.sort { $0.number == $1.number ? $0.uid < $1.uid : $0.number < $1.number }
        return keys.map(\.uid)
    }

    /// Returns the position of each value among the different ones, and their number.
    private static func ranks<Value: Hashable>(
        _ values: [Value], _ isBefore: (Value, Value) -> Bool
    ) -> (ranks: [UInt64], count: UInt64) {
        var places: [Value: Int] = [:]
        var different: [Value] = []
        let numbers = values.map { value in
            if let known = places[value] { return known }
            places[value] = different.count
            different.append(value)
            return different.count - 1
        }
        var ranks = [UInt64](repeating: 0, count: different.count)
        let order = different.indices.sorted { isBefore(different[$0], different[$1]) }
        for (rank, place) in order.enumerated() { ranks[place] = UInt64(rank) }
        return (numbers.map { ranks[$0] }, UInt64(max(different.count, 1)))
    }

    private static func append(groups pages: [[Int]], to update: inout ArchiveUpdate) -> Int {
        var groups: [Int] = []
        for list in pages {
            for part in split(list, groupCount) { groups.append(update.appended.append(.array, part)) }
        }
        return update.appended.append(.array, groups)
    }

    /// The number of objects of the file for each change of an index, at least, for which the change is searched for.
    private static let slotsPerSearch = 64

    /// Returns all uids of the changed index; nil as `changes(of:)`.
    private func mergedUIDs(of stored: StoredIndex) -> [UInt32]? {
        let removed = Set(removed.lazy.map(\.uid))
        var (next, removedCount, remaining) = (0, 0, stored.entryLimit)
        var uids: [UInt32] = []
        var place = StoredIndex.Place()
        while let uid = stored.next(&place) {
            remaining -= 1
            guard remaining >= 0 else { return nil }
            if removed.contains(uid) {
                removedCount += 1
                continue
            }
            if next < inserted.count {
                guard let values = old.values(of: uid) else { return nil }
                let entry = Entry(values: values, uid: uid)
                while next < inserted.count, Entry.isBefore(inserted[next], entry) {
                    uids.append(inserted[next].uid)
                    next += 1
                }
            }
            uids.append(uid)
        }
        uids += inserted[next...].lazy.map(\.uid)
        return removedCount == removed.count ? uids : nil
    }

    /// Returns the changes of pages; nil if the index lacks an entry that is to be removed, or has one without values.
    private func changes(of stored: StoredIndex) -> [Page: PageChange]? {
        var changes: [Page: PageChange] = [:]
        var isConsistent = true
        func isBefore(_ uid: UInt32, _ entry: Entry) -> Bool {
            guard let values = old.values(of: uid) else {
                isConsistent = false
                return false
            }
            return Entry.isBefore(Entry(values: values, uid: uid), entry)
        }
        for entry in removed {
            var place = stored.firstPlace { isBefore($0, entry) }
            guard isConsistent, stored.next(&place) == entry.uid else { return nil }
            changes[Page(group: place.group, page: place.page), default: PageChange()].removed.insert(place.entry - 1)
        }
        for entry in inserted {
            let place = stored.firstPlace { isBefore($0, entry) }
            guard isConsistent else { return nil }
            changes[Page(group: place.group, page: place.page), default: PageChange()].inserted
                .append((place.entry, entry.uid))
        }
        return changes
    }

    private static func changed(_ entries: [UInt32], _ change: PageChange) -> [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(entries.count + change.inserted.count)
        // The inserted entries are sorted.
        var next = 0
        for position in 0...entries.count {
            while next < change.inserted.count, change.inserted[next].position <= position {
                result.append(change.inserted[next].uid)
                next += 1
            }
            if position < entries.count, !change.removed.contains(position) { result.append(entries[position]) }
        }
        return result
    }

    private static func split<Element>(_ list: [Element], _ count: Int) -> [[Element]] {
        stride(from: 0, to: list.count, by: count).map { Array(list[$0..<min($0 + count, list.count)]) }
    }
}

extension ArchiveUpdate {
    fileprivate mutating func append(page: [UInt32]) -> Int { appended.append(data: StoredIndex.bytes(of: page)) }

    mutating func append(
        _ classes: [UInt32: StoredIndex.Part], _ others: some Sequence<UInt32>, pages: Int
    ) -> Int {
        let entries = [
            (StoredIndex.classesKey, appended.append(data: StoredIndex.bytes(of: classes))),
            (StoredIndex.othersKey, appended.append(data: StoredIndex.bytes(of: others.sorted()))),
            (StoredIndex.pagesKey, pages),
        ]
        return appended.append(.dictionary, entries.map { appended.append(text: $0.0) } + entries.map(\.1))
    }
}
