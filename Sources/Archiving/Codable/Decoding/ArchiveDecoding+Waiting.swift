// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
        guard let cycle = CycleReference(in: error), session.top != nil, instances.isInProgress(cycle.target),
            let owner = instance
        else { throw error }
        guard let waiting = waitingField(type, key, owner) else { throw error }
        do throws(CycleReference) {
            // The session owns the waiting values, and these closures with them.
            return try reading.placeholder(
                for: cycle, waiting, isOptional: isOptional, at: pathIndex(step),
                attempt: { [unowned session] in
                    guard session.top != nil else { return nil }
                    return try session.attempt {
                        try $0.with(nil, .null, at: CodingPathTable.root) {
                            try $0.decode(type, from: value, at: .root)
                        }
                    }
                },
                decode: { [unowned session, path = pathIndex(step)] in
                    guard let top = session.top else { return nil }
                    return try top.with(nil, .null, at: path) { try $0.decode(type, from: value, at: .root) }
                })
        } catch {
            throw error.decodingError
        }
    }

    /// Returns the value of `key` as one of the instance `owner`, which is being decoded.
    private func waitingField<Value: Decodable>(
        _ type: Value.Type, _ key: some CodingKey, _ owner: ArchiveDecoding
    ) -> WaitingField<Value>? {
        guard let ownerType = owner.ownType, let field = decodedField(type, key, ownerType) else { return nil }
        var container: [String] = []
        var decoding = self
        while decoding !== owner, let parent = decoding.parent {
            guard let key = keys([decoding.step]).first else { return nil }
            container.insert(key.stringValue, at: 0)
            decoding = parent
        }
        let waitingOwner = WaitingOwner(
            uid: owner.value.uid, identity: ownerType.identity, facts: field.facts, reader: ownerType,
            container: container)
        return WaitingField(owner: waitingOwner, field: field.field)
    }

    private func decodedField<Value: Decodable>(
        _ type: Value.Type, _ key: some CodingKey, _ ownerType: DecodingType
    ) -> (facts: OwnerFacts, field: DecodedField)? {
        guard let ownerClass = ownerType.type as? AnyClass else { return nil }
        let facts = OwnerFacts.facts(of: ownerClass)
        let field = facts.field(
            DecodedField.Key(key.stringValue, ofType: Swift.type(of: key), type), type,
            encodedName: ObservedKeys.name(of: key) ?? key.stringValue,
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
    ///   - place: The place of the entry of the key, if it has one.
    @inline(never)
    func refer<Value: Decodable>(
        back index: InstanceTable.Index, _ type: Value.Type, _ known: DecodingType,
        _ key: some CodingKey, _ value: ArchivedValue, at step: CodingPathStep,
        _ place: Int?
    ) throws -> Value? {
        if let place, let field = keys.field(place), refer(back: index, known, field, at: step) { return nil }
        // A part of a superclass has keys of its own.
        if isObject, let ownType, let field = decodedField(type, key, ownType)?.field, field.isKept,
            !field.candidates.isEmpty
        {
            if let place { keys.setField(field, place) }
            if refer(back: index, known, field, at: step) { return nil }
        }
        return try placeholder(ifPresent: type, key, value, at: step, after: cycle(to: index, at: step))
    }

    /// Records that a property for `field` references the instance with the entry `index`, and is set once it is
    /// complete.
    ///
    /// - Returns: Whether `field` has the type `known`, belongs to the instance that is being decoded, and waits for no
    ///   other instance.
    private func refer(
        back index: InstanceTable.Index, _ known: DecodingType, _ field: DecodedField, at step: CodingPathStep
    ) -> Bool {
        guard isObject, session.top != nil, let ownType, ownType.kind == .instance,
            field.isField(of: known.identity, in: ownType.identity),
            case .inProgress(let owner) = instances.state(value.uid, as: ownType.identity),
            instances.refer(from: owner, back: index, field, ownType, path: { pathIndex(step) })
        else { return false }
        reading.hashed.noteOpenReference(to: index)
        return true
    }
}

// MARK: - References

extension ArchiveDecoding {
    /// Returns whether a reference to `value`, requested as `known`, can be resolved later.
    func canAwait(_ known: DecodingType, _ value: ArchivedValue) -> Bool {
        known.isClass && value.uid != 0 && session.top != nil
    }

    /// Adds `value` to the waiting work.
    func addWaiting(_ value: WaitingValue) {
        reading.awaited.values.append(value)
        reading.awaited.append(.unprepared(value.number))
    }
}
