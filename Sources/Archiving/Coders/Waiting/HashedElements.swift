// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The elements of sets, and the keys of dictionaries, that are going to be hashed.
///
/// Before a set is created, everything that the hashes of its elements may depend on is decoded: the instances that references in the
/// elements have requested, and the declared fields of the elements. A set whose elements refer to an instance in progress waits, and
/// is created after all instances. In the end each element of such a set is looked up: if it is not found, its hash depends on a
/// value that was set after the set was created.
final class HashedElements {
    /// Instances in progress that references inside the elements refer back to.
    fileprivate let openReferences = ValueList<DecodedInstanceTable.Index>()
    /// The number of elements, or parts of them, that are instances which were decoded earlier.
    fileprivate var earlierCount = 0
    /// The number of sets and dictionaries that contain the value in progress as an element or a key.
    fileprivate var depth = 0

    var isHashing: Bool { depth > 0 }

    func noteOpenReference(to index: DecodedInstanceTable.Index) { if depth > 0 { openReferences.append(index) } }

    /// Records an instance, or a value, that was decoded earlier. The instances that it refers to may be incomplete.
    @inline(__always)
    func noteEarlierInstance() { if depth > 0 { earlierCount &+= 1 } }

    fileprivate struct Scope {
        let openReferenceCount: Int
        let earlierCount: Int
    }

    fileprivate func begin() -> Scope {
        if depth == 0 { earlierCount = 0 }
        depth += 1
        return Scope(openReferenceCount: openReferences.count, earlierCount: earlierCount)
    }
}

// MARK: - Elements

extension DecodingSession {
    /// Returns the elements that `body` decodes, after everything that their hashes may depend on is complete.
    ///
    /// - Parameters:
    ///   - path: The coding path of the collection.
    ///   - check: Throws if the stack has no space for other instances.
    /// - Throws: Also an error that carries a `CycleReference` if the elements refer to an instance in progress.
    func resolved<Result>(
        at path: () -> CodingPathTable.Index, check: () throws -> Void, _ body: () throws -> Result
    ) throws -> Result {
        let (work, sets) = (awaited.count, awaited.sets.count)
        let scope = hashed.begin()
        let result: Result
        do {
            result = try body()
            if awaited.count > work || awaited.sets.count > sets {
                try check()
                try finishWork(forHashesAfter: work, sets)
            }
            if mayHaveOpenElements {
                try check()
                finishEarlierInstances()
            }
        } catch {
            _ = endHashed(scope)
            throw error
        }
        // The hash of an instance may depend on further instances. A reference from those to an instance in progress is
        // still open. A set that cannot wait for it is made now, and checked in the end.
        if let open = endHashed(scope), mayWait(for: open) { throw ArchivingError(cycle(to: open, at: path())) }
        return result
    }

    /// Decodes the instances that the elements have requested. One that refers back to an instance in progress is left for later if the
    /// set cannot wait for that.
    private func finishWork(forHashesAfter mark: Int, _ setMark: Int) throws {
        do {
            try finishWork(after: mark, setMark)
        } catch {
            guard let cycle = CycleReference(in: error), !mayWait(for: cycle.target) else { throw error }
            openCycles.remove(cycle)
        }
    }

    /// Whether elements of a single set or dictionary, not nested in another, may have been decoded earlier and refer
    /// to incomplete instances.
    private var mayHaveOpenElements: Bool { hashed.depth == 1 && hashed.earlierCount > 0 && awaited.hasUntried }

    /// The first incomplete instance that references since the beginning of `scope` refer to; nil if all are complete.
    private func endHashed(_ scope: HashedElements.Scope) -> DecodedInstanceTable.Index? {
        hashed.depth -= 1
        let openReferences = hashed.openReferences.removeAll(from: scope.openReferenceCount)
        if hashed.earlierCount > scope.earlierCount, let index = instances.firstAwaitedInProgress { return index }
        return openReferences.first { instances.isInProgress($0) }
    }

    /// Decodes the instances that were requested before the elements to be hashed, since an element that was decoded
    /// earlier may refer to them. Instances that cannot be decoded yet are left for later.
    private func finishEarlierInstances() {
        var tried: [AwaitedWork.Item] = []
        while let item = awaited.popLast(after: awaited.settledCount) {
            switch item {
            case .awaited(let reader, let uid, let path), .needed(let reader, let uid, let path):
                if case .awaited = item, !instances.isWanted(uid, as: reader.identity) { continue }
                let mark = awaited.count
                do {
                    try makeUnknown(uid, reader, path)
                } catch {
                    dismiss(error)
                    while let left = awaited.popLast(after: mark) { tried.append(left) }
                    tried.append(item)
                }
            case .unprepared, .prepared: tried.append(item)
            }
        }
        awaited.putBack(tried)
    }
}

// MARK: - Sets that are made late

extension DecodingSession {
    /// Makes the waiting sets after the first `mark`, in the order in which the program received them. Those inside of one come before
    /// it.
    func finishSets(after mark: Int) throws {
        var position = mark
        while position < awaited.sets.count {
            let number = awaited.sets[position]
            position += 1
            guard let value = awaited.values[number] else { continue }
            try finish(value)
        }
        _ = awaited.sets.removeAll(from: mark)
    }

    /// Whether the hashes of elements may depend on values that are not set yet, so that a set that is created now is checked in the end.
    var isIncomplete: Bool {
        !awaited.sets.isEmpty || awaited.count > 0 || awaited.hasLateReferences || unfilled.isIncomplete
            || unfilled.isFinishing || instances.firstAwaitedInProgress != nil
    }

    func checkLater(at path: CodingPathTable.Index, _ isFound: @escaping () -> Bool) {
        awaited.checks.append(AwaitedWork.HashCheck(path: path, isFound: isFound))
    }
}
