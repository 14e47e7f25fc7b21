/// An archive that the archive in progress updates: unloaded objects are not written again.
final class UpdatedArchive {
    let archive: OpenArchive
    /// The slots that represent objects of the updated archive, by their uids there.
    private var slots: [UInt32: ArchiveGraph.Slot] = [:]

    init(_ archive: OpenArchive) { self.archive = archive }

    /// The reference to the object `uid` of the updated archive: a slot without contents.
    func reference(to uid: UInt32, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        if let known = slots[uid] { return known.uid }
        let slot = graph.reserveSlot()
        slots[uid] = slot
        return slot.uid
    }

    /// Calls `body` with each slot that represents an object, and the object's uid in the updated archive.
    func visitReferences(_ body: (_ slot: UInt32, _ uid: UInt32) -> Void) {
        for (uid, slot) in slots { body(slot.index, uid) }
    }
}
