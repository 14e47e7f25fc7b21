// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A value that a decoding has to set later: a collection that waits for an instance in progress, the instances of `@References`,
/// or a declared field.
class WaitingValue {
    final fileprivate(set) var number = WaitingValues.none
    /// The next value that waits for the same instance. Lists are linked by number: the release of a long list of objects would
    /// overflow the stack.
    final var nextWaiting = WaitingValues.none
    /// Whether it is created after all instances: a set, or a dictionary, whose elements or keys are instances.
    final let isHashed: Bool
    /// The innermost instance in progress when an initializer received the value empty; 0 unless it is an empty collection.
    final var owner: DecodedInstanceTable.Index = 0

    init(isHashed: Bool = false) { self.isHashed = isHashed }
    /// Requests the instances that the value needs, so that they are not decoded within each other.
    func prepare() throws {}

    /// Decodes the value and sets it. Returns the instance in progress that it refers back to, if it has to wait for that.
    func finish() throws -> DecodedInstanceTable.Index? { preconditionFailure("WaitingValue is abstract") }
    /// Whether the program may still have the place of the value.
    var isWanted: Bool { true }
    /// Whether it is kept after it is set, to be cleared if the decoding fails.
    var isNeededLater: Bool { false }
    /// Forgets the value: the value that has received it has failed.
    func withdraw() {}
    /// Gives up references that keep an unneeded place of the value alive.
    func observe() {}
    func clear() {}
}

final class WaitingValues {
    /// From 1 up.
    typealias Number = UInt32

    static var none: Number { 0 }

    private let values = ValueList<WaitingValue?>()

    var count: Int { values.count }
    func append(_ value: WaitingValue) { value.number = Number(truncatingIfNeeded: values.append(value)) }
    subscript(number: Number) -> WaitingValue? { number == Self.none ? nil : values[Int(number) - 1] }
    func remove(_ value: WaitingValue) { values[Int(value.number) - 1] = nil }
    var all: [WaitingValue?] { values.all }

    @discardableResult
    func removeAll() -> [WaitingValue?] { values.removeAll() }
}

struct WaitingTables {
    let awaited = AwaitedWork()
    let unfilled = UnfilledInstances()
    /// References that close a cycle and that no value waits for.
    let cycles = OpenCycles()
    let hashed = HashedElements()

    func reset() {
        cycles.reset()
        awaited.removeAll()
        unfilled.removeAll()
    }
}

/// The waiting work of a decoding: instances that references request, and waiting values.
///
/// It is a list instead of recursion, so that chains of references take no stack, at any length.
final class AwaitedWork {
    enum Item {
        /// An instance that references wait for, if they still exist.
        case awaited(DecodingType, uid: UInt32, path: CodingPathTable.Index)
        /// An instance that a waiting value needs.
        case needed(DecodingType, uid: UInt32, path: CodingPathTable.Index)
        case unprepared(WaitingValues.Number)
        case prepared(WaitingValues.Number)

        var isInstance: Bool {
            switch self {
            case .awaited, .needed: true
            case .unprepared, .prepared: false
            }
        }
    }

    struct Failure {
        var error: any Error
        var isWanted: () -> Bool
    }

    /// A weak reference, which gets its instance at the end if another reference has decoded it.
    struct WeakRequest {
        var awaited: AwaitedWeakInstance
        var uid: UInt32
        var type: any Any.Type
    }

    struct Loan {
        var value: WaitingValue
        var mark: DecodingMeter.Mark
    }

    struct HashCheck {
        var path: CodingPathTable.Index
        var isFound: () -> Bool
    }

    private let items = ValueList<Item>()
    private var untriedCount = 0
    /// The number of leading items that are waiting values which have waited before. They are skipped while earlier
    /// instances are decoded.
    private(set) var settledCount = 0
    private let weakReferences = ValueList<WeakRequest>()
    let failures = ValueList<Failure>()
    let values = WaitingValues()
    /// The collections that may be withdrawn, in the order in which initializers received them. Some may be filled.
    let lent = ValueList<Loan>()
    /// Waiting sets, and dictionaries whose keys are instances, in the order in which the program received them.
    let sets = ValueList<WaitingValues.Number>()
    let checks = ValueList<HashCheck>()
    var knownFailure: (any Error)?
    /// The values that wait for instances which have failed, by the entry of the instance.
    private let leftOver = ValueTable<DecodedInstanceTable.Index, [WaitingValues.Number]>()
    /// Conditional references to instances that no other reference has requested so far.
    let conditional = ValueList<WaitingValue>()
    /// Whether the instances of the decoding are complete, and conditional references get theirs.
    private(set) var isEnding = false

    var count: Int { items.count }
    /// Whether there is work, besides references that get their instances at the end.
    var hasWork: Bool { items.count > 0 || !sets.isEmpty || !failures.isEmpty }
    var hasLateReferences: Bool { !weakReferences.isEmpty || !conditional.isEmpty }
    var hasUntried: Bool { untriedCount > 0 }

