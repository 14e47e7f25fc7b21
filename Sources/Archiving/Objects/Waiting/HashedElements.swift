// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The state that decides when the elements of a set, or the keys of a dictionary, are hashed.
///
/// A collection hashes its elements when it is created. `hash(into:)` is code of the program, and may read everything that
/// an element refers to, so all of that must be complete before:
///
/// 1. Elements are decoded between `begin()` and `endHashed(_:)`. Instances that references inside them request are
///    decoded at once, not at the end of the decoding (`GraphReading.resolved(at:check:_:)`).
/// 2. If an element still refers to an instance in progress, the collection cannot be created. The error is a
///    `CycleReference`, and the property of the collection waits for the instance like any other (`WaitingProperty`).
/// 3. A waiting collection is decoded in an *attempt*. If other waiting values are not set yet on which its hashes may
///    depend, the attempt ends as too early, and another one follows after all values without hashed elements.
/// 4. Hashes of these last collections may depend on each other. They are decoded again until no hash changes. It is an
///    error if the hashes of one depend on the collection itself.
final class HashedElements {
    /// Instances in progress that references inside the elements refer back to.
    fileprivate let openReferences = ValueList<InstanceTable.Index>()
    /// Whether the elements include instances that were decoded earlier.
    fileprivate var hasEarlierInstances = false
    /// The number of sets and dictionaries that contain the value in progress as an element or a key.
    fileprivate var depth = 0
    /// Whether the decoder is decoding instances that earlier elements may refer to.
    var isFinishingEarlier = false
    /// Whether this is a trial decoding beside the real one, which only determines the values that hashes depend on. In
    /// it, waiting values are not set, and collections have one element.
    var isTrial = false
    /// The current attempt to decode a waiting value; nil if there is none.
    fileprivate var attempt: Attempt?

    /// The stages at which elements of a waiting value may be hashed.
    fileprivate enum Stage {
        /// Not yet: values without elements to be hashed are set first.
        case early
        /// Now, except elements that belong to instances inside, which may wait as well.
        case last
        /// Always.
        case always
    }

    /// The decoding of a waiting value.
    fileprivate struct Attempt {
        /// The number of enclosing instances in progress.
        let level: Int
        let stage: Stage
        /// Whether the value has elements that must not be hashed yet.
        var isTooEarly = false
        /// Functions that compute the current hashes of its elements.
        var hashes: [() -> Int] = []
    }

    /// Whether the value in progress will be hashed.
    var isHashing: Bool { depth > 0 }

    /// Records a reference to an instance in progress.
    func noteOpenReference(to index: InstanceTable.Index) {
        if depth > 0 { openReferences.append(index) }
    }

    /// Records an instance, or a value, that was decoded earlier. The instances that it refers to may be incomplete.
    @inline(__always)
    func noteEarlierInstance() {
        if depth > 0 { hasEarlierInstances = true }
    }

    /// Whether the waiting value in progress has to be decoded later.
    var isTooEarly: Bool { attempt?.isTooEarly ?? false }

    /// Whether the hashes of elements are compared with later ones.
    var isRecording: Bool { attempt.map { $0.stage != .early } ?? false }

    /// Records a function that computes the hashes of elements.
    func record(_ hashes: @escaping () -> Int) { attempt?.hashes.append(hashes) }

    /// The state before the elements of a set, or the keys of a dictionary.
    struct Scope {
        fileprivate let openReferenceCount: Int
        fileprivate let hadEarlierInstances: Bool
    }

    /// Begins with elements or keys. Their state does not include that of the outer elements.
    func begin() -> Scope {
        let scope = Scope(openReferenceCount: openReferences.count, hadEarlierInstances: hasEarlierInstances)
        depth += 1
        hasEarlierInstances = false
        return scope
    }
}

/// A waiting value has elements that must not be hashed yet.
private struct TooEarly: Error {}

// MARK: - Elements

extension GraphReading {
    /// Returns the elements that `body` decodes, after everything that their hashes may depend on is complete.
    ///
    /// - Parameters:
    ///   - path: The coding path of the collection.
    ///   - check: Throws if the stack has no space for other instances.
    /// - Throws: Also a `CycleReference` if the elements refer to an instance in progress.
    func resolved<Result>(
        at path: () -> CodingPathTable.Index, check: () throws -> Void, _ body: () throws -> Result
    ) throws -> Result {
        let (work, values) = (awaited.count, awaited.hashed.count)
        let scope = hashed.begin()
        let result: Result
        do {
            result = try body()
            if awaited.count > work {
                try check()
                try finishWork(after: work)
            }
            try finishOthers(after: values, at: path)
            if mayHaveOpenElements {
                try check()
                finishEarlierInstances()
            }
        } catch {
            _ = endHashed(scope)
            throw error
        }
        // The hash of an instance may depend on further instances. A reference from those to an instance in progress is
        // still open.
        if let open = endHashed(scope) { throw cycle(to: open, at: path()) }
        return result
    }

    /// Sets the waiting values after the first `mark` ones, on which the hashes of the elements may depend.
    ///
    /// - Throws: An error if the elements belong to a waiting value and cannot be hashed in this attempt.
    private func finishOthers(after mark: Int, at path: () -> CodingPathTable.Index) throws {
        let hasOthers = awaited.hashed.count > mark
        guard let attempt = hashed.attempt, attempt.stage != .always, hasOthers || hashed.hasEarlierInstances else {
            return try finishHashed(after: mark)
        }
        // Elements that belong to an instance inside the value wait until that is complete.
        if attempt.level < instances.inProgressCount, let owner = instances.innermost {
            throw cycle(to: owner, at: path())
        }
        guard attempt.stage == .early else { return try finishHashed(after: mark) }
        hashed.attempt?.isTooEarly = true
        throw TooEarly()
    }

