/// An instance that has its uid and whose contents are still to be written.
struct PendingInstance: BitwiseCopyable {
    /// The instance, which the object table retains.
    let object: UnsafeRawPointer
    let writer: Unmanaged<InstanceWriter>
    let slot: ArchiveGraph.Slot
    /// Where it was met first.
    let path: CodingPathTable.Index
}

/// The instances whose contents are to be written: first in, first out, in memory that is used again.
///
/// An instance that is met gets its uid at once, its contents follow when the one before it is complete. So no reference
/// between instances costs stack, however long the chain.
///
/// Instances are in the object table in the same order; what that knows of them is not here.
struct PendingInstances: ~Copyable {
    struct Item: BitwiseCopyable {
        let writer: Unmanaged<InstanceWriter>
        /// The number of the slot.
        let slot: UInt32
        let path: CodingPathTable.Index
    }

    private var items: PlainArray<Item>
    /// Where the next one is in `items`.
    private var first = 0
    /// Where the next one is in the object table.
    private var number = 0

    /// Items that a list has room for which keeps its memory when it has been worked off.
    private static var keptCapacity: Int { 4096 }

    init(in arena: inout Arena) {
        items = PlainArray(capacity: 8, in: &arena)
    }

    /// Whether the list has outgrown the arena that it began in.
    var hasGrown: Bool { items.isOwned }

    @inline(__always)
    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// The next instance, and where it is in the object table.
    @inline(__always)
    mutating func popFirst() -> (item: Item, number: Int)? {
        guard first < items.count else {
            clear()
            return nil
        }
        let item = items[first]
        first &+= 1
        if first >= 1024, first &* 2 >= items.count { removeWritten() }
        defer { number &+= 1 }
        return (item, number)
    }

    @inline(never)
    private mutating func removeWritten() {
        items.removeFirst(first)
        first = 0
    }

    private mutating func clear() {
        first = 0
        items.removeAll()
        if items.capacity > Self.keptCapacity { items.releaseMemory() }
    }

    /// Makes ready for another archive.
    mutating func reset() {
        clear()
        number = 0
    }
}

extension ArchiveGraph {
    /// The next instance whose contents are to be written; nil where there is none.
    @inline(__always)
    mutating func nextPendingInstance() -> PendingInstance? {
        guard let (item, number) = pending.popFirst() else { return nil }
        let (object, uid) = objects[number]
        return PendingInstance(
            object: object, writer: item.writer, slot: Slot(index: item.slot, uid: uid), path: item.path)
    }
}
