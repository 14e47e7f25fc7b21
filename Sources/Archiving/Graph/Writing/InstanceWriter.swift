/// Writes the contents of the instances of one type. The layers above define a subclass for each way in which a class encodes
/// itself.
class InstanceWriter {
    /// Writes the contents of `instance` and fills its slot.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }

    /// Encodes the instance at `object`, and adds its keys and values alternating to `entries` instead of writing them.
    ///
    /// - Returns: Whether the instance has a keyed container, and nothing can be added to it later.
    func collect(_ object: UnsafeRawPointer, into entries: inout PlainArray<ArchiveGraph.Reference>) throws -> Bool {
        preconditionFailure("InstanceWriter is abstract")
    }
}
