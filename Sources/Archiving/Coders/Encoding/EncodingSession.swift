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
    let graph = ArchiveGraph()
    let instances = EncodedInstanceTable()
    let conditionals = ConditionalInstances()
    let pending = PendingInstances()
    let paths = CodingPathTable()
    let meter = EncodingMeter()
    let records = Records()
    private(set) var writers: [InstanceWriter] = []
    /// The frame around all values; nil once the session is closed.
    private var outermost: EncodingFrame?
    /// The program's archiver, until it is deallocated. A weak reference would make every reference to the archiver slow.
    private unowned var programArchiver: KeyedArchiver?
    /// The archiver that the session made, or that of the program while instances are written: unowned references are slow.
    private var retainedArchiver: KeyedArchiver?
    private(set) var extras = Extras()
    private(set) var phase = Phase.open
    private(set) var failure: (any Error)?

    struct Records {
        fileprivate let types = MetatypeTable<EncodingType>()
        fileprivate let keys = MetatypeTable<EncodingKeyTable>()
        let names = KeyCache<ArchiveGraph.Reference>(filledWith: 0)
    }

    struct Extras {
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
        var purpose = Purpose.storage
        var observer: (any WritingObserver)?
        /// The references to values that are archived once; nil while they are being encoded.
        var storedOnce: [ArchivedOnceKey: ArchiveGraph.Reference?] = [:]
        fileprivate(set) var transcriptions: [ObjectIdentifier: ArchiveTranscription] = [:]
        fileprivate var areUsed = false
    }

    enum Purpose {
        case storage
        /// To be read once, in this process, for a copy of the graph.
        case copy
        /// To be compared with one of declared fields: the types that have some encode themselves.
        case comparison
    }

    enum Phase {
        case open
        case working
        /// The archive is finished, so that coders accept no more data.
        case finished
    }
}

// MARK: - Beginning and ending

extension EncodingSession {
    static let idle = IdleObjects<EncodingSession>()

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
        guard isReusable() else { return close() }
        reset()
        if !Self.idle.leave(self) { close() }
    }

    private func close() {
        phase = .finished
        writers = []
        // The frames inside know their last types, whose writers know the session.
        outermost?.releaseParts()
        outermost = nil
        retainedArchiver = nil
        records.types.removeAll()
    }

    private static var keptWriters: Int { 32 }

    /// Returns whether the session can be used for another archive: the archive is complete, everything is small, and the program has
    /// no reference to frames, containers or the archiver. The session then has no archiver.
    private func isReusable() -> Bool {
        guard phase == .finished, failure == nil, extras.purpose != .comparison, graph.isSmall,
            writers.count <= Self.keptWriters, !instances.hasGrown, !pending.hasGrown, !paths.hasGrown,
            !records.types.hasGrown, !records.keys.hasGrown, meter.isReusable, conditionals.isEmpty,
            extras.transcriptions.isEmpty, outermost?.entries.hasGrown != true
        else { return false }
        // `Coding` classes of the program may still refer to the archiver.
        var archiver = retainedArchiver
        retainedArchiver = nil
        return archiver == nil || isKnownUniquelyReferenced(&archiver)
    }

    private func reset() {
        graph.reset()
        instances.removeAll()
        pending.reset()
        paths.removeAll()
        meter.reset()
        records.names.reset()
        for table in records.keys.records { table.reset() }
        for type in records.types.records { type.reset() }
        if extras.areUsed { extras = Extras() }
        phase = .open
    }
}

// MARK: - State

extension EncodingSession {
    var isWorking: Bool { phase == .working }
    var isFinished: Bool { phase == .finished }

    func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// Calls `body` with what few archives have, outside of the property, so that its accesses need no exclusivity check.
    func changeExtras(_ body: (inout Extras) -> Void) {
        var changed = extras
        extras = Extras()
        body(&changed)
        changed.areUsed = true
        extras = changed
    }

