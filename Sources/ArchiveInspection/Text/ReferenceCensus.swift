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
    private var remaining: [Int] = []
    /// References that may still be looked at. The contents of a container are looked at once, and each reference takes a
    /// byte at least; only objects that lie in each other have more.
    private var budget: Int

    init(_ contents: ArchiveContents) {
        self.contents = contents
        slots = BitSet(count: contents.slotCount)
        sharedSlots = BitSet(count: contents.slotCount)
        shared = BitSet(count: contents.list.objectCount)
        met = BitSet(count: contents.list.objectCount)
        budget = contents.list.objects.limit
    }

    /// Counts a reference to the object `uid`, and those that it leads to.
    mutating func count(uid: UInt32) {
        meet(uid: uid)
        countRemaining()
    }

    /// Counts the reference `reference`, and those that it leads to.
    mutating func count(reference: Int) {
        meet(reference)
        countRemaining()
    }

    /// Counts the references in `node`, and those that they lead to.
    mutating func countContents(of node: Node) {
        meetContents(of: node)
        countRemaining()
    }

    private mutating func countRemaining() {
        while let reference = remaining.popLast() {
            if let node = try? contents.node(reference) { meetContents(of: node) }
        }
    }

    private mutating func meetContents(of node: Node) {
        guard node.referenceCount <= budget else { return }
        budget -= node.referenceCount
        for position in 0..<node.referenceCount { meet(contents.list.reference(position, in: node.payload)) }
    }

    private mutating func meet(_ reference: Int) {
        guard let node = try? contents.node(reference) else { return }
        guard node.kind == .uid else { return meet(reference, node) }
        if let uid = try? contents.uid(node) { meet(uid: uid) }
    }

    private mutating func meet(uid: UInt32) {
        guard Int(uid) < contents.slotCount else { return }
        guard slots.insert(Int(uid)) else {
            _ = sharedSlots.insert(Int(uid))
            return
        }
        let reference = contents.object(inSlot: Int(uid))
        if let node = try? contents.node(reference) { meet(reference, node) }
    }

    private mutating func meet(_ reference: Int, _ node: Node) {
        guard node.referenceCount > 0 else { return }
        if met.insert(reference) {
            remaining.append(reference)
        } else {
            _ = shared.insert(reference)
        }
    }
}
