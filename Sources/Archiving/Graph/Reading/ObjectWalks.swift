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

// All traversals of an archive's objects use this function with different closures.

extension ArchiveContents {
    /// Visits the references in `node`, and in the containers that `next` returns, iteratively.
    ///
    /// - Parameters:
    ///   - withKeys: Whether to visit the keys of dictionaries as well.
    ///   - limit: The maximum number of visited references. Containers beyond it are skipped.
    ///   - next: Returns the container to visit for a reference: the referenced container, the object that a uid references, or
    ///     `nil` for none.
    /// - Returns: The number of references of all visited containers; more than `limit` if containers were skipped.
    package func visitContents(of node: Node, withKeys: Bool = true, limit: Int, _ next: (Int) -> Int?) -> Int {
        var remaining: [Int] = []
        var referenceCount = 0
        var node: Node? = node
        repeat {
            if let node {
                referenceCount += node.referenceCount
                guard referenceCount <= limit else { return referenceCount }
                for position in (withKeys || node.kind != .dictionary ? 0 : node.count)..<node.referenceCount {
                    if let container = next(list.reference(position, in: node.payload)) { remaining.append(container) }
                }
            }
            guard let reference = remaining.popLast() else { return referenceCount }
            node = try? self.node(reference)
        } while true
    }

    /// The maximum number of references that a traversal of the whole archive visits.
    ///
    /// Each reference takes at least one byte, so a well-formed archive has fewer references than bytes. In a hostile archive,
    /// overlapping objects can have so many references that no traversal would finish.
    package var referenceLimit: Int { 16 * list.limit }

    /// Returns the uid that the object `reference` of the property list represents, if the uid is in range; `nil` otherwise.
    package func uid(at reference: Int) -> UInt32? {
        guard let node = try? node(reference), node.kind == .uid, let uid = try? uid(node), Int(uid) < slotCount else {
            return nil
        }
        return uid
    }
}
