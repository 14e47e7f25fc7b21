/// What is known while the elements of a set, or the keys of a dictionary, are decoded: they are hashed when they are there,
/// and their hash may go by what their references lead to.
struct HashedElements: ~Copyable {
    /// Instances that are being decoded and that references inside the elements lead back to.
    fileprivate var openReferences = PlainArray<InstanceTable.Index>()
    /// Whether there are instances among the elements that were made before.
    fileprivate var hasEarlierInstances = false
    /// How many sets and dictionaries the value that is being decoded is an element or a key of.
    fileprivate var depth = 0
    /// Whether instances are being made that earlier elements may refer to.
    var isFinishingEarlier = false
    /// Whether this is a second decoding beside the real one, which only tries what hashes go by. Deferred values stay out
    /// of their places there, and collections have one element.
    var isTrial = false
    /// What is done at present with a deferred value; nil while none is decoded.
    fileprivate var attempt: Attempt?

    /// When elements of a deferred value may be hashed.
    enum Stage {
        /// Not yet: there are values without elements to be hashed, which are put into their places before.
        case early
        /// Now, but for what belongs to instances inside, which may be deferred as well.
        case last
        /// In any case.
        case always
    }

    /// Why elements are not hashed yet.
    enum Obstacle {
        /// There are other values, which their hashes may go by.
        case stage
        /// They belong to an instance inside, and are deferred until it is complete.
        case owner(InstanceTable.Index)
    }

    /// The decoding of a deferred value.
    struct Attempt {
        /// How many instances are in progress around it.
        fileprivate let level: Int
        fileprivate let stage: Stage
        /// Whether the value has elements to be hashed for which it is too early.
        fileprivate(set) var isTooEarly = false
        /// What computes the hashes of its elements anew.
        fileprivate(set) var hashes: [() -> Int] = []
    }

    /// Whether what is being decoded will be hashed.
    var isHashing: Bool { depth > 0 }

    /// Takes note of a reference to an instance that is still being decoded.
    mutating func noteOpenReference(to index: InstanceTable.Index) {
        if depth > 0 { openReferences.append(index) }
    }

    /// Takes note of an instance, or a value, that was made before. What it refers to need not be there yet.
    @inline(__always)
    mutating func noteEarlierInstance() {
        if depth > 0 { hasEarlierInstances = true }
    }

    /// Whether the deferred value that is being decoded has to be decoded later.
    var isTooEarly: Bool { attempt?.isTooEarly ?? false }

    /// Whether the hashes of elements are compared with later ones.
    var isRecording: Bool { attempt.map { $0.stage != .early } ?? false }

    /// Takes note of what computes the hashes of elements.
    mutating func record(_ hashes: @escaping () -> Int) { attempt?.hashes.append(hashes) }

    /// What was known when the elements of a set, or the keys of a dictionary, began.
    struct Scope {
        fileprivate let openReferenceCount: Int
        fileprivate let hadEarlierInstances: Bool
    }

    /// Begins with elements or keys. What those around them have is none of their business.
    mutating func begin() -> Scope {
        let scope = Scope(openReferenceCount: openReferences.count, hadEarlierInstances: hasEarlierInstances)
        depth += 1
        hasEarlierInstances = false
        return scope
    }
}

extension GraphReadingState {
    /// Begins with a deferred value.
    ///
    /// - Returns: What was done before.
    mutating func beginAttempt(_ stage: HashedElements.Stage) -> HashedElements.Attempt? {
        let outer = hashed.attempt
        hashed.attempt = HashedElements.Attempt(level: instances.inProgressCount, stage: stage)
        return outer
    }

    /// Ends with a deferred value, and goes on with `outer`.
    mutating func endAttempt(_ outer: HashedElements.Attempt?) -> HashedElements.Attempt? {
        defer { hashed.attempt = outer }
        return hashed.attempt
    }

    /// What keeps elements that were made before from being hashed while a deferred value is decoded; nil where nothing does.
    ///
    /// - Parameter hasOthers: Whether what the elements refer to has deferred values with elements to be hashed.
    mutating func obstacleToHashing(hasOthers: Bool) -> HashedElements.Obstacle? {
        guard let attempt = hashed.attempt, attempt.stage != .always, hasOthers || hashed.hasEarlierInstances else {
            return nil
        }
        if attempt.level < instances.inProgressCount { return instances.innermost.map { .owner($0) } }
        guard attempt.stage == .early else { return nil }
        hashed.attempt?.isTooEarly = true
        return .stage
    }

    /// Whether there may be elements, in one set or dictionary and none inside another, that were made before and refer to
    /// what is not there.
    var mayHaveOpenElements: Bool {
        hashed.depth == 1 && hashed.hasEarlierInstances && !hashed.isFinishingEarlier && awaited.hasUntried
    }

    /// The first instance that references since the beginning of `scope` lead to and that is not there yet; nil where all
    /// are.
    mutating func endHashed(_ scope: HashedElements.Scope) -> InstanceTable.Index? {
        hashed.depth -= 1
        defer {
            hashed.openReferences.truncate(to: scope.openReferenceCount)
            hashed.hasEarlierInstances =
                hashed.depth > 0 && (hashed.hasEarlierInstances || scope.hadEarlierInstances)
        }
        if hashed.hasEarlierInstances, let index = instances.firstAwaitedInProgress { return index }
        for place in scope.openReferenceCount..<hashed.openReferences.count {
            let index = hashed.openReferences[place]
            if instances.isInProgress(index) { return index }
        }
        return nil
    }
}
