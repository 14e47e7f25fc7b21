// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// How a fetch uses an index: the entries between two limits, in the order of the index or the opposite one.
struct IndexPlan {
    let name: String
    let index: StoredIndex
    private let reader: IndexReader
    /// The values of the first properties, which all matches have.
    private let equal: [ArchiveIndexValue]
    private let lower: FetchBound.Limit?
    private let upper: FetchBound.Limit?
    /// The number of properties after `equal` by which the result is sorted; 0 if the order of the index is another one.
    private let orderedCount: Int
    private let isDescending: Bool

    struct Order {
        let property: Int
        let isDescending: Bool
    }

    /// Chooses the index for which the fewest entries are read.
    ///
    /// - Returns: `nil` if no index of the archive helps.
    static func best<Element>(
        for query: FetchQuery<Element>, _ type: Element.Type, _ open: OpenArchive, _ contents: ArchiveContents
    ) -> IndexPlan? {
        guard let indexed = type as? any ArchiveIndexed.Type, let stored = StoredIndexes(in: contents) else {
            return nil
        }
        let properties = query.translation.properties
        let bounds = query.bounds
        let orders = query.columns.map { Order(property: $0.property ?? -1, isDescending: $0.isDescending) }
        var best: (plan: IndexPlan, score: Int)?
        for definition in indexed.indexDefinitions {
            guard let name = definition.name(open.classes), let index = stored.index(name) else { continue }
            let reader = IndexReader(definition, open, contents)
            guard index.classes.allSatisfy({ reader.part(ofClass: $0) == $1 }) else { continue }
            let plan = IndexPlan(name, index, reader, properties, bounds, orders)
            let score = plan.score(hasLimit: query.limit < .max)
            if score > best?.score ?? 0 { best = (plan, score) }
        }
        return best?.plan
    }

    private init(
        _ name: String, _ index: StoredIndex, _ reader: IndexReader, _ properties: [FetchProperty],
        _ bounds: [FetchBound], _ orders: [Order]
    ) {
        self.name = name
        self.index = index
        self.reader = reader
        let columns = reader.definition.columns
        func property(_ column: Int) -> Int? {
            let keyPath: AnyKeyPath = columns[column].keyPath
            return properties.firstIndex { $0.keyPath == keyPath }
        }
        var equal: [ArchiveIndexValue] = []
        while equal.count < columns.count, let number = property(equal.count),
            let value = bounds.lazy.filter({ $0.property == number }).compactMap(\.equalValue).first
        {
            equal.append(value)
        }
        self.equal = equal
        var range: FetchBound?
        if equal.count < columns.count, columns[equal.count].isOrdered, let number = property(equal.count) {
            for bound in bounds where bound.property == number {
                if range == nil { range = bound } else { range?.narrow(by: bound) }
            }
        }
        (lower, upper) = (range?.lower, range?.upper)
        // A property with one value has any order.
        let sorted = orders.filter { order in
            !equal.indices.contains { property($0) == order.property }
        }
        isDescending = sorted.first?.isDescending ?? false
        let isSorted =
            equal.count + sorted.count <= columns.count
            && sorted.enumerated().allSatisfy { place, order in
                let column = equal.count + place
                return columns[column].isOrdered && property(column) == order.property
                    && order.isDescending == sorted[0].isDescending
            }
        orderedCount = isSorted ? sorted.count : 0
    }

    private func score(hasLimit: Bool) -> Int {
        let range = (lower == nil ? 0 : 1) + (upper == nil ? 0 : 1)
        let order = orderedCount > 0 && hasLimit ? 1 : 0
        return 10 * equal.count + 3 * range + 2 * order
    }

    var isOrdered: Bool { orderedCount > 0 }

    var text: String {
        var parts: [String] = equal.isEmpty ? [] : ["\(equal.count) equal"]
        if lower != nil || upper != nil { parts.append("a range") }
        if isOrdered { parts.append(isDescending ? "from the last entry" : "in order") }
        return name + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }
}

// MARK: - Entries

extension IndexPlan {
    /// An index has an entry that its object does not justify: another program has changed the file.
    struct Inconsistency: Error {}

    /// Calls `body` with the entries between the limits, in the order of the plan, until it returns false. Equal entries are in any
    /// order.
    ///
    /// - Parameter body: Receives the uid, and whether the entry can be sorted as the one before.
    func visit(_ body: (UInt32, _ isTie: Bool) throws -> Bool) throws {
        var (start, end) = try (place(isEnd: false), place(isEnd: true))
        var last: ArraySlice<ArchiveIndexValue>?
        func values(_ uid: UInt32) throws -> ArraySlice<ArchiveIndexValue> {
            guard orderedCount > 0 else { return [] }
            return try self.values(uid)[equal.count..<equal.count + orderedCount]
        }
        var remaining = index.entryLimit
        while start < end {
            remaining -= 1
            guard remaining >= 0 else { throw Inconsistency() }
            guard let uid = isDescending && isOrdered ? index.previous(&end) : index.next(&start) else { return }
            index.normalize(&start)
            let current = try values(uid)
            let isTie = last.map { [ArchiveIndexValue].compare(Array($0), Array(current)) == 0 } ?? false
            last = current
            if try !body(uid, isTie) { return }
        }
    }

    private func values(_ uid: UInt32) throws -> [ArchiveIndexValue] {
        guard let values = reader.values(of: uid) else { throw Inconsistency() }
        return values
    }

    /// Returns the place of the first entry between the limits, or behind the last one.
    private func place(isEnd: Bool) throws -> StoredIndex.Place {
        let limit = isEnd ? upper : lower
        var place = try index.firstPlace { uid in
            let values = try values(uid)
            let order = [ArchiveIndexValue].compare(values, equal)
            if order != 0 { return order < 0 }
            guard let limit else { return isEnd }
            let side = ArchiveIndexValue.compare(values[equal.count], limit.value)
            return side == 0 ? limit.isIncluded == isEnd : side < 0
        }
        index.normalize(&place)
        return place
    }
}
