/// What has to be done after an instance is complete.
struct FinishedInstance: BitwiseCopyable {
    /// The first of the values that have waited for it.
    var waiting: DeferredValues.Number
    /// The first of the values that it owns.
    var owned: DeferredValues.Number
    /// The first of the properties that get it.
    var waitingReferences: BackReference.Number
    /// The first of its own properties that get another instance later.
    var ownedReferences: BackReference.Number

    @inline(__always)
    var isEmpty: Bool { waiting | owned | waitingReferences | ownedReferences == 0 }
}

/// What is left of an instance that failed.
struct FailedInstance: BitwiseCopyable {
    var uid: UInt32
    /// Whether references wait for it.
    var isAwaited: Bool
    /// Whether others have it although it failed.
    var wasHandedOut: Bool
    /// The first of the values that have waited for it.
    var waiting: DeferredValues.Number
    /// The first of the properties that were to get it.
    var waitingReferences: BackReference.Number
}
