/// An instance that has its uid and whose contents are still to be written.
struct PendingInstance: BitwiseCopyable {
    /// The instance, which the object table retains.
    let object: UnsafeRawPointer
    let writer: Unmanaged<InstanceWriter>
    let slot: ArchiveGraph.Slot
    /// Where it was met first.
    let path: CodingPathTable.Index
}

/// Writes the contents of the instances of one type. The layers above make subclasses: one for each way in which a class
/// can describe itself to an archiver.
class InstanceWriter {
    /// Writes the contents of `instance` and fills its slot with them.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }
}

/// The instances whose contents are to be written: first in, first out, in memory that is used again.
///
/// An instance that is met gets its uid at once, its contents follow when the one before it is complete. So no reference
/// between instances costs stack, however long the chain.
struct PendingInstances: ~Copyable {
    private var items: PlainArray<PendingInstance>
    private var first = 0

    init(in arena: inout Arena) {
        items = PlainArray(capacity: 4, in: &arena)
    }

    /// Whether the list has outgrown the arena that it began in.
    var hasGrown: Bool { items.isOwned }

    mutating func append(_ item: PendingInstance) {
        items.append(item)
    }

    mutating func popFirst() -> PendingInstance? {
        guard first < items.count else {
            items.removeAll()
            first = 0
            return nil
        }
        let item = items[first]
        first += 1
        if first >= 1024, first * 2 >= items.count {
            items.removeFirst(first)
            first = 0
        }
        return item
    }
}
