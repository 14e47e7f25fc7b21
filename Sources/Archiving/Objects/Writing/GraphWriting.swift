#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state that both kinds of coders share while they write an archive.
final class GraphWriting {
    /// The written objects, the names of types, and the instances whose contents are still to be written.
    let graph = ArchiveGraph()
    /// Checks for cancellation and reports progress.
    let meter = EncodingMeter()
    /// Objects that are written at the end of the archive.
    let postponed = ValueList<any PostponedObject>()
    /// Whether there was ever such an object.
    private var hadPostponed = false
    /// The remaining stack of the encoding thread.
    private var stack = StackGuard()
    /// Whether a call of the program writes the pending instances.
    var isDraining = false
    /// The reason why the archive cannot be finished.
    private(set) var failure: (any Error)?
    /// Whether the archive is finished.
    var isFinished = false
    /// The purpose of the archive.
    var purpose = Purpose.storage
    /// The archive that this one updates, if any.
    var updated: UpdatedArchive?
    /// The tables of the keyed archiver; nil until there is one.
    var tables: CoderTables?

    enum Purpose {
        /// To be stored.
        case storage
        /// To be read once, in this process, for a copy of the graph.
        case copy
        /// To be compared with another encoding of the same instance (`Reencoding`).
        case comparison
    }

    /// Fails the archive with `error`, unless it has failed already.
    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// Postpones the writing of `object` to the end of the archive.
    func postpone(_ object: any PostponedObject) {
        postponed.append(object)
        hadPostponed = true
    }

    /// Whether there are objects that are written at the end of the archive.
    var hasPostponed: Bool { !postponed.isEmpty }

    /// Whether the stack allows one more level of nesting.
    @inline(never)
    func hasStack() -> Bool {
        // Changed outside of the property, so that other accesses to it need no exclusivity check.
        var guarded = stack
        let hasRoom = guarded.hasRoom()
        stack = guarded
        return hasRoom
    }

    /// Measures the stack again: the program may be on another thread than before.
    func resetStack() { stack = StackGuard() }
}

// MARK: - Reuse

extension GraphWriting {
    /// Whether the tables can be reused for another archive.
    var isSmall: Bool { graph.isSmall && !hadPostponed && tables?.hasGrown != true }

    /// Prepares for another archive, which may be written on another thread.
    func reset() {
        graph.reset()
        tables?.reset()
        resetStack()
        purpose = .storage
        if updated != nil { updated = nil }
        meter.reset()
        isFinished = false
    }
}

// MARK: - The work list

extension GraphWriting {
    /// Writes the contents of all pending instances, and of those that these reference.
    func writePendingInstances() throws {
        let tables = tables
        tables?.beginWork()
        defer { tables?.endWork() }
        var count = 0
        // Most instances have the writer of the one before.
        var last = -1
        var writer: InstanceWriter?
        while let (instance, number) = graph.nextPendingInstance() {
            try meter.count(at: count, for: graph)
            count &+= 1
            if number != last {
                writer = graph.writers[number]
                last = number
            }
            try writer?.write(instance)
        }
    }

    /// Writes the pending instances and the postponed objects. It is the last step.
    func writeRest() throws {
        try writePendingInstances()
        while true {
            let postponed = postponed.removeAll()
            if postponed.isEmpty { return }
            for object in postponed { object.writePostponed() }
            try writePendingInstances()
        }
    }

    /// Discards the postponed objects.
    func closePostponed() {
        for object in postponed.removeAll() { object.close() }
    }
}

// MARK: - Finishing

extension GraphWriting {
    /// Finishes the archive.
    func finish() throws(PropertyListError) -> StoredBytes {
        try graph.finish()
        return graph.list.takeBytes()
    }

    /// Finishes the archive in the requested format.
    ///
    /// - Parameter isCanonical: Whether the same value gives the same bytes in every process.
    func finish(_ format: PropertyListFormat, isCanonical: Bool) throws(PropertyListError) -> Data {
        try graph.finish()
        if format == .binary, !isCanonical { return graph.list.takeData() }
        var bytes = graph.list.takeBytes()
        if isCanonical { bytes = try CanonicalArchive.bytes(of: BinaryPropertyListReader(bytes)) }
        if format == .xml {
            do throws(PropertyListError) {
                bytes = try XMLPropertyListWriter.xml(of: BinaryPropertyListReader(bytes))
            } catch {
                throw error.located(in: try? KeyedArchive(ArchiveStorage(bytes)))
            }
        }
        return bytes.data
    }
}

// MARK: - Postponed objects

/// An object that is written at the end of the archive, since the program can still add to it. The layers above create
/// such objects: encoders whose containers the program retains.
protocol PostponedObject: AnyObject {
    /// Writes the object. Nothing can be added afterwards.
    func writePostponed()

    /// Closes the object. Additions to it are not written.
    func close()
}
