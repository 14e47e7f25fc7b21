import Archiving

/// What several places of an archive refer to: found out before anything of it is written, so that it can be named where
/// it is written first.
///
/// Nothing but a bit is kept for each object, and the containers that are still to be looked at. It does not recurse.
struct ReferenceCensus: ~Copyable {
    private let contents: ArchiveContents
    /// The slots that something refers to.
    private(set) var slots: BitSet
    /// The slots that several places refer to.
    private(set) var sharedSlots: BitSet
    /// The containers of the property list that several places lead to: slots, and other containers.
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

    /// Counts a reference to the object `uid`, and those that it leads to.
    mutating func count(uid: UInt32) {
        if let object = meet(uid: uid), let node = try? contents.node(object) { countContents(of: node) }
    }

    /// Counts the reference `reference`, and those that it leads to.
    mutating func count(reference: Int) {
        if let container = meet(reference), let node = try? contents.node(container) { countContents(of: node) }
    }

    /// Counts the references in `node`, and those that they lead to.
    mutating func countContents(of node: Node) {
        // The contents of a container are looked at once, and each reference takes a byte at least; only objects that lie in
        // each other have more.
        let count = contents.visitContents(of: node, limit: contents.list.objects.limit - referenceCount) { meet($0) }
        referenceCount += count
    }

    /// Counts a reference, and the object that a uid in its place leads to.
    ///
    /// - Returns: The container that is there and was not met before.
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
