// MARK: - Decoding

extension InstanceTable {
    /// Records that the object `uid` is being decoded as `type`.
    ///
    /// - Parameter entry: The index from its `unknown` state.
    mutating func begin(_ uid: UInt32, as type: UnsafeRawPointer, _ entry: Index) -> Index {
        let index = entry != 0 ? entry : addIndex(uid, type)
        inProgress.append(Progress(index: index, uid: uid))
        entries[Int(index) &- 1].progress = UInt32(truncatingIfNeeded: inProgress.count)
        return index
    }

    /// Enters the instance of an object, and takes ownership of one reference to it.
    ///
    /// - Parameter isReplacement: Whether it replaces the instance that its initializer created, which no other object
    ///   has.
    /// - Returns: The work that remains now that the instance is complete.
    @inline(__always)
    mutating func complete(
        _ index: Index, with object: UnsafeRawPointer, isReplacement: Bool = false
    ) -> FinishedInstance {
        let progress = inProgress.removeLast()
        assert(
            progress.index == index, "Instances are completed in the order opposite to that in which they were begun")
        let place = Int(index) &- 1
        if let awaited = entries[place].object {
            Unmanaged<AwaitedInstance>.fromOpaque(awaited)._withUnsafeGuaranteedRef { $0.fulfil(object) }
            // With the table's own reference to it.
            lateReferences.append(retained: awaited)
        }
        entries[place].object = object
        entries[place].progress = Entry.complete | UInt32(truncatingIfNeeded: completionCount)
        completionCount &+= 1
        if let published = progress.published {
            require(
                published == object || isReplacement, "An initializer published an instance other than its own"
            )
            Unmanaged<AnyObject>.fromOpaque(published).release()
        }
        return FinishedInstance(
            waiting: progress.waiting, owned: progress.owned, waitingReferences: progress.waitingReferences,
            ownedReferences: progress.ownedReferences)
    }

    /// Records that the decoding of an object failed. It may be requested again.
    mutating func abandon(_ index: Index) -> FailedInstance {
        let progress = inProgress.removeLast()
        assert(progress.index == index, "Instances are given up in the order opposite to that in which they were begun")
        entries[Int(index) - 1].progress = 0
        if let published = progress.published {
            if progress.isHandedOut {
                keepAbandoned(published)
            } else {
                Unmanaged<AnyObject>.fromOpaque(published).release()
            }
        }
        return FailedInstance(
            uid: progress.uid, isAwaited: entries[Int(index) - 1].object != nil, wasHandedOut: progress.isHandedOut,
            waiting: progress.waiting, waitingReferences: progress.waitingReferences)
    }
}

// MARK: - Instances in progress

extension InstanceTable {
    private func place(_ index: Index) -> Int { Int(entries[Int(index) - 1].progress) - 1 }

    /// The number of instances in progress, each nested in the previous one.
    var inProgressCount: Int { inProgress.count }

    /// The innermost instance in progress.
    var innermost: Index? { inProgress.count > 0 ? inProgress[inProgress.count - 1].index : nil }

    /// The first instance in progress that references, or waiting values, wait for; nil if there is none.
    var firstAwaitedInProgress: Index? {
        for place in 0..<inProgress.count {
            let progress = inProgress[place]
            if progress.waiting | progress.waitingReferences != 0 || entries[Int(progress.index) - 1].object != nil {
                return progress.index
            }
        }
        return nil
    }

    /// Returns whether the instance with the entry `index` is in progress and has not published itself.
    func isUnpublished(_ index: Index) -> Bool {
        isInProgress(index) && inProgress[place(index)].published == nil
    }

    func isInProgress(_ index: Index) -> Bool {
        if case .inProgress = state(index) { return true }
        return false
    }

    /// Returns whether other objects have the instance in progress with the entry `index`, which has published itself.
    func isHandedOut(_ index: Index) -> Bool { inProgress[place(index)].isHandedOut }

    /// Returns whether references wait for the instance in progress with the entry `index`.
    func isAwaited(_ index: Index) -> Bool {
        let progress = inProgress[place(index)]
        return entries[Int(index) - 1].object != nil || progress.waiting | progress.waitingReferences != 0
    }

