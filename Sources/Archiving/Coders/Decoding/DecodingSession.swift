// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// One reading of an archive: its contents, the decoded instances and the awaited ones, the names of types and keys, and
/// the remaining limits.
///
/// Decoders retain their session, and with it the archive. The session retains the decoder of `$top` until it ends: a call of
/// `decode(for:_:)`, or the unarchiver of the program, ends it. A session whose tables are small then serves the next
/// archive.
final class DecodingSession {
    private var storage: ArchiveStorage
    let archive: ArchiveContents
    let meter: DecodingMeter
    var settings: ReadingSettings
    let instances: DecodedInstanceTable
    let waiting = WaitingTables()
    var foreign: ForeignObjects?
    var openReading: OpenReading?
    private var nesting: Nesting
    private var failures = Failures()
    let types = DecodingTypes()
    let keys = KeyTables()
    let offsets = PlainBlock(repeating: 0, count: LeafOffsets.blockSize)
    private let coders = Coders()

    private final class Coders {
        /// The decoding of `$top`; nil before it begins, and after the root object and all waiting values are decoded.
        var top: DecodingFrame?
        var topDecoder: ProgramDecoder?
        /// The unarchiver with which `Coding` classes decode themselves: that of the program during its calls, or one that the
        /// session has made.
        var unarchiver: KeyedUnarchiver?
        /// The unarchiver of the program; nil if there is none, or once it is deallocated. A weak reference would make every
        /// reference to the unarchiver slow.
        unowned var programUnarchiver: KeyedUnarchiver?
        var state = State.reusable
    }

    private struct Nesting {
        var stack = StackGuard()
        var limit: Int
        var deepest = 0
    }

    private struct Failures {
        var known: (any Error)?
        /// The coding path of the first value that has exceeded the limit of the work; nil if there is none.
        var excessPath: [any CodingKey]?
    }

    private enum State {
        case reusable
        /// A call has thrown, or the program held a decoder after its value was decoded: the session is not used again.
        case used
        case ended
    }

    private init(_ stored: StoredArchive, _ settings: consuming ReadingSettings) {
        nesting = Nesting(limit: settings.limits.nesting)
        meter = settings.limits.meter(forByteCount: stored.contents.byteCount)
        meter.noticeCancellation()
        storage = stored.storage
        archive = stored.contents.metered(by: meter, noting: ReadingNotes())
        instances = DecodedInstanceTable(slotCount: archive.slotCount)
        keys.names.restart(objectCount: archive.list.objectCount)
        self.settings = settings
    }

    deinit {
        // A record may refer to itself.
        types.reset()
        awaited.clearValues()
        // Before what waits for them: a long chain of instances must not be released recursively.
        instances.removeAll()
    }

    var stored: StoredArchive { StoredArchive(storage, archive) }
    var top: DecodingFrame? { coders.top }
    var observer: (any ReadingObserver)? { openReading?.observer }
    var requests: (any RequestObserver)? { openReading?.requests }
    var awaited: AwaitedWork { waiting.awaited }
    var unfilled: UnfilledInstances { waiting.unfilled }
    var openCycles: OpenCycles { waiting.cycles }
    var hashed: HashedElements { waiting.hashed }
}

// MARK: - Limits

extension DecodingSession {
    @inline(__always)
    func countWork(_ count: Int) throws(KeyedArchiveError) { try meter.count(count) }

    var mark: DecodingMeter.Mark { meter.mark }

    /// Returns the result of `request`. If it throws, it gives back what it has charged.
    @inline(__always)
    func request<Result>(_ request: () throws -> Result) throws -> Result {
        let mark = mark
        do { return try request() } catch {
            leaveNothing(since: mark, after: error)
            throw error
        }
    }

    /// Leaves nothing of a request that began at `mark` and has thrown `error`: withdraws the collections that it has received, gives back
    /// what it has charged, and forgets which keys it has requested. Each coder also forgets the key that the request was for.
    ///
    /// - Returns: Whether the request is over. If the error is a reference back, the library repeats the request, which then counts
    ///   twice.
    @inline(never) @discardableResult
    func leaveNothing(since mark: DecodingMeter.Mark, after error: any Error) -> Bool {
        if !awaited.lent.isEmpty { withdrawCollections(since: mark, after: error) }
        // Most archives have no open cycles, and the test of an error is slow.
        guard openCycles.isEmpty || CycleReference(in: error) == nil else { return false }
        // First: the order of the requests is that of the charge.
        requests?.forget(since: mark)
        meter.giveBack(since: mark)
        return true
    }

