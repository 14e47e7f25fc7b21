#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One writing of an archive: the graph, and what is known of it at an address that does not move.
///
/// Coders of either kind keep it, and with it the graph.
final class GraphWriting {
    /// What was written so far, the names of types, and the instances whose contents are still to be written.
    let graph: UnsafeMutablePointer<ArchiveGraph>
    /// What is used besides the graph.
    let state: UnsafeMutablePointer<GraphWritingState>

    init() {
        graph = .allocate(capacity: 1)
        graph.initialize(to: ArchiveGraph())
        state = graph.pointee.arena.take(1, of: GraphWritingState.self) ?? .allocate(capacity: 1)
        state.initialize(to: GraphWritingState())
    }

    deinit {
        // While the arena is still there.
        state.deinitialize(count: 1)
        if !graph.pointee.arena.contains(state) { state.deallocate() }
        graph.deinitialize(count: 1)
        graph.deallocate()
    }

    /// Whether the archive has left nothing that another one could not be written with.
    var isSmall: Bool { graph.pointee.isSmall && !state.pointee.hadPostponed }

    /// Makes ready for another archive, which may be written on another thread.
    func reset() {
        graph.pointee.reset()
        state.pointee.reset()
    }
}

// MARK: - The work list

extension GraphWriting {
    /// Writes the contents of every instance that was met, and of those met on the way.
    func writePendingInstances() throws {
        let graph = graph
        var count = 0
        while let instance = graph.pointee.nextPendingInstance() {
            try state.pointee.meter.count(at: count, for: graph)
            count &+= 1
            try instance.writer._withUnsafeGuaranteedRef { try $0.write(instance) }
        }
    }

    /// Writes the instances that were met, and what was postponed. Nothing more comes.
    func writeRest() throws {
        try writePendingInstances()
        while true {
            let postponed = state.pointee.takePostponed()
            if postponed.isEmpty { return }
            for object in postponed { object.writePostponed() }
            try writePendingInstances()
        }
    }

    /// Gives up what was postponed.
    func closePostponed() {
        for object in state.pointee.takePostponed() { object.close() }
    }
}

// MARK: - The end

extension GraphWriting {
    /// Ends the archive.
    ///
    /// - Returns: The bytes of the binary archive, which the caller releases with `Platform.release(_:)`.
    func finish() throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        guard let bytes = graph.pointee.finish() else {
            throw PropertyListError(.tooLarge, at: BinaryFormat.byteLimit)
        }
        return bytes
    }

    /// Ends the archive, and arranges it as is asked for.
    func finish(
        _ format: PropertyListFormat, _ formatting: KeyedArchiver.OutputFormatting
    ) throws(PropertyListError) -> Data {
        var bytes = try finish()
        if formatting.contains(.sortedKeys) { bytes = try replace(bytes, CanonicalArchive.bytes(of:)) }
        if format == .xml { bytes = try replace(bytes, XMLPropertyListWriter.xml(of:)) }
        return Data(owning: bytes)
    }

    /// What `transform` makes of the property list in `bytes`, which are released.
    private func replace(
        _ bytes: UnsafeMutableRawBufferPointer,
        _ transform: (BinaryPropertyListReader) throws(PropertyListError) -> UnsafeMutableRawBufferPointer
    ) throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        defer { if let base = bytes.baseAddress { Platform.release(base) } }
        return try transform(try BinaryPropertyListReader(UnsafeRawBufferPointer(bytes)))
    }
}

/// What belongs to the whole writing of an archive, whichever side asks: what writes the instances, what is written at the
/// end, and whether the archive has failed.
struct GraphWritingState: ~Copyable {
    /// What writes the contents of instances, which the instances on the work list refer to.
    private var writers: [InstanceWriter] = []
    /// Objects that are written at the end of the archive.
    private(set) var postponed: [any PostponedObject] = []
    /// Whether there was ever such an object.
    fileprivate private(set) var hadPostponed = false
    /// Notices that the task is cancelled, and tells the progress.
    var meter = EncodingMeter()
    /// What is left of the stack of the thread that encodes.
    var stack = StackGuard()
    /// Whether a call of the program's works off the instances that were met.
    var isDraining = false
    /// Why the archive cannot be finished.
    private(set) var failure: (any Error)?
    /// Whether the archive is finished.
    var isFinished = false
    /// What the archive is written for.
    var purpose = Purpose.storage

    /// The archive that is brought up to date with this one, if there is one.
    var updated: UpdatedArchive?

    enum Purpose {
        /// To be kept.
        case storage
        /// To be read once, in this process, for a copy of the graph.
        case copy
    }

    /// Keeps what writes the instances of a class.
    mutating func keep(_ writer: InstanceWriter) { writers.append(writer) }

    /// Lets the archive fail with `error`, unless it has failed already.
    mutating func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// Puts off the writing of `object` to the end of the archive.
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
