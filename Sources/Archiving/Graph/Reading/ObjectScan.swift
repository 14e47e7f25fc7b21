/// Finds the uids that stand in objects, in their containers as well. It does not follow them.
package struct ObjectScan: ~Copyable {
    private let contents: ArchiveContents
    private var met: BitSet
    private var touched: [Int] = []
    private var remaining: [Node] = []
    /// The references that were looked at so far.
    package private(set) var referenceCount = 0

    package init(_ contents: ArchiveContents) {
        self.contents = contents
        met = BitSet(count: contents.list.objectCount)
    }

    /// Hands the uids in the object `uid` to `body`.
    package mutating func visitReferences(of uid: UInt32, _ body: (UInt32) -> Void) {
        guard Int(uid) < contents.slotCount,
            let node = try? contents.node(contents.object(inSlot: Int(uid)))
        else { return }
        visitReferences(of: node, body)
    }

    /// Hands the uids in `node` to `body`.
    package mutating func visitReferences(of node: Node, _ body: (UInt32) -> Void) {
        remaining.append(node)
        while let node = remaining.popLast() {
            referenceCount += node.referenceCount
            for position in (node.kind == .dictionary ? node.count : 0)..<node.referenceCount {
                visit(contents.list.reference(position, in: node.payload), body)
            }
        }
        for reference in touched { met.remove(reference) }
        touched.removeAll(keepingCapacity: true)
    }

    private mutating func visit(_ reference: Int, _ body: (UInt32) -> Void) {
        guard let node = try? contents.node(reference) else { return }
        if node.kind == .uid {
            guard let uid = try? contents.list.objects.uid(node), Int(uid) < contents.slotCount else { return }
            body(uid)
        } else if node.referenceCount > 0, met.insert(reference) {
            touched.append(reference)
            remaining.append(node)
        }
    }
}

extension ArchiveContents {
    /// References that a walk through all of the archive follows at most.
    ///
    /// Each takes a byte at least, so that there are never more than bytes, unless objects lie in each other, as no writer
    /// lays them; with those, few bytes could ask for more than any machine has time for.
    package var referenceLimit: Int { 16 * list.objects.limit }
}
