extension KeyedUnarchiver {
    /// Returns the instance of the class `requested` for `value`, which has a uid, for a reference.
    func awaitedInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> ReferencedInstance {
        let actual = try actualType(requested, value, path)
        let identity = actual.pointee.identity
        var progress = shared.pointee.instances.state(value.uid, as: identity)
        if case .complete(let object) = progress {
            progress = .complete(try checked(object, requested, value, path))
        }
        return shared.referencedInstance(
            value.uid, as: identity, progress, reader: { reader(actual.pointee.type) }, path: path)
    }

    /// Returns the initial state of a weak reference to the instance of `value`: the instance if it is complete, or an
    /// object that receives it later if another reference decodes it.
    func awaitedWeakInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> (object: UnsafeRawPointer?, awaited: AwaitedWeakInstance?) {
        let actual = try actualType(requested, value, path)
        if case .complete(let object) = shared.pointee.instances.state(value.uid, as: actual.pointee.identity) {
            let object = try checked(object, requested, value, path)
            // An instance of a part may be released and decoded again.
            if shared.pointee.open == nil { return (object, nil) }
        }
        return (nil, shared.awaitedWeakInstance(value.uid, as: actual.pointee.identity))
    }
}
