/// One reading of an archive: the archive, and what is known of it at an address that does not move.
///
/// Coders of either kind keep it, and with it the archive.
final class GraphReading {
    /// What is used at every call.
    let state: UnsafeMutablePointer<GraphReadingState>
    /// What is in the archive, which the state refers to.
    private let contents: UnsafeMutablePointer<ArchiveContents>
    /// What reading may still cost, which the state and the contents of the archive refer to.
    private let meter: UnsafeMutablePointer<DecodingMeter>
    /// What was met in the archive, which its contents refer to.
    private let notes: UnsafeMutablePointer<ReadingNotes>
    /// Keeps the bytes that the state refers to.
    private var storage: ArchiveStorage

    init(
        _ archive: StoredArchive, classes: ClassRegistry, types: [UInt32: any Any.Type] = [:], limits: DecodingLimits
    ) {
        storage = archive.storage
        state = .allocate(capacity: 1)
        contents = .allocate(capacity: 1)
        meter = .allocate(capacity: 1)
        meter.initialize(to: limits.meter(forByteCount: archive.contents.byteCount))
        meter.pointee.noticesCancellation = true
        notes = .allocate(capacity: 1)
        notes.initialize(to: ReadingNotes())
        contents.initialize(to: archive.contents.metered(by: meter, noting: notes))
        state.initialize(to: GraphReadingState(contents, meter, classes, types, limits))
    }

    deinit {
        // While the arena is still there.
        state.pointee.instances.removeAll()
        state.deinitialize(count: 1)
        state.deallocate()
        contents.deallocate()
        meter.deinitialize(count: 1)
        meter.deallocate()
        notes.deinitialize(count: 1)
        notes.deallocate()
    }

    /// The archive.
    var archive: StoredArchive { StoredArchive(storage, contents.pointee) }

    /// What parts of the archive keep that are decoded later, made if there is none.
    func openArchive(
        userInfo: [CodingUserInfoKey: any Sendable], errorHandler: (@Sendable (any Error) -> Void)?
    ) -> OpenArchive {
        if let known = state.pointee.open { return known }
        let made = OpenArchive(
            archive, classes: state.pointee.classes, types: state.pointee.classTypes, limits: state.pointee.limits,
            userInfo: userInfo, errorHandler: errorHandler)
        made.beginDecoding()
        state.pointee.open = made
        var instances: [DecodedInstance] = []
        state.pointee.instances.visitComplete { instances.append(DecodedInstance(object: $2, uid: $0, type: $1)) }
        state.pointee.decodedInstances = instances
        return made
    }

    /// Begins to decode a part of `archive`, whose other parts were decoded before.
    func resume(_ archive: OpenArchive) {
        state.pointee.open = archive
        archive.beginDecoding()
    }

    /// Goes on after `pauseDecoding(isComplete:)`.
    func resumeDecoding() {
        state.pointee.open?.beginDecoding()
    }

    /// Lets parts be decoded that were left for later: what was decoded is complete, or of no use.
    func pauseDecoding(isComplete: Bool) {
        guard let open = state.pointee.open else { return }
        if isComplete { open.enter(state.pointee.decodedInstances) }
        state.pointee.decodedInstances = []
        open.endDecoding()
    }

    /// Reads on without a check for each object if the file that holds the archive is loaded.
    func noteLoadedFile() {
        guard storage.pages?.isComplete == true else { return }
        contents.pointee = contents.pointee.present
        if meter.pointee.progress != nil { contents.pointee = contents.pointee.watched }
    }

    /// What is told of the progress; nil if nobody wants to know.
    var progress: ReadingProgress? {
        get { meter.pointee.progress }
        set {
            meter.pointee.progress = newValue
            contents.pointee = newValue == nil ? contents.pointee.unwatched : contents.pointee.watched
        }
    }

    /// A reading of the same archive that has nothing of this one.
    func other() -> GraphReading {
        GraphReading(
            archive, classes: state.pointee.classes, types: state.pointee.classTypes, limits: state.pointee.limits)
    }

    /// Goes on to another archive. Only after `reset()`.
    func begin(
        _ archive: StoredArchive, classes: ClassRegistry, types: [UInt32: any Any.Type], limits: DecodingLimits
    ) {
        storage = archive.storage
        contents.pointee = archive.contents.metered(by: meter, noting: notes)
        meter.pointee = limits.meter(forByteCount: contents.pointee.byteCount)
        meter.pointee.noticesCancellation = true
        state.pointee.begin(classes, types, limits)
    }

