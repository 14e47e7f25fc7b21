/// Instances with only conditional references so far, and the slots that are reserved for them.
struct ConditionalInstances: ~Copyable {
    /// The table retains the instances, for the reason given at `ObjectTable`.
    private var slots: [ObjectIdentifier: (object: AnyObject, slot: ArchiveGraph.Slot)] = [:]

    var isEmpty: Bool { slots.isEmpty }

    /// Returns the slot of `object`; `nil` if there is none.
    @inline(__always)
    func slot(of object: UnsafeRawPointer) -> ArchiveGraph.Slot? {
        slots.isEmpty ? nil : knownSlot(of: object)
    }

    @inline(never)
    private func knownSlot(of object: UnsafeRawPointer) -> ArchiveGraph.Slot? {
        slots[ObjectIdentifier(Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue())]?.slot
    }

    /// The instances, with their slots.
    var all: [(object: AnyObject, slot: ArchiveGraph.Slot)] { Array(slots.values) }

    mutating func insert(_ object: UnsafeRawPointer, _ slot: ArchiveGraph.Slot) {
        let object = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        slots[ObjectIdentifier(object)] = (object, slot)
    }
}
