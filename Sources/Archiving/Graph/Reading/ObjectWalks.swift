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

    package mutating func visitReferences(of uid: UInt32, _ body: (UInt32) -> Void) {
        guard Int(uid) < contents.slotCount,
            let node = try? contents.node(contents.object(inSlot: Int(uid)))
        else { return }
        visitReferences(of: node, body)
    }

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

// The traversals of an archive's objects use these functions with different closures: the first one reads also what it can of a
// damaged archive, and the second one reports damage.

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

    /// Visits the uids in `node` and in the containers in line inside it, without the keys of dictionaries. The last one comes first,
    /// so that a walk that takes the last object that it has found meets objects in the order of the file.
    ///
    /// - Parameter referenceCount: The number of references that the traversal has met. Containers in line in many objects are
    ///   visited for each.
    @inline(__always)
    package func visitUIDs(
        in node: Node, countedBy referenceCount: inout Int, _ body: (UInt32) throws(KeyedArchiveError) -> Void
    ) throws(KeyedArchiveError) {
        guard node.referenceCount > 0 else { return }
        var inside: [Node] = []
        var next: Node? = node
        while let node = next {
            referenceCount += node.referenceCount
            guard referenceCount <= referenceLimit else {
                throw KeyedArchiveError(.limit(.init("references"), referenceLimit))
            }
            var position = node.referenceCount
            let first = node.kind == .dictionary ? node.count : 0
            while position > first {
                position &-= 1
                let reference = list.reference(position, in: node.payload)
                if let uid = shortUID(reference) {
                    try body(uid)
                    continue
                }
                // Numbers and strings refer to nothing.
                if let offset = list.presentOffset(of: reference),
                    list.bytes.byte(at: offset) < BinaryFormat.Marker.uid
                {
                    continue
                }
                let value = try self.node(reference)
                if value.kind == .uid {
                    try body(try uid(value))
                } else if value.referenceCount > 0 {
                    inside.append(value)
                }
            }
            next = inside.popLast()
        }
    }

    /// Returns the uids in the value `node` and in the containers in line inside it.
    ///
    /// - Complexity: O(*n*), where *n* is the number of references.
    package func uids(in node: Node) throws(KeyedArchiveError) -> [UInt32] {
        var (uids, referenceCount): ([UInt32], Int) = ([], 0)
        try visitUIDs(in: node, countedBy: &referenceCount) { uids.append($0) }
        return uids
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
