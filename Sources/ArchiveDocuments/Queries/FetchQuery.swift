// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A predicate and an order, translated for objects that are not decoded.
struct FetchQuery<Element> {
    let predicate: Predicate<Element>?
    let condition: FetchExpression<Bool>?
    /// The values by which the matches are sorted.
    let columns: [FetchColumn]
    /// The values that are the result; nil for the instances.
    private(set) var result: FetchColumn?
    /// The number of first matches that are not in the result.
    let offset: Int
    /// The number of matches that are found, with those before the result.
    let limit: Int
    let translation = FetchTranslation()

    /// - Throws: `ArchiveFetchError` if the class does not declare its fields.
    init(
        _ predicate: Predicate<Element>?, _ orders: [FetchOrder<Element>] = [], offset: Int = 0, limit: Int? = nil
    ) throws {
        guard Element.self is any ArchivedFields.Type else {
            throw ArchiveFetchError(.undeclaredFields, "\(Element.self)")
        }
        let translation = translation
        self.predicate = predicate
        condition = predicate.map { translation.translate($0) }
        columns = orders.map { $0.column(translation) }
        self.offset = max(offset, 0)
        let (end, isLarger) = self.offset.addingReportingOverflow(max(limit ?? .max, 0))
        self.limit = isLarger ? .max : end
    }

    /// Makes the values of `keyPath` the result.
    mutating func read<Value>(_ keyPath: KeyPath<Element, Value>) -> ValueColumn<Value> {
        let field = FetchField(FetchElement<Element>(), keyPath, translation)
        let values = ValueColumn(field) { ($0 as? Element)?[keyPath: keyPath] }
        result = values
        return values
    }
}

extension FetchQuery {
    func accepts(_ instance: Element) throws -> Bool { try predicate?.evaluate(instance) ?? true }
}

extension FetchQuery {
    /// The conditions that an index can find. An index is not used for those behind a condition that can fail, which is evaluated for
    /// each instance.
    var bounds: [FetchBound] {
        var bounds: [FetchBound] = []
        for condition in condition?.conjuncts ?? [] {
            if condition.canFail { break }
            bounds += condition.bounds
        }
        return bounds
    }
}

/// The instances that a fetch has found.
final class FetchResults<Element: Decodable & AnyObject> {
    private let orders: [FetchColumn]
    private let columns: [FetchColumn]
    private let offset: Int
    private let limit: Int
    /// The uids of the matches in the archive, and the places of new instances behind them.
    private var places: [UInt64] = []
    private var instances: [UInt64: Element] = [:]
    /// The number of matches that are sorted, and of which the last bounds the others; 0 for none.
    private var sortedCount = 0

    init(_ query: FetchQuery<Element>) {
        orders = query.columns
        columns = query.columns + (query.result.map { [$0] } ?? [])
        (offset, limit) = (query.offset, query.limit)
    }

    /// Whether no other match can change the result.
    var isFull: Bool { isFull(besides: 0) }

    /// Whether no other match can change the result if there are `count` more.
    func isFull(besides count: Int) -> Bool { limit - places.count <= count && orders.isEmpty || limit == 0 }

    func removeAll() {
        places = []
        instances = [:]
        sortedCount = 0
        for column in columns { column.keep([]) }
    }

    func add(_ reader: FetchReader, _ place: UInt64) throws {
        for (position, column) in columns.enumerated() {
            do { try column.append(reader) } catch {
                for column in columns[..<position] { column.removeLast() }
                throw error
            }
        }
        places.append(place)
        prune()
    }

    func add(_ instance: Element, _ place: UInt64) {
        for column in columns { column.append(instance) }
        places.append(place)
        instances[place] = instance
        prune()
    }

    /// The place of the new instance `uid`, behind those of the archive.
    static func place(ofNew uid: UInt32) -> UInt64 { UInt64(uid) + 1 << 32 }

    var count: Int { places.count }

    /// Sorts the matches, and removes those before the result.
    func finish() {
        sort()
        keep(Array(places.indices).dropFirst(offset))
    }

    /// Returns the instances in their order; those that are not decoded are decoded from `open`.
    func instances(from open: OpenArchive?) throws -> [Element] {
        finish()
        let uids = places.filter { instances[$0] == nil }.map { UInt32(truncatingIfNeeded: $0) }
        var decoded = try (open?.fetched(Element.self, uids) ?? []).makeIterator()
        return places.compactMap { instances[$0] ?? decoded.next()?.instance }
    }
}

// MARK: - Order

extension FetchResults {
    /// Removes matches beyond the limit, from time to time.
    private func prune() {
        guard !orders.isEmpty, limit < .max / 4 else { return }
        let last = places.count - 1
        if sortedCount > 0, !isLess(last, sortedCount - 1) {
            instances[places[last]] = nil
            places.removeLast()
            for column in columns { column.removeLast() }
        } else if places.count >= 2 * limit + Self.excess {
            sort()
            sortedCount = places.count
        }
    }

    private static var excess: Int { 64 }

    private func isLess(_ left: Int, _ right: Int) -> Bool {
        for column in orders {
            let result = column.compare(left, right)
            if result != 0 { return result < 0 }
        }
        return places[left] < places[right]
    }

    private func sort() { keep(places.indices.sorted { isLess($0, $1) }.prefix(limit)) }

    private func keep(_ order: ArraySlice<Int>) {
        let sorted = order.map { places[$0] }
        if order.count < places.count {
            let kept = Set(sorted)
            instances = instances.filter { kept.contains($0.key) }
        }
        places = sorted
        for column in columns { column.keep(order) }
    }
}

extension OpenArchive {
    /// Decodes objects. Those of unknown classes that are skipped are absent from the result.
    ///
    /// - Parameter reader: A reader whose limits apply to all that it decodes; nil for none.
    func fetched<Element: Decodable & AnyObject>(
        _ type: Element.Type, _ uids: [UInt32], for reader: ArchiveContents? = nil
    ) throws -> [(uid: UInt32, instance: Element)] {
        guard !uids.isEmpty else { return [] }
        if isDecodingHere { throw ArchiveDocumentError(.tooEarly) }
        var result: [(uid: UInt32, instance: Element)] = []
        try withDecodingLock {
            let instances = try decode(type, uids, for: reader)
            if instances.count == uids.count {
                result = Array(zip(uids, instances))
            } else {
                for uid in uids {
                    for instance in try decode(type, [uid], for: reader) { result.append((uid, instance)) }
                }
            }
        }
        return result
    }
}
