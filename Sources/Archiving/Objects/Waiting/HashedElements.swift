/// State while the elements of a set, or the keys of a dictionary, are decoded. They are hashed when they are complete,
/// and their hashes may depend on referenced instances.
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
    enum Stage {
        /// Not yet: values without elements to be hashed are set first.
        case early
        /// Now, except elements that belong to instances inside, which may wait as well.
        case last
        /// Always.
        case always
    }

    /// The reason why elements are not hashed yet.
    enum Obstacle {
        /// There are other values that their hashes may depend on.
        case stage
        /// They belong to an instance inside, and wait until it is complete.
        case owner(InstanceTable.Index)
    }

    /// The decoding of a waiting value.
    struct Attempt {
        /// The number of enclosing instances in progress.
        fileprivate let level: Int
        fileprivate let stage: Stage
        /// Whether the value has elements that must not be hashed yet.
        fileprivate(set) var isTooEarly = false
        /// Functions that compute the current hashes of its elements.
        fileprivate(set) var hashes: [() -> Int] = []
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

extension GraphReading {
    /// Begins with a waiting value.
    ///
    /// - Returns: The outer attempt.
    func beginAttempt(_ stage: HashedElements.Stage) -> HashedElements.Attempt? {
        let outer = hashed.attempt
        hashed.attempt = HashedElements.Attempt(level: instances.inProgressCount, stage: stage)
        return outer
    }

    /// Ends with a waiting value, and continues with `outer`.
    func endAttempt(_ outer: HashedElements.Attempt?) -> HashedElements.Attempt? {
        defer { hashed.attempt = outer }
        return hashed.attempt
    }

    /// The obstacle to hashing elements that were decoded earlier, while a waiting value is decoded; nil if there is
    /// none.
    ///
    /// - Parameter hasOthers: Whether the instances that the elements refer to have waiting values with elements to be
    ///   hashed.
    func obstacleToHashing(hasOthers: Bool) -> HashedElements.Obstacle? {
        guard let attempt = hashed.attempt, attempt.stage != .always, hasOthers || hashed.hasEarlierInstances else {
            return nil
        }
        if attempt.level < instances.inProgressCount { return instances.innermost.map { .owner($0) } }
        guard attempt.stage == .early else { return nil }
        hashed.attempt?.isTooEarly = true
        return .stage
    }

    /// Whether elements of a single set or dictionary, not nested in another, may have been decoded earlier and refer
    /// to incomplete instances.
    var mayHaveOpenElements: Bool {
        hashed.depth == 1 && hashed.hasEarlierInstances && !hashed.isFinishingEarlier && awaited.hasUntried
    }

    /// The first incomplete instance that references since the beginning of `scope` refer to; nil if all are complete.
    func endHashed(_ scope: HashedElements.Scope) -> InstanceTable.Index? {
        hashed.depth -= 1
        let openReferences = hashed.openReferences.removeAll(from: scope.openReferenceCount)
        let hadEarlierInstances = hashed.hasEarlierInstances
        hashed.hasEarlierInstances = hashed.depth > 0 && (hadEarlierInstances || scope.hadEarlierInstances)
        if hadEarlierInstances, let index = instances.firstAwaitedInProgress { return index }
        return openReferences.first { instances.isInProgress($0) }
    }
}
