// MARK: - References

extension ArchiveDecoding {
    /// Returns the instance of the class `known` for `value`, which has a uid: complete, or pending in the list of
    /// work.
    func awaitedInstance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> ReferencedInstance {
        let (type, progress) = try stateOfReference(known, value, step)
        return core.pointee.state.referencedInstance(
            value.uid, as: type.pointee.identity, progress, reader: { reader(of: type) }, path: { pathIndex(step) })
    }

    /// Returns the contents of a weak reference to the instance for `value`: the existing instance, or an awaited one.
    /// An awaited instance is set if another reference requests it.
    func awaitedWeakInstance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> (object: UnsafeRawPointer?, awaited: AwaitedWeakInstance?) {
        let (type, progress) = try stateOfReference(known, value, step)
        // An instance of a part may be deallocated and decoded again.
        if case .complete(let object) = progress, core.pointee.state.pointee.open == nil { return (object, nil) }
        return (nil, core.pointee.state.awaitedWeakInstance(value.uid, as: type.pointee.identity))
    }

    /// Returns the reader of instances of the class `type`.
    private func reader(of type: UnsafeMutablePointer<DecodingType>) -> Unmanaged<InstanceReader>? {
        if let coding = type.pointee.coding { return session.unarchiver.reader(coding) }
        return type.pointee.reader?._withUnsafeGuaranteedRef { .passUnretained($0) }
    }

    /// Returns the type that is created for the instance `value`, and the state of the instance.
    private func stateOfReference(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> (UnsafeMutablePointer<DecodingType>, InstanceTable.State) {
        let state = core.pointee.state
        var type = known
        var progress = state.pointee.instances.state(value.uid, as: known.pointee.identity)
        if case .complete = progress {
        } else {
            type = try actualType(known, classUID: classUID(of: value, step), value, step)
            progress = state.pointee.instances.state(value.uid, as: type.pointee.identity)
        }
        if case .complete(let object) = progress { _ = try checked(object, known, step) }
        return (type, progress)
    }
}

// MARK: - waiting values

extension ArchiveDecoding {
    /// Returns whether a reference to `value`, requested as `known`, can be resolved later.
    func canAwait(_ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue) -> Bool {
        known.pointee.isClass && value.uid != 0 && core.pointee.top != nil
    }

    /// Adds `value` to the list of pending work.
    func postpone(_ value: WaitingValue) {
        let state = core.pointee.state
        state.pointee.awaited.values.append(value)
        state.pointee.awaited.append(.unprepared(value.number))
    }

    /// Requests an instance that a waiting value needs.
    func requireInstance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws {
        let state = core.pointee.state
        let (type, progress) = try stateOfReference(known, value, step)
        guard case .unknown = progress, let base = reader(of: type) else { return }
        let path = pathIndex(step)
        state.pointee.awaited.append(.needed(base, uid: value.uid, path: path))
    }
}
