// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The waiting work of a decoding: instances that references request, and waiting values.
///
/// It is a list instead of recursion, so that chains of references take no stack, at any length.
final class AwaitedWork {
    enum Item {
        /// An instance that references wait for, if they still exist.
        case awaited(DecodingType, uid: UInt32, path: CodingPathTable.Index)
        /// An instance that a waiting value needs.
        case needed(DecodingType, uid: UInt32, path: CodingPathTable.Index)
        /// A waiting value that has not requested the instances it needs.
        case unprepared(WaitingValues.Number)
        /// A waiting value whose instances were requested.
        case prepared(WaitingValues.Number)

        /// Whether the item is an instance to decode.
        var isInstance: Bool {
            switch self {
            case .awaited, .needed: true
            case .unprepared, .prepared: false
            }
        }
    }

    /// A value that could not be decoded at the end.
    struct Failure {
        var error: any Error
        /// Returns whether the program may still have the place of the value.
        var isWanted: () -> Bool
    }

    /// A weak reference, which gets its instance at the end if another reference has decoded it.
    struct WeakRequest {
        var awaited: AwaitedWeakInstance
        var uid: UInt32
        var type: any Any.Type
    }

    private let items = ValueList<Item>()
    /// The number of items that are instances without an attempt to decode them.
    private var untriedCount = 0
    /// The number of leading items that are waiting values which have waited before. They are skipped while earlier
    /// instances are decoded.
    private(set) var settledCount = 0
    private let weakReferences = ValueList<WeakRequest>()
    /// Whether items or weak references were added since the last call of `removeAll()`.
    private var wasUsed = false
    /// The instances and collections that could not be decoded at the end.
    let failures = ValueList<Failure>()
    let values = WaitingValues()
    /// Collections that initializers have received empty, in that order. Those that are filled may be among them.
    let lent = ValueList<WaitingValue>()
    /// Waiting sets, and dictionaries whose keys are instances, in the order in which the program received them.
    let sets = ValueList<WaitingValues.Number>()
    /// Those whose elements are looked up at the end.
    let checked = ValueList<WaitingValues.Number>()
    /// The error of an initializer that had received an empty collection.
    private(set) var knownFailure: (any Error)?
    /// Conditional references to instances that no other reference has requested so far.
    let conditional = ValueList<WaitingValue>()
    /// Whether the instances of the decoding are complete, and conditional references get theirs.
    fileprivate(set) var isEnding = false

    var count: Int { items.count }

    /// Whether there is work, besides weak references.
    var hasWork: Bool { items.count > 0 || !sets.isEmpty || !failures.isEmpty }

    /// Records the error of an initializer that had received an empty collection.
    func noteFailure(_ error: any Error) { knownFailure = error }

    /// Whether references get their instances at the end.
    var hasLateReferences: Bool { !weakReferences.isEmpty || !conditional.isEmpty }

    /// Whether there are instances without an attempt to decode them.
    var hasUntried: Bool { untriedCount > 0 }

    func append(_ item: Item) {
        items.append(item)
        wasUsed = true
        if item.isInstance { untriedCount += 1 }
    }

    /// Puts back items that were tried without success: the waiting values first.
    func putBack(_ tried: [Item]) {
        for item in tried.reversed() where !item.isInstance { items.append(item) }
        settledCount = items.count
        for item in tried.reversed() where item.isInstance { items.append(item) }
        untriedCount = 0
    }

    func append(_ reference: WeakRequest) {
        weakReferences.append(reference)
        wasUsed = true
    }

    /// Forgets the weak references for which `isDone` returns true.
    func removeWeakReferences(_ isDone: (WeakRequest) -> Bool) {
        if weakReferences.isEmpty { return }
        for reference in weakReferences.removeAll() where !isDone(reference) { weakReferences.append(reference) }
    }

    /// Removes the request for the instance `uid` that `reader` decodes, if it is the last one.
    func removeLast(_ uid: UInt32, of reader: DecodingType) {
        guard case .awaited(let last, uid, _)? = items.last, last === reader else { return }
        _ = popLast(after: 0)
    }

    /// Removes and returns the last item, if it was added after the first `mark` items.
    func popLast(after mark: Int) -> Item? {
        guard items.count > mark, let item = items.popLast() else { return nil }
        if item.isInstance, untriedCount > 0 { untriedCount -= 1 }
        if settledCount > items.count { settledCount = items.count }
        return item
    }

    /// Sets the conditional references whose instances are complete. The others are nil.
    func finishConditional() throws {
        guard !conditional.isEmpty else { return }
        isEnding = true
        defer { isEnding = false }
        for value in conditional.removeAll() { _ = try value.finish() }
    }

    /// Removes and returns the collections that initializers have received since `mark`.
    func takeLent(since mark: DecodingMeter.Mark) -> [WaitingValue] {
        var start = lent.count
        while start > 0, mark.isBefore(lent[start - 1].mark) { start -= 1 }
        return start < lent.count ? lent.removeAll(from: start) : []
    }

    /// Removes the elements of filled collections: the decoding has failed.
    func clearValues() {
        values.forEach(after: 0) { $0.clear() }
        forgetValues()
    }

    /// Forgets the waiting values: all of them are set.
    func forgetValues() {
        if !values.isEmpty {
            values.removeAll()
            lent.removeAll()
        }
        if knownFailure != nil { knownFailure = nil }
    }

    /// Forgets all work, and removes the elements of filled collections: the decoding has failed.
    func removeAll() {
        guard wasUsed || !values.isEmpty || !conditional.isEmpty else { return }
        wasUsed = false
        items.removeAll()
        (untriedCount, settledCount) = (0, 0)
        weakReferences.removeAll()
        failures.removeAll()
        sets.removeAll()
        checked.removeAll()
        conditional.removeAll()
        isEnding = false
        clearValues()
    }
}
