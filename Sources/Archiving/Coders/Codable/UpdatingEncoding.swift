// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The encoding of an archive that a document compares with its file: objects that the program does not have, or has not changed, are
/// slots without contents.
package struct UpdatingEncoding: ~Copyable {
    private let encoding: RootEncoding
    private var session: EncodingSession { encoding.session }

    /// - Parameters:
    ///   - observer: The observer, if objects of an archive are not written again.
    ///   - hasMarks: Whether the observer may name slots of instances without conditional references.
    ///   - hasChecksum: Whether the archive gets a checksum, whatever the encoder requests.
    package init(
        _ encoder: ArchiveEncoder, for observer: (any WritingObserver)?, hasMarks: Bool, hasChecksum: Bool
    ) {
        encoding = RootEncoding(encoder)
        encoding.session.graph.hasChecksum = hasChecksum
        encoding.session.changeExtras { $0.observer = observer }
        if hasMarks { encoding.session.conditionals.expectOtherSlots() }
    }

    package func encodeRoot(_ root: some Encodable) throws { try session.encodeRoot(root) }

    package func encodeInstances(_ instances: some Sequence<AnyObject>) throws {
        try session.encodeInstances(instances)
    }

    // MARK: - Instances

    /// The number of slots.
    package var slotCount: Int { session.graph.slots.count }
    /// The number of instances.
    package var instanceCount: Int { session.instances.count }

    /// Returns an instance, and the uid of its object; 0 if the number of the object is that of the instance before.
    package func instance(at index: Int) -> (object: AnyObject, uid: UInt32?) {
        (session.instances[index].object, session.graph.uid(session.instances.uid(at: index)))
    }

    package func has(_ object: AnyObject) -> Bool { session.instances.uid(of: object) != nil }

    /// Returns the position of `object`, which is probably at `index`, and the uid of its object; nil if it is not encoded.
    package func place(of object: AnyObject, probably index: Int) -> (index: Int, uid: UInt32)? {
        guard let index = session.instances.index(of: object, probably: index),
            let uid = session.graph.uid(session.instances.uid(at: index))
        else { return nil }
        return (index, uid)
    }

    /// The number of instances that conditional references reference.
    package var conditionalCount: Int { session.conditionals.all.count }

    /// Returns such an instance, and its slot.
    package func conditionalInstance(at index: Int) -> (object: AnyObject, uid: UInt32) {
        let (object, slot) = session.conditionals.all[index]
        return (object, slot.index)
    }

    // MARK: - Types

    /// The types of the class entries, by uid.
    package var classTypes: [UInt32: any Any.Type] { session.graph.classTypes }

    /// The names of the types that are written under their Swift names.
    package var defaultNames: [String] {
        let graph = session.graph
        return graph.writtenTypes.filter { graph.classes.hasDefaultName($0) }.map { ClassRegistry.swiftName(of: $0) }
    }

    // MARK: - Finishing

    /// Finishes the archive.
    ///
    /// - Parameter root: The root, for an error.
    /// - Throws: `EncodingError` if types must be registered and are not, unless `allowsAll` is true.
    package func finish(_ root: some Encodable, allowsAll: Bool) throws -> ArchiveSource {
        let unregistered = allowsAll ? [] : session.graph.unregisteredTypes
        let classes = session.graph.classes
        let bytes = try session.finish()
        let archive = ArchiveSource(try StoredArchive(decoding: ArchiveStorage(bytes)), format: .binary)
        if let unregistered = UnregisteredTypes(unregistered, classes, in: KeyedArchive(archive)) {
            throw EncodingError.invalid(root, path: unregistered.path) { _, _ in unregistered.sentence }
        }
        return archive
    }

    /// Returns the error to throw in place of `error`.
    package static func error(_ error: any Error, encoding root: some Encodable) -> any Error {
        (error as? PropertyListError).map { EncodingError.notWritable(root, $0) }
            ?? EncodingError.converted(error, root)
    }
}
