// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The postponed fields that are being read, and the objects that are reached from the values that code of the program is given.
final class ReachedObjects {
    /// A field that is being read.
    private struct Progress: BitwiseCopyable {
        let uid: UInt32
        let position: Int32
        /// The place of the outer field of the same object, plus 1; 0 if there is none.
        let outer: UInt32
        /// Whether the object was reached from the value.
        var isReached = false
    }

    private let inProgress = PlainTable<Progress>()
    /// The place of the last field of each object in `inProgress`, plus 1.
    private var progressPlaces = SparseNumbers<UInt32>(limit: 0)
    /// The number of the last walk that has visited an object; `complete` for an instance behind which everything is complete.
    private var visits = SparseNumbers<UInt32>(limit: 0)
    /// Whether the fields that each walk has found are still being read, by the number of the walk minus 1.
    private let openWalks = PlainTable<Bool>()

    private static var complete: UInt32 { .max }

    /// Prepares for objects with uids below `slotCount`.
    func prepare(slotCount: Int) {
        guard visits.limit < slotCount else { return }
        progressPlaces = SparseNumbers(limit: slotCount)
        visits = SparseNumbers(limit: slotCount)
    }

    func removeAll() {
        guard visits.limit > 0 else { return }
        inProgress.removeAll(keepingCapacity: 64)
        openWalks.removeAll(keepingCapacity: 64)
        progressPlaces = SparseNumbers(limit: 0)
        visits = SparseNumbers(limit: 0)
    }
}

// MARK: - Fields that are being read

extension ReachedObjects {
    /// Begins with the field of the object `uid` whose value is at `position`; a negative one if it is not at one.
    func begin(_ uid: UInt32, at position: Int) {
        inProgress.append(
            Progress(uid: uid, position: Int32(clamping: position), outer: progressPlaces[Int(uid)]))
        progressPlaces[Int(uid)] = UInt32(truncatingIfNeeded: inProgress.count)
    }

    /// Ends the field that was begun last.
    ///
    /// - Returns: Whether its object was reached from its value.
    func end() -> Bool {
        let progress = inProgress.removeLast()
        progressPlaces[Int(progress.uid)] = progress.outer
        return progress.isReached
    }

    /// Whether a field of the object `uid` is being read. Notes that the object was reached.
    fileprivate func isInProgress(_ uid: UInt32) -> Bool {
        var place = progressPlaces[Int(uid)]
        guard place != 0 else { return false }
        while place != 0 {
            inProgress[Int(place) - 1].isReached = true
            place = inProgress[Int(place) - 1].outer
        }
        return true
    }

    /// Whether the field of the object `uid` whose value is at `position` is being read.
    fileprivate func isInProgress(_ uid: UInt32, at position: Int) -> Bool {
        var place = progressPlaces[Int(uid)]
        while place != 0 {
            let progress = inProgress[Int(place) - 1]
            if Int(progress.position) == position { return true }
            place = progress.outer
        }
        return false
    }
}

// MARK: - Walks

extension ReachedObjects {
    fileprivate func beginWalk() -> UInt32 {
        openWalks.append(true)
        return UInt32(truncatingIfNeeded: openWalks.count)
    }

    /// Ends the walk `walk`: the fields that it has found are read.
    fileprivate func endWalk(_ walk: UInt32) { openWalks[Int(walk) - 1] = false }

    fileprivate enum Visit {
        case first, again
        /// The fields behind the object, which another walk has found, are being read.
        case open
        /// Everything behind the object was complete.
        case complete
    }

    /// Notes that the walk `walk` has reached the object `uid`.
    fileprivate func visit(_ uid: UInt32, _ walk: UInt32) -> Visit {
        let last = visits[Int(uid)]
        if last == walk { return .again }
        if last == Self.complete { return .complete }
        if last != 0, openWalks[Int(last) - 1] { return .open }
        visits[Int(uid)] = walk
        return .first
    }

    /// Notes that everything behind the instance of the object `uid` is complete.
    fileprivate func noteComplete(_ uid: UInt32) { visits[Int(uid)] = Self.complete }
}

