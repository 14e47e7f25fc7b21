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
        guard let waiting = waitingField(type, key, owner) else { throw error }
        do throws(CycleReference) {
            return try core.pointee.state.placeholder(
                for: cycle, waiting, isOptional: isOptional, at: pathIndex(step),
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

    /// Returns the value of `key` as one of the instance `owner`, which is being decoded.
    private func waitingField<Value: Decodable>(
        _ type: Value.Type, _ key: some CodingKey, _ owner: UnsafeMutablePointer<DecodingFrame>
    ) -> WaitingField<Value>? {
        guard let ownerType = owner.pointee.type, let reader = ownerType.pointee.reader,
            let field = decodedField(type, key, ownerType)
        else { return nil }
        var container: [String] = []
        var frame = frame
        while frame != owner, let parent = frame.pointee.parent {
            guard let key = keys([frame.pointee.step]).first else { return nil }
            container.insert(key.stringValue, at: 0)
            frame = parent
        }
        let waitingOwner = WaitingOwner(
            uid: owner.pointee.value.uid, identity: ownerType.pointee.identity, facts: field.facts,
            reader: reader._withUnsafeGuaranteedRef { .passUnretained($0) }, container: container)
        return WaitingField(owner: waitingOwner, field: field.field)
    }

    private func decodedField<Value: Decodable>(
        _ type: Value.Type, _ key: some CodingKey, _ ownerType: UnsafeMutablePointer<DecodingType>
    ) -> (facts: OwnerFacts, field: DecodedField)? {
        guard let ownerClass = ownerType.pointee.type as? AnyClass else { return nil }
        let facts = OwnerFacts.facts(of: ownerClass)
        let field = facts.field(
            DecodedField.Key(key, type), type, encodedName: ObservedKeys.name(of: key) ?? key.stringValue,
            shownName: Reflection.caseName(of: key) ?? key.stringValue)
        return (facts, field)
    }
}

// MARK: - Back references

extension ArchiveDecoding {
    /// Returns nil for the instance under `key`, and sets the property once the instance is complete.
    ///
    /// - Parameters:
    ///   - index: The entry of the instance, which is being decoded.
    ///   - entry: The entry of the key, if the field can be kept in it.
    @inline(never)
    func refer<Value: Decodable>(
        back index: InstanceTable.Index, _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>,
        _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        _ entry: UnsafeMutablePointer<DecodingKeyTable.Entry>?
    ) throws -> Value? {
        if let field = entry?.pointee.field, refer(back: index, known, field, at: step) { return nil }
        // A part of a superclass has keys of its own.
        if frame.pointee.isObject, let ownerType = frame.pointee.type,
            let field = decodedField(type, key, ownerType)?.field, field.isKept, !field.candidates.isEmpty
        {
            entry?.pointee.field = Unmanaged.passUnretained(field)
            if refer(back: index, known, .passUnretained(field), at: step) { return nil }
        }
        return try placeholder(ifPresent: type, key, value, at: step, after: cycle(to: index, at: step))
    }

    /// Records that a property for `field` references the instance with the entry `index`, and is set once it is
    /// complete.
    ///
    /// - Returns: Whether `field` has the type `known`, belongs to the instance that is being decoded, and waits for no
    ///   other instance.
    private func refer(
        back index: InstanceTable.Index, _ known: UnsafeMutablePointer<DecodingType>,
        _ field: Unmanaged<DecodedField>, at step: CodingPathStep
    ) -> Bool {
        let state = core.pointee.state
        guard frame.pointee.isObject, core.pointee.top != nil, let ownerType = frame.pointee.type,
            let reader = ownerType.pointee.reader,
            field._withUnsafeGuaranteedRef({
                $0.isField(of: known.pointee.identity, in: ownerType.pointee.identity)
            }),
            case .inProgress(let ownerIndex) = state.pointee.instances.state(
                frame.pointee.value.uid, as: ownerType.pointee.identity)
        else { return false }
        let base = reader._withUnsafeGuaranteedRef { Unmanaged<InstanceReader>.passUnretained($0) }
        guard state.pointee.instances.refer(from: ownerIndex, back: index, field, base, path: { pathIndex(step) })
        else { return false }
        state.pointee.hashed.noteOpenReference(to: index)
        return true
    }
}
