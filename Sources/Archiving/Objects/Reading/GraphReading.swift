// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The reading of an archive: its contents, the decoded instances and the awaited ones, the names of types and keys, and
/// the remaining limits.
///
/// Both kinds of coders share it, and with it the archive.
final class GraphReading {
    /// Retains the bytes of the archive.
    private var storage: ArchiveStorage
    /// The contents of the archive.
    let archive: ArchiveContents
    /// The remaining budget.
    private let meter: DecodingMeter
    /// The values met in the archive.
    private let notes: ReadingNotes
    var settings: ReadingSettings
    let coding: any CodingClasses.Type
    let instances: InstanceTable
    /// The requests of references that are not fulfilled yet.
    let awaited = AwaitedWork()
    /// The state that instances of unknown classes share; nil while there are none.
    var foreign: ForeignObjects?
    /// The state of parts that are decoded later; nil while there are none.
    private(set) var open: OpenArchive?
    /// The entries of the instances that were completed since decoding began, if parts are decoded later. The table of
    /// instances may release one of them before the decoding ends.
    private let decoded = ValueList<(uid: UInt32, entry: InstanceTable.Index)>()
    /// The requests of the program, if a document keeps what it has not requested; nil otherwise.
    private(set) var requests: RequestedKeys?
    /// Restores the fields of instances of an earlier state of the file, if the decoding fails.
    let restorations = ValueList<() -> Void>()
    /// The instances with declared fields.
    let unfilled = UnfilledInstances()
    /// Instances that cannot be decoded before another one is complete.
    private var blockedInstances: [InstanceTable.Index: CycleReference] = [:]
    /// The values that wait for instances which have failed, by the entry of the instance.
    private var leftOver: [InstanceTable.Index: [WaitingValues.Number]] = [:]
    /// References that close a cycle and that no value waits for.
    let openCycles = OpenCycles()
    /// The elements that are going to be hashed.
    let hashed = HashedElements()
    /// The remaining stack of the decoding thread.
    private var stack = StackGuard()
    /// Whether an instance was replaced by one of another class, so that the entry of an instance does not determine
    /// its class.
    var hasReplacements = false
    /// The coding paths of references and instances.
    let paths = CodingPathTable()
    let keyNames = KeyNames()
    let largeFields = FieldIndex()
    /// Keys of superclass parts that the archive does not contain, for the paths of their decoders.
    let missingKeys = ValueList<String>()
    private var knownFailure: (any Error)?
    /// The coding path of the first value that has exceeded the limit of `meter`; nil if there is none.
    private var excessPath: [any CodingKey]?
    /// The tables of the keyed unarchiver; nil until there is one.
    var tables: CoderTables?

    init(
        _ stored: StoredArchive, _ settings: consuming ReadingSettings, _ coding: any CodingClasses.Type
    ) {
        self.coding = coding
        meter = settings.limits.meter(forByteCount: stored.contents.byteCount)
        meter.noticesCancellation = true
        notes = ReadingNotes()
        storage = stored.storage
        archive = stored.contents.metered(by: meter, noting: notes)
        instances = InstanceTable(slotCount: archive.slotCount)
        self.settings = settings
    }

    deinit {
        awaited.clearValues()
        // Before what waits for them: a long chain of instances must not be released recursively.
        instances.removeAll()
    }

    /// The stored archive.
    var stored: StoredArchive { StoredArchive(storage, archive) }

    /// Returns the entry in the table of paths for the part at `step` of the value with the entry `parent`.
    ///
    /// It is a function of the reading, since callers of the table's own would retain the table.
    @inline(never)
    func path(_ step: CodingPathStep, in parent: CodingPathTable.Index) -> CodingPathTable.Index {
        paths.append(step, to: parent)
    }
}

// MARK: - Limits

extension GraphReading {
    /// Counts `count` objects before they are decoded.
    @inline(__always)
    func visit(_ count: Int = 1) throws(KeyedArchiveError) {
        try meter.count(count)
    }

    /// Counts `count` objects before they are decoded.
    ///
    /// - Returns: Whether the limits allow them. If not, `visit(_:)` throws the reason.
    @inline(__always)
    func takeVisits(_ count: Int) -> Bool { meter.take(count) }

