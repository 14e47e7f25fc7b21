import Archiving

/// A walk through an archive, from some of its objects to all objects that they reach. It visits each once.
struct ArchiveWalk: ~Copyable {
    private let contents: ArchiveContents
    /// The visited objects of the property list.
    private var met: BitSet
    /// The visited slots.
    private(set) var slots: BitSet
    /// The number of bytes of the visited objects.
    private(set) var byteCount = 0
    private var referenceCount = 0

    init(_ contents: ArchiveContents) {
        self.contents = contents
        met = BitSet(count: contents.list.objectCount)
        slots = BitSet(count: contents.slotCount)
    }

    /// Visits everything that `node` refers to, without `node` itself.
    mutating func visitContents(of node: Node) {
        let count = contents.visitContents(of: node, limit: contents.referenceLimit - referenceCount) { meet($0) }
        referenceCount += count
    }

    /// Visits the object `reference` of the property list and everything that it reaches.
    mutating func visit(reference: Int) {
        if let container = meet(reference), let node = try? contents.node(container) { visitContents(of: node) }
    }

    /// Visits the object `uid` and everything that it reaches.
    mutating func visit(uid: UInt32) {
        guard Int(uid) < contents.slotCount, slots.insert(Int(uid)) else { return }
        visit(reference: contents.object(inSlot: Int(uid)))
    }

    /// Counts the object `reference` of the property list, and the object that it refers to if it is a uid.
    ///
    /// - Returns: That object, if it was not visited before.
    private mutating func meet(_ reference: Int) -> Int? {
        var reference = reference
        while reference < contents.list.objectCount, met.insert(reference) {
            byteCount += contents.byteCount(of: reference)
            guard let uid = contents.uid(at: reference) else { return reference }
            guard slots.insert(Int(uid)) else { return nil }
            // In a damaged archive the object can itself be a uid.
            reference = contents.object(inSlot: Int(uid))
        }
        return nil
    }
}

extension ArchiveContents {
    /// The bytes of the object `reference` of the property list without its contents; 0 if it is damaged.
    func byteCount(of reference: Int) -> Int {
        guard reference < list.objectCount, let offset = try? list.offset(of: reference),
            let node = try? list.objects.node(at: offset)
        else { return 0 }
        return node.end(referenceSize: list.referenceSize) - offset
    }
}
