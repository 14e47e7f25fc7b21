/// The instance that a reference refers to.
enum ReferencedInstance {
    case complete(AnyObject)
    /// It is complete when the root object is decoded.
    case awaited(AwaitedInstance)
}

extension GraphReading {
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
        _ uid: UInt32, as identity: any Any.Type, _ progress: InstanceTable.State,
        reader: () -> InstanceReader?, path: () -> CodingPathTable.Index
    ) -> ReferencedInstance {
        switch progress {
        case .complete(let object):
            hashed.noteEarlierInstance()
            return .complete(object)
        case .inProgress(let index):
            if let published = instances.takePublished(index) {
                // Not the instance itself: the reference can be cleared if the decoding fails.
                return .awaited(instances.reference(to: published))
            }
            hashed.noteOpenReference(to: index)
            return .awaited(instances.awaited(uid, as: identity).0)
        case .unknown:
            let (instance, isNew) = instances.awaited(uid, as: identity)
            // Elements to be hashed need it soon, even if another reference already waits for it.
            let isUrgent = hashed.isHashing
            if isNew || isUrgent, let reader = reader() {
                let path = path()
                awaited.append(
                    isUrgent ? .needed(reader, uid: uid, path: path) : .awaited(reader, uid: uid, path: path))
            }
            return .awaited(instance)
        }
    }

    /// The object that receives the instance of the object `uid` for a weak reference, if another reference decodes it.
    func awaitedWeakInstance(_ uid: UInt32, as identity: any Any.Type) -> AwaitedWeakInstance {
        let instance = AwaitedWeakInstance()
        awaited.append(AwaitedWork.WeakReference(awaited: instance, uid: uid, type: identity))
        return instance
    }
}
