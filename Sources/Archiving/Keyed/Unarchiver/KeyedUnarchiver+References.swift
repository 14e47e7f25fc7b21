extension KeyedUnarchiver {
    /// An instance that a reference leads to: as it is, or to be made when there is nothing else to do.
    enum ReferencedInstance {
        case complete(UnsafeRawPointer)
        case awaited(AwaitedInstance)
    }

    /// The instance of the class `requested` that `value`, which has a uid, is for a reference.
    func awaitedInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> ReferencedInstance {
        let actual = try actualType(requested, value, path)
        let identity = actual.pointee.identity
        switch shared.pointee.instances.state(value.uid, as: identity) {
        case .complete(let object):
            shared.pointee.hashed.noteEarlierInstance()
            return .complete(try checked(object, requested, value, path))
        case .inProgress(let index):
            if let published = shared.pointee.instances.takePublished(index) { return .complete(published) }
            shared.pointee.hashed.noteOpenReference(to: index)
            return .awaited(shared.pointee.instances.awaited(value.uid, as: identity).0)
        case .unknown:
            let (awaited, isNew) = shared.pointee.instances.awaited(value.uid, as: identity)
            let reader = reader(actual.pointee.type)
            // What is to be hashed needs it soon, also where somebody else waits for it already.
            if shared.pointee.hashed.isHashing {
                shared.pointee.awaited.append(.needed(reader, uid: value.uid, path: path()))
            } else if isNew {
                shared.pointee.awaited.append(.awaited(reader, uid: value.uid, path: path()))
            }
            return .awaited(awaited)
        }
    }

    /// What a weak reference to the instance that `value` is begins with: the instance if it is there, or what gets it
    /// later if anything else asks for it.
    func awaitedWeakInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> (object: UnsafeRawPointer?, awaited: AwaitedWeakInstance?) {
        let actual = try actualType(requested, value, path)
        if case .complete(let object) = shared.pointee.instances.state(value.uid, as: actual.pointee.identity) {
            return (try checked(object, requested, value, path), nil)
        }
        let awaited = AwaitedWeakInstance()
        shared.pointee.awaited.append(
            AwaitedWork.WeakReference(awaited: awaited, uid: value.uid, type: actual.pointee.identity))
        return (nil, awaited)
    }
}
