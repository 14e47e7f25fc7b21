/// Reads values and object graphs by key from a keyed archive.
///
/// The unarchiver owns what belongs to the whole reading, whichever side asks: the archive, the instances that were made
/// so far, the names of keys, and what the limits still allow.
final class KeyedUnarchiver {
    let archive: KeyedArchive
    let classes: ClassRegistry
    let limits: DecodingLimits
    var instances: InstanceTable
    var keyNames = KeyNames()
    private var remainingVisits: Int

    init(archive: KeyedArchive, classes: ClassRegistry, limits: DecodingLimits) {
        self.archive = archive
        self.classes = classes
        self.limits = limits
        instances = InstanceTable(slotCount: archive.slotCount)
        remainingVisits = limits.visits
    }

    /// Counts `count` objects that are about to be decoded.
    @inline(__always)
    func visit(_ count: Int = 1) throws(KeyedArchiveError) {
        remainingVisits &-= count
        if remainingVisits < 0 { throw KeyedArchiveError(.limit(.init("visits"), limits.visits)) }
    }
}
