/// Writes the contents of the instances of one type. The layers above make subclasses: one for each way in which a class
/// can describe itself to an archiver.
class InstanceWriter {
    /// Writes the contents of `instance` and fills its slot with them.
    func write(_ instance: PendingInstance) throws {
        preconditionFailure("InstanceWriter is abstract")
    }
}