    /// Keeps what was charged since `mark`: it has made instances, which stay for other references.
    @inline(__always)
    func keep(since mark: DecodingMeter.Mark) { meter.keep(since: mark) }

    /// Keeps `count` steps of a request for its entries in tables, which stay if it throws.
    @inline(never)
    func keep(_ count: Int) { meter.keep(count) }

    func checkObjectCount() throws(KeyedArchiveError) {
        if archive.slotCount > settings.limits.objects {
            throw KeyedArchiveError(.limit(.init("objects"), settings.limits.objects))
        }
    }

    @inline(never)
    func hasStack() -> Bool {
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var stack = nesting.stack
        defer { nesting.stack = stack }
        return stack.hasRoom()
    }

    /// Expects the next call on any thread.
    func forgetStack() { nesting.stack = StackGuard() }
}

// MARK: - Failure

extension DecodingSession {
    var hasFailed: Bool { failures.known != nil || meter.isExceeded }

    /// An error that fails the whole decoding even if the program catches it: an incomplete instance is reachable.
    @inline(never)
    var failure: (any Error)? {
        failures.known ?? meter.excess.map { ArchivingError.damaged($0, path: failures.excessPath ?? []) }
    }

    func noteExcess(at path: [any CodingKey]) {
        if meter.isExceeded, failures.excessPath == nil { failures.excessPath = path }
    }

    func fail(_ error: any Error) { if failures.known == nil { failures.known = error } }

    /// The error of a decoding that ends with `error`: cancellation of the task, or an exceeded limit if the program
    /// has caught that error and thrown another one.
    @inline(never)
    func outcome(_ error: any Error) -> any Error {
        if meter.isCancelled { return CancellationError() }
        guard let excess = meter.excess, ArchivingError(in: error)?.code != .limit else { return error }
        return ArchivingError.damaged(excess, path: failures.excessPath ?? [])
    }

    /// Releases all instances of a decoding that has failed, and the values that wait. Only a decoder that an
    /// initializer has kept can still use the tables.
    func giveUp() {
        awaited.removeAll()
        clearFilled()
        for restore in openReading?.restorations.removeAll() ?? [] { restore() }
        instances.removeAll()
    }
}

// MARK: - Pauses

extension DecodingSession {
    /// Permits the decoding of deferred parts: the decoded values are complete, or discarded.
    func pauseDecoding(isComplete: Bool) {
        if isComplete {
            instances.forgetReferences(isFailure: false)
            awaited.forgetValues()
            unfilled.removeAll()
        }
        guard let openReading else { return }
        let decoded = openReading.decoded.removeAll()
        if isComplete {
            openReading.restorations.removeAll()
            openReading.observer.enter(decoded.compactMap { instances.decoded($0.uid, $0.entry) })
        }
        openReading.requests?.finish(isComplete: isComplete)
        openReading.observer.endDecoding()
    }

    /// Omits the check for each object from now on if the file of the archive is fully loaded.
    @inline(never)
    func noteLoadedFile() {
        guard storage.pages?.isComplete == true else { return }
        archive.notePresent()
        if meter.progress != nil { archive.watch(true) }
    }

    var progress: ReadingProgress? {
        get { meter.progress }
        set {
            meter.progress = newValue
            archive.watch(newValue != nil)
        }
    }
}

// MARK: - Beginning and ending

extension DecodingSession {
    static let idle = IdleObjects<DecodingSession>()

    /// Returns an idle session, or a new one, for `archive`.
    ///
    /// - Throws: `KeyedArchiveError` if calls are nested so deeply that the stack is full.
    static func begin(
        _ archive: StoredArchive, _ settings: consuming ReadingSettings
    ) throws(KeyedArchiveError) -> DecodingSession {
        guard let kept = idle.take() else { return try new(archive, settings) }
        kept.archive.begin(archive.contents)
        kept.begin(archive.storage, with: settings)
        return kept
    }

    /// Returns an idle session, or a new one, for the archive in `storage`.
    ///
    /// - Throws: `KeyedArchiveError` if the bytes are not a keyed archive, or if the stack is full.
    static func begin(
        _ storage: ArchiveStorage, _ settings: consuming ReadingSettings
    ) throws(KeyedArchiveError) -> DecodingSession {
        let binary = try StoredArchive.binary(storage)
        guard binary.pages == nil, let kept = idle.take() else { return try new(StoredArchive(binary), settings) }
        do throws(KeyedArchiveError) {
            try kept.archive.begin(binary.bytes)
        } catch {
            kept.reset()
            if !idle.leave(kept) { kept.close() }
            throw error
        }
        kept.begin(binary, with: settings)
        return kept
    }

