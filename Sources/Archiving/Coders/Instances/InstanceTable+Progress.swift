// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Decoding

extension InstanceTable {
    /// Records that the object `uid` is being decoded as `type`.
    ///
    /// - Parameter entry: The index from its `unknown` state.
    @inline(__always)
    func begin(_ uid: UInt32, as type: any Any.Type, _ entry: Index) -> Index {
        let progress = UInt32(truncatingIfNeeded: inProgress.count &+ 1)
        let index = entry != 0 ? entry : addIndex(uid, type, progress: progress)
        if entry != 0 { entries[Int(entry) &- 1].progress = progress }
        inProgress.append(Progress(index: index, uid: uid))
        return index
    }

    /// Enters the instance of an object.
    ///
    /// - Parameter isReplacement: Whether it replaces the instance that its initializer created, which no other object
    ///   has.
    /// - Returns: The first of the values that waited for it.
    @inline(__always)
    @discardableResult
    func complete(
        _ index: Index, with object: consuming AnyObject, isReplacement: Bool = false
    ) -> WaitingValues.Number {
        let progress = inProgress.removeLast()
        assert(
            progress.index == index, "Instances are completed in the order opposite to that in which they were begun")
        if progress.publication != .none {
            require(
                removePublished() === object || isReplacement,
                "An initializer published an instance other than its own")
        }
        entries[Int(index) &- 1] = completed(entries[Int(index) &- 1], with: object)
        return progress.waiting
    }

    /// Enters `object` as the instance of the object `uid`, before its declared fields are set.
    ///
    /// - Parameter entry: The index from its `unknown` state.
    @inline(__always)
    func enter(unfilled object: AnyObject, _ uid: UInt32, as type: any Any.Type, _ entry: Index) -> Index {
        let index = entry != 0 ? entry : addIndex(uid, type)
        entries[Int(index) &- 1] = completed(entries[Int(index) &- 1], with: object)
        return index
    }

    /// Records that the decoding of an object failed. It may be requested again.
    ///
    /// - Returns: The state in which it was.
    func abandon(_ index: Index) -> Progress {
        let progress = inProgress.removeLast()
        assert(progress.index == index, "Instances are given up in the order opposite to that in which they were begun")
        entries[Int(index) - 1].progress = 0
        if progress.publication != .none, let published = removePublished(), progress.publication == .handedOut {
            abandoned.append(published)
        }
        return progress
    }
}

// MARK: - Instances in progress

extension InstanceTable {
    func place(_ index: Index) -> Int { Int(entry(index).progress) - 1 }
    /// The innermost instance in progress.
    var innermost: Index? { inProgress.count > 0 ? inProgress[inProgress.count - 1].index : nil }

    /// The first instance in progress that references, or waiting values, wait for; nil if there is none.
    var firstAwaitedInProgress: Index? {
        for place in 0..<inProgress.count where isAwaited(inProgress[place]) { return inProgress[place].index }
        return nil
    }

    private func isAwaited(_ progress: Progress) -> Bool { progress.waiting != 0 || entry(progress.index).awaited != 0 }
    /// Returns whether references wait for the instance in progress with the entry `index`.
    func isAwaited(_ index: Index) -> Bool { isAwaited(inProgress[place(index)]) }
    /// Returns whether the instance with the entry `index` is in progress and has not published itself.
    func isUnpublished(_ index: Index) -> Bool { isInProgress(index) && inProgress[place(index)].publication == .none }

    func isInProgress(_ index: Index) -> Bool {
        if case .inProgress = state(index) { return true }
        return false
    }

    /// Returns whether other objects have the instance in progress with the entry `index`, which has published itself.
    func isHandedOut(_ index: Index) -> Bool { inProgress[place(index)].publication == .handedOut }
    /// The uid and type of the instance in progress with the entry `index`.
    func object(_ index: Index) -> (uid: UInt32, type: any Any.Type) { (entry(index).uid, entry(index).type) }
    /// Whether the instance with the entry `index` is complete. It may have been released since.
    func isComplete(_ index: Index) -> Bool { index != 0 && entry(index).isComplete }

    /// The instance with the entry `index`; nil if it is not complete.
    func completeInstance(_ index: Index) -> AnyObject? {
        if case .complete(let object) = state(index) { return object }
        return nil
    }
}

// MARK: - What waits for an instance in progress

extension InstanceTable {
    /// Lets `value` wait for the instance in progress with the entry `index`.
    func wait(for index: Index, _ value: WaitingValue) {
        let place = place(index)
        value.nextWaiting = inProgress[place].waiting
        inProgress[place].waiting = value.number
    }
}
