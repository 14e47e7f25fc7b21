// One instance out of an archive, under both coders: begun, read, complete or given up, and what has waited for it.

extension UnsafeMutablePointer<GraphReadingState> {
    /// Makes the instance of the object `uid`, enters it in the table of instances, and finishes what has waited for it.
    ///
    /// - Parameters:
    ///   - identity: The type that it is made as.
    ///   - entry: Its entry in the table, which says that its state is unknown; 0 if it has none yet.
    ///   - reader: What makes it again, if references can wait for it.
    ///   - path: Where the reference stands that it is made for.
    ///   - read: Makes the instance, which the caller owns, and says whether it is another one's replacement.
    ///   - check: Throws if there is no room to finish what has waited, or the instance has lost a property that it needs for
    ///     that. It is asked only if anything has waited.
    /// - Returns: The instance, which the table retains.
    @inline(__always)
    func makeInstance(
        _ uid: UInt32, as identity: UnsafeRawPointer, _ entry: InstanceTable.Index,
        by reader: Unmanaged<InstanceReader>?,
        at path: () -> CodingPathTable.Index,
        read: (InstanceTable.Index) throws -> (object: UnsafeRawPointer, isReplacement: Bool),
        check: (FinishedInstance, UnsafeRawPointer) throws -> Void
    ) throws -> UnsafeRawPointer {
        if pointee.open != nil, let known = earlierInstance(uid, as: identity, entry) { return known }
        let index = pointee.instances.begin(uid, as: identity, entry)
        let made: (object: UnsafeRawPointer, isReplacement: Bool)
        do {
            made = try read(index)
        } catch {
            throw giveUp(index, error, reader, path)
        }
        let finished = pointee.instances.complete(index, with: made.object, isReplacement: made.isReplacement)
        if pointee.open != nil { pointee.noteDecoded(made.object, uid, as: identity) }
        if !finished.isEmpty {
            try check(finished, made.object)
            try finish(finished, made.object)
        }
        return made.object
    }

    /// The instance of the object `uid` that another part of the archive has become before and that the program still has,
    /// entered in the table of instances.
    @inline(never)
    private func earlierInstance(
        _ uid: UInt32, as identity: UnsafeRawPointer, _ entry: InstanceTable.Index
    ) -> UnsafeRawPointer? {
        guard let known = pointee.open?.instance(uid, as: identity) else { return nil }
        let object = UnsafeRawPointer(Unmanaged.passRetained(known).toOpaque())
        // Nothing can have waited for one that was not begun but references, which get it here.
        _ = pointee.instances.complete(pointee.instances.begin(uid, as: identity, entry), with: object)
        return object
    }

    /// Takes note of an instance that failed with `error`.
    ///
    /// - Returns: What to throw.
    @inline(never)
    private func giveUp(
        _ index: InstanceTable.Index, _ error: any Error, _ reader: Unmanaged<InstanceReader>?,
        _ path: () -> CodingPathTable.Index
    ) -> any Error {
        let failed = pointee.instances.abandon(index)
        var error = error
        if var cycle = CycleReference(in: error) {
            pointee.noteBlocked(index, by: cycle)
            if reader != nil, cycle.target == index, cycle.targetPath == nil {
                cycle.targetPath = path()
                error = cycle.travelling(like: error)
            }
        }
        giveUp(failed, error, reader, path: path)
        return error
    }

    /// Finishes what an instance owns and what has waited for it.
    ///
    /// An error lets the whole decoding fail: the instance is known to others, and not what it should be.
    private func finish(_ finished: FinishedInstance, _ object: UnsafeRawPointer) throws {
        // Whoever asked for the instance has not got it yet, and wants it.
        let wanted = Unmanaged<AnyObject>.fromOpaque(object).retain()
        defer { wanted.release() }
        do {
            finishReferences(finished)
            var number = finished.owned
            while let value = pointee.awaited.deferred[number] {
                number = value.nextOwned
                try value.ownerIsComplete(object)
            }
            // In the order in which they were deferred; those with elements to be hashed come last.
            var waiting: [DeferredValues.Number] = []
            number = finished.waiting
            while let value = pointee.awaited.deferred[number] {
                waiting.append(number)
                number = value.nextWaiting
            }
            do {
                pointee.awaited.finishingDepth += 1
                defer { pointee.awaited.finishingDepth -= 1 }
                for number in waiting.reversed() { try finish(number) }
            }
            if pointee.awaited.finishingDepth == 0 { try finishHashed() }
        } catch {
            pointee.fail(error)
            throw error
        }
    }

    /// Fills the properties of the instance whose instances are complete, and those that have waited for it.
    private func finishReferences(_ finished: FinishedInstance) {
        var number = finished.ownedReferences
        while let reference = pointee.instances.backReference(number) {
            number = reference.nextOwned
            pointee.instances.fill(reference)
        }
        number = finished.waitingReferences
        while let reference = pointee.instances.backReference(number) {
            number = reference.nextWaiting
            pointee.instances.fill(reference)
        }
    }

    /// Takes note of what an instance that failed with `error` has left behind.
    ///
    /// - Parameters:
    ///   - reader: What makes the instance, if references can wait for it.
    ///   - path: Where the reference stands that it was made for.
    private func giveUp(
        _ failed: FailedInstance, _ error: any Error, _ reader: Unmanaged<InstanceReader>?,
        path: () -> CodingPathTable.Index
    ) {
        if failed.wasHandedOut { pointee.fail(error) }
        // What has waited for it tries again when everything else is there.
        var number = failed.waiting
        while let value = pointee.awaited.deferred[number] {
            number = value.nextWaiting
            value.isLeftOver = true
            pointee.awaited.append(.prepared(value.number))
        }
        if let reader {
            var number = failed.waitingReferences
            while let reference = pointee.instances.backReference(number) {
                pointee.awaited.append(.reference(reader, number, path: path()))
                number = reference.nextWaiting
            }
        }
        if failed.isAwaited, let reader { pointee.awaited.append(.awaited(reader, uid: failed.uid, path: path())) }
    }
}

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
