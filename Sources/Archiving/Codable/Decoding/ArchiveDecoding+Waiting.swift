// MARK: - Waiting

extension ArchiveDecoding {
    /// Returns the placeholder of a property whose value references an instance in progress, as `error` says. The
    /// property keeps it until that instance is complete.
    ///
    /// - Parameter value: The value in the archive.
    /// - Throws: `error`, if it is not a cycle, or if no property can be set later.
    @inline(never)
    func placeholder<Value: Decodable>(
        _ type: Value.Type, _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        after error: any Error
    ) throws -> Value {
        guard let placeholder = try placeholder(for: error, type, key, value, at: step, isOptional: false) else {
            throw error
        }
        return placeholder
    }

    /// Returns the placeholder of a value that may be absent: nil or an empty collection.
    @inline(never)
    func placeholder<Value: Decodable>(
        ifPresent type: Value.Type, _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        after error: any Error
    ) throws -> Value? {
        try placeholder(for: error, type, key, value, at: step, isOptional: true)
    }

    private func placeholder<Value: Decodable>(
        for error: any Error, _ type: Value.Type, _ key: some CodingKey, _ value: ArchivedValue,
        at step: CodingPathStep, isOptional: Bool
    ) throws -> Value? {
        let core = core
        guard let cycle = CycleReference(in: error), core.pointee.top != nil,
            core.pointee.state.pointee.instances.isInProgress(cycle.target), let owner = frame.instance
        else { throw error }
        if owner.pointee.isRehearsal {
            core.pointee.state.pointee.openCycles.remove(cycle)
            return isOptional ? nil : Placeholder(type)?.value(of: type)
        }
        guard let ownerProperty = ownerProperty(type, key) else { throw error }
        do throws(CycleReference) {
            return try core.pointee.state.placeholder(
                for: cycle, ownerProperty, isOptional: isOptional, at: pathIndex(step),
                attempt: {
                    guard let top = core.pointee.top else { return nil }
                    return try top._withUnsafeGuaranteedRef { top in
                        try top.session.attempt {
                            try $0.with(nil, .null, at: CodingPathTable.root) {
                                try $0.decode(type, from: value, at: .root)
                            }
                        }
                    }
                },
                decode: { [path = pathIndex(step)] in
                    guard let top = core.pointee.top else { return nil }
                    return try top._withUnsafeGuaranteedRef { top in
                        try top.with(nil, .null, at: path) { try $0.decode(type, from: value, at: .root) }
                    }
                })
        } catch {
            throw error.decodingError
        }
    }

    /// Returns the value of `key` as a property of the instance that is being decoded, or nil if no instance is being decoded.
    private func ownerProperty<Value: Decodable>(_ type: Value.Type, _ key: some CodingKey) -> OwnerProperty<Value>? {
        guard let owner = frame.instance, let ownerType = owner.pointee.type, let reader = ownerType.pointee.reader,
            let ownerClass = ownerType.pointee.type as? AnyClass
        else { return nil }
        let (core, archived, path) = (core, owner.pointee.value, pathIndex(.root))
        let waiting = WaitingOwner(
            uid: archived.uid, identity: ownerType.pointee.identity, facts: .facts(of: ownerClass)
        ) { key in
            guard let top = core.pointee.top else { preconditionFailure("A waiting value has outlived its decoding") }
            return try top._withUnsafeGuaranteedRef { top in
                try top.with(ownerType, archived, at: path) { decoder in
                    let outer = core.pointee.rehearsedKey
                    core.pointee.rehearsedKey = key
                    decoder.frame.pointee.isRehearsal = true
                    defer {
                        decoder.frame.pointee.isRehearsal = false
                        core.pointee.rehearsedKey = outer
                    }
                    return .fromOpaque(try reader._withUnsafeGuaranteedRef { try $0.read(decoder) })
                }
            }
        }
        return OwnerProperty(
            type, OwnerFacts.DecodedKey(key, type), named: StoredProperty.caseName(of: key) ?? key.stringValue,
            of: waiting)
    }

    /// Returns whether a rehearsal is about another value than the one for `key`.
    @inline(never)
    func isHidden<Value>(_ type: Value.Type, _ key: some CodingKey) -> Bool {
        core.pointee.rehearsedKey != OwnerFacts.DecodedKey(key, type)
    }
}

// MARK: - Back references

extension ArchiveDecoding {
    /// Returns nil for the instance under `key`, and sets the property once the instance is complete.
    ///
    /// - Parameters:
    ///   - index: The entry of the instance, which is being decoded.
    ///   - entry: The entry of the key, if the place can be remembered.
    @inline(never)
    func refer<Value: Decodable>(
        back index: InstanceTable.Index, _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>,
        _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        _ entry: UnsafeMutablePointer<DecodingKeyTable.Entry>?
    ) throws -> Value? {
        if let place = entry?.pointee.place, refer(back: index, known, place) { return nil }
        if let place = ownerProperty(type, key)?.place {
            entry?.pointee.place = Unmanaged.passUnretained(place)
            if refer(back: index, known, .passUnretained(place)) { return nil }
        }
        return try placeholder(ifPresent: type, key, value, at: step, after: cycle(to: index, at: step))
    }

    /// Records that the property at `place` references the instance with the entry `index`, and is set once it is
    /// complete.
    ///
    /// - Returns: Whether `place` has the type `known`, belongs to the instance that is being decoded, and waits for no
    ///   other instance.
    private func refer(
        back index: InstanceTable.Index, _ known: UnsafeMutablePointer<DecodingType>, _ place: Unmanaged<ReferencePlace>
    ) -> Bool {
        let state = core.pointee.state
        guard let owner = frame.instance, !owner.pointee.isRehearsal, core.pointee.top != nil,
            let ownerType = owner.pointee.type,
            place._withUnsafeGuaranteedRef({
                $0.isPlace(of: known.pointee.identity, in: ownerType.pointee.identity)
            }),
            case .inProgress(let ownerIndex) = state.pointee.instances.state(
                owner.pointee.value.uid, as: ownerType.pointee.identity)
        else { return false }
        guard state.pointee.instances.refer(from: ownerIndex, back: index, place) else { return false }
        state.pointee.hashed.noteOpenReference(to: index)
        return true
    }
}
