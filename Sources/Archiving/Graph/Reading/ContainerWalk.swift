// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
