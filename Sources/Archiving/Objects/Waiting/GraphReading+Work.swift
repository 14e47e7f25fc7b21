// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension GraphReading {
    /// Ends the decoding: creates the instances that references have requested, and sets weak references to existing
    /// instances.
    ///
    /// - Throws: Also an error that failed the whole decoding earlier, even if the program caught it.
    @inline(never)
    func finish() throws {
        if !awaited.isUnused { try finishWork() }
        if hasFailed, let failure { throw failure }
        try awaited.finishConditional()
        try checkCycles()
        fulfilWeakReferences()
        foreign?.link(instances)
        if !unfilled.isEmpty { try finishFilled() }
    }

    /// Decodes all requested instances and values, and those that they request.
    func finishWork() throws {
        while awaited.count > 0 || !awaited.hashed.isEmpty {
            try finishWork(after: 0, isEnd: true)
            try finishHashed()
        }
        endReencoding()
        try checkFailures()
    }

    /// Decodes all items that were added after the first `mark` items, and those that they request.
    ///
    /// - Parameter isEnd: Whether no other decoding is in progress, so that an instance that cannot be decoded is tried
    ///   once.
    func finishWork(after mark: Int, isEnd: Bool = false) throws {
        while let item = awaited.popLast(after: mark) {
            switch item {
            case .awaited(let reader, let uid, let path):
                try make(uid, reader, path, isEnd: isEnd)
            case .needed(let reader, let uid, let path):
                try makeUnknown(uid, reader, path)
            case .backReference(let reader, let number, let path):
                try fill(number, reader, path)
            case .unprepared(let number):
                guard let value = awaited.values[number] else { continue }
                awaited.append(.prepared(number))
                try value.prepare()
            case .prepared(let number):
                try finish(number)
            }
        }
    }

    func isWanted(_ uid: UInt32, _ reader: InstanceReader) -> Bool {
        instances.isWanted(uid, as: reader.identity)
    }

    /// Decodes the instance of the object `uid`, unless it is complete or in progress.
    func makeUnknown(_ uid: UInt32, _ reader: InstanceReader, _ path: CodingPathTable.Index) throws {
        if case .unknown = instances.state(uid, as: reader.identity) { try reader.make(uid, at: path) }
    }

    /// Decodes the instance of the object `uid` if references still wait for it.
    private func make(
        _ uid: UInt32, _ reader: InstanceReader, _ path: CodingPathTable.Index, isEnd: Bool
    ) throws {
        guard instances.isWanted(uid, as: reader.identity) else { return }
        do {
            try reader.make(uid, at: path)
        } catch {
            guard isEnd else { throw error }
            // A single later check determines which of the failed instances are still needed.
            awaited.removeLast(uid, of: reader)
            awaited.failures.append(.init(uid: uid, type: reader.identity, error: error))
        }
    }

    /// Decodes the instance for the property of the reference `number`, which has failed before, if an object outside
    /// the table retains the owner.
    private func fill(_ number: BackReference.Number, _ reader: InstanceReader, _ path: CodingPathTable.Index) throws {
        endReencoding()
        guard let reference = instances.backReference(number),
            instances.completeInstance(reference.owner) != nil, instances.isHeld(reference.owner)
        else { return }
        try makeUnknown(reference.targetUID, reader, path)
        if instances.isInProgress(reference.target) {
            instances.waitAgain(reference)
        } else {
            try fill(number)
        }
    }

    /// Throws if references wait for an instance that could not be decoded.
    ///
    /// It is no error if only instances that the table alone retains wait for it: those of a part whose error the
    /// program has caught.
    private func checkFailures() throws {
        guard !awaited.failures.isEmpty else { return }
        let failures = awaited.failures.removeAll()
        try releaseUnheld()
        for failure in failures {
            if instances.isWanted(failure.uid, as: failure.type) { throw failure.error }
            dismiss(failure.error)
        }
    }

    /// Releases the complete instances that only the table retains, and the instances that only those retain.
    ///
    /// The release of an instance can leave others unretained: instances in plain properties were completed before it,
    /// and instances behind references usually after it. So one pass in each direction is enough, unless chains of both
    /// kinds are mixed. Each pass counts as work.
    private func releaseUnheld() throws {
        endReencoding()
        var places = instances.completePlaces()
        var count: Int
        repeat {
            count = places.count
            do throws(KeyedArchiveError) {
                try countWork(count)
            } catch {
                throw ReadingFailure.damaged(error, path: [])
            }
            places.reverse()
            instances.releaseUnheld(at: &places)
        } while places.count < count
    }

    /// Sets the weak references whose instances are complete. The others keep waiting.
    func fulfilWeakReferences() {
        awaited.removeWeakReferences { reference in
            if let open {
                reference.awaited.setOrigin(.init(open, reference.uid, as: reference.type))
            }
            guard let instance = completeInstance(reference.uid, as: reference.type) else { return false }
            // A replacement may have another class.
            if isSubclass(Swift.type(of: instance), of: reference.type) { reference.awaited.fulfil(instance) }
            return true
        }
    }

    /// The instance of the object `uid` as `type`, from this decoding or an earlier one; nil if there is none.
    private func completeInstance(_ uid: UInt32, as type: any Any.Type) -> AnyObject? {
        if case .complete(let object) = instances.state(uid, as: type) { return object }
        return open?.instance(uid, as: type)
    }
}
