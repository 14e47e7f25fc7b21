// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Instances with only conditional references so far, and the slots that are reserved for them.
final class ConditionalInstances {
    /// The instances in the order of their first references, with their slots. The table retains them, for the reason
    /// given at `ObjectTable`.
    private(set) var all: [(object: AnyObject, slot: ArchiveGraph.Slot)] = []
    /// The positions of the instances in `all`.
    private var places: [ObjectIdentifier: Int] = [:]

    /// Whether no instance has a slot before its first strong reference. It is false also while an archive is updated with
    /// marked instances: others may have slots.
    private(set) var isEmpty = true

    /// Announces that instances without conditional references may have slots.
    func expectOtherSlots() { isEmpty = false }

    /// Returns the slot of `object`; `nil` if there is none.
    @inline(__always)
    func slot(of object: AnyObject) -> ArchiveGraph.Slot? {
        isEmpty ? nil : knownSlot(of: object)
    }

    @inline(never)
    private func knownSlot(of object: AnyObject) -> ArchiveGraph.Slot? {
        places[ObjectIdentifier(object)].map { all[$0].slot }
    }

    func insert(_ object: AnyObject, _ slot: ArchiveGraph.Slot) {
        places[ObjectIdentifier(object)] = all.count
        var changed = all
        all = []
        changed.append((object, slot))
        all = changed
        isEmpty = false
    }
}