    /// Counts `count` examined keys, elements or names.
    @inline(__always)
    func countWork(_ count: Int) throws(KeyedArchiveError) {
        try meter.count(count)
    }

    /// The state of the budget when a request begins.
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

    /// Gives back what a request that fails has charged since `mark`.
    func giveBack(since mark: DecodingMeter.Mark) { meter.giveBack(since: mark) }

    /// Keeps what was charged since `mark`: it has made instances, which stay for other references.
    @inline(__always)
    func keep(since mark: DecodingMeter.Mark) { meter.keep(since: mark) }

    /// Keeps `count` steps of a request for its entries in tables, which stay if it throws.
    @inline(never)
    func keep(_ count: Int) { meter.keep(count) }

    /// Counts `count` steps for an error, or for another result of a request that fails.
    func countFailure(_ count: Int) { meter.countFailure(count) }

    /// Throws if the archive has more objects than the limits allow.
    func checkObjectCount() throws(KeyedArchiveError) {
        if archive.slotCount > settings.limits.objects {
            throw KeyedArchiveError(.limit(.init("objects"), settings.limits.objects))
        }
    }

    /// Returns whether the stack has space left, independent of the depth.
    @inline(never)
    func hasStack() -> Bool {
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var stack = stack
        defer { self.stack = stack }
        return stack.hasRoom()
    }

    /// Expects the next call on any thread.
    func forgetStack() { stack = StackGuard() }
}

// MARK: - Failure

extension GraphReading {
    /// Whether there is a `failure`.
    var hasFailed: Bool { knownFailure != nil || meter.isExceeded }

    /// An error that fails the whole decoding even if the program catches it: an incomplete instance is reachable.
    @inline(never)
    var failure: (any Error)? {
        knownFailure ?? meter.excess.map { ReadingFailure.damaged($0, path: excessPath ?? []) }
    }

    /// Records the coding path of a value that cannot be read, if the limit of the work is the reason.
    func noteExcess(at path: [any CodingKey]) {
        if meter.isExceeded, excessPath == nil { excessPath = path }
    }

    /// Fails the whole decoding with `error`, unless it has failed already.
    func fail(_ error: any Error) {
        if knownFailure == nil { knownFailure = error }
    }

    /// The error of a decoding that ends with `error`: cancellation of the task, or an exceeded limit if the program
    /// has caught that error and thrown another one.
    @inline(never)
    func outcome(_ error: any Error) -> any Error {
        if meter.isCancelled { return CancellationError() }
        guard let excess = meter.excess, !ReadingFailure.isLimit(error) else { return error }
        return ReadingFailure.damaged(excess, path: excessPath ?? [])
    }

    /// Releases all instances of a decoding that has failed, and the values that wait. Only a decoder that an
    /// initializer has kept can still use the tables.
    func giveUp() {
        awaited.removeAll()
        clearFilled()
        for restore in restorations.removeAll() { restore() }
        instances.removeAll()
    }
}

// MARK: - Parts that are decoded later

extension GraphReading {
    /// Returns the open archive for parts that are decoded later, and creates it if there is none.
    func openArchive() -> OpenArchive {
        if let open { return open }
        let made = OpenArchive(stored, settings)
        made.beginDecoding()
        open = made
        decoded.removeAll()
        instances.visitComplete { decoded.append(($0, $1)) }
        return made
    }

    /// Begins to decode a part of `archive`, whose other parts were decoded before.
    func resume(_ archive: OpenArchive) {
        open = archive
        if archive.keepsUnknownKeys { requests = RequestedKeys(archive, meter, slotCount: self.archive.slotCount) }
        archive.beginDecoding()
    }

    /// Continues after `pauseDecoding(isComplete:)`.
    func resumeDecoding() {
        open?.beginDecoding()
    }

