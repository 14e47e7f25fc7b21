/// Instances that were met by references which do not archive them, and the slots that are theirs if anything does.
struct ConditionalInstances: ~Copyable {
    /// The instances are kept: see `ObjectTable`.
    private var slots: [ObjectIdentifier: (object: AnyObject, slot: ArchiveGraph.Slot)] = [:]

    var isEmpty: Bool { slots.isEmpty }

    /// The slot of `object`; nil where none was taken.
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
