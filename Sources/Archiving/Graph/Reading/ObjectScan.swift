// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Finds the uids in objects, including the uids in their containers. The scan does not resolve uids.
package struct ObjectScan: ~Copyable {
    private let contents: ArchiveContents
    private var met: BitSet
    private var touched: [Int] = []
    private var referenceCount = 0

    package init(_ contents: ArchiveContents) {
        self.contents = contents
        met = BitSet(count: contents.list.objectCount)
    }

    /// Whether the scan is incomplete, because objects share containers in too many ways.
    package var isExceeded: Bool { referenceCount > contents.referenceLimit }

    /// Calls `body` with each uid in the object `uid`.
    package mutating func visitReferences(of uid: UInt32, _ body: (UInt32) -> Void) {
        guard Int(uid) < contents.slotCount,
            let node = try? contents.node(contents.object(inSlot: Int(uid)))
        else { return }
        visitReferences(of: node, body)
    }

    /// Calls `body` with each uid in `node`.
    package mutating func visitReferences(of node: Node, _ body: (UInt32) -> Void) {
        let count = contents.visitContents(
            of: node, withKeys: false, limit: contents.referenceLimit - referenceCount
        ) { reference in
            guard let node = try? contents.node(reference) else { return nil }
            if node.kind == .uid {
                if let uid = contents.uid(at: reference) { body(uid) }
                return nil
            }
            guard node.referenceCount > 0, met.insert(reference) else { return nil }
            touched.append(reference)
            return reference
        }
        referenceCount += count
        for reference in touched { met.remove(reference) }
        touched.removeAll(keepingCapacity: true)
    }
}