    func append(_ item: Item) {
        items.append(item)
        if item.isInstance { untriedCount += 1 }
    }

    /// Puts back items that were tried without success: the waiting values first.
    func putBack(_ tried: [Item]) {
        for item in tried.reversed() where !item.isInstance { items.append(item) }
        settledCount = items.count
        for item in tried.reversed() where item.isInstance { items.append(item) }
        untriedCount = 0
    }

    func popLast(after mark: Int) -> Item? {
        guard items.count > mark, let item = items.popLast() else { return nil }
        if item.isInstance, untriedCount > 0 { untriedCount -= 1 }
        if settledCount > items.count { settledCount = items.count }
        return item
    }

    func removeLast(_ uid: UInt32, of reader: DecodingType) {
        guard case .awaited(let last, uid, _)? = items.last, last === reader else { return }
        _ = popLast(after: 0)
    }

    func append(_ reference: WeakRequest) { weakReferences.append(reference) }

    func removeWeakReferences(_ isDone: (WeakRequest) -> Bool) {
        if weakReferences.isEmpty { return }
        for reference in weakReferences.removeAll() where !isDone(reference) { weakReferences.append(reference) }
    }

    /// Sets the conditional references whose instances are complete. The others are nil.
    func finishConditional() throws {
        guard !conditional.isEmpty else { return }
        isEnding = true
        defer { isEnding = false }
        for value in conditional.removeAll() { _ = try value.finish() }
    }

    func takeLent(since mark: DecodingMeter.Mark) -> [WaitingValue] {
        var start = lent.count
        while start > 0, mark.isBefore(lent[start - 1].mark) { start -= 1 }
        return start < lent.count ? lent.removeAll(from: start).map(\.value) : []
    }

    /// Lets the complete instance around a declared field keep the collections that its value has received: those after the first
    /// `mark` values.
    func keepLent(after mark: Int) {
        while let last = lent.last, last.value.number > mark { _ = lent.popLast() }
    }

    func clearValues() {
        for value in values.removeAll() { value?.clear() }
        forgetValues()
    }

    func forgetValues() {
        values.removeAll()
        lent.removeAll()
        if knownFailure != nil { knownFailure = nil }
    }

    func removeAll() {
        guard hasWork || hasLateReferences || values.count > 0 || !checks.isEmpty || hasLeftOver else {
            return
        }
        leftOver.removeAll()
        items.removeAll()
        (untriedCount, settledCount) = (0, 0)
        weakReferences.removeAll()
        failures.removeAll()
        sets.removeAll()
        checks.removeAll()
        conditional.removeAll()
        clearValues()
    }
}

// MARK: - Values that wait for failed instances

extension AwaitedWork {
    var hasLeftOver: Bool { !leftOver.isEmpty }

    func leave(_ first: WaitingValues.Number, of index: DecodedInstanceTable.Index) {
        var all = leftOver[index] ?? []
        leftOver[index] = nil
        all += inOrder(first)
        leftOver[index] = all
    }

    /// Returns the values that waited for the instance with the entry `index`: for earlier attempts to decode it, and `waiting` with
    /// those linked to it. They are in the order of their wait.
    func takeLeftOver(
        of index: DecodedInstanceTable.Index, before waiting: WaitingValues.Number
    ) -> [WaitingValues.Number] {
        let known = leftOver[index]
        if known != nil { leftOver[index] = nil }
        return (known ?? []) + inOrder(waiting)
    }

    func takeLeftOver() -> [WaitingValues.Number] {
        leftOver.removeAll().sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Returns the value `first` and those linked to it. The last one has waited first.
    private func inOrder(_ first: WaitingValues.Number) -> [WaitingValues.Number] {
        var waiting: [WaitingValues.Number] = []
        var number = first
        while let value = values[number] {
            waiting.append(number)
            number = value.nextWaiting
        }
        return waiting.reversed()
    }
}

// MARK: - The end of a decoding

extension DecodingSession {
    /// Ends the decoding: creates the instances that references have requested, makes the waiting sets, and sets weak references to
    /// existing instances.
    ///
    /// - Throws: Also an error that failed the whole decoding earlier, even if the program caught it.
    @inline(never)
    func finish() throws {
        if awaited.hasWork || awaited.hasLeftOver { try finishWork() }
        if hasFailed, let failure { throw failure }
        try awaited.finishConditional()
        try checkCycles()
        fulfilWeakReferences()
        for check in awaited.checks.removeAll() where !check.isFound() {
            throw ArchivingError(.cycle, path: codingPath(check.path)) {
                "An element of the set or dictionary at \($0) is not found in it: its hash depends on a value that is set after"
                    + " the collection is made, such as the collection itself. Hash by values of its own in `hash(into:)`"
            }
        }
        foreign?.link(instances)
        if !unfilled.isEmpty { try finishFilled() }
    }

