import Archiving

/// A walk through an archive, from some of its objects to all that they lead to, each once.
struct ArchiveWalk: ~Copyable {
    private let contents: ArchiveContents
    /// The objects of the property list that were met.
    private var met: BitSet
    /// The slots that were met.
    private(set) var slots: BitSet
    /// The bytes that the objects take which were met.
    private(set) var byteCount = 0
    private var referenceCount = 0

    init(_ contents: ArchiveContents) {
        self.contents = contents
        met = BitSet(count: contents.list.objectCount)
        slots = BitSet(count: contents.slotCount)
    }

    /// Goes to everything that `node` leads to, itself not counted.
    mutating func visitContents(of node: Node) {
        let count = contents.visitContents(of: node, limit: contents.referenceLimit - referenceCount) { meet($0) }
        referenceCount += count
    }

    /// Goes to the object `reference` of the property list and everything that it leads to.
    mutating func visit(reference: Int) {
        if let container = meet(reference), let node = try? contents.node(container) { visitContents(of: node) }
    }

    /// Goes to the object `uid` and everything that it leads to.
    mutating func visit(uid: UInt32) {
        guard Int(uid) < contents.slotCount, slots.insert(Int(uid)) else { return }
        visit(reference: contents.object(inSlot: Int(uid)))
    }

    /// Counts the object `reference` of the property list, and the object that it leads to if it is a uid.
    ///
    /// - Returns: What it is, or leads to, if that was not met before.
    private mutating func meet(_ reference: Int) -> Int? {
        var reference = reference
        while reference < contents.list.objectCount, met.insert(reference) {
            byteCount += contents.byteCount(of: reference)
            guard let uid = contents.uid(at: reference) else { return reference }
            guard slots.insert(Int(uid)) else { return nil }
            // In a damaged archive that may be a uid, too.
            reference = contents.object(inSlot: Int(uid))
        }
        return nil
    }
}

extension ArchiveContents {
    /// The bytes that the object `reference` of the property list takes, without what is in it; 0 where it is damaged.
    func byteCount(of reference: Int) -> Int {
        guard reference < list.objectCount, let offset = try? list.offset(of: reference),
            let node = try? list.objects.node(at: offset)
        else { return 0 }
        return node.end(referenceSize: list.referenceSize) - offset
    }
}
