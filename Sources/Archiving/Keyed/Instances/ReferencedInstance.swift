/// The instance that a reference refers to.
enum ReferencedInstance {
    case complete(UnsafeRawPointer)
    /// It is complete when the root object has been decoded.
    case awaited(AwaitedInstance)
}

extension UnsafeMutablePointer<GraphReadingState> {
    /// The instance of the object `uid` for a reference, which does not recurse: as it is, or to be made later.
    ///
    /// - Parameters:
    ///   - identity: The type that the instance is made as.
    ///   - progress: How far it is. A complete instance was checked by the caller.
    ///   - reader: What makes it.
    ///   - path: Where the reference is.
    @inline(__always)
    func referencedInstance(
        _ uid: UInt32, as identity: UnsafeRawPointer, _ progress: InstanceTable.State,
        reader: () -> Unmanaged<InstanceReader>?, path: () -> CodingPathTable.Index
    ) -> ReferencedInstance {
        switch progress {
        case .complete(let object):
            pointee.hashed.noteEarlierInstance()
            return .complete(object)
        case .inProgress(let index):
            if let published = pointee.instances.takePublished(index) { return .complete(published) }
            pointee.hashed.noteOpenReference(to: index)
            return .awaited(pointee.instances.awaited(uid, as: identity).0)
        case .unknown:
            let (awaited, isNew) = pointee.instances.awaited(uid, as: identity)
            // What is to be hashed needs it soon, even if another reference waits for it already.
            let isUrgent = pointee.hashed.isHashing
            if isNew || isUrgent, let reader = reader() {
                let path = path()
                pointee.awaited.append(
                    isUrgent ? .needed(reader, uid: uid, path: path) : .awaited(reader, uid: uid, path: path))
            }
            return .awaited(awaited)
        }
    }

    /// What gets the instance of the object `uid` for a weak reference if anything else decodes it.
    func awaitedWeakInstance(_ uid: UInt32, as identity: UnsafeRawPointer) -> AwaitedWeakInstance {
        let awaited = AwaitedWeakInstance()
        pointee.awaited.append(AwaitedWork.WeakReference(awaited: awaited, uid: uid, type: identity))
        return awaited
    }
}