    func working(_ body: () throws -> Void) rethrows {
        phase = .working
        let archiver = programArchiver
        if archiver != nil { retainedArchiver = archiver }
        defer {
            phase = .open
            if archiver != nil { retainedArchiver = nil }
        }
        try body()
    }
}

// MARK: - Frames and writers

extension EncodingSession {
    /// The frame around all values: the root object, instances, and values that are encoded by key. It has the entries of the
    /// object that a keyed archiver is writing.
    var frame: EncodingFrame {
        if let outermost { return outermost }
        let made = EncodingFrame(self, depth: 0, parent: nil)
        outermost = made
        return made
    }

    @inline(__always)
    var archiver: KeyedArchiver { retainedArchiver ?? otherArchiver() }

    @inline(never)
    private func otherArchiver() -> KeyedArchiver {
        if let programArchiver { return programArchiver }
        let made = KeyedArchiver(in: self)
        retainedArchiver = made
        return made
    }

    /// Uses `archiver`, which the program has made, for `Coding` classes; nil if it is deallocated.
    func use(_ archiver: KeyedArchiver?) { programArchiver = archiver }

    /// Retains `writer`. The array is changed outside of the property, so that reading an element needs no exclusivity check.
    ///
    /// - Returns: The number of the writer.
    func enter(_ writer: InstanceWriter) -> UInt32 {
        var changed = writers
        writers = []
        changed.append(writer)
        writers = changed
        return UInt32(truncatingIfNeeded: changed.count - 1)
    }
}

// MARK: - Types and keys

extension EncodingSession {
    @inline(__always)
    func type<Value: Encodable>(_ type: Value.Type) -> EncodingType { records.types.record(of: type) ?? makeType(type) }

    /// Creates the record of a type. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private func makeType(_ type: any Encodable.Type) -> EncodingType { enter(EncodingType(type, in: self)) }

    @inline(__always)
    func type<Object: Coding>(coding type: Object.Type) -> EncodingType {
        records.types.record(of: type) ?? makeType(coding: type)
    }

    @inline(never)
    private func makeType(coding type: any Coding.Type) -> EncodingType {
        if let encodable = type as? any Encodable.Type { return makeType(encodable) }
        return enter(EncodingType(coding: type, in: self))
    }

    private func enter(_ made: EncodingType) -> EncodingType {
        records.types.enter(made, for: made.type)
        return made
    }

    @inline(never)
    func type(ofSubclass type: AnyClass, _ record: EncodingType) -> EncodingType {
        if let known = records.types.record(of: type) { return known }
        return (type as? any Encodable.Type).map { makeType($0) } ?? record
    }

    var typesWithFields: [(type: any Any.Type, fields: EncodingFields)] {
        records.types.records.compactMap { record in record.fields.map { (record.type, $0) } }
    }

    func keyTable<Key: CodingKey>(_ type: Key.Type) -> EncodingKeyTable {
        if let known = records.keys.record(of: type) { return known }
        let table = EncodingKeyTable(of: type, number: paths.number(of: type))
        records.keys.enter(table, for: type)
        return table
    }
}

// MARK: - Values

extension EncodingSession {
    func encodeRoot<Value: Encodable>(_ value: Value) throws {
        addRoot(try frame.reference(to: value, at: .root, inline: false))
        try write()
    }

    func encodeRoot<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws {
        addRoot(try frame.reference(ofRoot: Value.self) { try value.encode(to: $0, configuration: configuration) })
        try write()
    }

    func encodeInstances(_ instances: some Sequence<AnyObject>) throws {
        for instance in instances { _ = try frame.reference(toInstance: instance, at: .root) }
        try write()
    }

    private func addRoot(_ root: ArchiveGraph.Reference) { _ = graph.top.set(ArchivePrologue.rootKey, to: root) }

    func transcription(of source: ArchiveSource) -> ArchiveTranscription {
        if let known = extras.transcriptions[ObjectIdentifier(source)] { return known }
        let made = ArchiveTranscription(source, into: graph)
        changeExtras { $0.transcriptions[ObjectIdentifier(source)] = made }
        return made
    }
}