    /// Whether elements of a single set or dictionary, not nested in another, may have been decoded earlier and refer
    /// to incomplete instances.
    private var mayHaveOpenElements: Bool {
        hashed.depth == 1 && hashed.hasEarlierInstances && !hashed.isFinishingEarlier && awaited.hasUntried
    }

    /// The first incomplete instance that references since the beginning of `scope` refer to; nil if all are complete.
    private func endHashed(_ scope: HashedElements.Scope) -> InstanceTable.Index? {
        hashed.depth -= 1
        let openReferences = hashed.openReferences.removeAll(from: scope.openReferenceCount)
        let hadEarlierInstances = hashed.hasEarlierInstances
        hashed.hasEarlierInstances = hashed.depth > 0 && (hadEarlierInstances || scope.hadEarlierInstances)
        if hadEarlierInstances, let index = instances.firstAwaitedInProgress { return index }
        return openReferences.first { instances.isInProgress($0) }
    }

    /// Decodes the instances that were requested before the elements to be hashed, since an element that was decoded
    /// earlier may refer to them. Instances that cannot be decoded yet are left for later.
    func finishEarlierInstances() {
        hashed.isFinishingEarlier = true
        defer { hashed.isFinishingEarlier = false }
        var tried: [AwaitedWork.Item] = []
        while let item = awaited.popLast(after: awaited.settledCount) {
            switch item {
            case .awaited(let reader, let uid, let path), .needed(let reader, let uid, let path):
                if case .awaited = item, !isWanted(uid, reader) { continue }
                let mark = awaited.count
                do {
                    try makeUnknown(uid, reader, path)
                } catch {
                    dismiss(error)
                    while let left = awaited.popLast(after: mark) { tried.append(left) }
                    tried.append(item)
                }
            case .backReference, .unprepared, .prepared: tried.append(item)
            }
        }
        awaited.putBack(tried)
    }
}

// MARK: - Waiting values with elements

extension GraphReading {
    /// Decodes the waiting value `number`, or lets it wait: for another instance that it refers back to or, if it has
    /// elements to be hashed, for all values without such elements.
    func finish(_ number: WaitingValues.Number) throws {
        guard !hashed.isTrial, let value = awaited.values[number] else { return }
        do {
            let (target, _) = try attempt(value, .early)
            finish(value, target)
        } catch is TooEarly {
            awaited.hashed.append(number)
        }
    }

    private func finish(_ value: WaitingValue, _ target: InstanceTable.Index?) {
        if let target {
            instances.wait(for: target, value)
        } else {
            awaited.values.remove(value)
        }
    }

    /// Decodes `value`.
    ///
    /// - Returns: The instance that it has to wait for, and functions that compute the hashes of its elements.
    /// - Throws: `TooEarly` if it has elements that must not be hashed yet.
    private func attempt(
        _ value: WaitingValue, _ stage: HashedElements.Stage
    ) throws -> (target: InstanceTable.Index?, hashes: [() -> Int]) {
        let outer = hashed.attempt
        hashed.attempt = HashedElements.Attempt(level: instances.inProgressCount, stage: stage)
        let result = Result { try value.finish() }
        let attempt = hashed.attempt
        hashed.attempt = outer
        if attempt?.isTooEarly ?? false { throw TooEarly() }
        do {
            return (try result.get(), attempt?.hashes ?? [])
        } catch {
            // The elements of an instance inside that have to be hashed cannot wait either.
            guard CycleReference(in: error) != nil, stage != .always else { throw error }
            dismiss(error)
            if stage == .early { throw TooEarly() }
            return try self.attempt(value, .always)
        }
    }

    /// Decodes the waiting value `number`, a declared field with elements to be hashed, before code of the program gets its owner.
    /// The hashes are compared with later ones at the end.
    func setHashed(_ number: WaitingValues.Number) throws {
        guard let value = awaited.values[number] else { return }
        let (target, hashes) = try unfilled.readingHashed(inside: instances.inProgressCount) {
            let result = try attempt(value, .last)
            value.hashes = result.hashes
            if result.target == nil, !result.hashes.isEmpty, try value.isHashedByItself() == true {
                throw value.circularHash()
            }
            return result
        }
        if target == nil, !hashes.isEmpty {
            awaited.hashed.append(number)
        } else {
            finish(value, target)
        }
    }

    /// Decodes the waiting values with elements to be hashed, except the first `mark` ones. All other values are set.
    ///
    /// The hashes of a value's elements may depend on another value. It is an error if they depend on the value itself:
    /// no order is right for it. The others are decoded again until no hash changes. This terminates, since none of
    /// them depends on itself.
    func finishHashed(after mark: Int = 0) throws {
        guard awaited.hashed.count > mark, unfilled.current == 0 else { return }
        if awaited.hasUntried { finishEarlierInstances() }
        let numbers = awaited.hashed.removeAll(from: mark)
        var values: [WaitingValue] = []
        var isKnown = true
        for number in numbers {
            guard let value = awaited.values[number] else { continue }
            if !value.hashes.isEmpty, value.hash() == value.knownHash {
                finish(value, nil)
                values.append(value)
                continue
            }
            let (target, hashes) = try attempt(value, .last)
            finish(value, target)
            guard target == nil, !hashes.isEmpty else { continue }
            value.hashes = hashes
            switch try value.isHashedByItself() {
            case true?: throw value.circularHash()
            case false?: break
            case nil: isKnown = false
            }
            values.append(value)
        }
        // Hashing a value that may depend on itself might not terminate.
        guard values.count > 1, isKnown else { return }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for value in values where value.hash() != value.knownHash {
                value.hashes = try attempt(value, .last).hashes
                value.knownHash = value.hash()
                hasChanged = true
            }
        }
    }
}
