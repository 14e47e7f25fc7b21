/// A coder that encodes instances: both do, each for its own kind of classes. It is the counterpart of `ObjectDecoder`.
///
/// The extension has what they share between an instance and its reference in the archive.
protocol ObjectEncoder: AnyObject {
    /// The record of a class in one archive.
    associatedtype Record

    var writing: GraphWriting { get }

    /// Returns the instance that is archived for `object`, an instance of the class of `record` or of a subclass, which has no uid.
    ///
    /// - Parameter path: The coding path of the reference, for an error.
    func archivedInstance(
        for object: AnyObject, _ record: Record, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance
}

/// The instance that is archived for a referenced one, with the number of the writer of its contents.
enum ArchivedInstance {
    /// The referenced instance itself. The program was not asked.
    case itself(writer: UInt32)
    /// The instance that the program named, which may be the referenced one. The program may have encoded it meanwhile.
    case named(AnyObject, writer: UInt32)
    /// The program named nil.
    case null
}

// MARK: - References

extension ObjectEncoder {
    /// Returns the reference to `object`, an instance of the class of `record` or of a subclass.
    ///
    /// An instance that has a uid keeps it. Otherwise the coder determines the instance that is archived for it. That one
    /// gets the slot of its conditional references, or a new slot, unless it has a uid.
    ///
    /// - Parameter path: The coding path of the reference.
    @inline(__always)
    func reference(
        to object: AnyObject, _ record: @autoclosure () -> Record, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let writing = writing
        if let known = writing.instances.uid(of: object) { return known }
        switch try archivedInstance(for: object, record(), path: path) {
        case .itself(let writer): return writing.newInstance(object, writer: writer, path: path())
        case .named(let archived, let writer):
            return writing.reference(toNamed: archived, writer: writer, path: path)
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
            case .named(let named, _): named
            case .null: nil as AnyObject?
            }
        guard let archived else { return ArchiveGraph.null }
        return writing.instances.uid(of: archived) ?? writing.conditionalInstance(archived)
    }
}

extension GraphWriting {
    /// Returns the reference to `object`, which the program named to be archived.
    @inline(never)
    fileprivate func reference(
        toNamed object: AnyObject, writer: UInt32, path: () -> CodingPathTable.Index
    ) -> ArchiveGraph.Reference {
        if let known = instances.uid(of: object) { return known }
        return newInstance(object, writer: writer, path: path())
    }
}
