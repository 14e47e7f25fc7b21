// MARK: - References

extension ArchiveDecoding {
    /// Returns the instance of the class `known` for `value`, which has a uid: complete, or awaited.
    func awaitedInstance(
        _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> ReferencedInstance {
        let (type, progress) = try stateOfReference(known, value, step)
        return reading.referencedInstance(
            value.uid, as: type.identity, progress, reader: { reader(of: type) }, path: { pathIndex(step) })
    }

    /// Returns the contents of a weak reference to the instance for `value`: the existing instance, or an awaited one.
    /// An awaited instance is set if another reference requests it.
    func awaitedWeakInstance(
        _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> (object: AnyObject?, awaited: AwaitedWeakInstance?) {
        let (type, progress) = try stateOfReference(known, value, step)
        // An instance of a part may be deallocated and decoded again.
        if case .complete(let object) = progress, reading.open == nil { return (object, nil) }
        return (nil, reading.awaitedWeakInstance(value.uid, as: type.identity))
    }

    /// Returns the reader of instances of the class `type`.
    private func reader(of type: DecodingType) -> InstanceReader {
        type.coding.map { session.unarchiver.record($0) } ?? type
    }

    /// Returns the type that is created for the instance `value`, and the state of the instance.
    private func stateOfReference(
        _ known: DecodingType, _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> (DecodingType, InstanceTable.State) {
        let progress = instances.state(value.uid, as: known.identity)
        if case .complete(let object) = progress {
            _ = try checked(object, known, step)
            return (known, progress)
        }
        let uid = try classUID(of: value, step)
        if known.matches.isFirst(known, forClass: uid) { return (known, progress) }
        let type = try actualType(known, classUID: uid, value, step)
        let actual = type === known ? progress : instances.state(value.uid, as: type.identity)
        if case .complete(let object) = actual { _ = try checked(object, known, step) }
        return (type, actual)
    }
}

// MARK: - Waiting values

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

    /// Requests an instance that a waiting value needs.
    func requireInstance(
        _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws {
        let (type, progress) = try stateOfReference(known, value, step)
        guard case .unknown = progress else { return }
        reading.awaited.append(.needed(reader(of: type), uid: value.uid, path: pathIndex(step)))
    }
}
