/// A reference that leads back to an instance which is still being decoded.
///
/// It travels as what lies under an error, up to the innermost property that can be deferred. An error with the whole
/// story is made of it only when there is none: paths of long chains are long.
struct CycleReference: Error {
    /// Its number among those of one decoding, by which the one who deals with it is known.
    var number: Int
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

/// The references of one decoding that lead back and have not been dealt with: nothing waits for what they refer to. If
/// the program catches the error that one of them travels as, the value is lost.
struct OpenCycles: ~Copyable {
    private var cycles: [CycleReference] = []
    private var count = 0

    /// Whether all have been dealt with.
    @inline(__always)
    var isEmpty: Bool { cycles.isEmpty }

    /// The first of them. There is one.
    var first: CycleReference { cycles[0] }

    fileprivate mutating func add(_ cycle: CycleReference) -> CycleReference {
        var cycle = cycle
        count += 1
        cycle.number = count
        cycles.append(cycle)
        return cycle
    }

    /// Takes note that something waits for what `cycle` refers to, or that the value is no longer wanted.
    mutating func remove(_ cycle: CycleReference) {
        if let index = cycles.lastIndex(where: { $0.number == cycle.number }) { cycles.remove(at: index) }
    }

    mutating func removeAll() {
        if count != 0 { (cycles, count) = ([], 0) }
    }
}

extension GraphReadingState {
    /// A reference at `path` to the instance with the entry `index`, which is being decoded. An error is thrown for it.
    mutating func cycle(to index: InstanceTable.Index, at path: CodingPathTable.Index) -> CycleReference {
        let (uid, type) = instances.object(index)
        return openCycles.add(CycleReference(number: 0, target: index, uid: uid, type: type, path: path))
    }

    /// `cycle`, for which an error is thrown once more.
    mutating func again(_ cycle: CycleReference) -> CycleReference { openCycles.add(cycle) }

    /// Takes note that `error` does no harm: nothing is lost if it is a reference that leads back.
    mutating func dismiss(_ error: any Error) {
        if let cycle = CycleReference(in: error) { openCycles.remove(cycle) }
    }

    /// Throws the error of the first reference that leads back and that the program has caught.
    @inline(__always)
    func checkCycles() throws(CycleReference) {
        if !openCycles.isEmpty { throw caughtCycle() }
    }

    @inline(never)
    private func caughtCycle() -> CycleReference {
        var cycle = openCycles.first
        cycle.obstacle = "an initializer caught this error and continued without the value"
        return cycle
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
        let way =
            type is any Coding.Type
            ? "Decode one of the references on the way with decodeReference(_:forKey:), or call publish(self) earlier"
            : "Declare one of the properties on the way as @Reference or @WeakReference, or call publish(self)"
        return
            "The references form a cycle: \(path.pathDescription) refers to the \(type) (uid \(uid))"
            + " at \(begun.pathDescription), which is not complete before this reference is.\(obstacle)"
            + " \(way) in the initializer of \(type)"
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

    /// The error of the same side as `error`, under which this reference travels instead.
    func travelling(like error: any Error) -> any Error {
        error is UnarchivingError ? UnarchivingError.cycle(self) : decodingError
    }

    /// The error under which the reference travels through initializers of Codable types.
    var decodingError: DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "The references form a cycle", underlyingError: self))
    }
}
