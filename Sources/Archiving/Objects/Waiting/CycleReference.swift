// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A reference back to an instance in progress.
///
/// It propagates as the underlying error of another error, up to the innermost property that can wait. Only if
/// there is none, an error with the full description is created: the paths of long chains are long.
struct CycleReference: Error {
    /// Its number within one decoding, by which `OpenCycles` finds it.
    var number: Int
    /// The referenced instance.
    var target: InstanceTable.Index
    /// The uid of that instance.
    var uid: UInt32
    /// The type of the instance.
    var type: any Any.Type
    /// The coding path of the referenced instance; nil until the error has reached it.
    var targetPath: CodingPathTable.Index?
    /// The coding path of the reference.
    var path: CodingPathTable.Index
    /// The reason why the innermost property around the reference cannot wait.
    var obstacle: String?
}

/// The references of one decoding that close a cycle and that no value waits for. If the program catches the error that
/// carries one of them, the value is lost.
final class OpenCycles {
    private let cycles = ValueList<CycleReference>()
    private var count = 0

    /// Whether there are no open cycles.
    @inline(__always)
    var isEmpty: Bool { cycles.isEmpty }

    /// The first of them. There must be one.
    var first: CycleReference { cycles[0] }

    fileprivate func add(_ cycle: CycleReference) -> CycleReference {
        var cycle = cycle
        count += 1
        cycle.number = count
        cycles.append(cycle)
        return cycle
    }

    /// Records that a value waits for the target of `cycle`, or that the value is no longer needed.
    func remove(_ cycle: CycleReference) {
        cycles.change { cycles in
            if let index = cycles.lastIndex(where: { $0.number == cycle.number }) { cycles.remove(at: index) }
        }
    }

    func removeAll() {
        guard count != 0 else { return }
        cycles.removeAll()
        count = 0
    }
}

extension GraphReading {
    /// A reference at `path` to the instance in progress with the entry `index`. The caller throws an error for it.
    func cycle(to index: InstanceTable.Index, at path: CodingPathTable.Index) -> CycleReference {
        let (uid, type) = instances.object(index)
        return openCycles.add(CycleReference(number: 0, target: index, uid: uid, type: type, path: path))
    }

    /// Returns `cycle`, for which an error is thrown again.
    func again(_ cycle: CycleReference) -> CycleReference { openCycles.add(cycle) }

    /// Records that `error` is harmless: if it is a reference back, no value is lost.
    func dismiss(_ error: any Error) {
        if let cycle = CycleReference(in: error) { openCycles.remove(cycle) }
    }

}

extension GraphReading {
    /// Throws the error of the first reference back that the program has caught.
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

extension GraphReading {
    /// Returns `error` for the caller of the decoder: with the full description if it is a cycle.
    func explained(_ error: any Error) -> any Error {
        guard let cycle = CycleReference(in: error) else { return error }
        let path = keys(paths.steps(to: cycle.path))
        let begun = keys(paths.steps(to: cycle.targetPath ?? CodingPathTable.root))
        return ReadingFailure(
            .cycle, path: path, cycle.sentence(begun: begun, path: path, isCoding: coding.isCoding(cycle.type)))
    }
}

extension CycleReference {
    /// The sentence that describes the whole cycle.
    ///
    /// - Parameters:
    ///   - begun: The coding path of the instance.
    ///   - path: The coding path of the reference.
    ///   - isCoding: Whether the class encodes itself by key.
    fileprivate func sentence(begun: [any CodingKey], path: [any CodingKey], isCoding: Bool) -> String {
        guard type is AnyClass else {
            return "The archive is damaged: the value with uid \(uid) contains itself"
        }
        let obstacle = obstacle.map { " The property cannot be set later: \($0)." } ?? ""
        let way =
            isCoding
            ? "Decode one of the references on the way with decode(Reference.self, forKey:), or call publish(self) earlier"
            : "Declare one of the properties on the way as @Reference or @WeakReference, or call publish(self)"
        return
            "The references form a cycle: \(path.pathDescription) refers to the \(type) (uid \(uid))"
            + " at \(begun.pathDescription), which is not complete before this reference is.\(obstacle)"
            + " \(way) in the initializer of \(type)"
    }
}

extension CycleReference {
    /// The reference that `error`, of either coder, carries; nil if it carries none.
    init?(in error: any Error) {
        let underlying: (any Error)?
        switch error {
        case let cycle as CycleReference: underlying = cycle
        case let error as any CoderError: underlying = error.carriedError
        default: return nil
        }
        guard let cycle = underlying as? CycleReference else { return nil }
        self = cycle
    }

    /// The failure that carries the reference.
    var failure: ReadingFailure {
        ReadingFailure(.cycle, path: [], "The references form a cycle", underlying: self)
    }
}
