import Archiving

/// The objects of an archive that several places refer to. They are determined before anything is written, so that each can be
/// named at its first place.
///
/// It stores one bit per object and the pending containers. It does not recurse.
struct ReferenceCensus: ~Copyable {
    private let contents: ArchiveContents
    /// The slots with references to them.
    private(set) var slots: BitSet
    /// The slots that several places refer to.
    private(set) var sharedSlots: BitSet
    /// The containers of the property list that several places refer to: slots and other containers.
    private(set) var shared: BitSet
    private var met: BitSet
    private var referenceCount = 0

    init(_ contents: ArchiveContents) {
        self.contents = contents
        slots = BitSet(count: contents.slotCount)
        sharedSlots = BitSet(count: contents.slotCount)
        shared = BitSet(count: contents.list.objectCount)
        met = BitSet(count: contents.list.objectCount)
    }

    /// Counts a reference to the object `uid`, and the references that it reaches.
    mutating func count(uid: UInt32) {
        if let object = meet(uid: uid), let node = try? contents.node(object) { countContents(of: node) }
    }

    /// Counts the reference `reference`, and the references that it reaches.
    mutating func count(reference: Int) {
        if let container = meet(reference), let node = try? contents.node(container) { countContents(of: node) }
    }

    /// Counts the references in `node`, and the references that they reach.
    mutating func countContents(of node: Node) {
        // The contents of a container are visited once, and each reference takes at least a byte. Only overlapping objects have
        // more references.
        let count = contents.visitContents(of: node, limit: contents.list.objects.limit - referenceCount) { meet($0) }
        referenceCount += count
    }

    /// Counts a reference, and the object that it refers to if it is a uid.
    ///
    /// - Returns: The container there, if it was not visited before.
    private mutating func meet(_ reference: Int) -> Int? {
        if let uid = contents.uid(at: reference) { return meet(uid: uid) }
        return meet(container: reference)
    }

    private mutating func meet(uid: UInt32) -> Int? {
        guard Int(uid) < contents.slotCount else { return nil }
        guard slots.insert(Int(uid)) else {
            _ = sharedSlots.insert(Int(uid))
            return nil
        }
        return meet(container: contents.object(inSlot: Int(uid)))
    }

    private mutating func meet(container: Int) -> Int? {
        guard let node = try? contents.node(container), node.referenceCount > 0 else { return nil }
        if met.insert(container) { return container }
        _ = shared.insert(container)
        return nil
    }
}