    private func finishWork() throws {
        repeat {
            try finishWork(after: 0, 0, isEnd: true)
            finishLeftOver()
        } while awaited.count > 0 || !awaited.sets.isEmpty
        try checkFailures()
    }

    private func finishLeftOver() {
        for number in awaited.takeLeftOver() {
            guard let value = awaited.values[number] else { continue }
            do {
                if let target = try value.finish() { instances.wait(for: target, value) }
            } catch {
                awaited.failures.append(.init(error: error) { value.isWanted })
            }
        }
    }

    /// Throws if references wait for an instance that could not be decoded.
    ///
    /// It is no error if only instances that the table alone retains wait for it: those of a part whose error the
    /// program has caught.
    private func checkFailures() throws {
        guard !awaited.failures.isEmpty else { return }
        let failures = awaited.failures.removeAll()
        try releaseUnheld()
        for failure in failures {
            if failure.isWanted() { throw failure.error }
            dismiss(failure.error)
        }
    }

    /// Releases the complete instances that only the table retains, and the instances that only those retain.
    ///
    /// The release of an instance can leave others unretained: instances in plain properties were completed before it,
    /// and instances behind references usually after it. So one pass in each direction is enough, unless chains of both
    /// kinds are mixed. Each pass counts as work.
    private func releaseUnheld() throws {
        for value in awaited.values.all { value?.observe() }
        var places = instances.completePlaces()
        var count: Int
        repeat {
            count = places.count
            do throws(KeyedArchiveError) {
                try countWork(count)
            } catch {
                throw ArchivingError.damaged(error, path: [])
            }
            places.reverse()
            instances.releaseUnheld(at: &places)
        } while places.count < count
    }

    /// Sets the weak references whose instances are complete. The others keep waiting.
    private func fulfilWeakReferences() {
        awaited.removeWeakReferences { reference in
            if let observer { reference.awaited.setOrigin(.init(observer, reference.uid, as: reference.type)) }
            guard let instance = completeInstance(reference.uid, as: reference.type) else { return false }
            // A replacement may have another class.
            if isSubclass(Swift.type(of: instance), of: reference.type) { reference.awaited.fulfil(instance) }
            return true
        }
    }

    /// The instance of the object `uid` as `type`, from this decoding or an earlier one; nil if there is none.
    private func completeInstance(_ uid: UInt32, as type: any Any.Type) -> AnyObject? {
        instances.completeInstance(instances.index(uid, type)) ?? observer?.instance(uid, as: type)
    }
}

// MARK: - The list of work

extension DecodingSession {
    /// Decodes all items that were added after the first `mark` items, and those that they request. Makes the waiting sets after the
    /// first `setMark`.
    ///
    /// - Parameter isEnd: Whether no other decoding is in progress, so that an instance that cannot be decoded is tried
    ///   once.
    func finishWork(after mark: Int, _ setMark: Int, isEnd: Bool = false) throws {
        repeat {
            while let item = awaited.popLast(after: mark) {
                switch item {
                case .awaited(let reader, let uid, let path): try make(uid, reader, path, isEnd: isEnd)
                case .needed(let reader, let uid, let path): try makeUnknown(uid, reader, path)
                case .unprepared(let number):
                    guard let value = awaited.values[number] else { continue }
                    awaited.append(.prepared(number))
                    try value.prepare()
                case .prepared(let number): try finish(number)
                }
            }
            try finishSets(after: setMark)
        } while awaited.count > mark
    }

    func makeUnknown(_ uid: UInt32, _ reader: DecodingType, _ path: CodingPathTable.Index) throws {
        if case .unknown = instances.state(uid, as: reader.identity) { try reader.make(uid, at: path) }
    }

    private func make(_ uid: UInt32, _ reader: DecodingType, _ path: CodingPathTable.Index, isEnd: Bool) throws {
        guard instances.isWanted(uid, as: reader.identity) else { return }
        do {
            try reader.make(uid, at: path)
        } catch {
            guard isEnd else { throw error }
            // A single later check determines which of the failed instances are still needed.
            awaited.removeLast(uid, of: reader)
            awaited.failures.append(.init(error: error) { [instances] in instances.isWanted(uid, as: reader.identity) })
        }
    }

    /// Sets the waiting value `number`, or lets it wait for another instance. Sets come after all instances.
    func finish(_ number: WaitingValues.Number) throws {
        guard let value = awaited.values[number] else { return }
        if value.isHashed {
            awaited.sets.append(number)
        } else {
            try finish(value)
        }
    }

    func finish(_ value: WaitingValue) throws {
        if let target = try value.finish() {
            instances.wait(for: target, value)
        } else if !value.isNeededLater {
            awaited.values.remove(value)
        }
    }
}
