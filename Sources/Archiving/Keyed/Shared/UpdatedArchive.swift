/// An archive that is brought up to date with the one that is being written: what is not loaded is not written again.
final class UpdatedArchive {
    let archive: OpenArchive
    /// The slots that stand for objects of the archive, by their uids there.
    private var slots: [UInt32: ArchiveGraph.Slot] = [:]

    init(_ archive: OpenArchive) { self.archive = archive }

    /// What stands for the object `uid` of the archive: a slot without contents.
    func reference(to uid: UInt32, in graph: inout ArchiveGraph) -> ArchiveGraph.Reference {
        if let known = slots[uid] { return known.uid }
        let slot = graph.reserveSlot()
        slots[uid] = slot
        return slot.uid
    }

    /// Calls `body` with each slot that stands for an object, and the object's uid in the archive.
    func visitReferences(_ body: (_ slot: UInt32, _ uid: UInt32) -> Void) {
        for (uid, slot) in slots { body(slot.index, uid) }
    }
}
