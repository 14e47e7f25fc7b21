// MARK: - References

extension ArchiveDecoding {
    /// The instance of the class `known` that `value`, which has a uid, is: as it is, or to be made when there is nothing
    /// else to do.
    func awaitedInstance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> ReferencedInstance {
        let (type, progress) = try stateOfReference(known, value, step)
        return core.pointee.state.referencedInstance(
            value.uid, as: type.pointee.identity, progress, reader: { reader(of: type) }, path: { pathIndex(step) })
    }

    /// What a weak reference to the instance that `value` is begins with: the instance if it is there, or what gets it
    /// later if anything else asks for it.
    func awaitedWeakInstance(
        _ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> (object: UnsafeRawPointer?, awaited: AwaitedWeakInstance?) {
        let (type, progress) = try stateOfReference(known, value, step)
        // An instance of a part may go, and be decoded again.
        if case .complete(let object) = progress, core.pointee.state.pointee.open == nil { return (object, nil) }
        return (nil, core.pointee.state.awaitedWeakInstance(value.uid, as: type.pointee.identity))
    }

    /// What makes the instances of the class `type`.
    private func reader(of type: UnsafeMutablePointer<DecodingType>) -> Unmanaged<InstanceReader>? {
        if let coding = type.pointee.coding { return session.unarchiver.reader(coding) }
        return type.pointee.reader?._withUnsafeGuaranteedRef { .passUnretained($0) }
    }

    /// The type that the instance `value` is made as, and how far it is.
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

// MARK: - Deferred values

extension ArchiveDecoding {
    /// Whether a reference to what `value` is, asked for as `known`, can be resolved later.
    func canAwait(_ known: UnsafeMutablePointer<DecodingType>, _ value: ArchivedValue) -> Bool {
        known.pointee.isClass && value.uid != 0 && core.pointee.top != nil
    }

    /// Lets `value` be decoded when there is nothing else to do.
    func deferred(_ value: DeferredValue) {
        let state = core.pointee.state
        state.pointee.awaited.deferred.append(value)
        state.pointee.awaited.append(.unprepared(value.number))
    }

    /// Asks for an instance that a deferred value needs.
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
