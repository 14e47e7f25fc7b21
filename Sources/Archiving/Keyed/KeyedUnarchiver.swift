/// Reads values and object graphs by key from a keyed archive.
final class KeyedUnarchiver {
    /// What is used at every call, at an address that does not move.
    let state: UnsafeMutablePointer<UnarchivingState>
    private(set) var classes = ClassRegistry()
    /// Keeps the bytes that the state refers to.
    private var archive: KeyedArchive

    init(_ archive: KeyedArchive, classes: ClassRegistry, limits: DecodingLimits) {
        self.archive = archive
        self.classes = classes
        state = .allocate(capacity: 1)
        state.initialize(to: UnarchivingState(archive: archive.contents, limits: limits))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Goes on to another archive. Only after `reset()`.
    func begin(_ archive: KeyedArchive, classes: ClassRegistry, limits: DecodingLimits) {
        self.archive = archive
        self.classes = classes
        state.pointee.begin(archive.contents, limits)
    }

    /// Lets go of the archive, and forgets what belongs to it.
    func reset() {
        archive = .none
        classes = ClassRegistry()
        state.pointee.reset()
    }
}

/// What belongs to the whole reading of an archive, whichever side asks: the instances that were made so far, those that
/// are still to be made, the names of keys, and what the limits still allow.
struct UnarchivingState: ~Copyable {
    /// Where the first tables are.
    var arena: Arena
    private(set) var archive: ArchiveContents
    private(set) var limits: DecodingLimits
    var instances: InstanceTable
    /// What references have asked for and is not there yet.
    var awaited: AwaitedWork
    /// Where those references stand.
    var paths: CodingPathTable
    var keyNames: KeyNames
    /// Keys of superclass parts that are not in the archive, for the paths of their decoders.
    var missingKeys: [String] = []
    /// An error after which the whole decoding has failed, whoever has caught it: an instance that is incomplete can be
    /// reached.
    private(set) var failure: (any Error)?
    private var remainingVisits: Int

    init(archive: ArchiveContents, limits: DecodingLimits) {
        var arena = Arena()
        keyNames = KeyNames(in: &arena)
        paths = CodingPathTable(in: &arena)
        self.arena = arena
        self.archive = archive
        self.limits = limits
        instances = InstanceTable(slotCount: archive.slotCount)
        awaited = AwaitedWork()
        remainingVisits = limits.visits
    }

    /// Counts `count` objects that are about to be decoded.
    @inline(__always)
    mutating func visit(_ count: Int = 1) throws(KeyedArchiveError) {
        remainingVisits &-= count
        if remainingVisits < 0 { throw KeyedArchiveError(.limit(.init("visits"), limits.visits)) }
    }

    /// Lets the whole decoding fail with `error`, unless it has failed already.
    mutating func fail(_ error: any Error) {
        if failure == nil { failure = error }
    }

    fileprivate mutating func begin(_ archive: ArchiveContents, _ limits: DecodingLimits) {
        self.archive = archive
        self.limits = limits
        remainingVisits = limits.visits
        instances = InstanceTable(slotCount: archive.slotCount)
    }

    /// Whether the tables still lie in the arena that they began in.
    var isSmall: Bool { !keyNames.hasGrown && !paths.hasGrown && awaited.isUnused }

    fileprivate mutating func reset() {
        archive = .none
        keyNames.removeAll()
        paths.removeAll()
        failure = nil
        if !missingKeys.isEmpty { missingKeys = [] }
        instances = InstanceTable(slotCount: 0)
    }
}