    /// Permits the decoding of deferred parts: the decoded values are complete, or discarded.
    func pauseDecoding(isComplete: Bool) {
        if isComplete {
            instances.keepReferences()
            awaited.forgetValues()
            unfilled.removeAll()
        }
        guard let open else { return }
        if isComplete { restorations.removeAll() }
        let decoded = decoded.removeAll()
        if isComplete { open.enter(decoded.compactMap { instances.decoded($0.uid, $0.entry) }) }
        requests?.finish(isComplete: isComplete)
        open.endDecoding()
    }

    /// Records a complete instance, if deferred parts may refer to it.
    @inline(never)
    func noteDecoded(_ uid: UInt32, _ entry: InstanceTable.Index) { decoded.append((uid, entry)) }

    /// Omits the check for each object from now on if the file of the archive is fully loaded.
    func noteLoadedFile() {
        guard storage.pages?.isComplete == true else { return }
        archive.notePresent()
        if meter.progress != nil { archive.watch(true) }
    }

    /// The handler of progress; nil if the caller requests none.
    var progress: ReadingProgress? {
        get { meter.progress }
        set {
            meter.progress = newValue
            archive.watch(newValue != nil)
        }
    }
}

// MARK: - Reuse

extension GraphReading {
    /// Whether the tables are small enough to be kept for another archive.
    var isSmall: Bool {
        !keyNames.hasGrown && !paths.hasGrown && tables?.hasGrown != true
    }

    /// Continues with another archive. Call it only after `reset()`.
    func begin(_ stored: StoredArchive, _ settings: consuming ReadingSettings) {
        archive.begin(stored.contents)
        begin(stored.storage, with: settings)
    }

    /// Continues with the archive in `storage`, a binary property list that is loaded. Call it only after `reset()`.
    ///
    /// - Throws: `KeyedArchiveError` if the bytes are not a keyed archive. The reading must not be used then.
    func begin(_ storage: ArchiveStorage, _ settings: consuming ReadingSettings) throws(KeyedArchiveError) {
        try archive.begin(storage.bytes)
        begin(storage, with: settings)
    }

    private func begin(_ storage: ArchiveStorage, with settings: consuming ReadingSettings) {
        meter.begin(settings.limits.work(forByteCount: archive.byteCount))
        self.storage = storage
        self.settings = consume settings
        instances.restart(slotCount: archive.slotCount)
    }

    /// Releases the archive and forgets its state.
    func reset() {
        archive.begin(.none)
        notes.removeAll()
        storage = .none
        keyNames.removeAll()
        largeFields.removeAll()
        tables?.reset()
        paths.removeAll()
        if knownFailure != nil { knownFailure = nil }
        if excessPath != nil { excessPath = nil }
        hasReplacements = false
        forgetStack()
        // The next call sets them.
        if !settings.retainNothing { settings = ReadingSettings() }
        if foreign != nil { foreign = nil }
        if open != nil { open = nil }
        if requests != nil { requests = nil }
        decoded.removeAll()
        if !blockedInstances.isEmpty { blockedInstances = [:] }
        if !leftOver.isEmpty { leftOver = [:] }
        openCycles.removeAll()
        awaited.removeAll()
        missingKeys.removeAll()
        unfilled.removeAll()
        instances.restart(slotCount: 0)
    }
}

// MARK: - Names of classes

extension GraphReading {
    /// Returns whether objects of the class entry `uid` are decoded as the class of `reader`: the entry has its name, and
    /// no type is registered.
    func isOwnClass(_ uid: UInt32, of reader: InstanceReader) -> Bool {
        guard settings.classes.isEmpty, settings.classTypes.isEmpty, reader.decodesOwnClass else { return false }
        return (try? archive.isClass(uid, named: reader.ownClassName)) ?? false
    }

    /// The registered type of the class entry `uid`, with the name `name`; nil if there is none.
    func registeredType(_ uid: UInt32, _ name: String) -> (any Any.Type)? {
        // Read before the search, so that accesses to the settings need no exclusivity check.
        let settings = settings
        return settings.classTypes[uid] ?? settings.classes.type(named: name)
    }

