/// Writes values and object graphs by key into a keyed archive.
///
/// The archiver owns the graph, and the list of instances whose contents are still to be written: an instance that is met
/// gets its uid at once, its contents follow when the one before it is complete. So no reference between instances costs
/// stack, however long the chain.
final class KeyedArchiver {
    /// The graph. Its address is stable for as long as the archiver lives.
    let graph: UnsafeMutablePointer<ArchiveGraph>
    let classes: ClassRegistry
    /// `$top`: keys and values in turn.
    private var top = PlainArray<ArchiveGraph.Reference>(capacity: 4)
    private var pending = WorkList()

    init(classes: ClassRegistry) {
        self.classes = classes
        graph = .allocate(capacity: 1)
        graph.initialize(to: ArchiveGraph())
    }

    deinit {
        graph.deinitialize(count: 1)
        graph.deallocate()
    }
}

/// Writes the contents of the instances of one type. The layers above make subclasses: one for each way in which a class
/// can describe itself to an archiver.
class InstanceWriter {
    /// Writes the contents of `instance` and fills its slot with them.
    func write(_ instance: KeyedArchiver.PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }
}

// MARK: - Instances

extension KeyedArchiver {
    /// An instance that has its uid and whose contents are to be written.
    struct PendingInstance {
        /// The instance, which the object table retains.
        let object: UnsafeRawPointer
        unowned(unsafe) let writer: InstanceWriter
        let slot: ArchiveGraph.Slot
        /// Where it was met first.
        let path: CodingPathTable.Index
    }

    /// First in, first out, in memory that is used again.
    private struct WorkList {
        private var items: [PendingInstance] = []
        private var first = 0

        mutating func append(_ item: PendingInstance) {
            items.append(item)
        }

        mutating func popFirst() -> PendingInstance? {
            guard first < items.count else {
                items.removeAll(keepingCapacity: true)
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

    /// The uid of the instance at `object`. Where it is met for the first time it gets a slot, and its contents are put
    /// on the work list.
    @inline(__always)
    func uid(
        of object: UnsafeRawPointer, writer: InstanceWriter, path: () -> CodingPathTable.Index
    ) -> ArchiveGraph.Reference {
        if let uid = graph.pointee.objects.uid(of: object) { return uid }
        let slot = graph.pointee.reserveSlot()
        graph.pointee.objects.insert(object, uid: slot.uid)
        pending.append(PendingInstance(object: object, writer: writer, slot: slot, path: path()))
        return slot.uid
    }

    /// Writes the contents of every instance that was met, and of those met on the way.
    func writePendingInstances() throws {
        while let instance = pending.popFirst() {
            try instance.writer.write(instance)
        }
    }
}

// MARK: - The archive

extension KeyedArchiver {
    /// Enters `value` into `$top` under `key`.
    func addTop(key: ArchiveGraph.Reference, value: ArchiveGraph.Reference) {
        top.append(key)
        top.append(value)
    }

    /// Ends the archive.
    ///
    /// - Returns: The bytes of the binary archive, which the caller releases with `Platform.release(_:)`.
    func finish() throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        guard let bytes = graph.pointee.finish(top: top, archiver: KeyedArchiveFormat.archiver) else {
            throw PropertyListError(.tooLarge, at: BinaryFormat.byteLimit)
        }
        return bytes
    }
}
