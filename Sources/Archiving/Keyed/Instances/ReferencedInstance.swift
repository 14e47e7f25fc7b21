/// The instance that a reference refers to.
enum ReferencedInstance {
    case complete(UnsafeRawPointer)
    /// It is complete when the root object is decoded.
    case awaited(AwaitedInstance)
}

extension UnsafeMutablePointer<GraphReadingState> {
    /// Returns the instance of the object `uid` for a reference, without recursion: in its current state, or to be
    /// decoded later.
    ///
    /// - Parameters:
    ///   - identity: The type of the instance.
    ///   - progress: Its state. The caller has checked a complete instance.
    ///   - reader: Its reader.
    ///   - path: The coding path of the reference.
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
            if let published = pointee.instances.takePublished(index) {
                // Not the instance itself: the reference can be cleared if the decoding fails.
                return .awaited(pointee.instances.reference(to: published))
            }
            pointee.hashed.noteOpenReference(to: index)
            return .awaited(pointee.instances.awaited(uid, as: identity).0)
        case .unknown:
            let (awaited, isNew) = pointee.instances.awaited(uid, as: identity)
            // Elements to be hashed need it soon, even if another reference already waits for it.
            let isUrgent = pointee.hashed.isHashing
            if isNew || isUrgent, let reader = reader() {
                let path = path()
                pointee.awaited.append(
                    isUrgent ? .needed(reader, uid: uid, path: path) : .awaited(reader, uid: uid, path: path))
            }
            return .awaited(awaited)
        }
    }

    /// The object that receives the instance of the object `uid` for a weak reference, if another reference decodes it.
    func awaitedWeakInstance(_ uid: UInt32, as identity: UnsafeRawPointer) -> AwaitedWeakInstance {
        let awaited = AwaitedWeakInstance()
        pointee.awaited.append(AwaitedWork.WeakReference(awaited: awaited, uid: uid, type: identity))
        return awaited
    }
}
