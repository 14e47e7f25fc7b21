/// The reading of an archive, with its state at a fixed address.
///
/// Both kinds of coders retain it, and with it the archive.
final class GraphReading {
    /// The state that every call uses.
    let state: UnsafeMutablePointer<GraphReadingState>
    /// The contents of the archive, which the state references.
    private let contents: ArchiveContents
    /// The remaining budget, which the state and the contents reference.
    private let meter: DecodingMeter
    /// The values met in the archive, which its contents reference.
    private let notes: ReadingNotes
    init(_ archive: StoredArchive, _ settings: consuming ReadingSettings) {
        state = .allocate(capacity: 1)
        meter = settings.limits.meter(forByteCount: archive.contents.byteCount)
        meter.noticesCancellation = true
        notes = ReadingNotes()
        contents = archive.contents.metered(by: meter, noting: notes)
        state.initialize(to: GraphReadingState(archive.storage, contents, meter, settings))
    }

    deinit {
        // Before the arena is released.
        state.pointee.instances.removeAll()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    private var storage: ArchiveStorage { state.pointee.storage }

    /// The archive.
    var archive: StoredArchive { StoredArchive(storage, contents) }

    /// Returns the open archive for parts that are decoded later, and creates it if there is none.
    func openArchive(
        userInfo: [CodingUserInfoKey: any Sendable], errorHandler: (@Sendable (any Error) -> Void)?
    ) -> OpenArchive {
        if let known = state.pointee.open { return known }
        let made = OpenArchive(archive, state.pointee.settings, userInfo: userInfo, errorHandler: errorHandler)
        made.beginDecoding()
        state.pointee.open = made
        var decoded: [(uid: UInt32, entry: InstanceTable.Index)] = []
        state.pointee.instances.visitComplete { decoded.append(($0, $1)) }
        state.pointee.decoded = decoded
        return made
    }

    /// Begins to decode a part of `archive`, whose other parts were decoded before.
    func resume(_ archive: OpenArchive) {
        state.pointee.open = archive
        archive.beginDecoding()
    }

    /// Continues after `pauseDecoding(isComplete:)`.
    func resumeDecoding() {
        state.pointee.open?.beginDecoding()
    }

    /// Permits the decoding of deferred parts: the decoded values are complete, or discarded.
    func pauseDecoding(isComplete: Bool) {
        state.endReencoding()
        if isComplete { state.pointee.instances.keepReferences() }
        guard let open = state.pointee.open else { return }
        if isComplete {
            open.enter(state.pointee.decoded.compactMap { state.pointee.instances.decoded($0.uid, $0.entry) })
        }
        state.pointee.decoded = []
        open.endDecoding()
    }

    /// Releases all instances of a decoding that has failed, and the values that wait. Only a decoder that an
    /// initializer has kept can still use the tables.
    func giveUp() {
        state.pointee.awaited = AwaitedWork()
        state.pointee.instances.removeAll()
    }

    /// Omits the check for each object from now on if the file of the archive is fully loaded.
    func noteLoadedFile() {
        guard storage.pages?.isComplete == true else { return }
        contents.notePresent()
        if meter.progress != nil { contents.watch(true) }
    }

    /// The handler of progress; nil if the caller requests none.
    var progress: ReadingProgress? {
        get { meter.progress }
        set {
            meter.progress = newValue
            contents.watch(newValue != nil)
        }
    }

    /// Creates an independent reading of the same archive.
    func other() -> GraphReading { GraphReading(archive, state.pointee.settings) }

    /// Continues with another archive. Call it only after `reset()`.
    func begin(_ archive: StoredArchive, _ settings: consuming ReadingSettings) {
        contents.begin(archive.contents)
        meter.begin(settings.limits.meter(forByteCount: contents.byteCount))
        meter.noticesCancellation = true
        state.pointee.begin(archive.storage, settings)
    }

    /// Releases the archive and forgets its state.
    func reset() {
        state.endReencoding()
        contents.begin(.none)
        notes.removeAll()
        state.pointee.reset()
    }
}

/// The state that both coders share while they read an archive: the decoded instances, the pending ones, the names of
/// types and keys, and the remaining limits.
struct GraphReadingState: ~Copyable {
    /// The memory of the first tables.
    var arena: Arena
    /// Retains the bytes that `contents` references.
    fileprivate var storage: ArchiveStorage
    /// The contents of the archive. They have an address of their own since they are too large to copy for each call.
    let contents: ArchiveContents
    var settings: ReadingSettings
    /// The way to decode the objects of a class if a protocol is requested. It depends on the names of types.
    var valueMakers: [ValueMaker.Key: ValueMaker] = [:]
    var instances: InstanceTable
    /// The requests of references that are not fulfilled yet.
    var awaited: AwaitedWork
    /// The state that instances of unknown classes share; nil while there are none.
    var foreign: ForeignObjects?
    /// The state of parts that are decoded later; nil while there are none.
    fileprivate(set) var open: OpenArchive?
    /// The entries of the instances that were completed since decoding began, if parts are decoded later. The table of
    /// instances may release one of them before the decoding ends.
    fileprivate var decoded: [(uid: UInt32, entry: InstanceTable.Index)] = []
    /// Instances that cannot be decoded before another one is complete.
    private var blockedInstances: [InstanceTable.Index: CycleReference] = [:]
    /// Encodes instances again, to prove which of their properties a value belongs in; nil until it is needed.
    var reencoding: Reencoding?
    /// References that close a cycle and that no value waits for.
    var openCycles = OpenCycles()
    /// The elements that are going to be hashed.
    var hashed = HashedElements()
    /// The remaining stack of the decoding thread.
    var stack = StackGuard()
    /// Whether an instance was replaced by one of another class, so that the entry of an instance does not determine
    /// its class.
    var hasReplacements = false
    /// The coding paths of those references.
    let paths = CodingPathTable()
    let keyNames = KeyNames()
    /// Keys of superclass parts that the archive does not contain, for the paths of their decoders.
    var missingKeys: [String] = []
    fileprivate var knownFailure: (any Error)?
    /// Whether there is a `failure`.
    @inline(__always)
    var hasFailed: Bool { knownFailure != nil || meter.isExceeded }
    /// The remaining budget.
    fileprivate let meter: DecodingMeter

