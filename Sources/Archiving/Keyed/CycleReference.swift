/// A reference that leads back to an instance which is still being decoded.
///
/// It travels as what lies under an error, up to the innermost property that can be deferred. An error with the whole
/// story is made of it only when there is none: paths of long chains are long.
struct CycleReference: Error {
    /// The instance that it leads to.
    var target: InstanceTable.Index
    /// The uid of that instance.
    var uid: UInt32
    /// What the instance is made as.
    var type: any Any.Type
    /// Where the instance that it leads to is decoded; nil before the error has got there.
    var targetPath: CodingPathTable.Index?
    /// Where the reference stands.
    var path: CodingPathTable.Index
    /// Why the innermost property around the reference cannot be deferred.
    var obstacle: String?
}

extension UnarchivingState {
    /// A reference at `path` to the instance with the entry `index`, which is being decoded.
    func cycle(to index: InstanceTable.Index, at path: CodingPathTable.Index) -> CycleReference {
        let (uid, type) = instances.object(index)
        return CycleReference(target: index, uid: uid, type: type, path: path)
    }
}

extension CycleReference {
    /// The sentence that tells all of it.
    ///
    /// - Parameters:
    ///   - begun: Where the instance is decoded.
    ///   - path: Where the reference stands.
    func sentence(begun: [any CodingKey], path: [any CodingKey]) -> String {
        guard type is AnyClass else {
            return "The archive is damaged: the value with uid \(uid) contains itself"
        }
        let obstacle = obstacle.map { " The property cannot be set later: \($0)." } ?? ""
        return
            "The references form a cycle: \(path.pathDescription) refers to the \(type) (uid \(uid))"
            + " at \(begun.pathDescription), which is not complete before this reference is.\(obstacle)"
            + " Declare one of the properties on the way as @Reference or @WeakReference, or call"
            + " publish(self) in the initializer of \(type)"
    }
}

extension CycleReference {
    /// The reference that `error`, of either side, is about; nil where it is about something else.
    init?(in error: any Error) {
        let underlying: (any Error)?
        switch error {
        case DecodingError.dataCorrupted(let context): underlying = context.underlyingError
        case let error as UnarchivingError: underlying = error.underlyingError
        default: return nil
        }
        guard let cycle = underlying as? CycleReference else { return nil }
        self = cycle
    }
}
