// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
    /// The referenced instance itself, which still has no uid.
    case itself(writer: UInt32)
    /// The instance that the program named, which may be the referenced one, and may have a uid.
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
        if let known = writing.instances.uid(of: object) { return known }
        return try reference(to: object, path: path) { try archivedInstance(for: object, record(), path: path) }
    }

    /// Returns the reference to `object`, which has no uid, and for which `archived` returns the instance that is archived.
    @inline(__always)
    func reference(
        to object: AnyObject, path: () -> CodingPathTable.Index, archived: () throws -> ArchivedInstance
    ) throws -> ArchiveGraph.Reference {
        let writing = writing
        switch try archived() {
        case .itself(let writer): return writing.newInstance(object, writer: writer, path: path())
        case .named(let named, let writer):
            // No function of its own: `path` would become a closure, which retains the coder for every instance.
            if let known = writing.instances.uid(of: named) { return known }
            return writing.newInstance(named, writer: writer, path: path())
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