// MARK: - Limits

extension EncodingSession {
    /// Counts a collection of `count` elements. Each element is counted as well.
    @inline(__always)
    func countCollection(_ count: Int) throws { try meter.count(collection: count, for: graph) }

    @inline(__always)
    func countElement(at index: Int) throws { try meter.count(at: index, for: graph) }
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

    func finish() throws(PropertyListError) -> StoredBytes {
        let hasChecksum = graph.hasChecksum
        try finishGraph()
        phase = .finished
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
            phase = .finished
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
        phase = .finished
        return bytes.data
    }
}

// MARK: - The meter

/// Guards the limits of an encoding, its stack, and its task.
///
/// It counts encoded instances and elements of collections: at intervals, it checks for cancellation of the task and reports the
/// number of objects in the archive.
final class EncodingMeter {
    private var span = EncodingMeter.spanLimit
    var progress: ArchiveProgress.Handler?
    var limits = EncodingLimits() { didSet { freeDepth = min(StackGuard.freeDepth, limits.nesting) } }
    /// The depth of nested values up to which no check is necessary.
    private var freeDepth = StackGuard.freeDepth
    private var stack = StackGuard(share: StackGuard.encodingShare)
    private var deepest = 0

    /// Instances and elements between two checks: a part of a millisecond.
    private static var spanLimit: Int { 1 << 10 }
    private static var collectionFloor: Int { 64 }

    func reset() {
        span = Self.spanLimit
        progress = nil
        if limits != EncodingLimits() { limits = EncodingLimits() }
        resetStack()
    }
}

extension EncodingMeter {
    @inline(never)
    func count(_ count: Int, for graph: ArchiveGraph) throws {
        span = span - count
        if span > 0 { return }
        span = Self.spanLimit
        progress?(ArchiveProgress(completedCount: graph.objectCount, totalCount: nil))
        if Task.isCancelled { throw CancellationError() }
    }

    /// Counts the instance or element at `index`. Most calls only test the index.
    @inline(__always)
    func count(at index: Int, for graph: ArchiveGraph) throws {
        if index & (Self.spanLimit - 1) == Self.spanLimit - 1 { try count(Self.spanLimit, for: graph) }
    }

    /// Counts a collection of `count` elements if it is too small for `count(at:for:)` but large enough to matter.
    @inline(__always)
    func count(collection count: Int, for graph: ArchiveGraph) throws {
        if count >= Self.collectionFloor, count < Self.spanLimit { try self.count(count, for: graph) }
    }
}

extension ArchiveGraph {
    /// The number of objects, without "$null".
    var objectCount: Int { slots.count - 1 }
}

extension EncodingMeter {
    func note(depth: Int) {
        if depth > deepest { deepest = depth }
    }

    /// Notes that the program holds a frame, so that the session is not used again.
    func noteHeld() { deepest = .max }

    /// Whether the frames are few enough to be kept for another archive, and the program holds none.
    var isReusable: Bool { deepest <= StackGuard.reusableDepth }

    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool { depth < freeDepth || depth < limits.nesting && hasStack() }

    /// Returns whether the stack has room for a value that nests nothing, if `isLeaf` says that it is one.
    @inline(never)
    func hasRoom(forLeaf isLeaf: Bool) -> Bool { isLeaf && limits.nesting > 0 && hasStack() }

    @inline(never)
    private func hasStack() -> Bool {
        // Changed outside of the property, so that other accesses to it need no exclusivity check.
        var guarded = stack
        defer { stack = guarded }
        return guarded.hasRoom()
    }

    /// Measures the stack again: the program may be on another thread than before.
    func resetStack() { stack = StackGuard(share: StackGuard.encodingShare) }

    /// Whether so little of the stack remains that the program must not encode one more level. It is measured before.
    var isStackFull: Bool { stack.isFull }
}
