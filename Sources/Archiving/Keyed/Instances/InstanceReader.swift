/// Makes the instances of one class. The layers above make subclasses: one for each way in which a class can be read.
class InstanceReader {
    /// The class, as the table of instances knows it.
    final let identity: UnsafeRawPointer

    init(identity: UnsafeRawPointer) {
        self.identity = identity
    }

    /// Makes the instance of the object `uid` and enters it in the table of instances.
    ///
    /// - Parameter path: Where the reference stands that it is made for.
    func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        preconditionFailure("InstanceReader is abstract")
    }
}