    /// The uid and type of the instance in progress with the entry `index`.
    func object(_ index: Index) -> (uid: UInt32, type: any Any.Type) {
        // Types are identified by the addresses of their metatypes.
        (inProgress[place(index)].uid, TypeAddress.type(at: entries[Int(index) - 1].type))
    }

    /// Publishes `object`: references back to the object `uid`, the innermost one in progress, resolve to it.
    mutating func publish(_ object: AnyObject, as uid: UInt32) {
        let place = inProgress.count - 1
        guard place >= 0, inProgress[place].uid == uid, inProgress[place].published == nil else { return }
        inProgress[place].published = UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
    }

    /// The published instance of the entry `index`, for a reference back to it; nil if there is none.
    mutating func takePublished(_ index: Index) -> UnsafeRawPointer? {
        let place = place(index)
        guard let published = inProgress[place].published else { return nil }
        inProgress[place].isHandedOut = true
        return published
    }

    /// A shared state of references that have the published instance at `object`.
    mutating func reference(to object: UnsafeRawPointer) -> AwaitedInstance {
        let made = AwaitedInstance()
        made.fulfil(object)
        lateReferences.append(made)
        return made
    }

    /// Lets `value` wait for the instance in progress with the entry `index`.
    mutating func wait(for index: Index, _ value: WaitingValue) {
        let place = place(index)
        value.nextWaiting = inProgress[place].waiting
        inProgress[place].waiting = value.number
    }

    /// Makes `value` owned by the instance in progress with the entry `index` when that is complete.
    mutating func own(_ index: Index, _ value: WaitingValue) {
        let place = place(index)
        value.nextOwned = inProgress[place].owned
        inProgress[place].owned = value.number
    }

    /// Lets a property of the instance `owner` get the instance `target` when that is complete. Both are entries of
    /// instances in progress.
    ///
    /// - Parameters:
    ///   - field: The key of the property.
    ///   - reader: The reader of the owner.
    ///   - path: The coding path of the reference.
    /// - Returns: Whether the property was registered. A key can get one instance only.
    mutating func refer(
        from owner: Index, back target: Index, _ field: Unmanaged<DecodedField>, _ reader: Unmanaged<InstanceReader>,
        path: () -> CodingPathTable.Index
    ) -> Bool {
        if isReferring(owner, field) { return false }
        let (ownerProgress, targetProgress) = (inProgress[self.place(owner)], inProgress[self.place(target)])
        let number = append(
            BackReference(
                owner: owner, ownerUID: ownerProgress.uid, target: target, targetUID: targetProgress.uid, field: field,
                reader: reader, path: path(), nextOwned: ownerProgress.ownedReferences,
                nextWaiting: targetProgress.waitingReferences))
        inProgress[self.place(owner)].ownedReferences = number
        inProgress[self.place(target)].waitingReferences = number
        return true
    }

    /// Returns whether a property for `field` of the instance in progress with the entry `owner` gets an instance
    /// later.
    func isReferring(_ owner: Index, _ field: Unmanaged<DecodedField>) -> Bool {
        var number = inProgress[self.place(owner)].ownedReferences
        while let reference = backReference(number) {
            if reference.field.toOpaque() == field.toOpaque() { return true }
            number = reference.nextOwned
        }
        return false
    }

    /// The first of the values that the instance in progress with the entry `index` will own.
    func firstOwned(_ index: Index) -> WaitingValues.Number { inProgress[place(index)].owned }

    /// Lets a property wait for an instance that is being decoded again.
    mutating func waitAgain(_ reference: BackReference) {
        let place = place(reference.target)
        var reference = reference
        reference.nextOwned = 0
        reference.nextWaiting = inProgress[place].waitingReferences
        inProgress[place].waitingReferences = append(reference)
    }

    private mutating func append(_ reference: BackReference) -> BackReference.Number {
        backReferences.append(reference)
        return BackReference.Number(truncatingIfNeeded: backReferences.count)
    }

    /// The reference with the number `number`; nil for 0.
    func backReference(_ number: BackReference.Number) -> BackReference? {
        number == 0 ? nil : backReferences[Int(number) - 1]
    }

