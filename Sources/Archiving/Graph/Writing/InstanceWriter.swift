/// Writes the contents of the instances of one type. The layers above define a subclass for each way in which a class encodes
/// itself.
class InstanceWriter {
    /// Writes the contents of `instance` and fills its slot.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }
}
