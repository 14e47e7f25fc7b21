#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The writing of an archive, with its state at a fixed address.
///
/// Both kinds of coders retain it, and with it the graph.
final class GraphWriting {
    /// The written objects, the names of types, and the instances whose contents are still to be written.
    let graph: UnsafeMutablePointer<ArchiveGraph>
    /// The rest of the shared state.
    let state: UnsafeMutablePointer<GraphWritingState>

    init() {
        graph = .allocate(capacity: 1)
        graph.initialize(to: ArchiveGraph())
        state = graph.pointee.arena.take(1, of: GraphWritingState.self) ?? .allocate(capacity: 1)
        state.initialize(to: GraphWritingState())
    }

    deinit {
        // Before the arena is released.
        state.deinitialize(count: 1)
        if !graph.pointee.arena.contains(state) { state.deallocate() }
        graph.deinitialize(count: 1)
        graph.deallocate()
    }

    /// Whether the tables can be reused for another archive.
    var isSmall: Bool { graph.pointee.isSmall && !state.pointee.hadPostponed }

    /// Prepares for another archive, which may be written on another thread.
    func reset() {
        graph.pointee.reset()
        state.pointee.reset()
    }
}

// MARK: - The work list

extension GraphWriting {
    /// Writes the contents of all pending instances, and of those that these reference.
    func writePendingInstances() throws {
        let graph = graph
        var count = 0
        while let instance = graph.pointee.nextPendingInstance() {
            try state.pointee.meter.count(at: count, for: graph)
            count &+= 1
            try instance.writer._withUnsafeGuaranteedRef { try $0.write(instance) }
        }
    }

    /// Writes the pending instances and the postponed objects. It is the last step.
    func writeRest() throws {
        try writePendingInstances()
        while true {
            let postponed = state.pointee.takePostponed()
            if postponed.isEmpty { return }
            for object in postponed { object.writePostponed() }
            try writePendingInstances()
        }
    }

    /// Discards the postponed objects.
    func closePostponed() {
        for object in state.pointee.takePostponed() { object.close() }
    }
}

// MARK: - Finishing

extension GraphWriting {
    /// Finishes the archive.
    func finish() throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        guard let bytes = graph.pointee.finish() else {
            throw PropertyListError(.tooLarge, at: BinaryFormat.byteLimit)
        }
        return bytes
    }

    /// Finishes the archive in the requested format and formatting.
    func finish(
        _ format: PropertyListFormat, _ formatting: KeyedArchiver.OutputFormatting
    ) throws(PropertyListError) -> Data {
        var bytes = try finish()
        if formatting.contains(.sortedKeys) { bytes = try replace(bytes, CanonicalArchive.bytes(of:)) }
        if format == .xml {
            let archive = UnsafeRawBufferPointer(bytes)
            bytes = try replace(bytes) { list throws(PropertyListError) in
                do throws(PropertyListError) {
                    return try XMLPropertyListWriter.xml(of: list)
                } catch {
                    throw error.located(in: try? KeyedArchive(Data(archive)))
                }
            }
        }
        return Data(owning: bytes)
    }

    /// Returns the result of `transform` for the property list in `bytes`, and releases `bytes`.
    private func replace(
        _ bytes: UnsafeMutableRawBufferPointer,
        _ transform: (BinaryPropertyListReader) throws(PropertyListError) -> UnsafeMutableRawBufferPointer
    ) throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        defer { if let base = bytes.baseAddress { Platform.release(base) } }
        return try transform(try BinaryPropertyListReader(UnsafeRawBufferPointer(bytes)))
    }
}

/// The state that both coders share while they write an archive: the writers of instances, the postponed objects, and
/// the failure.
struct GraphWritingState: ~Copyable {
    /// The writers of the contents of instances, which pending instances reference.
    private var writers: [InstanceWriter] = []
    /// Objects that are written at the end of the archive.
    private(set) var postponed: [any PostponedObject] = []
    /// Whether there was ever such an object.
    fileprivate private(set) var hadPostponed = false
    /// Checks for cancellation and reports progress.
    var meter = EncodingMeter()
    /// The remaining stack of the encoding thread.
    var stack = StackGuard()
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

    enum Purpose {
        /// To be stored.
        case storage
        /// To be read once, in this process, for a copy of the graph.
        case copy
        /// To be compared with another encoding of the same instance (`Reencoding`).
        case comparison
    }

    /// Retains the writer of a class.
    mutating func keep(_ writer: InstanceWriter) { writers.append(writer) }

    /// Fails the archive with `error`, unless it has failed already.
    mutating func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// Postpones the writing of `object` to the end of the archive.
    mutating func postpone(_ object: any PostponedObject) {
        postponed.append(object)
        hadPostponed = true
    }

    fileprivate mutating func takePostponed() -> [any PostponedObject] {
        defer { postponed = [] }
        return postponed
    }

    fileprivate mutating func reset() {
        stack = StackGuard()
        purpose = .storage
        if updated != nil { updated = nil }
        meter = EncodingMeter()
        isFinished = false
    }
}
