// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension DecodingSession {
    /// Ends the decoding: creates the instances that references have requested, makes the waiting sets, and sets weak references to
    /// existing instances.
    ///
    /// - Throws: Also an error that failed the whole decoding earlier, even if the program caught it.
    @inline(never)
    func finish() throws {
        if awaited.hasWork || hasLeftOver { try finishWork() }
        if hasFailed, let failure { throw failure }
        try awaited.finishConditional()
        try checkCycles()
        fulfilWeakReferences()
        try checkSets()
        foreign?.link(instances)
        if !unfilled.isEmpty { try finishFilled() }
    }

    /// Decodes all requested instances and values, and those that they request.
    private func finishWork() throws {
        repeat {
            try finishWork(after: 0, 0, isEnd: true)
            finishLeftOver()
        } while awaited.count > 0 || !awaited.sets.isEmpty
        try checkFailures()
    }

    /// Decodes all items that were added after the first `mark` items, and those that they request. Makes the waiting sets after the
    /// first `setMark`.
    ///
    /// - Parameter isEnd: Whether no other decoding is in progress, so that an instance that cannot be decoded is tried
    ///   once.
    func finishWork(after mark: Int, _ setMark: Int, isEnd: Bool = false) throws {
        repeat {
            while let item = awaited.popLast(after: mark) {
                switch item {
                case .awaited(let reader, let uid, let path):
                    try make(uid, reader, path, isEnd: isEnd)
                case .needed(let reader, let uid, let path):
                    try makeUnknown(uid, reader, path)
                case .unprepared(let number):
                    guard let value = awaited.values[number] else { continue }
                    awaited.append(.prepared(number))
                    try value.prepare()
                case .prepared(let number):
                    try finish(number)
                }
            }
            try finishSets(after: setMark)
        } while awaited.count > mark
    }

    func isWanted(_ uid: UInt32, _ reader: DecodingType) -> Bool {
        instances.isWanted(uid, as: reader.identity)
    }

    /// Decodes the instance of the object `uid`, unless it is complete or in progress.
    func makeUnknown(_ uid: UInt32, _ reader: DecodingType, _ path: CodingPathTable.Index) throws {
        if case .unknown = instances.state(uid, as: reader.identity) { try reader.make(uid, at: path) }
    }

    /// Decodes the instance of the object `uid` if references still wait for it.
    private func make(
        _ uid: UInt32, _ reader: DecodingType, _ path: CodingPathTable.Index, isEnd: Bool
    ) throws {
        guard instances.isWanted(uid, as: reader.identity) else { return }
        do {
            try reader.make(uid, at: path)
        } catch {
            guard isEnd else { throw error }
            // A single later check determines which of the failed instances are still needed.
            awaited.removeLast(uid, of: reader)
            awaited.failures.append(.init(error: error) { [instances] in instances.isWanted(uid, as: reader.identity) })
        }
    }

    /// Sets the waiting value `number`, or lets it wait for another instance. Sets come after all instances.
    func finish(_ number: WaitingValues.Number) throws {
        guard let value = awaited.values[number] else { return }
        if value.isHashed {
            awaited.sets.append(number)
        } else {
            try finish(value)
        }
    }

    /// Sets `value`, or lets it wait for another instance in progress.
    func finish(_ value: WaitingValue) throws {
        if let target = try value.finish() {
            instances.wait(for: target, value)
        } else if !value.isNeededLater {
            awaited.values.remove(value)
        }
    }

    /// Sets the values that waited for instances which have failed, and were not decoded since.
    private func finishLeftOver() {
        for number in takeLeftOver() {
            guard let value = awaited.values[number] else { continue }
            do {
                if let target = try value.finish() { instances.wait(for: target, value) }
            } catch {
                awaited.failures.append(.init(error: error) { value.isWanted })
            }
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
            if failure.isWanted() { throw failure.error }
            dismiss(failure.error)
        }
    }

    /// Releases the complete instances that only the table retains, and the instances that only those retain.
    ///
    /// The release of an instance can leave others unretained: instances in plain properties were completed before it,
    /// and instances behind references usually after it. So one pass in each direction is enough, unless chains of both
    /// kinds are mixed. Each pass counts as work.
    private func releaseUnheld() throws {
        awaited.values.forEach(after: 0) { $0.observe() }
        var places = instances.completePlaces()
        var count: Int
        repeat {
            count = places.count
            do throws(KeyedArchiveError) {
                try countWork(count)
            } catch {
                throw ArchivingError.damaged(error, path: [])
            }
            places.reverse()
            instances.releaseUnheld(at: &places)
        } while places.count < count
    }

    /// Sets the weak references whose instances are complete. The others keep waiting.
    private func fulfilWeakReferences() {
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