    /// Returns a new session. Other calls have the idle ones, perhaps calls of the same thread: an initializer may decode data of an
    /// archive as another archive.
    private static func new(
        _ archive: StoredArchive, _ settings: consuming ReadingSettings
    ) throws(KeyedArchiveError) -> DecodingSession {
        if !idle.isFirstNeed(), StackGuard.isExhausted {
            throw KeyedArchiveError(
                .other(
                    .limit, uid: nil,
                    sentence: "Decoders were called inside each other until the stack was full. Decode on a thread"
                        + " with a larger stack if you trust the archive"))
        }
        return DecodingSession(archive, settings)
    }

    private func begin(_ storage: ArchiveStorage, with settings: consuming ReadingSettings) {
        meter.begin(settings.limits.work(forByteCount: archive.byteCount))
        nesting.limit = settings.limits.nesting
        self.storage = storage
        self.settings = consume settings
        instances.restart(slotCount: archive.slotCount)
        keys.names.restart(objectCount: archive.list.objectCount)
        coders.state = .reusable
    }

    /// Returns the result of `body` with the decoder of `$top`, after everything that waits is decoded. Ends the session.
    ///
    /// - Parameter observer: The observer of an archive that stays open, of which a part is decoded.
    func decode<Value>(
        for observer: (any ReadingObserver)? = nil, _ body: (ProgramDecoder) throws -> Value
    ) throws -> Value {
        if let observer { begin(for: observer) }
        let taken = takeTopDecoder()
        do {
            try taken.decoding.undamaged(checkObjectCount(), at: .root)
            let value = try body(taken)
            try finish()
            pauseDecoding(isComplete: true)
            end(consume taken)
            return value
        } catch {
            noteUse()
            pauseDecoding(isComplete: false)
            let outcome = explained(error)
            // Instances of a failed decoding are released in the call, while the table of instances still retains their references.
            // Otherwise a long chain would be released recursively.
            giveUp()
            end(consume taken)
            throw DecodingError.converted(outcome)
        }
    }

    private func takeTopDecoder() -> ProgramDecoder {
        let taken = takeDecoder()
        taken.decoding.prepareTop()
        setTop(taken.decoding)
        return taken
    }

    private func takeDecoder() -> ProgramDecoder {
        let taken = coders.topDecoder ?? ProgramDecoder(self)
        if coders.topDecoder != nil { coders.topDecoder = nil }
        return taken
    }

    var topForValues: DecodingFrame {
        if let top { return top }
        let taken = takeTopDecoder()
        coders.topDecoder = taken
        return taken.decoding
    }

    private func setTop(_ new: DecodingFrame?) {
        // The old one is released outside of the access, which then needs no exclusivity check.
        let old = coders.top
        coders.top = new
        withExtendedLifetime(old) {}
    }

    /// Ends the session, whose owner calls nothing else. Decoders that the program has kept still read the archive.
    func end() { end(takeDecoder()) }

    private func end(_ taken: consuming ProgramDecoder) {
        if progress != nil { progress = nil }
        setTop(nil)
        // For `Coding` classes that have kept it.
        coders.unarchiver?.close()
        guard isKnownUniquelyReferenced(&taken), taken.isReturned, isReusable else { return close() }
        reset()
        taken.decoding.prepareTop()
        coders.topDecoder = taken
        if !Self.idle.leave(self) { close() }
    }

    private func close() {
        coders.state = .ended
        if coders.topDecoder != nil { coders.topDecoder = nil }
        if coders.unarchiver != nil { coders.unarchiver = nil }
    }

    func noteUse() { if coders.state == .reusable { coders.state = .used } }

    /// Whether the session can be used for another archive: all is small, and the program has no reference to its coders.
    private var isReusable: Bool {
        guard coders.state == .reusable, nesting.deepest <= StackGuard.reusableDepth, !types.hasGrown, !keys.hasGrown
        else { return false }
        // `Coding` classes of the program may still refer to the unarchiver.
        var unarchiver = coders.unarchiver
        if unarchiver == nil { return true }
        // Examined outside of the property, so that accesses to it need no exclusivity check.
        coders.unarchiver = nil
        defer { coders.unarchiver = unarchiver }
        return isKnownUniquelyReferenced(&unarchiver)
    }

