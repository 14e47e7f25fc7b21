/// Decodes class instances. Each is created once.
extension ArchiveDecoding {
    /// Returns the object `uid`, which was found in the archive before.
    func object(_ uid: UInt32) throws -> ArchivedValue {
        do throws(KeyedArchiveError) {
            return try archive.object(uid)
        } catch {
            throw CodableErrors.damaged(error, path: path())
        }
    }

    @inline(__always)
    func decodeInstance<Value: Decodable>(
        _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>, from value: ArchivedValue,
        at step: CodingPathStep
    ) throws -> Value {
        guard value.uid != 0 || known.pointee.kind == .coding else {
            return try with(known, value, step) { try $0.value(type) }
        }
        return taken(try instance(known, value, at: step))
    }

    /// Returns the instance at `object`, retained.
    @inline(__always)
    private func taken<Value>(_ object: UnsafeRawPointer) -> Value {
        var object = object
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        return withUnsafeMutablePointer(to: &object) {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).move()
        }
    }

    /// Decodes `value`, a class instance, for a property that can be nil until the instance is complete.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - entry: The entry of the key, if the place can be remembered.
    @inline(__always)
    func decodeInstance<Value: Decodable>(
        ifPresent type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>, from value: ArchivedValue,
        at step: CodingPathStep, _ key: some CodingKey,
        _ entry: @autoclosure () -> UnsafeMutablePointer<DecodingKeyTable.Entry>?
    ) throws -> Value? {
        guard value.uid != 0 else { return try decodeInstance(type, known, from: value, at: step) }
        switch try foundInstance(known, value, at: step) {
        case .complete(let object): return taken(object)
        case .open(let index): return try refer(back: index, type, known, key, value, at: step, entry())
        }
    }

    /// An instance in the archive.
    private enum FoundInstance {
        /// The table of instances retains the instance.
        case complete(UnsafeRawPointer)
        /// The instance is being decoded, and has not published itself.
        case open(InstanceTable.Index)
    }

    /// Returns the class instance for `value`. The table of instances retains it.
    func instance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> UnsafeRawPointer {
        if known.pointee.kind == .coding { return try codingInstance(known, value, at: step) }
        switch try foundInstance(known, value, at: step) {
        case .complete(let object): return object
        case .open(let index): throw cycle(to: index, at: step)
        }
    }

    /// Returns the instance for `value`, of a class with `init(from:)`.
    private func foundInstance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> FoundInstance {
        let state = core.pointee.state
        var entry: InstanceTable.Index
        switch state.pointee.instances.state(value.uid, as: known.pointee.identity) {
        case .complete(let object):
            core.pointee.state.pointee.hashed.noteEarlierInstance()
            return .complete(try checked(object, known, step))
        case .inProgress(let index): return backReference(to: index)
        case .unknown(let index): entry = index
        }
        let uid = try classUID(of: value, step)
        let actual = try actualType(known, classUID: uid, value, step)
        if actual != known {
            switch state.pointee.instances.state(value.uid, as: actual.pointee.identity) {
            case .complete(let object):
                core.pointee.state.pointee.hashed.noteEarlierInstance()
                return .complete(try checked(object, known, step))
            case .inProgress(let index): return backReference(to: index)
            case .unknown(let index): entry = index
            }
        }
        if actual.pointee.kind == .coding {
            return .complete(try checked(subclassInstance(actual, value, at: step), known, step))
        }
        if entry != 0, let cycle = state.pointee.blocked(entry) { throw cycle.decodingError }
        let object = try makeInstance(actual, value, entry) { [self] body in
            try with(actual, value, step) { decoder in
                decoder.frame.pointee.hasFields = uid == actual.pointee.plainClassUID
                return try body(decoder)
            }
        } path: { [self] in
            pathIndex(step)
        }
        return .complete(object)
    }

    @inline(never)
    private func codingInstance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> UnsafeRawPointer {
        guard let type = known.pointee.coding else { preconditionFailure("A Coding class has no type") }
        return try instance(ofCoding: type, value, at: step)
    }

    /// Returns the instance for `value` of a `Coding` class, if the requested superclass is not `Coding`.
    @inline(never)
    private func subclassInstance(
        _ actual: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> UnsafeRawPointer {
        guard let type = actual.pointee.coding else { preconditionFailure("A Coding class has no type") }
        let path = pathIndex(step)
        do {
            let unarchiver = session.unarchiver
            return try unarchiver.instance(as: unarchiver.record(type), value, .type(type)) { path }
        } catch let error as UnarchivingError {
            throw CodableErrors.decodingError(error, as: type)
        }
    }

    /// Returns the instance for `value` of a `Coding` class. The table of instances retains it.
    @inline(never)
    func instance(
        ofCoding type: any Coding.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> UnsafeRawPointer {
        core.pointee.state.pointee.hashed.noteEarlierInstance()
        do {
            return try session.unarchiver.instance(type, value, at: pathIndex(step))
        } catch let error as UnarchivingError {
            throw CodableErrors.decodingError(error, as: type)
        }
    }

    /// Returns `object`, requested as `known`, after a check of its class: a replacement may have another one.
    @inline(__always)
    func checked(
        _ object: UnsafeRawPointer, _ known: UnsafeMutablePointer<DecodingType>, _ step: CodingPathStep
    ) throws -> UnsafeRawPointer {
        if core.pointee.state.pointee.hasReplacements { try checkClass(object, known, step) }
        return object
    }

    @inline(never)
    private func checkClass(
        _ object: UnsafeRawPointer, _ known: UnsafeMutablePointer<DecodingType>, _ step: CodingPathStep
    ) throws {
        let type: any AnyObject.Type = Swift.type(of: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue())
        // Values that are archived once are boxed in instances of a private class.
        guard known.pointee.isClass, !core.pointee.state.pointee.isSubclass(type, of: known.pointee.type) else {
            return
        }
        let error = UnarchivingError.notAllowed(
            "an instance of \(type)", allowed: [known.pointee.type], path: path(step))
        throw CodableErrors.decodingError(error, as: known.pointee.type)
    }

    /// Creates the instance for `value`, which a reference at `path` needs. `type` is its actual type.
    func makeInstance(
        _ type: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at path: CodingPathTable.Index
    ) throws {
        guard
            case .unknown(let entry) = core.pointee.state.pointee.instances.state(
                value.uid, as: type.pointee.identity)
        else { return }
        _ = try makeInstance(type, value, entry) { [self] body in
            try with(type, value, at: path, body)
        } path: {
            path
        }
    }

    /// Returns the instance with the entry `index`, which is being decoded, if it has published itself.
    private func backReference(to index: InstanceTable.Index) -> FoundInstance {
        core.pointee.state.pointee.instances.takePublished(index).map { .complete($0) } ?? .open(index)
    }

    /// Returns the error of a reference to the instance with the entry `index`, which is being decoded.
    func cycle(to index: InstanceTable.Index, at step: CodingPathStep) -> DecodingError {
        core.pointee.state.pointee.cycle(to: index, at: pathIndex(step)).decodingError
    }

    /// Returns `error` with the full description of a cycle, for the caller of the decoder.
    func explained(_ error: any Error) -> any Error {
        guard let cycle = CycleReference(in: error) else { return error }
        let state = core.pointee.state
        let begun = state.pointee.paths.steps(to: cycle.targetPath ?? CodingPathTable.root)
        return CodableErrors.cycle(
            cycle, begun: keys(begun), path: keys(state.pointee.paths.steps(to: cycle.path)))
    }

    /// Creates the instance for `value` with the decoder that `withDecoder` provides.
    ///
    /// - Parameter entry: The entry of the instance, whose state is unknown.
    @inline(__always)
    private func makeInstance(
        _ type: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, _ entry: InstanceTable.Index,
        with withDecoder: ((ArchiveDecoding) throws -> UnsafeRawPointer) throws -> UnsafeRawPointer,
        path: () -> CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        guard let reader = type.pointee.reader else { preconditionFailure("A class has no reader") }
        let base = reader._withUnsafeGuaranteedRef { Unmanaged<InstanceReader>.passUnretained($0) }
        return try core.pointee.state.makeInstance(value.uid, as: type.pointee.identity, entry, by: base, at: path) {
            _ in
            (try reader._withUnsafeGuaranteedRef { reader in try withDecoder { try reader.read($0) } }, false)
        } check: {
            // The finished work starts at the top of the path, but not at the top of the stack.
            try checkStack()
        }
    }

    /// Returns the entry in the table of paths for the part at `step`.
    func pathIndex(_ step: CodingPathStep) -> CodingPathTable.Index {
        let state = core.pointee.state
        return state.pointee.paths.append(step, to: frame.pathIndex(state.pointee.paths))
    }
}

// MARK: - Finishing

extension ArchiveDecoding {
    /// Creates the instances that references have requested, and sets weak references to existing instances.
    ///
    /// - Throws: Also an error that failed the whole decoding earlier, even if the program caught it.
    func finishReferences() throws {
        let state = core.pointee.state
        if !state.pointee.awaited.isUnused { try state.finishWork() }
        if state.pointee.hasFailed, let failure = state.failure { throw failure }
        do throws(CycleReference) { try state.checkCycles() } catch { throw error.decodingError }
        try state.checkClasses()
        state.fulfilWeakReferences()
        state.linkForeignObjects()
    }

    /// Returns the values that `body` reads, with all of their references resolved, because their hashes may depend on
    /// these.
    func resolved<Result>(at step: CodingPathStep, _ body: () throws -> Result) throws -> Result {
        let state = core.pointee.state
        let work = state.pointee.awaited.count
        let values = state.pointee.awaited.hashedCount
        let scope = core.pointee.state.pointee.hashed.begin()
        let result: Result
        do {
            result = try body()
            if state.pointee.awaited.count > work {
                try checkStack()
                try state.finishWork(after: work)
            }
            let hasOthers = state.pointee.awaited.hashedCount > values
            let obstacle = state.pointee.obstacleToHashing(hasOthers: hasOthers)
            if hasOthers, obstacle == nil { try state.finishHashed(after: values) }
            switch obstacle {
            case .stage?: throw TooEarly()
            case .owner(let index)?: throw cycle(to: index, at: step)
            case nil: break
            }
            if state.pointee.mayHaveOpenElements {
                try checkStack()
                state.finishEarlierInstances()
            }
        } catch {
            _ = core.pointee.state.pointee.endHashed(scope)
            throw error
        }
        // The hash of an instance may depend on further instances. A reference from those to an instance in progress is
        // still open.
        if let open = core.pointee.state.pointee.endHashed(scope) { throw cycle(to: open, at: step) }
        return result
    }
}

extension ArchiveDecoding {
    /// Records a closure that computes the hash of `elements` again, if hashes are being recorded.
    func noteHashes<Element: Hashable>(of elements: [Element]) {
        guard core.pointee.state.pointee.hashed.isRecording else { return }
        core.pointee.state.pointee.hashed.record { elements.hashValue }
    }
}
