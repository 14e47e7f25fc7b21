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

extension UnarchivingState {
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
