/// Reads values and object graphs by key from a keyed archive.
final class KeyedUnarchiver {
    private let archive: KeyedArchive
    let classes: ClassRegistry
    /// What is used at every call, at an address that does not move.
    let state: UnsafeMutablePointer<UnarchivingState>

    init(archive: KeyedArchive, classes: ClassRegistry, limits: DecodingLimits) {
        self.archive = archive
        self.classes = classes
        state = .allocate(capacity: 1)
        state.initialize(to: UnarchivingState(archive: archive.contents, limits: limits))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }
}

/// What belongs to the whole reading of an archive, whichever side asks: the instances that were made so far, the names
/// of keys, and what the limits still allow.
struct UnarchivingState: ~Copyable {
    /// Where the first tables are.
    var arena: Arena
    let archive: ArchiveContents
    let limits: DecodingLimits
    var instances: InstanceTable
    var keyNames: KeyNames
    private var remainingVisits: Int

    init(archive: ArchiveContents, limits: DecodingLimits) {
        var arena = Arena()
        self.archive = archive
        self.limits = limits
        keyNames = KeyNames(in: &arena)
        self.arena = arena
        instances = InstanceTable(slotCount: archive.slotCount)
        remainingVisits = limits.visits
    }

    /// Counts `count` objects that are about to be decoded.
    @inline(__always)
    mutating func visit(_ count: Int = 1) throws(KeyedArchiveError) {
        remainingVisits &-= count
        if remainingVisits < 0 { throw KeyedArchiveError(.limit(.init("visits"), limits.visits)) }
    }
}