extension GraphReading {
    /// The objects that were visited behind a value.
    struct Walk {
        fileprivate let number: UInt32
        fileprivate var visited: [UInt32] = []
        /// Whether it has reached an object whose postponed fields an outer walk has found.
        fileprivate var isInOpen = false
        /// Whether it has reached only objects that are complete except for postponed fields.
        fileprivate var isComplete = true
    }

    /// The numbers of postponed fields that may remain after an inner reading.
    struct PostponedCounts {
        var fields: Int
        /// The number of those with elements to be hashed.
        var hashed: Int
    }

    /// Moves the postponed fields behind `value` to the end, so that they are read next. Call `end(_:)` afterwards.
    ///
    /// - Parameter remaining: The numbers of the fields that were there before. They may be smaller on return.
    func raisePostponed(
        behind value: ArchivedValue, _ remaining: inout PostponedCounts
    ) throws(KeyedArchiveError) -> Walk? {
        // A walk would load the parts of the file that the program has not requested.
        guard archive.list.isPresent else {
            remaining = PostponedCounts(fields: 0, hashed: 0)
            return nil
        }
        var found: [UInt32] = []
        let walk = try walk(behind: value) { found.append($0) }
        let (postponed, hashed) = (unfilled.postponed, unfilled.hashed)
        var needsOthers = walk.isInOpen
        for uid in found {
            if postponed.raise(uid, above: remaining.fields) { needsOthers = true }
            if hashed.raise(uid, above: remaining.hashed) { needsOthers = true }
        }
        if needsOthers {
            remaining.fields = min(remaining.fields, postponed.base)
            remaining.hashed = min(remaining.hashed, hashed.base)
        }
        return walk
    }

    /// Ends a walk after the fields that it has found are read.
    func end(_ walk: Walk) {
        unfilled.reached.endWalk(walk.number)
        guard walk.isComplete, !walk.isInOpen else { return }
        for uid in walk.visited where instances.hasComplete(uid) { unfilled.reached.noteComplete(uid) }
    }

    /// Notes that everything behind the object `uid` is complete, if it is.
    func checkComplete(_ uid: UInt32) throws(KeyedArchiveError) {
        guard archive.list.isPresent, let value = try? archive.object(uid) else { return }
        var hasPostponed = false
        var walk = try walk(behind: value) { _ in hasPostponed = true }
        if hasPostponed { walk.isComplete = false }
        end(walk)
    }

    /// Visits all objects behind `value`, iteratively, except through fields that are being read.
    ///
    /// - Parameter found: Called with each object that has postponed fields.
    private func walk(behind value: ArchivedValue, _ found: (UInt32) -> Void) throws(KeyedArchiveError) -> Walk {
        let (reached, postponed, hashed) = (unfilled.reached, unfilled.postponed, unfilled.hashed)
        let number = reached.beginWalk()
        var walk = Walk(number: number)
        var remaining: [ArchivedValue] = []
        if value.uid == 0 { remaining.append(value) } else { enter(value.uid) }

        func enter(_ uid: UInt32) {
            guard uid != 0 else { return }
            let visit = reached.visit(uid, number)
            if visit == .open { walk.isInOpen = true }
            if visit == .first || visit == .complete, postponed.hasFields(uid) || hashed.hasFields(uid) { found(uid) }
            guard visit == .first else { return }
            walk.visited.append(uid)
            let isInProgress = instances.isOnlyInProgress(uid)
            if reached.isInProgress(uid) || isInProgress { walk.isComplete = false }
            if !isInProgress, let object = try? archive.object(uid), object.node.referenceCount > 0 {
                remaining.append(ArchivedValue(node: object.node, uid: uid, isNull: false))
            }
        }

        while let value = remaining.popLast() {
            let node = value.node
            try countWork(node.referenceCount)
            let start = node.kind == .dictionary ? node.count : 0
            for position in start..<node.referenceCount {
                if value.uid != 0, reached.isInProgress(value.uid, at: position - start) { continue }
                let reference = archive.list.reference(position, in: node.payload)
                guard let part = try? archive.node(reference) else { continue }
                if part.kind == .uid {
                    if let uid = archive.uid(at: reference) { enter(uid) }
                } else if part.referenceCount > 0 {
                    remaining.append(ArchivedValue(node: part, uid: 0, isNull: false))
                }
            }
        }
        return walk
    }
}
