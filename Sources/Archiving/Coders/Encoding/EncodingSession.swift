// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One writing of an archive: its objects, and what the coders know while they write them.
///
/// Frames, writers and the keyed archiver refer to their session, which refers to them until it is closed. Its owner ends it: a
/// `RootEncoding`, or the archiver of the program. A session whose tables are small then serves the next archive.
final class EncodingSession {
    /// The written objects, and the names of types.
    let graph = ArchiveGraph()
    /// The instances that have a uid.
    let instances = ObjectTable()
    /// Instances that have only conditional references so far.
    let conditionals = ConditionalInstances()
    /// The instances whose contents are still to be written.
    let pending = PendingInstances()
    /// The paths at which instances were first referenced.
    let paths = CodingPathTable()
    /// The elements of the arrays of instances that are being written, each array's after those of the outer one.
    let elements = PlainTable<ArchiveGraph.Reference>()
    /// Checks for cancellation and reports progress.
    let meter = EncodingMeter()
    /// The writers of the contents of instances.
    private(set) var writers: [InstanceWriter] = []

    // MARK: Types and keys

    private let types = MetatypeTable<EncodingType>()
    private let keyTables = MetatypeTable<EncodingKeyTable>()
    /// The objects of keys that are given as strings.
    let keys = KeyCache<ArchiveGraph.Reference>(filledWith: 0)

    // MARK: Frames

    /// The frame around all values; nil once the session is closed.
    private var outermost: EncodingFrame?
    /// The keyed archiver of the session; nil if there is none, or once it is deallocated. A weak reference would make every
    /// reference to the archiver slow.
    private unowned var knownArchiver: KeyedArchiver?
    /// The same, if the session made it.
    private var ownArchiver: KeyedArchiver?
    /// Whether the program holds a frame that keeps containers.
    var hasHeldEncoding = false
    /// The depth of the deepest frame.
    private var deepest = 0

    // MARK: Settings

    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The limits on the encoded values.
    var limits = EncodingLimits() { didSet { freeDepth = min(StackGuard.freeDepth, limits.nesting) } }
    /// The depth of nested values up to which no check is necessary.
    private var freeDepth = StackGuard.freeDepth
    /// The remaining stack of the encoding thread.
    private var stack = StackGuard(share: StackGuard.encodingShare)
    /// Whether types with declared fields encode themselves.
    var ignoresFields = false
    /// The purpose of the archive.
    var purpose = Purpose.storage

    // MARK: State

    /// Whether a call writes the pending instances.
    var isWorking = false
    /// The reason why the archive cannot be finished.
    private(set) var failure: (any Error)?
    /// Whether the archive is finished, so that coders accept no more data.
    private(set) var isFinished = false

    // MARK: Rare values

    /// The references to values that are archived once; nil while they are being encoded.
    var storedOnce: [ArchivedOnceKey: ArchiveGraph.Reference?] = [:]
    /// The transcriptions of other archives, by their sources.
    private(set) var transcriptions: [ObjectIdentifier: ArchiveTranscription] = [:]
    /// The archive that this one updates, if any.
    var updated: UpdatedArchive?

    enum Purpose {
        /// To be stored.
        case storage
        /// To be read once, in this process, for a copy of the graph.
        case copy
    }
}

// MARK: - Beginning and ending

extension EncodingSession {
    /// The sessions of small archives that are finished.
    static let idle = IdleObjects<EncodingSession>()

    /// Returns an idle session, or a new one.
    static func begin() -> EncodingSession {
        if let session = idle.take() { return session }
        require(
            idle.isFirstNeed() || !StackGuard.isExhausted,
            "Encoders were called inside each other until the stack was full: an encode(to:), or a property that it reads, such"
                + " as rawValue, encodes its own value. Encode the parts of the value there")
        return EncodingSession()
    }

    /// Ends the session, whose owner calls nothing else: leaves it for another archive if it can be used again, or closes it.
    func end() {
        guard isReusable else { return close() }
        reset()
        if !Self.idle.leave(self) { close() }
    }

    /// Ends the use of the coders, of which the program may hold some. The archive is finished, or is never going to be.
    private func close() {
        isFinished = true
        writers = []
        // The frames inside know their last types, whose writers know the session.
        outermost?.releaseSpare()
        outermost = nil
        ownArchiver = nil
        for table in keyTables.records { table.releaseContainers() }
        types.removeAll()
    }

    /// The number of writers up to which a session is kept for another archive.
    private static var keptWriters: Int { 32 }

    /// Whether the session can be used for another archive: the archive is complete, everything is small, and the program has no
    /// reference to frames, containers or the archiver.
    private var isReusable: Bool {
        guard isFinished, failure == nil, !hasHeldEncoding, !ignoresFields, graph.isSmall,
            writers.count <= Self.keptWriters,
            !instances.hasGrown, !pending.hasGrown, !paths.hasGrown, !types.hasGrown, !keyTables.hasGrown,
            deepest <= StackGuard.reusableDepth, elements.capacity <= Self.keptElements,
            conditionals.isEmpty, transcriptions.isEmpty, outermost?.entries.hasGrown != true
        else { return false }
        // `Coding` classes of the program may still refer to the archiver.
        return ownArchiver == nil || isKnownUniquelyReferenced(&ownArchiver)
    }

    /// The number of elements for which the memory is kept.
    private static var keptElements: Int { 1 << 10 }

