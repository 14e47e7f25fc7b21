/// Writes the contents of the instances of one type. The layers above define a subclass for each way in which a class encodes
/// itself.
class InstanceWriter {
    /// The number of the writer in its writing.
    final let number: UInt32

    /// Creates a writer, which `writing` retains.
    init(in writing: GraphWriting) {
        number = writing.nextWriterNumber
        writing.enter(self)
    }

    /// Writes the contents of `instance` and fills its slot.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }

    /// Writes the contents of `first`, and of the instances that `next` returns.
    func write(_ first: PendingInstance, andThen next: () throws -> PendingInstance?) throws {
        var instance: PendingInstance? = first
        while let current = instance {
            try write(current)
            instance = try next()
        }
    }

    /// Encodes the instance `object`, and adds its keys and values alternating to `entries` instead of writing them.
    ///
    /// - Returns: Whether the instance has a keyed container, and nothing can be added to it later.
    func collect(_ object: AnyObject, into entries: PlainTable<ArchiveGraph.Reference>) throws -> Bool {
        preconditionFailure("InstanceWriter is abstract")
    }
}
