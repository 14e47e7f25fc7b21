/// A coder that encodes instances: both do, each for its own kind of classes. It is the counterpart of `ObjectDecoder`.
///
/// The extension has what they share between an instance and its reference in the archive.
protocol ObjectEncoder: AnyObject {
    /// The record of a class in one archive.
    associatedtype Record

    var writing: GraphWriting { get }

    /// Returns the instance that is archived for `object`, an instance of the class of `record` or of a subclass, which has no uid.
    ///
    /// It may call the program, which may encode the instance.
    ///
    /// - Parameter path: The coding path of the reference, for an error.
    func archivedInstance(
        for object: AnyObject, _ record: Record, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance
}

/// The instance that is archived for a referenced one, with the number of the writer of its contents.
enum ArchivedInstance {
    case itself(writer: UInt32)
    /// Another instance replaces it.
    case replacement(AnyObject, writer: UInt32)
    /// Nil replaces it.
    case null
}

// MARK: - References

extension ObjectEncoder {
    /// Returns the reference to `object`, an instance of the class of `record` or of a subclass.
    ///
    /// An instance that has a uid keeps it. Otherwise its replacement is determined, or that it has none, and gets a uid
    /// unless it has one. The slot is that of its conditional references, if there are any.
    ///
    /// - Parameter path: The coding path of the reference.
    @inline(__always)
    func reference(
        to object: AnyObject, _ record: @autoclosure () -> Record, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let writing = writing
        if let known = writing.instances.uid(of: object) { return known }
        let count = writing.instances.count
        switch try archivedInstance(for: object, record(), path: path) {
        case .itself(let writer):
            // The program may have encoded it meanwhile.
            if writing.instances.count != count, let known = writing.instances.uid(of: object) { return known }
            return writing.newInstance(object, writer: writer, path: path())
        case .replacement(let other, let writer):
            if let known = writing.instances.uid(of: other) { return known }
            return writing.newInstance(other, writer: writer, path: path())
        case .null: return ArchiveGraph.null
        }
    }

    /// Returns the reference to `object` for a property that does not archive it. It is decoded as nil unless another
    /// reference archives the instance.
    func conditionalReference(
        to object: AnyObject, _ record: Record, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        if let known = writing.instances.uid(of: object) { return known }
        let archived =
            switch try archivedInstance(for: object, record, path: path) {
            case .itself: object
            case .replacement(let other, _): other
            case .null: nil as AnyObject?
            }
        guard let archived else { return ArchiveGraph.null }
        return writing.instances.uid(of: archived) ?? writing.conditionalInstance(archived)
    }
}
