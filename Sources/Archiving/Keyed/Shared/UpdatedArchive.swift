/// An archive that is brought up to date with the one that is being written: what is not loaded is not written again.
final class UpdatedArchive {
    let archive: OpenArchive
    /// Whether all instances that were made from the archive are written, sooner or later.
    private let isWhole: Bool
    /// The slots that stand for objects of the archive, by their uids there.
    private var slots: [UInt32: ArchiveGraph.Slot] = [:]
    /// The uids there of the instances that were made from the archive.
    private lazy var uids = Dictionary(
        archive.liveInstances.map { (ObjectIdentifier($0.object), $0.uid) }, uniquingKeysWith: { first, _ in first })

    init(_ archive: OpenArchive, isWhole: Bool) {
        self.archive = archive
        self.isWhole = isWhole
    }

    /// What stands for an instance of the archive in a reference that does not archive it; nil for another instance, and for one
    /// that is written.
    func conditionalReference(to object: AnyObject, in graph: inout ArchiveGraph) -> ArchiveGraph.Reference? {
        isWhole ? nil : uids[ObjectIdentifier(object)].map { reference(to: $0, in: &graph) }
    }

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
