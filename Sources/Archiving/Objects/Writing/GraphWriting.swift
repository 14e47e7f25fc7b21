// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state that both kinds of coders share while they write an archive.
final class GraphWriting {
    /// The written objects, and the names of types.
    let graph = ArchiveGraph()
    /// The instances that have a uid.
    let instances = ObjectTable()
    /// Instances that have only conditional references so far.
    let conditionals = ConditionalInstances()
    /// The instances whose contents are still to be written.
    let pending = PendingInstances()
    /// The writers of the contents of instances.
    private(set) var writers: [InstanceWriter] = []
    /// The paths at which instances were first referenced.
    let paths = CodingPathTable()
    /// The transcriptions of other archives, by their sources.
    private(set) var transcriptions: [ObjectIdentifier: ArchiveTranscription] = [:]
    /// Checks for cancellation and reports progress.
    let meter = EncodingMeter()
    /// The remaining stack of the encoding thread.
    private var stack = StackGuard(share: StackGuard.encodingShare)
    /// Whether a call writes the pending instances.
    var isWorking = false
    /// The reason why the archive cannot be finished.
    private(set) var failure: (any Error)?
    /// Whether the archive is finished, so that coders accept no more data.
    private(set) var isFinished = false
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
    }

    /// Fails the archive with `error`, unless it has failed already.
    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

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
    func resetStack() { stack = StackGuard(share: StackGuard.encodingShare) }

    /// Whether so little of the stack remains that the program must not encode one more level. Call it after `hasStack()`.
    var isStackFull: Bool { stack.isFull }
}

// MARK: - Writers

extension GraphWriting {
    /// The number of the next writer of instances.
    var nextWriterNumber: UInt32 { UInt32(truncatingIfNeeded: writers.count) }

    /// Retains `writer`, whose number is the next one. The array is changed outside of the property, so that reading an element
    /// needs no exclusivity check.
    func enter(_ writer: InstanceWriter) {
        var changed = writers
        writers = []
        changed.append(writer)
        writers = changed
    }

    /// Releases the writers, which refer to the coders. No instance is written afterwards.
    func releaseWriters() { writers = [] }
}

// MARK: - Other archives

extension GraphWriting {
    /// Returns the transcription of `source`, created on first use.
    func transcription(of source: ArchiveSource) -> ArchiveTranscription {
        let all = transcriptions
        if let known = all[ObjectIdentifier(source)] { return known }
        let made = ArchiveTranscription(source, into: graph)
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var changed = transcriptions
        transcriptions = [:]
        changed[ObjectIdentifier(source)] = made
        transcriptions = changed
        return made
    }
}

// MARK: - Reuse

extension GraphWriting {
    /// The number of writers up to which a writing is kept for another archive.
    private static var keptWriters: Int { 32 }

    /// Whether the tables can be reused for another archive.
    var isSmall: Bool {
        graph.isSmall && writers.count <= Self.keptWriters && !instances.hasGrown && !pending.hasGrown
            && !paths.hasGrown && conditionals.isEmpty && transcriptions.isEmpty
            && tables?.hasGrown != true
    }

    /// Prepares for another archive, which may be written on another thread.
    func reset() {
        graph.reset()
        instances.removeAll()
        pending.reset()
        paths.removeAll()
        tables?.reset()
        resetStack()
        purpose = .storage
        if updated != nil { updated = nil }
        meter.reset()
        isFinished = false
    }
}

// MARK: - Finishing

extension GraphWriting {
    /// Ends the use of the coders, of which the program may hold some. The archive is finished, or is never going to be.
    func close() {
        isFinished = true
        releaseWriters()
    }

    /// Writes what surrounds the objects. Tables that are no longer searched are released before, because finishing a large
    /// archive needs memory too.
    private func finishGraph() throws(PropertyListError) {
        if graph.isLarge {
            instances.endSearch()
            paths.releaseMemory()
        }
        try graph.finish()
    }

    /// Finishes the archive.
    func finish() throws(PropertyListError) -> StoredBytes {
        let hasChecksum = graph.hasChecksum
        try finishGraph()
        isFinished = true
        let bytes = graph.list.takeBytes()
        return hasChecksum ? try StoredChecksum.sealed(bytes) ?? bytes : bytes
    }

    /// Finishes the archive in the requested format.
    ///
    /// - Parameter isCanonical: Whether the same value gives the same bytes in every process.
    func finish(_ format: PropertyListFormat, isCanonical: Bool) throws(PropertyListError) -> Data {
        let hasChecksum = graph.hasChecksum
        if hasChecksum, format == .xml {
            throw PropertyListError(
                .unrepresentableInXML, at: 0, "a checksum is one of the bytes of a binary archive",
                path: [ArchiveKey(stringValue: "$top"), ArchiveKey(stringValue: StoredChecksum.key.description)])
        }
        // The canonical form gets the checksum itself, so that no value is that of the checksum.
        if isCanonical { graph.hasChecksum = false }
        try finishGraph()
        if format == .binary, !isCanonical, !hasChecksum {
            isFinished = true
            return graph.list.takeData()
        }
        var bytes = graph.list.takeBytes()
        if isCanonical {
            bytes = try CanonicalArchive.bytes(of: BinaryPropertyListReader(bytes), hasChecksum: hasChecksum)
        }
        if hasChecksum { bytes = try StoredChecksum.sealed(bytes) ?? bytes }
        if format == .xml {
            do throws(PropertyListError) {
                bytes = try XMLPropertyListWriter.xml(of: BinaryPropertyListReader(bytes), hasDistinctKeys: true)
            } catch {
                throw error.located(in: try? KeyedArchive(ArchiveStorage(bytes)))
            }
        }
        isFinished = true
        return bytes.data
    }
}
