// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The objects of an archive that references reach from some of its values, found without decoding.
///
/// Sendable: only the code that creates the set adds objects to it.
package final class ReachableObjects: @unchecked Sendable {
    private let contents: ArchiveContents
    private let bits: PlainTable<UInt64>
    private var pending: [UInt32] = []
    private var referenceCount = 0
    private let hasEmptySlots: Bool

    /// Creates a set without objects.
    ///
    /// - Parameter hasEmptySlots: Whether some objects are empty slots, which a walk visits as well. Otherwise it does not visit
    ///   strings, numbers and other objects without references.
    package init(of contents: ArchiveContents, hasEmptySlots: Bool = false) {
        self.contents = contents
        self.hasEmptySlots = hasEmptySlots
        bits = PlainTable(repeating: 0, count: contents.slotCount / 64 + 1)
    }

    package func contains(_ uid: UInt32) -> Bool {
        Int(uid) < contents.slotCount && bits[Int(uid) >> 6] & 1 << UInt64(uid & 63) != 0
    }

    package var elements: [UInt32] {
        (0..<UInt32(clamping: contents.slotCount)).filter { contains($0) }
    }

    package var hasPending: Bool { !pending.isEmpty }

    package func insert(_ uid: UInt32) throws(KeyedArchiveError) { try insert(uid, &pending) }

    package func insertTop() throws(KeyedArchiveError) {
        var found = pending
        try follow(contents.top, &found)
        pending = found
    }

    /// Adds the objects that the values of `keys`, in UTF-8, in the object `uid` reference.
    package func insertValues(of keys: Set<[UInt8]>, in uid: UInt32) throws(KeyedArchiveError) {
        let node = try contents.object(uid).node
        guard node.kind == .dictionary else { return }
        var found = pending
        for position in 0..<node.count {
            let key = try contents.node(contents.list.reference(position, in: node.payload))
            guard key.kind == .ascii || key.kind == .utf16, keys.contains(contents.text(key)) else { continue }
            let reference = contents.list.reference(node.count + position, in: node.payload)
            let value = try contents.node(reference)
            if value.kind == .uid { try insert(contents.uid(value), &found) } else { try follow(value, &found) }
        }
        pending = found
    }

    func walk() throws(KeyedArchiveError) {
        var found = pending
        pending = []
        while let uid = found.popLast() { try follow(contents.object(uid).node, &found) }
    }

    /// Follows the references of all objects that were added.
    ///
    /// - Parameter isElsewhere: A closure that is called for each object. If it returns true, the references of the object are not
    ///   followed.
    /// - Complexity: O(*n*), where *n* is the number of references of the objects.
    package func walk(_ isElsewhere: (UInt32) throws(KeyedArchiveError) -> Bool) throws(KeyedArchiveError) {
        var found = pending
        pending = []
        while let uid = found.popLast() {
            if try isElsewhere(uid) { continue }
            try follow(contents.object(uid).node, &found)
        }
    }

    @inline(__always)
    private func insert(_ uid: UInt32, _ found: inout [UInt32]) throws(KeyedArchiveError) {
        guard Int(uid) < contents.slotCount else {
            throw KeyedArchiveError(.uidOutOfRange(uid: uid, count: contents.slotCount))
        }
        let bit: UInt64 = 1 << UInt64(uid & 63)
        let word = bits[Int(uid) >> 6]
        guard word & bit == 0 else { return }
        bits[Int(uid) >> 6] = word | bit
        if uid != 0, hasEmptySlots || !contents.isLeaf(inSlot: uid) { found.append(uid) }
    }

    private func follow(_ node: Node, _ found: inout [UInt32]) throws(KeyedArchiveError) {
        try contents.visitUIDs(in: node, countedBy: &referenceCount) { uid throws(KeyedArchiveError) in
            try insert(uid, &found)
        }
    }
}

extension ArchiveSource {
    /// Returns the objects that the top of the archive reaches. They are found once.
    ///
    /// - Complexity: O(*n*), where *n* is the number of references of the objects.
    package func reachableObjects() throws(KeyedArchiveError) -> ReachableObjects {
        if let known = reachable.withLock({ $0 }) { return known }
        let found = ReachableObjects(of: contents)
        try found.insertTop()
        try found.walk()
        reachable.withLock { $0 = found }
        return found
    }
}
