import Archiving

/// A walk through the property list of an archive, from some of its objects to all that they lead to, each once.
///
/// It goes through containers and through uids, and does not recurse.
struct ArchiveWalk: ~Copyable {
    private let contents: ArchiveContents
    /// The objects of the property list that were met.
    private var met: BitSet
    private var remaining: [Int] = []
    /// The slots that were met.
    private(set) var slots: BitSet
    /// The bytes that the objects take which were met.
    private(set) var byteCount = 0
    /// References that may still be followed.
    private var budget: Int

    init(_ contents: ArchiveContents) {
        self.contents = contents
        budget = contents.referenceLimit
        met = BitSet(count: contents.list.objectCount)
        slots = BitSet(count: contents.slotCount)
    }

    /// Goes to everything that `node` leads to, itself not counted.
    mutating func visitContents(of node: Node) {
        push(node)
        walk()
    }

    /// Goes to the object `reference` of the property list and everything that it leads to.
    mutating func visit(reference: Int) {
        push(reference)
        walk()
    }

    /// Goes to the object `uid` and everything that it leads to.
    mutating func visit(uid: UInt32) {
        push(uid: uid)
        walk()
    }

    private mutating func push(_ node: Node) {
        budget -= node.referenceCount
        guard budget >= 0 else { return }
        for position in 0..<node.referenceCount { push(contents.list.reference(position, in: node.payload)) }
    }

    private mutating func push(_ reference: Int) {
        if reference < contents.list.objectCount, met.insert(reference) { remaining.append(reference) }
    }

    private mutating func push(uid: UInt32) {
        guard Int(uid) < contents.slotCount else { return }
        if slots.insert(Int(uid)) { push(contents.object(inSlot: Int(uid))) }
    }

    private mutating func walk() {
        while let reference = remaining.popLast() {
            guard let offset = try? contents.list.offset(of: reference),
                let node = try? contents.list.objects.node(at: offset)
            else { continue }
            byteCount += node.end(referenceSize: contents.list.referenceSize) - offset
            if node.kind == .uid, let uid = try? contents.list.objects.uid(node) {
                push(uid: uid)
            } else {
                push(node)
            }
        }
    }
}
