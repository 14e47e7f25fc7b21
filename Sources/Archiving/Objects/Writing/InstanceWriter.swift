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

    /// Whether the writer writes many instances in one call.
    var writesRuns: Bool { false }

    /// Writes the contents of the instances that `next` returns, if `writesRuns` is true.
    func writeRun(_ next: () throws -> PendingInstance?) throws {
        preconditionFailure("This writer writes one instance at a time")
    }

    /// Encodes the instance `object`, and adds its keys and values alternating to `entries` instead of writing them.
    ///
    /// - Returns: Whether the instance has a keyed container, and nothing can be added to it later.
    func collect(_ object: AnyObject, into entries: PlainTable<ArchiveGraph.Reference>) throws -> Bool {
        preconditionFailure("InstanceWriter is abstract")
    }
}