    /// Returns the type that objects of the class entry `uid`, with the name `name`, are decoded as, for a request of a
    /// protocol.
    ///
    /// The type is registered under the name, or else under one of the fallbacks in the entry; the first one counts.
    /// The result is nil if there is none.
    func type(ofClass uid: UInt32, named name: String) -> (any Any.Type)? {
        if let type = registeredType(uid, name) { return type }
        let fallbacks = (try? archive.classFallbacks(uid)) ?? []
        for fallback in fallbacks {
            if let type = settings.classes.type(named: fallback) { return type }
        }
        return nil
    }
}

// MARK: - Blocked instances

extension GraphReading {
    /// Records the cycle that the instance with the entry `index` waits for.
    func noteBlocked(_ index: InstanceTable.Index, by cycle: CycleReference) {
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var blocked = blockedInstances
        blockedInstances = [:]
        blocked[index] = cycle
        blockedInstances = blocked
    }

    /// The reason why the instance with the entry `index` cannot be decoded yet; nil if decoding may succeed. An
    /// attempt for each reference would take unbounded time if the references share the blocked instances.
    func blocked(_ index: InstanceTable.Index) -> CycleReference? {
        guard !blockedInstances.isEmpty, let cycle = blockedInstances[index] else { return nil }
        if instances.isUnpublished(cycle.target) { return again(cycle) }
        var blocked = blockedInstances
        blockedInstances = [:]
        blocked[index] = nil
        blockedInstances = blocked
        return nil
    }
}

// MARK: - Values that wait for failed instances

extension GraphReading {
    /// Whether values wait for instances that have failed.
    var hasLeftOver: Bool { !leftOver.isEmpty }

    /// Records that the value `first`, and those linked to it, wait for the instance with the entry `index`, which has failed.
    func leave(_ first: WaitingValues.Number, of index: InstanceTable.Index) {
        leftOver[index, default: []] += inOrder(first)
    }

    /// Returns the values that waited for the instance with the entry `index`: for earlier attempts to decode it, and `waiting` with
    /// those linked to it. They are in the order of their wait.
    func takeLeftOver(of index: InstanceTable.Index, before waiting: WaitingValues.Number) -> [WaitingValues.Number] {
        (leftOver.isEmpty ? [] : leftOver.removeValue(forKey: index) ?? []) + inOrder(waiting)
    }

    /// Returns all values that wait for instances which have failed.
    func takeLeftOver() -> [WaitingValues.Number] {
        let all = leftOver
        if !all.isEmpty { leftOver = [:] }
        return all.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Returns the value `first` and those linked to it. The last one has waited first.
    private func inOrder(_ first: WaitingValues.Number) -> [WaitingValues.Number] {
        var waiting: [WaitingValues.Number] = []
        var number = first
        while let value = awaited.values[number] {
            waiting.append(number)
            number = value.nextWaiting
        }
        return waiting.reversed()
    }
}

// MARK: - Settings

/// The settings of a reading. A decoder has them as one value, which the readings and open archives of its calls receive.
struct ReadingSettings: Sendable {
    /// The names of types.
    var classes = ClassRegistry()
    /// The types of class entries, by uid, if the archive was created in this process to be read once.
    var classTypes: [UInt32: any Any.Type] = [:]
    var limits = DecodingLimits()
    /// Whether only types that a call names can be created.
    var requiresSecureCoding = true
    /// The `userInfo` of the decoders that `init(from:)` receives.
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The closure that receives the errors of parts that are decoded later.
    var deferredErrorHandler: (@Sendable (any Error) -> Void)?
}

extension ReadingSettings {
    /// Settings for a copy: an archive that was created in this process, with the types `classTypes`.
    static func copy(
        _ classTypes: [UInt32: any Any.Type], userInfo: [CodingUserInfoKey: any Sendable]
    ) -> ReadingSettings {
        ReadingSettings(classTypes: classTypes, limits: .none, requiresSecureCoding: false, userInfo: userInfo)
    }

    /// Whether they retain nothing of the program.
    var retainNothing: Bool {
        classes.isEmpty && classTypes.isEmpty && userInfo.isEmpty && deferredErrorHandler == nil
    }

    /// The types that may be created without a request.
    var knownTypes: [any Any.Type] { classes.types + classTypes.values }
}
