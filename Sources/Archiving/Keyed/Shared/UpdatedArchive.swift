/// An archive that is brought up to date with the one that is being written: what is not loaded is not written again.
final class UpdatedArchive {
    let archive: OpenArchive
    /// The slots that stand for objects of the archive, by their uids there.
    private var slots: [UInt32: ArchiveGraph.Slot] = [:]

    /// The uids there of the instances that were made from the archive.
    let instances: [ObjectIdentifier: UInt32]

    init(_ archive: OpenArchive, _ live: [(object: AnyObject, uid: UInt32)]) {
        self.archive = archive
        instances = Dictionary(
            live.map { (ObjectIdentifier($0.object), $0.uid) }, uniquingKeysWith: { first, _ in first })
    }

    /// What stands for an instance of the archive in a reference that does not archive it; nil for another instance.
    func conditionalReference(to object: AnyObject, in graph: inout ArchiveGraph) -> ArchiveGraph.Reference? {
        instances[ObjectIdentifier(object)].map { reference(to: $0, in: &graph) }
    }

    /// What stands for the object `uid` of the archive: a slot without contents.
    func reference(to uid: UInt32, in graph: inout ArchiveGraph) -> ArchiveGraph.Reference {
        if let known = slots[uid] { return known.uid }
        let slot = graph.reserveSlot()
        slots[uid] = slot
        return slot.uid
    }

    /// The uids in the archive of what slots stand for.
    var uids: [UInt32: UInt32] {
        Dictionary(uniqueKeysWithValues: slots.map { ($0.value.index, $0.key) })
    }
}
