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
    /// - Returns: The work that remains now that the instance is complete.
    @inline(__always)
    func complete(_ index: Index, with object: consuming AnyObject, isReplacement: Bool = false) -> FinishedInstance {
        let progress = inProgress.removeLast()
        assert(
            progress.index == index, "Instances are completed in the order opposite to that in which they were begun")
        var entry = entries[Int(index) &- 1]
        if let awaited = takeAwaited(entry) {
            entry.awaited = 0
            awaited.fulfil(object)
            lateReferences.append(awaited)
        }
        if progress.isPublished {
            require(
                removePublished() === object || isReplacement,
                "An initializer published an instance other than its own")
        }
        entries[Int(index) &- 1] = completed(entry, with: object)
        return FinishedInstance(
            waiting: progress.waiting, owned: progress.owned, waitingReferences: progress.waitingReferences,
            ownedReferences: progress.ownedReferences)
    }

    /// Enters `object` as the instance of the object `uid`, before its declared fields are set.
    ///
    /// - Parameter entry: The index from its `unknown` state.
    @inline(__always)
    func enter(unfilled object: AnyObject, _ uid: UInt32, as type: any Any.Type, _ entry: Index) -> Index {
        let index = entry != 0 ? entry : addIndex(uid, type)
        var entry = entries[Int(index) &- 1]
        if let awaited = takeAwaited(entry) {
            entry.awaited = 0
            awaited.fulfil(object)
            lateReferences.append(awaited)
        }
        entries[Int(index) &- 1] = completed(entry, with: object)
        return index
    }

    /// Records that the decoding of an object failed. It may be requested again.
    func abandon(_ index: Index) -> FailedInstance {
        let progress = inProgress.removeLast()
        assert(progress.index == index, "Instances are given up in the order opposite to that in which they were begun")
        entries[Int(index) - 1].progress = 0
        if progress.isPublished, let published = removePublished(), progress.isHandedOut { keepAbandoned(published) }
        return FailedInstance(
            uid: progress.uid, isAwaited: entry(index).awaited != 0, wasHandedOut: progress.isHandedOut,
            waiting: progress.waiting, waitingReferences: progress.waitingReferences)
    }
}

// MARK: - Instances in progress

extension InstanceTable {
    func place(_ index: Index) -> Int { Int(entry(index).progress) - 1 }

    /// The number of instances in progress, each nested in the previous one.
    var inProgressCount: Int { inProgress.count }

    /// The innermost instance in progress.
    var innermost: Index? { inProgress.count > 0 ? inProgress[inProgress.count - 1].index : nil }

    /// The first instance in progress that references, or waiting values, wait for; nil if there is none.
    var firstAwaitedInProgress: Index? {
        for place in 0..<inProgress.count where isAwaited(inProgress[place]) { return inProgress[place].index }
        return nil
    }

    private func isAwaited(_ progress: Progress) -> Bool {
        progress.waiting | progress.waitingReferences != 0 || entry(progress.index).awaited != 0
    }

    /// Returns whether references wait for the instance in progress with the entry `index`.
    func isAwaited(_ index: Index) -> Bool { isAwaited(inProgress[place(index)]) }

    /// Returns whether the instance with the entry `index` is in progress and has not published itself.
    func isUnpublished(_ index: Index) -> Bool { isInProgress(index) && !inProgress[place(index)].isPublished }

    func isInProgress(_ index: Index) -> Bool {
        if case .inProgress = state(index) { return true }
        return false
    }

    /// Returns whether other objects have the instance in progress with the entry `index`, which has published itself.
    func isHandedOut(_ index: Index) -> Bool { inProgress[place(index)].isHandedOut }

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

    /// Makes `value` owned by the instance in progress with the entry `index` when that is complete.
    func own(_ index: Index, _ value: WaitingValue) {
        let place = place(index)
        value.nextOwned = inProgress[place].owned
        inProgress[place].owned = value.number
    }

    /// The first of the values that the instance in progress with the entry `index` will own.
    func firstOwned(_ index: Index) -> WaitingValues.Number { inProgress[place(index)].owned }

    /// Lets a property of the instance `owner` get the instance `target` when that is complete. Both are entries of
    /// instances in progress.
    ///
    /// - Parameters:
    ///   - field: The key of the property.
    ///   - reader: The reader of the owner.
    ///   - path: The coding path of the reference.
    /// - Returns: Whether the property was registered. A key can get one instance only.
    func refer(
        from owner: Index, back target: Index, _ field: DecodedField, _ reader: InstanceReader,
        path: () -> CodingPathTable.Index
    ) -> Bool {
        if isReferring(owner, field) { return false }
        let (ownerProgress, targetProgress) = (inProgress[place(owner)], inProgress[place(target)])
        let number = append(
            BackReference(
                owner: owner, ownerUID: ownerProgress.uid, target: target, targetUID: targetProgress.uid,
                field: referringFields.number(of: field, reader), path: path(),
                nextOwned: ownerProgress.ownedReferences,
                nextWaiting: targetProgress.waitingReferences))
        inProgress[place(owner)].ownedReferences = number
        inProgress[place(target)].waitingReferences = number
        return true
    }

    /// Returns whether a property for `field` of the instance in progress with the entry `owner` gets an instance
    /// later.
    func isReferring(_ owner: Index, _ field: DecodedField) -> Bool {
        var number = inProgress[place(owner)].ownedReferences
        while let reference = backReference(number) {
            if referringFields.has(field, at: reference.field) { return true }
            number = reference.nextOwned
        }
        return false
    }

    /// Lets a property wait for an instance that is being decoded again.
    func waitAgain(_ reference: BackReference) {
        let place = place(reference.target)
        var reference = reference
        reference.nextOwned = 0
        reference.nextWaiting = inProgress[place].waitingReferences
        inProgress[place].waitingReferences = append(reference)
    }

    /// Records that the decoder has set a property of the complete instance of the object `uid` as `type`.
    func noteSet(_ property: StoredProperty, of uid: UInt32, as type: any Any.Type) {
        let owner = index(uid, type)
        if completeInstance(owner) != nil { lateReferences.append(property, of: owner) }
    }

    /// Clears the property of a reference, if it still has the target.
    func clear(_ reference: BackReference) {
        guard reference.filled != 0, let owner = completeInstance(reference.owner),
            let target = completeInstance(reference.target)
        else { return }
        let property = self.field(of: reference).candidates[Int(reference.filled) - 1]
        if property.ownership == .strong, property.object(in: owner) === target { property.setObject(nil, in: owner) }
    }
}
