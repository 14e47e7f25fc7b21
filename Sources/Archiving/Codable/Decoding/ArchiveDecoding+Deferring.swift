// MARK: - Deferring

extension ArchiveDecoding {
    /// Returns what the property under `key` has until the instance is complete that its value refers back to, as `error`
    /// says.
    ///
    /// - Parameter value: The value in the archive.
    /// - Throws: `error`, if it says something else, or no property can be set later.
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

    /// The same for a value that may be absent, whose placeholder is nil, or an empty collection.
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
        guard let deferral = deferral(type, key) else { throw error }
        do throws(CycleReference) {
            return try core.pointee.state.placeholder(
                for: cycle, deferral, isOptional: isOptional, at: pathIndex(step),
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

    /// What the instance that is being decoded does with a value; `nil` if none is being decoded.
    private func deferral<Value: Decodable>(_ type: Value.Type, _ key: some CodingKey) -> Deferral<Value>? {
        guard let owner = frame.instance, let ownerType = owner.pointee.type, let reader = ownerType.pointee.reader,
            let ownerClass = ownerType.pointee.type as? AnyClass
        else { return nil }
        let (core, archived, path) = (core, owner.pointee.value, pathIndex(.root))
        let deferring = DeferringOwner(
            uid: archived.uid, identity: ownerType.pointee.identity, facts: .facts(of: ownerClass)
        ) { key in
            guard let top = core.pointee.top else { preconditionFailure("A value was deferred beyond its decoding") }
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
        return Deferral(
            type, DeferralFacts.DecodedKey(key, type), named: StoredProperty.caseName(of: key) ?? key.stringValue,
            of: deferring)
    }

    /// Whether the value under `key` is another one than the one that a rehearsal is about.
    @inline(never)
    func isHidden<Value>(_ type: Value.Type, _ key: some CodingKey) -> Bool {
        core.pointee.rehearsedKey != DeferralFacts.DecodedKey(key, type)
    }
}

// MARK: - References that lead back

extension ArchiveDecoding {
    /// What is returned for the instance under `key` until it is complete: nil.
    ///
    /// - Parameters:
    ///   - index: The instance, which is being decoded.
    ///   - entry: What is known of the key, if it can be remembered.
    @inline(never)
    func refer<Value: Decodable>(
        back index: InstanceTable.Index, _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>,
        _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        _ entry: UnsafeMutablePointer<DecodingKeyTable.Entry>?
    ) throws -> Value? {
        if let place = entry?.pointee.place, refer(back: index, known, place) { return nil }
        if let place = deferral(type, key)?.place {
            entry?.pointee.place = Unmanaged.passUnretained(place)
            if refer(back: index, known, .passUnretained(place)) { return nil }
        }
        return try placeholder(ifPresent: type, key, value, at: step, after: cycle(to: index, at: step))
    }

    /// Lets the property at `place` refer to the instance with the entry `index` when it is complete.
    ///
    /// - Returns: Whether `place` is that of an instance of `known` in the instance that is being decoded, and waits for
    ///   nothing else.
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
