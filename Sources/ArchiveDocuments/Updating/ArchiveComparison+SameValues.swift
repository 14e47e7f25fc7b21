// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// A part that was loaded without a change keeps its object when it is unloaded. A save meanwhile may have written a reference to an
// equal object in its place: an archive has each string, and the empty array, once.

extension ArchiveComparison {
    /// Returns whether two objects of the old archive are equal leaves, or collections of one class with the same elements.
    mutating func isSameValue(_ left: UInt32, _ right: UInt32) -> Bool {
        guard meter.take(1), let one = (try? old.object(left))?.node, let other = (try? old.object(right))?.node,
            one.kind == other.kind, one.count == other.count
        else { return false }
        guard one.kind == .dictionary else { return isSameLeaf(one, other) }
        guard list("NS.objects", of: one, in: old) != nil, meter.take(one.count), isSameClass(one, other) else {
            return false
        }
        return (0..<one.count).allSatisfy { position in
            let key = old.list.reference(position, in: one.payload)
            guard let node = try? old.node(key), isKey(node, at: position, in: other) else { return false }
            return old.list.objects.isString(node, "$class") || hasSameElements(position + one.count, one, other)
        }
    }

    private func isSameClass(_ left: Node, _ right: Node) -> Bool {
        guard let one = (try? old.classUID(of: left)) ?? nil, let other = (try? old.classUID(of: right)) ?? nil,
            let names = try? old.classChain(one)
        else { return false }
        return one == other || (try? old.classChain(other)) == names
    }

    private mutating func isKey(_ key: Node, at position: Int, in dictionary: Node) -> Bool {
        guard let other = try? old.node(old.list.reference(position, in: dictionary.payload)),
            key.kind == other.kind, key.count == other.count
        else { return false }
        return isSameLeaf(key, other)
    }

    private mutating func hasSameElements(_ position: Int, _ left: Node, _ right: Node) -> Bool {
        guard let one = try? old.node(old.list.reference(position, in: left.payload)),
            let other = try? old.node(old.list.reference(position, in: right.payload)), one.kind == .array,
            other.kind == .array, one.count == other.count, meter.take(one.count)
        else { return false }
        return (0..<one.count).allSatisfy { element in
            guard let first = try? old.node(old.list.reference(element, in: one.payload)),
                let second = try? old.node(old.list.reference(element, in: other.payload)), first.kind == .uid,
                second.kind == .uid, let uid = try? old.uid(first)
            else { return false }
            return uid == (try? old.uid(second))
        }
    }

    private mutating func isSameLeaf(_ left: Node, _ right: Node) -> Bool {
        switch left.kind {
        case .array, .set, .dictionary, .uid: false
        case .null, .true, .false: true
        case .integer: old.list.objects.integer(left) == old.list.objects.integer(right)
        default: takeBytes(old.byteCount(left)) && old.hasBytes(left, equalTo: right, of: old)
        }
    }
}