    /// Lets go of the archive, and forgets what belongs to it.
    func reset() {
        storage = .none
        contents.pointee = .none
        notes.pointee.removeAll()
        state.pointee.reset()
    }
}

/// What belongs to the whole reading of an archive, whichever side asks: the instances that were made so far, those that
/// are still to be made, the names of types and keys, and what the limits still allow.
struct GraphReadingState: ~Copyable {
    /// Where the first tables are.
    var arena: Arena
    /// What is in the archive, at an address of its own: it is many bytes, which are not to be copied for each call.
    let contents: UnsafePointer<ArchiveContents>
    private(set) var limits: DecodingLimits
    /// The names that types have.
    var classes: ClassRegistry
    /// What was found to make the objects of a class where a protocol is asked for. It depends on `classes`.
    var valueMakers: [ValueMaker.Key: ValueMaker] = [:]
    /// The types of class entries, by uid, where the archive was made in this process and to be read once.
    fileprivate private(set) var classTypes: [UInt32: any Any.Type]
    /// The names in all class entries of the archive; nil while nobody has asked.
    private var classNames: Set<String>?
    var instances: InstanceTable
    /// What references have asked for and is not there yet.
    var awaited: AwaitedWork
    /// What instances of classes that nobody knows share; nil while there are none.
    var foreign: ForeignObjects?
    /// What parts that are decoded later keep; nil while there are none.
    fileprivate(set) var open: OpenArchive?
    /// The instances that were completed since decoding began, if parts are decoded later.
    fileprivate var decodedInstances: [DecodedInstance] = []
    /// Instances that cannot be made before another one is complete.
    private var blockedInstances: [InstanceTable.Index: CycleReference] = [:]
    /// References that lead back and that nothing waits for.
    var openCycles = OpenCycles()
    /// What is known of elements that are going to be hashed.
    var hashed = HashedElements()
    /// What is left of the stack of the thread that decodes.
    var stack = StackGuard()
    /// Whether an instance was replaced by one of another class, so that the entry of an instance does not say what it is.
    var hasReplacements = false
    /// Where those references stand.
    var paths: CodingPathTable
    var keyNames: KeyNames
    /// Keys of superclass parts that are not in the archive, for the paths of their decoders.
    var missingKeys: [String] = []
    /// An error after which the whole decoding has failed, whoever has caught it: an instance that is incomplete can be
    /// reached.
    @inline(never)
    var failure: (any Error)? { knownFailure ?? meter.pointee.excess.map { UnarchivingError.damaged($0, path: []) } }
    private var knownFailure: (any Error)?
    /// Whether there is a `failure`.
    @inline(__always)
    var hasFailed: Bool { knownFailure != nil || meter.pointee.isExceeded }
    /// What reading may still cost.
    private let meter: UnsafeMutablePointer<DecodingMeter>

    init(
        _ contents: UnsafePointer<ArchiveContents>, _ meter: UnsafeMutablePointer<DecodingMeter>,
        _ classes: ClassRegistry, _ types: [UInt32: any Any.Type], _ limits: DecodingLimits
    ) {
        var arena = Arena()
        keyNames = KeyNames(in: &arena)
        paths = CodingPathTable(in: &arena)
        instances = InstanceTable(slotCount: contents.pointee.slotCount, in: &arena)
        self.arena = arena
        self.contents = contents
        self.meter = meter
        self.limits = limits
        self.classes = classes
        classTypes = types
        awaited = AwaitedWork()
    }

    @inline(__always)
    var archive: ArchiveContents { contents.pointee }

    /// Counts `count` objects that are about to be decoded.
    @inline(__always)
    func visit(_ count: Int = 1) throws(KeyedArchiveError) {
        try meter.pointee.count(count)
    }

    /// Counts `count` objects that are about to be decoded.
    ///
    /// - Returns: Whether they may be. If not, `visit(_:)` says why.
    @inline(__always)
    func takeVisits(_ count: Int) -> Bool { meter.pointee.take(count) }

    /// Counts `count` keys, elements or names that were looked at.
    @inline(__always)
    func countWork(_ count: Int) throws(KeyedArchiveError) {
        try meter.pointee.count(count)
    }

    /// The error of a decoding that ends with `error`: that of a cancelled task, or that of a limit that was exceeded, if the
    /// program has caught that and thrown another one.
    @inline(never)
    func outcome(_ error: any Error) -> any Error {
        if meter.pointee.isCancelled { return CancellationError() }
        guard let excess = meter.pointee.excess, !UnarchivingError.isLimit(error) else { return error }
        return UnarchivingError.damaged(excess, path: [])
    }

