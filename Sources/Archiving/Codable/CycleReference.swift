/// A reference that leads back to an instance which is still being decoded.
///
/// It travels as what lies under a `DecodingError`, up to the innermost property that can be deferred. An error with the
/// whole story is made of it only when there is none: paths of long chains are long.
struct CycleReference: Error {
    /// The instance that it leads to.
    var target: InstanceTable.Index
    /// The uid of that instance.
    var uid: UInt32
    /// What the instance is asked for as.
    var type: any Any.Type
    /// Where the instance that it leads to is decoded.
    var targetPath: CodingPathTable.Index
    /// Where the reference stands.
    var path: CodingPathTable.Index
    /// Why the innermost property around the reference cannot be deferred.
    var obstacle: String?
}

extension CycleReference {
    /// The reference that `error` is about; nil where it is about something else.
    init?(in error: any Error) {
        guard case DecodingError.dataCorrupted(let context) = error,
            let cycle = context.underlyingError as? CycleReference
        else { return nil }
        self = cycle
    }
}

// MARK: - Finding cycles

extension ArchiveDecoding {
    /// The error of a reference to the instance with the entry `index`, which is being decoded.
    func cycle(to index: InstanceTable.Index, at step: CodingPathStep) -> DecodingError {
        let state = core.pointee.state
        let (uid, type) = state.pointee.instances.object(index)
        let target = frame.innermost { $0.value.uid == uid && $0.type?.pointee.type == type }
        let targetPath = target?.pathIndex(&state.pointee.paths) ?? CodingPathTable.root
        let path = pathIndex(step)
        return CodableErrors.cycle(
            CycleReference(target: index, uid: uid, type: type, targetPath: targetPath, path: path))
    }

    /// `error` as the one who decodes is told it.
    func explained(_ error: any Error) -> any Error {
        guard let cycle = CycleReference(in: error) else { return error }
        guard cycle.type is AnyClass else {
            let path = core.pointee.state.pointee.paths.steps(to: cycle.path)
            return CodableErrors.valueContainsItself(cycle.uid, path: keys(path))
        }
        let paths = core.pointee.state.pointee.paths.steps(to: cycle.path)
        let target = core.pointee.state.pointee.paths.steps(to: cycle.targetPath)
        return CodableErrors.cycle(cycle, begun: keys(target), path: keys(paths))
    }
}