    init(
        _ storage: ArchiveStorage, _ contents: ArchiveContents,
        _ meter: DecodingMeter,
        _ settings: ReadingSettings
    ) {
        var arena = Arena()
        instances = InstanceTable(slotCount: contents.slotCount, in: &arena)
        self.arena = arena
        self.storage = storage
        self.contents = contents
        self.meter = meter
        self.settings = settings
        awaited = AwaitedWork()
    }

    @inline(__always)
    var archive: ArchiveContents { contents }

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

    /// Throws if the archive has more objects than the limits allow.
    func checkObjectCount() throws(KeyedArchiveError) {
        if archive.slotCount > settings.limits.objects {
            throw KeyedArchiveError(.limit(.init("objects"), settings.limits.objects))
        }
    }

    /// Fails the whole decoding with `error`, unless it has failed already.
    mutating func fail(_ error: any Error) {
        if knownFailure == nil { knownFailure = error }
    }

    fileprivate mutating func begin(_ storage: ArchiveStorage, _ settings: consuming ReadingSettings) {
        self.storage = storage
        self.settings = settings
        instances.restart(slotCount: contents.slotCount)
    }

    /// Whether the tables are still in their initial arena.
    var isSmall: Bool { !keyNames.hasGrown && !paths.hasGrown && awaited.isUnused }

    fileprivate mutating func reset() {
        storage = .none
        keyNames.removeAll()
        paths.removeAll()
        knownFailure = nil
        hasReplacements = false
        stack = StackGuard()
        settings.classes = ClassRegistry()
        if !settings.classTypes.isEmpty { settings.classTypes = [:] }
        if !valueMakers.isEmpty { valueMakers = [:] }
        if foreign != nil { foreign = nil }
        if open != nil { open = nil }
        if !decoded.isEmpty { decoded = [] }
        if !blockedInstances.isEmpty { blockedInstances = [:] }
        openCycles.removeAll()
        if !missingKeys.isEmpty { missingKeys = [] }
        instances.restart(slotCount: 0)
    }
}

/// Methods of the state that are not inlined: a call of one of the struct's own copies the whole struct.
extension UnsafeMutablePointer<GraphReadingState> {
    /// An error that fails the whole decoding even if the program catches it: an incomplete instance is reachable.
    @inline(never)
    var failure: (any Error)? {
        pointee.knownFailure ?? pointee.meter.excess.map { UnarchivingError.damaged($0, path: []) }
    }

    /// The error of a decoding that ends with `error`: cancellation of the task, or an exceeded limit if the program
    /// has caught that error and thrown another one.
    @inline(never)
    func outcome(_ error: any Error) -> any Error {
        if pointee.meter.isCancelled { return CancellationError() }
        guard let excess = pointee.meter.excess, !UnarchivingError.isLimit(error) else { return error }
        return UnarchivingError.damaged(excess, path: [])
    }

    /// Returns whether objects of the class entry `uid` are decoded as `type`: the entry has its name, and no type is
    /// registered.
    func isOwnClass(_ uid: UInt32, of type: any Any.Type) -> Bool {
        guard pointee.settings.classes.isEmpty, pointee.settings.classTypes.isEmpty else { return false }
        return TypeNames.names(of: type)._withUnsafeGuaranteedRef { names in
            (try? pointee.contents.isClass(uid, named: names.archivedClass.name)) ?? false
        }
    }
}

extension GraphReadingState {
    /// Records a complete instance, if deferred parts may refer to it.
    @inline(never)
    mutating func noteDecoded(_ uid: UInt32, _ entry: InstanceTable.Index) {
        decoded.append((uid, entry))
    }
}

// MARK: - Names of classes

extension GraphReadingState {
    /// The registered type of the class entry `uid`, with the name `name`; nil if there is none.
    func registeredType(_ uid: UInt32, _ name: String) -> (any Any.Type)? {
        settings.classTypes[uid] ?? settings.classes.type(named: name)
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

    /// Returns whether the archive has a class entry with a name of `type`.
    ///
    /// The names are read once for all parts of the archive, so only the first call counts steps for it. It reads them without a
    /// meter: a limit would omit some.
    func isArchived(_ type: any Any.Type) -> Bool {
        let names = storage.classNames {
            _ = takeVisits(archive.slotCount)
            return archive.unmetered.classNames()
        }
        return settings.classes.hasName(of: type, among: names)
    }
}

// MARK: - Blocked instances

extension GraphReadingState {
    /// Records the cycle that the instance with the entry `index` waits for.
    mutating func noteBlocked(_ index: InstanceTable.Index, by cycle: CycleReference) {
        blockedInstances[index] = cycle
    }

    /// The reason why the instance with the entry `index` cannot be decoded yet; nil if decoding may succeed. An
    /// attempt for each reference would take unbounded time if the references share the blocked instances.
    mutating func blocked(_ index: InstanceTable.Index) -> CycleReference? {
        guard !blockedInstances.isEmpty, let cycle = blockedInstances[index] else { return nil }
        if instances.isUnpublished(cycle.target) { return again(cycle) }
        blockedInstances[index] = nil
        return nil
    }
}
