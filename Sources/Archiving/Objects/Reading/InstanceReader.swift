/// Decodes the instances of one class. The layers above have a subclass for each way to read a class.
class InstanceReader {
    /// The class, as identified in the table of instances.
    final let identity: any Any.Type

    init(identity: any Any.Type) {
        self.identity = identity
    }

    /// The name in class entries whose objects are decoded as the class if no type is registered; nil if there is none.
    final private(set) lazy var ownClassName: String? = {
        if let coding = identity as? any Coding.Type, coding.unarchivedClass != identity { return nil }
        return TypeNames.names(of: identity).archivedClass.name
    }()

    /// Decodes the instance of the object `uid` and enters it in the table of instances.
    ///
    /// - Parameter path: The coding path of the reference that requests it.
    func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        preconditionFailure("InstanceReader is abstract")
    }

    /// Returns the error of the coder that decodes the instances.
    func error(_ failure: ReadingFailure) -> any Error {
        preconditionFailure("InstanceReader is abstract")
    }

    /// The writer of instances of the class to `archiver`; nil if the class does not encode itself.
    func writer(for archiver: KeyedArchiver) -> InstanceWriter? {
        preconditionFailure("InstanceReader is abstract")
    }

    /// Whether the initializer may have received other fields than the archive has.
    var isMigrating: Bool { false }
}