    /// Prepares for another archive, which may be written on another thread.
    private func reset() {
        graph.reset()
        instances.removeAll()
        pending.reset()
        paths.removeAll()
        meter.reset()
        keys.reset()
        for table in keyTables.records { table.reset() }
        for type in types.records { type.reset() }
        resetStack()
        if ownArchiver != nil { ownArchiver = nil }
        if limits != EncodingLimits() { limits = EncodingLimits() }
        if !userInfo.isEmpty { userInfo = [:] }
        if !storedOnce.isEmpty { storedOnce = [:] }
        if updated != nil { updated = nil }
        purpose = .storage
        isFinished = false
    }

    /// Fails the archive with `error`, unless it has failed already.
    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }
}

// MARK: - Frames

extension EncodingSession {
    /// The frame around all values: the root object, instances, and values that are encoded by key. It has the entries of the
    /// object that a keyed archiver is writing.
    var frame: EncodingFrame {
        if let outermost { return outermost }
        let made = EncodingFrame(self, depth: 0, parent: nil)
        outermost = made
        return made
    }

    /// Records a frame of the depth `depth`.
    func note(depth: Int) {
        if depth > deepest { deepest = depth }
    }

    /// The archiver with which `Coding` classes encode themselves.
    var archiver: KeyedArchiver { knownArchiver ?? makeArchiver() }

    private func makeArchiver() -> KeyedArchiver {
        let made = KeyedArchiver(in: self)
        ownArchiver = made
        return made
    }

    /// Uses `archiver` for `Coding` classes; nil if the one that the session had is deallocated.
    func use(_ archiver: KeyedArchiver?) { knownArchiver = archiver }
}

// MARK: - Types and keys

extension EncodingSession {
    /// Returns the record of a type.
    @inline(__always)
    func type<Value: Encodable>(_ type: Value.Type) -> EncodingType { types.record(of: type) ?? makeType(type) }

    /// Creates the record of a type. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private func makeType(_ type: any Encodable.Type) -> EncodingType { make(type) }

    private func make<Value: Encodable>(_ type: Value.Type) -> EncodingType {
        enter(EncodingType(type, in: self))
    }

    /// Returns the record of a `Coding` class.
    @inline(__always)
    func type<Object: Coding>(coding type: Object.Type) -> EncodingType {
        types.record(of: type) ?? makeType(coding: type)
    }

    @inline(never)
    private func makeType(coding type: any Coding.Type) -> EncodingType {
        if let encodable = type as? any Encodable.Type { return make(encodable) }
        return make(coding: type)
    }

    private func make<Object: Coding>(coding type: Object.Type) -> EncodingType {
        enter(EncodingType(coding: type, in: self))
    }

    private func enter(_ made: EncodingType) -> EncodingType {
        types.enter(made, for: made.type)
        return made
    }

    /// Returns the record of the class `type`, whose superclass has the record `record`.
    @inline(never)
    func type(ofSubclass type: AnyClass, _ record: EncodingType) -> EncodingType {
        if let known = types.record(of: type) { return known }
        return (type as? any Encodable.Type).map { makeType($0) } ?? record
    }

    /// The types with declared fields of which the archive has values.
    var typesWithFields: [(type: any Any.Type, fields: WrittenFields)] {
        types.records.compactMap { record in record.fields.map { (record.type, $0) } }
    }

    @inline(__always)
    func keyTable<Key: CodingKey>(_ type: Key.Type) -> EncodingKeyTable {
        keyTables.record(of: type) ?? makeKeyTable(type)
    }

    @inline(never)
    private func makeKeyTable<Key: CodingKey>(_ type: Key.Type) -> EncodingKeyTable {
        let table = EncodingKeyTable(of: type, number: paths.number(of: type))
        keyTables.enter(table, for: type)
        return table
    }
}

// MARK: - Values

extension EncodingSession {
    /// Encodes `value` as the root object, with all instances that it references.
    func encodeRoot<Value: Encodable>(_ value: Value) throws {
        addRoot(try frame.reference(to: value, at: .root, inline: false))
        try write()
    }

    /// Encodes `value` as the root object, with all instances that it references.
    func encodeRoot<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws {
        addRoot(try frame.reference(ofRoot: Value.self) { try value.encode(to: $0, configuration: configuration) })
        try write()
    }

    /// Encodes instances that the root object does not reference.
    func encodeInstances(_ instances: some Sequence<AnyObject>) throws {
        for instance in instances { _ = try frame.reference(toInstance: instance, at: .root) }
        try write()
    }

    private func addRoot(_ root: ArchiveGraph.Reference) { _ = graph.top.set(ArchivePrologue.rootKey, to: root) }
}

// MARK: - Limits

extension EncodingSession {
    /// Counts a collection of `count` elements. Each element is counted as well.
    @inline(__always)
    func countCollection(_ count: Int) throws { try meter.count(collection: count, for: graph) }

    /// Counts the element at `index`.
    @inline(__always)
    func countElement(at index: Int) throws { try meter.count(at: index, for: graph) }

    /// Returns whether the limits and the stack allow a value in one of the depth `depth`.
    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool { depth < freeDepth || depth < limits.nesting && hasStack() }

    /// Returns whether a value of `type` nests nothing, and the stack has room for its encoding.
    @inline(never)
    func hasRoom(forLeaf type: EncodingType) -> Bool { type.nestsNothing && limits.nesting > 0 && hasStack() }

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

extension EncodingSession {
    /// The number of the next writer of instances.
    var nextWriterNumber: UInt32 { UInt32(truncatingIfNeeded: writers.count) }

    /// Retains `writer`, whose number is the next one. The array is changed outside of the property, so that session an element
    /// needs no exclusivity check.
    func enter(_ writer: InstanceWriter) {
        var changed = writers
        writers = []
        changed.append(writer)
        writers = changed
    }
}

// MARK: - Other archives

extension EncodingSession {
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

// MARK: - Finishing

extension EncodingSession {
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