    private func reset() {
        archive.begin(.none)
        archive.notes?.removeAll()
        storage = .none
        keys.reset()
        types.reset()
        if coders.unarchiver != nil { coders.unarchiver = nil }
        if failures.known != nil || failures.excessPath != nil { failures = Failures() }
        forgetStack()
        // The next call sets them.
        if !settings.retainNothing { settings = ReadingSettings() }
        if foreign != nil { foreign = nil }
        if openReading != nil { openReading = nil }
        waiting.reset()
        instances.restart(slotCount: 0)
    }
}

// MARK: - The unarchiver

extension DecodingSession {
    @inline(__always)
    var unarchiver: KeyedUnarchiver { coders.unarchiver ?? otherUnarchiver() }

    @inline(never)
    private func otherUnarchiver() -> KeyedUnarchiver {
        if let known = coders.programUnarchiver, !known.isFinished { return known }
        let made = KeyedUnarchiver(self, ownsSession: false)
        // After the end it is needed for one call.
        if coders.state != .ended { coders.unarchiver = made }
        return made
    }

    func use(_ unarchiver: KeyedUnarchiver?) { coders.programUnarchiver = unarchiver }

    /// Retains `unarchiver`, that of the program, during one of its calls; nil after the call.
    func retain(_ unarchiver: KeyedUnarchiver?) { coders.unarchiver = unarchiver }
}

// MARK: - Nesting

extension DecodingSession {
    func note(depth: Int) { nesting.deepest = max(nesting.deepest, depth) }

    /// Counts the root object, which has no decoder of its own, as a level of nesting.
    @inline(__always)
    func countRoot() { nesting.limit &-= 1 }

    /// Returns the number of values around the one whose decoder has the depth `depth`.
    func level(of depth: Int) -> Int { depth + (settings.limits.nesting - nesting.limit) }

    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool {
        depth < nesting.limit && (depth < StackGuard.freeDepth || hasStack())
    }
}

// MARK: - Paths

extension DecodingSession {
    /// Returns the entry in the table of paths for the part at `step` of the value with the entry `parent`.
    ///
    /// It is a function of the session, since callers of the table's own would retain the table.
    @inline(never)
    func path(_ step: CodingPathStep, in parent: CodingPathTable.Index) -> CodingPathTable.Index {
        step.kind == .none ? parent : keys.paths.append(step, to: parent)
    }

    func codingPath(_ index: CodingPathTable.Index) -> [any CodingKey] {
        let path = keys.paths.path(to: index) { key($0) }
        // Errors that the program catches take time too: a little for each, more for a long path.
        meter.countFailure(4 + max(0, path.count - 16))
        return path
    }

    private func key(_ step: CodingPathStep) -> ArchiveKey {
        guard let value = try? archive.value(Int(step.value)) else { return ArchiveKey(stringValue: "") }
        let isText = value.node.kind == .ascii || value.node.kind == .utf16
        guard isText || step.kind == .key else { return ArchiveKey(value.node, in: archive.list.objects) }
        let name = (try? archive.keyDescription(value)) ?? archive.keyExcerpt(value) ?? ""
        return ArchiveKey(stringValue: step.kind == .key ? KeyMangling.userKey(name) ?? name : name)
    }

    func step(to key: some CodingKey) -> CodingPathStep {
        keep(1)
        return keys.paths.step(to: key)
    }
}

// MARK: - Settings

/// The settings of a session, as one value, which a decoder hands on to the readings and open archives of its calls.
package struct ReadingSettings: Sendable {
    package var classes = ClassRegistry()
    /// The types of class entries, by uid, if the archive was created in this process to be read once.
    var classTypes: [UInt32: any Any.Type] = [:]
    var limits = DecodingLimits()
    var requiresSecureCoding = true
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    package var deferredErrorHandler: (@Sendable (any Error) -> Void)?
}

extension ReadingSettings {
    /// Settings for a copy: an archive that was created in this process, with the types `classTypes`.
    static func copy(
        _ classTypes: [UInt32: any Any.Type], userInfo: [CodingUserInfoKey: any Sendable]
    ) -> ReadingSettings {
        ReadingSettings(classTypes: classTypes, limits: .none, requiresSecureCoding: false, userInfo: userInfo)
    }

    var retainNothing: Bool {
        classes.isEmpty && classTypes.isEmpty && userInfo.isEmpty && deferredErrorHandler == nil
    }

    var knownTypes: [any Any.Type] { classes.types + classTypes.values }
}
