/// The objects of an archive that references reach from some of its values, found without decoding.
package final class ReachableObjects {
    private let contents: ArchiveContents
    /// A bit for each uid.
    private let bits: PlainTable<UInt64>
    private var pending: [UInt32] = []
    private var referenceCount = 0

    /// Creates a set without objects.
    package init(of contents: ArchiveContents) {
        self.contents = contents
        bits = PlainTable(repeating: 0, count: contents.slotCount / 64 + 1)
    }

    /// Returns whether the object `uid` was reached.
    package func contains(_ uid: UInt32) -> Bool {
        Int(uid) < contents.slotCount && bits[Int(uid) >> 6] & 1 << UInt64(uid & 63) != 0
    }

    /// Whether objects were added that are not followed yet.
    package var hasPending: Bool { !pending.isEmpty }

    /// Adds the object `uid`, from which the next walk continues.
    package func insert(_ uid: UInt32) throws(KeyedArchiveError) { try insert(uid, &pending) }

    /// Adds the objects that the top of the archive references.
    package func insertTop() throws(KeyedArchiveError) {
        var found = pending
        try follow(contents.top, &found)
        pending = found
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
        if uid != 0 { found.append(uid) }
    }

    /// Adds the objects that `node` and the values in line inside it reference.
    private func follow(_ node: Node, _ found: inout [UInt32]) throws(KeyedArchiveError) {
        guard node.referenceCount > 0 else { return }
        var inside: [Node] = []
        try follow(node, &found, &inside)
        while let next = inside.popLast() { try follow(next, &found, &inside) }
    }

    private func follow(
        _ node: Node, _ found: inout [UInt32], _ inside: inout [Node]
    ) throws(KeyedArchiveError) {
        let list = contents.list
        // A list that is in line in many objects would be followed for each.
        referenceCount += node.referenceCount
        guard referenceCount <= contents.referenceLimit else {
            throw KeyedArchiveError(.limit(.init("references"), contents.referenceLimit))
        }
        for position in (node.kind == .dictionary ? node.count : 0)..<node.referenceCount {
            let reference = list.reference(position, in: node.payload)
            if let uid = contents.shortUID(reference) {
                try insert(uid, &found)
                continue
            }
            // Numbers and strings refer to nothing.
            if let offset = list.presentOffset(of: reference), list.bytes.byte(at: offset) < BinaryFormat.Marker.uid {
                continue
            }
            let value = try contents.node(reference)
            if value.kind == .uid {
                try insert(try contents.uid(value), &found)
            } else if value.referenceCount > 0 {
                inside.append(value)
            }
        }
    }
}

extension ArchiveContents {
    /// Returns the uids that the value `node` and the values in line inside it reference.
    ///
    /// - Complexity: O(*n*), where *n* is the number of references.
    package func uids(in node: Node) throws(KeyedArchiveError) -> [UInt32] {
        var uids: [UInt32] = []
        var inside = [node]
        var referenceCount = 0
        while let next = inside.popLast() {
            referenceCount += next.referenceCount
            guard referenceCount <= referenceLimit else {
                throw KeyedArchiveError(.limit(.init("references"), referenceLimit))
            }
            for position in (next.kind == .dictionary ? next.count : 0)..<next.referenceCount {
                let value = try self.node(list.reference(position, in: next.payload))
                if value.kind == .uid {
                    uids.append(try uid(value))
                } else if value.referenceCount > 0 {
                    inside.append(value)
                }
            }
        }
        return uids
    }
}
