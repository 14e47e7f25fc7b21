// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A walk through an archive, from some of its objects to all objects that they reach. It visits each once, and does not recurse.
struct ArchiveWalk: ~Copyable {
    private let contents: ArchiveContents
    /// Whether an object that is itself a uid, in a damaged archive, is followed. No decoder does that.
    private let followsDamage: Bool
    private var met: BitSet
    private(set) var slots: BitSet
    /// The slots that several visited places refer to.
    private(set) var sharedSlots: BitSet
    /// The containers of the property list that several visited places refer to: slots and other containers.
    private(set) var shared: BitSet
    private(set) var byteCount = 0
    private var referenceCount = 0

    init(_ contents: ArchiveContents, followsDamage: Bool = true) {
        self.contents = contents
        self.followsDamage = followsDamage
        met = BitSet(count: contents.list.objectCount)
        slots = BitSet(count: contents.slotCount)
        sharedSlots = BitSet(count: contents.slotCount)
        shared = BitSet(count: contents.list.objectCount)
    }

    mutating func visitContents(of node: Node) {
        let count = contents.visitContents(of: node, limit: contents.referenceLimit - referenceCount) { meet($0) }
        referenceCount += count
    }

    mutating func visit(reference: Int) {
        if let object = meet(reference), let node = try? contents.node(object) { visitContents(of: node) }
    }

    mutating func visit(uid: UInt32) {
        guard Int(uid) < contents.slotCount, let object = meet(uid: uid) else { return }
        if let node = try? contents.node(object) { visitContents(of: node) }
    }

    /// Visits the place of a reference, and the object there.
    ///
    /// - Returns: The object, if it was not visited before.
    private mutating func meet(_ reference: Int) -> Int? {
        guard let uid = contents.uid(at: reference) else { return meet(object: reference) }
        _ = meet(object: reference)
        return meet(uid: uid)
    }

    private mutating func meet(uid: UInt32) -> Int? {
        var uid = uid
        while true {
            guard slots.insert(Int(uid)) else {
                _ = sharedSlots.insert(Int(uid))
                return nil
            }
            let object = contents.object(inSlot: Int(uid))
            guard followsDamage, let next = contents.uid(at: object) else { return meet(object: object) }
            _ = meet(object: object)
            uid = next
        }
    }

    private mutating func meet(object reference: Int) -> Int? {
        guard reference < contents.list.objectCount else { return nil }
        guard met.insert(reference) else {
            if let node = try? contents.node(reference), node.referenceCount > 0 { _ = shared.insert(reference) }
            return nil
        }
        byteCount += contents.byteCount(of: reference)
        return reference
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
