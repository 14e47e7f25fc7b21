// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Finds objects of a new archive that have the same contents as those of an old one, if both have them in the same form and
/// order, as nearly all unchanged objects have. All other objects are left to a complete comparison.
///
/// The new archive is one that this process has written. The old one may have any contents.
package final class EqualObjects {
    private let new: BinaryPropertyListReader
    private let old: BinaryPropertyListReader
    private let newArchive: ArchiveContents
    private let oldArchive: ArchiveContents
    /// For each uid of the new archive, that of the equal object of the old one; 0 if none is known.
    private let pairs: PlainTable<UInt32>
    /// Equal keys: the numbers of the last pair for each value of the last bits of the new one.
    private let keys = PlainTable<UInt64>(repeating: .max, count: EqualObjects.keyCount)

    /// Equal elements: as `keys`. Numbers, classes and shared objects are elements of many objects, and are scattered over
    /// both archives.
    private let elements: PlainTable<UInt64>

    /// The places of the last equal keys of dictionaries: in the new archive, in the old one, and their number.
    private var lastKeys = (new: 0, old: 0, count: 0)

    /// The number of elements that are still compared. A part that was copied from a damaged archive may contain an object
    /// many times, and unfold to more than its size.
    private var remainingCount: Int

    private static let keyCount = 64
    /// The range of the logarithm of the number of equal elements that are found again.
    private static let elementBits = 6...15
    private static let objectsPerElement = 32
    private static let depthLimit = 16
    /// The pair of an object that is equal to none.
    private static let none = UInt32.max

    package init(of new: ArchiveContents, and old: ArchiveContents) {
        newArchive = new
        oldArchive = old
        self.new = new.list
        self.old = old.list
        pairs = PlainTable(repeating: 0, count: new.slotCount)
        remainingCount = 2 * new.byteCount
        let bits = Int.bitWidth - (new.list.objectCount / Self.objectsPerElement).leadingZeroBitCount
        let range = Self.elementBits
        elements = PlainTable(repeating: .max, count: 1 << min(max(bits, range.lowerBound), range.upperBound))
    }

    /// The uid in the old archive of the object that equals the object `uid` of the new one; 0 if none is known.
    package subscript(uid: UInt32) -> UInt32 {
        get {
            let pair = Int(uid) < pairs.count ? pairs[Int(uid)] : 0
            return pair == Self.none ? 0 : pair
        }
        set {
            let pair = Int(uid) < pairs.count ? pairs[Int(uid)] : 0
            // Elements that refer to the object are no longer equal to what they were.
            if pair != 0, pair != newValue { elements.fill(.max) }
            _ = pairs.replace(at: Int(uid), by: newValue)
        }
    }

    package func exclude(_ uid: UInt32) { self[uid] = Self.none }

    /// Returns whether the object `uid` of the new archive is known to have the same contents as the object `oldUID` of the
    /// old one, whatever the pairs of the two.
    package func isKnownEqual(_ uid: UInt32, _ oldUID: UInt32) -> Bool {
        guard old.isPresent, Int(uid) < newArchive.slotCount, Int(oldUID) < oldArchive.slotCount else { return false }
        return isEqual(
            new.reference(Int(uid), in: newArchive.slots), old.reference(Int(oldUID), in: oldArchive.slots), depth: 0)
    }

    private func isEqual(_ left: Int, _ right: Int, depth: Int) -> Bool {
        guard let leftNode = try? new.node(left), let rightNode = try? old.node(right) else { return false }
        return isEqual(leftNode, rightNode, depth: depth)
    }

    private func isEqual(_ leftNode: Node, _ rightNode: Node, depth: Int) -> Bool {
        guard leftNode.kind == rightNode.kind, leftNode.count == rightNode.count else { return false }
        switch leftNode.kind {
        case .uid:
            guard let uid = try? new.uid(leftNode), let oldUID = try? old.uid(rightNode) else { return false }
            return isEqual(uid: uid, oldUID, depth: depth)
        case .dictionary:
            remainingCount -= leftNode.count
            return remainingCount > 0 && isEqual(dictionary: leftNode, rightNode, depth: depth)
        case .array, .set:
            remainingCount -= leftNode.count
            guard remainingCount > 0 else { return false }
            for position in 0..<leftNode.count {
                guard isEqualElement(position, leftNode, rightNode, depth: depth) else { return false }
            }
            return true
        case .null, .true, .false: return true
        case .utf16: return hasEqualBytes(leftNode, rightNode, count: 2 * leftNode.count)
        default: return hasEqualBytes(leftNode, rightNode, count: leftNode.count)
        }
    }

    private func isEqual(dictionary left: Node, _ right: Node, depth: Int) -> Bool {
        guard hasEqualKeys(left, right) else { return false }
        for position in left.count..<2 * left.count {
            guard isEqualElement(position, left, right, depth: depth) else { return false }
        }
        return true
    }

    /// Returns whether two dictionaries of the same size have equal keys in the same order.
    private func hasEqualKeys(_ left: Node, _ right: Node) -> Bool {
        // Most dictionaries have the keys of the one before.
        let last = lastKeys
        if last.count == left.count,
            new.bytes.hasBytes(
                at: left.payload, equalTo: new.bytes, at: last.new, count: left.count * new.referenceSize),
            old.bytes.hasBytes(
                at: right.payload, equalTo: old.bytes, at: last.old, count: right.count * old.referenceSize)
        {
            return true
        }
        for position in 0..<left.count {
            let key = new.reference(position, in: left.payload)
            guard isEqual(key: key, old.reference(position, in: right.payload)) else { return false }
        }
        lastKeys = (left.payload, right.payload, left.count)
        return true
    }

    @inline(__always)
    private func isEqualElement(_ position: Int, _ left: Node, _ right: Node, depth: Int) -> Bool {
        guard depth < Self.depthLimit else { return false }
        let element = new.reference(position, in: left.payload)
        let oldElement = old.reference(position, in: right.payload)
        guard (element | oldElement) >> 32 == 0 else { return isEqual(element, oldElement, depth: depth + 1) }
        let pair = UInt64(truncatingIfNeeded: element) << 32 | UInt64(truncatingIfNeeded: oldElement)
        let place = element & (elements.count &- 1)
        if elements[place] == pair { return true }
        guard isEqual(element, oldElement, depth: depth + 1) else { return false }
        elements[place] = pair
        return true
    }

    private func isEqual(uid: UInt32, _ oldUID: UInt32, depth: Int) -> Bool {
        if uid == 0 || oldUID == 0 { return uid == oldUID }
        guard Int(uid) < pairs.count, Int(oldUID) < oldArchive.slotCount else { return false }
        let pair = pairs[Int(uid)]
        if pair != 0 { return pair == oldUID }
        let left = new.reference(Int(uid), in: newArchive.slots)
        // Slots with "$null" have rules of their own.
        guard let node = try? new.node(left), node.kind != .uid, node.kind != .null,
            !(node.kind == .ascii && new.isString(node, "$null")),
            let oldNode = try? old.node(old.reference(Int(oldUID), in: oldArchive.slots)),
            isEqual(node, oldNode, depth: depth + 1)
        else { return false }
        pairs[Int(uid)] = oldUID
        return true
    }

    private func isEqual(key: Int, _ oldKey: Int) -> Bool {
        guard let short = UInt32(exactly: key), let oldShort = UInt32(exactly: oldKey) else { return false }
        let pair = UInt64(short) << 32 | UInt64(oldShort)
        let place = key & (Self.keyCount - 1)
        if keys[place] == pair { return true }
        guard let left = try? new.node(key), let right = try? old.node(oldKey), left.kind == .ascii,
            right.kind == .ascii, left.count == right.count, hasEqualBytes(left, right, count: left.count)
        else { return false }
        keys[place] = pair
        return true
    }

    @inline(__always)
    private func hasEqualBytes(_ left: Node, _ right: Node, count: Int) -> Bool {
        new.bytes.hasBytes(at: left.payload, equalTo: old.bytes, at: right.payload, count: count)
    }
}