    /// Throws where the archive has more objects than the limits allow.
    func checkObjectCount() throws(KeyedArchiveError) {
        if archive.slotCount > limits.objects { throw KeyedArchiveError(.limit(.init("objects"), limits.objects)) }
    }

    /// Lets the whole decoding fail with `error`, unless it has failed already.
    mutating func fail(_ error: any Error) {
        if knownFailure == nil { knownFailure = error }
    }

    fileprivate mutating func begin(
        _ classes: ClassRegistry, _ types: [UInt32: any Any.Type], _ limits: DecodingLimits
    ) {
        self.limits = limits
        self.classes = classes
        classTypes = types
        instances.restart(slotCount: contents.pointee.slotCount)
    }

    /// Whether the tables still lie in the arena that they began in.
    var isSmall: Bool { !keyNames.hasGrown && !paths.hasGrown && awaited.isUnused }

    fileprivate mutating func reset() {
        keyNames.removeAll()
        paths.removeAll()
        knownFailure = nil
        hasReplacements = false
        stack = StackGuard()
        classes = ClassRegistry()
        if !classTypes.isEmpty { classTypes = [:] }
        if classNames != nil { classNames = nil }
        if !valueMakers.isEmpty { valueMakers = [:] }
        if foreign != nil { foreign = nil }
        if open != nil { open = nil }
        if !decodedInstances.isEmpty { decodedInstances = [] }
        if !blockedInstances.isEmpty { blockedInstances = [:] }
        openCycles.removeAll()
        if !missingKeys.isEmpty { missingKeys = [] }
        instances.restart(slotCount: 0)
    }
}

extension GraphReadingState {
    /// Takes note of an instance that is complete, if parts are decoded later that may refer to it.
    @inline(never)
    mutating func noteDecoded(_ object: UnsafeRawPointer, _ uid: UInt32, as type: UnsafeRawPointer) {
        decodedInstances.append(DecodedInstance(object: object, uid: uid, type: type))
    }
}

// MARK: - Names of classes

extension GraphReadingState {
    /// The type that the class entry `uid`, with the name `name`, stands for without being asked for; nil where there is
    /// none.
    func registeredType(_ uid: UInt32, _ name: String) -> (any Any.Type)? {
        classTypes[uid] ?? classes.type(named: name)
    }

    /// The type that objects with the class entry `uid`, with the name `name`, are made as where a protocol is asked for:
    /// what is registered under the name, or under the first fallback that the entry gives; nil where there is none.
    func type(ofClass uid: UInt32, named name: String) -> (any Any.Type)? {
        if let type = registeredType(uid, name) { return type }
        let fallbacks = (try? archive.classFallbacks(uid)) ?? []
        for fallback in fallbacks {
            if let type = classes.type(named: fallback) { return type }
        }
        return nil
    }

    /// Whether the class entry `uid` has the name of `type`, and nothing is registered: objects of the class are made as that
    /// type.
    func isOwnClass(_ uid: UInt32, of type: any Any.Type) -> Bool {
        guard classes.isEmpty, classTypes.isEmpty else { return false }
        return TypeNames.names(of: type)._withUnsafeGuaranteedRef { names in
            (try? archive.isClass(uid, named: names.archivedClass.name)) ?? false
        }
    }

    /// The types that objects may be made as without being asked for.
    var knownTypes: [any Any.Type] { classes.types + classTypes.values }

    /// Whether the archive was made in this process, and to be read once.
    var isCopy: Bool { !classTypes.isEmpty }

    /// Whether the archive has a class entry with a name of `type`.
    mutating func isArchived(_ type: any Any.Type) -> Bool {
        let names = classNames ?? archive.classNames()
        classNames = names
        return names.contains { classes.isName($0, of: type) }
    }
}

// MARK: - Instances that have to wait

extension GraphReadingState {
    /// Takes note of what the instance with the entry `index` waits for.
    mutating func noteBlocked(_ index: InstanceTable.Index, by cycle: CycleReference) {
        blockedInstances[index] = cycle
    }

    /// Why the instance with the entry `index` cannot be made yet; nil where it can be tried. To try in vain for each
    /// reference would take time without bounds where those share what has to wait.
    mutating func blocked(_ index: InstanceTable.Index) -> CycleReference? {
        guard !blockedInstances.isEmpty, let cycle = blockedInstances[index] else { return nil }
        if instances.isUnpublished(cycle.target) { return again(cycle) }
        blockedInstances[index] = nil
        return nil
    }
}
