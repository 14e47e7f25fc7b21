// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A reference back to an instance in progress.
///
/// It propagates as the underlying error of another error, up to the innermost collection or declared field, which waits. Only if
/// there is none, an error with the full description is created: the paths of long chains are long.
struct CycleReference: Error {
    var number: Int
    var target: DecodedInstanceTable.Index
    var uid: UInt32
    var type: any Any.Type
    /// The coding path of the referenced instance; nil until the error has reached it.
    var targetPath: CodingPathTable.Index?
    var path: CodingPathTable.Index
    var owner: (any Any.Type)?
}

/// The references of one decoding that close a cycle and that no value waits for. If the program catches the error that
/// carries one of them, the value is lost.
final class OpenCycles {
    private let cycles = ValueList<CycleReference>()
    private var count = 0
    /// Instances that cannot be decoded before another one is complete.
    let blocked = ValueTable<DecodedInstanceTable.Index, CycleReference>()

    var isEmpty: Bool { cycles.isEmpty }
    var first: CycleReference { cycles[0] }

    fileprivate func add(_ cycle: CycleReference) -> CycleReference {
        var cycle = cycle
        count += 1
        cycle.number = count
        cycles.append(cycle)
        return cycle
    }

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

    func reset() {
        removeAll()
        blocked.removeAll()
    }
}

extension DecodingSession {
    /// A reference at `path`, in a value of the type `owner`, to the instance in progress with the entry `index`. The caller throws an
    /// error for it.
    func cycle(
        to index: DecodedInstanceTable.Index, from owner: (any Any.Type)? = nil, at path: CodingPathTable.Index
    ) -> CycleReference {
        let (uid, type) = instances.object(index)
        return openCycles.add(CycleReference(number: 0, target: index, uid: uid, type: type, path: path, owner: owner))
    }

    /// The reason why the instance with the entry `index` cannot be decoded yet; nil if decoding may succeed. An
    /// attempt for each reference would take unbounded time if the references share the blocked instances.
    func blocked(_ index: DecodedInstanceTable.Index) -> CycleReference? {
        guard let cycle = openCycles.blocked[index] else { return nil }
        if instances.isUnpublished(cycle.target) { return openCycles.add(cycle) }
        openCycles.blocked[index] = nil
        return nil
    }

    /// Records that `error` is harmless: if it is a reference back, no value is lost.
    func dismiss(_ error: any Error) { if let cycle = CycleReference(in: error) { openCycles.remove(cycle) } }

    func checkCycles() throws(CycleReference) { if !openCycles.isEmpty { throw openCycles.first } }

    /// Returns `error` for the caller of the decoder: with the full description if it is a cycle, or that of an initializer that had
    /// received an empty collection.
    func explained(_ error: any Error) -> any Error {
        let error = outcome(error)
        if let cycle = CycleReference(in: error) {
            let path = codingPath(cycle.path)
            let begun = codingPath(cycle.targetPath ?? CodingPathTable.root)
            // An uncaught error carries the reference.
            let sentence = cycle.sentence(begun: begun, path: path, isCaught: error is CycleReference)
            return ArchivingError(.cycle, path: path) { _ in sentence }
        }
        guard let known = awaited.knownFailure, "\(known)" == "\(error)" else { return error }
        return ArchivingError(.cycle, path: [], underlying: error) { _ in
            "An initializer threw an error after it had received an empty collection, which gets its elements when the instance is"
                + " complete to which they lead back: \(error). Declare the collection as @References, and do not examine it in the"
                + " initializer"
        }
    }
}

extension CycleReference {
    fileprivate func sentence(begun: [any CodingKey], path: [any CodingKey], isCaught: Bool) -> String {
        guard type is AnyClass else {
            return "The archive is damaged: the value with uid \(uid) contains itself"
        }
        var key = path.last.flatMap { $0.intValue == nil ? $0.stringValue : nil }
        let isUnderscored = key?.hasPrefix("_") ?? false
        // The values of a case without labels have the keys _0, _1 and so on.
        if isUnderscored, key.flatMap({ Int($0.dropFirst()) }) != nil { key = nil }
        let isObserved = key != nil && isUnderscored
        let name = key.map { isObserved ? String($0.dropFirst()) : $0 }
        let reference = owner.flatMap { owner in name.map { "\(owner).\($0)" } } ?? "The reference"
        let caught = isCaught ? " An initializer caught this error and continued without the value." : ""
        return
            "\(reference) at \(path.pathDescription) leads back to the \(type) (uid \(uid)) at \(begun.pathDescription), which is"
            + " being decoded.\(caught) \(remedy(name, isObserved: isObserved)): the archive stays readable"
    }

    private func remedy(_ name: String?, isObserved: Bool) -> String {
        if conformance(of: owner ?? type, to: (any Coding.Type).self) != nil {
            return "Call coder.publish(self) in the initializer of \(type) before the reference is decoded"
        }
        if isObserved { return "Give \(owner ?? type) declared fields (ArchivedFields)" }
        let declaration =
            name.map { "Declare it `@Reference var \($0): \(type)?`" } ?? "Declare a property on the way as @Reference"
        return declaration + " (@WeakReference for a parent, declared fields in an @Observable class), or, in an"
            + " initializer that is written by hand, call decoder.publish(self) in that of \(type)"
    }
}

extension CycleReference {
    init?(in error: any Error) {
        let carried: (any Error)?
        switch error {
        case let error as DecodingError: carried = error.context?.underlyingError
        case let error as ArchivingError: carried = error.underlyingError
        default: carried = error
        }
        guard let cycle = carried as? CycleReference else { return nil }
        self = cycle
    }
}

extension ArchivingError {
    init(_ cycle: CycleReference) {
        self.init(.cycle, path: [], underlying: cycle) { _ in "The references form a cycle" }
    }
}