    /// The instance with the entry `index`; nil if it is not complete.
    func completeInstance(_ index: Index) -> UnsafeRawPointer? {
        if case .complete(let object) = state(index) { return object }
        return nil
    }

    /// Records that the decoder has set a property of the complete instance of the object `uid` as `type`.
    mutating func noteSet(_ property: StoredProperty, of uid: UInt32, as type: UnsafeRawPointer) {
        let owner = index(uid, type)
        if completeInstance(owner) != nil { lateReferences.append(property, of: owner) }
    }

    /// Records the candidate of the reference `number` that has the target.
    mutating func noteFilled(_ number: BackReference.Number, _ candidate: Int) {
        backReferences[Int(number) - 1].filled = UInt32(truncatingIfNeeded: candidate + 1)
    }

    /// Clears the property of a reference, if it still has the target.
    func clear(_ reference: BackReference) {
        guard reference.filled != 0, let owner = completeInstance(reference.owner),
            let target = completeInstance(reference.target)
        else { return }
        reference.field._withUnsafeGuaranteedRef { field in
            let property = field.candidates[Int(reference.filled) - 1]
            let instance = Unmanaged<AnyObject>.fromOpaque(owner).takeUnretainedValue()
            guard property.ownership == .strong, let object = property.object(in: instance),
                UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()) == target
            else { return }
            property.set(nil, in: instance)
        }
    }

    /// Releases the complete instances at `places` that only this table retains, and forgets their places. Instances
    /// that only such an instance retains are released too, if their places come later.
    mutating func releaseUnheld(at places: inout [UInt32]) {
        lateReferences.observe()
        places.removeAll { place in
            guard let object = entries[Int(place)].object else { return true }
            return !isHeld(Int(place), object)
        }
    }

    /// The places of the complete instances, in the order of completion.
    func completePlaces() -> [UInt32] {
        let places = placesByCompletion()
        return Array(places.elements)
    }

    func placesByCompletion() -> PlainArray<UInt32> {
        var places = PlainArray<UInt32>()
        places.reserve(completionCount)
        places.advance(completionCount)
        let none = UInt32.max
        places.elements.update(repeating: none)
        for place in 0..<entries.count where entries[place].isComplete {
            places[Int(entries[place].progress - Entry.complete)] = UInt32(truncatingIfNeeded: place)
        }
        var count = 0
        for position in 0..<completionCount where places[position] != none {
            places[count] = places[position]
            count += 1
        }
        places.truncate(to: count)
        return places
    }

    /// Returns whether only this table retains the object at `place`.
    func isUnshared(_ place: Int) -> Bool {
        // In place: a copy of the reference would retain the object.
        withUnsafeMutablePointer(to: &entries.base[place].object) {
            isKnownUniquelyReferenced(&UnsafeMutableRawPointer($0).assumingMemoryBound(to: AnyObject.self).pointee)
        }
    }

    /// Returns whether an object outside this table retains the complete instance `object` at `place`. If none does,
    /// the table releases it.
    private mutating func isHeld(_ place: Int, _ object: UnsafeRawPointer) -> Bool {
        let reference = Unmanaged<AnyObject>.fromOpaque(object)
        weak let remaining: AnyObject? = reference.takeUnretainedValue()
        // The entry has no address of an instance that may be released.
        let progress = entries[place].progress
        entries[place].object = nil
        entries[place].progress = 0
        reference.release()
        guard let remaining else { return false }
        entries[place].object = UnsafeRawPointer(Unmanaged.passRetained(remaining).toOpaque())
        entries[place].progress = progress
        return true
    }

    /// Returns whether an object outside this table retains the complete instance `object` of the object `uid`. If none
    /// does, the table releases it.
    mutating func isHeld(_ uid: UInt32, _ object: UnsafeRawPointer) -> Bool {
        guard let first else { return false }
        var index = first[Int(uid)]
        while index != 0, entries[Int(index) - 1].object != object { index = entries[Int(index) - 1].next }
        guard index != 0, entries[Int(index) - 1].isComplete else { return true }
        lateReferences.observe()
        return isHeld(Int(index) - 1, object)
    }
}
