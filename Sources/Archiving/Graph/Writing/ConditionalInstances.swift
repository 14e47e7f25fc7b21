/// Instances with only conditional references so far, and the slots that are reserved for them.
final class ConditionalInstances {
    /// The instances in the order of their first references, with their slots. The table retains them, for the reason
    /// given at `ObjectTable`.
    private(set) var all: [(object: AnyObject, slot: ArchiveGraph.Slot)] = []
    /// The positions of the instances in `all`.
    private var places: [ObjectIdentifier: Int] = [:]

    var isEmpty: Bool { all.isEmpty }

    /// Returns the slot of `object`; `nil` if there is none.
    @inline(__always)
    func slot(of object: AnyObject) -> ArchiveGraph.Slot? {
        all.isEmpty ? nil : knownSlot(of: object)
    }

    @inline(never)
    private func knownSlot(of object: AnyObject) -> ArchiveGraph.Slot? {
        places[ObjectIdentifier(object)].map { all[$0].slot }
    }

    func insert(_ object: AnyObject, _ slot: ArchiveGraph.Slot) {
        places[ObjectIdentifier(object)] = all.count
        all.append((object, slot))
    }
}
