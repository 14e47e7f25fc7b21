extension KeyedUnarchiver {
    /// Returns the instance of the class `requested` for `value`, which has a uid, for a reference.
    func awaitedInstance(
        _ requested: UnarchivedType, _ value: ArchivedValue, at place: ValuePlace
    ) throws -> ReferencedInstance {
        let actual = try actualType(requested, value, place)
        let identity = actual.identity
        var progress = instances.state(value.uid, as: identity)
        if case .complete(let object) = progress {
            progress = .complete(try checked(object, requested, value, place))
        }
        return reading.referencedInstance(
            value.uid, as: identity, progress, reader: { actual }, path: { pathIndex(place) })
    }

    /// Returns the initial state of a weak reference to the instance of `value`: the instance if it is complete, or an
    /// object that receives it later if another reference decodes it.
    func awaitedWeakInstance(
        _ requested: UnarchivedType, _ value: ArchivedValue, at place: ValuePlace
    ) throws -> (object: AnyObject?, awaited: AwaitedWeakInstance?) {
        let actual = try actualType(requested, value, place)
        if case .complete(let object) = instances.state(value.uid, as: actual.identity) {
            let object = try checked(object, requested, value, place)
            // An instance of a part may be released and decoded again.
            if reading.open == nil { return (object, nil) }
        }
        return (nil, reading.awaitedWeakInstance(value.uid, as: actual.identity))
    }
}
