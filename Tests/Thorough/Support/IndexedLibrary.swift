// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import TestSupport

/// A library whose notes have indexes, for tests of documents.
package final class IndexedLibrary: ArchivedFields {
    package var name = ""
    @Deferred package var notes: ArchivedList<IndexedNote> = []
    @Deferred package var pinned: [IndexedNote] = []

    package init() {}

    package static let fields = FieldList<IndexedLibrary> {
        Field("name", \.name)
        Field("notes", \._notes)
        Field("pinned", \._pinned)
    }
}

package final class IndexedNote: ArchivedFields, ArchiveIndexed, Emptiable {
    package enum Kind: String, Codable, ArchiveIndexKey, CaseIterable {
        case plain, urgent, done
    }

    package var tag = ""
    package var year = 0
    package var kind = Kind.plain
    package var due: Double?
    package var text = ""
    package var next: IndexedNote?

    package init() {}

    package init(_ tag: String, _ year: Int, _ text: String = "") {
        (self.tag, self.year, self.text) = (tag, year, text)
    }

    package static let fields = FieldList<IndexedNote> {
        Field("tag", \.tag)
        Field("year", \.year)
        Field("kind", \.kind)
        Field("due", \.due)
        Field("text", \.text)
        Field("next", \.next)
    }

    package static let indexes = [
        ArchiveIndex<IndexedNote>(\.tag, \.year), ArchiveIndex<IndexedNote>(\.kind), ArchiveIndex<IndexedNote>(\.due),
    ]
}

/// The entries of the indexes of a file, and what they have to be by the values in the archive.
package enum IndexedFile {
    /// An index by its name: the uids of sorted objects, and of the others.
    package struct Entries: Equatable {
        package var sorted: [UInt32]
        package var others: [UInt32]
    }

    /// Returns the entries of the indexes of `archive` for objects that its top reaches, as the indexes say; nil if it has none, or
    /// they are not valid.
    package static func entries(of archive: KeyedArchive) -> [String: Entries]? {
        let contents = archive.source.contents
        guard let stored = StoredIndexes(in: contents), let unreached = stored.unreached else { return nil }
        func reached(_ uids: [UInt32]) -> [UInt32] { uids.filter { !unreached.contains($0) } }
        var result: [String: Entries] = [:]
        for (name, _) in stored.indexes {
            guard let index = stored.index(name) else { return nil }
            var sorted: [UInt32] = []
            var place = StoredIndex.Place()
            while let uid = index.next(&place) { sorted.append(uid) }
            var reversed: [UInt32] = []
            while let uid = index.previous(&place) { reversed.append(uid) }
            guard sorted == reversed.reversed() else { return nil }
            result[name] = Entries(sorted: reached(sorted), others: reached(index.others))
        }
        return result
    }

    /// Returns the entries that the indexes of `IndexedNote` have to have, by reading the whole archive: those of the objects that its top
    /// reaches.
    package static func expectedEntries(of archive: KeyedArchive, className: String) -> [String: Entries] {
        struct Row {
            let uid: UInt32
            let tag: String?
            let year: Int?
            let kind: String?
            let due: Double?
            let hasDue: Bool
        }
        let reached = try? archive.source.reachableObjects()
        let rows = archive.objects.compactMap { object -> Row? in
            guard object.className == className, let uid = object.uid, reached?.contains(uid) == true else {
                return nil
            }
            return Row(
                uid: uid, tag: object["tag"]?.string, year: object["year"]?.integer,
                kind: object["kind"]?.string ?? object["kind"]?["rawValue"]?.string, due: object["due"]?.double,
                hasDue: object["due"] != nil)
        }
        func entries(_ isSorted: (Row) -> Bool, _ isBefore: (Row, Row) -> Bool?) -> Entries {
            let sorted = rows.filter(isSorted).sorted { isBefore($0, $1) ?? ($0.uid < $1.uid) }
            return Entries(sorted: sorted.map(\.uid), others: rows.filter { !isSorted($0) }.map(\.uid))
        }
        let byTag = entries(
            { $0.tag != nil && $0.year != nil },
            { left, right in
                let (first, second) = ((left.tag ?? "", left.year ?? 0), (right.tag ?? "", right.year ?? 0))
                return first == second ? nil : first < second
            })
        let byKind = entries({ $0.kind != nil }, { $0.kind == $1.kind ? nil : ($0.kind ?? "") < ($1.kind ?? "") })
        let byDue = entries(
            { $0.hasDue },
            { left, right in
                guard left.due != right.due else { return nil }
                guard let first = left.due else { return true }
                guard let second = right.due else { return false }
                return first < second
            })
        return ["\(className): tag, year": byTag, "\(className): kind": byKind, "\(className): due": byDue]
    }
}
